"""Dialogs, as somebody meets them who types faster than they open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual import events

from redraft.tui.screens.dialog import Dialog
from redraft.tui.screens.file_screens import SaveScreen, UploadScreen
from tests.tui.program import Program
from tests.tui.standin import Service

Make = Callable[..., Program]
WIDE, NARROW = (120, 36), (80, 24)


async def breathe(redraft: Program, *keys: str) -> None:
    """Send keys as a terminal does that was typed into ahead: all before any is handled."""
    for key in keys:
        character = key if len(key) == 1 else {"space": " ", "enter": "\r"}.get(key)
        redraft.app.post_message(events.Key(key, character))
    await redraft.settle()


async def test_what_is_typed_while_a_dialog_opens_is_typed_into_it(
    service: Service, program: Make, tmp_path: Path
) -> None:
    (tmp_path / "a.docx").write_bytes(b"PK\x03\x04 the wrong one")
    (tmp_path / "lease.docx").write_bytes(b"PK\x03\x04")
    redraft = program()
    async with redraft.running():
        await redraft.press("escape")
        await breathe(redraft, "u", *f"{tmp_path}/lease.docx", "enter")
        assert [held.name for held in service.documents.values()] == ["lease.docx"]


async def test_a_search_that_is_typed_in_one_breath_searches_for_all_of_it(
    service: Service, program: Make
) -> None:
    service.add()
    redraft = program()
    async with redraft.running():
        await redraft.press("escape")
        await breathe(redraft, "slash", *"payment", "enter", "n")
        assert redraft.main.search_query.text == "payment"


async def test_a_paste_while_a_dialog_opens_goes_into_it(service: Service, program: Make) -> None:
    redraft = program()
    async with redraft.running():
        await redraft.press("escape")
        redraft.app.post_message(events.Key("u", "u"))
        redraft.app.post_message(events.Paste("/nowhere/at all.docx"))
        await redraft.settle()
        assert isinstance(redraft.app.screen, UploadScreen)
        field = redraft.app.screen.query_one("#path")
        assert getattr(field, "value", "") == "/nowhere/at all.docx"


async def test_escape_in_the_same_breath_leaves_the_dialog_and_nothing_is_done(
    service: Service, program: Make
) -> None:
    service.add()
    redraft = program()
    async with redraft.running():
        await redraft.press("escape")
        await breathe(redraft, "slash", "q", "escape")
        assert not isinstance(redraft.app.screen, Dialog)
        assert redraft.app.is_running
        assert redraft.main.search_query.text == ""


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_a_long_name_leaves_the_hint_of_a_dialog_whole(
    service: Service, program: Make, size: tuple[int, int]
) -> None:
    service.add(name="A really rather long name of a contract between two parties.docx")
    redraft = program()
    async with redraft.running(size):
        await redraft.press("escape", "s")
        assert isinstance(redraft.app.screen, SaveScreen)
        title = next(line for line in redraft.screen() if "Save A really" in line)
        assert "enter saves, esc leaves" in title


@pytest.mark.parametrize("typed", ["~nobody-of-that-name/x", "~nobody-of-that-name"])
async def test_a_home_that_is_not_there_is_no_fault(
    service: Service, program: Make, typed: str
) -> None:
    service.add()
    redraft = program()
    async with redraft.running():
        await redraft.press("escape", "u")
        await redraft.type(typed)
        assert "There is no .docx, .pdf or folder ~nobody" in redraft.words("#found")
        await redraft.press("escape", "s", "ctrl+u")
        await redraft.type(typed)
        assert isinstance(redraft.app.screen, SaveScreen)


async def test_a_quoted_path_is_uploaded(service: Service, program: Make, tmp_path: Path) -> None:
    folder = tmp_path / "a folder"
    folder.mkdir()
    (folder / "lease.docx").write_bytes(b"PK\x03\x04")
    (tmp_path / "wrong.docx").write_bytes(b"PK\x03\x04")
    redraft = program()
    async with redraft.running():
        await redraft.press("escape", "u")
        await redraft.type(f"'{folder}/lease.docx'")
        assert redraft.words("#found") == "enter uploads this file"
        await redraft.press("enter")
        assert [held.name for held in service.documents.values()] == ["lease.docx"]


async def test_letters_that_no_name_has_are_said(
    service: Service, program: Make, tmp_path: Path
) -> None:
    (tmp_path / "lease.docx").write_bytes(b"PK\x03\x04")
    redraft = program()
    async with redraft.running():
        await redraft.press("escape", "u")
        await redraft.type("qqq")
        assert "No .docx or .pdf named like qqq below" in redraft.words("#found")
        await redraft.press("enter")
        assert isinstance(redraft.app.screen, UploadScreen)


async def test_the_redline_of_a_pdf_can_be_had_for_word(
    service: Service, program: Make, tmp_path: Path
) -> None:
    service.add(name="paper.pdf")
    redraft = program()
    async with redraft.running():
        await redraft.press("escape", "s", "down", "enter")
    assert (tmp_path / "paper-redline.docx").read_text() == "redline of paper.pdf as docx"


async def test_a_word_document_has_no_copy_for_word_beside_it(
    service: Service, program: Make
) -> None:
    service.add()
    redraft = program()
    async with redraft.running():
        await redraft.press("escape", "s")
        assert [line.split()[0] for line in redraft.text("#copies").splitlines()] == [
            "redline",
            "clean",
            "original",
        ]
