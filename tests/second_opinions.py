"""Programs that are not ours as judges of a redline: each settles or validates by its own rules.

Every one is asked before and after an edit, so that what it makes of the document itself counts for
nothing: what is left when all changes are rejected must be what it reads of the upload, what is
left when all are accepted what it reads of the copy in which ours are accepted.
`docs/word-compatibility.md` lists the limits of each.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, cast

from redraft.engine.docx.changes.accept_or_reject import clean
from tests import libreoffice
from tests.libreoffice import Action, Job
from tests.oracle import judged, keep

Reading: TypeAlias = tuple[str, ...]
"""The paragraphs that say something, part by part, each with what it stands in."""
Settle: TypeAlias = Callable[[Sequence[Job], Path], None]
"""Settles files; writes nothing for one that it cannot settle. The folder is its own."""

BLANKS = re.compile(r"[ \u00a0\u200b]+")
_SETTLER = Path(__file__).with_name("docxodus_settle.mjs")
_SECONDS = 600
_ACTIONS: tuple[Action, ...] = ("reject", "accept")


@dataclass(frozen=True, slots=True)
class Program:
    """A program that settles files, and how what it leaves is read."""

    settle: Settle
    read: Callable[[bytes], Reading]


@dataclass(frozen=True, slots=True)
class Version:
    """An edited document: upload, redline, and the copy in which our changes are accepted."""

    name: str
    upload: bytes
    redline: bytes
    accepted: bytes

    @classmethod
    def of(cls, name: str, upload: bytes, redline: bytes, state: bytes) -> Version:
        """The version of a redline and its state."""
        return cls(name, upload, redline, clean(redline, state))


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Where an engine reads something else in a redline than in what the redline stands for."""

    name: str
    action: Action
    expected: Reading
    settled: Reading

    def __str__(self) -> str:
        place = next(
            (
                index
                for index, (one, other) in enumerate(zip(self.expected, self.settled, strict=False))
                if one != other
            ),
            min(len(self.expected), len(self.settled)),
        )
        expected, settled = self.expected[place : place + 5], self.settled[place : place + 5]
        return f"{self.name}, {self.action}, paragraph {place}: {expected} became {settled}"


def by_libreoffice(soffice: Path) -> Program:
    """LibreOffice Writer, by the commands of its menu."""

    def settle(jobs: Sequence[Job], folder: Path) -> None:
        libreoffice.settle(soffice, jobs, folder)

    return Program(settle, reading)


def by_docxodus(node: Path, library: Path) -> Program:
    """Docxodus, an engine of its own, in WebAssembly."""

    def settle(jobs: Sequence[Job], folder: Path) -> None:
        listed = folder / "docxodus.txt"
        lines = (f"{job.source}\t{job.target}\t{job.action}\n" for job in jobs)
        listed.write_text("".join(lines), encoding="utf-8")
        call = [str(node), str(_SETTLER), str(library), str(listed)]
        with (folder / "docxodus.err").open("w") as told:
            subprocess.run(call, check=True, stderr=told, timeout=_SECONDS)

    return Program(settle, reading)


def by_pandoc(pandoc: Path) -> Program:
    """Pandoc: words only, without blanks, since it reads no change of formatting or of columns."""

    def settle(jobs: Sequence[Job], folder: Path) -> None:
        for job in jobs:
            call = [str(pandoc), f"--track-changes={job.action}", "-f", "docx", "-t", "json"]
            done = subprocess.run([*call, str(job.source)], capture_output=True, timeout=_SECONDS)
            if done.returncode == 0:
                job.target.write_bytes(done.stdout)

    return Program(settle, _in_pandoc)


def _in_pandoc(data: bytes) -> Reading:
    words = "".join(_words(json.loads(data)["blocks"]))
    return tuple(re.findall(r".{1,60}", words.lower()))


def _words(node: object) -> Iterator[str]:
    """The words below a node of a pandoc document, in order."""
    if isinstance(node, dict):
        pair = cast("dict[str, object]", node)
        content = pair.get("c")
        if pair.get("t") == "Str":
            yield re.sub(r"\s+", "", str(content))
        elif pair.get("t") == "Math":
            yield str(cast("list[object]", content)[-1])
        else:
            yield from _words(content)
    elif isinstance(node, list):
        for child in cast("list[object]", node):
            yield from _words(child)


def disagreements(
    program: Program, versions: Sequence[Version], folder: Path
) -> Iterator[Disagreement]:
    """Gives where an engine settles a redline to something else than it reads of its two ends.

    A version of which the engine cannot settle an end is passed over; one of which it cannot settle
    the redline is a disagreement.
    """
    pairs: list[tuple[Version, Action, Job, Job]] = []
    for index, version in enumerate(versions):
        redline = _written(folder / f"{index}-redline.docx", version.redline)
        ends: dict[Action, bytes] = {"reject": version.upload, "accept": version.accepted}
        for action in _ACTIONS:
            end = _written(folder / f"{index}-{action}-end.docx", ends[action])
            settled = folder / f"{index}-{action}-settled.docx"
            pairs.append(
                (
                    version,
                    action,
                    Job(end, folder / f"{index}-{action}-expected.docx", action),
                    Job(redline, settled, action),
                )
            )
    program.settle([job for _, _, *jobs in pairs for job in jobs], folder)
    for version, action, end, redline in pairs:
        if not end.target.exists():
            continue
        expected = program.read(end.target.read_bytes())
        settled = (
            program.read(redline.target.read_bytes()) if redline.target.exists() else ("nothing",)
        )
        if expected != settled:
            yield Disagreement(version.name, action, expected, settled)


def _written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def reading(data: bytes) -> Reading:
    """What a file says: paragraphs with what they stand in, empty ones too, story by story."""
    stories: list[tuple[str, ...]] = []
    for name, paragraphs in sorted(judged(data, keep).items()):
        if "comments" in name:
            continue
        kind = re.sub(r"\W|\d", "", name.removeprefix("word/").removesuffix(".xml"))
        lines = [
            (tuple(tag.split()[0] for tag in paragraph.frame), BLANKS.sub(" ", paragraph.text))
            for paragraph in paragraphs
            if paragraph.properties is None or paragraph.properties[0].endswith("}pPr")
        ]
        stories.append(tuple(f"{kind} {'/'.join(frame)} {text.strip()}" for frame, text in lines))
    return tuple(line for story in sorted(stories) for line in story)


def audit(file: Path) -> set[str]:
    """What openxml-audit, a port of the validator of the Open XML SDK, finds wrong, by kind."""
    from openxml_audit import OpenXmlValidator  # pyright: ignore[reportMissingTypeStubs]  # it has none

    result = OpenXmlValidator(max_errors=0).validate(file)
    return {_kind(error.description) for error in result.errors}


def integrity(file: Path) -> set[str]:
    """What docx-integrity finds wrong with a file by itself, by kind."""
    from docx_integrity import ERROR, WARN, check  # pyright: ignore[reportMissingTypeStubs]  # it has none

    return {
        f"{finding.code} {_kind(finding.message)}"
        for finding in check(file)
        if finding.severity in (ERROR, WARN)
    }


def _kind(sentence: str) -> str:
    """A sentence without the numbers of one document; zero is a value like a name."""
    return re.sub(r"\b(?!0\b)[0-9]+\b|\b[0-9A-F]{8}\b", "#", sentence)


def brought(validate: Callable[[Path], set[str]], version: Version, folder: Path) -> set[str]:
    """The kinds of problems of a redline that its upload has not."""
    before = validate(_written(folder / "upload.docx", version.upload))
    return validate(_written(folder / "redline.docx", version.redline)) - before
