"""What a quote means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.engine.locate import (
    adapted,
    closest,
    core,
    find,
    has_core,
    longer_word,
    occurrences,
    unsaid,
)
from tests.counting import lines


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


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        ("30 days, 130 days, FY30, 300 days", "30", "XX days, 130 days, FYXX, 300 days"),
        ("30,000 and 1,030 and 30.5 and 4.30", "30", None),
        ("pages 3, 30 and 31. In 30.", "30", "pages 3, XX and 31. In XX."),
        ("31.12.2026, 2026/27, 2026.", "2026", "31.12.XX, XX/27, XX."),
        ("5 %, 0.5 % and 12,5 %", "5 %", "XX, 0.5 % and 12,5 %"),
        ("clauses 3, 3.1 and 2.3", "3", "clauses XX, 3.1 and 2.3"),
        ("EUR 500", "EUR 50", None),
    ],
)
def test_a_number_is_never_a_part_of_a_longer_one(
    text: str, quote: str, expected: str | None
) -> None:
    changed = text
    for start, end in reversed(occurrences(text, quote, match_case=False, whole_word=False)):
        changed = changed[:start] + "XX" + changed[end:]
    assert changed == (expected or text)


@pytest.mark.parametrize(
    ("text", "quote"),
    [("10 of 100", "2.0"), ("g. 5", "e.g. 5"), ("the S. court", "U.S."), ("the 30", "2. 30")],
)
def test_a_full_stop_ends_a_list_number_only_before_a_blank_and_words(
    text: str, quote: str
) -> None:
    assert find(text, quote) == []


def test_a_part_of_a_number_is_found_where_nothing_else_is_meant() -> None:
    assert find("a fee of £48,000", "48") == [(10, 12)]
    assert find("48 hours, £48,000", "48") == [(0, 2)]
    # What stands there as it was quoted is not looked for without its number.
    assert hits("Form 214. Submit copies", "4. Submit copies") == ["4. Submit copies"]
    assert hits("130 days, 30 Days", "30 days") == ["30 Days"]


@pytest.mark.parametrize(
    ("text", "span", "expected"),
    [
        ("the planning", (4, 8), "planning"),
        ("the plan.", (4, 8), ""),
        ("preplanned", (3, 7), "preplanned"),
        ("FY30", (2, 4), "FY30"),
        ("cafe\u0301s", (0, 5), "cafe\u0301s"),
    ],
)
def test_the_word_around_a_hit_is_told(text: str, span: tuple[int, int], expected: str) -> None:
    assert longer_word(text, span) == expected


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


@pytest.mark.parametrize(
    ("replacement", "found", "expected"),
    [
        ("text editor", "Word Processor", "Text Editor"),
        ("text editor", "Word processor", "Text editor"),
        ("text editor", "WORD PROCESSOR", "TEXT EDITOR"),
        ("editor", "Word Processor", "Editor"),
        ("editor of text", "Word Processor", "Editor of text"),
    ],
)
def test_a_title_stays_one_word_by_word(replacement: str, found: str, expected: str) -> None:
    assert adapted(replacement, found, "word processor") == expected


def test_the_closest_passage_shares_most_words() -> None:
    texts = ["nothing here", "the notice period is 30 days", "30 apples"]
    assert closest(texts, "notice period of 60 days") == texts[1]
    assert closest(texts, "zzz") == ""


@pytest.mark.thorough
def test_many_hits_take_linear_time() -> None:
    def work(count: int) -> int:
        text = "fee \u201cx\u201d and  so " * count
        assert len(find(text, 'fee "x" and so')) == count
        return lines(lambda: find(text, 'fee "x" and so'))

    assert work(2000) < 5 * work(500)


@pytest.mark.parametrize(
    ("text", "find", "new", "expected", "kept"),
    [
        ("ACME, ACME Corp, ACME", "ACME", "ACME Corp", "ACME Corp, ACME Corp, ACME Corp", 1),
        ("the ACME Corp's, (ACME\u00a0Corp)", "ACME", "ACME Corp", None, 2),
        ("ACME Corporation", "ACME", "ACME Corp", "ACME Corp Corporation", 0),
        ("ACME CORP and ACME corp", "ACME", "ACME Corp", "ACME CORP and ACME Corp", 1),
        ("acme corp", "acme", "ACME Corp", "ACME Corp", 0),
        ("The fee. The Fees", "fee", "fees", "The fees. The Fees", 1),
        ("ten business days, one day", "day", "business day", None, 1),
        ("US$ 5, $ 6, AUS$ 7", "$", "US$", "US$ 5, US$ 6, AUSUS$ 7", 1),
        ("no, no and no", "no", "no, no", "no, no and no, no", 1),
        ("very very very", "very", "very very", "very very very very", 1),
        ("Fee 10,000", "Fee", "Fee 10", "Fee 10 10,000", 0),
        ("a b a b", "a b", "B a b", "B a b B a b", 0),
        ("the fee", "fee", "charge", "the charge", 0),
        ("the fee", "fee", "fee", None, 0),
    ],
)
def test_what_says_already_what_is_wanted_is_not_said_twice(
    text: str, find: str, new: str, expected: str | None, kept: int
) -> None:
    every = occurrences(text, find, match_case=False, whole_word=False)
    left, count = unsaid(text, every, new)
    changed = text
    for start, end in reversed(left):
        changed = changed[:start] + new + changed[end:]
    expected = expected or text.replace("one day", f"one {new}")
    assert (changed, count) == (expected, kept)


def test_words_that_are_to_look_otherwise_are_replaced_whole_where_they_stand() -> None:
    assert unsaid("the ACME Corp", [(4, 8)], "ACME Corp", keeps=False) == ([(4, 13)], 0)


@given(st.text(alphabet="aAbB1 -\u2019\u00ad\ufb01\u0301e", max_size=12), st.data())
def test_a_text_that_says_a_quote_has_its_core(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    quote = text[start : data.draw(st.integers(start, len(text)))].upper()
    if occurrences(text, quote, match_case=False, whole_word=False):
        assert has_core(text, core(quote))
