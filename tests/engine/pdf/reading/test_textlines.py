"""Text of a page into lines: what a page costs, and where its spans are cut."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from redraft.engine import editor
from redraft.engine.model import Link, Mark, Paragraph, Table, Text
from redraft.engine.pdf.mupdf import Corners, RawBlock, RawSpan, RawWord, Recording
from redraft.engine.pdf.page_layouts import load
from redraft.engine.pdf.reader import images, read
from redraft.engine.pdf.reading.layout import Box, Group, Line
from redraft.engine.pdf.reading.textlines import groups
from tests.engine.pdf.paper import Paper, paper

PAGES = 3
COUNTED = (
    ("Page", "get_displaylist"),
    ("Page", "get_textpage"),
    ("Page", "get_cdrawings"),
    ("Page", "get_links"),
    ("Page", "get_image_info"),
    ("Page", "read_contents"),
    ("TextPage", "extractDICT"),
    ("TextPage", "extractRAWDICT"),
    ("TextPage", "extractWORDS"),
)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the calls of MuPDF that are work for every page."""
    import pymupdf

    counted: Counter[str] = Counter()
    for kind, name in COUNTED:
        owner: Any = getattr(pymupdf, kind)
        monkeypatch.setattr(owner, name, counting(counted, name, getattr(owner, name)))
    monkeypatch.setattr(pymupdf, "open", counting(counted, "open", pymupdf.open))
    return counted


def counting(counted: Counter[str], name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def counts(*arguments: Any, **named: Any) -> Any:
        counted[name] += 1
        return call(*arguments, **named)

    return counts


def ordinary(*, linked: int = 0, pictured: bool = False, numbered: bool = False) -> Paper:
    """Draw pages of a heading, a paragraph and a ruled table each."""
    drawn = paper()
    for number in range(PAGES):
        if number:
            drawn.page()
        drawn.text(72, 80, "Terms of delivery", size=16)
        drawn.lines(
            72, 120, *("Every forecast is delivered before five in the morning." for _ in "12345")
        )
        for row in range(4):
            drawn.rule(72, 300 + row * 20, 272, 300 + row * 20)
        for edge in (72, 172, 272):
            drawn.rule(edge, 300, edge, 360)
        for row in range(3):
            drawn.text(76, 314 + row * 20, f"day {row}").text(176, 314 + row * 20, f"hour {row}")
        for row in range(linked):
            drawn.text(72, 400 + row * 14, f"See our site number {row} for more.")
            drawn.link(98, 390 + row * 14, 130, 403 + row * 14, f"https://example.com/{row}")
        if numbered:
            drawn.text(72, 700, "1. First of all, the supplier delivers.")
        if pictured:
            drawn.picture(300, 700, 340, 740)
    return drawn


def test_an_ordinary_page_is_run_through_once_and_asked_for_spans_alone(
    calls: Counter[str],
) -> None:
    data = ordinary().data()
    calls.clear()
    document = read(data)
    assert sum(isinstance(block, Table) for block in document.body.blocks) == PAGES
    once = ("get_displaylist", "read_contents", "extractDICT")
    assert calls == {"open": 1} | dict.fromkeys(once, PAGES)


@pytest.mark.parametrize(("linked", "numbered"), [(1, False), (12, False), (0, True), (12, True)])
def test_words_are_asked_for_once_a_page_however_many_spans_are_cut(
    calls: Counter[str], linked: int, numbered: bool
) -> None:
    data = ordinary(linked=linked, numbered=numbered).data()
    calls.clear()
    document = read(data)
    links = [
        i for b in document.body.blocks for i in getattr(b, "content", ()) if isinstance(i, Link)
    ]
    assert len(links) == linked * PAGES
    assert calls["extractWORDS"] == PAGES
    assert calls["get_displaylist"] == PAGES
    assert not calls["extractRAWDICT"] + calls["get_links"]


def test_a_page_with_images_is_run_through_once_too(calls: Counter[str]) -> None:
    data = ordinary(pictured=True).data()
    calls.clear()
    assert len(read(data).images) == PAGES
    assert calls["get_displaylist"] == PAGES
    assert not calls["get_textpage"] + calls["get_image_info"]


@pytest.mark.parametrize(("letter", "runs"), [("05D0", 1), ("0633", 1), ("07CA", 1), ("03B1", 0)])
def test_text_that_runs_to_the_left_is_read_from_the_page_itself(
    calls: Counter[str], letter: str, runs: int
) -> None:
    """A recording leaves blanks out that stand alone, and only to the right are they found."""
    import pymupdf

    document: Any = pymupdf.open(stream=paper().text(72, 72, "aa aa").data())
    cmap = f"1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <61> <{letter}> "
    (font,) = document[0].get_fonts()
    stream = document.get_new_xref()
    document.update_object(stream, "<<>>")
    document.update_stream(stream, f"{cmap}endbfchar".encode())
    document.xref_set_key(font[0], "ToUnicode", f"{stream} 0 R")
    data = document.tobytes()
    calls.clear()
    (block,) = read(data).body.blocks
    word = 2 * chr(int(letter, 16))
    assert isinstance(block, Paragraph)
    assert block.content == (Text(f"{word} {word}"),)
    assert calls["get_textpage"] == runs


@pytest.mark.parametrize(("ruled", "times"), [(False, 0), (True, 1)])
def test_text_is_taken_off_once_more_only_where_something_else_is_drawn(
    monkeypatch: pytest.MonkeyPatch, ruled: bool, times: int
) -> None:
    counted: Counter[str] = Counter()
    monkeypatch.setattr(Recording, "text", counting(counted, "text", Recording.text))
    drawn = paper().text(72, 72, "Every forecast is delivered.")
    if ruled:
        drawn.rule(72, 75, 200, 75)
    (block,) = drawn.read().body.blocks
    assert isinstance(block, Paragraph)
    assert block.content == (Text("Every forecast is delivered."),)
    assert counted["text"] == times


def test_an_upload_is_opened_once_and_its_text_is_not_laid_out(
    calls: Counter[str], tmp_path: Path
) -> None:
    source = tmp_path / "terms.pdf"
    source.write_bytes(ordinary(pictured=True).data())
    calls.clear()
    inspection = editor.inspect(source, "terms.pdf")
    assert [image.image_id for image in inspection.images] == ["im1", "im2", "im3"]
    assert calls["open"] == 1
    assert calls["get_displaylist"] == PAGES
    assert not calls["extractDICT"] + calls["get_textpage"]


def test_the_images_of_an_upload_are_those_of_its_markdown() -> None:
    data = ordinary(pictured=True).data()
    assert images(data) == read(data).images


def test_a_page_whose_text_is_no_text_is_left_out_with_a_notice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import pymupdf

    data = ordinary().data()
    kind: Any = pymupdf.TextPage
    whole = kind.extractDICT
    turns = iter([False, True, False])

    def fails(self: Any, *arguments: Any) -> Any:
        if next(turns):
            message = "returned a result with an exception set"
            raise SystemError(message)
        return whole(self, *arguments)

    monkeypatch.setattr(kind, "extractDICT", fails)
    document = read(data)
    assert [(n.code, n.where) for n in document.notices] == [("damaged-page", "page 2")]


def test_an_image_counts_with_what_can_be_seen_of_it() -> None:
    """A photograph that is cropped by a clipping path does not stand over the text beside it."""
    drawn = paper().picture(72, 72, 540, 540)
    page = drawn.pages[0]
    page.clean_contents()
    (number,) = page.get_contents()
    content = drawn.document.xref_stream(number)
    drawn.document.update_stream(number, b"q 80 700 40 40 re W n " + content + b" Q")
    (picture,) = load(drawn.data()).pages[0].pictures
    assert (picture.box.width, picture.box.height) == (40, 40)


class Drawn:
    """A page's text of one block, one character of half its size after the other."""

    def __init__(self, *lines: tuple[tuple[str, str], ...]) -> None:
        self.lines = lines
        self.asked = 0

    def extractDICT(self) -> dict[str, list[RawBlock]]:  # noqa: N802 - MuPDF's name
        rows = [self._row(number) for number in range(len(self.lines))]
        return {
            "blocks": [
                {
                    "lines": [
                        {
                            "spans": row,
                            "dir": (1.0, 0.0),
                            "bbox": (*row[0]["bbox"][:2], *row[-1]["bbox"][2:]),
                        }
                        for row in rows
                    ]
                }
            ]
        }

    def extractRAWDICT(self) -> dict[str, list[RawBlock]]:  # noqa: N802 - MuPDF's name
        raise AssertionError("nothing here reads from right to left")

    def extractWORDS(self) -> list[RawWord]:  # noqa: N802 - MuPDF's name
        self.asked += 1
        found: list[RawWord] = []
        for number, line in enumerate(self.lines):
            text, y = "".join(text for text, _ in line), number * 12.0
            start = 0
            for word in text.split(" "):
                box = (start * 5.0, y, (start + len(word)) * 5.0, y + 10)
                if word:
                    found.append((*box, word, 0, number, 0))
                start += len(word) + 1
        return found

    def groups(
        self, links: tuple[tuple[Box, str], ...] = (), rules: tuple[Box, ...] = ()
    ) -> tuple[Group, ...]:
        blocks = self.extractDICT()["blocks"]
        return groups(self, links, rules, [(None, block) for block in blocks])

    def _row(self, number: int) -> list[RawSpan]:
        row: list[RawSpan] = []
        start, y = 0, number * 12.0
        for text, font in self.lines[number]:
            box: Corners = (start * 5.0, y, (start + len(text)) * 5.0, y + 10)
            row.append({"text": text, "bbox": box, "size": 10.0, "flags": 0, "font": font})
            start += len(text)
        return row


def spans(
    drawn: Drawn, links: tuple[tuple[Box, str], ...] = (), rules: tuple[Box, ...] = ()
) -> list[tuple[str, float, float, str]]:
    """Give the spans of a block with their sides and targets."""
    lines: list[Line] = [line for group in drawn.groups(links, rules) for line in group.lines]
    return [(s.text, s.box.x0, s.box.x1, s.target) for line in lines for s in line.spans]


def test_spans_of_one_look_become_one() -> None:
    drawn = Drawn((("The ", "Times"), ("supplier ", "Times"), ("pays", "Times-Bold")))
    assert spans(drawn) == [("The supplier ", 0, 65, ""), ("pays", 65, 85, "")]
    (line,) = drawn.groups()[0].lines
    assert [span.marks for span in line.spans] == [Mark.NONE, Mark.BOLD]
    assert drawn.asked == 0


def test_a_link_begins_and_ends_inside_a_span() -> None:
    drawn = Drawn((("read our terms of use here", "Times"),))
    area = Box(25, 0, 64, 10)
    assert spans(drawn, links=((area, "https://example.com"),)) == [
        ("read ", 0, 25, ""),
        ("our terms ", 25, 75, "https://example.com"),
        ("of use here", 75, 130, ""),
    ]


def test_a_span_that_is_all_link_is_not_cut() -> None:
    drawn = Drawn((("our terms", "Times"),))
    (span,) = spans(drawn, links=((Box(-1, -1, 60, 11), "https://example.com"),))
    assert span == ("our terms", 0, 45, "https://example.com")
    assert drawn.asked == 0


def test_the_first_of_two_links_over_one_another_counts() -> None:
    drawn = Drawn((("our terms", "Times"),))
    areas = (Box(0, 0, 15, 10), "https://a.example"), (Box(-1, -1, 60, 11), "https://b.example")
    assert [(text, target) for text, _, _, target in spans(drawn, links=areas)] == [
        ("our ", "https://a.example"),
        ("terms", "https://b.example"),
    ]


@pytest.mark.parametrize(
    ("rule", "texts"),
    [
        (Box(21, -5, 21, 30), ["one ", "two"]),
        (Box(21, 14, 21, 30), ["one ", "two"]),  # just below it
        (Box(21, -30, 21, -4), ["one ", "two"]),  # just above it
        (Box(21, 60, 21, 90), ["one two"]),  # beside another line
        (Box(-9, 5, 51, 5), ["one two"]),  # parts no cells
        (Box(40, -5, 40, 30), ["one two"]),  # to the right of it
    ],
)
def test_an_upright_rule_parts_the_words_beside_it(rule: Box, texts: list[str]) -> None:
    drawn = Drawn((("one two", "Times"),))
    assert [text for text, *_ in spans(drawn, rules=(rule,))] == texts


def test_only_the_span_that_a_rule_crosses_is_cut_and_none_beside_it_are_joined() -> None:
    drawn = Drawn((("one two ", "Times"), ("three four ", "Times"), ("five", "Times")))
    rules = Box(21, -5, 21, 30), Box(95, -5, 95, 30)
    texts = [text for text, *_ in spans(drawn, rules=rules)]
    assert texts == ["one ", "two ", "three four ", "five"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. Payment terms", [("1. ", 0), ("Payment terms", 15)]),
        ("(a) Payment terms", [("(a) ", 0), ("Payment terms", 20)]),
        ("  Payment terms", [(" ", 0), (" ", 0), ("Payment terms", 10)]),
        ("I am a person", [("I am a person", 0)]),
        ("5 of them", [("5 of them", 0)]),
    ],
)
def test_the_text_after_a_label_or_an_indent_stands_at_its_own_place(
    text: str, expected: list[tuple[str, float]]
) -> None:
    found = spans(Drawn(((text, "Times"),)))
    assert [(text, x0) for text, x0, *_ in found] == expected


@pytest.mark.parametrize(
    ("links", "rules"),
    [((), ()), (((Box(0, 0, 60, 10), "https://a.example"),), ()), ((), (Box(22, -5, 22, 30),))],
)
def test_a_wide_gap_stays_a_tab_whatever_stands_over_it(
    links: tuple[tuple[Box, str], ...], rules: tuple[Box, ...]
) -> None:
    drawn = Drawn((("days", "Times"), (" ", "Times"), ("hours", "Times")))
    assert [text for text, *_ in spans(drawn, links, rules)] == ["days", "\t", "hours"]
