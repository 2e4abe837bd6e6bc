"""What of a document is shown only when an instruction speaks of it: comments, changes, styles.

Everything shown costs tokens and attention, so what few instructions need is left out of the rest.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from redraft.engine.inline_pieces import INVISIBLE
from redraft.engine.model import Block, Break, Document, Revision, Table
from redraft.engine.tokens import escape

ATTRIBUTE = str.maketrans({"]": ")", "[": "(", '"': "'", "\n": " ", "\r": " "})
_COMMENTS = re.compile(r"comment|kommentar|commentaire|comentario|remark|annotation", re.IGNORECASE)
_CHANGES = re.compile(
    r"accept|reject|revision|redline|suggestion|tracked|pending|annehm|nimm|ablehn|lehne|verwerf"
    r"|verwirf|nachverfolg|approuve|refuse|rejet|acept|rechaz|révision",
    re.IGNORECASE,
)
_STYLES = re.compile(
    r"style|stil|vorlage|estilo|heading|überschrift|titre|título|encabezado", re.IGNORECASE
)
_LOOKS = re.compile(
    r"colou?r|highlight|\bfonts?\b|typeface|\bsize|\d ?(?:pt|points?)\b|\blooks?\b|bigger|larger"
    r"|smaller|\b(?:red|blue|green|yellow|orange|purple|gr[ae]y|pink)\b|farb|markier|schrift"
    r"|größe|größer|kleiner|\b(?:rot|blau|grün|gelb)|couleur|surlign|police|taille|\brouge|\bbleu"
    r"|\bvert|\bjaune|resalt|fuente|tamaño|\broj[oa]|\bazul|\bverde|\bamarill",
    re.IGNORECASE,
)
_PROPERTIES = re.compile(
    r"propert|metadata|author|keyword|subject|categor|document title|eigenschaft|autor|auteur"
    r"|stichw|dokumenttitel|titre du document|título del documento",
    re.IGNORECASE,
)
_EXCERPT = 120
_MOST_CHANGES = 400


def speaks_of_comments(instruction: str) -> bool:
    """Whether comments matter to an instruction."""
    return bool(_COMMENTS.search(instruction))


def speaks_of_changes(instruction: str) -> bool:
    """Whether tracked changes matter to an instruction."""
    return bool(_CHANGES.search(instruction))


def speaks_of_looks(instruction: str) -> bool:
    """Whether sizes, fonts, colours or highlights matter to an instruction."""
    return bool(_LOOKS.search(instruction))


def changes(revisions: Sequence[Revision]) -> Iterator[str]:
    """List tracked changes, a line each; `chg12` is the change `12` of the list of changes."""
    for change in revisions[:_MOST_CHANGES]:
        author = _plain(change.author).translate(ATTRIBUTE)
        old, new = _excerpt(change.before), _excerpt(change.after)
        words = f"{old} → {new}" if change.kind == "replacement" else new or old
        looks = "; ".join(f"{name}: {was} → {now}" for name, was, now in change.formatting)
        words = " · ".join(part for part in (words, _excerpt(looks)) if part)
        head = f"chg{change.id} {change.kind} by {author} in {change.anchor}"
        yield f"[{head}] {words}"
    if len(revisions) > _MOST_CHANGES:
        yield f"# {len(revisions) - _MOST_CHANGES} more changes"


def preface(document: Document, instruction: str) -> list[str]:
    """Lines about the whole document that an instruction makes worth their tokens."""
    lines: list[str] = []
    if _STYLES.search(instruction) and document.format == "docx":
        counted = Counter(_styles(document.body.blocks))
        names = [f"{name.translate(ATTRIBUTE)} ({n})" for name, n in counted.most_common(30)]
        lines += [f"# styles in use: {' · '.join(names)}"] if names else []
    if _PROPERTIES.search(instruction) and document.properties:
        properties = [f"{name}: {_excerpt(value)}" for name, value in document.properties]
        lines.append(f"# properties: {' · '.join(properties)}")
    return lines


def _styles(blocks: Sequence[Block]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, Table):
            for row in block.rows:
                for cell in row.cells:
                    yield from _styles(cell.blocks)
        elif not isinstance(block, Break) and block.style:
            yield block.style


def _excerpt(text: str) -> str:
    line = " ".join(escape(_plain(text)).split())
    return line if len(line) <= _EXCERPT else f"{line[:_EXCERPT]}…"


def _plain(text: str) -> str:
    return INVISIBLE.sub("", text)
