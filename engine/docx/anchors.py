"""The numbering of paragraphs, tables, rows and cells that every part of the engine shares.

Counts are physical: what the file holds, whatever a view shows (the grammar is in `engine.model`).
Blocks are found through the wrappers that may stand around them: content controls, custom XML,
tracked insertions and moves, alternate content.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from redraft.engine.docx.names import (
    MC_ALTERNATE,
    MC_CHOICE,
    MC_FALLBACK,
    R_ID,
    TEXT_BOXES,
    W_BODY,
    W_CUSTOM_XML,
    W_DEL,
    W_ENDNOTE_REFERENCE,
    W_FOOTER_REFERENCE,
    W_FOOTNOTE_REFERENCE,
    W_HEADER_REFERENCE,
    W_ID,
    W_INS,
    W_MOVE_FROM,
    W_MOVE_TO,
    W_P,
    W_SDT,
    W_SDT_CONTENT,
    W_TBL,
    W_TC,
    W_TR,
    W_TYPE,
    Element,
    W,
)
from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import NotFoundError
from redraft.engine.model import StoryKind

_REFERENCES = (
    W_HEADER_REFERENCE,
    W_FOOTER_REFERENCE,
    W_FOOTNOTE_REFERENCE,
    W_ENDNOTE_REFERENCE,
)
PlaceKind: TypeAlias = Literal["paragraph", "table", "row", "cell"]

_WRAPPERS = frozenset(
    {W_SDT, W_SDT_CONTENT, W_CUSTOM_XML, W_INS, W_DEL, W_MOVE_FROM, W_MOVE_TO, MC_ALTERNATE}
)
_BLOCKS = frozenset({W_P, W_TBL})
_ROWS = frozenset({W_TR})
_CELLS = frozenset({W_TC})
_ANCHOR = re.compile(r"(?:(h|f|fn|en|c|tb)([1-9]\d*)(?:\.|$))?((?:[ptrc][1-9]\d*(?:\.|$))*)")
_STEP = re.compile(r"([ptrc])(\d+)")
_PREFIXES: dict[str, StoryKind] = {
    "h": "header",
    "f": "footer",
    "fn": "footnote",
    "en": "endnote",
    "c": "comment",
    "tb": "textbox",
}


@dataclass(frozen=True, slots=True)
class Place:
    """An element of the file that an anchor names."""

    anchor: str
    part: str
    story: StoryKind
    kind: PlaceKind
    element: Element


@dataclass(frozen=True, slots=True)
class StoryPlace:
    """A story of the file: the element that holds its blocks; no anchor for the body.

    `purpose` of a header or footer: `default`, `first` or `even`, empty where none is said.
    """

    kind: StoryKind
    anchor: str
    part: str
    container: Element
    purpose: str = ""


def stories(package: Package) -> tuple[StoryPlace, ...]:
    """Returns every story: body, headers, footers, footnotes, endnotes, comments, text boxes."""
    main = package.main
    root = package.tree(main)
    body = root.find(W_BODY)
    places = [StoryPlace("body", "", main, root if body is None else body)]
    references: dict[str, list[Element]] = {tag: [] for tag in _REFERENCES}
    for node in root.iter(*_REFERENCES):
        references[node.tag].append(node)
    places += _furniture(package, references[W_HEADER_REFERENCE], "header")
    places += _furniture(package, references[W_FOOTER_REFERENCE], "footer")
    places += _notes(package, references[W_FOOTNOTE_REFERENCE], "footnote")
    places += _notes(package, references[W_ENDNOTE_REFERENCE], "endnote")
    hosts = tuple(places)
    for part in package.related(main, "comments"):
        comments = enumerate(package.tree(part).iter(W("comment")), start=1)
        places += [StoryPlace("comment", f"c{n}", part, comment) for n, comment in comments]
    boxes = (
        StoryPlace("textbox", "", host.part, box)
        for host in hosts
        for box in textboxes(host.container)
    )
    places += [
        StoryPlace("textbox", f"tb{n}", box.part, box.container) for n, box in enumerate(boxes, 1)
    ]
    return tuple(places)


def textboxes(container: Element) -> list[Element]:
    """Returns the contents of text boxes (`w:txbxContent`) in an element in order, each once.

    Of alternate content only the branch that `branch` takes counts; a box inside a box stands
    behind it.
    """
    return [box for box in container.iter(*TEXT_BOXES) if _is_shown(box, container)]


def branch(alternate: Element) -> Element | None:
    """Returns the branch of `mc:AlternateContent` that is read.

    The first Choice, else the Fallback.

    ECMA-376 Part 3, 9.3. Choices are not weighed by what they require: all are known to Word.
    """
    choice = alternate.find(MC_CHOICE)
    return alternate.find(MC_FALLBACK) if choice is None else choice


def blocks(container: Element) -> Iterator[Element]:
    """Returns the paragraphs and tables directly in a story or cell, through wrappers."""
    return _through(container, _BLOCKS)


def rows(table: Element) -> Iterator[Element]:
    """Returns the rows of a table, through wrappers."""
    return _through(table, _ROWS)


def cells(row: Element) -> Iterator[Element]:
    """Returns the physical cells of a row, through wrappers."""
    return _through(row, _CELLS)


def places(package: Package) -> Iterator[Place]:
    """Yields every paragraph, table, row and cell of every story, containers first."""
    for story in stories(package):
        yield from places_in(story)


def places_in(story: StoryPlace) -> Iterator[Place]:
    """Yields every paragraph, table, row and cell of one story in order."""
    prefix = f"{story.anchor}." if story.anchor else ""
    stack = [_numbered(prefix, story.container)]
    while stack:
        step = next(stack[-1], None)
        if step is None:
            stack.pop()
            continue
        anchor, kind, element = step
        yield Place(anchor, story.part, story.kind, kind, element)
        if kind == "table":
            stack.append(_each(anchor, "row", "r", rows(element)))
        elif kind == "row":
            stack.append(_each(anchor, "cell", "c", cells(element)))
        elif kind == "cell":
            stack.append(_numbered(f"{anchor}.", element))


def locate(package: Package, anchor: str) -> Place:
    """Returns the element that an anchor names.

    Raises:
        NotFoundError: nothing has this anchor, or it names a whole story.
    """
    match = _ANCHOR.fullmatch(anchor)
    steps = [] if match is None else _STEP.findall(match[3])
    if match is None or not steps or anchor.endswith("."):
        raise _missing(anchor)
    kind: StoryKind = _PREFIXES[match[1]] if match[1] else "body"
    name = f"{match[1]}{match[2]}" if match[1] else ""
    story = next((s for s in stories(package) if s.kind == kind and s.anchor == name), None)
    if story is None:
        raise _missing(anchor)
    element, container = story.container, "story"
    for letter, number in steps:
        following = _child(element, container, letter, int(number))
        if following is None:
            raise _missing(anchor)
        element, container = following
    places_kind: PlaceKind = {"p": "paragraph", "t": "table", "r": "row", "c": "cell"}[container]  # pyright: ignore[reportAssignmentType]
    return Place(anchor, story.part, story.kind, places_kind, element)


def _missing(anchor: str) -> NotFoundError:
    return NotFoundError(f"The document has no place {anchor[:60]}")


_WITHIN = {"p": ("story", "c"), "t": ("story", "c"), "r": ("t",), "c": ("r",)}
_TAGS = {"p": W_P, "t": W_TBL, "r": W_TR, "c": W_TC}


def _child(element: Element, kind: str, letter: str, number: int) -> tuple[Element, str] | None:
    """Returns the `number`-th thing of a letter in what was found so far."""
    if kind not in _WITHIN[letter]:
        return None
    tag = _TAGS[letter]
    wanted = {"p": _BLOCKS, "t": _BLOCKS, "r": _ROWS, "c": _CELLS}[letter]
    for child in _through(element, wanted):
        if child.tag == tag:
            number -= 1
            if not number:
                return child, letter
    return None


def _through(container: Element, wanted: frozenset[str]) -> Iterator[Element]:
    """Yields the children of a kind, looking into wrappers.

    Without recursion, for wrappers nest deep.
    """
    stack = [iter(container)]
    while stack:
        for child in stack[-1]:
            tag = child.tag
            if tag in wanted:
                yield child
            elif tag in _WRAPPERS:
                inner = branch(child) if tag == MC_ALTERNATE else child
                if inner is not None:
                    stack.append(iter(inner))
                    break
        else:
            stack.pop()


def _numbered(prefix: str, container: Element) -> Iterator[tuple[str, PlaceKind, Element]]:
    paragraphs = tables = 0
    for block in blocks(container):
        if block.tag == W_P:
            paragraphs += 1
            yield f"{prefix}p{paragraphs}", "paragraph", block
        else:
            tables += 1
            yield f"{prefix}t{tables}", "table", block


def _each(
    anchor: str, kind: PlaceKind, letter: str, elements: Iterable[Element]
) -> Iterator[tuple[str, PlaceKind, Element]]:
    for number, element in enumerate(elements, start=1):
        yield f"{anchor}.{letter}{number}", kind, element


def _is_shown(box: Element, container: Element) -> bool:
    """Returns whether a text box is in the branch that is read of all alternate content."""
    child = box
    for ancestor in box.iterancestors():
        if ancestor.tag == MC_ALTERNATE and branch(ancestor) is not child:
            return False
        if ancestor is container:
            return True
        child = ancestor
    return True


def _furniture(
    package: Package, references: Sequence[Element], kind: Literal["header", "footer"]
) -> list[StoryPlace]:
    """Returns headers or footers: by first reference, then the unreferenced by relationship."""
    relations = package.relationships(package.main)
    parts = package.related(package.main, kind)
    known = {part.lower(): part for part in parts}
    purposes: dict[str, str] = {}
    for node in references:
        relation = relations.get(node.get(R_ID, ""))
        part = None if relation is None else known.get(relation.target.lower())
        if part is not None:
            purposes.setdefault(part, node.get(W_TYPE, "default"))
    purposes |= {part: "" for part in parts if part not in purposes}
    return [
        StoryPlace(kind, f"{kind[0]}{n}", part, package.tree(part), purpose)
        for n, (part, purpose) in enumerate(purposes.items(), start=1)
    ]


def _notes(
    package: Package, references: Sequence[Element], kind: Literal["footnote", "endnote"]
) -> list[StoryPlace]:
    """Returns notes without separators.

    By first reference in the body, then the others as stored.
    """
    parts = package.related(package.main, f"{kind}s")
    if not parts:
        return []
    notes = [
        note
        for note in package.tree(parts[0]).iter(W(kind))
        if note.get(W_TYPE, "normal") == "normal"
    ]
    by_id: dict[str, Element] = {}
    for note in notes:
        by_id.setdefault(note.get(W_ID, ""), note)
    cited = dict.fromkeys(node.get(W_ID, "") for node in references)
    first = [by_id[key] for key in cited if key in by_id]
    seen = set(first)
    ordered = first + [note for note in notes if note not in seen]
    prefix = "fn" if kind == "footnote" else "en"
    return [
        StoryPlace(kind, f"{prefix}{n}", parts[0], note) for n, note in enumerate(ordered, start=1)
    ]
