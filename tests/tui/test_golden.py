"""The change view shows what the engine lists, for a document with every kind of change."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from redraft.tui.panes.change_lines import MARGIN
from tests.tui.golden import Golden, golden
from tests.tui.program import Program
from tests.tui.standin import Service

Make = Callable[..., Program]
MODES = ["inline", "split", "final", "original"]
KINDS = {
    "replacement": "replaced",
    "insertion": "inserted",
    "deletion": "deleted",
    "format": "format",
    "move": "moved",
    "paragraph": "paragraph mark",
}


@pytest.fixture(scope="module")
def wanted() -> Golden:
    return golden()


@pytest.fixture
def held(service: Service, wanted: Golden) -> None:
    document = service.add()
    document.changes, document.edits = wanted.changes, wanted.history
    document.views = wanted.views


async def go_to(redraft: Program, mode: str) -> None:
    """Show the changes in a mode."""
    await redraft.press("escape", "3")
    while redraft.main.mode != mode:
        await redraft.press("v")
    redraft.main.changes.to_edge(end=False)
    await redraft.settle()


async def entries(program: Make, mode: str) -> list[str]:
    """The entries of the list in ASCII, with one space for spaces and ends of lines."""
    async with program(ascii_only=True).running((200, 60)) as redraft:
        await go_to(redraft, mode)
        shown = redraft.text("#changes")
        half = (redraft.main.changes.content_width - MARGIN - 5) // 2
    found = re.split(r"^(?=#\d+ )", shown, flags=re.MULTILINE)[1:]
    if mode == "split":
        found = [one_side_after_the_other(entry, half) for entry in found]
    return [" ".join(entry.split()) for entry in found]


def one_side_after_the_other(entry: str, half: int) -> str:
    """What goes over both columns, the left one, the right one."""
    end = MARGIN + half
    lines = entry.splitlines()
    pairs = [line for line in lines if line.ljust(end + 3)[end : end + 3] == " | "]
    over = [line for line in lines if line not in pairs]
    left, right = [line[:end] for line in pairs], [line[end + 3 :] for line in pairs]
    return " ".join((*over, *left, *right))


def squeezed(text: str, kind: str) -> str:
    """Words as an entry shows them; cells are parted by bars, paragraphs by their sign."""
    end = " | " if kind in ("row", "cell") else "[para] "
    return " ".join(text.rstrip("\n").replace("\n", end).split())


def test_the_document_has_every_kind_of_change(wanted: Golden) -> None:
    kinds = {change["kind"] for change in wanted.changes}
    assert kinds == {*KINDS, "row", "cell"}
    formats = [name for change in wanted.changes for name, _, _ in change["formatting"]]
    assert sorted(formats) == ["bold", "bold", "size"]
    assert {change["author"] for change in wanted.changes} == {"Alice Lee", "Bob Meyer"}


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("mode", MODES)
async def test_every_change_says_who_when_where_what_and_by_which_edit(
    program: Make, wanted: Golden, mode: str
) -> None:
    shown = await entries(program, mode)
    assert len(shown) == len(wanted.changes)
    for number, (entry, change) in enumerate(zip(shown, wanted.changes, strict=True), start=1):
        when = datetime.fromisoformat(change["date"])
        assert entry.startswith(f"#{number} {change['author']} {when:%Y-%m-%d %H:%M} ")
        assert change["where"].partition(" · ")[0].split(", row")[0].split()[0] in entry
        assert ("from the file" in entry) is (change["editUids"] == [])
    heads = " ".join(shown)
    for item in wanted.history:
        assert f'"{item["instruction"]}"' in heads


@pytest.mark.usefixtures("held")
async def test_every_change_is_called_by_its_kind(program: Make, wanted: Golden) -> None:
    shown = await entries(program, "inline")
    moved = {c["before"] for c in wanted.changes if c["kind"] == "deletion" and c["editUids"]}
    for entry, change in zip(shown, wanted.changes, strict=True):
        kind = KINDS.get(change["kind"], "")
        if change["kind"] in ("row", "cell"):
            noun = {"row": "row", "cell": "column"}[change["kind"]]
            kind = f"{noun} {'inserted' if change['after'] else 'deleted'}"
        elif change["kind"] in ("insertion", "deletion") and (
            change["before"] in moved or change["after"] in moved
        ):
            kind = "moved here" if change["after"] else "moved away"
        assert f" {kind} " in entry


def body_of(change: dict[str, Any], mode: str) -> list[str]:
    """What an entry must show of a change in a mode."""
    before, after = (squeezed(change[side], change["kind"]) for side in ("before", "after"))
    if change["kind"] == "format":
        parts = [
            f"{name}: {f'[-{old}-]' if old else 'as styled'} -> "
            f"{f'{{+{new}+}}' if new else 'as styled'}"
            for name, old, new in change["formatting"]
        ]
        return [after, *parts]
    if change["kind"] == "paragraph":
        return ["[para]"]
    if change["kind"] == "move":
        return [after]
    struck, written = (f"[-{before}-]" if before else ""), (f"{{+{after}+}}" if after else "")
    return {
        "inline": [struck + written],
        "split": [struck, written],
        "final": [after],
        "original": [before],
    }[mode]


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("mode", MODES)
async def test_every_change_shows_its_words_as_the_mode_wants_them(
    program: Make, wanted: Golden, mode: str
) -> None:
    shown = await entries(program, mode)
    for entry, change in zip(shown, wanted.changes, strict=True):
        for words in body_of(change, mode):
            assert words in entry
        assert "[--]" not in entry
        assert "{++}" not in entry
        if mode in ("final", "original") and change["kind"] not in ("format", "paragraph"):
            assert "[-" not in entry
            assert "{+" not in entry


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("mode", MODES)
def test_the_golden_changes(picture: Callable[..., bool], mode: str) -> None:
    async def act(redraft: Program) -> None:
        await go_to(redraft, mode)

    assert picture(act, (120, 54))


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(("key", "mode"), [("", "markup"), ("vv", "final"), ("vvv", "original")])
async def test_the_preview_reads_as_the_mode_says(
    program: Make, wanted: Golden, key: str, mode: str
) -> None:
    async with program(ascii_only=True).running() as redraft:
        await redraft.press("escape", *key)
        words = redraft.words("#preview")
    assert ("forty-five" in words) is (mode != "original")
    assert ("thirty" in words) is (mode != "final")
    assert ("{+forty-five+}" in words) is (mode == "markup")
    assert ("quarterly" in words) is (mode != "final")
    assert wanted.views[mode]
