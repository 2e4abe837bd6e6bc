"""Controls that go with their paragraph: ranges around their tags, as Word writes them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.plan import (
    DeleteBlocks,
    InsertBlocks,
    MoveBlocks,
    NewBlock,
    ReplaceText,
    RewriteBlock,
)
from redraft.engine.report import Selection
from tests import libreoffice
from tests.engine.redlining import Draft
from tests.engine.schema import errors
from tests.engine.wordml import p, r, table
from tests.oracle import accept, judged, keep

ALL = Selection(all=True)
AUTHOR = 'w:author="Ann" w:date="2026-01-01T00:00:00Z"'


def sdt(content: str) -> str:
    held = f"<w:sdtContent>{content}</w:sdtContent>" if content else "<w:sdtContent/>"
    return f'<w:sdt><w:sdtPr><w:tag w:val="fee"/></w:sdtPr>{held}</w:sdt>'


def ends(body: str) -> list[str]:
    """The tags of controls and of the ranges around them, in order, runs as `r`."""
    found: list[str] = re.findall(r"<(/?w:(?:sdt|sdtContent|r|customXml\w+))(?=[ />])", body)
    short = {"w:customXmlDelRangeStart": "start", "w:customXmlDelRangeEnd": "end"}
    names = [short.get(name, name.replace("w:", "")) for name in found]
    return [name for name in names if name not in ("/r",)]


def laws(draft: Draft, made: Draft, plain: Draft | None = None) -> None:
    """Rejecting gives the original, accepting the untracked edit; all are valid."""
    assert set(errors(made.data)) <= set(errors(draft.data))
    assert judged(made.decide("reject", ALL).data, keep) == judged(draft.data, keep)
    accepted = made.decide("accept", ALL)
    assert judged(accepted.data, keep) == judged(made.data, accept)
    assert "customXml" not in accepted.body
    if plain is not None:
        assert judged(plain.data, keep) == judged(accepted.data, keep)
        assert plain.body == accepted.body


FEE = p("Fee: ", sdt(r("10")), " net")
NESTED = p("a ", sdt(r("b ") + sdt(r("c")) + r(" d")), " e")
TWO = p(sdt(r("one")), sdt(r("two")))
LINKED = p(f'<w:hyperlink w:anchor="x">{sdt(r("in a link"))}</w:hyperlink>')
EMPTY = p("a ", sdt(""))


def test_a_range_stands_around_each_tag_of_a_control_that_is_deleted() -> None:
    made = Draft.of(FEE, p("text")).edit(DeleteBlocks("p1", "p1"))
    inner = ["start", "sdt", "sdtContent", "end", "r", "start", "/sdtContent", "/sdt", "end"]
    assert ends(made.body) == ["r", *inner, "r", "r"]
    assert len(made.changes) == 1
    assert (made.changes[0].kind, made.changes[0].before) == ("deletion", "Fee: 10 net")
    assert made.report is not None
    assert made.report.warnings == ()


@pytest.mark.parametrize("held", [FEE, NESTED, TWO, LINKED, EMPTY])
@pytest.mark.parametrize("at", ["first", "middle", "last"])
def test_accepting_takes_the_controls_off_and_rejecting_the_ranges(held: str, at: str) -> None:
    others: dict[str, tuple[list[str], list[str]]] = {
        "first": ([], [p("x")]),
        "middle": ([p("x")], [p("y")]),
        "last": ([p("x")], []),
    }
    before, behind = others[at]
    draft = Draft.of(*before, held, *behind)
    anchor = f"p{len(before) + 1}"
    made = draft.edit(DeleteBlocks(anchor, anchor))
    laws(draft, made, draft.edit(DeleteBlocks(anchor, anchor), tracked=False))
    assert "<w:sdt>" not in made.decide("accept", ALL).body
    assert made.decide("reject", ALL).body == draft.body
    assert len(made.changes) == 1
    assert not reader.controls(Package.open(made.data))


def test_no_two_ranges_overlap_around_nested_controls() -> None:
    made = Draft.of(NESTED, p("x")).edit(DeleteBlocks("p1", "p1"))
    opened: list[str] = []
    for name, number in re.findall(r'<w:customXmlDelRange(\w+) w:id="(\d+)"', made.body):
        assert opened == ([] if name == "Start" else [number])
        opened = [number] if name == "Start" else []
    assert made.body.count("customXmlDelRangeStart") == 4


def test_the_paragraph_of_a_cell_stays_and_its_control_goes() -> None:
    held = table(["a", "b"]).replace(p("b"), FEE)
    draft = Draft.of(held, p("x"))
    anchor = "t1.r1.c2.p1"
    made = draft.edit(DeleteBlocks(anchor, anchor))
    laws(draft, made, draft.edit(DeleteBlocks(anchor, anchor), tracked=False))
    assert "<w:sdt>" not in made.decide("accept", ALL).body


def test_words_that_come_back_bring_their_control_back() -> None:
    draft = Draft.of(p("one"), FEE, p("end"))
    made = draft.edit(DeleteBlocks("p2", "p2"))
    again = made.edit(InsertBlocks("p1", "after", (NewBlock("like_anchor", "Fee: 10 net"),)))
    laws(draft, again)
    cell = Draft.of(table(["a", "b"]).replace(p("b"), FEE), p("x"))
    emptied = cell.edit(DeleteBlocks("t1.r1.c2.p1", "t1.r1.c2.p1"))
    filled = emptied.edit(RewriteBlock("t1.r1.c2.p1", "Fee: 10 net"))
    laws(cell, filled)
    assert filled.body == cell.body


@pytest.mark.parametrize("held", [FEE, NESTED, TWO])
def test_a_control_that_is_moved_comes_and_goes_by_ranges(held: str) -> None:
    draft = Draft.of(held, p("b"), p("c"))
    made = draft.edit(MoveBlocks("p1", "p1", "p2", "after"))
    plain = draft.edit(MoveBlocks("p1", "p1", "p2", "after"), tracked=False)
    laws(draft, made, plain)
    count = held.count("<w:sdt>")
    assert made.decide("accept", ALL).body.count("<w:sdt>") == count
    assert made.body.count("customXmlInsRangeStart") == 2 * count
    assert len(made.changes) == 2
    around = made.edit(ReplaceText("p3", made.accepted[1].split()[0], "All"))
    laws(draft, around)
    starts = re.findall(r'<w:customXml(\w+)RangeStart w:id="(\d+)"', around.body)
    assert sorted(starts) == sorted(
        re.findall(r'<w:customXml(\w+)RangeEnd w:id="(\d+)"', around.body)
    )
    gone = made.edit(DeleteBlocks("p3", "p3"))
    laws(draft, gone)
    assert "customXmlIns" not in gone.body
    back = made.edit(MoveBlocks("p3", "p3", "p2", "before"))
    laws(draft, back)
    # What an inserted control holds is compared by its words, not by the controls in it.
    assert (back.body == draft.body) is (held is not NESTED)


def test_words_in_the_control_and_the_paragraph_are_decided_on_apart() -> None:
    draft = Draft.of(FEE, p("text"))
    made = draft.edit(ReplaceText("p1", "10", "20")).edit(DeleteBlocks("p1", "p1"))
    assert len(made.changes) == 1
    for uid in ("e1", "e2"):
        accepted = made.decide("accept", Selection(edit_uid=uid))
        assert judged(accepted.data, accept) == judged(made.data, accept)
        rejected = made.decide("reject", Selection(edit_uid=uid))
        assert rejected.rejected == made.original
        assert judged(rejected.decide("reject", ALL).data, keep) == judged(draft.data, keep)


def test_what_another_author_deleted_keeps_the_ranges_of_that_author() -> None:
    others = (
        f'<w:customXmlDelRangeStart w:id="1" {AUTHOR}/><w:sdt><w:sdtPr/><w:sdtContent>'
        f'<w:customXmlDelRangeEnd w:id="1"/><w:del w:id="2" {AUTHOR}><w:r><w:delText>10</w:delText>'
        f'</w:r></w:del><w:customXmlDelRangeStart w:id="3" {AUTHOR}/></w:sdtContent></w:sdt>'
        '<w:customXmlDelRangeEnd w:id="3"/>'
    )
    draft = Draft.of(p("Fee: ", others, " net"), p("x"))
    made = draft.edit(DeleteBlocks("p1", "p1"))
    assert made.body.count("customXmlDelRangeStart") == 2
    assert made.rejected == made.original
    assert made.decide("reject", Selection(author="us")).body == draft.body
    assert [change.before for change in draft.changes] == ["10"]


@pytest.mark.parametrize("action", ["accept", "reject"])
def test_libreoffice_reads_the_same_words(
    action: libreoffice.Action, soffice: Path, tmp_path: Path
) -> None:
    draft = Draft.of(p("one"), FEE, NESTED, p("end"))
    made = draft.edit(DeleteBlocks("p2", "p3"))
    file = tmp_path / "made.docx"
    file.write_bytes(made.data)
    said = libreoffice.text(str(soffice), file, action, tmp_path)
    wanted = ["one", "end"] if action == "accept" else ["one", "Fee: 10 net", "a b c d e", "end"]
    assert [line for line in said.splitlines() if line] == wanted
