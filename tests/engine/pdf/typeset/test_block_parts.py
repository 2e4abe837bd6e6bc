from __future__ import annotations

import pytest

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.glyphs.target_blocks import known_in
from redraft.engine.plan import EditPlan, FormatText, Operation, ReplaceText
from redraft.engine.report import Signature
from tests.engine.pdf.stream.streams import model, pdf

BY_ANN = Signature("u1", "Ann Lee", "2026-11-21T06:30:00Z", tracked=False)
CODE = pdf(
    b"BT /F1 10 Tf 20 270 Td (The listing below adds two numbers and is set in Courier.) Tj ET"
    b" BT /F1 10 Tf 20 258 Td (It is followed by more words of the same kind, as here.) Tj ET"
    b" BT /F3 10 Tf 12 TL 20 220 Td (function add\\(a, b\\) {) Tj"
    b" 24 -12 Td (return a + b;) Tj -24 -12 Td (}) Tj"
    b" 0 -12 Td (print\\(add\\(3, 5\\)\\);) Tj ET"
)


def edited(*operations: Operation) -> bytes:
    return apply(CODE, EditPlan("edit", "", operations), BY_ANN)[0]


def code(data: bytes) -> str:
    return next(each.text for each in known_in(data) if "(a, b)" in each.text)


@pytest.mark.parametrize(
    ("old", "new"),
    [("return", "give"), ("a + b", "the_first + the_second"), ("print", "log"), ("5", "60")],
)
def test_a_line_of_code_changes_and_the_others_keep_their_places(old: str, new: str) -> None:
    anchor = next(each.anchor for each in known_in(CODE) if "(a, b)" in each.text)
    after = edited(ReplaceText(anchor, old, new))
    assert code(after) == code(CODE).replace(old, new)
    rows = {round(g.y): g.text for g in model(CODE).glyphs()}
    assert {round(g.y) for g in model(after).glyphs()} == set(rows)


def test_looks_and_words_of_several_lines_of_code() -> None:
    anchor = next(each.anchor for each in known_in(CODE) if "(a, b)" in each.text)
    after = edited(
        ReplaceText(anchor, "function add", "def sum"),
        ReplaceText(anchor, "print", "say"),
        FormatText(anchor, "return a", "color", "red"),
    )
    assert code(after).splitlines()[0] == "def sum(a, b) {"
    assert code(after).splitlines()[-1] == "say(add(3, 5));"
    red = "".join(g.text for g in model(after).glyphs() if g.show.state.fill == b"1 0 0 rg")
    assert red.replace(" ", "") == "returna"


def test_lines_of_code_are_not_joined() -> None:
    anchor = next(each.anchor for each in known_in(CODE) if "(a, b)" in each.text)
    with pytest.raises(RefusedError, match="change words within a line"):
        edited(ReplaceText(anchor, "{\n    return", "{ return"))
