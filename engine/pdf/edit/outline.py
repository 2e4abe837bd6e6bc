"""The outline follows a heading that gets another text (ISO 32000-2, 12.3.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from redraft.engine.model import Heading
from redraft.engine.pdf.glyphs.target_blocks import Target
from redraft.engine.pdf.resolved_edits import Edits, changed
from redraft.engine.pdf.stream import objects

_SPACES = re.compile(r"\s+")
MOST = 20_000


def rename(document: Any, known: Sequence[Target], edits: Edits) -> dict[str, str]:
    """Renames the entries of changed headings; gives the new title of each old one.

    Of several entries with the same title none is renamed: which one is meant cannot be told.
    """
    wanted: dict[str, str] = {}
    for target in known:
        if isinstance(target.block, Heading) and target.anchor in edits.changes:
            new = changed(target.text, edits.changes[target.anchor])
            for lead in (f"{target.label} " if target.label else "", ""):
                wanted[_plain(lead + target.text)] = _plain(lead + new)
    if not wanted:
        return {}
    entries: dict[str, list[Any]] = {}
    for entry in _entries(objects.entry(document.Root, "/Outlines", "/First")):
        entries.setdefault(_plain(str(entry.get("/Title", ""))), []).append(entry)
    return _renamed(entries, wanted)


def _renamed(entries: Mapping[str, Sequence[Any]], wanted: Mapping[str, str]) -> dict[str, str]:
    import pikepdf

    done: dict[str, str] = {}
    for old, new in wanted.items():
        titled = entries.get(old, ())
        if len(titled) == 1 and new:
            titled[0][pikepdf.Name.Title] = pikepdf.String(new)
            done[old] = new
    return done


def _entries(first: Any) -> Iterator[Any]:
    """Walks the outline; a chain that runs in a circle ends."""
    waiting = [first]
    seen: set[tuple[int, int]] = set()
    while waiting and len(seen) < MOST:
        entry = waiting.pop()
        if objects.entry(entry, "/Title") is None or objects.identity(entry) in seen:
            continue
        seen.add(objects.identity(entry))
        yield entry
        waiting += [objects.entry(entry, "/Next"), objects.entry(entry, "/First")]


def _plain(text: str) -> str:
    return _SPACES.sub(" ", text).strip()
