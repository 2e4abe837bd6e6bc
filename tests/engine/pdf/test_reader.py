from __future__ import annotations

import pytest

from redraft.engine.errors import (
    CorruptDocumentError,
    ProtectedFileError,
    TooLargeError,
    UnreadableError,
)
from redraft.engine.model import (
    Block,
    CodeBlock,
    Heading,
    Image,
    Inline,
    Link,
    ListItem,
    Mark,
    Paragraph,
    Table,
    Text,
)
from redraft.engine.pdf.reader import check, images, read
from tests.engine.pdf.paper import paper
from tests.engine.pdf.stream.streams import pdf

PROSE = (
    "The supplier shall deliver every forecast before five in the morn-",
    "ing of each business day, and shall tell the customer at once when",
    "it cannot do so.",
)


def words(content: tuple[Inline, ...]) -> str:
    parts: list[str] = []
    for inline in content:
        if isinstance(inline, Text):
            parts.append(inline.text)
        elif isinstance(inline, Link):
            parts.append(words(inline.content))
    return "".join(parts)


def said(block: Block) -> str:
    assert isinstance(block, Paragraph | Heading | ListItem)
    return words(block.content)


def test_lines_become_a_paragraph_without_the_hyphen_of_the_break() -> None:
    (block,) = paper().lines(72, 100, *PROSE).read().body.blocks
    assert isinstance(block, Paragraph)
    assert said(block).startswith("The supplier shall deliver every forecast before five in the ")
    assert "the morning of each business day" in said(block)


def test_a_hyphen_stays_where_the_document_writes_the_word_with_it() -> None:
    lines = ("A well-known word is here for all to see and to compare with well-", "known ones.")
    (block,) = paper().lines(72, 100, *lines).read().body.blocks
    assert said(block).endswith("to compare with well-known ones.")


FULL = "Others say that what is asked of it can be done as before"
DASHED = "\u2013 as in every such matter \u2013 in the same place"


def dashed(*lines: tuple[str, int]) -> list[Block]:
    """Read lines below one another, each with where it begins from the left."""
    drawn = [
        b"BT /F1 10 Tf %d %d Td (%s) Tj ET" % (left, 250 - 12 * number, text.encode("cp1252"))
        for number, (text, left) in enumerate(lines)
    ]
    return list(read(pdf(b" ".join(drawn))).body.blocks)


def test_a_dash_of_a_sentence_that_begins_a_line_begins_no_list() -> None:
    (block,) = dashed((FULL, 20), (DASHED, 20))
    assert isinstance(block, Paragraph)
    assert said(block) == f"{FULL} {DASHED}"


@pytest.mark.parametrize(
    ("first", "left"),
    [
        (f"{FULL}:", 20),  # what follows a colon is a list
        ("Others say that", 20),  # the line was not full
        (FULL, 30),  # set in
    ],
)
def test_dashes_of_a_list_stay_its_signs(first: str, left: int) -> None:
    blocks = dashed((first, 20), (DASHED, left), ("\u2013 and then in another one", left))
    assert [type(block) for block in blocks] == [Paragraph, ListItem, ListItem]


def test_anchors_count_the_blocks_of_each_page() -> None:
    drawn = paper().text(72, 100, "First words.").text(72, 200, "Second words.")
    drawn.page().text(72, 100, "Third words.")
    assert [block.anchor for block in drawn.read().body.blocks] == ["p1.b1", "p1.b2", "p2.b1"]


def test_larger_lines_are_headings_and_larger_ones_are_higher() -> None:
    drawn = paper().text(72, 80, "The title", size=22).text(72, 120, "A chapter", size=16)
    title, chapter, text = drawn.lines(72, 160, *PROSE).read().body.blocks
    assert isinstance(title, Heading)
    assert isinstance(chapter, Heading)
    assert (title.level, chapter.level) == (1, 2)
    assert isinstance(text, Paragraph)


def test_a_short_bold_line_of_the_same_size_is_a_heading_with_its_number() -> None:
    drawn = paper().text(72, 100, "4.", font="hebo").text(108, 100, "Payment", font="hebo")
    heading, _ = drawn.lines(72, 130, *PROSE).read().body.blocks
    assert isinstance(heading, Heading)
    assert (heading.label, said(heading)) == ("4.", "Payment")
    assert heading.content == (Text("Payment"),)


def test_the_outline_decides_on_the_level() -> None:
    drawn = paper().text(72, 100, "Terms").lines(72, 150, *PROSE)
    drawn.document.set_toc([[1, "All", 1], [2, "Terms", 1]])
    heading = drawn.read().body.blocks[0]
    assert isinstance(heading, Heading)
    assert heading.level == 2


def test_numbered_clauses_and_bullets_are_list_items_nested_by_indent() -> None:
    drawn = paper().text(72, 100, "4.1").text(108, 100, "The customer shall pay.")
    drawn.text(108, 120, "(a)").text(144, 120, "in full; and")
    drawn.text(72, 140, "\u2022").text(90, 140, "on time.")
    first, second, third = drawn.read().body.blocks
    assert isinstance(first, ListItem)
    assert isinstance(second, ListItem)
    assert isinstance(third, ListItem)
    assert [(i.label, i.depth) for i in (first, second, third)] == [("4.1", 0), ("(a)", 1), ("", 0)]
    assert [said(i) for i in (first, second, third)][1] == "in full; and"
    assert not third.ordered


def test_a_label_and_its_text_may_stand_close_together() -> None:
    drawn = paper().text(72, 100, "a.").text(88, 100, "First, and").text(72, 114, "b.")
    first, second = drawn.text(88, 114, "second.").read().body.blocks
    assert isinstance(first, ListItem)
    assert isinstance(second, ListItem)
    assert [(i.label, said(i)) for i in (first, second)] == [
        ("a.", "First, and"),
        ("b.", "second."),
    ]


def test_formats_and_links_end_where_their_words_end() -> None:
    drawn = paper().text(72, 100, "Pay ").text(94, 100, "now ", font="hebo")
    drawn.text(120, 100, "at our site").link(117, 90, 180, 103, "https://example.com/pay")
    (block,) = drawn.read().body.blocks
    assert isinstance(block, Paragraph)
    bold = next(i for i in block.content if isinstance(i, Text) and i.marks is Mark.BOLD)
    link = next(i for i in block.content if isinstance(i, Link))
    assert bold.text == "now"
    assert (link.target, link.content) == ("https://example.com/pay", (Text("at our site"),))


def test_fixed_pitch_lines_are_one_block_of_code_with_their_indents() -> None:
    drawn = paper().lines(72, 100, *PROSE)
    drawn.text(72, 200, "if paid:", font="cour").text(98.4, 213, "stop()", font="cour")
    code = drawn.read().body.blocks[-1]
    assert isinstance(code, CodeBlock)
    assert code.text == "if paid:\n    stop()"


def test_a_ruled_table_keeps_its_rows_and_merged_cells() -> None:
    drawn = paper()
    for y in (100, 120, 140):
        drawn.rule(72, y, 272, y)
    drawn.rule(72, 100, 72, 140).rule(272, 100, 272, 140).rule(172, 120, 172, 140)
    drawn.text(80, 114, "Both").text(80, 134, "Left").text(180, 134, "Right")
    (table,) = drawn.read().body.blocks
    assert isinstance(table, Table)
    assert table.columns == 2
    assert [[cell.column_span for cell in row.cells] for row in table.rows] == [[2], [1, 1]]
    right = table.rows[1].cells[1]
    assert (right.anchor, said(right.blocks[0])) == ("p1.b1.r2.c2", "Right")


def texts(table: Table) -> list[list[str]]:
    return [[said(cell.blocks[0]) if cell.blocks else "" for cell in r.cells] for r in table.rows]


def test_rows_that_stand_under_one_another_are_a_table_without_rules() -> None:
    drawn = paper().lines(72, 100, *PROSE)
    for y, cells in ((200, ("Item", "Each", "Fee")), (214, ("Desk", "10", "95"))):
        for x, cell in zip((72, 200, 300), cells, strict=True):
            drawn.text(x, y, cell)
    drawn.text(72, 228, "Lamp").text(300, 228, "30")
    prose, table = drawn.read().body.blocks
    assert isinstance(prose, Paragraph)
    assert isinstance(table, Table)
    assert texts(table) == [["Item", "Each", "Fee"], ["Desk", "10", "95"], ["Lamp", "", "30"]]


def test_numbered_clauses_are_no_table_though_their_numbers_stand_in_a_column() -> None:
    drawn = paper()
    for number in range(1, 5):
        drawn.text(72, 100 + 14 * number, f"1.{number}").text(108, 100 + 14 * number, "The term.")
    assert all(isinstance(block, ListItem) for block in drawn.read().body.blocks)


def test_running_headers_footers_and_page_numbers_are_left_out() -> None:
    drawn = paper()
    for number in range(1, 4):
        if number > 1:
            drawn.page()
        drawn.text(72, 40, "Draft of the agreement").text(72, 200, f"Clause {number} says this.")
        drawn.text(280, 810, f"Page {number} of 3")
    assert [said(block) for block in drawn.read().body.blocks] == [
        f"Clause {number} says this." for number in range(1, 4)
    ]


def test_two_columns_of_prose_are_read_one_after_the_other() -> None:
    left = [f"left line number {n} goes on to the edge of it" for n in range(8)]
    right = [f"right line number {n} goes on to its own edge" for n in range(8)]
    title = "A title that stands over both of the columns of this page"
    drawn = paper().text(72, 60, title, size=14)
    for y, n in ((100, 0), (200, 4)):
        drawn.lines(60, y, *left[n : n + 4]).lines(320, y, *right[n : n + 4])
    text = " ".join(said(block) for block in drawn.read().body.blocks)
    assert text.index(title) < text.index("left line number 7") < text.index("right line number 0")


def test_images_have_the_ids_that_the_list_of_images_has() -> None:
    drawn = paper().text(72, 100, "Before.").picture(72, 120, 132, 180).text(72, 220, "After.")
    picture = drawn.read().body.blocks[1]
    assert isinstance(picture, Paragraph)
    assert [i.id for i in picture.content if isinstance(i, Image)] == ["im1"]
    assert [note.image_id for note in images(drawn.data())] == ["im1"]


def test_a_picture_in_a_cell_stays_in_its_table() -> None:
    drawn = paper().picture(300, 300, 340, 340).rule(72, 100, 272, 100).rule(72, 160, 272, 160)
    drawn.rule(72, 220, 272, 220).rule(72, 100, 72, 220).rule(272, 100, 272, 220)
    drawn.text(80, 114, "First").text(80, 174, "Second").picture(80, 180, 110, 210)
    table, _ = drawn.read().body.blocks
    assert isinstance(table, Table)
    picture = table.rows[1].cells[0].blocks[-1]
    assert isinstance(picture, Paragraph)
    assert picture.content == (Image("im2", "", "im2"),)


def test_a_sentence_that_a_page_breaks_is_one_paragraph() -> None:
    drawn = paper().lines(72, 700, "The parties agree that the supplier shall, at its own cost and")
    drawn.page().lines(72, 100, "without delay, mend what it broke.")
    (block,) = drawn.read().body.blocks
    assert said(block).endswith("cost and without delay, mend what it broke.")


def protected(*, owner_only: bool) -> bytes:
    user = "" if owner_only else "secret"
    # Encryption 5 is AES-256; 4 allows printing and nothing else (ISO 32000-2, table 22).
    return (
        paper()
        .text(72, 100, "Private words.")
        .data(encryption=5, user_pw=user, owner_pw="owner", permissions=4)
    )


def test_a_password_is_said_to_be_the_reason() -> None:
    with pytest.raises(ProtectedFileError, match="File is password protected"):
        check(protected(owner_only=False))


def test_a_file_that_only_asks_not_to_be_copied_is_read_with_a_notice() -> None:
    document = read(protected(owner_only=True))
    assert said(document.body.blocks[0]) == "Private words."
    assert [notice.code for notice in document.notices] == ["no-extraction"]


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7\n", b"plain words", b"%PDF-1.4\n%%EOF"])
def test_what_cannot_be_opened_is_said_to_be_damaged(data: bytes) -> None:
    with pytest.raises(CorruptDocumentError, match="The PDF is damaged"):
        check(data)


def test_a_page_without_text_is_not_readable_but_is_accepted() -> None:
    data = paper().picture(0, 0, 595, 842).data()
    check(data)
    with pytest.raises(UnreadableError, match="Unsupported document format"):
        read(data)


def test_a_scanned_page_among_others_is_named_in_a_notice() -> None:
    drawn = paper().text(72, 100, "Words.").page().picture(0, 0, 595, 842)
    assert [(n.code, n.where) for n in drawn.read().notices] == [("no-text-layer", "page 2")]


@pytest.mark.thorough
def test_more_than_two_thousand_pages_are_refused() -> None:
    drawn = paper()
    for _ in range(2000):
        drawn.page()
    with pytest.raises(TooLargeError, match="2,001 pages; at most 2,000"):
        check(drawn.data())


def test_the_properties_are_read() -> None:
    drawn = paper().text(72, 100, "Words.")
    drawn.document.set_metadata({"title": "An agreement", "author": "A. Lee"})
    assert drawn.read().properties == (("title", "An agreement"), ("author", "A. Lee"))


def _sheet(rows: int, *, forms: int = 0) -> list[Table]:
    """Read a frame around rows of three words each, with a form of ruled rows below it."""
    drawn = paper()
    for y in (60, 300):
        drawn.rule(60, y, 360, y)
    for x in (60, 360):
        drawn.rule(x, 60, x, 300 + 20 * forms)
    drawn.rule(60, 80, 360, 80).text(70, 75, "Estimate")
    for number in range(rows):
        for x, word in ((70, f"Labor {number}"), (200, f"{number} hours"), (300, f"{number}.50")):
            drawn.text(x, 100 + number * 16, word)
    for number in range(forms):
        drawn.text(70, 315 + 20 * number, f"Field {number}").rule(
            60, 320 + 20 * number, 360, 320 + 20 * number
        )
    return [block for block in drawn.read().body.blocks if isinstance(block, Table)]


def test_a_frame_around_a_table_without_rules_is_no_table() -> None:
    (table,) = _sheet(6)
    assert [len(row.cells) for row in table.rows] == [3] * 6


@pytest.mark.parametrize(("rows", "forms"), [(2, 0), (3, 9)])
def test_a_frame_with_more_cells_than_what_stands_in_columns_in_it_stays_a_table(
    rows: int, forms: int
) -> None:
    (table,) = _sheet(rows, forms=forms)
    assert [len(row.cells) for row in table.rows] == [1] * (2 + forms)
