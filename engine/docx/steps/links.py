"""Makes, changes and removes hyperlinks (ECMA-376 Part 1, 17.16.22); Word does not track them.

[x] w:hyperlink by relationship or bookmark  [x] HYPERLINK fields, complex and simple
[x] plain text, also in another author's insertion, which is split around the link
[-] text that begins or ends inside a link, a control or a computed field (refused)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.alternate_copies import twin_of
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError, unable
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.step import Blind, Reach
from redraft.engine.docx.judging.validity import FIELD_PARTS
from redraft.engine.docx.names import W_BOOKMARK_START, W_FLD_SIMPLE, W_HYPERLINK, W_INSTR_TEXT, W
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.redline import textmap
from redraft.engine.docx.redline.line import Box
from redraft.engine.docx.redline.open_fields import Frame, open_fields
from redraft.engine.docx.steps.hyperlink_runs import (
    CARRIED,
    Linker,
    check_wrapping,
    existing,
    is_whole,
    links_of,
    plumbing,
)
from redraft.engine.docx.steps.quote_places import Span, pieces, quoted
from redraft.engine.errors import PlanError, RefusedError
from redraft.engine.plan import RemoveLink, SetLink

_SCHEMES: Final = ("http", "https", "mailto")
_WARNING: Final = "Word does not track links: this change cannot be rejected"
_TWICE: Final = "Two operations of the plan change the same link of {}; ask for one after the other"
_NO_LINK: Final = "There is no link on that text"


@dataclass(frozen=True, slots=True)
class LinkStep:
    """Quoted text of a paragraph that gets a link; with an empty `url` it loses its links.

    `is_new` says that no link stood there before the plan, `size` how many are to go.
    """

    span: Span
    url: str
    reach: Reach
    is_new: bool = False
    blind: frozenset[Blind] = frozenset({"links"})
    warnings: tuple[str, ...] = (_WARNING,)
    size: int = 0

    @property
    def places(self) -> tuple[Place, ...]:
        """The paragraph."""
        return (self.span.place,)

    def write(self, desk: Desk) -> bool:
        """Changes the links of the paragraph, in both forms of a text box.

        Raises:
            RefusedError: no link can stand there.
            PlanError: another operation of the plan has changed the link that stands there.
        """
        place = self.span.place
        twin = twin_of(place)
        lines = [(place, desk.line(place))]
        if twin is not None:
            other = Place(place.anchor, place.part, place.story, "paragraph", twin)
            opened = open_fields(desk.package.tree(place.part)).get(twin, ())
            formatted = frozenset(desk.ids.formatted)
            lines.append((other, textmap.read(twin, desk.ids.ours, opened, formatted)))
        done = False
        for line_place, line in lines:
            units = pieces(line, self.span.start, self.span.end)
            if self.url:
                is_other = (existing(units) is None) is not self.is_new
            else:
                is_other = len(links_of(units)) != self.size
            if is_other:
                raise PlanError(_TWICE.format(place.anchor))
            linker = Linker(desk, line_place, line, units)
            if self.url and linker.leads_to(self.url):
                continue
            desk.note_place(line_place)
            done |= linker.link(self.url) if self.url else linker.unlink()
        return done


def setting(finder: Finder, operation: SetLink) -> LinkStep:
    """Returns what a link on quoted text means here.

    Raises:
        OperationError: no such text, an address that is not safe, or no link can stand there.
    """
    url = operation.url.strip()
    _check_url(finder.survey.package, url)
    span = _one(finder, operation)
    line = finder.survey.line(span.place)
    units = pieces(line, span.start, span.end)
    try:
        is_new = existing(units) is None
        if is_new:
            check_wrapping(line, units)
    except RefusedError as error:
        raise OperationError("crosses_placeholder", error) from error
    return LinkStep(span, url, _reach(span.place, 1 if is_new else 0), is_new)


def removing(finder: Finder, operation: RemoveLink) -> LinkStep:
    """Returns what taking the links off quoted text means here.

    Raises:
        OperationError: no such text, or no link on it.
    """
    span = _one(finder, operation)
    line = finder.survey.line(span.place)
    links = links_of(pieces(line, span.start, span.end))
    if not links:
        raise OperationError("no_effect", PlanError(_NO_LINK))
    if any(isinstance(link, Frame) and not is_whole(link) for link in links):
        raise OperationError("read_only", RefusedError(CARRIED))
    elements = sum(isinstance(e, Box) and e.element.tag == W_HYPERLINK for e in links)
    simple = sum(isinstance(e, Box) and e.element.tag == W_FLD_SIMPLE for e in links)
    lost = {"hyperlink": -elements} | dict.fromkeys(FIELD_PARTS, -simple)
    for link in links:
        if isinstance(link, Frame):
            for unit in plumbing(line, link):
                name = f"fldChar {unit.node.get(W('fldCharType'), '')}"
                if unit.node.tag != W_INSTR_TEXT:
                    lost[name] = lost.get(name, 0) - 1
    return LinkStep(span, "", _reach(span.place, 0, lost), size=len(links))


def _one(finder: Finder, operation: SetLink | RemoveLink) -> Span:
    def is_linked(spans: list[Span]) -> bool:
        return any(
            links_of(pieces(finder.survey.line(span.place), span.start, span.end)) for span in spans
        )

    anchor = operation.block
    is_meant = is_linked if isinstance(operation, RemoveLink) else None
    spans = quoted(finder, anchor, operation.find, operation.occurrence, is_meant=is_meant)
    if len(spans) > 1:
        message = "The text runs over paragraphs that were joined; quote words of one of them"
        raise OperationError("crosses_placeholder", RefusedError(message))
    if spans[0].start == spans[0].end:
        raise unable("text_not_found", f"{anchor} holds no text to link")
    return spans[0]


def _reach(place: Place, links: int, lost: dict[str, int] | None = None) -> Reach:
    twice = 2 if twin_of(place) is not None else 1
    more = {name: n * twice for name, n in (lost or {"hyperlink": links}).items() if n}
    return Reach(counts={place.element: more} if more else {})


def _check_url(package: Package, url: str) -> None:
    """Whether an address may be linked to.

    Raises:
        OperationError: its scheme is not a safe one, it is malformed, or its bookmark is missing.
    """
    if url.startswith("#"):
        names = [
            node.get(W("name"), "") for node in package.tree(package.main).iter(W_BOOKMARK_START)
        ]
        if url[1:] not in (*names, "_top"):
            known = ", ".join(name for name in names if not name.startswith("_")) or "none"
            raise unable("bad_value", f"There is no bookmark {url[1:]}; the document has {known}")
        return
    try:
        address = urlsplit(url)
    except ValueError:
        address = None
    is_safe = address is not None and address.scheme.lower() in _SCHEMES
    if not is_safe or any(char.isspace() or not char.isprintable() for char in url):
        message = (
            f"A link may lead to an address that begins with http://, https:// or mailto:, or to a "
            f"#bookmark of the document, not to {url[:80]}"
        )
        raise OperationError("unsafe_scheme", RefusedError(message))
    if address is not None and address.scheme.lower() != "mailto" and not address.netloc:
        raise unable("bad_value", f"The address {url[:80]} names no host")
