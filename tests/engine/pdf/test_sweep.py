"""Random words of real PDFs are replaced, refused with a reason, and never spoil anything else.

`REDRAFT_SWEEP=full` takes every file and up to sixteen words of each, which are three hundred;
`REDRAFT_SWEEP_SEED` draws others. The judges are PDFium for letters and their places, and MuPDF for
lines; neither knows the editor. What was refused is on stdout (`-s`).
"""

from __future__ import annotations

import itertools
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from redraft.engine.errors import EditError
from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.glyphs.lines import letters
from redraft.engine.pdf.glyphs.target_blocks import Target, known_in
from redraft.engine.plan import EditPlan, ReplaceText
from redraft.engine.report import Signature
from tests.documents import is_full_sweep, names
from tests.engine.pdf.test_apply import LEFT_ALONE

pytestmark = pytest.mark.corpus

WORD = re.compile(r"[^\W\d_]{4,}")
BY_ANN = Signature("u1", "Ann Lee", "2026-11-21T06:30:00Z", tracked=False)
LEAST = 0.85
MOVED = 0.1
"""Points; MuPDF and PDFium add up widths that they have rounded to thousandths of the size."""
SEED = os.environ.get("REDRAFT_SWEEP_SEED", "")
MOST, ENOUGH = 16, 300
Place: TypeAlias = tuple[int, int, int, int]
Line: TypeAlias = tuple[str, Place]


@dataclass(slots=True)
class Tally:
    """How many words were replaced, and why the others were not."""

    applied: int = 0
    refused: Counter[str] = field(default_factory=Counter[str])

    def __str__(self) -> str:
        total = self.applied + self.refused.total()
        lines = [f"{count} x {reason}" for reason, count in self.refused.most_common()]
        return "\n".join([f"{self.applied} of {total} were replaced", *lines])


def swaps(data: bytes, seed: str, count: int) -> Iterator[tuple[Target, ReplaceText]]:
    """Pick words by chance, each with another word of the file, at most one a block."""
    chance = random.Random(seed)  # noqa: S311 - which words are tried is no secret
    held = [target for target in known_in(data) if target.story == "body"]
    words = [word for target in held for word in WORD.findall(target.text)]
    places = [(t, m) for t in held if len(t.text) > 15 for m in WORD.finditer(t.text)]
    chance.shuffle(places)
    seen: set[str] = set()
    for target, match in places:
        new = chance.choice(words)
        if target.anchor in seen or new == match[0]:
            continue
        seen.add(target.anchor)
        occurrence = target.text[: match.start()].count(match[0]) + 1
        yield target, ReplaceText(target.anchor, match[0], new, occurrence)
        if len(seen) == count:
            return


def taken() -> list[str]:
    return [name for name in names("pdf", start=2) if not LEFT_ALONE.search(name)]


@lru_cache(maxsize=1)
def tally() -> Tally:
    """What became of all words of this run."""
    return Tally()


@pytest.mark.parametrize("name", taken())
def test_random_words_are_replaced_or_refused_and_nothing_else_changes(
    corpus: Path, name: str
) -> None:
    data = (corpus / "pdf" / name).read_bytes()
    for target, operation in swaps(data, name + SEED, MOST if is_full_sweep() else 4):
        try:
            edited, report = apply(data, EditPlan("edit", "", (operation,)), BY_ANN)
        except EditError as error:
            tally().refused[re.sub(r'\d+|"[^"]*"', "#", str(error))] += 1
            continue
        tally().applied += 1
        where = f"{name} {target.anchor}: {operation.find} -> {operation.replace}"
        is_filled = [each.kind for each in report.revisions] == ["other"]
        check_letters(data, edited, None if is_filled else operation, where)
        is_stretched = any(" % " in warning for warning in report.warnings)
        check_places(data, edited, target, where, is_stretched=is_stretched)
        if not any("too small to show" in warning for warning in report.warnings):
            check_words(data, edited, operation, where)


def test_most_words_were_replaced_and_the_others_refused_with_a_sentence() -> None:
    found = tally()
    sys.stdout.write(f"\n{found}\n")
    total = found.applied + found.refused.total()
    if not total:
        pytest.skip("no file was swept")
    assert total >= ENOUGH or not is_full_sweep()
    assert all(len(reason) > 20 for reason in found.refused)
    assert found.applied >= LEAST * total, str(found)


LEFT, TOP, WIDE, HIGH = 20, 100, 60, 12


def row(words: str, number: int) -> Line:
    return words, (LEFT, TOP + number * HIGH, LEFT + WIDE, TOP + (number + 1) * HIGH)


@pytest.mark.parametrize(
    ("old", "new", "moved"),
    [
        (
            [row("void", 0), row("void", 1), row("end", 2)],
            [row("void", 1), row("void", 2), row("end", 3)],
            [row("void", 0), row("void", 1), row("void", 2), row("end", 2), row("end", 3)],
        ),
        ([row("void", 0), row("void", 1)], [row("void", 0), row("void", 1)], []),
        # Where one is gone, which of them it was cannot be told.
        ([row("void", 0), row("void", 1)], [row("void", 1)], []),
    ],
)
def test_the_judge_tells_a_line_that_moved_from_the_equal_one_that_was_there(
    old: list[Line], new: list[Line], moved: list[Line]
) -> None:
    assert displaced(old, new) == set(moved)


def check_letters(before: bytes, after: bytes, operation: ReplaceText | None, where: str) -> None:
    """PDFium reads the letters of the whole file less the old word, and the new one.

    Without an operation a field was filled, which PDFium does not read: its letters are the same.
    """
    expected = Counter(pdfium_letters(before))
    if operation is not None:
        expected.subtract(letters(operation.find))
        expected.update(letters(operation.replace))
    assert +expected == Counter(pdfium_letters(after)), where


def check_words(before: bytes, after: bytes, operation: ReplaceText, where: str) -> None:
    """The reader finds the words of the whole file less the old one, and the new one."""
    expected = words_in(before)
    expected.subtract([operation.find])
    expected.update([operation.replace])
    assert +expected == words_in(after), where


def words_in(data: bytes) -> Counter[str]:
    return Counter(word for t in known_in(data) for word in re.findall(r"[^\W\d_]+", t.text))


def pdfium_letters(data: bytes) -> str:
    pdfium: Any = import_module("pypdfium2")
    document = pdfium.PdfDocument(data)
    found: list[str] = []
    for page in document:
        text = page.get_textpage()
        found.append(letters(str(text.get_text_range())))
        text.close()
        page.close()
    document.close()
    return "".join(found)


def check_places(
    before: bytes, after: bytes, target: Target, where: str, *, is_stretched: bool
) -> None:
    """Beside the lines that changed, every letter is where it was, to a tenth of a point.

    Only a block of which the answer says that it was set narrower or wider may have lines with the
    same words and the same ends as before, and other places between them.
    """
    page, own = target.page, letters(target.text)
    old, new = lines_of(before, page), lines_of(after, page)
    changed = [box for _, box in (set(old) ^ set(new)) | displaced(old, new)]
    if is_stretched:
        changed += [box for text, box in old if len(letters(text)) > 8 and letters(text) in own]
    moved = shifted(pdfium_places(before, page), pdfium_places(after, page), changed)
    if moved:
        # PDFium drops the fractions of widths (277.8 counts as 277): what stands behind seventy
        # letters in one string stands a third of a point too far left, until something before it is
        # placed anew. What it sees move, MuPDF must see move too, which rounds them.
        moved = shifted(mupdf_places(before, page), mupdf_places(after, page), changed)
    assert not moved, f"{where}: {''.join(moved)[:60]}"


def displaced(old: Sequence[Line], new: Sequence[Line]) -> set[Line]:
    """Give the lines that moved to where one with the same words was: by their turn among those.

    In a table every line may move by as much as two lines with the same words are apart.
    """
    found: set[Line] = set()
    before, after = by_words(old), by_words(new)
    for words, boxes in before.items():
        others = after.get(words, [])
        if len(boxes) == len(others):
            for one, other in zip(boxes, others, strict=True):
                if one != other:
                    found |= {(words, one), (words, other)}
    return found


def by_words(lines: Sequence[Line]) -> dict[str, list[Place]]:
    found: dict[str, list[Place]] = {}
    for words, box in sorted(lines, key=lambda each: (each[1][1], each[1][0])):
        found.setdefault(words, []).append(box)
    return found


def shifted(
    old: list[tuple[str, float, float]],
    new: list[tuple[str, float, float]],
    changed: list[Place],
) -> list[str]:
    """Give the letters that do not stand where they stood, outside of boxes."""
    near: dict[tuple[str, int, int], list[tuple[float, float]]] = {}
    for char, x, y in new:
        near.setdefault((char, round(x), round(y)), []).append((x, y))
    return [
        char
        for char, x, y in old
        if not any(a <= x <= c and b <= y <= d for a, b, c, d in changed)
        and not any(
            abs(x - u) < MOVED and abs(y - v) < MOVED
            for dx, dy in itertools.product((-1, 0, 1), repeat=2)
            for u, v in near.get((char, round(x) + dx, round(y) + dy), ())
        )
    ]


def mupdf_places(data: bytes, page: int) -> list[tuple[str, float, float]]:
    """Letters with their origins as MuPDF has them, in the points of `pdfium_places`."""
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return [
            (char["c"], *char["origin"])
            for block in document[page].get_text("rawdict")["blocks"]
            for line in block.get("lines", ())
            for span in line["spans"]
            for char in span["chars"]
            if char["c"].isalnum()
        ]


def pdfium_places(data: bytes, page: int) -> list[tuple[str, float, float]]:
    """Letters with the middle of their boxes, in points from the top left."""
    import pymupdf

    pdfium: Any = import_module("pypdfium2")
    document = pdfium.PdfDocument(data)
    text = document[page].get_textpage()
    # PDFium takes a page without a box of its own, which inherits one, for a letter.
    with pymupdf.open(stream=data, filetype="pdf") as opened:
        held: Any = opened
        matrix = held[page].transformation_matrix
    found: list[tuple[str, float, float]] = []
    for at in range(text.count_chars()):
        # The text as one string leaves characters out, so that its places are not these.
        char = chr(pdfium.raw.FPDFText_GetUnicode(text.raw, at))
        if char.isalnum():
            x0, y0, x1, y1 = text.get_charbox(at)
            place: Any = pymupdf.Point((x0 + x1) / 2, (y0 + y1) / 2) * matrix
            found.append((char, place.x, place.y))
    document.close()
    return found


def lines_of(data: bytes, page: int) -> list[Line]:
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return [
            (
                "".join(span["text"] for span in line["spans"]),
                (
                    int(line["bbox"][0]),
                    int(line["bbox"][1]),
                    int(line["bbox"][2]) + 1,
                    int(line["bbox"][3]) + 1,
                ),
            )
            for block in document[page].get_text("dict")["blocks"]
            for line in block.get("lines", ())
        ]
