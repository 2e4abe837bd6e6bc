"""Text boxes that are stored twice: whole blocks change in both forms, and in the same way."""

from __future__ import annotations

import re

import pytest

from redraft.engine.docx.apply import faults
from redraft.engine.docx.judging.fingerprint import digests
from redraft.engine.docx.names import MC_CHOICE, MC_FALLBACK, TEXT_BOXES
from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import RefusedError
from redraft.engine.plan import (
    DeleteBlocks,
    DeleteColumn,
    DeleteRow,
    DeleteTable,
    EditPlan,
    InsertBlocks,
    InsertColumn,
    InsertRow,
    InsertTable,
    MergeBlocks,
    MoveBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    RewriteBlock,
    SetField,
    SplitBlock,
)
from redraft.engine.report import Selection
from redraft.engine.state import decode
from tests.engine.redlining import Draft
from tests.engine.wordml import p, r, table, textbox

ALL = Selection(all=True)
BOX = (p("one two"), p("three"), table(["a", "b"], ["c", "d"]), p("four five"))
OPERATIONS: dict[str, tuple[Operation, ...]] = {
    "insert": (InsertBlocks("tb1.p1", "after", (NewBlock("paragraph", "new"),)),),
    "insert before": (InsertBlocks("tb1.p1", "before", (NewBlock("heading1", "new"),)),),
    "insert in cell": (InsertBlocks("tb1.t1.r1.c1.p1", "after", (NewBlock("paragraph", "new"),)),),
    "delete": (DeleteBlocks("tb1.p1", "tb1.p2"),),
    "delete last": (DeleteBlocks("tb1.p3", "tb1.p3"),),
    "delete table": (DeleteTable("tb1.t1"),),
    "move": (MoveBlocks("tb1.p1", "tb1.p1", "tb1.t1", "after"),),
    "move table": (MoveBlocks("tb1.t1", "tb1.t1", "tb1.p1", "before"),),
    "split": (SplitBlock("tb1.p1", "two"),),
    "merge": (MergeBlocks("tb1.p1", "tb1.p2"),),
    "row": (InsertRow("tb1.t1.r1", "after", ("x", "y")),),
    "delete row": (DeleteRow("tb1.t1.r2"),),
    "column": (InsertColumn("tb1.t1.r1.c1", "after", ("x", "y")),),
    "delete column": (DeleteColumn("tb1.t1.r1.c2"),),
    "table": (InsertTable("tb1.p2", "after", (("A", "B"),), True),),
    "words and blocks": (
        ReplaceText("tb1.p1", "two", "2"),
        DeleteBlocks("tb1.p2", "tb1.p2"),
        InsertBlocks("tb1.p1", "after", (NewBlock("like_anchor", "new"),)),
        ReplaceText("p2", "behind", "after"),
    ),
    "words of a row": (
        RewriteBlock("tb1.t1.r1.c1.p1", "aa"),
        InsertRow("tb1.t1.r1", "after", ("x", "y")),
    ),
}


def boxed(*blocks: str, fallback: str = "") -> Draft:
    return Draft.of(p("host ", textbox(*blocks, fallback=fallback), " it"), p("behind"))


def forms(draft: Draft) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """What both forms of each text box hold, with all marks, but for their numbers."""
    package = Package.open(draft.data)
    root = package.tree(package.main)
    return tuple(  # pyright: ignore[reportReturnType]
        [digests(box, (), "baseline") for side in root.iter(tag) for box in side.iter(*TEXT_BOXES)]
        for tag in (MC_CHOICE, MC_FALLBACK)
    )


@pytest.mark.parametrize("name", OPERATIONS)
def test_blocks_of_a_text_box_change_in_both_forms_in_the_same_way(name: str) -> None:
    draft = boxed(*BOX)
    made = draft.edit(*OPERATIONS[name])
    assert made.changes
    assert made.rejected == made.original
    shown, other = forms(made)
    assert shown == other != forms(draft)[0]
    ids = re.findall(r"<w:(?:ins|del|cellIns|cellDel)\b[^>]*w:id=\"(\d+)\"", made.body)
    assert len(ids) == len(set(ids))
    assert set(map(int, ids)) <= set(decode(made.state).ours)


@pytest.mark.parametrize("name", OPERATIONS)
def test_they_are_rejected_accepted_and_written_without_marks_in_both_forms(name: str) -> None:
    draft = boxed(*BOX)
    made = draft.edit(*OPERATIONS[name])
    rejected = made.decide("reject", ALL)
    assert forms(rejected) == forms(draft)
    assert rejected.rejected == draft.original
    accepted = made.decide("accept", ALL)
    assert not re.search(r"<w:(?:ins|del|cellIns|cellDel)\b", accepted.body)
    shown, other = forms(accepted)
    assert shown == other
    plain = draft.edit(*OPERATIONS[name], tracked=False)
    assert forms(plain) == (shown, other)
    assert plain.changes == ()


@pytest.mark.parametrize("name", OPERATIONS)
def test_each_change_is_decided_in_both_forms(name: str) -> None:
    made = boxed(*BOX).edit(*OPERATIONS[name])
    while made.changes:
        made = made.decide("reject", Selection(ids=(made.changes[0].id,)))
        shown, other = forms(made)
        assert shown == other
    assert made.rejected == made.original


def test_what_was_inserted_and_deleted_again_leaves_nothing_in_either_form() -> None:
    draft = boxed(*BOX)
    made = draft.edit(InsertBlocks("tb1.p1", "after", (NewBlock("like_anchor", "new"),)))
    again = made.edit(DeleteBlocks("tb1.p2", "tb1.p2"))
    assert again.changes == ()
    assert again.body == draft.body


def test_what_was_deleted_and_written_again_is_folded_in_both_forms() -> None:
    draft = boxed(*BOX)
    made = draft.edit(DeleteBlocks("tb1.p1", "tb1.p1"))
    again = made.edit(InsertBlocks("tb1.p2", "before", (NewBlock("like_anchor", "one two"),)))
    assert again.changes == ()
    shown, other = forms(again)
    assert shown == other
    assert again.rejected == again.original


def test_edits_one_after_the_other_keep_both_forms_equal() -> None:
    made = boxed(*BOX)
    for operation in (
        SplitBlock("tb1.p1", "two"),
        ReplaceText("tb1.p2", "two", "2 and more"),
        InsertRow("tb1.t1.r1", "before", ("x",)),
        MoveBlocks("tb1.p3", "tb1.p3", "tb1.p1", "before"),
        MergeBlocks("tb1.p1", "tb1.p2"),
    ):
        made = made.edit(operation)
        shown, other = forms(made)
        assert shown == other
        assert made.rejected == made.original


def test_only_the_blocks_that_change_need_to_be_the_same_in_both_forms() -> None:
    fallback = p("one two") + p(r("three", "<w:b/>")) + p("four")
    draft = boxed(p("one two"), p("three"), p("four"), fallback=fallback)
    made = draft.edit(DeleteBlocks("tb1.p1", "tb1.p1"))
    assert made.body.count("<w:delText") == 2
    assert made.rejected == made.original
    plan = EditPlan("edit", "", (DeleteBlocks("tb1.p2", "tb1.p2"),))
    with pytest.raises(RefusedError, match="stored a second time"):
        draft.edit(*plan.operations)
    (fault,) = faults(Package.open(draft.data), plan, draft.state)
    assert fault.code == "read_only"


@pytest.mark.parametrize("fallback", [p("one"), p("one") + p("two") + p("three")])
def test_blocks_of_forms_with_other_blocks_are_refused(fallback: str) -> None:
    draft = boxed(p("one"), p("two"), fallback=fallback)
    with pytest.raises(RefusedError, match="change the text box in Word"):
        draft.edit(InsertBlocks("tb1.p1", "after", (NewBlock("paragraph", "x"),)))


def test_a_form_without_text_does_not_stand_in_the_way() -> None:
    box = textbox(p("one"), p("two"))
    start, end = box.index("<mc:Fallback>"), box.index("</mc:Fallback>")
    bare = f"{box[:start]}<mc:Fallback><w:pict/>{box[end:]}"
    made = Draft.of(p("host", bare), p("x")).edit(DeleteBlocks("tb1.p1", "tb1.p1"))
    assert made.body.count("<w:delText") == 1
    assert made.rejected == made.original


def test_the_names_that_programs_give_to_blocks_may_differ() -> None:
    control = (
        '<w:sdt><w:sdtPr><w:id w:val="{0}"/></w:sdtPr>'
        f"<w:sdtContent>{r('in')}</w:sdtContent></w:sdt>"
    )
    shown, other = (
        (p("one ", control.format(n)) + p("two") + table(["a", "b"], ["c", "d"])).replace(
            "<w:p>", f'<w:p w14:paraId="0000000{n}">'
        )
        for n in (1, 2)
    )
    draft = boxed(shown, fallback=other)
    made = draft.edit(
        MoveBlocks("tb1.p2", "tb1.p2", "tb1.t1", "after"),
        DeleteRow("tb1.t1.r1"),
        ReplaceText("tb1.p1", "one", "1"),
    )
    assert made.rejected == made.original
    assert forms(made.decide("reject", ALL)) == forms(draft)


def test_a_control_is_filled_in_both_forms() -> None:
    control = (
        "<w:sdt><w:sdtPr><w:showingPlcHdr/><w:text/></w:sdtPr>"
        f"<w:sdtContent>{r('Click here')}</w:sdtContent></w:sdt>"
    )
    made = boxed(p("fee ", control)).edit(SetField("cc1", "100"))
    assert made.body.count(">100</w:t>") == 2
    assert "showingPlcHdr" not in made.body
    shown, other = forms(made)
    assert shown == other


def test_blocks_beside_a_control_stand_beside_it_in_both_forms() -> None:
    control = f"<w:sdt><w:sdtPr/><w:sdtContent>{p('a')}</w:sdtContent></w:sdt>"
    blocks = (control, p("b"), p("c"))
    draft = Draft.of(p("x", textbox(*blocks, fallback="".join(blocks))))
    for operation in (
        InsertBlocks(
            "tb1.p1", "after", (NewBlock("paragraph", "one"), NewBlock("paragraph", "two"))
        ),
        InsertBlocks("tb1.p1", "before", (NewBlock("paragraph", "one"),)),
        MoveBlocks("tb1.p2", "tb1.p2", "tb1.p1", "before"),
    ):
        made = draft.edit(operation)
        assert made.rejected == draft.original
        boxes = re.findall(r"<w:txbxContent>(.*?)</w:txbxContent>", made.body)
        shown, twin = (re.sub(r' w:id="[0-9]+"', "", box) for box in boxes)
        assert shown == twin
        assert shown.count("<w:sdtContent><w:p>") == 1
