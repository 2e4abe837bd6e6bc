"""Collects the inlines of a paragraph: equal text joined, links and fields around content."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeAlias

from redraft.engine.docx.names import Element
from redraft.engine.docx.runs.fields import (
    DERIVED,
    FORM_STATES,
    FORM_TEXT,
    Instruction,
    is_form_locked,
    link_target,
    parse_instruction,
)
from redraft.engine.docx.runs.fields import shown_without_result as shown
from redraft.engine.model import Change, Control, Field, Inline, Link, Mark, Text

Close: TypeAlias = Callable[[tuple[Inline, ...]], Inline | None]

_DEEPEST = 60
_MARKS = [Mark(bits) for bits in range(128)]


class Frame:
    """Inlines being collected for one link, field or control; None closes the paragraph itself."""

    __slots__ = ("close", "items")

    def __init__(self, close: Close | None) -> None:
        self.items: list[Inline] = []
        self.close = close


class ContentBuilder:
    """Puts inlines together in order; frames may nest and are closed from the inside."""

    __slots__ = ("_change", "_frames", "_marks", "_pending")

    def __init__(self) -> None:
        self._frames = [Frame(None)]
        self._pending: list[str] = []
        self._marks = 0
        self._change: Change | None = None

    def text(self, text: str, marks: int, change: Change | None) -> None:
        """Add characters; those of the same marks and change as before are one piece with them."""
        if self._pending:
            if marks == self._marks and change is self._change:
                self._pending.append(text)
                return
            self._flush()
        self._pending.append(text)
        self._marks = marks
        self._change = change

    def add(self, inline: Inline) -> None:
        """Add what is not text."""
        if self._pending:
            self._flush()
        self._frames[-1].items.append(inline)

    def open(self, close: Close) -> Frame:
        """Begin a frame; `close` makes an inline of what it will hold."""
        self._flush()
        frame = Frame(close)
        self._frames.append(frame)
        return frame

    def close(self, frame: Frame) -> None:
        """End a frame and those begun inside it; nothing if it is closed already."""
        if frame in self._frames:
            self._flush()
            while self._frames[-1] is not frame:
                self._end()
            self._end()

    @contextmanager
    def within(self, close: Close) -> Generator[None]:
        """A frame around what is added meanwhile."""
        frame = self.open(close)
        yield
        self.close(frame)

    def finish(self) -> list[Inline]:
        """End everything and hand over the inlines."""
        self._flush()
        while len(self._frames) > 1:
            self._end()
        paragraph = self._frames[0]
        items = paragraph.items
        paragraph.items = []
        return items

    def _end(self) -> None:
        frame = self._frames.pop()
        inline = frame.close(tuple(frame.items)) if frame.close is not None else None
        if inline is not None:
            self._frames[-1].items.append(inline)

    def _flush(self) -> None:
        if self._pending:
            text = self._pending[0] if len(self._pending) == 1 else "".join(self._pending)
            self._frames[-1].items.append(Text(text, _MARKS[self._marks], self._change))
            self._pending.clear()


class _OpenField:
    """A complex field that has begun and not ended."""

    __slots__ = ("begin", "frame", "in_result", "is_mute", "parsed", "words")

    def __init__(self, begin: Element) -> None:
        self.begin = begin
        self.words: list[str] = []
        self.parsed = Instruction()
        self.in_result = False
        self.is_mute = True
        self.frame: Frame | None = None


class ComplexFields:
    """The state of complex fields, which may nest and run over paragraphs.

    ECMA-376 Part 1, 17.16.18.

    `is_mute` while what is met is no text of the document: instructions, results that repeat it,
    and those of form fields that have a state. Form fields are controls: `control` names one by its
    beginning. Deeper than `_DEEPEST` a result is plain text, as no producer nests so many.
    """

    __slots__ = ("_builder", "_control", "_fields", "_mute", "_name", "is_mute")

    def __init__(
        self,
        builder: ContentBuilder,
        name: Callable[[], str],
        control: Callable[[Element], str],
    ) -> None:
        self._builder = builder
        self._name = name
        self._control = control
        self._fields: list[_OpenField] = []
        self._mute = 0
        self.is_mute = False

    def reset(self) -> None:
        """Another story begins; a field does not reach from one into the next."""
        self._fields.clear()
        self._mute = 0
        self.is_mute = False

    def begin(self, char: Element) -> None:
        """A field begins with its instruction."""
        self._fields.append(_OpenField(char))
        self._mute += 1
        self.is_mute = True

    def instruct(self, text: str) -> None:
        """A piece of the instruction of the innermost field."""
        if self._fields and not self._fields[-1].in_result:
            self._fields[-1].words.append(text)

    def separate(self) -> None:
        """The instruction ends, the result begins."""
        if self._fields and not self._fields[-1].in_result:
            field = self._fields[-1]
            field.parsed = parse_instruction("".join(field.words))
            field.in_result = True
            if field.parsed.name not in DERIVED | FORM_STATES:
                self._speak(field)
            if len(self._fields) <= _DEEPEST:
                self._open(field)

    def end(self) -> str:
        """The innermost field ends; what it shows if it never had a result."""
        if not self._fields:
            return ""
        field = self._fields.pop()
        self._speak(field)
        if field.frame is not None:
            self._builder.close(field.frame)
        if self.is_mute:
            return ""
        instruction = parse_instruction("".join(field.words))
        if instruction.name in FORM_STATES:
            self._add_state(instruction, field.begin)
            return ""
        return "" if field.in_result else shown(instruction, field.begin)

    def _add_state(self, instruction: Instruction, begin: Element) -> None:
        """A form field that shows its state, whatever was kept as its result (17.16.5.20)."""
        words = shown(instruction, begin)
        content = (Text(words),) if words else ()
        self._builder.add(Control(self._control(begin), content, is_form_locked(begin)))

    def resume(self) -> None:
        """A new paragraph begins: a link still open goes on in it, other results are plain text."""
        for field in self._fields[:_DEEPEST]:
            field.frame = None
            if field.parsed.name == "HYPERLINK":
                self._open(field)

    def _open(self, field: _OpenField) -> None:
        if self.is_mute:
            return
        if field.parsed.name == "HYPERLINK":
            field.frame = self._builder.open(link_to(link_target(field.parsed), field.parsed))
        elif field.parsed.name == FORM_TEXT:
            field.frame = self._builder.open(self._form_text(field.begin))
        elif field.parsed.name:
            field.frame = self._builder.open(self.field("".join(field.words)))

    def field(self, instruction: str) -> Close:
        """What closes a field with a result; one that shows nothing is nothing."""

        def close(content: tuple[Inline, ...]) -> Inline | None:
            return Field(self._name(), instruction.strip(), content) if content else None

        return close

    def _form_text(self, begin: Element) -> Close:
        """What closes a form field of words; one of blanks alone waits to be filled."""
        name, is_locked = self._control(begin), is_form_locked(begin)

        def close(content: tuple[Inline, ...]) -> Control:
            is_empty = all(isinstance(one, Text) and one.text.isspace() for one in content)
            return Control(name, () if is_empty else content, is_locked, placeholder=is_empty)

        return close

    def _speak(self, field: _OpenField) -> None:
        """A field keeps nothing silent any longer."""
        if field.is_mute:
            field.is_mute = False
            self._mute -= 1
            self.is_mute = self._mute > 0


def link_to(target: str, instruction: Instruction) -> Close:
    """What closes a link; without a target, or content, there is none, but its content stays."""
    return linked(target, instruction.switch("o"))


def linked(target: str, title: str | None) -> Close:
    """What closes a link to a target."""

    def close(content: tuple[Inline, ...]) -> Inline | None:
        return Link(target, content, title or None) if content else None

    return close
