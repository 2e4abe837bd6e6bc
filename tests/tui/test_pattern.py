from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

from redraft.tui.text import pattern
from tests.tui.program import Program
from tests.tui.standin import Service

pytestmark = pytest.mark.process

Make = Callable[..., Program]
HOSTILE = r"(a|aa)+$"


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine that has much else to do a search takes its time."""
    monkeypatch.setattr(pattern, "PATIENCE", 60.0)


async def test_what_fits_is_found_by_text_without_regard_to_case() -> None:
    texts = ["within 30 days, or 45 Days", "nothing", "DAYS"]
    assert await pattern.find(texts, r"(\d+ )?days") == (("30 days", "45 Days"), (), ("DAYS",))


@pytest.mark.parametrize("given", ["x*", "", r"\b", r"\s+"])
async def test_nothing_is_no_hit(given: str) -> None:
    assert await pattern.find(["a b"], given) == ((),)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("(", "missing )"),
        ("*", "nothing to repeat"),
        ("[a", "unterminated"),
    ],
)
async def test_what_is_no_pattern_is_refused_with_the_reason(given: str, words: str) -> None:
    with pytest.raises(pattern.PatternError, match="not a regular expression: ") as refusal:
        await pattern.find(["a"], given)
    assert words in str(refusal.value)


async def test_hits_are_counted_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern, "MOST", 5)
    assert await pattern.find(["aaa", "aaa", "aaa"], "a") == (("a",) * 3, ("a",) * 2, ())


async def test_a_pattern_that_never_ends_is_given_up_in_its_time() -> None:
    begun = time.monotonic()
    with pytest.raises(pattern.PatternError, match="takes too long"):
        await pattern.find(["a" * 200 + "!"], HOSTILE, patience=0.3)
    assert time.monotonic() - begun < 20


async def test_the_program_goes_on_while_a_pattern_is_looked_for() -> None:
    searching = asyncio.create_task(pattern.find(["a" * 200 + "!"], HOSTILE, patience=1.0))
    for _ in range(5):
        await asyncio.sleep(0.01)
    assert not searching.done()
    with pytest.raises(pattern.PatternError):
        await searching


@pytest.mark.parametrize(
    "given", ["((a{1000}){1000}){1000}", "a{9999999}", "(" * 5000 + ")" * 5000]
)
async def test_a_pattern_that_would_take_all_memory_is_refused(given: str) -> None:
    with pytest.raises(pattern.PatternError):
        await pattern.find(["a"], given)


async def search(redraft: Program, text: str) -> None:
    """Search by a regular expression."""
    await redraft.press("escape", "slash", "ctrl+r")
    await redraft.type(text)
    await redraft.press("enter")


async def test_the_preview_is_searched_by_a_pattern_and_walked(
    service: Service, program: Make
) -> None:
    service.add(text="# T\n\nwithin 30 days\n\nwithin 45 days\n\ndays\n")
    redraft = program()
    async with redraft.running():
        await search(redraft, r"\d+ days")
        assert redraft.status == "2 hits"
        assert r"pattern \d+ days 1/2" in redraft.words("#note")
        await redraft.press("n")
        assert "2/2" in redraft.words("#note")
        current = [
            run.text
            for number in range(redraft.main.preview.line_count())
            for run in redraft.main.preview.line(number)
            if run.role == "current"
        ]
        assert current == ["45 days"]
        await redraft.press("escape")
        assert not redraft.main.preview.hits


async def test_a_pattern_is_searched_again_in_what_an_edit_made(
    service: Service, program: Make
) -> None:
    service.add(text="# T\n\nwithin 30 days\n\nwithin 45 days\n")
    redraft = program()
    async with redraft.running():
        await search(redraft, r"\d+ days")
        await redraft.send('replace "45 days" with "60 hours"')
        assert [hit.words for hit in redraft.main.preview.hits] == ["30 days", "45 days"]
        await redraft.press("escape", "v", "v")
        assert redraft.main.mode == "final"
        assert [hit.words for hit in redraft.main.preview.hits] == ["30 days"]


async def test_the_changes_are_searched_by_a_pattern(service: Service, program: Make) -> None:
    service.add(text="# T\n\nwithin 30 days\n\nwithin 45 days\n")
    redraft = program()
    async with redraft.running():
        await redraft.send('replace "30" with "31"')
        await redraft.send('replace "45" with "46"')
        await redraft.press("escape", "3")
        await search(redraft, r"\b46\b")
        assert redraft.status == "1 change"
        change = redraft.main.changes.current()
        assert change is not None
        assert change.after == "46"


async def test_a_wrong_pattern_is_told_and_searches_nothing(
    service: Service, program: Make
) -> None:
    service.add()
    redraft = program()
    async with redraft.running():
        await search(redraft, "(")
        assert redraft.status.startswith("not a regular expression: missing )")
        assert redraft.main.search_query.text == ""


async def test_hits_that_are_left_out_are_told(
    service: Service, program: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pattern, "MOST", 3)
    service.add(text="# T\n\naaaa\n")
    redraft = program()
    async with redraft.running():
        await search(redraft, "a")
        assert redraft.status == "the first 3 hits; there may be more"
        assert len(redraft.main.preview.hits) == 3
