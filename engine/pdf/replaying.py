"""Carry out on one version of a PDF changes that touch the same words, one kind after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.errors import RefusedError
from engine.pdf.carrying import carry_out
from engine.pdf.content.edits import Edits, steps
from engine.pdf.content.targets import Target, known_in


def replayed(
    base: bytes,
    edits: Edits,
    known: Sequence[Target] | None = None,
    *,
    breaks_signature: bool = True,
) -> tuple[bytes, tuple[str, ...]]:
    """Carry out changes whose places are those of one version; gives the file and warnings.

    Args:
        base: the version.
        edits: the changes.
        known: its blocks, where they have been read before.
        breaks_signature: whether a signed PDF may be edited, with a warning.

    Raises:
        EditError: it cannot be done without damage, or a look changes how the rest is read.
    """
    parts = list(steps(edits))
    if len(parts) < 2:
        return carry_out(base, edits, known, breaks_signature=breaks_signature)
    first = known or known_in(base)
    warnings: tuple[str, ...] = ()
    for number, step in enumerate(parts):
        now = known_in(base) if number else first
        placed = _renamed(step, _anchors(first, now)) if number else step
        base, said = carry_out(base, placed, now, breaks_signature=breaks_signature)
        warnings += said
    return base, tuple(dict.fromkeys(warnings))


def _anchors(before: Sequence[Target], after: Sequence[Target]) -> dict[str, str]:
    """Say under which anchors blocks are found that read as they did."""
    held: tuple[dict[str, list[str]], ...] = ({}, {})
    for side, targets in zip(held, (before, after), strict=True):
        for target in targets:
            side.setdefault(target.text, []).append(target.anchor)
    return {
        one: two
        for text, anchors in held[0].items()
        if len(anchors) == len(held[1].get(text, ()))
        for one, two in zip(anchors, held[1][text], strict=True)
    }


def _renamed(step: Edits, anchors: Mapping[str, str]) -> Edits:
    """Give a step under the anchors that its blocks have now.

    Raises:
        RefusedError: a block does not read as it did.
    """
    if any(each not in anchors for each in step.touched()):
        message = (
            "These changes cannot be made at once: with another look the page reads differently; "
            "make them one after the other"
        )
        raise RefusedError(message)
    return replace(
        step,
        changes={anchors[anchor]: held for anchor, held in step.changes.items()},
        deleted=[anchors[each] for each in step.deleted],
        inserted=[replace(each, anchor=anchors[each.anchor]) for each in step.inserted],
        looks=[replace(each, anchor=anchors[each.anchor]) for each in step.looks],
        links=[replace(each, anchor=anchors[each.anchor]) for each in step.links],
        closed=[[anchors.get(each, each) for each in stretch] for stretch in step.closed],
    )
