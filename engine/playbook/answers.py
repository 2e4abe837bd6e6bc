"""What a model answers to a rule, and whether that can be believed: decoded, and held against it.

A model may be mistaken, make words up, or obey the document. Nothing it quotes is used unless it
stands there; what it changes must be what it quoted, and what it writes may lead nowhere that the
rule does not name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec

from redraft.engine.plan import AddComment, DeleteBlocks, InsertBlocks, Operation, ReplaceText
from redraft.engine.plan_json import MalformedPlanError, read_operations
from redraft.engine.planner.retrieval import Entry
from redraft.engine.planner.wire import UnreadableReplyError, objects
from redraft.engine.playbook.evidence import Evidence, plain
from redraft.engine.playbook.findings import Citation, Finding, Outcome
from redraft.engine.playbook.playbooks import Rule
from redraft.engine.playbook.proposals import comment_on

Verdict: TypeAlias = Literal["holds", "change", "comment", "not_applicable", "need_more"]
LONGEST_REASON: Final = 1_000
_LONGEST_COMMENT: Final = 2_000
_MOST: Final = 50
_OUTCOMES: Final[Mapping[str, Outcome]] = {
    "holds": "holds",
    "change": "changed",
    "comment": "commented",
    "not_applicable": "not_applicable",
}
_ADDRESS: Final = re.compile(r"(?:https?:|mailto:|www\.)[^\s,;)]*|[\w.+-]+@[\w-]+\.[\w.]+", re.I)
_ALLOWED: Final = (ReplaceText, InsertBlocks, DeleteBlocks)


class Quoted(msgspec.Struct):
    """Words that a model says stand in a block."""

    block: str
    words: str


class Remark(msgspec.Struct):
    """A comment that a model wants."""

    block: str
    find: str
    text: str


class RuleReply(msgspec.Struct):
    """A whole answer."""

    reason: str
    verdict: Verdict
    quotes: list[Quoted] = []
    read: list[str] = []
    operations: list[dict[str, Any]] = []
    comments: list[Remark] = []


def _closed(**properties: object) -> dict[str, object]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_TEXT: Final = {"type": "string"}
_BLOCK: Final = _closed(kind={"type": "string", "enum": ["like_anchor", "paragraph"]}, text=_TEXT)
SCHEMA: Final[Mapping[str, object]] = _closed(
    reason=_TEXT,
    verdict={
        "type": "string",
        "enum": ["holds", "change", "comment", "not_applicable", "need_more"],
    },
    quotes={"type": "array", "items": _closed(block=_TEXT, words=_TEXT)},
    read={"type": "array", "items": _TEXT},
    operations={
        "type": "array",
        "items": {
            "anyOf": [
                _closed(
                    op={"type": "string", "enum": ["replace_text"]},
                    block=_TEXT,
                    find=_TEXT,
                    replace=_TEXT,
                    occurrence={"anyOf": [{"type": "integer"}, {"type": "null"}]},
                ),
                _closed(
                    op={"type": "string", "enum": ["insert_blocks"]},
                    block=_TEXT,
                    where={"type": "string", "enum": ["before", "after"]},
                    blocks={"type": "array", "items": _BLOCK},
                ),
                _closed(op={"type": "string", "enum": ["delete_blocks"]}, first=_TEXT, last=_TEXT),
            ]
        },
    },
    comments={"type": "array", "items": _closed(block=_TEXT, find=_TEXT, text=_TEXT)},
)


def decode(text: str) -> RuleReply:
    """Reads an answer out of what a model wrote.

    Raises:
        UnreadableReplyError: There is no such JSON object in it.
    """
    problem = "there is no complete JSON object in it"
    for candidate in objects(text):
        try:
            written = {k: v for k, v in json.loads(candidate).items() if v is not None}
            return msgspec.convert(written, RuleReply)
        except (ValueError, msgspec.ValidationError) as error:
            problem = str(error)
    raise UnreadableReplyError(problem)


class UnsoundReplyError(Exception):
    """An answer that cannot be believed; `problems` are sentences for the model that gave it."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(*problems)
        self.problems = tuple(problems)


def finding(
    reply: RuleReply, rule: Rule, evidence: Evidence, document: Sequence[Entry], model: str
) -> Finding:
    """Returns what an answer says of a rule, with nothing in it that was not verified but reasons.

    Raises:
        UnsoundReplyError: It quotes what is not there, or does not fit together.
    """
    problems: list[str] = []
    cited: list[Citation] = []
    for quote in reply.quotes[:_MOST]:
        citation = evidence.cited(quote.block.strip("[] "), plain(quote.words).strip())
        if citation is None:
            problems.append(f"these words do not stand in {quote.block[:40]}: {quote.words[:200]}")
        else:
            cited.append(citation)
    operations: list[Operation] = []
    try:
        operations = list(_operations(reply, cited, evidence))
    except MalformedPlanError as error:
        problems.append(str(error))
    except UnsoundReplyError as error:
        problems += error.problems
    problems += _misfits(reply, cited, operations)
    problems += _strange(rule, operations, document)
    problems += _uncited(operations, cited, evidence, document)
    if problems:
        raise UnsoundReplyError(problems)
    return Finding(
        rule.number,
        rule.name,
        rule.text,
        _OUTCOMES[reply.verdict],
        tuple(dict.fromkeys(cited)),
        " ".join(reply.reason.split())[:LONGEST_REASON],
        tuple(operations),
        model=model,
    )


def _operations(reply: RuleReply, cited: list[Citation], evidence: Evidence) -> Iterator[Operation]:
    """Yields what is to be done; the words that comments hang on are cited by that.

    Raises:
        MalformedPlanError, UnsoundReplyError.
    """
    written = [{k: v for k, v in one.items() if v is not None} for one in reply.operations]
    yield from read_operations(written)
    for remark in reply.comments[:_MOST]:
        citation = evidence.cited(remark.block.strip("[] "), plain(remark.find).strip())
        if citation is None:
            problem = f"a comment hangs on words that do not stand in {remark.block[:40]}"
            raise UnsoundReplyError([problem])
        cited.append(citation)
        yield comment_on(citation, remark.text.strip()[:_LONGEST_COMMENT], evidence)


def _misfits(
    reply: RuleReply, cited: Sequence[Citation], operations: Sequence[Operation]
) -> Iterator[str]:
    """Yields why a verdict does not go with what stands beside it."""
    changes = [one for one in operations if not isinstance(one, AddComment)]
    comments = [one for one in operations if isinstance(one, AddComment)]
    if reply.verdict == "holds" and not cited and not reply.quotes:
        yield "the verdict is holds, and no words of the document are quoted for it"
    if reply.verdict == "change" and not changes:
        yield "the verdict is change, and there is no operation"
    if reply.verdict == "comment" and not comments:
        yield "the verdict is comment, and there is no comment"
    if changes and reply.verdict != "change":
        yield f"the verdict is {reply.verdict}, and there are operations"
    if comments and reply.verdict not in ("comment", "change"):
        yield f"the verdict is {reply.verdict}, and there are comments"
    if any(not one.text for one in comments):
        yield "a comment says nothing"
    if any(not isinstance(one, (*_ALLOWED, AddComment)) for one in operations):
        yield "operations are replace_text, insert_blocks or delete_blocks"


def _strange(
    rule: Rule, operations: Sequence[Operation], document: Sequence[Entry]
) -> Iterator[str]:
    """Yields addresses that are written and stand in neither the rule nor the block itself."""
    texts = {entry.anchor: entry.text for entry in document}
    for operation in operations:
        match operation:
            case ReplaceText(block, _, new):
                known = rule.text + texts.get(block, "")
            case AddComment(text=new):
                known = rule.text
            case InsertBlocks(blocks=blocks):
                known, new = rule.text, " ".join(block.text for block in blocks)
            case _:
                continue
        for address in _ADDRESS.findall(new):
            if address.casefold() not in known.casefold():
                yield f"the rule does not name the address {address[:80]}"


def _uncited(
    operations: Sequence[Operation],
    cited: Sequence[Citation],
    evidence: Evidence,
    document: Sequence[Entry],
) -> Iterator[str]:
    """Yields what is changed or deleted and was not quoted."""
    blocks = {citation.block for citation in cited}
    for operation in operations:
        match operation:
            case ReplaceText(block, find):
                if not _is_quoted(block, plain(find), cited, evidence):
                    yield f"`find` in {block} overlaps no words that are quoted from there"
            case DeleteBlocks(first, last):
                gone = [one for one in _stretch(first, last, document) if one.text.strip()]
                if not gone or any(one.anchor not in blocks for one in gone):
                    yield f"not every block from {first} to {last} is quoted"
            case _:
                pass


def _is_quoted(block: str, find: str, cited: Sequence[Citation], evidence: Evidence) -> bool:
    passage = evidence.passages.get(block)
    if passage is None:
        return False
    changed = evidence.places(passage, find)
    quoted = [
        span
        for citation in cited
        if citation.block == block
        for span in evidence.places(passage, citation.words)
    ]
    return any(a < d and c < b for a, b in changed for c, d in quoted)


def _stretch(first: str, last: str, document: Sequence[Entry]) -> Sequence[Entry]:
    places = {entry.anchor: index for index, entry in enumerate(document)}
    if first not in places or last not in places:
        return ()
    return document[places[first] : places[last] + 1]


def problems_message(problems: Sequence[str]) -> str:
    """Returns what a model is told of an answer that cannot be believed."""
    lines = "\n".join(f"- {problem}" for problem in problems[:20])
    return f"That answer cannot be used:\n{lines}\nAnswer again with the whole JSON object."
