"""Every state of the main screen as a picture; what must hold is asserted in words elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from redraft.tui.session.state import Transfer
from redraft.tui.transport.failures import StartError
from tests.tui.program import Program
from tests.tui.standin import Service

Picture = Callable[..., bool]
SIZES = [(120, 36), (80, 24), (60, 15)]
EDIT = 'Replace "30 days" with "45 days"'


def furnished(service: Service) -> None:
    """Four documents in different states of life."""
    service.add("nda.docx", "# Non-disclosure\n\nText.\n", left=720)
    service.add("report.pdf", "# Report\n\nText.\n", left=298)
    service.add("old.docx", "# Old\n", left=5)
    service.add("contract.docx")


async def edited(redraft: Program) -> None:
    await redraft.send(EDIT)
    await redraft.send('Replace "three years" with "five years"')
    await redraft.send('Replace "reasonable skill and care" with "best efforts"')


@pytest.mark.parametrize("size", [(120, 36), (100, 30), (80, 24), (60, 15), (52, 12)])
def test_the_main_screen(picture: Picture, service: Service, size: tuple[int, int]) -> None:
    furnished(service)

    async def act(redraft: Program) -> None:
        await redraft.wait(6)
        await edited(redraft)

    assert picture(act, size)


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
@pytest.mark.parametrize("pane", ["1", "3", "4"])
def test_a_pane(picture: Picture, service: Service, pane: str, size: tuple[int, int]) -> None:
    furnished(service)

    async def act(redraft: Program) -> None:
        await edited(redraft)
        await redraft.send('Replace "unicorn" with "horse"')
        await redraft.press("escape", "escape", pane)

    assert picture(act, size)


@pytest.mark.parametrize("mode", ["split", "final", "original"])
def test_a_way_of_showing_changes(picture: Picture, service: Service, mode: str) -> None:
    service.add()

    async def act(redraft: Program) -> None:
        await edited(redraft)
        await redraft.press("escape", "3")
        while redraft.main.mode != mode:
            await redraft.press("v")

    assert picture(act)


@pytest.mark.parametrize("theme", ["light", "ansi", "mono"])
def test_a_theme(picture: Picture, service: Service, theme: str) -> None:
    furnished(service)
    assert picture(edited, theme=theme)


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
def test_ascii_only(picture: Picture, service: Service, size: tuple[int, int]) -> None:
    furnished(service)
    assert picture(edited, size, ascii_only=True)


@pytest.mark.parametrize("size", SIZES)
def test_no_server(picture: Picture, service: Service, size: tuple[int, int]) -> None:
    service.down = True
    assert picture(size=size)


def test_the_local_service_does_not_start(picture: Picture) -> None:
    async def connect() -> Any:
        message = (
            "`redraft serve` did not start (see service.log)\nthe data folder is in use by pid 7"
        )
        raise StartError(message)

    assert picture(connect=connect, server="")


def test_connecting(picture: Picture) -> None:
    async def connect() -> Any:
        await asyncio.Event().wait()

    assert picture(connect=connect, is_waiting=True)


@pytest.mark.parametrize("size", SIZES)
def test_key_rejected(picture: Picture, service: Service, size: tuple[int, int]) -> None:
    async def connect() -> Any:
        return service.client("another-key-9999")

    assert picture(connect=connect, size=size)


@pytest.mark.parametrize("size", SIZES)
def test_no_documents(picture: Picture, size: tuple[int, int]) -> None:
    assert picture(size=size)


def test_a_bad_file(picture: Picture, tmp_path: Path) -> None:
    path = tmp_path / "letter.doc"
    path.write_bytes(b"\xd0\xcf\x11\xe0")
    assert picture(files=(path,))


@pytest.mark.parametrize("size", SIZES)
def test_uploading(picture: Picture, service: Service, size: tuple[int, int]) -> None:
    furnished(service)

    async def act(redraft: Program) -> None:
        steady = service.clock.steady()
        redraft.main.session.store.transfers = [
            Transfer(1, "lease.docx", 10 * 1024 * 1024, 6_500_000, steady - 3),
            Transfer(2, "odd.docx", 9000, 0, steady, "failed", "The file is password protected"),
        ]
        redraft.main.show()
        await redraft.press("escape", "1")

    assert picture(act, size)


@pytest.mark.parametrize("size", SIZES)
def test_reading_takes_long(picture: Picture, service: Service, size: tuple[int, int]) -> None:
    service.add()

    async def act(redraft: Program) -> None:
        redraft.main.session.begin_read(redraft.main.open_id)
        await redraft.wait(2)

    assert picture(act, size)


def test_reading_for_the_first_time(picture: Picture, service: Service) -> None:
    service.add()

    async def act(redraft: Program) -> None:
        redraft.main.session.store.update(redraft.main.open_id, markdown=None)
        redraft.main.session.begin_read(redraft.main.open_id)
        await redraft.wait(12)

    assert picture(act)


@pytest.mark.parametrize("size", SIZES)
def test_an_edit_waits_behind_others(
    picture: Picture, service: Service, size: tuple[int, int]
) -> None:
    held = service.add()
    service.is_holding = True

    async def act(redraft: Program) -> None:
        await redraft.send(EDIT)
        service.announce(held.id, "queued", redraft.main.session.store.jobs[0].uid)
        await redraft.wait(3)

    assert picture(act, size)


@pytest.mark.parametrize("size", SIZES)
def test_edits_running_and_waiting(
    picture: Picture, service: Service, size: tuple[int, int]
) -> None:
    furnished(service)
    service.is_holding = True

    async def act(redraft: Program) -> None:
        await redraft.send(EDIT)
        service.announce(
            redraft.main.open_id, "progress", redraft.main.session.store.jobs[0].uid, "planning"
        )
        await redraft.send('Replace "three years" with "five years"')
        await redraft.wait(7)

    assert picture(act, size)


def test_an_edit_running_late(picture: Picture, service: Service) -> None:
    service.add()
    service.is_holding = True

    async def act(redraft: Program) -> None:
        await redraft.send(EDIT)
        await redraft.wait(250)

    assert picture(act)


def test_cancelling_is_asked(picture: Picture, service: Service) -> None:
    service.add()
    service.is_holding = True

    async def act(redraft: Program) -> None:
        await redraft.send(EDIT)
        await redraft.wait(9)
        await redraft.press("escape", "ctrl+x")

    assert picture(act)


@pytest.mark.parametrize("size", SIZES)
def test_an_edit_applied(picture: Picture, service: Service, size: tuple[int, int]) -> None:
    service.add()

    async def act(redraft: Program) -> None:
        await redraft.send(EDIT)

    assert picture(act, size)


@pytest.mark.parametrize("size", SIZES)
def test_nothing_to_change(picture: Picture, service: Service, size: tuple[int, int]) -> None:
    service.add()

    async def act(redraft: Program) -> None:
        await redraft.send('Replace "Acme" with "Acme"')

    assert picture(act, size)


@pytest.mark.parametrize("size", SIZES)
def test_an_edit_failed(picture: Picture, service: Service, size: tuple[int, int]) -> None:
    service.add()

    async def act(redraft: Program) -> None:
        await redraft.send('Replace "unicorn" with "horse"')

    assert picture(act, size)


def test_the_queue_is_full(picture: Picture, service: Service) -> None:
    service.add()
    service.fail["POST edits"] = (
        429,
        "64 edits of this document are waiting already; try again when some have ended",
    )

    async def act(redraft: Program) -> None:
        await redraft.send(EDIT)

    assert picture(act)


def test_the_service_fails_to_list(picture: Picture, service: Service) -> None:
    service.fail["GET documents"] = (503, "The service is out of room; an operator must free some")
    assert picture()


@pytest.mark.parametrize("size", SIZES)
def test_an_edit_timed_out(picture: Picture, service: Service, size: tuple[int, int]) -> None:
    service.add()
    service.fail["POST edits"] = (408, "Edit operation timed out after 5 minutes")

    async def act(redraft: Program) -> None:
        await redraft.send(EDIT)

    assert picture(act, size)


@pytest.mark.parametrize("size", SIZES)
def test_the_last_minute(picture: Picture, service: Service, size: tuple[int, int]) -> None:
    service.add(left=100)

    async def act(redraft: Program) -> None:
        await redraft.wait(45)

    assert picture(act, size)


@pytest.mark.parametrize("size", SIZES)
def test_expired(picture: Picture, service: Service, size: tuple[int, int]) -> None:
    service.add(left=100)

    async def act(redraft: Program) -> None:
        await edited(redraft)
        redraft.main.prompt.load_text("half an instruction")
        held = next(iter(service.documents.values()))
        held.expires_at = service.clock.wall
        await redraft.wait(30)

    assert picture(act, size)


@pytest.mark.parametrize("size", SIZES)
def test_offline(picture: Picture, service: Service, size: tuple[int, int]) -> None:
    furnished(service)

    async def act(redraft: Program) -> None:
        service.down = True
        service.break_streams()
        await redraft.wait(30)
        redraft.main.prompt.load_text("text that stays")
        await redraft.wait(2)

    assert picture(act, size)


def test_back_online(picture: Picture, service: Service) -> None:
    furnished(service)

    async def act(redraft: Program) -> None:
        service.down = True
        service.break_streams()
        await redraft.wait(30)
        service.down = False
        await redraft.wait(40)

    assert picture(act)


def test_the_line_broke_during_an_edit(picture: Picture, service: Service) -> None:
    service.add()
    service.is_holding = True

    async def act(redraft: Program) -> None:
        await redraft.send(EDIT)
        await redraft.wait(1)
        job = redraft.main.session.store.jobs[0]
        redraft.main.session.store.set_job(job.uid, "unknown")

    assert picture(act)


def test_the_preview_could_not_be_read(picture: Picture, service: Service) -> None:
    service.add("scan.pdf")
    service.fail["POST markdown"] = (
        500,
        "Failed to generate markdown: Unsupported document format",
    )
    assert picture()


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
def test_a_fault_of_the_program(
    picture: Picture,
    service: Service,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    size: tuple[int, int],
) -> None:
    service.add()
    monkeypatch.chdir(tmp_path)  # the log is named as it would be seen, by a short path

    async def act(redraft: Program) -> None:
        def fault() -> None:
            message = "the count of lines is below zero"
            raise ValueError(message)

        redraft.main.prompt.load_text("half an instruction")
        redraft.main.document_life.explain_time_left = fault  # type: ignore[method-assign]
        await redraft.press("escape", "T")

    assert picture(act, size, crash_log=Path("crash.log"))


def test_leaving_with_edits_under_way(picture: Picture, service: Service) -> None:
    service.add()
    service.is_holding = True

    async def act(redraft: Program) -> None:
        await redraft.send(EDIT)
        await redraft.press("ctrl+q")

    assert picture(act)


def test_searching(picture: Picture, service: Service) -> None:
    service.add()

    async def act(redraft: Program) -> None:
        await redraft.press("escape", "slash")
        await redraft.type("supplier")
        await redraft.press("enter", "n")

    assert picture(act)


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("help", ["escape", "question_mark"]),
        ("palette", ["ctrl+p"]),
        ("outline", ["escape", "o"]),
        ("save", ["escape", "s"]),
        ("delete", ["escape", "1", "D"]),
        ("search", ["escape", "slash"]),
    ],
)
@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
def test_a_dialog(
    picture: Picture, service: Service, name: str, keys: list[str], size: tuple[int, int]
) -> None:
    service.add()

    async def act(redraft: Program) -> None:
        redraft.main.options = _elsewhere(redraft)
        await redraft.press(*keys)

    assert name
    assert picture(act, size)


def _elsewhere(redraft: Program) -> Any:
    """The same situation in a folder whose name does not change from test to test."""
    from dataclasses import replace

    return replace(redraft.main.options, folder=Path("/home/alice"))


def test_the_upload_dialog(
    picture: Picture, service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("contract.docx", "annex/prices.docx", "annex/plan.pdf"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"PK\x03\x04" + bytes(20_000))

    async def act(redraft: Program) -> None:
        await redraft.press("ctrl+o")

    assert picture(act)
