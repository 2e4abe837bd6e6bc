"""The laws of the redline: every edit of chosen paragraphs, random edits of made-up ones."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from redraft.engine.docx.anchors import places
from redraft.engine.docx.judging.final_text import said
from redraft.engine.docx.judging.fingerprint import digests
from redraft.engine.docx.judging.validity import counts, faults
from redraft.engine.docx.names import W_P, Element
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.redline import textmap
from redraft.engine.docx.redline.fold import fold
from redraft.engine.docx.redline.line import Stamp
from redraft.engine.docx.redline.revision_ids import Ids, taken
from redraft.engine.docx.redline.tracked_runs import write
from redraft.engine.docx.redline.tracked_text import Edit, Fresh, change
from redraft.engine.errors import EditError, RefusedError, VerificationError
from redraft.engine.plan import (
    DeleteBlocks,
    InsertBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    RewriteBlock,
)
from redraft.engine.report import Selection
from redraft.engine.state import decode
from tests.documents import is_full_sweep
from tests.engine.redlining import DATE, US, Draft
from tests.engine.wordml import dele, docx, field, footnote, ins, note, p, r, table

TAB = "<w:r><w:tab/></w:r>"
MIXED = '<w:r><w:t>ab</w:t><w:tab/><w:t xml:space="preserve"> cd</w:t><w:br/><w:t>ef</w:t></w:r>'
HYPHEN = "<w:r><w:t>co</w:t><w:noBreakHyphen/><w:t>op</w:t></w:r>"
LINK = f'<w:hyperlink w:anchor="x">{r("our terms", "<w:u/>")}</w:hyperlink>'
MARK = '<w:bookmarkStart w:id="70" w:name="here"/>'
MARKED = f'{MARK}{r("in it")}<w:bookmarkEnd w:id="70"/>'
NOTED = note("2")
CONTROL = (
    '<w:sdt><w:sdtPr><w:id w:val="5"/></w:sdtPr>'
    f"<w:sdtContent>{r('fill in')}</w:sdtContent></w:sdt>"
)
COMMENTED = (
    f'<w:commentRangeStart w:id="0"/>{r("said so")}<w:commentRangeEnd w:id="0"/>'
    '<w:r><w:commentReference w:id="0"/></w:r>'
)
PROOF = '<w:proofErr w:type="spellStart"/>'
RENDERED = "<w:r><w:lastRenderedPageBreak/><w:t>page two</w:t></w:r>"
FOREIGN = ins(r("theirs too"), id=81)
FOREIGN_BOTH = ins(
    r("new ") + dele("gone", id=83, author="Ben").replace("<w:del ", "<w:del ", 1), id=82
)
STRUCK = dele("old words", id=84)
LINK_FIELD = field('HYPERLINK "https://a.example"', "click here")

SHAPES = {
    "plain": p("one two, three."),
    "split": p(r("on"), r("e t", "<w:b/>"), r("wo", "<w:i/>"), r(" three")),
    "tabs and breaks": p("x ", TAB, MIXED, HYPHEN),
    "link": p("see ", LINK, " now"),
    "bookmark": p("a ", MARKED, " b"),
    "note": p("word", NOTED, " more", NOTED),
    "comment": p("a ", COMMENTED, " b"),
    "field": p("see ", field("REF x", "Section 7"), " for it"),
    "simple field": p("page ", f'<w:fldSimple w:instr=" PAGE ">{r("12")}</w:fldSimple>', " of it"),
    "link field": p("a ", LINK_FIELD, " b"),
    "foreign insertion": p("ab ", FOREIGN, " cd"),
    "foreign deletion": p("ab ", STRUCK, "cd ef"),
    "foreign both": p("ab ", FOREIGN_BOTH, " cd", STRUCK),
    "control": p("a ", CONTROL, " b"),
    "rendered": p(PROOF, "a ", RENDERED, PROOF),
    "empty": p(),
}
MORE = 20 if is_full_sweep() else 1
SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
NEW = ("X", "two new", "", " ", "\t", "one")


def parsed(body: str) -> tuple[Element, Package]:
    package = Package.open(docx(body))
    return next(package.tree(package.main).iter(W_P)), package


def edited(
    paragraph: Element, ids: Ids, start: int, end: int, new: str, edit: str = "e1"
) -> tuple[str, str]:
    """Replace text[start:end]; the text before and the text that should be there now."""
    line = textmap.read(paragraph, ids.ours, (), frozenset(ids.formatted))
    text, had = line.text, line.has_ours
    change(line, [Edit(start, end, (Fresh(new),) if new else ())], Stamp(edit, US, DATE))
    if had:
        fold(line)
    write(line, ids)
    return text, text[:start] + new + text[end:]


def check(paragraph: Element, ids: Ids, baseline: tuple[str, ...], expected: str) -> None:
    assert "".join(block.text for block in said([paragraph])) == expected
    assert digests([paragraph], ids.ours, "baseline") == baseline
    assert list(faults([paragraph])) == []


@pytest.mark.thorough
@pytest.mark.parametrize("shape", SHAPES.values(), ids=list(SHAPES))
def test_every_insertion_deletion_and_replacement_obeys_the_laws(shape: str) -> None:
    length = len(textmap.read(parsed(shape)[0], {}).text)
    done = 0
    for start in range(length + 1):
        for end in range(start, length + 1):
            for new in NEW if end - start < 4 else NEW[:2]:
                paragraph, package = parsed(shape)
                ids = Ids(taken([package.read(package.main)]), {}, frozenset())
                baseline = digests([paragraph], (), "baseline")
                held = counts([paragraph])
                try:
                    _, expected = edited(paragraph, ids, start, end, new)
                except RefusedError:
                    assert "field" in shape or "fld" in shape
                    continue
                check(paragraph, ids, baseline, expected)
                assert counts([paragraph]) == held
                done += 1
    assert done > length


@pytest.mark.thorough
@pytest.mark.parametrize("shape", SHAPES.values(), ids=list(SHAPES))
def test_an_edit_taken_back_word_for_word_leaves_no_mark(shape: str) -> None:
    length = len(textmap.read(parsed(shape)[0], {}).text)
    for start in range(length):
        for end in range(start + 1, min(length, start + 9) + 1):
            paragraph, package = parsed(shape)
            ids = Ids(taken([package.read(package.main)]), {}, frozenset())
            baseline = digests([paragraph], (), "baseline")
            try:
                text, _ = edited(paragraph, ids, start, end, "Q")
            except RefusedError:
                continue
            at = textmap.read(paragraph, ids.ours).text
            try:
                edited(
                    paragraph,
                    ids,
                    start,
                    start + len(at) - len(text) + end - start,
                    text[start:end],
                    "e2",
                )
            except RefusedError:
                continue
            check(paragraph, ids, baseline, text)
            assert not textmap.read(paragraph, ids.ours).has_ours, (start, end)


PIECES = st.one_of(
    st.builds(
        r,
        st.text(st.sampled_from("ab c.\u00a0\u00e9"), min_size=1, max_size=9),
        st.sampled_from(["", "<w:b/>", "<w:i/>", "<w:b/><w:i/>"]),
    ),
    st.sampled_from(
        [
            *(TAB, MIXED, HYPHEN, LINK, MARKED, NOTED, CONTROL, COMMENTED, PROOF, RENDERED),
            *(FOREIGN, FOREIGN_BOTH, STRUCK, LINK_FIELD, field("REF x", "Section 7")),
        ]
    ),
)
PARAGRAPHS = st.lists(PIECES, max_size=7).map(lambda pieces: p(*pieces))


@settings(max_examples=150 * MORE, deadline=None, suppress_health_check=SLOW)
@given(PARAGRAPHS, st.data())
def test_random_sequences_of_edits_in_a_paragraph_obey_the_laws(
    shape: str, data: st.DataObject
) -> None:
    paragraph, package = parsed(shape)
    ids = Ids(taken([package.read(package.main)]), {}, frozenset())
    baseline = digests([paragraph], (), "baseline")
    held = counts([paragraph])
    for step in range(data.draw(st.integers(1, 5))):
        length = len(textmap.read(paragraph, ids.ours).text)
        start = data.draw(st.integers(0, length))
        end = data.draw(st.integers(start, length))
        new = data.draw(st.text(st.sampled_from("ab c.\tX"), max_size=8))
        try:
            _, expected = edited(paragraph, ids, start, end, new, f"e{step}")
        except RefusedError:
            paragraph_text = textmap.read(paragraph, ids.ours).text
            assert "".join(block.text for block in said([paragraph])) == paragraph_text
            continue
        check(paragraph, ids, baseline, expected)
        assert counts([paragraph]) == held


WORDS = st.sampled_from(["alpha", "beta gamma", "the **bold** one", "30 days.", "x"])


@st.composite
def operations(draw: st.DrawFn, draft: Draft) -> Operation:
    """An operation on a paragraph that the view shows."""
    package = Package.open(draft.data)
    found = [place for place in places(package) if place.kind == "paragraph"]
    place = draw(st.sampled_from(found))
    text = textmap.read(place.element, decode(draft.state).ours).text
    kind = draw(st.sampled_from(["replace", "rewrite", "insert", "delete"]))
    if kind == "insert":
        block = NewBlock("like_anchor", draw(WORDS))
        return InsertBlocks(place.anchor, draw(st.sampled_from(["before", "after"])), (block,))
    if kind == "delete":
        return DeleteBlocks(place.anchor, place.anchor)
    if kind == "rewrite" or not text:
        return RewriteBlock(place.anchor, f"{draw(WORDS)} {text} {draw(WORDS)}")
    start = draw(st.integers(0, len(text) - 1))
    end = draw(st.integers(start + 1, len(text)))
    return ReplaceText(place.anchor, text[start:end], draw(WORDS), 1)


@pytest.mark.thorough
@settings(max_examples=60 * MORE, deadline=None, suppress_health_check=SLOW)
@given(st.lists(PARAGRAPHS, min_size=1, max_size=4), st.data())
def test_random_plans_with_decisions_among_them_obey_the_laws(
    shapes: list[str], data: st.DataObject
) -> None:
    draft = Draft.of(
        *shapes[:-1],
        table(["cell one", "two"]),
        shapes[-1],
        p("The last one."),
        footnotes=footnote("2", p("A note.")),
    )
    for _ in range(data.draw(st.integers(1, 6))):
        step = data.draw(st.sampled_from(["edit"] * 5 + ["accept", "reject"]))
        if step == "edit":
            try:
                draft = draft.edit(data.draw(operations(draft)))
            except VerificationError:
                raise
            except EditError:
                pass
            assert draft.rejected == draft.original
            continue
        ours = [change for change in draft.changes if change.is_ours]
        if not ours:
            continue
        chosen = data.draw(st.sampled_from(ours))
        decided = draft.decide(step, Selection(ids=(chosen.id,)))
        if step == "accept":
            decided = Draft(
                decided.data, decided.state, _rejected_upload(decided), None, draft.edits
            )
        draft = decided
        assert draft.rejected == draft.original


def _rejected_upload(draft: Draft) -> bytes:
    """The new baseline as a file: all that is still ours rejected."""
    ours = tuple(change.id for change in draft.changes if change.is_ours)
    return draft.decide("reject", Selection(ids=ours)).data if ours else draft.data


@settings(max_examples=40 * MORE, deadline=None, suppress_health_check=SLOW)
@given(st.lists(PARAGRAPHS, min_size=1, max_size=3), st.data())
def test_an_untracked_edit_says_the_same_as_a_tracked_one_and_marks_nothing(
    shapes: list[str], data: st.DataObject
) -> None:
    draft = Draft.of(*shapes, p("The last one."), footnotes=footnote("2", p("A note.")))
    operation = data.draw(operations(draft))
    try:
        tracked = draft.edit(operation)
    except EditError:
        assume(False)
        return
    plain = draft.edit(operation, tracked=False)
    assert plain.accepted == tracked.accepted
    assert decode(plain.state).ours == {}
    assert [c for c in plain.changes if c.author == US] == []
