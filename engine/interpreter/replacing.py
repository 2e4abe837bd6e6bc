"""Replace, correct, rename, set, and capitals: commands that give words for words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace as replace_fields

from redraft.engine.errors import NotFoundError, RefusedError
from redraft.engine.interpreter.addresses import (
    addressed,
    cell,
    footnote,
    heading,
    headings,
    matching,
    one_line,
    title,
    within,
)
from redraft.engine.interpreter.commands import (
    Address,
    Options,
    Recase,
    Replace,
    ReplaceUnit,
    Unit,
    Value,
)
from redraft.engine.interpreter.grids import column_cell, crossing, heads
from redraft.engine.interpreter.lines import Line, Lines, folded, label, unnumbered
from redraft.engine.interpreter.measures import Exchange, exchange, exchanged
from redraft.engine.interpreter.new_words import fitted
from redraft.engine.interpreter.outline import stems
from redraft.engine.interpreter.search import (
    Hit,
    ambiguous,
    covers,
    hits,
    matches_case,
    narrowed,
    not_found,
    the_one,
    unsaid,
)
from redraft.engine.interpreter.structure import resolve, single
from redraft.engine.interpreter.word_questions import in_case, replaced, say, sentence, whole
from redraft.engine.locate import adapted
from redraft.engine.model import Heading
from redraft.engine.plan import FindReplace, Operation, ReplaceText, RewriteBlock


def scoped(
    lines: Lines, options: Options, lookup: str | None, *, in_part: bool = False
) -> tuple[list[Line], str]:
    """The lines all scopes share, and the scope as a plan writes it (empty: none says it).

    Args:
        lines: The document.
        options: What is said about where.
        lookup: An excerpt that says where.
        in_part: Whether a scope may be a part of its line, which the caller looks after.
    """
    inside_all, written = list(lines.lines), "all"
    for scope in options.scopes:
        inside, name = _within(lines, scope, lookup, in_part=in_part)
        anchors = {line.anchor for line in inside}
        inside_all = [line for line in inside_all if line.anchor in anchors]
        written = name if len(options.scopes) == 1 else ""
    for scope in options.excepts:
        anchors = {line.anchor for line in _within(lines, scope, lookup)[0]}
        inside_all, written = [line for line in inside_all if line.anchor not in anchors], ""
    return inside_all, written


def sought(lines: Lines, quote: str, options: Options, lookup: str | None) -> tuple[list[Hit], str]:
    """The places of words in all scopes, sentences too, and the scope as a plan writes it."""
    inside, written = scoped(lines, options, lookup, in_part=True)
    places = hits(inside, quote, options)
    for scope in options.scopes:
        regions = resolve(lines, scope.address) if scope.address is not None else ()
        spans = [region.span for region in regions if region.span is not None]
        if spans:
            places = [hit for hit in places if any(covers(span, hit) for span in spans)]
    return places, written


def _within(
    lines: Lines, scope: Unit, lookup: str | None, *, in_part: bool = False
) -> tuple[list[Line], str]:
    if scope.address is not None and in_part:
        return addressed(lines, scope.address, in_part=True)
    if scope.kind != "document" or scope.value is None:
        return within(lines, scope, lookup)
    # Only named ("in V"): the section of that heading, else the block with these words.
    try:
        return within(lines, Unit("section", scope.value), lookup)
    except NotFoundError:
        return within(lines, Unit("paragraph", scope.value, "contains"), lookup)


def replace(lines: Lines, command: Replace, lookup: str | None) -> list[Operation]:
    """Replace all hits, or the one that is meant."""
    options = command.options
    swap = exchange(command.find, command.by)
    if swap is not None:
        return _exchanged(lines, command, swap, lookup)
    quote, by = command.find.text, command.by.text
    places, scope = sought(lines, quote, options, lookup)
    if places and not command.find.is_quoted and not command.by.is_quoted:
        kept = _kept_words(quote, by)
        if kept:
            quote, places = (
                quote[kept:],
                [replace_fields(hit, start=hit.start + kept) for hit in places],
            )
    if not places:
        return [_in_grid(lines, scoped(lines, options, lookup)[0], command)]
    places = spoken_of(lines, places, command.about)
    _refuse_two_articles(places, by)
    by = fitted(places, quote, replace_fields(command.by, text=by))
    _refuse_half_a_number(places)
    meant = places if options.everywhere else narrowed(lines, places, lookup)
    left = places if options.nth is not None else unsaid(meant, by)
    if not left:
        return []
    is_narrowed = command.every and (len(left) == 1 or len(meant) < len(places))
    if options.nth is not None or not (_is_every(command) or is_narrowed):
        hit = the_one(lines, left, quote, options, lookup)
        if command.sets or not command.find.is_quoted:
            _refuse_label(lines, hit, by)
        return [replaced(hit, say(adapted(by, hit.text, quote)))]
    match_case = matches_case(places, quote, options)
    if scope and len(meant) == len(places) and match_case is not None:
        return [FindReplace(quote, say(by), scope, match_case, not options.inside_words)]
    return [replaced(hit, say(adapted(by, hit.text, quote))) for hit in left]


def _is_every(command: Replace) -> bool:
    """Whether all places are meant: something has another name, or the sentence says so."""
    options = command.options
    if options.everywhere or options.inside_words or command.renames:
        return True
    return command.every and bool(options.scopes or options.excepts)


def settled(
    lines: Lines, command: Replace, operations: Sequence[Operation], lookup: str | None
) -> str:
    """Say what operations on single places leave out, as the new words stand there already.

    What is replaced everywhere is counted by whoever carries it out.
    """
    options, quote, by = command.options, command.find.text, command.by.text
    is_whole = any(isinstance(operation, FindReplace) for operation in operations)
    if is_whole or options.nth is not None or folded(quote) not in folded(by):
        return ""
    all_places = hits(scoped(lines, options, lookup)[0], quote, options)
    meant = all_places if options.everywhere else narrowed(lines, all_places, lookup)
    count = len(meant) - len(unsaid(meant, by))
    places = "1 place says" if count == 1 else f"{count} places say"
    return f"; {places} so already" if count else ""


_ARTICLES = r"(?:the|an?|de[rmns]|die|das|eine[rmns]?|les?|la|une?|el|l[oa]s|una?)"
_ARTICLE = re.compile(rf"{_ARTICLES}\s", re.IGNORECASE)
_ARTICLE_BEFORE = re.compile(rf"\b{_ARTICLES}\s+$", re.IGNORECASE)


_JOINTS = frozenset({"and", "or", "to", "und", "oder", "bis", "et", "ou", "y", "o", "-", "&"})


def _kept_words(quote: str, by: str) -> int:
    """How many characters of words before numbers stay: `parking spaces 14 and 15` to `16 and 17`.

    Raises:
        RefusedError: It is not clear whether these words stay.
    """
    old, new = quote.split(), by.split()
    if not any(map(_has_digit, new)) or not all(_has_digit(one) or one in _JOINTS for one in new):
        return 0
    if not _has_digit(quote) or all(_has_digit(one) or one in _JOINTS for one in old):
        return 0
    behind = old[-len(new) :]
    is_alike = [_has_digit(one) for one in behind] == [_has_digit(one) for one in new]
    before = old[: -len(new)]
    if is_alike and before and not any(map(_has_digit, before)):
        return len(quote) - len(" ".join(behind))
    message = f"It is not clear which words of “{quote}” stay; write all of the new ones in quotes"
    raise RefusedError(message)


def _has_digit(text: str) -> bool:
    return any(char.isdigit() for char in text)


def _refuse_half_a_number(places: Sequence[Hit]) -> None:
    """Refuse to change the 30 of `thirty (30)` alone."""
    for hit in places:
        before, after = hit.line.text[: hit.start], hit.line.text[hit.end :]
        if hit.text.isdecimal() and re.search(r"[a-z]+ \($", before) and after[:1] == ")":
            words = before[:-2].split()[-1]
            message = (
                f"{hit.text} is written out before it, too; write: change"
                f' "{words} ({hit.text})" to …'
            )
            raise RefusedError(message)


def _refuse_two_articles(places: Sequence[Hit], by: str) -> None:
    """Refuse to write `the the HR team`."""
    if not _ARTICLE.match(by):
        return
    for hit in places:
        if _ARTICLE_BEFORE.search(hit.line.text[: hit.start]) and not _ARTICLE.match(hit.text):
            message = (
                f"An article stands before “{hit.text}” already; write both with it, as: replace"
                f' "the {hit.text}" with "{by}"'
            )
            raise RefusedError(message)


def spoken_of(lines: Lines, places: Sequence[Hit], about: Sequence[str]) -> list[Hit]:
    """Keep the places that agree with words that say what changes.

    Words that the document has nowhere tell nothing; one that it has must stand near: in the line,
    a heading over it, or the heads of its row and column.

    Raises:
        NotFoundError: The document speaks of it elsewhere only.
    """
    words = set(stems(folded(" ".join(about)))) - _TELL_NOTHING
    known = words & {stem for line in lines.lines for stem in stems(line.key)}
    if not known:
        return list(places)
    shared = [len(known & _around(lines, hit)) for hit in places]
    # A place of which all is said goes before one of which only some is.
    least = len(known) if len(known) in shared else 1
    near = [hit for hit, count in zip(places, shared, strict=True) if count >= least]
    if places and not near:
        reason = f"“{places[0].text}” stands where the document does not speak of {about[-1]}"
        raise NotFoundError(reason=reason)
    return near


_TELL_NOTHING = frozenset(stems("date time amount number value name text word phrase it be"))


def _around(lines: Lines, hit: Hit) -> set[str]:
    line = hit.line
    texts = [line.key]
    texts += [one.key for one in lines.lines if one.anchor in line.headings]
    if line.table:
        texts += [one.key for one in lines.lines if one.row == line.row]
        texts.append(folded(heads(lines, line.anchor)[0]))
    return {stem for text in texts for stem in stems(text)}


def _exchanged(
    lines: Lines, command: Replace, swap: Exchange, lookup: str | None
) -> list[Operation]:
    """A number for a number, what it counts kept."""
    options = command.options
    places, _ = sought(lines, swap.quote, options, lookup)
    if not places and not command.find.unit:
        return [_in_grid(lines, scoped(lines, options, lookup)[0], command)]
    places = spoken_of(lines, places, command.about)
    likely = exchanged(swap, places)
    is_every = _is_every(command) or (command.every and len(likely) == 1)
    if not likely or options.nth is not None or not is_every:
        meant = [the_one(lines, likely, swap.quote, options, lookup)]
    else:
        meant = likely if options.everywhere else narrowed(lines, likely, lookup)
    narrowed_hits = [swap.narrowed(hit) for hit in meant]
    _refuse_half_a_number([hit for hit, _ in narrowed_hits])
    return [replaced(hit, say(by)) for hit, by in narrowed_hits]


def _refuse_label(lines: Lines, hit: Hit, by: str) -> None:
    """Refuse to overwrite the head of a row or column: who sets it may mean what belongs to it."""
    line = hit.line
    if not line.cell or hit.text.strip() != line.text.strip():
        return
    if _has_digit(hit.text) and _has_digit(by):
        # A code for a code: nobody calls a row so and means its value.
        return
    grid = next((grid for grid in lines.tables if grid.anchor == line.table), None)
    row = next((row for row in grid.rows if row.anchor == line.row), None) if grid else None
    if grid is None or row is None:
        return
    first = min(cell.column for cell in row.cells)
    is_head = line.cell in {cell.anchor for cell in row.cells if cell.column == first}
    if (is_head and len(row.cells) > 1) or (
        row.anchor == grid.rows[0].anchor and len(grid.rows) > 1
    ):
        message = (
            f"“{hit.text}” is all that stands in a cell, and names what stands beside or below it;"
            f' to change these words write: change "{hit.text}" to "{by}"; to change another cell'
            ' write: set the cell "A" to "B"'
        )
        raise RefusedError(message)


def _in_grid(lines: Lines, inside: Sequence[Line], command: Replace) -> Operation:
    """Read `change Q4 revenue to $2.5M` as the cell where that column and that row meet."""
    quote = command.find.text
    meant = [] if command.every else crossing({line.anchor for line in inside}, lines, quote)
    if not meant:
        raise not_found(lines, quote)
    if len(meant) > 1:
        raise ambiguous(len(meant))
    return _filled(_only(meant[0]), command.by.text)


def filled(
    lines: Lines, command: Replace, operations: Sequence[Operation]
) -> tuple[str, str] | None:
    """The heads of the column and row whose cell a command was read as; None when it was not."""
    quote = command.find.text
    for operation in operations[:1]:
        if not isinstance(operation, (ReplaceText, RewriteBlock)):
            continue
        is_said = isinstance(operation, ReplaceText) and folded(operation.find) == folded(quote)
        if not is_said and crossing({operation.block}, lines, quote):
            return heads(lines, operation.block)
    return None


def replace_unit(lines: Lines, command: ReplaceUnit, lookup: str | None) -> list[Operation]:
    """Give a heading, paragraph, sentence, cell, note, header or footer new words."""
    unit, by = command.unit, command.by.text
    if unit.address is not None:
        return [_addressed(lines, unit.address, command)]
    if command.renames and unit.kind == "heading" and unit.value is not None:
        return _renamed(lines, unit.value, command, lookup)
    if command.renames and unit.kind == "column":
        head = column_cell(lines, unit, lookup)[1]
        return [_filled(_only([one for one in lines.lines if one.cell == head]), by)]
    return _unit(lines, unit, by, lookup)


def _unit(lines: Lines, unit: Unit, by: str, lookup: str | None) -> list[Operation]:
    match unit.kind:
        case "heading" | "section":
            return [_rename(lines, unit, by, lookup)]
        case "title":
            return [_filled(title(lines), by)]
        case "sentence":
            hit = _sentence(lines, unit, lookup)
            return [replaced(hit, say(by))]
        case "footnote" if unit.number is None:
            return [_in_notes(lines, unit, by, lookup)]
        case "footnote":
            return [_filled(_only(footnote(lines, unit, lookup)), by)]
        case "cell":
            return [_filled(_only(cell(lines, unit, lookup)), by)]
        case "header" | "footer":
            return _story(lines, unit, by)
        case "paragraph" | "line" | "bullet":
            fitting = matching(lines, unit)
            line = one_line(lines, fitting, lookup)
            return [_filled(line, by)]
        case _:
            message = f"The built-in editor cannot give a whole {unit.kind} new words"
            raise RefusedError(message)


def _addressed(lines: Lines, address: Address, command: ReplaceUnit) -> Operation:
    """Give a sentence, a paragraph or a clause of one paragraph new words; its number stays."""
    region = single(lines, resolve(lines, address))
    by = command.by.text
    if region.span is not None:
        return replaced(region.span, say(by))
    line = region.lines[0]
    clause = next((one for one in lines.clauses if one.line is line), None)
    is_titled = isinstance(line.block, Heading) or (clause is not None and clause.is_titled)
    if region.column and command.renames:
        return _filled(_only([one for one in region.lines if one.cell == region.column]), by)
    if command.renames or address.kind == "heading":
        if not is_titled:
            message = f"{region.label or 'It'} has no heading of its own"
            raise RefusedError(message)
        return _rename(lines, Unit("heading", Value(line.text)), by, None, line)
    text = line.text.rstrip()
    if not command.by.is_quoted:
        raise RefusedError("Put the new words of the clause or paragraph in quotes")
    is_text = text.endswith((".", ";", ",", "; and", "; or"))
    if len(region.lines) == 1 and not isinstance(line.block, Heading) and is_text:
        is_titled = False
    if region.row or region.column or region.table or len(region.lines) > 1 or is_titled:
        message = f"{region.label or 'It'} is more than one paragraph; say which of them"
        raise RefusedError(message)
    if clause is not None and clause.typed:
        number = line.text[: clause.typed].strip()
        start = 0 if by.startswith(number) else clause.typed
        return replaced(Hit(line, start, len(line.text.rstrip())), say(by))
    return _filled(line, by)


def _renamed(
    lines: Lines, name: Value, command: ReplaceUnit, lookup: str | None
) -> list[Operation]:
    """Rename the heading called so; what is no heading is renamed wherever it stands."""
    wanted = (folded(name.text), folded(unnumbered(name.text)))
    called = [line for line in headings(lines) if folded(unnumbered(line.text)) in wanted]
    is_heading = any(isinstance(line.block, Heading) for line in called)
    if not is_heading and hits(lines.lines, name.text, Options()):
        return replace(
            lines, Replace(name, command.by, True, command.options, renames=True), lookup
        )
    return [_rename(lines, Unit("heading", name), command.by.text, lookup)]


def _only(lines: Sequence[Line]) -> Line:
    if len(lines) > 1:
        message = f"It has {len(lines)} paragraphs; say which of them, by words in it"
        raise RefusedError(message)
    if not lines:
        raise NotFoundError
    return lines[0]


def _filled(line: Line, by: str) -> ReplaceText | RewriteBlock:
    hit = whole(line)
    if not hit.text:
        return RewriteBlock(line.anchor, say(by))
    return replaced(hit, say(by))


def _rename(
    lines: Lines, unit: Unit, by: str, lookup: str | None, line: Line | None = None
) -> Operation:
    """Rename a heading; a number that Word writes is not typed, one that is typed stays."""
    if unit.value is None:
        raise RefusedError("Say which heading is meant, by its words")
    line = line or heading(lines, unit.value, lookup)
    hit = whole(line)
    if label(line.block):
        return replaced(hit, say(unnumbered(by)))
    rest = unnumbered(hit.text)
    is_said = unit.value.text != line.text and unnumbered(unit.value.text) != unit.value.text
    is_numbered = unnumbered(by) != by or is_said
    if rest != hit.text and not is_numbered:
        hit = Hit(line, hit.end - len(rest), hit.end)
    return replaced(hit, say(by))


def _sentence(lines: Lines, unit: Unit, lookup: str | None) -> Hit:
    return sentence_hit(lines, unit, Options(), lookup)


def sentence_hit(lines: Lines, unit: Unit, options: Options, lookup: str | None) -> Hit:
    """Find the one sentence with (or starting, ending with) words."""
    if unit.value is None:
        raise RefusedError("Say which sentence is meant, by words in it")
    quote = unit.value.text
    inside, _ = scoped(lines, options, lookup)
    sentences: dict[tuple[str, int], Hit] = {}
    for hit in hits(inside, quote, options):
        start, end = sentence(hit.line.text, hit.start, hit.end)
        starts = unit.match != "starts" or hit.start == start
        ends = unit.match != "ends" or not hit.line.text[hit.end : end].strip(' .!?”"')
        if starts and ends:
            sentences[hit.line.anchor, start] = Hit(hit.line, start, end)
    return the_one(lines, list(sentences.values()), quote, options, lookup)


def _in_notes(lines: Lines, unit: Unit, by: str, lookup: str | None) -> Operation:
    """The quoted words of a note, wherever in it they stand."""
    value = unit.value or Value("")
    options = Options(scopes=(Unit("notes"),))
    return replace(lines, Replace(value, Value(by), False, options), lookup)[0]


def _story(lines: Lines, unit: Unit, by: str) -> list[Operation]:
    """The text of the header or footer; where several pages differ, all of them say the same."""
    story_lines = [line for line in lines.lines if line.story.kind == unit.kind]
    filled = [line for line in story_lines if line.text.strip()]
    if not story_lines:
        message = f"The document has no {unit.kind}, and the built-in editor cannot make one"
        raise RefusedError(message)
    if len({line.text.strip() for line in filled}) > 1:
        message = f"The {unit.kind} has {len(filled)} different lines; say which, by words in it"
        raise RefusedError(message)
    return [_filled(line, by) for line in filled or story_lines[:1]]


def recase(lines: Lines, command: Recase, lookup: str | None) -> list[Operation]:
    """Write words in other letters."""
    options = command.options
    inside, _ = scoped(lines, options, lookup)
    if not command.find.text:
        places = [whole(line) for line in inside]
    else:
        places = hits(inside, command.find.text, options)
    if not options.everywhere or not places:
        places = [the_one(lines, places, command.find.text, options, lookup)]
    changed = [(hit, in_case(hit.text, command.case)) for hit in places]
    return [replaced(hit, say(by)) for hit, by in changed if by != hit.text]
