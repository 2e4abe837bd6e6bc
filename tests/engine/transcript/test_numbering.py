"""Labels as Word counts them."""

from __future__ import annotations

import pytest

from redraft.engine.transcript.numbering import Number, Numbering, readings


@pytest.mark.parametrize(
    ("label", "form", "value"),
    [
        ("1.", "decimal", 1),
        ("(a)", "lowerLetter", 1),
        ("B)", "upperLetter", 2),
        ("iv.", "lowerRoman", 4),
        ("i.", "lowerRoman", 1),
        ("MCMXC", "upperRoman", 1990),
        ("§ 12", "decimal", 12),
        ("007", "none", 1),
        ("Step one:", "none", 1),
        ("\u2713", "none", 1),
    ],
)
def test_a_label_is_taken_apart(label: str, form: str, value: int) -> None:
    number = readings(label)[0]
    assert (number.form, number.value) == (form, value)


def test_what_stands_before_the_last_number_stays() -> None:
    assert readings("2.10")[0] == Number("2.", "", "decimal", 10)


@pytest.mark.parametrize(
    ("labels", "lists"),
    [
        (("1.", "2.", "3."), [1, 1, 1]),
        (("h.", "i.", "j."), [1, 1, 1]),
        (("i.", "ii."), [1, 1]),
        (("1.", "3."), [1, 2]),
        (("1.", "2)"), [1, 2]),
        (("2.1", "2.2", "3.1"), [1, 1, 2]),
    ],
)
def test_labels_that_follow_each_other_are_one_list(
    labels: tuple[str, ...], lists: list[int]
) -> None:
    numbering = Numbering()
    assert [numbering.of(label, 0, "item") for label in labels] == lists


def test_a_list_ends_where_other_text_follows_but_headings_go_on() -> None:
    numbering = Numbering()
    first = [numbering.of("1.", 0, "item"), numbering.of("1", 0, "heading")]
    numbering.end()
    assert numbering.of("2.", 0, "item") != first[0]
    assert numbering.of("2", 0, "heading") == first[1]
