"""PDF: reading 100 pages beside a peer, editing one word of them, and how many words can be edited.

CPU time, best of a few runs. The peer is pymupdf4llm without its layout model; with it the same
pages take it many times longer.
"""

from __future__ import annotations

import random
import re
import resource
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from engine.errors import EditError, EngineError
from engine.markdown import write
from engine.pdf.apply import apply
from engine.pdf.content.targets import known_in
from engine.pdf.reader import read
from engine.plan import EditPlan, ReplaceText
from engine.report import Signature
from scripts.peers import Peers, column
from tests.documents import corpus_folder

PAGES = 100
ROUNDS = 3
BAR_SECONDS, BAR_RATIO = 1.0, 10
WORDS_OF_A_FILE = 3
WORD = re.compile(r"[^\W\d_]{4,}")
SIGNATURE = Signature("u1", "Bench", "2026-11-21T06:30:00Z", tracked=False)


def rows() -> Iterator[str]:
    """Reading, editing, and the share of random words that are replaced."""
    data = paper(PAGES)
    with tempfile.TemporaryDirectory() as folder, Peers(("pymupdf4llm",)) as peers:
        path = Path(folder) / "document.pdf"
        path.write_bytes(data)
        ours = _seconds(lambda: write(read(data)), ROUNDS)
        line = f"read {PAGES} pages: {ours * 1000:.0f} ms (bar {BAR_SECONDS * 1000:.0f} ms)"
        if peers.names:
            peers.seconds("pymupdf4llm", str(path))
            theirs = column(peers.seconds("pymupdf4llm", str(path)), ours)
            line += f"; pymupdf4llm {theirs.strip()} (bar {BAR_RATIO}x)"
        yield line
        if not peers.names:
            yield "the peer: name an interpreter that has pymupdf4llm in REDRAFT_PEERS"
    yield from _edits(data)
    yield from _sweep()


def paper(pages: int) -> bytes:
    """Draw pages of headings, paragraphs, a list and a ruled table each."""
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
    took = _seconds(lambda: apply(data, plan, SIGNATURE), ROUNDS)
    yield f"edit one word of {PAGES} pages, verified: {took * 1000:.0f} ms"


def _sweep() -> Iterator[str]:
    """Replace a few random words of every file of the corpus, one by one."""
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
        held = [t for t in known_in(data) if t.story == "body" and WORD.search(t.text)]
    except EngineError:  # a scan
        return outcomes
    chance.shuffle(held)
    for target in held[:WORDS_OF_A_FILE]:
        match = next(WORD.finditer(target.text))
        operation = ReplaceText(target.anchor, match[0], match[0][::-1].lower(), 1)
        try:
            apply(data, EditPlan("edit", "", (operation,)), SIGNATURE)
            outcomes["replaced"] += 1
        except EditError as error:
            outcomes[re.sub(r'\d+|"[^"]*"', "#", str(error))] += 1
    return outcomes


def _seconds(call: Callable[[], object], rounds: int) -> float:
    best = float("inf")
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_SELF)
        call()
        after = resource.getrusage(resource.RUSAGE_SELF)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = min(best, spent)
    return best
