"""Quoted stretches are lifted out before an instruction is read: the grammar sees none.

Straight, typographic, guillemet, corner and TeX quotes, in the pairs the languages use. The
apostrophe, straight or curly, is a quote only where it does not stand between letters. A backslash
before a straight quote keeps it.
"""

# The marks that look alike are what this module is about.
# ruff: noqa: RUF001

from __future__ import annotations

import re
from dataclasses import dataclass

# Opening mark, closing marks; longer openings first.
_PAIRS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("''", ("''",)),
    ("``", ("''", "``")),
    ("“", ("”", '"', "“")),
    ("”", ("”",)),
    ("„", ("“", "”", '"', "„")),
    ("‚", ("‘", "’")),
    ("‘", ("’",)),
    ("«", ("»",)),
    ("»", ("«",)),
    ("‹", ("›",)),
    ("›", ("‹",)),
    ("「", ("」",)),
    ("『", ("』",)),
    ('"', ('"', "”")),
    ("'", ("'",)),
    ("`", ("`",)),
)
_SHY = frozenset("'’‘")


@dataclass(frozen=True, slots=True)
class Lifted:
    """An instruction in which quoted stretches became NUL, number, NUL; `values` are their words.

    `is_open` says that a quotation mark was opened and never closed.
    """

    text: str
    values: tuple[str, ...]
    is_open: bool = False


def lift(instruction: str) -> Lifted:
    """Lift the quoted stretches out of an instruction."""
    skeleton: list[str] = []
    values: list[str] = []
    is_open = False
    position = 0
    while position < len(instruction):
        opening = _opening(instruction, position)
        end = _closing(instruction, position, opening) if opening else None
        if opening and end:
            inside = instruction[position + len(opening[0]) : end[0]]
            skeleton.append(f" \x00{len(values)}\x00 ")
            values.append(_unspaced(opening[0], re.sub(r"\\([\"'])", r"\1", inside)))
            position = end[1]
            continue
        is_open = is_open or (opening is not None and opening[0] not in _SHY)
        # NUL marks a lifted stretch; one that comes with the instruction must not.
        skeleton.append(instruction[position].replace("\x00", " "))
        position += 1
    return Lifted("".join(skeleton), tuple(values), is_open)


# A tail follows a colon and a blank, and is not a time or an address.
_TAIL = re.compile(r"([^:\n]{3,200}):(?:[ \t]+|[ \t]*\n\s*)(\S(?:.|\n)*?)\s*\Z")
_ROW = re.compile(r"\b(?:row|column|zeile|spalte|ligne|colonne|fila|columna)\b", re.IGNORECASE)
# The cells of a new row, without quotes: `add a row with Flyers, 100 and 50`.
_CELLS = re.compile(
    r"(.*\b(?:row|zeile|ligne|fila)\b.*?)\s(?:with|containing|mit|avec|con)\s"
    r"(?:the (?:values|cells|entries|text)\s)?([^\x00\"]+,[^\x00\"]+)",
    re.IGNORECASE,
)
_NEW_WORDS = re.compile(
    r"\b(?:add|insert|append|put|place|write|comment|prepend|replace|change|set|rename|make|read"
    r"|füge|fuege|einfügen|hinzufügen|ergänze|setze|schreibe|kommentiere|ändere|ersetze"
    r"|ajoute[rz]?|insère|insére[rz]|mets|mettez|remplace[rz]?|change[rz]?"
    r"|añad(?:e|a|ir)|agreg[ae]|insertar?|pon|escribe|cambia|reemplaza)\b",
    re.IGNORECASE,
)

# Heads without a verb: a place, or what is new; behind them no other command begins.
_NEW_PLACE = re.compile(
    r"\b(?:at the (?:very )?(?:end|start|top|bottom|beginning)|am (?:ende|anfang)|à la fin|al final"
    r"|ergänzen|hänge|anfügen|new (?:clause|paragraph|sentence|bullet|item))\b",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"(?:please |bitte )?(?:add|append|change|cut|delete|drop|fix|insert|make|move|put|remove"
    r"|rename|replace|set|strike|swap|use|write|lösche|streiche|ersetze|ändere|füge|supprime|remplace"
    r"|elimina|cambia)\w{0,3}\b|.*(?:[-=]+>|→| instead of | statt )",
    re.IGNORECASE | re.DOTALL,
)


def lift_tail(instruction: str) -> Lifted | None:
    """Lifts what is to be written where it follows a colon without quotes, to the very end.

    `add a sentence at the end of 3.1: Invoices are final.` None where there is no such tail.
    """
    lifted = lift(instruction.strip())
    tail = _TAIL.fullmatch(lifted.text.strip()) if not lifted.is_open else None
    is_cells = tail is None
    if tail is None:
        tail = _CELLS.fullmatch(lifted.text.strip(" ."))
    if tail is None or not _announces(tail[1], tail[2]) or ":" in tail[1][-1:]:
        return None
    head, text = tail[1], tail[2]
    if "\x00" in text:
        if re.match(r"\s*\x00\d+\x00[^\x00]{1,30}\x00\d+\x00", text):
            # `rename the vessel: "A" becomes "B"` has its own two texts.
            return None
        if "\x00" in head or re.fullmatch(r"\s*(?:\x00\d+\x00[\s,;]*)+", text):
            return None
        raw = _TAIL.fullmatch(instruction.strip())
        if raw is None:
            return None
        head, text, lifted = raw[1], raw[2], Lifted("", ())
    texts = [text.strip()]
    if _ROW.search(head):
        cut = re.split(r"\s*[|\t;]\s*|,\s+(?:and\s+)?", text.strip(" .|"))
        if is_cells:
            cut[-1:] = re.split(r"\s+(?:and|und|et|y)\s+", cut[-1])
        texts = [one.strip("\"' ") for one in cut]
    first = len(lifted.values)
    marks = " ".join(f"\x00{first + index}\x00" for index in range(len(texts)))
    return Lifted(f"{head} {marks} ", (*lifted.values, *texts))


def _announces(head: str, text: str) -> bool:
    """Whether new words follow a head: it has a verb, or names a place and no command follows."""
    if _NEW_WORDS.search(head):
        return True
    return _NEW_PLACE.search(head) is not None and _COMMAND.match(text) is None


def _unspaced(mark: str, inside: str) -> str:
    """Take off the blanks that French sets inside its quotes."""
    is_set_apart = mark in "«‹" and inside[:1].isspace() and inside[-1:].isspace()
    return inside[1:-1] if is_set_apart else inside


def _opening(text: str, position: int) -> tuple[str, tuple[str, ...]] | None:
    for mark, closings in _PAIRS:
        if text.startswith(mark, position):
            before = text[position - 1 : position] if position else ""
            is_shy = mark in _SHY or mark == "''"
            return None if is_shy and before.isalnum() else (mark, closings)
    return None


def _closing(
    text: str, position: int, opening: tuple[str, tuple[str, ...]]
) -> tuple[int, int] | None:
    """Find where the closing mark begins and ends; an empty stretch counts."""
    mark, closings = opening
    start = position + len(mark)
    for index in range(start, len(text)):
        for closing in closings:
            if text.startswith(closing, index) and _closes(text, start, index, closing):
                return index, index + len(closing)
    return None


def _closes(text: str, start: int, index: int, closing: str) -> bool:
    if text[index - 1] == "\\" and closing in "\"'":
        return False
    if closing not in _SHY:
        return True
    after = text[index + 1 : index + 2]
    return index == start or (not after.isalnum() and not text[index - 1].isspace())
