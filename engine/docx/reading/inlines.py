"""The inlines of a paragraph: runs with their marks, and all that stands between them, in one view.

[x] w:r  [x] w:hyperlink  [x] w:ins, w:del, w:moveFrom, w:moveTo  [x] complex and simple fields
[x] w:sdt  [x] w:smartTag, w:customXml, w:dir, w:bdo  [x] mc:AlternateContent
[x] what `runs.run_content` lists
[x] w:ruby (its base)  [x] m:oMath, m:oMathPara  [x] w:drawing, w:pict, w:object
[-] w:annotationRef, w:footnoteRef, w:separator (signs of the page, not text)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from redraft.engine.docx.anchors import branch, textboxes
from redraft.engine.docx.names import (
    MC_ALTERNATE,
    R_ID,
    W_AUTHOR,
    W_BOOKMARK_START,
    W_BR,
    W_CR,
    W_CUSTOM_XML,
    W_DEL,
    W_DEL_TEXT,
    W_ENDNOTE_REFERENCE,
    W_FLD_CHAR,
    W_FLD_SIMPLE,
    W_FOOTNOTE_REFERENCE,
    W_HYPERLINK,
    W_ID,
    W_INS,
    W_INSTR_TEXT,
    W_MOVE_FROM,
    W_MOVE_TO,
    W_R,
    W_RPR,
    W_SDT,
    W_SDT_CONTENT,
    W_T,
    Element,
    M,
    O,
    V,
    W,
)
from redraft.engine.docx.property_values import HIDDEN, MONOSPACE, in_view, marks, run_properties
from redraft.engine.docx.reading.builder import ComplexFields, ContentBuilder, linked
from redraft.engine.docx.reading.controls import control_properties
from redraft.engine.docx.reading.math import latex
from redraft.engine.docx.reading.reading_state import Hanging, Ledger
from redraft.engine.docx.runs import run_content
from redraft.engine.docx.runs.fields import DERIVED, link_target, parse_instruction
from redraft.engine.docx.runs.symbols import PRIVATE, without_private_use
from redraft.engine.model import Change, Control, Inline, LineBreak, Math, View


class InlineReader:
    """Reads paragraph after paragraph of one story; a field may be open from one to the next.

    After `read`: `is_typewritten` says that every character was set in a typewriter face, `is_rule`
    that there was a horizontal line; `box` is the state of a check box that began the paragraph;
    `hanging` what hangs on it.
    """

    def __init__(self, ledger: Ledger, part: str) -> None:
        self._ledger = ledger
        self._relations = ledger.package.relationships(part)
        self._view: View = ledger.view
        self._builder = ContentBuilder()
        self._fields = ComplexFields(self._builder, ledger.field_id, ledger.control_id)
        self._change: Change | None = None
        self._marks = 0
        self._is_hidden = False
        self._is_monospace = False
        self._fonts: Element | None = None
        self._style = ""
        self._ordinary = 0
        self._dropped = 0
        self._faces: dict[int, tuple[int, bool, bool]] = {}
        self._plain_face = (0, False, False)
        self._other_face = False
        self.has_text = False
        self.is_rule = False
        self.box: bool | None = None
        self.hanging: Hanging | None = None
        self._handlers = self._by_tag()

    def reset(self) -> None:
        """Another story begins."""
        self._fields.reset()

    def read(self, paragraph: Element, style: str, dropped: int) -> list[Inline]:
        """The inlines of a paragraph.

        Args:
            paragraph: `w:p`.
            style: The id of its style.
            dropped: Marks that the style itself gives and that are not to be shown.
        """
        self._style = style
        self._ordinary = self._ledger.styles.run(style, "")
        if dropped != self._dropped:
            self._dropped = dropped
            self._faces = {}
        self._plain_face = self._face(self._ordinary)
        self._other_face = self.has_text = self.is_rule = False
        self.box = None
        self.hanging = None
        self._fields.resume()
        self._walk(paragraph)
        return self._builder.finish()

    @property
    def is_typewritten(self) -> bool:
        """Whether there was text, all of it in a typewriter face."""
        return self.has_text and not self._other_face

    def _by_tag(self) -> dict[str, Callable[[Element], None]]:
        walked = (W_CUSTOM_XML, W("smartTag"), W("dir"), W("bdo"))
        return dict.fromkeys(walked, self._walk) | {
            W_R: self._run,
            W_T: self._text_element,
            W_DEL_TEXT: self._deleted_text,
            **dict.fromkeys(run_content.CHARACTERS, self._character),
            **dict.fromkeys(run_content.SIGNS, self._symbol),
            W_INSTR_TEXT: self._instruction,
            W("delInstrText"): self._instruction,
            W_CR: self._carriage_return,
            W_BR: self._break,
            W_FLD_CHAR: self._field_char,
            W_FLD_SIMPLE: self._simple_field,
            W_HYPERLINK: self._hyperlink,
            W_INS: self._inserted,
            W_MOVE_TO: self._inserted,
            W_DEL: self._deleted,
            W_MOVE_FROM: self._deleted,
            W_SDT: self._control,
            MC_ALTERNATE: self._alternate,
            W("ruby"): self._ruby,
            W_FOOTNOTE_REFERENCE: self._footnote,
            W_ENDNOTE_REFERENCE: self._endnote,
            W("commentReference"): self._comment,
            W_BOOKMARK_START: self._bookmark,
            W("drawing"): self._drawing,
            W("pict"): self._drawing,
            W("object"): self._drawing,
            M("oMath"): self._equation,
            M("oMathPara"): self._equations,
        }

    def _walk(self, container: Element) -> None:
        for child in container:
            handler = self._handlers.get(child.tag)
            if handler is not None:
                handler(child)

    def _run(self, run: Element) -> None:
        self._marks, self._is_hidden, self._is_monospace = self._plain_face
        self._fonts = None
        for child in run:
            tag = child.tag
            if tag == W_T:
                self._text(child.text)
            elif tag == W_RPR:
                self._properties(child)
            else:
                handler = self._handlers.get(tag)
                if handler is not None:
                    handler(child)

    def _properties(self, rpr: Element) -> None:
        self._fonts = rpr
        given = in_view(rpr, _RPR_CHANGE, self._view) if self._view == "original" else rpr
        if given is None:
            return
        specified, on, style = run_properties(given)
        below = self._ledger.styles.run(self._style, style) if style else self._ordinary
        face = self._face((below & ~specified) | on)
        self._marks, self._is_hidden, self._is_monospace = face

    def _face(self, on: int) -> tuple[int, bool, bool]:
        """Marks, hidden, typewritten: what effective properties come to in this paragraph."""
        face = self._faces.get(on)
        if face is None:
            face = marks(on) & ~self._dropped, bool(on & HIDDEN), bool(on & MONOSPACE)
            self._faces[on] = face
        return face

    @property
    def _is_silent(self) -> bool:
        return self._fields.is_mute or self._is_hidden

    def _text(self, text: str | None) -> None:
        if not text or self._fields.is_mute or self._is_hidden:
            return
        if not text.isascii() and PRIVATE.search(text):
            text = without_private_use(text, run_content.font(self._fonts))
        if "\n" in text or "\r" in text:
            text = text.replace("\r\n", " ").replace("\n", " ").replace("\r", " ")
        if not (self._other_face or (self._is_monospace and self.has_text)) and text.strip():
            self.has_text = True
            self._other_face = not self._is_monospace
        self._builder.text(text, self._marks, self._change)

    def _text_element(self, element: Element) -> None:
        self._text(element.text)

    def _deleted_text(self, element: Element) -> None:
        if self._view != "final":
            self._text(element.text)

    def _instruction(self, element: Element) -> None:
        self._fields.instruct(element.text or "")

    def _character(self, element: Element) -> None:
        self._add_text(run_content.character(element))

    def _symbol(self, element: Element) -> None:
        shown = run_content.sign(element)
        if shown:
            self.has_text = True
            self._add_text(shown)

    def _add_text(self, text: str) -> None:
        if not self._is_silent:
            self._builder.text(text, self._marks, self._change)

    def _add(self, inline: Inline) -> None:
        if not self._is_silent:
            self._builder.add(inline)

    def _break(self, element: Element) -> None:
        self._add(LineBreak(run_content.break_kind(element)))

    def _carriage_return(self, _element: Element) -> None:
        self._add(LineBreak("line"))

    def _field_char(self, element: Element) -> None:
        kind = element.get(_FIELD_TYPE)
        if kind == "begin":
            self._fields.begin(element)
        elif kind == "separate":
            self._fields.separate()
        elif kind == "end":
            shown = self._fields.end()
            if shown:
                self._add_text(shown)

    def _simple_field(self, element: Element) -> None:
        words = element.get(_INSTRUCTION, "")
        instruction = parse_instruction(words)
        if self._fields.is_mute or instruction.name in DERIVED:
            return
        if instruction.name == "HYPERLINK":
            close = linked(link_target(instruction), instruction.switch("o"))
        else:
            close = self._fields.field(words)
        with self._builder.within(close):
            self._walk(element)

    def _hyperlink(self, element: Element) -> None:
        relation = self._relations.get(element.get(R_ID, ""))
        target = "" if relation is None else relation.target
        anchor = element.get(_ANCHOR)
        if anchor:
            target = f"{target}#{anchor}"
        if not target:
            self._walk(element)
            return
        with self._builder.within(linked(target, element.get(_TOOLTIP))):
            self._walk(element)

    def _inserted(self, element: Element) -> None:
        if self._view != "original":
            self._tracked(element, "insertion")

    def _deleted(self, element: Element) -> None:
        if self._view != "final":
            self._tracked(element, "deletion")

    def _tracked(self, element: Element, kind: Literal["insertion", "deletion"]) -> None:
        if self._view != "markup":
            self._walk(element)
            return
        outer = self._change
        self._change = Change(kind, element.get(W_AUTHOR, ""), element.get(W_ID, ""))
        self._walk(element)
        self._change = outer

    def _control(self, element: Element) -> None:
        properties = control_properties(element)
        if properties.is_contents:
            return
        if self._fields.is_mute or element in self._ledger.unwrapped:
            self._contents(element)
            return
        if properties.box is not None and not self.has_text:
            self.box = properties.box
        name = self._ledger.control_id(element)

        def close(content: tuple[Inline, ...]) -> Control:
            return Control(name, content, properties.is_locked, properties.is_placeholder)

        with self._builder.within(close):
            self._contents(element)

    def _contents(self, control: Element) -> None:
        for content in control.iterchildren(W_SDT_CONTENT):
            self._walk(content)

    def _alternate(self, element: Element) -> None:
        chosen = branch(element)
        if chosen is not None:
            self._walk(chosen)

    def _ruby(self, element: Element) -> None:
        for base in element.iterchildren(_RUBY_BASE):
            self._walk(base)

    def _footnote(self, element: Element) -> None:
        self._note("footnote", element)

    def _endnote(self, element: Element) -> None:
        self._note("endnote", element)

    def _note(self, kind: Literal["footnote", "endnote"], element: Element) -> None:
        if self._is_silent:
            return
        custom = ""
        if element.get(_CUSTOM_MARK) in ("1", "true", "on"):
            custom = "".join(map(_mark, element.itersiblings()))
            # What follows in the run is the mark, not text.
            self._is_hidden = True
        reference = self._ledger.reference(kind, element.get(W_ID, ""), custom)
        if reference is not None:
            self._builder.add(reference)

    def _hung(self) -> Hanging:
        if self.hanging is None:
            self.hanging = Hanging()
        return self.hanging

    def _comment(self, element: Element) -> None:
        self._hung().comments.append(element.get(W_ID, ""))

    def _bookmark(self, element: Element) -> None:
        self._hung().bookmarks.append(element.get(_NAME, ""))

    def _drawing(self, element: Element) -> None:
        if self._is_silent:
            return
        for image in self._ledger.images.shown_by(element):
            self._builder.add(image)
        boxes = [box for box in textboxes(element) if _outer_box(box, element) is None]
        if boxes:
            self._hung().boxes += boxes
        if any(node.get(_HORIZONTAL_RULE) in ("t", "true", "1") for node in element.iter(_RECT)):
            self.is_rule = True

    def _equation(self, element: Element, *, display: bool = False) -> None:
        written = latex(element, self._view)
        if written:
            self.has_text = self._other_face = True
            self._add(Math(written, display))

    def _equations(self, element: Element) -> None:
        for equation in element.iterchildren(_OMATH):
            self._equation(equation, display=True)


def _mark(sibling: Element) -> str:
    """What stands for a note reference with a mark of its own: text and signs."""
    return run_content.text(sibling) if sibling.tag == W_T else run_content.sign(sibling)


def _outer_box(box: Element, drawing: Element) -> Element | None:
    """The text box of the same drawing that a text box stands in."""
    for ancestor in box.iterancestors():
        if ancestor is drawing:
            return None
        if ancestor.tag == box.tag:
            return ancestor
    return None


_RPR_CHANGE = W("rPrChange")
_FIELD_TYPE, _INSTRUCTION = W("fldCharType"), W("instr")
_ANCHOR, _TOOLTIP, _NAME = W("anchor"), W("tooltip"), W("name")
_RUBY_BASE, _CUSTOM_MARK = W("rubyBase"), W("customMarkFollows")
_RECT, _HORIZONTAL_RULE, _OMATH = V("rect"), O("hr"), M("oMath")
