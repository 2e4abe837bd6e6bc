"""A broken law stops the save and says which one, without the document's text."""

from __future__ import annotations

import pytest

from redraft.engine import verify
from redraft.engine.errors import VerificationError


def test_equal_sides_pass_and_others_name_the_law_and_the_block() -> None:
    verify.stays_the_same("part", ("a", "b"), ("a", "b"))
    with pytest.raises(VerificationError, match=r"law 1 is broken in part.*block 1"):
        verify.stays_the_same("part", ("a", "b"), ("a", "c"))
    with pytest.raises(VerificationError, match=r"law 2 is broken in part: 2 blocks became 1$"):
        verify.stays_the_same("part", ("a", "b"), ("a",), law=2)


def test_lost_things_are_named() -> None:
    verify.nothing_is_lost("part", {"drawing": 1, "sdt": 0}, {"drawing": 1})
    with pytest.raises(VerificationError, match="counts than before of: drawing, hyperlink"):
        verify.nothing_is_lost("part", {"drawing": 1}, {"hyperlink": 1})


def test_faults_are_told() -> None:
    verify.is_valid("part", [])
    with pytest.raises(VerificationError, match="no longer valid: w:ins inside w:ins"):
        verify.is_valid("part", ["w:ins inside w:ins"])
