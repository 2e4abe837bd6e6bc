from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from redraft.tui.app import RedraftApp
from redraft.tui.keys import ACTIONS, Action, table
from redraft.tui.main_screen import MainScreen
from redraft.tui.panes.change_view import ChangeView
from redraft.tui.panes.edit_prompt import EditPrompt
from redraft.tui.screens.dialog import ChoiceList
from tests.tui.program import Program
from tests.tui.standin import Service

ROOT = Path(__file__).parents[2]


def test_the_written_table_of_keys_is_what_the_program_does() -> None:
    assert (ROOT / "docs" / "keys.md").read_text("utf-8") == table()


def test_ids_are_unique() -> None:
    assert [
        name for name, count in Counter(action.id for action in ACTIONS).items() if count > 1
    ] == []


def test_no_key_has_two_meanings_in_one_place() -> None:
    screen = [
        key
        for action in ACTIONS
        if action.where not in ("prompt", "lists")
        for key in action.keys.split(",")
    ]
    lists = [key for action in ACTIONS if action.where == "lists" for key in action.keys.split(",")]
    assert [key for key, count in Counter(screen).items() if count > 1] == []
    assert set(screen) & set(lists) == set()


def method_of(action: Action) -> tuple[type[object], str]:
    """Return which class does an action, and the name of its method."""
    name = action.call.partition("(")[0]
    if not name:
        return MainScreen, "action_perform"
    if name.startswith("app."):
        return RedraftApp, f"action_{name.removeprefix('app.')}"
    if name == "newline":  # the prompt writes it itself
        return EditPrompt, "insert"
    return (EditPrompt if action.where == "prompt" else ChangeView), f"action_{name}"


def note_calls(monkeypatch: pytest.MonkeyPatch, action: Action) -> list[str]:
    """Return a list that gets the id of each action that is called instead of being done."""
    owner, name = method_of(action)
    called: list[str] = []

    def note(_: object, *arguments: object) -> None:
        called.append(str(arguments[0]) if name == "action_perform" else action.id)

    monkeypatch.setattr(owner, name, note)
    return called


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_every_action_has_a_method_where_its_key_is_bound(action: Action) -> None:
    owner, name = method_of(action)
    assert callable(getattr(owner, name, None))


async def test_the_main_screen_performs_the_actions_that_are_its_own_and_no_others(
    program: Callable[..., Program],
) -> None:
    async with program().running() as redraft:
        performed = redraft.main.performed_actions()
    assert performed == {action.id for action in ACTIONS if not action.call}


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_every_action_has_a_key_that_no_terminal_loses(action: Action) -> None:
    lost = ("ctrl+enter", "shift+enter", "alt+", "ctrl+shift")
    assert any(not key.startswith(lost) for key in action.keys.split(","))


@pytest.mark.parametrize("place", ["panes", "prompt", "lists"])
async def test_every_key_calls_its_action(
    service: Service, program: Callable[..., Program], place: str
) -> None:
    """One program for all keys of a place, since to start one takes longer than to press them."""
    service.add()
    async with program().running() as redraft:
        assert redraft.pilot is not None
        if place == "lists":
            await redraft.press("escape", "3")
        elif place == "panes":
            redraft.main.panes.show_pane("changes")
        for action in ACTIONS:
            if (action.where if action.where in ("prompt", "lists") else "panes") != place:
                continue
            with pytest.MonkeyPatch.context() as patch:
                called = note_calls(patch, action)
                for key in action.keys.split(","):
                    await redraft.pilot.press(key)
                assert called == [action.id] * len(action.keys.split(","))


async def test_every_action_is_in_the_palette(
    service: Service, program: Callable[..., Program]
) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.press("ctrl+p")
        offered = [choice.id for choice in redraft.app.screen.query_one(ChoiceList).choices]
        assert offered == [action.id for action in ACTIONS if action.where != "lists"]


async def test_a_key_can_be_changed_by_its_id(
    service: Service, program: Callable[..., Program]
) -> None:
    service.add()
    async with program(keys={"help": "f2", "edit.send": "ctrl+s"}).running() as redraft:
        redraft.main.prompt.insert("text")
        await redraft.press("ctrl+s")
        assert redraft.main.prompt.past == ["text"]
        await redraft.press("escape", "question_mark")
        assert redraft.app.screen is redraft.main
        await redraft.press("f2")
        assert redraft.app.screen is not redraft.main
