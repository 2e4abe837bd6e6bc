"""Peers that are measured beside redraft, each kept warm in a process of another environment.

`REDRAFT_PEERS` names the interpreter of an environment in which they are installed
(`scripts/peers.txt`); redraft's own environment holds none of them. A peer that is missing or
fails is said to be so.
"""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

WORKER = Path(__file__).with_name("peer_worker.py")
MODULES = {
    "mammoth": "mammoth",
    "markitdown": "markitdown",
    "docling": "docling.backend.msword_backend",
    "pymupdf4llm": "pymupdf4llm",
    "pymupdf4llm_layout": "pymupdf4llm",
    "docx_editor_one": "docx_editor",
    "docx_editor_all": "docx_editor",
    "docx_revisions_all": "docx_revisions",
}


@dataclass(slots=True)
class Peers:
    """The peers of one environment; a context, at whose end their process ends.

    `variable` names the interpreter; `megabytes` is the peak of their process so far.
    """

    names: tuple[str, ...]
    variable: str = "REDRAFT_PEERS"
    megabytes: int = field(default=0, init=False)
    _process: subprocess.Popen[str] | None = field(default=None, init=False)

    def __enter__(self) -> Peers:
        """Starts them, when an environment is named."""
        interpreter = os.environ.get(self.variable)
        if not interpreter:
            self.names = ()
            return self
        self.names = tuple(name for name in self.names if _has(interpreter, MODULES[name]))
        self._process = subprocess.Popen(
            [interpreter, str(WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Ends their process."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process.wait()

    def seconds(self, name: str, *arguments: str) -> float | str:
        """Returns the CPU seconds of one call, or why it failed."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            return "not there"
        process.stdin.write(json.dumps([name, *arguments]) + "\n")
        process.stdin.flush()
        reply = json.loads(process.stdout.readline() or '{"failed": "its process died"}')
        self.megabytes = int(reply.get("megabytes", self.megabytes))
        return float(reply["seconds"]) if "seconds" in reply else str(reply["failed"])


def column(theirs: float | str, ours: float) -> str:
    """Returns a column of a table: their milliseconds and the ratio to ours."""
    if isinstance(theirs, str):
        return f"{'failed':>20}"
    return f"{theirs * 1000:>11.0f} {theirs / ours:>6.1f}x "


def _has(interpreter: str, module: str) -> bool:
    done = subprocess.run([interpreter, "-c", f"import {module}"], capture_output=True)
    return done.returncode == 0
