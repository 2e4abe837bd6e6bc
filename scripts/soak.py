"""`make soak`: the service under load, kills, a full disk and a bad line to its model, as figures.

Every figure that is a fault should be zero; one that is not is marked, and the exit code is 1.
`make soak` takes some minutes, `make soak LONG=1` the better part of an hour.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

from scripts import (
    counted,
    serving,
    soak_disk,
    soak_kills,
    soak_mixed,
    soak_models,
    soak_order,
    soak_traffic,
)
from scripts.counted import Count

MACHINE = "tests/api/test_mailbox_machine.py"


@dataclass(frozen=True, slots=True)
class Measure:
    """How much of each part is done."""

    minutes: float
    kills: int
    order: tuple[int, int, int]
    """Clients, documents, and edits of each client on each document."""
    states: tuple[int, int]
    """Examples of the state machine, and steps of each."""
    disk: int
    models: int


SHORT = Measure(minutes=1, kills=10, order=(8, 5, 10), states=(20, 30), disk=1, models=1)
LONG = Measure(minutes=10, kills=200, order=(8, 20, 50), states=(500, 50), disk=10, models=6)


def parts(measure: Measure) -> dict[str, Callable[[], list[Count]]]:
    """Returns what is done, by its title."""
    clients, documents, edits = measure.order
    examples, steps = measure.states
    return {
        f"kill -9, {measure.kills} times, under clients that replay": lambda: soak_kills.run(
            measure.kills
        ),
        f"order: {clients} clients x {documents} documents x {edits} edits": lambda: soak_order.run(
            clients, documents, edits
        ),
        f"a full disk, {measure.disk} times": lambda: soak_disk.run(measure.disk),
        f"a bad line to the model, {measure.models} times": lambda: soak_models.run(measure.models),
        f"everything at once for {measure.minutes:g} minutes": lambda: soak_traffic.run(
            measure.minutes * 60
        ),
        f"documents of the corpus for {measure.minutes:g} minutes": lambda: soak_mixed.run(
            measure.minutes * 60
        ),
        f"state machine: {examples} examples x {steps} steps": lambda: _machine(examples, steps),
    }


def _machine(examples: int, steps: int) -> list[Count]:
    """Runs the test of the mailbox against its model with so many examples."""
    variables = {"REDRAFT_STATE_EXAMPLES": str(examples), "REDRAFT_STATE_STEPS": str(steps)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", MACHINE],
        cwd=serving.ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    errors = re.findall(r"^E\s+(.*)", done.stdout, re.MULTILINE)
    is_run = " passed" in done.stdout or " failed" in done.stdout
    note = errors[0][:200] if errors else "" if is_run else done.stdout[-200:]
    return [Count("divergences from the model", int(done.returncode != 0), note=note)]


def main() -> int:
    """Runs the parts that the command line names, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", action="store_true", help="the better part of an hour")
    parser.add_argument("--minutes", type=float, help="how long everything runs at once")
    parser.add_argument("words", nargs="*", help="only the parts whose title has one of these")
    given = parser.parse_args()
    measure = LONG if given.long else SHORT
    if given.minutes is not None:
        measure = Measure(
            given.minutes,
            measure.kills,
            measure.order,
            measure.states,
            measure.disk,
            measure.models,
        )
    faults = 0
    for title, part in parts(measure).items():
        if given.words and not any(word in title for word in given.words):
            continue
        print(title, flush=True)
        counts = part()
        faults += counted.faults(counts)
        print("\n".join(counted.lines(counts)), flush=True)
    print(f"faults in all: {faults}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
