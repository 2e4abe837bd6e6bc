"""Footnotes and endnotes: tracked insertion and deletion, and new text for a note.

ECMA-376 Part 1, 17.11. The reference of a new footnote is a tracked insertion, and so is its text,
as Word writes both: rejecting them leaves nothing. A deleted note keeps its text until the deletion
is accepted. Ids are those of the part, numbers are Word's own.

[x] footnotes: inserted, the part made where it is missing, with its separators
[x] footnotes and endnotes: edited, deleted
[-] notes in headers, footers, notes, comments and text boxes (Word has none there)
[-] notes with a mark of their own instead of a number (not deleted)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from lxml import etree

from redraft.engine import tokens
from redraft.engine.docx.anchors import Place, StoryPlace, blocks
from redraft.engine.docx.editing.alternate_copies import refuse_twin
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError, unable
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.new_paragraph import fill
from redraft.engine.docx.editing.step import Blind, Reach
from redraft.engine.docx.formatting.model_paragraphs import Pattern
from redraft.engine.docx.names import (
    STRICT,
    W_DEL,
    W_FOOTNOTE_REFERENCE,
    W_ID,
    W_INS,
    W_MOVE_FROM,
    W_P,
    W_PPR,
    W_R,
    W_RPR,
    W_VAL,
    Element,
    W,
)
from redraft.engine.docx.opc import new_parts
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.redline.insertion_point import Places, Spot
from redraft.engine.docx.redline.line import Entry, Line, Stamp, Standing, Unit
from redraft.engine.docx.redline.tracked_runs import revision, text_node, write
from redraft.engine.docx.redline.tracked_text import cut, strike
from redraft.engine.docx.steps.named_styles import style_named
from redraft.engine.docx.steps.quote_places import beside, place_around, quoted
from redraft.engine.errors import PlanError, RefusedError
from redraft.engine.plan import DeleteNote, EditNote, InsertFootnote, RewriteBlock

_PART_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.{kind}s+xml"
_SEPARATORS: Final = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'
    '<w:{kind}s xmlns:w="{uri}">'
    '<w:{kind} w:type="separator" w:id="-1"><w:p><w:pPr>'
    '<w:spacing w:after="0" w:line="240" w:lineRule="auto"/></w:pPr>'
    "<w:r><w:separator/></w:r></w:p></w:{kind}>"
    '<w:{kind} w:type="continuationSeparator" w:id="0"><w:p><w:pPr>'
    '<w:spacing w:after="0" w:line="240" w:lineRule="auto"/></w:pPr>'
    "<w:r><w:continuationSeparator/></w:r></w:p></w:{kind}>"
    "</w:{kind}s>"
)
_NAMED: Final = '<w:{kind}Pr><w:{kind} w:id="-1"/><w:{kind} w:id="0"/></w:{kind}Pr>'
# Children of w:settings that come behind w:footnotePr (ECMA-376 Part 1, 17.15.1.78).
_BEHIND: Final = (
    "endnotePr",
    "compat",
    "docVars",
    "rsids",
    "mathPr",
    "attachedSchema",
    "themeFontLang",
    "clrSchemeMapping",
    "doNotIncludeSubdocsInStats",
    "doNotAutoCompressPictures",
    "forceUpgrade",
    "captions",
    "readModeInkLockDown",
    "smartTagType",
    "schemaLibrary",
    "shapeDefaults",
    "doNotEmbedSmartTags",
    "decimalSymbol",
    "listSeparator",
)
_TO_STRICT: Final = {value: key for key, value in STRICT.items()}
_ELSEWHERE: Final = (
    "Word has footnotes in the text of the body only; put the words into the text instead"
)
_OWN_MARK: Final = (
    "The note has a mark of its own instead of a number; delete the mark and the note in Word"
)
_CUSTOM: Final = W("customMarkFollows")


@dataclass(frozen=True, slots=True)
class InsertionStep:
    """A new footnote behind text[:end] of a paragraph."""

    place: Place
    start: int
    end: int
    id: int
    text: str
    reach: Reach
    blind: frozenset[Blind] = frozenset()
    warnings: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[Place, ...]:
        """The paragraph of the reference."""
        return (self.place,)

    def write(self, desk: Desk) -> bool:
        """Writes the reference and the note.

        Raises:
            RefusedError: no note can stand there.
        """
        line = desk.line(self.place)
        spot = spot_behind(line, self.start, self.end)
        desk.note_place(self.place)
        run = _marked_run(desk, W_FOOTNOTE_REFERENCE)
        run[-1].set(W_ID, str(self.id))
        stamp = Stamp(desk.stamp.edit, desk.stamp.author, desk.stamp.date)
        unit = Unit("", run[-1], run, spot.box, Standing.WRITTEN, stamp, "object", "fn")
        entries = spot.box.entries
        if spot.behind is not None:
            entries.insert(_behind(desk, entries, spot.behind), unit)
        elif spot.before is not None:
            entries.insert(entries.index(spot.before), unit)
        else:
            entries.append(unit)
        spot.box.is_dirty = True
        write(line, desk.ids)
        desk.append(note_part(desk.package), _note(desk, self.id, self.text))
        return True


@dataclass(frozen=True, slots=True)
class DeletionStep:
    """The references of a note, to be struck."""

    references: tuple[tuple[Place, Element], ...]
    reach: Reach
    blind: frozenset[Blind] = frozenset()
    warnings: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[Place, ...]:
        """The paragraphs of the references."""
        return tuple(place for place, _ in self.references)

    def write(self, desk: Desk) -> bool:
        """Strikes the references.

        Raises:
            RefusedError: one stands in a locked control or a computed field.
        """
        for place, reference in self.references:
            line = desk.line(place)
            desk.note_place(place)
            strike(line, [_unit(line, reference)], desk.stamp)
            write(line, desk.ids)
        return True


def insertion(finder: Finder, operation: InsertFootnote) -> InsertionStep:
    """Returns what a new footnote means here.

    Raises:
        OperationError: no such text, or no note can stand there.
    """
    faults = tokens.parse(operation.text, ()).faults
    if faults:
        raise OperationError(faults[0].code, PlanError(faults[0].message))
    quote = operation.block, operation.after_text, operation.occurrence
    span = quoted(finder, *quote)[-1]
    place = span.place
    if place.story != "body":
        raise OperationError("read_only", RefusedError(_ELSEWHERE))
    line = finder.survey.line(place)
    try:
        spot_behind(line, span.start, span.end)
    except RefusedError as error:
        raise OperationError("read_only", error) from error
    package = finder.survey.package
    number = finder.new_note("footnote")
    known = package.related(package.main, "footnotes")
    part = known[0] if known else new_parts.free_name(package, package.main, "footnotes")
    reach = Reach(
        counts={place.element: {"footnoteReference": 1}},
        parts=frozenset({part}),
    )
    return InsertionStep(place, span.start, span.end, number, operation.text, reach)


def deletion(finder: Finder, operation: DeleteNote) -> DeletionStep:
    """Returns what the deletion of a note means here.

    Raises:
        OperationError: there is no such note, or it cannot be deleted.
    """
    story = _story(finder, operation.target)
    key = (str(story.kind), story.container.get(W_ID, ""))
    references: list[tuple[Place, Element]] = []
    lost: dict[Element, dict[str, int]] = {}
    for part, node in finder.references(key):
        if next(node.iterancestors(W_DEL, W_MOVE_FROM), None) is not None:
            continue
        place = place_around(finder, part, node, operation.target)
        if place is None:
            continue
        _check(place, node)
        unit = _unit(finder.survey.line(place), node)
        if unit.standing is Standing.WRITTEN:
            lost.setdefault(place.element, {})[f"{story.kind}Reference"] = -1
        references.append((place, node))
    if not references:
        raise unable("no_effect", f"Nothing refers to {operation.target}; it is deleted already")
    return DeletionStep(tuple(references), Reach(counts=lost))


def rewriting(finder: Finder, operation: EditNote) -> RewriteBlock:
    """Returns a new text for a note as one for its paragraph; the blank behind its mark stays.

    Raises:
        OperationError: there is no such note, or it has several paragraphs.
    """
    story = _story(finder, operation.target)
    inside = list(blocks(story.container))
    if len(inside) != 1 or inside[0].tag != W_P:
        message = (
            f"{story.anchor} has {len(inside)} paragraphs or tables; rewrite them one by one, as "
            f"{story.anchor}.p1 and so on"
        )
        raise OperationError("cell_has_blocks", PlanError(message))
    anchor = f"{story.anchor}.p1"
    text = finder.survey.line(finder.paragraph(anchor)).text
    lead = text[: len(text) - len(text.lstrip())]
    is_led = operation.text[:1].isspace() or operation.text.startswith("\u27e6tab\u27e7")
    led = "" if is_led else lead.replace("\t", "\u27e6tab\u27e7").replace("\n", "\u27e6br\u27e7")
    return RewriteBlock(anchor, led + operation.text)


def _story(finder: Finder, anchor: str) -> StoryPlace:
    name = anchor.strip().strip("\u27e6\u27e7")
    for story in finder.stories:
        if story.anchor == name and story.kind in ("footnote", "endnote"):
            return story
    raise unable("unknown_block", f"The document has no note {anchor[:60]}")


def _check(place: Place, reference: Element) -> None:
    if reference.get(_CUSTOM) in ("1", "true", "on"):
        raise OperationError("read_only", RefusedError(_OWN_MARK))
    try:
        refuse_twin(place)
    except RefusedError as error:
        raise OperationError("read_only", error) from error


def _unit(line: Line, node: Element) -> Unit:
    reference = next((unit for unit in line.units if unit.node is node), None)
    if reference is None:
        message = "The reference of the note stands where it cannot be deleted"
        raise RefusedError(message)
    return reference


def spot_behind(line: Line, start: int, end: int) -> Spot:
    """Returns where a reference behind text[start:end] goes: out of a link that ends there.

    Raises:
        RefusedError: it would stand in a computed field or a locked control.
    """
    if not line.text:
        return Spot(line.root)
    cut(line, {end})
    places = Places(line)
    _, spot = places.of_insertion(places.bounds(end, start, end), None, None, None)
    while spot.box.kind == "link" and spot.box.parent is not None and spot.behind is not None:
        rest = spot.box.entries[spot.box.entries.index(spot.behind) + 1 :]
        if any(isinstance(entry, Unit) and entry.is_visible for entry in rest):
            break
        spot = Spot(spot.box.parent, behind=spot.box)
    return spot


def _behind(desk: Desk, entries: list[Entry], entry: Entry) -> int:
    """Returns the index behind an entry and the references that the same plan put there."""
    notes = desk.appended.get(note_part(desk.package), ())
    at = beside(entries, entry)
    while at < len(entries):
        unit = entries[at]
        node = unit.node if isinstance(unit, Unit) else None
        if node is None or node.tag != W_FOOTNOTE_REFERENCE:
            break
        if all(note.get(W_ID) != node.get(W_ID) for note in notes):
            break
        at += 1
    return at


def note_part(package: Package, kind: Literal["footnote", "endnote"] = "footnote") -> str:
    """Returns the part of the notes of a kind; made with its separators where there is none."""
    known = package.related(package.main, f"{kind}s")
    if known:
        return known[0]
    uri = _TO_STRICT[str(W)] if package.strict else str(W)
    data = _SEPARATORS.format(uri=uri, kind=kind).encode()
    media_type = _PART_TYPE.format(kind=kind)
    made = new_parts.add(package, package.main, f"{kind}s", media_type, data)
    for settings in package.related(package.main, "settings"):
        if package.tree(settings).find(W(f"{kind}Pr")) is None:
            before = _BEHIND[1:] if kind == "endnote" else _BEHIND
            named = _NAMED.format(kind=kind)
            new_parts.insert(package, settings, named, namespace=W, before=before)
    return made


def _marked_run(desk: Desk, tag: str) -> Element:
    """Returns a run with the mark of a note, in the style of such marks or raised."""
    run = etree.Element(W_R)
    properties = etree.SubElement(run, W_RPR)
    style = style_named(desk.package, "footnote reference", "character")
    if style is not None:
        etree.SubElement(properties, W("rStyle"), {W_VAL: style})
    else:
        etree.SubElement(properties, W("vertAlign"), {W_VAL: "superscript"})
    etree.SubElement(run, tag)
    return run


def _note(desk: Desk, number: int, text: str) -> Element:
    """Returns the body of a new footnote; all of its text is a tracked insertion."""
    note = etree.Element(W("footnote"), {W_ID: str(number)}, nsmap={"w": str(W)})
    paragraph = etree.SubElement(note, W_P)
    style = style_named(desk.package, "footnote text", "paragraph")
    if style is not None:
        properties = etree.SubElement(paragraph, W_PPR)
        etree.SubElement(properties, W("pStyle"), {W_VAL: style})
    stamp = desk.stamp
    inserted = revision(W_INS, desk.ids.ours_for(stamp.edit), stamp.author, stamp.date)
    inserted.append(_marked_run(desk, W("footnoteRef")))
    blank = etree.SubElement(inserted, W_R)
    blank.append(text_node(" "))
    paragraph.append(inserted)
    fill(desk, paragraph, Pattern(None, None), text)
    return note
