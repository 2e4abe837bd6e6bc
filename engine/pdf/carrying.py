"""Carry out resolved edits on a PDF, verify them, and write it anew, without what is gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import chain
from typing import Any

from engine.errors import EditError, RefusedError, UnreadableError, VerificationError
from engine.pdf.content import fallback, forms, linking, naming, objects, outlining, properties
from engine.pdf.content.closing import close
from engine.pdf.content.edits import Edits, Look, changed, steps
from engine.pdf.content.erasing import erase
from engine.pdf.content.inserting import insert
from engine.pdf.content.lines import letters
from engine.pdf.content.linking import link
from engine.pdf.content.mapping import Finder, Located
from engine.pdf.content.moving import unchanged
from engine.pdf.content.protection import (
    drop_usage_rights,
    drop_xml_form,
    refuse_protected,
)
from engine.pdf.content.rewriting import rewrite
from engine.pdf.content.sheets import Sheet, sheet
from engine.pdf.content.shelf import shelf
from engine.pdf.content.targets import Target, known_in
from engine.pdf.content.verify import Claim, verify
from engine.pdf.content.wording import check_words
from engine.pdf.content.words import is_right_to_left


def carry_out(
    data: bytes,
    edits: Edits,
    known: Sequence[Target] | None = None,
    *,
    breaks_signature: bool = False,
) -> tuple[bytes, tuple[str, ...]]:
    """Make changes of blocks, fields and properties and verify them; gives the file and warnings.

    Args:
        data: the PDF.
        edits: what is to be done to it.
        known: its blocks, where they have been read before.
        breaks_signature: whether a signed PDF may be edited, with a warning.

    Raises:
        EditError: it cannot be done without damage, or did not pass its checks.
    """
    said: tuple[str, ...] = ()
    if edits.fields:
        known = known or known_in(data)
        data, said = _filled(data, edits.fields, breaks_signature=breaks_signature)
        edits = replace(edits, fields={})
        if edits.is_empty:
            return data, said
    known = known or known_in(data)
    _refuse_right_to_left(known, edits)
    with objects.opened(data) as document:
        said += refuse_protected(document, breaks_signature=breaks_signature)
    edited, warnings = _carried(data, edits, known, may_push=True)
    return edited, tuple(dict.fromkeys((*said, *warnings)))


def _carried(
    data: bytes, edits: Edits, known: Sequence[Target], *, may_push: bool
) -> tuple[bytes, list[str]]:
    """Change the pages and verify it; where what was moved down is not kept, once more without."""
    with objects.opened(data) as document:
        said = [*drop_usage_rights(document)]
        sheets, found = _locate(document, edits, known, may_push=may_push)
        _carry_out(document, sheets, found, edits)
        _refuse_shared(document, sheets)
        titles = outlining.rename(document, known, edits)
        properties.set_properties(document, edits.properties)
        claims = list(_claims(sheets, found, edits))
        for each in sheets.values():
            _store(document, each)
        naming.complete(each.shelf for each in sheets.values())
        edited = _saved(document)
    is_pushed = may_push and not edits.closed and any(each.moved for each in sheets.values())
    try:
        verify(data, edited, claims, titles)
        _check_reading(edited, known, edits, is_pushed=is_pushed)
    except EditError:
        if is_pushed:
            return _carried(data, edits, known, may_push=False)
        raise
    return edited, said + [text for each in sheets.values() for text in each.warnings]


def _filled(
    data: bytes, wanted: Mapping[str, str], *, breaks_signature: bool
) -> tuple[bytes, tuple[str, ...]]:
    """Fill form fields and verify it; what would go on showing the old values goes."""
    with objects.opened(data) as document:
        said = refuse_protected(document, breaks_signature=breaks_signature, is_form=True)
    filled = forms.fill(data, wanted)
    with objects.opened(filled) as document:
        dropped = drop_xml_form(document) + drop_usage_rights(document)
        if dropped:
            filled = _saved(document)
    verify(data, filled, ())
    return filled, said + dropped + forms.cut_off(filled, wanted)


def rehearse(
    data: bytes, edits: Edits, known: Sequence[Target], *, breaks_signature: bool = False
) -> None:
    """Set the new words on their pages without writing a file; most of the price is not paid.

    Raises:
        EditError: it cannot be done without damage; `NoRoomError` where room is what lacks.
    """
    for step in steps(edits):
        with objects.opened(data) as document:
            refuse_protected(document, breaks_signature=breaks_signature)
            _refuse_right_to_left(known, step)
            sheets, found = _locate(document, step, known)
            _carry_out(document, sheets, found, step)
            _refuse_shared(document, sheets)


def _refuse_right_to_left(known: Sequence[Target], edits: Edits) -> None:
    """Refuse to edit text that would have to be shaped and turned.

    Raises:
        RefusedError: a block to be edited is such text.
    """
    touched = set(edits.touched())
    if any(each.anchor in touched and is_right_to_left(each.text) for each in known):
        raise RefusedError("Text that is written from right to left cannot be edited in a PDF yet")


def _locate(
    document: Any, edits: Edits, known: Sequence[Target], *, may_push: bool = True
) -> tuple[dict[int, Sheet], dict[str, Located]]:
    """Find the glyphs of the blocks to be edited, and open the pages they are on."""
    wanted = {target.anchor: target for target in known}
    touched = edits.touched()
    pages = {wanted[anchor].page for anchor in touched}
    # A block may go on on the next page; other blocks take their glyphs first.
    needed = sorted({page + n for page in pages for n in (0, 1)} & set(range(len(document.pages))))
    held = shelf(document)
    sheets = {page: sheet(document, page, held) for page in needed}
    for each in sheets.values():
        each.may_push = may_push
    finder = Finder()
    for page in needed:
        finder.add(page, sheets[page].pieces)
    found = finder.find(each for each in known if each.page in needed)
    for target in known:
        if target.anchor in found and target.story in ("header", "footer"):
            _fix(sheets, found[target.anchor])
    for anchor in touched:
        if anchor not in found:
            number = wanted[anchor].page + 1
            message = (
                f"The text on page {number} stands in a form field or annotation, or is drawn in a "
                "way that cannot be followed character by character; change an annotation in a PDF "
                "viewer, and fill a form field by its name"
            )
            raise RefusedError(message)
    return sheets, found


def _fix(sheets: Mapping[int, Sheet], located: Located) -> None:
    """Note that a header or footer never moves."""
    for row in located.rows:
        sheets[row.page].fixed |= {id(glyph) for glyph in row.glyphs}


def _carry_out(
    document: Any, sheets: Mapping[int, Sheet], found: Mapping[str, Located], edits: Edits
) -> None:
    # From the bottom up: what grows may move what is below, with what was changed there.
    for anchor in sorted(edits.changes, key=lambda each: found[each].rows[0].piece.v):
        rewrite(sheets, found[anchor], edits.changes[anchor])
    by_anchor: dict[str, list[Look]] = {}
    for look in edits.looks:
        by_anchor.setdefault(look.anchor, []).append(look)
    for anchor, looks in by_anchor.items():
        rewrite(sheets, found[anchor], (), looks)
    for anchor in edits.deleted:
        if anchor in found:
            erase(sheets, found[anchor], "")
    for stretch in edits.closed:
        _close(sheets, found, stretch, edits)
    for each in edits.inserted:
        insert(sheets, found[each.anchor], each)
    for each in edits.links:
        link(document, sheets, found[each.anchor], each)


def _close(
    sheets: Mapping[int, Sheet], found: Mapping[str, Located], stretch: Sequence[str], edits: Edits
) -> None:
    """Close the gap of a stretch of deleted blocks.

    Raises:
        RefusedError: it cannot be done without damage; says why.
    """
    gone = [found[anchor] for anchor in stretch if anchor in found]
    others = [anchor for anchor in edits.touched() if anchor not in stretch]
    pages = {row.page for each in gone for row in each.rows}
    if any(row.page in pages for anchor in others for row in found[anchor].rows):
        message = "Blocks are deleted and their gap closed by an edit of its own; make two edits"
        raise RefusedError(message)
    if gone:
        close(sheets, gone)


def _refuse_shared(document: Any, sheets: Mapping[int, Sheet]) -> None:
    """Refuse to edit a form that other pages draw too."""
    keys = {
        (each.index, each.model.streams[show.stream].key)
        for each in sheets.values()
        for show in each.patch.shows.values()
        if show.stream
    }
    if not keys:
        return
    uses = Counter(
        objects.identity(form)[0]
        for page in document.pages
        for _, form in objects.items(
            objects.entry(objects.inherited(page.obj, "/Resources"), "/XObject")
        )
    )
    for index, key in keys:
        if uses[key] > 1:
            message = f"The text on page {index + 1} is part of a form that other pages use too"
            raise RefusedError(message)


def _claims(
    sheets: Mapping[int, Sheet], found: Mapping[str, Located], edits: Edits
) -> Iterator[Claim]:
    for index, each in sheets.items():
        kinds = [annotation.kind for annotation in each.annotations if annotation.is_gone]
        if not (each.patch.shows or kinds or each.added):
            continue
        passages = [
            passage
            for anchor, located in found.items()
            for passage in _passages(index, anchor, located, edits)
        ]
        added = "".join(spot.atom.text for chunk in each.patch.chunks for spot in chunk.spots)
        yield Claim(
            index,
            tuple(each.declared),
            tuple(each.fresh),
            "".join(glyph.text for glyph in _deleted(each)),
            added,
            tuple(passages),
            kinds.count("Link") - len(each.added),
            moved=tuple(unchanged(each)),
            marks_gone=tuple(kind for kind in kinds if kind != "Link"),
        )


def _passages(index: int, anchor: str, located: Located, edits: Edits) -> Iterator[tuple[str, str]]:
    """Give the old and the new text of a block on a page; nothing where it goes over pages."""
    pages = {row.page for row in located.rows}
    for insertion in edits.inserted:
        if insertion.anchor == anchor and located.rows[-1].page == index:
            yield from (("", text) for text in insertion.text.split("\n"))
    if pages != {index}:
        return
    if anchor in edits.deleted:
        yield located.text, ""
    elif anchor in edits.changes:
        yield located.text, changed(located.text, edits.changes[anchor])


def _deleted(held: Sheet) -> list[Any]:
    return [glyph for glyph in held.model.glyphs() if id(glyph) in held.patch.deleted]


def _store(document: Any, held: Sheet) -> None:
    """Write a page's new streams, fonts and annotations into the open document."""
    import pikepdf

    for number, data in held.patch.streams(held.model.streams).items():
        key = held.model.streams[number].key
        if number == 0:
            held.page[pikepdf.Name.Contents] = document.make_stream(data)
        else:
            document.get_object((key, 0)).write(data)
    every: dict[str, set[bytes]] = {}
    for (number, name), codes in held.fallbacks.items():
        every.setdefault(name, set()).update(codes, _written_before(held, number, name))
    fonts = {name: fallback.embed(document, name, codes) for name, codes in every.items()}
    for number, name in held.fallbacks:
        _add_font(held, number, fallback.resource_name(name), fonts[name])
    for (number, name), holder in held.borrowed.items():
        _add_font(held, number, name, holder)
    linking.store(held)


def _written_before(held: Sheet, stream: int, name: str) -> Iterator[bytes]:
    """Give the codes of a fallback font that an earlier edit wrote: the new one has them too."""
    resources = held.model.streams[stream].resources
    holder = objects.entry(resources, "/Font", f"/{fallback.resource_name(name)}")
    if holder is not None:
        yield from (code.to_bytes(2, "big") for code in held.shelf.font(holder).text)


def _add_font(held: Sheet, stream: int, name: str, font: Any) -> None:
    import pikepdf

    resources = held.model.streams[stream].resources
    if resources is None:
        resources = pikepdf.Dictionary()
        held.page[pikepdf.Name.Resources] = resources
    if "/Font" not in resources:
        resources[pikepdf.Name.Font] = pikepdf.Dictionary()
    resources["/Font"][f"/{name}"] = font


def _saved(document: Any) -> bytes:
    out = BytesIO()
    document.save(out, encryption=True if document.is_encrypted else None)
    return out.getvalue()


def _check_reading(
    edited: bytes, known: Sequence[Target], edits: Edits, *, is_pushed: bool
) -> None:
    """Read the edited file as the next edit will, and hold its words against what was asked."""
    if not (edits.changes or edits.looks or edits.deleted or edits.inserted):
        return
    try:
        after = known_in(edited)
    except UnreadableError:
        after = []  # nothing is left to be read: right only where everything was to go
    check_words(known, after, edits)
    if edits.closed:
        _check_closed(after, known, edits)
    elif is_pushed:
        _check_pushed(after, known, edits)
    _check_places(after, known, edits)


def _check_closed(after: Sequence[Target], known: Sequence[Target], edits: Edits) -> None:
    """Make sure that what moved up reads as it did."""
    kept = [t for t in known if t.anchor not in edits.deleted]
    before, now = ([f"{t.label} {t.text}".split() for t in held] for held in (kept, after))
    if list(chain.from_iterable(before)) != list(chain.from_iterable(now)):
        message = "The gap cannot be closed: what is below would read differently there; leave it"
        raise RefusedError(message)


def _check_pushed(after: Sequence[Target], known: Sequence[Target], edits: Edits) -> None:
    """Make sure that what moved down reads as it did, with its bullets and numbers."""
    touched = set(edits.touched())
    before = Counter((t.label, t.text) for t in known if t.anchor not in touched)
    if before - Counter((target.label, target.text) for target in after):
        message = "The edit was not kept: what was moved down would read differently there"
        raise VerificationError(message)


def _check_places(after: Sequence[Target], known: Sequence[Target], edits: Edits) -> None:
    """Make sure that of several blocks with the same words the right one was edited."""
    texts = Counter(target.text for target in known)
    doubtful = [
        target
        for target in known
        if texts[target.text] > 1
        and (target.anchor in edits.changes or target.anchor in edits.deleted)
    ]
    if not doubtful and not edits.inserted:
        return
    _check_inserted(after, edits)
    now = {target.anchor: target.text for target in after}
    kept = [changed(t.text, edits.changes.get(t.anchor, ())) for t in known]
    kept = [text for text, t in zip(kept, known, strict=True) if t.anchor not in edits.deleted]
    is_as_expected = kept == [target.text for target in after]
    for target in doubtful:
        is_changed = target.anchor in edits.changes and now.get(target.anchor) != target.text
        if not is_as_expected and not is_changed:
            message = f"The edit was not kept: the words of {target.anchor} stand in several places"
            raise VerificationError(message)


def _check_inserted(after: Sequence[Target], edits: Edits) -> None:
    """Make sure that new paragraphs read as such."""
    texts = {letters(target.text) for target in after}
    for each in edits.inserted:
        for text in each.text.split("\n"):
            if letters(text) not in texts:
                message = "The new paragraph would run into the text beside it; there is no room"
                raise RefusedError(message)
