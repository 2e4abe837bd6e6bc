"""Rows, columns, cells and tables, tracked: what is written, what it says, how it is decided."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from lxml import etree

from redraft.engine.docx.apply import faults
from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import EditError, PlanError, RefusedError
from redraft.engine.plan import (
    DeleteColumn,
    DeleteRow,
    DeleteTable,
    EditPlan,
    InsertBlocks,
    InsertColumn,
    InsertRow,
    InsertTable,
    NewBlock,
    Operation,
    SetCell,
)
from redraft.engine.report import Selection
from redraft.engine.state import decode
from tests.engine.redlining import US, Draft
from tests.engine.wordml import footnote, ins, note, p, r, style, table, tc, textbox
from tests.oracle import judged, keep, only

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
ITEMS = table(["Item", "Note"], ["Apple", "red"], ["Pear", "green"])
ALL = Selection(all=True)


def tbl(*rows: str, columns: Sequence[int] = (1000, 1000), properties: str = "") -> str:
    grid = "".join(f'<w:gridCol w:w="{size}"/>' for size in columns)
    body = f"<w:tblPr>{properties}</w:tblPr><w:tblGrid>{grid}</w:tblGrid>{''.join(rows)}"
    return f"<w:tbl>{body}</w:tbl>"


def tr(*cells: str, properties: str = "") -> str:
    trpr = f"<w:trPr>{properties}</w:trPr>" if properties else ""
    return f"<w:tr>{trpr}{''.join(tc(cell) for cell in cells)}</w:tr>"


def cell(text: str, properties: str, *, paragraph: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph or p(text)}</w:tc>"


def obeys(draft: Draft) -> Draft:
    """Both sides as an independent reader and the settler see them, at once and one by one."""
    assert draft.rejected == draft.original
    for action in ("accept", "reject"):
        at_once = draft.decide(action, Selection(author=US)).data
        one_by_one = draft
        while ours := [change for change in one_by_one.changes if change.is_ours]:
            one_by_one = one_by_one.decide(action, Selection(ids=(ours[-1].id,)))
        wanted = judged(draft.data, only(US, "accept" if action == "accept" else "reject"))
        assert judged(at_once, keep) == wanted
        assert judged(one_by_one.data, keep) == wanted
    return draft


def tracked(body: str, *operations: Operation, **parts: object) -> Draft:
    """The edit, whose untracked form says the same."""
    draft = Draft.of(p("before"), body, p("behind"), **parts)
    made = obeys(draft.edit(*operations))
    plain = draft.edit(*operations, tracked=False)
    assert plain.accepted == made.accepted
    assert decode(plain.state).ours == {}
    return made


def refused(body: str, *operations: Operation) -> str:
    draft = Draft.of(p("before"), body, p("behind"))
    with pytest.raises(EditError) as failed:
        draft.edit(*operations)
    return str(failed.value)


def fault(body: str, operation: Operation) -> str:
    draft = Draft.of(p("before"), body, p("behind"))
    found = faults(Package.open(draft.data), EditPlan("edit", "", (operation,)))
    return found[0].code


def first_table(draft: Draft) -> etree._Element:  # pyright: ignore[reportPrivateUsage]  # lxml has no public name for it
    root = etree.fromstring(draft.body.encode())
    found = root.find(f".//{W}tbl")
    assert found is not None
    return found


def texts(draft: Draft) -> list[list[str]]:
    return [
        ["".join(str(t) for t in each.itertext()) for each in row.iter(f"{W}tc")]
        for row in first_table(draft).iter(f"{W}tr")
    ]


def widths(draft: Draft) -> list[int]:
    grid = first_table(draft).find(f"{W}tblGrid")
    assert grid is not None
    return [int(each.get(f"{W}w", "0")) for each in grid.findall(f"{W}gridCol")]


# Cells


def test_a_cell_takes_new_text_and_only_its_paragraph_is_written_anew() -> None:
    body = ITEMS.replace("<w:tr>", '<w:tr   w:rsidR="00AA11BB" >')
    made = tracked(body, SetCell("t1.r2.c2", "dark red"))
    assert made.redline[4] == "{+dark +}red"
    assert made.body.count('<w:tr   w:rsidR="00AA11BB" >') == 3
    before = Draft.of(p("before"), body, p("behind")).body
    start, end = before.index("Apple"), before.index("Pear")
    assert made.body.startswith(before[:start])
    assert made.body.endswith(before[end:])


@pytest.mark.parametrize(
    ("body", "code", "sentence"),
    [
        (
            tbl(tr(p("a") + p("b"), "c")),
            "cell_has_blocks",
            "t1.r1.c1 holds more than one paragraph; rewrite one of its blocks: t1.r1.c1.p1, "
            "t1.r1.c1.p2",
        ),
        (
            tbl(tr(ITEMS + p(), "c")),
            "cell_has_blocks",
            "t1.r1.c1 holds more than one paragraph; rewrite one of its blocks: t1.r1.c1.t1, "
            "t1.r1.c1.p1",
        ),
        (
            tbl(tr(cell("", "<w:vMerge/>"), "c")),
            "merged_away",
            "t1.r1.c1 is merged into the cell above or before it; name that cell",
        ),
        (
            tbl(tr(cell("a", '<w:cellDel w:id="5" w:author="Ann"/>'), "c")),
            "unknown_block",
            "t1.r1.c1 is deleted",
        ),
    ],
)
def test_a_cell_that_is_no_plain_cell_is_refused(body: str, code: str, sentence: str) -> None:
    wanted = SetCell("t1.r1.c1", "x")
    assert refused(body, wanted) == sentence
    assert fault(body, wanted) == code


def test_a_cell_of_a_row_or_paragraph_is_asked_for_by_name() -> None:
    said = refused(ITEMS, SetCell("t1.r1", "x"))
    assert said == "t1.r1 is a row, not a cell; a cell is t1.r2.c3"


# Rows


def test_44_a_new_row_is_marked_with_all_its_paragraph_marks_and_runs() -> None:
    made = tracked(ITEMS, InsertRow("t1.r3", "after", ("Fig", "**blue**")))
    row = first_table(made).findall(f"{W}tr")[3]
    assert row.find(f"{W}trPr/{W}ins") is not None
    assert all(mark.find(f"{W}pPr/{W}rPr/{W}ins") is not None for mark in row.iter(f"{W}p"))
    assert all(run.getparent().tag == f"{W}ins" for run in row.iter(f"{W}r"))  # pyright: ignore[reportOptionalMemberAccess]  # runs stand in something
    assert made.accepted == [
        *("before", "Item", "Note", "Apple", "red", "Pear", "green", "Fig", "blue", "behind")
    ]
    [change] = made.changes
    assert (change.kind, change.anchor, change.before, change.after) == (
        "row",
        "t1.r4",
        "",
        "Fig\nblue",
    )


@pytest.mark.parametrize(
    ("at", "where", "place"), [("t1.r1", "before", 0), ("t1.r1", "after", 1), ("t1.r3", "after", 3)]
)
def test_a_row_goes_where_it_is_wanted(at: str, where: str, place: int) -> None:
    made = tracked(ITEMS, InsertRow(at, "before" if where == "before" else "after", ("new",)))
    assert texts(made)[place] == ["new", ""]


def test_rows_inserted_at_one_place_stand_in_the_order_of_the_plan() -> None:
    operations = [InsertRow("t1.r2", "after", (word,)) for word in ("one", "two")]
    operations += [InsertRow("t1.r3", "before", (word,)) for word in ("three", "four")]
    made = tracked(ITEMS, *operations)
    assert [row[0] for row in texts(made)] == [
        "Item",
        "Apple",
        "one",
        "two",
        "three",
        "four",
        "Pear",
    ]
    [change] = made.changes
    assert change.after.replace("\n\n", "\n") == "one\ntwo\nthree\nfour"


def test_a_new_row_looks_like_the_rows_of_the_body_not_like_the_header() -> None:
    header = tr(
        cell("H", '<w:shd w:fill="00FF00"/>', paragraph=p(r("H", "<w:b/>"))),
        properties="<w:cantSplit/><w:tblHeader/>",
    )
    low = cell("x", '<w:tcBorders><w:top w:val="single"/></w:tcBorders>')
    body = tr(low, properties='<w:trHeight w:val="300"/><w:cnfStyle w:val="000000100000"/>')
    made = tracked(tbl(header, body, columns=[1000]), InsertRow("t1.r1", "after", ("new",)))
    row = first_table(made).findall(f"{W}tr")[1]
    names = [etree.QName(each).localname for each in row.iter()]
    assert {"tblHeader", "cantSplit", "shd", "b"} & set(names) == set()
    assert {"trHeight", "tcBorders"} <= set(names)


def test_a_row_before_the_header_is_a_header() -> None:
    header = tr("H", properties="<w:tblHeader/>")
    made = tracked(tbl(header, tr("x"), columns=[1000]), InsertRow("t1.r1", "before", ("T",)))
    rows = first_table(made).findall(f"{W}tr")
    assert [row.find(f"{W}trPr/{W}tblHeader") is not None for row in rows] == [True, True, False]


MERGED = tbl(
    tr("Kind", "Name"),
    tr(cell("Fruit", '<w:vMerge w:val="restart"/>'), "Apple"),
    tr(cell("", "<w:vMerge/>"), "Pear"),
    tr("Other", "Salt"),
)


@pytest.mark.parametrize("cells", [("Fig",), ("", "Fig")])
def test_a_row_inside_a_vertical_merge_goes_on_with_it(cells: tuple[str, ...]) -> None:
    made = tracked(MERGED, InsertRow("t1.r2", "after", cells))
    row = first_table(made).findall(f"{W}tr")[2]
    assert row.find(f"{W}tc/{W}tcPr/{W}vMerge") is not None
    assert texts(made)[2] == ["", "Fig"]


@pytest.mark.parametrize(("at", "where"), [("t1.r3", "after"), ("t1.r2", "before")])
def test_a_row_beside_a_vertical_merge_does_not(at: str, where: str) -> None:
    side = "before" if where == "before" else "after"
    made = tracked(MERGED, InsertRow(at, side, ("Spice", "Clove")))
    new = next(
        row for row in first_table(made).findall(f"{W}tr") if row.find(f".//{W}ins") is not None
    )
    assert new.find(f".//{W}vMerge") is None


def test_too_many_texts_are_refused_with_the_count() -> None:
    said = refused(MERGED, InsertRow("t1.r2", "after", ("a", "b")))
    assert said == (
        "2 texts were given for 1 cell that can take text, and 1 merged into others; give as many "
        "texts as there are cells"
    )
    assert fault(ITEMS, InsertRow("t1.r1", "after", ("a", "b", "c"))) == "wrong_cell_count"


def test_a_deleted_row_is_marked_with_all_its_content() -> None:
    made = tracked(ITEMS, DeleteRow("t1.r2"))
    row = first_table(made).findall(f"{W}tr")[1]
    assert row.find(f"{W}trPr/{W}del") is not None
    assert made.redline[3:5] == ["[-Apple-][-\u00b6-]", "[-red-][-\u00b6-]"]
    [change] = made.changes
    assert (change.kind, change.before, change.after) == ("row", "Apple\nred", "")


def test_a_row_that_we_inserted_and_delete_leaves_nothing() -> None:
    draft = Draft.of(p("x"), ITEMS, p("y"))
    made = draft.edit(InsertRow("t1.r1", "after", ("new", "row")))
    gone = made.edit(DeleteRow("t1.r2"))
    assert gone.body == draft.body
    assert decode(gone.state).ours == {}


def test_words_that_we_wrote_in_a_row_go_when_the_row_is_deleted() -> None:
    draft = Draft.of(p("x"), ITEMS, p("y")).edit(SetCell("t1.r2.c1", "Apple pie"))
    made = obeys(draft.edit(DeleteRow("t1.r2")))
    assert made.redline[3] == "[-Apple-][-\u00b6-]"


def test_another_authors_words_in_a_deleted_row_stay_theirs() -> None:
    body = tbl(tr(p("a ", ins(r("theirs")))), tr("b"), columns=[1000])
    made = tracked(body, DeleteRow("t1.r1"))
    assert made.redline[1] == "[-a -]<+[-theirs-]+>[-\u00b6-]"


def test_a_deleted_row_that_is_inserted_again_is_legal() -> None:
    draft = Draft.of(p("x"), ITEMS, p("y")).edit(DeleteRow("t1.r2"))
    made = obeys(draft.edit(InsertRow("t1.r3", "before", ("Apple", "red"))))
    assert made.accepted == ["x", "Item", "Note", "Apple", "red", "Pear", "green", "y"]


def test_the_last_row_is_not_deleted_alone() -> None:
    body = tbl(tr("a"), columns=[1000])
    said = refused(body, DeleteRow("t1.r1"))
    assert said == "t1.r1 is the only row left; delete the table t1 instead"
    assert fault(body, DeleteRow("t1.r1")) == "last_row"


def test_46_the_row_below_takes_over_a_merged_cell_and_its_text() -> None:
    made = tracked(MERGED, DeleteRow("t1.r2"))
    assert made.accepted == ["before", "Kind", "Name", "Fruit", "Pear", "Other", "Salt", "behind"]
    [change] = made.changes
    assert change.kind == "row"
    clean = made.decide("accept", ALL)
    heir = first_table(clean).findall(f"{W}tr")[1].find(f"{W}tc/{W}tcPr/{W}vMerge")
    assert heir is not None
    assert heir.get(f"{W}val") == "restart"


def test_46_a_merged_cell_of_several_paragraphs_is_not_carried_over() -> None:
    body = MERGED.replace(p("Fruit"), p("Fruit") + p("fresh"))
    assert "A merged cell that holds more than one line of text" in refused(
        body, DeleteRow("t1.r2")
    )
    assert fault(body, DeleteRow("t1.r2")) == "merged_cells"
    draft = Draft.of(p(), MERGED, p())
    with pytest.raises(RefusedError, match="delete one after the other"):
        draft.edit(DeleteRow("t1.r2"), DeleteRow("t1.r3"))


def test_a_row_with_a_content_control_of_its_own_is_not_deleted() -> None:
    control = f"<w:sdt><w:sdtContent>{tr('a')}</w:sdtContent></w:sdt>"
    assert "A content control stands around the row" in refused(
        tbl(control, tr("b"), columns=[1000]), DeleteRow("t1.r1")
    )


def test_a_row_beside_one_in_a_control_stands_outside_of_it() -> None:
    control = f"<w:sdt><w:sdtContent>{tr('a')}</w:sdtContent></w:sdt>"
    made = tracked(tbl(control, tr("b"), columns=[1000]), InsertRow("t1.r1", "after", ("new",)))
    assert [etree.QName(each).localname for each in first_table(made)][2:] == ["sdt", "tr", "tr"]


# Columns


def test_45_a_new_column_is_a_tracked_cell_in_every_row_and_one_change() -> None:
    made = tracked(ITEMS, InsertColumn("t1.r1.c1", "after", ("Price", "1", "2")))
    assert texts(made) == [["Item", "Price", "Note"], ["Apple", "1", "red"], ["Pear", "2", "green"]]
    assert [
        row.findall(f"{W}tc")[1].find(f"{W}tcPr/{W}cellIns") is not None
        for row in first_table(made).findall(f"{W}tr")
    ] == [True] * 3
    [change] = made.changes
    assert (change.kind, change.anchor, change.after) == ("cell", "t1.r1.c2", "Price\n1\n2")
    assert widths(made) == [1000, 1000, 1000]


def test_45_a_deleted_column_is_one_change_and_leaves_the_grid_when_it_is_accepted() -> None:
    made = tracked(ITEMS, DeleteColumn("t1.r2.c1"))
    assert made.redline[1] == "[-Item-][-\u00b6-]"
    [change] = made.changes
    assert (change.kind, change.before, change.after) == ("cell", "Item\nApple\nPear", "")
    assert len(widths(made)) == 2
    assert len(widths(made.decide("accept", ALL))) == 1


def test_columns_inserted_at_one_place_are_two_changes_in_the_order_of_the_plan() -> None:
    operations = [InsertColumn("t1.r1.c1", "after", (word,)) for word in ("one", "two")]
    made = tracked(ITEMS, *operations)
    assert texts(made)[0] == ["Item", "one", "two", "Note"]
    assert [change.after for change in made.changes] == ["one", "two"]
    first = made.decide("reject", Selection(ids=(made.changes[0].id,)))
    assert texts(first)[0] == ["Item", "two", "Note"]
    assert len(widths(first)) == 3


def test_a_column_that_we_inserted_and_delete_leaves_nothing() -> None:
    wide = tbl(
        tr(
            cell("a", '<w:tcW w:w="4500" w:type="dxa"/>'),
            cell("b", '<w:tcW w:w="4500" w:type="dxa"/>'),
        ),
        tr(cell("ab", '<w:tcW w:w="9000" w:type="dxa"/><w:gridSpan w:val="2"/>')),
        columns=[4500, 4500],
        properties='<w:tblW w:w="9000" w:type="dxa"/>',
    )
    draft = Draft.of(p("x"), wide, p("y"))
    made = obeys(draft.edit(InsertColumn("t1.r1.c1", "after", ("new",))))
    assert sum(widths(made)) == 9000
    gone = made.edit(DeleteColumn("t1.r1.c2"))
    assert gone.body == draft.body
    assert decode(gone.state).ours == {}


def test_a_table_without_room_keeps_its_width_and_gets_its_columns_back() -> None:
    size = '<w:tcW w:w="5000" w:type="dxa"/>'
    wide = tbl(tr(cell("a", size), cell("b", size)), columns=[5000, 5000])
    made = tracked(wide, InsertColumn("t1.r1.c2", "after", ("c",)))
    assert max(widths(made)) == min(widths(made))
    assert 10000 <= sum(widths(made)) <= 11906 + 3
    assert first_table(made).find(f"{W}tblGrid/{W}tblGridChange") is not None
    [change] = made.changes
    assert change.kind == "cell"
    assert widths(made.decide("reject", ALL)) == [5000, 5000]
    assert len(made.decide("accept", ALL).changes) == 0


SPANNED = tbl(
    tr(cell("Title", '<w:gridSpan w:val="3"/>')),
    tr("a", "b", "c"),
    tr("d", cell("ef", '<w:gridSpan w:val="2"/>')),
    columns=[1000, 1000, 1000],
)


def spans(draft: Draft) -> list[list[int]]:
    rows = first_table(draft).findall(f"{W}tr")
    found = [[each.find(f"{W}tcPr/{W}gridSpan") for each in row.findall(f"{W}tc")] for row in rows]
    return [[1 if each is None else int(each.get(f"{W}val", "")) for each in row] for row in found]


def test_46_a_cell_over_the_place_of_a_new_column_grows() -> None:
    made = tracked(SPANNED, InsertColumn("t1.r2.c2", "before", ("", "new", "too")))
    assert spans(made) == [[4], [1, 1, 1, 1], [1, 1, 2]]
    crossed = tracked(SPANNED, InsertColumn("t1.r2.c2", "after", ("new",)))
    assert spans(crossed) == [[4], [1, 1, 1, 1], [1, 3]]
    assert texts(crossed)[1] == ["a", "b", "new", "c"]
    assert spans(crossed.decide("reject", ALL)) == [[3], [1, 1, 1], [1, 2]]


def test_46_a_cell_over_a_deleted_column_becomes_narrower() -> None:
    made = tracked(SPANNED, DeleteColumn("t1.r2.c2"))
    assert spans(made) == [[2], [1, 1, 1], [1, 1]]
    assert len(widths(made.decide("accept", ALL))) == 2
    assert len(made.changes) == 1


DIVIDED = tbl(
    tr("a", "b", "c"),
    tr(cell("Second part", '<w:gridSpan w:val="3"/>')),
    tr("d", "e", "f"),
    tr(cell("Third part", '<w:gridSpan w:val="3"/>')),
    tr("g", "h", "i"),
    columns=[1000, 1000, 1000],
)


@pytest.mark.parametrize("column", [1, 2, 3])
def test_46_a_column_that_cells_reach_over_is_one_change(column: int) -> None:
    made = tracked(DIVIDED, DeleteColumn(f"t1.r1.c{column}"))
    [change] = made.changes
    assert change.kind == "cell"
    accepted = made.decide("accept", Selection(ids=(change.id,)))
    assert (accepted.changes, spans(accepted)) == ((), [[1, 1], [2], [1, 1], [2], [1, 1]])
    rejected = made.decide("reject", Selection(ids=(change.id,)))
    assert (rejected.changes, spans(rejected)) == ((), spans(Draft.of(p(), DIVIDED, p())))


@pytest.mark.parametrize(
    ("operation", "code", "sentence"),
    [
        (DeleteColumn("t1.r3.c2"), "merged_cells", "This cell stretches over several columns"),
        (DeleteColumn("t1.r1.c1"), "merged_cells", "This cell stretches over several columns"),
        (InsertColumn("t1.r2.c1", "after", ("1", "2", "3", "4")), "wrong_cell_count", "4 texts"),
        (DeleteRow("t1.r2.c1"), "wrong_kind", "t1.r2.c1 is a cell, not a row; a row is t1.r2"),
    ],
)
def test_what_cannot_be_done_with_a_column_is_said(
    operation: Operation, code: str, sentence: str
) -> None:
    assert refused(SPANNED, operation).startswith(sentence)
    assert fault(SPANNED, operation) == code


def test_the_only_column_is_not_deleted_alone() -> None:
    body = tbl(tr("a"), tr("b"), columns=[1000])
    assert fault(body, DeleteColumn("t1.r1.c1")) == "last_column"
    assert refused(body, DeleteColumn("t1.r1.c1")).endswith("delete the rows or the table t1")


def test_46_opposite_changes_of_one_merged_cell_are_not_mixed() -> None:
    made = Draft.of(p(), SPANNED, p()).edit(InsertColumn("t1.r2.c2", "after", ("new",)))
    with pytest.raises(PlanError, match="accept or reject the earlier change first"):
        made.edit(DeleteColumn("t1.r2.c2"))


def test_46_the_last_column_under_a_merged_cell_is_deleted_once_the_others_are() -> None:
    draft = Draft.of(p(), SPANNED, p())
    made = draft.edit(DeleteColumn("t1.r2.c3"))
    for plan in ((DeleteColumn("t1.r2.c2"), DeleteColumn("t1.r2.c3")), (DeleteColumn("t1.r2.c2"),)):
        with pytest.raises(EditError, match="nothing would be left of it"):
            (made if len(plan) == 1 else draft).edit(*plan)
    next_one = made.decide("accept", ALL).edit(DeleteColumn("t1.r2.c2"))
    assert spans(next_one.decide("accept", ALL)) == [[1], [1], [1]]


@pytest.mark.parametrize("is_deleted_first", [True, False])
def test_46_one_plan_does_not_widen_and_narrow_a_merged_cell(*, is_deleted_first: bool) -> None:
    plan = (DeleteColumn("t1.r2.c3"), InsertColumn("t1.r2.c1", "after", ()))
    draft = Draft.of(p(), SPANNED, p())
    with pytest.raises(EditError, match="under the same merged cell"):
        draft.edit(*(plan if is_deleted_first else plan[::-1]))
    ours = draft.edit(InsertColumn("t1.r2.c1", "after", ()))
    both = ours.edit(DeleteColumn("t1.r2.c2"), InsertColumn("t1.r2.c1", "after", ()))
    assert obeys(both).changes


def test_a_row_that_begins_a_merged_cell_is_deleted_once() -> None:
    merged = tbl(
        tr(cell("down", '<w:vMerge w:val="restart"/>'), "b"),
        tr(cell("", "<w:vMerge/>"), "d"),
        tr("e", "f"),
    )
    draft = Draft.of(p("before"), merged, p("behind"))
    once = obeys(draft.edit(DeleteRow("t1.r1")))
    twice = obeys(draft.edit(DeleteRow("t1.r1"), DeleteRow("t1.r1")))
    assert twice.redline == once.redline
    gone = obeys(draft.edit(DeleteRow("t1.r1"), DeleteTable("t1")))
    assert gone.redline == draft.edit(DeleteTable("t1")).redline


def test_rows_that_begin_at_different_columns_are_refused() -> None:
    body = tbl(tr("a", "b"), tr("c", properties='<w:gridBefore w:val="1"/>'))
    assert "begin at different columns" in refused(body, InsertColumn("t1.r1.c1", "before", ("x",)))


def test_a_table_with_another_authors_cells_is_left_to_be_decided_first() -> None:
    body = ITEMS.replace(
        "<w:tc>", '<w:tc><w:tcPr><w:cellIns w:id="77" w:author="Ann"/></w:tcPr>', 1
    )
    for operation in (InsertRow("t1.r1", "after", ()), DeleteColumn("t1.r1.c1")):
        assert "Another author has inserted, deleted or merged cells" in refused(body, operation)


def test_a_row_inserted_while_columns_are_pending_follows_each_of_them() -> None:
    draft = Draft.of(p("x"), SPANNED, p("y"))
    made = draft.edit(InsertColumn("t1.r2.c2", "after", ("new",)), uid="column")
    made = obeys(made.edit(InsertRow("t1.r3", "after", ("g", "hi")), uid="row"))
    assert [change.kind for change in made.changes] == ["cell", "row"]
    column = made.decide("reject", Selection(ids=(made.changes[0].id,)))
    assert spans(column) == [[3], [1, 1, 1], [1, 2], [1, 2]]
    row = made.decide("reject", Selection(ids=(made.changes[1].id,)))
    assert len(texts(row)) == 3


def test_a_row_and_a_column_of_one_plan_fit_together() -> None:
    made = tracked(
        ITEMS,
        InsertRow("t1.r2", "after", ("Fig", "blue")),
        InsertColumn("t1.r1.c2", "after", ("Price", "1", "2")),
    )
    assert texts(made)[2] == ["Fig", "blue", ""]
    crossed = tracked(
        ITEMS,
        InsertRow("t1.r2", "after", ("Fig",)),
        DeleteColumn("t1.r1.c2"),
    )
    assert texts(crossed.decide("accept", Selection(author=US)))[2] == ["Fig"]
    with pytest.raises(PlanError, match="one after the other"):
        Draft.of(ITEMS, p()).edit(InsertRow("t1.r2", "after", ("F",)), DeleteColumn("t1.r1.c1"))


# Tables


def test_a_new_table_is_one_change_and_looks_like_the_nearest_one() -> None:
    like = tbl(
        tr(cell("H", '<w:shd w:fill="00FF00"/>', paragraph=p(r("H", "<w:b/>"))), "H2"),
        tr("x", "y"),
        properties='<w:tblStyle w:val="Fancy"/><w:tblpPr w:tblpX="5"/>',
    )
    made = tracked(like + p("between"), InsertTable("p2", "after", (("A", "B"), ("c",))))
    root = etree.fromstring(made.body.encode())
    new = root.findall(f".//{W}tbl")[1]
    names = {etree.QName(each).localname for each in new.iter()}
    assert {"tblStyle", "shd", "tblHeader", "b"} <= names
    assert "tblpPr" not in names
    assert [len(row.findall(f"{W}tc")) for row in new.findall(f"{W}tr")] == [2, 2]
    [change] = made.changes
    assert (change.kind, change.after) == ("table", "A\nB\nc")


def test_a_new_table_without_a_model_has_the_grid_style_or_borders_and_a_bold_header() -> None:
    operation = InsertTable("p1", "after", (("A", "B"), ("c", "d")))
    made = tracked("", operation)
    assert made.body.count("<w:insideH ") == 1
    assert re.search(r"<w:b/><w:bCs/></w:rPr><w:t>A<", made.body)
    assert not re.search(r"<w:b/><w:bCs/></w:rPr><w:t>c<", made.body)
    named = tracked("", operation, styles=style("TG", name="Table Grid", kind="table"))
    assert '<w:tblStyle w:val="TG"/>' in named.body
    assert "<w:insideH " not in named.body
    assert "tblHeader" not in tracked("", InsertTable("p1", "after", (("A",),), False)).body


@pytest.mark.parametrize(("anchor", "where"), [("t1", "after"), ("t1", "before")])
def test_a_paragraph_stands_between_two_tables(anchor: str, where: str) -> None:
    side = "before" if where == "before" else "after"
    made = tracked(ITEMS + (ITEMS if side == "after" else ""), InsertTable(anchor, side, (("A",),)))
    assert "</w:tbl><w:tbl>" not in made.body.replace(ITEMS + ITEMS, "")
    assert [change.kind for change in made.changes] == ["table"]


def test_27_a_cell_ends_in_a_paragraph_when_a_table_is_put_into_it() -> None:
    made = tracked(ITEMS, InsertTable("t1.r2.c2.p1", "after", (("A", "B"),)))
    holder = first_table(made).findall(f"{W}tr")[1].findall(f"{W}tc")[1]
    assert [etree.QName(each).localname for each in holder] == ["p", "tbl", "p"]
    [change] = made.changes
    assert change.kind == "table"


def test_new_blocks_and_a_table_behind_one_block_keep_their_order() -> None:
    heading = InsertBlocks("p1", "after", (NewBlock("paragraph", "Prices"),))
    made = tracked(
        "", heading, InsertTable("p1", "after", (("A",),)), InsertTable("p1", "after", (("B",),))
    )
    assert made.accepted == ["before", "Prices", "A", "B", "behind"]


def test_a_table_that_we_inserted_and_delete_leaves_nothing() -> None:
    draft = Draft.of(p("x"), p("y"))
    made = draft.edit(InsertTable("p1", "after", (("A", "B"),)))
    narrow = made.edit(DeleteColumn("t1.r1.c1"))
    assert texts(narrow) == [["B"]]
    assert made.edit(DeleteTable("t1")).body == draft.body


def test_a_table_without_cells_is_refused() -> None:
    assert fault("", InsertTable("p1", "after", ((), ()))) == "no_effect"


def test_a_deleted_table_is_one_change_with_the_tables_in_it() -> None:
    nested = tbl(tr(tbl(tr("in"), tr("side"), columns=[500]) + p("end"), "b"))
    made = tracked(nested, DeleteTable("t1"))
    [change] = made.changes
    assert (change.kind, change.before) == ("table", "in\nside\nend\nb")
    assert fault(nested, DeleteTable("t1.r1")) == "wrong_kind"


# Everywhere


NESTED = tbl(tr(ITEMS + p("end"), "outer"))
NAMES = ("set", "row", "no row", "column", "no column", "no table", "table")


def operation(name: str, at: str) -> Operation:
    """An operation of each kind on a table like `ITEMS`."""
    found: dict[str, Operation] = {
        "set": SetCell(f"{at}.r2.c1", "Plum"),
        "row": InsertRow(f"{at}.r2", "after", ("Fig",)),
        "no row": DeleteRow(f"{at}.r2"),
        "column": InsertColumn(f"{at}.r1.c1", "before", ("Nr", "1")),
        "no column": DeleteColumn(f"{at}.r1.c2"),
        "no table": DeleteTable(at),
        "table": InsertTable(at, "after", (("A", "B"),)),
    }
    return found[name]


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("story", ["t1.r1.c1.t1", "h1.t1", "f1.t1", "fn1.t1", "tb1.t1"])
def test_every_operation_works_in_every_story(name: str, story: str) -> None:
    box = (
        textbox(ITEMS + p("end")).replace("<mc:Fallback>", "<!--").replace("</mc:Fallback>", "-->")
    )
    draft = Draft.of(
        p("a", note("2")),
        NESTED,
        f"<w:p>{box}</w:p>",
        p("z"),
        headers=[ITEMS + p("h")],
        footers=[ITEMS + p("f")],
        footnotes=footnote("2", ITEMS, p("n")),
    )
    made = obeys(draft.edit(operation(name, story)))
    assert len([change for change in made.changes if change.is_ours]) == 1
    plain = draft.edit(operation(name, story), tracked=False)
    assert judged(plain.data, keep) == judged(made.data, only(US, "accept"))


@pytest.mark.parametrize("name", NAMES)
def test_a_table_of_a_text_box_that_is_stored_twice_changes_in_both_forms(name: str) -> None:
    draft = Draft.of(f"<w:p>{textbox(ITEMS + p('end'))}</w:p>", p("z"))
    made = obeys(draft.edit(operation(name, "tb1.t1")))
    shown, other = made.body.split("<mc:Fallback>")
    marks = re.compile(r"<w:(?:ins|del|cellIns|cellDel)\b")
    assert len(marks.findall(shown)) == len(marks.findall(other)) > 0
