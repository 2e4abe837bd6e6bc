"""Proves the image: builds it, runs it as deploy/compose.yaml says, asks, stops and restarts it.

    python -m scripts.container [--engine podman|docker] [--image NAME] [--build OPTION]...

One line for each thing that was seen, and figures; the exit code is 1 when one did not hold.
`--image` takes an image that is there instead of building one, `--build=--network=host` hands an
option to the build. Everything that was started is removed at the end; images stay.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from scripts.container_stage import PLACE, Engine, Stage, document, engine

WRITABLE = {"/data", "/dev/shm", "/tmp"}  # noqa: S108 - what the image may write
TRIED = ("/", "/opt/redraft", "/usr", "/etc", "/var", "/run", "/home", *sorted(WRITABLE))
IN_A_WORKER = """
import asyncio, logging, os, socket
from redraft.api.errors import WorkerError
from redraft.api.sandbox.landlock import landlock_version
from redraft.api.sandbox.workers import WorkerProcesses
logging.disable()
address = ("127.0.0.1", 8765)
socket.create_connection(address).close()
async def tried(pool, *call):
    try:
        return repr(await pool.call(*call, seconds=9))
    except WorkerError as error:
        return str(error)
async def main():
    pool = WorkerProcesses(1, 0)
    await pool.start()
    parent = await pool.call(os.getppid, seconds=9)
    print("network", await tried(pool, socket.create_connection, address))
    print("landlock", landlock_version())
    print("memory", await tried(pool, os.open, f"/proc/{parent}/mem", os.O_RDWR))
    await pool.stop()
asyncio.run(main())
"""
FILTERS = "for p in /proc/[0-9]*; do grep -s Seccomp_filters $p/status; done"
SLOW = "Could you make the fee a little higher?"
"""Nothing that the built-in interpreter understands, so that the model is asked."""


class FaultError(Exception):
    """Something that should hold does not."""


def check(holds: object, otherwise: str) -> None:
    """Says what is wrong where something does not hold."""
    if not holds:
        raise FaultError(otherwise)


def limits(stage: Stage) -> str:
    """Checks that it runs as nobody special, without privileges, within memory and processes."""
    user = stage.inside("id", "-u")
    check(user != "0", "it runs as root")
    status = dict(line.split(":\t", 1) for line in stage.shell("cat /proc/1/status").splitlines())
    check(status["NoNewPrivs"] == "1", "its programs may gain privileges")
    check(int(status["CapBnd"], 16) == 0, f"it may have capabilities: {status['CapBnd']}")
    values = stage.shell(
        "cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/pids.max 2>/dev/null || "
        "cat /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/pids/pids.max"
    ).split()
    check(values == ["4294967296", "256"], f"its limits are {values}")
    return f"user {user}, no capability, no new privileges, memory and processes limited: {values}"


def writing(stage: Stage) -> str:
    """Checks that files can be made where they should, and nowhere else."""
    made = {
        place
        for place in TRIED
        if stage.shell(f"touch {place}/.proof 2>/dev/null && rm {place}/.proof && echo yes")
    }
    check(made == WRITABLE, f"it can write {sorted(made)}")
    return f"it writes {', '.join(sorted(made))} and none of {len(TRIED) - len(made)} other places"


def editing(stage: Stage) -> str:
    """Checks that a document goes in, is edited and comes out, through the proxy."""
    with stage.client() as client:
        name = _uploaded(client)
        wish = {"editUid": stage.uid(), "editInstructions": 'replace "forty" with "fifty"'}
        answer = client.post(f"/v1/documents/{name}/edits", json=wish)
        check(answer.status_code == 200 and answer.json()["editApplied"], f"no edit: {answer.text}")
        file = client.get(f"/v1/documents/{name}/download")
        check(file.content.startswith(b"PK"), "the download is no document")
    return "uploaded, edited and downloaded through the proxy"


def network(stage: Stage) -> str:
    """Checks that a worker reaches nothing, while the server in the same container does."""
    outcomes = dict(
        line.split(" ", 1) for line in stage.inside("python", "-c", IN_A_WORKER).splitlines()
    )
    check(
        "PermissionError" in outcomes["network"],
        f"a worker got a connection: {outcomes['network']}",
    )
    apart = "no landlock here"
    if int(outcomes["landlock"]) >= 1:
        apart = "the memory of its parent too"
        check(
            "PermissionError" in outcomes["memory"], f"it got into its parent: {outcomes['memory']}"
        )
    counts = sorted(int(line.split()[1]) for line in stage.shell(FILTERS).splitlines())
    own = int(stage.shell("grep Seccomp_filters /proc/1/status").split()[1])
    workers = counts.count(own + 1)
    check(workers >= 1, f"no process has a filter more than the server: {counts}")
    report = stage.inside("redraft", "doctor")
    check("reaches no network" in report, report)
    check("reads no files but" in report or apart == "no landlock here", report)
    return f"{workers} workers are filtered; in one a connect is PermissionError ({apart})"


def secrets(stage: Stage) -> str:
    """Checks that the keys of the server cannot be read by another process of its user."""
    environment = stage.shell("cat /proc/1/environ 2>&1 | tr '\\0' '\\n'")
    check("denied" in environment and stage.key not in environment, "its environment can be read")
    return "the environment of the server is closed to processes of its own user"


def draining(stage: Stage) -> str:
    """Checks that a stop lets a running edit end, takes no new one, and exits with 0."""
    answers: list[httpx.Response] = []
    with stage.client() as client, stage.client() as other:
        name = _uploaded(client)
        wish = {"editUid": stage.uid(), "editInstructions": SLOW}

        def ask() -> None:
            answers.append(client.post(f"/v1/documents/{name}/edits", json=wish))

        asking = threading.Thread(target=ask)
        asking.start()
        _wait(lambda: "asked" in stage.engine.output("logs", stage.name("model")), "the model")
        stopping = threading.Thread(target=stage.stop)
        begun = time.monotonic()
        stopping.start()
        _wait(lambda: other.get("/ready").status_code == 503, "the drain")
        more = {"editUid": stage.uid(), "editInstructions": SLOW}
        refused = other.post(f"/v1/documents/{name}/edits", json=more)
        asking.join()
        stopping.join()
    took = time.monotonic() - begun
    check(answers[0].status_code == 200, f"the running edit got {answers[0].text}")
    check(answers[0].json()["editApplied"], "the running edit was not applied")
    check(refused.status_code == 503, f"new work got {refused.status_code}")
    code = stage.engine.output("inspect", stage.name("service"), "--format", "{{.State.ExitCode}}")
    check(code == "0", f"it ended with {code}")
    return f"a running edit was answered, new work got 503, it ended with 0 after {took:.1f} s"


def surviving(stage: Stage) -> str:
    """Checks that what was kept is there after the container was stopped and started."""
    begun = time.monotonic()
    stage.engine.output("start", stage.name("service"))
    stage.await_ready()
    took = time.monotonic() - begun
    with stage.client() as client:
        kept = client.get("/v1/documents/").json()["documents"]
        versions = sorted(document["version"] for document in kept)
        check(versions == [1, 1], f"it has {versions}")
        for document in kept:
            file = client.get(f"/v1/documents/{document['docId']}/download")
            check(file.content.startswith(b"PK"), "a document is gone")
    return f"both edited documents are there after a restart; ready after {took:.1f} s"


CHECKS: tuple[Callable[[Stage], str], ...] = (
    limits,
    writing,
    editing,
    network,
    secrets,
    draining,
    surviving,
)


def prove(stage: Stage) -> bool:
    """Runs every check in its order; False when one did not hold."""
    all_hold = True
    for test in CHECKS:
        try:
            line = f"ok    {test.__name__}: {test(stage)}"
        except (FaultError, httpx.HTTPError, RuntimeError) as error:
            all_hold = False
            line = f"fault {test.__name__}: {error}"
        print(line, flush=True)
    return all_hold


def main() -> int:
    """Builds, runs, asks and stops the image; 0 when everything held, 2 without an engine."""
    given = _arguments()
    chosen = engine(given.engine)
    if chosen is None:
        print("neither podman nor docker is here: install one of them", file=sys.stderr)
        return 2
    image = given.image or _built(chosen, given.build)
    size = int(chosen.output("image", "inspect", image, "--format", "{{.Size}}"))
    print(f"image {image}: {size / 1e6:.0f} MB")
    with Stage(chosen, image) as stage:
        begun = time.monotonic()
        stage.start()
        print(f"ready after {time.monotonic() - begun:.1f} s")
        _wait(stage.is_healthy, "its health")
        print("health: healthy")
        time.sleep(given.rest)
        print(f"memory at rest: {stage.memory()}")
        return 0 if prove(stage) else 1


def _arguments() -> Any:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--engine", choices=("podman", "docker"))
    parser.add_argument("--image")
    parser.add_argument("--build", action="append", default=[], metavar="OPTION")
    parser.add_argument("--rest", type=float, default=20, help="seconds before memory is read")
    return parser.parse_args()


def _built(chosen: Engine, options: list[str]) -> str:
    begun = time.monotonic()
    file = str(Path("deploy") / "Containerfile")
    # podman's own format knows no health check.
    form = ("--format", "docker") if chosen.is_podman else ()
    chosen.output("build", *form, *options, "-f", file, "-t", "redraft", ".", place=PLACE)
    print(f"built in {time.monotonic() - begun:.0f} s")
    return "redraft"


def _uploaded(client: httpx.Client) -> str:
    answer = client.post("/v1/documents/", files={"file": ("fee.docx", document())})
    check(answer.status_code == 200, f"no upload: {answer.text}")
    return answer.json()["docId"]


def _wait(holds: Callable[[], bool], name: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        check(time.monotonic() < end, f"{name} did not come within {seconds:g} s")
        time.sleep(0.1)


if __name__ == "__main__":
    sys.exit(main())
