"""`redraft edit FILE --in-editor`, with a script in the place of the editor."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from redraft import command_line
from redraft.engine.text_edit import text_edit, writing
from tests.engine.wordml import docx, footnote, note, p, r

pytestmark = pytest.mark.process

GIVEN = ["edit", "contract.docx", "--in-editor", "--author", "Ann"]
CONTRACT = docx(
    p(r("Payment within 30 days"), note("2"), r(".")) + p("Same."),
    footnotes=footnote("2", p("Why.")),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "contract.docx").write_bytes(CONTRACT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def use(monkeypatch: pytest.MonkeyPatch, folder: Path, *steps: str) -> None:
    """Lets the editor carry out one step each time it is opened; `text` is what is shown."""
    script = folder / "editor.py"
    lines = "\n".join(f"if count == {n}: text = {step}" for n, step in enumerate(steps))
    script.write_text(
        "import pathlib, sys\n"
        "path, log = pathlib.Path(sys.argv[1]), pathlib.Path(__file__).with_name('opened')\n"
        "count = len(log.read_text()) if log.exists() else 0\n"
        "text = path.read_text('utf-8')\n"
        f"{lines}\n"
        "path.write_text(text, 'utf-8')\n"
        "log.write_text('x' * (count + 1))\n",
        "utf-8",
    )
    monkeypatch.setenv("VISUAL", f"{sys.executable} {script}")


def test_what_is_saved_becomes_tracked_changes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use(monkeypatch, folder, "text.replace('30', '45')")
    assert command_line.main(GIVEN) == 0
    said = capsys.readouterr()
    assert "[-30-]{+45+}" in said.out
    assert said.err == "redraft: 1 change; written to contract-edited.docx\n"
    data = (folder / "contract-edited.docx").read_bytes()
    assert "within 45 days" in text_edit.text_of(writing.read(data))


def test_a_text_left_as_it_is_writes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use(monkeypatch, folder, "text")
    assert command_line.main(GIVEN) == command_line.NOTHING_CHANGED
    assert "nothing is written" in capsys.readouterr().err
    assert not (folder / "contract-edited.docx").exists()


def test_the_editor_opens_again_with_the_reason_above_the_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reason = "<!-- ! ⟦fn1⟧ is missing; put it back where it belongs -->\\n[p1]"
    again = f"text.replace('days.', 'days⟦fn1⟧.') if '{reason}' in text else ''"
    use(monkeypatch, folder, "text.replace('30', '45').replace('⟦fn1⟧', '')", again)
    code = command_line.main(GIVEN)
    assert code == 0, capsys.readouterr().err
    data = (folder / "contract-edited.docx").read_bytes()
    assert "[p1] Payment within 45 days⟦fn1⟧." in text_edit.text_of(writing.read(data))


def test_a_text_that_is_given_up_is_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use(monkeypatch, folder, "text.replace('30', '45').replace('⟦fn1⟧', '')", "text")
    assert command_line.main(GIVEN) == command_line.FAILED
    assert "kept in contract-edited.md" in capsys.readouterr().err
    assert "[p1] Payment within 45 days." in (folder / "contract-edited.md").read_text("utf-8")
    assert not (folder / "contract-edited.docx").exists()


def test_an_editor_that_is_not_there_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VISUAL", "no-such-editor")
    assert command_line.main(GIVEN) == command_line.FAILED
    assert "no-such-editor" in capsys.readouterr().err
    assert not (folder / "contract-edited.docx").exists()


def test_an_instruction_beside_the_editor_is_wrong_use(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line.main([*GIVEN, "Delete p2"]) == command_line.WRONG_USE
    assert "Delete p2" in capsys.readouterr().err
    assert sorted(path.name for path in folder.iterdir()) == ["contract.docx"]


def test_an_instruction_may_stand_behind_the_flags(folder: Path) -> None:
    given = ["edit", "contract.docx", "--author", "Ann", 'Replace "30" with "45"']
    assert command_line.main(given) == 0
    assert (folder / "contract-edited.docx").exists()
