"""Reads a Word document into the tree, in one of three views.

[x] body  [x] headers, footers  [x] footnotes, endnotes  [x] comments  [x] text boxes  [x] core
properties
[-] glossary document, custom XML data, themes (no text of the document)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from redraft.engine.docx.anchors import StoryPlace, stories
from redraft.engine.docx.names import W_AUTHOR, W_ID, Element, W
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.blocks import BlockReader
from redraft.engine.docx.reading.reading_state import Ledger
from redraft.engine.errors import CorruptDocumentError, TooLargeError
from redraft.engine.model import Document, Notice, Story, View


def read(package: Package, view: View = "final") -> Document:
    """Read a document.

    Args:
        package: The document; nothing in it is changed.
        view: `final` with all tracked changes accepted, `original` with all rejected, `markup` with
            both and each marked.

    Raises:
        CorruptDocumentError: a part that is needed cannot be read.
        TooLargeError: nested deeper than can be read.
    """
    try:
        return _read(package, view)
    except RecursionError as error:
        message = "The document is nested too deeply to be read"
        raise TooLargeError(message) from error


def controls(package: Package) -> Mapping[str, Element]:
    """The content controls by the ids that the final view gives them (`cc2`)."""
    places = stories(package)
    ledger = Ledger.open(package, "final", places)
    try:
        _story_by_story(places, ledger)
    except RecursionError as error:
        message = "The document is nested too deeply to be read"
        raise TooLargeError(message) from error
    return ledger.controls


def _read(package: Package, view: View) -> Document:
    places = stories(package)
    ledger = Ledger.open(package, view, places)
    stories_read = _story_by_story(places, ledger)
    properties, notices = _properties(package)
    return Document(
        "docx",
        _in_order(stories_read, places),
        ledger.images.notes(),
        (*ledger.images.notices, *ledger.notices, *notices),
        properties,
        tuple(ledger.bookmarks),
        view,
    )


def _story_by_story(places: Sequence[StoryPlace], ledger: Ledger) -> list[Story]:
    readers: dict[str, BlockReader] = {}
    read_stories: list[Story] = []
    # Comments come last: text boxes may be commented on too.
    for place in sorted(places, key=lambda place: place.kind == "comment"):
        host = _host(place, ledger)
        if host is None:
            continue
        ledger.numbering.begin(_counting(place))
        reader = readers.get(place.part)
        if reader is None:
            reader = readers[place.part] = BlockReader(ledger, place.part)
        blocks = reader.story(place.container, place.anchor)
        name, label, date = _name(place), ledger.labels.get(place.anchor, ""), ""
        if place.kind == "comment":
            label, date = place.container.get(_INITIALS, ""), place.container.get(_DATE, "")
        read_stories.append(Story(place.kind, place.anchor, blocks, label, name, host, date))
    return read_stories


def _host(place: StoryPlace, ledger: Ledger) -> str | None:
    """The block that a story hangs on, empty for none; None when the view has no such story."""
    if place.kind == "textbox":
        return ledger.hosts.get(place.container)
    if place.kind in ("footnote", "endnote"):
        return "" if place.anchor in ledger.labels else None
    if place.kind == "comment":
        return ledger.commented.get(place.container.get(W_ID, ""), "")
    return ""


def _counting(place: StoryPlace) -> str:
    """The stories whose lists count on from one to the next, as Word counts them.

    Body, footnotes, endnotes and comments each count for themselves, and so does every text box;
    a header and the footer of the same pages count together.
    """
    if place.kind in ("header", "footer"):
        return f"{place.purpose} {place.anchor[1:]}"
    return place.anchor if place.kind == "textbox" else place.kind


def _in_order(unordered: list[Story], places: Sequence[StoryPlace]) -> tuple[Story, ...]:
    order = {place.anchor: index for index, place in enumerate(places)}
    return tuple(sorted(unordered, key=lambda story: order[story.anchor]))


def _name(place: StoryPlace) -> str:
    if place.kind == "comment":
        return place.container.get(W_AUTHOR, "")
    return place.purpose


def _properties(package: Package) -> tuple[tuple[tuple[str, str], ...], tuple[Notice, ...]]:
    """The core properties that are said (ECMA-376 Part 2, 11), by their local names."""
    parts = package.related("", "core-properties")
    if not parts:
        return (), ()
    try:
        root = package.tree(parts[0])
    except CorruptDocumentError as error:
        return (), (Notice("properties", str(error)),)
    named = ((str(node.tag).rpartition("}")[2], (node.text or "").strip()) for node in root)
    return tuple((name, text) for name, text in named if text), ()


_INITIALS = W("initials")
_DATE = W("date")
