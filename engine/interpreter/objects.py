"""Links, notes, comments, images, form fields, properties, tracked changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from redraft.engine.errors import AmbiguousError, NotFoundError, RefusedError
from redraft.engine.inline_pieces import plain
from redraft.engine.interpreter.addresses import footnote, is_styled_title, title
from redraft.engine.interpreter.command_targets import lines_of
from redraft.engine.interpreter.commands import (
    Annotate,
    Describe,
    Fill,
    LinkTo,
    Name,
    Options,
    Relink,
    ReplaceUnit,
    Settle,
    Unit,
    Value,
)
from redraft.engine.interpreter.lines import Line, Lines, folded, label, unnumbered
from redraft.engine.interpreter.replacing import replace_unit, scoped
from redraft.engine.interpreter.search import Hit, ambiguous, hits, the_one
from redraft.engine.interpreter.word_questions import number_of, replaced, say, whole
from redraft.engine.model import Break, CodeBlock, Control, Image, Inline, Link, Table
from redraft.engine.plan import (
    AddComment,
    DeleteImage,
    DeleteNote,
    InsertFootnote,
    Operation,
    RemoveLink,
    ReplaceText,
    SetAltText,
    SetField,
    SetLink,
    SetProperty,
    SettleChange,
)

_TITLE = "document title"
_SCHEME = re.compile(r"(?:https?://|mailto:|#)\S+", re.IGNORECASE)
_HOST = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}(?:[/?#:]\S*)?", re.IGNORECASE)
_MAILBOX = re.compile(r"\S+@(?:[\w-]+\.)+[a-z]{2,}", re.IGNORECASE)


def link(lines: Lines, command: LinkTo, lookup: str | None) -> list[Operation]:
    """Link words, or take their link off."""
    if command.url is None:
        return _unlink(lines, command, lookup)
    url = address(command.url.text)
    return [
        SetLink(hit.line.anchor, hit.text, url, number_of(hit))
        for hit in _meant(lines, command, lookup)
    ]


def _meant(lines: Lines, command: LinkTo, lookup: str | None) -> list[Hit]:
    inside, _ = scoped(lines, command.options, lookup)
    places = hits(inside, command.find.text, command.options)
    if not command.options.everywhere or not places:
        places = [the_one(lines, places, command.find.text, command.options, lookup)]
    return places


def _unlink(lines: Lines, command: LinkTo, lookup: str | None) -> list[Operation]:
    wanted = command.find.text
    by_address = [(line, one) for line, one in _links(lines) if _is_same(one.target, wanted)]
    if by_address:
        return [RemoveLink(line.anchor, plain(one.content)) for line, one in by_address]
    linked = [
        (line, one) for line, one in _links(lines) if folded(wanted) in folded(plain(one.content))
    ]
    if not linked:
        if hits(lines.lines, wanted, Options()):
            message = f"“{wanted}” is no link"
            raise RefusedError(message)
        raise NotFoundError
    if len(linked) > 1 and not command.options.everywhere:
        raise ambiguous(len(linked))
    return [RemoveLink(line.anchor, plain(one.content)) for line, one in linked]


def relink(lines: Lines, command: Relink, lookup: str | None) -> list[Operation]:
    """Let the links to an address, or with these words, go elsewhere."""
    url = address(command.url.text)
    wanted = command.old.text
    links = [(line, one) for line, one in _links(lines) if _is_same(one.target, wanted)]
    if not links:
        wording = folded(wanted)
        links = [
            (line, one) for line, one in _links(lines) if folded(plain(one.content)) == wording
        ]
    if not links:
        raise NotFoundError
    return [SetLink(line.anchor, plain(one.content), url) for line, one in links]


def _is_same(one: str, other: str) -> bool:
    return one.rstrip("/").casefold() == other.strip().rstrip("/").casefold()


def _links(lines: Lines) -> Iterator[tuple[Line, Link]]:
    for line in lines.lines:
        if not isinstance(line.block, (CodeBlock, Table, Break)):
            for one in _inside(line.block.content):
                if isinstance(one, Link):
                    yield line, one


def _inside(content: Sequence[Inline]) -> Iterator[Inline]:
    """Inlines and those in controls and links, in order."""
    for inline in content:
        yield inline
        if isinstance(inline, (Control, Link)):
            yield from _inside(inline.content)


def address(written: str) -> str:
    """An address a link may have; `example.com` and `a@example.com` get their scheme.

    Raises:
        RefusedError: It runs or opens something else than a page or a mail.
    """
    text = written.strip()
    if _SCHEME.fullmatch(text):
        return text
    if _MAILBOX.fullmatch(text):
        return f"mailto:{text}"
    if _HOST.fullmatch(text):
        return f"https://{text}"
    message = f"“{text}” is no address for a link: it begins with https://, http://, mailto: or #"
    raise RefusedError(message)


def name(lines: Lines, command: Name, lookup: str | None) -> list[Operation]:
    """Set a property; the document's title is also the line that a reader takes for it."""
    if command.name != _TITLE:
        return [SetProperty(command.name, command.value.text)]
    titles: list[Operation] = []
    if _has_title(lines):
        titles = replace_unit(
            lines, ReplaceUnit(Unit("title"), command.value, command.options), lookup
        )
    return [*titles, SetProperty("title", command.value.text)]


def _has_title(lines: Lines) -> bool:
    """Whether the first line, or one of that style, is the title and no heading with a number."""
    try:
        line = title(lines)
    except NotFoundError:
        return False
    first = next(
        operation
        for operation in lines.lines
        if operation.story.kind == "body" and operation.text.strip()
    )
    is_numbered = bool(label(line.block)) or unnumbered(line.text) != line.text
    return is_styled_title(line) or (line is first and not is_numbered)


def named(command: Name, operations: Sequence[Operation]) -> str:
    """Say what was set for a document's title; empty for other properties."""
    if command.name != _TITLE:
        return ""
    shown = next(
        (operation for operation in operations if isinstance(operation, ReplaceText)), None
    )
    if shown is None:
        return ": the title property; no line of its text is its title"
    return f": the line “{shown.find}” and the title property"


def image(lines: Lines, unit: Unit) -> str:
    """The id of the image that a unit counts or describes.

    Raises:
        NotFoundError, AmbiguousError: There is none, or several.
    """
    images = list({one.id: one for one in _images(lines)}.values())
    if unit.value is not None:
        wanted = folded(unit.value.text)
        images = [one for one in images if wanted in (folded(one.alt), one.id)] or [
            one for one in images if wanted in folded(one.alt)
        ]
    if unit.number is not None:
        index = unit.number - 1 if unit.number > 0 else unit.number
        images = images[index:][:1] if -len(images) <= index < len(images) else []
    if not images:
        raise NotFoundError
    if len(images) > 1:
        message = f"The document has {len(images)} images; say which one, as: image 2"
        raise AmbiguousError(message)
    return images[0].id


def _images(lines: Lines) -> Iterator[Image]:
    for line in lines.lines:
        if not isinstance(line.block, (CodeBlock, Table, Break)):
            yield from (one for one in _inside(line.block.content) if isinstance(one, Image))


def describe(lines: Lines, command: Describe, lookup: str | None) -> list[Operation]:
    """Give an image an alternative text."""
    return [SetAltText(image(lines, command.image), command.text.text)]


def delete_image(lines: Lines, unit: Unit) -> list[Operation]:
    """Take an image out."""
    return [DeleteImage(image(lines, unit))]


def delete_note(lines: Lines, unit: Unit, options: Options, lookup: str | None) -> list[Operation]:
    """Take a note out with its mark; the only one, or all of them, where none is named."""
    if unit.kind == "notes" or (unit.value is None and unit.number is None):
        kinds = ("footnote", "endnote")
        notes = [line.story.anchor for line in lines.lines if line.story.kind in kinds]
        anchors = list(dict.fromkeys(notes))
        if not anchors:
            raise NotFoundError
        if len(anchors) > 1 and not options.everywhere:
            raise ambiguous(len(anchors))
        return [DeleteNote(anchor) for anchor in anchors]
    return [DeleteNote(footnote(lines, unit, lookup)[0].story.anchor)]


def annotate(lines: Lines, command: Annotate, lookup: str | None) -> list[Operation]:
    """Put a footnote behind words, or a comment on them."""
    target = command.target
    if isinstance(target, Value):
        inside, _ = scoped(lines, command.options, lookup)
        places = hits(inside, target.text, command.options)
        hit = the_one(lines, places, target.text, command.options, lookup)
    else:
        inside = lines_of(lines, target, command.options, lookup)
        is_section = target.kind == "section"
        hit = whole(inside[0 if is_section else -1])
    if hit.line.story.kind != "body":
        message = f"A {command.kind} can only be put to words of the body of the document"
        raise RefusedError(message)
    text = say(command.text.text)
    if command.kind == "comment":
        return [AddComment(hit.line.anchor, hit.text, text, number_of(hit))]
    return [InsertFootnote(hit.line.anchor, hit.text, text, number_of(hit))]


def settle(lines: Lines, command: Settle, lookup: str | None) -> list[Operation]:
    """Accept or reject all tracked changes, or those of one author."""
    changes = list(lines.changes)
    if not changes:
        raise RefusedError("The document has no tracked changes")
    if command.author is not None:
        wanted = re.sub(r"'s?$", "", folded(command.author.text))
        authors = list(dict.fromkeys(change.author for change in changes))
        changes = [change for change in changes if folded(change.author) == wanted]
        if not changes:
            message = (
                f"The document has no tracked changes by “{command.author.text}”;"
                f" its changes are by {', '.join(authors)}"
            )
            raise RefusedError(message)
    if command.options.scopes:
        inside = {line.anchor for line in scoped(lines, command.options, lookup)[0]}
        changes = [change for change in changes if change.anchor in inside]
        if not changes:
            raise RefusedError("There are no tracked changes of that kind in that place")
    return [SettleChange(change.id, command.action) for change in changes]


def fill(lines: Lines, command: Fill, lookup: str | None) -> list[Operation]:
    """Fill a form field, or set the sign of a box before its words."""
    if command.value in _BOXES:
        boxes = [box for line in lines.lines for box in _boxes(line, command.field.text)]
        if len(boxes) > 1:
            raise ambiguous(len(boxes), boxes)
        if boxes:
            return _ticked(lines, boxes[0], _BOXES[command.value])
    return [SetField(command.field.text, command.value)]


_BOXES = {"checked": "☑☒✓✔■", "unchecked": "☐□"}
_BOX = re.compile(r"([☐□☑☒✓✔■])\s*([^☐□☑☒✓✔■]+)")


def _boxes(line: Line, name: str) -> Iterator[Hit]:
    """The signs of boxes before words; those of content controls are fields."""
    block = line.block
    if isinstance(block, (CodeBlock, Table, Break)):
        return
    if any(isinstance(inline, Control) for inline in block.content):
        return
    for match in _BOX.finditer(line.text):
        if folded(match[2]) == folded(name):
            yield Hit(line, match.start(1), match.end(1))


def _ticked(lines: Lines, box: Hit, signs: str) -> list[Operation]:
    """Set a box in the sign that the document has for it."""
    if box.text in signs:
        return []
    text = "".join(line.text for line in lines.lines)
    is_empty = "☐" in signs
    pair = {"□": "■", "■": "□", "☑": "☐", "☒": "☐", "✓": "☐", "✔": "☐"}
    used = next((sign for sign in signs if sign in text), "☐" if is_empty else "☒")
    sign = pair.get(box.text, used) if is_empty or box.text == "□" else used
    return [replaced(box, sign)]
