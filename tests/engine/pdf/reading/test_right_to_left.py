from __future__ import annotations

from pathlib import Path

import pytest

from redraft.engine.pdf.mupdf import RawBlock, RawChar, RawSpan
from redraft.engine.pdf.reading.right_to_left import in_reading_order
from tests.engine.pdf.test_apply import texts

WIDTH = 5


def drawn(*runs: str) -> list[RawBlock]:
    """Draw runs from left to right as MuPDF gives them: the letters of each in reading order."""
    spans: list[RawSpan] = []
    x = 0.0
    for run in runs:
        is_leftward = any("\u0590" <= char <= "\u08ff" for char in run)
        chars: list[RawChar] = []
        for number in range(len(run)):
            at = len(run) - 1 - number if is_leftward else number
            left = x + WIDTH * at
            chars.append({"c": run[number], "bbox": (left, 0, left + WIDTH, 10)})
        x += WIDTH * len(run)
        box = (chars[0]["bbox"][0], 0.0, x, 10.0)
        spans.append(
            {"text": "", "chars": chars, "bbox": box, "size": 10.0, "flags": 0, "font": "F"}
        )
    return [{"lines": [{"spans": spans, "dir": (1.0, 0.0), "bbox": (0, 0, x, 10)}]}]


def read(blocks: list[RawBlock]) -> str:
    (block,) = in_reading_order(blocks)
    return "".join(span["text"] for line in block.get("lines", ()) for span in line["spans"])


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        (("בלבד", " ", "900", " ", "הוא"), "הוא 900 בלבד"),
        ((".", "בלבד", " ", "1,250.00", " ", "הוא"), "הוא 1,250.00 בלבד."),
        (("שלום", " ", "a big", " ", "foo", " ", "עולם"), "עולם a big foo שלום"),
        (("a few ", "מילים", " in a sentence"), "a few מילים in a sentence"),
        (("plain words 12 ", "and more"), "plain words 12 and more"),
    ],
)
def test_runs_are_read_from_the_right_and_numbers_among_them_from_the_left(
    runs: tuple[str, ...], text: str
) -> None:
    assert read(drawn(*runs)) == text


def test_a_line_that_is_drawn_as_it_is_read_stays_as_it_is() -> None:
    (block,) = drawn("הוא", " ", "900", " ", "בלבד")
    (line,) = block.get("lines", [])
    for span in line["spans"]:  # mirrored: the first run stands rightmost
        for char in span.get("chars", ()):
            left, top, right, bottom = char["bbox"]
            char["bbox"] = (1000 - right, top, 1000 - left, bottom)
    assert read([block]) == "הוא 900 בלבד"


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["made__weasy_rtl.pdf", "made__chromium_rtl.pdf"])
def test_contracts_in_arabic_and_hebrew_are_read_as_they_were_written(
    corpus: Path, name: str
) -> None:
    path = corpus / "redteam" / "pdf" / name
    if not path.exists():
        pytest.skip("the corpus has no such file")
    whole = " ".join(texts(path.read_bytes()))
    assert "أبرم هذا العقد في 12 مارس 2025 بين الطرفين. يدفع العميل مبلغ 4250 يورو" in whole
    assert "החוזה נחתם ביום 5 במאי 2025 בין הצדדים. הסכום לתשלום הוא 900 שקלים בלבד." in whole
