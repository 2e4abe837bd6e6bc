"""What a paragraph says, read straight from the XML for the judge of law 2.

Several physical paragraphs are one where the marks between them are struck. A field may begin in a
paragraph before; its result is computed, unless the field is a link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from redraft.engine.docx.judging.final_text import CHARACTERS
from redraft.engine.docx.judging.paragraph_shapes import Shapes, properties
from redraft.engine.docx.names import (
    R_ID,
    TEXT_BOXES,
    W_BR,
    W_DEL,
    W_ENDNOTE_REFERENCE,
    W_FLD_CHAR,
    W_FLD_SIMPLE,
    W_FOOTNOTE_REFERENCE,
    W_HYPERLINK,
    W_ID,
    W_INSTR_TEXT,
    W_MOVE_FROM,
    W_P,
    W_PPR,
    W_R,
    W_RPR,
    W_SDT,
    W_SDT_CONTENT,
    W_SDT_PR,
    W_SECT_PR,
    W_SYM,
    W_T,
    W_TYPE,
    W_VAL,
    Element,
    M,
    R,
    W,
)
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.runs.symbols import symbol
from redraft.engine.judge.content import Paragraph, Piece, Property

_STRUCK: Final = frozenset({W_DEL, W_MOVE_FROM})
_NOTES: Final = {
    W_FOOTNOTE_REFERENCE: "footnoteReference",
    W_ENDNOTE_REFERENCE: "endnoteReference",
}
_ALTERNATE: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"
_DRAWN: Final = frozenset({*map(W, ("drawing", "pict", "object")), _ALTERNATE})
_MATHS: Final = frozenset(map(M, ("oMath", "oMathPara")))
_RUBY: Final = W("ruby")
_COMMENT_START, _COMMENT_END = W("commentRangeStart"), W("commentRangeEnd")
_SHOWN: Final = (R("embed"), R("link"), R_ID, R("dm"))
_TITLES: Final = frozenset(map(W, ("alias", "tag")))
_VALUES: Final = frozenset(
    {
        *map(W, ("lock", "dataBinding", "dropDownList", "comboBox", "date", "docPartObj")),
        *map(W, ("showingPlcHdr", "citation", "bibliography")),
        "{http://schemas.microsoft.com/office/word/2010/wordml}checkbox",
    }
)
_LISTS: Final = frozenset(map(W, ("dropDownList", "comboBox")))
_COMPUTED: Final = frozenset(
    {W("date"), "{http://schemas.microsoft.com/office/word/2010/wordml}checkbox"}
)
_OFF: Final = ("0", "false", "off")
# The address of a link, or a switch; `\\l`, `\\o` and `\\t` take an argument (17.16.5.25).
_ARGUMENT: Final = re.compile(r'(?:\\([lot])\s+|\\[a-z]\s*)?("[^"]*"|[^\s\\]\S*)?')
_HEX: Final = re.compile("[0-9A-Fa-f]+")


@dataclass(slots=True)
class Reading:
    """A paragraph, and the text boxes that hang on it, in all their forms."""

    paragraph: Paragraph
    boxes: list[Element] = field(default_factory=list[Element])


@dataclass(slots=True)
class _Field:
    """A field that is open: its instruction so far, and whether its result has begun."""

    instruction: str = ""
    is_shown: bool = False
    names: frozenset[str] = frozenset()

    @property
    def link(self) -> str:
        if self.instruction.split()[:1] != ["HYPERLINK"]:
            return ""
        target = anchor = ""
        for match in _ARGUMENT.finditer(self.instruction.split(None, 1)[-1]):
            switch, value = match[1], (match[2] or "").strip('"')
            if switch == "l":
                anchor = value
            elif not switch:
                target = target or value
        return target + (f"#{anchor}" if anchor else "") or "#"


def is_struck_mark(paragraph: Element) -> bool:
    """Tells whether a paragraph joins the next one."""
    # Asked of every paragraph of a document, so that no path is searched.
    own = paragraph[0] if len(paragraph) else None
    marks = own.find(W_RPR) if own is not None and own.tag == W_PPR and len(own) else None
    return marks is not None and any(child.tag in _STRUCK for child in marks)


class ParagraphReader:
    """Reads the paragraphs of a part."""

    def __init__(
        self,
        package: Package,
        part: str,
        images: Mapping[Element, str],
        controls: Mapping[Element, str],
        shapes: Shapes,
        *,
        has_fields: bool,
    ) -> None:
        self._root = package.tree(part)
        self._has_fields = has_fields
        self._relations = package.relationships(part)
        self.images = images
        self.controls = controls
        self._shapes = shapes
        self._open: dict[Element, list[_Field]] | None = None

    def read(self, elements: Sequence[Element]) -> Reading:
        """Returns what paragraphs say that are joined in one."""
        walk = _Walk(self, [_Field(f.instruction, f.is_shown) for f in self._opened(elements[0])])
        for element in elements:
            walk.around(element)
            walk.inside(element)
        paragraph = walk.paragraph
        paragraph.shape = self._shapes.of(elements[-1]) if len(elements) == 1 else None
        paragraph.has_section = elements[-1].find(f"{W_PPR}/{W_SECT_PR}") is not None
        return Reading(paragraph, walk.boxes)

    def link(self, hyperlink: Element) -> str:
        """Returns where a `w:hyperlink` leads."""
        relation = self._relations.get(hyperlink.get(R_ID, ""))
        anchor = hyperlink.get(W("anchor"), "")
        target = "" if relation is None else relation.target
        return target + (f"#{anchor}" if anchor else "")

    def _opened(self, paragraph: Element) -> Sequence[_Field]:
        """The fields that are open where a paragraph begins; `w:del` hides what is struck."""
        if self._open is None:
            self._open = {}
            if not self._has_fields:
                return ()
            opened: list[_Field] = []
            for node in self._root.iter(W_P, W_FLD_CHAR, W_INSTR_TEXT):
                if node.tag == W_P:
                    if opened:
                        self._open[node] = [_Field(f.instruction, f.is_shown) for f in opened]
                elif next(node.iterancestors(W_DEL, W_MOVE_FROM, W_P)).tag == W_P:
                    _step(opened, node)
        return self._open.get(paragraph, ())


def _step(opened: list[_Field], node: Element) -> None:
    kind = node.get(W("fldCharType"), "") if node.tag == W_FLD_CHAR else ""
    if kind == "begin":
        opened.append(_Field())
    elif kind == "separate" and opened:
        opened[-1].is_shown = True
    elif kind == "end" and opened:
        opened.pop()
    elif node.tag == W_INSTR_TEXT and opened and not opened[-1].is_shown:
        opened[-1].instruction += node.text or ""


class _Walk:
    """Goes through paragraphs and puts down their pieces."""

    def __init__(self, reader: ParagraphReader, opened: list[_Field]) -> None:
        self.paragraph = Paragraph()
        self.boxes: list[Element] = []
        self._reader = reader
        self._fields = opened
        self._links: list[str] = []
        self._guards = 0
        self._controls: list[tuple[frozenset[str], str]] = []
        self._size = 0
        self._commented: dict[str, int] = {}

    def around(self, paragraph: Element) -> None:
        """Take the controls around a paragraph into account."""
        self._guards, self._controls = 0, []
        for sdt in reversed(list(paragraph.iterancestors(W_SDT))):
            self._enter(sdt)

    def inside(self, element: Element) -> None:
        """Put down the pieces below a paragraph or wrapper."""
        for child in element:
            tag = child.tag
            if tag == W_R:
                self._run(child)
            elif tag in _STRUCK or tag == W_PPR:
                continue
            elif tag in _MATHS:
                words = "".join(node.text or "" for node in child.iter(M("t")))
                self._add(Piece(object=f"equation {words}"))
            elif tag in (_COMMENT_START, _COMMENT_END):
                self._comment(child)
            elif len(child):
                self._wrapper(child)

    def _wrapper(self, child: Element) -> None:
        tag = child.tag
        if tag == W_HYPERLINK:
            self._links.append(self._reader.link(child))
            self.inside(child)
            self._links.pop()
        elif tag == W_FLD_SIMPLE:
            self._fields.append(_Field(child.get(W("instr"), ""), is_shown=True))
            self.inside(child)
            self._fields.pop()
        elif tag == W_SDT:
            guards, controls = self._guards, list(self._controls)
            self._enter(child)
            content = child.find(W_SDT_CONTENT)
            if content is not None:
                self.inside(content)
            self._guards, self._controls = guards, controls
        elif tag == _ALTERNATE:
            self._object(child, ())
        else:
            self.inside(child)

    def _enter(self, sdt: Element) -> None:
        own = sdt.find(W_SDT_PR)
        self._guards += own is not None and any(child.tag in _VALUES for child in own)
        binding = None if own is None else own.find(W("dataBinding"))
        bound = "" if binding is None else binding.get(W("xpath"), "")
        names = {self._reader.controls.get(sdt, "")}
        for child in () if own is None else own:
            if child.tag in _TITLES:
                names.add(child.get(W_VAL, "").strip().casefold())
        options = _options(own)
        if options is not None:
            self.paragraph.options.update(dict.fromkeys(names - {""}, options))
        self._controls.append((frozenset(names), bound))
        self._add(Piece())

    def _comment(self, marker: Element) -> None:
        name = marker.get(W_ID, "")
        if marker.tag == _COMMENT_START:
            self._commented[name] = self._size
        else:
            start = self._commented.pop(name, 0)
            self.paragraph.comments.append((name, self.paragraph.text[start:]))

    def _run(self, run: Element) -> None:
        own = run.find(W_RPR)
        look = () if own is None else properties(own)
        hidden = None if own is None else own.find(W("vanish"))
        is_hidden = hidden is not None and hidden.get(W_VAL, "1") not in _OFF
        for child in run:
            tag = child.tag
            if tag in (W_FLD_CHAR, W_INSTR_TEXT):
                _step(self._fields, child)
                self._name_field(child)
            elif tag in _NOTES or tag in _DRAWN:
                self._object(child, look)
            elif tag == _RUBY:
                base = child.find(W("rubyBase"))
                self.inside(child if base is None else base)
            elif not is_hidden and all(f.is_shown for f in self._fields):
                self._character(child, look)

    def _name_field(self, node: Element) -> None:
        """Note what a form field that begins is called (17.16.17, ffData)."""
        data = node.find(W("ffData"))
        if data is None or not self._fields or node.get(W("fldCharType")) != "begin":
            return
        name = data.find(W("name"))
        names = {self._reader.controls.get(node, "")}
        names.add("" if name is None else name.get(W_VAL, "").strip().casefold())
        self._fields[-1].names = frozenset(names)
        self._add(Piece())

    def _character(self, child: Element, look: tuple[Property, ...]) -> None:
        text = CHARACTERS.get(str(child.tag), "")
        if child.tag == W_T:
            text = (child.text or "").replace("\n", " ").replace("\r", " ")
        elif child.tag == W_BR:
            kind = child.get(W_TYPE, "textWrapping")
            if kind in ("page", "column"):
                self._add(Piece(object=f"{kind} break"))
                return
            text = "\n"
        elif child.tag == W_SYM:
            code = child.get(W("char"), "")
            text = symbol(child.get(W("font"), ""), int(code, 16) if _HEX.fullmatch(code) else 0)
        if text:
            self._add(Piece(text, look=look))

    def _object(self, element: Element, look: tuple[Property, ...]) -> None:
        name = _NOTES.get(str(element.tag))
        if name is not None:
            self._add(Piece(object=f"{name} {element.get(W_ID, '')}", look=look))
            return
        own = list(_outside_boxes(element))
        shown = sorted({value for node in own for a in _SHOWN if (value := node.get(a))})
        reader = self._reader
        images = {reader.images[n] for n in own if n in reader.images}
        self._add(Piece(object=f"picture {' '.join(shown)}", image=frozenset(images)))
        self.boxes += list(element.iter(*TEXT_BOXES))

    def _add(self, piece: Piece) -> None:
        links = [*self._links, *(field.link for field in self._fields)]
        computed = any(not field.link for field in self._fields)
        binding = self._controls[-1][1] if self._controls else ""
        controls = [names for names, _ in self._controls] + [f.names for f in self._fields]
        self._size += len(piece.text)
        self.paragraph.pieces.append(
            Piece(
                piece.text,
                piece.object,
                piece.image,
                piece.look,
                next((link for link in reversed(links) if link), ""),
                computed or self._guards > 0,
                frozenset[str]().union(*controls) - {""},
                binding,
            )
        )


def _options(control: Element | None) -> dict[str, str] | None:
    """What a control shows for values; None where that is no text as it is given (17.5.2)."""
    options: dict[str, str] = {}
    for child in () if control is None else control:
        if child.tag in _COMPUTED:
            return None
        for entry in child.iterfind(W("listItem")) if child.tag in _LISTS else ():
            value = entry.get(W("value"), "")
            shown = entry.get(W("displayText")) or value
            for name in (value, shown):
                options.setdefault(name.strip().casefold(), shown)
    return options


def _outside_boxes(element: Element) -> Iterator[Element]:
    """An element and all in it, but what stands in text boxes."""
    yield element
    for child in element:
        if child.tag not in TEXT_BOXES:
            yield from _outside_boxes(child)
