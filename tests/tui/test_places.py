"""An instruction that fits several places: they are listed, and one is chosen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from redraft.tui.screens.places_screen import PlacesScreen
from tests.tui.program import Program
from tests.tui.standin import Service

EDIT = 'Replace "30 days" with "45 days"'

PLACES = [
    {"place": "3:p4@10-12", "anchor": "p4", "label": "Section 2", "words": "within ⟪30⟫ days of"},
    {"place": "3:p9@0-2", "anchor": "p9", "label": "Section 7", "words": "⟪30⟫ days after"},
]


async def test_a_place_is_chosen_and_the_instruction_sent_again(
    service: Service, program: Callable[..., Program]
) -> None:
    service.add()
    service.candidates = PLACES
    async with program().running() as redraft:
        await redraft.send(EDIT)
        assert isinstance(redraft.app.screen, PlacesScreen)
        shown = "\n".join(redraft.screen())
        assert "within ⟪30⟫ days of" in shown
        assert "Section 7" in shown
        await redraft.press("down", "enter")
        assert service.bodies[-1]["places"] == ["3:p9@0-2"]
        assert service.bodies[-1]["editInstructions"] == EDIT
        assert service.bodies[-1]["editUid"] != service.bodies[-2]["editUid"]
        assert "applied in" in redraft.status
        assert redraft.main.prompt.text == ""


@pytest.mark.parametrize(
    ("key", "places"), [("a", ["3:p4@10-12", "3:p9@0-2"]), ("2", ["3:p9@0-2"])]
)
async def test_a_takes_all_places_and_a_number_one_of_them(
    service: Service, program: Callable[..., Program], key: str, places: list[str]
) -> None:
    service.add()
    service.candidates = PLACES
    async with program().running() as redraft:
        await redraft.send(EDIT)
        assert "both of them" in "\n".join(redraft.screen())
        await redraft.press(key)
        assert service.bodies[-1]["places"] == places
        assert "applied in" in redraft.status


async def test_who_chooses_none_has_the_instruction_back(
    service: Service, program: Callable[..., Program]
) -> None:
    service.add()
    service.candidates = PLACES
    async with program().running() as redraft:
        await redraft.send(EDIT)
        await redraft.press("escape")
        assert not isinstance(redraft.app.screen, PlacesScreen)
        assert redraft.main.prompt.text == EDIT
        assert len(service.bodies) == 1


async def test_places_are_marked_in_ascii(
    service: Service, program: Callable[..., Program]
) -> None:
    service.add()
    service.candidates = PLACES
    async with program(ascii_only=True).running() as redraft:
        await redraft.send(EDIT)
        assert "within [30] days of" in "\n".join(redraft.screen())
