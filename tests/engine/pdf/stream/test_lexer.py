from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.engine.pdf.stream.lexer import Operator, operators, tokens

PIECES = st.sampled_from(
    [
        b"(a(b)c\\)", b")", b"<4", b"8>", b"<<", b">>", b"[", b"]", b"/N#20", b"Tj", b"BI", b" ID ",
        b"\nEI ", b"%c\n", b" ", b"1.5", b"-", b"\\", b"{", b"}", b"\xff", b"BT", b"0",
    ]
)  # fmt: skip


def read(stream: bytes) -> list[tuple[str, tuple[bytes, ...]]]:
    return [(each.name, tuple(token.data for token in each.operands)) for each in operators(stream)]


def only(stream: bytes) -> Operator:
    (found,) = operators(stream)
    return found


@given(st.one_of(st.binary(max_size=60), st.lists(PIECES, max_size=14).map(b"".join)))
def test_the_tokens_of_any_bytes_joined_are_those_bytes(stream: bytes) -> None:
    at = 0
    for token in tokens(stream):
        assert token.start == at < token.end
        at = token.end
    assert at == len(stream)
    for operator in operators(stream):
        assert 0 <= operator.start < operator.end <= len(stream)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (b"(plain)", b"plain"),
        (b"(a(b)c)", b"a(b)c"),
        (rb"(\(\)\\\n\101\7x\q)", b"()\\\nA\x07xq"),
        (b"(two\\\nlines)", b"twolines"),
        (b"(a\r\nb\rc)", b"a\nb\nc"),
        (b"(open", b"open"),
        (b"<48 65 6C6C 6f>", b"Hello"),
        (b"<414>", b"A@"),
        (b"/A#42C", b"ABC"),
    ],
)
def test_strings_and_names_are_decoded(written: bytes, meant: bytes) -> None:
    assert next(tokens(written)).data == meant


@pytest.mark.parametrize(
    ("written", "value"),
    [(b"12", 12), (b"-.5", -0.5), (b"+7.", 7), (b"--5", -5), (b"1.2.3", 1.2), (b"7-3", 7)],
)
def test_numbers_are_read_also_when_written_badly(written: bytes, value: float) -> None:
    assert only(written + b" g").numbers(1) == (value,)


def test_an_operator_spans_its_operands_in_the_stream() -> None:
    stream = b" q\n[(A) -20 (B)]TJ % end\n/F1 9 Tf"
    spans = [(each.name, stream[each.start : each.end]) for each in operators(stream)]
    assert spans == [("q", b"q"), ("TJ", b"[(A) -20 (B)]TJ"), ("Tf", b"/F1 9 Tf")]


def test_the_elements_of_an_array_know_their_bytes() -> None:
    stream = b"[(A)-20<42>]TJ"
    (array,) = only(stream).operands
    assert array.kind == "array"
    found = [(item.kind, stream[item.start : item.end], item.number) for item in array.items]
    assert found == [("string", b"(A)", 0), ("number", b"-20", -20), ("string", b"<42>", 0)]


def test_a_dictionary_is_one_operand() -> None:
    tag, properties = only(b"/P <</MCID 3 /Kids [1 <</A 1>>]>> BDC").operands
    assert (tag.data, properties.kind) == (b"P", "dictionary")
    assert [item.kind for item in properties.items] == ["name", "number", "name", "array"]


def test_an_inline_image_is_one_operator_though_its_data_look_like_others() -> None:
    stream = b"q BI /W 2 /H 2 ID \x01(\nEI \xff\x80\n EI Q"
    assert read(stream) == [("q", ()), ("BI", ()), ("Q", ())]


def test_an_array_left_open_ends_at_the_operator() -> None:
    assert read(b"[(A) 3 TJ (B) Tj")[1] == ("Tj", (b"B",))
    assert only(b"[(A) 3 TJ").operands[0].items[0].data == b"A"


@pytest.mark.corpus
def test_the_streams_of_real_pages_join_again(corpus: Path) -> None:
    import pymupdf

    count = 0
    for path in sorted((corpus / "pdf").glob("*.pdf"))[::4]:
        with pymupdf.open(path) as document:
            contents = cast("bytes", document[0].read_contents())
        assert b"".join(contents[each.start : each.end] for each in tokens(contents)) == contents
        count += len(list(operators(contents)))
    assert count > 1000
