"""The smallest change a reader accepts."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.engine.diff import Hunk, Token, hunks, is_word, tokens
from tests.counting import lines


def marked(old: str, new: str, *, sentences: bool = True) -> str:
    before, after = ([Token(text) for text in tokens(side)] for side in (old, new))
    found = ""
    at = 0

    def said(line: list[Token], start: int, end: int) -> str:
        return "".join(token.text for token in line[start:end])

    for hunk in hunks(before, after, sentences=sentences):
        found += said(before, at, hunk.start)
        struck = said(before, hunk.start, hunk.end)
        written = said(after, hunk.new_start, hunk.new_end)
        found += (f"[-{struck}-]" if struck else "") + (f"{{+{written}+}}" if written else "")
        at = hunk.end
    return found + said(before, at, len(before))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("30 days", "60 days", "[-30-]{+60+} days"),
        ("a b", "a  b", "a {+ +}b"),
        ("The end", "The end of it", "The end{+ of it+}"),
        ("The end.", "The end of it.", "The end{+ of it+}."),
        ("a big dog", "a very big dog", "a {+very +}big dog"),
        ("A. B. C.", "A. C.", "A. [-B. -]C."),
        ("same", "same", "same"),
        ("", "new", "{+new+}"),
        ("old", "", "[-old-]"),
        ("shall pay", "must pay", "[-shall-]{+must+} pay"),
        ("pay 1,200.50 now", "pay 1,300.50 now", "pay [-1,200.50-]{+1,300.50+} now"),
        ("don't go", "didn't go", "[-don't-]{+didn't+} go"),
        ("thirty (30) days", "sixty (60) days", "[-thirty (30-]{+sixty (60+}) days"),
        (
            "\u7b2c\u4e00\u6761 \u672c",
            "\u7b2c\u4e8c\u6761 \u672c",
            "\u7b2c[-\u4e00-]{+\u4e8c+}\u6761 \u672c",
        ),
        ("caf\u00e9 a", "cafe\u0301 a", "[-caf\u00e9-]{+cafe\u0301+} a"),
        (
            "x \U0001f469\u200d\U0001f467 y",
            "x \U0001f469 y",
            "x [-\U0001f469\u200d\U0001f467-]{+\U0001f469+} y",
        ),
    ],
)
def test_a_change_is_by_words_and_as_small_as_a_reader_expects(
    old: str, new: str, expected: str
) -> None:
    assert marked(old, new) == expected


def test_a_sentence_of_which_most_words_change_is_struck_whole() -> None:
    old = "The Supplier shall deliver the goods to the Buyer within ten days. It stays here."
    new = "A Vendor must hand over all goods at the Client in five weeks. It stays here."
    assert marked(old, new) == (
        "[-The Supplier shall deliver the goods to the Buyer within ten days.-]"
        "{+A Vendor must hand over all goods at the Client in five weeks.+} It stays here."
    )


def test_a_sentence_of_which_few_words_change_is_not_struck_whole() -> None:
    old = "The Supplier shall deliver the goods to the Buyer within ten days."
    new = "The Vendor shall deliver the goods to the Client within ten days."
    assert marked(old, new) == (
        "The [-Supplier-]{+Vendor+} shall deliver the goods to the [-Buyer-]{+Client+} "
        "within ten days."
    )


def test_tokens_differ_by_their_key_too() -> None:
    assert hunks([Token("a", 1)], [Token("a", 2)]) == [Hunk(0, 1, 0, 1)]


@pytest.mark.thorough
def test_a_long_rewrite_is_not_quadratic() -> None:
    def work(count: int) -> int:
        old = " ".join(f"word{index % 97} and more." for index in range(count))
        new = " ".join(f"term{index % 89} and less." for index in range(count))
        old_words, new_words = ([Token(t) for t in tokens(text)] for text in (old, new))
        return lines(lambda: hunks(old_words, new_words))

    assert work(4000) < 6 * work(1000)


TEXTS = st.text(st.sampled_from("ab .,'\u0301\u200d\u4e00\U0001f469 1\n\tZ\u00a0"), max_size=60)


@given(TEXTS)
def test_nothing_is_lost_in_cutting(text: str) -> None:
    assert "".join(tokens(text)) == text
    assert "" not in tokens(text)


def rebuilt(old: str, new: str, *, sentences: bool) -> None:
    """Asserts that the hunks are ordered, apart from each other, and turn `old` into `new`."""
    before, after = [Token(t) for t in tokens(old)], [Token(t) for t in tokens(new)]
    made: list[Token] = []
    at = -1
    for hunk in hunks(before, after, sentences=sentences):
        assert hunk.start > at
        assert (hunk.start, hunk.new_start) != (hunk.end, hunk.new_end)
        made += before[max(at, 0) : hunk.start]
        assert len(made) == hunk.new_start
        made += after[hunk.new_start : hunk.new_end]
        at = hunk.end
    assert made + before[max(at, 0) :] == after


@given(TEXTS, TEXTS, st.booleans())
def test_the_hunks_turn_the_old_text_into_the_new_one(old: str, new: str, sentences: bool) -> None:
    rebuilt(old, new, sentences=sentences)


WORDS = ["the", "party", "shall", "pay", "all", "fees", "in", "thirty", "days", "of", "a", "notice"]
SENTENCES = st.lists(st.lists(st.sampled_from(WORDS), min_size=6, max_size=12), max_size=5)


@pytest.mark.thorough
@settings(max_examples=400)
@given(SENTENCES, st.randoms(use_true_random=False))
def test_changes_that_cross_the_end_of_a_sentence_do_not_overlap(
    sentences: list[list[str]], chance: random.Random
) -> None:
    old = " ".join(" ".join(words) + "." for words in sentences).split(" ")
    new: list[str] = []
    for word in old:
        fate = chance.random()
        new += [chance.choice(WORDS)] if fate < 0.5 else [word] if fate < 0.9 else []
    rebuilt(" ".join(old), " ".join(new), sentences=True)


@given(st.lists(st.sampled_from(["ab", "b", "c", "d."]), max_size=12), st.data())
def test_inserted_words_are_the_only_mark_of_a_pure_insertion(
    words: list[str], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(words)))
    new = [*words[:at], "zz", *words[at:]]
    found = hunks([Token(t) for t in words], [Token(t) for t in new])
    assert sum(hunk.end - hunk.start for hunk in found) == 0
    assert sum(hunk.new_end - hunk.new_start for hunk in found) == 1


def test_a_word_is_letters_or_digits() -> None:
    assert [is_word(text) for text in ("a", "7", "\u4e00", " ", ".", "")] == [True] * 3 + [
        False
    ] * 3
