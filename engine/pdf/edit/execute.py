"""Carry out resolved edits on a PDF, verify them, and write it anew, without what is gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

from redraft.engine.errors import EditError, RefusedError
from redraft.engine.pdf import document_info, form_fields
from redraft.engine.pdf.edit import glyph_names, link_annotations, outline
from redraft.engine.pdf.edit.close_gap import close
from redraft.engine.pdf.edit.edit_claims import claims_of
from redraft.engine.pdf.edit.erase_block import erase
from redraft.engine.pdf.edit.insert_paragraph import insert
from redraft.engine.pdf.edit.link_annotations import link
from redraft.engine.pdf.edit.rewrite_block import rewrite
from redraft.engine.pdf.edit.strategies import MOST_WAYS, Way, in_the_way, pushed, refusal_of
from redraft.engine.pdf.fonts import fallback
from redraft.engine.pdf.fonts.fonts import Font
from redraft.engine.pdf.glyphs.edited_words import is_right_to_left
from redraft.engine.pdf.glyphs.mapping import Finder, Located
from redraft.engine.pdf.glyphs.shared_resources import shelf
from redraft.engine.pdf.glyphs.target_blocks import Target, known_in
from redraft.engine.pdf.resolved_edits import Edits, Look, steps
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.stream.protection import drop_usage_rights, drop_xml_form, refuse_protected
from redraft.engine.pdf.typeset.page_edit import Sheet, reopened, sheet
from redraft.engine.pdf.verify.reread import check_reading
from redraft.engine.pdf.verify.verify import Claim, verify
from redraft.engine.pdf.verify.wording import MisreadError


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
    edited, warnings = _carried(data, edits, known)
    return edited, tuple(dict.fromkeys((*said, *warnings)))


def _carried(data: bytes, edits: Edits, known: Sequence[Target]) -> tuple[bytes, tuple[str, ...]]:
    """Change the pages and verify it; what does not pass is tried in another way.

    Raises:
        EditError: no way passes.
    """
    way = Way()
    refusal: EditError | None = None
    tried: _Tried | None = None
    for _ in range(MOST_WAYS):
        try:
            tried = _tried(data, edits, known, way, tried)
        except RefusedError:
            if way.kept and refusal is not None:
                break  # the lines that were to end as they did are too long then
            raise
        try:
            # What is read otherwise can often be set otherwise, so that comes first.
            is_pushed = bool(pushed(tried.sheets, edits))
            check_reading(tried.edited, known, edits, is_pushed=is_pushed)
            verify(data, tried.edited, tried.claims, tried.titles)
        except EditError as error:
            refusal, other = error, way.other(error, tried.sheets, edits, known)
            if other == way:
                break
            way = other
        else:
            return tried.edited, tried.warnings
    if isinstance(refusal, MisreadError):
        message = in_the_way(str(refusal), refusal.anchors, edits, known)
        raise MisreadError(message, refusal.anchors)
    raise refusal or RefusedError("The edit could not be made")


@dataclass(frozen=True, slots=True)
class _Tried:
    """An edited file that is not verified yet, and what the edit says it did."""

    edited: bytes
    sheets: Mapping[int, Sheet]
    found: Mapping[str, Located]
    fonts: dict[tuple[int, int], Font]
    claims: Sequence[Claim]
    titles: Mapping[str, str]
    warnings: tuple[str, ...]


def _tried(
    data: bytes, edits: Edits, known: Sequence[Target], way: Way, before: _Tried | None
) -> _Tried:
    """Change the pages in one way; what was found `before` is not looked for again."""
    with objects.opened(data) as document:
        said = drop_usage_rights(document)
        said += drop_xml_form(document) if edits.touched() else ()
        sheets, found = _found_again(document, before) or _locate(document, edits, known)
        for each in sheets.values():
            each.may_push = each.index not in way.still
        _carry_out(document, sheets, found, edits, known, way.kept)
        fonts = {key: font for e in sheets.values() for key, font in e.shelf.fonts.items()}
        _refuse_shared(document, sheets)
        titles = outline.rename(document, known, edits)
        document_info.set_properties(document, edits.properties)
        claims = list(claims_of(sheets, found, edits))
        for each in sheets.values():
            _store(document, each)
        glyph_names.complete(each.shelf for each in sheets.values())
        warnings = (text for each in sheets.values() for text in each.warnings)
        return _Tried(_saved(document), sheets, found, fonts, claims, titles, (*said, *warnings))


def _filled(
    data: bytes, wanted: Mapping[str, str], *, breaks_signature: bool
) -> tuple[bytes, tuple[str, ...]]:
    """Fill form fields and verify it; what would go on showing the old values goes."""
    with objects.opened(data) as document:
        said = refuse_protected(document, breaks_signature=breaks_signature, is_form=True)
    filled = form_fields.fill(data, wanted)
    with objects.opened(filled) as document:
        dropped = drop_xml_form(document) + drop_usage_rights(document)
        if dropped:
            filled = _saved(document)
    verify(data, filled, ())
    return filled, said + dropped + form_fields.cut_off(filled, wanted)


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
            _carry_out(document, sheets, found, step, known)
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
    document: Any, edits: Edits, known: Sequence[Target]
) -> tuple[dict[int, Sheet], Mapping[str, Located]]:
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
        finder.add(page, sheets[page].pieces, sheets[page].model.view)
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


def _found_again(
    document: Any, before: _Tried | None
) -> tuple[dict[int, Sheet], Mapping[str, Located]] | None:
    """Give the pages and blocks of an earlier try in the file that was opened once more."""
    if before is None:
        return None
    held = shelf(document)
    held.fonts = before.fonts
    sheets: dict[int, Sheet] = {}
    for index, each in before.sheets.items():
        again = reopened(document, each, held)
        if again is None:
            return None
        again.fixed |= each.fixed
        sheets[index] = again
    for font in held.fonts.values():
        font.written.clear()
    return sheets, before.found


def _fix(sheets: Mapping[int, Sheet], located: Located) -> None:
    """Note that a header or footer never moves."""
    for row in located.rows:
        sheets[row.page].fixed |= {id(glyph) for glyph in row.glyphs}


def _carry_out(
    document: Any,
    sheets: Mapping[int, Sheet],
    found: Mapping[str, Located],
    edits: Edits,
    known: Sequence[Target],
    kept: Container[str] = (),
) -> None:
    """Carry out edits on the sheets of their pages; the lines of blocks that are `kept` stay.

    Raises:
        RefusedError: something cannot be done; of changes it says which of them.
    """
    refused = dict(_refused(sheets, found, edits, kept))
    if refused:
        raise refusal_of(refused, edits, known)
    by_anchor: dict[str, list[Look]] = {}
    for look in edits.looks:
        by_anchor.setdefault(look.anchor, []).append(look)
    for anchor, looks in by_anchor.items():
        rewrite(sheets, found[anchor], (), looks, keeps_breaks=anchor in kept)
    for anchor in edits.deleted:
        if anchor in found:
            erase(sheets, found[anchor], "")
    for stretch in edits.closed:
        _close(sheets, found, stretch, edits)
    for each in edits.inserted:
        insert(sheets, found[each.anchor], each)
    for each in edits.links:
        link(document, sheets, found[each.anchor], each)


def _refused(
    sheets: Mapping[int, Sheet], found: Mapping[str, Located], edits: Edits, kept: Container[str]
) -> Iterator[tuple[str, RefusedError]]:
    """Change the text of blocks; gives those that cannot be changed, and why."""
    # From the bottom up: what grows may move what is below, with what was changed there.
    for anchor in sorted(edits.changes, key=lambda each: found[each].rows[0].piece.v):
        try:
            rewrite(sheets, found[anchor], edits.changes[anchor], keeps_breaks=anchor in kept)
        except RefusedError as error:
            yield anchor, error


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
    link_annotations.store(held)


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
