"""The structure tree of a tagged PDF says what its words are, and in which order they are read."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pikepdf
import pytest

from redraft.engine.markdown import document as markdown
from redraft.engine.model import Block, Heading, ListItem, Paragraph, Table
from redraft.engine.pdf.reader import read
from redraft.engine.tokens import pieces, visible
from tests.engine.pdf.tagged.tagging import Element, Words, element, read_tagged, tagged


def text_of(*tree: Element | Words, loose: tuple[Words, ...] = ()) -> str:
    return markdown.write(read_tagged(*tree, loose=loose)).strip()


def said(block: Block) -> str:
    assert isinstance(block, Heading | ListItem | Paragraph)
    return visible(pieces(block.content))


def test_a_heading_is_one_though_its_letters_are_those_of_the_text() -> None:
    blocks = read_tagged(
        element("H2", Words(20, 40, "Term")),
        element("P", Words(20, 52, "It runs for a year.")),
        element("Title", Words(20, 64, "Lease")),
    ).body.blocks
    assert [(type(b), said(b)) for b in blocks] == [
        (Heading, "Term"),
        (Paragraph, "It runs for a year."),
        (Heading, "Lease"),
    ]
    assert [b.level for b in blocks if isinstance(b, Heading)] == [2, 1]


def test_large_letters_are_no_heading_where_the_tree_has_headings() -> None:
    tree = element("H1", Words(20, 40, "Lease")), element("P", Words(20, 80, "Sum due", size=20))
    assert text_of(*tree) == "# Lease\n\nSum due"


def test_without_headings_in_the_tree_the_looks_of_the_words_tell_them() -> None:
    words = [Words(20, 120 + 12 * n, f"Line {n} of the text goes on.") for n in range(6)]
    tree = element("P", Words(20, 80, "Sum due", size=20)), element("P", *words)
    assert text_of(*tree).startswith("# Sum due\n\nLine 0")


def test_unnumbered_headings_are_as_deep_as_their_sections() -> None:
    inner = element("Sect", element("H", Words(20, 60, "Rent")))
    tree = element("Sect", element("H", Words(20, 40, "Lease")), inner)
    assert text_of(tree) == "# Lease\n\n## Rent"


def test_a_type_of_the_file_is_what_its_role_map_says() -> None:
    data = tagged(element("Rubrik", Words(20, 40, "Lease")), roles={"Rubrik": "H1"})
    assert markdown.write(read(data)).strip() == "# Lease"


def test_paragraphs_are_what_the_tree_says_and_not_what_the_gaps_say() -> None:
    """The first is one though a sentence ends and a word would fit; then two stand close."""
    one = Words(20, 40, "The rent is due on the first."), Words(20, 52, "No set-off is allowed.")
    two = element("P", Words(20, 64, "all notices are in writing and"))
    three = element("P", Words(20, 76, "nothing else binds the parties."))
    assert text_of(element("P", *one), two, three).split("\n\n") == [
        "The rent is due on the first. No set-off is allowed.",
        "all notices are in writing and",
        "nothing else binds the parties.",
    ]


def test_what_is_read_first_is_what_comes_first_in_the_tree() -> None:
    below, above = Words(20, 80, "Read me first."), Words(20, 40, "Read me then.")
    assert text_of(element("P", below), element("P", above)) == "Read me first.\n\nRead me then."


def test_a_paragraph_goes_on_on_the_next_page() -> None:
    halves = Words(20, 280, "The Tenant shall pay"), Words(20, 40, "The Landlord.", page=2)
    after = element("P", Words(20, 60, "Next.", page=2))
    assert text_of(element("P", *halves), after) == "The Tenant shall pay The Landlord.\n\nNext."


def test_words_of_a_paragraph_that_stand_far_apart_stay_apart() -> None:
    lines = Words(20, 40, "Top"), Words(20, 200, "Bottom")
    assert text_of(element("P", *lines)) == "Top\n\nBottom"


def test_elements_within_a_paragraph_part_nothing() -> None:
    span = element("Span", Words(47, 40, "really"))
    tree = element("P", Words(20, 40, "It is "), span, Words(78, 40, "so."))
    assert text_of(tree) == "It is really so."


def test_a_small_raised_element_is_a_superscript() -> None:
    mark = element("Reference", Words(60, 36, "1", size=6))
    tree = element("P", Words(20, 40, "See note"), mark, Words(64, 40, " below."))
    assert text_of(tree) == "See note<sup>1</sup> below."


def item(y: float, label: str, words: str, *inner: Element, x: float = 20) -> Element:
    body = element("LBody", element("P", Words(x + 20, y, words)), *inner)
    return element("LI", element("Lbl", Words(x, y, label)), body)


def test_lists_are_as_deep_as_they_stand_in_each_other() -> None:
    inner = element("L", item(52, "-", "water,"), item(64, "-", "heat."))
    tree = element("L", item(40, "1.", "The rent holds:", inner), item(76, "2.", "It is due."))
    blocks = read_tagged(tree).body.blocks
    assert [(b.depth, b.label, said(b)) for b in blocks if isinstance(b, ListItem)] == [
        (0, "1.", "The rent holds:"),
        (1, "", "water,"),
        (1, "", "heat."),
        (0, "2.", "It is due."),
    ]


def test_the_second_paragraph_of_an_item_has_no_label() -> None:
    second = element("P", Words(40, 52, "Late rent bears interest."))
    blocks = read_tagged(element("L", item(40, "1.", "It is due.", second))).body.blocks
    assert [(type(b), said(b)) for b in blocks] == [
        (ListItem, "It is due."),
        (Paragraph, "Late rent bears interest."),
    ]


def test_an_item_whose_bullet_is_drawn_is_an_item() -> None:
    one = element("LI", element("LBody", Words(40, 40, "Water")))
    assert text_of(element("L", one)) == "- Water"


def row(y: float, *words: str, page: int = 1, kind: str = "TD") -> Element:
    cells = (
        element(kind, element("P", Words(20 + 90 * n, y, word, page=page)))
        if word
        else element(kind)
        for n, word in enumerate(words)
    )
    return element("TR", *cells)


def test_a_table_is_one_without_rules_and_with_empty_cells() -> None:
    head = element("THead", row(40, "Name", "Sum", kind="TH"))
    body = element("TBody", row(52, "Rent", ""), row(64, "", "7"))
    assert text_of(element("Table", head, body)).splitlines() == [
        "| Name | Sum |",
        "| --- | --- |",
        "| Rent |  |",
        "|  | 7 |",
    ]


def test_merged_cells_are_merged() -> None:
    wide = element("TR", element("TD", element("P", Words(20, 40, "Sums")), ColSpan=2))
    tall = element("TD", element("P", Words(20, 52, "Rent")), RowSpan=2)
    first = element("TR", tall, element("TD", Words(110, 52, "7")))
    second = element("TR", element("TD", Words(110, 64, "9")))
    (table,) = read_tagged(element("Table", wide, first, second)).body.blocks
    assert isinstance(table, Table)
    cells = [[(c.column, c.column_span, c.continues) for c in r.cells] for r in table.rows]
    assert cells == [
        [(0, 2, False)],
        [(0, 1, False), (1, 1, False)],
        [(0, 1, True), (1, 1, False)],
    ]


def test_a_table_goes_on_on_the_next_page_and_its_repeated_header_is_no_text() -> None:
    rows = (row(200 + 12 * n, f"Row {n}", f"{n}") for n in range(3))
    more = (row(60 + 12 * n, f"Row {n + 3}", f"{n}", page=2) for n in range(9))
    tree = element("Table", row(188, "Name", "Sum", kind="TH"), *rows, *more)
    loose = Words(20, 48, "Name", page=2), Words(110, 48, "Sum", page=2)
    (table,) = read_tagged(tree, loose=loose).body.blocks
    assert isinstance(table, Table)
    assert [(r.anchor, r.is_repeated) for r in table.rows][3:6] == [
        ("p1.b1.r4", False),
        ("p2.b1.r1", True),
        ("p2.b1.r2", False),
    ]
    assert text_of(tree, loose=loose).count("Name") == 1


def test_rows_on_a_page_that_is_not_believed_are_no_empty_rows() -> None:
    """The second page has more words outside of the tree than in it."""
    rows = (row(200 + 12 * n, f"Row {n}", "7") for n in range(3))
    more = (row(60 + 12 * n, f"Row {n + 3}", "7", page=2) for n in range(2))
    lines = (Words(20, 120 + 12 * n, "and so on and on", page=2) for n in range(6))
    document = read_tagged(element("Table", *rows, *more), element("Div", *lines))
    table = document.body.blocks[0]
    assert isinstance(table, Table)
    assert len(table.rows) == 3
    assert markdown.write(document).count("Row 4") == 1


def test_a_row_that_a_page_break_cuts_is_one_row() -> None:
    cell = element("TD", Words(110, 280, "seven and"), Words(110, 40, "a half", page=2))
    tree = element("Table", row(40, "Name", "Sum"), element("TR", *row(280, "Rent").kids, cell))
    assert "| Rent | seven and a half |" in text_of(tree)


def test_a_table_in_a_cell_stays_there() -> None:
    inner = element("Table", row(52, "a", "b"), row(64, "c", "d"))
    outer = element("TR", element("TD", element("P", Words(20, 40, "Sums")), inner))
    tree = element("Table", row(20, "Name", "Sum"), outer)
    (table,) = read_tagged(tree).body.blocks
    assert isinstance(table, Table)
    assert [type(block) for block in table.rows[1].cells[0].blocks] == [Paragraph, Table]


def test_a_table_of_one_cell_is_a_box_around_its_words() -> None:
    tree = element("Table", element("TR", element("TD", element("P", Words(20, 40, "Boxed.")))))
    assert text_of(tree) == "Boxed."


@pytest.mark.parametrize(
    "attributes", [{"RowSpan": 60_000}, {"ColSpan": 10_000_000}, {"ColSpan": -3}]
)
def test_absurd_spans_end_somewhere(attributes: dict[str, int]) -> None:
    cell = Element("TD", (Words(20, 40, "Rent"),), attributes)
    text = text_of(element("Table", element("TR", cell), row(52, "a", "b")))
    assert "Rent" in text
    assert len(text) < 100_000


def test_a_page_number_that_is_drawn_last_is_not_the_last_word_of_the_text() -> None:
    tree = element("P", Words(20, 40, "The parties have agreed."))
    assert text_of(tree, loose=(Words(140, 280, "7"),)) == "The parties have agreed.\n\n7"


def test_words_outside_of_the_tree_are_read_where_they_stand() -> None:
    first = element("P", Words(20, 40, "The parties have agreed on what follows here."))
    second = element("P", Words(20, 120, "Signed by both of them in the city of Linz."))
    assert text_of(first, second, loose=(Words(20, 80, "DRAFT"),)).split("\n\n")[1] == "DRAFT"


def test_a_page_of_which_the_tree_tells_little_is_read_by_its_looks() -> None:
    """The tree would have the second line first, but knows nothing of what is between."""
    lines = [Words(20, 60 + 12 * n, f"line {n} goes on to its end and") for n in range(8)]
    tree = element("P", Words(20, 200, "Last.")), element("P", Words(20, 40, "First."))
    assert text_of(*tree, element("Div", *lines)).startswith("First.")


def test_a_tree_that_does_not_mean_to_be_complete_is_not_asked() -> None:
    tree = element("P", Words(20, 80, "Then.")), element("P", Words(20, 40, "First."))
    assert markdown.write(read(tagged(*tree, is_marked=False))).startswith("First.")


@pytest.mark.parametrize("x", [20.0, 44.75, 20.0601, 33.333])
def test_a_picture_says_what_its_element_tells_wherever_it_stands(x: float) -> None:
    picture = Words(x, 90.0601, "", size=20.0003, picture=True)
    document = read_tagged(
        element("P", Words(20, 40, "The forest in winter")),
        element("Figure", picture, alt="Trees under snow"),
    )
    assert markdown.write(document) == "The forest in winter\n\n![Trees under snow](im1)\n"


def test_a_tree_of_any_depth_is_read() -> None:
    tree = element("P", Words(20, 40, "Deep down."))
    for _ in range(400):
        tree = element("Sect", tree)
    assert text_of(tree) == "Deep down."


def test_a_tree_that_is_too_deep_for_the_reader_is_not_asked() -> None:
    """Nor is one that is a ring; what the page says is read all the same."""
    tree = element("P", Words(20, 80, "Then.")), element("P", Words(20, 40, "First."))
    with pikepdf.open(BytesIO(tagged(*tree))) as document:
        held: Any = document
        root = held.Root.StructTreeRoot
        inner = root.K
        for _ in range(700):
            outer = held.make_indirect(pikepdf.Dictionary(S=pikepdf.Name.Sect, K=inner))
            for each in inner:
                each.P = outer
            inner = pikepdf.Array([outer])
        root.K = inner
        out = BytesIO()
        held.save(out)
        inner[0].P = root.ParentTree.Nums[1][0]
        ring = BytesIO()
        held.save(ring)
    for data in (out.getvalue(), ring.getvalue()):
        assert markdown.write(read(data)).startswith("First.")
