"""What a model has to know of blocks before it plans, and their words do not say.

words    the block cannot be rewritten whole, only words in it replaced
sect     a section ends with the block: its `w:sectPr` (ECMA-376 Part 1, 17.6.18)
"Fee"    the title of a content control or form field (17.5.2.1, alias), else its tag
locked   its text may not be changed (17.5.2.23, lock; 17.16.12, enabled)
empty    the text is the placeholder of a content control that waits to be filled (17.5.2.39)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from redraft.engine import tokens
from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError
from redraft.engine.docx.editing.document_index import Survey, content
from redraft.engine.docx.names import (
    W_FLD_CHAR,
    W_P,
    W_PPR,
    W_R,
    W_SDT_PR,
    W_T,
    W_TAB,
    W_VAL,
    Element,
    W,
)
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.controls import control_around, control_properties
from redraft.engine.docx.redline.segments import parts, segments
from redraft.engine.docx.runs.fields import is_form_locked
from redraft.engine.docx.view_looks import contents, looks
from redraft.engine.errors import RefusedError
from redraft.engine.model import Block, Document, Inline, Mark, Table, Text
from redraft.engine.state import State

_SECT_PR: Final = W("sectPr")
_BESIDE: Final = frozenset(map(W, ("pPr", "bookmarkStart", "bookmarkEnd", "proofErr")))
_TITLES: Final = tuple(f"{W_SDT_PR}/{W(name)}" for name in ("alias", "tag"))
_FORM_NAME: Final = f"{W('ffData')}/{W('name')}"
# What Word calls a form field that nobody named.
_UNNAMED: Final = re.compile(r"(Text|Check|Dropdown)\d*")
_LONGEST_TITLE: Final = 60
_QUOTED: Final = str.maketrans('[]"\u27e6\u27e7\n\r', "()'()  ")
_IN_RUN: Final = frozenset(map(W, ("rPr", "lastRenderedPageBreak")))


def remarks(
    package: Package, state: State, document: Document, *, tells_looks: bool = False
) -> Mapping[str, str]:
    """Returns anchor -> the words said of a block, with blanks between; only blocks that have some.

    Controls are among them by the names of their tokens (`cc3`); what stands under an empty name is
    said of the whole document.

    Args:
        package: The file.
        state: Which of its marks are ours.
        document: Its final view.
        tells_looks: Whether sizes, fonts, colours and highlights are said, too.
    """
    survey = Survey(package, state)
    finder = Finder(survey)
    hints = {name: _field(control) for name, control in finder.controls.items()}
    stories = (story for story in document.stories if story.kind != "comment")
    for block in flat(block for story in stories for block in story.blocks):
        try:
            paragraphs = finder.physical(finder.paragraph(block.anchor))
        except OperationError:
            continue
        words = [
            "words" * (not _can_be_rewritten(survey, paragraphs, content(block))),
            "sect" * any(_ends_section(place.element) for place in paragraphs),
            " ".join(filter(None, map(_around, control_around(paragraphs[0].element)))),
        ]
        if any(words):
            hints[block.anchor] = " ".join(word for word in words if word)
    if tells_looks:
        for name, words in looks(finder, document).items():
            hints[name] = " ".join(filter(None, (hints.get(name), words)))
    hints[""] = "\n".join(filter(None, (contents(survey), hints.get(""))))
    return {name: words for name, words in hints.items() if words}


def _around(control: Element) -> str:
    """Returns what is said of the control around a block, without its title where it has more."""
    said = _field(control)
    is_alone = len(list(control.iter(W_P))) == 1
    return said if is_alone else re.sub('"[^"]*" ?', "", said)


def _field(control: Element) -> str:
    """Returns the title of a control, and whether it is empty and locked: `"Fee" empty`."""
    is_form = control.tag == W_FLD_CHAR
    paths = (_FORM_NAME,) if is_form else _TITLES
    titles = (one.get(W_VAL, "").strip() for path in paths for one in control.iterfind(path))
    title = next((one for one in titles if one and not _UNNAMED.fullmatch(one)), "")
    name = f'"{title[:_LONGEST_TITLE].translate(_QUOTED)}"' if title else ""
    if is_form:
        return " ".join(filter(None, (name, "locked" if is_form_locked(control) else "")))
    properties = control_properties(control)
    signs = ("empty" * properties.is_placeholder, "locked" * properties.is_locked)
    return " ".join(filter(None, (name, *signs)))


def flat(blocks: Iterator[Block]) -> Iterator[Block]:
    """Yields blocks in order, those of cells instead of their tables."""
    for block in blocks:
        if isinstance(block, Table):
            cells = (cell for row in block.rows for cell in row.cells if not cell.continues)
            yield from flat(inner for cell in cells for inner in cell.blocks)
        else:
            yield block


def _can_be_rewritten(
    survey: Survey, paragraphs: Sequence[Place], inlines: Sequence[Inline]
) -> bool:
    """Returns whether a new version of a block could be told from its paragraphs, word by word.

    One that shows nothing, as in a table of contents, has nothing to be rewritten.
    """
    words = [inline.text for inline in inlines if isinstance(inline, Text)]
    has_tokens = len(words) < len(inlines)
    if not inlines or (len(paragraphs) > 1 and not has_tokens):
        return True
    if not has_tokens and _is_plain(paragraphs[0].element, "".join(words)):
        return True
    known = tokens.pieces(inlines)
    if len(paragraphs) > 1:
        return not parts(known)[0]
    line = survey.line(paragraphs[0])
    try:
        segments(line, known, known, [Mark.NONE] * len(line.text))
    except RefusedError:
        return False
    return True


def _is_plain(paragraph: Element, text: str) -> bool:
    """Returns whether a paragraph is only runs of text that say what its view shows."""
    texts: list[str] = []
    for child in paragraph:
        if child.tag in _BESIDE:
            continue
        if child.tag != W_R:
            return False
        for node in child:
            if node.tag == W_T:
                texts.append(node.text or "")
            elif node.tag == W_TAB:
                texts.append("\t")
            elif node.tag not in _IN_RUN:
                return False
    return "".join(texts).split() == text.split()


def _ends_section(paragraph: Element) -> bool:
    properties = paragraph.find(W_PPR)
    return properties is not None and properties.find(_SECT_PR) is not None
