"""Carry out a plan on a PDF, in its own content streams: all of it or nothing, verified.

What is taken out is gone from the file: it is written anew, without what nothing refers to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from redraft.engine import already_applied
from redraft.engine.model import Revision, RevisionKind
from redraft.engine.pdf import form_fields
from redraft.engine.pdf.compare.character_looks import colour_of
from redraft.engine.pdf.document_info import properties
from redraft.engine.pdf.edit.emphasis_runs import NOT_SHOWN, has_emphasis, with_emphasis
from redraft.engine.pdf.edit.field_words import as_fields
from redraft.engine.pdf.edit.link_annotations import seven_bit
from redraft.engine.pdf.edit.replay import replayed
from redraft.engine.pdf.edit.resolution import resolve
from redraft.engine.pdf.glyphs.edited_words import Change, trimmed
from redraft.engine.pdf.glyphs.target_blocks import Target, editable_in
from redraft.engine.pdf.page_operations.execute_steps import of_pages, reshape
from redraft.engine.pdf.resolved_edits import Edits, Look
from redraft.engine.plan import EditPlan
from redraft.engine.report import EditReport, Signature


@dataclass(frozen=True, slots=True)
class ResolvedPlan:
    """The blocks of a PDF, what a plan is to do to them, and the new words that stand already."""

    known: list[Target]
    edits: Edits
    already: Counter[str]


def apply(
    data: bytes,
    plan: EditPlan,
    signature: Signature,
    *,
    breaks_signature: bool = False,
    may_emphasize: bool = True,
    read: ResolvedPlan | None = None,
) -> tuple[bytes, EditReport]:
    """Carries out a plan on a PDF.

    The report's revisions say what was changed, as data; the file itself carries no marks (see
    `engine.pdf.tracked.redline`). A signed PDF is edited only where `breaks_signature` says so, and
    new words that are written with Markdown emphasis become bold or italic where `may_emphasize`
    does. `read` is what `resolve_plan` returned, where it was asked before.

    Raises:
        NotFoundError, AmbiguousError, PlanError: the plan does not fit the document.
        RefusedError: it cannot be done without damage; says why.
        VerificationError: it was done and did not pass its checks.
    """
    of_whole = of_pages(plan.operations)
    resolved = resolve_plan(data, plan) if read is None else read
    known, edits = resolved.known, resolved.edits
    settings = _settings(data, edits)
    edited, warnings = data, ()
    remarks = already_applied.told(resolved.already)
    if not edits.is_empty:
        edited, warnings = replayed(data, edits, known, breaks_signature=breaks_signature)
    if edits.changes and has_emphasis(plan):
        more = (NOT_SHOWN,)
        if may_emphasize:
            edited, more = with_emphasis(
                edited, plan, edits, known, breaks_signature=breaks_signature
            )
        warnings = tuple(dict.fromkeys((*warnings, *more)))
    revisions = _numbered([*_of_blocks(known, edits), *settings], signature)
    summaries = [_summary(revisions)] if revisions else []
    if of_whole:
        outcome = reshape(edited, of_whole, breaks_signature=breaks_signature)
        edited, warnings = outcome.data, (*warnings, *outcome.warnings)
        summaries += outcome.done
    if not summaries:
        return data, EditReport(applied=False, summary="No change was needed", warnings=remarks)
    summary = "; ".join(summaries)
    return edited, EditReport(
        True, summary[:1].upper() + summary[1:], revisions, (*warnings, *remarks)
    )


def resolve_plan(data: bytes, plan: EditPlan) -> ResolvedPlan:
    """Reads a PDF, and finds what a plan means on its blocks.

    Raises:
        NotFoundError, AmbiguousError, PlanError, RefusedError: the plan does not fit the document.
    """
    # A PDF of pictures alone has no blocks, and its pages can be deleted all the same.
    is_of_blocks = len(of_pages(plan.operations)) < len(plan.operations)
    known = editable_in(data) if is_of_blocks else []
    already = Counter[str]()
    edits = resolve(plan, known, already)
    as_fields(data, edits, known)
    _drop_empty(edits, known)
    return ResolvedPlan(known, edits, already)


def _drop_empty(edits: Edits, known: Sequence[Target]) -> None:
    """Forgets changes that change nothing."""
    texts = {target.anchor: target.text for target in known}
    for anchor, changes in list(edits.changes.items()):
        real = [
            change for change in changes if texts[anchor][change.start : change.end] != change.text
        ]
        if real:
            edits.changes[anchor] = real
        else:
            del edits.changes[anchor]


def _settings(data: bytes, edits: Edits) -> list[Revision]:
    """Says what fields and properties become, and forgets those that are so already."""
    revisions: list[Revision] = []
    fields = form_fields.fields(data) if edits.fields else {}
    for name, value in list(edits.fields.items()):
        field = fields.get(name)
        if field is not None and field.value == value:
            del edits.fields[name]
            continue
        where = f"page {field.page + 1}" if field is not None else ""
        revisions.append(_revision("other", name, where, field.value if field else "", value))
    now = properties(data) if edits.properties else {}
    for name, value in list(edits.properties.items()):
        if now.get(name, "") == value:
            del edits.properties[name]
        else:
            revisions.append(_revision("other", "", f"property {name}", now.get(name, ""), value))
    return revisions


def _of_blocks(known: Sequence[Target], edits: Edits) -> Iterator[Revision]:
    for target in known:
        changes = list(edits.changes.get(target.anchor, ()))
        if target.anchor in edits.deleted:
            changes = [Change(0, len(target.text), "")]
        for change in changes:
            small = trimmed_to_words(target.text, change)
            before, after = target.text[small.start : small.end], small.text
            kind = "replacement" if before and after else "insertion" if after else "deletion"
            yield _of_block(kind, target, small.start, small.end, after)
        end = len(target.text)
        for insertion in edits.inserted:
            if insertion.anchor == target.anchor:
                yield _of_block("insertion", target, end, end, insertion.text)
        for look in edits.looks:
            if look.anchor == target.anchor:
                formatting = tuple(_formatting(look))
                words = target.text[look.start : look.end]
                made = _of_block("format", target, look.start, look.end, words)
                yield replace(made, formatting=formatting)
        for link in edits.links:
            if link.anchor == target.anchor:
                words = target.text[link.start : link.end]
                made = _of_block("format", target, link.start, link.end, words)
                yield replace(made, formatting=(("link", "", seven_bit(link.url)),))


def _formatting(look: Look) -> Iterator[tuple[str, str, str]]:
    if look.fill:
        yield "colour", "", colour_of(look.fill.encode("ascii"))
    for name, value in (("bold", look.bold), ("italic", look.italic)):
        if value is not None:
            yield name, "", "on" if value else "off"


def _of_block(kind: RevisionKind, target: Target, start: int, end: int, after: str) -> Revision:
    text = target.text
    made = _revision(kind, target.anchor, f"page {target.page + 1}", text[start:end], after)
    lead, trail = text[max(0, start - 60) : start], text[end : end + 60]
    return replace(made, story=target.story, lead=lead, trail=trail)


def _revision(kind: RevisionKind, anchor: str, where: str, before: str, after: str) -> Revision:
    return Revision("", kind, "", "", "body", anchor, where, before, after)


def _numbered(revisions: Sequence[Revision], signature: Signature) -> tuple[Revision, ...]:
    return tuple(
        replace(
            revision,
            id=f"{signature.edit_uid}.{number}",
            author=signature.author,
            date=signature.date,
            edits=(signature.edit_uid,),
        )
        for number, revision in enumerate(revisions, start=1)
    )


def trimmed_to_words(text: str, change: Change) -> Change:
    """Takes off what a change only repeats at its ends, whole words at a time."""
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
    named = [e.where.removeprefix("property ") for e in revisions if e.where.startswith("property")]
    noun = "properties" if len(named) > 1 else "property"
    settings = [f"the {noun} {' and '.join(named)} set"] if named else []
    count = len(revisions) - len(named)
    places = "1 change" if count == 1 else f"{count} changes"
    pages = sorted(
        {int(e.where.removeprefix("page ")) for e in revisions if e.where.startswith("page ")}
    )
    if pages:
        where = ", ".join(str(page) for page in pages)
        places += f" on page {where}" if len(pages) == 1 else f" on pages {where}"
    return ", ".join([*([places] if count else []), *settings])
