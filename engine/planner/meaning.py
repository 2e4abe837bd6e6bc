"""What a model wrote becomes an operation: ids are read as models write them."""

from __future__ import annotations

import re

from redraft.engine import page_operations as pages
from redraft.engine import plan
from redraft.engine.planner import shapes


def operation(shape: shapes.Shape) -> plan.Operation:
    """The operation that a shape says."""
    match shape:
        case (
            shapes.ReplaceText()
            | shapes.RewriteBlock()
            | shapes.FindReplace()
            | shapes.SplitBlock()
            | shapes.FormatText()
            | shapes.SetLink()
            | shapes.RemoveLink()
            | shapes.AddComment()
        ):
            return _words(shape)
        case (
            shapes.DeleteBlocks()
            | shapes.CloseUpBlocks()
            | shapes.MergeBlocks()
            | shapes.MoveBlocks()
            | shapes.SetStyle()
            | shapes.SetParagraph()
            | shapes.SetList()
        ):
            return _stretch(shape)
        case shapes.InsertBlocks() | shapes.InsertTable() | shapes.InsertBreak():
            return _beside(shape)
        case (
            shapes.SetCell()
            | shapes.InsertRow()
            | shapes.InsertColumn()
            | shapes.DeleteRow()
            | shapes.DeleteColumn()
            | shapes.DeleteTable()
        ):
            return _tabular(shape)
        case (
            shapes.DeletePages()
            | shapes.MovePages()
            | shapes.RotatePages()
            | shapes.InsertPage()
            | shapes.Redact()
            | shapes.StampPages()
        ):
            return _of_pages(shape)
        case _:
            return _object(shape)


def _of_pages(shape: shapes.PageShape) -> plan.Operation:
    match shape:
        case shapes.DeletePages():
            return pages.DeletePages(shape.first_page, shape.last_page)
        case shapes.MovePages():
            return pages.MovePages(shape.first_page, shape.last_page, shape.to_page, shape.where)
        case shapes.RotatePages():
            return pages.RotatePages(shape.first_page, shape.last_page, shape.degrees)
        case shapes.InsertPage():
            return pages.InsertPage(shape.page, shape.where)
        case shapes.Redact():
            return pages.Redact(shape.find, shape.match_case, shape.whole_word)
        case shapes.StampPages():
            return pages.StampPages(shape.kind, shape.text)


def _words(
    shape: shapes.ReplaceText
    | shapes.RewriteBlock
    | shapes.FindReplace
    | shapes.SplitBlock
    | shapes.FormatText
    | shapes.SetLink
    | shapes.RemoveLink
    | shapes.AddComment,
) -> plan.Operation:
    if isinstance(shape, shapes.FindReplace):
        scope = _scope(shape.scope)
        return plan.FindReplace(
            shape.find, shape.replace, scope, shape.match_case, shape.whole_word
        )
    block = anchor(shape.block)
    match shape:
        case shapes.ReplaceText():
            return plan.ReplaceText(block, shape.find, shape.replace, shape.occurrence)
        case shapes.RewriteBlock():
            return plan.RewriteBlock(block, shape.text)
        case shapes.SplitBlock():
            return plan.SplitBlock(block, shape.find, shape.occurrence)
        case shapes.FormatText():
            return plan.FormatText(block, shape.find, shape.property, shape.value, shape.occurrence)
        case shapes.SetLink():
            return plan.SetLink(block, shape.find, shape.url.strip(), shape.occurrence)
        case shapes.RemoveLink():
            return plan.RemoveLink(block, shape.find, shape.occurrence)
        case shapes.AddComment():
            return plan.AddComment(block, shape.find, shape.text, shape.occurrence)


def _stretch(
    shape: shapes.DeleteBlocks
    | shapes.CloseUpBlocks
    | shapes.MergeBlocks
    | shapes.MoveBlocks
    | shapes.SetStyle
    | shapes.SetParagraph
    | shapes.SetList,
) -> plan.Operation:
    first, last = anchor(shape.first), anchor(shape.last)
    match shape:
        case shapes.DeleteBlocks():
            return plan.DeleteBlocks(first, last)
        case shapes.CloseUpBlocks():
            return plan.DeleteBlocks(first, last, close_up=True)
        case shapes.MergeBlocks():
            return plan.MergeBlocks(first, last)
        case shapes.MoveBlocks():
            return plan.MoveBlocks(first, last, anchor(shape.to), shape.where)
        case shapes.SetStyle():
            return plan.SetStyle(first, last, shape.style.strip())
        case shapes.SetParagraph():
            return plan.SetParagraph(first, last, shape.property, shape.value.strip())
        case shapes.SetList():
            return plan.SetList(first, last, shape.kind, shape.level, shape.restart)


def _beside(
    shape: shapes.InsertBlocks | shapes.InsertTable | shapes.InsertBreak,
) -> plan.Operation:
    block = anchor(shape.block)
    match shape:
        case shapes.InsertBlocks():
            blocks = tuple(plan.NewBlock(new.kind, new.text) for new in shape.blocks)
            return plan.InsertBlocks(block, shape.where, blocks)
        case shapes.InsertTable():
            rows = tuple(map(tuple, shape.rows))
            return plan.InsertTable(block, shape.where, rows, shape.header_row)
        case shapes.InsertBreak():
            return plan.InsertBreak(block, shape.where, shape.kind)


def _tabular(
    shape: shapes.SetCell
    | shapes.InsertRow
    | shapes.InsertColumn
    | shapes.DeleteRow
    | shapes.DeleteColumn
    | shapes.DeleteTable,
) -> plan.Operation:
    at = bare(shape.target)
    match shape:
        case shapes.SetCell():
            return plan.SetCell(re.sub(r"\.p1$", "", at), shape.text)
        case shapes.InsertRow():
            return plan.InsertRow(_row(at), shape.where, tuple(shape.cells))
        case shapes.InsertColumn():
            return plan.InsertColumn(_top_cell(at), shape.where, tuple(shape.cells))
        case shapes.DeleteRow():
            return plan.DeleteRow(_row(at))
        case shapes.DeleteColumn():
            return plan.DeleteColumn(_top_cell(at))
        case shapes.DeleteTable():
            return plan.DeleteTable(re.sub(r"\.r\d+$", "", _row(at)))


def _object(
    shape: shapes.EditNote
    | shapes.InsertFootnote
    | shapes.DeleteNote
    | shapes.SetAltText
    | shapes.DeleteImage
    | shapes.SetField
    | shapes.SetProperty
    | shapes.AcceptChange
    | shapes.RejectChange,
) -> plan.Operation:
    match shape:
        case shapes.EditNote():
            return plan.EditNote(_note(shape.target), shape.text)
        case shapes.InsertFootnote():
            return plan.InsertFootnote(
                anchor(shape.block), shape.after_text, shape.text, shape.occurrence
            )
        case shapes.DeleteNote():
            return plan.DeleteNote(_note(shape.target))
        case shapes.SetAltText():
            return plan.SetAltText(bare(shape.target), shape.text)
        case shapes.DeleteImage():
            return plan.DeleteImage(bare(shape.target))
        case shapes.SetField():
            return plan.SetField(shape.control.strip().strip("[]\u27e6\u27e7"), shape.value)
        case shapes.SetProperty():
            return plan.SetProperty(shape.name, shape.value)
        case shapes.AcceptChange():
            return plan.SettleChange(change(shape.change), "accept")
        case shapes.RejectChange():
            return plan.SettleChange(change(shape.change), "reject")


def bare(written: str) -> str:
    """Read an id as models write it: with brackets or its label."""
    words = written.strip().strip("[]\u27e6\u27e7").split()
    return re.split(r"[\]\u27e7:]", words[0])[0] if words else ""


def anchor(written: str) -> str:
    """Read the id of a block; a cell means its paragraph."""
    found = bare(written)
    return f"{found}.p1" if re.search(r"\.c\d+$", found) else found


def change(written: str) -> str:
    """Read the id of a tracked change: `chg12` of the view is `12` in the list of changes."""
    return bare(written).removeprefix("chg")


def _note(written: str) -> str:
    return bare(written).partition(".")[0]


def _row(at: str) -> str:
    """The row of a cell or of a paragraph in one."""
    return re.sub(r"(\.r\d+)\.c\d+(\.p\d+)?$", r"\1", at)


def _top_cell(at: str) -> str:
    """The cell that names a column; `t1.c2` is the first row's."""
    return re.sub(r"^((?:\w+\.)?t\d+)\.(c\d+)", r"\1.r1.\2", re.sub(r"\.p\d+$", "", at))


def _scope(written: str) -> str:
    kind, colon, place = written.strip().partition(":")
    return f"{kind}:{place.strip().strip('[]')}" if colon else kind
