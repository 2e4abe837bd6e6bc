"""What a rule asks for, as operations on a document: by exact words, or as comments alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from redraft.engine.locate import find, longer_word, unsaid
from redraft.engine.plan import AddComment, Operation, ReplaceText
from redraft.engine.plan import FindReplace as ReplaceEverywhere
from redraft.engine.playbook.evidence import Evidence, Passage
from redraft.engine.playbook.exact_words import Exact, Forbidden, Replaced, Required
from redraft.engine.playbook.findings import Citation, Finding, described
from redraft.engine.playbook.playbooks import Rule

_MOST_COMMENTS: Final = 200
_MOST_NAMED: Final = 10
_ELSEWHERE: Final = "These words stand only where no comment can hang: in headers, footers or notes"
_NO_TITLE: Final = "The document has no words that a comment could hang on"


def undecided(rule: Rule, reason: str) -> Finding:
    """Returns that nothing sure can be said of a rule, and why."""
    return Finding(rule.number, rule.name, rule.text, "undecided", reason=reason)


def by_exact_words(rule: Rule, exact: Exact, evidence: Evidence) -> Finding:
    """Checks a rule that names exact words; no model is asked."""
    hits = _hits(exact, evidence)
    finding = Finding(
        rule.number,
        rule.name,
        rule.text,
        "holds",
        tuple(Citation(passage.block, passage.text[slice(*span)]) for passage, span in hits),
        _left_alone(exact.find, evidence),
    )
    match exact:
        case Required():
            return finding if hits else _missing(rule, exact, finding, evidence)
        case Replaced(old, new) if hits:
            changed = (ReplaceEverywhere(old, new, whole_word=True),)
            return replace(finding, outcome="changed", operations=changed)
        case Forbidden() if hits:
            comments = tuple(_comments(hits, exact.comment or rule.text))
            if not comments:
                return replace(finding, outcome="undecided", reason=_ELSEWHERE)
            return replace(finding, outcome="commented", operations=comments)
        case _:
            reason = f"“{exact.find}” stands nowhere. {finding.reason}".strip(". ")
            return replace(finding, reason=reason)


def _left_alone(words: str, evidence: Evidence) -> str:
    """Returns which longer words hold those of a rule, which is not about them."""
    longer = {
        longer_word(passage.text, span)
        for passage, span in evidence.everywhere(words, whole_word=False)
    }
    names = sorted(word for word in longer if word)[:_MOST_NAMED]
    return f"Left alone, as longer words: {', '.join(names)}" if names else ""


def _hits(exact: Exact, evidence: Evidence) -> list[tuple[Passage, tuple[int, int]]]:
    hits = list(evidence.everywhere(exact.find))
    if not isinstance(exact, Replaced):
        return hits
    # Who replaces `ACME` with `ACME Corp` does not mean the places that say so.
    return [
        (passage, span)
        for passage in dict.fromkeys(passage for passage, _ in hits)
        for span in unsaid(
            passage.text, [s for other, s in hits if other is passage], exact.replace
        )[0]
    ]


def _missing(rule: Rule, exact: Required, finding: Finding, evidence: Evidence) -> Finding:
    reason = f"“{exact.find}” stands nowhere"
    title = evidence.title
    if title is None:
        return replace(finding, outcome="undecided", reason=f"{reason}. {_NO_TITLE}")
    comment = AddComment(title.block, "", exact.comment or rule.text)
    return replace(finding, outcome="commented", reason=reason, operations=(comment,))


def _comments(hits: Sequence[tuple[Passage, tuple[int, int]]], text: str) -> Iterator[AddComment]:
    for passage, span in [hit for hit in hits if hit[0].is_body][:_MOST_COMMENTS]:
        yield _comment(passage, span, text)


def _comment(passage: Passage, span: tuple[int, int], text: str) -> AddComment:
    words = passage.text[slice(*span)]
    spans = find(passage.text, words)  # as the engine counts them
    at = spans.index(span) + 1 if len(spans) > 1 and span in spans else None
    return AddComment(passage.block, words, text, at)


def comment_on(citation: Citation, text: str, evidence: Evidence) -> AddComment:
    """Returns a comment on cited words, on the first of them where they stand several times."""
    passage = evidence.passages[citation.block]
    spans = evidence.places(passage, citation.words)
    return _comment(passage, spans[0], text)


def as_comments(finding: Finding, evidence: Evidence) -> Finding:
    """Returns a finding whose changes are only proposed, in comments on the words it rests on."""
    if finding.outcome != "changed":
        return finding
    kept = [one for one in finding.operations if isinstance(one, AddComment)]
    changes = [one for one in finding.operations if not isinstance(one, AddComment)]
    cited = [one for one in finding.citations if evidence.passages[one.block].is_body]
    comments = list(kept)
    if _is_everywhere(changes):
        text = _proposed(finding, changes)
        comments += [comment_on(one, text, evidence) for one in cited]
    else:
        comments += _each(finding, changes, cited, evidence)
    comments = list(dict.fromkeys(comments))
    if not comments:
        return replace(finding, outcome="undecided", operations=(), reason=_ELSEWHERE)
    return replace(finding, outcome="commented", operations=tuple(comments[:_MOST_COMMENTS]))


def _is_everywhere(changes: Sequence[Operation]) -> bool:
    return any(isinstance(one, ReplaceEverywhere) for one in changes)


def _each(
    finding: Finding, changes: Sequence[Operation], cited: Sequence[Citation], evidence: Evidence
) -> Iterator[AddComment]:
    """Yields a comment for each change, on the words that were cited beside it or on the title."""
    for change in changes:
        text = _proposed(finding, [change])
        block = change.block if isinstance(change, ReplaceText) else ""
        beside = next((one for one in cited if one.block == block), None) or next(iter(cited), None)
        if beside is not None:
            yield comment_on(beside, text, evidence)
        elif evidence.title is not None:
            yield AddComment(evidence.title.block, "", text)


def _proposed(finding: Finding, changes: Sequence[Operation]) -> str:
    what = "; ".join(described(change) for change in changes)
    why = finding.reason.rstrip(". ") or finding.rule.rstrip(". ")
    return f"{why}. Proposed: {what}"
