"""New blocks come where the block that is named begins or ends by then."""

from __future__ import annotations

import pytest
from lxml import etree

from redraft.engine.docx.names import W_SDT, W_T
from redraft.engine.errors import RefusedError
from redraft.engine.plan import (
    DeleteBlocks,
    InsertBlocks,
    InsertBreak,
    InsertTable,
    MergeBlocks,
    MoveBlocks,
    NewBlock,
    Operation,
    SplitBlock,
)
from tests.engine.redlining import Draft
from tests.engine.wordml import p

NEW = NewBlock("paragraph", "new")


@pytest.mark.parametrize("find", ["two", "four"])
@pytest.mark.parametrize(
    ("put", "first"),
    [
        (InsertBlocks("p1", "before", (NEW,)), "new"),
        (MoveBlocks("p3", "p3", "p1", "before"), "five"),
        (InsertTable("p1", "before", (("cell",),), header_row=False), "cell"),
        (InsertBreak("p1", "before", "page"), "\n"),
    ],
)
@pytest.mark.parametrize("is_merged", [False, True])
@pytest.mark.parametrize("is_split_first", [False, True])
def test_what_comes_before_a_block_that_is_split_comes_before_all_of_it(
    find: str, put: Operation, first: str, *, is_merged: bool, is_split_first: bool
) -> None:
    start = Draft.of(p("one two "), p("three four"), p("five"), p("six"))
    draft = start.edit(MergeBlocks("p1", "p2")) if is_merged else start
    split = SplitBlock("p1", find) if is_merged or find == "two" else SplitBlock("p1", "wo")
    made = draft.edit(*((split, put) if is_split_first else (put, split)))
    assert made.accepted[0] == first
    assert made.accepted[1].startswith("one")
    assert made.rejected == start.original


BOUND = '<w:dataBinding w:xpath="/a" w:storeItemID="{B}"/><w:text/>'
LOCKED = '<w:lock w:val="sdtContentLocked"/>'


def control(content: str, properties: str = "") -> str:
    return f"<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>"


def cell(content: str) -> str:
    grid = "<w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid>"
    return f"<w:tbl>{grid}<w:tr><w:tc>{content}</w:tc></w:tr></w:tbl>"


def controls_of(draft: Draft) -> list[str]:
    """What the outermost content controls say."""
    tree = etree.fromstring(draft.body.encode())
    outermost = (c for c in tree.iter(W_SDT) if next(c.iterancestors(W_SDT), None) is None)
    return ["".join(t.text or "" for t in c.iter(W_T)) for c in outermost]


@pytest.mark.parametrize("inner", [p("two"), control(p("two"))])
@pytest.mark.parametrize("properties", ["", BOUND, LOCKED])
@pytest.mark.parametrize(
    ("put", "texts"),
    [
        (InsertBlocks("p2", "after", (NEW,)), ["one", "two", "new", "three"]),
        (InsertBlocks("p2", "before", (NEW,)), ["one", "new", "two", "three"]),
        (
            InsertTable("p2", "after", (("cell",),), header_row=False),
            ["one", "two", "cell", "three"],
        ),
        (MoveBlocks("p1", "p1", "p2", "after"), ["two", "one", "three"]),
    ],
)
def test_new_blocks_stand_beside_a_control_and_not_in_it(
    put: Operation, texts: list[str], properties: str, inner: str
) -> None:
    start = Draft.of(p("one"), control(inner, properties), p("three"))
    made = start.edit(put)
    assert made.accepted == texts
    assert controls_of(made) == ["two"]
    assert made.rejected == start.original


def test_new_blocks_in_the_middle_of_a_control_stay_in_it() -> None:
    start = Draft.of(control(p("one") + p("two")), p("three"))
    made = start.edit(InsertBlocks("p1", "after", (NEW,)))
    assert controls_of(made) == ["onenewtwo"]
    assert made.rejected == start.original


def test_several_new_blocks_beside_a_control_keep_their_order() -> None:
    start = Draft.of(p("one"), control(p("two")), p("three"))
    again = NewBlock("paragraph", "newer")
    made = start.edit(
        InsertBlocks("p2", "after", (NEW, again)),
        InsertBlocks("p2", "after", (NewBlock("paragraph", "last"),)),
        InsertBlocks("p2", "before", (again,)),
    )
    assert made.accepted == ["one", "newer", "two", "new", "newer", "last", "three"]
    assert controls_of(made) == ["two"]


def test_the_end_of_the_document_is_behind_its_last_control() -> None:
    start = Draft.of(p("one"), control(p("two"), BOUND))
    made = start.edit(InsertBlocks("p2", "after", (NEW,)))
    assert made.accepted == ["one", "two", "new"]
    assert controls_of(made) == ["two"]
    assert made.edit(DeleteBlocks("p3", "p3")).redline == start.redline


def test_behind_a_control_that_ends_a_cell_the_former_end_takes_the_new_mark() -> None:
    start = Draft.of(cell(control(p("two"))), p("three"))
    made = start.edit(InsertBlocks("t1.r1.c1.p1", "after", (NEW,)))
    assert made.redline == ["two{+\u00b6+}", "{+new+}", "three"]
    assert made.rejected == start.original
    with pytest.raises(RefusedError, match="The cell ends with a content control"):
        Draft.of(cell(control(p("two"), BOUND)), p("three")).edit(
            InsertBlocks("t1.r1.c1.p1", "after", (NEW,))
        )
