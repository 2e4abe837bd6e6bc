"""Pairs of versions: a document made in memory, and the same after random edits of every kind."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from tests.engine import wordml

WORDS = (
    *("agreement", "party", "supplier", "customer", "notice", "term", "payment", "invoice"),
    *("within", "days", "after", "receipt", "of", "the", "a", "shall", "may", "not", "under"),
    *("clause", "section", "any", "other", "written", "consent", "liability", "limited", "to"),
    *("services", "delivered", "as", "set", "out", "in", "schedule", "one", "and", "governed"),
)
SIDES = ("", "center", "right", "both")


@dataclass(slots=True)
class Paragraph:
    """Words, each with its run properties, and the alignment of all."""

    words: list[tuple[str, str]]
    side: str = ""

    def xml(self) -> str:
        """Returns the paragraph as XML, a run for each stretch of one look."""
        runs: list[tuple[str, str]] = []
        for index, (word, look) in enumerate(self.words):
            text = word if not index else f" {word}"
            if runs and runs[-1][1] == look:
                runs[-1] = runs[-1][0] + text, look
            else:
                runs.append((text, look))
        properties = f'<w:jc w:val="{self.side}"/>' if self.side else ""
        return wordml.p(*(wordml.r(text, look) for text, look in runs), properties=properties)


@dataclass(slots=True)
class Table:
    """Rows of cells of one paragraph each."""

    rows: list[list[Paragraph]]

    def xml(self) -> str:
        """Returns the table as XML."""
        return wordml.table(*([cell.xml() for cell in row] for row in self.rows))


@dataclass(slots=True)
class Made:
    """A document."""

    blocks: list[Paragraph | Table] = field(default_factory=list["Paragraph | Table"])

    def docx(self) -> bytes:
        """Returns the bytes of the document; a paragraph begins and ends it."""
        body, was_table = wordml.p("The beginning."), False
        for block in self.blocks:
            # Two tables would be one in Word, so that no version has them side by side.
            is_table = isinstance(block, Table)
            body += (wordml.p("") if is_table and was_table else "") + block.xml()
            was_table = is_table
        return wordml.docx(body + wordml.p("The end."))


def paragraph(chance: random.Random) -> Paragraph:
    """Returns a paragraph of random words, some of them bold."""
    words = [(chance.choice(WORDS), "") for _ in range(chance.randint(3, 30))]
    if chance.random() < 0.3:
        start = chance.randrange(len(words))
        for index in range(start, min(start + 4, len(words))):
            words[index] = words[index][0], "<w:b/>"
    return Paragraph(words, chance.choice(SIDES) if chance.random() < 0.2 else "")


def made(chance: random.Random) -> Made:
    """Returns a random document."""
    blocks: list[Paragraph | Table] = []
    for _ in range(chance.randint(4, 14)):
        if chance.random() < 0.15 and blocks and isinstance(blocks[-1], Paragraph):
            width = chance.randint(2, 4)
            rows = [[paragraph(chance) for _ in range(width)] for _ in range(chance.randint(2, 5))]
            blocks.append(Table(rows))
        else:
            blocks.append(paragraph(chance))
    return Made(blocks)


def _paragraphs(document: Made) -> list[Paragraph]:
    found = [block for block in document.blocks if isinstance(block, Paragraph)]
    for block in document.blocks:
        if isinstance(block, Table):
            found += [cell for row in block.rows for cell in row]
    return found


def _top(document: Made) -> list[int]:
    return [n for n, block in enumerate(document.blocks) if isinstance(block, Paragraph)]


def _replace(document: Made, chance: random.Random) -> None:
    words = chance.choice(_paragraphs(document)).words
    at = chance.randrange(len(words))
    words[at] = chance.choice(WORDS).upper(), words[at][1]


def _add_words(document: Made, chance: random.Random) -> None:
    words = chance.choice(_paragraphs(document)).words
    at = chance.randint(0, len(words))
    look = words[max(at - 1, 0)][1]
    words[at:at] = [(chance.choice(WORDS), look) for _ in range(chance.randint(1, 5))]


def _drop_words(document: Made, chance: random.Random) -> None:
    words = chance.choice(_paragraphs(document)).words
    at = chance.randrange(len(words))
    if len(words) > 4:
        del words[at : at + 2]


def _format(document: Made, chance: random.Random) -> None:
    words = chance.choice(_paragraphs(document)).words
    look = chance.choice(("<w:i/>", '<w:color w:val="C00000"/>', '<w:sz w:val="32"/>', ""))
    start = chance.randrange(len(words))
    for index in range(start, min(start + 3, len(words))):
        words[index] = words[index][0], look


def _align(document: Made, chance: random.Random) -> None:
    chance.choice(_paragraphs(document)).side = chance.choice(SIDES)


def _insert(document: Made, chance: random.Random) -> None:
    document.blocks.insert(chance.randint(0, len(document.blocks)), paragraph(chance))


def _delete(document: Made, chance: random.Random) -> None:
    if len(_top(document)) > 2:
        del document.blocks[chance.choice(_top(document))]


def _split(document: Made, chance: random.Random) -> None:
    at = chance.choice(_top(document))
    block = document.blocks[at]
    assert isinstance(block, Paragraph)
    if len(block.words) > 3:
        cut = chance.randint(1, len(block.words) - 1)
        document.blocks.insert(at + 1, Paragraph(block.words[cut:], block.side))
        block.words = block.words[:cut]


def _merge(document: Made, chance: random.Random) -> None:
    for at in _top(document)[:-1]:
        block, after = document.blocks[at], document.blocks[at + 1]
        if isinstance(block, Paragraph) and isinstance(after, Paragraph) and chance.random() < 0.5:
            block.words += after.words
            del document.blocks[at + 1]
            return


def _move(document: Made, chance: random.Random) -> None:
    block = document.blocks.pop(chance.choice(_top(document)))
    document.blocks.insert(chance.randint(0, len(document.blocks)), block)


def _rows(document: Made, chance: random.Random) -> None:
    tables = [block for block in document.blocks if isinstance(block, Table)]
    if not tables:
        return
    rows = chance.choice(tables).rows
    if chance.random() < 0.5 and len(rows) > 1:
        del rows[chance.randrange(len(rows))]
    else:
        new = [paragraph(chance) for _ in rows[0]]
        rows.insert(chance.randint(0, len(rows)), new)


EDITS: Sequence[Callable[[Made, random.Random], None]] = (
    _replace,
    _add_words,
    _drop_words,
    _format,
    _align,
    _insert,
    _delete,
    _split,
    _merge,
    _move,
    _rows,
)


def pair(seed: int, edits: int = 4) -> tuple[bytes, bytes, list[str]]:
    """Returns two versions of a document, and the names of the edits that lie between them."""
    chance = random.Random(seed)  # noqa: S311
    first = made(chance)
    second = deepcopy(first)
    names: list[str] = []
    for _ in range(chance.randint(1, edits)):
        edit = chance.choice(EDITS)
        edit(second, chance)
        names.append(edit.__name__.strip("_"))
    return first.docx(), second.docx(), names
