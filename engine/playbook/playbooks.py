"""A playbook is read from Markdown or TOML: rules, in the order in which they stand.

In Markdown each item of a list is a rule, with the heading above it as its topic; a section without
a list is one rule, named by its heading. What stands before the first section and beside lists is
for people. In TOML each `[[rules]]` is one: `rule` in plain words, or exact words.

    [[rules]]
    name = "Payment"
    rule = "payment terms are at most 30 days; else change them to 30 days"

    [[rules]]
    find = "Vendor"          # with `replace` or `comment`; or `require` with `comment`
    replace = "Supplier"
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from redraft.engine.errors import PlanError
from redraft.engine.playbook.exact_words import Exact, Forbidden, Replaced, Required, exact_words

if TYPE_CHECKING:
    from markdown_it.token import Token

MOST_RULES: Final = 200
LONGEST_RULE: Final = 2_000
_FIELDS: Final = ("name", "rule", "find", "replace", "require", "comment")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of a playbook.

    Attributes:
        number: Its place in the playbook, from 1.
        name: What it is called in the report; the beginning of its words where nobody named it.
        text: The rule in plain words.
        exact: What it asks for where it names exact words; None where a model has to read it.
    """

    number: int
    name: str
    text: str
    exact: Exact | None


class PlaybookError(PlanError):
    """A playbook cannot be read; the message says where and why."""


def read_playbook(written: str | bytes) -> tuple[Rule, ...]:
    """Returns the rules of a playbook in Markdown or TOML, bytes in UTF-8.

    Raises:
        PlaybookError: It has no rules, too many, or one that cannot be read.
    """
    if isinstance(written, bytes):
        try:
            written = written.decode("utf-8-sig")
        except UnicodeDecodeError:
            message = "The playbook is no text in UTF-8"
            raise PlaybookError(message) from None
    toml = _toml(written)
    pairs = list(_of_markdown(written)) if toml is None else []
    if toml is None:
        rules = [
            Rule(number, name or _short(text), text, exact_words(text))
            for number, (name, text) in enumerate(pairs, start=1)
        ]
    else:
        rules = [_of_table(table, number) for number, table in enumerate(toml, start=1)]
    if not rules:
        message = "The playbook has no rules: write each as an item of a list, or as [[rules]]"
        raise PlaybookError(message)
    if len(rules) > MOST_RULES:
        message = f"The playbook has {len(rules)} rules; at most {MOST_RULES} can be checked"
        raise PlaybookError(message)
    for rule in rules:
        if len(rule.text) > LONGEST_RULE:
            message = f"Rule {rule.number} is longer than {LONGEST_RULE:,} characters"
            raise PlaybookError(message)
    return tuple(rules)


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59].rstrip()}…"


def _toml(written: str) -> Sequence[Mapping[str, Any]] | None:
    """Returns the tables of rules; None where it is Markdown.

    Raises:
        PlaybookError: It is TOML by the look of it, and cannot be read.
    """
    if not any(line.strip().startswith("[[rules]]") for line in written.splitlines()):
        return None
    try:
        tables: Any = tomllib.loads(written).get("rules")
    except tomllib.TOMLDecodeError as error:
        message = f"The playbook is no valid TOML: {error}"
        raise PlaybookError(message) from None
    return cast("Sequence[Mapping[str, Any]]", tables)


def _of_table(table: Mapping[str, Any], number: int) -> Rule:
    for key, value in table.items():
        if key not in _FIELDS or not isinstance(value, str):
            message = f"Rule {number}: {key} is none of the texts {', '.join(_FIELDS)}"
            raise PlaybookError(message)
    given: dict[str, str] = {key: value.strip() for key, value in table.items()}
    name, text = given.pop("name", ""), given.pop("rule", "")
    exact = _exact_of(given, number) if given else exact_words(text)
    if given and text:
        message = f"Rule {number}: give either rule or exact words"
        raise PlaybookError(message)
    if not given and not text:
        message = f"Rule {number} says nothing"
        raise PlaybookError(message)
    text = text or _worded(exact)
    return Rule(number, name or _short(text), text, exact)


def _exact_of(given: Mapping[str, str], number: int) -> Exact:
    match {key: value for key, value in given.items() if value or key == "replace"}:
        case {"find": find, "replace": replace, **others} if not others:
            return Replaced(find, replace)
        case {"find": find, "comment": comment, **others} if not others:
            return Forbidden(find, comment)
        case {"require": require, "comment": comment, **others} if not others:
            return Required(require, comment)
        case _:
            message = (
                f"Rule {number}: exact words are find with replace, find with comment,"
                " or require with comment"
            )
            raise PlaybookError(message)


def _worded(exact: Exact | None) -> str:
    match exact:
        case Replaced(find, replace):
            return f"Replace “{find}” with “{replace}”"
        case Forbidden(find, comment):
            return f"If “{find}” appears, comment “{comment}”"
        case Required(find, comment):
            return f"If there is no “{find}”, comment “{comment}” on the title"
        case None:
            return ""


@dataclass(slots=True)
class _Section:
    """What stands below a heading: its rules, and the paragraphs beside them."""

    heading: str = ""
    items: list[str] = field(default_factory=list[str])
    paragraphs: list[str] = field(default_factory=list[str])

    def rules(self) -> Iterator[tuple[str, str]]:
        """Yields name and words of each; a single rule has the name of its section."""
        if self.items:
            names = [self.heading] if len(self.items) == 1 else [""] * len(self.items)
            yield from zip(names, self.items, strict=True)
        elif self.heading and self.paragraphs:
            yield self.heading, " ".join(self.paragraphs)

    def take(self, words: str, *, is_item: bool) -> None:
        """Takes a paragraph, of the last item or beside the list."""
        if is_item:
            self.items[-1] = f"{self.items[-1]} {words}".strip()
        else:
            self.paragraphs.append(words)


def _of_markdown(written: str) -> Iterator[tuple[str, str]]:
    """Yields name and words of each rule; lists below an item belong to it."""
    section, depth, level = _Section(), 0, 0
    for token in _tokens(written):
        match token.type:
            case "list_item_open":
                depth += 1
                if depth == 1:
                    section.items.append("")
            case "list_item_close":
                depth -= 1
            case "heading_open" if not depth:
                yield from section.rules()
                section, level = _Section(), int(token.tag[1:])
            case "heading_close":
                level = 0
            case "inline" if level:
                # The heading of everything is the playbook's own name.
                section.heading = " ".join(token.content.split()) if level > 1 else ""
            case "inline":
                section.take(" ".join(token.content.split()), is_item=depth > 0)
            case _:
                pass
    yield from section.rules()


def _tokens(written: str) -> Sequence[Token]:
    """Returns a text as Markdown.

    Raises:
        PlaybookError: It has code or HTML, which are no rules.
    """
    from markdown_it import MarkdownIt  # who gives no playbook does not wait for it

    tokens = MarkdownIt("commonmark").parse(written)
    if any(token.type in ("fence", "code_block", "html_block") for token in tokens):
        message = "A playbook has rules as text; code and HTML are none"
        raise PlaybookError(message)
    return tokens
