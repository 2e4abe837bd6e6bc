"""PDF: reading beside a peer, with time, memory and scores; editing one word, and how many can be.

CPU time, best of a few runs; the wall time of the same runs stands beside it and says how busy the
machine was. The peer is pymupdf4llm in its classic mode (below 1); its layout model has a column
where REDRAFT_PEERS_LAYOUT names an interpreter that has it.
"""

from __future__ import annotations

import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redraft.engine import editor
from redraft.engine.errors import EditError, EngineError
from redraft.engine.markdown.document import write
from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.glyphs.target_blocks import known_in
from redraft.engine.pdf.reader import read
from redraft.engine.plan import EditPlan, ReplaceText
from redraft.engine.report import Signature
from scripts.peers import Peers, column
from tests.documents import corpus_folder

ROOT = Path(__file__).parent.parent
PAGES = 100
LAID_OUT = 20  # pages that the layout model is given at most; it takes a second for each few
ROUNDS = 3
BAR_SECONDS, BAR_RATIO = 1.0, 10
WORDS_OF_A_FILE = 3
WORD = re.compile(r"[^\W\d_]{4,}")
SIGNATURE = Signature("u1", "Bench", "2026-11-21T06:30:00Z", tracked=False)
CLASSIC, LAYOUT = "pymupdf4llm", "pymupdf4llm_layout"

# Real files, each repeated to a hundred pages: what they are full of, and their names.
KINDS = (
    ("two columns, many spans", "pdfminer__naacl06-shinyama.pdf"),
    ("two columns, formulas", "unstructured__multi-column.pdf"),
    ("tables of figures", "officebench__financial_report.pdf"),
    ("running text", "docling__multi_page.pdf"),
    ("links and drawings", "pdfjs__pdfjs_wikipedia.pdf"),
)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one call took: CPU and wall seconds."""

    cpu: float
    wall: float


def rows() -> Iterator[str]:
    """Yields rows on reading, its process, memory and scores; on editing and replaceable words."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Peers((CLASSIC,)) as classic,
        Peers((LAYOUT,), "REDRAFT_PEERS_LAYOUT") as layout,
    ):
        yield from _reading(Path(folder), classic, layout)
        yield from _scores(Path(folder), classic, layout)
    data = paper(PAGES)
    yield from _edits(data)
    yield from _sweep()


def _reading(folder: Path, classic: Peers, layout: Peers) -> Iterator[str]:
    """Yields a row a document, then what a process and an upload cost, and memory."""
    names = [peers.names[0] for peers in (classic, layout) if peers.names]
    yield (
        f"{'pages':<30}{'CPU ms':>8}{'wall ms':>9}{'pages/s':>9}{'s/100 p':>9}"
        + "".join(f"{name:>20}" for name in names)
        + f"   bar: {BAR_SECONDS:.0f} s/100 p, {BAR_RATIO}x {CLASSIC}"
    )
    path = folder / "document.pdf"
    path.write_bytes(paper(1))
    for peers in (classic, layout):
        if peers.names:  # so that a peer is not charged for its imports
            peers.seconds(peers.names[0], str(path))
    for name, pages, data in _documents():
        path.write_bytes(data)
        ours = _least(lambda data=data: write(read(data)))
        line = f"{f'{pages} of {name}':<30}{ours.cpu * 1000:>8.0f}{ours.wall * 1000:>9.0f}"
        line += f"{pages / ours.cpu:>9.0f}{ours.cpu / pages * 100:>9.2f}"
        if classic.names:
            line += column(classic.seconds(CLASSIC, str(path)), ours.cpu)
        if layout.names and pages <= LAID_OUT:
            line += column(layout.seconds(LAYOUT, str(path)), ours.cpu)
        yield line
    if not names:
        yield "the peer: name an interpreter that has pymupdf4llm<1 in REDRAFT_PEERS"
    path.write_bytes(paper(PAGES))
    took = _least(lambda: editor.inspect(path, path.name))
    yield f"taking in an upload of {PAGES} pages: {took.cpu * 1000:.0f} ms CPU"
    for pages in (1, PAGES):
        path.write_bytes(paper(pages))
        took, peak = _process(path)
        yield (
            f"`redraft read` of {pages} pages, a process: {took.cpu * 1000:.0f} ms CPU, "
            f"{took.wall * 1000:.0f} ms wall, {peak} MB"
        )
    for peers in (classic, layout):
        if peers.names:
            yield f"{peers.names[0]}, a process: {peers.megabytes} MB"
    yield f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def _documents() -> Iterator[tuple[str, int, bytes]]:
    yield "dense pages", 20, paper(20)
    yield "dense pages", PAGES, paper(PAGES)
    folder = corpus_folder()
    for name, file in KINDS if folder is not None else ():
        yield name, PAGES, _repeated((folder or Path()) / "pdf" / file)


def _repeated(path: Path) -> bytes:
    """Returns a hundred pages: those of a file again and again."""
    import pymupdf

    source: Any = pymupdf.open(path)
    document: Any = pymupdf.open()
    while document.page_count < PAGES:
        document.insert_pdf(source)
    document.select(list(range(PAGES)))
    return bytes(document.tobytes(garbage=4))  # fonts once, as in a file of that length


def _process(path: Path) -> tuple[Cost, int]:
    """Returns what `redraft read` takes as a process with its start, and its peak in megabytes."""
    command = [sys.executable, "-m", "redraft", "read", str(path)]
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, "
        "stdout=subprocess.DEVNULL); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)"
    )
    took = _least(lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True))
    told = subprocess.run(
        [sys.executable, "-c", code, *command], capture_output=True, text=True, check=True
    )
    return took, int(told.stdout)


def _scores(folder: Path, classic: Peers, layout: Peers) -> Iterator[str]:
    """Yields how near the Markdown of each is to the golden Markdown of the corpus, from 0 to 1.

    REDRAFT_MDSCORE names the scorer, a Python file that is given two folders and `--json`; the
    peers' interpreter runs it.
    """
    scorer, corpus = os.environ.get("REDRAFT_MDSCORE"), corpus_folder()
    if not scorer or corpus is None or not classic.names:
        yield "scores: REDRAFT_MDSCORE names no scorer, or there is no corpus or no peer"
        return
    golden = sorted((corpus / "pdf" / "golden").glob("*.md"))
    written: dict[str, Callable[[Path, Path], object]] = {
        "redraft": lambda path, target: target.write_text(
            write(read(path.read_bytes())), encoding="utf-8"
        )
    }
    for peers in (classic, layout):
        for name in peers.names:
            written[name] = lambda path, target, peers=peers, name=name: peers.seconds(
                name, str(path), str(target)
            )
    for name, convert in written.items():
        made = folder / name
        made.mkdir()
        for gold in golden:
            source = corpus / "pdf" / gold.name.rsplit(".", maxsplit=2)[0]
            convert(source.with_name(f"{source.name}.pdf"), made / gold.name)
        yield f"scores of {len(golden)} files, {name}: {_score(scorer, golden[0].parent, made)}"


def _score(scorer: str, golden: Path, made: Path) -> str:
    command = [os.environ["REDRAFT_PEERS"], scorer, str(golden), str(made), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return f"failed: {done.stderr.strip().splitlines()[-1:]}"
    mean = json.loads(done.stdout)["mean"]
    parts = ("total", "text", "head", "list", "table")
    return ", ".join(f"{part} {mean[part]:.2f}" for part in parts if mean.get(part) is not None)


def paper(pages: int) -> bytes:
    """Draws pages of headings, paragraphs, a list and a ruled table each."""
    import pymupdf

    document: Any = pymupdf.open()
    for number in range(1, pages + 1):
        page = document.new_page(width=595, height=842)
        page.insert_text((72, 80), f"{number} Section of terms", fontsize=16, fontname="hebo")
        for paragraph in range(6):
            for row in range(6):
                text = f"Line {row} of paragraph {paragraph}: the supplier delivers what was agreed"
                page.insert_text((72, 110 + paragraph * 92 + row * 13.2), text, fontsize=11)
        for row in range(3):
            page.insert_text((84, 670 + row * 14), f"\u2022 item {row} on page {number}")
        for row in range(4):
            page.draw_line((72, 720 + row * 20), (500, 720 + row * 20))
            for cell in range(3 if row < 3 else 0):
                page.insert_text((78 + cell * 140, 734 + row * 20), f"cell {row}.{cell}")
        for cell in range(4):
            page.draw_line((72 + cell * 142.6, 720), (72 + cell * 142.6, 780))
    return bytes(document.tobytes())


def _edits(data: bytes) -> Iterator[str]:
    target = next(t for t in known_in(data) if t.page == PAGES // 2 and "supplier" in t.text)
    operation = ReplaceText(target.anchor, "supplier", "contractor", 1)
    plan = EditPlan("edit", "", (operation,))
    took = _least(lambda: apply(data, plan, SIGNATURE)).cpu
    yield f"edit one word of {PAGES} pages, verified: {took * 1000:.0f} ms"


def _sweep() -> Iterator[str]:
    """Replaces a few random words of every file of the corpus, one by one."""
    folder = corpus_folder()
    if folder is None:
        yield "random words: no corpus (REDRAFT_CORPUS)"
        return
    outcomes: Counter[str] = Counter()
    for path in sorted((folder / "pdf").glob("*.pdf")):
        outcomes += _of_file(path)
    total = outcomes.total()
    share = outcomes["replaced"] / total if total else 0
    yield f"random words: {outcomes['replaced']} of {total} replaced ({share:.0%}), not replaced:"
    for reason, count in outcomes.most_common():
        if reason != "replaced":
            yield f"  {count} x {reason}"


def _of_file(path: Path) -> Counter[str]:
    chance = random.Random(path.name)  # noqa: S311 - which words are tried is no secret
    data = path.read_bytes()
    outcomes: Counter[str] = Counter()
    try:
        targets = [t for t in known_in(data) if t.story == "body" and WORD.search(t.text)]
    except EngineError:  # a scan
        return outcomes
    chance.shuffle(targets)
    for target in targets[:WORDS_OF_A_FILE]:
        match = next(WORD.finditer(target.text))
        operation = ReplaceText(target.anchor, match[0], match[0][::-1].lower(), 1)
        try:
            apply(data, EditPlan("edit", "", (operation,)), SIGNATURE)
            outcomes["replaced"] += 1
        except EditError as error:
            outcomes[re.sub(r'\d+|"[^"]*"', "#", str(error))] += 1
    return outcomes


def _least(call: Callable[[], object]) -> Cost:
    """Returns the cheapest of a few calls, child processes included."""
    best = Cost(float("inf"), float("inf"))
    for _ in range(ROUNDS):
        wall, cpu = time.perf_counter(), _cpu()
        call()
        cost = Cost(_cpu() - cpu, time.perf_counter() - wall)
        best = min(best, cost, key=lambda cost_so_far: cost_so_far.cpu)
    return best


def _cpu() -> float:
    """Returns the CPU seconds of this process and of the children that have ended."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(used.ru_utime + used.ru_stime for used in both)
