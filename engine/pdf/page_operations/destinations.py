"""What points at pages: links, outline, named destinations, the opening action, labels.

What points at a page that goes, goes too (ISO 32000-2, 12.3.2, 12.3.3, 12.4.2, 12.6.4.2). An entry
of the outline whose own page goes stays where entries below it stay, and then leads to the first.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from redraft.engine.pdf.page_operations.number_trees import pairs, write
from redraft.engine.pdf.page_operations.page_order import Slot
from redraft.engine.pdf.stream import objects

MOST: Final = 50_000
_Id = tuple[int, int]


@dataclass(slots=True)
class Pruner:
    """Takes off what points at pages that are gone, and counts it.

    `gone` are the object numbers of the pages that go.
    """

    document: Any
    gone: Collection[_Id]
    links: int = 0
    entries: int = 0
    named: dict[str, Any] = field(default_factory=dict[str, Any])

    def prune(self, pages: Sequence[Any]) -> None:
        """Goes through everything that points; `pages` are the page objects that stay."""
        root = self.document.Root
        self.named = _named(root)
        for page in pages:
            self._links(page)
        outlines = objects.entry(root, "/Outlines")
        if outlines is not None:
            _Outline(self, outlines).prune()
        if self.is_dangling(objects.entry(root, "/OpenAction")):
            del root["/OpenAction"]
        self._names(root)

    def is_dangling(self, target: Any) -> bool:
        """Whether a destination, or an action, leads to a page that is gone."""
        if target is None:
            return False
        if objects.name(objects.entry(target, "/S")) == "GoTo":
            return self.is_dangling(objects.entry(target, "/D"))
        if objects.entry(target, "/D") is not None and objects.entry(target, "/S") is None:
            return self.is_dangling(objects.entry(target, "/D"))
        parts = objects.elements(target)
        if parts:
            return objects.identity(parts[0]) in self.gone
        name = _key(target)
        return bool(name) and name in self.named and self._is_gone(self.named[name])

    def _is_gone(self, value: Any) -> bool:
        inner = objects.entry(value, "/D")
        parts = objects.elements(value if inner is None else inner)
        return bool(parts) and objects.identity(parts[0]) in self.gone

    def _links(self, page: Any) -> None:
        import pikepdf

        annotations = objects.elements(objects.entry(page, "/Annots"))
        living = [annotation for annotation in annotations if not self._is_dead_link(annotation)]
        if len(living) < len(annotations):
            self.links += len(annotations) - len(living)
            page[pikepdf.Name.Annots] = pikepdf.Array(living)

    def _is_dead_link(self, annotation: Any) -> bool:
        if objects.name(objects.entry(annotation, "/Subtype")) != "Link":
            return False
        return any(self.is_dangling(objects.entry(annotation, key)) for key in ("/Dest", "/A"))

    def _names(self, root: Any) -> None:
        tree = objects.entry(root, "/Names", "/Dests")
        if tree is not None:
            entries = pairs(tree, "/Names")
            living = [named for named in entries if not self._is_gone(named[1])]
            if len(living) < len(entries):
                write(tree, "/Names", sorted(living, key=lambda pair: bytes(pair[0])))
        old = objects.entry(root, "/Dests")
        for key, value in list(objects.items(old)):
            if self._is_gone(value):
                del old[key]


def _key(value: Any) -> str:
    """Returns the name of a named destination: a name object or a string."""
    name = objects.name(value)
    return name or objects.string(value).decode("latin-1")


def _named(root: Any) -> dict[str, Any]:
    destinations = {key[1:]: value for key, value in objects.items(objects.entry(root, "/Dests"))}
    tree = objects.entry(root, "/Names", "/Dests")
    return destinations | {_key(key): value for key, value in pairs(tree, "/Names")}


@dataclass(slots=True)
class _Outline:
    """The outline, taken apart and tied anew."""

    pruner: Pruner
    root: Any
    seen: set[_Id] = field(default_factory=set[_Id])

    def prune(self) -> None:
        before = self.pruner.entries
        living = self._level(self.root, 0)
        if self.pruner.entries > before:
            self._tie(self.root, living)

    def _level(self, parent: Any, depth: int) -> list[Any]:
        """Returns the entries below one that stay."""
        living: list[Any] = []
        entry = objects.entry(parent, "/First")
        while entry is not None and objects.identity(entry) not in self.seen:
            if depth > 60 or len(self.seen) > MOST:
                break
            self.seen.add(objects.identity(entry))
            before = self.pruner.entries
            below = self._level(entry, depth + 1)
            if self.pruner.entries > before:
                self._tie(entry, below)
            if self._stays(entry, below):
                living.append(entry)
            entry = objects.entry(entry, "/Next")
        return living

    def _stays(self, entry: Any, below: Sequence[Any]) -> bool:
        dead = [key for key in ("/Dest", "/A") if self.pruner.is_dangling(entry.get(key))]
        if not dead:
            return True
        if not below:
            self.pruner.entries += 1
            return False
        for key in dead:
            del entry[key]
        for key in ("/Dest", "/A"):
            if key in below[0]:
                entry[key] = below[0][key]
                break
        return True

    def _tie(self, parent: Any, living: Sequence[Any]) -> None:
        """Writes First, Last, Prev, Next and Count of what is left (table 150 and 151)."""
        if not living and objects.entry(parent, "/First") is None:
            return
        for number, entry in enumerate(living):
            entry["/Parent"] = parent
            _put(entry, "/Prev", living[number - 1] if number else None)
            _put(entry, "/Next", living[number + 1] if number + 1 < len(living) else None)
        _put(parent, "/First", living[0] if living else None)
        _put(parent, "/Last", living[-1] if living else None)
        count = objects.number(objects.entry(parent, "/Count"))
        seen = sum(1 + max(0, int(objects.number(entry.get("/Count")) or 0)) for entry in living)
        _put(parent, "/Count", (-seen if count is not None and count < 0 else seen) or None)


def _put(holder: Any, key: str, value: Any) -> None:
    if value is not None:
        holder[key] = value
    elif key in holder:
        del holder[key]


def relabel(document: Any, slots: Sequence[Slot], count: int) -> None:
    """Lets every page keep the label it had; a blank one has none (12.4.2)."""
    import pikepdf

    tree = objects.entry(document.Root, "/PageLabels")
    if tree is None:
        return
    labels = _labels(tree, count)
    entries: list[tuple[Any, Any]] = []
    expected: tuple[Any, int] | None = None
    for number, slot in enumerate(slots):
        label = labels[slot.origin] if slot.origin is not None else (None, 1)
        if expected is None or expected != label:
            entries.append((number, _label(label, pikepdf.Dictionary())))
        expected = (label[0], label[1] + 1)
    write(tree, "/Nums", entries)


def _labels(tree: Any, count: int) -> list[tuple[Any, int]]:
    """Returns for each page its (style and prefix, number)."""
    ranges = {int(key): value for key, value in pairs(tree, "/Nums")}
    labels: list[tuple[Any, int]] = []
    kind: tuple[str, bytes] | None = None
    value = 1
    for number in range(count):
        if number in ranges:
            label = ranges[number]
            style = objects.name(objects.entry(label, "/S"))
            kind = (style, objects.string(objects.entry(label, "/P")))
            value = int(objects.number(objects.entry(label, "/St")) or 1)
        labels.append((kind, value))
        value += 1
    return labels


def _label(label: tuple[Any, int], made: Any) -> Any:
    import pikepdf

    kind, value = label
    if kind is None:
        return made
    style, prefix = kind
    if style:
        made["/S"] = pikepdf.Name(f"/{style}")
        made["/St"] = value
    if prefix:
        made["/P"] = pikepdf.String(prefix)
    return made
