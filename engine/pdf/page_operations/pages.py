"""Delete, move, turn and insert pages (ISO 32000-2, 7.7.3).

[x] links, outline, named destinations, opening action  [x] page labels  [x] structure tree, parent
tree  [x] form fields  [x] deleted pages are emptied, so that nothing of them stays in the file
[-] article threads that run over deleted pages: their beads there lead to an empty page
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from redraft.engine.pdf.page_operations.checks import check_pages
from redraft.engine.pdf.page_operations.destinations import Pruner, relabel
from redraft.engine.pdf.page_operations.page_order import Slot, arranged
from redraft.engine.pdf.page_operations.structure_tree import unfield, untag
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.stream.objects import saved
from redraft.engine.plan import PageOperation


def arrange(
    data: bytes, operations: Sequence[PageOperation], *, is_verified: bool = True
) -> tuple[bytes, tuple[str, ...]]:
    """Brings the pages into their new order and verify it; gives the file and warnings.

    Raises:
        NotFoundError, PlanError, RefusedError: as `engine.pdf.page_operations.page_order.arranged`.
        VerificationError: a page that stays looks or reads otherwise than before.
    """
    with objects.opened(data) as document:
        old = [page.obj for page in document.pages]
        slots = arranged(operations, len(old))
        if slots == [Slot(number, number) for number in range(len(old))]:
            return data, ()
        warnings = _rebuild(document, old, slots)
        edited = saved(document)
    if is_verified:
        check_pages(data, edited, slots)
    return edited, warnings


def _rebuild(document: Any, old: Sequence[Any], slots: Sequence[Slot]) -> tuple[str, ...]:
    import pikepdf

    _hand_down(old)
    remaining = {slot.origin for slot in slots}
    gone = [page for number, page in enumerate(old) if number not in remaining]
    ids = frozenset(objects.identity(page) for page in gone)
    pruner = Pruner(document, ids)
    fields = 0
    if gone:
        pruner.prune([page for number, page in enumerate(old) if number in remaining])
        untag(document, ids, gone)
        fields = unfield(document, gone)
    relabel(document, slots, len(old))
    made = [
        old[slot.origin] if slot.origin is not None else _blank(document, old[slot.like])
        for slot in slots
    ]
    del document.pages[:]
    for page, slot in zip(made, slots, strict=True):
        document.pages.append(pikepdf.Page(page))
        if slot.turn:
            turned = int(objects.number(objects.entry(page, "/Rotate")) or 0)
            page[pikepdf.Name.Rotate] = (turned + slot.turn) % 360
    for page in gone:
        for key in list(page.keys()):
            del page[key]
    return tuple(_warnings(pruner, fields))


def _hand_down(pages: Sequence[Any]) -> None:
    """Writes into every page what it has from its ancestors (7.7.3.4)."""
    for page in pages:
        for key in ("/Resources", "/MediaBox", "/CropBox", "/Rotate"):
            value = objects.inherited(page, key)
            if value is not None and key not in page:
                page[key] = value


def _blank(document: Any, like: Any) -> Any:
    import pikepdf

    page = pikepdf.Dictionary(Type=pikepdf.Name.Page, Resources=pikepdf.Dictionary())
    for key in ("/MediaBox", "/CropBox", "/Rotate", "/UserUnit"):
        value = objects.entry(like, key)
        if value is not None:
            page[key] = value
    return document.make_indirect(page)


def _warnings(pruner: Pruner, fields: int) -> list[str]:
    counts = (
        (pruner.links, "link", "links", "to deleted pages went with them"),
        (pruner.entries, "outline entry", "outline entries", "of deleted pages went with them"),
        (fields, "form field", "form fields", "on deleted pages went with them"),
    )
    return [
        f"{count} {one if count == 1 else many} {what}"
        for count, one, many, what in counts
        if count
    ]
