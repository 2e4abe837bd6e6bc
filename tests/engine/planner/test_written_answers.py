"""Answers written from requests alone, on documents of the corpus: done, and nothing else."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from redraft.engine import editor
from redraft.engine.engine_calls import EngineCalls
from redraft.engine.errors import EditError
from redraft.engine.instruct import Instruction, instruct
from redraft.engine.planner.model import Answer, Models, Question, Usage
from redraft.engine.planner.retrieval import entries
from redraft.engine.report import Signature, StoredVersion
from tests.documents import EVERY, is_full_sweep
from tests.engine.planner.written_answers import CASES, Case

LOOKS = "the colours and the comments"


class Writer:
    """A model that gives the answers of a case, one a question, and agrees with every check."""

    name = "writer"

    def __init__(self, answers: tuple[str, ...]) -> None:
        self.asked: list[Question] = []
        self._answers = list(answers)

    async def answer(self, question: Question, deadline: float) -> Answer:
        self.asked.append(question)
        answer = self._answers.pop(0) if self._answers else '{"reason": "", "decision": "edit"}'
        if '"decision"' not in answer:
            answer = f'{{"reason": "r", "decision": "edit", "read": [], "operations": [{answer}]}}'
        return Answer(answer, Usage())

    def misread(self) -> None:
        pytest.fail("an answer is not read")


def lines(path: Path, state: bytes = b"") -> dict[str, tuple[str, str]]:
    """The blocks by their ids: what stands in the brackets, and the text."""
    view = editor.show(StoredVersion(path, state), LOOKS, None, "Nonce9")
    return {one.anchor: (one.kind, one.text) for one in entries(view.text)}


def expected(before: dict[str, tuple[str, str]], case: Case) -> list[tuple[str, str]]:
    after = {name: (name, line) for name, line in before.items()}
    fresh: dict[str, list[str]] = {}
    for step, anchor, *words in case.wanted:
        if step == "new":
            fresh.setdefault(anchor, []).append(words[0])
            continue
        if step == "gone":
            after.pop(anchor)
            continue
        kind, text = after[anchor][1]
        old, new = words
        assert old in (text if step == "sub" else kind), (anchor, old, kind, text)
        changed = (
            (kind, text.replace(old, new)) if step == "sub" else (kind.replace(old, new), text)
        )
        after[anchor] = (anchor, changed)
    wanted: list[tuple[str, str]] = []
    for name in before:
        if name in after:
            wanted.append(after[name][1])
        wanted += [("", line) for line in fresh.get(name, ())]
    return wanted


@pytest.mark.parametrize(
    "case",
    CASES if is_full_sweep() else CASES[::EVERY],
    ids=lambda case: f"{case.document} {case.instruction}",
)
def test_what_was_asked_is_done_and_nothing_else(case: Case, corpus: Path, tmp_path: Path) -> None:
    source, target = corpus / "fresh" / case.document, tmp_path / "edited"
    before = lines(source)
    writer = Writer(case.answers)
    state = editor.inspect(source, source.name).state
    version = StoredVersion(source, state)

    async def planned() -> str:
        calls = EngineCalls(version, tracked=source.suffix == ".docx")
        deadline = asyncio.get_running_loop().time() + 300
        asked = Instruction(case.instruction, None, deadline, "Nonce9")
        done = await instruct(calls, Models(writer, plain_first=False), asked)
        if done.plan.decision != "edit":
            return done.plan.reason
        signature = Signature.now("Ann", tracked=calls.tracked)
        report = editor.edit(version, target, done.plan, signature)
        assert report.applied, report.summary
        after = lines(target, report.state)
        hides_looks = source.suffix == ".pdf"
        wanted = expected(before, case)
        assert list(_texts(after.values(), hides_looks)) == list(_texts(wanted, hides_looks))
        # A column that is struck shows the cells of its rows one by one.
        pairs = zip(after.values(), wanted, strict=True) if len(after) == len(wanted) else ()
        for (kind, text), (wanted_kind, _) in pairs:
            if wanted_kind and "row" not in f"{kind} {wanted_kind}":
                assert _plain(kind) == _plain(wanted_kind), text
        return ""

    try:
        told = asyncio.run(planned())
    except EditError as error:
        told = str(error)
    assert case.refused in told
    assert bool(told) == bool(case.refused), told


def _texts(lines: Iterable[tuple[str, str]], hides_looks: bool) -> Iterator[str]:
    """The texts, those of cells one by one, without the numbers of pictures.

    What a new word of a PDF looks like depends on the letters that its font has.
    """
    for kind, text in lines:
        if kind.startswith("row of"):
            continue
        line = re.sub(r"⟦im\d+", "⟦im", text.replace("*", "") if hides_looks else text)
        yield from (cell.strip() for cell in line.strip("| ").split("|"))


def _plain(kind: str) -> str:
    return " ".join(word for word in kind.split() if word != "rev")
