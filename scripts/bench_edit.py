"""Tracked edits of .docx: load, plan, write, verify and save, for one word and for every hit.

CPU time of the best of a few rounds. Peers run where they are installed (`scripts.peers`); the
floor beside us is lxml alone: unzip the file, parse the main part, serialise it, zip it again, with
no edit and no check. A peer that would need minutes is given the smaller documents only.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from lxml import etree

from redraft.engine.docx.apply import apply, initial_state
from redraft.engine.plan import EditPlan, FindReplace, Operation
from redraft.engine.report import Signature
from scripts import bench_documents
from scripts.high_water import megabytes
from scripts.peers import Peers, column

SIGNED = Signature("bench", "Bench", "2026-11-21T06:30:00Z", tracked=True)
FIND, REPLACE = "supplier", "vendor"
ONE = FindReplace(FIND, REPLACE, limit=1)
ALL = FindReplace(FIND, REPLACE)
PAGES = (3, 22, 225)
ROUNDS = 3
PEERS = {"one": ("docx_editor_one",), "all": ("docx_editor_all", "docx_revisions_all")}
LONGEST_FOR_PEERS = 22


def rows() -> Iterator[str]:
    """Yields a line per document and edit: CPU milliseconds, hits, ratios to floor and peers."""
    yield f"{'document and edit':<28}{'redraft ms':>12}{'hits':>8}{'lxml alone ms':>16}{'ratio':>8}"
    known = tuple(name for names in PEERS.values() for name in names)
    with tempfile.TemporaryDirectory() as folder, Peers(known) as peers:
        for pages in PAGES:
            data = bench_documents.contract(pages)
            path = Path(folder) / f"{pages}.docx"
            path.write_bytes(data)
            state = initial_state(data)
            floor = _seconds(lambda data=data: _floor(data))
            for name, operation in (("one", ONE), ("all", ALL)):
                hits = _edit(data, state, operation)
                ours = _seconds(lambda d=data, s=state, o=operation: _edit(d, s, o))
                line = f"{f'{pages} pages, {name}':<28}{ours * 1000:>12.1f}{hits:>8}"
                line += f"{floor * 1000:>16.1f}{ours / floor:>7.1f}x"
                for peer in PEERS[name] if pages <= LONGEST_FOR_PEERS else ():
                    if peer in peers.names:
                        theirs = peers.seconds(peer, str(path), FIND, REPLACE)
                        line += f"   {peer}{column(theirs, ours)}"
                yield line
    yield f"peak memory of a process that edits 225 pages everywhere: {_peak()} MB"
    if not peers.names:
        yield "peers: name an interpreter that has them in REDRAFT_PEERS (scripts/peers.txt)"


def memory() -> None:
    """Edits 225 pages everywhere and prints the peak memory in MB; run in a process of its own."""
    data = bench_documents.contract(PAGES[-1])
    _edit(data, initial_state(data), ALL)
    print(megabytes())


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
