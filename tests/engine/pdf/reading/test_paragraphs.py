from __future__ import annotations

import pytest

from redraft.engine.plan import FindReplace, ReplaceText
from tests.engine.pdf.paper import Paper, paper
from tests.engine.pdf.stream.streams import model
from tests.engine.pdf.test_apply import edited, lines, texts

WIDE = (
    "The supplier delivers the forecast before five in the morning of each",
    "business day. It tells the customer at once where it cannot do so, and",
    "says when the forecast will be there. The customer confirms that it has",
    "been told.",
)
NEXT = (
    "The customer pays each invoice within thirty days of the day on which",
    "it is received by the department that has ordered what was delivered.",
)
REFERENCES = (
    ("Anna Example and Bruno Muster. 2019. On the many ways of setting the", 72),
    ("entries of a list of works that are cited. In Proceedings of the Meeting", 83),
    ("on Lists, pages 12 to 19.", 83),
    ("Carla Sample, Dora Specimen and Emil Beispiel. 2021. Hanging Indents", 72),
    ("of Former Times, in which the second line stands further in than before", 83),
    ("and the third does so too.", 83),
)


def spaced(pitch: float, *paragraphs: tuple[str, ...], gap: float = 0) -> Paper:
    """Draw lines of 11 points whose baselines are `pitch` points apart."""
    page, y = paper(), 100.0
    for paragraph in paragraphs:
        for words in paragraph:
            page.text(72, y, words)
            y += pitch
        y += gap
    return page


def hanging() -> bytes:
    page = paper()
    for number, (words, left) in enumerate(REFERENCES):
        page.text(left, 100 + 13 * number, words)
    return page.data()


@pytest.mark.parametrize("pitch", [13, 16.5, 20, 24, 27])
def test_lines_are_one_paragraph_however_far_apart_all_of_them_stand(pitch: float) -> None:
    page = spaced(pitch, WIDE, NEXT, gap=8)
    assert texts(page.data()) == [" ".join(WIDE), " ".join(NEXT)]


def test_lines_that_stand_apart_on_purpose_are_not_joined_for_their_distance_alone() -> None:
    stacked = ("my_name", "my_phone", "my_email")
    assert texts(spaced(22, stacked).data()) == list(stacked)


def test_a_sentence_over_two_lines_with_wide_leading_can_be_deleted() -> None:
    data = spaced(22, WIDE).data()
    gone = (
        "It tells the customer at once where it cannot do so, and says when the forecast will be "
        "there. "
    )
    after, _ = edited(data, FindReplace(gone, ""))
    assert texts(after) == [" ".join(WIDE).replace(gone, "")]


def test_words_that_are_added_with_wide_leading_go_on_in_lines_as_far_apart() -> None:
    data = spaced(22, WIDE).data()
    after, _ = edited(data, ReplaceText("p1.b1", "each", "each and every single"))
    assert texts(after) == [" ".join(WIDE).replace("each", "each and every single")]
    assert all(len(line) > 55 for line in lines(after)[:-1]), "no line holds a word alone"


def test_entries_whose_lines_hang_are_one_paragraph_each() -> None:
    whole = [words for words, _ in REFERENCES]
    assert texts(hanging()) == [" ".join(whole[:3]), " ".join(whole[3:])]


def left_edges(data: bytes) -> list[float]:
    """Return where each line of a page begins, from the top."""
    edges: dict[float, float] = {}
    for glyph in model(data).glyphs():
        if glyph.text.strip():
            height = round(glyph.y, 1)
            edges[height] = min(edges.get(height, 1000.0), round(glyph.x, 1))
    return [edges[height] for height in sorted(edges, reverse=True)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Anna Example", "Anna Antonia Example"),
        ("works that are cited", "works and of other sources that are cited"),
        ("pages 12 to 19", "pages 12 to 19, with a long preface by Fritz Fallbeispiel and others"),
    ],
)
def test_what_is_added_to_a_hanging_entry_stands_under_its_set_in_lines(old: str, new: str) -> None:
    after, _ = edited(hanging(), ReplaceText("p1.b1", old, new))
    assert texts(after)[0] == " ".join(words for words, _ in REFERENCES[:3]).replace(old, new)
    first, *others = left_edges(after)
    second = texts(after)[1]
    own = lines(after).index(next(line for line in lines(after) if line[:5] == second[:5]))
    assert (first, set(others[: own - 1])) == (72, {83})


@pytest.mark.parametrize("label", ["1.", "(a)", "\u2022", "B", "\u00a7 3"])
@pytest.mark.parametrize("count", [1, 2])
def test_what_is_added_to_an_item_stands_under_its_text(label: str, count: int) -> None:
    page = paper().text(72, 100, label)
    for number, words in enumerate(WIDE[:count]):
        page.text(96, 100 + 13 * number, words)
    page.text(72, 113 + 13 * count, NEXT[0])
    page.text(72, 126 + 13 * count, NEXT[1])
    new = "delivers to the customer, at its own cost and on its own risk,"
    after, _ = edited(page.data(), ReplaceText("p1.b1", "delivers", new))
    assert texts(after)[0].endswith(" ".join(WIDE[:count]).replace("delivers", new))
    assert set(left_edges(after)[1 : count + 1]) == {96}


def test_a_line_beside_another_one_does_not_go_on_in_it() -> None:
    page = paper().text(72, 100, "Prices of the first", size=18)
    page.text(300, 114, "and of another kind", size=18)
    assert texts(page.data()) == ["Prices of the first", "and of another kind"]


def test_a_dot_right_before_a_word_begins_an_item() -> None:
    page = paper().lines(72, 100, "\u00b7Safety planning", "\u00b7Crime prevention", size=11)
    assert texts(page.data()) == ["Safety planning", "Crime prevention"]
