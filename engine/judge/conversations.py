"""What becomes of comments that are there: law 2 of answers, resolving and deleting.

Comments are counted as the file has them, `c1` first. A conversation is a comment and what answers
it, directly or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from redraft.engine.errors import VerificationError
from redraft.engine.plan import CommentThread, DeleteComment, ReplyComment, ResolveComment


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment: `answers` is the index of what it answers, `on` the text that it stands on."""

    author: str
    text: str
    answers: int | None
    is_done: bool
    on: str | None


def judge_comments(
    before: Sequence[Remark],
    operations: Sequence[CommentThread],
    author: str,
    after: Sequence[Remark],
) -> None:
    """Sees that comments are what operations make of them.

    Raises:
        VerificationError: they are not.
    """
    remarks = list(before)
    gone: set[int] = set()
    answers: list[tuple[int, str]] = []
    for operation in operations:
        index = int(operation.target[1:]) - 1
        match operation:
            case ReplyComment(_, text):
                answers.append((_first(before, index), text))
            case ResolveComment(_, is_done):
                first = _first(before, index)
                remarks[first] = replace(remarks[first], is_done=is_done)
            case DeleteComment():
                gone |= {at for at in range(len(before)) if index in _chain(before, at)}
    kept = [index for index in range(len(before)) if index not in gone]
    if len(after) != len(kept) + len(answers):
        raise _broken("there are more or fewer than the plan makes")
    for place, index in enumerate(kept):
        _compare(remarks[index], after[place], kept)
    for (first, text), remark in zip(answers, after[len(kept) :], strict=True):
        _compare_answer(first, text, remark, author, kept, before)


def _compare_answer(
    first: int,
    text: str,
    remark: Remark,
    author: str,
    kept: Sequence[int],
    before: Sequence[Remark],
) -> None:
    is_named = remark.answers is not None and kept[remark.answers] == first
    if not is_named or remark.author != author:
        raise _broken("an answer stands elsewhere or under another name")
    if _letters(remark.text) not in (_letters(text), _letters(text.replace("*", ""))):
        raise _broken("an answer says something else")
    if remark.on is None or remark.on != before[first].on:
        raise _broken("an answer is not on the words of what it answers")


def _compare(wanted: Remark, remark: Remark, kept: Sequence[int]) -> None:
    answers = None if remark.answers is None else kept[remark.answers]
    if (wanted.author, wanted.text, wanted.on) != (remark.author, remark.text, remark.on):
        raise _broken("one that was to stay is another")
    if (wanted.answers, wanted.is_done) != (answers, remark.is_done):
        raise _broken("one answers another or is resolved otherwise than the plan says")


def _chain(remarks: Sequence[Remark], index: int) -> list[int]:
    """Returns a comment, what it answers, and so on."""
    chain = [index]
    while (above := remarks[chain[-1]].answers) is not None and above not in chain:
        chain.append(above)
    return chain


def _first(remarks: Sequence[Remark], index: int) -> int:
    return _chain(remarks, index)[-1]


def _letters(text: str) -> str:
    return "".join(text.split())


def _broken(reason: str) -> VerificationError:
    return VerificationError(f"law 2 is broken in the comments: {reason}")
