"""Editing .docx: one phrase and every hit of a word, tracked and verified, ours and the peers'.

Peers that this machine may have: python-docx, which opens and saves without any edit (what every
tool built on it pays before it begins), and LibreOffice, which converts the file once.
CPU time (user and system, children included), best of a few runs.
"""

from __future__ import annotations

import io
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import docx

from engine.docx.apply import apply, initial_state
from engine.docx.package import Package
from engine.docx.reader import read
from engine.plan import EditPlan, FindReplace
from engine.report import Signature
from scripts import bench_documents

ROUNDS = 3
T = TypeVar("T")
SIGNATURE = Signature("bench", "Dana", "2026-11-21T06:30:00Z", tracked=True)


def rows() -> Iterator[str]:
    """One line a document and edit: our milliseconds, marks written, ratios to the peers."""
    yield f"{'document':<12}{'edit':<16}{'changes':>8}{'redraft ms':>12}{'peers':>10}"
    for pages in (22, 225):
        data = bench_documents.contract(pages)
        state = initial_state(data)
        peers = {name: peer(data) for name, peer in _peers().items()}
        for name, limit in (("one word", 1), ("every 'shall'", None)):
            plan = EditPlan("edit", "", (FindReplace("shall", "must", "all", limit=limit),))
            seconds, report = _best(
                lambda data=data, state=state, plan=plan: apply(data, state, plan, SIGNATURE)[1]
            )
            ratios = "".join(f"  {peer} {theirs / seconds:.1f}x" for peer, theirs in peers.items())
            count = len(report.revisions)
            yield f"{f'{pages} pages':<12}{name:<16}{count:>8}{seconds * 1000:>12.0f}{ratios}"
        reading, _ = _best(lambda data=data: read(Package.open(data)))
        yield f"{f'{pages} pages':<12}{'(reading it)':<24}{reading * 1000:>12.0f}"


def _peers() -> dict[str, Callable[[bytes], float]]:
    peers: dict[str, Callable[[bytes], float]] = {"python-docx open+save": _python_docx}
    if shutil.which("soffice"):
        peers["LibreOffice convert"] = _libreoffice
    return peers


def _python_docx(data: bytes) -> float:
    return _best(lambda: docx.Document(io.BytesIO(data)).save(io.BytesIO()))[0]


def _libreoffice(data: bytes) -> float:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "document.docx"
        source.write_bytes(data)
        profile = f"-env:UserInstallation={(Path(folder) / 'profile').as_uri()}"
        command = ["soffice", profile, "--headless", "--convert-to", "docx:MS Word 2007 XML"]
        command += ["--outdir", str(Path(folder) / "out"), str(source)]
        once = _best(lambda: subprocess.run(command, check=True, capture_output=True), rounds=2)
        return once[0]


def _best(call: Callable[[], T], rounds: int = ROUNDS) -> tuple[float, T]:
    """The least CPU seconds of a few calls, and what the first one gave."""
    before = _cpu()
    value = call()
    least = _cpu() - before
    for _ in range(rounds - 1):
        before = _cpu()
        call()
        least = min(least, _cpu() - before)
    return least, value


def _cpu() -> float:
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
