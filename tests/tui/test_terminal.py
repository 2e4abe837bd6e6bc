from __future__ import annotations

import base64
import json
import re
import signal
import sys
from pathlib import Path

import pytest

from tests.tui.terminal import Terminal

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal"),
]
RATE = 20_000  # bytes a second
LEFT_BEHIND = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?2004l", b"\x1b[?1000l", b"\x1b[?1006l")


@pytest.mark.parametrize(
    "odd",
    [b"\x1b[M \xc8\x30", b"\xff\xfe\xfd", b"\xc3", b"\x80abc\xe2\x82"],
    ids=["mouse report of an old terminal", "no utf-8", "half a character", "halves"],
)
def test_bytes_that_are_no_utf_8_do_not_end_it(tmp_path: Path, odd: bytes) -> None:
    with Terminal(tmp_path) as terminal:
        terminal.send(odd)
        assert terminal.process.poll() is None
        terminal.send(b"\x1b")
        terminal.send(b"\x1b")
        terminal.send(b"q")
        assert terminal.end() == 0


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)],
    ids=["TERM", "HUP", "INT"],
)
def test_a_signal_leaves_a_usable_terminal_and_keeps_the_draft(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    with Terminal(tmp_path) as terminal:
        terminal.paste(b"half an instruction")
        assert terminal.end(number) == code
        assert [sequence for sequence in LEFT_BEHIND if sequence not in terminal.seen] == []
    drafts = json.loads((tmp_path / "session.json").read_text())["drafts"]
    assert list(drafts.values()) == ["half an instruction"]


def test_a_terminal_that_goes_away_ends_it_and_keeps_the_draft(tmp_path: Path) -> None:
    with Terminal(tmp_path, "ticks") as terminal:
        terminal.paste(b"half an instruction")
        assert terminal.hang_up() == 129
    assert "half an instruction" in (tmp_path / "session.json").read_text()


def test_a_crash_leaves_a_usable_terminal_and_keeps_the_draft(tmp_path: Path) -> None:
    with Terminal(tmp_path, "crash") as terminal:
        terminal.paste(b"half an instruction")
        terminal.send(b"\x1b")
        terminal.send(b"T")
        assert terminal.end() != 0
        assert [sequence for sequence in LEFT_BEHIND if sequence not in terminal.seen] == []
        assert b"ZeroDivisionError" in terminal.seen
    assert "half an instruction" in (tmp_path / "session.json").read_text()


def test_escape_and_a_letter_that_arrive_in_one_piece_are_two_keys(tmp_path: Path) -> None:
    with Terminal(tmp_path) as terminal:
        terminal.send(b"\x1bq")
        assert terminal.end() == 0


def test_leaving_restores_the_terminal(tmp_path: Path) -> None:
    with Terminal(tmp_path) as terminal:
        terminal.send(b"\x11")
        assert terminal.end() == 0
        assert [sequence for sequence in LEFT_BEHIND if sequence not in terminal.seen] == []


def test_copying_writes_osc_52_and_in_tmux_also_its_passthrough(tmp_path: Path) -> None:
    with Terminal(tmp_path, TMUX="/tmp/tmux-0/default,1,0") as terminal:  # noqa: S108 - not opened
        terminal.send(b"\x1b")
        written = terminal.send(b"y", b"clipboard")
    encoded = base64.b64encode(b"Master Services Agreement")
    assert b"\x1b]52;c;" + encoded + b"\x07" in written
    assert b"\x1bPtmux;\x1b\x1b]52;c;" + encoded + b"\x07\x1b\\" in written


def test_an_instruction_is_written_in_the_persons_own_editor(tmp_path: Path) -> None:
    script = tmp_path / "editor.py"
    script.write_text("import sys; open(sys.argv[1], 'a').write(' and more')")
    with Terminal(tmp_path, EDITOR=f"{sys.executable} {script}") as terminal:
        terminal.paste(b"some words")
        terminal.send(b"\x05", b"some words and more")


@pytest.mark.parametrize(("number", "shown"), [(b"3", b" accept "), (b"4", b"No edits yet")])
def test_escape_and_a_number_that_arrive_in_one_piece_are_two_keys(
    tmp_path: Path, number: bytes, shown: bytes
) -> None:
    """Some terminals mean a letter of a Mac by it, such as a pound for 3."""
    with Terminal(tmp_path) as terminal:
        terminal.send(b"\x1b" + number, shown)
        assert "£".encode() not in terminal.seen
        assert "¢".encode() not in terminal.seen


def test_it_comes_back_after_being_suspended(tmp_path: Path) -> None:
    with Terminal(tmp_path) as terminal:
        terminal.send(b"\x1b")
        terminal.send(b"\x1a", b"\x1b[?1049l")
        before = len(terminal.seen)
        terminal.process.send_signal(signal.SIGCONT)
        terminal.wait_for(b"Master Services Agreement", after=before)


def test_few_bytes_are_sent_on_a_slow_line(tmp_path: Path) -> None:
    with Terminal(tmp_path, "slow", "long", "ticks", SSH_CONNECTION="1 2 3 4") as terminal:
        assert b"\x1b[?1003h" not in terminal.seen
        terminal.send(b"\x1b", b" prompt ")
        assert len(terminal.send(b"j", b"line 27/")) <= 11_000
        assert len(terminal.send(b" ", b"line 52/")) <= 11_000
        terminal.send(b"i", b" send ")
        assert len(terminal.send(b"x")) <= 1_500


def test_idling_sends_next_to_nothing(tmp_path: Path) -> None:
    with Terminal(tmp_path, "slow", "ticks") as terminal:
        terminal.send(b"\x1b", b" prompt ")
        start = len(terminal.seen)
        for _ in range(100):
            terminal.read(0.1)
        assert len(terminal.seen) - start <= 200


def test_with_ascii_nothing_else_is_drawn(tmp_path: Path) -> None:
    with Terminal(tmp_path, "ascii", size=(80, 24)) as terminal:
        terminal.send(b"\x1b")
        for key in (b"1", b"3", b"4", b"2", b"?", b"\x1b", b"o", b"\x1b", b"s", b"\x1b", b"\x10"):
            terminal.send(key)
        shown = terminal.seen.decode("utf-8")
    assert sorted({character for character in shown if not character.isascii()}) == []


@pytest.mark.parametrize(
    ("utf8", "shown"), [("1", "A café in Łódź".encode()), ("0", b"A caf? in ??d?")]
)
def test_a_letter_that_the_locale_has_not_is_one_sign_and_any_other_stays(
    tmp_path: Path, utf8: str, shown: bytes
) -> None:
    terminal = Terminal(
        tmp_path, "ascii", "letters", PYTHONUTF8=utf8, PYTHONCOERCECLOCALE="0", LC_ALL="C"
    )
    with terminal:
        assert shown in terminal.seen
        assert b"\\xe9" not in terminal.seen


def test_leaving_says_why_what_was_written_could_not_be_kept(tmp_path: Path) -> None:
    (tmp_path / "session.json").mkdir()
    with Terminal(tmp_path) as terminal:
        terminal.send(b"half an instruction")
        terminal.send(b"\x11")
        terminal.wait_for(b"redraft: drafts are not kept: Is a directory: ")
        terminal.wait_for(b"or set XDG_STATE_HOME to another folder")
        assert terminal.process.wait(60) == 0


def test_a_slow_line_is_quiet_soon_after_the_last_key_and_shows_the_end(tmp_path: Path) -> None:
    with Terminal(tmp_path, "slow", "long", "ticks", SSH_CONNECTION="1 2 3 4") as terminal:
        terminal.send(b"\x1b", b" prompt ")
        frame = len(terminal.send(b"j", b"line 27/"))
        start = len(terminal.seen)
        for _ in range(60):
            terminal.type(b"j")
            terminal.drain(RATE, 1 / 30)
        # Sixty-one lines down from the first screen, of which the preview has 26.
        while not re.search(rb"line 8[0-9]/", _shown(terminal.seen[start:])):
            assert terminal.process.poll() is None
            terminal.drain(RATE, 0.1)
            assert len(terminal.seen) - start < 60 * frame // 3, "stale frames are drawn"
        terminal.drain(RATE, 1.0)
        sent = len(terminal.seen) - start
    assert sent < 60 * frame // 3


def _shown(data: bytes) -> bytes:
    """What was written, without the sequences that move and colour."""
    return re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", data)


def test_an_interrupt_does_not_end_it_and_leaves_the_text(tmp_path: Path) -> None:
    with Terminal(tmp_path) as terminal:
        terminal.paste(b"half an instruction")
        terminal.send(b"\x03")
        assert terminal.process.poll() is None
        terminal.send(b"\x11")
        assert terminal.end() == 0
    assert "half an instruction" in (tmp_path / "session.json").read_text()
