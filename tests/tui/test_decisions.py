"""A deletion, or a change in several places, is shown before it is made."""

from __future__ import annotations

from collections.abc import Callable

from textual.events import Key

from redraft.tui.main_screen import MainScreen
from redraft.tui.screens.shown_edit import ShownEditScreen
from redraft.tui.session.state import ShownEdit
from redraft.tui.transport.requests import Edit
from tests.tui.program import Program
from tests.tui.standin import Service

Make = Callable[..., Program]
DELETE = 'Delete "for three years"'
REPLACE = 'Replace "30 days" with "45 days"'


async def test_a_deletion_is_shown_and_made_by_enter_alone(service: Service, program: Make) -> None:
    held = service.add()
    async with program().running((80, 24)) as redraft:
        await redraft.send(DELETE)
        assert isinstance(redraft.app.screen, ShownEditScreen)
        shown = "\n".join(redraft.screen())
        assert "1 deletion" in shown
        assert "remains in force for three years" in shown
        assert "for three years" in held.text
        await redraft.press("y", "j")  # letters may have been meant for the prompt
        assert isinstance(redraft.app.screen, ShownEditScreen)
        await redraft.press("enter")
        assert "for three years" not in held.text
        assert "applied in" in redraft.status
        assert redraft.main.prompt.text == ""
    first, second = service.bodies
    assert (first["askFirst"], "baseVersion" in first) == (True, False)
    assert ("askFirst" in second, second["baseVersion"]) == (False, 0)
    assert first["editUid"] != second["editUid"]


async def test_who_says_no_has_the_instruction_back(service: Service, program: Make) -> None:
    held = service.add()
    async with program().running() as redraft:
        await redraft.send(DELETE)
        await redraft.press("escape")
        assert redraft.main.prompt.text == DELETE
        assert "not done" in redraft.status
        assert held.version == 0
        assert redraft.main.document is not None
        assert redraft.main.document.shown == ()


async def test_a_change_of_one_place_is_made_at_once(service: Service, program: Make) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.send(REPLACE)
        assert isinstance(redraft.app.screen, MainScreen)
        assert "applied in" in redraft.status


async def test_a_question_does_not_open_over_what_is_being_written(
    service: Service, program: Make
) -> None:
    held = service.add()
    service.is_holding = True
    async with program().running() as redraft:
        await redraft.send(DELETE)
        await redraft.type("Replace")
        service.release()
        await redraft.settle()
        assert isinstance(redraft.app.screen, MainScreen)
        assert redraft.main.prompt.text == "Replace"
        assert "Not done yet: 1 deletion" in redraft.text("#card")
        assert "f3 looks at it" in redraft.text("#card")
        await redraft.press("f3")
        assert isinstance(redraft.app.screen, ShownEditScreen)
        await redraft.press("enter")
        assert "for three years" not in held.text
        assert redraft.main.prompt.text == "Replace"
        assert not redraft.main.bar("card").display


async def test_a_document_that_changed_meanwhile_is_shown_again(
    service: Service, program: Make
) -> None:
    held = service.add()
    async with program().running() as redraft:
        await redraft.send(DELETE)
        held.version += 1
        held.text = held.text.replace("This Agreement remains", "It remains")
        await redraft.main.session.updates.refresh()
        await redraft.press("enter")
        assert isinstance(redraft.app.screen, ShownEditScreen)
        assert "It remains in force" in "\n".join(redraft.screen())
        await redraft.press("enter")
        assert "for three years" not in held.text


async def test_enter_pressed_too_early_makes_nothing(service: Service, program: Make) -> None:
    held = service.add()
    async with program().running() as redraft:
        await redraft.send(DELETE)
        await redraft.press("escape")
        assert redraft.pilot is not None
        redraft.main.prompt.load_text("")
        shown = ShownEdit(Edit("u", DELETE), ())
        redraft.main.ask(ShownEditScreen(redraft.main.look, shown), lambda _: None)
        await redraft.app.on_event(Key("enter", None))
        await redraft.settle()
        assert isinstance(redraft.app.screen, ShownEditScreen)
        assert held.version == 0


async def test_asking_can_be_switched_off(service: Service, program: Make) -> None:
    held = service.add()
    async with program(asks_first=False).running() as redraft:
        await redraft.send(DELETE)
        assert "for three years" not in held.text
        assert "askFirst" not in service.bodies[0]
