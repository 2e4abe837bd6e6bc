"""How many tokens the first request of an edit is: rules, document, instruction and schema.

    python scripts/request_tokens.py            # the table of CASES, documents of the corpus
    python scripts/request_tokens.py FILE WORDS # one document, one instruction

No model is asked. A token is counted as a quarter of the characters, as the planner counts.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from redraft.engine.engine_calls import EngineCalls
from redraft.engine.errors import EditError, ModelError
from redraft.engine.instruct import Instruction, instruct
from redraft.engine.planner.model import Answer, Models, Question
from redraft.engine.planner.view import tokens
from redraft.engine.report import StoredVersion
from tests.documents import corpus_folder

CASES = (
    ("docx/unstructured__handbook-872p.docx", 'Change "sick leave" to "medical leave" in the rest'),
    ("docx/unstructured__handbook-872p.docx", "The parking fee is 40 dollars now"),
    ("docx/poi__stress008.docx", "Say thirty days instead of twenty where notice is given"),
    ("docx/poi__stress010.docx", "Rename Mr Smith to Ms Jones in the introduction"),
    ("docx/tika__017091.docx", "Make the second heading shorter"),
    ("docx/oxsdk__Business-Plan-for-a-Startup-Business_July.docx", "Translate it into German"),
    ("docx/oxsdk__2007.docx", "Correct the typos"),
    ("docx/docxeditor__Form025U.docx", "Fill in the name: Ada Lovelace"),
    ("docx/docx4j__docx4j_IndividualContributor.docx", "Make the text shorter"),
    ("pdf/docling__normal_4pages.pdf", "Change the year to 2030"),
    ("pdf/officebench__Invoice_2.pdf", "The invoice number is 4711"),
)


class _Recorder:
    """A model that takes a question down and answers nothing."""

    name = "recorder"

    def __init__(self) -> None:
        self.question: Question | None = None

    async def answer(self, question: Question, deadline: float) -> Answer:
        self.question = question
        raise ModelError("", passing=False)

    def misread(self) -> None:
        """Does nothing."""


def first_request(document: Path, words: str) -> tuple[int, int, int, int]:
    """Returns the tokens of the rules, the view, what stands behind it, and the schema."""
    recorder = _Recorder()
    calls = EngineCalls(StoredVersion(document), tracked=True)
    models = Models(recorder, plain_first=False)

    async def ask() -> None:
        deadline = asyncio.get_running_loop().time() + 300
        try:
            await instruct(calls, models, Instruction(words, None, deadline, "N0nce"))
        except EditError:
            return

    asyncio.run(ask())
    if recorder.question is None:
        return 0, 0, 0, 0
    rules, view, *rest = (tokens(message.content) for message in recorder.question.messages)
    schema = json.dumps(recorder.question.schema, separators=(",", ":"))
    return rules, view, sum(rest), tokens(schema)


def main(arguments: list[str]) -> None:
    """Prints a line for each case."""
    folder = corpus_folder()
    if arguments:
        cases = [(Path(arguments[0]), " ".join(arguments[1:]))]
    elif folder is None:
        raise SystemExit("no corpus")
    else:
        cases = [(folder / name, words) for name, words in CASES]
    print("  rules    view   words  schema   total")
    for document, words in cases:
        counts = first_request(document, words)
        line = " ".join(f"{count:7,}" for count in (*counts, sum(counts)))
        print(f"{line}  {document.name}: {words}")


if __name__ == "__main__":
    main(sys.argv[1:])
