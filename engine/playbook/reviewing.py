"""A document is reviewed by a playbook: every rule for itself, and one plan for all that is done.

All rules speak of the document as it was before. What one asks for and cannot be done together
with what an earlier one does is not done, and said.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from redraft.engine.errors import ModelError
from redraft.engine.plan import EditPlan, Fault, Operation
from redraft.engine.planner.model import LanguageModel, Limits, Usage
from redraft.engine.playbook.asking import Examiner, Shown, examined
from redraft.engine.playbook.findings import Finding, Review, summary
from redraft.engine.playbook.playbooks import Rule
from redraft.engine.playbook.proposals import as_comments, by_exact_words, undecided
from redraft.engine.report import ModelView

NO_MODEL: Final = (
    "This rule has to be read by a language model, and none is configured;"
    " rules that name exact words need none"
)
_AT_ONCE: Final = 4


class Calls(Protocol):
    """The engine's part of a review, on one document, however it is run."""

    async def show(self, instruction: str, lookup: str | None, nonce: str) -> ModelView:
        """Renders what a model is shown."""
        ...

    async def check(self, plan: EditPlan) -> tuple[Fault, ...]:
        """Validates a plan."""
        ...


@dataclass(frozen=True, slots=True)
class Playbook:
    """What a document is reviewed by.

    Attributes:
        rules: In their order.
        comment_only: Whether changes are only proposed, in comments.
    """

    rules: tuple[Rule, ...]
    comment_only: bool = False


async def review(
    calls: Calls,
    model: LanguageModel | None,
    limits: Limits,
    playbook: Playbook,
    *,
    deadline: float,
    nonce: str,
) -> tuple[Review, Usage]:
    """Checks every rule of a playbook.

    Args:
        calls: The engine on the document in question.
        model: Who reads rules in plain words; None for nobody.
        limits: How much it is shown and may use for one rule.
        playbook: The rules.
        deadline: A moment of the running loop's clock, in seconds; rules that are not checked by
            then are undecided.
        nonce: A word that stands in no document.

    Raises:
        EngineError: The document cannot be read.
    """
    view = await calls.show("", None, nonce)
    shown = await asyncio.to_thread(Shown, view)
    confirms = not playbook.comment_only
    examiner = (
        None if model is None else Examiner(model, limits, deadline, nonce, calls.check, confirms)
    )
    panel = _Panel(shown, examiner)
    checked = await asyncio.gather(*(panel.checked(rule) for rule in playbook.rules))
    if playbook.comment_only:
        checked = [as_comments(finding, shown.evidence) for finding in checked]
    findings = await _together(checked, calls, view.snapshot)
    operations = _operations(findings)
    words = summary(findings)
    plan = EditPlan("edit" if operations else "no_change", words, operations, view.snapshot)
    return Review(tuple(findings), plan), panel.usage


class _Panel:
    """Checks rules, a few at once; after a model has failed it is not asked again."""

    def __init__(self, shown: Shown, examiner: Examiner | None) -> None:
        self._shown = shown
        self._examiner = examiner
        self._turn = asyncio.Semaphore(_AT_ONCE)
        self._failure = ""
        self.usage = Usage()

    async def checked(self, rule: Rule) -> Finding:
        if rule.exact is not None:
            return await asyncio.to_thread(by_exact_words, rule, rule.exact, self._shown.evidence)
        if self._examiner is None:
            return undecided(rule, NO_MODEL)
        async with self._turn:
            if self._failure:
                return undecided(rule, self._failure)
            try:
                finding, usage = await examined(rule, self._shown, self._examiner)
            except ModelError as error:
                self._failure = str(error)
                return undecided(rule, self._failure)
        self.usage = self.usage + usage
        return finding


async def _together(findings: Sequence[Finding], calls: Calls, snapshot: str) -> list[Finding]:
    """Returns the findings without operations that cannot be done, alone or with earlier ones."""
    if not await _faults(_operations(findings), calls, snapshot):
        return list(findings)
    kept: list[Finding] = []
    for finding in findings:
        faults: Sequence[Fault] = ()
        if finding.operations:
            faults = await _faults(_operations([*kept, finding]), calls, snapshot)
        if faults:
            is_own = await _faults(finding.operations, calls, snapshot)
            reason = (
                is_own[0].message
                if is_own
                else "An earlier rule is about the same words; review the result again"
            )
            finding = replace(finding, outcome="undecided", reason=reason, operations=())
        kept.append(finding)
    return kept


async def _faults(operations: Sequence[Operation], calls: Calls, snapshot: str) -> Sequence[Fault]:
    if not operations:
        return ()
    return await calls.check(EditPlan("edit", "", tuple(operations), snapshot))


def _operations(findings: Sequence[Finding]) -> tuple[Operation, ...]:
    return tuple(
        dict.fromkeys(operation for finding in findings for operation in finding.operations)
    )
