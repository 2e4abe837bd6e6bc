"""The small applier: what blocks will say, from a forecast that knows nothing of marks."""

from __future__ import annotations

import pytest

from redraft.engine.docx.expected_blocks import Expectation
from redraft.engine.docx.judging.final_text import said
from redraft.engine.docx.judging.fingerprint import container
from redraft.engine.docx.names import W_P, Element
from redraft.engine.docx.opc.package import Package
from tests.engine.wordml import docx, footnote, note, p, picture, table, textbox


def read(*blocks: str) -> tuple[list[Element], list[Element]]:
    """The blocks of a body without its section, and all paragraphs among them."""
    data = docx("".join(blocks), footnotes=footnote("2", p("n")))
    package = Package.open(data)
    found = list(container(package.tree(package.main)))[:-1]
    return found, [each for block in found for each in block.iter(W_P)]


def texts(expectation: Expectation, blocks: list[Element]) -> list[str]:
    return [text for text, _ in expectation.blocks(said(blocks))]


def test_without_a_plan_blocks_say_what_they_say() -> None:
    blocks, _ = read(p("a"), table(["x", "y"]), p("b"))
    assert texts(Expectation({}), blocks) == ["a", "x", "y", "b"]


def test_a_table_that_is_gone_says_nothing_with_all_its_cells() -> None:
    blocks, _ = read(p("a"), table(["x", "y"]), p("b"))
    expectation = Expectation({}, gone={blocks[1]})
    assert texts(expectation, blocks) == ["a", "", "", "b"]


@pytest.mark.parametrize(
    ("where", "expected"),
    [("before", ["a", "new", "x", "y", "b"]), ("after", ["a", "x", "y", "new", "b"])],
)
def test_blocks_come_beside_a_whole_table(where: str, expected: list[str]) -> None:
    blocks, _ = read(p("a"), table(["x", "y"]), p("b"))
    expectation = Expectation({}, added={blocks[1]: [(where, [("new", [])])]})
    assert texts(expectation, blocks) == expected


def test_a_paragraph_that_will_say_something_else_says_that_and_its_objects() -> None:
    blocks, paragraphs = read(p("a"), p("b"))
    expectation = Expectation({}, said={paragraphs[1]: ("B", ("drawing",))})
    assert expectation.blocks(said(blocks)) == [("a", []), ("B", ["drawing"])]


def test_a_cut_divides_text_and_gives_each_object_to_its_piece() -> None:
    run = (
        f"<w:r>{picture('rId5')}</w:r>"
        if not picture("rId5").startswith("<w:r")
        else picture("rId5")
    )
    blocks, paragraphs = read(p("ab", note("2"), "cd", run, "ef"))
    expectation = Expectation({}, cut={paragraphs[0]: (2, 4)})
    assert expectation.blocks(said(blocks)) == [
        ("ab", ["footnoteReference2"]),
        ("cd", ["drawing"]),
        ("ef", []),
    ]


def test_joined_paragraphs_are_one_block_and_text_boxes_come_behind_it() -> None:
    blocks, paragraphs = read(p("a", textbox(p("box"))), p("b"), p("c"))
    before = texts(Expectation({}), blocks)
    expectation = Expectation({}, joined={paragraphs[0]})
    boxes = [text for text in before if text == "box"]
    assert texts(expectation, blocks) == ["ab", *boxes, "c"]


def test_a_chain_of_joins_ends_where_a_mark_stays() -> None:
    blocks, paragraphs = read(p("a"), p("b"), p("c"), p("d"))
    expectation = Expectation({}, joined=set(paragraphs[:2]))
    assert texts(expectation, blocks) == ["abc", "d"]


def test_a_text_box_follows_the_piece_that_holds_it() -> None:
    blocks, paragraphs = read(p("ab", textbox(p("box")), "cd"))
    expectation = Expectation({}, cut={paragraphs[0]: (3,)})
    found = texts(expectation, blocks)
    assert (found[0], found[-1]) == ("abc", "d")
