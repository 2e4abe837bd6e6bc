"""Real documents with random changes to their XML: words, looks, blocks, rows, notes.

The edits are made on the file itself, with no code of the engine but its reading of packages, and
stand for what a person does in Word: words change, a stretch becomes bold, paragraphs and rows come
and go, are divided and moved, a note is reworded.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Final

from lxml import etree

from redraft.engine.docx.names import W_P, W_PPR, W_R, W_RPR, W_T, W_TBL, W_TR, Element, W
from redraft.engine.docx.opc.package import Package

WORDS: Final = (
    "supplier",
    "customer",
    "notice",
    "payment",
    "thirty",
    "days",
    "written",
    "party",
    "shall",
    "law",
)
_OBJECTS: Final = (W("drawing"), W("pict"), W("object"), W("fldChar"), W("sectPr"), W("sdt"))
Edit = Callable[[random.Random, Sequence[Element]], bool]


def edited(data: bytes, seed: str, count: int = 6) -> tuple[bytes, list[str]]:
    """Returns a document with some random changes, and what they were."""
    dice = random.Random(seed)  # noqa: S311
    package = Package.open(data)
    done: list[str] = []
    for _ in range(count * 3):
        part = package.main
        notes = package.related(package.main, "footnotes")
        if notes and dice.random() < 0.1:
            part = notes[0]
        edit = dice.choice(EDITS if part == package.main else [reword])
        paragraphs = [
            paragraph
            for paragraph in package.tree(part).iter(W_P)
            if next(paragraph.iterancestors(W("txbxContent")), None) is None
        ]
        if paragraphs and edit(dice, paragraphs):
            done.append(edit.__name__)
            package.replace(part, package.serialize(part))
        if len(done) == count:
            break
    return package.save(), done


def _texts(paragraph: Element) -> list[Element]:
    return [
        node
        for node in paragraph.iter(W_T)
        if len((node.text or "").split()) > 2 and _parent(node).getparent() is paragraph
    ]


def _text(dice: random.Random, paragraphs: Sequence[Element]) -> Element | None:
    for _ in range(20):
        found = _texts(dice.choice(paragraphs))
        if found:
            return dice.choice(found)
    return None


def reword(dice: random.Random, paragraphs: Sequence[Element]) -> bool:
    """Puts a word in, takes one out or puts one in the place of another."""
    node = _text(dice, paragraphs)
    if node is None:
        return False
    words = (node.text or "").split(" ")
    at = dice.randrange(len(words))
    words[at : at + dice.choice([0, 1, 1, 2])] = [dice.choice(WORDS)] * dice.choice([0, 1, 1])
    node.text = " ".join(words)
    node.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    return True


def mark(dice: random.Random, paragraphs: Sequence[Element]) -> bool:
    """Strikes a stretch of a run through, or gives it a colour or size that no style has."""
    node = _text(dice, paragraphs)
    run = None if node is None else node.getparent()
    if node is None or run is None or len(run) - (run.find(W_RPR) is not None) != 1:
        return False
    words = (node.text or "").split(" ")
    start = dice.randrange(len(words))
    end = dice.randrange(start + 1, len(words) + 1)
    parts = [" ".join(words[:start]), " ".join(words[start:end]), " ".join(words[end:])]
    parts[0] += " " if start else ""
    parts[2] = (" " if end < len(words) else "") + parts[2]
    tag, value = dice.choice(
        [("strike", None), ("color", "C01010"), ("sz", "31"), ("highlight", "cyan")]
    )
    for index, text in enumerate(parts):
        if not text:
            continue
        copy = deepcopy(run)
        inner = copy.find(W_T)
        assert inner is not None
        inner.text = text
        inner.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
        if index == 1:
            _set(copy, tag, value)
        run.addprevious(copy)
    _parent(run).remove(run)
    return True


def _set(run: Element, tag: str, value: str | None) -> None:
    properties = run.find(W_RPR)
    if properties is None:
        properties = etree.Element(W_RPR)
        run.insert(0, properties)
    for old in properties.findall(W(tag)):
        properties.remove(old)
    order = ["rStyle", "rFonts", "b", "bCs", "i", "iCs", "caps", "smallCaps", "strike", "dstrike"]
    order += ["outline", "shadow", "emboss", "imprint", "noProof", "snapToGrid", "vanish"]
    order += ["webHidden", "color", "spacing", "w", "kern", "position", "sz", "szCs", "highlight"]
    order += ["u"]
    names = [str(child.tag).rpartition("}")[2] for child in properties]
    at = sum(name in order[: order.index(tag)] for name in names)
    properties.insert(at, etree.Element(W(tag), {} if value is None else {W("val"): value}))


def _movable(paragraph: Element) -> bool:
    """Whether a paragraph can go: it stands among others, and nothing hangs on it."""
    sides = paragraph.getprevious(), paragraph.getnext()
    is_free = next(paragraph.iter(*_OBJECTS), None) is None
    return is_free and all(side is not None and side.tag == W_P for side in sides)


def _chosen(dice: random.Random, paragraphs: Sequence[Element]) -> Element | None:
    for _ in range(20):
        paragraph = dice.choice(paragraphs)
        if _movable(paragraph) and "".join(t.text or "" for t in paragraph.iter(W_T)).strip():
            return paragraph
    return None


def _parent(element: Element) -> Element:
    parent = element.getparent()
    assert parent is not None
    return parent


def delete(dice: random.Random, paragraphs: Sequence[Element]) -> bool:
    """Takes a paragraph out."""
    paragraph = _chosen(dice, paragraphs)
    if paragraph is None:
        return False
    _parent(paragraph).remove(paragraph)
    return True


def add(dice: random.Random, paragraphs: Sequence[Element]) -> bool:
    """Puts in a paragraph of the same look with other words."""
    paragraph = _chosen(dice, paragraphs)
    if paragraph is None:
        return False
    copy = etree.Element(W_P)
    properties = paragraph.find(W_PPR)
    if properties is not None:
        copy.append(deepcopy(properties))
    run = etree.SubElement(copy, W_R)
    look = next(paragraph.iter(W_RPR), None)
    own = next((r.find(W_RPR) for r in paragraph.iter(W_R) if r.find(W_RPR) is not None), None)
    if look is not None and own is not None:
        run.append(deepcopy(own))
    text = etree.SubElement(run, W_T)
    text.text = " ".join(dice.choice(WORDS) for _ in range(dice.randrange(4, 14))) + "."
    paragraph.addnext(copy)
    return True


def split(dice: random.Random, paragraphs: Sequence[Element]) -> bool:
    """Divides a paragraph between two words of a run."""
    paragraph = _chosen(dice, paragraphs)
    texts = [] if paragraph is None else _texts(paragraph)
    if paragraph is None or not texts:
        return False
    node = dice.choice(texts)
    run = _parent(node)
    words = (node.text or "").split(" ")
    at = dice.randrange(1, len(words))
    copy = deepcopy(paragraph)
    place = list(paragraph).index(run)
    inner = list(run).index(node)
    node.text = " ".join(words[:at])
    for later in list(run)[inner + 1 :]:
        run.remove(later)
    for later in list(paragraph)[place + 1 :]:
        paragraph.remove(later)
    twin = copy[place]
    twin[inner].text = " ".join(words[at:])
    for earlier in [c for c in list(twin)[:inner] if c.tag != W_RPR]:
        twin.remove(earlier)
    for earlier in [c for c in list(copy)[:place] if c.tag != W_PPR]:
        copy.remove(earlier)
    paragraph.addnext(copy)
    return True


def move(dice: random.Random, paragraphs: Sequence[Element]) -> bool:
    """Moves a paragraph a few places up or down."""
    paragraph = _chosen(dice, paragraphs)
    if paragraph is None:
        return False
    target = paragraph
    for _ in range(dice.randrange(1, 6)):
        after = target.getnext()
        if after is None or after.tag != W_P:
            break
        target = after
    if target is paragraph or target.getnext() is None:
        return False
    _parent(paragraph).remove(paragraph)
    target.addnext(paragraph)
    return True


def align(dice: random.Random, paragraphs: Sequence[Element]) -> bool:
    """Gives a paragraph another alignment."""
    paragraph = _chosen(dice, paragraphs)
    if paragraph is None:
        return False
    properties = paragraph.find(W_PPR)
    if properties is None:
        properties = etree.Element(W_PPR)
        paragraph.insert(0, properties)
    side = properties.find(W("jc"))
    if side is None:
        side = etree.Element(W("jc"))
        after = (W("textDirection"), W("textAlignment"), W("outlineLvl"), W_RPR, W("sectPr"))
        later = [child for child in properties if child.tag in (*after, W("pPrChange"))]
        properties.insert(len(properties) - len(later), side)
    side.set(W("val"), dice.choice(["center", "right", "both"]))
    return True


def row(dice: random.Random, paragraphs: Sequence[Element]) -> bool:
    """Takes a row out of a table, or puts one in with other words."""
    tables = list({table: None for p in paragraphs for table in p.iterancestors(W_TBL)})
    if not tables:
        return False
    table = dice.choice(tables)
    rows = table.findall(W_TR)
    if len(rows) < 3 or any(next(r.iter(W("vMerge")), None) is not None for r in rows):
        return False
    chosen = dice.choice(rows[1:])
    if next(chosen.iter(*_OBJECTS, W_TBL), None) is not None:
        return False
    if dice.random() < 0.5:
        table.remove(chosen)
        return True
    copy = deepcopy(chosen)
    for node in copy.iter(W_T):
        node.text = f"{dice.choice(WORDS)} {dice.randrange(100)}"
    chosen.addnext(copy)
    return True


EDITS: Final[list[Edit]] = [
    *(reword, reword, reword, mark, mark, delete, add, split, move, align, row, row)
]
