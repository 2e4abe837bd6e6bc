"""What runs and paragraph marks say, each with the revision marks around it.

Objects, breaks of pages and sections are told in brackets: they have no words of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from redraft.engine.docx.accept_reject import part_tree
from redraft.engine.docx.anchors import branch
from redraft.engine.docx.names import (
    MC_ALTERNATE,
    W_ID,
    W_PPR,
    W_R,
    W_RPR,
    W_SECT_PR,
    WP,
    Element,
    V,
    W,
)
from redraft.engine.docx.runs import run_content

# What notes say, by `footnote` or `endnote` and their ids.
NoteTexts: TypeAlias = Mapping[tuple[str, str], str]
_RUBY_BASE: Final = f"{W('ruby')}/{W('rubyBase')}"
_DESCRIBED: Final = (WP("docPr"), V("shape"), V("rect"), V("group"))
_ALT_TEXT: Final = ("descr", "alt", "title")
_BREAKS: Final = {"line": "\n", "page": "[page break]", "column": "[column break]"}
_SECTION_BREAK: Final = "[section break]"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run or a paragraph mark with the marks around it, the outermost first."""

    text: str
    marks: tuple[Element, ...]
    is_end: bool = False


def run_text(run: Element, notes: NoteTexts) -> str:
    """What a run says, whether struck or not; objects in brackets with what is known of them."""
    properties = run.find(W_RPR)
    return "".join([_content(child, properties, notes) for child in run])


def _content(element: Element, properties: Element | None, notes: NoteTexts) -> str:
    """What a child of a run says; `properties` are those of the run."""
    kind = run_content.kind(element)
    if kind == "text":
        return run_content.shown_text(element, properties)
    if kind == "character":
        return run_content.character(element)
    if kind == "break":
        return _BREAKS[run_content.break_kind(element)]
    if kind is not None:
        return _named(kind, _description(kind, element, notes))
    return _alternate(element) if element.tag == MC_ALTERNATE else ""


def _alternate(element: Element) -> str:
    """What `mc:AlternateContent` in a run says: an emoji, else a drawing."""
    chosen = branch(element)
    signs = "" if chosen is None else "".join(map(run_content.sign, chosen))
    return signs or _named("image", _described(element))


def _named(kind: run_content.Kind, description: str) -> str:
    return f"[{kind}: {description}]" if description else f"[{kind}]"


def _description(kind: run_content.Kind, element: Element, notes: NoteTexts) -> str:
    """What is known of an object: the text of a note, the alternative text of a picture."""
    if kind in ("footnote", "endnote"):
        return notes.get((kind, element.get(W_ID, "")), "")
    return _described(element) if kind == "image" else ""


def _described(picture: Element) -> str:
    """The alternative text of a picture, if it has one."""
    for node in picture.iter(*_DESCRIBED):
        for name in _ALT_TEXT:
            description = " ".join(node.get(name, "").split())
            if description:
                return description
    return ""


def stretches(
    paragraph: Element, notes: NoteTexts, starts: Collection[Element] = ()
) -> Iterator[Stretch]:
    """The runs of a paragraph that say something or are tracked, and at last its own mark.

    Args:
        paragraph: Which.
        notes: What the notes say.
        starts: The starts of ranges in which tags of content controls are tracked.
    """
    yield from _walk(paragraph, (), notes, starts)
    marks = paragraph.find(f"{W_PPR}/{W_RPR}")
    tracked = () if marks is None else tuple(c for c in marks if c.tag in part_tree.TRACKED)
    # ECMA-376 Part 1, 17.6.18: the properties of a section stand at the end of its last paragraph.
    if tracked and paragraph.find(f"{W_PPR}/{W_SECT_PR}") is not None:
        yield Stretch(_SECTION_BREAK, tracked)
    yield Stretch("\n" if tracked else "", tracked, is_end=True)


def _walk(
    element: Element, marks: tuple[Element, ...], notes: NoteTexts, starts: Collection[Element]
) -> Iterator[Stretch]:
    for child in element:
        tag = child.tag
        if tag == W_R:
            base = child.find(_RUBY_BASE)
            if base is not None:
                yield from _walk(base, marks, notes, starts)
                continue
            text = run_text(child, notes)
            if text or marks:
                yield Stretch(text, marks)
        elif tag in part_tree.TRACKED:
            # What holds no run, such as an empty mark, is a change all the same.
            inside = tuple(_walk(child, (*marks, child), notes, starts))
            yield from inside or (Stretch("", (*marks, child)),)
        elif run_content.kind(child) == "equation" and marks:
            yield Stretch("[equation]", marks)
        elif child in starts:
            yield Stretch("", (*marks, child))
        elif tag != W_PPR and len(child):
            yield from _walk(child, marks, notes, starts)
