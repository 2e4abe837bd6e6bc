from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from redraft.engine.errors import VerificationError
from redraft.engine.model import Paragraph, Text
from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.glyphs.edited_words import Change
from redraft.engine.pdf.glyphs.target_blocks import Target, known_in
from redraft.engine.pdf.resolved_edits import Edits, Look
from redraft.engine.pdf.verify.wording import check_words
from redraft.engine.plan import EditPlan, ReplaceText
from redraft.engine.report import Signature
from tests.engine.pdf.stream.streams import model, pdf

BY_ANN = Signature("u1", "Ann Lee", "2026-11-21T06:30:00Z", tracked=True)
EDITS = Edits({"p1.b1": [Change(0, 3, "Some")]})


def block(text: str, *, number: int = 1, page: int = 0, label: str = "") -> Target:
    anchor = f"p{page + 1}.b{number}"
    return Target(anchor, page, text, label, Paragraph(anchor, (Text(text),)))


BEFORE = [block("Two existing systems"), block("A line below", number=2)]


@pytest.mark.parametrize(
    "after",
    [
        [block("Some existing systems"), block("A line below", number=2)],
        [block("Some"), block("existing systems", number=2), block("A line below", number=3)],
        [block("Some existing", label="1."), block("systems", page=1)],
        [block("Some exist\u00ading systems")],
    ],
)
def test_a_block_whose_words_are_all_read_passes(after: list[Target]) -> None:
    check_words(BEFORE, after, EDITS)


@pytest.mark.parametrize(
    "after",
    [
        [block("Some ex-"), block("isting systems", number=2)],
        [block("Some ex-isting systems")],
        [block("Some ex isting systems")],
        [block("Someexisting systems")],
        [block("Some systems existing")],
        [block("Two existing systems")],
        [],
    ],
)
def test_a_block_whose_words_read_differently_is_refused(after: list[Target]) -> None:
    with pytest.raises(
        VerificationError, match=r"words of p1\.b1 on page 1 would read differently"
    ):
        check_words(BEFORE, after, EDITS)


NEXT = [block("They are governed by"), block("Internet rules of old", page=1)]
FIRST = Edits({"p2.b1": [Change(0, 8, "network")]})


def test_what_begins_a_page_may_become_the_end_of_the_block_before() -> None:
    check_words(NEXT, [block("They are governed by network rules of old")], FIRST)


@pytest.mark.parametrize(
    "after",
    [
        [block("They are governed by net work rules of old")],
        [block("They are governed by network rules of old and more")],
        [block("They are governed by"), block("rules of old", page=1)],
    ],
)
def test_but_its_words_must_be_that_end(after: list[Target]) -> None:
    with pytest.raises(VerificationError, match="would read differently"):
        check_words(NEXT, after, FIRST)


def test_equal_words_of_a_block_that_was_there_before_are_not_its_own() -> None:
    known = [block("They have network rules of old"), block("Internet rules of old", page=1)]
    with pytest.raises(VerificationError, match="would read differently"):
        check_words(known, known[:1], FIRST)


def test_a_new_look_must_leave_the_words_and_a_deleted_block_has_none() -> None:
    with pytest.raises(VerificationError, match="would read differently"):
        check_words(BEFORE, [block("Two ex isting systems")], Edits(looks=[Look("p1.b1", 0, 3)]))
    check_words(BEFORE, BEFORE[1:], Edits(EDITS.changes, ["p1.b1"]))


# Fixed pitch: 26 characters fill a column. The paragraph's two lines end alike and the first is
# set in; its last word is broken over to the next column.
LEFT = (
    b"Here the first of the text",
    b"fills its lines to the end",
    b"so that one can tell where",
    b"the column ends, which was",
    b"  A fair question. Was the",
    b"recall of it less than ex-",
)
RIGHT = (
    b"isting ones have? It would",
    b"seem so, as was said above",
    b"and will be said below. It",
    b"ends so.",
)
NEW_TEXT = "A fair one. Was the recall of it less than existing ones have?"


def columns() -> bytes:
    drawn = [
        b"BT /F3 6 Tf %.1f %d Td (%s) Tj ET" % (x + 3.6 * (len(row) - len(row.lstrip())), y, words)
        for x, top, rows in ((40, 200, LEFT), (155, 200, RIGHT))
        for number, row in enumerate(rows)
        for y, words in ((top - 8 * number, row.lstrip()),)
    ]
    return pdf(b" ".join(drawn))


def shortened() -> bytes:
    anchor = next(each.anchor for each in known_in(columns()) if "fair question" in each.text)
    plan = EditPlan("edit", "asked", (ReplaceText(anchor, "question", "one"),))
    return apply(columns(), plan, BY_ANN)[0]


def test_two_lines_that_end_alike_keep_their_left_edge_though_the_first_is_set_in() -> None:
    (text,) = [each.text for each in known_in(shortened()) if "A fair" in each.text]
    assert text.startswith(NEW_TEXT)
    starts = {round(y): min(g.x for g in model(shortened()).glyphs() if g.y == y and not g.is_blank)
              for y in (168, 160)}  # fmt: skip
    assert starts[160] == pytest.approx(40, abs=0.1)
    assert starts[168] == pytest.approx(40 + 2 * 3.6, abs=1)


def test_a_file_that_reads_differently_is_not_given_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def misread(data: bytes) -> list[Target]:
        return [replace(t, text=t.text.replace("existing", "ex isting")) for t in known_in(data)]

    monkeypatch.setattr("redraft.engine.pdf.verify.reread.known_in", misread)
    with pytest.raises(VerificationError, match="would read differently where its lines break"):
        shortened()


@pytest.mark.corpus
def test_a_set_in_paragraph_over_two_columns_is_kept_whole_or_refused(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = (corpus / "pdf" / "pdfminer__naacl06-shinyama.pdf").read_bytes()
    target = next(each for each in known_in(data) if "couple of open questions" in each.text)
    plan = EditPlan("edit", "asked", (ReplaceText(target.anchor, "questions", "Workshop", 1),))
    edited, _ = apply(data, plan, BY_ANN)
    expected = target.text.replace("questions", "Workshop", 1)
    assert expected in [each.text for each in known_in(edited)]
    # Taken for lines that are flush on the right, they fall apart, unless they end as they did.
    monkeypatch.setattr("redraft.engine.pdf.typeset.columns.FULL", 1000)
    edited, _ = apply(data, plan, BY_ANN)
    assert expected in [each.text for each in known_in(edited)]
    monkeypatch.setattr("redraft.engine.pdf.edit.execute.MOST_ATTEMPTS", 1)
    with pytest.raises(VerificationError, match="would read differently where its lines break"):
        apply(data, plan, BY_ANN)


BROKEN = pdf(
    b"BT /F1 10 Tf 12 TL 20 250 Td (The quick brown fox looks at them all, respec-) Tj"
    b" (tively, and then runs through the wide forest) ' (until the evening comes.) ' ET"
    b" BT /F2 10 Tf 20 180 Td (A line below) Tj ET"
)


@pytest.mark.parametrize(
    ("new", "line", "is_broken"),
    [
        ("quick stout fox", 0, True),
        ("cat", 0, False),
        ("quick, uncommonly stout fox", 1, False),
    ],
)
def test_a_broken_word_is_whole_where_the_break_moves_and_stays_broken_where_not(
    new: str, line: int, is_broken: bool
) -> None:
    plan = EditPlan("edit", "asked", (ReplaceText("p1.b1", "quick brown fox", new),))
    data, _ = apply(BROKEN, plan, BY_ANN)
    before, after = known_in(BROKEN)[0].text, known_in(data)[0].text
    assert "respectively," in before
    assert after == before.replace("quick brown fox", new)
    rows: dict[float, str] = {}
    for glyph in model(data).glyphs():
        rows[round(glyph.y)] = rows.get(round(glyph.y), "") + glyph.text
    found = [rows[y] for y in sorted(rows, reverse=True)]
    assert ("respec" if is_broken else "respectively,") in found[line]
    assert ("-" in "".join(found)) is is_broken
