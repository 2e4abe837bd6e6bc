"""Ways to break the resolver, the writer, the fold and accepting, one at a time.

They were written down from the parts of the engine and the kinds of operations, without sight of
what the judge looks at. A fault of the resolver makes it mean another place, a fault of the writer
changes the tree behind its back, a fault of the rest replaces one of their functions.
"""
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeAlias

import pytest
from msgspec import structs

from redraft.engine import locate
from redraft.engine.docx.accept_reject import part_tree
from redraft.engine.docx.alternate_content import Mirror
from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.anchored_elements import Finder
from redraft.engine.docx.editing.document_index import Survey
from redraft.engine.docx.names import MC_FALLBACK, Element, W
from redraft.engine.docx.opc.splice import Splicer
from redraft.engine.docx.write_plan import Editor
from redraft.engine.plan import (
    AddComment,
    DeleteBlocks,
    DeleteColumn,
    DeleteImage,
    DeleteNote,
    DeleteRow,
    DeleteTable,
    EditNote,
    FindReplace,
    FormatText,
    InsertBlocks,
    InsertBreak,
    InsertColumn,
    InsertFootnote,
    InsertRow,
    InsertTable,
    MergeBlocks,
    MoveBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    RewriteBlock,
    SetAltText,
    SetCell,
    SetField,
    SetLink,
    SetList,
    SetParagraph,
    SetProperty,
    SetStyle,
    SplitBlock,
)

Break: TypeAlias = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """A way to break something, and a plan on which it does damage."""

    name: str
    breaks: Break
    operation: Operation
    tracked: bool = True
    after: Operation | None = None


# The resolver means another place


def elsewhere(**names: str) -> Break:
    """Places are taken for others: `p3="p4"`, dots written as underscores."""
    wrong = {a.replace("_", "."): b.replace("_", ".") for a, b in names.items()}

    def breaks(monkeypatch: pytest.MonkeyPatch) -> None:
        place = Survey.place

        def other(self: Survey, anchor: str) -> Place:
            return place(self, wrong.get(anchor, anchor))

        monkeypatch.setattr(Survey, "place", other)

    return breaks


def misread(change: Callable[[str, Sequence[locate.Span]], Sequence[locate.Span]]) -> Break:
    """Quotes are found at other places."""

    def breaks(monkeypatch: pytest.MonkeyPatch) -> None:
        find, occurrences = locate.find, locate.occurrences

        def found(text: str, *args: Any, **options: Any) -> list[locate.Span]:
            return list(change(text, find(text, *args, **options)))

        def all_found(text: str, *args: Any, **options: Any) -> list[locate.Span]:
            return list(change(text, occurrences(text, *args, **options)))

        monkeypatch.setattr(locate, "find", found)
        monkeypatch.setattr(locate, "occurrences", all_found)

    return breaks


def meant(**fields: object) -> Break:
    """The resolver reads other fields of an operation than the plan has."""

    def breaks(monkeypatch: pytest.MonkeyPatch) -> None:
        from redraft.engine.docx.resolution.resolve import Resolver

        operation = Resolver.operation

        def wrong(self: Resolver, one: Operation) -> None:
            operation(self, structs.replace(one, **fields))

        monkeypatch.setattr(Resolver, "operation", wrong)

    return breaks


def short_stretch(monkeypatch: pytest.MonkeyPatch) -> None:
    stretch = Finder.stretch
    monkeypatch.setattr(Finder, "stretch", lambda self, a, b: stretch(self, a, b)[:-1])


# The writer changes more, less or something else


def behind_its_back(change: Callable[[Element], None]) -> Break:
    """The tree of the body is changed after the writer is done with it."""

    def breaks(monkeypatch: pytest.MonkeyPatch) -> None:
        carry_out = Editor.carry_out

        def wrong(self: Any, work: Any) -> bool:
            is_changed = carry_out(self, work)
            package = self._desk.package
            change(package.tree(package.main))
            return is_changed

        monkeypatch.setattr(Editor, "carry_out", wrong)

    return breaks


def _run(root: Element, text: str) -> Element:
    return next(
        run
        for run in root.iter(W("r"))
        if "".join(node.text or "" for node in run.iter(W("t"))) == text
    )


def _paragraph(root: Element, text: str) -> Element:
    return next(
        paragraph
        for paragraph in root.iter(W("p"))
        if text in "".join(node.text or "" for node in paragraph.iter(W("t"), W("delText")))
    )


def _drop(element: Element | None) -> None:
    assert element is not None
    parent = element.getparent()
    assert parent is not None
    parent.remove(element)


def lose(text: str) -> Break:
    return behind_its_back(lambda root: _drop(_run(root, text)))


def double(text: str) -> Break:
    def change(root: Element) -> None:
        run = _run(root, text)
        run.addnext(deepcopy(run))

    return behind_its_back(change)


def without(text: str, path: str) -> Break:
    return behind_its_back(lambda root: _drop(_paragraph(root, text).find(path, _PREFIXES)))


def put(text: str, path: str, tag: str, value: str = "") -> Break:
    """Put a property into what a path finds in a paragraph."""

    def change(root: Element) -> None:
        found = _paragraph(root, text).find(path, _PREFIXES)
        assert found is not None
        made = found.makeelement(W(tag), {W("val"): value} if value else {})
        found.insert(0, made)

    return behind_its_back(change)


def set_value(text: str, path: str, name: str, value: str) -> Break:
    def change(root: Element) -> None:
        found = _paragraph(root, text).find(path, _PREFIXES)
        assert found is not None
        found.set(W(name), value)

    return behind_its_back(change)


def reworded(old: str, new: str) -> Break:
    def change(root: Element) -> None:
        node = next(node for node in root.iter(W("t")) if node.text == old)
        node.text = new

    return behind_its_back(change)


def swapped(tag: str, first: int, second: int) -> Break:
    """An element of the first table goes in front of another one."""

    def change(root: Element) -> None:
        table = next(root.iter(W("tbl")))
        found = list(table.iter(W(tag)))
        one, other = found[first], found[second]
        one.addprevious(other)

    return behind_its_back(change)


def settled(mark: str) -> Break:
    """The first mark of a kind is taken off, its content stays."""

    def change(root: Element) -> None:
        found = next(root.iter(W(mark)))
        parent = found.getparent()
        assert parent is not None
        for node in found.iter(W("delText")):
            node.tag = W("t")
        at = parent.index(found)
        for child in reversed(list(found)):
            parent.insert(at, child)
        parent.remove(found)

    return behind_its_back(change)


def _unmark(root: Element) -> None:
    marks = [mark for mark in root.iter(W("del")) if mark.getparent() is not None]
    _drop(next(m for m in marks if next(m.iterancestors()).tag == W("rPr")))


def _exchange(root: Element) -> None:
    for node in root.iter(W("footnoteReference")):
        node.set(W("id"), str(5 - int(node.get(W("id"), "0"))))


def _leave(mark: Element) -> None:
    del mark


unmarked = behind_its_back(_unmark)
other_references = behind_its_back(_exchange)


def dropped(mark: str) -> Break:
    return behind_its_back(lambda root: _drop(next(root.iter(W(mark)))))


def _reword_copy(root: Element) -> None:
    inserted = next(next(root.iter(MC_FALLBACK)).iter(W("ins")))
    next(inserted.iter(W("t"))).text = "Other"


def one_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second form of a text box stays as it was."""
    monkeypatch.setattr(Mirror, "write", lambda self, desk: None)


other_copy = behind_its_back(_reword_copy)

# The bytes, the fold and accepting


def spliced(change: Callable[[bytes], bytes]) -> Break:
    """The bytes of changed parts are put together wrongly."""

    def breaks(monkeypatch: pytest.MonkeyPatch) -> None:
        join = Splicer.bytes
        monkeypatch.setattr(Splicer, "bytes", lambda self, blocks: change(join(self, blocks)))

    return breaks


def folded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Folding loses the last entry of a line."""
    from redraft.engine.docx import write_plan

    fold = write_plan.fold

    def wrong(line: Any) -> None:
        fold(line)
        line.root.entries.pop()
        line.root.is_dirty = True

    monkeypatch.setattr(write_plan, "fold", wrong)


def unfolded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Folding turns the order of a line round."""
    from redraft.engine.docx import write_plan

    fold = write_plan.fold

    def wrong(line: Any) -> None:
        fold(line)
        line.root.entries.reverse()
        line.root.is_dirty = True

    monkeypatch.setattr(write_plan, "fold", wrong)


def accepting(name: str, wrong: Callable[..., Any]) -> Break:
    def breaks(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(part_tree, name, wrong)

    return breaks


_PREFIXES: Mapping[str, str] = {"w": str(W)}
_NEW = (NewBlock("paragraph", "One new"), NewBlock("paragraph", "Two new"))
_BOLD = FormatText("p3", "pays", "bold", "on")
_ROW = InsertRow("t1.r3", "after", ("x", "y"))
_CELL = SetCell("t1.r2.c2", "Changed")
_WORD = ReplaceText("p3", "Seller", "Vendor")

FAULTS: tuple[Fault, ...] = (
    # The resolver takes blocks for others.
    Fault("rewrites the next block", elsewhere(p3="p4"), RewriteBlock("p3", "All of it is new")),
    Fault("deletes the next block", elsewhere(p3="p4"), DeleteBlocks("p3", "p3")),
    Fault("deletes the block before", elsewhere(p3="p2"), DeleteBlocks("p3", "p3")),
    Fault("deletes one block too few", short_stretch, DeleteBlocks("p3", "p5")),
    Fault("deletes one block too many", elsewhere(p4="p5"), DeleteBlocks("p3", "p4")),
    Fault("deletes another table", elsewhere(t1="t2"), DeleteTable("t1")),
    Fault("moves another block", elsewhere(p3="p4"), MoveBlocks("p3", "p3", "p6", "after")),
    Fault("moves to another place", elsewhere(p6="p5"), MoveBlocks("p3", "p3", "p6", "after")),
    Fault("moves to the other side", meant(where="before"), MoveBlocks("p3", "p3", "p6", "after")),
    Fault("inserts elsewhere", elsewhere(p3="p4"), InsertBlocks("p3", "after", _NEW)),
    Fault("inserts before", meant(where="before"), InsertBlocks("p3", "after", _NEW)),
    Fault("inserts in reverse", meant(blocks=_NEW[::-1]), InsertBlocks("p3", "after", _NEW)),
    Fault("inserts one of two", meant(blocks=_NEW[:1]), InsertBlocks("p3", "after", _NEW)),
    Fault(
        "inserts another kind",
        meant(blocks=(NewBlock("paragraph", "Head"),)),
        InsertBlocks("p3", "after", (NewBlock("heading2", "Head"),)),
    ),
    Fault(
        "inserts a deeper item",
        meant(blocks=(NewBlock("bullet3", "Item"),)),
        InsertBlocks("p7", "after", (NewBlock("bullet2", "Item"),)),
    ),
    Fault("splits elsewhere", meant(find="the Buyer"), SplitBlock("p3", "Seller")),
    Fault("merges others", elsewhere(p3="p4", p4="p5"), MergeBlocks("p3", "p4")),
    Fault("merges too many", elsewhere(p4="p5"), MergeBlocks("p3", "p4")),
    Fault("breaks elsewhere", elsewhere(p3="p4"), InsertBreak("p3", "before", "page")),
    Fault("breaks another way", meant(kind="column"), InsertBreak("p3", "before", "page")),
    # It takes words for others.
    Fault("takes one letter more", misread(lambda t, s: [(a, b + 1) for a, b in s]), _WORD),
    Fault("takes one letter less", misread(lambda t, s: [(a, b - 1) for a, b in s]), _WORD),
    Fault("is one letter off", misread(lambda t, s: [(a + 1, b + 1) for a, b in s]), _WORD),
    Fault("replaces in a neighbour", elsewhere(p3="p4"), _WORD),
    Fault("writes other words", meant(replace="Merchant"), _WORD),
    Fault("writes half the words", meant(replace="Ven"), _WORD),
    Fault(
        "takes the wrong hit",
        meant(occurrence=2),
        ReplaceText("p3", "the", "a", occurrence=1),
    ),
    Fault(
        "leaves out the last hit",
        misread(lambda t, s: s[:-1] if len(s) > 1 else s),
        FindReplace("the", "this"),
    ),
    Fault("replaces only the first hit", meant(limit=1), FindReplace("Seller", "Vendor")),
    Fault("replaces in the notes only", meant(scope="notes"), FindReplace("Seller", "Vendor")),
    Fault("replaces in the body only", meant(scope="body"), FindReplace("Seller", "Vendor")),
    Fault("keeps a word", meant(replace="Seller Vendor"), FindReplace("Seller", "Vendor")),
    # It gives looks to others.
    Fault("bold on other words", meant(find="Seller"), _BOLD),
    Fault("bold on one letter more", misread(lambda t, s: [(a, b + 1) for a, b in s]), _BOLD),
    Fault("italic for bold", meant(property="italic"), _BOLD),
    Fault("another size", meant(value="18"), FormatText("p3", "the Buyer", "size", "14")),
    Fault("style of a neighbour", elsewhere(p3="p4"), SetStyle("p3", "p3", "Heading 1")),
    Fault("another style", meant(style="Heading 2"), SetStyle("p3", "p3", "Heading 1")),
    Fault("a list elsewhere", elsewhere(p3="p4"), SetList("p3", "p3", "bullet")),
    Fault("another kind of list", meant(kind="numbered"), SetList("p3", "p3", "bullet")),
    Fault("one level too deep", meant(level=3), SetList("p7", "p7", "bullet", level=2)),
    Fault(
        "another alignment",
        meant(value="right"),
        SetParagraph("p3", "p3", "alignment", "center"),
    ),
    Fault(
        "aligns a neighbour",
        elsewhere(p3="p4"),
        SetParagraph("p3", "p3", "alignment", "center"),
    ),
    # It takes rows, columns and cells for others.
    Fault(
        "fills the cell beside", elsewhere(t1_r2_c2="t1_r2_c1", t1_r2_c2_p1="t1_r2_c1_p1"), _CELL
    ),
    Fault("fills the cell above", elsewhere(t1_r2_c2="t1_r1_c2", t1_r2_c2_p1="t1_r1_c2_p1"), _CELL),
    Fault("deletes another row", elsewhere(t1_r2="t1_r3"), DeleteRow("t1.r2")),
    Fault("deletes another column", elsewhere(t1_r1_c1="t1_r1_c2"), DeleteColumn("t1.r1.c1")),
    Fault("puts a row elsewhere", elsewhere(t1_r2="t1_r1"), InsertRow("t1.r2", "after", ("x",))),
    Fault("puts a row before", meant(where="before"), InsertRow("t1.r2", "after", ("x",))),
    Fault(
        "swaps the cells of a new row",
        meant(cells=("y", "x")),
        InsertRow("t1.r2", "after", ("x", "y")),
    ),
    Fault(
        "puts a column elsewhere",
        elsewhere(t1_r1_c1="t1_r1_c2"),
        InsertColumn("t1.r1.c1", "after", ("x", "y")),
    ),
    Fault(
        "swaps the cells of a new column",
        meant(cells=("y", "x")),
        InsertColumn("t1.r1.c1", "after", ("x", "y")),
    ),
    Fault(
        "a new table with a row less",
        meant(rows=(("a", "b"),)),
        InsertTable("p3", "after", (("a", "b"), ("c", "d"))),
    ),
    Fault(
        "a new table turned over",
        meant(rows=(("a", "c"), ("b", "d"))),
        InsertTable("p3", "after", (("a", "b"), ("c", "d"))),
    ),
    # It takes objects for others.
    Fault("edits another note", meant(target="fn2"), EditNote("fn1", "Other words")),
    Fault("deletes another note", meant(target="fn2"), DeleteNote("fn1")),
    Fault(
        "notes another place", meant(after_text="Seller"), InsertFootnote("p3", "Buyer", "New note")
    ),
    Fault("writes another note", meant(text="Old note"), InsertFootnote("p3", "Buyer", "New note")),
    Fault("deletes another picture", meant(target="im2"), DeleteImage("im1")),
    Fault("describes wrongly", meant(text="A cat"), SetAltText("im1", "A dog")),
    Fault("links other words", meant(find="Seller"), SetLink("p3", "Buyer", "https://a.example/")),
    Fault(
        "links to another place",
        meant(url="https://b.example/"),
        SetLink("p3", "Buyer", "https://a.example/"),
    ),
    Fault("comments elsewhere", meant(find="Seller"), AddComment("p3", "Buyer", "Why?")),
    Fault("comments otherwise", meant(text="Yes"), AddComment("p3", "Buyer", "Why?")),
    Fault("fills in something else", meant(value="Bob"), SetField("cc1", "Ann")),
    Fault("fills in capitals", meant(value="ANN"), SetField("cc1", "Ann")),
    Fault("chooses another option", meant(value="Blue"), SetField("cc2", "r")),
    Fault("sets another property", meant(name="subject"), SetProperty("title", "Deal")),
    # The writer does more or less than it should.
    Fault("loses a run", lose(" pays "), _WORD),
    Fault("doubles a run", double(" pays "), _WORD),
    Fault("loses a look", without("pays", ".//w:rPr/w:b"), _WORD),
    Fault("adds a look", put("pays", "./w:r/w:rPr", "i"), _WORD),
    Fault("rewords kept text", reworded(" pays ", " gives "), _WORD),
    Fault("drops what is inserted", dropped("ins"), _WORD),
    Fault("drops what is deleted", dropped("del"), _WORD),
    Fault("does not track an insertion", settled("ins"), _WORD),
    Fault("does not delete", settled("del"), _WORD),
    Fault("changes an alignment", put("pays", "./w:pPr", "jc", "right"), _WORD),
    Fault("changes a style", set_value("pays", "./w:pPr/w:pStyle", "val", "Quote"), _WORD),
    Fault(
        "sets a level",
        set_value("First", "./w:pPr/w:numPr/w:ilvl", "val", "2"),
        ReplaceText("p7", "First", "Third"),
    ),
    Fault("swaps cells", swapped("tc", 2, 3), _ROW),
    Fault("swaps rows", swapped("tr", 0, 1), _ROW),
    Fault("rewords another cell", reworded("a3", "a4"), _ROW),
    Fault(
        "keeps the mark of a paragraph",
        unmarked,
        DeleteBlocks("p3", "p3"),
    ),
    Fault(
        "loses a picture",
        dropped("drawing"),
        ReplaceText("p9", "shows", "has"),
    ),
    Fault(
        "loses a reference",
        dropped("footnoteReference"),
        ReplaceText("p8", "says", "tells"),
    ),
    Fault(
        "swaps two references",
        other_references,
        ReplaceText("p8", "says", "tells"),
    ),
    Fault("writes small letters", meant(replace="vendor"), _WORD),
    Fault(
        "changes one form of a text box",
        one_form,
        InsertBlocks("tb1.p1", "after", _NEW),
    ),
    Fault(
        "rewords one form of a text box",
        other_copy,
        ReplaceText("tb1.p1", "Boxed", "Framed"),
    ),
    # Bytes are put together wrongly.
    Fault("loses another block", spliced(lambda d: d.replace(b"Last words", b"")), _WORD),
    Fault("changes another block", spliced(lambda d: d.replace(b"Last", b"Lost")), _WORD),
    Fault(
        "doubles another block",
        spliced(lambda d: d.replace(b"<w:tbl>", b"<w:p/><w:tbl>", 1)),
        _WORD,
    ),
    # Folding and accepting go wrong.
    Fault(
        "loses words when it folds", folded, ReplaceText("p3", "Vendor", "Merchant"), after=_WORD
    ),
    Fault(
        "turns words round when it folds",
        unfolded,
        ReplaceText("p3", "Vendor", "Merchant"),
        after=_WORD,
    ),
    Fault("accepts nothing", accepting("_unwrap", _leave), _WORD, tracked=False),
    Fault("accepts with a loss", accepting("_unwrap", _drop), _WORD, tracked=False),
)
