"""How an instruction becomes a plan, as text for people who tune models and prompts."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.engine.instruct import Planned
from redraft.engine.plan import Fault


def explained(view: str, planned: Planned, faults: Sequence[Fault]) -> str:
    """The view that a model is shown, what was said to it, the plan, and what was checked.

    Args:
        view: What a model is shown, or would be: the interpreter reads the document itself.
        planned: The plan, and the conversation when a model made it.
        faults: Why operations cannot be carried out.
    """
    plan = planned.plan
    made_by = planned.model or "the built-in interpreter"
    parts = [_part("view", view)]
    parts += [_part(message.role, message.content) for message in planned.transcript]
    lines = [f"made by: {made_by}", f"decision: {plan.decision}", f"reason: {plan.reason}"]
    if planned.usage is not None:
        usage = planned.usage
        lines.append(
            f"tokens: {usage.input} read ({usage.cached} from cache), {usage.output} written, "
            f"in {usage.requests} answers"
        )
    lines += [f"warning: {warning}" for warning in planned.warnings]
    lines += [f"{number}. {operation}" for number, operation in enumerate(plan.operations, start=1)]
    parts.append(_part("plan", "\n".join(lines)))
    wrong = [f"operation {fault.index + 1}: {fault.code}: {fault.message}" for fault in faults]
    parts.append(_part("checked", "\n".join(wrong) or "every operation can be carried out"))
    return "\n".join(parts)


def _part(title: str, text: str) -> str:
    return f"=== {title} ===\n{text.rstrip()}\n"
