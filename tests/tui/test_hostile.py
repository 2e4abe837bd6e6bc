"""Documents, names, instructions and answers are written by others: they are only text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.tui.program import Program
from tests.tui.standin import Service

HOSTILE = {
    "markup": "[/] [bold red]x[/bold red] [@click=app.quit]x[/] [link=http://x.example]x[/link]",
    "templates": "$primary {} %s \\ </script><b>x [bold",
    "controls": "\x1b[2J\x1b[31mred\x1b]0;title\x07 \x9b2J\x9d52;c;aGk=\x9c a\tb\x00c\x7f",
    "scripts": "\u202egnp.exe\u202c \u05d0\u05d1 \u0627\u0644 \U0001f469\u200d\U0001f467 漢字",
}
ACTS = [chr(code) for code in (*range(32), *range(0x7F, 0xA0)) if code != 10]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
async def test_hostile_text_is_shown_and_does_nothing(
    service: Service, program: Callable[..., Program], text: str
) -> None:
    held = service.add(
        f"{text}.docx", f"# {text}\n\nSome {text} words.\n\n| {text} |\n|---|\n| x |\n"
    )
    held.author = text
    frames: list[str] = []
    async with program().running() as redraft:

        async def press(*keys: str) -> None:
            for key in keys:
                await redraft.press(key)
                frames.append(rendered(redraft))

        await redraft.send(f'{text} Replace "Some" with "{text}"')
        await press("escape", "1", "3", "4", "2", "T")
        await redraft.send('Replace "nothing like it" with "x"')
        service.fail["POST edits"] = (500, f"Edit operation failed: {text}")
        await redraft.send(f'Replace "words" with "{text}"')
        await press("escape", "o", "escape", "3", "f", "escape", "D", "escape", "U", "escape")
        await press("ctrl+p", "escape", "slash")
        await redraft.type("Some")
        await press("enter")
        assert redraft.app.is_running
        assert redraft.app.return_code is None
    seen = set("".join(frames))
    assert [character for character in ACTS if character in seen] == []
    assert "\u202e" not in seen


def rendered(redraft: Program) -> str:
    """Every character that the program would write for its screen."""
    lines = redraft.app.screen.query("*")
    texts: list[str] = []
    for widget in lines:
        for y in range(widget.size.height):
            texts.extend(segment.text for segment in widget.render_line(y))
    return "".join(texts)
