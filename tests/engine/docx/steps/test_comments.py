"""Comments: their range, reference and part, and what of the document they leave alone."""

from __future__ import annotations

import pytest

from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import AmbiguousError, RefusedError
from redraft.engine.plan import AddComment, ReplaceText
from redraft.engine.report import Selection
from tests.engine.redlining import DATE, US, Draft
from tests.engine.wordml import field, footnote, ins, link, note, p, r, style, textbox
from tests.oracle import members

ALL = Selection(all=True)
STYLES = style("CR", name="annotation reference", kind="character") + style(
    "CT", name="annotation text"
)
THEIRS = (
    '<w:comment w:id="4" w:author="Ann" w:initials="A"><w:p><w:r><w:t>Hm</w:t></w:r></w:p>'
    "</w:comment>"
)
RANGE = '<w:commentRangeStart w:id="4"/>'
RANGE_END = '<w:commentRangeEnd w:id="4"/><w:r><w:commentReference w:id="4"/></w:r>'


def between(draft: Draft) -> str:
    return draft.body.split("<w:body>")[1].split("<w:sectPr")[0]


def comments(draft: Draft) -> str:
    return members(draft.data)["word/comments.xml"].decode()


def test_50_a_document_without_comments_gets_the_part_and_needs_no_other_namespace() -> None:
    draft = Draft.of(p("See our terms"), styles=STYLES).edit(
        AddComment("p1", "our", "Is this *right*?")
    )
    assert between(draft) == (
        '<w:p><w:r><w:t xml:space="preserve">See </w:t></w:r><w:commentRangeStart w:id="0"/>'
        '<w:r><w:t>our</w:t></w:r><w:commentRangeEnd w:id="0"/><w:r><w:rPr><w:rStyle w:val="CR"/>'
        '</w:rPr><w:commentReference w:id="0"/></w:r>'
        '<w:r><w:t xml:space="preserve"> terms</w:t></w:r></w:p>'
    )
    said = comments(draft)
    assert f'w:author="{US}" w:date="{DATE}" w:initials="U"' in said
    assert '<w:pStyle w:val="CT"/>' in said
    assert "<w:i/>" in said
    assert "w14" not in said
    opened = Package.open(draft.data)
    assert opened.content_type("word/comments.xml").endswith("wordprocessingml.comments+xml")
    assert draft.redline == ["See our terms"]
    assert draft.report is not None
    assert "does not track comments" in draft.report.warnings[0]


def test_57_comments_that_are_there_keep_every_byte() -> None:
    draft = Draft.of(p(RANGE, "See our terms", RANGE_END), comments=THEIRS)
    made = draft.edit(AddComment("p1", "our", "Mine"), AddComment("p1", "", "All of it"))
    assert THEIRS in comments(made)
    assert [f'w:id="{number}"' in comments(made) for number in (4, 5, 6)] == [True] * 3
    for action in ("accept", "reject"):
        decided = made.edit(ReplaceText("p1", "terms", "rules")).decide(action, ALL)
        assert comments(decided) == comments(made)
        assert decided.body.count("<w:commentReference ") == 3


def test_the_markers_stay_outside_our_deletions_and_insertions() -> None:
    draft = Draft.of(p("See our terms")).edit(ReplaceText("p1", "our", "your good"))
    draft = draft.edit(AddComment("p1", "See your", "Who?"))
    assert draft.redline == ["See [-our-]{+your+}{+ good+} terms"]
    assert "</w:ins><w:commentRangeEnd" in draft.body
    rejected = draft.decide("reject", ALL)
    assert rejected.accepted == ["See our terms"]
    assert rejected.body.count("<w:commentRangeEnd ") == 1


@pytest.mark.parametrize(
    "around",
    [ins(r("foreign words here")), link("rId9", "foreign words here")],
    ids=["insertion", "link"],
)
def test_the_reference_stands_outside_links_and_others_insertions(around: str) -> None:
    draft = Draft.of(p("a ", around, " b"), relations={"rId9": ("hyperlink", "https://x/")})
    body = draft.edit(AddComment("p1", "words", "Q")).body
    end = "</w:ins>" if "w:ins" in around else "</w:hyperlink>"
    assert f'{end}<w:r><w:commentReference w:id="0"/></w:r>' in body


def test_a_field_is_commented_on_as_a_whole() -> None:
    draft = Draft.of(p("see ", field("REF x", "Section 7"), " now"))
    body = draft.edit(AddComment("p1", "Section", "Q")).body
    start = body.index("<w:commentRangeStart")
    assert start < body.index('w:fldCharType="begin"')
    assert body.index('w:fldCharType="end"') < body.index("<w:commentRangeEnd")


def test_an_empty_paragraph_is_commented_on() -> None:
    draft = Draft.of(p(), p("x")).edit(AddComment("p1", "", "Why empty?"))
    assert '<w:p><w:commentRangeStart w:id="0"/><w:commentRangeEnd w:id="0"/>' in draft.body


def test_a_strict_file_gets_a_strict_part() -> None:
    draft = Draft.of(p("See our terms"), strict=True).edit(AddComment("p1", "our", "Grüße"))
    assert "http://purl.oclc.org/ooxml/wordprocessingml/main" in comments(draft)
    assert "schemas.openxmlformats.org" not in comments(draft)
    assert "Gr&#252;&#223;e" in comments(draft) or "Grüße" in comments(draft)


@pytest.mark.parametrize("anchor", ["h1.p1", "fn1.p1", "tb1.p1"])
def test_word_has_no_comments_outside_the_body(anchor: str) -> None:
    body = p("See", note("2"), textbox(p("our terms")))
    draft = Draft.of(body, headers=[p("our terms")], footnotes=footnote("2", p("our terms")))
    with pytest.raises(RefusedError, match="body only"):
        draft.edit(AddComment(anchor, "our", "Q"))


def test_a_quote_that_stands_twice_is_ambiguous() -> None:
    with pytest.raises(AmbiguousError, match="2 times"):
        Draft.of(p("one and one")).edit(AddComment("p1", "one", "Q"))


def test_an_untracked_document_is_commented_on_as_well() -> None:
    draft = Draft.of(p("See our terms")).edit(AddComment("p1", "our", "Q"), tracked=False)
    assert "<w:comment " in comments(draft)


def test_of_equal_quotes_the_occurrence_chooses_what_is_commented_on() -> None:
    made = Draft.of(p("a b a")).edit(AddComment("p1", "a", "why?", 2))
    assert made.body.index("commentRangeStart") > made.body.index("a b ")
