"""Puts the changes of several reviewers into one document, each under the reviewer's name.

Each file is taken in steps: what was changed without a mark, then the marks of each author. A step
is merged with what the document says so far (`engine.compare.three_way`) and written as tracked
changes over it, with the laws of any edit. What others wrote stays theirs: who strikes a word that
another one wrote strikes it in the other's insertion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from redraft.engine.compare import versions
from redraft.engine.compare.redlining import Writer, compare, settled
from redraft.engine.compare.remains import remains
from redraft.engine.compare.three_way import Merger
from redraft.engine.docx.accept_reject import part_tree
from redraft.engine.docx.changes.revisions import changes
from redraft.engine.docx.judging.fingerprint import story_parts
from redraft.engine.docx.names import W_AUTHOR, W
from redraft.engine.docx.opc.package import Package
from redraft.engine.model import Revision
from redraft.engine.report import Signature
from redraft.engine.state import State


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A reviewer's file: its bytes, and the name of changes that bear none."""

    data: bytes
    name: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """Where two reviewers changed the same words: the block of the base, and what each wrote.

    An empty wording is a deletion.
    """

    anchor: str
    authors: tuple[str, str]
    wordings: tuple[str, str]

    def told(self) -> str:
        """Returns both wordings in a line."""
        sides = zip(self.authors, self.wordings, strict=True)
        return "; ".join(
            f"{name}: “{' '.join(words.split())}”" if words.strip() else f"{name}: deleted"
            for name, words in sides
        )


@dataclass(frozen=True, slots=True)
class Combined:
    """The base with all changes.

    Attributes:
        data: The file; the base itself where nobody changed anything.
        revisions: All tracked changes in it.
        conflicts: Where changes meet.
        remains: Sentences on what is not in it, each with the reviewer's name.
    """

    data: bytes
    revisions: tuple[Revision, ...]
    conflicts: tuple[Conflict, ...]
    remains: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    """What one author made of what the file said before."""

    author: str
    date: str
    before: versions.Version
    after: versions.Version


def combine(base: bytes, reviewed: Sequence[Reviewed], signature: Signature) -> Combined:
    """Returns a document with the changes of all its reviewers.

    Args:
        base: The document that was sent to them.
        reviewed: What came back.
        signature: The date of changes that bear none; its author is not used.

    Raises:
        EngineError: one of them is no Word document.
    """
    combiner = _Combiner(base, signature)
    for one in reviewed:
        combiner.add(one)
    revisions = changes(combiner.data, b"")
    return Combined(combiner.data, revisions, tuple(combiner.conflicts), tuple(combiner.remains))


class _Combiner:
    def __init__(self, base: bytes, signature: Signature) -> None:
        self.data = base
        self.conflicts: list[Conflict] = []
        self.remains: list[str] = []
        self._base = base
        self._marks = frozenset(_marked(Package.open(base)))
        self._signature = signature
        self._authors: list[str] = []

    def add(self, one: Reviewed) -> None:
        """Adds the changes of one file."""
        if self.data == self._base and self._is_only_marked(one.data):
            self.data = one.data
            self._authors += self._new_authors(one.data)
            return
        missing = compare(self._base, one.data, self._signature).remains
        self.remains += [f"{one.name}: {sentence}" for sentence in missing]
        for step in self._steps(one):
            self._merge(step)

    def _new_authors(self, data: bytes) -> list[str]:
        """Returns the authors of marks that the base has not, in the order of their marks."""
        marks = [mark for mark in _marked(Package.open(data)) if mark not in self._marks]
        return list(dict.fromkeys(author for author, _ in marks))

    def _is_only_marked(self, data: bytes) -> bool:
        """Whether rejecting the new marks of a file gives the base, in words and formatting."""
        authors = self._new_authors(data)
        if not authors:
            return False
        rejected = settled(Package.open(data), "reject", authors)
        first, second = (
            versions.read(settled(package, "accept"), State())
            for package in (Package.open(self._base), rejected)
        )
        return _is_same(first, second)

    def _steps(self, one: Reviewed) -> Iterator[_Step]:
        """Yields what was changed without a mark, then what each author marked."""
        authors = self._new_authors(one.data)
        before = versions.read(settled(Package.open(self._base), "accept"), State())
        dates = dict(_marked(Package.open(one.data)))
        names = [(one.name, self._signature.date), *((name, dates[name]) for name in authors)]
        for count, (name, date) in enumerate(names):
            package = Package.open(one.data)
            for other in authors[count:]:
                package = settled(package, "reject", [other])
            after = versions.read(settled(package, "accept"), State())
            if not _is_same(before, after):
                yield _Step(name, date or self._signature.date, before, after)
            before = after

    def _merge(self, step: _Step) -> None:
        ours = versions.read(settled(Package.open(self.data), "accept"), State())
        merger = Merger()
        target = merger.version(step.before, ours, step.after)
        uid = f"{self._signature.edit_uid}-{len(self._authors)}"
        signature = Signature(uid, step.author, step.date, tracked=True)
        writer = Writer(self.data, target, signature)
        writer.write()
        self.data = writer.data
        others = " or ".join(dict.fromkeys(self._authors))
        self.conflicts += [
            Conflict(meeting.anchor, (others, step.author), (meeting.ours, meeting.theirs))
            for meeting in merger.meetings
        ]
        if merger.looks:
            shown = ", ".join(dict.fromkeys(merger.looks))
            self.remains.append(
                f"{step.author}: Formatting is left out where others changed the words: {shown}"
            )
        self._authors.append(step.author)


def _is_same(first: versions.Version, second: versions.Version) -> bool:
    contents = [
        [(story.kind, [block.content for block in story.blocks]) for story in version.stories]
        for version in (first, second)
    ]
    return contents[0] == contents[1] and not remains(first, second)


def _marked(package: Package) -> Iterator[tuple[str, str]]:
    """Yields author and date of each tracked change."""
    for part in story_parts(package):
        for mark in part_tree.revisions(package.tree(part)):
            yield mark.get(W_AUTHOR, ""), mark.get(W("date"), "")
