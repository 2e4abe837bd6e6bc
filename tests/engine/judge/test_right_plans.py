"""Plans that are carried out rightly, and that the judge of law 2 took for faults."""

from __future__ import annotations

import pytest

from redraft.engine.plan import (
    AddComment,
    DeleteImage,
    FindReplace,
    MoveBlocks,
    Operation,
    ReplaceText,
    RewriteBlock,
    SetAltText,
    SetList,
    SetStyle,
)
from tests.engine.redlining import Draft
from tests.engine.wordml import abstract_num, level, num, p, picture, r, style

BULLETS = abstract_num(1, level(0, "•", "bullet")) + num(1, 1)
LISTED = style("List", name="List Bullet", ppr='<w:numPr><w:numId w:val="1"/></w:numPr>')
SECTION = '<w:sectPr><w:type w:val="continuous"/></w:sectPr>'
EQUATION = "<m:oMath><m:r><m:t>{}</m:t></m:r></m:oMath>"


@pytest.mark.parametrize(
    ("blocks", "plan"),
    [
        pytest.param(
            [p("An inserted line here.")],
            [
                AddComment("p1", "inserted line", "Is this so?"),
                FindReplace("line", "row"),
                ReplaceText("p1", "inserted", "new"),
            ],
            id="words under a new comment change",
        ),
        pytest.param(
            [p("see http:/ there")],
            [AddComment("p1", "http:/", "Is this so?"), FindReplace(":", "alpha beta")],
            id="a part of the words under a new comment changes",
        ),
        pytest.param(
            [p("one"), p("A link here"), p("three")],
            [MoveBlocks("p2", "p2", "p3", "after"), AddComment("p2", "link", "Is this so?")],
            id="a comment on a block that is moved",
        ),
        pytest.param(
            [p("one"), p(properties=SECTION), p("two"), p(properties=SECTION), p("three")],
            [MoveBlocks("p4", "p4", "p1", "after")],
            id="an empty paragraph that ends a section is moved before another one",
        ),
        pytest.param(
            [p("one"), p("two", picture("rId7", alt="A duck"))],
            [DeleteImage("im1"), SetAltText("im1", "A hen")],
            id="a picture is described and deleted",
        ),
        pytest.param(
            [p("one"), p("two"), p("three")],
            [SetList("p1", "p2", "none"), SetStyle("p1", "p2", "List Bullet")],
            id="a style that makes a list after the list is taken off",
        ),
        pytest.param(
            [p("one"), p("two"), p("three")],
            [SetList("p1", "p2", "numbered"), SetStyle("p1", "p3", "List Bullet")],
            id="a style that makes another list",
        ),
        pytest.param(
            [p(EQUATION.format("x"), r(" and "), EQUATION.format("y"), r(" are old"))],
            [RewriteBlock("p1", "Now ⟦eq1:x⟧ or ⟦eq2:y⟧ are new")],
            id="equations among new words",
        ),
    ],
)
@pytest.mark.parametrize("tracked", [True, False])
def test_a_plan_that_is_carried_out_passes(
    blocks: list[str], plan: list[Operation], *, tracked: bool
) -> None:
    draft = Draft.of(
        *blocks,
        styles=LISTED,
        numbering=BULLETS,
        relations={"rId7": ("image", "media/image1.png")},
        media={"media/image1.png": b"one"},
    )
    made = draft.edit(*plan, tracked=tracked)
    assert made.report is not None
    assert made.report.applied
