"""An edit that does not pass is tried in another way; else the refusal names the place."""

from __future__ import annotations

import pytest

from redraft.engine.errors import RefusedError, VerificationError
from redraft.engine.model import Paragraph, Text
from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.edit.strategies import Strategy, in_the_way
from redraft.engine.pdf.glyphs import content_interpreter
from redraft.engine.pdf.glyphs.edited_words import Change
from redraft.engine.pdf.glyphs.target_blocks import Target, known_in
from redraft.engine.pdf.resolved_edits import Edits
from redraft.engine.pdf.typeset import page_edit
from redraft.engine.pdf.verify.wording import MisreadError
from redraft.engine.plan import EditPlan, FindReplace
from redraft.engine.report import EditReport, Signature
from tests.engine.pdf.stream.streams import pdf

BY_ANN = Signature("u1", "Ann Lee", "2026-11-22T06:30:00Z", tracked=False)
TERMS = (
    ("Cyber-", ": Claiming Internet rights of hummus mammoths"),
    ("squatting", "all still, that will sell it all, illicitly."),
    ("DNS", ": Domain names into other addresses there"),
    ("DoC", ": Department of Commerce, in short, here"),
    ("ENISA", ": A European agency for the security"),
    ("ETSI", ": A European institute for standards"),
    ("EULA", ": End user license agreements, and so on"),
    ("FIRST", ": A forum of teams that respond to it"),
)
CELL = "p1.b1.r1.c2.b1"


def glossary() -> bytes:
    """A table without rules, whose first row is two lines high."""
    parts: list[str] = []
    y = 270
    for number, (term, meaning) in enumerate(TERMS):
        inset = 5 if number == 1 else 0
        parts.append(f"BT /F1 10 Tf 20 {y} Td ({term}) Tj ET")
        parts.append(f"BT /F1 10 Tf {90 + inset} {y} Td ({meaning}) Tj ET")
        y -= 22 if number else 12
    return pdf(" ".join(parts).encode("ascii"))


def everywhere(data: bytes, find: str, replace: str) -> tuple[bytes, EditReport]:
    return apply(data, EditPlan("edit", "", (FindReplace(find, replace),)), BY_ANN)


def test_a_cell_that_would_read_as_two_rows_keeps_its_lines_and_is_set_narrower() -> None:
    data, report = everywhere(glossary(), "Internet", "network")
    before, after = known_in(glossary()), known_in(data)
    assert [each.anchor for each in after] == [each.anchor for each in before]
    texts = {each.anchor: each.text for each in after}
    assert texts[CELL].startswith(": Claiming network rights of hummus mammoths all still")
    assert report.warnings == ("The text on page 1 was set 1 % narrower to make room",)


def test_another_way_reads_no_page_again(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []

    def counted(*arguments: object) -> object:
        read.append(arguments)
        return content_interpreter.interpret(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(page_edit, "interpret", counted)
    _, report = everywhere(glossary(), "Internet", "network")
    assert report.warnings
    assert len(read) == 1


def test_a_refusal_of_many_changes_names_the_place_and_counts_the_others() -> None:
    mirrored = b" BT /F1 10 Tf -1 0 0 1 200 150 Tm (The fee of one) Tj ET"
    data = pdf(
        b"BT /F1 10 Tf 20 250 Td (The fee of two) Tj ET BT /F1 10 Tf 20 200 Td (The fee) Tj ET"
        + mirrored
    )
    with pytest.raises(RefusedError) as caught:
        everywhere(data, "fee", "sum")
    message = str(caught.value)
    assert message.startswith("The text on page 1 is drawn mirrored and cannot be edited. In the")
    assert 'on page 1 ("The fee of one"). The other 2 of the 3 paragraphs can be' in message
    assert message.endswith("say in which sections, tables or paragraphs")
    everywhere(pdf(mirrored.replace(b"-1 0 0 1 200", b"1 0 0 1 200")), "fee", "sum")


def block(number: int, page: int = 0, text: str = "A fee") -> Target:
    anchor = f"p{page + 1}.b{number}"
    return Target(anchor, page, text, "", Paragraph(anchor, (Text(text),)))


KNOWN = [block(number, page) for page in range(3) for number in range(1, 4)]
EDITS = Edits({each.anchor: [Change(2, 5, "sum")] for each in KNOWN})


@pytest.mark.parametrize(
    ("anchors", "said"),
    [
        (["p1.b1"], 'p1.b1 on page 1 ("A fee"). The other 8 of the 9 paragraphs'),
        (["p1.b1", "p3.b2"], 'page 1 ("A fee") and p3.b2 on page 3 ("A fee"). The other 7 of'),
        (["p1.b1", "p1.b2", "p1.b3", "p2.b1"], 'p1.b3 on page 1 ("A fee") and 1 more. The other 5'),
        (["p1.b1", "p1.b2", "p1.b3", "p2.b1", "p2.b2"], "and 2 more. The other 4 of the 9"),
    ],
)
def test_up_to_three_places_are_named(anchors: list[str], said: str) -> None:
    assert said in in_the_way("There is no room", anchors, EDITS, KNOWN)


def test_nothing_is_said_of_others_where_there_are_none() -> None:
    alone = Edits({"p1.b1": [Change(2, 5, "sum")]})
    assert in_the_way("No room", ["p1.b1"], alone, KNOWN) == "No room"
    every = list(EDITS.changes)
    assert in_the_way("No room", every, EDITS, KNOWN) == "No room"
    long = [block(1, text="One of the longest paragraphs of all of them"), *KNOWN[1:]]
    assert '("One of the longest paragraphs…")' in in_the_way("No", ["p1.b1"], EDITS, long)


def test_what_is_read_otherwise_keeps_its_lines_and_nothing_else_changes() -> None:
    error = MisreadError("It reads otherwise", ["p2.b1"])
    way = Strategy().other(error, {}, EDITS, KNOWN)
    assert way == Strategy(frozen=frozenset({"p2.b1"}))
    assert way.other(error, {}, EDITS, KNOWN) == way
    assert Strategy().other(VerificationError("Pixels"), {}, EDITS, KNOWN) == Strategy()
