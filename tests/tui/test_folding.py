"""The tracked changes by clause: folded to a line each, counted, accepted together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from redraft.tui.screens.dialog import ConfirmScreen
from tests.tui.program import Program
from tests.tui.standin import Held, Service

PLACES = (
    ("4. Payment · The Supplier shall…", "Alice Lee", "30", "45"),
    ("4. Payment · Licences", "Bob", "", "new"),
    ("7. Term · This Agreement…", "Alice Lee", "three", ""),
)


def marked_up(service: Service) -> Held:
    held = service.add()
    held.changes = [changed(number, *place) for number, place in enumerate(PLACES, 1)]
    return held


def changed(number: int, where: str, author: str, before: str, after: str) -> dict[str, Any]:
    kinds = {(True, True): "replacement", (False, True): "insertion", (True, False): "deletion"}
    return {
        "id": f"c{number}",
        "kind": kinds[bool(before), bool(after)],
        "author": author,
        "editUids": ["e1"],
        "where": where,
        "before": before,
        "after": after,
    }


async def test_a_clause_is_folded_to_one_line_and_opened_again(
    service: Service, program: Callable[..., Program]
) -> None:
    marked_up(service)
    async with program().running((80, 24)) as redraft:
        await redraft.press("escape", "3")
        assert "Alice Lee 2, Bob 1 · 1 replaced, 1 inserted, 1 deleted" in redraft.words("#note")
        await redraft.press("n", "minus")  # from the second change of the clause
        first, *rest = redraft.text("#changes").splitlines()
        assert first.startswith("+ 4. Payment")
        assert first.endswith("2 changes: 2 insertions, 1 deletion")
        assert rest[0].startswith("#3 ")
        await redraft.press("n")
        assert redraft.main.changes.current_number() == 3
        await redraft.press("p", "minus")
        assert redraft.text("#changes").startswith("#1 ")
        await redraft.press("plus")
        assert len(redraft.text("#changes").splitlines()) == 2


async def test_a_folded_clause_is_accepted_whole_after_a_question(
    service: Service, program: Callable[..., Program]
) -> None:
    marked_up(service)
    async with program().running() as redraft:
        await redraft.press("escape", "3", "minus", "space")
        assert isinstance(redraft.app.screen, ConfirmScreen)
        assert "4. Payment" in redraft.text("#dialog-body")
        await redraft.press("y")
        assert service.resolved == [{"action": "accept", "ids": ["c1", "c2"]}]


async def test_space_accepts_one_change_and_all_counts_what_is_folded(
    service: Service, program: Callable[..., Program]
) -> None:
    marked_up(service)
    async with program().running() as redraft:
        await redraft.press("escape", "3", "plus", "G", "plus", "space")
        assert service.resolved == [{"action": "accept", "ids": ["c3"]}]
        await redraft.press("plus", "X")
        assert "2 changes" in redraft.text("#dialog-body")
