"""Carry out resolved edits on a PDF, verify them, and write it anew, without what is gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any, Final

from engine.errors import RefusedError, UnreadableError, VerificationError
from engine.pdf.content import fallback, forms, linking, naming, objects, outlining, properties
from engine.pdf.content.edits import Edits, Look, changed
from engine.pdf.content.erasing import erase
from engine.pdf.content.inserting import insert
from engine.pdf.content.lines import letters
from engine.pdf.content.linking import link
from engine.pdf.content.mapping import Finder, Located
from engine.pdf.content.rewriting import is_right_to_left, rewrite
from engine.pdf.content.sheets import Sheet, sheet
from engine.pdf.content.shelf import shelf
from engine.pdf.content.targets import Target, known_in
from engine.pdf.content.verify import Claim, verify
from engine.pdf.content.wording import check_words

NO_TEXT: Final = (
    "No text layer: the pages of this PDF are scanned images. Run it through OCR, or upload the "
    "document it was made from"
)


def carry_out(
    data: bytes, edits: Edits, known: Sequence[Target] | None = None
) -> tuple[bytes, tuple[str, ...]]:
    """Make changes of blocks, fields and properties and verify them; gives the file and warnings.

    Raises:
        EditError: it cannot be done without damage, or did not pass its checks.
    """
    if edits.fields:
        known = known or known_in(data)
        filled = forms.fill(data, edits.fields)
        verify(data, filled, ())
        data = filled
        edits = replace(edits, fields={})
        if edits.is_empty:
            return data, ()
    known = known or known_in(data)
    with objects.opened(data) as document:
        refuse_protected(document)
        _refuse_right_to_left(known, edits)
        sheets, found = _locate(document, edits, known)
        _carry_out(document, sheets, found, edits)
        _refuse_shared(document, sheets)
        titles = outlining.rename(document, known, edits)
        properties.set_properties(document, edits.properties)
        claims = _claims(sheets, found, edits)
        for each in sheets.values():
            _store(document, each)
        naming.complete(each.shelf for each in sheets.values())
        edited = _saved(document)
    verify(data, edited, claims, titles)
    _check_reading(edited, known, edits)
    return edited, tuple(dict.fromkeys(text for each in sheets.values() for text in each.warnings))


def rehearse(data: bytes, edits: Edits, known: Sequence[Target]) -> None:
    """Set the new words on their pages without writing a file; most of the price is not paid.

    Raises:
        EditError: it cannot be done without damage; `NoRoomError` where room is what lacks.
    """
    with objects.opened(data) as document:
        refuse_protected(document)
        _refuse_right_to_left(known, edits)
        sheets, found = _locate(document, edits, known)
        _carry_out(document, sheets, found, edits)
        _refuse_shared(document, sheets)


def refuse_protected(document: Any) -> None:
    """Refuse documents that must not be edited.

    Raises:
        RefusedError: signed, or its author forbids changes.
    """
    if document.is_encrypted and not document.allow.modify_other:
        raise RefusedError("The document's permissions forbid modification")
    for field in _fields(objects.entry(document.Root, "/AcroForm", "/Fields"), 0):
        is_signature = objects.name(objects.entry(field, "/FT")) == "Sig"
        if is_signature and objects.entry(field, "/V") is not None:
            raise RefusedError("The PDF is signed; an edit would make its signature invalid")


def _refuse_right_to_left(known: Sequence[Target], edits: Edits) -> None:
    """Refuse to edit text that would have to be shaped and turned.

    Raises:
        RefusedError: a block to be edited is such text.
    """
    touched = set(edits.touched())
    if any(each.anchor in touched and is_right_to_left(each.text) for each in known):
        raise RefusedError("Text that is written from right to left cannot be edited in a PDF yet")


def _fields(value: Any, depth: int) -> list[Any]:
    found: list[Any] = []
    for field in objects.elements(value) if depth < 20 else ():
        found.append(field)
        found += _fields(objects.entry(field, "/Kids"), depth + 1)
    return found


def _locate(
    document: Any, edits: Edits, known: Sequence[Target]
) -> tuple[dict[int, Sheet], dict[str, Located]]:
    """Find the glyphs of the blocks to be edited, and open the pages they are on."""
    wanted = {target.anchor: target for target in known}
    touched = edits.touched()
    pages = {wanted[anchor].page for anchor in touched}
    # A block may go on on the next page; other blocks take their glyphs first.
    needed = sorted({page + n for page in pages for n in (0, 1)} & set(range(len(document.pages))))
    held = shelf(document)
    sheets = {page: sheet(document, page, held) for page in needed}
    finder = Finder()
    for page in needed:
        finder.add(page, sheets[page].pieces)
    found: dict[str, Located] = {}
    for target in known:
        if target.page in needed and target.text.strip():
            located = finder.locate(target.text, target.label, target.page)
            if located is not None:
                found[target.anchor] = located
    for anchor in touched:
        if anchor not in found:
            number = wanted[anchor].page + 1
            message = (
                f"The text on page {number} stands in a form field or annotation, or is drawn in a "
                "way that cannot be followed character by character"
            )
            raise RefusedError(message)
    return sheets, found


def _carry_out(
    document: Any, sheets: Mapping[int, Sheet], found: Mapping[str, Located], edits: Edits
) -> None:
    for anchor, changes in edits.changes.items():
        rewrite(sheets, found[anchor], changes)
    by_anchor: dict[str, list[Look]] = {}
    for look in edits.looks:
        by_anchor.setdefault(look.anchor, []).append(look)
    for anchor, looks in by_anchor.items():
        rewrite(sheets, found[anchor], (), looks)
    for anchor in edits.deleted:
        if anchor in found:
            erase(sheets, found[anchor], "")
    for each in edits.inserted:
        insert(sheets, found[each.anchor], each)
    for each in edits.links:
        link(document, sheets, found[each.anchor], each)


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


def _claims(sheets: Mapping[int, Sheet], found: Mapping[str, Located], edits: Edits) -> list[Claim]:
    claims: list[Claim] = []
    for index, each in sheets.items():
        gone = sum(annotation.is_gone for annotation in each.annotations)
        if not (each.patch.shows or gone or each.added):
            continue
        passages = [
            passage
            for anchor, located in found.items()
            for passage in _passages(index, anchor, located, edits)
        ]
        added = "".join(spot.atom.text for chunk in each.patch.chunks for spot in chunk.spots)
        claims.append(
            Claim(
                index,
                tuple(each.declared),
                tuple(each.fresh),
                "".join(glyph.text for glyph in _deleted(each)),
                added,
                tuple(passages),
                gone - len(each.added),
            )
        )
    return claims


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
    fonts: dict[str, Any] = {}
    for (number, name), codes in held.fallbacks.items():
        if name not in fonts:
            every = {c for (_, n), found in held.fallbacks.items() if n == name for c in found}
            fonts[name] = fallback.embed(document, name, every | codes)
        _add_font(held, number, fallback.resource_name(name), fonts[name])
    for (number, name), holder in held.borrowed.items():
        _add_font(held, number, name, holder)
    linking.store(held)


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


def _check_reading(edited: bytes, known: Sequence[Target], edits: Edits) -> None:
    """Read the edited file as the next edit will, and hold its words against what was asked."""
    if not (edits.changes or edits.looks or edits.deleted or edits.inserted):
        return
    try:
        after = known_in(edited)
    except UnreadableError:
        after = []  # nothing is left to be read: right only where everything was to go
    check_words(known, after, edits)
    _check_places(after, known, edits)


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
