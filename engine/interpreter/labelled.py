"""Values called by what they are: `the due date`, `the payment term`, `the governing law`.

First what stands behind a label (`Due date: 3 May`, a row of a table whose first cell says so);
then the only amount, date or address of the new one's kind where the document speaks of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from redraft.engine.errors import NotFoundError, RefusedError
from redraft.engine.interpreter.commands import Address, Options, SetValue, Value
from redraft.engine.interpreter.grids import crossing
from redraft.engine.interpreter.lines import Line, Lines, folded
from redraft.engine.interpreter.measures import exchange
from redraft.engine.interpreter.outline import stems
from redraft.engine.interpreter.replacing import scoped
from redraft.engine.interpreter.search import Hit, hits, the_only
from redraft.engine.interpreter.value_kinds import KINDS, Kind, kind_of, unit_of
from redraft.engine.interpreter.word_questions import replaced, say, sentence, sentences
from redraft.engine.model import Table
from redraft.engine.plan import Operation, RewriteBlock

_GENERIC_WORDS = "period deadline time duration date amount number value email phone address figure"
GENERIC = frozenset((*_GENERIC_WORDS.split(), *stems(_GENERIC_WORDS)))
_DOCUMENTS = set(stems("letter agreement contract document invoice lease form offer"))
_SHORT = 3
_LAW = frozenset(stems("governing law governed jurisdiction applicable"))
# At the start of a line, or of a sentence in it: `Landlord: Harbor Inc. Tenant: Nimbus`.
_LABEL = re.compile(
    r"(?:(?<![\s\S])\s*([^:\t]{1,60})|(?<=[.;,]\s)([A-Z]\w+(?: \w+){0,2}))\s*(?::|\t)\s*"
)
_MOST_WORDS = 12


def set_value(lines: Lines, command: SetValue, lookup: str | None) -> list[Operation]:
    """Gives what is called so another value.

    Raises:
        NotFoundError: Nothing is called so.
        AmbiguousError: Several values are.
        RefusedError: What stands there is no value of this sort.
    """
    options = _in_tables_with(lines, command.options, command.label)
    inside, _ = scoped(lines, options, lookup)
    if options.scopes and options.scopes[0].kind == "cell" and options.scopes[0].address:
        return [_in_cell(inside, command)]
    label, by = folded(command.label), command.by.text
    behind = _behind(lines, inside, label)
    if behind:
        hit = _one(lines, behind)
        also = [] if options.scopes else _said_again(lines, hit, label)
        return [_filled(_one(lines, [hit, *also]), by, command.label)]
    if options.scopes:
        inside_row = _below(lines, inside, label)
        if inside_row:
            return [_filled(_one(lines, inside_row), by, command.label)]
    cells = crossing({line.anchor for line in inside}, lines, label)
    meeting = [Hit(cell[0], 0, len(cell[0].text.rstrip())) for cell in cells if len(cell) == 1]
    meeting = meeting or ([] if cells else _met(lines, inside, label))
    if cells or meeting:
        return [_filled(_one(lines, meeting), by, command.label)]
    kind, by, rest = _cut(by)
    words = set(stems(label))
    if kind is None and words <= _LAW and words & {"law", "governing"}:
        fitting = list(_of_kind(inside, Kind("law")))
        by = by.removeprefix("the laws of ").removeprefix("laws of ")
    elif kind is None and _shape(by):
        likely = [hit for hit in _of_shape(inside, by) if not hit.line.table]
        fitting = _near(lines, likely, words - GENERIC) if words - GENERIC else []
    elif kind is None:
        raise NotFoundError(reason=f"Nothing in the document is called “{command.label}”")
    else:
        alike = [hit for hit in _of_kind(inside, kind) if _goes_on(hit, rest)]
        is_dated = kind.name == "date" and len(words) == 1
        is_sole = kind.name in ("phone", "email") and len(alike) == 1
        known = {stem for line in lines.lines for stem in stems(line.key)}
        words = set[str]() if is_sole and words - GENERIC - {"s"} <= known else words
        fitting = _near(lines, alike, words - GENERIC - (_DOCUMENTS if is_dated else set()))
        fitting = _alone(fitting) if is_dated and words <= GENERIC else fitting
    hit = _one(lines, fitting)
    if folded(hit.text) == folded(by):
        return []
    return [replaced(_narrowed(hit, by), say(by))]


def _alone(fitting: list[Hit]) -> list[Hit]:
    """The only one that is all of its line, as the date of a letter is; else all of them."""
    alone = [hit for hit in fitting if hit.line.text.strip() == hit.text.strip()]
    return alone if len(alone) == 1 else fitting


def _in_cell(inside: Sequence[Line], command: SetValue) -> Operation:
    if len(inside) != 1:
        message = f"The cell has {len(inside)} paragraphs; say which of them, by words in it"
        raise RefusedError(message)
    text = inside[0].text
    hit = Hit(inside[0], len(text) - len(text.lstrip()), len(text.rstrip()))
    return (
        replaced(hit, say(command.by.text))
        if command.by.is_quoted and text.strip()
        else (_filled(hit, command.by.text, command.label))
    )


def _behind(lines: Lines, inside: Sequence[Line], label: str) -> list[Hit]:
    """What stands behind a label, or behind it without `number` and `name` (`the bank name`)."""
    shorter = " ".join(word for word in label.split() if word not in GENERIC)
    for name in dict.fromkeys((label, shorter)):
        values = values_of(lines, inside, name) if name else []
        # Where the words stand elsewhere too, only a single value is what they are the label of.
        is_once = len(hits(lines.lines, name, Options())) == 1
        if values and (is_once or (len(values) == 1 and values[0].text)):
            return values
    return []


def _said_again(lines: Lines, hit: Hit, label: str) -> list[Hit]:
    """The places in the text that give what is called so the value that a hit of a form has."""
    kind = kind_of(hit.text.strip(" ."))
    if kind is None:
        return []
    text = [line for line in lines.body if not line.table and line.anchor != hit.line.anchor]
    same = [one for one in _of_kind(text, kind) if _digits(one.text) == _digits(hit.text)]
    return _near(lines, same, set(stems(label)))


def _digits(text: str) -> str:
    return re.sub(r"\D", "", re.sub(r"[.,]00\b", "", text))


def _met(lines: Lines, inside: Sequence[Line], label: str) -> list[Hit]:
    """The cells whose row's and column's heads have all words of a label: `price of the bench`.

    The label has a word of each; of rows that have it, those with most of its words are meant.
    """
    words = set(stems(label))
    anchors = {line.anchor for line in inside}
    meeting: list[Hit] = []
    for table in lines.tables:
        heads = {column: set(stems(head)) for column, head in _heads(lines, table).items()}
        for row in table.rows[1:]:
            shown = [line for line in lines.lines if line.row == row.anchor]
            for cell in row.cells:
                above = heads.get(cell.column, set[str]()) & words
                beside = [set(stems(line.key)) for line in shown if line.cell != cell.anchor]
                if not any(words - above <= called and above - called for called in beside):
                    continue
                if words == above:
                    continue
                cells = [line for line in lines.lines if line.cell == cell.anchor]
                if len(cells) == 1 and cells[0].anchor in anchors:
                    meeting.append(Hit(cells[0], 0, len(cells[0].text.rstrip())))
    return meeting


def _in_tables_with(lines: Lines, options: Options, label: str) -> Options:
    """`the price in row 2` is of the only table with such a column."""
    scope = options.scopes[0] if len(options.scopes) == 1 else None
    address = scope.address if scope else None
    if scope is None or address is None or address.kind != "row" or address.within is not None:
        return options
    tables = [table for table in lines.tables if re.match(r"t\d", table.anchor)]
    fitting = [
        number
        for number, table in enumerate(tables, 1)
        if any(folded(label) == head for head in _heads(lines, table).values())
    ]
    if len(fitting) != 1:
        return options
    inner = replace(address, within=Address("table", (fitting[0],)))
    return replace(options, scopes=(replace(scope, address=inner),))


def _heads(lines: Lines, table: Table) -> dict[int, str]:
    """The words in the first row of a table, by column."""
    return {
        cell.column: folded(" ".join(one.text for one in lines.lines if one.cell == cell.anchor))
        for cell in table.rows[0].cells
    }


def _below(lines: Lines, inside: Sequence[Line], label: str) -> list[Hit]:
    """What stands in the column called so, within the rows that are meant."""
    anchors = {line.anchor for line in inside}
    values: list[Hit] = []
    for table in lines.tables:
        columns = [column for column, head in _heads(lines, table).items() if head == label]
        cells = {
            cell.anchor for row in table.rows[1:] for cell in row.cells if cell.column in columns
        }
        below = [line for line in lines.lines if line.cell in cells and line.anchor in anchors]
        values += [Hit(line, 0, len(line.text.rstrip())) for line in below]
    return values


def _shape(text: str) -> str:
    """A number such as 2026-118 with its digits evened out; nothing for short ones and words."""
    is_code = re.fullmatch(r"(?=.*\d)[A-Z\d]+(?:[-/.][A-Z\d]+)*", text) and len(text) > _SHORT
    return re.sub(r"\d", "9", text) if is_code else ""


def _of_shape(inside: Sequence[Line], text: str) -> Iterator[Hit]:
    for line in inside:
        for match in re.finditer(r"[A-Z\d]+(?:[-/.][A-Z\d]+)*", line.text):
            if _shape(match[0]) == _shape(text):
                yield Hit(line, match.start(), match.end())


def values_of(lines: Lines, inside: Sequence[Line], label: str) -> list[Hit]:
    """Returns what stands behind a label, or beside the cell of a row of two that is the label."""
    return [*_behind_labels(lines, inside, label), *_in_rows(lines, inside, label)]


def _cut(by: str) -> tuple[Kind | None, str, str]:
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
    state = re.match(r"(?:the )?(?:State|Commonwealth|Province|Republic) of ", hit.text)
    if state and " of " not in by:
        return Hit(hit.line, hit.start + state.end(), hit.end)
    return hit


def _filled(hit: Hit, by: str, label: str) -> Operation:
    swap = exchange(Value(hit.text.strip(), is_quoted=False), Value(by, is_quoted=False))
    if swap is not None:
        # A number for an amount: what it counts stays, the £ of `Total: £1,450`.
        narrowed, by = swap.narrowed(hit)
        return replaced(narrowed, say(by))
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


def _behind_labels(lines: Lines, inside: Sequence[Line], label: str) -> Iterator[Hit]:
    for line in inside:
        for match in _LABEL.finditer(line.text):
            if folded(match[1] or match[2]) != label:
                continue
            following = _LABEL.search(line.text, match.end())
            last = following.start() if following else len(line.text.rstrip())
            spans = sentences(line.text[:last], match.end())
            end = spans[0][1] if spans else last
            if (len(spans) > 1 or line.text[:end].endswith(".")) and not following:
                end -= line.text[:end].endswith(".")
            if line.cell and not line.text[match.end() :].strip():
                beside = _next_cell(lines, line)
                if beside is not None:
                    yield beside
                    continue
            yield Hit(line, min(match.end(), end), end)


def _next_cell(lines: Lines, line: Line) -> Hit | None:
    """What stands in the cell behind one that is only a label: `MONTH:` and `January`."""
    row = [one for one in lines.lines if one.row == line.row]
    cells = list(dict.fromkeys(one.cell for one in row))
    at = cells.index(line.cell) + 1
    behind = [one for one in row if at < len(cells) and one.cell == cells[at]]
    if len(behind) != 1 or behind[0].text.rstrip().endswith(":"):
        return None
    text = behind[0].text
    return Hit(behind[0], len(text) - len(text.lstrip()), len(text.rstrip()))


def _in_rows(lines: Lines, inside: Sequence[Line], label: str) -> Iterator[Hit]:
    """What stands beside a cell that is the label, in a row of two cells."""
    anchors = {line.anchor for line in inside}
    for table in lines.tables:
        for number, row in enumerate(table.rows):
            shown = [line for line in lines.lines if line.row == row.anchor]
            cells = list(dict.fromkeys(line.cell for line in shown))
            if len(row.cells) != 2 or len(cells) != 2 or len(shown) != 2:
                continue
            if row.is_header or (not number and len(table.rows) > 1 and _is_head(lines, table)):
                continue
            if folded(shown[0].text) == label and shown[1].anchor in anchors:
                text = shown[1].text
                yield Hit(shown[1], len(text) - len(text.lstrip()), len(text.rstrip()))


def _is_head(lines: Lines, table: Table) -> bool:
    """Whether the first row of a table of two columns may hold heads, and no label and value.

    A value is a number or a name of several words, in a column of different things.
    """
    texts = [
        next((line.text for line in lines.lines if line.cell == row.cells[-1].anchor), "")
        for row in table.rows
    ]
    first, others = texts[0], texts[1:]
    if any(char.isdigit() for char in first):
        return False
    words = first.split()
    is_name = len(words) > 1 and all(word[:1].isupper() for word in words)
    is_called = any(word.casefold() in _HEADS for word in words)
    shapes = {re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", text)) for text in others}
    is_same = len(others) > 1 and len(shapes) == 1
    return not is_name or is_called or is_same


_HEAD_WORDS = (
    "amount cost count date description detail details fee item name notes number party person"
    " position price quantity rate role status title total type unit value"
)
_HEADS = frozenset(_HEAD_WORDS.split())


def _of_kind(inside: Sequence[Line], kind: Kind) -> Iterator[Hit]:
    pattern = KINDS[kind.name]
    for line in inside:
        for match in pattern.finditer(line.text):
            if kind.unit and unit_of(match[0]) != kind.unit:
                continue
            if match.start() and line.text[match.start() - 1].isalnum():
                continue
            yield Hit(line, match.start(), match.end())


def _near(lines: Lines, hits: Sequence[Hit], words: set[str]) -> list[Hit]:
    """Those where the document speaks of it: in their sentence, else their paragraph or heading."""
    if not words:
        return list(hits)
    titles: dict[str, set[str]] = {}
    for clause in lines.clauses:
        for line in lines.body[clause.start : clause.end]:
            titles.setdefault(line.anchor, set()).update(stems(clause.key))

    def sentence_words(hit: Hit) -> set[str]:
        start, end = sentence(hit.line.text, hit.start, hit.end)
        return set(stems(folded(hit.line.text[start:end])))

    def all_words(hit: Hit) -> set[str]:
        return set(stems(folded(hit.line.text))) | titles.get(hit.line.anchor, set())

    spoken = [hit for hit in hits if words <= sentence_words(hit)]
    return spoken or [hit for hit in hits if words <= all_words(hit)]
