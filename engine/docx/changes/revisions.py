"""The tracked changes of a file as a reviewer counts them.

Adjacent marks of one author are one change: struck words and the words written for them are a
replacement, paragraphs inserted or deleted one after the other are one insertion or deletion.
Both ends of a native move are one change. A change is addressed by the `w:id` of its first mark,
with its number behind a dot where the file uses an id more than once.

[x] text  [x] paragraphs and their marks  [x] rows, cells, tables  [x] formatting as old and new
[x] moves  [x] section, table and numbering properties (kind `format`)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from redraft.engine.docx.accept_reject import note_references, part_tree
from redraft.engine.docx.anchors import StoryPlace, branch, places_in, stories
from redraft.engine.docx.changes.change_group import Group
from redraft.engine.docx.changes.change_grouping import Grouper, is_inline
from redraft.engine.docx.changes.format_changes import Vocabulary
from redraft.engine.docx.judging.final_text import said
from redraft.engine.docx.names import (
    MC_ALTERNATE,
    MC_FALLBACK,
    TAGS_STARTS,
    W_AUTHOR,
    W_BR,
    W_DEL_TEXT,
    W_ID,
    W_INS,
    W_P,
    W_PPR,
    W_SECT_PR,
    W_TBL,
    W_TC,
    W_TR,
    Element,
)
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.redline.emphasis import heading_level
from redraft.engine.docx.styles import Styles
from redraft.engine.docx.tracked_wrappers import Wrappings, wrappings
from redraft.engine.model import Revision, RevisionKind
from redraft.engine.state import State, decode

CONTEXT: Final = 60
EXCERPT: Final = 60
_BELOW: Final = " \u203a "
_STORY_NAMES: Final = {
    "header": "Header",
    "footer": "Footer",
    "footnote": "Footnote",
    "endnote": "Endnote",
    "comment": "Comment",
    "textbox": "Text box",
}


_HOLDERS: Final = frozenset({W_P, W_TC, W_TR, W_TBL})
_BLOCKS: Final = frozenset({W_P, W_TBL})


@dataclass(frozen=True, slots=True)
class Change:
    """A change with the elements of its marks, in the tree of a part.

    `elsewhere` are the marks that go with them in other parts: the text of a note that is inserted.
    """

    revision: Revision
    part: str
    marks: tuple[Element, ...]
    elsewhere: tuple[tuple[str, Element], ...] = ()


def changes(data: bytes, state: bytes) -> tuple[Revision, ...]:
    """List the tracked changes of a file, ours and others', in document order."""
    return changes_in(Package.open(data), decode(state))


def changes_in(package: Package, state: State) -> tuple[Revision, ...]:
    """List the tracked changes of an opened file."""
    return tuple(change.revision for change in tracked(package, state))


def tracked(package: Package, state: State) -> list[Change]:
    """The tracked changes of an opened file with their marks."""
    styles = Styles.of(package)
    vocabulary = Vocabulary(package)
    changes: list[Change] = []
    seen: Counter[str] = Counter()
    marked: dict[str, dict[Element, list[Element]]] = {}
    moves: dict[str, dict[Element, str]] = {}
    wrapped: dict[str, Wrappings] = {}
    twins: dict[Element, Element] = {}
    texts = _note_texts(package)
    inserted = note_references.inserted(package)
    bodies: dict[Element, list[Change]] = {}
    for story in stories(package):
        if story.part not in marked:
            root = package.tree(story.part)
            wrapped[story.part] = wrappings(root, state.ours)
            marked[story.part] = _marked(root, wrapped[story.part])
            moves[story.part] = part_tree.move_names(root) if marked[story.part] else {}
            twins.update(_twins(root) if marked[story.part] else {})
        if not marked[story.part]:
            continue
        names, tags = moves[story.part], wrapped[story.part]
        grouper = Grouper(state.ours, names, texts, vocabulary, tags)
        for group, where in _story(story, marked[story.part], grouper, styles):
            first = group.marks[0].get(W_ID, "")
            seen[first] += 1
            identifier = first if seen[first] == 1 and first else f"{first}.{seen[first]}"
            revision = _revision(group, identifier, where)
            marks = [*group.marks, *(twins[m] for m in group.marks if m in twins)]
            change = Change(revision, story.part, tuple(marks))
            reference = inserted.get(story.container)
            if reference is not None and _is_text_of(group, reference):
                bodies.setdefault(reference, []).append(change)
            else:
                changes.append(change)
    return [_with_bodies(change, bodies) for change in changes] if bodies else changes


def _note_texts(package: Package) -> dict[note_references.Key, str]:
    """What the notes say whose references stand in tracked changes."""
    wanted = {
        key
        for key, _, node in note_references.references(package)
        if next(node.iterancestors(*part_tree.TRACKED), None) is not None
    }
    if not wanted:
        return {}
    notes = note_references.notes(package)
    return {key: _excerpt(notes[key][1]) for key in wanted if key in notes}


def _is_text_of(group: Group, reference: Element) -> bool:
    """Whether a change in a note is the insertion of its text, by who inserted the reference."""
    return group.author == reference.get(W_AUTHOR, "") and all(
        mark.tag == W_INS for mark in group.marks
    )


def _with_bodies(change: Change, bodies: dict[Element, list[Change]]) -> Change:
    """A change with the insertions of the texts of notes that it inserts."""
    own = [body for mark in change.marks for body in bodies.get(mark, ())]
    if not own:
        return change
    edits = (*change.revision.edits, *(e for body in own for e in body.revision.edits))
    return replace(
        change,
        revision=replace(change.revision, edits=tuple(dict.fromkeys(edits))),
        elsewhere=tuple((body.part, mark) for body in own for mark in body.marks),
    )


def _twins(root: Element) -> dict[Element, Element]:
    """For marks in a text box the same marks in its form for older programs (`mc:Fallback`)."""
    twin_of: dict[Element, Element] = {}
    for alternate in root.iter(MC_ALTERNATE):
        shown, other = branch(alternate), alternate.find(MC_FALLBACK)
        if shown is None or other is None or shown is other:
            continue
        sides = [list(part_tree.revisions(side)) for side in (shown, other)]
        if [mark.tag for mark in sides[0]] == [mark.tag for mark in sides[1]]:
            twin_of.update(zip(*sides, strict=True))
    return twin_of


def _marked(root: Element, wrapped: Wrappings) -> dict[Element, list[Element]]:
    """The paragraphs, rows, cells and tables that hold marks, with those marks.

    Those of tags around blocks belong to the first paragraph between the tags.
    """
    marks_of: dict[Element, list[Element]] = {}
    for mark in part_tree.revisions(root):
        wrapper = wrapped.of.get(mark)
        if mark.tag in TAGS_STARTS and (wrapper is None or not is_inline(mark)):
            first = None if wrapper is None else next(wrapper.iter(W_P), None)
            if first is not None:
                marks_of.setdefault(first, []).append(mark)
            continue
        for ancestor in mark.iterancestors():
            if ancestor.tag in _HOLDERS:
                marks_of.setdefault(ancestor, []).append(mark)
                break
    return marks_of


def _story(
    story: StoryPlace,
    marked: dict[Element, list[Element]],
    grouper: Grouper,
    styles: Styles,
) -> Iterator[tuple[Group, str]]:
    headings: list[tuple[int, Element]] = []
    titles: dict[Element, str] = {}
    left = len(marked)
    where: dict[Group, str] = {}
    excerpts: dict[Element, str] = {}
    follows = False
    cell: Element | None = None
    known = 0
    for place in places_in(story):
        element = place.element
        level = heading_level(element, styles) if place.kind == "paragraph" else None
        if level is not None and "." not in place.anchor:
            headings = [h for h in headings if h[0] < level]
            headings.append((level, element))
        if element not in marked:
            follows = follows and place.kind != "paragraph"
            continue
        if place.kind == "paragraph":
            # A change ends with the cell that it stands in.
            before, cell = cell, next(element.iterancestors(W_TC), None)
            grouper.paragraph(place, marked[element], follows=follows and before is cell)
            follows = True
        else:
            marks = marked[element]
            grouper.rows(place)
            grouper.others(place, [m for m in marks if m.tag in part_tree.CHANGES])
        for group in grouper.groups[known:]:
            if element not in excerpts:
                excerpts[element] = _excerpt(element) or _beside_break(element)
            new = [heading for _, heading in headings if heading not in titles]
            titles.update((heading, _excerpt(heading)) for heading in new)
            path = [titles[heading] for _, heading in headings]
            where[group] = _where(story, group, path, excerpts[element])
        known = len(grouper.groups)
        left -= 1
        if not left:
            break
    grouper.finish()
    for group in grouper.groups:
        yield group, where.get(group, "")


def _where(story: StoryPlace, group: Group, titles: Sequence[str], wording: str) -> str:
    """Heading path and wording of the paragraph, row or table where a change begins."""
    path = [title for title in titles if title]
    if story.kind != "body":
        name = _STORY_NAMES[story.kind]
        number = story.anchor.lstrip("abcdefghijklmnopqrstuvwxyz")
        path = [f"{name} {number}".strip()]
    if ".r" in group.place.anchor or group.place.anchor.startswith("t"):
        path.append(_cell_name(group.place.anchor))
    if path and path[-1] == wording:
        path.pop()
    return " · ".join(part for part in (_BELOW.join(path), wording) if part)


def _cell_name(anchor: str) -> str:
    names = {"t": "Table", "r": "row", "c": "column"}
    steps = [step for step in anchor.split(".") if step[:1] in names and step[1:].isdecimal()]
    return ", ".join(f"{names[step[0]]} {step[1:]}" for step in steps)


def _excerpt(element: Element) -> str:
    """The first words of a block; of one that is wholly deleted those it had."""
    blocks = said([element] if element.tag in (W_P, W_TBL) else list(element))
    text = " ".join(" ".join(block.text.split()) for block in blocks).strip()
    if not text:
        struck = [
            "".join(node.text or "" for node in paragraph.iter(W_DEL_TEXT))
            for paragraph in element.iter(W_P)
        ]
        text = " ".join(" ".join(struck).split())
    return text if len(text) <= EXCERPT else text[: EXCERPT - 1].rstrip() + "…"


def _beside_break(element: Element) -> str:
    """The first words of the block after a break that stands alone, at the end of that before."""
    if element.find(f".//{W_BR}") is None and element.find(f"{W_PPR}/{W_SECT_PR}") is None:
        return ""
    beside = (element.getnext(), element.getprevious())
    words = (_excerpt(block) for block in beside if block is not None and block.tag in _BLOCKS)
    return next(filter(None, words), "")


def _revision(group: Group, identifier: str, where: str) -> Revision:
    before, after = group.said("struck"), group.said("written")
    if group.family == "format":
        before = after = group.said("neither")
    return Revision(
        identifier,
        _kind(group, before, after),
        group.author,
        group.date,
        group.place.story,
        group.place.anchor,
        where,
        before.strip("\n"),
        after.strip("\n"),
        group.lead[-CONTEXT:],
        group.trail[:CONTEXT],
        tuple(group.edits),
        group.formatting,
        group.original_lead[-CONTEXT:],
        group.original_trail[:CONTEXT],
    )


def _kind(group: Group, before: str, after: str) -> RevisionKind:
    if group.family.startswith("move"):
        return "move"
    if group.family in ("row", "cell"):
        return _block_kind(group)
    if group.family == "format":
        return "format"
    if not before.strip("\n") and not after.strip("\n"):
        return "paragraph" if before or after else "other"
    if before and after:
        return "replacement"
    return "insertion" if after else "deletion"


def _block_kind(group: Group) -> RevisionKind:
    """A tracked row, or a table of which every row is tracked alike."""
    if group.family == "cell":
        return "cell"
    row = group.place.element
    table = next(row.iterancestors(W_TBL), None)
    own = {mark.getparent() for mark in group.marks}
    rows = () if table is None else (r for r in table.iter(W_TR) if _table_of(r) is table)
    return "table" if all(any(child in own for child in r) for r in rows) else "row"


def _table_of(row: Element) -> Element | None:
    return next(row.iterancestors(W_TBL), None)
