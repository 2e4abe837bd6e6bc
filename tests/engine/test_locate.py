"""What a quote means."""

from __future__ import annotations

import time

import pytest

from engine.locate import adapted, closest, find, occurrences


def hits(text: str, quote: str) -> list[str]:
    return [text[start:end] for start, end in find(text, quote)]


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        ("the fee and the fee", "fee", ["fee", "fee"]),
        ("Client\u2019s \u201cFee\u201d", 'Client\'s "Fee"', ["Client\u2019s \u201cFee\u201d"]),
        ("pages 3\u20135", "3-5", ["3\u20135"]),
        ("30\u00a0days", "30 days", ["30\u00a0days"]),
        ("co\u00adoperate", "cooperate", ["co\u00adoperate"]),
        ("cafe\u0301 open", "caf\u00e9", ["cafe\u0301"]),
        ("caf\u00e9 open", "cafe\u0301", ["caf\u00e9"]),
        ("and so on\u2026 then", "so on... then", ["so on\u2026 then"]),
        ("Section\t1 \n Billing", "Section 1 Billing", ["Section\t1 \n Billing"]),
        ("Section\t1", "Section\u27e6tab\u27e71", ["Section\t1"]),
        ("The Term is long", "2. **The** Term", ["The Term"]),
        ("on Monday each week", "on Monday\u27e6fn1\u27e7 each", ["on Monday each"]),
        ("THE FEE", "the fee", ["THE FEE"]),
        ("Stra\u00dfe 5", "STRASSE 5", ["Stra\u00dfe 5"]),
        ("nothing", "something", []),
        ("text", "", []),
    ],
)
def test_a_quote_is_found_as_people_type_it(text: str, quote: str, expected: list[str]) -> None:
    assert hits(text, quote) == expected


def test_the_first_rung_with_hits_wins() -> None:
    assert hits("it's it\u2019s IT'S", "it's") == ["it's"]


def test_a_long_quote_with_one_wrong_word_is_found_when_nothing_else_is_like_it() -> None:
    text = (
        "Before that. The supplier shall deliver all the goods to the buyer within ten days of "
        "the order date. After that."
    )
    quote = "The supplier shall deliver all goods to the buyer within ten days of the order date"
    assert hits(text, quote) == [
        "The supplier shall deliver all the goods to the buyer within ten days of the order date"
    ]


def test_two_passages_nearly_alike_are_not_guessed_between() -> None:
    clause = "The supplier shall deliver all the goods to the buyer within {} days of the order."
    text = clause.format("ten") + " " + clause.format("six")
    assert hits(text, clause.format("two")) == []


def test_replacing_everywhere_without_case_takes_all_cases_and_whole_words_only_when_asked() -> (
    None
):
    text = "Fee, fee, FEE, fees"
    assert len(occurrences(text, "fee", match_case=False, whole_word=False)) == 4
    assert len(occurrences(text, "fee", match_case=False, whole_word=True)) == 3
    assert len(occurrences(text, "fee", match_case=True, whole_word=True)) == 1


@pytest.mark.parametrize(
    ("found", "quote", "expected"),
    [
        ("COLOUR", "colour", "COLOR"),
        ("Colour", "colour", "Color"),
        ("colour", "colour", "color"),
        ("VENDOR", "Vendor", "COLOR"),
        ("A", "a", "Color"),
        ("vendor", "Vendor", "color"),
    ],
)
def test_a_replacement_takes_the_case_of_its_hit(found: str, quote: str, expected: str) -> None:
    assert adapted("color", found, quote) == expected


def test_the_closest_passage_shares_most_words() -> None:
    texts = ["nothing here", "the notice period is 30 days", "30 apples"]
    assert closest(texts, "notice period of 60 days") == texts[1]
    assert closest(texts, "zzz") == ""


def test_many_hits_take_linear_time() -> None:
    text = "fee \u201cx\u201d and  so " * 20_000
    start = time.perf_counter()
    assert len(find(text, 'fee "x" and so')) == 20_000
    assert time.perf_counter() - start < 5
