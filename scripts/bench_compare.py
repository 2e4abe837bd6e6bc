"""Measures `redraft compare` over pairs of versions, each result judged by other eyes.

    python -m scripts.bench_compare [--pair NAME] [--remains] [FOLDER ...]

A folder holds pairs as `NAME.before.docx` and `NAME.after.docx`. The judges: pandoc reads the
result with all changes accepted and rejected, and its words are compared with those of both
versions; the judge of law 2 (`engine.docx.judging`) reads blocks, words and formatting; GNU diff
says how few of these words could be marked, which counts where the marks give the second version.
Prints one line a pair, and a table of sums; other programs have
a line of it each where `REDRAFT_PEERS` names the Python that they are installed for
(`scripts/peers.txt`).
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from redraft.engine.compare.redlining import compare
from redraft.engine.docx.accept_reject import part_tree
from redraft.engine.docx.accept_reject.whole_package import settle
from redraft.engine.docx.judging import document_content
from redraft.engine.docx.judging.fingerprint import fingerprint, story_parts
from redraft.engine.docx.opc.package import Package
from redraft.engine.judge.content import Block, Paragraph, Piece
from redraft.engine.report import Signature
from redraft.engine.state import decode
from tests.libreoffice import Job
from tests.libreoffice import settle as settle_files

CORPUS = Path(__file__).parent.parent / ".." / "shared" / "corpus"
FOLDERS = (CORPUS / "docx" / "pairs", CORPUS / "fresh" / "pairs")
AUTHOR = "Comparison"
DRAWN = re.compile(r"[-=+|:]+")
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MARKS = (f"{W}ins", f"{W}del", f"{W}moveFrom", f"{W}moveTo")
TEXT = (f"{W}t", f"{W}delText")
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
# What no reader sees: the language, and whether spelling is checked.
UNSEEN = frozenset({"lang", "noProof", "webHidden", "rsid"})
Blocks = list[tuple[str, tuple[object, ...], list[tuple[str, object]]]]


@dataclass(slots=True)
class Row:
    """What was measured of one pair."""

    name: str
    seconds: float = 0.0
    error: str = ""
    checks: dict[str, bool] = field(default_factory=dict[str, bool])
    marked: int = 0
    smallest: int = 0
    parts: int = 0
    remains: tuple[str, ...] = ()


def pandoc_words(path: Path, side: str) -> list[str]:
    """Returns the words that pandoc reads in a document."""
    command = ["pandoc", f"--track-changes={side}", "-f", "docx", "-t", "plain", "--wrap=none"]
    run = subprocess.run([*command, str(path)], capture_output=True, check=False)
    words = run.stdout.decode("utf-8", "replace").split()
    return [word for word in words if not DRAWN.fullmatch(word)]


def smallest(old: Sequence[str], new: Sequence[str], folder: Path) -> int:
    """Returns how few words are struck and written at least (GNU diff, minimal)."""
    paths = folder / "old.txt", folder / "new.txt"
    for path, words in zip(paths, (old, new), strict=True):
        path.write_text("".join(f"{word}\n" for word in words), "utf-8")
    diff = shutil.which("diff") or "diff"
    run = subprocess.run([diff, "--minimal", *map(str, paths)], capture_output=True, check=False)
    return sum(line[:1] in (b"<", b">") for line in run.stdout.splitlines())


def marked_words(package: Package, base: Package) -> int:
    """Returns how many words stand in insertions and deletions; adjacent marks count as one.

    Those of the authors of the base do not count: LibreOffice takes a name of the document.
    """
    known = {
        mark.get(f"{W}author")
        for part in story_parts(base)
        for mark in base.tree(part).iter(*MARKS)
    } - {AUTHOR}
    count = 0
    for part in story_parts(package):
        texts: list[str] = []
        last = None
        for mark in package.tree(part).iter(*MARKS):
            if mark.get(f"{W}author") in known:
                continue
            shown = [n for n in mark.iter(*TEXT) if next(n.iterancestors(FALLBACK), None) is None]
            text = "".join(node.text or "" for node in shown)
            before = mark.getprevious()
            if texts and before is not None and before is last and before.tag == mark.tag:
                texts[-1] += text
            else:
                texts.append(text)
            last = mark
        count += sum(len(text.split()) for text in texts)
    return count


def settled(data: bytes, action: part_tree.Action) -> Package:
    """Returns a document with all its changes accepted or rejected."""
    package = Package.open(data)
    marks = {p: list(part_tree.revisions(package.tree(p))) for p in story_parts(package)}
    marked = {part: found for part, found in marks.items() if found}
    if marked:
        settle(package, marked, action, is_last=True)
    return Package.open(package.save())


def blocks(package: Package, kinds: Sequence[str]) -> Blocks:
    """Returns the paragraphs of some kinds of stories: text, shape, look of each stretch."""
    content = document_content.content(package, package)
    found: Blocks = []
    for story in content.stories.values():
        if story.kind in kinds:
            found += list(_paragraphs(story.blocks))
    return found


def _paragraphs(
    holder: Sequence[Block],
) -> Iterator[tuple[str, tuple[object, ...], list[tuple[str, object]]]]:
    for block in holder:
        content = block.opened()
        if isinstance(content, Paragraph):
            shape = content.shape
            assert shape is not None
            names = shape.style_names or {"normal"}
            said: tuple[object, ...] = (
                tuple(sorted(names)),
                shape.listed,
                shape.level,
                tuple(p for p in shape.properties if p[0] not in UNSEEN),
            )
            yield content.text, said, _looks(content.pieces)
            for box in content.boxes:
                yield from _paragraphs(box)
        else:
            for row in content.rows:
                yield "row", (), []
                for cell in row.cells:
                    yield from _paragraphs(cell.blocks)


def _looks(pieces: Sequence[Piece]) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for piece in pieces:
        look = tuple(p for p in piece.look if p[0] not in UNSEEN), piece.link
        if not piece.text.strip():
            continue
        text = piece.text.strip()
        if found and found[-1][1] == look:
            found[-1] = found[-1][0] + " " + text, look
        else:
            found.append((text, look))
    return [("".join(text.split()), look) for text, look in found]


def redraft(old: Path, new: Path, target: Path) -> tuple[str, ...]:
    """Compares with redraft; returns what it says remains."""
    signature = Signature("bench", AUTHOR, "2026-01-01T00:00:00Z", tracked=True)
    found = compare(old.read_bytes(), new.read_bytes(), signature)
    target.write_bytes(found.data)
    package, base = Package.open(found.data), Package.open(old.read_bytes())
    ours = decode(found.state).ours if found.state else ()
    # A part that was made for notes holds two separators once these are rejected.
    rejected, first = fingerprint(package, ours), fingerprint(base, ())
    if any(rejected.get(part) != told for part, told in first.items()):
        message = "rejecting does not give the first version"
        raise AssertionError(message)
    return found.remains


PEERS = {
    "python-redlines": (
        "python_redlines",
        "from python_redlines import DocxodusEngine as E\n"
        "Path(target).write_bytes(E().run_redline('Comparison', Path(old), Path(new))[0])",
    ),
    "jubarte": (
        "jubarte_redlines",
        "from jubarte_redlines import compare_documents as c\n"
        "data = c(Path(old).read_bytes(), Path(new).read_bytes(), author='Comparison')\n"
        "Path(target).write_bytes(data)",
    ),
    "docx-redline": (
        "docx_redline",
        "from docx_redline import redline_files as c\nc(old, new, target, author='Comparison')",
    ),
}
"""Other programs: the module that is looked for, and what compares two files with it."""


def peer(code: str) -> Callable[[Path, Path, Path], tuple[str, ...]]:
    """Returns what compares with another program, in a process of its own."""

    def compared(old: Path, new: Path, target: Path) -> tuple[str, ...]:
        target.unlink(missing_ok=True)
        lines = f"import sys\nfrom pathlib import Path\nold, new, target = sys.argv[1:]\n{code}"
        command = [os.environ["REDRAFT_PEERS"], "-c", lines, *map(str, (old, new, target))]
        run = subprocess.run(command, capture_output=True, check=False, timeout=300)
        if run.returncode or not target.exists():
            said = run.stderr.decode("utf-8", "replace").strip().splitlines()
            message = said[-1] if said else "it wrote nothing"
            raise RuntimeError(message)
        return ()

    return compared


def tools() -> dict[str, Callable[[Path, Path, Path], tuple[str, ...]]]:
    """Returns what compares: redraft, and the other programs that are installed."""
    found: dict[str, Callable[[Path, Path, Path], tuple[str, ...]]] = {"redraft": redraft}
    python = os.environ.get("REDRAFT_PEERS")
    for name, (module, code) in PEERS.items() if python else ():
        command = [str(python), "-c", f"import {module}"]
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:
            found[name] = peer(code)
    if python and shutil.which("soffice"):
        found["LibreOffice"] = libreoffice
    return found


def libreoffice(old: Path, new: Path, target: Path) -> tuple[str, ...]:
    """Compares copies of two files with LibreOffice Writer, which may lock what it opens."""
    target.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copies = [folder / "old.docx", folder / "new.docx"]
        for path, copy in zip((old, new), copies, strict=True):
            copy.write_bytes(path.read_bytes())
        job = Job(copies[1], target, "compare", copies[0])
        settle_files(shutil.which("soffice") or "soffice", [job], folder)
    if not target.exists():
        message = "it wrote nothing"
        raise RuntimeError(message)
    return ()


def measured(
    tool: Callable[[Path, Path, Path], tuple[str, ...]], old: Path, new: Path, folder: Path
) -> Row:
    """Compares one pair and judges the result."""
    row = Row(old.name.removesuffix(".before.docx"))
    target = folder / "redline.docx"
    start = time.process_time()
    try:
        row.remains = tool(old, new, target)
    except Exception as error:  # a peer may fail in any way
        row.error = f"{type(error).__name__}: {error}"
        return row
    row.seconds = time.process_time() - start
    try:
        _judge(row, old, new, target, folder)
    except Exception as error:  # what a peer wrote may be no document
        row.error = f"{type(error).__name__}: {error}"
    return row


def _judge(row: Row, old: Path, new: Path, target: Path, folder: Path) -> None:
    before, after = settled(old.read_bytes(), "accept"), settled(new.read_bytes(), "accept")
    accepted = settled(target.read_bytes(), "accept")
    body, everywhere = ("body",), ("body", "header", "footer", "footnote", "endnote")
    found, wanted = blocks(accepted, everywhere), blocks(after, everywhere)
    everything = blocks(before, everywhere)
    rejected = blocks(settled(target.read_bytes(), "reject"), everywhere)
    row.checks["A exact"] = rejected == everything
    row.checks["reject=A"] = pandoc_words(target, "reject") == pandoc_words(old, "reject")
    words, goal = pandoc_words(target, "accept"), pandoc_words(new, "accept")
    row.checks["accept=B"] = words == goal
    row.checks["blocks"] = [b[0] for b in found] == [b[0] for b in wanted]
    row.checks["body"] = [b[0] for b in blocks(accepted, body)] == [
        b[0] for b in blocks(after, body)
    ]
    row.checks["shapes"] = [b[:2] for b in found] == [b[:2] for b in wanted]
    row.checks["looks"] = [b[2] for b in found] == [b[2] for b in wanted]
    package, base = Package.open(target.read_bytes()), Package.open(old.read_bytes())
    row.marked = marked_words(package, base)
    sides = [[word for block in side for word in block[0].split()] for side in (everything, wanted)]
    row.smallest = smallest(sides[0], sides[1], folder)
    stories = set(story_parts(package))
    row.parts = sum(
        not base.has(name) or base.read(name) != package.read(name)
        for name in package.names()
        if name not in stories
    )


def pairs(folders: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """Yields the pairs of some folders."""
    for folder in folders:
        for old in sorted(folder.glob("*before.docx")):
            new = old.with_name(old.name.replace("before.docx", "after.docx"))
            if new.exists():
                yield old, new


def _line(row: Row) -> str:
    if row.error:
        return f"{row.name[:44]:44}  {row.error[:90]}"
    checks = " ".join("yes" if good else " no" for good in row.checks.values())
    figures = f"{row.marked:6} {row.smallest:6} {row.parts:3} {row.seconds:6.2f}"
    return f"{row.name[:44]:44} {checks} {figures}"


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # pyright: ignore[reportOptionalMemberAccess]
    parser.add_argument("folders", nargs="*", type=Path, default=list(FOLDERS))
    parser.add_argument("--pair", default="")
    parser.add_argument("--remains", action="store_true")
    options = parser.parse_args()
    results: dict[str, list[Row]] = {}
    chosen = [pair for pair in pairs(options.folders) if options.pair in pair[0].name]
    with tempfile.TemporaryDirectory() as name:
        for tool, run in tools().items():
            print(f"\n{tool}")
            rows = results.setdefault(tool, [])
            for old, new in chosen:
                row = measured(run, old, new, Path(name))
                rows.append(row)
                print(_line(row), flush=True)
                for sentence in row.remains if options.remains else ():
                    print(f"    {sentence}")
    _print_sums(results)
    return 0 if all(not row.error for row in results["redraft"]) else 1


def _print_sums(results: dict[str, list[Row]]) -> None:
    """Prints a line for each program: of how many pairs each holds, and how much it marked."""
    checks = list(next(row.checks for row in results["redraft"] if row.checks))
    names = "".join(f"{name:>10}" for name in ("made", *checks))
    print(f"\n{'':16}{names}{'<=1.05':>10}{'marked':>10}{'parts':>10}")
    for tool, rows in results.items():
        made = [row for row in rows if not row.error]
        sums = [len(made), *(sum(row.checks[check] for row in made) for check in checks)]
        sums.append(sum(row.checks["blocks"] and row.marked <= 1.05 * row.smallest for row in made))
        marked, least = sum(row.marked for row in made), sum(row.smallest for row in made)
        figures = "".join(f"{figure:10}" for figure in sums)
        parts = sum(row.parts for row in made)
        print(f"{tool:16}{figures}{marked / max(least, 1):10.2f}{parts:10}")
    print(f"of {len(results['redraft'])} pairs; marked: words in marks to the fewest possible")


if __name__ == "__main__":
    sys.exit(main())
