"""Fields go as a whole when nothing is left of what they show, and not before."""

from __future__ import annotations

import pytest

from redraft.engine.errors import RefusedError
from redraft.engine.plan import (
    DeleteBlocks,
    DeleteNote,
    FindReplace,
    InsertFootnote,
    MoveBlocks,
    Operation,
    ReplaceText,
)
from redraft.engine.report import Selection
from tests.engine.redlining import Draft
from tests.engine.wordml import field, footnote, note, p, picture, r

LINK = ' HYPERLINK "https://example.org/" '
ALL = Selection(all=True)
GONE = (FindReplace("words", "", "block:p1"), ReplaceText("p1", "words", ""))


def char(kind: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def linked(*content: str, instruction: str = LINK) -> str:
    said = f'<w:r><w:instrText xml:space="preserve">{instruction}</w:instrText></w:r>'
    return f"{char('begin')}{said}{char('separate')}{''.join(content)}{char('end')}"


def draft(held: str, instruction: str = LINK) -> Draft:
    return Draft.of(
        p(linked(r("words"), held, instruction=instruction)),
        p("end"),
        footnotes=footnote("2", p("A note")),
        relations={"rId8": ("image", "media/a.png")},
        media={"media/a.png": b""},
    )


@pytest.mark.parametrize(("held", "sign"), [(note("2"), "^"), (picture("rId8"), "#")])
@pytest.mark.parametrize("operation", GONE, ids=["everywhere", "once"])
def test_a_link_field_stays_around_a_note_or_picture(
    operation: Operation, held: str, sign: str
) -> None:
    made = draft(held).edit(operation)
    assert made.redline[0] == f"||[-words-]{sign}|"
    assert made.rejected == made.original
    assert made.decide("reject", ALL).redline[0] == f"||words{sign}|"
    plain = draft(held).edit(operation, tracked=False)
    assert plain.redline[0] == f"||{sign}|"


def test_a_link_field_goes_with_its_words_and_then_with_its_note() -> None:
    assert Draft.of(p(linked(r("words"))), p("end")).edit(GONE[1]).redline[0] == "[-||words|-]"
    made = draft(note("2")).edit(GONE[1]).edit(DeleteNote("fn1"))
    assert made.redline[0].replace("-][-", "") == "[-||words^|-]"
    assert made.rejected == made.original
    assert made.decide("accept", ALL).redline == ["", "end"]


@pytest.mark.parametrize("operation", GONE, ids=["everywhere", "once"])
def test_a_note_that_was_put_into_a_link_field_stays_when_the_words_go(
    operation: Operation,
) -> None:
    before = Draft.of(p(linked(r("words"))), p("end"))
    put = InsertFootnote("p1", "words", "See there")
    for made in (before.edit(put).edit(operation), before.edit(put, operation)):
        assert made.redline[0] == "||[-words-]{+^+}|"
        assert made.decide("reject", ALL).redline[0] == "||words|"


def test_a_computed_field_that_shows_a_picture_too_is_not_deleted_by_its_words() -> None:
    with pytest.raises(RefusedError, match="field"):
        draft(picture("rId8"), " REF _Ref1 ").edit(GONE[1])
    made = Draft.of(p("See ", field(" REF _Ref1 ", "words"), " there")).edit(
        ReplaceText("p1", "See words there", "")
    )
    assert made.redline[0].startswith("[-See |")


SIMPLE = (
    '<w:fldSimple w:instr=" SEQ T \\* ARABIC "><w:r><w:rPr><w:b/></w:rPr>'
    "<w:t>7</w:t></w:r></w:fldSimple>"
)


@pytest.mark.parametrize(
    ("edit", "texts"),
    [
        (DeleteBlocks("p2", "p2"), ["One", "Three"]),
        (MoveBlocks("p2", "p2", "p3", "after"), ["One", "Three", "Law 7 governs"]),
        (ReplaceText("p2", "Law 7 governs", "Gone"), ["One", "Gone", "Three"]),
    ],
)
def test_a_simple_field_that_is_struck_becomes_a_complex_one(
    edit: Operation, texts: list[str]
) -> None:
    start = Draft.of(p("One"), p(r("Law "), SIMPLE, r(" governs")), p("Three"))
    made = start.edit(edit)
    assert "w:fldSimple" not in made.body
    assert made.accepted == texts
    assert made.rejected == start.original
    assert made.decide("reject", ALL).rejected == start.original
    again = made.edit(ReplaceText("p1", "One", "1"))
    assert again.rejected == start.original


def test_a_simple_field_of_which_a_part_stays_stays_simple() -> None:
    link = '<w:fldSimple w:instr=" HYPERLINK a "><w:r><w:t>one two</w:t></w:r></w:fldSimple>'
    made = Draft.of(p(link)).edit(ReplaceText("p1", "two", "2"))
    assert made.body.count("<w:fldSimple") == 1
    assert made.redline == ["one [-two-]{+2+}"]
