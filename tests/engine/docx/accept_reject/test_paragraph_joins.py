"""Chains of paragraphs are joined as if each were joined with the next, and in linear time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from redraft.engine.docx.accept_reject.paragraph_joins import Joiner
from redraft.engine.docx.accept_reject.part_tree import Settler, revisions
from redraft.engine.docx.names import (
    W_BODY,
    W_DEL,
    W_P,
    W_PPR,
    W_RPR,
    W_TBL,
    W_TC,
    W_TR,
    W_TR_PR,
    Element,
    W,
)
from tests.counting import lines
from tests.engine.wordml import NAMESPACES, p, r, table, text_of, textbox

GONE = "<w:rPr><w:del w:id='1' w:author='Ann'/></w:rPr>"
BOOKMARK = "<w:bookmarkStart w:id='7' w:name='b'/><w:bookmarkEnd w:id='7'/>"
PROOF = "<w:proofErr w:type='spellStart'/>"
SDT = f"<w:sdt><w:sdtContent>{p('held')}</w:sdtContent></w:sdt>"
ROW_GONE = "<w:tr><w:trPr><w:del w:id='3' w:author='Ann'/></w:trPr><w:tc><w:p/></w:tc></w:tr>"
BETWEEN = frozenset(
    W(f"{kind}{end}")
    for kind in ("bookmark", "perm", "commentRange", "moveFromRange", "moveToRange")
    for end in ("Start", "End")
) | {W("proofErr")}


def tree(body: str, container: str = "w:body") -> Element:
    return etree.fromstring(f"<{container} {NAMESPACES}>{body}</{container}>")


class OneByOne:
    """Joins each paragraph with the next at once: what a chain must come to."""

    def __init__(self, changed: set[Element]) -> None:
        self.changed = changed

    def is_held(self, paragraph: Element, is_going: Callable[[Element], bool]) -> bool:
        parent, other = paragraph.getparent(), self._next(paragraph)
        held = [child for child in paragraph if child.tag not in (W_PPR, W("proofErr"))]
        if other is not None and other.tag == W_P:
            return False
        if held and all(map(is_going, held)):
            return True
        if other is None and parent is not None and parent.tag == W_TC:
            other = paragraph.getprevious()
        elif not held:
            return False
        if other is None or other.tag != W_TBL:
            return False
        rows = [row.find(W_TR_PR) for row in other.iter(W_TR)]
        return all(row is not None and any(map(is_going, row)) for row in rows)

    def join(self, paragraph: Element) -> None:
        parent = paragraph.getparent()
        if parent is None:
            return
        following = self._next(paragraph)
        content = [child for child in paragraph if child.tag not in (W_PPR, W("proofErr"))]
        if following is None or following.tag != W_P:
            if not content and not self._is_last(paragraph):
                parent.remove(paragraph)
            return
        at = 1 if following.find(W_PPR) is not None else 0
        for offset, child in enumerate(content):
            following.insert(at + offset, child)
        self.changed.add(following)
        parent.remove(paragraph)

    def finish(self) -> None:
        """Everything is in its place already."""

    def _next(self, paragraph: Element) -> Element | None:
        other = paragraph.getnext()
        while other is not None and other.tag in BETWEEN:
            other = other.getnext()
        return other

    def _is_last(self, paragraph: Element) -> bool:
        parent = paragraph.getparent()
        if parent is None:
            return True
        others = [each for each in parent if each.tag in (W_P, W_TBL) and each is not paragraph]
        if parent.tag == W_BODY:
            return not others
        return not others or (parent.tag == W_TC and others[-1].tag == W_TBL)


def joined(root: Element, joiner: Joiner | OneByOne, order: list[int] | None) -> bytes:
    """What joining does to the paragraphs whose marks are deleted, in an order of theirs."""
    path = f".//{W_P}/{W_PPR}/{W_RPR}/{W_DEL}"
    gone = root.findall(path)
    picked = gone if order is None else [gone[at % len(gone)] for at in order if gone]
    for mark in picked:
        run = mark.getparent()
        if run is None:
            continue
        paragraph = next(run.iterancestors(W_P))
        if joiner.is_held(paragraph, lambda mark: mark.tag == W_DEL):
            continue
        run.remove(mark)
        joiner.join(paragraph)
    joiner.finish()
    return etree.tostring(root)


def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    blocks = st.lists(inner, min_size=1, max_size=4).map("".join)
    return st.one_of(
        blocks.map(lambda held: f"<w:tbl><w:tr><w:tc>{held}</w:tc></w:tr></w:tbl>"),
        blocks.map(lambda held: f"<w:p><w:pPr>{GONE}</w:pPr>{textbox(held)}</w:p>"),
        blocks.map(
            lambda held: (
                f"<w:tbl>{ROW_GONE}<w:tr><w:trPr><w:del w:id='4' w:author='A'/>"
                f"</w:trPr><w:tc>{held}</w:tc></w:tr></w:tbl>"
            )
        ),
    )


def paragraph(properties: str, *content: str) -> str:
    return f"<w:p>{properties}{''.join(content)}</w:p>"


PARAGRAPHS = st.builds(
    paragraph,
    st.sampled_from(["", "<w:pPr><w:jc w:val='end'/></w:pPr>", *[f"<w:pPr>{GONE}</w:pPr>"] * 6]),
    st.sampled_from(["", PROOF]),
    st.sampled_from(["", r("a"), r("b") + r("c"), BOOKMARK, "\n"]),
    st.sampled_from(["", PROOF, "<x:y xmlns:x='urn:x' x:z='1'/>", r("d")]),
)
LEAVES = st.one_of(
    PARAGRAPHS,
    PARAGRAPHS,
    PARAGRAPHS,
    st.sampled_from([BOOKMARK, PROOF, SDT, f"<w:tbl>{ROW_GONE}</w:tbl>", table(["t"]), "\n"]),
)
TWO_RUNS = f"<w:p><w:pPr>{GONE}</w:pPr>{r('a')}{r('b')}</w:p>"
# A row that is not deleted gets into a table through a box in a paragraph joined there.
LATE_ROW = (
    "<w:tbl><w:tr><w:trPr><w:del w:id='4' w:author='Ann'/></w:trPr><w:tc>"
    f"<w:p><w:pPr>{GONE}</w:pPr>{textbox(table(['t']))}</w:p>{p('b')}</w:tc></w:tr></w:tbl>"
    f"<w:p><w:pPr>{GONE}</w:pPr>{r('c')}</w:p>"
)
BODIES = st.lists(st.recursive(LEAVES, nested, max_leaves=12), max_size=9).map("".join)


@example(TWO_RUNS * 3 + p("end"), "w:body", [1, 0, 2])
@example(LATE_ROW, "w:tc", None)
@given(
    BODIES,
    st.sampled_from(["w:body", "w:tc", "w:footnote"]),
    st.none() | st.lists(st.integers(0, 30), max_size=20),
)
@pytest.mark.thorough
def test_a_chain_is_joined_as_one_by_one(body: str, root: str, order: list[int] | None) -> None:
    first, second = tree(body, root), tree(body, root)
    touched: set[Element] = set()
    wanted: set[Element] = set()
    assert joined(first, Joiner(touched), order) == joined(second, OneByOne(wanted), order)
    assert len(touched) == len(wanted)


@pytest.mark.parametrize("last", [p("end"), table(["t"]), ""])
def test_what_a_chain_holds_stands_in_its_last_paragraph(last: str) -> None:
    chain = [f"<w:p><w:pPr>{GONE}</w:pPr>{r(text)}</w:p>" for text in ("a", "b", "c")]
    root = tree("".join(chain) + last)
    Settler(root).settle(list(revisions(root)), "accept")
    texts = [text_of(each) for each in root.iterchildren(W_P)]
    assert texts == ["abcend" if last == p("end") else "abc"]


def test_accepting_many_deleted_marks_takes_linear_time() -> None:
    def work(count: int) -> int:
        root = tree(f"<w:p><w:pPr>{GONE}</w:pPr>{r('a')}</w:p>" * count + p("end"))
        marks = list(revisions(root))
        done = lines(lambda: Settler(root).settle(marks, "accept"))
        assert len(root) == 1
        return done

    assert work(400) < 5 * work(100)
