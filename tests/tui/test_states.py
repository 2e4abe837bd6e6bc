"""States of the service and of the program: what a person can do in each, told in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from redraft.tui.launch_options import Connect
from redraft.tui.panes.change_view import Filter
from redraft.tui.screens.crash_screen import CrashScreen
from redraft.tui.screens.dialog import AskScreen
from redraft.tui.session.session import Session
from redraft.tui.transport.client import Client
from tests.tui.program import Program
from tests.tui.standin import KEY, MemoryStore, Service

Make = Callable[..., Program]
EDIT = 'Replace "30 days" with "45 days"'


def dial_of(service: Service, dialled: list[tuple[str, str]]) -> Callable[[str, str], Connect]:
    def dial(address: str, key: str) -> Connect:
        dialled.append((address, key))

        async def connect() -> Client:
            return service.client(key)

        return connect

    return dial


async def test_r_on_the_card_asks_the_service_again(service: Service, program: Make) -> None:
    service.down = True
    async with program().running() as redraft:
        assert redraft.main.where() == "preview"
        assert "r try again now" in redraft.words("#preview")
        service.down = False
        await redraft.press("r")
        assert "No documents yet" in redraft.words("#preview")


async def test_another_address_and_key_are_asked_for_on_the_card(
    service: Service, program: Make
) -> None:
    service.add()
    dialled: list[tuple[str, str]] = []

    async def wrong() -> Client:
        return service.client("a-wrong-key")

    made = program(connect=wrong, dial=dial_of(service, dialled))
    async with made.running() as redraft:
        assert "Key rejected" in redraft.words("#preview")
        await redraft.press("c")
        assert isinstance(redraft.app.screen, AskScreen)
        redraft.app.screen.query_one("#answer").value = "office.example:8080"  # type: ignore[attr-defined]
        await redraft.press("enter")
        await redraft.type(KEY)
        assert KEY not in redraft.app.export_screenshot()
        await redraft.press("enter")
        assert "Master Services Agreement" in redraft.words("#preview")
        assert "http://office.example:8080" in redraft.words("#title")
    assert dialled == [("http://office.example:8080", KEY)]


async def test_l_on_the_card_starts_the_service_of_this_machine(
    service: Service, program: Make
) -> None:
    service.add()

    async def wrong() -> Client:
        return service.client("a-wrong-key")

    async def local() -> Client:
        return service.client()

    async with program(connect=wrong, local=local).running() as redraft:
        await redraft.press("l")
        assert "Master Services Agreement" in redraft.words("#preview")
        assert "local service" in redraft.words("#title")


async def test_the_service_is_not_changed_while_edits_are_under_way(
    service: Service, program: Make
) -> None:
    service.add()
    service.is_holding = True
    async with program(dial=dial_of(service, [])).running() as redraft:
        await redraft.send(EDIT)
        await redraft.press("escape", "c")
        assert redraft.app.screen is redraft.main
        assert "edits are under way" in redraft.status
        service.release()
        await redraft.settle()


async def test_an_upload_is_cancelled_on_its_row(
    service: Service, program: Make, tmp_path: Path
) -> None:
    service.add("other.docx")
    path = tmp_path / "lease.docx"
    path.write_bytes(b"PK\x03\x04")
    service.is_holding_uploads = True
    async with program(files=(path,)).running() as redraft:
        assert "x on its row cancels an upload" in redraft.words("#documents")
        await redraft.press("escape", "1", "G", "x")
        assert redraft.main.session.store.transfers == []
        assert redraft.status == "lease.docx: upload cancelled"
        assert not any(worker.group == "upload" for worker in redraft.app.workers)


async def test_a_failed_upload_is_tried_again_on_its_row(
    service: Service, program: Make, tmp_path: Path
) -> None:
    path = tmp_path / "odd.docx"
    path.write_bytes(b"PK\x03\x04")
    service.fail["POST documents"] = (503, "The service is out of room")
    async with program(files=(path,)).running() as redraft:
        await redraft.press("escape", "1")
        assert "r tries again, x removes" in redraft.words("#documents")
        service.fail.clear()
        await redraft.press("r")
        assert "odd.docx uploaded" in redraft.status
        assert redraft.main.session.store.transfers == []


async def test_a_failed_upload_is_taken_off_the_list(
    service: Service, program: Make, tmp_path: Path
) -> None:
    path = tmp_path / "odd.docx"
    path.write_bytes(b"PK\x03\x04")
    service.fail["POST documents"] = (400, "The file is password protected")
    async with program(files=(path,)).running() as redraft:
        await redraft.press("escape", "1", "x")
        assert redraft.main.session.store.transfers == []


async def test_the_return_of_the_line_is_told(service: Service, program: Make) -> None:
    service.add()
    async with program().running() as redraft:
        service.down = True
        service.break_streams()
        await redraft.wait(30)
        assert "offline" in redraft.words("#title")
        service.down = False
        await redraft.wait(40)
        assert "the service is back" in redraft.status
        assert "online" in redraft.words("#title")


@pytest.mark.parametrize(
    ("status", "detail"),
    [
        (413, "File size exceeds maximum allowed size of 10MB"),
        (422, "editInstructions: must not be empty"),
        (429, "64 edits of this document are waiting already; try again later"),
        (500, "Edit operation failed: Unable to locate the specified text"),
        (503, "The service is stopping"),
    ],
)
async def test_whatever_the_service_refuses_is_shown_in_its_words(
    service: Service, program: Make, status: int, detail: str
) -> None:
    service.add()
    service.fail["POST edits"] = (status, detail)
    async with program().running() as redraft:
        await redraft.send(EDIT)
        assert detail in redraft.words("#card")
        assert redraft.main.prompt.text == EDIT


# Drafts


async def test_every_document_has_a_draft_of_its_own(service: Service, program: Make) -> None:
    first, second = service.add("a.docx"), service.add("b.docx")
    store = MemoryStore()
    async with program(store=store).running() as redraft:
        assert redraft.main.open_id == second.id
        redraft.main.prompt.load_text("for b")
        redraft.main.open_document(first.id)
        assert redraft.main.prompt.text == ""
        redraft.main.prompt.load_text("for a")
        redraft.main.open_document(second.id)
        assert redraft.main.prompt.text == "for b"
        await redraft.press("ctrl+q")
    assert store.session.drafts == {first.id: "for a", second.id: "for b"}
    async with program(store=MemoryStore(store.session)).running() as again:
        assert again.main.prompt.text == "for b"
        again.main.open_document(first.id)
        assert again.main.prompt.text == "for a"


async def test_what_was_written_before_any_document_was_open_stays(
    service: Service, program: Make
) -> None:
    async with program().running() as redraft:
        redraft.main.prompt.load_text("make it shorter")
        service.add()
        await redraft.wait(10)
        assert redraft.main.open_id
        assert redraft.main.prompt.text == "make it shorter"


async def test_the_place_pointed_at_belongs_to_its_document(
    service: Service, program: Make
) -> None:
    first, _ = service.add("a.docx"), service.add("b.docx")
    async with program().running() as redraft:
        redraft.main.prompt.point_at("4. Payment")
        redraft.main.open_document(first.id)
        assert redraft.main.prompt.lookup == ""


async def test_a_document_uploaded_again_gets_the_draft_of_the_expired_one(
    service: Service, program: Make, tmp_path: Path
) -> None:
    path = tmp_path / "contract.docx"
    path.write_bytes(b"PK\x03\x04")
    old = service.add("contract.docx", left=30)
    async with program().running() as redraft:
        redraft.main.prompt.load_text("half an instruction")
        await redraft.wait(31)
        assert redraft.main.session.store.documents[old.id].is_expired
        await redraft.press("ctrl+o", "enter")
        assert redraft.main.open_id != old.id
        assert redraft.main.prompt.text == "half an instruction"


async def test_a_failed_instruction_goes_back_to_its_document(
    service: Service, program: Make
) -> None:
    first, second = service.add("a.docx"), service.add("b.docx")
    service.is_holding = True
    async with program().running() as redraft:
        await redraft.send('Replace "unicorn" with "horse"')
        redraft.main.open_document(first.id)
        service.release()
        await redraft.settle()
        assert redraft.main.prompt.text == ""
        redraft.main.open_document(second.id)
        assert redraft.main.prompt.text == 'Replace "unicorn" with "horse"'


# Faults of the program itself


async def test_a_fault_is_told_and_survived(
    service: Service, program: Make, tmp_path: Path
) -> None:
    held = service.add()
    store = MemoryStore()
    log = tmp_path / "crash.log"
    async with program(store=store, crash_log=log).running() as redraft:
        redraft.main.prompt.load_text("half an instruction")
        _break(redraft)
        await redraft.press("escape", "T")
        assert isinstance(redraft.app.screen, CrashScreen)
        words = redraft.words("#dialog-body")
        assert "ZeroDivisionError" in words
        assert "crash.log" in words
        assert store.session.drafts == {held.id: "half an instruction"}
        await redraft.press("enter")
        assert redraft.app.screen is redraft.main
        assert redraft.main.prompt.text == "half an instruction"
        await redraft.press("3")
        assert redraft.main.panes.pane == "changes"
    report = log.read_text()
    assert "ZeroDivisionError" in report
    assert "Traceback" in report
    assert log.stat().st_mode & 0o077 == 0


async def test_a_fault_of_a_worker_is_survived(
    service: Service, program: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.add()

    async def fault(*_: object) -> None:
        message = "no such thing"
        raise LookupError(message)

    async with program(crash_log=tmp_path / "crash.log").running() as redraft:
        monkeypatch.setattr(Session, "move", fault)
        await redraft.send('replace "30" with "45"')
        await redraft.press("escape", "U", "y")
        assert isinstance(redraft.app.screen, CrashScreen)
        assert "LookupError: no such thing" in redraft.words("#dialog-body")
        await redraft.press("q")
    assert redraft.app.return_code == 1


async def test_faults_on_end_are_not_survived_for_ever(
    service: Service, program: Make, tmp_path: Path
) -> None:
    async with program(crash_log=tmp_path / "crash.log").running() as redraft:
        survived = [redraft.app.recover(ZeroDivisionError()) for _ in range(4)]
        assert survived == [True, True, True, False]
        service.clock.forward(60)
        assert redraft.app.recover(ZeroDivisionError())


def _break(redraft: Program) -> None:
    def fault() -> None:
        raise ZeroDivisionError

    redraft.main.document_life.explain_time_left = fault  # type: ignore[method-assign]


async def test_without_a_log_a_fault_ends_the_program(service: Service, program: Make) -> None:
    service.add()
    made = program()

    async def run() -> None:
        async with made.running() as redraft:
            _break(redraft)
            await redraft.press("escape", "T")

    with pytest.raises(ZeroDivisionError):
        await run()


async def test_a_service_of_this_machine_that_went_away_is_started_again(
    service: Service, program: Make
) -> None:
    service.add()
    started: list[str] = []

    async def connect() -> Client:
        service.down = False
        started.append("service")
        return service.client()

    async with program(connect=connect, server="").running() as redraft:
        assert len(started) == 1
        service.down = True
        service.break_streams()
        await redraft.main.session.updates.refresh()
        assert redraft.main.session.store.link.state == "offline"
        await redraft.wait(1)
        assert len(started) == 1, "not before it is time"
        await redraft.wait(5)
        assert len(started) == 2
        assert redraft.main.session.store.is_online
        await redraft.send('Replace "30 days" with "45 days"')
        assert "applied" in redraft.status


async def test_a_service_elsewhere_is_only_asked_again(service: Service, program: Make) -> None:
    service.add()
    started: list[str] = []

    async def connect() -> Client:
        started.append("service")
        return service.client()

    async with program(connect=connect).running() as redraft:
        service.down = True
        service.break_streams()
        await redraft.wait(30)
        await redraft.wait(30)
        assert len(started) == 1


async def test_another_document_begins_at_its_first_change_without_a_filter(
    service: Service, program: Make
) -> None:
    """The list may be hidden meanwhile, and change ids of two documents may be the same."""
    many, few = service.add("many.docx"), service.add("few.docx")
    async with program().running() as redraft:
        main = redraft.main
        main.open_document(many.id)
        for old, new in (("30 days", "45 days"), ("three years", "one year"), ("Support", "Help")):
            await redraft.send(f'Replace "{old}" with "{new}"')
        main.open_document(few.id)
        await redraft.send('Replace "30 days" with "60 days"')
        await redraft.send('Replace "Support" with "Aid"')
        main.open_document(many.id)
        await redraft.press("escape", "3", "G")
        assert main.changes.current_number() == 3
        main.changes.set_filter(Filter(kind="replacement"))
        await redraft.press("2")
        main.open_document(few.id)
        await redraft.settle()
        await redraft.press("3")
        assert main.changes.current_number() == 1
        assert not main.changes.filter.is_on
        assert "60 days" in redraft.words("#changes")


async def test_our_own_reading_is_not_shown_as_an_edit(service: Service, program: Make) -> None:
    held = service.add()
    async with program().running() as redraft:
        redraft.main.session.begin_read(held.id)
        held.pending = 1
        await redraft.main.session.updates.refresh()
        await redraft.settle()
        assert "reading" in redraft.words("#documents")
        held.pending = 2
        await redraft.main.session.updates.refresh()
        await redraft.settle()
        assert "edit" in redraft.words("#documents")


@pytest.mark.parametrize("size", [(120, 36), (100, 30), (80, 24), (60, 15)])
async def test_a_long_name_leaves_the_tabs_whole(
    service: Service, program: Make, size: tuple[int, int]
) -> None:
    service.add("a-very-long-name-of-a-document-that-nobody-would-shorten-by-hand.docx")
    async with program().running(size) as redraft:
        await redraft.press("escape", "v", "v")
        shown = redraft.words("#tabs")
    assert "2 Preview 3 Changes 4 History" in shown
    assert "final" in shown
