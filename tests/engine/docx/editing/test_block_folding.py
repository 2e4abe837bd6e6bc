"""Folding between paragraphs: what is deleted and written again is there without a mark."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from redraft.engine.docx.anchors import blocks
from redraft.engine.docx.judging.fingerprint import container, fingerprint
from redraft.engine.docx.names import W_P, Element
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.redline import textmap
from redraft.engine.errors import EditError, VerificationError
from redraft.engine.plan import (
    BlockKind,
    DeleteBlocks,
    InsertBlocks,
    InsertRow,
    MergeBlocks,
    MoveBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    SplitBlock,
)
from redraft.engine.state import State, decode, encode
from tests.documents import is_full_sweep
from tests.engine.redlining import US, Draft
from tests.engine.wordml import docx, footnote, ins, note, p, r, table

MORE = 10 if is_full_sweep() else 1


def new(*texts: str, kind: BlockKind = "like_anchor") -> tuple[NewBlock, ...]:
    return tuple(NewBlock(kind, text) for text in texts)


def kept(draft: Draft) -> Draft:
    assert draft.rejected == draft.original
    return draft


@pytest.mark.parametrize("at", ["p1", "p2", "p3"])
def test_a_paragraph_deleted_and_written_again_has_no_mark(at: str) -> None:
    draft = Draft.of(p("alpha one"), p("beta two"), p("gamma three"))
    text = {"p1": "alpha one", "p2": "beta two", "p3": "gamma three"}[at]
    beside = InsertBlocks("p2", "before", new(text)) if at == "p1" else None
    beside = beside or InsertBlocks(f"p{int(at[1]) - 1}", "after", new(text))
    back = kept(draft.edit(DeleteBlocks(at, at)).edit(beside))
    assert back.changes == ()
    assert back.body == draft.body


def test_a_paragraph_of_another_style_is_not_the_same() -> None:
    draft = Draft.of(p("Head", style="Heading1"), p("body"))
    back = kept(
        draft.edit(DeleteBlocks("p1", "p1")).edit(InsertBlocks("p2", "before", new("Head")))
    )
    assert sorted(back.redline[:2]) == ["[-Head-][-\u00b6-]", "{+Head+}{+\u00b6+}"]


def test_a_paragraph_replaced_by_one_much_like_it_is_marked_word_by_word() -> None:
    draft = Draft.of(p("The rent is due on the first day."), p("x"))
    plan = (
        DeleteBlocks("p1", "p1"),
        InsertBlocks("p1", "after", new("The rent is due on the last day.")),
    )
    assert kept(draft.edit(*plan)).redline == [
        "The rent is due on the [-first-]{+last+} day.",
        "x",
    ]


def test_a_paragraph_of_which_little_stays_is_struck_and_written_whole() -> None:
    draft = Draft.of(p("The rent is due on the first day."), p("x"))
    plan = (
        DeleteBlocks("p1", "p1"),
        InsertBlocks("p1", "after", new("Nothing of the old is here")),
    )
    assert kept(draft.edit(*plan)).redline == [
        "[-The rent is due on the first day.-][-\u00b6-]",
        "{+Nothing of the old is here+}{+\u00b6+}",
        "x",
    ]


def test_equal_paragraphs_are_found_among_others_in_their_order() -> None:
    draft = Draft.of(p("one"), p("two"), p("three"), p("four"), p("end"))
    plan = (
        DeleteBlocks("p1", "p4"),
        InsertBlocks("p4", "after", new("zero", "two", "more", "four")),
    )
    assert kept(draft.edit(*plan)).redline == [
        "[-one-][-\u00b6-]",
        "{+zero+}{+\u00b6+}",
        "two",
        "[-three-][-\u00b6-]",
        "{+more+}{+\u00b6+}",
        "four",
        "end",
    ]


def test_bold_that_was_asked_for_is_not_the_same_as_none() -> None:
    draft = Draft.of(p("plain words"), p("x"))
    plan = (DeleteBlocks("p1", "p1"), InsertBlocks("p1", "after", new("plain **words**")))
    found = kept(draft.edit(*plan))
    assert found.accepted == ["plain words", "x"]
    assert found.changes != ()


def test_inherited_formatting_comes_back_as_the_baseline_has_it() -> None:
    draft = Draft.of(p("a ", r("bold", "<w:b/>"), " word"), p("x"))
    edited = draft.edit(DeleteBlocks("p1", "p1"), InsertBlocks("p1", "after", new("a bold word")))
    assert kept(edited).changes == ()
    assert edited.body == draft.body


def test_another_authors_words_in_a_deleted_paragraph_come_back_as_theirs() -> None:
    draft = Draft.of(p("a ", ins(r("theirs"), id=7)), p("x"))
    edited = draft.edit(DeleteBlocks("p1", "p1")).edit(
        InsertBlocks("p2", "before", new("a theirs"))
    )
    assert kept(edited).redline == ["a <+theirs+>", "x"]


def test_only_regions_that_an_edit_touches_are_folded_and_other_bytes_stay() -> None:
    draft = Draft.of(p("one"), p("two"), p("three"))
    edited = kept(draft.edit(ReplaceText("p3", "three", "3")))
    assert edited.body.startswith(
        draft.body.partition('<w:p><w:r><w:t xml:space="preserve">three')[0]
    )


WHOLE = ("alpha one", "beta two. And three.", "gamma", "delta four five")
TEXTS = st.sampled_from(WHOLE)
SHAPES = st.lists(
    st.tuples(TEXTS, st.sampled_from(["", "", "Body"])),
    min_size=3,
    max_size=4,
    unique_by=lambda shape: shape[0],
)


@st.composite
def step(draw: st.DrawFn, draft: Draft, number: int) -> tuple[Operation, Operation]:
    """An operation on the paragraphs of the body, and the one that undoes it."""
    package = Package.open(draft.data)
    ours = decode(draft.state).ours
    found: list[tuple[str, Element, str]] = []
    numbers = 0
    for block in blocks(container(package.tree(package.main))):
        if block.tag == W_P:
            numbers += 1
            text = textmap.read(block, ours).text
            if text:
                found.append((f"p{numbers}", block, text))
    at = draw(st.integers(0, len(found) - 1))
    anchor, _, text = found[at]
    kind = draw(st.sampled_from(["replace", "split", "insert", "move"]))
    words = text.split(" ")
    if kind == "replace":
        return ReplaceText(anchor, text, f"{text} Z"), ReplaceText(
            f"text:{text} Z", f"{text} Z", text
        )
    if kind == "split" and len(words) > 1 and text.count(words[-1]) == 1:
        return SplitBlock(anchor, words[-1]), MergeBlocks(
            f"text:{text.removesuffix(words[-1])}", f"text:{words[-1]}"
        )
    is_whole = text in WHOLE
    if kind == "move" and is_whole and len(found) > 2 and 0 < at < len(found) - 1:
        return (
            MoveBlocks(anchor, anchor, found[at - 1][0], "before"),
            MoveBlocks(f"text:{text}", "", f"text:{found[at - 1][2]}", "after"),
        )
    return (
        InsertBlocks(anchor, "before", new(f"fresh words {number}")),
        DeleteBlocks(f"text:fresh words {number}", ""),
    )


def named(draft: Draft, operation: Operation) -> Operation:
    """An operation of which blocks are named by their text, with anchors."""
    package = Package.open(draft.data)
    ours = decode(draft.state).ours
    known: dict[str, str] = {}
    for number, block in enumerate(
        (b for b in blocks(container(package.tree(package.main))) if b.tag == W_P), start=1
    ):
        known.setdefault(f"text:{textmap.read(block, ours).text}", f"p{number}")
    match operation:
        case DeleteBlocks():
            return DeleteBlocks(known[operation.first], known[operation.first])
        case MergeBlocks():
            return MergeBlocks(known[operation.first], known[operation.last])
        case ReplaceText():
            return ReplaceText(known[operation.block], operation.find, operation.replace)
        case MoveBlocks():
            at = known[operation.first]
            return MoveBlocks(at, at, known[operation.to], operation.where)
        case _:
            return operation


@settings(max_examples=30 * MORE, deadline=None, suppress_health_check=(HealthCheck.too_slow,))
@given(SHAPES, st.data())
@pytest.mark.thorough
def test_edits_undone_one_after_the_other_leave_no_mark(
    shapes: list[tuple[str, str]], data: st.DataObject
) -> None:
    paragraphs = [p(text, style=style) for text, style in shapes]
    draft = upload = Draft.of(*paragraphs, p("the very end"))
    undo: list[Operation] = []
    for number in range(data.draw(st.integers(1, 4))):
        there, back = data.draw(step(draft, number))
        try:
            draft = draft.edit(there)
        except VerificationError:
            raise
        except EditError:
            continue
        assert draft.rejected == draft.original
        undo.append(back)
    for back in reversed(undo):
        draft = draft.edit(named(draft, back))
        assert draft.rejected == draft.original
    assert draft.accepted == upload.accepted
    assert draft.changes == ()


def test_a_table_moved_away_and_back_has_no_mark() -> None:
    draft = Draft.of(p("a"), table(["x", "y"]), p("b"), p("c"))
    back = draft.edit(MoveBlocks("t1", "t1", "p3", "before")).edit(
        MoveBlocks("t2", "t2", "p1", "after")
    )
    assert kept(back).changes == ()


def test_a_row_of_ours_in_a_table_that_stays_is_not_folded_away() -> None:
    split = p("alpha", properties=f'<w:rPr><w:ins w:id="7" w:author="{US}"/></w:rPr>')
    data = docx(split + table(["x", "y"], ["z", ""]) + p("end"))
    state = encode(State({7: "e0"}, frozenset(), fingerprint(Package.open(data), {7: "e0"})))
    edited = kept(Draft(data, state, data).edit(InsertRow("t1.r1", "after", ("one", "two"))))
    assert edited.accepted == ["alpha", "x", "y", "one", "two", "z", "end"]


def test_a_note_that_was_moved_and_comes_back_beside_a_deleted_paragraph_is_the_old_one() -> None:
    start = Draft.of(p("a"), p("b", note("2")), p("c"), p("d"), footnotes=footnote("2", p("old")))
    draft = start.edit(MoveBlocks("p2", "p2", "p3", "after")).edit(DeleteBlocks("p1", "p1"))
    back = draft.edit(MoveBlocks("p4", "p4", "p3", "before"))
    assert back.redline == ["[-a-][-¶-]", "b^", "c", "d"]
    assert back.rejected == start.original


PLACES = {
    "body": ("", "".join(map(p, ("one", "two", "three")))),
    "cell": ("t1.r1.c1.", table([p("one") + p("two") + p("three"), "b"]) + p("end")),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("to", ["before", "after"])
@pytest.mark.parametrize("first", [1, 2, 3])
@pytest.mark.parametrize("second", [1, 2, 3, 4])
def test_blocks_of_a_cell_are_moved_again_like_those_of_the_body(
    place: str, to: Literal["before", "after"], first: int, second: int
) -> None:
    at, blocks_of_it = PLACES[place]
    draft = Draft.of(blocks_of_it)

    def move(draft: Draft, number: int) -> Draft:
        name = f"{at}p{number}"
        known = ("1", "3", "4", "5")[1 if to == "after" else 0 :]
        for other in reversed(known) if to == "after" else known:
            try:
                return draft.edit(MoveBlocks(name, name, f"{at}p{other}", to))
            except VerificationError:
                raise
            except EditError:
                continue
        return draft

    made = move(draft, first)
    again = kept(move(kept(made), second))
    assert sorted(again.accepted) == sorted(draft.accepted)
