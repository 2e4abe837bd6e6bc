"""Several instructions as a list: one after the other, with what is left kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from redraft.tui.controllers.edit_list import as_list, instructions_in
from redraft.tui.screens.places_screen import PlacesScreen
from redraft.tui.screens.shown_edit import ShownEditScreen
from tests.tui.program import Program
from tests.tui.standin import Service

Make = Callable[..., Program]
FIRST = 'Replace "30 days" with "45 days"'
SECOND = 'Replace "monthly" with "quarterly"'
MISSING = 'Replace "no such words" with "others"'
DELETE = 'Delete "for three years"'


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("1. delete a\n2. delete b", ("delete a", "delete b")),
        ("- delete a\n\n* delete b", ("delete a", "delete b")),
        ("Add these points:\n- a\n- b", ("Add these points:\n- a\n- b",)),
        ("- delete a", ("- delete a",)),
        ("delete a\ndelete b", ("delete a\ndelete b",)),
    ],
)
def test_a_list_is_a_text_of_nothing_but_items(text: str, items: tuple[str, ...]) -> None:
    assert instructions_in(text) == items


def asked(service: Service) -> list[str]:
    return [body["editInstructions"] for body in service.bodies]


async def test_the_edits_of_a_list_are_made_in_their_order(service: Service, program: Make) -> None:
    held = service.add()
    async with program().running() as redraft:
        await redraft.send(f"1. {FIRST}\n2. {SECOND}")
        assert asked(service) == [FIRST, SECOND]
        assert redraft.status.startswith("all 2 done")
        assert redraft.main.prompt.text == ""
    assert "quarterly. Payment is due within 45 days" in held.text


async def test_what_fails_comes_back_with_what_was_to_follow(
    service: Service, program: Make
) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.send(f"- {FIRST}\n- {MISSING}\n- {SECOND}")
        assert asked(service) == [FIRST, MISSING]
        assert redraft.main.prompt.text == as_list([MISSING, SECOND])


async def test_a_list_goes_on_after_a_question_that_was_answered_with_yes(
    service: Service, program: Make
) -> None:
    held = service.add()
    async with program().running() as redraft:
        await redraft.send(f"- {DELETE}\n- {FIRST}")
        assert isinstance(redraft.app.screen, ShownEditScreen)
        await redraft.press("enter")
        assert "45 days" in held.text
        assert "for three years" not in held.text


async def test_a_list_comes_back_after_a_question_that_was_answered_with_no(
    service: Service, program: Make
) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.send(f"- {DELETE}\n- {FIRST}")
        await redraft.press("escape")
        assert redraft.main.prompt.text == as_list([DELETE, FIRST])
        assert len(service.bodies) == 1


@pytest.mark.parametrize("key", ["1", "escape"])
async def test_a_list_waits_for_the_choice_of_a_place(
    service: Service, program: Make, key: str
) -> None:
    service.add()
    service.candidates = [{"place": "0:p1", "words": "a"}, {"place": "0:p2", "words": "b"}]
    async with program().running() as redraft:
        await redraft.send(f"- {FIRST}\n- {SECOND}")
        assert isinstance(redraft.app.screen, PlacesScreen)
        service.candidates = []
        await redraft.press(key)
        if key == "escape":
            assert redraft.main.prompt.text == as_list([FIRST, SECOND])
        else:
            assert asked(service) == [FIRST, FIRST, SECOND]


async def test_what_is_left_of_a_list_outlives_the_program(service: Service, program: Make) -> None:
    service.add()
    async with program().running() as redraft:
        service.is_holding = True
        await redraft.send(f"- {FIRST}\n- {SECOND}\n- {DELETE}")
        saved = redraft.main.drafts.saved_session()
        assert saved.drafts[redraft.main.open_id] == as_list([SECOND, DELETE])
        service.release()
        await redraft.settle()


async def test_what_was_asked_before_is_searched(service: Service, program: Make) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.send(FIRST)
        await redraft.send(SECOND)
        await redraft.press("ctrl+r")
        await redraft.type("days")
        await redraft.press("enter")
        assert redraft.main.prompt.text == FIRST
