"""Values for values, in any order of words: `the rent is $5, not $4`, `statt A soll es B heißen`.

The frame has an old value, which stands in the document, a new one, and places. Which is which is
said by the word before it (`to`, `from`, `instead of`) or the arrow between them. Every other word
must be a verb of change, carry nothing, or say what changes; that must agree with where the old
value stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from redraft.engine.interpreter.commands import (
    Options,
    Replace,
    ReplaceUnit,
    SetValue,
    Unit,
    UnitKind,
    Value,
)
from redraft.engine.interpreter.frame_words import Item, Said, Stretch, is_alike, shape
from redraft.engine.interpreter.labelled import GENERIC
from redraft.engine.interpreter.new_words import says_more
from redraft.engine.interpreter.quantities import like
from redraft.engine.interpreter.unquoted_words import describes
from redraft.engine.interpreter.value_kinds import kind_of
from redraft.engine.interpreter.value_spans import (
    CHANGE,
    EVERY,
    IN,
    INTO,
    LONGEST,
    MARKS,
    NEUTRAL,
    NOUN,
    OLD,
    STORIES,
    STRUCTURE,
    TELLING,
    Pair,
    pairs,
    standing,
)

# Kinds of addresses that commands know by another name.
_KINDS: Mapping[UnitKind, UnitKind] = {
    "place": "section",
    "definition": "bullet",
    "item": "bullet",
    "signature": "table",
}


# Words of the grammar that may also say what changes.
_TOLD = NOUN | {"start", "title", "date", "page", "document", "heading"}


def value_commands(said: Said) -> list[Replace | SetValue | ReplaceUnit]:
    """Returns the changes of one value that a sentence may mean; none where a word is left over."""
    items = said.items()
    if _refuses(items):
        return _label_and_value(said, items)
    commands: list[Replace | SetValue | ReplaceUnit] = []
    for pair in pairs(said, items):
        command = _command(said, pair)
        if command is not None and command not in commands:
            commands.append(command)
    named = [one for one in commands if isinstance(one, Replace)]
    return list(_as_long(named)) or commands


def _as_long(commands: Sequence[Replace]) -> Sequence[Replace]:
    """Of new values that end at different places those with as many words as the old one."""
    if len({(one.find, one.options.everywhere) for one in commands}) != 1:
        return commands
    count = len(commands[0].find.text.split())
    alike = [one for one in commands if len(one.by.text.split()) == count]
    return alike if len(alike) == 1 else commands


def _label_and_value(said: Said, items: Sequence[Item]) -> list[Replace | SetValue | ReplaceUnit]:
    """`Due date 18 June 2026`, `Garden bench qty 5`: a label and its value."""
    end = len(said.words)
    plain = all(not item.roles or item.roles & (NOUN | {"noise", "title"}) for item in items[:-1])
    is_said = any(item.roles & (CHANGE | OLD | TELLING | {"never", "is"}) for item in items)
    if is_said or not plain or not 2 <= end <= 8 or any(word.is_lifted for word in said.words):
        return []
    for start in range(1, end):
        text = said.text(start, end)
        label = said.text(0, start).rstrip(" :")
        if (kind_of(text) or shape(text) == "number") and label and not label[-1:].isdigit():
            known = all(said.stands(word) for word in label.split())
            return [SetValue(label, said.bare(start, end), Options())] if known else []
    return []


def _refuses(items: Sequence[Item]) -> bool:
    """Whether a sentence has nothing of a frame, is a question, or says more: a condition."""
    roles = frozenset[str]().union(*(item.roles for item in items))
    has_sign = len(items) <= LONGEST and bool(roles & (CHANGE | TELLING | OLD | {"is"}))
    is_question = bool(items) and "is" in items[0].roles
    return not has_sign or is_question or "never" in roles


def _command(said: Said, pair: Pair) -> Replace | SetValue | ReplaceUnit | None:
    items = said.items(pair.stretches)
    facts = _facts(said, items, pair)
    if facts is None:
        return None
    new = _value(said, pair.new)
    end, roles = said.phrase(pair.new.start, pair.new.end)
    if not new.is_quoted and end == pair.new.end and roles & STRUCTURE:
        return None
    known = _value(said, pair.old) if pair.old is not None else Value("")
    shared = set(known.text.casefold().split()) & set(new.text.casefold().split())
    if says_more(Replace(known, new, False, Options()), said.language):
        return None
    if describes(new) and not shared:
        return None
    if pair.old is None:
        return _called(said, facts, new)
    old = _value(said, pair.old)
    if not old.is_quoted:
        there = standing(said, old.text)
        new = (
            new if new.is_quoted or there == old.text else replace(new, text=like(new.text, there))
        )
        old = replace(old, text=there)
    if new.article and not old.has_article and not new.is_quoted:
        new = new.with_article
    is_sound = _is_told_of(said, facts.about) and (
        old.is_quoted
        or (
            not _tells_which(said, items, old, new)
            and (new.is_quoted or _is_sound(old, new, facts))
        )
    )
    if not is_sound or old.text == new.text:
        return None
    renames = facts.is_every and bool(facts.before_new & {"becalled"} or facts.is_renamed)
    return Replace(old, new, facts.is_every, facts.options, about=facts.about, renames=renames)


def _called(said: Said, facts: _Facts, new: Value) -> SetValue | ReplaceUnit | None:
    """A new value for what is called so; None where the document does not speak of it."""
    whole = None if facts.label else _whole(facts, new)
    if whole is not None or "by" in facts.before_new or facts.is_every or not facts.label:
        return whole
    is_known = any(map(said.stands, facts.label.split()))
    return SetValue(facts.label, new, facts.options) if is_known else None


def _whole(facts: _Facts, new: Value) -> ReplaceUnit | None:
    """New words for a heading, a title, a header or a footer, which the sentence is about."""
    units = facts.options.scopes
    is_one = len(units) == 1 and units[0].kind in ("title", "header", "footer", "heading")
    is_said = bool(facts.before_new & {"read", "becalled", "is", "saying", "arrow"})
    is_said = is_said or (new.is_quoted and "by" in facts.before_new)
    if not is_one or not is_said or not (new.is_quoted or new.text[:1].isupper()):
        return None
    return ReplaceUnit(units[0], new, Options(), renames=units[0].kind == "heading")


def _is_told_of(said: Said, about: Sequence[str]) -> bool:
    """Whether words that say what changes are the document's, or none of them is.

    Who says `cancellation fee` where only a late fee stands does not mean that one.
    """
    words = [word for text in about for word in text.split() if word.isalpha()]
    words = [word for word in words if word.casefold() not in GENERIC or said.stands(word)]
    known = [said.stands(word) for word in words]
    return all(known) or not any(known)


def _tells_which(said: Said, items: Sequence[Item], old: Value, new: Value) -> bool:
    """Whether a bare number only says which one is meant: the 7 of `the price in position 7`.

    It does where the new value is of a kind that it is not of, or where it stands behind a word
    for a place and the document has the number, but not that word before it.
    """
    at = next((at for at, item in enumerate(items) if item.name == "old"), 0)
    if not old.text.isdigit() or at < 2 or items[at - 1].roles & (OLD | INTO | IN):
        return False
    word = said.text(items[at - 1].start, items[at - 1].end)
    if not word.isalpha() or said.stands(f"{word} {old.text}"):
        return False
    return kind_of(new.text) is not None or bool(items[at - 2].roles & IN)


def _value(said: Said, stretch: Stretch) -> Value:
    return said.value(stretch.start) or said.bare(stretch.start, stretch.end)


def _is_sound(old: Value, new: Value, facts: _Facts) -> bool:
    """Whether words without quotes may be taken at their word: they are of one sort."""
    shared = set(old.text.casefold().split()) & set(new.text.casefold().split())
    is_value = _is_value(old.text)
    if facts.about and not is_value:
        # `sort the list by city`: a word that is no value beside words that say what changes.
        return False
    if "___" in old.text and shared:
        return True
    if is_alike(old.text, new.text):
        return is_value or bool(shared) or facts.is_told
    has_digits = [any(char.isdigit() for char in one.text) for one in (old, new)]
    if has_digits[0] != has_digits[1]:
        return False
    if any(has_digits) or not facts.is_told:
        return bool(shared) or shape(new.text) == "number"
    return old.text[:1].isupper() == new.text[:1].isupper()


def _is_value(text: str) -> bool:
    """Whether words are a name, a number, a date, an amount: nothing that only describes."""
    return any(char.isdigit() or char in "@$€£%" for char in text) or shape(text) == "name"


@dataclass(frozen=True, slots=True)
class _Facts:
    """What the words around the values say."""

    options: Options
    label: str
    about: tuple[str, ...]
    before_new: frozenset[str]
    is_every: bool
    is_told: bool
    is_renamed: bool


def _facts(said: Said, items: Sequence[Item], pair: Pair) -> _Facts | None:
    """Accounts for every item; None where one of them has no place in the frame."""
    reader = _Reader(said, items, pair)
    return reader.read()


class _Reader:
    """Reads the items around the values from left to right."""

    def __init__(self, said: Said, items: Sequence[Item], pair: Pair) -> None:
        self._said = said
        self._items = items
        self._pair = pair
        self._scopes: list[Unit] = []
        self._told: list[Item] = []
        self._nouns: list[Item] = []
        self._verbs: set[str] = set()
        self._everywhere = False
        self._has_only = False

    def read(self) -> _Facts | None:
        if not self._relates():
            return None
        for at, item in enumerate(self._items):
            if not item.name and not self._takes(at, item):
                return None
        new = self._at("new")
        every = bool(self._verbs & EVERY) or bool(
            self._roles_before(new) & {"becalled", "bereplaced"}
        )
        if self._verbs & {"change", "set", "raise", "make"}:
            every = False
        old = self._at("old")
        every = every and not (old >= 0 and "from" in self._roles_before(old))
        is_limited = self._has_only and bool(self._scopes)
        options = Options(everywhere=self._everywhere or is_limited, scopes=tuple(self._scopes))
        label = self._label()
        about = tuple(
            self._said.text(item.start, item.end) for item in self._told if not item.roles & NOUN
        )

        is_told = bool(self._verbs - {"make", "put", "apply", "raise"})
        is_told = is_told or bool(self._roles_before(new) & {"becalled", "bereplaced", "arrow"})
        is_renamed = "rename" in self._verbs
        before = self._roles_before(new)
        return _Facts(options, label, about, before, every, is_told, is_renamed)

    def _label(self) -> str:
        """The words that say what changes, as they were typed."""
        called = sorted([*self._told, *self._nouns], key=lambda item: item.start)
        if not called:
            return ""
        first, last = called[0].start, called[-1].end
        words = [
            self._said.text(item.start, item.end)
            for item in self._items
            if first <= item.start < last and not item.name and item.address is None
        ]
        return " ".join(word for word in words if word not in ",:;")

    def _at(self, name: str) -> int:
        return next((at for at, item in enumerate(self._items) if item.name == name), -1)

    def _roles_before(self, at: int) -> frozenset[str]:
        """What the word before a value says, words between that say nothing left out."""
        for item in reversed(self._items[: max(at, 0)]):
            is_plain = item.roles & (NOUN | {"noise"}) and not item.roles & (INTO | OLD | IN)
            if not is_plain:
                return item.roles
        return frozenset({"start"})

    def _relates(self) -> bool:
        """Whether the words before the values say which is the old and which the new one."""
        new, old = self._at("new"), self._at("old")
        before_new = self._roles_before(new)
        if old < 0:
            return bool(before_new & INTO)
        before_old = self._roles_before(old)
        if before_old & OLD or self._is_behind_contrast(old):
            return True
        is_changed = bool(before_new & TELLING or (before_new & INTO and self._has_verb()))
        return is_changed and ("from" in before_old or self._is_followed(old, new))

    def _is_behind_contrast(self, old: int) -> bool:
        """Whether only small words stand between `instead of` and the old value."""
        for item in reversed(self._items[:old]):
            if item.roles & OLD:
                return True
            if not item.roles & (IN | NOUN | {"noise"}):
                return False
        return False

    def _has_verb(self) -> bool:
        return any(item.roles & CHANGE for item in self._items)

    def _is_followed(self, old: int, new: int) -> bool:
        """Whether the word that new ones follow stands behind the old value, places between."""
        between = self._items[old + 1 : new]
        allowed = INTO | IN | {"noise", "everywhere", "only", "it", "inalldocument"}
        return old < new and all(
            item.address is not None or item.roles & allowed or item.roles & STORIES
            for item in between
        )

    def _takes(self, at: int, item: Item) -> bool:
        """Whether an item has a place around the values."""
        before = self._items[at - 1].roles if at else frozenset[str]()
        if item.address is not None:
            kind = _KINDS.get(item.address.kind, item.address.kind)
            return self._place(Unit(kind, address=item.address))
        if item.value is not None:
            return False
        story = next((role for role in item.roles if role in STORIES), "")
        if story and (before & (IN | CHANGE) or at == 0):
            kind = "notes" if story == "footnotes" else story
            return self._place(Unit(kind))  # pyright: ignore[reportArgumentType]
        if "table" in item.roles and before & IN:
            return self._place(Unit("table"))
        if "everywhere" in item.roles:
            self._everywhere = True
            return True
        if item.roles & {"except", "allbut", "every", "after", "before", "delete", "move"}:
            return bool(item.roles & CHANGE)
        return self._word(at, item)

    def _word(self, at: int, item: Item) -> bool:
        text = self._said.text(item.start, item.end)
        if item.roles & CHANGE and not self._verbs:
            self._verbs |= item.roles & CHANGE
            return True
        if "only" in item.roles:
            self._has_only = True
            return True
        if item.roles & NOUN and "noise" not in item.roles:
            self._nouns.append(item)
            return True
        if self._is_second(at, item):
            return False
        if item.roles & (INTO | OLD | IN | NEUTRAL) or text in MARKS:
            return True
        is_number = any(re.fullmatch(r"[no]-?\d+", role) for role in item.roles)
        if is_number or any(char.isdigit() for char in text):
            return False
        if item.roles and not self._is_name(at, item) and not item.roles & _TOLD:
            return False
        if self._is_loose(at, text):
            return False
        self._told.append(item)
        return True

    def _is_name(self, at: int, item: Item) -> bool:
        """Whether a word that has a meaning begins a name of the document: `Next Review`."""
        following = self._items[at + 1] if at + 1 < len(self._items) else None
        if following is None or following.roles or following.name:
            return False
        return self._said.stands(self._said.text(item.start, following.end))

    def _is_second(self, at: int, item: Item) -> bool:
        """Whether one more word says `to`, without a contrast: `change A to B to C`."""
        if "to" not in item.roles or "in" in item.roles or at > self._at("new"):
            return False
        is_contrast = any(one.roles & OLD for one in self._items)
        between = self._items[at + 1 : self._at("new")]
        return not is_contrast and any(not one.roles & (NOUN | {"noise"}) for one in between)

    def _is_loose(self, at: int, text: str) -> bool:
        """Whether a word behind the new value says neither where nor what: `and round the rest`."""
        new = self._at("new")
        if at < new:
            return False
        before = self._items[at - 1]
        is_joined = before.roles & (IN | OLD) or before in self._told or before.name == "old"
        return not bool(is_joined) or not all(map(self._said.stands, text.split()))

    def _place(self, unit: Unit) -> bool:
        self._scopes.append(unit)
        return True
