"""Comments with the words they hang on, their answers, and whether they are resolved.

ECMA-376 Part 1, 17.13.4 (comments); which answers which, and what is resolved, is said by
`commentsExtended` ([MS-DOCX] 2.5.4.3, commentEx), which names a comment by the `w14:paraId` of its
last paragraph. A file of Word 2010 has no such part: there every comment stands for itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from redraft.engine.docx.names import W14, W_AUTHOR, W_ID, W_P, Element, Namespace, W
from redraft.engine.docx.opc.package import Package
from redraft.engine.model import Comment

W15: Final = Namespace("http://schemas.microsoft.com/office/word/2012/wordml")
PARA_ID: Final = W14("paraId")
EXTENDED: Final = "commentsExtended"
_ON: Final = ("1", "true", "on")
_BREAKS: Final = {W("tab"): " ", W("br"): " ", W("cr"): " "}


def comments(package: Package) -> tuple[Comment, ...]:
    """Lists the comments in the order of their part, with plain texts and without their blocks."""
    elements = elements_of(package)
    names = {id_of(element): name for name, element in elements.items()}
    entries = entries_of(package)
    paragraphs = {last_paragraph_id(element): name for name, element in elements.items()}
    words = _words(package.tree(package.main), names)
    listed: list[Comment] = []
    for name, element in elements.items():
        entry = entries.get(last_paragraph_id(element))
        parent = "" if entry is None else entry.get(W15("paraIdParent"), "").upper()
        listed.append(
            Comment(
                id=name,
                author=element.get(W_AUTHOR, ""),
                date=element.get(W("date"), ""),
                text=_text(element),
                on="",
                words=" ".join(words.get(name, "").split()),
                resolved=entry is not None and entry.get(W15("done"), "0") in _ON,
                parent=paragraphs.get(parent, "") if parent else "",
            )
        )
    return tuple(listed)


def _text(comment: Element) -> str:
    lines = ["".join(node.text or "" for node in p.iter(W("t"))) for p in comment.iter(W_P)]
    return "\n".join(lines)


def elements_of(package: Package) -> dict[str, Element]:
    """Returns the comments by their ids `c1`, `c2`, … in the order of the file."""
    nodes = [
        node
        for part in package.related(package.main, "comments")
        for node in package.tree(part).iter(W("comment"))
    ]
    return {f"c{number}": node for number, node in enumerate(nodes, start=1)}


def id_of(comment: Element) -> str:
    """Returns the number by which the text names a comment."""
    return comment.get(W_ID, "")


def last_paragraph_id(comment: Element) -> str:
    """Returns the `w14:paraId` that stands for a comment; empty where it has none."""
    paragraphs = list(comment.iter(W_P))
    return paragraphs[-1].get(PARA_ID, "").upper() if paragraphs else ""


def entries_of(package: Package) -> dict[str, Element]:
    """Returns what `commentsExtended` says, by the ids of paragraphs."""
    return {
        entry.get(W15("paraId"), "").upper(): entry
        for part in package.related(package.main, EXTENDED)
        for entry in package.tree(part).iter(W15("commentEx"))
    }


def root_of(listed: Mapping[str, Comment], name: str) -> str:
    """Returns the first comment of a conversation."""
    seen = {name}
    while listed[name].parent and listed[name].parent not in seen:
        name = listed[name].parent
        seen.add(name)
    return name


def _words(root: Element, names: Mapping[str, str]) -> dict[str, str]:
    """Returns the text of the final view between the ends of each comment's range."""
    texts: dict[str, str] = {}
    opened: set[str] = set()
    start, end = W("commentRangeStart"), W("commentRangeEnd")
    for node in root.iter():
        if node.tag == start:
            opened.add(names.get(node.get(W_ID, ""), ""))
        elif node.tag == end:
            opened.discard(names.get(node.get(W_ID, ""), ""))
        elif opened:
            piece = node.text or "" if node.tag == W("t") else _BREAKS.get(str(node.tag), "")
            piece = " " if node.tag == W_P else piece
            for name in opened:
                texts[name] = texts.get(name, "") + piece
    texts.pop("", None)
    return texts
