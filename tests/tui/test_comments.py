"""Comments are seen: marked in the preview, listed with their answers, answered and resolved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from redraft.tui.screens.comments_screen import CommentsScreen
from tests.tui.program import Program
from tests.tui.standin import Held, Service

Make = Callable[..., Program]


def comment(name: str, words: str, text: str, **fields: Any) -> dict[str, Any]:
    return {"id": name, "author": "Priya", "words": words, "text": text, **fields}


def commented(service: Service) -> Held:
    held = service.add()
    held.comments = [
        comment("c1", "Acme Corporation", "Which one?", resolved=True),
        comment("c2", "30 days", "Too short.", date="2026-11-20T09:00:00Z"),
        comment("c3", "30 days", "Agreed.", author="Bob", parent="c2"),
    ]
    return held


async def test_comments_are_marked_counted_and_listed_with_their_answers(
    service: Service, program: Make
) -> None:
    commented(service)
    async with program().running((80, 24)) as redraft:
        marked = [line for line in redraft.text("#preview").splitlines() if "✎" in line]
        assert len(marked) == 1  # what is resolved is not marked
        assert "The Supplier shall invoice" in marked[0]
        assert "2 comments, 1 open; esc C shows them" in redraft.words("#note")
        await redraft.press("escape", "C")
        assert isinstance(redraft.app.screen, CommentsScreen)
        listed = redraft.words("#comments")
        assert "Priya resolved “Acme Corporation” Which one?" in listed
        assert "Priya 2026-11-20 09:00 “30 days” Too short. Bob Agreed." in listed
        await redraft.press("j", "enter")
        assert "30 days" in redraft.words("#preview")
        assert redraft.main.panes.pane == "preview"


async def test_a_comment_is_answered(service: Service, program: Make) -> None:
    commented(service)
    async with program().running() as redraft:
        await redraft.press("escape", "C", "j", "r")
        await redraft.type("45 days then?")
        await redraft.press("enter")
        (body,) = service.bodies
        assert body["operations"] == [
            {"op": "reply_comment", "target": "c2", "text": "45 days then?"}
        ]
        assert body["baseVersion"] == 0
        assert "editInstructions" not in body
        await redraft.press("C")
        assert "45 days then?" in redraft.words("#comments")


async def test_a_comment_is_resolved_and_opened_again(service: Service, program: Make) -> None:
    held = commented(service)
    async with program().running() as redraft:
        await redraft.press("escape", "C", "j", "x")
        assert held.comments[1]["resolved"]
        assert "2 comments, 0 open" in redraft.words("#note")
        assert "✎" not in redraft.text("#preview")
        await redraft.press("C", "j", "x")
        assert not held.comments[1]["resolved"]


async def test_a_service_that_lists_no_comments_is_used_as_ever(
    service: Service, program: Make
) -> None:
    service.add()
    service.fail["GET comments"] = (404, "Not Found")
    async with program().running() as redraft:
        assert "Master Services Agreement" in redraft.words("#preview")
        await redraft.press("escape", "C")
        assert "there are no comments" in redraft.status
