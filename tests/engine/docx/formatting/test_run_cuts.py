"""Which pieces of runs a stretch of text takes, and how often the stretches are gone through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from redraft.engine.docx.formatting.run_cuts import Span, cuts
from redraft.engine.docx.redline import textmap
from redraft.engine.docx.redline.line import Line
from tests.engine.wordml import NAMESPACES, p, r

NOTE = '<w:r><w:footnoteReference w:id="1"/></w:r>'


def line(*content: str) -> Line:
    paragraph = etree.fromstring(p(*content).replace("<w:p", f"<w:p {NAMESPACES}", 1))
    return textmap.read(paragraph, {})


def taken(of: Line, spans: Sequence[Span], *, notes: bool = True) -> list[str]:
    """The text that is taken of each run, a note being `*`."""
    return [
        "".join((said or "*") for _, said, is_taken in cut.pieces if is_taken)
        for cut in cuts(of, spans, notes=notes, is_whole=False)
    ]


class Counted(list[Span]):
    """Stretches that count how often one of them is looked at."""

    looks = 0

    def __iter__(self) -> Iterator[Span]:
        for span in super().__iter__():
            self.looks += 1
            yield span


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        (((0, 2),), ["ab"]),
        (((1, 4),), ["b", "cd"]),
        (((0, 1), (1, 2)), ["ab"]),
        (((1, 2), (3, 4), (5, 6)), ["b", "d", "f"]),
        (((0, 6),), ["ab", "cd", "ef"]),
        ((), []),
    ],
)
def test_each_run_gives_what_lies_in_a_stretch(
    spans: tuple[Span, ...], expected: list[str]
) -> None:
    assert taken(line(r("ab"), r("cd"), r("ef")), spans) == expected


@pytest.mark.parametrize(
    ("spans", "count"), [(((0, 4),), 3), (((0, 2), (2, 4)), 2), (((1, 2),), 1), (((0, 3),), 3)]
)
def test_a_note_is_taken_only_with_text_on_both_sides(spans: tuple[Span, ...], count: int) -> None:
    of = line(r("ab"), NOTE, r("cd"))
    assert len(cuts(of, spans, notes=True, is_whole=False)) == count


@given(st.lists(st.integers(1, 4), min_size=1, max_size=12), st.data())
def test_every_letter_is_taken_when_a_stretch_covers_it(
    sizes: list[int], data: st.DataObject
) -> None:
    total = sum(sizes)
    edges = sorted(data.draw(st.sets(st.integers(0, total), max_size=8)))
    spans = list(zip(edges[::2], edges[1::2], strict=False))
    letters = [chr(97 + at % 26) for at in range(total)]
    texts = iter(letters)
    runs = [r("".join(next(texts) for _ in range(size))) for size in sizes]
    expected = "".join(
        letter for at, letter in enumerate(letters) if any(a <= at < b for a, b in spans)
    )
    assert "".join(taken(line(*runs), spans)) == expected


def test_stretches_are_not_gone_through_again_for_every_run() -> None:
    of = line(*(r("ab ") for _ in range(500)))
    spans = Counted((3 * at, 3 * at + 2) for at in range(500))
    assert len(cuts(of, spans, notes=False, is_whole=False)) == 500
    assert spans.looks <= 4 * len(spans)
