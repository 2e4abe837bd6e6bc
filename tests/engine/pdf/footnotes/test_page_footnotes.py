from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.engine.markdown import document as markdown
from redraft.engine.model import Block, Mark, NoteReference, Paragraph, Story
from redraft.engine.pdf.footnotes.note_stories import noted, unfolded
from redraft.engine.pdf.footnotes.page_footnotes import Parted, parted
from redraft.engine.pdf.reader import read, read_all
from redraft.engine.pdf.reading.layout import NOTE, Box, Group, Line, Page, Span, Tag, around
from redraft.engine.pdf.reading.line_end_hyphens import LineEndHyphens
from redraft.engine.pdf.reading.paragraphs import Typography
from tests.engine.pdf.paper import page, paper

BODY, SMALL, TINY = 11, 9, 6
ORDINARY = Typography(BODY, is_mono=False, hyphens=LineEndHyphens())
UP = Mark.SUPERSCRIPT
FOOT = 760.0
Part = tuple[str, float, Mark]


def row(x: float, y: float, *parts: Part | str, size: float = BODY, tag: Tag | None = None) -> Line:
    """Make a line on one baseline; a raised part stands a third of its size higher."""
    spans: list[Span] = []
    at = x
    for part in parts:
        text, own, marks = (part, size, Mark.NONE) if isinstance(part, str) else part
        low = y - (0.35 * size if marks & UP else 0)
        box = Box(at, low - own * 0.8, at + len(text) * own / 2, low + own * 0.2)
        spans.append(Span(text, box, own, marks))
        at = box.x1
    return Line(around(span.box for span in spans), tuple(spans), tag=tag)


def up(label: str, size: float = TINY) -> Part:
    return label, size, UP


def small(label: str) -> Part:
    return label, TINY, Mark.NONE


def text(*parts: Part | str, y: float = 100, x: float = 72) -> Group:
    held = row(x, y, *parts)
    return Group(held.box, (held,))


def note(label: str, words: str, y: float = FOOT, x: float = 72) -> Group:
    held = row(x, y, small(label), f" {words}", size=SMALL)
    return Group(held.box, (held,))


def lines(*held: Line) -> Group:
    return Group(around(each.box for each in held), held)


def read_notes(found: Parted) -> list[tuple[str, str, str]]:
    return [
        (each.anchor, each.label, " ".join(p.text for p in each.passages(ORDINARY)))
        for each in found.notes
    ]


def left(found: Parted) -> list[str]:
    return [li.text for each in found.pages for g in each.groups for li in g.lines]


def led(found: Parted) -> list[tuple[str, str]]:
    return [
        (span.text, span.target.removeprefix(NOTE))
        for each in found.pages
        for g in each.groups
        for li in g.lines
        for span in li.spans
        if span.target.startswith(NOTE)
    ]


@pytest.mark.parametrize(
    "label", ["1", "12", "*", "**", "\u2217", "†", "‡", "§", "a", "iv"], ids=lambda label: label
)
def test_a_small_line_at_the_foot_is_the_note_of_its_mark(label: str) -> None:
    found = parted(
        [page(text("The rate", up(label), " is fixed."), note(label, "See it."))], ORDINARY
    )
    assert read_notes(found) == [("p1.n1", label, "See it.")]
    assert led(found) == [(label, "p1.n1")]
    assert left(found) == [f"The rate{label} is fixed."]


@pytest.mark.parametrize(
    "held",
    [
        (text("The rate is fixed."), note("1", "See it.")),
        (text("The rate", up("1"), " is fixed."), note("2", "See it.")),
        (text("The rate", up("1"), " is fixed."), text("1 See it.", y=FOOT)),
        (text("The rate", up("1")), note("1", "See it.", y=300), text("More.", y=600)),
        (text("The rate", up("1"), " is fixed."), note("1", "  ")),
        (text("The rate", up("1"), " is fixed."), note("1", "\u2013")),
    ],
    ids=["no mark", "another label", "not small", "text below", "no words", "a sign"],
)
def test_what_has_no_mark_or_is_no_note_stays_what_it_was(held: tuple[Group, ...]) -> None:
    before = page(*held)
    assert parted([before], ORDINARY) == Parted((before,), ())


@pytest.mark.parametrize(
    ("before", "label", "is_mark"),
    [
        ("the area x", "2", False),
        ("of 40 m", "2", False),
        ("about 10", "3", False),
        ("since 1998", "3", True),
        ("the 1", "s", False),
        ("in the EU", "2", True),
        ("by ITU-T", "3", True),
        ("it ended.", "4", True),
        ("“so”", "4", True),
        ("y =", "2", False),
        ("日本", "2", True),
    ],
)
def test_exponents_and_ordinals_are_no_marks(before: str, label: str, is_mark: bool) -> None:
    found = parted([page(text(before, up(label), " and so on"), note(label, "See it."))], ORDINARY)
    assert bool(found.notes) is is_mark
    assert len(left(found)) == (1 if is_mark else 2)


def test_a_figure_behind_a_year_is_no_mark_where_another_one_is() -> None:
    held = page(text("in 1998", up("3"), " the rate", up("3"), " rose."), note("3", "See it."))
    found = parted([held], ORDINARY)
    assert led(found) == [("3", "p1.n1")]
    (line,) = (li for g in found.pages[0].groups for li in g.lines)
    assert [span.target for span in line.spans] == ["", "", "", f"{NOTE}p1.n1", ""]


@pytest.mark.parametrize("mark", ["1,2", "1, 2", "12"])
def test_marks_that_stand_together_lead_each_to_its_note(mark: str) -> None:
    held = [text("The rate", up(mark), "."), note("1", "One.", 740), note("2", "Two.", 752)]
    found = parted([page(*held)], ORDINARY)
    assert led(found) == [("1", "p1.n1"), ("2", "p1.n2")]
    assert left(found) == [f"The rate{mark}."]


def test_a_number_glued_to_a_word_counts_if_it_is_the_only_one() -> None:
    once = [text("The rate7 is fixed."), note("7", "See it.")]
    assert led(parted([page(*once)], ORDINARY)) == [("7", "p1.n1")]
    twice = [*once, text("The other7 is not.", y=120)]
    assert not parted([page(*twice)], ORDINARY).notes
    assert not parted([page(text("Version2.7 is it."), note("7", "See it."))], ORDINARY).notes


def test_a_note_has_several_lines_and_paragraphs_and_ends_at_a_gap() -> None:
    held = lines(
        row(72, 700, small("1"), " The first line of it goes on to the end of the", size=SMALL),
        row(72, 711, "column. It ends.", size=SMALL),
        row(72, 722, "A second paragraph that is as long as the first line.", size=SMALL),
    )
    printed = lines(row(72, 780, "Printed on paper", size=SMALL))
    found = parted([page(text("Rate", up("1")), held, printed)], ORDINARY)
    (only,) = found.notes
    assert [p.text for p in only.passages(ORDINARY)] == [
        "The first line of it goes on to the end of the column. It ends.",
        "A second paragraph that is as long as the first line.",
    ]
    assert left(found) == ["Rate1", "Printed on paper"]


def test_a_line_of_a_note_that_begins_with_a_number_is_no_other_note() -> None:
    held = lines(
        row(72, 700, small("1"), " It ends after", size=SMALL),
        row(72, 711, "12 months from then.", size=SMALL),
    )
    found = parted([page(text("Rate", up("1"), " and bank", up("12")), held)], ORDINARY)
    assert read_notes(found) == [("p1.n1", "1", "It ends after 12 months from then.")]


def test_notes_with_plain_numbers_are_told_by_their_turn() -> None:
    held = lines(
        row(72, 700, "1. One.", size=SMALL),
        row(72, 711, "2. Two.", size=SMALL),
    )
    found = parted([page(text("Rate", up("1"), " and bank", up("2")), held)], ORDINARY)
    assert read_notes(found) == [("p1.n1", "1", "One."), ("p1.n2", "2", "Two.")]


def test_a_label_without_a_mark_ends_the_note_above_and_stays() -> None:
    held = [note("1", "One.", 730), note("2", "Two.", 741), note("3", "Three.", 752)]
    found = parted([page(text("Rate", up("1"), " and bank", up("3")), *held)], ORDINARY)
    assert read_notes(found) == [("p1.n1", "1", "One."), ("p1.n3", "3", "Three.")]
    assert left(found) == ["Rate1 and bank3", "2 Two."]


def test_notes_of_two_columns_stand_at_the_foot_of_each() -> None:
    one = [text("Left", up("1")), note("1", "One.", 700), text("Right", up("2"), x=320)]
    held = [*one, text("more text on the right.", x=320, y=740), note("2", "Two.", FOOT, 320)]
    found = parted([page(*held)], ORDINARY)
    assert read_notes(found) == [("p1.n1", "1", "One."), ("p1.n2", "2", "Two.")]


def test_a_page_number_below_notes_is_none_of_them() -> None:
    held = [text("Rate", up("1")), note("1", "See it.", 740), text("12", y=800, x=290)]
    found = parted([page(*held)], ORDINARY)
    assert read_notes(found) == [("p1.n1", "1", "See it.")]
    assert left(found) == ["Rate1", "12"]


def test_a_note_goes_on_at_the_head_of_the_notes_of_the_next_page() -> None:
    first = page(text("Rate", up("1")), note("1", "See the annex that is"))
    rest = lines(row(72, 740, "found at the end.", size=SMALL))
    second = page(text("Bank", up("1")), rest, note("1", "Another.", 751), number=2)
    found = parted([first, second], ORDINARY)
    assert read_notes(found) == [
        ("p1.n1", "1", "See the annex that is found at the end."),
        ("p2.n1", "1", "Another."),
    ]
    assert left(found) == ["Rate1", "Bank1"]


@pytest.mark.parametrize(
    ("end", "more", "number"),
    [("is there.", "found at the end.", 2), ("that is", "Found there.", 2), ("that is", "so.", 3)],
    ids=["finished", "capital", "page between"],
)
def test_small_words_that_do_not_go_on_stay(end: str, more: str, number: int) -> None:
    first = page(text("Rate", up("1")), note("1", f"See the annex {end}"))
    second = page(text("Bank"), lines(row(72, 740, more, size=SMALL)), number=number)
    assert left(parted([first, second], ORDINARY)) == ["Rate1", "Bank", more]


def test_notes_as_large_as_the_text_need_a_small_label_and_a_gap() -> None:
    words = row(72, FOOT, small("1"), " See it.")
    mark = text("Rate", up("1"), y=600)
    assert len(parted([page(mark, lines(words))], ORDINARY).notes) == 1
    close = text("More text.", y=FOOT - 13)
    assert not parted([page(mark, close, lines(words))], ORDINARY).notes


def test_what_the_structure_tree_calls_a_note_is_one_at_any_size_and_place() -> None:
    tag = Tag((1, 2), "note")
    held = lines(row(72, 300, small("1"), " See it.", tag=tag))
    below = text("Text below.", y=500)
    found = parted([page(text("Rate", up("1")), held, below)], ORDINARY)
    assert read_notes(found) == [("p1.n1", "1", "See it.")]


def test_a_variable_of_a_formula_is_no_label() -> None:
    head = row(72, FOOT, ("x", TINY, Mark.ITALIC), " = 1", size=SMALL)
    assert not parted([page(text("the power", up("x")), lines(head))], ORDINARY).notes


LABELS = st.sampled_from(["1", "2", "3", "*", "a", "12"])
WORDS = st.text("abcdeé .,", min_size=1, max_size=12)
BODIES = st.lists(st.tuples(WORDS, st.none() | LABELS), min_size=1, max_size=4)
NOTES = st.lists(st.tuples(st.none() | LABELS, WORDS, st.integers(9, 30)), max_size=4)


def made(
    number: int, body: list[tuple[str, str | None]], feet: list[tuple[str | None, str, int]]
) -> Page:
    groups = [
        text(f"Word {words}", *([up(label)] if label else ()), " end.", y=80 + 40 * at)
        for at, (words, label) in enumerate(body)
    ]
    y = 600
    for label, words, gap in feet:
        y += gap
        parts = [small(label), f" {words}"] if label else [f"w{words}"]
        groups.append(lines(row(72, y, *parts, size=SMALL)))
    return page(*groups, number=number)


@given(st.lists(st.tuples(BODIES, NOTES), min_size=1, max_size=3))
@pytest.mark.thorough
def test_every_character_is_read_once(
    pages: list[tuple[list[tuple[str, str | None]], list[tuple[str | None, str, int]]]],
) -> None:
    drawn = [made(number, *each) for number, each in enumerate(pages, start=1)]
    found = parted(drawn, ORDINARY)
    after = Counter("".join(left(found)))
    for each in found.notes:
        after += Counter(each.head + "".join(li.text for _, _, held in each.parts for li in held))
    before = Counter("".join(li.text for each in drawn for g in each.groups for li in g.lines))
    assert {k: n for k, n in after.items() if k != " "} == {
        k: n for k, n in before.items() if k != " "
    }
    anchors = {each.anchor for each in found.notes}
    assert {anchor for _, anchor in led(found)} == anchors
    assert len(anchors) == len(found.notes)


def drawn_note() -> bytes:
    """Two pages: marks 1 and 2 with their notes, and a raised 9 that has none."""
    made = paper()
    made.lines(72, 100, *["A line of text that fills its column from side to side."] * 4)
    made.text(72, 200, "The rate is fixed").text(158, 196, "1", size=6).text(163, 200, " by it.")
    made.text(72, 220, "The bank").text(117, 216, "9", size=6).text(122, 220, " is not.")
    made.text(72, 757, "1", size=6).text(76, 760, "See the annex.", size=9)
    made.page().text(72, 100, "The fee is fixed").text(152, 96, "2", size=6)
    made.text(157, 100, " as well.").text(72, 757, "2", size=6).text(76, 760, "See it.", size=9)
    return made.data()


def test_notes_are_stories_and_markdown_names_them_by_their_labels() -> None:
    document = read(drawn_note())
    assert [(s.kind, s.anchor, s.label, s.blocks[0].anchor) for s in document.stories] == [
        ("body", "", "", "p1.b1"),
        ("footnote", "p1.n1", "1", "p1.n1.p1"),
        ("footnote", "p2.n1", "2", "p2.n1.p1"),
    ]
    written = markdown.write(document)
    assert "The rate is fixed[^1] by it." in " ".join(written.split()).replace(" [^", "[^")
    assert "<sup>9</sup>" in written
    assert written.endswith("[^1]: See the annex.\n\n[^2]: See it.\n")


def test_notes_unfolded_stand_behind_the_blocks_of_their_page() -> None:
    reading = read_all(drawn_note())
    plain = unfolded(reading.document, reading.heads)
    assert [story.kind for story in plain.stories] == ["body"]
    anchors = [block.anchor for block in plain.body.blocks]
    assert anchors.index("p1.n1.p1") == anchors.index("p2.b1") - 1
    written = markdown.write(plain)
    assert "1See the annex." in written
    assert "[^" not in written


def test_a_mark_in_a_listing_stays_and_so_does_its_note() -> None:
    made = paper().lines(72, 100, *["Running text that fills its column well enough."] * 6)
    made.text(72, 300, "call(rate", font="cour").text(132, 296, "1", size=6, font="cour")
    made.text(72, 757, "1", size=6).text(76, 760, "See the annex.", size=9)
    document = made.read()
    assert [story.kind for story in document.stories] == ["body"]
    assert "See the annex." in markdown.write(document)


def test_a_document_is_not_read_again_for_every_mark_that_does_not_come_out() -> None:
    pages = [page(text("Rate", up("1")), note("1", "One."), number=n) for n in range(1, 20)]
    held: list[int] = []

    def body(left: Sequence[Page]) -> tuple[Block, ...]:
        anchors = [anchor for _, anchor in led(Parted(tuple(left), ()))]
        held.append(len(anchors))
        marks = tuple(NoteReference("footnote", each, "1") for each in anchors[1:])
        return (Paragraph("p1.b1", marks),)

    made = noted(pages, ORDINARY, body)
    assert held == [19, 18, 17, 0]
    assert made.stories == ()


def folded(story: Story) -> str:
    parts = [each for block in story.blocks for each in re.findall(r"text='([^']*)'", str(block))]
    return " ".join("".join(parts).split())


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "labels", "start"),
    [
        ("tika__testPDFVarious", ["1"], "This is a footnote."),
        ("pdfminer__naacl06-shinyama", ["1", "2", "3"], "The ACE task description can be found"),
        ("opf__test_fontArialNotEmbedded", list("1234567"), "The message digest is actually"),
        (
            "unstructured__multi-column",
            ["\u2217", *map(str, range(1, 11))],
            "Equal contribution",
        ),
    ],
)
def test_the_notes_of_real_files_are_read(
    corpus: Path, name: str, labels: list[str], start: str
) -> None:
    document = read((corpus / "pdf" / f"{name}.pdf").read_bytes())
    notes = [story for story in document.stories if story.kind == "footnote"]
    assert [story.label for story in notes] == labels
    assert folded(notes[0]).startswith(start)
    written = markdown.write(document)
    for number in filter(str.isdigit, labels):
        assert written.count(f"\n[^{number}]: ") == 1
        assert f"[^{number}]" in written.partition(f"\n[^{labels[-1]}]: ")[0]


@pytest.mark.corpus
@pytest.mark.parametrize(
    "name", ["docling__multi_page", "officebench__financial_report", "pdfjs__pdfjs_wikipedia"]
)
def test_real_files_without_notes_have_none(corpus: Path, name: str) -> None:
    document = read((corpus / "pdf" / f"{name}.pdf").read_bytes())
    assert not [story for story in document.stories if story.kind == "footnote"]
