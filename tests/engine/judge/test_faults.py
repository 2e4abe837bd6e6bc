"""Faults put into the resolver, the writer, the fold and accepting: each must be refused."""

from __future__ import annotations

import pytest

from redraft.engine.docx import apply
from redraft.engine.errors import EngineError, VerificationError
from redraft.engine.plan import EditPlan, Operation
from redraft.engine.report import Signature
from tests.engine.judge.faults import FAULTS, Fault
from tests.engine.wordml import (
    abstract_num,
    docx,
    footnote,
    heading_style,
    level,
    listed,
    note,
    num,
    p,
    picture,
    r,
    style,
    table,
    textbox,
)

OPTIONS = "".join(
    f'<w:listItem w:displayText="{name}" w:value="{name[0].lower()}"/>'
    for name in ("Green", "Red", "Blue")
)


def control(kind: str, text: str) -> str:
    """A content control among words."""
    return f"<w:sdt><w:sdtPr>{kind}</w:sdtPr><w:sdtContent>{r(text)}</w:sdtContent></w:sdt>"


BODY = (
    p("Agreement", style="Heading1")
    + p("Some plain words stand here.")
    + p(
        r("The Seller and "),
        r("the Buyer", "<w:b/>"),
        r(" pays "),
        r("the price."),
        style="Body",
    )
    + p("The Seller and the Buyer agree on the price.")
    + p("The third of the Sellers.")
    + p("A target for moves.")
    + listed("First item")
    + p(r("It says"), note("2"), r(" this"), note("3"), r("."))
    + p(r("It shows "), picture("rId7", alt="A duck"), r(" and "), picture("rId8", alt="A hen"))
    + table(["a1", "b1"], ["a2", "b2"], ["a3", "b3"])
    + p("Last words.")
    + table(["c1", "d1"], ["c2", "d2"])
    + p("The end.")
    + p("Name: ", control("<w:text/>", "name"))
    + p("Colour: ", control(f"<w:dropDownList>{OPTIONS}</w:dropDownList>", "Green"))
    + p("A box ", textbox(p("Boxed words.")))
)
DOCUMENT = docx(
    BODY,
    styles=heading_style(1) + heading_style(2) + style("Body") + style("Quote"),
    numbering=abstract_num(1, *(level(n, "•", "bullet") for n in range(9))) + num(1, 1),
    footnotes=footnote("2", p("The Seller's note.")) + footnote("3", p("Another note.")),
    relations={"rId7": ("image", "media/image1.png"), "rId8": ("image", "media/image2.png")},
    media={"media/image1.png": b"one", "media/image2.png": b"two"},
)


def edited(
    operation: Operation, data: bytes, state: bytes, *, tracked: bool
) -> tuple[bytes, bytes]:
    signature = Signature("edit", "Ann", "2026-05-01T10:00:00Z", tracked=tracked)
    plan = EditPlan("edit", "", (operation,))
    edited, report = apply.apply(data, state, plan, signature)
    assert report.applied
    return edited, report.state


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_refused(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    data, state = DOCUMENT, b""
    if fault.after is not None:
        data, state = edited(fault.after, data, state, tracked=True)
    right, _ = edited(fault.operation, data, state, tracked=fault.tracked)
    fault.breaks(monkeypatch)
    try:
        wrong, _ = edited(fault.operation, data, state, tracked=fault.tracked)
    except VerificationError:
        return
    except EngineError as error:
        pytest.fail(f"the fault was refused before it did damage: {error}")
    assert wrong != right, "the fault does no damage here"
    pytest.fail("the fault was saved")


def test_there_are_at_least_sixty_faults() -> None:
    assert len({fault.name for fault in FAULTS}) >= 60
