"""Carry out resolved edits on a PDF, verify them, and write it anew, without what is gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from redraft.engine.errors import EditError, RefusedError
from redraft.engine.pdf import document_info, form_fields
from redraft.engine.pdf.edit import glyph_names, link_annotations, outline
from redraft.engine.pdf.edit.erase_block import erase
from redraft.engine.pdf.edit.insert_paragraph import insert
from redraft.engine.pdf.edit.link_annotations import link
from redraft.engine.pdf.edit.rewrite_block import rewrite
from redraft.engine.pdf.edit.shift_column import close, unchanged
from redraft.engine.pdf.edit.strategies import (
    MOST_ATTEMPTS,
    Strategy,
    in_the_way,
    pushed,
    refusal_of,
)
from redraft.engine.pdf.fonts import fallback
from redraft.engine.pdf.fonts.fonts import Font
from redraft.engine.pdf.glyphs.edited_words import is_right_to_left
from redraft.engine.pdf.glyphs.mapping import Finder, Located
from redraft.engine.pdf.glyphs.shared_resources import shared_resources_of
from redraft.engine.pdf.glyphs.target_blocks import Target, known_in
from redraft.engine.pdf.resolved_edits import Edits, Look, changed, steps
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.stream.protection import drop_usage_rights, drop_xml_form, refuse_protected
from redraft.engine.pdf.typeset.page_edit import PageEdit, open_page, reopened
from redraft.engine.pdf.typeset.text_operators import Chunk
from redraft.engine.pdf.verify.reread import check_reading
from redraft.engine.pdf.verify.verify import Claim, verify
from redraft.engine.pdf.verify.wording import MisreadError


def claims_of(
    page_edits: Mapping[int, PageEdit], blocks: Mapping[str, Located], edits: Edits
) -> Iterator[Claim]:
    """Says of each page that was edited what was done to it."""
    for index, page_edit in page_edits.items():
        kinds = [annotation.kind for annotation in page_edit.annotations if annotation.is_gone]
        if not (page_edit.patch.shows or kinds or page_edit.added):
            continue
        passages = [
            passage
            for anchor, located in blocks.items()
            for passage in _passages(index, anchor, located, edits)
        ]
        over = {id(twin) for twins in page_edit.model.twins.values() for twin in twins}
        chunks = page_edit.patch.chunks
        once = [chunk for chunk in chunks if id(chunk.anchor) not in over]
        doubled = [glyph.text for glyph in page_edit.model.glyphs() if id(glyph) in over]
        doubled += [_written(chunk) for chunk in chunks if id(chunk.anchor) in over]
        yield Claim(
            index,
            tuple(page_edit.declared),
            tuple(page_edit.fresh),
            "".join(glyph.text for glyph in _deleted(page_edit) if id(glyph) not in over),
            "".join(map(_written, once)),
            tuple(passages),
            kinds.count("Link") - len(page_edit.added),
            moved=tuple(unchanged(page_edit)),
            marks_gone=tuple(kind for kind in kinds if kind != "Link"),
            doubled="".join(doubled),
        )


def _passages(index: int, anchor: str, located: Located, edits: Edits) -> Iterator[tuple[str, str]]:
    """Yields the old and the new text of a block on a page; nothing where it goes over pages."""
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


def _written(chunk: Chunk) -> str:
    return "".join(spot.atom.text for spot in chunk.spots)


def _deleted(page_edit: PageEdit) -> list[Any]:
    return [glyph for glyph in page_edit.model.glyphs() if id(glyph) in page_edit.patch.deleted]


def execute(
    data: bytes,
    edits: Edits,
    known: Sequence[Target] | None = None,
    *,
    breaks_signature: bool = False,
) -> tuple[bytes, tuple[str, ...]]:
    """Makes changes of blocks, fields and properties and verify them; gives the file and warnings.

    Args:
        data: the PDF.
        edits: what is to be done to it.
        known: its blocks, where they have been read before.
        breaks_signature: whether a signed PDF may be edited, with a warning.

    Raises:
        EditError: it cannot be done without damage, or did not pass its checks.
    """
    notes: tuple[str, ...] = ()
    if edits.fields:
        known = known or known_in(data)
        data, notes = _filled(data, edits.fields, breaks_signature=breaks_signature)
        edits = replace(edits, fields={})
        if edits.is_empty:
            return data, notes
    known = known or known_in(data)
    _refuse_right_to_left(known, edits)
    with objects.opened(data) as document:
        notes += refuse_protected(document, breaks_signature=breaks_signature)
    edited, warnings = _carried(data, edits, known)
    return edited, tuple(dict.fromkeys((*notes, *warnings)))


def _carried(data: bytes, edits: Edits, known: Sequence[Target]) -> tuple[bytes, tuple[str, ...]]:
    """Changes the pages and verify it; what does not pass is tried with another strategy.

    Raises:
        EditError: no strategy passes.
    """
    strategy = Strategy()
    refusal: EditError | None = None
    attempt: _Attempt | None = None
    for _ in range(MOST_ATTEMPTS):
        try:
            attempt = _attempt(data, edits, known, strategy, attempt)
        except RefusedError:
            if strategy.frozen and refusal is not None:
                break  # the lines that were to end as they did are too long then
            raise
        try:
            # What is read otherwise can often be set otherwise, so that comes first.
            is_pushed = bool(pushed(attempt.page_edits, edits))
            check_reading(attempt.edited, known, edits, is_pushed=is_pushed)
            verify(data, attempt.edited, attempt.claims, attempt.titles)
        except EditError as error:
            refusal, other = error, strategy.other(error, attempt.page_edits, edits, known)
            if other == strategy:
                break
            strategy = other
        else:
            return attempt.edited, attempt.warnings
    if isinstance(refusal, MisreadError):
        message = in_the_way(str(refusal), refusal.anchors, edits, known)
        raise MisreadError(message, refusal.anchors)
    raise refusal or RefusedError("The edit could not be made")


@dataclass(frozen=True, slots=True)
class _Attempt:
    """An edited file that is not verified yet, and what the edit says it did."""

    edited: bytes
    page_edits: Mapping[int, PageEdit]
    blocks: Mapping[str, Located]
    fonts: dict[tuple[int, int], Font]
    claims: Sequence[Claim]
    titles: Mapping[str, str]
    warnings: tuple[str, ...]


def _attempt(
    data: bytes, edits: Edits, known: Sequence[Target], strategy: Strategy, before: _Attempt | None
) -> _Attempt:
    """Changes the pages with one strategy; what was found `before` is not looked for again."""
    with objects.opened(data) as document:
        notes = drop_usage_rights(document)
        notes += drop_xml_form(document) if edits.touched() else ()
        page_edits, located = _found_again(document, before) or _locate(document, edits, known)
        for page_edit in page_edits.values():
            page_edit.may_push = page_edit.index not in strategy.still
        _execute(document, page_edits, located, edits, known, strategy.frozen)
        fonts = {key: font for e in page_edits.values() for key, font in e.shared.fonts.items()}
        _refuse_shared(document, page_edits)
        titles = outline.rename(document, known, edits)
        document_info.set_properties(document, edits.properties)
        claims = list(claims_of(page_edits, located, edits))
        for page_edit in page_edits.values():
            _store(document, page_edit)
        glyph_names.complete(page_edit.shared for page_edit in page_edits.values())
        warnings = (text for page_edit in page_edits.values() for text in page_edit.warnings)
        return _Attempt(
            objects.saved(document), page_edits, located, fonts, claims, titles, (*notes, *warnings)
        )


def _filled(
    data: bytes, wanted: Mapping[str, str], *, breaks_signature: bool
) -> tuple[bytes, tuple[str, ...]]:
    """Fills form fields and verify it; what would go on showing the old values goes."""
    with objects.opened(data) as document:
        notes = refuse_protected(document, breaks_signature=breaks_signature, is_form=True)
    filled = form_fields.fill(data, wanted)
    with objects.opened(filled) as document:
        dropped = drop_xml_form(document) + drop_usage_rights(document)
        if dropped:
            filled = objects.saved(document)
    verify(data, filled, ())
    return filled, notes + dropped + form_fields.cut_off(filled, wanted)


def rehearse(
    data: bytes, edits: Edits, known: Sequence[Target], *, breaks_signature: bool = False
) -> None:
    """Sets the new words on their pages without writing a file; most of the price is not paid.

    Raises:
        EditError: it cannot be done without damage; `NoRoomError` where room is what lacks.
    """
    for step in steps(edits):
        with objects.opened(data) as document:
            refuse_protected(document, breaks_signature=breaks_signature)
            _refuse_right_to_left(known, step)
            page_edits, located = _locate(document, step, known)
            _execute(document, page_edits, located, step, known)
            _refuse_shared(document, page_edits)


def _refuse_right_to_left(known: Sequence[Target], edits: Edits) -> None:
    """Refuses to edit text that would have to be shaped and turned.

    Raises:
        RefusedError: a block to be edited is such text.
    """
    touched = set(edits.touched())
    if any(target.anchor in touched and is_right_to_left(target.text) for target in known):
        raise RefusedError("Text that is written from right to left cannot be edited in a PDF yet")


def _locate(
    document: Any, edits: Edits, known: Sequence[Target]
) -> tuple[dict[int, PageEdit], Mapping[str, Located]]:
    """Finds the glyphs of the blocks to be edited, and open the pages they are on."""
    wanted = {target.anchor: target for target in known}
    touched = edits.touched()
    pages = {wanted[anchor].page for anchor in touched}
    # A block may go on on the next page; other blocks take their glyphs first.
    needed = sorted({page + n for page in pages for n in (0, 1)} & set(range(len(document.pages))))
    resources = shared_resources_of(document)
    page_edits = {page: open_page(document, page, resources) for page in needed}
    finder = Finder()
    for page in needed:
        finder.add(page, page_edits[page].pieces, page_edits[page].model.view)
    located = finder.find(candidate for candidate in known if candidate.page in needed)
    for target in known:
        if target.anchor in located and target.story in ("header", "footer"):
            _fix(page_edits, located[target.anchor])
    for anchor in touched:
        if anchor not in located:
            number = wanted[anchor].page + 1
            message = (
                f"The text on page {number} stands in a form field or annotation, or is drawn in a "
                "way that cannot be followed character by character; change an annotation in a PDF "
                "viewer, and fill a form field by its name"
            )
            raise RefusedError(message)
    return page_edits, located


def _found_again(
    document: Any, before: _Attempt | None
) -> tuple[dict[int, PageEdit], Mapping[str, Located]] | None:
    """Returns the pages and blocks of an earlier try in the file that was opened once more."""
    if before is None:
        return None
    resources = shared_resources_of(document)
    resources.fonts = before.fonts
    page_edits: dict[int, PageEdit] = {}
    for index, page_edit in before.page_edits.items():
        again = reopened(document, page_edit, resources)
        if again is None:
            return None
        again.fixed |= page_edit.fixed
        page_edits[index] = again
    for font in resources.fonts.values():
        font.written.clear()
    return page_edits, before.blocks


def _fix(page_edits: Mapping[int, PageEdit], located: Located) -> None:
    """Notes that a header or footer never moves."""
    for row in located.rows:
        page_edits[row.page].fixed |= {id(glyph) for glyph in row.glyphs}


def _execute(
    document: Any,
    page_edits: Mapping[int, PageEdit],
    located: Mapping[str, Located],
    edits: Edits,
    known: Sequence[Target],
    frozen: Container[str] = (),
) -> None:
    """Carries out edits on their pages; the lines of blocks in `frozen` keep their ends.

    Raises:
        RefusedError: something cannot be done; of changes it says which of them.
    """
    refused = dict(_refused(page_edits, located, edits, frozen))
    if refused:
        raise refusal_of(refused, edits, known)
    by_anchor: dict[str, list[Look]] = {}
    for look in edits.looks:
        by_anchor.setdefault(look.anchor, []).append(look)
    for anchor, looks in by_anchor.items():
        rewrite(page_edits, located[anchor], (), looks, keeps_breaks=anchor in frozen)
    for anchor in edits.deleted:
        if anchor in located:
            erase(page_edits, located[anchor], "")
    for stretch in edits.closed:
        _close(page_edits, located, stretch, edits)
    for insertion in edits.inserted:
        insert(page_edits, located[insertion.anchor], insertion)
    for insertion in edits.links:
        link(document, page_edits, located[insertion.anchor], insertion)


def _refused(
    page_edits: Mapping[int, PageEdit],
    located: Mapping[str, Located],
    edits: Edits,
    frozen: Container[str],
) -> Iterator[tuple[str, RefusedError]]:
    """Changes the text of blocks; gives those that cannot be changed, and why."""
    # From the bottom up: what grows may move what is below, with what was changed there.
    for anchor in sorted(edits.changes, key=lambda name: located[name].rows[0].piece.v):
        try:
            rewrite(
                page_edits, located[anchor], edits.changes[anchor], keeps_breaks=anchor in frozen
            )
        except RefusedError as error:
            yield anchor, error


def _close(
    page_edits: Mapping[int, PageEdit],
    located: Mapping[str, Located],
    stretch: Sequence[str],
    edits: Edits,
) -> None:
    """Closes the gap of a stretch of deleted blocks.

    Raises:
        RefusedError: it cannot be done without damage; says why.
    """
    gone = [located[anchor] for anchor in stretch if anchor in located]
    others = [anchor for anchor in edits.touched() if anchor not in stretch]
    pages = {row.page for block in gone for row in block.rows}
    if any(row.page in pages for anchor in others for row in located[anchor].rows):
        message = "Blocks are deleted and their gap closed by an edit of its own; make two edits"
        raise RefusedError(message)
    if gone:
        close(page_edits, gone)


def _refuse_shared(document: Any, page_edits: Mapping[int, PageEdit]) -> None:
    """Refuses to edit a form that other pages draw too."""
    keys = {
        (page_edit.index, page_edit.model.streams[show.stream].key)
        for page_edit in page_edits.values()
        for show in page_edit.patch.shows.values()
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


def _store(document: Any, page_edit: PageEdit) -> None:
    """Writes a page's new streams, fonts and annotations into the open document."""
    import pikepdf

    for number, data in page_edit.patch.streams(page_edit.model.streams).items():
        key = page_edit.model.streams[number].key
        if number == 0:
            page_edit.page[pikepdf.Name.Contents] = document.make_stream(data)
        else:
            document.get_object((key, 0)).write(data)
    every: dict[str, set[bytes]] = {}
    for (number, name), codes in page_edit.fallbacks.items():
        every.setdefault(name, set()).update(codes, _written_before(page_edit, number, name))
    fonts = {name: fallback.embed(document, name, codes) for name, codes in every.items()}
    for number, name in page_edit.fallbacks:
        _add_font(page_edit, number, fallback.resource_name(name), fonts[name])
    for (number, name), holder in page_edit.borrowed.items():
        _add_font(page_edit, number, name, holder)
    link_annotations.store(page_edit)


def _written_before(page_edit: PageEdit, stream: int, name: str) -> Iterator[bytes]:
    """Yields the codes of a fallback font that an earlier edit wrote: the new one has them too."""
    resources = page_edit.model.streams[stream].resources
    holder = objects.entry(resources, "/Font", f"/{fallback.resource_name(name)}")
    if holder is not None:
        yield from (code.to_bytes(2, "big") for code in page_edit.shared.font(holder).text)


def _add_font(page_edit: PageEdit, stream: int, name: str, font: Any) -> None:
    import pikepdf

    resources = page_edit.model.streams[stream].resources
    if resources is None:
        resources = pikepdf.Dictionary()
        page_edit.page[pikepdf.Name.Resources] = resources
    if "/Font" not in resources:
        resources[pikepdf.Name.Font] = pikepdf.Dictionary()
    resources["/Font"][f"/{name}"] = font
