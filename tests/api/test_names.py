from __future__ import annotations

import unicodedata
from email.message import Message
from urllib.parse import unquote

from hypothesis import given
from hypothesis import strategies as st

from redraft.api import names

ANY_NAME = st.text(st.characters(), max_size=300)


@given(ANY_NAME)
def test_a_disposition_is_one_header_line_of_ascii(name: str) -> None:
    header = names.disposition(names.cleaned(name))
    assert header.isascii()
    assert header.isprintable()


@given(ANY_NAME)
def test_a_disposition_reads_back_to_the_name(name: str) -> None:
    cleaned = names.cleaned(name)
    header = names.disposition(cleaned)
    encoded = header.split("filename*=UTF-8''")[1]
    assert unquote(encoded, errors="strict") == cleaned
    message = Message()
    message["Content-Disposition"] = header.split("; filename*=")[0]
    plain = message.get_filename()
    assert plain is not None
    assert len(plain) >= 1


@given(ANY_NAME)
def test_a_cleaned_name_is_no_path_and_short(name: str) -> None:
    cleaned = names.cleaned(name)
    assert cleaned
    assert "/" not in cleaned
    assert "\\" not in cleaned
    assert not any(unicodedata.category(c) in ("Cc", "Zl", "Zp") for c in cleaned)
    assert cleaned not in (".", "..")
    assert len(cleaned.encode()) <= 255


@given(ANY_NAME)
def test_cleaning_twice_is_cleaning_once(name: str) -> None:
    assert names.cleaned(names.cleaned(name)) == names.cleaned(name)


def test_control_and_bidi_characters_are_taken_out() -> None:
    assert names.cleaned("a\r\nb\x00\u202ec\u2028.docx") == "abc.docx"


def test_a_suffix_is_added_only_when_it_is_missing() -> None:
    assert names.with_suffix("a.docx", "docx") == "a.docx"
    assert names.with_suffix("a.DOCX", "docx") == "a.DOCX"
    assert names.with_suffix("a", "pdf") == "a.pdf"
    assert names.with_suffix("x" * 255, "pdf").endswith(".pdf")
    assert len(names.with_suffix("x" * 255, "pdf")) == 255
