from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.assist import windows
from redraft.assist.windows import MOST_TOKENS, PatternError, tokens
from redraft.engine.errors import NotFoundError
from redraft.engine.report import BlockLine

HEAD = re.compile(r"^\[(\w+)( [^\]]*)?\] ")


def blocks(*texts: str) -> tuple[BlockLine, ...]:
    return tuple(BlockLine(f"p{number}", "", text) for number, text in enumerate(texts, 1))


@given(st.lists(st.text(max_size=30) | st.sampled_from(["[p2] no", "a\n[p3] b", "\u2028[p1] c"])))
def test_the_lines_of_a_window_give_back_the_ids_of_its_blocks(texts: list[str]) -> None:
    document = blocks(*texts)
    window = windows.window(document, "", 400)
    written = "\n".join(window.lines).splitlines() if window.lines else []
    heads = [HEAD.match(line) for line in written]
    assert [head[1] for head in heads if head] == [block.id for block in document[: len(heads)]]


def test_windows_follow_one_another_without_a_gap() -> None:
    document = blocks(*(f"number {number}" for number in range(1, 101)))
    seen: list[str] = []
    start = ""
    while True:
        window = windows.window(document, start, 7)
        seen += window.lines
        start = window.next
        if not start:
            break
    assert seen == [f"[p{number}] number {number}" for number in range(1, 101)]


@pytest.mark.parametrize("sign", ["x", "字"])
@pytest.mark.thorough
def test_a_window_holds_8000_tokens_and_a_longer_block_is_read_in_pieces(sign: str) -> None:
    long = "".join(f"{number} {sign}" for number in range(40_000))
    document = blocks("first", long, "last")
    seen: list[str] = []
    start = ""
    while True:
        window = windows.window(document, start, 400)
        assert sum(map(tokens, window.lines)) <= MOST_TOKENS + 10
        seen += window.lines
        start = window.next
        if not start:
            break
    assert "".join(re.sub(r"^\[[^\]]*\] ", "", line) for line in seen) == f"first{long}last"


def test_a_block_that_is_not_there_is_refused() -> None:
    with pytest.raises(NotFoundError, match="There is no block p9"):
        windows.window(blocks("a"), "p9", 5)


async def test_a_text_is_found_whatever_its_case_and_blanks() -> None:
    document = blocks("The  Notice\tPeriod ends", "nothing", "notice period")
    found = await windows.search(document, 3, "notice period", is_regex=False, limit=1, start="")
    assert (found.total, found.hits[0].block, found.next, found.version) == (2, "p1", "p3", 3)
    later = await windows.search(document, 3, "notice period", is_regex=False, limit=5, start="p2")
    assert [hit.block for hit in later.hits] == ["p3"]


async def test_a_hit_in_a_long_block_comes_with_the_words_around_it() -> None:
    found = await windows.search(
        blocks("a " * 1000 + "needle" + " b" * 1000), 0, "needle", is_regex=False, limit=5, start=""
    )
    assert "needle" in found.hits[0].text
    assert len(found.hits[0].text) <= windows.LONGEST_HIT + 2


@pytest.mark.parametrize(("pattern", "words"), [("(", "cannot be read"), ("(a|aa)+c", "too long")])
async def test_a_pattern_that_is_wrong_or_never_ends_is_refused(
    pattern: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(windows, "PATTERN_SECONDS", 0.2)
    with pytest.raises(PatternError, match=words):
        await windows.search(blocks("a" * 5000), 0, pattern, is_regex=True, limit=5, start="")


def test_the_outline_lists_headings_and_ends_where_it_is_full() -> None:
    document = [BlockLine(f"p{n}", "h1", f"Heading {n} " + "x" * 60) for n in range(1, 200)]
    outline = windows.outline([*document, BlockLine("p900", "", "text")])
    assert tokens(outline) <= windows.OUTLINE_TOKENS + 50
    assert outline.startswith("[p1 h1] Heading 1")
    assert re.search(r"… \d+ more; read from p\d+$", outline)
    assert windows.outline([BlockLine("p1", "", "only text")]) == "[p1] only text"
