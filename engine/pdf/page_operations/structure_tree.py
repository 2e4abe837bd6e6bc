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
    """Take content items of deleted pages out of the structure tree.

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
    held = pairs(tree, "/Nums")
    dead = {int(n) for page in pages for n in _keys(page)}
    kept = [each for each in held if int(each[0]) not in dead]
    if len(kept) < len(held):
        write(tree, "/Nums", kept)


def _keys(page: Any) -> list[float]:
    """Give the keys of a page and its annotations in the parent tree."""
    found = [objects.number(objects.entry(page, "/StructParents"))]
    for each in objects.elements(objects.entry(page, "/Annots")):
        found.append(objects.number(objects.entry(each, "/StructParent")))
    return [each for each in found if each is not None]


def _pruned(element: Any, page: _Id | None, gone: Collection[_Id], depth: int) -> bool:
    """Prune an element; whether something is left of it. `page` is that of its parent."""
    import pikepdf

    own = objects.entry(element, "/Pg")
    if own is not None:
        page = objects.identity(own)
    kids = objects.entry(element, "/K")
    if kids is None or depth > DEEPEST:
        return page not in gone or own is None
    held = objects.elements(kids) or [kids]
    kept = [each for each in held if _stays(each, page, gone, depth)]
    if len(kept) < len(held):
        element["/K"] = pikepdf.Array(kept)
    if own is not None and page in gone:
        del element["/Pg"]
    if not kept and "/K" in element:
        del element["/K"]
    return bool(kept)


def _stays(kid: Any, page: _Id | None, gone: Collection[_Id], depth: int) -> bool:
    if objects.entry(kid, "/S") is not None:
        return _pruned(kid, page, gone, depth + 1)
    own = objects.entry(kid, "/Pg")
    return (objects.identity(own) if own is not None else page) not in gone


def unfield(document: Any, gone: Sequence[Any]) -> int:
    """Take the fields of deleted pages out of the form; gives how many there were."""
    import pikepdf

    form = objects.entry(document.Root, "/AcroForm")
    dead = {
        objects.identity(each)
        for page in gone
        for each in objects.elements(objects.entry(page, "/Annots"))
        if objects.name(objects.entry(each, "/Subtype")) == "Widget"
    } - {(0, 0)}
    if form is None or not dead:
        return 0
    for key in ("/Fields", "/CO"):
        held = objects.entry(form, key)
        if held is not None:
            form[key] = pikepdf.Array(_living(held, dead, 0))
    return len(dead)


def _living(held: Any, dead: Collection[_Id], depth: int) -> list[Any]:
    import pikepdf

    kept: list[Any] = []
    for field in objects.elements(held) if depth < DEEPEST else ():
        if objects.identity(field) in dead:
            continue
        kids = objects.elements(objects.entry(field, "/Kids"))
        if kids:
            living = _living(field["/Kids"], dead, depth + 1)
            if not living:
                continue
            if len(living) < len(kids):
                field["/Kids"] = pikepdf.Array(living)
        kept.append(field)
    return kept
