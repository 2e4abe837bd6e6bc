"""PDF: what is done to whole pages, measured on a paper and on one half as long.

CPU seconds, once each; the last column is how many times as long the whole paper takes, which is 2
where the work grows with the pages, and 4 where it grows with their square. Memory is the highest
of a process of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from redraft.engine.pdf.apply import apply
from redraft.engine.plan import (
    DeletePages,
    EditPlan,
    MovePages,
    Operation,
    Redact,
    RotatePages,
    StampPages,
)
from redraft.engine.report import Signature
from scripts.high_water import megabytes
from tests.documents import corpus_folder

ROOT = Path(__file__).parent.parent
NAME = "docling__multi_page.pdf"
PAGES = 350
SIGNATURE = Signature("u1", "Bench", "2026-11-21T06:30:00Z", tracked=False)
OPERATIONS: dict[str, Operation] = {
    "delete pages 1 to 3": DeletePages(1, 3),
    "move the last page to the front": MovePages(-1, -1, 1, "before"),
    "turn every page": RotatePages(1, -1, 90),
    "number the pages": StampPages("page_numbers"),
    "a watermark": StampPages("watermark", "DRAFT"),
    "redact a name": Redact("Christopher Latham Sholes"),
}


def rows() -> Iterator[str]:
    """Yields a row an operation: CPU seconds on half the pages and on all, their ratio, memory."""
    if corpus_folder() is None:
        yield "no corpus"
        return
    yield f"{'':34}{f'{PAGES // 2} pages':>12}{f'{PAGES} pages':>12}{'times':>8}{'memory':>10}"
    for name in OPERATIONS:
        half, whole = measured(name, PAGES // 2), measured(name, PAGES)
        times = whole["seconds"] / half["seconds"] if half["seconds"] else 0.0
        figures = f"{half['seconds']:>10.2f} s{whole['seconds']:>10.2f} s{times:>8.1f}"
        yield f"{name:34}{figures}{whole['mebibytes']:>6.0f} MiB"


def measured(name: str, pages: int) -> dict[str, float]:
    """Carries an operation out in a process of its own."""
    code = f"from scripts.bench_pages import main; main({name!r}, {pages})"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, encoding="utf-8"
    )
    figures: dict[str, float] = json.loads(ran.stdout)
    return figures


def main(name: str, pages: int) -> None:
    """Prints what an operation on a paper of so many pages costs, as JSON."""
    data = paper(pages)
    plan = EditPlan("edit", "", (OPERATIONS[name],))
    start = time.process_time()
    _, report = apply(data, plan, SIGNATURE)
    seconds = time.process_time() - start
    if not report.applied:
        message = f"{name}: nothing was done"
        raise SystemExit(message)
    sys.stdout.write(json.dumps({"seconds": seconds, "mebibytes": megabytes()}))


def paper(pages: int) -> bytes:
    """Repeats the pages of a real file, each with a content stream of its own, with an outline."""
    import pikepdf

    folder = corpus_folder()
    if folder is None:
        raise SystemExit("no corpus")
    made: Any = pikepdf.new()
    with pikepdf.open(folder / "pdf" / NAME) as source:
        for number in range(pages):
            made.pages.append(source.pages[number % len(source.pages)])
            page = made.pages[-1].obj
            page[pikepdf.Name.Contents] = made.make_stream(page.Contents.read_bytes())
        with made.open_outline() as outline:
            for number in range(pages):
                outline.root.append(pikepdf.OutlineItem(f"Page {number + 1}", number))
        out = BytesIO()
        made.save(out)
    return out.getvalue()
