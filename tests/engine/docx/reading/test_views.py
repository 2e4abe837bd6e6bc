"""A view of a document with tracked changes is what the document says once they are decided on."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

import pytest

from redraft.engine.docx.changes.accept_or_reject import resolve
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.reader import read
from redraft.engine.markdown.document import write
from redraft.engine.model import View
from redraft.engine.report import Selection
from tests.engine.wordml import (
    abstract_num,
    dele,
    docx,
    field,
    footnote,
    ins,
    level,
    note,
    num,
    p,
    r,
    tc,
    textbox,
)

LIST = abstract_num(0, level(0, "%1."), level(1, "%2.", "lowerLetter")) + num(1, 0)
CONTROL = "<w:sdt><w:sdtPr/><w:sdtContent>{}</w:sdtContent></w:sdt>"
MERGES = ("", "", "", '<w:vMerge w:val="restart"/>', "<w:vMerge/>")
DECISIONS: tuple[tuple[View, Literal["accept", "reject"]], ...] = (
    ("final", "accept"),
    ("original", "reject"),
)


class Maker:
    """Makes documents by chance; every word and every mark in one is another."""

    def __init__(self, seed: int, merges: Sequence[str] = MERGES) -> None:
        self.merges = merges
        self.chance = random.Random(seed)  # noqa: S311  # a document of a test
        self.count = 0

    def document(self) -> bytes:
        return docx(
            "".join(self.blocks(0)) + p("end"),
            numbering=LIST,
            footnotes=footnote("1", p("note")),
        )

    def number(self) -> int:
        self.count += 1
        return self.count

    def blocks(self, depth: int) -> Iterator[str]:
        for _ in range(self.chance.randint(1, 5)):
            kind = self.chance.random()
            if kind < 0.75 or depth > 1:
                yield self.paragraph()
            elif kind < 0.85:
                yield CONTROL.format("".join(self.blocks(depth + 1)))
            else:
                rows = "".join(self.row() for _ in range(2))
                yield f"<w:tbl><w:tblPr/><w:tblGrid/>{rows}</w:tbl>{p() if depth else ''}"

    def row(self) -> str:
        tracked = self.chance.choice(("", "", "", self.mark("ins"), self.mark("del")))
        cells = (
            tc("".join(self.blocks(2)) + self.paragraph(), self.chance.choice(self.merges))
            for _ in range(2)
        )
        return f"<w:tr><w:trPr>{tracked}</w:trPr>{''.join(cells)}</w:tr>"

    def mark(self, kind: str) -> str:
        return f'<w:{kind} w:id="{self.number()}" w:author="Ann"/>'

    def paragraph(self) -> str:
        tracked = self.chance.choice(("", "", "", self.mark("ins"), self.mark("del")))
        place = f'<w:ilvl w:val="{self.chance.randint(0, 1)}"/><w:numId w:val="1"/>'
        numbered = f"<w:numPr>{place}</w:numPr>" if self.chance.random() < 0.3 else ""
        pieces = (self.piece() for _ in range(self.chance.randint(0, 3)))
        return p(*pieces, properties=f"{numbered}<w:rPr>{tracked}</w:rPr>")

    def piece(self) -> str:
        kind = self.chance.random()
        if kind < 0.2:
            return ins(self.run(), id=self.number())
        if kind < 0.4:
            return dele(f"gone{self.number()} ", id=self.number())
        return self.run()

    def run(self) -> str:
        made = (
            r(f"w{self.number()} "),
            textbox(p(f"box{self.number()}")),
            note("1"),
            CONTROL.format(r(f"c{self.number()}")),
            field(" PAGE ", f"f{self.number()}"),
        )
        return self.chance.choices(made, (15, 1, 1, 1, 1))[0]


@pytest.mark.parametrize("seed", range(60))
def test_a_view_reads_as_the_file_does_when_all_changes_are_decided_on(seed: int) -> None:
    data = Maker(seed).document()
    for view, decision in DECISIONS:
        settled, _ = resolve(data, b"", decision, Selection(all=True))
        expected = write(read(Package.open(settled)))
        assert write(read(Package.open(data), view)) == expected, view


def side(markdown: str, kept: str, lost: str) -> Counter[str]:
    """The words of one side of a document with marks: those of a sign kept, those of one lost."""
    kept, lost = re.escape(kept), re.escape(lost)
    markdown = re.sub(rf"\{{{lost}.*?{lost}\}}", "", markdown, flags=re.DOTALL)
    markdown = re.sub(rf"\{{{kept}(.*?){kept}\}}", r"\1", markdown, flags=re.DOTALL)
    return said(markdown)


def said(markdown: str) -> Counter[str]:
    """The words of a document by chance, those of text boxes left out: nothing marks a box."""
    return Counter(re.findall(r"(?:gone|w|c|f)\d+", markdown))


@pytest.mark.parametrize("seed", range(60))
def test_each_side_of_the_marks_is_a_view(seed: int) -> None:
    package = Package.open(Maker(seed, merges=("",)).document())
    both = write(read(package, "markup"))
    assert side(both, "++", "--") == said(write(read(package, "final")))
    assert side(both, "--", "++") == said(write(read(package, "original")))


def test_documents_by_chance_have_all_that_they_are_to_try() -> None:
    made = "".join(write(read(Package.open(Maker(seed).document()), "markup")) for seed in range(9))
    for sign in ("{++", "{--", "box", "[^1]", "| --- |", "1.", "a.", "\u00b6"):
        assert sign in made
