"""Tracked edits of .docx: load, plan, write, verify and save, for one word and for every hit.

CPU time of the best of a few rounds. The peers docx-editor, docx-redline, docx-revisions and adeu
are named where they are installed; the floor beside us is lxml alone: unzip the file, parse the
main part, serialise it, zip it again, with no edit and no check.
"""

from __future__ import annotations

import importlib.util
import io
import resource
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator

from lxml import etree

from engine.docx.apply import apply, initial_state
from engine.plan import EditPlan, FindReplace, Operation
from engine.report import Signature
from scripts import bench_documents

SIGNED = Signature("bench", "Bench", "2026-11-21T06:30:00Z", tracked=True)
ONE = FindReplace("supplier", "vendor", limit=1)
ALL = FindReplace("supplier", "vendor")
PAGES = (3, 22, 225)
ROUNDS = 3
PEERS = ("docx_editor", "docx_redline", "docx_revisions", "adeu")


def rows() -> Iterator[str]:
    """One line a document and edit: CPU milliseconds, hits, and the ratio to the floor; memory."""
    missing = [name for name in PEERS if importlib.util.find_spec(name) is None]
    yield f"{'document and edit':<28}{'redraft ms':>12}{'hits':>8}{'lxml alone ms':>16}{'ratio':>8}"
    for pages in PAGES:
        data = bench_documents.contract(pages)
        state = initial_state(data)
        floor = _seconds(lambda data=data: _floor(data))
        for name, operation in (("one", ONE), ("all", ALL)):
            hits = _edit(data, state, operation)
            ours = _seconds(lambda d=data, s=state, o=operation: _edit(d, s, o))
            title = f"{pages} pages, {name}"
            line = f"{title:<28}{ours * 1000:>12.1f}{hits:>8}{floor * 1000:>16.1f}"
            yield f"{line}{ours / floor:>7.1f}x"
    yield f"peak memory of a process that edits 225 pages everywhere: {_peak()} MB"
    if missing:
        yield f"not installed here, so not compared: {', '.join(missing)}"


def memory() -> None:
    """Edit 225 pages everywhere and print the peak memory in MB; run in a process of its own."""
    data = bench_documents.contract(PAGES[-1])
    _edit(data, initial_state(data), ALL)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


def _edit(data: bytes, state: bytes, operation: Operation) -> int:
    _, report = apply(data, state, EditPlan("edit", "", (operation,)), SIGNED)
    return len(report.revisions)


def _floor(data: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        members = {name: package.read(name) for name in package.namelist()}
    main = "word/document.xml"
    members[main] = etree.tostring(etree.fromstring(members[main]), encoding="UTF-8")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in members.items():
            package.writestr(name, content)
    return target.getvalue()


def _seconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def _peak() -> int:
    code = "from scripts.bench_edit import memory; memory()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    return int(done.stdout)
