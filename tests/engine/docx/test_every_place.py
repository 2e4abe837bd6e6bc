"""Every insertion, deletion and replacement of short paragraphs of every shape, one by one.

For each place: rejecting it gives the original, accepting it says what the same edit says without
marks, and the marks hold no more words than the change.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import pytest

from redraft.engine.docx.changes.accept_or_reject import resolve
from redraft.engine.docx.judging.fingerprint import fingerprint
from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import EditError, RefusedError
from redraft.engine.plan import Operation, ReplaceText, RewriteBlock
from redraft.engine.report import Selection
from redraft.engine.state import State
from tests.engine.redlining import Draft
from tests.engine.wordml import dele, field, footnote, ins, link, note, p, r

pytestmark = pytest.mark.thorough

ALL = Selection(all=True)
LINKED = {"rId9": ("hyperlink", "https://a.example/")}
START, END = '<w:bookmarkStart w:id="7" w:name="here"/>', '<w:bookmarkEnd w:id="7"/>'
CONTROL = f"<w:sdt><w:sdtPr/><w:sdtContent>{r('in')}</w:sdtContent></w:sdt>"

# Nine shapes: the runs of a paragraph, and what the final view says of them.
SHAPES: dict[str, tuple[str, str]] = {
    "plain": (r("ab cd ef"), "ab cd ef"),
    "runs": (r("ab c", "<w:u/>") + r("d e", "<w:strike/>") + r("f"), "ab cd ef"),
    "tabs": ("<w:r><w:t>ab</w:t><w:tab/><w:t>cd</w:t><w:br/><w:t>ef</w:t></w:r>", "ab\tcd\nef"),
    "bookmark": (r("ab ") + START + r("cd") + END + r(" ef"), "ab cd ef"),
    "link": (r("ab ") + link("rId9", "cd") + r(" ef"), "ab cd ef"),
    "control": (r("ab ") + CONTROL + r(" ef"), "ab in ef"),
    "note": (r("ab cd") + note("2") + r(" ef"), "ab cd ef"),
    "others": (r("ab ") + ins(r("cd")) + dele("xx") + r(" ef"), "ab cd ef"),
    "field": (r("ab ") + field("REF x", "cd") + r(" ef"), "ab cd ef"),
}
PARTS = {"relations": LINKED, "footnotes": footnote("2", p("n"))}


def draft_of(shape: str) -> Draft:
    return Draft.of(p(SHAPES[shape][0]), p("behind"), **PARTS)


def spans(text: str) -> Iterator[tuple[int, int]]:
    return itertools.combinations(range(len(text) + 1), 2)


def replacing(text: str, start: int, end: int, by: str) -> Operation:
    """The replacement of text[start:end], which may stand there several times, or be nothing."""
    if start == end:
        at = min(start, len(text) - 1)
        quote, shown = text[at], "\u27e6br\u27e7" if text[at] == "\n" else text[at]
        by = by + shown if at == start else shown + by
        start = at
    else:
        quote = text[start:end]
    before = [at for at in range(len(text)) if text.startswith(quote, at)]
    taken: list[int] = []
    for at in before:
        if not taken or at >= taken[-1] + len(quote):
            taken.append(at)
    if start not in taken:
        pytest.skip("overlapping hits")
    return ReplaceText("p1", quote, by, taken.index(start) + 1)


def holds(draft: Draft, operations: Sequence[Operation], final: str) -> bool:
    """Whether an edit was carried out; that it obeys is asserted, also by what the oracle sees."""
    try:
        made = draft.edit(*operations)
    except RefusedError:
        return False
    assert made.accepted == [final, "behind"] if final else ["behind"]
    assert made.rejected == made.original
    mine = [change.id for change in made.changes if change.is_ours]
    if not mine:
        return True
    reopened, _ = resolve(made.data, made.state, "reject", Selection(ids=tuple(mine)))
    before, after = (fingerprint(Package.open(data), ()) for data in (draft.data, reopened))
    assert after == before
    taken, _ = resolve(made.data, made.state, "accept", Selection(ids=tuple(mine)))
    plain = draft.edit(*operations, tracked=False)
    left, right = (fingerprint(Package.open(data), State().ours) for data in (taken, plain.data))
    assert left == right
    return True


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_words_inserted_at_every_place_are_rejected_and_accepted(shape: str) -> None:
    text, draft = SHAPES[shape][1], draft_of(shape)
    refused = [
        at
        for at in range(len(text) + 1)
        if not holds(draft, [replacing(text, at, at, "NEW")], text[:at] + "NEW" + text[at:])
    ]
    # A quote inside a computed result cannot take words.
    assert refused == ([3, 4] if shape == "field" else [])


@pytest.mark.parametrize("shape", sorted(SHAPES))
@pytest.mark.parametrize("by", ["", "X", "new words"])
def test_every_stretch_deleted_or_replaced_is_rejected_and_accepted(shape: str, by: str) -> None:
    text, draft = SHAPES[shape][1], draft_of(shape)
    refused = [
        (start, end)
        for start, end in spans(text)
        if not holds(draft, [replacing(text, start, end, by)], text[:start] + by + text[end:])
    ]
    # A computed result is not divided, and its words are nobody's to choose.
    cut = [(start, end) for start, end in spans(text) if (start < 5 and end > 3)]
    whole = [(start, end) for start, end in cut if start <= 3 and end >= 5]
    own = [] if not by else [(3, 5)]
    assert refused == (sorted({*cut} - {*whole} | {*own}) if shape == "field" else [])


@pytest.mark.parametrize("shape", ["plain", "runs", "others", "bookmark"])
def test_every_replacement_is_undone_without_a_mark(shape: str) -> None:
    text, draft = SHAPES[shape][1], draft_of(shape)
    others = [change.id for change in draft.changes]
    for start, end in spans(text):
        new = text[:start] + "new" + text[end:]
        try:
            made = draft.edit(replacing(text, start, end, "new"))
            back = made.edit(RewriteBlock("p1", text))
        except EditError as error:
            pytest.fail(f"{new}: {error}")
        assert [change.id for change in back.changes if change.is_ours] == []
        assert [change.id for change in back.changes] == others
