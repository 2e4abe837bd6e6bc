"""Other engines settle our redlines as the standard says, but for what each of them cannot do."""

from __future__ import annotations

import contextlib
import itertools
import random
import re
from pathlib import Path

import pytest

from redraft.engine.docx.apply import apply, initial_state
from redraft.engine.errors import EditError
from redraft.engine.plan import (
    DeleteBlocks,
    DeleteColumn,
    DeleteRow,
    EditPlan,
    FindReplace,
    FormatText,
    InsertBlocks,
    InsertBreak,
    InsertColumn,
    InsertFootnote,
    InsertRow,
    InsertTable,
    MergeBlocks,
    MoveBlocks,
    Operation,
    ReplaceText,
    RewriteBlock,
    SetCell,
    SetList,
    SetParagraph,
    SetStyle,
    SplitBlock,
)
from redraft.engine.report import Signature
from tests.documents import is_full_sweep, names, seed
from tests.engine.docx.hunting import Scene, sensible
from tests.engine.docx.test_hunt import full
from tests.engine.redlining import DATE, US
from tests.engine.wordml import docx, p, r, table
from tests.engine_limits import LIMITS, STYLES, Engine, Limit
from tests.oracle import accept, judged, keep, members, texts
from tests.second_opinions import (
    Program,
    Version,
    by_docxodus,
    by_libreoffice,
    by_pandoc,
    disagreements,
)


@pytest.fixture
def programs(soffice: Path, pandoc: Path, docxodus: tuple[Path, Path]) -> dict[Engine, Program]:
    return {
        "LibreOffice": by_libreoffice(soffice),
        "Docxodus": by_docxodus(*docxodus),
        "pandoc": by_pandoc(pandoc),
    }


def numbered(body: str) -> str:
    """The body with an id of its own for every mark; the ends of ranges name their beginning."""
    ids = itertools.count(101)
    return re.sub(r'w:id="[4-9]" w:author', lambda _: f'w:id="{next(ids)}" w:author', body)


def shown(limit: Limit) -> Version:
    """The file of a limit between what the standard leaves of it when all is settled."""
    marked, left = (
        docx(
            numbered(body),
            styles=STYLES,
            settings=limit.settings,
            footnotes=limit.footnotes,
            strict=limit.is_strict,
        )
        for body in (limit.body, limit.left)
    )
    return Version(limit.what, left, marked, left)


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: f"{limit.engine}: {limit.what}")
def test_the_standard_leaves_of_the_file_of_a_limit_what_the_list_says(limit: Limit) -> None:
    version = shown(limit)
    settled = judged(version.redline, accept if limit.action == "accept" else lambda _: "reject")
    assert texts(settled) == texts(judged(version.upload, keep))


@pytest.mark.parametrize("engine", ["LibreOffice", "Docxodus", "pandoc"])
def test_a_listed_limit_is_one(
    engine: Engine, programs: dict[Engine, Program], tmp_path: Path
) -> None:
    listed = [limit for limit in LIMITS if limit.engine == engine]
    told = disagreements(programs[engine], [shown(limit) for limit in listed], tmp_path)
    apart = {(each.name, each.action) for each in told}
    assert [limit.what for limit in listed if (limit.what, limit.action) not in apart] == []


WORDING = (ReplaceText, RewriteBlock, FindReplace, FormatText)
WHOLE = (DeleteBlocks, InsertBlocks, InsertRow, DeleteRow, SetCell, SetParagraph)
KINDS: dict[Engine, tuple[type[Operation], ...]] = {
    "LibreOffice": (*WORDING, *WHOLE, SplitBlock),
    "Docxodus": (
        *(*WORDING, *WHOLE, SplitBlock, MergeBlocks, InsertTable, InsertColumn, InsertFootnote),
        *(SetStyle, SetList, MoveBlocks, InsertBreak),
    ),
    "pandoc": (*WORDING, *WHOLE, InsertColumn, DeleteColumn, InsertTable, InsertBreak),
}
"""What each program is asked about; the rest runs into a limit that is listed."""
LIMITED: dict[Engine, tuple[bytes, ...]] = {
    "LibreOffice": (b"<w:sdt>", b"<w:documentProtection", b"<w:txbx", b"<w:framePr"),
    "Docxodus": (b"purl.oclc.org/ooxml/wordprocessingml",),
    "pandoc": (b"<m:oMath",),
}
"""What a document has in which a listed limit lies."""
EDITS = 4
DOCUMENTS = 10_000 if is_full_sweep() else 12
LARGEST = 400_000 if is_full_sweep() else 60_000


def edited(name: str, upload: bytes, kinds: tuple[type[Operation], ...]) -> Version | None:
    """A document after some tracked edits of some kinds; None where none can be made."""
    chance = random.Random(f"{name}{seed()}")  # noqa: S311  # a repeatable choice of edits, not a secret
    data, state, made = upload, initial_state(upload), 0
    for number in range(EDITS * 12):
        operation = sensible(Scene(data, state, chance))
        if not isinstance(operation, kinds) or made == EDITS:
            continue
        signature = Signature(f"e{number}", US, DATE, tracked=True)
        with contextlib.suppress(EditError):
            data, report = apply(data, state, EditPlan("edit", "", (operation,)), signature)
            state, made = report.state, made + report.applied
    return Version.of(name, upload, data, state) if made else None


def made_up() -> list[tuple[str, bytes]]:
    """Documents with something of every kind."""
    return [(f"made up {number}", full(number).data) for number in range(4)]


def of_the_corpus(folder: Path) -> list[tuple[str, bytes]]:
    """Documents that are not too large."""
    uploads = ((name, (folder / "docx" / name).read_bytes()) for name in names("docx", start=3))
    return [(name, data) for name, data in uploads if len(data) < LARGEST][:DOCUMENTS]


def is_in_reach(engine: Engine, upload: bytes) -> bool:
    """Whether a document has nothing in which a listed limit lies."""
    held = b"".join(data for name, data in members(upload).items() if name.endswith(".xml"))
    return not any(mark in held for mark in LIMITED[engine])


MOVES: dict[str, tuple[MoveBlocks, ...]] = {
    "down": (MoveBlocks("p2", "p2", "p4", "after"),),
    "up": (MoveBlocks("p5", "p5", "p2", "before"),),
    "two paragraphs": (MoveBlocks("p1", "p2", "p4", "after"),),
    "two moves": (MoveBlocks("p1", "p1", "p2", "after"), MoveBlocks("p5", "p5", "p4", "before")),
    "over a table": (MoveBlocks("p3", "p3", "p5", "after"),),
}
"""Moves of words, which are written as such (17.13.5.21 to 17.13.5.28)."""


def moved() -> list[Version]:
    """Redlines with native moves."""
    blocks = (p("One"), p(r("Two", "<w:b/>"), " words"), p("Three"), table(["a", "b"]))
    upload = docx("".join([*blocks, p("Four"), p("Five"), p("Six")]))
    made: list[Version] = []
    for name, operations in MOVES.items():
        signature = Signature("e1", US, DATE, tracked=True)
        plan = EditPlan("edit", "", operations)
        data, report = apply(upload, initial_state(upload), plan, signature)
        made.append(Version.of(f"move {name}", upload, data, report.state))
    return made


@pytest.mark.parametrize("engine", ["LibreOffice", "Docxodus", "pandoc"])
def test_moves_are_settled_alike(
    engine: Engine, programs: dict[Engine, Program], tmp_path: Path
) -> None:
    versions = moved()
    for version in versions:
        assert b"moveFromRangeStart" in members(version.redline)["word/document.xml"]
    limited = ("over a table",) if engine == "LibreOffice" else ()
    asked = [version for version in versions if not version.name.endswith(limited)]
    assert [str(each) for each in disagreements(programs[engine], asked, tmp_path)] == []


@pytest.mark.parametrize("engine", ["LibreOffice", "Docxodus", "pandoc"])
def test_redlines_of_made_up_documents_are_settled_alike(
    engine: Engine, programs: dict[Engine, Program], tmp_path: Path
) -> None:
    settled_alike(engine, made_up(), programs[engine], tmp_path)


@pytest.mark.corpus
@pytest.mark.parametrize("engine", ["LibreOffice", "Docxodus", "pandoc"])
def test_redlines_of_real_documents_are_settled_alike(
    engine: Engine, programs: dict[Engine, Program], corpus: Path, tmp_path: Path
) -> None:
    settled_alike(engine, of_the_corpus(corpus), programs[engine], tmp_path)


def settled_alike(
    engine: Engine, uploads: list[tuple[str, bytes]], program: Program, folder: Path
) -> None:
    """See that a program leaves of redlines what it reads of their two ends."""
    versions = [
        version
        for name, upload in uploads
        if is_in_reach(engine, upload) and (version := edited(name, upload, KINDS[engine]))
    ]
    assert versions
    assert [str(each) for each in disagreements(program, versions, folder)] == []
