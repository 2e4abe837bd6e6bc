"""Carry out a plan on a PDF, in its own content streams: all of it or nothing, verified.

What is taken out is gone from the file: it is written anew, without what nothing refers to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from engine.errors import RefusedError, VerificationError
from engine.model import Revision
from engine.pdf import reader
from engine.pdf.content import fallback, objects
from engine.pdf.content.erasing import erase
from engine.pdf.content.log import logged
from engine.pdf.content.mapping import Finder, Located
from engine.pdf.content.rewriting import rewrite
from engine.pdf.content.sheets import Sheet, sheet
from engine.pdf.content.shelf import shelf
from engine.pdf.content.targets import Edits, Target, resolve, targets
from engine.pdf.content.verify import Claim, verify
from engine.pdf.content.words import Change, trimmed
from engine.plan import EditPlan
from engine.report import EditReport, Signature


def apply(
    data: bytes, state: bytes, plan: EditPlan, signature: Signature
) -> tuple[bytes, EditReport]:
    """Carry out a plan on a PDF.

    The report's revisions say what was changed, as data, and its state is the log with this edit;
    the file itself carries no marks (see `engine.pdf.redline`).

    Raises:
        NotFoundError, AmbiguousError, PlanError: the plan does not fit the document.
        RefusedError: it cannot be done without damage; says why.
        VerificationError: it was done and did not pass its checks.
    """
    known = targets(reader.read(data))
    edits = resolve(plan, known)
    _drop_empty(edits, known)
    if not edits.changes and not edits.deleted:
        return data, EditReport(applied=False, summary="No change was needed", state=state)
    edited, warnings = carry_out(data, edits, known)
    revisions = _revisions(known, edits, signature)
    return edited, EditReport(
        applied=True,
        summary=_summary(revisions),
        revisions=revisions,
        warnings=warnings,
        state=logged(state, signature, revisions),
    )


def carry_out(
    data: bytes, edits: Edits, known: Sequence[Target] | None = None
) -> tuple[bytes, tuple[str, ...]]:
    """Make changes of blocks and verify them; gives the new file and warnings.

    Raises:
        RefusedError, VerificationError: as `apply`.
    """
    known = known or targets(reader.read(data))
    with objects.opened(data) as document:
        refuse_protected(document)
        sheets, found = _locate(document, edits, known)
        _carry_out(sheets, found, edits)
        _refuse_shared(document, sheets)
        claims = _claims(sheets, found, edits)
        for each in sheets.values():
            _store(document, each)
        edited = _saved(document)
    verify(data, edited, claims)
    _check_places(edited, known, edits)
    return edited, tuple(dict.fromkeys(text for each in sheets.values() for text in each.warnings))


def _drop_empty(edits: Edits, known: Sequence[Target]) -> None:
    """Forget changes that change nothing."""
    texts = {target.anchor: target.text for target in known}
    for anchor, changes in list(edits.changes.items()):
        real = [each for each in changes if texts[anchor][each.start : each.end] != each.text]
        if real:
            edits.changes[anchor] = real
        else:
            del edits.changes[anchor]


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
    touched = [*edits.changes, *edits.deleted]
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


def _carry_out(sheets: Mapping[int, Sheet], found: Mapping[str, Located], edits: Edits) -> None:
    for anchor, changes in edits.changes.items():
        rewrite(sheets, found[anchor], changes)
    for anchor in edits.deleted:
        if anchor in found:
            erase(sheets, found[anchor], "")


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
        if not each.patch.shows:
            continue
        removed: list[str] = []
        added: list[str] = []
        passages: list[tuple[str, str]] = []
        for anchor, located in found.items():
            pages = {row.page for row in located.rows}
            if index not in pages:
                continue
            if anchor in edits.deleted:
                passages.append((located.text, "") if len(pages) == 1 else ("", ""))
            elif anchor in edits.changes and len(pages) == 1:
                passages.append((located.text, _changed(located.text, edits.changes[anchor])))
        removed.append("".join(glyph.text for glyph in _deleted(each)))
        added.append("".join(spot.atom.text for chunk in each.patch.chunks for spot in chunk.spots))
        gone = sum(annotation.is_gone for annotation in each.annotations)
        claims.append(
            Claim(
                index,
                tuple(each.declared),
                tuple(each.fresh),
                "".join(removed),
                "".join(added),
                tuple(passages),
                gone,
            )
        )
    return claims


def _deleted(held: Sheet) -> list[Any]:
    return [glyph for glyph in held.model.glyphs() if id(glyph) in held.patch.deleted]


def _changed(text: str, changes: Sequence[Change]) -> str:
    for change in sorted(changes, key=lambda each: -each.start):
        text = text[: change.start] + change.text + text[change.end :]
    return text


def _store(document: Any, held: Sheet) -> None:
    """Write a page's new streams, fonts and annotations into the open document."""
    import pikepdf

    if not held.patch.shows:
        return
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
    gone = [each.holder for each in held.annotations if each.is_gone]
    if gone:
        kept = [
            each
            for each in objects.elements(held.page.get("/Annots"))
            if not any(each == other for other in gone)
        ]
        held.page[pikepdf.Name.Annots] = pikepdf.Array(kept)


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


def _check_places(edited: bytes, known: Sequence[Target], edits: Edits) -> None:
    """Make sure that of several blocks with the same words the right one was edited."""
    texts = Counter(target.text for target in known)
    doubtful = [
        target
        for target in known
        if texts[target.text] > 1
        and (target.anchor in edits.changes or target.anchor in edits.deleted)
    ]
    if not doubtful:
        return
    after = targets(reader.read(edited))
    now = {target.anchor: target.text for target in after}
    kept = [_changed(t.text, edits.changes.get(t.anchor, ())) for t in known]
    kept = [text for text, t in zip(kept, known, strict=True) if t.anchor not in edits.deleted]
    is_as_expected = kept == [target.text for target in after]
    for target in doubtful:
        is_changed = target.anchor in edits.changes and now.get(target.anchor) != target.text
        if not is_as_expected and not is_changed:
            message = f"The edit was not kept: the words of {target.anchor} stand in several places"
            raise VerificationError(message)


def _revisions(known: Sequence[Target], edits: Edits, signature: Signature) -> tuple[Revision, ...]:
    found: list[Revision] = []
    for target in known:
        changes = list(edits.changes.get(target.anchor, ()))
        if target.anchor in edits.deleted:
            changes = [Change(0, len(target.text), "")]
        for change in changes:
            small = trimmed_to_words(target.text, change)
            before, after = target.text[small.start : small.end], small.text
            kind = "replacement" if before and after else "insertion" if after else "deletion"
            found.append(
                Revision(
                    f"{signature.edit_uid}.{len(found) + 1}",
                    kind,
                    signature.author,
                    signature.date,
                    "body",
                    target.anchor,
                    f"page {target.page + 1}",
                    before,
                    after,
                    target.text[max(0, small.start - 60) : small.start],
                    target.text[small.end : small.end + 60],
                    (signature.edit_uid,),
                )
            )
    return tuple(found)


def trimmed_to_words(text: str, change: Change) -> Change:
    """Take off what a change only repeats at its ends, whole words at a time."""
    small = trimmed(text, change)
    start, end = small.start, small.end
    head = change.text[: small.start - change.start]
    tail = change.text[len(head) + len(small.text) :]
    while start > change.start and text[start - 1].isalnum():
        start -= 1
    while end < change.end and text[end].isalnum():
        end += 1
    new = head[len(head) - (small.start - start) :] if small.start > start else ""
    rest = tail[: end - small.end]
    return Change(start, end, new + small.text + rest)


def _summary(revisions: Sequence[Revision]) -> str:
    pages = sorted({int(revision.where.removeprefix("page ")) for revision in revisions})
    places = "1 change" if len(revisions) == 1 else f"{len(revisions)} changes"
    where = ", ".join(str(page) for page in pages)
    return f"{places} on page {where}" if len(pages) == 1 else f"{places} on pages {where}"
