"""Views of documents nobody here wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.errors import EngineError
from redraft.engine.model import Block, Break, CodeBlock, Document, Table
from redraft.engine.planner.retrieval import entries
from redraft.engine.planner.view import render
from redraft.engine.tokens import parse, pieces, write
from tests.documents import names

SAMPLE = names("docx", start=3)

pytestmark = pytest.mark.corpus


def read(path: Path) -> Document:
    try:
        return reader.read(Package.open(path.read_bytes()), "final")
    except EngineError as error:
        pytest.skip(str(error))


def paragraphs(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Table):
            for row in block.rows:
                for cell in row.cells:
                    yield from paragraphs(cell.blocks)
        else:
            yield block


@pytest.mark.parametrize("name", SAMPLE)
def test_every_block_comes_back_from_its_view_as_it_was(corpus: Path, name: str) -> None:
    for story in read(corpus / "docx" / name).stories:
        for block in paragraphs(story.blocks):
            if isinstance(block, Table | Break | CodeBlock):
                continue
            before = pieces(block.content)
            parsed = parse(write(before), before)
            assert (block.anchor, parsed.faults) == (block.anchor, ())
            assert (block.anchor, parsed.pieces) == (block.anchor, before)


@pytest.mark.parametrize("name", SAMPLE)
def test_every_line_of_a_view_names_its_block_once(corpus: Path, name: str) -> None:
    view = render(read(corpus / "docx" / name), "x", None, "N0nce")
    lines = view.text.split("\n")[1:-1]
    assert all(re.match(r"\[[a-z0-9.]+[ \]]", line) for line in lines)
    anchors = [entry.anchor for entry in entries(view.text)]
    assert len(anchors) == len(lines)
    assert len(set(anchors)) == len(anchors)
