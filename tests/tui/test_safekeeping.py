"""Nothing that a person did is lost: changes are saved beside the file, and quitting asks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from redraft.tui import local_files
from redraft.tui.screens.dialog import ChoiceList
from tests.tui.program import Program
from tests.tui.standin import MemoryStore, Service

Make = Callable[..., Program]
DOCX = b"PK\x03\x04 a contract"


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    path = tmp_path / "papers" / "contract.docx"
    path.parent.mkdir()
    path.write_bytes(DOCX)
    return path


def redline_of(path: Path) -> Path:
    return path.with_name("contract.redline.docx")


async def test_changes_are_saved_beside_the_file_after_every_edit_and_undo(
    contract: Path, program: Make
) -> None:
    redraft = program(files=(contract,))
    async with redraft.running():
        assert not redline_of(contract).exists()
        await redraft.send('replace "30" with "45"')
        assert redline_of(contract).read_bytes() == b"redline of contract.docx"
        assert "saved as contract.redline.docx" in redraft.words("#details")
        redline_of(contract).unlink()
        await redraft.press("escape", "U", "y")
        assert redline_of(contract).exists()
    assert contract.read_bytes() == DOCX  # noqa: ASYNC240


async def test_a_redline_that_somebody_else_wrote_or_changed_is_left_alone(
    contract: Path, program: Make
) -> None:
    theirs = redline_of(contract)
    theirs.write_bytes(b"theirs")
    redraft = program(files=(contract,))
    async with redraft.running():
        await redraft.send('replace "30" with "45"')
        ours = contract.with_name("contract.redline (2).docx")
        assert (theirs.read_bytes(), ours.exists()) == (b"theirs", True)
        ours.write_bytes(b"worked on in Word")
        await redraft.send('replace "45" with "60"')
        assert ours.read_bytes() == b"worked on in Word"
        assert contract.with_name("contract.redline (2) (2).docx").exists()


async def test_copies_go_to_the_folder_that_the_configuration_names(
    contract: Path, tmp_path: Path, program: Make
) -> None:
    folder = tmp_path / "redlines"
    folder.mkdir()
    redraft = program(files=(contract,), redline_folder=folder)
    async with redraft.running():
        await redraft.send('replace "30" with "45"')
        assert (folder / "contract.redline.docx").exists()
        assert not redline_of(contract).exists()


async def test_a_copy_that_cannot_be_saved_is_told_and_asked_about_at_the_end(
    contract: Path, tmp_path: Path, program: Make
) -> None:
    redraft = program(files=(contract,), redline_folder=tmp_path / "nowhere")
    async with redraft.running():
        await redraft.send('replace "30" with "45"')
        assert redraft.status.startswith("not saved: ")
        assert "not saved" in redraft.words("#details")
        await redraft.press("ctrl+q")
        choices = redraft.app.screen.query_one(ChoiceList)
        assert [choice.id for choice in choices.choices] == ["save", "leave", "stay"]


async def test_quitting_asks_about_changes_that_are_in_no_file_and_saves_them(
    service: Service, tmp_path: Path, program: Make
) -> None:
    service.add()
    redraft = program()
    async with redraft.running():
        await redraft.send('replace "30" with "45"')
        await redraft.press("ctrl+q")
        assert "Unsaved changes: contract.docx" in "\n".join(redraft.screen())
        await redraft.press("enter")
        assert (tmp_path / "contract.redline.docx").exists()
    assert redraft.app.return_code == 0


async def test_quitting_asks_nothing_when_everything_is_saved(
    contract: Path, program: Make
) -> None:
    redraft = program(files=(contract,))
    async with redraft.running():
        await redraft.send('replace "30" with "45"')
        await redraft.press("ctrl+q")
        assert not redraft.app.is_running or redraft.app.return_code == 0


async def test_a_document_saved_by_hand_is_not_asked_about(service: Service, program: Make) -> None:
    service.add()
    redraft = program()
    async with redraft.running():
        await redraft.send('replace "30" with "45"')
        await redraft.press("escape", "s", "enter")
        assert redraft.main.safekeeping.unsaved() == []
        await redraft.send('replace "45" with "60"')
        assert [document.info.name for document in redraft.main.safekeeping.unsaved()] == [
            "contract.docx"
        ]


async def test_a_file_opens_where_it_was_left(
    service: Service, contract: Path, program: Make
) -> None:
    store = MemoryStore()
    first = program(files=(contract,), store=store)
    async with first.running():
        await first.send('replace "30" with "45"')
        document_id = first.main.open_id
        await first.press("ctrl+q")
    second = program(files=(contract,), store=store)
    async with second.running():
        assert second.main.open_id == document_id
        assert second.status == "contract.docx: opened where you left it"
    assert len(service.documents) == 1


async def test_a_file_whose_document_has_expired_opens_its_saved_copy_and_goes_on_saving_there(
    service: Service, contract: Path, program: Make
) -> None:
    store = MemoryStore()
    first = program(files=(contract,), store=store)
    async with first.running():
        await first.send('replace "30" with "45"')
        await first.press("ctrl+q")
    service.documents.clear()
    service.done.clear()  # the second program counts its edits from 1 again
    redline_of(contract).write_bytes(b"PK\x03\x04 and what Word added")
    second = program(files=(contract,), store=store)
    async with second.running():
        assert [held.name for held in service.documents.values()] == ["contract.redline.docx"]
        assert "opened, with your changes" in second.status
        await second.send('replace "30" with "60"')
    assert redline_of(contract).read_bytes() == b"redline of contract.redline.docx"


async def test_a_file_that_was_changed_since_is_uploaded_again(
    service: Service, contract: Path, program: Make
) -> None:
    store = MemoryStore()
    first = program(files=(contract,), store=store)
    async with first.running():
        await first.send('replace "30" with "45"')
        await first.press("ctrl+q")
    contract.write_bytes(DOCX + b", second draft")  # noqa: ASYNC240
    second = program(files=(contract,), store=store)
    async with second.running():
        assert len(service.documents) == 2


async def test_what_an_earlier_start_did_not_save_is_saved_at_the_next(
    service: Service, contract: Path, program: Make
) -> None:
    store = MemoryStore()
    first = program(files=(contract,), store=store)
    async with first.running():
        pass
    held = next(iter(service.documents.values()))
    held.version += 1  # as after a kill between the edit and its copy
    second = program(store=store)
    async with second.running():
        assert redline_of(contract).exists()


def test_the_copy_of_a_copy_has_one_name() -> None:
    place = local_files.copy_beside(Path("/a/contract.redline.docx"), None)
    assert place == Path("/a/contract.redline.docx")


def test_a_copy_is_never_written_over_what_it_was_made_from(tmp_path: Path) -> None:
    source = tmp_path / "contract.redline.docx"
    source.write_bytes(DOCX)
    target = local_files.replace_own(local_files.copy_beside(source, None), b"new", "")
    assert target.name == "contract.redline (2).docx"
    assert source.read_bytes() == DOCX


async def test_a_small_screen_says_that_the_changes_are_saved(
    contract: Path, program: Make
) -> None:
    redraft = program(files=(contract,))
    async with redraft.running(size=(80, 24)):
        assert "saved" not in redraft.words("#status")
        await redraft.send('replace "30" with "45"')
        assert "saved 60 m left" in redraft.words("#status")
