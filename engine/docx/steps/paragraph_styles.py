"""Gives paragraphs a style: `engine.plan.SetStyle`.

A heading's level is its style. Direct numbering and outline levels go with the style that they
stood on; other direct formatting stays.
"""

from __future__ import annotations

from copy import deepcopy

from lxml import etree

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.formatting.format_marks import Looks
from redraft.engine.docx.formatting.schema_order import drop, put
from redraft.engine.docx.formatting.style_cascade import Cascade
from redraft.engine.docx.formatting.stylesheet import Stylesheet
from redraft.engine.docx.names import W_PPR, W_VAL, Element, W
from redraft.engine.docx.property_values import value
from redraft.engine.docx.steps.paragraph_places import Change, ParagraphStep, paragraphs
from redraft.engine.errors import PlanError
from redraft.engine.plan import SetStyle

_MOST_NAMED = 25
_PSTYLE = W("pStyle")
_NUM_PR = W("numPr")
_WITH_STYLE = (_NUM_PR, W("outlineLvl"))


def resolve(finder: Finder, operation: SetStyle) -> ParagraphStep:
    """Returns what a plan's operation means here.

    Raises:
        OperationError: there is no such style, or no such paragraphs.
    """
    places = paragraphs(finder, operation.first, operation.last)
    stylesheet = Stylesheet(finder.survey.package)
    name = operation.style
    if stylesheet.find(name) is None and not stylesheet.is_builtin(name):
        raise OperationError("unknown_style", PlanError(_unknown(name, stylesheet)))

    def make(desk: Desk, _: Cascade) -> Change:
        return _Styling(desk, name)

    return ParagraphStep(places, make)


def _unknown(name: str, stylesheet: Stylesheet) -> str:
    """Returns what to do about a style that is not there."""
    used = stylesheet.in_use()
    shown = ", ".join(used[:_MOST_NAMED])
    more = f" and {len(used) - _MOST_NAMED} more" if len(used) > _MOST_NAMED else ""
    in_use = f"in use are {shown}{more}" if used else "no style is in use"
    return (
        f"The document has no paragraph style {name[:60]!r}; {in_use}. Word's own can be had too: "
        "Heading 1 to Heading 9, Title, Subtitle, Quote, Caption, List Bullet, List Number, Normal"
    )


class _Styling:
    def __init__(self, desk: Desk, name: str) -> None:
        self._package = desk.package
        self._name = name
        self._made: str | None = None
        self._default = ""
        self._is_list = False

    def __call__(self, place: Place, before: Looks) -> Element | None:
        """Returns the properties with the style; None when the paragraph has it."""
        if self._made is None:
            self._prepare()
        wanted = self._made or ""
        if self._of(before.now) == wanted:
            return None
        now = etree.Element(W_PPR)
        now.extend([deepcopy(child) for child in before.now])
        drop(now, _PSTYLE)
        if wanted != self._default:
            style = etree.Element(_PSTYLE)
            style.set(W_VAL, wanted)
            put(now, style)
        self._without_remains(now, before)
        return now

    def _prepare(self) -> None:
        stylesheet = Stylesheet(self._package)
        made = self._made = stylesheet.made(self._name)
        self._default = stylesheet.default
        style = Cascade(self._package).style(made)
        name = value(style, W("name")) or self._name
        numbered = None if style is None else style.find(f"{W_PPR}/{_NUM_PR}")
        self._is_list = name.lower().startswith("list") and numbered is None

    def _without_remains(self, now: Element, before: Looks) -> None:
        """Takes away what belonged to the former style, or bring back what the baseline has."""
        old = before.old
        if old is not None and self._of(old) == self._of(now):
            drop(now, *_WITH_STYLE, _PSTYLE)
            for child in old:
                if child.tag in (*_WITH_STYLE, _PSTYLE):
                    put(now, deepcopy(child))
            return
        drop(now, W("outlineLvl"))
        if not self._is_list:
            drop(now, _NUM_PR)

    def _of(self, properties: Element) -> str:
        return value(properties, _PSTYLE) or self._default
