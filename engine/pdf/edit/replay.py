"""Carry out on one version of a PDF changes that touch the same words, one kind after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.edit.execute import carry_out
from redraft.engine.pdf.glyphs.target_blocks import Target, known_in
from redraft.engine.pdf.page_operations.execute_steps import reshape
from redraft.engine.pdf.page_operations.step_codec import restored
from redraft.engine.pdf.resolved_edits import Edits, steps


def replayed(
    base: bytes,
    edits: Edits,
    known: Sequence[Target] | None = None,
    *,
    breaks_signature: bool = True,
) -> tuple[bytes, tuple[str, ...]]:
    """Carry out changes whose places are those of one version; gives the file and warnings.

    What is done to whole pages comes last.

    Args:
        base: the version.
        edits: the changes.
        known: its blocks, where they have been read before.
        breaks_signature: whether a signed PDF may be edited, with a warning.

    Raises:
        EditError: it cannot be done without damage, or a look changes how the rest is read.
    """
    warnings: tuple[str, ...] = ()
    if edits.pages:
        held = replace(edits, pages=[])
        if not held.is_empty:
            base, said = replayed(base, held, known, breaks_signature=breaks_signature)
            warnings += said
        outcome = reshape(base, restored(edits.pages), breaks_signature=breaks_signature)
        return outcome.data, tuple(dict.fromkeys((*warnings, *outcome.warnings)))
    parts = list(steps(edits))
    if len(parts) < 2:
        return carry_out(base, edits, known, breaks_signature=breaks_signature)
    first = known or known_in(base)
    for number, step in enumerate(parts):
        now = known_in(base) if number else first
        placed = renamed(step, found_again(first, now)) if number else step
        base, said = carry_out(base, placed, now, breaks_signature=breaks_signature)
        warnings += said
    return base, tuple(dict.fromkeys(warnings))


def found_again(
    before: Sequence[Target],
    after: Sequence[Target],
    pages: tuple[Sequence[int | None], Sequence[int | None]] | None = None,
) -> dict[str, str]:
    """Say under which anchors blocks are found that read as they did.

    With `pages` a block is looked for on its own page only: for each page of either version it says
    which page of a third it is.
    """
    held: tuple[dict[tuple[int | None, str], list[str]], ...] = ({}, {})
    for number, (side, targets) in enumerate(zip(held, (before, after), strict=True)):
        for target in targets:
            page = pages[number][target.page] if pages else None
            side.setdefault((page, target.text), []).append(target.anchor)
    return {
        one: two
        for what, names in held[0].items()
        if len(names) == len(held[1].get(what, ()))
        for one, two in zip(names, held[1][what], strict=True)
    }


def renamed(step: Edits, anchors: Mapping[str, str]) -> Edits:
    """Give a step under the anchors that its blocks have now.

    Raises:
        RefusedError: a block does not read as it did, as its page looks otherwise.
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
