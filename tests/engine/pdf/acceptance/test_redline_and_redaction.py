"""Cases 29 to 31: redaction, and edits shown as notes on the pages."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from redraft.engine.pdf.tracked.read_annotations import marks
from redraft.engine.plan import (
    Redact,
    ReplaceText,
)
from tests.engine.pdf.acceptance.documents import (
    MULTI,
    all_bytes,
    block,
    edited,
    held,
    marked,
    replaced,
    texts,
    tracked,
)
from tests.engine.pdf.stream.streams import content, model


@pytest.mark.corpus
def test_case_29_redacted_words_are_nowhere_in_the_file(corpus: Path) -> None:
    data = held(corpus, MULTI)
    words = "Christopher Latham Sholes"
    after, _, text = replaced(data, "The origins", words, "an inventor")
    assert text in texts(after)
    assert not any(words in each for each in texts(after))
    streams = "".join(g.text for n in range(5) for g in model(after, n).glyphs())
    assert "Sholes" not in streams
    assert b"Sholes" not in all_bytes(after)
    assert data[:2000] not in after


@pytest.mark.corpus
def test_case_29_a_redaction_of_them_leaves_black_boxes(corpus: Path) -> None:
    data = held(corpus, MULTI)
    after, report = edited(data, Redact("Christopher Latham Sholes"))
    assert report.summary == "Redacted in 1 place"
    assert not any("Sholes" in each for each in texts(after))
    assert b"Sholes" not in all_bytes(after)
    assert data[:2000] not in after


@pytest.mark.corpus
def test_case_30_a_tracked_replacement_on_the_original_pages(corpus: Path) -> None:
    import pymupdf

    data = held(corpus, MULTI)
    target = block(data, "The origins")
    shown = tracked(data, ReplaceText(target.anchor, "typewriter", "teleprinter", 1))
    assert shown.startswith(data)
    assert [content(shown, page) for page in range(5)] == [content(data, page) for page in range(5)]
    struck, caret = marked(shown)
    assert (caret["Subtype"], caret["IT"], caret["Contents"]) == ("Caret", "Replace", "teleprinter")
    assert (struck["Subtype"], struck["IT"]) == ("StrikeOut", "StrikeOutTextEdit")
    assert (struck["IRT"], struck["RT"]) == (caret["id"], "Group")
    assert {each["T"] for each in (struck, caret)} == {"Ann Lee"}
    (mark,) = marks(shown)
    assert (mark.kind, mark.before, mark.after) == ("replacement", "typewriter", "teleprinter")
    assert mark.author == "Ann Lee"
    with pymupdf.open(stream=shown, filetype="pdf") as opened:
        document: Any = opened
        page = document[0]
        struck = next(each for each in page.annots() if each.type[1] == "StrikeOut")
        corners: Any = struck.vertices
        box = pymupdf.Quad(corners).rect
        word: Any = page.search_for("typewriter")[0]
        shared: Any = pymupdf.Rect(box) & word
        whole: Any = pymupdf.Rect(box) | word
        assert shared.get_area() / whole.get_area() > 0.8


@pytest.mark.corpus
def test_case_30_another_program_reads_a_suggested_replacement(
    corpus: Path, tmp_path: Path
) -> None:
    call = [sys.executable, "-W", "ignore", "-m", "pdfannots"]
    data = held(corpus, MULTI)
    target = block(data, "The origins")
    path = tmp_path / "shown.pdf"
    path.write_bytes(tracked(data, ReplaceText(target.anchor, "typewriter", "teleprinter", 1)))
    ran = subprocess.run([*call, str(path)], capture_output=True, check=True, encoding="utf-8")
    assert re.findall(r"suggested \w+", ran.stdout) == ["suggested replacement"]
    assert "~~typewriter~~" in ran.stdout
    assert "teleprinter" in ran.stdout


@pytest.mark.corpus
def test_case_31_a_tracked_replacement_over_two_lines(corpus: Path) -> None:
    import pymupdf

    data = held(corpus, MULTI)
    target = block(data, "The origins")
    shown = tracked(data, ReplaceText(target.anchor, "in the mid-19th century", "long ago"))
    with pymupdf.open(stream=shown, filetype="pdf") as opened:
        document: Any = opened
        page = document[0]
        found = Counter(each.type[1] for each in page.annots())
        quads = [len(e.vertices) // 4 for e in page.annots() if e.type[1] == "StrikeOut"]
    assert found == {"Caret": 1, "StrikeOut": 1}
    assert quads == [2]


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [("typewriter", "first typewriter", ["Caret"]), ("of the typewriter ", "", ["StrikeOut"])],
)
def test_case_31_an_insertion_has_no_strike_and_a_deletion_no_caret(
    corpus: Path, old: str, new: str, kinds: list[str]
) -> None:
    data = held(corpus, MULTI)
    shown = tracked(data, ReplaceText(block(data, "The origins").anchor, old, new, 1))
    assert [each["Subtype"] for each in marked(shown)] == kinds
