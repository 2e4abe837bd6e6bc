"""A plan that reaches far is confirmed by someone who has not read the document.

A document may tell a model to delete everything. Whoever confirms sees the instruction and what the
plan would do, and no word of the document, so that the document cannot speak to them. Everything
else a plan could do harm with is not in its schema: no author, no field code, no link, no file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.errors import RefusedError
from engine.locate import find
from engine.plan import DeleteBlocks, EditPlan, FindReplace, ReplaceText, RewriteBlock
from engine.planner.model import Message
from engine.planner.planner import Conversation
from engine.planner.retrieval import Entry
from engine.planner.wire import UnreadableReplyError, decode

SHARE = 0.3
# Below this many blocks a person sees at a glance what happened.
FEW = 6

_CONFIRM = (
    "You check plans of a document editing service. You are told an instruction and what a plan"
    " for it would do; you are not shown the document. Answer with one JSON object: decision `edit`"
    " when the instruction plainly asks for a change of that extent, `refuse` when it asks for less"
    " or for something else; reason in one sentence; read and operations are []."
)


def extent(plan: EditPlan, document: Sequence[Entry], instruction: str) -> str:
    """Say what a plan that reaches far would do; nothing when it does not reach far."""
    blocks = [entry for entry in document if not re.search(r"\.r\d+$", entry.anchor)]
    gone = _deleted(plan, document)
    if len(gone) > max(FEW, SHARE * len(blocks)):
        return f"delete {len(gone)} of the document's {len(blocks)} blocks"
    for operation in plan.operations:
        if isinstance(operation, FindReplace) and _is_unasked(operation, instruction):
            hit = sum(1 for entry in blocks if find(entry.text, operation.find))
            if hit > max(FEW, SHARE * len(blocks)):
                return (
                    f"replace “{operation.find}” with “{operation.replace}” in {hit} of the"
                    f" document's {len(blocks)} blocks"
                )
    return ""


def _is_unasked(operation: FindReplace, instruction: str) -> bool:
    """Whether it works in the whole document on a text the instruction does not name."""
    return ":" not in operation.scope and not find(instruction, operation.find)


def _deleted(plan: EditPlan, document: Sequence[Entry]) -> set[str]:
    places = {entry.anchor: index for index, entry in enumerate(document)}
    texts = {entry.anchor: entry.text for entry in document}
    gone: set[str] = set()
    for operation in plan.operations:
        match operation:
            case DeleteBlocks():
                start = places.get(operation.first, 0)
                end = places.get(operation.last, start)
                gone |= {entry.anchor for entry in document[start : end + 1]}
            case RewriteBlock() if not operation.text.strip():
                gone.add(operation.anchor)
            case ReplaceText() if not operation.replace.strip():
                text = texts.get(operation.anchor, "")
                gone |= {operation.anchor} if len(operation.find) * 2 > len(text) > 0 else set()
            case _:
                pass
    return {anchor for anchor in gone if not re.search(r"\.r\d+$", anchor)}


async def confirmed(
    conversation: Conversation, instruction: str, lookup: str | None, what: str
) -> None:
    """Ask whether an instruction means as much as a plan does.

    Args:
        conversation: A fresh one; its messages are replaced.
        instruction: What the person said.
        lookup: The excerpt the person gave.
        what: What the plan would do, as `extent` says it.

    Raises:
        RefusedError: It does not.
    """
    place = f" The person also quoted a place: {lookup}" if lookup else ""
    asked = f"Instruction: {instruction}\n{place}\nThe plan would {what}."
    conversation.messages = [Message("system", _CONFIRM), Message("user", asked)]
    try:
        decision = decode(await conversation.ask()).decision
    except UnreadableReplyError:
        decision = "refuse"
    if decision != "edit":
        message = (
            f"The language model's plan would {what}, which the instruction does not plainly ask"
            " for; nothing was changed"
        )
        raise RefusedError(message)
