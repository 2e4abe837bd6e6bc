"""Headers and footers that a plan writes into by their kind."""

from __future__ import annotations

import pytest

from redraft.engine.docx.opc.package import Package
from redraft.engine.plan import InsertBlocks, NewBlock
from redraft.engine.report import Selection
from tests.engine.redlining import Draft
from tests.engine.wordml import SECTION, p
from tests.oracle import members

NEW = (NewBlock("paragraph", "Confidential"), NewBlock("paragraph", "Page two"))


@pytest.mark.parametrize("kind", ["header", "footer"])
def test_a_missing_header_is_made_and_its_text_is_tracked(kind: str) -> None:
    draft = Draft.of(p("One"), p("Two"))
    made = draft.edit(InsertBlocks(kind, "after", NEW))
    assert [(c.story, c.after) for c in made.changes] == [(kind, "Confidential\nPage two")]
    assert made.report is not None
    assert "cannot track" in made.report.warnings[0]
    assert f"word/{kind}.xml" in members(made.data)
    assert made.body.count(f"<w:{kind}Reference") == 1
    empty = made.decide("reject", Selection(all=True))
    assert Package.open(empty.data).read(f"word/{kind}.xml").count(b"<w:t") == 0


def test_only_the_reference_is_new_in_the_main_part() -> None:
    draft = Draft.of(p("One"))
    made = draft.edit(InsertBlocks("header", "after", NEW))
    before, _, after = made.body.partition("<w:headerReference")
    assert before + after.partition("/>")[2] == draft.body


@pytest.mark.parametrize("section", [SECTION, "<w:sectPr/>"])
def test_an_existing_header_is_written_into(section: str) -> None:
    draft = Draft.of(p("One"), section=section).edit(InsertBlocks("header", "after", NEW))
    again = draft.edit(InsertBlocks("header", "before", (NewBlock("paragraph", "Top"),)))
    assert [c.after for c in again.changes] == ["Top\nConfidential\nPage two"]
    assert again.report is not None
    assert again.report.warnings == ()
