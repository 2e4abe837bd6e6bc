"""Which documents of the corpus a run takes: all of them in a full sweep, else a fixed sample.

`REDRAFT_SEED` gives random edits another beginning, so that a run does not find what it found.
"""

from __future__ import annotations

import os
from pathlib import Path

BESIDE = Path(__file__).parents[2] / "shared" / "corpus"
EVERY = 6


def is_full_sweep() -> bool:
    return os.environ.get("REDRAFT_SWEEP") == "full"


def seed() -> str:
    """`REDRAFT_SEED`, put behind the name from which a random edit is chosen: other edits."""
    return os.environ.get("REDRAFT_SEED", "")


def corpus_folder() -> Path | None:
    """`REDRAFT_CORPUS`, or `shared/corpus` beside the checkout; None where there is none."""
    folder = Path(os.environ.get("REDRAFT_CORPUS") or BESIDE)
    return folder if (folder / "docx" / "MANIFEST.csv").is_file() else None


def names(kind: str, *, start: int = 0) -> list[str]:
    """Names of the documents to take; the one name `corpus` where the corpus is missing.

    A sample is every sixth name from `start`, so that no one picks what passes.

    Args:
        kind: `docx` or `pdf`, or `bad`: those are always all taken.
        start: Where the sample starts.
    """
    folder = corpus_folder()
    if folder is None:
        return ["corpus"]
    inside = "*.*" if kind == "bad" else f"*.{kind}"
    found = sorted(p.name for p in (folder / kind).glob(inside) if p.name != "MANIFEST.csv")
    return found if kind == "bad" or is_full_sweep() else found[start::EVERY]
