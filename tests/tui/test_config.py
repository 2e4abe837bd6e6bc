"""The configuration of the terminal program, and giving a terminal back, as commands."""

from __future__ import annotations

import json
import os
import pty
import pwd
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from redraft import command_line
from redraft.tui import config
from redraft.tui.keys import ACTIONS

ROOT = Path(__file__).parents[2]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own file, which is not there yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = config.default_path()
    path.parent.mkdir(parents=True)
    return path


def test_path_prints_where_the_file_is_looked_for(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line.main(["config", "path"]) == 0
    assert capsys.readouterr().out == f"{own}\n"


def test_a_file_that_cannot_be_read_is_told_once_with_what_helps(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own.mkdir()
    assert command_line.main(["config", "show", "--terminal"]) == 2
    assert capsys.readouterr().err == (
        f"redraft: Is a directory: {own}; move away the folder that stands where a file belongs, "
        "or set XDG_CONFIG_HOME to another folder\n"
    )


def test_show_prints_what_is_in_force_as_a_file_that_reads_the_same(
    own: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    own.write_text('theme = "light"\nauthor = "Dana \\"D\\" Ö"\n[keys]\n"doc.save" = "ctrl+s,s"\n')
    assert command_line.main(["config", "show", "--terminal"]) == 0
    shown = capsys.readouterr().out
    assert tomllib.loads(shown)["keys"] == {"doc.save": "ctrl+s,s"}
    again = tmp_path / "again.toml"
    again.write_text(shown, "utf-8")
    assert config.load(again) == config.load(own)


def test_show_without_a_file_prints_the_defaults(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not own.exists()
    assert command_line.main(["config", "show", "--terminal"]) == 0
    shown = capsys.readouterr().out
    assert tomllib.loads(shown) == {
        "ascii": False,
        "mouse": True,
        "ask_first": True,
        "keys": {},
    }
    assert all(f"{name} =" in shown or f"[{name}]" in shown for name in config.MEANINGS)


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ('theme = "mono"', 0, "is in order"),
        ('them = "mono"', 2, "did you mean 'theme'?"),
        ('theme = "pink"', 2, "$.theme"),
        ("mouse = 1", 2, "$.mouse"),
        ('[keys]\n"doc.sav" = "s"', 2, "did you mean 'doc.save'?"),
        ('[keys]\n"doc.save" = ""', 2, "$.keys"),
        ('[keys]\n"doc.save" = "u"', 2, "'u' is both 'doc.save' and 'doc.upload'"),
        ('[keys]\n"doc.save" = "f2"\n"doc.link" = "f2"', 2, "both 'doc.link' and 'doc.save'"),
        ('[keys]\n"edit.send" = "ctrl+s"\n"doc.save" = "ctrl+s"', 0, "is in order"),
        ("theme = ", 2, "Invalid value"),
    ],
)
def test_validate_names_the_file_and_the_fault(
    own: Path, capsys: pytest.CaptureFixture[str], text: str, code: int, words: str
) -> None:
    own.write_text(text)
    assert command_line.main(["config", "validate"]) == code
    said = capsys.readouterr().err
    assert words in said
    assert str(own) in said


def test_validate_of_nothing_is_fine_and_of_a_file_that_is_not_there_is_not(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line.main(["config", "validate"]) == 0
    assert "none is needed" in capsys.readouterr().err
    assert command_line.main(["config", "validate", str(own)]) == 2
    assert "there is no file" in capsys.readouterr().err


def test_the_schema_knows_every_setting_and_every_action(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert command_line.main(["config", "schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    properties = schema["properties"]
    assert set(properties) == set(config.Configuration.__struct_fields__) == set(config.MEANINGS)
    assert schema["additionalProperties"] is False
    keys = properties["keys"]["properties"]
    assert {name: entry["default"] for name, entry in keys.items()} == {
        action.id: action.keys for action in ACTIONS
    }
    assert "dark" in json.dumps(properties["theme"])


@pytest.mark.process
def test_the_configuration_is_read_without_textual() -> None:
    code = (
        "import sys; from redraft import command_line; command_line.main(['config', 'schema']); "
        "sys.exit(int('textual' in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True)
    assert done.returncode == 0


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_reset_terminal_leaves_the_other_screen_and_shows_the_cursor() -> None:
    master, slave = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "redraft", "reset-terminal"],
        cwd=ROOT,
        stdin=slave,
        stdout=slave,
        timeout=120,
    )
    os.close(slave)
    seen = os.read(master, 4096)
    os.close(master)
    assert done.returncode == 0
    for sequence in (b"\x1b[?1049l", b"\x1b[?1003l", b"\x1b[?2004l", b"\x1b[?25h"):
        assert sequence in seen


def test_reset_terminal_needs_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["reset-terminal"]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("author", "variables", "name"),
    [
        ("Dana", {"REDRAFT_AUTHOR": "Lee"}, "Dana"),
        ("", {"REDRAFT_AUTHOR": " Lee  Ann "}, "Lee Ann"),
    ],
)
def test_changes_carry_the_name_that_is_set(
    author: str, variables: dict[str, str], name: str
) -> None:
    assert config.author_name(config.Configuration(author=author), variables) == name


def test_without_a_name_of_a_person_changes_are_anonymous(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_program(_: str) -> None:
        return None

    def logged_in(name: str, full_name: str) -> Callable[[int], pwd.struct_passwd]:
        entry = pwd.struct_passwd((name, "x", 1, 1, full_name, "/home", "/bin/sh"))
        return lambda _: entry

    monkeypatch.setattr(config.shutil, "which", no_program)
    monkeypatch.setattr(pwd, "getpwuid", logged_in("root", "root"))
    assert config.author_name(config.Configuration(), {"USER": "root"}) == "Anonymous"
    monkeypatch.setattr(pwd, "getpwuid", logged_in("dw", "Dana Whitfield,,,"))
    assert config.author_name(config.Configuration(), {"USER": "dw"}) == "Dana Whitfield"


@pytest.mark.process
def test_a_new_configuration_explains_each_setting_and_sets_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "redraft" / "config.toml"
    monkeypatch.setattr(config, "default_path", lambda: path)
    monkeypatch.setenv("VISUAL", "true")
    assert command_line.main(["config", "edit"]) == 0
    assert "is in order" in capsys.readouterr().err
    assert config.load(path) == config.Configuration()
    written = path.read_text("utf-8")
    path.write_text(re.sub(r"^#(?! )", "", written, flags=re.MULTILINE), "utf-8")
    assert config.load(path).author == "Dana Whitfield"
    assert all(meaning in written for meaning in config.MEANINGS.values())


@pytest.mark.process
def test_a_configuration_that_was_edited_wrong_is_told_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "config.toml"
    path.write_text('colour = "red"\n', "utf-8")
    monkeypatch.setattr(config, "default_path", lambda: path)
    monkeypatch.setenv("VISUAL", "true")
    assert command_line.main(["config", "edit"]) == 2
    assert "there is no setting 'colour'" in capsys.readouterr().err
    monkeypatch.setenv("VISUAL", "no-such-editor")
    assert command_line.main(["config", "edit"]) == 2
    assert "is not installed" in capsys.readouterr().err
    assert path.read_text("utf-8") == 'colour = "red"\n'
