r"""What an edit leaves out of date: words that only a word processor computes anew.

[x] tables of contents, when headings change (ECMA-376 Part 1, 17.16.5.68, TOC)
[x] references to numbers, when numbers change (17.16.5.51, REF with \n, \r or \w)
[-] page numbers, tables of figures, indexes: a word processor lays the pages out
"""

from __future__ import annotations

import re
from typing import Final

from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.inline_pieces import plain
from redraft.engine.model import Heading, ListItem

CONTENTS: Final = (
    "The table of contents shows the headings as they were; update it in the word processor"
    " (in Word: Ctrl+A, F9)"
)
REFERENCES: Final = (
    "Cross-references show the numbers as they were; update them in the word processor"
    " (in Word: Ctrl+A, F9)"
)
_FIELD: Final = re.compile(rb'(?:instrText[^>]*>|instr=")\s*(TOC|REF)\b([^<"]*)', re.IGNORECASE)
_NUMBER: Final = re.compile(rb"\\[nrw]\b", re.IGNORECASE)


def warnings(before: Package, after: Package) -> tuple[str, ...]:
    """Returns a sentence for each kind of field that an edit made stale.

    Args:
        before: The file before the edit, unchanged.
        after: The file as edited.
    """
    data = after.read(after.main)
    fields = _FIELD.findall(data) if b"instr" in data else []
    has_contents = any(name.upper() == b"TOC" for name, _ in fields)
    has_numbers = any(
        name.upper() == b"REF" and _NUMBER.search(switches) for name, switches in fields
    )
    if not has_contents and not has_numbers:
        return ()
    (old_headings, old_numbers), (headings, numbers) = _computed(before), _computed(after)
    moved = any(
        old_numbers[text] != label for text, label in numbers.items() if text in old_numbers
    )
    stale = (
        (CONTENTS, has_contents and headings != old_headings),
        (REFERENCES, has_numbers and moved),
    )
    return tuple(sentence for sentence, is_stale in stale if is_stale)


def _computed(package: Package) -> tuple[list[tuple[int, str, str]], dict[str, str]]:
    """Returns the headings of the final view (level, number, words), and numbers by their words."""
    headings: list[tuple[int, str, str]] = []
    numbers: dict[str, str] = {}
    for block in reader.read(package, "final").body.blocks:
        if isinstance(block, Heading) and plain(block.content).strip():
            headings.append((block.level, block.label, plain(block.content).strip()))
        if isinstance(block, Heading | ListItem) and block.label:
            numbers.setdefault(plain(block.content), block.label)
    return headings, numbers
