"""What a review says of each rule, and the whole of it as Markdown and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from redraft.engine.plan import (
    AddComment,
    DeleteBlocks,
    EditPlan,
    FindReplace,
    InsertBlocks,
    Operation,
    ReplaceText,
)

Outcome: TypeAlias = Literal["holds", "changed", "commented", "not_applicable", "undecided"]
WORDED: Final = {
    "holds": "holds",
    "changed": "changed",
    "commented": "commented",
    "not_applicable": "not applicable",
    "undecided": "undecided",
}
_MOST_CITED = 20


@dataclass(frozen=True, slots=True)
class Citation:
    """Words of the document: in which block, and as they stand there."""

    block: str
    words: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of a rule.

    Attributes:
        number: The rule's place in the playbook, from 1.
        name: What it is called.
        rule: Its words.
        outcome: `undecided` where nothing can be said that is sure; `reason` says why.
        citations: The words of the document that this rests on; none for what is missing.
        reason: In the words of a model, or of redraft where none was asked.
        operations: What is done because of it.
        checked: `whole` or which part of the document was looked at.
        model: Who was asked; empty where nobody was.
    """

    number: int
    name: str
    rule: str
    outcome: Outcome
    citations: tuple[Citation, ...] = ()
    reason: str = ""
    operations: tuple[Operation, ...] = ()
    checked: str = "whole"
    model: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """What a playbook says of a document, and the plan that does what it asks."""

    findings: tuple[Finding, ...]
    plan: EditPlan

    @property
    def is_complete(self) -> bool:
        """Whether something sure is said of every rule."""
        return all(finding.outcome != "undecided" for finding in self.findings)


def summary(findings: Sequence[Finding]) -> str:
    """Returns how many rules have which outcome: `3 rules: 2 hold, 1 changed`."""
    counts = Counter(finding.outcome for finding in findings)
    parts = [
        f"{counts[outcome]} {'hold' if outcome == 'holds' and counts[outcome] > 1 else word}"
        for outcome, word in WORDED.items()
        if counts[outcome]
    ]
    total = "1 rule" if len(findings) == 1 else f"{len(findings)} rules"
    return f"{total}: {', '.join(parts)}"


def markdown(title: str, findings: Sequence[Finding]) -> str:
    """Returns the report for people."""
    lines = [f"# Review of {_literal(title)}", "", summary(findings) + "."]
    for finding in findings:
        lines += ["", *_section(finding)]
    return "\n".join(lines) + "\n"


def _section(finding: Finding) -> Iterator[str]:
    yield f"## {finding.number}. {_literal(finding.name)}: {WORDED[finding.outcome]}"
    yield ""
    if finding.name != finding.rule:
        yield from (f"Rule: {_literal(finding.rule)}", "")
    if finding.reason:
        # Whose words these are matters: a model may be mistaken about what words mean.
        by = f" ({_literal(finding.model)})" if finding.model else ""
        yield from (f"{_literal(finding.reason)}{by}", "")
    if finding.checked != "whole":
        yield from (f"Looked at {finding.checked}.", "")
    for citation, count in list(Counter(finding.citations).items())[:_MOST_CITED]:
        times = f" ({count} times)" if count > 1 else ""
        yield f"- {citation.block}: “{_literal(citation.words)}”{times}"
    if len(set(finding.citations)) > _MOST_CITED:
        yield f"- and in {len(set(finding.citations)) - _MOST_CITED} more places"
    for words in _done(finding.operations)[:_MOST_CITED]:
        yield f"- {_literal(words)}"


def _done(operations: Sequence[Operation]) -> list[str]:
    """Returns what was done, comments of the same words in one line."""
    blocks: dict[str, list[str]] = {}
    for operation in operations:
        if isinstance(operation, AddComment):
            blocks.setdefault(operation.text, []).append(operation.block)
    comments = [
        f"comments in {', '.join(dict.fromkeys(places))}: “{text}”"
        for text, places in blocks.items()
    ]
    return [described(one) for one in operations if not isinstance(one, AddComment)] + comments


def described(operation: Operation) -> str:
    """Returns what an operation of a review does, in a few words."""
    match operation:
        case ReplaceText(block, find, ""):
            return f"deletes “{find}” in {block}"
        case ReplaceText(block, find, replace):
            return f"replaces “{find}” with “{replace}” in {block}"
        case FindReplace(find, replace):
            return f"replaces “{find}” with “{replace}” everywhere"
        case InsertBlocks(block, where, blocks):
            texts = " ".join(new.text for new in blocks)
            return f"adds {where} {block}: “{texts}”"
        case DeleteBlocks(first, last):
            return f"deletes {first}" if first == last else f"deletes {first} to {last}"
        case _:
            return type(operation).__name__


_SIGNS: Final = str.maketrans(
    {sign: f"\\{sign}" for sign in "\\`*_[]<>#|"} | {"\n": " ", "\r": " ", "\t": " "}
)


def _literal(text: str) -> str:
    """Writes text of a document or model so that it can be no Markdown of ours."""
    return text.translate(_SIGNS)
