"""What a model is told. The system prompt is `prompt.md`, pinned by a test: a change is a decision.

The order serves the prefix caches of servers: what never changes first, then the document, the
instruction last, so that a second edit or a repair round of one document reads the cache.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from redraft.engine.model import Format
from redraft.engine.plan import OPERATIONS, Fault, name_of, offered
from redraft.engine.planner.model import Message
from redraft.engine.planner.view import tokens

_EXCERPT = (
    "The document is too long to show whole; you see its outline and the blocks most likely meant."
    " When you need others, decide `need_more` and name them in `read`: ranges as `p120-p160`, a"
    " heading's id for its section, or `find:words` for the blocks that hold these words, best"
    " first. What was shown before still counts. When every"
    " block of the document is concerned (a translation, a change of tone), decide `need_more` with"
    " `all`: it is then worked through part by part. What `find_replace` can do, it does in the"
    " whole document, blocks not shown included."
)


_PDF = (
    "This document is a PDF: ids are `p2.b7` (page 2, block 7), `p2.h1` in a header, `p2.f1` in a"
    " footer. Cells stand one a line: `p2.b7.r3.c2.b1` is in row 3 and column 2 of the table"
    " `p2.b7`; empty ones are not shown, and what is read as a column or as `num` may be mistaken."
    " Its pages stay as they are laid"
    " out, so new text should not be much longer than what it replaces, and what `delete_blocks`"
    " takes leaves its room empty, unless its `close_up` is true: then what follows in the column"
    " of that page moves up. `format_text` knows only"
    " `bold`, `italic` and `color`; new blocks are `like_anchor`, `paragraph` or `bullet`; a cell"
    " is changed by its paragraph; a form field goes by its name. Page numbers stand at the bottom."
    " What these operations cannot do is refused."
)


_WORD_ROWS = "A row `[t1.r2]"  # a PDF shows its cells otherwise, see above


# More of them teach nothing, and cost what the answer could use.
_MOST_FAULTS = 20


@cache
def system(kind: Format = "docx") -> str:
    """The system prompt, with the operations that a file type can do."""
    lines = Path(__file__).with_name("prompt.md").read_text("utf-8").strip().splitlines()
    if kind == "pdf":
        lines = [line for line in lines if not line.startswith(_WORD_ROWS)]
    kept = [line for line in lines if _is_offered(line, offered(kind))]
    sections = [
        line
        for line, following in zip(kept, [*kept[1:], ""], strict=True)
        if not (line.startswith("## ") and re.match(r"#|$", following))
    ]
    if kind == "pdf":
        sections.insert(sections.index("# Rules") - 1, _PDF)
    return "\n".join(sections)


def _is_offered(line: str, names: frozenset[str]) -> bool:
    """Whether a line is none about operations, or about one that is offered."""
    known = set(map(name_of, OPERATIONS))
    told = [name for name in re.findall(r"`(\w+)`", line) if name in known]
    return not told or any(name in names for name in told)


def opening(
    view: str,
    instruction: str,
    lookup: str | None,
    *,
    excerpt: bool = False,
    kind: Format = "docx",
) -> tuple[Message, ...]:
    """Begin a conversation: the rules, the document, the instruction, each a message of its own."""
    place = f"\n\nThe place that is meant reads about like this:\n{lookup}" if lookup else ""
    rule = f"\n\n{_EXCERPT}" if excerpt else ""
    return (
        Message("system", system(kind)),
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
    lines = [
        f"- operation {fault.index + 1}: {fault.code}: {fault.message}"
        for fault in faults[:_MOST_FAULTS]
    ]
    if len(faults) > _MOST_FAULTS:
        lines.append(f"- and {len(faults) - _MOST_FAULTS} more of that kind")
    return Message(
        "user",
        "That plan cannot be carried out on this document:\n"
        + "\n".join(lines)
        + "\nSend the whole plan again with these mended; the other operations as they were.",
    )
