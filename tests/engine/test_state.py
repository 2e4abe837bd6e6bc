"""The bytes stored beside a version of a document."""

from __future__ import annotations

import pytest

from redraft.engine.errors import CorruptDocumentError
from redraft.engine.state import FINGERPRINT_FORM, State, decode, encode


def test_a_state_comes_back_as_it_was_stored() -> None:
    state = State({7: "a", 3: "b", 9: "a"}, frozenset({9}), {"word/document.xml": ("ab", "cd")})
    assert decode(encode(state)) == state


def test_a_part_without_blocks_comes_back_empty() -> None:
    state = State({}, frozenset(), {"word/header1.xml": ()})
    assert decode(encode(state)) == state


def test_equal_states_have_equal_bytes() -> None:
    assert encode(State({1: "a", 2: "b"})) == encode(State({2: "b", 1: "a"}))


def test_no_bytes_are_a_file_without_marks_of_ours() -> None:
    assert decode(b"") == State()


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"version":2}', b'{"ours":{"a":["x"]}}'])
def test_bytes_of_anything_else_are_damaged(data: bytes) -> None:
    with pytest.raises(CorruptDocumentError):
        decode(data)


def test_a_baseline_of_an_earlier_form_of_fingerprint_is_not_known() -> None:
    state = State({7: "a"}, frozenset({7}), {"word/document.xml": ("ab", "cd")})
    stored = encode(state)
    marked = f'"form":{FINGERPRINT_FORM}'.encode()
    assert marked in stored
    for earlier in (stored.replace(marked, b'"form":1'), stored.replace(b"," + marked, b"")):
        assert decode(earlier) == State({7: "a"}, frozenset({7}))
