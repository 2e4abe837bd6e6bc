from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from redraft.tui.screens.dialog import ChoiceScreen, ConfirmScreen
from redraft.tui.screens.file_screens import SaveScreen, UploadScreen
from redraft.tui.screens.help_screen import HelpScreen
from redraft.tui.session.session_file import SavedSession
from tests.tui.program import Program
from tests.tui.standin import CONTRACT, MemoryStore, Service

Make = Callable[..., Program]
EDIT = 'Replace "30 days" with "45 days"'


async def test_an_edit_is_sent_and_shown_struck_and_inserted(
    service: Service, program: Make
) -> None:
    held = service.add()
    async with program().running() as redraft:
        await redraft.send(EDIT)
        assert "within 30 days45 days after" in redraft.words("#preview")
        assert "applied in 3.4 s: 1 insertion, 1 deletion" in redraft.status
        assert redraft.main.prompt.text == ""
        await redraft.press("escape", "3")
        assert "30 days45 days" in redraft.words("#changes")
        assert "Alice Lee" in redraft.words("#changes")
    assert "45 days" in held.text


async def test_a_failed_edit_shows_the_services_words_whole_and_gives_the_instruction_back(
    service: Service, program: Make
) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.send('Replace "unicorn" with "horse"')
        assert redraft.main.bar("card").display
        card = redraft.words("#card")
        assert "Edit operation failed: Unable to locate the specified text" in card
        assert redraft.main.prompt.text == 'Replace "unicorn" with "horse"'
        await redraft.press("escape")
        assert not redraft.main.bar("card").display


async def test_a_failed_edit_shows_the_passage_that_was_nearly_meant(
    service: Service, program: Make
) -> None:
    service.add()
    service.closest = "Closest passage: due within thirty (30) days"
    async with program().running() as redraft:
        await redraft.send('Replace "thirty days" with "45 days"')
        assert service.closest in redraft.words("#card")
        service.closest = ""
        await redraft.send('Replace "unicorn" with "horse"')
        card = redraft.words("#card")
        assert "Closest passage" not in card
        assert card.count("Unable to locate the specified text") == 1


async def test_a_long_refusal_leaves_room_for_the_document_and_its_keys(
    service: Service, program: Make
) -> None:
    service.add()
    service.fail["POST edits"] = (500, "Edit operation failed: " + "what it can do, " * 60 + "end")
    async with program().running((80, 24)) as redraft:
        await redraft.send(EDIT)
        card = redraft.words("#card")
        assert card.count("what it can do") > 10
        assert "end" not in card.replace("send again", "")
        assert "send again" in card
        assert "all of it" in card
        assert redraft.main.preview.size.height >= 5


async def test_what_an_edit_warns_of_is_shown_whole_until_it_is_closed(
    service: Service, program: Make
) -> None:
    service.add()
    service.warnings = ["Word does not track links: " + "this change cannot be rejected " * 3]
    async with program().running((80, 24)) as redraft:
        await redraft.send(EDIT)
        card = redraft.words("#card")
        assert "Word does not track links" in card
        assert card.count("this change cannot be rejected") == 3
        assert "1 warning" in redraft.status
        assert redraft.main.bar("card").shade == "bar"
        await redraft.press("escape")
        assert not redraft.main.bar("card").display


async def test_a_timeout_says_that_the_document_is_as_it_was(
    service: Service, program: Make
) -> None:
    service.add()
    service.fail["POST edits"] = (408, "Edit operation timed out after 5 minutes")
    async with program().running() as redraft:
        await redraft.send(EDIT)
        card = redraft.words("#card")
        assert "Edit operation timed out after 5 minutes" in card
        assert "The document is as it was" in card


async def test_an_instruction_that_failed_is_replaced_by_typing_and_changed_by_arrows(
    service: Service, program: Make
) -> None:
    service.add()
    failing = 'Replace "unicorn" with "horse"'
    async with program().running() as redraft:
        await redraft.send(failing)
        await redraft.type("Delete it")
        assert redraft.main.prompt.text == "Delete it"
        await redraft.send(failing)
        await redraft.press("right", "!")
        assert redraft.main.prompt.text == failing + "!"
        await redraft.send(failing)
        await redraft.press("@")
        assert isinstance(redraft.app.screen, ChoiceScreen)
        await redraft.press("enter")
        assert redraft.main.prompt.text == failing
        await redraft.press("enter")
    assert service.bodies[-1]["editInstructions"] == failing
    assert service.bodies[-1]["lookupText"]


async def test_an_edit_that_failed_is_in_the_history_at_once(
    service: Service, program: Make
) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.send('Replace "unicorn" with "horse"')
        await redraft.press("escape", "escape", "4")
        assert "Unable to locate the specified text" in redraft.words("#history")


async def test_nothing_to_change_has_its_own_wording(service: Service, program: Make) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.send('Replace "Acme" with "Acme"')
        assert redraft.status == "nothing to change: the document says so already"
        assert redraft.main.prompt.text == 'Replace "Acme" with "Acme"'
        assert not redraft.main.bar("card").display


async def test_nothing_to_change_is_said_once(service: Service, program: Make) -> None:
    service.add()
    service.nothing = "No change was needed"
    async with program().running() as redraft:
        await redraft.send('Replace "Acme" with "Acme"')
        assert redraft.status == "nothing to change; the document is as it was"
        await redraft.press("escape", "4")
        assert redraft.words("#history").count("nothing to change") == 1
        assert "No change was needed" not in redraft.words("#history")


async def test_two_edits_wait_for_one_another_and_the_waiting_one_is_cancelled_alone(
    service: Service, program: Make
) -> None:
    service.add()
    service.is_holding = True
    async with program().running() as redraft:
        await redraft.send(EDIT)
        await redraft.send('Replace "three years" with "five years"')
        assert [job.state for job in redraft.main.session.store.jobs] == ["running", "waiting"]
        assert "waiting, 1st" in redraft.words("#details")
        await redraft.press("escape", "ctrl+x")
        assert "Cancel which edit?" in "\n".join(redraft.screen())
        await redraft.press("enter")
        assert [job.state for job in redraft.main.session.store.jobs] == ["running"]
        service.release()
        await redraft.settle()
        preview = redraft.words("#preview")
        assert "45 days" in preview
        assert "three years" in preview


async def test_a_running_edit_shows_its_time_and_is_cancelled_after_a_question(
    service: Service, program: Make
) -> None:
    service.add()
    service.is_holding = True
    async with program().running() as redraft:
        await redraft.send(EDIT)
        await redraft.wait(7)
        assert "00:07 of 05:00" in redraft.words("#prompt-title")
        await redraft.press("escape", "ctrl+x")
        assert isinstance(redraft.app.screen, ConfirmScreen)
        await redraft.press("y")
        service.release()
        await redraft.settle()
        assert redraft.status == "cancelled; the document is as it was"
        assert "45 days" not in redraft.words("#preview")


async def test_a_lost_answer_is_asked_for_again_and_the_edit_is_made_once(
    service: Service, program: Make
) -> None:
    held = service.add()
    service.lose_answers = 2
    async with program().running() as redraft:
        await redraft.send(EDIT)
        assert "applied" in redraft.status
        assert "45 days" in redraft.words("#preview")
    assert held.version == 1
    assert len(held.edits) == 1


async def test_without_a_line_text_is_kept_and_nothing_is_sent(
    service: Service, program: Make
) -> None:
    service.add()
    async with program().running() as redraft:
        service.down = True
        await redraft.wait(10)
        assert "offline" in redraft.words("#title")
        await redraft.send(EDIT)
        assert redraft.main.prompt.text == EDIT
        assert "the text stays here" in redraft.status
        assert not any("/edits" in request and "POST" in request for request in service.requests)
        service.down = False
        await redraft.wait(40)
        assert "online" in redraft.words("#title")
        await redraft.press("enter")
        assert "applied" in redraft.status


async def test_the_time_left_is_told_by_the_services_clock(service: Service, program: Make) -> None:
    service.ahead = 600
    service.add(left=3000)
    async with program().running() as redraft:
        await redraft.wait(1)
        assert "49 m" in redraft.words("#documents")


async def test_the_last_minute_is_announced_once(service: Service, program: Make) -> None:
    service.add(left=100)
    async with program().running() as redraft:
        await redraft.wait(45)
        assert redraft.status == "contract.docx expires in 0:55; s saves it"
        redraft.main.say("something else")
        await redraft.wait(5)
        assert redraft.status == "something else"


async def test_an_expired_document_stays_readable_and_keeps_the_draft(
    service: Service, program: Make
) -> None:
    service.add(left=30)
    async with program().running() as redraft:
        redraft.main.prompt.load_text("half an instruction")
        await redraft.wait(31)
        assert "expired" in redraft.words("#documents")
        assert "Payment is due" in redraft.words("#preview")
        assert "no longer on the server" in redraft.words("#note")
        assert redraft.main.prompt.text == "half an instruction"
        await redraft.press("enter")
        assert redraft.status.startswith("expired at 14:31")


async def test_a_wrong_key_shows_its_last_four_characters(service: Service, program: Make) -> None:
    async def connect() -> object:
        return service.client("not-the-right-key-9999")

    async with program(connect=connect).running() as redraft:
        card = redraft.words("#preview")
        assert "Invalid or missing API key" in card
        assert "9999" in card
        assert "not-the-right" not in card


async def test_a_service_that_does_not_answer_is_named_and_tried_again(
    service: Service, program: Make
) -> None:
    service.down = True
    async with program().running() as redraft:
        assert "http://127.0.0.1:8765" in redraft.words("#preview")
        assert "connection refused" in redraft.words("#preview")
        service.down = False
        service.add()
        await redraft.press("f5")
        assert "Master Services Agreement" in redraft.words("#preview")


async def test_a_file_is_found_by_letters_of_its_name_and_uploaded(
    service: Service, program: Make, tmp_path: Path
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "lease.docx").write_bytes(b"PK\x03\x04 something")
    (tmp_path / "notes.txt").write_text("no")
    async with program().running() as redraft:
        await redraft.press("ctrl+o")
        assert isinstance(redraft.app.screen, UploadScreen)
        assert "lease.docx" in redraft.words("#found")
        assert "notes.txt" not in redraft.words("#found")
        await redraft.type("lse")
        await redraft.press("enter")
        assert "lease.docx uploaded" in redraft.status
        assert redraft.main.document is not None
        assert redraft.main.document.info.name == "lease.docx"
        assert redraft.main.document.info.tracked_changes
        assert redraft.main.document.info.author_name == "Alice Lee"


@pytest.mark.parametrize(
    "written",
    [
        "{path}",
        "'{path}'",
        '"{path}"',
        "file://{quoted}",
        "{escaped}",
        "  {path}\n",
    ],
)
async def test_a_pasted_path_opens_the_upload(
    service: Service, program: Make, tmp_path: Path, written: str
) -> None:
    path = tmp_path / "my lease.docx"
    path.write_bytes(b"PK\x03\x04")
    text = written.format(
        path=path, quoted=str(path).replace(" ", "%20"), escaped=str(path).replace(" ", "\\ ")
    )
    async with program().running() as redraft:
        redraft.app.post_message(events.Paste(text))
        await redraft.settle()
        assert isinstance(redraft.app.screen, UploadScreen)
        await redraft.press("enter")
        assert "my lease.docx uploaded" in redraft.status
        assert redraft.main.prompt.text == ""


async def test_a_path_that_was_typed_is_an_upload_too(
    service: Service, program: Make, tmp_path: Path
) -> None:
    path = tmp_path / "lease.docx"
    path.write_bytes(b"PK\x03\x04")
    async with program().running() as redraft:
        await redraft.send(str(path))
        assert isinstance(redraft.app.screen, UploadScreen)
        await redraft.press("enter")
        assert "lease.docx uploaded" in redraft.status
        assert redraft.main.prompt.text == ""
        assert service.bodies == []


async def test_the_outline_goes_to_a_clause_by_its_number(service: Service, program: Make) -> None:
    service.add(text=CONTRACT + "\n\nFiller." * 60)
    async with program().running() as redraft:
        await redraft.press("escape", "o")
        assert "1.2" not in redraft.text("#choices")  # the headings come first
        await redraft.type("1.2")
        assert redraft.text("#choices").split("\n")[0].strip().startswith("1.2 The Supplier shall")
        await redraft.type("(b)")
        assert redraft.text("#choices").strip() == "1.2(b) with suitably qualified staff."
        await redraft.press("enter")
        view = redraft.main.preview
        assert view.blocks[view.first_block()].text == "with suitably qualified staff."


async def test_pasted_words_stay_words(service: Service, program: Make) -> None:
    service.add()
    async with program().running() as redraft:
        redraft.app.post_message(events.Paste("nothing/like/this.docx is a file"))
        await redraft.settle()
        assert redraft.main.prompt.text == "nothing/like/this.docx is a file"


async def test_a_path_pasted_into_a_pane_opens_the_upload_too(
    program: Make, tmp_path: Path
) -> None:
    path = tmp_path / "my lease.docx"
    path.write_bytes(b"PK\x03\x04")
    async with program().running() as redraft:
        await redraft.press("escape", "1")
        redraft.app.post_message(events.Paste(f"'{path}'"))
        await redraft.settle()
        assert isinstance(redraft.app.screen, UploadScreen)
        await redraft.press("escape")
        redraft.app.post_message(events.Paste("just words"))
        await redraft.settle()
        assert redraft.app.screen is redraft.main
        assert redraft.status == "no file is named so; i goes to the prompt, for text"
        assert redraft.main.prompt.text == ""


async def test_a_file_given_at_the_start_is_uploaded(
    service: Service, program: Make, tmp_path: Path
) -> None:
    path = tmp_path / "given.docx"
    path.write_bytes(b"PK\x03\x04")
    async with program(files=(path,)).running() as redraft:
        assert redraft.main.document is not None
        assert redraft.main.document.info.name == "given.docx"


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.docx", b"just text", "File type not supported"),
        ("a.txt", b"PK\x03\x04", "File type not supported"),
        ("big.pdf", b"%PDF-1.7" + bytes(10 * 1024 * 1024), "maximum allowed size of 10MB"),
    ],
)
async def test_a_bad_file_is_refused_without_a_request(
    service: Service, program: Make, tmp_path: Path, name: str, data: bytes, words: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    async with program(files=(path,)).running() as redraft:
        assert words in redraft.status
    assert "POST /v1/documents/" not in service.requests


async def test_a_failed_upload_stays_in_the_list_with_its_reason(
    service: Service, program: Make, tmp_path: Path
) -> None:
    path = tmp_path / "odd.docx"
    path.write_bytes(b"PK\x03\x04")
    service.fail["POST documents"] = (400, "The file is password protected")
    async with program(files=(path,)).running() as redraft:
        assert "odd.docx: The file is pass" in redraft.words("#documents")
        assert redraft.status == "odd.docx: The file is password protected"


async def test_saving_never_writes_over_a_file_unasked(
    service: Service, program: Make, tmp_path: Path
) -> None:
    service.add()
    (tmp_path / "contract-redline.docx").write_text("mine")
    async with program().running() as redraft:
        await redraft.press("escape", "s")
        assert isinstance(redraft.app.screen, SaveScreen)
        field = redraft.app.screen.query_one("#path", Input)
        assert field.value == "contract-redline (2).docx"
        await redraft.press("enter")
        assert "saved" in redraft.status
    assert (tmp_path / "contract-redline.docx").read_text() == "mine"
    saved = (tmp_path / "contract-redline (2).docx").read_text()
    assert saved == "redline of contract.docx"


async def test_the_clean_copy_is_chosen_with_the_arrow_keys(
    service: Service, program: Make, tmp_path: Path
) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.press("escape", "s", "down", "enter")
    assert (tmp_path / "contract-clean.docx").read_text() == "clean of contract.docx"


async def test_a_link_goes_to_the_clipboard(
    service: Service, program: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.add()
    async with program().running() as redraft:
        copied: list[str] = []
        monkeypatch.setattr(redraft.app, "copy_to_clipboard", copied.append)
        await redraft.press("escape", "S")
        assert copied == [f"http://redraft.test/storage/{redraft.main.open_id}?sig=abc"]
        assert "sent to the clipboard" in redraft.status


async def test_a_link_is_shown_whole_for_those_whose_clipboard_it_does_not_reach(
    service: Service, program: Make
) -> None:
    service.add()
    async with program().running((60, 15)) as redraft:
        await redraft.press("escape", "S")
        shown = redraft.text("#dialog-body").replace("\n", "").replace(" ", "")
        assert shown == f"http://redraft.test/storage/{redraft.main.open_id}?sig=abc"
        await redraft.press("escape")
        assert redraft.app.screen is redraft.main


async def test_how_long_a_document_is_kept_is_told_whole(service: Service, program: Make) -> None:
    service.add()
    async with program().running((80, 24)) as redraft:
        await redraft.press("escape", "T")
        assert "59 m left" in redraft.words("#dialog-title")
        assert redraft.words("#dialog-body").endswith("u uploads it again.")


async def test_undo_asks_with_the_words_of_the_edit(service: Service, program: Make) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.send(EDIT)
        await redraft.press("escape", "U")
        assert isinstance(redraft.app.screen, ConfirmScreen)
        assert "30 days" in redraft.words("#dialog-body")
        await redraft.press("y")
        assert redraft.status == f"undone: {EDIT}; R redoes it"
        assert "45 days" not in redraft.words("#preview")
        await redraft.press("R")
        assert redraft.status == "there is nothing to redo"


async def test_one_change_is_rejected_and_one_accepted(service: Service, program: Make) -> None:
    held = service.add()
    async with program().running() as redraft:
        await redraft.send(EDIT)
        await redraft.send('Replace "three years" with "five years"')
        await redraft.press("escape", "3", "x")
        assert "30 days" in held.text
        assert len(held.changes) == 1
        await redraft.press("a")
        assert held.changes == []
        assert "five years" in held.text
        assert redraft.status == "1 change accepted; U undoes it"


async def test_all_changes_are_accepted_after_a_question(service: Service, program: Make) -> None:
    held = service.add()
    async with program().running() as redraft:
        await redraft.send(EDIT)
        await redraft.press("escape", "3", "A")
        assert isinstance(redraft.app.screen, ConfirmScreen)
        await redraft.press("n")
        assert len(held.changes) == 1
        await redraft.press("A", "y")
        assert held.changes == []


async def test_a_document_is_deleted_after_a_question(service: Service, program: Make) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.press("escape", "1", "D")
        assert isinstance(redraft.app.screen, ConfirmScreen)
        await redraft.press("y")
        assert service.documents == {}
        assert "No documents yet" in redraft.words("#preview")


async def test_without_documents_the_keys_that_are_told_work_where_the_focus_is(
    program: Make,
) -> None:
    async with program().running() as redraft:
        assert redraft.main.focused is redraft.main.prompt
        assert "ctrl+o upload a file f1 help ctrl+q leave" in redraft.words("#preview")
        await redraft.press("ctrl+o")
        assert isinstance(redraft.app.screen, UploadScreen)
    async with program(keys={"doc.upload": "u,ctrl+y"}).running() as redraft:
        assert "ctrl+y upload a file" in redraft.words("#preview")


async def test_the_view_that_only_the_changes_have_is_told_in_the_preview(
    service: Service, program: Make
) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.press("escape", "v")
        assert redraft.status == "view: split of the changes; 3 shows them"
        await redraft.press("3", "v", "v", "v", "v")
        assert redraft.status == "view: split"


async def test_another_document_is_opened_from_the_list(service: Service, program: Make) -> None:
    service.add("first.docx", "# First\n")
    service.add("second.docx", "# Second\n")
    async with program().running() as redraft:
        assert "Second" in redraft.words("#preview")
        await redraft.press("escape", "1", "k")
        assert "First" in redraft.words("#preview")
        await redraft.press("enter")
        assert redraft.main.where() == "prompt"


async def test_instructions_are_recalled_with_the_arrow_keys(
    service: Service, program: Make
) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.send(EDIT)
        redraft.main.prompt.load_text("a draft")
        await redraft.press("up")
        assert redraft.main.prompt.text == EDIT
        await redraft.press("down")
        assert redraft.main.prompt.text == "a draft"


async def test_ctrl_j_begins_a_new_line_and_enter_sends(service: Service, program: Make) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.type("one")
        await redraft.press("ctrl+j")
        await redraft.type("two")
        assert redraft.main.prompt.text == "one\ntwo"
        await redraft.press("enter")
        assert redraft.main.prompt.past == ["one\ntwo"]


async def test_at_points_at_a_section_which_is_sent_along(service: Service, program: Make) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.press("at")
        assert isinstance(redraft.app.screen, ChoiceScreen)
        await redraft.type("pay")
        await redraft.press("enter")
        assert redraft.main.prompt.lookup == "4. Payment"
        assert "at 4. Payment" in redraft.words("#prompt-title")
        assert redraft.main.prompt.text == ""
        await redraft.press("ctrl+l")
        assert redraft.main.prompt.lookup == ""


async def test_an_address_with_at_is_just_text(service: Service, program: Make) -> None:
    service.add()
    async with program().running() as redraft:
        redraft.main.prompt.insert("to dana")
        await redraft.press("at")
        assert redraft.main.prompt.text == "to dana@"


async def test_search_counts_hits_and_walks_round(service: Service, program: Make) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.press("escape", "slash")
        await redraft.type("the supplier")
        await redraft.press("enter")
        assert redraft.status == "3 hits"
        assert "1/3" in redraft.words("#note")
        await redraft.press("n", "n", "n")
        assert "1/3" in redraft.words("#note")
        await redraft.press("N")
        assert "3/3" in redraft.words("#note")
        await redraft.press("escape")
        assert redraft.main.search_query.text == ""


async def test_every_pane_is_reached_by_its_number_at_eighty_columns(
    service: Service, program: Make
) -> None:
    service.add()
    async with program().running(size=(80, 24)) as redraft:
        await redraft.press("escape")
        for number, pane in enumerate(("documents", "preview", "changes", "history"), start=1):
            await redraft.press(str(number))
            focused = redraft.main.focused
            assert focused is not None
            assert focused.id == pane
            assert focused.display


async def test_the_session_is_kept_and_restored(service: Service, program: Make) -> None:
    held = service.add("a.docx")
    service.add("b.docx")
    store = MemoryStore()
    async with program(store=store).running() as redraft:
        redraft.main.open_document(held.id)
        redraft.main.prompt.past = ["an old instruction"]
        redraft.main.prompt.load_text("half done")
        await redraft.press("ctrl+q")
    assert store.session.document == held.id
    async with program(store=MemoryStore(store.session)).running() as again:
        assert again.main.open_id == held.id
        assert again.main.prompt.text == "half done"
        assert again.main.prompt.past == ["an old instruction"]


async def test_a_document_opens_again_where_it_was_left(service: Service, program: Make) -> None:
    held = service.add(text="\n\n".join(f"Paragraph {number}." for number in range(100)))
    store = MemoryStore(SavedSession(document=held.id, lines={held.id: 60}))
    async with program(store=store).running() as redraft:
        assert redraft.main.preview.scroll_offset.y == 60


async def test_leaving_with_an_edit_under_way_asks(service: Service, program: Make) -> None:
    service.add()
    service.is_holding = True
    store = MemoryStore(SavedSession())
    async with program(store=store).running() as redraft:
        await redraft.send(EDIT)
        await redraft.press("ctrl+q")
        assert isinstance(redraft.app.screen, ChoiceScreen)
        assert "leave; the service finishes them" in redraft.words("#choices")
        await redraft.press("escape")
        assert redraft.app.screen is redraft.main
        service.release()
        await redraft.settle()


async def test_the_palette_finds_an_action_by_letters(service: Service, program: Make) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.press("ctrl+p")
        await redraft.type("explain panes")
        await redraft.press("enter")
        assert isinstance(redraft.app.screen, HelpScreen)


async def test_a_terminal_that_is_too_small_says_so_and_keeps_the_draft(
    service: Service, program: Make
) -> None:
    service.add()
    async with program().running(size=(120, 36)) as redraft:
        redraft.main.prompt.focus()
        redraft.main.prompt.load_text("a draft")
        assert redraft.pilot is not None
        await redraft.pilot.resize_terminal(52, 12)
        await redraft.settle()
        assert "redraft needs 60x15, have 52x12" in redraft.words("#too-small")
        await redraft.pilot.resize_terminal(80, 24)
        await redraft.settle()
        assert redraft.main.prompt.text == "a draft"
        assert not redraft.main.has_class("-tiny")
        assert redraft.main.focused is redraft.main.prompt


async def test_ctrl_x_in_the_prompt_cuts_a_selection_and_otherwise_cancels(
    service: Service, program: Make
) -> None:
    service.add()
    service.is_holding = True
    async with program().running() as redraft:
        await redraft.send(EDIT)
        redraft.main.prompt.load_text("words")
        redraft.main.prompt.select_all()
        await redraft.press("ctrl+x")
        assert redraft.main.prompt.text == ""
        assert redraft.app.screen is redraft.main
        await redraft.press("ctrl+x")
        assert isinstance(redraft.app.screen, ConfirmScreen)
        await redraft.press("n")
        service.release()
        await redraft.settle()


async def test_a_change_is_not_accepted_while_the_focus_is_elsewhere(
    service: Service, program: Make
) -> None:
    held = service.add()
    async with program().running() as redraft:
        await redraft.send(EDIT)
        await redraft.press("escape", "3", "1", "a")
        assert len(held.changes) == 1
        assert "choose a change first" in redraft.status


async def test_a_chosen_change_is_shown_in_the_preview(service: Service, program: Make) -> None:
    service.add()
    async with program().running(size=(80, 24)) as redraft:
        await redraft.send('Replace "three years" with "five years"')
        redraft.main.preview.to_edge(end=False)
        await redraft.press("escape", "3", "enter")
        index = redraft.main.preview.changed_blocks()[0]
        assert redraft.main.panes.pane == "preview"
        assert redraft.main.preview.shows_block(index)


async def test_the_large_model_is_asked_for(service: Service, program: Make) -> None:
    service.add()
    async with program().running() as redraft:
        redraft.main.prompt.insert(EDIT)
        await redraft.press("ctrl+t")
        assert "large model" in redraft.words("#prompt-title")
        await redraft.press("enter")
    assert service.bodies[-1]["useLargeModel"] is True


@pytest.mark.parametrize(
    ("models", "shown", "said"),
    [
        (
            [],
            "no language model (ctrl+t): simple instructions only",
            "no language model is configured",
        ),
        (["vendor/clerk:7b"], "model vendor/clerk:7b", "there is one model, vendor/clerk:7b"),
    ],
)
async def test_without_a_second_model_none_can_be_switched_to(
    service: Service, program: Make, models: list[str], shown: str, said: str
) -> None:
    service.add()
    service.models = models
    async with program().running() as redraft:
        redraft.main.prompt.insert(EDIT)
        assert shown in redraft.words("#prompt-title")
        await redraft.press("ctrl+t")
        assert said in redraft.status
        assert shown in redraft.words("#prompt-title")
        await redraft.press("enter")
        assert "useLargeModel" not in service.bodies[-1]
        service.fail["POST edits"] = (500, "Edit operation failed: no")
        await redraft.send(EDIT)
        assert "model" not in redraft.words("#card")


async def test_the_models_are_called_by_their_names(service: Service, program: Make) -> None:
    service.add()
    service.models = ["clerk-7b", "scholar-70b"]
    async with program().running() as redraft:
        assert "model clerk-7b" in redraft.words("#prompt-title")
        service.fail["POST edits"] = (500, "Edit operation failed: no")
        await redraft.send(EDIT)
        assert "ctrl+t model scholar-70b" in redraft.words("#card")
        await redraft.press("ctrl+t")
        assert "model scholar-70b" in redraft.words("#prompt-title")


async def test_the_section_pointed_at_is_sent_as_the_lookup_text(
    service: Service, program: Make
) -> None:
    service.add()
    async with program().running() as redraft:
        redraft.main.prompt.point_at("4. Payment")
        await redraft.send(EDIT)
    assert service.bodies[-1]["lookupText"] == "4. Payment"


async def test_changes_made_elsewhere_appear_by_themselves(service: Service, program: Make) -> None:
    held = service.add()
    async with program().running() as redraft:
        held.text = held.text.replace("three years", "nine years")
        held.version += 1
        await redraft.wait(6)
        assert "nine years" in redraft.words("#preview")


async def test_all_changes_of_an_edit_are_rejected_together(
    service: Service, program: Make
) -> None:
    held = service.add()
    async with program().running() as redraft:
        await redraft.send(EDIT)
        await redraft.send('Replace "three years" with "five years"')
        await redraft.press("escape", "3", "g", "E")
        assert isinstance(redraft.app.screen, ConfirmScreen)
        assert "30 days" in redraft.words("#dialog-body")
        await redraft.press("y")
        assert service.resolved[-1]["action"] == "reject"
        assert service.resolved[-1]["editUid"] == service.bodies[0]["editUid"]
    assert [change["after"] for change in held.changes] == ["five years"]


async def test_the_history_shows_what_each_edit_changed_and_leads_to_it(
    service: Service, program: Make
) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.send(EDIT)
        await redraft.send('Replace "three years" with "five years"')
        await redraft.press("escape", "4")
        words = redraft.words("#history")
        assert "three yearsfive years" in words
        assert "30 days45 days" in words
        await redraft.press("G", "enter")
        assert redraft.main.panes.pane == "changes"
        assert [change.after for change in redraft.main.changes.shown_changes()] == ["45 days"]


async def test_filters_narrow_one_another_and_all_lifts_them(
    service: Service, program: Make
) -> None:
    held = service.add()
    async with program().running() as redraft:
        await redraft.send(EDIT)
        await redraft.send('Replace "three years" with "five years"')
        held.changes[0]["author"], held.changes[1]["kind"] = "Bob", "insertion"
        held.changes.append({**held.changes[0], "id": "9", "kind": "insertion"})
        held.version += 1
        await redraft.wait(40)
        await redraft.press("escape", "3")
        for typed, shown in (("by Bob", 2), ("insertions", 1), ("all changes", 3)):
            await redraft.press("f")
            await redraft.type(typed)
            await redraft.press("enter")
            assert len(redraft.main.changes.shown_changes()) == shown


async def test_the_preview_stays_where_the_person_went_while_an_edit_ran(
    service: Service, program: Make
) -> None:
    service.add(text="\n\n".join(f"Paragraph {number} says 30 days." for number in range(99)))
    service.is_holding = True
    async with program().running() as redraft:
        await redraft.send('Replace "Paragraph 90 says" with "Paragraph 90 tells"')
        await redraft.press("escape", "space")
        line = redraft.main.preview.scroll_offset.y
        service.release()
        await redraft.settle()
        assert redraft.main.preview.scroll_offset.y == line
        await redraft.press("g")
        await redraft.send('Replace "Paragraph 80 says" with "Paragraph 80 tells"')
        assert redraft.main.preview.scroll_offset.y > line


async def test_redo_asks_as_undo_does(service: Service, program: Make) -> None:
    held = service.add()
    async with program().running() as redraft:
        await redraft.send(EDIT)
        held.edits.append({"editUid": "u", "kind": "undo", "state": "applied"})
        held.version += 1
        await redraft.wait(6)
        await redraft.press("escape", "R")
        assert isinstance(redraft.app.screen, ConfirmScreen)
        assert "30 days" in redraft.words("#dialog-body")
        await redraft.press("n")
    assert not [request for request in service.requests if request.endswith("/redo")]


async def test_the_palette_says_what_there_is_nothing_of(service: Service, program: Make) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.press("ctrl+p")
        await redraft.type("redo")
        assert "(there is nothing to redo)" in "\n".join(redraft.screen())


async def test_a_link_of_this_computer_says_that_it_ends_with_the_program(
    service: Service, program: Make
) -> None:
    service.add()
    async with program(server="").running() as redraft:
        await redraft.press("escape", "S")
        assert "it works until redraft ends" in "\n".join(redraft.screen())


async def test_a_rejected_key_says_how_its_keys_work_from_within_the_prompt(
    service: Service, program: Make
) -> None:
    service.fail["GET documents"] = (401, "Invalid or missing API key")
    async with program().running() as redraft:
        await redraft.press("i")
        assert "esc leave the prompt, then:" in redraft.words("#preview")
        await redraft.press("escape")
        assert "esc leave the prompt" not in redraft.words("#preview")
        asked = len(service.requests)
        await redraft.press("r")
        assert len(service.requests) > asked


async def test_split_is_told_only_where_it_is_split(service: Service, program: Make) -> None:
    service.add()
    async with program().running(size=(120, 36)) as redraft:
        await redraft.press("escape", "v")
        assert redraft.main.mode == "split"
        assert "split" not in redraft.screen()[1]
        await redraft.press("3")
        assert "split" in redraft.screen()[1]
