from __future__ import annotations

import unicodedata
from email.message import Message
from urllib.parse import unquote

from hypothesis import given
from hypothesis import strategies as st

from redraft.api.requests import filenames

ANY_NAME = st.text(st.characters(), max_size=300)


@given(ANY_NAME)
def test_a_disposition_is_one_header_line_of_ascii(name: str) -> None:
    header = filenames.disposition(filenames.cleaned(name))
    assert header.isascii()
    assert header.isprintable()


@given(ANY_NAME)
def test_a_disposition_reads_back_to_the_name(name: str) -> None:
    cleaned = filenames.cleaned(name)
    header = filenames.disposition(cleaned)
    encoded = header.split("filename*=UTF-8''")[1]
    assert unquote(encoded, errors="strict") == cleaned
    message = Message()
    message["Content-Disposition"] = header.split("; filename*=")[0]
    plain = message.get_filename()
    assert plain is not None
    assert len(plain) >= 1


@given(ANY_NAME)
def test_a_cleaned_name_is_no_path_and_short(name: str) -> None:
    cleaned = filenames.cleaned(name)
    assert cleaned
    assert "/" not in cleaned
    assert "\\" not in cleaned
    assert not any(unicodedata.category(c) in ("Cc", "Zl", "Zp") for c in cleaned)
    assert cleaned not in (".", "..")
    assert len(cleaned.encode()) <= 255


@given(ANY_NAME)
def test_cleaning_twice_is_cleaning_once(name: str) -> None:
    assert filenames.cleaned(filenames.cleaned(name)) == filenames.cleaned(name)


def test_control_and_bidi_characters_are_taken_out() -> None:
    assert filenames.cleaned("a\r\nb\x00\u202ec\u2028.docx") == "abc.docx"


def test_a_suffix_is_added_only_when_it_is_missing() -> None:
    assert filenames.with_suffix("a.docx", "docx") == "a.docx"
    assert filenames.with_suffix("a.DOCX", "docx") == "a.DOCX"
    assert filenames.with_suffix("a", "pdf") == "a.pdf"
    assert filenames.with_suffix("x" * 255, "pdf").endswith(".pdf")
    assert len(filenames.with_suffix("x" * 255, "pdf")) == 255
