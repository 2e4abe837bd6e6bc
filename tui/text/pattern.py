"""Finding what fits a regular expression, which is given a time and no more."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from pathlib import Path

import msgspec

PATIENCE = 5.0  # seconds
MOST = 10_000  # hits
WORKER = Path(__file__).with_name("pattern_worker.py")


class PatternError(Exception):
    """A pattern that cannot be looked for; the message is for the person."""


class _Answer(msgspec.Struct, frozen=True, kw_only=True):
    found: list[list[str]] = []
    error: str = ""


async def find(
    texts: Sequence[str], pattern: str, patience: float | None = None
) -> tuple[tuple[str, ...], ...]:
    """Return the words of every hit in each text, without regard to case, at most `MOST` in all.

    Raises:
        PatternError: it is no regular expression, or it takes too long.
    """
    patience = PATIENCE if patience is None else patience
    asked = {
        "pattern": pattern,
        "texts": list(texts),
        "most": MOST,
        "seconds": max(1, round(patience)),
    }
    process = await _start()
    try:
        written, _ = await asyncio.wait_for(
            process.communicate(msgspec.json.encode(asked)), patience
        )
    except TimeoutError:
        raise PatternError(_too_slow(patience)) from None
    finally:
        await _end(process)
    try:
        answer = msgspec.json.decode(written, type=_Answer)
    except msgspec.DecodeError:  # the system ended it at one of its limits
        raise PatternError(_too_slow(patience)) from None
    if answer.error:
        message = f"not a regular expression: {answer.error}"
        raise PatternError(message)
    return tuple(tuple(words) for words in answer.found)


async def _start() -> Process:
    try:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-S", str(WORKER), stdin=PIPE, stdout=PIPE, stderr=DEVNULL
        )
    except OSError as error:
        message = f"the search did not start: {error.strerror or error}"
        raise PatternError(message) from error


async def _end(process: Process) -> None:
    """End the process if it has not ended, and forget it."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _too_slow(patience: float) -> str:
    return (
        f"given up after {patience:g} s: a repeat within a repeat, as in (a+)+, "
        "takes too long; write it without"
    )
