from __future__ import annotations

import asyncio
import errno
import json
import os
import stat
import sys
import time
from pathlib import Path

import pytest

from redraft.tui.transport import local_server
from redraft.tui.transport.failures import StartError
from redraft.tui.transport.local_server import LocalServer
from tests.tui.terminal import LIMIT

pytestmark = pytest.mark.process

LISTENS = """
import os, signal, socket, sys
listener = socket.create_server(("127.0.0.1", 0))
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
print("key", len(os.environ["REDRAFT_API_KEYS"]), file=sys.stderr)
port = listener.getsockname()[1]
print(f"redraft: listening on http://127.0.0.1:{port}", file=sys.stderr, flush=True)
while True:
    signal.pause()
"""
FAILS = "import sys; sys.exit('the data folder is in use by pid 7')"


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for `redraft serve`, put where `python -m redraft` finds it."""
    place = tmp_path / "code"
    place.mkdir()
    module = place / "redraft.py"
    module.write_text(LISTENS)
    monkeypatch.setenv("PYTHONPATH", str(place))
    monkeypatch.setattr(local_server, "STEP", 0.01)
    monkeypatch.chdir(place)
    return module


STOPS_WHEN_TOLD = """
import pathlib, time
def end(*_):
    while not pathlib.Path("may-stop").exists():
        time.sleep(0.01)
    sys.exit(0)
""" + LISTENS.replace("lambda *_: sys.exit(0)", "end").replace("import os,", "import sys, os,")
NEVER_STARTS = "import time; time.sleep(3600)"


@pytest.fixture
def slow_end(serve: Path) -> None:
    serve.write_text(STOPS_WHEN_TOLD)


@pytest.fixture
def slow_start(serve: Path) -> None:
    serve.write_text(NEVER_STARTS)


@pytest.fixture
def names_its_model(serve: Path) -> None:
    serve.write_text(LISTENS.replace('print("key"', 'print(os.environ.get("MODEL"), "key"'))


@pytest.mark.usefixtures("names_its_model")
async def test_a_restart_gives_the_service_what_is_set_up_now(tmp_path: Path) -> None:
    chosen = {"MODEL": "first"}
    local = LocalServer(tmp_path / "local", environment=lambda: {**os.environ, **chosen})
    first = await local.open()
    chosen["MODEL"] = "second"
    second = await local.restart()
    assert second.pid != first.pid
    assert not alive(first.pid)
    assert (tmp_path / "local" / "service.log").read_text().startswith("second ")
    local.close(wait=True)


@pytest.mark.usefixtures("slow_end")
async def test_leaving_does_not_wait_for_its_end_and_the_next_start_does(tmp_path: Path) -> None:
    """It ends when it is told to, which is after leaving: who waited would find it gone."""
    local = LocalServer(tmp_path / "local")
    first = await local.open()
    local.close()
    assert alive(first.pid)
    (tmp_path / "code" / "may-stop").touch()
    second = await local.open()
    assert not alive(first.pid)
    assert second.pid != first.pid
    local.close(wait=True)


@pytest.mark.usefixtures("slow_start")
async def test_giving_up_while_it_starts_ends_it_and_keeps_nobody_waiting(tmp_path: Path) -> None:
    opening = asyncio.create_task(LocalServer(tmp_path / "local").open())
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(opening, 0.7)
    await asyncio.wait_for(asyncio.get_running_loop().shutdown_default_executor(), LIMIT)


@pytest.fixture
def stale(tmp_path: Path) -> Path:
    """A folder that names a living process at a port where nobody listens."""
    folder = tmp_path / "local"
    folder.mkdir()
    said = {"url": "http://127.0.0.1:9", "pid": os.getpid()}
    (folder / "service.json").write_text(json.dumps(said))
    return folder


@pytest.mark.usefixtures("serve")
async def test_it_is_started_and_stopped_by_the_only_user(tmp_path: Path) -> None:
    folder = tmp_path / "local"
    local = LocalServer(folder)
    address = await local.open()
    assert address.url.startswith("http://127.0.0.1:")
    assert f"key {len(address.key)}" in (folder / "service.log").read_text()
    local.close(wait=True)
    assert not alive(address.pid)


@pytest.mark.usefixtures("serve")
async def test_a_second_user_joins_and_the_last_one_stops_it(tmp_path: Path) -> None:
    first = LocalServer(tmp_path / "local", pid=os.getpid())
    second = LocalServer(tmp_path / "local", pid=os.getppid())
    started, joined = await first.open(), await second.open()
    assert joined == started
    first.close()
    assert alive(started.pid)
    second.close(wait=True)
    assert not alive(started.pid)


@pytest.mark.usefixtures("serve")
async def test_it_goes_on_when_it_is_left_running(tmp_path: Path) -> None:
    local = LocalServer(tmp_path / "local")
    started = await local.open()
    local.close(stop=False)
    assert alive(started.pid)
    assert await local.open() == started
    local.close()


@pytest.mark.usefixtures("serve")
async def test_the_key_can_be_read_by_its_owner_alone_and_stays(tmp_path: Path) -> None:
    local = LocalServer(tmp_path / "local")
    first = await local.open()
    local.close()
    second = await local.open()
    local.close()
    assert first.key == second.key
    assert len(first.key) >= 32
    assert stat.S_IMODE((tmp_path / "local" / "key").stat().st_mode) == 0o600


@pytest.mark.usefixtures("serve")
async def test_users_that_died_do_not_keep_it_running(tmp_path: Path) -> None:
    local = LocalServer(tmp_path / "local")
    started = await local.open()
    tmp_path.joinpath("local", "users", "999999999").touch()
    local.close(wait=True)
    assert not alive(started.pid)


@pytest.mark.usefixtures("serve")
async def test_an_address_that_nobody_listens_at_is_not_joined(stale: Path) -> None:
    local = LocalServer(stale)
    started = await local.open()
    assert started.pid != os.getpid()
    local.close()


@pytest.fixture
def broken(serve: Path) -> None:
    serve.write_text(FAILS)


@pytest.mark.usefixtures("broken")
async def test_a_service_that_does_not_start_shows_the_end_of_its_log(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="the data folder is in use by pid 7"):
        await LocalServer(tmp_path / "local").open()


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not (sys.platform == "linux" and zombie(pid))


def zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(") ")[1].startswith("Z")
    except FileNotFoundError:
        return True


@pytest.mark.usefixtures("serve")
async def test_a_folder_that_cannot_be_used_is_told_with_what_helps(tmp_path: Path) -> None:
    (tmp_path / "local").touch()
    with pytest.raises(StartError) as raised:
        await LocalServer(tmp_path / "local").open()
    assert str(raised.value) == (
        f"Not a directory: {tmp_path / 'local' / 'users'}; move away the file that stands where a "
        "folder belongs, or set XDG_DATA_HOME to another folder"
    )


@pytest.mark.usefixtures("serve")
async def test_it_is_stopped_although_nothing_can_be_written_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    local = LocalServer(tmp_path / "local")
    address = await local.open()
    assert local.process is not None

    def refused(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", refused)
        local.close()
    assert await asyncio.to_thread(ends, address.pid)


def ends(pid: int) -> bool:
    deadline = time.monotonic() + LIMIT
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not alive(pid)


@pytest.fixture
def in_the_way(serve: Path, tmp_path: Path) -> None:
    serve.write_text(
        f"import os\nos.mkdir({str(tmp_path / 'local' / 'service.json')!r})\n{LISTENS}"
    )


@pytest.mark.usefixtures("in_the_way")
async def test_a_service_whose_address_cannot_be_kept_is_ended_again(tmp_path: Path) -> None:
    """Nobody could find it, and it would hold the data folder."""
    local = LocalServer(tmp_path / "local")
    with pytest.raises(StartError, match="move away the folder that stands where a file belongs"):
        await local.open()
    started = local.process
    assert started is not None
    assert started.poll() is not None
