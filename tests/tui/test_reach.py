"""What a person from elsewhere may reach: the service, and nothing of this machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from textual import events

from redraft.tui import launch
from redraft.tui.main_screen import MainScreen
from redraft.tui.screens.file_screens import SaveScreen, UploadScreen
from tests.tui.program import Program
from tests.tui.standin import Service

Make = Callable[..., Program]
FAR = pytest.mark.parametrize("reach", ["files", "service"])


async def test_from_elsewhere_no_file_is_uploaded_or_saved(service: Service, program: Make) -> None:
    service.add()
    async with program(reach="service").running() as redraft:
        await redraft.press("escape", "u")
        assert "files are not reached from here" in redraft.status
        await redraft.press("s")
        assert "nothing is saved here" in redraft.status
        assert type(redraft.app.screen) is MainScreen


async def test_from_elsewhere_a_pasted_path_is_just_words(
    service: Service, program: Make, tmp_path: Path
) -> None:
    service.add()
    path = tmp_path / "contract.docx"
    path.write_bytes(b"PK")
    async with program(reach="service").running() as redraft:
        redraft.app.post_message(events.Paste(str(path)))
        await redraft.settle()
        assert redraft.main.prompt.text == str(path)
        assert type(redraft.app.screen) is MainScreen


@FAR
async def test_no_other_program_is_started(
    service: Service,
    program: Make,
    reach: Literal["files", "service"],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EDITOR", "false")
    monkeypatch.setenv("PAGER", "false")
    service.add()
    async with program(reach=reach).running() as redraft:
        await redraft.press("ctrl+e")
        assert "no other program is started here" in redraft.status
        await redraft.press("escape")
        redraft.main.say("")
        await redraft.press("vertical_line")
        assert "no other program is started here" in redraft.status
        await redraft.press("ctrl+z")
        assert "there is no shell" in redraft.status


async def test_from_elsewhere_a_paste_into_a_pane_does_not_tell_which_files_there_are(
    service: Service, program: Make, tmp_path: Path
) -> None:
    service.add()
    path = tmp_path / "secret.docx"
    path.touch()
    async with program(reach="service", server="http://x").running() as redraft:
        await redraft.press("escape")
        said: list[str] = []
        for text in (str(path), str(tmp_path / "nothing.docx")):
            redraft.main.say("")
            redraft.app.post_message(events.Paste(text))
            await redraft.settle()
            assert redraft.app.screen is redraft.main
            said.append(redraft.status)
        assert said == ["i goes to the prompt, for text"] * 2


async def test_in_a_browser_of_this_machine_files_are_reached(
    service: Service, program: Make
) -> None:
    service.add()
    async with program(reach="files").running() as redraft:
        await redraft.press("escape", "u")
        assert isinstance(redraft.app.screen, UploadScreen)
        await redraft.press("escape", "s")
        assert isinstance(redraft.app.screen, SaveScreen)


@pytest.mark.parametrize(
    ("files", "server", "words"),
    [
        ([], "", "needs --server"),
        ([Path(__file__)], "http://127.0.0.1:9", "takes no files"),
    ],
)
def test_from_elsewhere_a_service_is_named_and_no_file(
    files: list[Path], server: str, words: str
) -> None:
    assert words in launch.misuse_of(files, server, "service")
    assert launch.misuse_of(files, server, "files") == ""
