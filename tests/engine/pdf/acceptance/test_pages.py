"""Cases 24, 25, 27 and 28: turned pages, archives, outlines, and pages of a book."""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from redraft.engine.plan import (
    DeletePages,
    ReplaceText,
    StampPages,
)
from tests.engine.pdf import judges
from tests.engine.pdf.acceptance.documents import (
    LINE,
    MULTI,
    all_bytes,
    block,
    edited,
    held,
    replaced,
    texts,
)
from tests.engine.pdf.judges import sound
from tests.engine.pdf.paper import book, paper
from tests.engine.pdf.stream.streams import model, pdf

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_case_24_a_turned_page(turn: int) -> None:
    import pikepdf

    stream = b"BT /F1 10 Tf 0 1 -1 0 150 40 Tm (The second page is turned) Tj ET"
    stream += b" BT /F1 10 Tf 0 1 -1 0 180 40 Tm (The line beside it) Tj ET"
    with pikepdf.open(BytesIO(pdf(stream))) as document:
        document.pages[0].obj[pikepdf.Name.Rotate] = turn
        out = BytesIO()
        document.save(out)
    data = out.getvalue()
    target = block(data, "second page")
    after, _ = edited(data, ReplaceText(target.anchor, "second page", "rotated second page"))
    assert sorted(texts(after)) == ["The line beside it", "The rotated second page is turned"]
    assert "rotated second page" in judges.read_by_pdfium(after)
    assert {round(g.x, 2) for g in model(after).glyphs()} == {150.0, 180.0}
    with pikepdf.open(BytesIO(after)) as document:
        assert document.pages[0].obj.Rotate == turn
    sound(data, after)
    check_only_line(data, after, 0, "second page is turned")


@pytest.mark.corpus
def test_case_24_a_turned_page_of_a_real_file(corpus: Path) -> None:
    data = held(corpus, "opf__test_fontArialNotEmbedded.pdf")
    after, _, text = replaced(data, "Date of count", "Date of count", "Date of tally")
    assert text in texts(after)
    assert "Date of tally" in judges.read_by_pdfium(after, 16)
    assert labels(after) == labels(data)
    check_only_line(data, after, 16, "Date of count")


def check_only_line(before: bytes, after: bytes, page: int, words: str) -> None:
    """Make sure that no pixel changes but in one line, as long as it was or as it is."""
    now = judges.changed_lines(before, after, page)
    own = [box for text, box in judges.lines(before, page) if words in text]
    assert len(own) == 1
    assert len(now) == 2, "one line says something else: as it was, and as it is"
    assert own[0] in now
    sides = [(box[1], box[3]) if page_is_wide(box) else (box[0], box[2]) for box in now]
    assert sides[0] == pytest.approx(sides[1], abs=1.5), "it is the same line"
    assert judges.differences(before, after, page, now) == (0, 0)
    assert judges.differences(before, after, page, []) != (0, 0)


def page_is_wide(box: judges.Rect) -> bool:
    return box[2] - box[0] > box[3] - box[1]


def as_archive(data: bytes) -> bytes:
    """Say of a file that it is a PDF/A-2b, with the intent that one must have."""
    import pikepdf

    with pikepdf.open(BytesIO(data)) as opened:
        document: Any = opened
        profile = document.make_stream(b"profile", N=3)
        intent = pikepdf.Dictionary(
            Type=pikepdf.Name.OutputIntent,
            S=pikepdf.Name.GTS_PDFA1,
            OutputConditionIdentifier=pikepdf.String("sRGB"),
            DestOutputProfile=profile,
        )
        document.Root.OutputIntents = pikepdf.Array([document.make_indirect(intent)])
        with document.open_metadata() as packet:
            packet["pdfaid:part"] = "2"
            packet["pdfaid:conformance"] = "B"
        out = BytesIO()
        document.save(out)
        return out.getvalue()


def archived(data: bytes) -> list[object]:
    """Give what a file claims of itself as an archive: its intents and its part."""
    import pikepdf

    with pikepdf.open(BytesIO(data)) as opened:
        document: Any = opened
        packet = document.open_metadata()
        intents = [
            (
                str(each.S),
                str(each.OutputConditionIdentifier),
                bytes(each.DestOutputProfile.read_bytes()),
            )
            for each in document.Root.OutputIntents
        ]
        return [intents, packet["pdfaid:part"], packet["pdfaid:conformance"]]


def fonts(data: bytes) -> dict[str, bool]:
    """Say of every font of a file whether its program is in the file."""
    import pikepdf

    found: dict[str, bool] = {}
    with pikepdf.open(BytesIO(data)) as document:
        every: list[Any] = list(document.objects)
        for each in every:
            if not isinstance(each, pikepdf.Dictionary) or each.get("/Type") != "/Font":
                continue
            holder = each.DescendantFonts[0] if "/DescendantFonts" in each else each
            described: Any = holder.get("/FontDescriptor")
            kept = ("/FontFile", "/FontFile2", "/FontFile3")
            is_held = described is not None and any(key in described for key in kept)
            found[str(each.BaseFont)] = is_held or each.Subtype == "/Type3"
    return found


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("old", "new", "is_lacking"), [("typewriter", "teleprinter", False), ("century", "Łódź", True)]
)
def test_case_25_an_archive_keeps_its_claims_and_all_its_fonts_embedded(
    corpus: Path, old: str, new: str, is_lacking: bool
) -> None:
    data = as_archive(held(corpus, MULTI))
    assert all(fonts(data).values())
    after, report, text = replaced(data, "The origins", old, new)
    assert text in texts(after)
    assert archived(after) == archived(data)
    assert all(fonts(after).values()), fonts(after)
    assert bool(fonts(after).keys() - fonts(data).keys()) == is_lacking
    assert bool(report.warnings) == is_lacking
    assert b"transparency" not in all_bytes(after).lower()
    assert b"/Encrypt" not in after


def test_case_25_a_fallback_font_of_an_archive_is_embedded() -> None:
    data = as_archive(LINE)
    after, _ = edited(data, ReplaceText("p1.b1", "brown", "Łódź"))
    assert archived(after) == archived(data)
    (new,) = fonts(after).keys() - fonts(data).keys()
    assert fonts(after)[new]
    assert all(g.show.state.font and g.show.state.font.is_embedded
               for g in model(after).glyphs() if g.text in "Łź")  # fmt: skip


def outline(data: bytes) -> list[list[Any]]:
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return [list(entry) for entry in document.get_toc()]


def test_case_27_the_outline_follows_a_chapter() -> None:
    import pymupdf

    document: Any = pymupdf.open()
    for number in range(1, 4):
        page = document.new_page(width=300, height=400)
        page.insert_text((40, 80), f"{number}. Part {number}", fontsize=18)
        page.insert_text((40, 120), f"Some words of text number {number}.", fontsize=10)
    document.set_toc([[1, f"{n}. Part {n}", n] for n in range(1, 4)])
    document.set_page_labels([{"startpage": 0, "prefix": "A-", "style": "D", "firstpagenum": 7}])
    data = bytes(document.tobytes())
    after, _ = edited(data, ReplaceText(block(data, "Part 2").anchor, "Part", "Chapter"))
    assert outline(after) == [[1, "1. Part 1", 1], [1, "2. Chapter 2", 2], [1, "3. Part 3", 3]]
    assert labels(after) == labels(data) == ["A-7", "A-8", "A-9"]
    assert judges.targets(after) == [
        (name.replace("2. Part", "2. Chapter"), page) for name, page in judges.targets(data)
    ]
    sound(data, after, pages=(1,))


@pytest.mark.corpus
def test_case_27_the_outline_of_a_real_file_follows_one_of_its_headings(corpus: Path) -> None:
    """Two other entries say the same as each other, and stay."""
    data = held(corpus, "officebench__resume.pdf")
    before = outline(data)
    assert len(before) == 6
    after, _, text = replaced(data, "UNIVERSITY Zoom", "Zoom", "Home")
    assert text in texts(after)
    assert outline(after) == [
        [level, title.replace("UNIVERSITY Zoom", "UNIVERSITY Home"), page]
        for level, title, page in before
    ]
    assert outline(after) != before
    assert labels(after) == labels(data)


@pytest.mark.corpus
def test_case_27_a_word_that_is_no_heading_leaves_the_outline(corpus: Path) -> None:
    data = held(corpus, "officebench__resume.pdf")
    after, _, _ = replaced(data, "A short (2-4 lines)", "overview", "summary")
    assert outline(after) == outline(data)


def leaf_of(data: bytes) -> list[str]:
    """Give the words of the pages."""
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return [" ".join(str(page.get_text()).split()) for page in document]


def labels(data: bytes) -> list[str]:
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return [str(page.get_label()) for page in document]


def test_case_28_pages_of_a_book_are_deleted_and_the_rest_numbered() -> None:
    leaves, gone = 352, 3
    data = book(leaves)
    before = judges.targets(data)
    assert all(number is not None for _, number in before)
    assert sum(name.startswith("link") for name, _ in before) == 3 * leaves
    after, report = edited(data, DeletePages(1, gone), StampPages("page_numbers"))
    said = leaf_of(after)
    assert len(said) == leaves - gone
    for number, text in enumerate(said):
        head = f"Chapter {(number + gone) // 12 + 1}" if (number + gone) % 12 == 0 else "Further"
        assert text == f"{head} Leaf {number + gone + 1} of the book. {number + 1}"
    now = judges.targets(after)
    assert [name for name, number in now if number is None] == [], "nothing leads nowhere"
    # What led to a page that is left leads to the same page; what led to one that is gone is gone,
    # but for the chapter whose leaves are left, which begins with the first of them.
    kept: Counter[tuple[str, int | None]] = Counter(
        (renamed(name, gone), number - gone)
        for name, number in before
        if number is not None and number >= gone and not is_on_a_page_gone(name, gone)
    )
    assert Counter(now) - kept == Counter({("entry Chapter 1", 2): 1})
    assert not kept - Counter(now)
    lost = [
        name
        for name, number in before
        if name.startswith("link")
        and number is not None
        and number < gone
        and not is_on_a_page_gone(name, gone)
    ]
    assert report.warnings == (f"{len(lost)} links to deleted pages went with them",)
    assert len(lost) == leaves - gone + 3
    assert report.summary == "Pages 1 to 3 deleted; page numbers added"
    assert labels(after) == labels(data)[gone:]
    assert labels(after)[:7] == ["iv", "v", "vi", "vii", "viii", "1", "2"]


def renamed(name: str, gone: int) -> str:
    """Give a link's name after pages before its own were deleted."""
    kind, _, number = name.rpartition(" ")
    return f"{kind} {int(number) - gone}" if kind == "link on" else name


def is_on_a_page_gone(name: str, gone: int) -> bool:
    kind, _, number = name.rpartition(" ")
    return kind == "link on" and int(number) < gone


def test_case_28_pages_are_deleted_and_the_rest_numbered() -> None:
    import pymupdf

    book = paper()
    for number in range(1, 41):
        if number > 1:
            book.page()
        book.text(72, 100, f"Chapter {number} of the book.")
    for index in range(40):
        for target in (0, 2, 20):
            area = pymupdf.Rect(72, 90 + target, 200, 92 + target)
            book.document[index].insert_link(
                {"kind": pymupdf.LINK_GOTO, "from": area, "page": target, "to": pymupdf.Point(0, 0)}
            )
    book.document.set_toc([[1, f"Chapter {n}", n] for n in range(1, 41)])
    data = book.data()
    after, report = edited(data, DeletePages(1, 3), StampPages("page_numbers"))
    with pymupdf.open(stream=after, filetype="pdf") as opened:
        document: Any = opened
        assert document.page_count == 37
        assert [entry[1:] for entry in document.get_toc()] == [
            [f"Chapter {n + 3}", n] for n in range(1, 38)
        ]
        for number, page in enumerate(document):
            text = " ".join(str(page.get_text()).split())
            assert text == f"Chapter {number + 4} of the book. {number + 1}"
            assert [link["page"] for link in page.get_links()] == [17]
    assert report.warnings == (
        "74 links to deleted pages went with them",
        "3 outline entries of deleted pages went with them",
    )
    assert report.summary == "Pages 1 to 3 deleted; page numbers added"
