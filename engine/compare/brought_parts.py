"""What copied blocks need in another document: styles, lists, pictures, links and notes.

A copy still speaks of its own document. The carrier lets it name the styles and lists of the
document it goes to, brings the parts it refers to, pictures above all, and writes its notes.

ECMA-376 Part 2, 9.3 (relationships); Part 1, 17.11 (notes).
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Final, Literal, cast
from xml.sax.saxutils import quoteattr

from redraft.engine.compare.brought_lists import Lists
from redraft.engine.compare.brought_styles import set_styles, style_ids
from redraft.engine.docx.accept_reject import note_references
from redraft.engine.docx.editing.block_copies import transcribe
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.names import PKG, W_ID, W_P, W_TBL, Element, R
from redraft.engine.docx.opc import new_parts
from redraft.engine.docx.opc.package import Package, Relationship
from redraft.engine.docx.steps.footnotes import note_part
from redraft.engine.docx.steps.moves import NoteCopy, write_note
from redraft.engine.errors import RefusedError

_RELATIONS: Final = R("id").removesuffix("id")
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
# What may be brought; a diagram names its cached drawing by an id of its own document.
_BROUGHT: Final = frozenset(
    {"image", "hdphoto", "hyperlink", "chart", "package", "oleObject", "chartUserShapes"}
    | {"chartStyle", "chartColorStyle", "themeOverride"}
)
_ELSEWHERE: Final = "The text refers to a part of its document that cannot be copied"
_STRANGE: Final = "A note of the text holds something that cannot be copied"


def can_relate(source: Package, home: str, blocks: Sequence[Element]) -> bool:
    """Returns whether the parts that copies of blocks refer to can be brought."""
    relations = source.relationships(home)
    identifiers = (
        node.get(str(name), "")
        for block in blocks
        for node in block.iter()
        for name in node.attrib
        if str(name).startswith(_RELATIONS)
    )
    found = (relations.get(identifier) for identifier in identifiers if identifier)
    kinds = ("" if relation is None else relation.kind for relation in found)
    return all(kind in _BROUGHT for kind in kinds)


class Carrier:
    """Brings what copies of blocks need.

    Args:
        desk: Who writes into the document that they go to.
        source: The document that they come from.
        lists: Finds the counterparts of its lists.
        styles: The ids of its styles, with those of the same styles where they go.
    """

    def __init__(
        self, desk: Desk, source: Package, lists: Lists, styles: Mapping[str, str]
    ) -> None:
        self._desk = desk
        self._source = source
        self._lists = lists
        self._styles = styles
        self._taken = style_ids(desk.package)
        self._parts: dict[str, str] = {}
        self._pictures: dict[bytes, str] | None = None

    def carry(self, home: str, part: str, blocks: Sequence[Element]) -> None:
        """Lets copies name what is there where they go, and brings what is not.

        Args:
            home: The part of the source that they come from.
            part: The part that they go to.
            blocks: Copies without marks; they are changed.

        Raises:
            RefusedError: something that they refer to cannot be brought.
        """
        for block in blocks:
            set_styles(block, self._styles, self._taken)
            self._lists.set_in(block)
            self._relate(home, part, block)
        for block in blocks:
            self._notes(block)

    # Parts

    def _relate(self, home: str, part: str, block: Element) -> None:
        relations = self._source.relationships(home)
        for node in block.iter():
            for name in [str(n) for n in node.attrib if str(n).startswith(_RELATIONS)]:
                identifier = node.get(name, "")
                if identifier:
                    node.set(name, self._relation(relations.get(identifier), part))

    def _relation(self, relation: Relationship | None, part: str) -> str:
        """Returns the id of a relationship that leads where one of the source does."""
        package = self._desk.package
        if relation is None or relation.kind not in _BROUGHT:
            raise RefusedError(_ELSEWHERE)
        target = relation.target if relation.external else self._part(relation.target)
        for known in package.relationships(part).values():
            if (known.kind, known.target, known.external) == (
                relation.kind,
                target,
                relation.external,
            ):
                return known.id
        if not relation.external:
            target = posixpath.relpath(target, posixpath.dirname(part) or ".")
        return new_parts.relate(
            package,
            part,
            relation.kind,
            target,
            is_external=relation.external,
            base=_base(relation.type),
        )

    def _part(self, name: str) -> str:
        """Returns the name of a part with the contents of one of the source."""
        package, source = self._desk.package, self._source
        if name in self._parts:
            return self._parts[name]
        if not source.has(name) or package.strict != source.strict:
            raise RefusedError(_ELSEWHERE)
        data, relations = source.read(name), source.relationships(name)
        known = None if relations else self._known(data, name)
        if known is not None:
            return known
        stem, extension = posixpath.splitext(name)
        made, number = name, 1
        while package.has(made) or package.is_declared(made):
            number += 1
            made = f"{stem}-{number}{extension}"
        self._parts[name] = made
        targets = {
            r.id: r.target if r.external else self._part(r.target) for r in relations.values()
        }
        if any(relation.kind not in _BROUGHT for relation in relations.values()):
            raise RefusedError(_ELSEWHERE)
        package.replace(made, data)
        if package.content_type(made) != source.content_type(name):
            new_parts.declare(package, made, source.content_type(name))
        if relations:
            folder, base = posixpath.split(made)
            written = _relationships(list(relations.values()), targets)
            package.replace(posixpath.join(folder, "_rels", f"{base}.rels"), written)
        return made

    def _known(self, data: bytes, name: str) -> str | None:
        """Returns the picture of the document that has these contents."""
        package = self._desk.package
        if self._pictures is None:
            self._pictures = {
                blake2b(package.read(member)).digest(): member
                for member in package.names()
                if "/media/" in member
            }
        known = self._pictures.get(blake2b(data).digest())
        is_same = known is not None and package.content_type(known) == self._source.content_type(
            name
        )
        return known if is_same else None

    # Notes

    def _notes(self, block: Element) -> None:
        """Writes the notes that a copy refers to, and lets it refer to them."""
        desk = self._desk
        for node in block.iter(*note_references.REFERENCES):
            kind = cast('Literal["footnote", "endnote"]', note_references.REFERENCES[str(node.tag)])
            home, note = note_references.notes(self._source).get(
                (kind, node.get(W_ID, "")), ("", None)
            )
            if note is None or any(child.tag not in (W_P, W_TBL) for child in note):
                raise RefusedError(_STRANGE)
            blocks = transcribe(self._source, home, list(note)).blocks
            if any(True for b in blocks for _ in b.iter(*note_references.REFERENCES)):
                raise RefusedError(_STRANGE)
            part = note_part(desk.package, kind)
            self.carry(home, part, blocks)
            highest = note_references.highest(desk.package, kind)
            desk.numbers[kind] = max(desk.numbers.get(kind, 0), highest) + 1
            node.set(W_ID, str(desk.numbers[kind]))
            write_note(desk, NoteCopy(part, kind, desk.numbers[kind], blocks))


def _base(kind: str) -> str:
    """Returns what a type begins with; empty for those of the standard."""
    base = kind.rstrip("/").rpartition("/")[0]
    return "" if base == _OFFICE or "purl.oclc.org" in base else base


def _relationships(relations: Sequence[Relationship], targets: Mapping[str, str]) -> bytes:
    """Returns the relationships of a part, with the ids that its XML uses."""
    lines = "".join(
        f"<Relationship Id={quoteattr(r.id)} Type={quoteattr(r.type)}"
        f" Target={quoteattr(targets[r.id] if r.external else '/' + targets[r.id])}"
        f"{' TargetMode=' + quoteattr('External') if r.external else ''}/>"
        for r in relations
    )
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    return f"{head}<Relationships xmlns={quoteattr(str(PKG))}>{lines}</Relationships>".encode()
