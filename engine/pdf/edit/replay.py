"""Carry out on one version of a PDF changes that touch the same words, one kind after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.edit.execute import execute
from redraft.engine.pdf.glyphs.target_blocks import Target, known_in
from redraft.engine.pdf.page_operations.execute_steps import reshape
from redraft.engine.pdf.page_operations.step_codec import decode_steps
from redraft.engine.pdf.resolved_edits import Edits, steps


def replayed(
    base: bytes,
    edits: Edits,
    known: Sequence[Target] | None = None,
    *,
    breaks_signature: bool = True,
) -> tuple[bytes, tuple[str, ...]]:
    """Carries out changes whose places are those of one version; gives the file and warnings.

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
        words_only = replace(edits, pages=[])
        if not words_only.is_empty:
            base, notes = replayed(base, words_only, known, breaks_signature=breaks_signature)
            warnings += notes
        outcome = reshape(base, decode_steps(edits.pages), breaks_signature=breaks_signature)
        return outcome.data, tuple(dict.fromkeys((*warnings, *outcome.warnings)))
    parts = list(steps(edits))
    if len(parts) < 2:
        return execute(base, edits, known, breaks_signature=breaks_signature)
    first = known or known_in(base)
    for number, step in enumerate(parts):
        now = known_in(base) if number else first
        placed = renamed(step, found_again(first, now)) if number else step
        base, notes = execute(base, placed, now, breaks_signature=breaks_signature)
        warnings += notes
    return base, tuple(dict.fromkeys(warnings))


def found_again(
    before: Sequence[Target],
    after: Sequence[Target],
    pages: tuple[Sequence[int | None], Sequence[int | None]] | None = None,
) -> dict[str, str]:
    """Says under which anchors blocks are found that read as they did.

    With `pages` a block is looked for on its own page only: for each page of either version it says
    which page of a third it is.
    """
    by_text: tuple[dict[tuple[int | None, str], list[str]], ...] = ({}, {})
    for number, (side, targets) in enumerate(zip(by_text, (before, after), strict=True)):
        for target in targets:
            page = pages[number][target.page] if pages else None
            side.setdefault((page, target.text), []).append(target.anchor)
    return {
        one: two
        for what, names in by_text[0].items()
        if len(names) == len(by_text[1].get(what, ()))
        for one, two in zip(names, by_text[1][what], strict=True)
    }


def renamed(step: Edits, anchors: Mapping[str, str]) -> Edits:
    """Returns a step under the anchors that its blocks have now.

    Raises:
        RefusedError: a block does not read as it did, as its page looks otherwise.
    """
    if any(item not in anchors for item in step.touched()):
        message = (
            "These changes cannot be made at once: with another look the page reads differently; "
            "make them one after the other"
        )
        raise RefusedError(message)
    return replace(
        step,
        changes={anchors[anchor]: changes for anchor, changes in step.changes.items()},
        deleted=[anchors[item] for item in step.deleted],
        inserted=[replace(item, anchor=anchors[item.anchor]) for item in step.inserted],
        looks=[replace(item, anchor=anchors[item.anchor]) for item in step.looks],
        links=[replace(item, anchor=anchors[item.anchor]) for item in step.links],
        closed=[[anchors.get(item, item) for item in stretch] for stretch in step.closed],
    )
