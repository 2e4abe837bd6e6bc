"""What a model is told. The system prompt is `prompt.md`, pinned by a test: a change is a decision.

The order serves the prefix caches of servers: what never changes first, then the document, the
instruction last, so that a second edit or a repair round of one document reads the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from engine.plan import Fault
from engine.planner.model import Message
from engine.planner.view import tokens

_EXCERPT = (
    "The document is too long to show whole; you see its outline and the blocks most likely meant."
    " When you need others, decide `need_more` and name them in `read`: ranges as `p120-p160`, a"
    " heading's id for its section, or `find:words` for the blocks with these words. When every"
    " block of the document is concerned (a translation, a change of tone), decide `need_more` with"
    " `all`: it is then worked through part by part. What `find_replace` can do, it does in the"
    " whole document, blocks not shown included."
)


@cache
def system() -> str:
    """The system prompt."""
    return Path(__file__).with_name("prompt.md").read_text("utf-8").strip()


def opening(
    view: str, instruction: str, lookup: str | None, *, excerpt: bool = False
) -> tuple[Message, ...]:
    """Begin a conversation: the rules, the document, the instruction, each a message of its own."""
    place = f"\n\nThe place that is meant reads about like this:\n{lookup}" if lookup else ""
    rule = f"\n\n{_EXCERPT}" if excerpt else ""
    return (
        Message("system", system()),
        Message("user", view),
        Message("user", f"Instruction: {instruction}{place}{rule}"),
    )


def more(view: str, *, is_last: bool) -> Message:
    """Show what a model asked to read."""
    shown = (
        f"More of the document:\n{view}"
        if view
        else "There is nothing of that kind in it that you have not seen."
    )
    end = "\nThis is all you get to read: decide now, without `need_more`." if is_last else ""
    return Message("user", f"{shown}{end}")


def nothing_more() -> Message:
    """Say that a document was shown whole."""
    return Message("user", "You have read the whole document: decide now, without `need_more`.")


def size(text: str) -> int:
    """About how many tokens a text is."""
    return tokens(text)


def unreadable(problem: str) -> Message:
    """Say that an answer was no plan."""
    return Message(
        "user",
        f"That answer could not be read: {problem}. Answer again with the whole plan as one JSON"
        " object of the form described, and nothing else.",
    )


def faulty(faults: Sequence[Fault]) -> Message:
    """Say what is wrong with a plan, one line a fault; the whole plan is asked for again."""
    lines = [f"- operation {fault.index + 1}: {fault.code}: {fault.message}" for fault in faults]
    return Message(
        "user",
        "That plan cannot be carried out on this document:\n"
        + "\n".join(lines)
        + "\nSend the whole plan again with these mended; the other operations as they were.",
    )
