"""The built-in interpreter: an instruction in plain sentences becomes a plan, without a model.

Quoted stretches are lifted out, the rest is looked up in the vocabulary and read by a grammar that
reports every reading; the reading is resolved against the document. What has two readings or fits
several places is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace as replace_fields
from functools import lru_cache, partial
from itertools import islice
from typing import Any

from redraft.engine.errors import EditError, NotFoundError, RefusedError
from redraft.engine.interpreter import block_moves, looks, objects, paging, tabular
from redraft.engine.interpreter.address_phrases import with_addresses
from redraft.engine.interpreter.commands import (
    Address,
    Align,
    Annotate,
    Command,
    DeleteText,
    DeleteUnit,
    Describe,
    Fill,
    Format,
    Insert,
    InsertRow,
    LinkTo,
    Listed,
    Merge,
    Move,
    Name,
    NewPage,
    NewTable,
    Nothing,
    OnComment,
    OnPages,
    Options,
    Recase,
    RedactText,
    Relink,
    Replace,
    ReplaceUnit,
    Restyle,
    Settle,
    SetValue,
    Split,
    StampAll,
    Swap,
    Value,
)
from redraft.engine.interpreter.comment_commands import on_comment
from redraft.engine.interpreter.counted_numbers import counted
from redraft.engine.interpreter.deleting import delete_text, delete_unit
from redraft.engine.interpreter.frame_words import Said
from redraft.engine.interpreter.inserting import insert
from redraft.engine.interpreter.labelled import set_value, values_of
from redraft.engine.interpreter.lines import Lines, folded, lines, looked_for
from redraft.engine.interpreter.new_words import says_more
from redraft.engine.interpreter.outline import structured
from redraft.engine.interpreter.parse import Reading, parse
from redraft.engine.interpreter.refuse import describe, not_understood, two_readings, undo_elsewhere
from redraft.engine.interpreter.replacing import filled, recase, replace, replace_unit, settled
from redraft.engine.interpreter.search import hits
from redraft.engine.interpreter.sentences import (
    Word,
    canonical,
    is_undo,
    joined,
    longest,
    spelled,
    split,
)
from redraft.engine.interpreter.suggested import suggestions
from redraft.engine.interpreter.table_frames import table_commands
from redraft.engine.interpreter.table_words import Grids
from redraft.engine.interpreter.thing_frames import thing_commands
from redraft.engine.interpreter.unquoted_spans import bare
from redraft.engine.interpreter.unquoted_words import plausible
from redraft.engine.interpreter.value_frames import value_commands
from redraft.engine.interpreter.value_kinds import kind_of
from redraft.engine.interpreter.vocabulary import LANGUAGES, VERBS, Language
from redraft.engine.model import Document, Revision
from redraft.engine.plan import EditPlan, Operation
from redraft.engine.quotes import lift, lift_tail

_LONGEST = 4_000
# Attempts to lift unquoted stretches of one sentence; each costs about two milliseconds.
_MOST_ATTEMPTS = 120

_Values = tuple[Value | Address, ...]
_Resolved = tuple[Reading, tuple[Operation, ...]]


def interpret(
    document: Document,
    instruction: str,
    lookup: str | None,
    changes: Sequence[Revision] = (),
    places: Collection[str] = (),
) -> EditPlan:
    """Turn an instruction into a plan for a document in its final view.

    Args:
        document: What the instruction is about.
        instruction: One or several sentences; several share the snapshot, none sees another's work.
        lookup: An excerpt that says which of several places is meant.
        changes: The tracked changes of the document.
        places: Which of the candidates of an AmbiguousError are meant, by their `place`.

    Raises:
        NotUnderstoodError: The instruction is not among the sentences that can be read.
        AmbiguousError: It has two readings, or several places fit.
        NotFoundError: A text or place it names is not there.
        RefusedError: It is understood and cannot be done.
    """
    lifted = lift_tail(instruction) or lift(instruction)
    sentences = _without_chatter(split(lifted))
    if not sentences or lifted.is_open or len(lifted.text) > _LONGEST:
        raise not_understood((), is_open=lifted.is_open)
    if not lifted.values and len(sentences) == 1 and is_undo(sentences[0]):
        raise undo_elsewhere()
    values = tuple(Value(text) for text in lifted.values)
    laid_out = replace_fields(structured(lines(document, changes)), chosen=frozenset(places))
    resolve = partial(_resolve, laid_out, lookup)
    chosen: list[_Resolved] = []
    for sentence in sentences:
        resolved = _read(sentence, values, laid_out, resolve)
        if resolved is None and len(sentences) == 1:
            resolved = _as_label(instruction, laid_out, lookup)
        if resolved is None:
            recognised = _recognised(sentences, values)
            unknown = _unknown(sentence, laid_out)
            nearest = _nearest(recognised, sentence, values, laid_out)
            quoted = lifted.values
            raise not_understood(recognised, quoted=quoted, unknown=unknown, nearest=nearest)
        chosen += resolved
    operations = tuple(operation for _, operations in chosen for operation in operations)
    reason = "; ".join(_said(laid_out, reading, done, lookup) for reading, done in chosen)
    if all(isinstance(command, Nothing) for reading, _ in chosen for command in reading):
        return EditPlan("no_change", "The instruction asks for no change")
    if not operations:
        return EditPlan("no_change", "The document already says so")
    return EditPlan("edit", reason[:1].upper() + reason[1:], tuple(dict.fromkeys(operations)))


def _nearest(
    recognised: Sequence[str], sentence: Sequence[Word], values: Sequence[Value], lines: Lines
) -> str:
    """The first sentence near to one not understood that works on the document; empty for none."""
    for text in suggestions(recognised, sentence, values, _Standing(lines)):
        lifted = lift(text)
        quoted = tuple(Value(one) for one in lifted.values)
        resolve = partial(_resolve, lines, None)
        try:
            if all(_read(one, quoted, lines, resolve) for one in split(lifted)):
                return text
        except EditError:
            continue
    return ""


def _without_chatter(sentences: list[list[Word]]) -> list[list[Word]]:
    """Without greetings and thanks around what is asked, nothing in quotes among them."""
    asked = [one for one in sentences if not _is_chatter(one)]
    return asked or sentences


def _is_chatter(sentence: Sequence[Word]) -> bool:
    if any(word.is_lifted for word in sentence):
        return False
    keys = [word.key for word in sentence]
    verbs = {
        word for word in keys for one in LANGUAGES if VERBS & set(one.phrases.get((word,), ()))
    }
    begins = any(
        "chatter" in language.frame.get(tuple(keys[:size]), ())
        for language in LANGUAGES
        for size in (1, 2, 3)
    )
    return begins and not verbs


def _said(
    lines: Lines, reading: Reading, operations: Sequence[Operation], lookup: str | None
) -> str:
    """Say how a sentence was read, the cell that was found for `Q4 revenue` by its heads."""
    more = ""
    if len(reading) == 1:
        match reading[0]:
            case Replace() as command:
                cell = filled(lines, command, operations)
                if cell is not None:
                    return f"set the cell {' / '.join(cell)} to “{command.by.text}”"
                more = settled(lines, command, operations, lookup)
            case Name() as command:
                more = objects.named(command, operations)
            case _:
                pass
    return "; ".join(describe(command) for command in reading) + more


_LABELLED = re.compile(
    r"\s*(?:the |der |die |das |le |la |el )?([^:\"“„«\n]{2,40}?)"
    r"(?::\s+|\s+(?:is|are|ist|beträgt|est|es)\s+(?=.*\d))([^\"“„«\n]{1,80})",
    re.IGNORECASE,
)


def _as_label(instruction: str, lines: Lines, lookup: str | None) -> list[_Resolved] | None:
    """Reads `Due date: 20 May` as the value of what the document calls so; None for others."""
    labelled = _LABELLED.fullmatch(instruction.rstrip(" ."))
    if labelled is None or re.search(r":\s|[-=]+>|[→⇒➔]", labelled[2]):
        return None
    command = SetValue(labelled[1].strip(), Value(labelled[2].strip(), is_quoted=False), Options())
    if not values_of(lines, lines.lines, folded(command.label)) and kind_of(labelled[2]) is None:
        return None
    if any(says_more(command, language) for language in LANGUAGES):
        return None
    return [((command,), tuple(set_value(lines, command, lookup)))]


def _unknown(sentence: Sequence[Word], lines: Lines) -> list[str]:
    """The words that neither a language it may be in nor the document has."""
    stands = _Standing(lines)
    known = frozenset[str]().union(*(one.vocabulary for one in _spoken(sentence)))
    return [
        word.text
        for word in sentence
        if word.text.isalpha() and word.key not in known and not stands(word.text)
    ]


def _recognised(sentences: Sequence[Sequence[Word]], values: _Values) -> list[str]:
    language = LANGUAGES[0]
    return [
        word
        for sentence in sentences
        for reading in islice(canonical(sentence, values, language), 1)
        for word in reading.words.split()
    ]


def _read(
    sentence: Sequence[Word],
    values: _Values,
    lines: Lines,
    resolve: Callable[[Reading], tuple[Operation, ...]],
) -> list[_Resolved] | None:
    """Read one sentence in the first language it can be read in; None when there is none."""
    stands = _Standing(lines)
    addresses = lru_cache(None)(partial(_addresses, values, lines))
    missing: EditError | None = None
    languages = _spoken(sentence)
    frames = [
        partial(_framed, stands, commands)
        for commands in (
            value_commands,
            partial(table_commands, lines=lines, grids=Grids(lines)),
            partial(thing_commands, lines=lines),
        )
    ]
    for read in (_quoted, *frames, partial(_unquoted, stands)):
        if isinstance(missing, RefusedError) and read is not frames[1]:
            break
        for language in languages:
            words = spelled(sentence, language, stands)
            for parts in _cuts(words, language):
                candidates = [
                    _addressed(addresses, part, language, read, is_frame=read in frames)
                    for part in parts
                ]
                if not candidates or not all(candidates):
                    continue
                try:
                    return [_choose(readings, resolve) for readings in candidates]
                except NotFoundError as error:
                    # Read in another way it may name what is there.
                    missing = missing or error
                except RefusedError as error:
                    # What is no value elsewhere may be that of a cell.
                    if read is not frames[0]:
                        raise
                    missing = error
    if missing is not None:
        raise missing
    return None


def _spoken(sentence: Sequence[Word]) -> list[Language]:
    """The languages that know most of a sentence's words: it is read in no other."""
    keys = [word.key for word in sentence if not word.is_lifted]
    known = [sum(key in language.vocabulary for key in keys) for language in LANGUAGES]
    return [one for one, count in zip(LANGUAGES, known, strict=True) if count + 1 >= max(known)]


class _Standing:
    """Answers whether the document has words as they are typed, letters aside."""

    def __init__(self, lines: Lines) -> None:
        self._text = "\n".join(line.key for line in lines.lines)
        self._known: dict[str, bool] = {}

    def __call__(self, text: str) -> bool:
        if text not in self._known:
            self._known[text] = self._stands(looked_for(text))
        return self._known[text]

    def _stands(self, wanted: str) -> bool:
        at = self._text.find(wanted) if wanted else -1
        while at >= 0:
            end = at + len(wanted)
            if not (self._text[at - 1 : at].isalnum() or self._text[end : end + 1].isalnum()):
                return True
            at = self._text.find(wanted, at + 1)
        return False


def _addresses(
    values: _Values, lines: Lines, sentence: tuple[Word, ...], language: Language
) -> list[tuple[list[Word], _Values]]:
    """A sentence with as many addresses lifted out as can be, and with fewer."""
    return list(with_addresses(sentence, values, language, lines))


def _addressed(
    addresses: Callable[[tuple[Word, ...], Language], list[tuple[list[Word], _Values]]],
    sentence: Sequence[Word],
    language: Language,
    read: Callable[[Sequence[Word], _Values, Language], list[Reading]],
    *,
    is_frame: bool,
) -> list[Reading]:
    """Readings with as many addresses lifted out as can be; a frame takes none for other words."""
    variants = addresses(tuple(sentence), language)
    for words, known in variants:
        if is_frame and len(known) < len(variants[0][1]):
            break
        readings = read(words, known, language)
        if readings:
            return readings
    return []


def _quoted(sentence: Sequence[Word], values: _Values, language: Language) -> list[Reading]:
    return _readings(sentence, values, language) or _counted_readings(sentence, values, language)


def _framed(
    stands: Callable[[str], bool],
    commands: Callable[[Said], Sequence[Command | Reading]],
    sentence: Sequence[Word],
    values: _Values,
    language: Language,
) -> list[Reading]:
    said = Said(sentence, values, language, stands)
    return [one if isinstance(one, tuple) else (one,) for one in commands(said)]


def _unquoted(
    stands: Callable[[str], bool],
    sentence: Sequence[Word],
    values: _Values,
    language: Language,
) -> list[Reading]:
    read = partial(_bare_readings, stands=stands)
    return (
        _readings(sentence, values, language)
        or read(sentence, values, language)
        or _counted_readings(sentence, values, language, read)
    )


def _cuts(sentence: Sequence[Word], language: Language) -> list[list[list[Word]]]:
    """The sentence as one command, and as several where it can be cut."""
    several = joined(sentence, language)
    cuts = [[list(sentence)], several] if len(several) > 1 else [[list(sentence)]]
    pairs = _pairs_cut(sentence, language)
    return [*cuts, pairs] if len(pairs) > 1 else cuts


_TO = frozenset({"to", "arrow", "by", "with", "instead"})


def _pairs_cut(sentence: Sequence[Word], language: Language) -> list[list[Word]]:
    """Cut `change A to B in 2 and C to D in 3`, the verb said once, where each part has a `to`."""
    begins = [at for at, word in enumerate(sentence) if word.key in language.joints | {","}]
    parts: list[list[Word]] = []
    start = 0
    for at in [*begins, len(sentence)]:
        part = list(sentence[start:at])
        if not any(_TO & set(longest([word], language)[1]) for word in part):
            continue
        parts.append(part)
        start = at + 1
    verb = [word for word in sentence[:3] if VERBS & set(longest([word], language)[1])][:1]
    is_whole = start > len(sentence) and len(parts) > 1
    return (
        [part if at == 0 else [*verb, *part] for at, part in enumerate(parts)] if is_whole else []
    )


def _readings(sentence: Sequence[Word], values: _Values, language: Language) -> list[Reading]:
    readings: list[Reading] = []
    for reading in canonical(sentence, values, language):
        words = reading.words.split()
        tells = "from" in words or "instead" in words
        # Words nobody knows may only say what it is that changes "from" or "instead of" something.
        if "u" not in words or tells:
            meanings = parse(reading.words, reading.values)
            readings += [_telling(one, reading.unknown) for one in meanings] if tells else meanings
    return _inline_first(list(dict.fromkeys(readings)))


def _telling(reading: Reading, about: tuple[str, ...]) -> Reading:
    return tuple(
        replace_fields(command, about=about) if isinstance(command, Replace) else command
        for command in reading
    )


def _inline_first(readings: list[Reading]) -> list[Reading]:
    """Take `the sentence "A"` for a sentence where its noun may mean any words, too."""
    commands = [reading[0] for reading in readings if len(reading) == 1]
    if len(commands) != len(readings) or not all(isinstance(one, Insert) for one in commands):
        return readings
    is_sentence = [isinstance(one, Insert) and one.thing == "sentence" for one in commands]
    kept = [reading for reading, keeps in zip(readings, is_sentence, strict=True) if keeps]
    return kept or readings


def _counted_readings(
    sentence: Sequence[Word],
    values: _Values,
    language: Language,
    read: Callable[..., list[Reading]] = _readings,
) -> list[Reading]:
    """Readings in which a quoted number keeps what it counts; only replacing knows of that."""
    measured = counted(sentence, values, language)
    readings = read(*measured, language) if measured else []
    return [
        reading for reading in readings if all(isinstance(command, Replace) for command in reading)
    ]


def _bare_readings(
    sentence: Sequence[Word],
    values: _Values,
    language: Language,
    stands: Callable[[str], bool],
) -> list[Reading]:
    readings: list[Reading] = []
    for words, lifted in islice(bare(sentence, values, language, stands), _MOST_ATTEMPTS):
        for reading in _readings(words, lifted, language):
            likely = [plausible(command, stands) for command in reading]
            if all(likely) and not any(says_more(command, language) for command in reading):
                readings.append(tuple(command for command in likely if command is not None))
    return list(dict.fromkeys(readings))


def _choose(
    readings: Sequence[Reading], resolve: Callable[[Reading], tuple[Operation, ...]]
) -> _Resolved:
    """Take the reading that fits the document; two that fit and differ are refused."""
    fitting: list[_Resolved] = []
    errors: list[EditError] = []
    for reading in readings:
        try:
            fitting.append((reading, resolve(reading)))
        except EditError as error:
            errors.append(error)
    if not fitting:
        # Something found in several places is a nearer miss than something not found.
        raise next((error for error in errors if not isinstance(error, NotFoundError)), errors[0])
    different = [one for one in fitting[1:] if one[1] != fitting[0][1]]
    if different:
        raise two_readings(fitting[0][0], different[0][0])
    return fitting[0]


def _resolve(lines: Lines, lookup: str | None, reading: Reading) -> tuple[Operation, ...]:
    operations: list[Operation] = []
    for command in reading:
        operations += _operations(lines, command, lookup)
    return tuple(operations)


def _replace_or_set(lines: Lines, command: Replace, lookup: str | None) -> list[Operation]:
    """Words for words; an unquoted label means what stands behind it."""
    find = command.find
    if not find.is_quoted and not command.every and not command.options.everywhere:
        label = folded(find.text)
        is_once = len(hits(lines.lines, find.text, Options())) == 1
        if is_once and values_of(lines, lines.lines, label):
            return set_value(lines, SetValue(find.text, command.by, command.options), lookup)
    return replace(lines, command, lookup)


_RESOLVERS: Mapping[type[Command], Callable[[Lines, Any, str | None], list[Operation]]] = {
    Replace: _replace_or_set,
    ReplaceUnit: replace_unit,
    SetValue: set_value,
    DeleteText: delete_text,
    DeleteUnit: delete_unit,
    Insert: insert,
    Recase: recase,
    Format: looks.format_,
    Restyle: looks.restyle,
    Align: looks.align,
    Listed: looks.listed,
    Move: block_moves.move,
    Swap: block_moves.swap,
    Merge: block_moves.merge,
    Split: block_moves.split,
    NewPage: block_moves.new_page,
    InsertRow: tabular.insert_row,
    NewTable: tabular.new_table,
    LinkTo: objects.link,
    Relink: objects.relink,
    Name: objects.name,
    Describe: objects.describe,
    Annotate: objects.annotate,
    OnComment: on_comment,
    Settle: objects.settle,
    Fill: objects.fill,
    OnPages: paging.on_pages,
    RedactText: paging.redact,
    StampAll: paging.stamp,
}


def _operations(lines: Lines, command: Command, lookup: str | None) -> list[Operation]:
    if isinstance(command, Nothing):
        return []
    return _RESOLVERS[type(command)](lines, command, lookup)
