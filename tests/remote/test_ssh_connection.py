"""Who comes in, what they get, and how it ends; with a client that is a library."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncssh
import pytest
from asyncssh.channel import SSHClientChannel

from redraft.remote.sessions import Limits
from redraft.remote.ssh.login_limits import WINDOW
from redraft.remote.ssh.server import Host, Settings, StartError
from tests.remote.conftest import PATIENCE, HandClock, Serve, admit, key_of
from tests.remote.test_program import is_running

pytestmark = pytest.mark.process


async def happens(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - nobody tells when a process has gone
            await asyncio.sleep(0.01)


def home_of(pid: int) -> Path:
    return Path(f"/proc/{pid}/cwd").readlink()


# Coming in


async def test_an_ssh_key_opens_what_its_api_key_opens(serving: Serve) -> None:
    async with serving() as running:
        for name in ("alice", "bob"):
            shown = await running.terminal(await running.connect(name))
            seen = await shown.wait_for(b"size=")
            assert f"REDRAFT_KEY={key_of(name)}\r\n".encode() in seen
            assert f"REDRAFT_AUTHOR={name.title()} Lee\r\n".encode() in seen


async def test_a_key_that_is_not_listed_is_refused(serving: Serve) -> None:
    stranger = asyncssh.generate_private_key("ssh-ed25519")  # pyright: ignore[reportUnknownMemberType]
    async with serving() as running:
        with pytest.raises(asyncssh.PermissionDenied):
            await running.connect(keys=[stranger])
        assert len(running.host.context.sessions) == 0


async def test_passwords_open_nothing(serving: Serve) -> None:
    async with serving() as running:
        with pytest.raises(asyncssh.PermissionDenied):
            await running.connect(keys=[], password=key_of("alice"))


async def test_too_many_keys_end_the_connection(serving: Serve) -> None:
    login_limits = [
        asyncssh.generate_private_key("ssh-ed25519")  # pyright: ignore[reportUnknownMemberType]
        for _ in range(3)
    ]
    async with serving(limits=Limits(tries=3)) as running:
        with pytest.raises(asyncssh.DisconnectError, match="too many keys"):
            await running.connect(keys=[*login_limits, running.keys["alice"]])
        await running.connect(keys=[*login_limits[:2], running.keys["alice"]])


async def test_who_does_not_log_in_in_time_is_cut_off(serving: Serve) -> None:
    async with serving(limits=Limits(login=0.05)) as running:
        reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
        async with asyncio.timeout(PATIENCE):
            assert (await reader.read()).startswith(b"SSH-2.0-redraft")
        writer.close()
        await happens(lambda: not running.host.context.login_limits)


async def test_strangers_beyond_a_number_are_not_answered(serving: Serve) -> None:
    async with serving(limits=Limits(unauthenticated_per_address=1)) as running:
        _, first = await asyncio.open_connection("127.0.0.1", running.port)
        await happens(lambda: len(running.host.context.login_limits) == 1)
        with pytest.raises((OSError, asyncssh.Error)):
            await running.connect()
        first.close()
        await happens(lambda: not running.host.context.login_limits)
        await running.connect()


async def test_who_fails_too_often_is_not_answered_until_time_has_passed(serving: Serve) -> None:
    stranger = asyncssh.generate_private_key("ssh-ed25519")  # pyright: ignore[reportUnknownMemberType]
    async with serving(limits=Limits(failures=2)) as running:
        login_limits = running.host.context.login_limits
        await running.connect()
        with pytest.raises(asyncssh.PermissionDenied):
            await running.connect(keys=[stranger])
        await happens(lambda: not login_limits)
        with pytest.raises(asyncssh.PermissionDenied):
            await running.connect(keys=[], password="x")
        await happens(lambda: not login_limits)
        with pytest.raises((OSError, asyncssh.ConnectionLost)):
            await running.connect()
        running.clock.seconds += WINDOW
        await running.connect()


async def test_who_only_looks_whether_the_port_is_open_has_not_failed(serving: Serve) -> None:
    async with serving(limits=Limits(failures=1)) as running:
        for _ in range(3):
            reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
            assert (await reader.read(4)) == b"SSH-"
            writer.close()
            await happens(lambda: not running.host.context.login_limits)
        await running.connect()


async def test_a_line_taken_out_of_the_list_acts_at_the_next_login(serving: Serve) -> None:
    async with serving() as running:
        await running.connect("bob")
        path = running.folder / "authorized_keys"
        kept = [line for line in path.read_text().splitlines() if "bob" not in line]
        path.write_text("\n".join(kept))
        with pytest.raises(asyncssh.PermissionDenied):
            await running.connect("bob")
        await running.connect("alice")


async def test_a_list_that_was_broken_lets_nobody_in_and_the_server_goes_on(
    serving: Serve,
) -> None:
    async with serving() as running:
        path = running.folder / "authorized_keys"
        whole = path.read_text()
        path.write_text("nonsense\n")
        with pytest.raises(asyncssh.PermissionDenied):
            await running.connect()
        path.write_text(whole)
        await running.connect()


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ("list", "authorized_keys does not exist"),
        ("host key", "host_key can be read by other users"),
        ("port", "cannot be opened for listening: Address already in use; set --host or --port"),
    ],
)
async def test_it_does_not_start_with_what_it_cannot_use(
    tmp_path: Path, broken: str, told: str
) -> None:
    port = 0
    taken = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    admit(tmp_path, "alice")
    if broken == "list":
        (tmp_path / "authorized_keys").unlink()
    elif broken == "host key":
        (tmp_path / "host_key").touch(mode=0o644)
    else:
        port = taken.sockets[0].getsockname()[1]
    with pytest.raises(StartError, match=told):
        await Host(Settings(tmp_path, "http://127.0.0.1:9", port=port), HandClock()).open()
    taken.close()


# What a session is


async def test_the_window_and_its_changes_reach_the_program(serving: Serve) -> None:
    async with serving() as running:
        shown = await running.terminal(await running.connect(), (100, 30))
        await shown.wait_for(b"size=100x30")
        shown.process.change_terminal_size(60, 15)
        await shown.wait_for(b"size=60x15")
        shown.process.change_terminal_size(65535, 65535)
        await shown.wait_for(b"size=700x250")


async def test_bytes_that_are_no_utf_8_arrive_as_they_are(serving: Serve) -> None:
    async with serving() as running:
        shown = await running.terminal(await running.connect())
        await shown.wait_for(b"size=")
        shown.process.stdin.write(b"\x1b[M \xc80\xff")
        await shown.wait_for(b"keys=1b5b4d20c830ff")


async def test_the_programs_exit_code_is_the_sessions(serving: Serve) -> None:
    async with serving() as running:
        shown = await running.terminal(await running.connect())
        await shown.wait_for(b"size=")
        shown.process.stdin.write(b"q")
        assert await shown.end() == (3, "")


@pytest.mark.parametrize(
    ("sent", "seen"),
    [
        ({"LANG": "de_DE.UTF-8"}, "LANG=de_DE.UTF-8"),
        ({"LANG": "x\ny"}, "LANG=-"),
        ({"COLORTERM": "truecolor"}, "COLORTERM=truecolor"),
        ({"COLORTERM": "../x"}, "COLORTERM=-"),
        ({"MALICE": "1", "REDRAFT_KEY": "mine"}, "MALICE=-"),
        ({"REDRAFT_KEY": "mine"}, f"REDRAFT_KEY={key_of('alice')}"),
    ],
)
async def test_of_the_environment_only_language_and_colours_are_taken(
    serving: Serve, sent: dict[str, str], seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "of the server")
    async with serving() as running:
        connection = await running.connect(env=sent)
        shown = await running.terminal(connection)
        written = (await shown.wait_for(b"size=")).decode().splitlines()
        assert seen in written
        assert "SECRET=-" in written
        assert "TERM=xterm-256color" in written


@pytest.mark.parametrize("command", ["ls", "sh -c id", "scp -t .", "rsync --server ."])
async def test_commands_are_refused_with_a_sentence(serving: Serve, command: str) -> None:
    async with serving() as running:
        connection = await running.connect()
        done = await connection.run(command, term_type="xterm")
        assert done.exit_status == 2
        assert "commands cannot be run here" in str(done.stderr)
        assert done.stdout == ""
        await happens(lambda: len(running.host.context.sessions) == 0)


@pytest.mark.parametrize("term", [None, "", "a b", "$(id)", "../../x"])
async def test_without_a_terminal_that_can_be_named_nothing_is_started(
    serving: Serve, term: str | None
) -> None:
    async with serving() as running:
        connection = await running.connect()
        done = await connection.run(term_type=term)
        assert done.exit_status == 2
        assert "needs a terminal" in str(done.stderr)


async def test_another_subsystem_is_refused(serving: Serve) -> None:
    async with serving() as running:
        connection = await running.connect()
        done = await connection.run(subsystem="netconf")
        assert done.exit_status == 2


async def test_nothing_is_forwarded(serving: Serve) -> None:
    async with serving() as running:
        connection = await running.connect()
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.open_connection("127.0.0.1", running.port)  # pyright: ignore[reportUnknownMemberType]
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.open_unix_connection("/var/run/docker.sock")  # pyright: ignore[reportUnknownMemberType]
        with pytest.raises(asyncssh.ChannelListenError):
            await connection.forward_remote_port("127.0.0.1", 0, "127.0.0.1", 9)
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.create_process(x11_forwarding=True, x11_display="none:0")


# Isolation and limits


async def test_a_crash_in_one_session_leaves_the_others(serving: Serve) -> None:
    async with serving() as running:
        one = await running.terminal(await running.connect("alice"))
        other = await running.terminal(await running.connect("bob"))
        await one.wait_for(b"size=")
        await other.wait_for(b"size=")
        one.process.stdin.write(b"!")
        assert (await one.end())[0] == 128 + 9
        other.process.stdin.write(b"x")
        await other.wait_for(b"keys=78")


async def test_each_person_has_a_folder_that_is_nobody_elses(serving: Serve) -> None:
    async with serving() as running:
        pids: list[int] = []
        for name in ("alice", "bob", "alice"):
            shown = await running.terminal(await running.connect(name))
            await shown.wait_for(b"size=")
            pids.append(shown.pid())
        homes = [home_of(pid) for pid in pids]
        assert homes[0] == homes[2] != homes[1]
        assert {home.parent for home in homes} == {running.folder / "homes"}
        assert homes[0].stat().st_mode & 0o777 == 0o700


async def test_who_has_no_folder_is_told_that_the_program_cannot_be_started(
    serving: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving() as running:
        homes = running.folder / "homes"
        homes.write_text("")
        code, words = await (await running.terminal(await running.connect())).end()
        assert code == 1
        assert "redraft: the program could not be started; the reason is in the log" in words
        await happens(lambda: len(running.host.context.sessions) == 0)
    (logged,) = [each.getMessage() for each in caplog.records if each.levelname == "ERROR"]
    assert "started: Not a directory: " in logged
    assert "[Errno" not in logged
    assert "choose another folder with --folder" in logged


async def test_one_session_too_many_is_told_so(serving: Serve) -> None:
    async with serving(limits=Limits(sessions=3, sessions_per_key=2)) as running:
        connection = await running.connect("alice")
        open_ones = [await running.terminal(connection) for _ in range(2)]
        for shown in open_ones:
            await shown.wait_for(b"size=")
        code, words = await (await running.terminal(connection)).end()
        assert code == 1
        assert "your key has 2 open sessions" in words
        bob = await running.connect("bob")
        await (await running.terminal(bob)).wait_for(b"size=")
        code, words = await (await running.terminal(bob)).end()
        assert (code, "too many sessions are open" in words) == (1, True)
        with pytest.raises(asyncssh.Error):
            await bob.start_sftp_client()  # pyright: ignore[reportUnknownMemberType]
        open_ones[0].process.stdin.write(b"q")
        await open_ones[0].end()
        await (await running.terminal(bob)).wait_for(b"size=")


async def test_a_session_without_a_key_press_ends_after_its_time(serving: Serve) -> None:
    async with serving(limits=Limits(idle=600)) as running:
        idle = await running.terminal(await running.connect("alice"))
        busy = await running.terminal(await running.connect("bob"))
        await idle.wait_for(b"size=")
        await busy.wait_for(b"size=")
        running.clock.seconds += 599
        assert running.host.sweep() == 0
        busy.process.stdin.write(b"x")
        await busy.wait_for(b"keys=78")
        running.clock.seconds += 1
        assert running.host.sweep() == 1
        code, words = await idle.end()
        assert code == 129
        assert "because it was idle" in words
        busy.process.stdin.write(b"y")
        await busy.wait_for(b"keys=79")


async def test_a_connection_without_a_session_ends_after_its_time(serving: Serve) -> None:
    async with serving(limits=Limits(idle=600)) as running:
        connection = await running.connect()
        running.clock.seconds += 600
        assert running.host.sweep() == 1
        async with asyncio.timeout(PATIENCE):
            await connection.wait_closed()


async def test_a_session_that_asks_for_nothing_ends_after_its_time(serving: Serve) -> None:
    async with serving(limits=Limits(idle=600)) as running:
        connection = await running.connect()
        loop = asyncio.get_running_loop()
        sizes = (1 << 20, 1 << 15)
        channel: Any = SSHClientChannel(connection, loop, "strict", None, "strict", *sizes)  # pyright: ignore[reportUnknownVariableType]
        opening = "_open"  # every public way of opening one asks for something at once
        async with asyncio.timeout(PATIENCE):
            with contextlib.suppress(asyncssh.ChannelOpenError):
                await getattr(channel, opening)(b"session")
        await happens(lambda: len(running.host.context.sessions) == 1)
        running.clock.seconds += 600
        assert running.host.sweep() == 1
        await happens(lambda: len(running.host.context.sessions) == 0)


# The end


async def test_a_line_that_drops_hangs_the_program_up(serving: Serve) -> None:
    async with serving() as running:
        connection = await running.connect()
        shown = await running.terminal(connection)
        await shown.wait_for(b"size=")
        pid = shown.pid()
        home = home_of(pid)
        connection.abort()
        await happens(lambda: not is_running(pid))
        assert (home / "hung-up").exists()
        await happens(lambda: len(running.host.context.sessions) == 0)


async def test_a_client_that_reads_nothing_keeps_the_program_waiting_and_the_others_not(
    serving: Serve,
) -> None:
    flood = ("/bin/sh", "-c", "echo size=; while :; do echo 0123456789; done")
    async with serving(command=flood) as running:
        one = await running.terminal(await running.connect("alice"))
        await one.wait_for(b"size=")
        other = await running.terminal(await running.connect("bob"))
        await other.wait_for(b"0123456789")


async def test_stopping_ends_sessions_in_order_and_takes_no_new_ones(serving: Serve) -> None:
    async with serving() as running:
        connection = await running.connect()
        shown = await running.terminal(connection)
        await shown.wait_for(b"size=")
        pid = shown.pid()
        closing = asyncio.create_task(running.host.close())
        code, words = await shown.end()
        assert code == 129
        assert "this server is stopping" in words
        await closing
        assert not is_running(pid)
        with pytest.raises(OSError, match="Connect call failed"):
            await running.connect()
