"""Comments as the judge sees them: who says what on which words, to whom, and whether it is done.

Part of the judge: it shares no code with the reader or with what writes comments, and must not.
"""

from __future__ import annotations

from typing import Final

from redraft.engine.docx.names import Element
from redraft.engine.docx.opc.package import Package
from redraft.engine.judge.conversations import Remark

_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_W14: Final = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_W15: Final = "{http://schemas.microsoft.com/office/word/2012/wordml}"


def remarks(package: Package) -> tuple[Remark, ...]:
    """Returns the comments in the order of their part."""
    nodes: list[Element] = []
    for part in package.related(package.main, "comments"):
        nodes += package.tree(part).iterfind(f"{_W}comment")
    paragraphs = [_last_paragraph(node) for node in nodes]
    said: dict[str, Element] = {}
    for part in package.related(package.main, "commentsExtended"):
        for entry in package.tree(part):
            said[str(entry.get(f"{_W15}paraId", "")).upper()] = entry
    seen: list[Remark] = []
    for node, paragraph in zip(nodes, paragraphs, strict=True):
        entry = said.get(paragraph)
        answered = "" if entry is None else str(entry.get(f"{_W15}paraIdParent", "")).upper()
        seen.append(
            Remark(
                author=node.get(f"{_W}author", ""),
                text="".join(piece.text or "" for piece in node.iter(f"{_W}t")),
                answers=paragraphs.index(answered) if answered in paragraphs and answered else None,
                is_done=entry is not None and entry.get(f"{_W15}done") in ("1", "true", "on"),
                on=_standing_on(package.tree(package.main), node.get(f"{_W}id", "")),
            )
        )
    return tuple(seen)


def _last_paragraph(comment: Element) -> str:
    identifier = ""
    for paragraph in comment.iter(f"{_W}p"):
        identifier = str(paragraph.get(f"{_W14}paraId", "")).upper()
    return identifier


def _standing_on(root: Element, number: str) -> str | None:
    """Returns the text between the ends of a range; None where no reference stands behind it."""
    text: str | None = None
    is_cited = False
    is_open = False
    for node in root.iter():
        if node.tag in (f"{_W}commentRangeStart", f"{_W}commentRangeEnd"):
            if node.get(f"{_W}id") == number:
                is_open = str(node.tag).endswith("Start")
                text = text or ""
        elif node.tag == f"{_W}commentReference" and node.get(f"{_W}id") == number:
            is_cited = True
        elif is_open and node.tag in (f"{_W}t", f"{_W}delText"):
            text = (text or "") + (node.text or "")
    return text if is_cited else None
