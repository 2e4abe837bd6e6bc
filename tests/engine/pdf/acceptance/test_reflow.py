"""Cases 11, 15 and 33: paragraphs grow and shrink, and move what is below or refuse to."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from redraft.engine import editor
from redraft.engine.errors import RefusedError
from redraft.engine.pdf.glyphs.lines import letters
from redraft.engine.pdf.glyphs.target_blocks import Target, known_in
from redraft.engine.plan import (
    DeleteBlocks,
    EditPlan,
    InsertBlocks,
    NewBlock,
    RewriteBlock,
)
from redraft.engine.report import StoredVersion
from tests.engine.pdf import judges
from tests.engine.pdf.acceptance.documents import (
    BY_ANN,
    MULTI,
    TWO_COLUMNS,
    beside,
    block,
    edited,
    held,
    places,
    steps,
    texts,
)
from tests.engine.pdf.judges import sound
from tests.engine.pdf.paper import paper
from tests.engine.pdf.stream.streams import model, pdf


@pytest.mark.corpus
def test_case_11_a_bullet_item_grows_behind_its_bullet_and_moves_what_is_below(
    corpus: Path,
) -> None:
    data = held(corpus, MULTI)
    target = block(data, "Microsoft Office Suite")
    more = " It was designed and sold with success on several continents, and was soon imitated by"
    more += " many others."
    assert len(more) > 0.6 * len(target.text)
    after, report = edited(data, RewriteBlock(target.anchor, target.text + more))
    sound(data, after, pages=(1,), below=target.text[-30:])
    assert report.warnings == ()
    assert texts(after) == [t + more if t == target.text else t for t in texts(data)]
    assert type(block(after, "Microsoft Office Suite").block).__name__ == "ListItem"
    first, *rest = [p for p in judges.lines(after, 1) if p[0] and p[0] in f"{target.text}{more}"]
    assert len(rest) == 3
    assert {round(box[0], 1) for _, box in rest} == {round(first[1][0], 1)}, "hanging indent"
    assert sorted(p[1] for p in places(data, 1) if p[0] == "●") == sorted(
        p[1] for p in places(after, 1) if p[0] == "●"
    )


@pytest.mark.corpus
def test_case_11_a_page_that_is_full_refuses_a_further_line(corpus: Path) -> None:
    data = held(corpus, MULTI)
    target = block(data, "Wang Laboratories")
    with pytest.raises(RefusedError, match=r"needs \d more lines .* page 1; shorten it by about"):
        edited(data, RewriteBlock(target.anchor, target.text + " A whole industry followed." * 5))


def test_case_15_a_tagged_paragraph_keeps_its_content_number() -> None:
    stream = (
        b"/P <</MCID 3>> BDC BT /F1 10 Tf 12 TL 40 250 Td (The quick brown fox jumps over the) Tj"
        b" (dog and runs through the wide forest.) ' ET EMC /P <</MCID 4>> BDC"
        b" BT /F1 8 Tf 40 100 Td (A caption) Tj ET EMC"
    )
    data = pdf(stream)
    more = " It comes back at night, and sleeps in its den until noon."
    assert len(more) > 0.6 * len(block(data, "The quick").text) - 15
    old = block(data, "The quick").text
    new = old + more + " So it goes."
    assert len(new) >= 1.6 * len(old) - 1
    after, _ = edited(data, RewriteBlock("p1.b1", new))
    assert new in texts(after)
    numbers = {tag.mcid for g in model(after).glyphs() if g.y > 150 for tag in g.show.tags}
    assert numbers == {3}
    sound(data, after)
    assert beside(data, after) == (0, 0)
    assert [p for p in places(after) if p[2] == 100] == [p for p in places(data) if p[2] == 100]


@pytest.mark.corpus
def test_case_15_a_tagged_paragraph_of_a_real_file_grows_in_its_column(corpus: Path) -> None:
    data = held(corpus, "officebench__resume.pdf")
    target = max((each for each in known_in(data) if not each.label), key=lambda e: len(e.text))
    more = " This and more was done in every single year."
    while len(more) < 0.6 * len(target.text):
        more += " And so it was in the one after it."
    text = target.text + more
    after, _ = edited(data, RewriteBlock(target.anchor, text))
    sound(data, after, pages=(target.page,), below=target.text[-30:])
    assert text in texts(after)
    new = places(after, target.page) - places(data, target.page)
    own = [g for g in model(after, target.page).glyphs()
           if (g.text, round(g.x, 2), round(g.y, 2)) in new]  # fmt: skip
    assert own
    assert all(any(tag.mcid is not None for tag in g.show.tags) for g in own if not g.is_blank)
    edge = max(g.x + g.ink_width for g in model(data, target.page).glyphs() if not g.is_blank)
    assert max(g.x + g.ink_width for g in own if not g.is_blank) <= edge + 0.5


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "words"),
    [
        (TWO_COLUMNS, "Unrestricted Relation Discovery is"),
        (MULTI, "The origins of word"),
        ("docling__2305.03393v1-pg9.pdf", "We picked the model parameter"),
        ("docling__normal_4pages.pdf", "개정 이유는"),
        ("pdfjs__pdkids.pdf", "Guided by the light"),
    ],
)
def test_case_33_a_paragraph_three_times_as_long_does_not_go_on_a_full_page(
    corpus: Path, tmp_path: Path, name: str, words: str
) -> None:
    """What is missing is what two paragraphs more would take, less the lines that are free."""
    path, target = tmp_path / "full.pdf", tmp_path / "edited.pdf"
    data = held(corpus, name)
    path.write_bytes(data)
    own = next(t for t in known_in(data) if words in t.text and len(t.text) > 250)
    plan = EditPlan("edit", "", (RewriteBlock(own.anchor, " ".join([own.text] * 3)),))
    said = (
        rf"needs (\d+) more lines .* on page {own.page + 1}; shorten it by about (\d+) characters"
    )
    for is_tracked in (False, True):
        with pytest.raises(RefusedError, match=said) as caught:
            editor.edit(StoredVersion(path, b""), target, plan, replace(BY_ANN, tracked=is_tracked))
        (fault,) = editor.check(StoredVersion(path), plan, tracked=is_tracked)
        assert (fault.code, fault.message) == ("no_room", str(caught.value))
        found = re.search(said, str(caught.value))
        assert found is not None
        more, less = map(int, found.groups())
        written = lines_of(data, own)
        assert 2 * written - 3 <= more <= 2.2 * written + 1, f"{more} with {written} there"
        assert less == pytest.approx(2 * len(own.text), rel=0.15)
    assert not target.exists()
    assert path.read_bytes() == data


def lines_of(data: bytes, target: Target) -> int:
    """Count the lines of a block as MuPDF has them."""
    own = letters(target.text)
    said = [letters(text) for text, _ in judges.lines(data, target.page)]
    return sum(len(line) > 5 and line in own for line in said)


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "words", "right"),
    [
        (MULTI, "The concept of the word", 612.0),
        (TWO_COLUMNS, "We are trying", 306.0),
        ("officebench__resume.pdf", "A short (2-4 lines)", 612.0),
    ],
)
def test_a_gap_is_closed_and_what_is_below_goes_up_as_one(
    corpus: Path, name: str, words: str, right: float
) -> None:
    """All of it down to what cannot move, and nothing of another column."""
    data = held(corpus, name)
    target = block(data, words)
    after, _ = edited(data, DeleteBlocks(target.anchor, target.anchor, close_up=True))
    assert texts(after) == [text for text in texts(data) if text != target.text]
    found = [step for step, _ in itertools.groupby(steps(data, after, target.page, right))]
    up = max(found)
    assert up > 20
    assert found in ([0.0, up], [0.0, up, 0.0])
    top = next(box[1] for text, box in judges.lines(data, target.page) if words[:9] in text)
    hidden = [(0.0, top - 2, right, 800.0)]
    assert judges.differences(data, after, target.page, hidden) == (0, 0)


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("beside_words", "kind", "new", "lines_of_it"),
    [
        (
            "By the 1990s",
            "paragraph",
            "This page was written in a hurry, and mended at leisure.",
            2,
        ),
        ("OpenOffice and", "bullet", "AbiWord: A small word processor for every desktop.", 1),
    ],
)
def test_what_is_new_moves_down_what_is_below_by_its_own_height(
    corpus: Path, beside_words: str, kind: Any, new: str, lines_of_it: int
) -> None:
    """A paragraph comes with the blank line that parts it from the one above."""
    data = held(corpus, MULTI)
    target = block(data, beside_words)
    after, _ = edited(data, InsertBlocks(target.anchor, "after", (NewBlock(kind, new),)))
    sound(data, after, pages=(1,), below=target.text[-30:])
    at = texts(data).index(target.text) + 1
    assert texts(after) == [*texts(data)[:at], new, *texts(data)[at:]]
    down = {step for step in steps(data, after, 1, 612.0) if step}
    assert len(down) == 1
    assert min(down) == pytest.approx(-13.8 * lines_of_it, abs=0.8 * lines_of_it)


@pytest.mark.parametrize("size", [8, 11, 16])
@pytest.mark.parametrize("apart", [2.2, 3.0, 4.0, 7.0])
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_paragraph_goes_between_single_lines_however_far_they_are_apart(
    size: float, apart: float, number: int
) -> None:
    made = paper()
    said = ["The first fox jumps.", "The second dog sleeps.", "The third cat hunts."]
    for line, words in enumerate(said):
        made.text(72, 100 + line * apart * size, words, size=size)
    new = "A bird sings on the roof."
    anchor = f"p1.b{number}"
    after, _ = edited(made.data(), InsertBlocks(anchor, "after", (NewBlock("paragraph", new),)))
    assert texts(after) == [*said[:number], new, *said[number:]]
    tops = [round(box[1], 1) for text, box in judges.lines(after, 0) if text]
    assert len(set(tops)) == 4
    assert all(below - above > 1.9 * size for above, below in itertools.pairwise(sorted(tops)))
