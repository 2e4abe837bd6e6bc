from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from redraft.tui import config, launch
from redraft.tui.session.session_file import SavedSession, SessionFile

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("environment", "is_terminal", "words"),
    [
        ({"TERM": "xterm-256color"}, True, ""),
        ({"TERM": "xterm-256color"}, False, "there is no terminal"),
        ({"TERM": "dumb"}, True, "cannot be drawn on"),
        ({}, True, "cannot be drawn on"),
    ],
)
def test_it_refuses_to_start_where_it_cannot_be_drawn(
    environment: dict[str, str], is_terminal: bool, words: str
) -> None:
    refusal = launch.refusal_of(environment, is_terminal=is_terminal)
    assert (words in refusal) if words else refusal == ""


def test_without_a_terminal_it_ends_with_2_and_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert launch.run([]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1


@pytest.mark.parametrize(
    ("environment", "theme"),
    [
        ({"TERM": "xterm-256color"}, "dark"),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, "dark"),
        ({"TERM": "xterm-256color", "COLORFGBG": "0;15"}, "light"),
        ({"TERM": "linux"}, "ansi"),
        ({"TERM": "screen"}, "ansi"),
        ({"TERM": "xterm-mono"}, "mono"),
        ({"TERM": "linux-m"}, "mono"),
        ({"TERM": "vt100"}, "mono"),
        ({"TERM": "vt220", "COLORTERM": "truecolor"}, "dark"),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "mono"),
    ],
)
def test_colours_fit_the_terminal(environment: dict[str, str], theme: str) -> None:
    assert launch.fitting_theme(environment) == theme


UTF8 = {"TERM": "xterm", "LANG": "de_DE.UTF-8"}
COERCED = {"TERM": "xterm", "LC_CTYPE": "C.UTF-8"}


@pytest.mark.parametrize(
    ("environment", "is_coerced", "ascii_only"),
    [
        (UTF8, False, False),
        ({**UTF8, "TERM": "linux"}, False, True),
        ({**UTF8, "TERM": "linux-16color"}, False, True),
        ({**UTF8, "TERM": "vt220"}, False, True),
        ({**UTF8, "TERM": "screen.linux"}, False, True),
        ({**UTF8, "TERM": "xterm-mono"}, False, False),
        ({**UTF8, "LC_ALL": "C"}, False, True),
        ({**UTF8, "LC_ALL": ""}, False, False),
        ({**UTF8, "LC_CTYPE": "de_DE@euro"}, False, True),
        ({"TERM": "xterm", "LANG": "C", "LC_ALL": "en_GB.utf8"}, False, False),
        ({"TERM": "xterm", "LANG": "POSIX"}, False, True),
        ({"TERM": "xterm", "LANG": "de_DE.ISO-8859-1"}, False, True),
        ({"TERM": "xterm", "LC_CTYPE": "UTF-8"}, False, False),
        ({"TERM": "xterm"}, False, False),
        (COERCED, True, False),
        ({**COERCED, "LANG": "C"}, False, False),
        ({**COERCED, "LANG": "C"}, True, True),
        ({**COERCED, "LANG": "de_DE.ISO-8859-1"}, True, True),
    ],
)
def test_signs_outside_ascii_are_left_out_where_the_terminal_or_its_locale_has_none(
    environment: dict[str, str], is_coerced: bool, ascii_only: bool
) -> None:
    assert launch.needs_ascii(environment, is_coerced=is_coerced) is ascii_only


@pytest.mark.process
@pytest.mark.parametrize(
    ("words", "variables", "ascii_only"),
    [
        ([], {}, False),
        ([], {"LANG": "C"}, True),
        ([], {"LC_ALL": "C"}, True),
        ([], {"LANG": "xx_XX.ISO-8859-1"}, True),
        ([], {"TERM": "linux", "LANG": "C.UTF-8"}, True),
        (["--unicode"], {"LANG": "C"}, False),
        (["--ascii"], {"LANG": "C.UTF-8"}, True),
    ],
)
def test_the_program_is_drawn_as_its_flags_say_or_else_as_the_terminal_needs(
    tmp_path: Path, words: list[str], variables: dict[str, str], ascii_only: bool
) -> None:
    code = (
        "import sys\n"
        "from redraft import command_line\n"
        "from redraft.tui import launch\n"
        "def draw(app, mouse):\n"
        "    print(app.options.ascii_only)\n"
        "    return 0\n"
        "launch.draw = draw\n"
        "launch.refusal_of = lambda environment, is_terminal: ''\n"
        "command_line.main(['--server', 'http://127.0.0.1:9', '--key', 'k', *sys.argv[1:]])\n"
    )
    base = {"PATH": os.defpath, "PYTHONPATH": str(ROOT), "TERM": "xterm", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        env={**base, **variables},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{ascii_only}\n"


def test_the_configuration_is_read(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('theme = "light"\nauthor = "Dana"\n[keys]\n"doc.save" = "ctrl+s,s"\n')
    read = config.load(path)
    assert (read.theme, read.author, read.keys) == ("light", "Dana", {"doc.save": "ctrl+s,s"})


def test_no_configuration_is_an_empty_one(tmp_path: Path) -> None:
    assert config.load(tmp_path / "config.toml") == config.Configuration()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("theme = ", "config.toml"),
        ('theme = "pink"', "theme"),
        ('colour = "dark"', "colour"),
        ('[keys]\n"doc.sav" = "s"', "did you mean 'doc.save'"),
    ],
)
def test_a_wrong_configuration_names_file_and_place(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(config.ConfigurationError, match=words) as caught:
        config.load(path)
    assert str(path) in str(caught.value)


def test_a_session_comes_back_from_its_file(tmp_path: Path) -> None:
    store = SessionFile(tmp_path / "deep" / "session.json")
    session = SavedSession("d1", ("one", "two"), {"": "a draft"}, {"d1": 12}, 40)
    assert store.save(session) == ""
    assert store.load() == session


def test_a_session_that_cannot_be_kept_says_why(tmp_path: Path) -> None:
    (tmp_path / "state").touch()
    said = SessionFile(tmp_path / "state" / "session.json").save(SavedSession())
    assert said == (
        f"File exists: {tmp_path / 'state'}; move away the file that stands where a folder belongs,"
        " or set XDG_STATE_HOME to another folder"
    )


@pytest.mark.parametrize("content", [b"", b"{", b'{"document": 5}'])
def test_a_broken_session_is_an_empty_one(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "session.json"
    path.write_bytes(content)
    assert SessionFile(path).load() == SavedSession()


@pytest.mark.process
@pytest.mark.parametrize(("lets_go", "code"), [(True, 129), (False, 120)])
def test_words_for_a_terminal_that_is_gone_do_not_change_the_exit_code(
    lets_go: bool, code: int
) -> None:
    said = "import sys; from redraft.tui.launch import let_go; sys.stdout.write('words');"
    end = "let_go(sys.stdout); sys.exit(129)" if lets_go else "sys.exit(129)"
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-c", said + end],
            cwd=ROOT,
            env={**os.environ, "PYTHONUNBUFFERED": ""},
            stdout=writer,
            check=False,
        )
    finally:
        os.close(writer)
    assert done.returncode == code


@pytest.mark.process
def test_on_a_slow_line_fewer_frames_are_drawn_and_nothing_moves(tmp_path: Path) -> None:
    code = (
        "from redraft.tui import launch\n"
        "def draw(app, mouse):\n"
        "    from textual import constants\n"
        "    print(constants.MAX_FPS, app.animation_level)\n"
        "    return 0\n"
        "launch.draw = draw\n"
        "launch.refusal_of = lambda environment, is_terminal: ''\n"
        "launch.run([], server='http://127.0.0.1:9', key='k')\n"
    )
    base = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm",
        "HOME": str(tmp_path),
    }

    def seen(**more: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**base, **more},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split()

    assert seen() == ["60", "full"]
    assert seen(SSH_CONNECTION="there 1 here 22") == ["15", "none"]
