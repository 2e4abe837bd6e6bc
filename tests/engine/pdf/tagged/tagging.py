"""Make tagged PDFs: pages of words, and a structure tree that holds them."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from redraft.engine.model import Document
from redraft.engine.pdf.reader import read
from tests.engine.pdf.stream.streams import pdf

HEIGHT = 300


@dataclass(frozen=True, slots=True)
class Words:
    """Words with the baseline where they stand, in points from the top left; `page` from 1.

    Where it is a `picture`, a grey one as large as `size` stands on the baseline instead.
    """

    x: float
    y: float
    text: str
    size: float = 10
    page: int = 1
    font: str = "F1"
    picture: bool = False


@dataclass(frozen=True, slots=True)
class Element:
    """An element of the tree: its type, what it holds, and its attributes and description."""

    type: str
    kids: tuple[Element | Words, ...]
    attributes: dict[str, int] = field(default_factory=dict[str, int])
    alt: str = ""


def element(type_: str, *kids: Element | Words, alt: str = "", **attributes: int) -> Element:
    return Element(type_, kids, attributes, alt)


def tagged(
    *tree: Element | Words,
    loose: tuple[Words, ...] = (),
    roles: dict[str, str] | None = None,
    is_marked: bool = True,
) -> bytes:
    """Make a PDF of 300 x 300 points; words are drawn in the order of the tree, then the loose."""
    import pikepdf

    streams: dict[int, list[bytes]] = {}
    counts: dict[int, int] = {}
    placed: dict[int, tuple[int, int]] = {}
    for words in _all_words(tree):
        number = counts.get(words.page, 0)
        counts[words.page] = number + 1
        placed[id(words)] = words.page, number
        drawn = b"/Span <</MCID %d>> BDC\n%s\nEMC" % (number, _drawn(words))
        streams.setdefault(words.page, []).append(drawn)
    for words in loose:
        streams.setdefault(words.page, []).append(b"/Artifact BMC\n%s\nEMC" % _drawn(words))
    last = max(streams)
    made = pdf(*(b"\n".join(streams.get(page, [])) for page in range(1, last + 1)))
    with pikepdf.open(BytesIO(made)) as document:
        held: Any = document
        root: Any = held.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.StructTreeRoot))
        parents: dict[int, list[Any]] = {page: [] for page in range(1, last + 1)}
        kids = [_element(held, each, root, placed, parents) for each in tree]
        root.K = pikepdf.Array(kids)
        numbers: Any = pikepdf.Array()
        for page, owners in parents.items():
            held.pages[page - 1].obj.StructParents = page - 1
            numbers.extend([page - 1, pikepdf.Array(owners)])
        root.ParentTree = held.make_indirect(pikepdf.Dictionary(Nums=numbers))
        names = {f"/{key}": pikepdf.Name(f"/{value}") for key, value in (roles or {}).items()}
        root.RoleMap = pikepdf.Dictionary(names)
        held.Root.StructTreeRoot = root
        held.Root.MarkInfo = pikepdf.Dictionary(Marked=is_marked)
        out = BytesIO()
        held.save(out)
    return out.getvalue()


def read_tagged(*tree: Element | Words, loose: tuple[Words, ...] = ()) -> Document:
    return read(tagged(*tree, loose=loose))


def _all_words(tree: tuple[Element | Words, ...]) -> list[Words]:
    return [
        words
        for each in tree
        for words in ([each] if isinstance(each, Words) else _all_words(each.kids))
    ]


def _drawn(words: Words) -> bytes:
    if words.picture:
        matrix = b"%.8g 0 0 %.8g %.8g %.8g cm" % (words.size, words.size, words.x, HEIGHT - words.y)
        return b"q %s BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q" % matrix
    text = words.text.encode("cp1252").replace(b"(", b"\\(").replace(b")", b"\\)")
    place = b"%g %g" % (words.x, HEIGHT - words.y)
    return b"BT /%s %g Tf %s Td (%s) Tj ET" % (words.font.encode(), words.size, place, text)


def _element(
    document: Any,
    each: Element | Words,
    parent: Any,
    placed: dict[int, tuple[int, int]],
    parents: dict[int, list[Any]],
) -> Any:
    import pikepdf

    if isinstance(each, Words):
        page, number = placed[id(each)]
        parents[page].append(parent)
        return pikepdf.Dictionary(
            Type=pikepdf.Name.MCR, Pg=document.pages[page - 1].obj, MCID=number
        )
    made: Any = document.make_indirect(
        pikepdf.Dictionary(Type=pikepdf.Name.StructElem, S=pikepdf.Name(f"/{each.type}"), P=parent)
    )
    if each.alt:
        made.Alt = pikepdf.String(each.alt)
    if each.attributes:
        values = {f"/{key}": value for key, value in each.attributes.items()}
        made.A = pikepdf.Dictionary({"/O": pikepdf.Name.Table, **values})
    kids = [_element(document, kid, made, placed, parents) for kid in each.kids]
    made.K = pikepdf.Array(kids)
    return made
