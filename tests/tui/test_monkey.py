"""Keys in any order: whatever is pressed, on whatever documents, the program goes on."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from redraft.tui.keys import ACTIONS
from tests.documents import is_full_sweep
from tests.tui.program import Program
from tests.tui.standin import Service

LEAVING = {"quit", "suspend", "edit.external", "pager"}  # out of the program, or to another one
KEYS = [
    key
    for action in ACTIONS
    if action.id not in LEAVING
    for key in action.keys.split(",")
    if key not in ("ctrl+c", "ctrl+q", "ctrl+z")
]
ANSWERS = ["enter", "escape", "y", "n", "down", "up", "tab"]
SIZES = [(120, 36), (80, 24), (60, 15), (50, 10)]
SENTENCES = (
    'Replace "30 days" with "45 days"',
    'Replace "three years" with "one year"',
    'Replace "unicorn" with "horse"',
    'Replace "Acme" with "Acme"',
)


@pytest.mark.parametrize("seed", range(12 if is_full_sweep() else 1))
async def test_no_order_of_keys_ends_it(
    service: Service, program: Callable[..., Program], seed: int
) -> None:
    dice = random.Random(seed)  # noqa: S311 - the same keys in every run
    for name in ("one.docx", "two.docx", "three.pdf"):
        service.add(name, left=dice.choice([40.0, 3000.0]))
    async with program().running() as redraft:
        assert redraft.pilot is not None
        for step in range(150):
            await redraft.pilot.press(dice.choice(KEYS if dice.random() < 0.75 else ANSWERS))
            if step % 25 == 0:
                redraft.main.prompt.load_text(dice.choice(SENTENCES))
                redraft.main.prompt.action_send()
                redraft.main.open_document(dice.choice([*redraft.main.session.store.documents]))
                await redraft.pilot.resize_terminal(*dice.choice(SIZES))
                await redraft.wait(dice.choice([1, 20]))
        await redraft.settle()
        assert redraft.app.is_running
        assert redraft.app.return_code is None
