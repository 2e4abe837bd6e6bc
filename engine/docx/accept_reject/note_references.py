"""Notes and the references that keep them: a note whose last reference is gone goes with it.

ECMA-376 Part 1, 17.11: a footnote or endnote stands in a part of its own and is shown only where it
is referred to. The body of a note stays as long as a reference to it stands in the file, struck or
not; notes that nothing referred to before are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final, TypeAlias

from redraft.engine.docx.judging.fingerprint import story_parts
from redraft.engine.docx.names import (
    W_ENDNOTE_REFERENCE,
    W_FOOTNOTE_REFERENCE,
    W_ID,
    W_INS,
    W_TYPE,
    Element,
    W,
)
from redraft.engine.docx.opc.package import Package

# What a reference and its note have in common: `footnote` or `endnote`, and the id.
Key: TypeAlias = tuple[str, str]

NOTES: Final = {W("footnote"): "footnote", W("endnote"): "endnote"}
REFERENCES: Final = {W_FOOTNOTE_REFERENCE: "footnote", W_ENDNOTE_REFERENCE: "endnote"}
_MARKS: Final = (W("footnoteRef"), W("endnoteRef"))


def notes(package: Package) -> dict[Key, tuple[str, Element]]:
    """The notes of a package that are not separators, with the part of each."""
    by_key: dict[Key, tuple[str, Element]] = {}
    for kind in ("footnote", "endnote"):
        for part in package.related(package.main, f"{kind}s"):
            for note in package.tree(part).iter(W(kind)):
                if note.get(W_TYPE, "normal") == "normal":
                    by_key.setdefault((kind, note.get(W_ID, "")), (part, note))
    return by_key


def references(package: Package) -> Iterator[tuple[Key, str, Element]]:
    """Every reference to a note, struck or not, with its part."""
    for part in story_parts(package):
        for node in package.tree(part).iter(*REFERENCES):
            yield (REFERENCES[str(node.tag)], node.get(W_ID, "")), part, node


def highest(package: Package, kind: str) -> int:
    """The highest id of a `footnote` or `endnote`, or of a reference to one that is missing."""
    numbers = [0]
    for part in package.related(package.main, f"{kind}s"):
        numbers += [_number(note) for note in package.tree(part).iter(W(kind))]
    for key, _, node in references(package):
        if key[0] == kind:
            numbers.append(_number(node))
    return max(numbers)


def _number(node: Element) -> int:
    try:
        return int(node.get(W_ID, ""))
    except ValueError:
        return 0


def cited(package: Package) -> frozenset[Key]:
    """The notes that something refers to."""
    if not any(package.related(package.main, kind) for kind in ("footnotes", "endnotes")):
        return frozenset()
    return frozenset(key for key, _, _ in references(package))


def orphans(package: Package, before: Collection[Key]) -> dict[str, list[Element]]:
    """The notes of each part that were cited before and are no longer."""
    lost = frozenset(before) - cited(package) if before else frozenset[Key]()
    by_part: dict[str, list[Element]] = {}
    if lost:
        for key, (part, note) in notes(package).items():
            if key in lost:
                by_part.setdefault(part, []).append(note)
    return by_part


def inserted(package: Package) -> dict[Element, Element]:
    """For each note that is itself a tracked insertion the insertion of its reference.

    Its mark (`w:footnoteRef`) stands in an insertion by the author who inserted the reference.
    """
    author = W("author")
    known = notes(package)
    mark_of_note: dict[Element, Element] = {}
    for key, _, reference in references(package) if known else ():
        mark = next(reference.iterancestors(W_INS), None)
        note = known.get(key, ("", None))[1]
        if mark is None or note is None:
            continue
        for own in note.iter(*_MARKS):
            inner = next(own.iterancestors(W_INS), None)
            if inner is not None and inner.get(author) == mark.get(author):
                mark_of_note[note] = mark
    return mark_of_note


def drop(package: Package, gone: Mapping[str, Collection[int]]) -> None:
    """Take notes out of their parts; every other byte of these stays.

    Args:
        package: Where; the trees are those of the bytes.
        gone: For a part which of its `w:footnote` and `w:endnote` elements, counted from 0.
    """
    for part, indices in gone.items():
        package.replace(part, _without(package, part, sorted(indices)))


def places(package: Package, gone: Mapping[str, Collection[Element]]) -> dict[str, list[int]]:
    """Where notes stand among the notes of their parts, as `drop` wants it."""
    positions: dict[str, list[int]] = {}
    for part, elements in gone.items():
        order = {note: at for at, note in enumerate(package.tree(part).iter(*NOTES))}
        positions[part] = [order[element] for element in elements]
    return positions


def _without(package: Package, part: str, gone: list[int]) -> bytes:
    data = package.read(part)
    root = package.tree(part)
    elements = list(root.iter(*NOTES))
    spans = _spans(data, root)
    if spans is None or len(spans) != len(elements):
        for index in gone:
            parent = elements[index].getparent()
            if parent is not None:
                parent.remove(elements[index])
        return package.serialize(part)
    pieces: list[bytes] = []
    done = 0
    for index in gone:
        start, end = spans[index]
        pieces.append(data[done:start])
        done = end
    return b"".join([*pieces, data[done:]])


def _spans(data: bytes, root: Element) -> list[tuple[int, int]] | None:
    """The byte spans of the notes of a part, which do not nest; None when they cannot be told."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return None
    prefixes = [prefix for prefix, uri in root.nsmap.items() if uri == str(W)]
    named = b"|".join(re.escape(f"{p}:".encode()) if p else b"" for p in prefixes)
    tag = re.compile(
        rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>"
        rb"|<(/?)(?:"
        + named
        + rb")(?:footnote|endnote)(?=[\s/>])(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>",
        re.DOTALL,
    )
    spans: list[tuple[int, int]] = []
    start: int | None = None
    for match in tag.finditer(data):
        if match[1] is None:
            continue
        if match[1]:
            if start is None:
                return None
            spans.append((start, match.end()))
            start = None
        elif match[0].endswith(b"/>"):
            spans.append((match.start(), match.end()))
        elif start is not None:
            return None
        else:
            start = match.start()
    return None if start is not None else spans
