"""Reading .docx as Markdown: ours in this process, pandoc as a process, Python peers warm.

CPU time (user and system, children included), best of a few runs: wall time says little on a busy
machine. Documents that only show that nothing is quadratic are not given to the peers.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.reader import read
from redraft.engine.markdown.document import write
from scripts import bench_documents
from scripts.high_water import megabytes
from scripts.peers import Peers, column

SAMPLE = Path(__file__).parent.parent / "tui" / "sample" / "services-agreement.docx"
ROUNDS = 5
PEERS = ("mammoth", "markitdown", "docling")
_LARGE = frozenset({"300,000 paragraphs", "200,000 runs in one"})


def rows() -> Iterator[str]:
    """Yields a line per document: CPU milliseconds, ratio to each peer; then processes, memory."""
    with tempfile.TemporaryDirectory() as folder, Peers(PEERS) as peers:
        names = ("pandoc", *peers.names) if shutil.which("pandoc") else peers.names
        yield f"{'document':<24}{'redraft ms':>12}" + "".join(f"{name:>20}" for name in names)
        for name, data in _documents():
            path = Path(folder) / "document.docx"
            path.write_bytes(data)
            ours = _seconds(lambda data=data: _read(data), ROUNDS)
            line = f"{name:<24}{ours * 1000:>12.1f}"
            for peer in names if name not in _LARGE else ():
                if peer == "pandoc":
                    line += column(_seconds(lambda path=path: _pandoc(path), 1), ours)
                else:
                    line += column(_best(peers, peer, path), ours)
            yield line
        yield from _as_process(folder)
    yield f"peak memory of a process that reads 600 pages: {_peak()} MB"
    if not peers.names:
        yield "other peers: name an interpreter that has them in REDRAFT_PEERS (scripts/peers.txt)"


def _best(peers: Peers, peer: str, path: Path) -> float | str:
    """Returns the better of two calls, so that a peer is not charged for its imports."""
    first, second = (peers.seconds(peer, str(path)) for _ in range(2))
    return first if isinstance(first, str) or isinstance(second, str) else min(first, second)


def _documents() -> Iterator[tuple[str, bytes]]:
    yield "sample contract", SAMPLE.read_bytes()
    yield "20 pages", bench_documents.contract(20)
    yield "100 pages", bench_documents.contract(100)
    yield "600 pages", bench_documents.contract(600)
    yield "table of 10,000 cells", bench_documents.grid(1000, 10)
    yield "300,000 paragraphs", bench_documents.paragraphs(300_000)
    yield "200,000 runs in one", bench_documents.runs(200_000)


def _read(data: bytes) -> str:
    return write(read(Package.open(data)))


def _seconds(call: Callable[[], object], rounds: int) -> float:
    """Returns the least CPU seconds of a few calls, those of child processes included."""
    best = float("inf")
    for _ in range(rounds):
        begin = _cpu()
        call()
        best = min(best, _cpu() - begin)
    return best


def _cpu() -> float:
    own, children = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def _pandoc(path: Path) -> object:
    command = ["pandoc", "-f", "docx", "-t", "gfm", "--wrap=none", str(path)]
    return subprocess.run(command, capture_output=True, check=True)


def _as_process(folder: str) -> Iterator[str]:
    """Yields the command line against pandoc, both as processes."""
    if shutil.which("pandoc") is None:
        return
    for pages in (20, 100):
        path = Path(folder) / f"{pages}.docx"
        path.write_bytes(bench_documents.contract(pages))
        command = [sys.executable, "-m", "redraft", "read", str(path)]
        ours = _seconds(lambda c=command: subprocess.run(c, capture_output=True, check=True), 2)
        theirs = _seconds(lambda p=path: _pandoc(p), 2)
        yield (
            f"redraft read as a process, {pages} pages: {ours * 1000:.0f} ms, "
            f"pandoc {theirs * 1000:.0f} ms, {theirs / ours:.1f}x"
        )


def _peak() -> int:
    """Returns the megabytes that a fresh process needs at most to read 600 pages."""
    code = "from scripts.bench_read import read_and_tell; read_and_tell()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(done.stdout)


def read_and_tell() -> None:
    """Reads 600 pages that another process made, and prints the peak of this one in megabytes."""
    with tempfile.NamedTemporaryFile(suffix=".docx") as target:
        maker = "import sys; from scripts import bench_documents as b; "
        maker += "open(sys.argv[1], 'wb').write(b.contract(600))"
        subprocess.run([sys.executable, "-c", maker, target.name], check=True)
        _read(Path(target.name).read_bytes())
    print(megabytes())
