"""Marks are settled one by one in a part; what they leave empty goes with them."""

from __future__ import annotations

import pytest
from lxml import etree

from redraft.engine.docx.accept_reject.part_tree import Action, Settler, revisions
from redraft.engine.docx.names import W_ID, Element
from tests.engine.wordml import NAMESPACES, dele, ins, p, r, table

BY = 'w:author="Ann" w:date="2026-01-01T00:00:00Z"'
PROOF = '<w:proofErr w:type="spellStart"/>'
HOLLOW = '<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve"/></w:r>'
GONE = f'<w:rPr><w:del w:id="5" {BY}/></w:rPr>'


def settled(body: str, action: Action, *ids: str) -> str:
    """The body after the marks of some ids, or all, have been accepted or rejected."""
    root = etree.fromstring(f"<w:body {NAMESPACES}>{body}</w:body>")
    marks = list(revisions(root))
    Settler(root).settle([m for m in marks if not ids or m.get(W_ID) in ids], action)
    return plain(root)


def plain(root: Element) -> str:
    return etree.tostring(root, method="c14n").decode()


def said(body: str) -> str:
    return plain(etree.fromstring(f"<w:body {NAMESPACES}>{body}</w:body>"))


RECORDED = (
    f'<w:rPr><w:ins w:id="1" {BY}/><w:b/><w:rPrChange w:id="2" {BY}>'
    f'<w:rPr><w:ins w:id="3" {BY}/><w:i/></w:rPr></w:rPrChange></w:rPr>'
)


@pytest.mark.parametrize(
    ("ids", "left"),
    [
        (["2"], f'<w:rPr><w:ins w:id="1" {BY}/><w:i/></w:rPr>'),
        (["2", "3"], f'<w:rPr><w:ins w:id="1" {BY}/><w:i/></w:rPr>'),
    ],
)
def test_a_mark_in_recorded_looks_of_a_paragraph_mark_does_not_come_back_with_them(
    ids: list[str], left: str
) -> None:
    body = p("a", properties=RECORDED) + p("b")
    assert settled(body, "reject", *ids) == said(p("a", properties=left) + p("b"))


@pytest.mark.parametrize(
    "held",
    [
        ins(dele("a", id=9), id=8),
        ins(PROOF + dele("a", id=9) + PROOF, id=8),
        PROOF + dele("a", id=9),
    ],
)
def test_a_link_goes_with_its_last_word_whatever_spelling_marks_stand_in_it(held: str) -> None:
    body = p("b", f'<w:hyperlink r:id="rId1">{held}</w:hyperlink>')
    assert settled(body, "accept", "9") == said(p("b"))


@pytest.mark.parametrize("held", ["", HOLLOW, PROOF, HOLLOW + HOLLOW])
def test_a_paragraph_that_shows_nothing_goes_with_its_mark_in_front_of_a_table(held: str) -> None:
    body = table(["a"]) + p(held, properties=GONE) + table(["b"])
    assert settled(body, "accept") == said(table(["a"]) + table(["b"]))


def test_a_paragraph_that_shows_something_stays_in_front_of_a_table() -> None:
    body = table(["a"]) + p(HOLLOW, r("c"), properties=GONE) + table(["b"])
    assert settled(body, "accept") == said(table(["a"]) + p(HOLLOW, r("c")) + table(["b"]))
