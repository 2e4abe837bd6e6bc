"""Values called by what they are: `the due date`, `the payment term`, `the governing law`.

First what stands behind a label (`Due date: 3 May`, a row of a table whose first cell says so);
then the only amount, date or address of the new one's kind where the document speaks of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from redraft.engine.errors import NotFoundError, RefusedError
from redraft.engine.interpreter.commands import Options, SetValue
from redraft.engine.interpreter.grids import crossing
from redraft.engine.interpreter.lines import Line, Lines, folded
from redraft.engine.interpreter.outline import stems
from redraft.engine.interpreter.replacing import scoped
from redraft.engine.interpreter.search import Hit, hits, the_only
from redraft.engine.interpreter.word_questions import replaced, say, sentence, sentences
from redraft.engine.plan import Operation, RewriteBlock

_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|januar|februar|märz|mai|juni|juli|oktober|dezember"
    "|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre"
    "|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"
    "|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec"
)
_UNITS = (
    "days?|weeks?|months?|years?|hours?|minutes?|tagen?|tage|wochen?|monaten?|monate|jahren?|jahre"
    "|jours?|semaines?|mois|ans|années?|heures?|días?|semanas?|mes(?:es)?|años?|horas?"
)
_NUMBER = r"(?:[a-zäöüß-]+ \(\d+\)|\d+(?:[.,]\d+)*|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen)"  # noqa: E501 - the numbers people write out
_KINDS: dict[str, re.Pattern[str]] = {
    "date": re.compile(
        rf"(?:\d{{1,2}}(?:st|nd|rd|th|\.)? (?:de )?(?:{_MONTHS})\.?,?(?: (?:de )?\d{{4}})?"
        rf"|(?:{_MONTHS})\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?(?!\d)"
        r"|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2})",
        re.IGNORECASE,
    ),
    "money": re.compile(
        r"(?i:(?:(?:USD|EUR|GBP|CHF|US)\s?)?[$€£]\s?\d+(?:[.,]\d+)*(?:\s?(?:million|billion|k|m))?\b"
        r"|(?:USD|EUR|GBP|CHF)\s?\d+(?:[.,]\d+)*|\d+(?:[.,]\d+)*\s?(?:€|(?:euros?|EUR|USD|CHF|dollars?)\b))"
    ),
    "percent": re.compile(r"\d+(?:[.,]\d+)?\s?(?:%|(?:percent|per cent|Prozent)\b)", re.IGNORECASE),
    "duration": re.compile(
        rf"\b{_NUMBER}[ -](?:(?:calendar|business|working) )?(?:{_UNITS})\b", re.IGNORECASE
    ),
    "email": re.compile(r"[\w.+-]+@(?:[\w-]+\.)+\w+"),
    "phone": re.compile(r"\+?\(?\d{2,6}\)?(?:[ .-]\(?\d{2,6}\)?){2,4}"),
    "law": re.compile(
        r"(?<=\blaws of )(?:the )?(?:(?:State|Commonwealth|Province|Republic) of )?"
        r"[A-Z]\w+(?: (?:and )?[A-Z]\w+)*"
    ),
}
_GENERIC = frozenset(
    {
        "period",
        "deadline",
        "time",
        "duration",
        "date",
        "amount",
        "number",
        "value",
        "email",
        "phone",
        "addres",
        "figure",
    }
)
_LAW = frozenset({"governing", "law", "governed", "jurisdiction", "applicable"})
_LABEL = re.compile(r"\s*([^:\t]{1,60})\s*(?::|\t)\s*")
_MOST_WORDS = 12


@dataclass(frozen=True, slots=True)
class _Kind:
    """What sort of value it is, and for durations what they count."""

    name: str
    unit: str = ""


def kind_of(text: str) -> _Kind | None:
    """Returns the sort of value that a text is and nothing else; None for other words."""
    for name, pattern in _KINDS.items():
        if name != "law" and pattern.fullmatch(text.strip()):
            return _Kind(name, _unit(text) if name in ("duration", "date") else "")
    return None


def _unit(text: str) -> str:
    """What a duration counts; whether a date has a year."""
    if _KINDS["date"].fullmatch(text.strip()):
        return "year" if re.search(r"\d{4}", text) else "day"
    found = re.search(rf"(?:(?:calendar|business|working) )?(?:{_UNITS})$", text.casefold())
    return found[0].rstrip("s") if found else ""


def set_value(lines: Lines, command: SetValue, lookup: str | None) -> list[Operation]:
    """Gives what is called so another value.

    Raises:
        NotFoundError: Nothing is called so.
        AmbiguousError: Several values are.
        RefusedError: What stands there is no value of this sort.
    """
    inside, _ = scoped(lines, command.options, lookup)
    label, by = folded(command.label), command.by.text
    is_once = len(hits(lines.lines, command.label, Options())) == 1
    behind = values_of(lines, inside, label) if is_once else []
    if behind:
        return [_filled(_one(lines, behind), by, command.label)]
    meeting = crossing({line.anchor for line in inside}, lines, label)
    if meeting:
        cells = [Hit(cell[0], 0, len(cell[0].text.rstrip())) for cell in meeting if len(cell) == 1]
        return [_filled(_one(lines, cells), by, command.label)]
    kind, by, rest = _cut(by)
    words = set(stems(label))
    if kind is None and words <= _LAW and words & {"law", "governing"}:
        fitting = list(_of_kind(inside, _Kind("law")))
        by = by.removeprefix("the laws of ").removeprefix("laws of ")
    elif kind is None:
        raise NotFoundError(reason=f"Nothing in the document is called “{command.label}”")
    else:
        alike = [hit for hit in _of_kind(inside, kind) if _goes_on(hit, rest)]
        fitting = _near(lines, alike, words - _GENERIC)
    hit = _one(lines, fitting)
    if folded(hit.text) == folded(by):
        return []
    return [replaced(_narrowed(hit, by), say(by))]


def values_of(lines: Lines, inside: Sequence[Line], label: str) -> list[Hit]:
    """Returns what stands behind a label, or beside the cell of a row of two that is the label."""
    return [*_behind_labels(inside, label), *_in_rows(lines, inside, label)]


def _cut(by: str) -> tuple[_Kind | None, str, str]:
    """A value, and what is said behind it (`per month`)."""
    words = by.split()
    for end in range(len(words), 0, -1):
        kind = kind_of(" ".join(words[:end]))
        if kind is not None:
            return kind, " ".join(words[:end]), " ".join(words[end:])
    return None, by, ""


def _goes_on(hit: Hit, rest: str) -> bool:
    return not rest or folded(hit.line.text[hit.end :]).startswith(folded(rest))


def _narrowed(hit: Hit, by: str) -> Hit:
    """Without `State of` where the new words do not say so."""
    found = re.match(r"(?:the )?(?:State|Commonwealth|Province|Republic) of ", hit.text)
    if found and " of " not in by:
        return Hit(hit.line, hit.start + found.end(), hit.end)
    return hit


def _filled(hit: Hit, by: str, label: str) -> Operation:
    old, new = kind_of(hit.text.strip(" .")), kind_of(by)
    has_digits = any(char.isdigit() for char in hit.text)
    is_other = old != new if old and new else has_digits != any(char.isdigit() for char in by)
    if len(hit.text.split()) > _MOST_WORDS or (is_other and hit.text.strip(" _.…")):
        message = f"“{hit.text}” stands for {label}; to change it write: change the words in quotes"
        raise RefusedError(message)
    if not hit.line.text.strip():
        return RewriteBlock(hit.line.anchor, say(by))
    if not hit.text:
        before = hit.line.text[: hit.start].rstrip()
        whole = Hit(hit.line, 0, len(before))
        return replaced(whole, say(f"{before} {by}"))
    return replaced(hit, say(by))


def _one(lines: Lines, hits: Sequence[Hit]) -> Hit:
    if not hits:
        raise NotFoundError
    return the_only(lines, hits)


def _behind_labels(inside: Sequence[Line], label: str) -> Iterator[Hit]:
    for line in inside:
        found = _LABEL.match(line.text)
        if found and folded(found[1]) == label:
            spans = sentences(line.text, found.end())
            end = spans[0][1] if spans else len(line.text.rstrip())
            if len(spans) > 1 or line.text[:end].endswith("."):
                end -= line.text[:end].endswith(".")
            yield Hit(line, min(found.end(), end), end)


def _in_rows(lines: Lines, inside: Sequence[Line], label: str) -> Iterator[Hit]:
    """What stands beside a cell that is the label, in a row of two cells."""
    anchors = {line.anchor for line in inside}
    for table in lines.tables:
        for number, row in enumerate(table.rows):
            shown = [line for line in lines.lines if line.row == row.anchor]
            cells = list(dict.fromkeys(line.cell for line in shown))
            if len(row.cells) != 2 or len(cells) != 2 or len(shown) != 2:
                continue
            # The first row may be heads: only a value with a number shows that it is not.
            is_head = row.is_header or (not number and len(table.rows) > 1)
            if is_head and not any(char.isdigit() for char in shown[1].text):
                continue
            if folded(shown[0].text) == label and shown[1].anchor in anchors:
                text = shown[1].text
                yield Hit(shown[1], len(text) - len(text.lstrip()), len(text.rstrip()))


def _of_kind(inside: Sequence[Line], kind: _Kind) -> Iterator[Hit]:
    pattern = _KINDS[kind.name]
    for line in inside:
        for found in pattern.finditer(line.text):
            if kind.unit and _unit(found[0]) != kind.unit:
                continue
            if found.start() and line.text[found.start() - 1].isalnum():
                continue
            yield Hit(line, found.start(), found.end())


def _near(lines: Lines, hits: Sequence[Hit], words: set[str]) -> list[Hit]:
    """Those where the document speaks of it: in their sentence, else their paragraph or heading."""
    if not words:
        return list(hits)
    titles = {
        anchor: clause.key
        for clause in lines.clauses
        for line in lines.body[clause.start : clause.end]
        for anchor in [line.anchor]
    }

    def sentence_words(hit: Hit) -> set[str]:
        start, end = sentence(hit.line.text, hit.start, hit.end)
        return set(stems(folded(hit.line.text[start:end])))

    def all_words(hit: Hit) -> set[str]:
        return set(stems(folded(hit.line.text))) | set(stems(titles.get(hit.line.anchor, "")))

    spoken = [hit for hit in hits if words <= sentence_words(hit)]
    return spoken or [hit for hit in hits if words <= all_words(hit)]
