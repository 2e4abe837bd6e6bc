"""`redraft read|edit|changes|accept|reject` on the sample contract, as a person types them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine import wordml
from tests.interface.situation_documents import text_pdf

pytestmark = pytest.mark.process

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "tui" / "sample" / "services-agreement.docx"
FEE = 'Change "£48,000" to "£52,500"'


def redraft(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """The program as a process of its own, without a model."""
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}
    return subprocess.run(
        [sys.executable, "-m", "redraft", *map(str, arguments)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("buffered", [{}, {"PYTHONUNBUFFERED": "1"}], ids=["held", "at once"])
@pytest.mark.parametrize("command", ["read", "changes"])
def test_a_reader_that_went_away_is_no_error_to_speak_of(
    command: str, buffered: dict[str, str], redline: Path
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), **buffered}
    call = [sys.executable, "-m", "redraft", command, str(redline)]
    with os.fdopen(writer, "wb") as out:
        done = subprocess.run(
            call, env=environment, stdout=out, stderr=subprocess.PIPE, check=False, timeout=60
        )
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    return Path(shutil.copy(SAMPLE, tmp_path / "contract.docx"))


@pytest.fixture
def redline(contract: Path) -> Path:
    """The contract with one tracked edit."""
    out = contract.with_name("redline.docx")
    done = redraft(
        "edit", contract, FEE, "-o", out, "--tracked", "--author", "Dana", folder=contract.parent
    )
    assert done.returncode == 0, done.stderr
    return out


def test_reading_prints_markdown_on_stdout_and_nothing_else(contract: Path) -> None:
    done = redraft("read", contract, folder=contract.parent)
    assert done.returncode == 0
    assert done.stdout.startswith("Dated 14 September 2026\n")
    assert "| Work | Who does it | Unit | Fee |" in done.stdout
    assert done.stderr == ""


@pytest.fixture
def annotated(tmp_path: Path) -> Path:
    """A page with a header, a footer, a picture and a comment."""
    comment = '<w:comment w:id="3" w:author="Ann" w:date="2026-11-20T08:00:00Z">{}</w:comment>'
    path = tmp_path / "annotated.docx"
    path.write_bytes(
        wordml.docx(
            wordml.p(
                "The fee ",
                wordml.picture("rId7", alt="a seal"),
                '<w:r><w:commentReference w:id="3"/></w:r>',
            ),
            headers=[wordml.p("Draft")],
            footers=[wordml.p("Page")],
            comments=comment.format(wordml.p("Too much?")),
            relations={"rId7": ("image", "media/image1.png")},
            media={"media/image1.png": b"\x89PNG"},
        )
    )
    return path


@pytest.mark.parametrize(
    ("asked", "markdown"),
    [
        ((), "The fee ![a seal](media/image1.png)\n"),
        (
            ("--include", "headers"),
            "<!-- header default -->\n\nDraft\n\nThe fee ![a seal](media/image1.png)\n\n"
            "<!-- footer default -->\n\nPage\n",
        ),
        (
            ("--include", "comments"),
            "The fee ![a seal](media/image1.png)[^c1]\n\n[^c1]: Ann: Too much?\n",
        ),
    ],
    ids=["nothing", "headers", "comments"],
)
def test_reading_includes_what_is_asked_for(
    annotated: Path, asked: tuple[str, ...], markdown: str
) -> None:
    done = redraft("read", annotated, *asked, folder=annotated.parent)
    assert done.returncode == 0, done.stderr
    assert done.stdout == markdown


def test_reading_as_json_gives_headers_and_comments_as_data(annotated: Path) -> None:
    done = redraft(
        "read", annotated, "--include", "headers,comments", "--json", folder=annotated.parent
    )
    assert done.returncode == 0, done.stderr
    read = json.loads(done.stdout)
    (image,) = read["images"]
    assert image == {"image_id": "media/image1.png", "caption": "a seal", "source": "existing"}
    assert read["notices"] == []
    assert read["markdown"].startswith("<!-- header default -->")
    told = {story["kind"]: story for story in read["stories"]}
    assert {kind: story["markdown"] for kind, story in told.items()} == {
        "header": "Draft",
        "footer": "Page",
        "comment": "Too much?",
    }
    assert told["header"]["purpose"] == "default"
    comment = {name: told["comment"][name] for name in ("id", "author", "date", "on")}
    assert comment == {"id": "c1", "author": "Ann", "date": "2026-11-20T08:00:00Z", "on": "p1"}


def test_reading_as_json_without_more_has_no_stories(annotated: Path) -> None:
    done = redraft("read", annotated, "--json", folder=annotated.parent)
    assert json.loads(done.stdout)["stories"] == []


def test_reading_refuses_to_include_what_it_does_not_know(annotated: Path) -> None:
    done = redraft("read", annotated, "--include", "headers,margins", folder=annotated.parent)
    assert done.returncode == 2
    assert "'margins' is none of headers, comments" in done.stderr


def test_a_tracked_edit_says_what_it_struck_and_wrote(contract: Path) -> None:
    done = redraft("edit", contract, FEE, "--tracked", "--author", "Dana", folder=contract.parent)
    assert done.returncode == 0, done.stderr
    assert "£[-48,000-]{+52,500+}" in done.stdout
    assert "Dana" in done.stdout
    assert contract.with_name("contract-edited.docx").exists()
    assert contract.read_bytes() == SAMPLE.read_bytes()


def test_an_edit_is_explained_and_nothing_is_written(contract: Path) -> None:
    done = redraft("edit", contract, FEE, "--explain", folder=contract.parent)
    assert done.returncode == 0, done.stderr
    view, _, rest = done.stdout.partition("=== plan ===")
    assert view.startswith("=== view ===\n<document")
    assert "made by: the built-in interpreter" in rest
    assert "1. ReplaceText(" in rest or "1. FindReplace(" in rest
    assert rest.endswith("=== checked ===\nevery operation can be carried out\n")
    assert [each.name for each in contract.parent.iterdir()] == [contract.name]


def test_a_printed_plan_is_applied_to_the_same_words_and_marks(contract: Path) -> None:
    printed = redraft("edit", contract, FEE, "--plan", folder=contract.parent)
    assert printed.returncode == 0
    assert not (contract.parent / "contract-edited.docx").exists()
    plan = contract.parent / "plan.json"
    plan.write_text(printed.stdout)
    flags = ("--tracked", "--author", "Ann")
    said = redraft("edit", contract, FEE, *flags, "-o", "said.docx", folder=contract.parent)
    done = redraft("apply", contract, plan, *flags, "-o", "done.docx", folder=contract.parent)
    assert (done.returncode, done.stdout) == (0, said.stdout)
    again = redraft("apply", "said.docx", plan, "-o", "no.docx", folder=contract.parent)
    assert again.returncode == 1
    assert "has changed since the edit was planned" in again.stderr
    assert not (contract.parent / "no.docx").exists()


def test_every_fault_of_a_plan_is_told_and_nothing_is_written(contract: Path) -> None:
    plan = contract.parent / "plan.json"
    plan.write_text(
        '[{"op": "replace_text", "block": "p3", "find": "zzz", "replace": "y"},'
        ' {"op": "delete_row", "target": "t9.r1"}]'
    )
    done = redraft("apply", contract, plan, "--json", folder=contract.parent)
    assert done.returncode == 1
    faults = json.loads(done.stdout)["faults"]
    assert [(one["index"], one["code"]) for one in faults] == [
        (0, "text_not_found"),
        (1, "unknown_block"),
    ]
    assert "[p3] says: Services Agreement" in faults[0]["message"]
    assert not (contract.parent / "contract-edited.docx").exists()


def test_an_outline_names_the_blocks_in_windows(contract: Path) -> None:
    done = redraft("outline", contract, "--start", "p3", "--limit", "2", folder=contract.parent)
    assert done.stdout.splitlines()[0] == "[p3 h1] Services Agreement"
    assert "go on with --start p5" in done.stderr
    data = json.loads(redraft("outline", contract, "--json", folder=contract.parent).stdout)
    assert data["blocks"][2] == {"id": "p3", "kind": "h1", "text": "Services Agreement"}
    assert len(data["snapshot"]) == 64


def test_an_existing_file_is_not_written_over(contract: Path) -> None:
    out = contract.with_name("out.docx")
    out.write_text("mine")
    done = redraft("edit", contract, FEE, "-o", out, folder=contract.parent)
    assert done.returncode == 2
    assert "exists" in done.stderr
    assert out.read_text() == "mine"


def test_the_changes_of_a_file_are_data(redline: Path) -> None:
    done = redraft("changes", redline, "--json", folder=redline.parent)
    (change,) = json.loads(done.stdout)
    assert done.returncode == 0
    assert (change["before"], change["after"]) == ("48,000", "52,500")
    assert change["author"] == "Dana"


def test_a_change_of_formatting_is_said_as_old_and_new(contract: Path) -> None:
    wish = "make all headings 16pt"
    done = redraft("edit", contract, wish, "--tracked", folder=contract.parent)
    assert done.returncode == 0, done.stderr
    first = done.stdout.splitlines()[0]
    assert first.endswith("“Parties” size: as styled → 16 pt")


def test_rejecting_gives_the_words_of_the_original_back(contract: Path, redline: Path) -> None:
    out = redline.with_name("rejected.docx")
    done = redraft("reject", redline, "-o", out, folder=redline.parent)
    assert done.returncode == 0, done.stderr
    original = redraft("read", contract, folder=contract.parent).stdout
    assert redraft("read", out, folder=contract.parent).stdout == original
    assert "no tracked changes" in redraft("changes", out, folder=contract.parent).stderr


def test_accepting_keeps_the_new_words(redline: Path) -> None:
    out = redline.with_name("accepted.docx")
    done = redraft("accept", redline, "-o", out, folder=redline.parent)
    assert done.returncode == 0, done.stderr
    reading = redraft("read", out, folder=redline.parent).stdout
    assert "£52,500" in reading
    assert "£48,000" not in reading
    assert "no tracked changes" in redraft("changes", out, folder=redline.parent).stderr


def test_an_edit_is_tracked_unless_it_is_said_otherwise_and_never_written_over_a_file(
    contract: Path,
) -> None:
    folder, out = contract.parent, contract.with_name("contract-edited.docx")
    assert redraft("edit", contract, FEE, folder=folder).returncode == 0
    assert "£[-48,000-]{+52,500+}" in redraft("changes", out, folder=folder).stdout
    edited = out.read_bytes()
    again = redraft("edit", contract, 'Change "£48,000" to "£1"', folder=folder)
    assert (again.returncode, out.read_bytes()) == (2, edited)
    assert "use --force to overwrite it" in again.stderr
    assert redraft("edit", contract, FEE, "--force", folder=folder).returncode == 0


@pytest.mark.parametrize("verb", ["accept", "reject"])
def test_settled_changes_go_to_a_file_of_their_own(redline: Path, verb: str) -> None:
    folder, out = redline.parent, redline.with_name(f"redline-{verb}ed.docx")
    assert redraft(verb, redline, folder=folder).returncode == 0
    assert "no tracked changes" in redraft("changes", out, folder=folder).stderr
    assert redraft(verb, redline, folder=folder).returncode == 2


def test_changes_carry_the_name_that_git_knows_unless_another_is_set(contract: Path) -> None:
    (contract.parent / ".gitconfig").write_text("[user]\n\tname = Dana  Whitfield\n")
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "HOME": str(contract.parent),
        "LANG": "C.UTF-8",
    }

    def edit(**variables: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "redraft", "edit", contract.name, FEE, "--force"],
            cwd=contract.parent,
            env={**environment, **variables},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        return done.stdout

    assert edit().split("  ")[1] == "Dana Whitfield"
    assert "Lee" in edit(REDRAFT_AUTHOR="Lee")


def test_a_name_of_another_kind_of_file_is_refused(contract: Path) -> None:
    done = redraft("edit", contract, FEE, "-o", "out.docxj", folder=contract.parent)
    assert done.returncode == 2
    assert "out.docxj would be a .docx document; name it .docx" in done.stderr


def test_a_document_comes_from_standard_input(contract: Path) -> None:
    def piped(*words: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "redraft", *words],
            cwd=contract.parent,
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"},
            input=contract.read_bytes(),
            capture_output=True,
            check=False,
            timeout=60,
        )

    assert (
        piped("read", "-").stdout.decode()
        == redraft("read", contract, folder=contract.parent).stdout
    )
    assert piped("edit", "-", FEE).returncode == 2
    assert piped("edit", "-", FEE, "-o", "out.docx").returncode == 0
    changed = redraft("changes", contract.with_name("out.docx"), folder=contract.parent)
    assert "{+52,500+}" in changed.stdout


@pytest.mark.parametrize("words", [["--ascii", "--version"], ["--version", "--theme", "dark"]])
def test_the_version_is_printed_beside_any_flag(words: list[str], tmp_path: Path) -> None:
    done = redraft(*words, folder=tmp_path)
    assert (done.returncode, done.stdout.split()[0]) == (0, "redraft")


def test_a_fault_of_redraft_is_one_sentence_and_a_report_without_text(contract: Path) -> None:
    code = (
        "from redraft import command_line\n"
        "from redraft.engine import file_commands\n"
        "def fault(*_, **__):\n"
        "    raise ValueError('the secret clause')\n"
        "file_commands.read = fault\n"
        f"raise SystemExit(command_line.main(['read', {contract.name!r}]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=contract.parent,
        env={"PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(contract.parent / "state")},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    report = contract.parent / "state" / "redraft" / "command-crash.txt"
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "something in redraft went wrong (ValueError)" in done.stderr
    assert str(report) in done.stderr
    assert "ValueError" in report.read_text()
    assert "secret" not in done.stderr + report.read_text()


def test_an_untracked_edit_leaves_no_mark(contract: Path) -> None:
    out = contract.with_name("plain.docx")
    done = redraft("edit", contract, FEE, "--untracked", "-o", out, folder=contract.parent)
    assert done.returncode == 0
    assert "no tracked changes" in redraft("changes", out, folder=contract.parent).stderr


@pytest.mark.parametrize(
    ("instruction", "code", "said"),
    [
        ('Replace "unicorn" with "horse"', 1, "Unable to locate the specified text"),
        ("make it nicer", 1, "OPENAI_BASE_URL"),
        ("do not change anything", 3, ""),
    ],
)
def test_what_cannot_be_done_says_why_and_writes_nothing(
    contract: Path, instruction: str, code: int, said: str
) -> None:
    done = redraft("edit", contract, instruction, folder=contract.parent)
    assert done.returncode == code
    assert said in done.stderr
    assert [path.name for path in contract.parent.iterdir()] == ["contract.docx"]


@pytest.mark.parametrize(
    ("name", "content"),
    [("notes.docx", b"just text"), ("page.pdf", b"<html></html>")],
)
def test_a_file_of_another_kind_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    done = redraft("read", tmp_path / name, folder=tmp_path)
    assert done.returncode == 1
    assert "File type not supported" in done.stderr
    assert done.stdout == ""


def test_an_edit_of_a_pdf_is_had_as_a_word_redline(tmp_path: Path) -> None:
    page, out = tmp_path / "page.pdf", tmp_path / "redline.docx"
    page.write_bytes(text_pdf("Payment is due within thirty days."))
    instruction = 'Replace "thirty" with "sixty"'
    done = redraft("edit", page, instruction, "-o", out, "--tracked", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "[-thirty-]{+sixty+}" in redraft("changes", out, folder=tmp_path).stdout
    plain = tmp_path / "plain.docx"
    words = ("edit", page, instruction, "--untracked", "-o", plain)
    assert redraft(*words, folder=tmp_path).returncode == 0
    assert "sixty days" in redraft("read", plain, folder=tmp_path).stdout
    assert redraft("changes", plain, folder=tmp_path).stdout == ""


def test_a_tracked_edit_of_a_pdf_gives_the_original_pages_with_notes(tmp_path: Path) -> None:
    page, out = tmp_path / "page.pdf", tmp_path / "redline.pdf"
    page.write_bytes(text_pdf("Payment is due within thirty days."))
    done = redraft(
        "edit", page, 'Replace "thirty" with "sixty"', "-o", out, "--tracked", "--author", "Dana",
        folder=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "[-thirty-]{+sixty+}" in done.stdout
    assert out.read_bytes().startswith(page.read_bytes())
    listed = redraft("changes", out, folder=tmp_path)
    assert "Dana" in listed.stdout
    assert "[-thirty-]{+sixty+}" in listed.stdout
    settled = redraft("reject", out, "-o", tmp_path / "x.pdf", folder=tmp_path)
    assert settled.returncode == 1
    assert "notes on its original pages" in settled.stderr
    whole = redraft(
        "edit",
        page,
        'Replace "thirty" with "sixty"',
        "-o",
        out,
        "--untracked",
        "--force",
        folder=tmp_path,
    )
    assert whole.returncode == 0, whole.stderr
    assert b"thirty" not in out.read_bytes()


def test_a_missing_file_is_wrong_use(tmp_path: Path) -> None:
    done = redraft("read", "nowhere.docx", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no file nowhere.docx" in done.stderr


def test_the_terminal_program_refuses_to_start_without_a_terminal(tmp_path: Path) -> None:
    done = redraft(folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_changes_that_a_sentence_settles_are_told(redline: Path) -> None:
    out = redline.with_name("settled.docx")
    done = redraft("edit", redline, "accept all changes by Dana", "-o", out, folder=redline.parent)
    assert done.returncode == 0, done.stderr
    (told,) = done.stdout.splitlines()
    assert told.startswith("accepted  ")
    assert "£[-48,000-]{+52,500+}" in told
    again = ("edit", redline, "reject all changes by Dana", "-o", out, "--force", "--json")
    said = json.loads(redraft(*again, folder=redline.parent).stdout)
    assert said["changes"] == said["accepted"] == []
    assert [each["before"] for each in said["rejected"]] == ["48,000"]


def test_what_is_not_found_is_told_with_the_passage_most_like_it(contract: Path) -> None:
    done = redraft(
        "edit", contract, 'replace "the Customer shallow" with "they"', folder=contract.parent
    )
    assert done.returncode == 1
    first, second = done.stderr.splitlines()
    assert first == "redraft: Unable to locate the specified text"
    assert second == "redraft: Closest passage: The Customer ⟪shall⟫:"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["raed", "contract.docx"], "there is no file raed, and no command; did you mean `read`?"),
        (["nowhere.docx"], "there is no file nowhere.docx"),
        (["."], ". is a folder"),
        (["outline", "."], ". is a folder"),
        (["edit", "contract.docx", "  "], "the instruction is empty; say what should change"),
    ],
)
def test_what_is_wrong_with_a_call_is_one_sentence_also_without_a_terminal(
    contract: Path, given: list[str], said: str
) -> None:
    done = redraft(*given, folder=contract.parent)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"redraft: {said}\n")


@pytest.mark.parametrize("given", [["--server"], ["--theme", "pink"], ["--nonsense"]])
def test_a_wrong_flag_is_told_in_few_lines(tmp_path: Path, given: list[str]) -> None:
    done = redraft(*given, folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("usage: redraft [FILE ...]")
    assert len(done.stderr.splitlines()) <= 4
    assert given[0] in done.stderr.splitlines()[-1]


def edited(document: Path, out: str, instruction: str, *flags: str) -> Path:
    done = redraft("edit", document, instruction, "-o", out, *flags, folder=document.parent)
    assert done.returncode == 0, done.stderr
    return document.with_name(out)


def test_changes_of_the_same_author_are_folded_and_others_are_not(redline: Path) -> None:
    def listed(file: Path) -> str:
        return redraft("changes", file, folder=file.parent).stdout

    back = 'Change "£52,500" to "£48,000"'
    assert "[-48,000-]{+52,500+}" in listed(redline)
    assert listed(edited(redline, "back.docx", back, "--author", "Dana")) == ""
    apart = listed(edited(redline, "apart.docx", back, "--author", "Dana", "--foreign"))
    other = listed(edited(redline, "other.docx", back, "--author", "Ann"))
    assert "52,500-]" in apart
    assert "Ann" in other
    assert "Dana" in other


@pytest.mark.parametrize("given", [["config"], ["config", "--help"], ["config", "nonsense"]])
def test_every_part_of_the_configuration_is_told_of(tmp_path: Path, given: list[str]) -> None:
    done = redraft(*given, folder=tmp_path)
    assert done.returncode == (0 if "--help" in given else 2)
    for action in ("path", "show", "validate", "schema"):
        assert action in done.stdout + done.stderr


def test_every_flag_of_the_service_says_what_it_does(tmp_path: Path) -> None:
    shown = redraft("serve", "--help", folder=tmp_path).stdout.partition("options:")[2]
    flags = [line for line in shown.splitlines() if line.startswith("  --")]
    assert len(flags) == 8
    lines = shown.splitlines()
    for flag in flags:
        after = lines[lines.index(flag) + 1 : lines.index(flag) + 2]
        assert len(flag.split()) > 2 or after[0].startswith(" " * 20), flag


@pytest.mark.parametrize("command", ["edit", "accept"])
def test_a_word_document_is_not_written_under_the_name_of_a_pdf(
    redline: Path, command: str
) -> None:
    more = [FEE] if command == "edit" else []
    done = redraft(command, redline, *more, "-o", "out.pdf", folder=redline.parent)
    assert done.returncode == 2
    assert done.stderr == "redraft: out.pdf would be a Word document; name it .docx\n"
    assert not (redline.parent / "out.pdf").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is full")
def test_an_output_that_cannot_be_written_is_told_without_a_name(contract: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "redraft", "read", str(contract)],
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == b"redraft: No space left on device"
