"""Carry out on one version of a PDF changes that touch the same words, one kind after the other."""

from __future__ import annotations

from collections.abc import Sequence

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
    known = known or known_in(base)
    texts = {target.anchor: target.text for target in known}
    warnings: tuple[str, ...] = ()
    for number, step in enumerate(parts):
        if number:
            known = known_in(base)
        now = {target.anchor: target.text for target in known}
        if any(texts.get(each) != now.get(each) for each in step.touched()):
            message = (
                "These changes cannot be made at once: with another look the page reads "
                "differently; make them one after the other"
            )
            raise RefusedError(message)
        base, said = carry_out(base, step, known, breaks_signature=breaks_signature)
        warnings += said
    return base, tuple(dict.fromkeys(warnings))
