"""Every document of the corpus is read, takes one tracked replacement, and keeps the laws.

The judge is `tests.oracle`, which shares no code with the engine, and pandoc beside it.
"""

from __future__ import annotations

import io
import re
import subprocess
import zipfile
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import pytest
from lxml import etree

from redraft.engine import editor
from redraft.engine.errors import EngineError, NotFoundError, RefusedError
from redraft.engine.model import Revision
from redraft.engine.plan import EditPlan, FindReplace
from redraft.engine.report import Signature, StoredVersion
from tests.documents import names
from tests.oracle import Node, Paragraph, accept, authors, judged, keep, members, only, parse, texts

pytestmark = pytest.mark.corpus

AUTHOR = "Corpus Reviewer 7"
NEW = "Quixotry"
SIGNED = Signature(
    "0c7c7f5e-8a41-4b0e-9d5c-1f4b1a2e9c11", AUTHOR, "2026-11-21T06:30:00Z", tracked=True
)
TRIES = 6

# No paragraph of these holds a word.
WORDLESS = {
    "oxsdk__2D-Column-O12-Word-Charts.docx": "one chart, no paragraph with text",
    "tika__testAltChunkHTML.docx": "the text is an embedded HTML file",
}
# What pandoc cannot judge (Debian's 2.17).
PANDOC_ERRS = {
    "docling__docx_code_blocks.docx": "pandoc leaves tracked runs out of paragraphs of code",
    "mammoth__strict-format.docx": "pandoc does not open Strict files",
    "oxsdk__Strict01.docx": "pandoc does not open Strict files",
}


@dataclass(frozen=True, slots=True)
class Edited:
    """A document before and after one replacement of a word, tracked and untracked."""

    name: str
    before: bytes
    word: str
    after: bytes
    untracked: bytes
    clean: bytes
    changes: tuple[Revision, ...]


def takes() -> list[str]:
    return [name for name in names("docx") if name not in WORDLESS]


def candidates(markdown: str, before: bytes) -> list[str]:
    """Distinct words of the Markdown that stand in the document, from the middle on."""
    body = " ".join(t for held in texts(judged(before, accept)).values() for t in held)
    known = set(re.findall(r"\w+", body))
    found = [w for w in re.findall(r"[^\W\d_]{4,}", markdown) if w in known]
    distinct = list(dict.fromkeys(found or [w for w in re.findall(r"\w+", markdown) if w in known]))
    middle = len(distinct) // 2
    return distinct[middle:] + distinct[:middle]


def plan(word: str) -> EditPlan:
    return EditPlan("edit", "", (FindReplace(word, NEW, match_case=True, whole_word=True),))


@lru_cache(maxsize=2)
def edited(source: Path, folder: Path) -> Edited:
    before = source.read_bytes()
    state = editor.inspect(source, source.name).state
    target, plain, clean = (folder / f"{kind}.docx" for kind in ("tracked", "plain", "clean"))
    refused: list[str] = []
    for word in candidates(editor.read(StoredVersion(source)).markdown, before)[:TRIES]:
        try:
            report = editor.edit(StoredVersion(source, state), target, plan(word), SIGNED)
        except (NotFoundError, RefusedError) as error:
            refused.append(f"{word}: {error}")
            continue
        assert report.applied, report.summary
        editor.edit(StoredVersion(source, state), plain, plan(word), replace(SIGNED, tracked=False))
        editor.clean(StoredVersion(target, report.state), clean)
        changes = editor.changes(StoredVersion(target, report.state))
        after, untracked, accepted = (path.read_bytes() for path in (target, plain, clean))
        return Edited(source.name, before, word, after, untracked, accepted, changes)
    pytest.fail(f"no word of {source.name} can be replaced: {refused}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("corpus")


@pytest.fixture(params=takes(), scope="module")
def document(request: pytest.FixtureRequest, corpus: Path, folder: Path) -> Edited:
    return edited(corpus / "docx" / str(request.param), folder)


def test_rejecting_our_marks_gives_the_upload(document: Edited) -> None:
    assert judged(document.after, only(AUTHOR, "reject")) == judged(document.before, keep)


def has_field(paragraph: Paragraph) -> bool:
    """Whether a paragraph holds a field; its result is not the text's own."""
    things = [piece.thing for piece in paragraph.pieces if piece.thing is not None]
    return any("fldChar" in str(thing) or "fldSimple" in str(thing) for thing in things)


def test_accepting_our_marks_gives_the_text_with_the_word_replaced(document: Edited) -> None:
    before = judged(document.before, accept)
    after = judged(document.after, accept)
    whole = rf"(?<!\w){re.escape(document.word)}(?!\w)"
    hits = 0
    for part, paragraphs in before.items():
        assert len(after[part]) == len(paragraphs)
        for old, new in zip(paragraphs, after[part], strict=True):
            pieces = [re.escape(piece) for piece in re.split(whole, old.text)]
            assert re.fullmatch(f"(?:{document.word}|{NEW})".join(pieces), new.text), new.text
            hits += new.text.count(NEW)
            # The result of a field is computed, and a box may be stored twice for old readers.
            if not has_field(old) and "box" not in old.frame:
                assert not re.search(whole, new.text), new.text
    assert hits > 0


def test_members_that_hold_no_change_are_copied_byte_for_byte(document: Edited) -> None:
    before, after = (raw_members(data) for data in (document.before, document.after))
    assert list(before) == list(after)
    changed = {name for name in before if before[name] != after[name]}
    old, new = (texts(judged(data, accept)) for data in (document.before, document.after))
    assert changed == {name for name in old if old[name] != new[name]}


def raw_members(data: bytes) -> dict[str, tuple[object, bytes]]:
    """Give each member as it lies in the file: its date, its method and its deflated bytes."""
    found: dict[str, tuple[object, bytes]] = {}
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        for member in package.infolist():
            start = member.header_offset + 30
            name, extra = data[start - 4 : start - 2], data[start - 2 : start]
            start += int.from_bytes(name, "little") + int.from_bytes(extra, "little")
            kept = (member.date_time, member.compress_type, member.external_attr, member.CRC)
            found[member.filename] = (kept, data[start : start + member.compress_size])
    return found


def test_an_untracked_edit_leaves_no_mark_of_ours_and_every_other(document: Edited) -> None:
    assert authors(document.untracked) == authors(document.before)
    assert judged(document.untracked, keep) == judged(document.after, only(AUTHOR, "accept"))


def test_the_clean_download_is_the_redline_with_our_marks_accepted(document: Edited) -> None:
    assert authors(document.clean) == authors(document.before)
    assert judged(document.clean, keep) == judged(document.after, only(AUTHOR, "accept"))


def test_the_changes_say_who_wrote_what(document: Edited) -> None:
    ours = [change for change in document.changes if change.is_ours]
    assert ours
    assert {change.author for change in ours} == {AUTHOR}
    assert {edit for change in ours for edit in change.edits} == {SIGNED.edit_uid}
    assert all(change.after in ("", NEW) or NEW in change.after for change in ours)


def marks_of(data: bytes) -> list[tuple[str, bool]]:
    """Give the ids of all revision marks, and whether each is ours."""
    found: list[tuple[str, bool]] = []
    held = members(data)
    for name in judged(data, keep):
        for node in parse(held[name]).iter():
            author = [v for k, v in node.attrib.items() if str(k).endswith("}author")]
            number = [str(v) for k, v in node.attrib.items() if str(k).endswith("}id")]
            if author and number and not str(node.tag).endswith("}comment"):
                found.append((number[0], author == [AUTHOR]))
    return found


def test_our_marks_have_numbers_of_their_own(document: Edited) -> None:
    numbers = marks_of(document.after)
    ours = [number for number, is_ours in numbers if is_ours]
    assert ours
    assert len(set(ours)) == len(ours)
    assert not set(ours) & {number for number, is_ours in numbers if not is_ours}


def test_no_new_fault_against_the_schema(document: Edited, corpus: Path) -> None:
    before, after = (members(data) for data in (document.before, document.after))
    for name in judged(document.before, keep):
        if before[name] != after[name]:
            new = faults(parse(after[name]), corpus) - faults(parse(before[name]), corpus)
            assert new == set(), name


@lru_cache(maxsize=1)
def schema(path: Path) -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(str(path)))


def faults(root: Node, corpus: Path) -> set[str]:
    """Name the kinds of schema faults, without the lines and the values they are about."""
    transitional = etree.tostring(root).replace(
        b"http://purl.oclc.org/ooxml/wordprocessingml/main",
        b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    )
    judge = schema(corpus.parent / "schemas" / "ooxml" / "wml.xsd")
    judge.validate(parse(transitional))
    return {
        re.sub(r"^.*?:\d+:\d+:|'[^'{}]*'", "", line) for line in str(judge.error_log).split("\n")
    }


@pytest.mark.program
@pytest.mark.parametrize("choice", ["accept", "reject"])
def test_pandoc_agrees(document: Edited, choice: str, pandoc: Path, tmp_path: Path) -> None:
    """With all marks rejected it is the upload so; with all accepted it is the clean copy so."""
    if document.name in PANDOC_ERRS:
        return
    other = document.clean if choice == "accept" else document.before
    said = [plain(data, choice, pandoc, tmp_path) for data in (document.after, other)]
    assert said[0] == said[1]


def plain(data: bytes, choice: str, pandoc: Path, folder: Path) -> str:
    path = folder / "one.docx"
    path.write_bytes(data)
    command = [
        pandoc,
        "-f",
        "docx",
        "-t",
        "plain",
        "--wrap=none",
        f"--track-changes={choice}",
        path,
    ]
    done = subprocess.run(command, capture_output=True, timeout=120, check=True)
    return done.stdout.decode("utf-8")


@pytest.mark.parametrize("name", names("docx", start=1))
def test_every_document_is_read(name: str, corpus: Path) -> None:
    source = corpus / "docx" / name
    assert editor.inspect(source, name).format == "docx"
    markdown = editor.read(StoredVersion(source)).markdown
    markdown.encode("utf-8")
    assert bool(candidates(markdown, source.read_bytes())) == (name not in WORDLESS)


def answer(source: Path) -> tuple[bool, str]:
    """Inspect and read a file: whether that went well, and the Markdown or the sentence."""
    try:
        editor.inspect(source, source.name)
        return True, editor.read(StoredVersion(source)).markdown
    except EngineError as error:
        return False, str(error)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", names("bad"))
def test_every_broken_file_is_read_or_refused_in_a_sentence(name: str, corpus: Path) -> None:
    is_read, text = answer(corpus / "bad" / name)
    if is_read:
        assert "root:x:0" not in text
    else:
        assert len(text) > 20
        assert " " in text
