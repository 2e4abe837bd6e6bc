"""Elements of the structure tree by their places: types, attributes, the cells of a table.

ISO 32000-2, 14.7.2 (the tree), 14.7.6 (attributes), 14.8.5.7 (of tables). Every step costs a look
into the file, so that only tables and figures are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from redraft.engine.pdf.mupdf import MuDocument, MuObjects
from redraft.engine.pdf.reading.layout import Place

MOST_STEPS: Final = 1_000_000
"""How many elements may be looked at: a tree that is a ring, or was made to be slow, ends there."""

MOST_PLACES: Final = 200_000
MOST_SPANNED: Final = 1000
DEEPEST: Final = 8
"""How many levels of grouping may stand between a table and its rows, or a row and its cells."""

_GROUPS: Final = frozenset({"THead", "TBody", "TFoot", "NonStruct", "Div", "Sect", "Part"})


@dataclass(frozen=True, slots=True)
class TaggedCell:
    """A cell by its place in the tree and in the table; rows and columns count from 0."""

    place: Place
    row: int
    column: int
    row_span: int
    column_span: int


@dataclass(frozen=True, slots=True)
class TaggedTable:
    """The cells of a table, row by row; no two overlap."""

    place: Place
    rows: int
    columns: int
    cells: tuple[TaggedCell, ...]


@dataclass(slots=True)
class Elements:
    """The structure tree of a document; `root` is None where it has none, or says it is not tagged.

    A place that leads nowhere has no type, no attributes and no children.
    """

    objects: MuObjects
    root: Any
    _roles: dict[str, str] = field(default_factory=dict[str, str])
    _steps: int = 0

    @property
    def is_there(self) -> bool:
        """Whether the document has a structure tree that means to be complete."""
        return self.root is not None

    @staticmethod
    def of(document: MuDocument) -> Elements:
        """Looks for the tree of a document that is marked as tagged (`/MarkInfo /Marked true`)."""
        objects = MuObjects.of(document)
        marks = objects.entry(objects.catalog, "MarkInfo")
        is_marked = objects.flag(objects.entry(marks, "Marked"))
        root = objects.entry(objects.catalog, "StructTreeRoot") if is_marked else None
        return Elements(objects, root)

    def alt(self, place: Place) -> str:
        """Returns the alternate description of an element (`/Alt`), or nothing."""
        return " ".join(self.objects.words(self.objects.entry(self._at(place), "Alt")).split())

    def table(self, place: Place) -> TaggedTable | None:
        """Returns the cells of a table as HTML would set them; None where they make no grid."""
        rows = list(self._parts(place, self._at(place), "TR"))
        taken: set[tuple[int, int]] = set()
        cells: list[TaggedCell] = []
        for number, (at, row) in enumerate(rows):
            column = 0
            for cell_at, cell in self._parts(at, row, "TD", "TH"):
                while (number, column) in taken:
                    column += 1
                down = min(self._span(cell, "RowSpan"), len(rows) - number)
                across = self._span(cell, "ColSpan")
                cells.append(TaggedCell(cell_at, number, column, down, across))
                covered = {(number + y, column + x) for y in range(down) for x in range(across)}
                if covered & taken or len(taken) > MOST_PLACES:
                    return None
                taken |= covered
        if not cells:
            return None
        return TaggedTable(place, len(rows), 1 + max(x for _, x in taken), tuple(cells))

    def _at(self, place: Place) -> Any:
        element = self.root
        for index in place:
            element = self.objects.item(self.objects.entry(element, "K"), index)
        return element

    def _kids(self, element: Any) -> Iterator[Any]:
        kids = self.objects.entry(element, "K")
        for index in range(self.objects.count(kids)):
            self._steps += 1
            if self._steps > MOST_STEPS:
                return
            yield self.objects.item(kids, index)

    def _parts(
        self, place: Place, element: Any, *types: str, depth: int = 0
    ) -> Iterator[tuple[Place, Any]]:
        """Yields the nearest elements of a type below one, through what only groups them."""
        for index, kid in enumerate(self._kids(element)):
            kind = self._type(kid)
            if kind in types:
                yield (*place, index), kid
            elif kind in _GROUPS and depth < DEEPEST:
                yield from self._parts((*place, index), kid, *types, depth=depth + 1)

    def _type(self, element: Any) -> str:
        """Returns the standard type of an element: its own, or what the role map says it is."""
        named = self.objects.name(self.objects.entry(element, "S"))
        if named not in self._roles:
            roles, kind = self.objects.entry(self.root, "RoleMap"), named
            for _ in range(DEEPEST):
                kind = self.objects.name(self.objects.entry(roles, kind)) or kind
            self._roles[named] = kind
        return self._roles[named]

    def _span(self, cell: Any, name: str) -> int:
        owners = self.objects.entry(cell, "A")
        for index in range(min(self.objects.count(owners), DEEPEST)):
            owner = self.objects.item(owners, index)
            span = self.objects.number(self.objects.entry(owner, name))
            if span:
                return max(1, min(span, MOST_SPANNED))
        return 1
