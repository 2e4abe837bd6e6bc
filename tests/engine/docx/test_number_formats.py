"""Numbers in the formats of lists."""
# ruff: noqa: RUF001  # letters of many scripts are what this is about

from __future__ import annotations

import pytest

from redraft.engine.docx.number_formats import numeral


@pytest.mark.parametrize(
    ("form", "counts", "written"),
    [
        ("decimal", (0, 1, 42), "0 1 42"),
        ("decimalZero", (1, 10), "01 10"),
        (
            "lowerRoman",
            (1, 4, 9, 14, 40, 90, 400, 1999, 2026),
            "i iv ix xiv xl xc cd mcmxcix mmxxvi",
        ),
        ("upperRoman", (3, 0), "III 0"),
        ("lowerLetter", (1, 26, 27, 52, 53), "a z aa zz aaa"),
        ("upperLetter", (2, 28), "B BB"),
        ("ordinal", (1, 2, 3, 4, 11, 12, 13, 21, 112), "1st 2nd 3rd 4th 11th 12th 13th 21st 112th"),
        ("cardinalText", (7, 21, 100), "Seven Twenty-one One hundred"),
        ("ordinalText", (1, 12, 20, 21, 100), "First Twelfth Twentieth Twenty-first One hundredth"),
        ("hex", (10, 255), "A FF"),
        ("chicago", (1, 2, 5), "* † **"),
        ("decimalEnclosedCircle", (1, 20, 21), "① ⑳ 21"),
        ("decimalFullWidth", (12,), "１２"),
        ("japaneseCounting", (1, 10, 11, 20, 105, 111, 1000), "一 十 十一 二十 百五 百十一 千"),
        ("chineseCountingThousand", (10, 11, 105, 110), "十 十一 一百〇五 一百一十"),
        ("ideographDigital", (10,), "一〇"),
        ("ideographTraditional", (1, 10, 11), "甲 癸 甲"),
        ("aiueo", (1, 2), "ア イ"),
        ("hebrew1", (1, 10, 15, 16, 21, 400), "א י טו טז כא ת"),
        ("russianLower", (1, 3), "а в"),
        ("numberInDash", (5,), "- 5 -"),
        ("none", (5,), ""),
        ("unheardOf", (5,), "5"),
        ("decimalFullWidth", (-3,), "-3"),
        ("ordinalText", (-1,), "-1"),
        ("cardinalText", (-1,), "-1"),
    ],
)
def test_a_format_writes_its_numbers(form: str, counts: tuple[int, ...], written: str) -> None:
    assert " ".join(numeral(count, form) for count in counts) == written


@pytest.mark.parametrize(
    ("pattern", "written"), [("01, 02, 03, ...", "07"), ("0001, 0002, ...", "0007"), ("", "7")]
)
def test_a_custom_format_is_padded_as_its_pattern(pattern: str, written: str) -> None:
    assert numeral(7, "custom", pattern) == written
