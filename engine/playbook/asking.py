"""A model checks one rule: it is shown the passages that bear on it, and what it says is verified.

It is asked again, a few times, when it quotes what is not there; nothing of an answer that stays
unsound is used. A change that reaches further than its rule is confirmed by a question in which no
word of the document stands.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from redraft.engine.errors import EditError, ModelError
from redraft.engine.plan import AddComment, EditPlan
from redraft.engine.planner import retrieval
from redraft.engine.planner.explaining import explained
from redraft.engine.planner.model import LanguageModel, Limits, Message, Usage
from redraft.engine.planner.plan_guard import confirmed, extent
from redraft.engine.planner.planner import Check, Conversation
from redraft.engine.planner.retrieval import Entry, entries, preface
from redraft.engine.planner.wire import UnreadableReplyError
from redraft.engine.playbook import answers
from redraft.engine.playbook.answers import RuleReply, UnsoundReplyError, problems_message
from redraft.engine.playbook.evidence import Evidence
from redraft.engine.playbook.findings import Finding
from redraft.engine.playbook.playbooks import Rule
from redraft.engine.playbook.proposals import undecided
from redraft.engine.report import ModelView

REPAIRS: Final = 2
READS: Final = 3
# A document of fewer tokens is shown whole; of a longer one this much is shown for a rule.
_SHORT: Final = 8_000
_UNSOUND: Final = "The language model could not support what it said with words of the document"


@dataclass(frozen=True, slots=True)
class Examiner:
    """Who checks rules, and how far that may go.

    Attributes:
        model: Who is asked.
        limits: How much it is shown and may use.
        deadline: A moment of the running loop's clock, in seconds.
        nonce: A word that stands in no document.
        check: Says what of a plan cannot be carried out.
        confirms: Whether changes that reach far are asked about.
    """

    model: LanguageModel
    limits: Limits
    deadline: float
    nonce: str
    check: Check
    confirms: bool


class Shown:
    """A document as rules are checked against it, taken apart once."""

    def __init__(self, view: ModelView) -> None:
        self.view = view
        self.document: Sequence[Entry] = entries(view.text)
        self.evidence = Evidence(self.document)


async def examined(rule: Rule, shown: Shown, examiner: Examiner) -> tuple[Finding, Usage]:
    """Asks whether a document keeps a rule.

    Returns:
        What is sure; `undecided` where the model never gave an answer that holds.

    Raises:
        ModelError: The model cannot be asked.
    """
    examination = _Examination(rule, shown, examiner)
    try:
        finding = await examination.run()
    except ModelError:
        raise
    except EditError as error:
        finding = replace(undecided(rule, str(error)), model=examiner.model.name)
    return finding, examination.conversation.usage


class _Examination:
    """The questions about one rule."""

    def __init__(self, rule: Rule, shown: Shown, examiner: Examiner) -> None:
        self._rule = rule
        self._shown = shown
        self._examiner = examiner
        self._taken: set[int] = set()
        self._reads = 0
        self.conversation = Conversation(
            examiner.model, examiner.deadline, [], examiner.limits.edit, schema=answers.SCHEMA
        )

    async def run(self) -> Finding:
        messages = self.conversation.messages
        messages += await asyncio.to_thread(self._opening)
        repairs = 0
        while repairs <= REPAIRS:
            text = await self.conversation.ask()
            try:
                reply = answers.decode(text)
                if reply.verdict == "need_more":
                    messages.append(await asyncio.to_thread(self._more, reply))
                    continue
                finding = await self._verified(reply)
            except UnreadableReplyError as error:
                self._examiner.model.misread()
                problems: Sequence[str] = [f"it could not be read: {error}"]
            except UnsoundReplyError as error:
                problems = error.problems
            else:
                return await self._settled(finding)
            repairs += 1
            messages.append(Message("user", problems_message(problems)))
            if not self.conversation.may_go_on():
                break
        return replace(undecided(self._rule, _UNSOUND), model=self._examiner.model.name)

    def _opening(self) -> list[Message]:
        view, document = self._shown.view, self._shown.document
        budget = min(_SHORT, self._examiner.limits.view)
        text = retrieval.folded(view.text)
        note = ""
        if view.tokens > budget:
            left = round(budget * (1 - retrieval.OUTLINE_SHARE))
            self._taken = retrieval.chosen(document, self._rule.text, None, left)
            outline = retrieval.outline(document, budget, self._taken)
            above = "\n".join((*preface(view.text), outline))
            text = retrieval.excerpt(document, self._taken, self._examiner.nonce, above)
            note = (
                "\n\nThe document is too long to show whole; you see its outline and the blocks"
                " most likely meant. Before you say that something is missing, ask for what may"
                " hold it with `need_more`."
            )
        rule = Message("user", f"Rule: {self._rule.text}{note}")
        return [Message("system", instructions()), Message("user", text), rule]

    def _more(self, reply: RuleReply) -> Message:
        """Shows what a model asks to read.

        Raises:
            UnsoundReplyError: It was shown the whole document, or has read enough.
        """
        if not self._taken or self._reads == READS:
            raise UnsoundReplyError(["there is nothing more to read: decide now"])
        self._reads += 1
        document = self._shown.document
        budget = self._examiner.limits.view // 2
        more = retrieval.wanted(document, reply.read, self._taken, budget)
        self._taken |= more
        if not more:
            return Message("user", "There is nothing of that kind that you have not seen.")
        view = retrieval.excerpt(document, more, self._examiner.nonce)
        return Message("user", f"More of the document:\n{view}")

    async def _verified(self, reply: RuleReply) -> Finding:
        """Returns what an answer says once it is known to hold.

        Raises:
            UnsoundReplyError: It does not.
        """
        shown = self._shown
        name = self._examiner.model.name
        finding = answers.finding(reply, self._rule, shown.evidence, shown.document, name)
        if finding.operations:
            plan = EditPlan("edit", finding.reason, finding.operations, shown.view.snapshot)
            faults = await explained(self._examiner.check, shown.document)(plan)
            if faults:
                raise UnsoundReplyError([fault.message for fault in faults])
        return finding

    async def _settled(self, finding: Finding) -> Finding:
        """Returns a finding whose changes were confirmed where they reach far, and what was read.

        Raises:
            RefusedError: They go beyond the rule.
        """
        total = len(self._shown.document)
        seen = f"{len(self._taken)} of {total} blocks" if self._taken else "whole"
        finding = replace(finding, checked=seen)
        changes = tuple(one for one in finding.operations if not isinstance(one, AddComment))
        if not changes or not self._examiner.confirms:
            return finding
        plan = EditPlan("edit", finding.reason, changes)
        what = await asyncio.to_thread(extent, plan, self._shown.document, self._rule.text)
        if what:
            examiner = self._examiner
            asked = Conversation(examiner.model, examiner.deadline, [], examiner.limits.edit)
            try:
                await confirmed(asked, self._rule.text, None, what)
            finally:
                self.conversation.usage = self.conversation.usage + asked.usage
        return finding


@cache
def instructions() -> str:
    """Returns what a model is told of its work."""
    return Path(__file__).with_name("questions.md").read_text("utf-8").strip()
