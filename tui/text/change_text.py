"""A change in words, to be pasted elsewhere: as plain text, or as Markdown with CriticMarkup."""

from __future__ import annotations

from redraft.tui.text.runs import one_line
from redraft.tui.transport.wire import Change


def as_text(change: Change) -> str:
    """Returns who changed what and where, on one line, with the words around it on a second."""
    before, after = one_line(change.before), one_line(change.after)
    if change.formatting:
        what = ", ".join(
            f"{name} {old or '-'} -> {new or '-'}" for name, old, new in _formats(change)
        )
        what = f"“{after or before}”: {what}"
    elif before and after:
        what = f"“{before}” -> “{after}”"
    else:
        what = f"deleted “{before}”" if before else f"inserted “{after}”"
    head = ": ".join(part for part in (_where(change), what) if part)
    by = f" ({one_line(change.author)})" if change.author else ""
    around = one_line(f"{change.lead}{change.after}{change.trail}")
    return f"{head}{by}\n{around}" if around else f"{head}{by}"


def as_markdown(change: Change) -> str:
    """Returns the words with the change marked, below where they stand."""
    struck = f"{{--{change.before}--}}" if change.before and not change.formatting else ""
    added = f"{{++{change.after}++}}" if change.after and not change.formatting else ""
    kept = change.after if change.formatting else ""
    words = one_line(f"{change.lead}{struck}{added}{kept}{change.trail}")
    notes = "; ".join(f"{name}: {old or '-'} → {new or '-'}" for name, old, new in _formats(change))
    head = f"**{_where(change)}**\n\n" if _where(change) else ""
    return f"{head}{words}{f' *({notes})*' if notes else ''}"


def _where(change: Change) -> str:
    place = one_line(change.where).partition(" · ")[0]
    return place if change.story == "body" else f"{change.story} {place}".strip()


def _formats(change: Change) -> list[tuple[str, str, str]]:
    return [(one_line(name), one_line(old), one_line(new)) for name, old, new in change.formatting]
