"""The structure tree and the form without what stood on pages that are gone.

ISO 32000-2, 14.7.2 (elements), 14.7.5 (content items), 14.7.5.4 (parent tree), 12.7 (fields).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from redraft.engine.pdf.page_operations.number_trees import pairs, write
from redraft.engine.pdf.stream import objects

_Id = tuple[int, int]
DEEPEST: Final = 200


def untag(document: Any, gone: Collection[_Id], pages: Sequence[Any]) -> None:
    """Takes content items of deleted pages out of the structure tree.

    Args:
        document: The open file.
        gone: The object numbers of the pages that go.
        pages: These pages, before they are emptied.
    """
    root = objects.entry(document.Root, "/StructTreeRoot")
    if root is None:
        return
    _pruned(root, None, gone, 0)
    tree = objects.entry(root, "/ParentTree")
    entries = pairs(tree, "/Nums")
    dead = {int(n) for page in pages for n in _keys(page)}
    living = [entry for entry in entries if int(entry[0]) not in dead]
    if len(living) < len(entries):
        write(tree, "/Nums", living)


def _keys(page: Any) -> list[float]:
    """Returns the keys of a page and its annotations in the parent tree."""
    numbers = [objects.number(objects.entry(page, "/StructParents"))]
    for item in objects.elements(objects.entry(page, "/Annots")):
        numbers.append(objects.number(objects.entry(item, "/StructParent")))
    return [item for item in numbers if item is not None]


def _pruned(element: Any, page: _Id | None, gone: Collection[_Id], depth: int) -> bool:
    """Prunes an element; whether something is left of it. `page` is that of its parent."""
    import pikepdf

    own = objects.entry(element, "/Pg")
    if own is not None:
        page = objects.identity(own)
    kids = objects.entry(element, "/K")
    if kids is None or depth > DEEPEST:
        return page not in gone or own is None
    elements = objects.elements(kids) or [kids]
    living = [kid for kid in elements if _stays(kid, page, gone, depth)]
    if len(living) < len(elements):
        element["/K"] = pikepdf.Array(living)
    if own is not None and page in gone:
        del element["/Pg"]
    if not living and "/K" in element:
        del element["/K"]
    return bool(living)


def _stays(kid: Any, page: _Id | None, gone: Collection[_Id], depth: int) -> bool:
    if objects.entry(kid, "/S") is not None:
        return _pruned(kid, page, gone, depth + 1)
    own = objects.entry(kid, "/Pg")
    return (objects.identity(own) if own is not None else page) not in gone


def unfield(document: Any, gone: Sequence[Any]) -> int:
    """Takes the fields of deleted pages out of the form; gives how many there were."""
    import pikepdf

    form = objects.entry(document.Root, "/AcroForm")
    dead = {
        objects.identity(annotation)
        for page in gone
        for annotation in objects.elements(objects.entry(page, "/Annots"))
        if objects.name(objects.entry(annotation, "/Subtype")) == "Widget"
    } - {(0, 0)}
    if form is None or not dead:
        return 0
    for key in ("/Fields", "/CO"):
        array = objects.entry(form, key)
        if array is not None:
            form[key] = pikepdf.Array(_living(array, dead, 0))
    return len(dead)


def _living(listed: Any, dead: Collection[_Id], depth: int) -> list[Any]:
    import pikepdf

    remaining: list[Any] = []
    for field in objects.elements(listed) if depth < DEEPEST else ():
        if objects.identity(field) in dead:
            continue
        kids = objects.elements(objects.entry(field, "/Kids"))
        if kids:
            living = _living(field["/Kids"], dead, depth + 1)
            if not living:
                continue
            if len(living) < len(kids):
                field["/Kids"] = pikepdf.Array(living)
        remaining.append(field)
    return remaining
