"""The laws of the redline as comparisons of plain values; a broken one stops the save.

What is compared is made elsewhere: fingerprints by `engine.docx.judging.fingerprint`. What a result
should say is judged by `engine.judge`. A failure names the law and the place, never the document's
text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from redraft.engine.errors import VerificationError


def stays_the_same(
    part: str, before: Sequence[str], after: Sequence[str], law: Literal[1, 2] = 1
) -> None:
    """A side of the redline is what it was, block by block.

    Args:
        part: Whose blocks.
        before: Their digests as they should be.
        after: Those that were found.
        law: 1 where rejecting our marks must give the baseline; 2 where accepting some of them must
            leave what accepting all of them gives.

    Raises:
        VerificationError: it is not.
    """
    if list(before) == list(after):
        return
    at = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), -1)
    message = (
        f"law {law} is broken in {part}: {len(before)} blocks became {len(after)}"
        f"{f', block {at} of the changed stretch differs' if at >= 0 else ''}"
    )
    raise VerificationError(message)


def blocks_are_kept(part: str, before: Sequence[str], after: Sequence[str]) -> None:
    """Every baseline block is still there, in order, whatever was added between them.

    Raises:
        VerificationError: one is not.
    """
    rest = iter(after)
    missing = next((at for at, digest in enumerate(before) if digest not in rest), None)
    if missing is not None:
        message = f"law 1 is broken in {part}: its baseline block {missing} is gone or changed"
        raise VerificationError(message)


def nothing_is_lost(part: str, before: Mapping[str, int], after: Mapping[str, int]) -> None:
    """Notes, pictures, fields, bookmarks and ranges are as many as before, and as well paired.

    Raises:
        VerificationError: the counts differ.
    """
    different = sorted(
        name for name in {*before, *after} if before.get(name, 0) != after.get(name, 0)
    )
    if different:
        message = f"{part} has other counts than before of: {', '.join(different)}"
        raise VerificationError(message)


def is_valid(part: str, faults: Sequence[str]) -> None:
    """The validity rules of revisions hold.

    Raises:
        VerificationError: they do not.
    """
    if faults:
        message = f"{part} is no longer valid: {'; '.join(faults[:3])}"
        raise VerificationError(message)
