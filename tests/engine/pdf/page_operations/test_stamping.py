from __future__ import annotations

from typing import Any

import pytest

from redraft.engine.errors import PlanError, RefusedError, VerificationError
from redraft.engine.pdf.page_operations.checks import Mark, check_stamped
from redraft.engine.pdf.page_operations.pages import arrange
from redraft.engine.pdf.page_operations.stamping import stamp
from redraft.engine.pdf.reader import read
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.plan import RotatePages, StampKind, StampPages
from tests.engine.pdf.paper import paper
from tests.engine.pdf.stream.streams import content, pdf


def words(data: bytes) -> list[list[tuple[float, float, str]]]:
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return [
            [(word[0], word[1], word[4]) for word in page.get_text("words")] for page in document
        ]


def body(data: bytes) -> list[str]:
    from redraft.engine.pdf.glyphs.target_blocks import targets

    return [target.text for target in targets(read(data))]


def test_page_numbers_stand_below_the_text_of_every_page() -> None:
    data = paper().text(50, 100, "First page.").page().text(50, 100, "Second page.").data()
    after = stamp(data, StampPages("page_numbers"))
    found = [page[-1] for page in words(after)]
    assert [word for _, _, word in found] == ["1", "2"]
    assert all(290 < x < 305 and y > 780 for x, y, _ in found)


def test_a_line_is_no_text_of_the_body_even_on_a_single_page() -> None:
    data = paper().text(50, 100, "The only words of the page.").data()
    for kind in ("header", "footer", "page_numbers", "watermark"):
        data = stamp(data, StampPages(kind, f"My {kind} {{page}} of {{pages}}"))
    assert body(data) == ["The only words of the page."]
    stories = {story.kind: story.blocks for story in read(data).stories}
    assert set(stories) == {"body", "header", "footer"}
    assert len(stories["footer"]) == 2


def test_a_stamp_is_an_artifact_with_its_box() -> None:
    after = stamp(pdf(b"BT /F1 9 Tf 20 150 Td (x) Tj ET"), StampPages("footer", "End"))
    import pikepdf

    with pikepdf.open(__import__("io").BytesIO(after)) as document:
        parts: Any = document.pages[0].obj.Contents
        last = bytes(parts[len(parts) - 1].read_bytes())
    assert b"/Artifact <</Type /Pagination /Subtype /Footer /Attached [/Bottom] /BBox [" in last
    assert last.count(b"BDC") == last.count(b"EMC") == 1


def test_a_watermark_is_seen_and_not_read() -> None:
    data = paper().text(50, 100, "Words.").data()
    after = stamp(data, StampPages("watermark", "DRAFT"))
    assert words(after) == words(data)
    import pymupdf

    with pymupdf.open(stream=after, filetype="pdf") as opened:
        document: Any = opened
        middle = document[0].get_pixmap(clip=(150, 250, 450, 600), alpha=False)
        assert not middle.is_unicolor


def test_a_taken_place_is_left_for_the_next_free_one() -> None:
    data = paper().text(50, 100, "Words.").text(250, 812, "a line that is there").data()
    (found,) = words(stamp(data, StampPages("page_numbers")))
    x, y, word = found[-1]
    assert word == "1"
    assert not (y < 815 and y + 9 > 800 and 240 < x < 360)


def test_a_page_without_room_is_refused_by_its_number() -> None:
    page = b"BT /F1 12 Tf 12 TL 0 2 Td " + b"(" + b"W" * 30 + b") Tj "
    page += b"0 12 Td (" + b"W" * 30 + b") Tj 0 12 Td (" + b"W" * 30 + b") Tj "
    page += b"0 12 Td (" + b"W" * 30 + b") Tj 0 12 Td (" + b"W" * 30 + b") Tj ET"
    with pytest.raises(RefusedError, match="no room for a line at the bottom of page 1"):
        stamp(pdf(page), StampPages("footer", "End"))


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_a_turned_page_is_stamped_as_it_is_seen(degrees: int) -> None:
    data, _ = arrange(paper().text(200, 400, "Words.").data(), [RotatePages(1, 1, degrees)])
    after = stamp(data, StampPages("footer", "End"))
    import pymupdf

    with pymupdf.open(stream=after, filetype="pdf") as opened:
        document: Any = opened
        page = document[0]
        line = next(
            line
            for block in page.get_text("dict")["blocks"]
            for line in block["lines"]
            if "End" in line["spans"][0]["text"]
        )
        spot = pymupdf.Rect(line["bbox"]) * page.rotation_matrix
        assert spot.y0 > page.rect.height - 60
        assert abs((spot.x0 + spot.x1) / 2 - page.rect.width / 2) < 2


def test_a_state_that_a_page_leaves_open_does_not_move_the_stamp() -> None:
    after = stamp(
        pdf(b"q 3 0 0 3 0 0 cm BT /F1 9 Tf 20 40 Td (x) Tj ET"), StampPages("footer", "End")
    )
    x, y, word = words(after)[0][-1]
    assert word == "End"
    assert 140 < x < 160
    assert 250 < y < 290


def test_two_stamps_do_not_take_each_others_font() -> None:
    data = stamp(pdf(b"BT /F1 9 Tf 20 150 Td (x) Tj ET"), StampPages("footer", "abc"))
    data = stamp(data, StampPages("header", "xyz"))
    assert {word for _, _, word in words(data)[0]} == {"x", "abc", "xyz"}


@pytest.mark.parametrize(
    ("kind", "text", "error"),
    [
        ("footer", " ", PlanError),
        ("watermark", "", PlanError),
        ("header", "a\nb", PlanError),
        ("footer", "漢字", RefusedError),
        ("footer", "word " * 80, RefusedError),
    ],
)
def test_what_cannot_be_written_is_said(kind: StampKind, text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        stamp(paper().text(50, 100, "Words.").data(), StampPages(kind, text))


def test_what_changed_beside_a_stamp_is_found_out() -> None:
    before = paper().text(50, 100, "Words.").data()
    far = Mark(Box(0, 0, 10, 10), "")
    other = paper().text(50, 100, "Words.").rule(50, 300, 200, 300).data()
    with pytest.raises(VerificationError, match="beside what was written"):
        check_stamped(before, other, [far])
    with pytest.raises(VerificationError, match="other text"):
        check_stamped(before, paper().text(50, 100, "Word.").data(), [far])
    assert content(pdf(b"q Q")) == b"q Q"
