"""Notes: inserted, deleted and edited; the body of a note follows its reference."""

from __future__ import annotations

import re

import pytest

from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import EditError, PlanError, RefusedError
from redraft.engine.plan import (
    DeleteBlocks,
    DeleteNote,
    EditNote,
    InsertFootnote,
    ReplaceText,
    RewriteBlock,
)
from redraft.engine.report import Selection
from tests.engine.redlining import Draft
from tests.engine.wordml import field, footnote, ins, link, note, p, r, style, textbox
from tests.oracle import members

ALL = Selection(all=True)
MARK = "<w:r><w:footnoteRef/></w:r>"
NOTES = footnote("2", p(MARK, " Old note")) + footnote("5", p(MARK, "\tSecond"))
STYLES = style("FT", name="footnote text") + style(
    "FR", name="footnote reference", kind="character"
)
SEPARATOR = footnote("-1", p("<w:r><w:separator/></w:r>")).replace(
    'w:id="-1"', 'w:type="separator" w:id="-1"'
)


def document(**parts: object) -> Draft:
    return Draft.of(
        p("Hello world", note("2"), " and more"),
        p("Later", note("5")),
        footnotes=SEPARATOR + NOTES,
        **parts,
    )


def part(draft: Draft, name: str = "word/footnotes.xml") -> bytes:
    return members(draft.data)[name]


def test_a_footnote_is_inserted_with_its_text_and_one_change_says_both() -> None:
    draft = document(styles=STYLES).edit(InsertFootnote("p1", "Hello", "A **new** note"))
    assert draft.redline[0] == "Hello{+^+} world^ and more"
    (change,) = draft.changes
    assert (change.kind, change.before, change.after) == (
        "insertion",
        "",
        "[footnote: A new note]",
    )
    said = part(draft).decode()
    assert '<w:footnote w:id="6"><w:p><w:pPr><w:pStyle w:val="FT"/></w:pPr><w:ins ' in said
    assert '<w:rPr><w:rStyle w:val="FR"/></w:rPr><w:footnoteRef/>' in said
    assert '<w:footnoteReference w:id="6"/>' in draft.body
    assert draft.rejected == draft.original


@pytest.mark.parametrize("by", ["all", "id", "edit"])
def test_rejecting_a_new_footnote_leaves_nothing_of_it(by: str) -> None:
    draft = document().edit(InsertFootnote("p1", "Hello", "New"))
    selection = {
        "all": ALL,
        "id": Selection(ids=(draft.changes[0].id,)),
        "edit": Selection(edit_uid="e1"),
    }[by]
    rejected = draft.decide("reject", selection)
    assert (
        part(rejected)
        == part(draft.decide("reject", ALL))
        == members(draft.upload)["word/footnotes.xml"]
    )
    assert rejected.changes == ()


def test_accepting_a_new_footnote_accepts_its_text() -> None:
    draft = document().edit(InsertFootnote("p1", "Hello", "New")).decide("accept", ALL)
    assert b"w:ins" not in part(draft)
    assert b"New" in part(draft)
    assert draft.changes == ()


def test_a_new_footnote_that_is_deleted_again_leaves_no_mark() -> None:
    draft = document().edit(InsertFootnote("p1", "Hello", "New")).edit(DeleteNote("fn1"))
    assert part(draft) == members(draft.upload)["word/footnotes.xml"]
    assert draft.changes == ()
    assert draft.rejected == draft.original


def test_a_new_footnote_goes_with_the_paragraph_that_it_stands_in() -> None:
    draft = document().edit(InsertFootnote("p1", "Hello", "New")).edit(DeleteBlocks("p1", "p1"))
    assert b"New" not in part(draft)
    assert draft.rejected == draft.original
    accepted = draft.decide("accept", ALL)
    assert b"Old note" not in part(accepted)
    assert b"Second" in part(accepted)


def test_the_text_of_a_new_footnote_is_edited_in_place_and_names_both_edits() -> None:
    draft = (
        document()
        .edit(InsertFootnote("p1", "Hello", "New words"))
        .edit(EditNote("fn1", "Other words"))
    )
    (change,) = draft.changes
    assert (change.after, change.edits) == ("[footnote: Other words]", ("e1", "e2"))
    assert draft.rejected == draft.original


def test_a_deleted_note_keeps_its_text_until_the_deletion_is_accepted() -> None:
    draft = document().edit(DeleteNote("fn1"))
    assert draft.redline[0] == "Hello world[-^-] and more"
    assert part(draft) == members(draft.upload)["word/footnotes.xml"]
    (change,) = draft.changes
    assert (change.kind, change.before) == ("deletion", "[footnote: Old note]")
    accepted = draft.decide("accept", ALL)
    assert b"Old note" not in part(accepted)
    assert part(accepted) == part(draft).replace(footnote("2", p(MARK, " Old note")).encode(), b"")
    rejected = draft.decide("reject", ALL)
    assert part(rejected) == members(draft.upload)["word/footnotes.xml"]
    assert rejected.redline == ["Hello world^ and more", "Later^"]


@pytest.mark.parametrize("kind", ["footnote", "endnote"])
def test_an_endnote_is_edited_and_deleted_like_a_footnote(kind: str) -> None:
    body = p("See", note("2", kind), " it")
    notes = footnote("2", p("Text of it"), kind=kind)
    draft = Draft.of(body, **{f"{kind}s": notes})
    anchor = f"{kind[0] if kind == 'endnote' else 'f'}n1"
    assert draft.edit(EditNote(anchor, "Words of it")).changes[0].before == "Text"
    gone = draft.edit(DeleteNote(anchor)).decide("accept", ALL)
    assert b"Text of it" not in part(gone, f"word/{kind}s.xml")


def test_the_blank_behind_the_mark_of_a_note_stays() -> None:
    draft = document().edit(EditNote("fn1", "New note"), EditNote("fn2", "Other"))
    assert [(c.anchor, c.before, c.after) for c in draft.changes] == [
        ("fn1.p1", "Old", "New"),
        ("fn2.p1", "Second", "Other"),
    ]
    assert draft.rejected == draft.original


def test_names_of_notes_in_a_plan_are_those_before_it() -> None:
    draft = document().edit(
        InsertFootnote("p1", "Hello", "zero"),
        EditNote("fn2", "SECOND"),
        RewriteBlock("p2", "Last\u27e6fn2\u27e7"),
    )
    assert [(c.before, c.after) for c in draft.changes] == [
        ("", "[footnote: zero]"),
        ("Later", "Last"),
        ("Second", "SECOND"),
    ]


def test_several_footnotes_of_one_plan_have_ids_of_their_own() -> None:
    draft = document().edit(
        InsertFootnote("p1", "world", "two"), InsertFootnote("p1", "Hello", "one")
    )
    assert [c.after for c in draft.changes] == ["[footnote: one]", "[footnote: two]"]
    assert draft.rejected == draft.original


@pytest.mark.parametrize("count", [2, 12])
@pytest.mark.parametrize("held", ["Hello world", "Hello"])
def test_footnotes_of_one_plan_at_one_place_stand_in_the_order_of_the_plan(
    count: int, held: str
) -> None:
    plan = [InsertFootnote("p1", "Hello", f"number {each}") for each in range(count)]
    draft = Draft.of(p(held), p("x")).edit(*plan)
    numbers = re.findall('<w:footnoteReference w:id="([0-9]+)"/>', draft.body)
    assert numbers == [str(each) for each in range(1, count + 1)]
    assert draft.redline[0].replace("{+", "").replace("+}", "") == held.replace(
        "Hello", "Hello" + "^" * count
    )


def test_53_a_first_footnote_brings_its_part_with_separators_and_settings() -> None:
    settings = '<w:zoom w:percent="100"/><w:compat/>'
    draft = Draft.of(p("Hello world"), settings=settings).edit(InsertFootnote("p1", "Hello", "One"))
    said = part(draft).decode()
    assert said.index('w:type="separator"') < said.index('w:type="continuationSeparator"')
    assert (
        '<w:footnotePr><w:footnote w:id="-1"/><w:footnote w:id="0"/></w:footnotePr><w:compat'
        in (part(draft, "word/settings.xml").decode())
    )
    opened = Package.open(draft.data)
    assert opened.content_type("word/footnotes.xml").endswith("wordprocessingml.footnotes+xml")
    rejected = draft.decide("reject", ALL)
    assert part(rejected).decode().count("<w:footnote ") == 2
    assert rejected.redline == ["Hello world"]


@pytest.mark.parametrize("is_strict", [True, False])
def test_an_untracked_footnote_is_plain_text(is_strict: bool) -> None:
    draft = Draft.of(p("Hello world"), strict=is_strict).edit(
        InsertFootnote("p1", "Hello", "One"), tracked=False
    )
    assert b"w:ins" not in part(draft)
    assert (b"purl.oclc.org" in part(draft)) is is_strict
    assert (b"schemas.openxmlformats.org/wordprocessingml" in part(draft)) is not is_strict
    gone = draft.edit(DeleteNote("fn1"), tracked=False)
    assert b"One" not in part(gone)


def test_an_untracked_deletion_of_a_paragraph_takes_its_notes_along() -> None:
    draft = document().edit(DeleteBlocks("p1", "p1"), tracked=False)
    assert b"Old note" not in part(draft)
    assert b"Second" in part(draft)


def test_notes_that_nothing_refers_to_are_left_alone() -> None:
    draft = Draft.of(p("See", note("2")), footnotes=NOTES).edit(DeleteNote("fn1"))
    assert b"Second" in part(draft.decide("accept", ALL))


def test_18_a_reference_in_a_link_or_insertion_keeps_what_is_around_it() -> None:
    inside = [
        ins(r("their words") + note("2"), id=40),
        link("rId9", "their words") + note("2"),
    ]
    for content in inside:
        draft = Draft.of(
            p("a ", content, " b"),
            footnotes=NOTES,
            relations={"rId9": ("hyperlink", "https://x.example/")},
        )
        for operation in (DeleteNote("fn1"), InsertFootnote("p1", "their", "New")):
            made = draft.edit(operation)
            assert made.rejected == draft.original
        ended = draft.edit(InsertFootnote("p1", "their words", "New"))
        assert ended.rejected == draft.original
        assert "</w:hyperlink><w:ins " in ended.body or "hyperlink" not in content


@pytest.mark.parametrize("anchor", ["h1.p1", "fn1.p1", "tb1.p1"])
def test_word_has_no_footnotes_outside_the_body(anchor: str) -> None:
    draft = Draft.of(
        p("See", note("2"), textbox(p("our terms"))),
        headers=[p("our terms")],
        footnotes=footnote("2", p("our terms")),
    )
    with pytest.raises(RefusedError, match="body only"):
        draft.edit(InsertFootnote(anchor, "our", "New"))


def test_what_cannot_be_done_with_notes_is_said() -> None:
    several = Draft.of(p("x", note("2")), footnotes=footnote("2", p("One"), p("Two")))
    with pytest.raises(PlanError, match=r"2 paragraphs .* fn1\.p1"):
        several.edit(EditNote("fn1", "New"))
    with pytest.raises(PlanError, match="no note fn7"):
        several.edit(DeleteNote("fn7"))
    gone = several.edit(DeleteNote("fn1"))
    with pytest.raises(PlanError, match="deleted already"):
        gone.edit(DeleteNote("fn1"))
    custom = '<w:r><w:footnoteReference w:customMarkFollows="1" w:id="2"/><w:t>*</w:t></w:r>'
    with pytest.raises(RefusedError, match="mark of its own"):
        Draft.of(p("x", custom), footnotes=NOTES).edit(DeleteNote("fn1"))
    with pytest.raises(EditError, match="computed field"):
        Draft.of(p(field("REF x", "Section 7"))).edit(
            ReplaceText("p1", "Section", "Part"), InsertFootnote("p1", "Section", "New")
        )


@pytest.mark.parametrize(("occurrence", "said"), [(1, "a{+^+} b a b"), (2, "a b a{+^+} b")])
def test_of_equal_quotes_the_occurrence_chooses_where_the_note_stands(
    occurrence: int, said: str
) -> None:
    made = Draft.of(p("a b a b")).edit(InsertFootnote("p1", "a", "so.", occurrence))
    assert made.redline == [said]
