"""Reading sentences without a model: every example of docs/instructions.md, on a real contract.

The contract is the sample that `make demo` edits. A sentence that does not fit it is refused, which
takes as long. CPU time, the better of two rounds.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median, quantiles

from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.errors import EngineError
from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.model import Document

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "instructions.md"
CONTRACT = ROOT / "tui" / "sample" / "services-agreement.docx"
BAR = 15


def rows() -> Iterator[str]:
    """Yields the median, the slowest twentieth and the slowest sentence, in milliseconds."""
    document = reader.read(Package.open(CONTRACT.read_bytes()), "final")
    sentences = re.findall(r"^- `(.+)`$", PAGE.read_text("utf-8"), re.MULTILINE)
    spent = [min(_milliseconds(document, sentence) for _ in range(2)) for sentence in sentences]
    slowest = max(spent)
    usual, late = median(spent), quantiles(spent, n=20)[-1]
    yield f"{len(sentences)} sentences: median {usual:.1f} ms (bar {BAR}), p95 {late:.1f} ms"
    yield f"slowest {slowest:.1f} ms: {sentences[spent.index(slowest)]}"


def _milliseconds(document: Document, sentence: str) -> float:
    start = time.process_time()
    with suppress(EngineError):
        interpret(document, sentence, None)
    return 1000 * (time.process_time() - start)
