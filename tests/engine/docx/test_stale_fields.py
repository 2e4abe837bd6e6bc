"""An edit says which computed words it left out of date."""

from __future__ import annotations

import pytest

from redraft.engine.docx.stale_fields import CONTENTS, REFERENCES
from redraft.engine.plan import DeleteBlocks, Operation, ReplaceText
from tests.engine.redlining import Draft
from tests.engine.wordml import abstract_num, field, heading_style, level, listed, num, p

CONTRACT = (
    p(field(r"TOC \o", "Term 2"))
    + p("Term", style="Heading1")
    + listed("It ends.")
    + listed("It stays.")
    + p("See ", field(r"REF _x \r", "2"))
)
NUMBERING = abstract_num(1, level(0, "%1.")) + num(1, 1)


@pytest.mark.parametrize(
    ("operation", "warnings"),
    [
        (ReplaceText("p2", "Term", "Duration"), (CONTENTS,)),
        (ReplaceText("p3", "ends", "stops"), ()),
        (DeleteBlocks("p3", "p3"), (REFERENCES,)),
        (ReplaceText("p5", "See", "Read"), ()),
    ],
)
def test_stale_fields_are_said(operation: Operation, warnings: tuple[str, ...]) -> None:
    draft = Draft.of(CONTRACT, numbering=NUMBERING, styles=heading_style(1)).edit(operation)
    assert draft.report is not None
    assert draft.report.warnings == warnings
