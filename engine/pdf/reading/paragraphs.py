"""Lines into paragraphs: split what the page keeps together, join what it breaks, undo hyphens."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from redraft.engine.model import Mark
from redraft.engine.pdf.reading.layout import Box, Group, Line, Page, Place, Span, Tag, around
from redraft.engine.pdf.reading.line_end_hyphens import LineEndHyphens

# The last five are the private-use codes that Symbol and Wingdings bullets are read as.
BULLETS = "•◦▪■●○‣\u2043∙➢✓✔❖\uf0b7\uf0a7\uf0d8\uf076\uf0fc"
_BULLET = re.compile(rf"\s*(?:[{BULLETS}]\s*|[-\u2013\u2014*·]\s+|·(?=[^\W\d])|o\t\s*)(?=\S)")
_NUMBER = re.compile(
    r"\s*(?P<label>\(?(?:\d{1,3}(?:\.\d{1,3}){0,4}|[A-Za-z]|[ivxlc]{1,6}|[IVXLC]{1,6})[.)]?)"
    r"(?P<gap>\s+)(?=\S)"
)
_DASH = re.compile(r"\s*[\u2013\u2014] +(?=[^\W\d_])(?=[^A-Z])")
_LEVELS = re.compile(r"\d+(?:\.\d+)+\.?")
_ENDS = (".", "!", "?", ":", ";", "\u3002", "\uff01", "\uff1f")
_CJK = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]")
_SENTENCE = re.compile(r"(?<!\b[A-Z])(?<!\b[A-Z][a-z])[.!?][\"'\u2019\u201d)]?$")
_SLACK = 1.5
ROW_GAP = 2.0
FAR = 3.0
_WIDE_LEADING = 1.6  # times the size of the letters, between the boxes of two lines
_FEWEST_SENTENCES = 3
_FEWEST_WORDS = 3  # of a line that is no label beside a field
_DEEPEST = 6.0  # likewise: how far the lines after the first may be set in


@dataclass(frozen=True, slots=True)
class Typography:
    """What is ordinary in a document: size of its text, whether that is fixed pitch, hyphens."""

    body_size: float
    is_mono: bool
    hyphens: LineEndHyphens


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph; `label` is its bullet or number, which the spans do not repeat.

    `is_alone`: it neither goes on elsewhere nor goes on what stands before it.
    """

    page: int
    box: Box
    lines: tuple[Line, ...]
    label: str | None = None
    is_alone: bool = False

    @property
    def tag(self) -> Tag | None:
        """The element of the structure tree that it is, or a part of."""
        return self.lines[0].tag

    @property
    def size(self) -> float:
        """The size of its first line, in points."""
        return self.lines[0].size

    @property
    def text(self) -> str:
        """Its characters, lines parted by a space; for comparing, not for showing."""
        return " ".join(line.text.strip() for line in self.lines)


def typography(pages: Sequence[Page]) -> Typography:
    """Learns what is ordinary in a document."""
    sizes: dict[float, int] = {}
    mono = count = 0
    for page in pages:
        lines = [line for group in page.groups for line in group.lines]
        for line in lines:
            for span in line.spans:
                length = span.inked
                sizes[span.size] = sizes.get(span.size, 0) + length
                count += length
                if span.marks is not Mark.NONE and Mark.CODE in span.marks:
                    mono += length
    body = max(sizes, key=sizes.__getitem__) if sizes else 0.0
    groups = (group.lines for page in pages for group in page.groups)
    return Typography(body, mono * 2 > count, LineEndHyphens.of(groups))


def label_of(line: Line) -> str | None:
    """Reads the bullet (`•`) or number (`4.1`, `(a)`) that a line starts with; None without one."""
    label = _label(line.text)
    return label[0] if label else None


def head_of(text: str) -> int:
    """Returns how many characters of a line are white space and label before its text."""
    label = _label(text)
    return label[1] if label else len(text) - len(text.lstrip())


@lru_cache(maxsize=16384)  # the lines of a long document, each asked for several times
def _label(text: str) -> tuple[str, int] | None:
    """Reads the label of a line, and where its text begins."""
    bullet = _BULLET.match(text)
    if bullet:
        return "•", bullet.end()
    match = _NUMBER.match(text)
    return (match["label"], match.end()) if match and _is_label(match) else None


def _is_label(match: re.Match[str]) -> bool:
    label, is_tabbed = match["label"], "\t" in match["gap"]
    text, end = match.string, match.end()
    if label.isalpha() or (label.isdigit() and not _is_heading_number(label, text, end)):
        return False
    if label[0] not in "(" and label[0].isalpha() and label.endswith(".") and not is_tabbed:
        return False
    if label.startswith("(") and not label.endswith(")"):
        return False
    if len(label) == 5 and label[1:4].isdigit() and text[end].isdigit():
        return False  # the area code of a telephone number
    return is_tabbed or label[-1] in ".)" or _LEVELS.fullmatch(label) is not None


def _is_heading_number(label: str, text: str, end: int) -> bool:
    """Whether a bare number is that of a heading: a gap follows, and then words, not a row."""
    rest = text[end:]
    is_short = len(label) < 3 and "\t" in text[:end]
    return is_short and "\t" not in rest and rest[:1].isalpha()


def passages(group: Group, page: int, ordinary: Typography) -> Iterator[Passage]:
    """Splits a group of lines into paragraphs; adjacent lines of code stay together."""
    if group.is_alone:
        yield replace(_passage(list(group.lines), page), is_alone=True)
        return
    if _are_sentences(group) and not any(is_code(line, ordinary) for line in group.lines):
        yield from (replace(_passage([line], page), is_alone=True) for line in group.lines)
        return
    lines_held: list[Line] = []
    before: Line | None = None
    for line in group.lines:
        both = (
            [is_code(line_seen, ordinary) for line_seen in (lines_held[-1], line)]
            if lines_held
            else []
        )
        if (
            not all(both)
            if any(both)
            else bool(lines_held) and _starts(lines_held, line, group.box)
        ):
            yield _passage(lines_held, page, before)
            before, lines_held = lines_held[-1], []
        lines_held.append(line)
    if lines_held:
        yield _passage(lines_held, page, before)


def _are_sentences(group: Group) -> bool:
    """Whether each line is a sentence, as of a list, and one of them was ended on purpose."""
    lines = group.lines
    return (
        len(lines) >= _FEWEST_SENTENCES
        and all(line.tag is None and line.is_level for line in lines)
        and all(line.text.lstrip()[:1].isupper() for line in lines)
        and all(_SENTENCE.search(line.text.rstrip()) for line in lines)
        and any(_would_fit(*pair, group.box, 0.5) for pair in pairwise(lines))
    )


def _passage(lines: list[Line], page: int, before: Line | None = None) -> Passage:
    first = lines[0]
    label = label_of(first) if first.is_level else None
    if first.tag is not None and (before is None or _element(before) != _element(first)):
        label = _tagged_label(first.tag, label)
    box = around([line.box for line in lines])
    if label is None:
        return Passage(page, box, tuple(lines))
    return Passage(page, box, (_unlabelled(first), *lines[1:]), label)


def _tagged_label(tag: Tag, label: str | None) -> str | None:
    """Returns the label of an element: of an item even if it cannot be read, of its rest none."""
    if not tag.begins:
        return None
    return label or ("•" if tag.role == "item" else None)


def _unlabelled(line: Line) -> Line:
    """Takes the label and the gap after it off a line; the box keeps the place of the label."""
    label = _label(line.text)
    drop = label[1] if label else 0
    spans: list[Span] = []
    for span in line.spans:
        rest = span.text[drop:]
        drop = max(0, drop - len(span.text))
        if rest:
            spans.append(_with(span, rest))
    return Line(line.box, tuple(spans), line.is_level, line.tag)


def _with(span: Span, text: str) -> Span:
    """Returns a span with another text."""
    if text == span.text:
        return span
    return Span(text, span.box, span.size, span.marks, span.target)


def _starts(lines_held: list[Line], line: Line, around_them: Box) -> bool:
    """Whether a line of a group begins a new paragraph after those held."""
    before = lines_held[-1]
    if _element(before) != _element(line):
        return True
    if not (before.is_level and line.is_level):
        return False
    if _is_row(before) or _is_row(line):
        return True
    if line.tag is not None and line.tag.role != "figure":
        return _is_broken(before, line, around_them)
    is_labelled = label_of(line) is not None and _may_be_labelled(lines_held, line)
    if is_labelled and not _goes_on_with_dash(before, line, around_them):
        return True
    if label_of(lines_held[0]) is not None and _is_set_out(lines_held, line, around_them):
        return True
    if abs(before.size - line.size) >= 1:
        return True
    if line.box.y0 - before.box.y1 > 0.8 * line.size or line.box.y1 < before.box.y0:
        return True
    if _is_indented(lines_held, line) or _is_beside(before, line):
        return True
    return _is_apart(before, line) and _would_fit(before, line, around_them)


def _is_beside(before: Line, line: Line) -> bool:
    """Whether a line stands at some distance to the right of another, not below it."""
    is_right = line.box.x0 - before.box.x1 > line.size
    return is_right and line.box.y0 < before.box.y1 - _SLACK


def _element(line: Line) -> Place | None:
    """Returns the element of the structure tree that a line belongs to."""
    return None if line.tag is None else line.tag.place


def _is_broken(before: Line, line: Line, around_them: Box) -> bool:
    """Whether the lines of one element are parted on purpose: by far, or much before the margin."""
    if line.box.y0 - before.box.y1 > FAR * line.size:
        return True
    return _is_apart(before, line) and _would_fit(before, line, around_them, FAR)


def _is_apart(before: Line, line: Line) -> bool:
    """Whether a sentence ends or something of its own begins between two lines."""
    begins = line.text.lstrip()[:1]
    return before.text.rstrip().endswith(_ENDS) or begins.isupper() or begins.isdigit()


def _is_row(line: Line) -> bool:
    """Whether a line has gaps that neither a label nor a stretched line has."""
    if not line.has_tab:
        return False
    spans = _unlabelled(line).spans if label_of(line) is not None else line.spans
    return any(span.text == "\t" and span.box.width > ROW_GAP * line.size for span in spans)


def _may_be_labelled(lines_held: list[Line], line: Line) -> bool:
    if _BULLET.match(line.text) or "\t" in line.text:
        return True
    return label_of(lines_held[0]) is not None or lines_held[-1].text.rstrip().endswith(_ENDS)


def _goes_on_with_dash(before: Line, line: Line, around_them: Box) -> bool:
    """Whether a line begins with a dash of a sentence, as its line before was full."""
    if not _DASH.match(line.text) or label_of(before) is not None:
        return False
    if before.text.rstrip().endswith((*_ENDS, ",")) or abs(line.box.x0 - before.box.x0) > 1:
        return False
    return not _would_fit(before, line, around_them)


def is_code(line: Line, ordinary: Typography) -> bool:
    """Whether a line is all in fixed pitch, in a document that is not."""
    return not ordinary.is_mono and line.is_level and line.has_all(Mark.CODE)


def _is_set_out(lines_held: list[Line], line: Line, around_them: Box) -> bool:
    """Whether a line stands left of a list item's text, though the item's line was not full."""
    is_out = line.box.x0 <= lines_held[0].box.x0 + 1 and line.text.lstrip()[:1].isupper()
    return is_out and lines_held[-1].box.x1 + _SLACK * line.size < around_them.x1


def _is_indented(lines_held: list[Line], line: Line) -> bool:
    """Whether a line is set in by a first-line indent after a finished sentence."""
    before = lines_held[-1]
    left = before.box.x0
    if len(lines_held) == 1 and label_of(before) is not None:
        return False
    return line.box.x0 - left > 0.8 * line.size and before.text.rstrip().endswith(_ENDS)


def _would_fit(before: Line, line: Line, column: Box, slack: float = _SLACK) -> bool:
    """Whether the first word of a line had room on the line before: it was broken on purpose."""
    word = line.text.strip().split(" ", maxsplit=1)[0]
    width = line.box.width * len(word) / max(1, len(line.text.strip()))
    room = before.box.x0 - column.x0 if runs_left(before) else column.x1 - before.box.x1
    return width + slack * line.size < room


def runs_left(line: Line) -> bool:
    """Whether a line is written from right to left: by its first letter that has a direction."""
    if line.text.isascii():
        return False
    kinds = (unicodedata.bidirectional(c) for c in line.text)
    return next((kind in ("R", "AL") for kind in kinds if kind in ("L", "R", "AL")), False)


def joined(texts: Sequence[Passage]) -> list[Passage]:
    """Joins paragraphs that a line, column or page break has cut in two."""
    result: list[Passage] = []
    for passage in texts:
        if result and _runs_on(result[-1], passage):
            before = result[-1]
            box = around((before.box, passage.box)) if before.page == passage.page else before.box
            result[-1] = Passage(before.page, box, before.lines + passage.lines, before.label)
        else:
            result.append(passage)
    return result


def _runs_on(before: Passage, after: Passage) -> bool:
    last, first = before.lines[-1], after.lines[0]
    if before.is_alone or after.is_alone:
        return False
    if last.tag is not None or first.tag is not None:
        is_elsewhere = before.page != after.page or first.box.y0 < last.box.y0
        return _element(last) == _element(first) and is_elsewhere
    if after.label is not None or _is_row(first):
        return False
    if _is_row(last) and not _is_behind_gap(last, first):
        return False
    if not (last.is_level and first.is_level) or not first.size:
        return False
    if abs(last.size - first.size) > 0.6:
        return False
    if last.has_all(Mark.BOLD) != first.has_all(Mark.BOLD):
        return False
    gap = first.box.y0 - last.box.y1
    if before.page == after.page and -0.3 <= gap / first.size < _WIDE_LEADING:
        column = around((before.box, after.box))
        is_near = gap / first.size < 0.6 or _keeps_leading(before, first)
        return is_near and _is_aligned(before, after) and not _would_fit(last, first, column)
    # In the next column of a page a paragraph goes on above where it ended, not beside it.
    is_above = first.box.y1 <= last.box.y0 + _SLACK
    is_near = -0.3 < (first.box.x0 - last.box.x1) / first.size < 1
    if before.page == after.page and not (is_above or is_near):
        return False
    return _goes_on(last, first)


def _is_behind_gap(last: Line, first: Line) -> bool:
    """Whether a line goes on below the words behind the only gap of another, as by its name."""
    texts = [span for span in last.spans if span.text.strip()]
    after = texts[1:] if len(texts) > 1 and texts[0] is last.spans[0] else []
    is_below = bool(after) and abs(after[0].box.x0 - first.box.x0) < 2
    return is_below and last.text.count("\t") == 1 and _goes_on(last, first)


def _keeps_leading(before: Passage, first: Line) -> bool:
    """Whether a line stands as far below a paragraph as the lines of that stand apart.

    After its only line, whether a sentence goes on there.
    """
    if before.lines[1:]:
        above, last = before.lines[-2:]
        return abs(first.box.y1 - 2 * last.box.y1 + above.box.y1) < 0.1 * first.size
    last = before.lines[-1]
    return len(last.text.split()) > _FEWEST_WORDS and _goes_on(last, first)


def _goes_on(last: Line, first: Line) -> bool:
    """Whether a sentence goes on from one line to another."""
    return not last.text.rstrip().endswith(_ENDS) and first.text.lstrip()[:1].islower()


def _is_aligned(before: Passage, after: Passage) -> bool:
    """Whether lines stand where the next ones of a paragraph would.

    After the only line of a paragraph it may stand further out, for that one may be indented, and
    further in where that one hangs out and its sentence is not finished. A sentence that goes on
    may be centred.
    """
    first = after.lines[0]
    if runs_left(first):
        return abs(before.box.x1 - first.box.x1) < 3 * first.size
    last = before.lines[-1]
    is_centred = abs(last.box.middle[0] - first.box.middle[0]) < _SLACK
    if is_centred and len(last.text.split()) > 2 * _FEWEST_WORDS and _goes_on(last, first):
        return True
    if before.lines[1:]:
        return abs(last.box.x0 - first.box.x0) < 3
    spans = [span for span in before.lines[0].spans if span.text.strip()]
    out = (spans[0].box.x0 if spans else before.box.x0) - first.box.x0
    if before.label is not None:
        return -3 < out < 3
    furthest = _DEEPEST * first.size if _hangs_out(before.lines[0], after) else 3
    return -furthest < out < 3 * first.size


def _hangs_out(line: Line, after: Passage) -> bool:
    """Whether a line goes on in those after it though they are set in: by its words or its end."""
    if _goes_on(line, after.lines[0]):
        return True
    is_full = abs(line.box.x1 - after.box.x1) < 0.5 * line.size
    return is_full and bool(after.lines[1:]) and not line.text.rstrip().endswith((*_ENDS, ","))


def spans_of(passage: Passage, hyphens: LineEndHyphens) -> tuple[Span, ...]:
    """Returns the spans of a paragraph as one line; hyphens that only broke a word are gone."""
    spans: list[Span] = []
    for line in passage.lines:
        pieces = list(line.spans)
        while pieces and not pieces[0].text.strip():
            pieces.pop(0)
        while pieces and not pieces[-1].text.strip():
            pieces.pop()
        if not pieces:
            continue
        pieces[0] = _with(pieces[0], pieces[0].text.lstrip())
        pieces[-1] = _with(pieces[-1], pieces[-1].text.rstrip())
        if spans:
            spans[-1] = _bridged(spans[-1], pieces[0], hyphens)
        spans += pieces
    return tuple(spans)


def _bridged(before: Span, after: Span, hyphens: LineEndHyphens) -> Span:
    """Returns the end of a line what joins it to the next: a space, nothing, or one hyphen less."""
    text = before.text
    if text.endswith("\u00ad"):
        return _with(before, text[:-1])
    if text.endswith(("-", "\u2010")) and text[-2:-1].isalpha() and after.text[:1].islower():
        return before if hyphens.stays(text, after.text) else _with(before, text[:-1])
    if _CJK.match(text[-1:]) and _CJK.match(after.text[:1]) and not _is_hangul(text[-1:]):
        return before
    return _with(before, f"{text} ")


def _is_hangul(character: str) -> bool:
    """Korean parts words by spaces, Chinese and Japanese do not."""
    return "\uac00" <= character <= "\ud7af"
