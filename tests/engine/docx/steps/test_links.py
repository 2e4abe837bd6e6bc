"""Links: made, changed and removed; what is not tracked is said, all else is compared."""

from __future__ import annotations

import pytest

from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import AmbiguousError, EditError, NotFoundError, PlanError, RefusedError
from redraft.engine.plan import (
    DeleteBlocks,
    FormatText,
    MoveBlocks,
    Operation,
    RemoveLink,
    ReplaceText,
    SetLink,
)
from redraft.engine.report import Selection
from redraft.engine.state import decode
from tests.engine.redlining import Draft
from tests.engine.wordml import (
    docx,
    field,
    footnote,
    ins,
    link,
    note,
    p,
    picture,
    r,
    style,
    table,
    textbox,
)
from tests.oracle import members

STYLES = style("Lien", name="Hyperlink", kind="character")
OLD, NEW = "https://old.example/", "https://new.example/?a=1&b=2"
LINKED = {"rId9": ("hyperlink", OLD)}
ALL = Selection(all=True)


def between(draft: Draft) -> str:
    return draft.body.split("<w:body>")[1].split("<w:sectPr")[0]


def targets(draft: Draft, part: str = "word/document.xml") -> dict[str, str]:
    found = Package.open(draft.data).relationships(part).values()
    return {each.id: each.target for each in found if each.kind == "hyperlink"}


def test_plain_words_become_a_link_in_the_style_of_links() -> None:
    draft = Draft.of(p("See our terms here"), styles=STYLES).edit(SetLink("p1", "our terms", NEW))
    assert between(draft) == (
        '<w:p><w:r><w:t xml:space="preserve">See </w:t></w:r>'
        '<w:hyperlink r:id="rId1" w:history="1"><w:r><w:rPr><w:rStyle w:val="Lien"/></w:rPr>'
        "<w:t>our terms</w:t></w:r></w:hyperlink>"
        '<w:r><w:t xml:space="preserve"> here</w:t></w:r></w:p>'
    )
    assert targets(draft) == {"rId1": NEW}
    assert draft.redline == ["See our terms here"]
    assert draft.report is not None
    assert [warning for warning in draft.report.warnings if "does not track links" in warning]


def test_a_link_keeps_its_element_when_it_leads_elsewhere() -> None:
    draft = Draft.of(p("a ", link("rId9", "word link"), " b"), relations=LINKED)
    made = draft.edit(SetLink("p1", "word", NEW))
    assert made.body.count("<w:hyperlink ") == 1
    assert targets(made)["rId1"] == NEW
    assert '<w:hyperlink r:id="rId1">' in made.body
    bookmark = '<w:bookmarkStart w:id="1" w:name="here"/><w:bookmarkEnd w:id="1"/>'
    inside = Draft.of(p(bookmark, link("rId9", "word")), relations=LINKED)
    assert '<w:hyperlink w:anchor="here">' in inside.edit(SetLink("p1", "word", "#here")).body


@pytest.mark.parametrize("switch", ["", ' \\o "tip"'])
def test_a_hyperlink_field_gets_another_instruction_and_keeps_its_switches(switch: str) -> None:
    shown = field(f' HYPERLINK "{OLD}"{switch} ', "word")
    draft = Draft.of(p("a ", shown, " b")).edit(SetLink("p1", "word", "https://new.example/"))
    assert f' HYPERLINK "https://new.example/"{switch} <' in draft.body
    simple = f"<w:fldSimple w:instr=' HYPERLINK \"{OLD}\"'>{r('word')}</w:fldSimple>"
    draft = Draft.of(p("a ", simple, " b")).edit(SetLink("p1", "word", "#_top"))
    assert 'w:instr=" HYPERLINK \\l &quot;_top&quot; "' in draft.body


@pytest.mark.parametrize(
    "linked",
    [
        link("rId9", "word"),
        field(f' HYPERLINK "{OLD}" ', "word"),
        f"<w:fldSimple w:instr=' HYPERLINK \"{OLD}\"'>{r('word')}</w:fldSimple>",
    ],
    ids=["hyperlink", "field", "simple field"],
)
def test_a_link_that_is_removed_leaves_its_words(linked: str) -> None:
    draft = Draft.of(p("a ", linked, " b"), relations=LINKED).edit(RemoveLink("p1", "word"))
    assert between(draft) == p("a ", "word", " b")
    assert draft.edit(ReplaceText("p1", "word", "text")).redline == ["a [-word-]{+text+} b"]


def test_a_link_made_and_removed_leaves_the_paragraph_as_it_was() -> None:
    upload = Draft.of(p("See our terms"), styles=STYLES)
    draft = upload.edit(SetLink("p1", "our", NEW)).edit(RemoveLink("p1", "our"))
    assert draft.rejected == upload.original
    assert decode(draft.state).baseline == decode(upload.state).baseline


def test_another_authors_insertion_is_split_around_a_link() -> None:
    draft = Draft.of(p("ab ", ins(r("foreign words here"), id=7), " cd"))
    made = draft.edit(SetLink("p1", "words", NEW))
    assert made.redline == ["ab <+foreign +><+words+><+ here+> cd"]
    assert "</w:ins><w:hyperlink " in made.body
    assert [change.after for change in made.changes] == ["foreign words here"]
    across = draft.edit(SetLink("p1", "ab foreign", NEW))
    assert across.redline == ["ab <+foreign+><+ words here+> cd"]
    assert across.body.count("<w:hyperlink ") == 1


def test_our_marks_in_linked_words_are_still_rejected_and_accepted() -> None:
    draft = Draft.of(p("See our terms"), styles=STYLES).edit(ReplaceText("p1", "our", "your good"))
    draft = draft.edit(SetLink("p1", "See your", NEW))
    assert draft.redline == ["See [-our-]{+your+}{+ good+} terms"]
    rejected = draft.decide("reject", ALL)
    assert rejected.accepted == ["See our terms"]
    assert rejected.redline == ["See our terms"]
    assert draft.decide("accept", ALL).accepted == ["See your good terms"]


@pytest.mark.parametrize("find", ["two", "one", "one two three"])
def test_a_link_in_words_whose_formatting_is_tracked_divides_the_mark_too(find: str) -> None:
    draft = Draft.of(p("one two three"), styles=STYLES)
    made = draft.edit(FormatText("p1", "", "bold", "on")).edit(SetLink("p1", find, NEW))
    assert {state.edits for state in made.changes} == {("e1",)}
    back = made.decide("reject", ALL)
    assert not back.changes
    assert "<w:b/>" not in back.body


def test_a_link_around_words_of_ours_goes_with_them() -> None:
    draft = Draft.of(p("See terms")).edit(ReplaceText("p1", "See terms", "See new terms"))
    draft = draft.edit(SetLink("p1", "new", NEW)).decide("reject", ALL)
    assert draft.redline == ["See terms"]
    assert "hyperlink" not in draft.body


@pytest.mark.parametrize(
    ("anchor", "parts"),
    [
        ("h1.p1", {"headers": [p("Go there now")]}),
        ("t1.r1.c1.p1", {}),
        ("tb1.p1", {}),
    ],
)
def test_links_stand_in_every_story(anchor: str, parts: dict[str, object]) -> None:
    body = p("x", textbox(p("Go there now"))) + table(["Go there now"])
    draft = Draft.of(body, **parts).edit(SetLink(anchor, "there", NEW))
    part = "word/header1.xml" if anchor.startswith("h") else "word/document.xml"
    assert targets(draft, part) == {"rId1": NEW} or NEW in targets(draft, part).values()
    held = members(draft.data)[part].decode()
    assert held.count("<w:hyperlink ") == (2 if anchor.startswith("tb") else 1)
    assert draft.edit(RemoveLink(anchor, "there")).rejected == draft.original


def test_a_strict_file_gets_a_strict_relationship() -> None:
    draft = Draft.of(p("See our terms"), strict=True).edit(SetLink("p1", "our", NEW))
    rels = members(draft.data)["word/_rels/document.xml.rels"].decode()
    assert "http://purl.oclc.org/ooxml/officeDocument/relationships/hyperlink" in rels
    assert "schemas.openxmlformats.org/officeDocument" not in draft.body


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "file:///etc/passwd", "www.example.com", "https://a b", "ftp://x"],
)
def test_an_address_that_is_not_safe_is_refused(url: str) -> None:
    with pytest.raises(RefusedError, match="https://"):
        Draft.of(p("See our terms")).edit(SetLink("p1", "our", url))


@pytest.mark.parametrize(
    ("content", "find", "said"),
    [
        (("a ", link("rId9", "word"), " b"), "a word", "inside another link"),
        (("a ", field("REF x", "Section 7"), " b"), "Section", "computed field"),
        (("plain",), "absent", "Unable to locate"),
    ],
)
def test_text_that_cannot_be_linked_is_refused_with_a_sentence(
    content: tuple[str, ...], find: str, said: str
) -> None:
    with pytest.raises(EditError, match=said):
        Draft.of(p(*content), relations=LINKED).edit(SetLink("p1", find, NEW))


def test_a_bookmark_that_is_not_there_and_a_link_that_is_not_there_are_faults() -> None:
    draft = Draft.of(p('<w:bookmarkStart w:id="1" w:name="here"/>', "words"))
    with pytest.raises(PlanError, match="no bookmark nope; the document has here"):
        draft.edit(SetLink("p1", "words", "#nope"))
    with pytest.raises(PlanError, match="no link"):
        draft.edit(RemoveLink("p1", "words"))


def test_of_equal_quotes_the_occurrence_chooses() -> None:
    draft = Draft.of(p("here and here")).edit(SetLink("p1", "here", "https://a.example/", 2))
    assert between(draft).index("<w:hyperlink") > between(draft).index("here and ")
    with pytest.raises(AmbiguousError, match="2 times"):
        Draft.of(p("here and here")).edit(SetLink("p1", "here", "https://a.example/"))
    with pytest.raises(NotFoundError):
        draft.edit(SetLink("p1", "here", "https://b.example/", 3))


def test_only_linked_words_count_when_a_link_is_removed() -> None:
    linked = link("rId9", "here")
    draft = Draft.of(p("here or ", linked, " or ", linked), relations=LINKED)
    one = draft.edit(RemoveLink("p1", "here", 1))
    assert between(one).rindex(" or ") < between(one).index("<w:hyperlink")
    assert between(one).count("<w:hyperlink") == 1
    assert between(one.edit(RemoveLink("p1", "here"))).count("<w:hyperlink") == 0
    with pytest.raises(AmbiguousError, match="2 times"):
        draft.edit(RemoveLink("p1", "here"))


def test_the_same_address_again_changes_nothing() -> None:
    draft = Draft.of(p(link("rId9", "word")), relations=LINKED)
    made = draft.edit(SetLink("p1", "word", OLD))
    assert made.data == draft.data
    assert made.report is not None
    assert not made.report.applied


def test_an_untracked_link_is_made_as_well() -> None:
    data = docx(p("See our terms"))
    draft = Draft.of(p("See our terms")).edit(SetLink("p1", "our", NEW), tracked=False)
    assert data != draft.data
    assert targets(draft) == {"rId1": NEW}


def test_a_link_that_the_same_plan_takes_off_is_not_set() -> None:
    start = Draft.of(p("a ", link("rId9", "link of words"), " b"), relations=LINKED)
    plan = (RemoveLink("p1", "link of words"), SetLink("p1", "link", "https://example.org/x"))
    with pytest.raises(PlanError, match="change the same link of p1"):
        start.edit(*plan)


@pytest.mark.parametrize("gone", [ReplaceText("p1", "new words", ""), DeleteBlocks("p1", "p1")])
def test_a_link_on_words_of_ours_goes_with_them(gone: Operation) -> None:
    draft = Draft.of(p("a b c"), p("d")).edit(ReplaceText("p1", "b", "new words"))
    linked = draft.edit(SetLink("p1", "new words", NEW))
    assert "<w:hyperlink" in linked.body
    assert "<w:hyperlink" not in linked.edit(gone).body


@pytest.mark.parametrize("words", ["link of words", "See a link of words here"])
@pytest.mark.parametrize("tracked", [True, False])
def test_a_link_that_a_move_has_written_as_a_field_goes_with_its_words(
    words: str, *, tracked: bool
) -> None:
    linked = p("See a ", link("rId9", "link of words"), " here")
    draft = Draft.of(linked, p("x"), p("y"), relations=LINKED)
    moved = draft.edit(MoveBlocks("p1", "p1", "p2", "after"))
    assert "fldChar" in moved.body
    made = moved.edit(ReplaceText("p3", words, ""), tracked=tracked)
    assert "fldChar" not in made.body
    assert made.accepted == ["x", *(["See a  here"] if words[0] == "l" else []), "y"]


@pytest.mark.parametrize(
    "held",
    [
        note("2"),
        picture("rId8"),
        textbox(p("inner")),
        r("hidden", "<w:vanish/>"),
        '<w:r><w:br w:type="page"/></w:r>',
    ],
    ids=["note", "picture", "text box", "hidden words", "break"],
)
def test_what_a_hyperlink_field_holds_stays_when_the_link_goes(held: str) -> None:
    result = f"{r('a ')}{held}{r('b')}"
    words = field(f' HYPERLINK "{OLD}" ', "words").replace(r("words"), result)
    draft = Draft.of(
        p(words, " behind"),
        p("end"),
        footnotes=footnote("2", p("A note")),
        relations={"rId8": ("image", "media/a.png")},
        media={"media/a.png": b""},
    )
    made = draft.edit(RemoveLink("p1", "b"))
    assert between(made) == between(draft).replace(words, result)


@pytest.mark.parametrize("words", ["a link of words", "link"])
@pytest.mark.parametrize("is_field", [True, False])
def test_a_link_is_taken_off_once(words: str, *, is_field: bool) -> None:
    held = (
        field(f' HYPERLINK "{OLD}" ', "a link of words")
        if is_field
        else link("rId9", "a link of words")
    )
    draft = Draft.of(p("See ", held, " here"), relations=LINKED)
    plan = (RemoveLink("p1", "a link of words"), RemoveLink("p1", words))
    with pytest.raises(PlanError, match="change the same link of p1"):
        draft.edit(*plan)
