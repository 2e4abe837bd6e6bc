"""`make bench`: speed as ratios, everything in one run on one machine.

Each part brings its rows (`scripts.bench_*`): what was measured, ours, the peer's, the ratio.
Nothing here is asserted: a timed test lies on a busy machine, a ratio of one run does not.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

PARTS = (
    "bench_read",
    "bench_edit",
    "bench_sentences",
    "bench_pdf",
    "bench_pages",
    "bench_service",
    "bench_terminal",
)


def main() -> int:
    """Prints the rows of every part, or of the parts named on the command line."""
    for part in sys.argv[1:] or PARTS:
        print(f"\n{part.removeprefix('bench_')}")
        for row in importlib.import_module(f"scripts.{part}").rows():
            print("  " + row, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
