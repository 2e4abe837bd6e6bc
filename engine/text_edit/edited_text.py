"""The edited text read back: entries with the anchors that still stand in front of them.

Lines without an anchor, a sign or a blank line before them go on with the paragraph above, as in
Markdown. Comments (`<!-- … -->`) on lines of their own are not read.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from redraft.engine.text_edit.written_text import PLAIN, Sign

EntryForm: TypeAlias = Literal["paragraph", "row", "head", "rule", "separator"]

REMARK: Final = "<!-- ! "
"""What a line begins with that says why the next one cannot be carried out; it is not read."""

_ANCHOR: Final = re.compile(r"\[([a-z]+[0-9]+(?:\.[a-z]+[0-9]+)*)( [^\]]*)?\](?: |$)")
_HEADING: Final = re.compile(r"(#{1,9})(?: |$)")
_BULLET: Final = re.compile(r"( *)[-*+](?: |$)")
_OWN_BULLET: Final = re.compile(r"( *)-(?: |$)")
_NUMBER: Final = re.compile(r"( *)\(?[0-9]{1,3}[.)] ")
_QUOTE: Final = re.compile(r">(?: |$)")
_ESCAPED: Final = re.compile(r"( *)\\(?=\\*(?:#{1,9}(?: |$)|[-+>](?: |$)|\|))")
_ESCAPED_START: Final = re.compile(r"( *)\\(?=\[|\(?[0-9]{1,3}[.)] )")
_RULED: Final = re.compile(r"\|(?: *:?-+:? *\|)+ *")
_BAR: Final = re.compile(r"(\\*)\|")


@dataclass(frozen=True, slots=True)
class Entry:
    """A paragraph or row of the edited text.

    Attributes:
        number: Its first line, from 1.
        form: What it is; `head` stands before the cells of a row or behind a table.
        anchor: The block it stands for; empty for a new one.
        sign: What kind of paragraph its sign says.
        text: Its words; of a row empty.
        cells: The texts of a row's cells.
        is_apart: Whether a blank line stands before it.
        has_header: Of a row, whether a line of dashes follows.
        lead: The number that a new line begins with, as typed: `2. `.
    """

    number: int
    form: EntryForm
    anchor: str = ""
    sign: Sign = PLAIN
    text: str = ""
    cells: tuple[str, ...] = ()
    is_apart: bool = True
    has_header: bool = False
    lead: str = ""


def read(text: str, anchors: Collection[str]) -> list[Entry]:
    """Returns the entries of an edited text.

    Args:
        text: What the person saved.
        anchors: Those that the document has.
    """
    reader = _Reader(anchors)
    for number, line in enumerate(text.split("\n"), start=1):
        reader.line(number, line.rstrip("\r"))
    return reader.entries


class _Reader:
    def __init__(self, anchors: Collection[str]) -> None:
        self._anchors = anchors
        self._is_comment = False
        self._is_apart = True
        self.entries: list[Entry] = []

    def line(self, number: int, line: str) -> None:
        """Reads one line."""
        if line.startswith(REMARK):
            return
        if self._is_comment or line.startswith("<!--"):
            self._is_comment = "-->" not in line
            self.entries += () if self._is_comment else (Entry(number, "separator"),)
            self._is_apart = True
        elif not line.strip():
            self._is_apart = True
        else:
            self._block(number, line)
            self._is_apart = False

    def _block(self, number: int, line: str) -> None:
        match = _ANCHOR.match(line.lstrip())
        if match is not None and match[1] in self._anchors:
            self._anchored(number, match[1], match[2] or "", line.lstrip()[match.end() :])
            return
        last = self.entries[-1] if self.entries else None
        if _RULED.fullmatch(line.strip()) and last is not None and last.form == "row":
            self.entries[-1] = replace(last, has_header=True)
        elif line.lstrip().startswith("|"):
            self._put(Entry(number, "row", cells=_cells(line), is_apart=self._is_apart))
        else:
            self._new(number, line, last)

    def _new(self, number: int, line: str, last: Entry | None) -> None:
        sign, text = _signed(line)
        goes_on = last is not None and last.form == "paragraph" and not self._is_apart
        if goes_on and last is not None and sign == PLAIN:
            joined = f"{last.text.rstrip()} {_bare(line.strip())}".lstrip()
            self.entries[-1] = replace(last, text=joined)
        elif line.strip() in ("---", "***", "___"):
            self._put(Entry(number, "rule", text=line.strip(), is_apart=self._is_apart))
        else:
            lead = line[: len(line) - len(text)].lstrip() if sign.kind == "1" else ""
            self._put(Entry(number, "paragraph", "", sign, text, (), self._is_apart, lead=lead))

    def _anchored(self, number: int, anchor: str, label: str, rest: str) -> None:
        if label in (" row", " end") and not rest.strip():
            form: EntryForm = "head" if label == " row" else "separator"
            self._put(Entry(number, form, anchor, text=label.strip(), is_apart=self._is_apart))
        elif rest.lstrip().startswith("|"):
            self._put(Entry(number, "row", anchor, cells=_cells(rest), is_apart=self._is_apart))
        else:
            sign, text = _signed(rest, is_new=False)
            if sign == PLAIN and label:
                sign = Sign("1")
            self._put(Entry(number, "paragraph", anchor, sign, text, (), self._is_apart))

    def _put(self, entry: Entry) -> None:
        self.entries.append(entry)


def is_numbered(text: str) -> bool:
    """Returns whether a text begins with a number as of a list."""
    return _NUMBER.match(text) is not None


def _signed(line: str, *, is_new: bool = True) -> tuple[Sign, str]:
    """Returns the sign that a line begins with, and what is behind it."""
    if heading := _HEADING.match(line):
        return Sign("#", len(heading[1])), _bare(line[heading.end() :])
    if quote := _QUOTE.match(line):
        return Sign(">"), _bare(line[quote.end() :])
    if bullet := (_BULLET if is_new else _OWN_BULLET).match(line):
        return Sign("-", len(bullet[1]) // 2), _bare(line[bullet.end() :])
    if is_new and (number := _NUMBER.match(line)):
        return Sign("1", len(number[1]) // 2), line[number.end() :]
    return PLAIN, _bare(line, is_new=is_new)


def _bare(text: str, *, is_new: bool = False) -> str:
    """Returns a text without the backslash that kept its beginning from being a sign."""
    text = _ESCAPED.sub(r"\1", text, count=1) if _ESCAPED.match(text) else text
    return (
        _ESCAPED_START.sub(r"\1", text, count=1) if is_new and _ESCAPED_START.match(text) else text
    )


def _cells(line: str) -> tuple[str, ...]:
    """Returns the texts between the bars of a row."""
    inside = line.strip().removeprefix("|")
    texts: list[str] = []
    at = start = 0
    found = ""
    for bar in _BAR.finditer(inside):
        at = bar.end()
        slashes = len(bar[1])
        found += inside[start : bar.start()] + "\\" * (slashes // 2)
        start = at
        if slashes % 2:
            found += "|"
        else:
            texts.append(found.strip(" "))
            found = ""
    rest = (found + inside[start:]).strip()
    return (*texts, rest) if rest else tuple(texts)
