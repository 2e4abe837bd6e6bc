"""What callers read of an edit that did not pass the checks of the engine."""

from __future__ import annotations

from redraft.api.errors import refusal
from redraft.engine.errors import VerificationError


def test_a_broken_law_is_told_in_one_plain_line() -> None:
    error = VerificationError("law 2 is broken in word/document.xml: a row has other cells")
    answer = refusal(error, "edit")
    assert (answer.status, answer.detail) == (
        500,
        "Edit operation failed: The edit did not pass its checks",
    )
    assert not answer.final
