"""What the service understands without a model, offered while an instruction is written."""

from __future__ import annotations

TEMPLATES = (
    'Replace "…" with "…"',
    'Replace "…" with "…" everywhere',
    'Change "…" to "…" in the section "…"',
    'Insert "…" after "…"',
    'Insert "…" before "…"',
    'Delete "…"',
    'Delete the paragraph containing "…"',
    'Delete the section "…"',
    'Add the paragraph "…" after the heading "…"',
    'Rename the heading "…" to "…"',
    'Make "…" bold',
    'Make "…" italic',
)
SHORTEST = 2  # characters typed


def suggestion(typed: str) -> str:
    """Return what may follow the beginning of an instruction, or nothing.

    Words between quotes that have been written stand for the template's own.
    """
    if len(typed) < SHORTEST or "\n" in typed:
        return ""
    parts = typed.split('"')
    for template in TEMPLATES:
        fixed = template.split('"')
        if len(parts) > len(fixed):
            continue
        last = len(parts) - 1
        if any(parts[at].casefold() != fixed[at].casefold() for at in range(0, last, 2)):
            continue
        if last % 2:  # within quotes: what comes after them is offered when they are closed
            continue
        if fixed[last].casefold().startswith(parts[last].casefold()):
            rest = fixed[last][len(parts[last]) :]
            following = '"'.join(fixed[last + 1 :])
            return rest + (f'"{following}' if len(fixed) > last + 1 else "")
    return ""
