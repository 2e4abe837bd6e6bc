"""What is to be done to a PDF, resolved: by block, by form field, by property; nothing is searched.

The values are stored in the log of edits too, so they are plain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from redraft.engine.pdf.glyphs.edited_words import Change


@dataclass(frozen=True, slots=True)
class Insertion:
    """Paragraphs, one a line of `text`, that come below the block `anchor`, perhaps as bullets."""

    anchor: str
    text: str
    is_bullet: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """Characters [start, end) of a block get a colour (`1 0 0 rg`), or a bold or italic face."""

    anchor: str
    start: int
    end: int
    fill: str = ""
    bold: bool | None = None
    italic: bool | None = None


@dataclass(frozen=True, slots=True)
class Linking:
    """Characters [start, end) of a block link to `url`, or to nothing where it is empty."""

    anchor: str
    start: int
    end: int
    url: str


@dataclass(frozen=True, slots=True)
class PageStep:
    """An operation on whole pages, by its kind and values (see `page_operations.step_codec`)."""

    kind: str
    values: dict[str, int | str | bool]


@dataclass(slots=True)
class Edits:
    """What is to be done to one version of a PDF.

    `changes` are changes of text by anchor, `deleted` the anchors of blocks that go. `fields` and
    `properties` are new values by name. `closed` are stretches of deleted blocks whose gap is to be
    closed. `pages` comes last; its page numbers are those of the version.
    """

    changes: dict[str, list[Change]] = field(default_factory=dict[str, list[Change]])
    deleted: list[str] = field(default_factory=list[str])
    inserted: list[Insertion] = field(default_factory=list[Insertion])
    looks: list[Look] = field(default_factory=list[Look])
    links: list[Linking] = field(default_factory=list[Linking])
    fields: dict[str, str] = field(default_factory=dict[str, str])
    properties: dict[str, str] = field(default_factory=dict[str, str])
    closed: list[list[str]] = field(default_factory=list[list[str]])
    pages: list[PageStep] = field(default_factory=list[PageStep])

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be done."""
        return not (
            self.changes
            or self.deleted
            or self.inserted
            or self.looks
            or self.links
            or self.fields
            or self.properties
            or self.pages
        )

    def insert(self, insertion: Insertion) -> None:
        """Adds a paragraph; those below the same block are one insertion."""
        last = self.inserted[-1] if self.inserted else None
        if last is not None and last.anchor == insertion.anchor:
            joined = f"{last.text}\n{insertion.text}"
            self.inserted[-1] = Insertion(last.anchor, joined, last.is_bullet)
        else:
            self.inserted.append(insertion)

    def touched(self) -> list[str]:
        """The anchors of the blocks whose characters are needed."""
        named = [edit.anchor for edit in (*self.inserted, *self.looks, *self.links)]
        return list(dict.fromkeys((*self.changes, *self.deleted, *named)))


def steps(edits: Edits) -> Iterator[Edits]:
    """Parts what cannot be done to the same words at once: looks, then links, then words.

    The places of all steps are those of the same version: looks and links move no character. What
    is done to whole pages is in none of them.
    """
    looks = [
        [look for look in edits.looks if look.bold is not None],
        [look for look in edits.looks if look.italic is not None],
        [look for look in edits.looks if look.fill],
    ]
    words = Edits(
        edits.changes,
        edits.deleted,
        edits.inserted,
        fields=edits.fields,
        properties=edits.properties,
        closed=edits.closed,
    )
    parts = [*(Edits(looks=look_group) for look_group in looks), Edits(links=edits.links), words]
    named = [anchor for part in parts for anchor in set(part.touched())]
    if len(named) == len(set(named)):
        yield replace(edits, pages=[])
    else:
        yield from (part for part in parts if not part.is_empty)


def changed(text: str, changes: Sequence[Change]) -> str:
    """Carries out changes, which do not overlap, on a text."""
    for change in sorted(changes, key=lambda hunk: -hunk.start):
        text = text[: change.start] + change.text + text[change.end :]
    return text


def merged(first: Edits, second: Edits) -> Edits | None:
    """Returns one step that does what two do, one after the other; None where that cannot be said.

    Both may only change text, fill fields and set properties.
    """
    if first.deleted or first.inserted or first.looks or first.links or first.closed:
        return None
    if first.pages or second.pages:
        return None
    changes = {anchor: list(listed) for anchor, listed in first.changes.items()}
    for anchor, later in second.changes.items():
        moved = [_before(change, first.changes.get(anchor, ())) for change in later]
        merged_changes = [change for change in moved if change is not None]
        if len(merged_changes) < len(moved):
            return None
        changes.setdefault(anchor, []).extend(merged_changes)
    others = [
        *second.deleted,
        *(e.anchor for e in (*second.inserted, *second.looks, *second.links)),
    ]
    if any(anchor in first.changes for anchor in others):
        return None
    return Edits(
        changes,
        list(second.deleted),
        list(second.inserted),
        list(second.looks),
        list(second.links),
        first.fields | second.fields,
        first.properties | second.properties,
        list(second.closed),
    )


def _before(change: Change, earlier: Sequence[Change]) -> Change | None:
    """Says where a change is in the text as it was before others; None where they touch."""
    shift = 0
    for start, end, delta in _written(earlier):
        if change.end < start:
            break
        if change.start <= end:
            return None
        shift += delta
    return Change(change.start - shift, change.end - shift, change.text)


def _written(changes: Sequence[Change]) -> Iterator[tuple[int, int, int]]:
    """Yields what changes wrote: its first and last place afterwards, and how much longer it is."""
    shift = 0
    for change in sorted(changes, key=lambda hunk: hunk.start):
        start = change.start + shift
        delta = len(change.text) - (change.end - change.start)
        yield start, start + len(change.text), delta
        shift += delta
