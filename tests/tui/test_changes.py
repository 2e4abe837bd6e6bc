from __future__ import annotations

from datetime import UTC

import msgspec
import pytest

from redraft.tui.look import ASCII, Look
from redraft.tui.panes.change_lines import Context, difference, draw, with_whole_tokens
from redraft.tui.panes.change_view import Filter
from redraft.tui.session.state import moved, tally
from redraft.tui.text.runs import Run, text_of
from redraft.tui.transport.wire import Change, HistoryItem

SWAP = Change(
    id="7",
    kind="replacement",
    author="Alice Lee",
    date="2026-11-21T14:30:41Z",
    edit_uids=["e1"],
    where="4. Payment",
    before="30",
    after="45",
    lead="Payment is due within ",
    trail=" days after receipt of the invoice.",
)
BOLDER = Change(
    id="8",
    kind="format",
    edit_uids=["e1"],
    where="Obligations · keep user names and…",
    before="without delay",
    after="without delay",
    formatting=[("bold", "", "on")],
)
EDIT = HistoryItem(edit_uid="e1", instruction="change the term from 30 to 45 days")


def drawn(change: Change, mode: str = "inline", cells: int = 100, **values: bool) -> list[str]:
    context = Context({"e1": EDIT}, ("Alice Lee",), mode, UTC)  # type: ignore[arg-type]
    look = Look(ASCII, markers=True)
    lines = draw(change, 7, cells, look, context, leads=values.get("leads", False))
    return [text_of(line).rstrip() for line in lines]


def test_a_change_says_who_when_where_and_what() -> None:
    head, body, _ = drawn(SWAP)
    assert head.startswith("#7 Alice Lee  2026-11-21 14:30  4. Payment")
    assert head.endswith("replaced")
    assert body == "    Payment is due within [-30-]{+45+} days after receipt of the invoice."


@pytest.mark.parametrize(
    ("given", "whole"),
    [
        (
            ("within ", "thirty (30", "forty-five (45", ") days"),
            ("within ", "thirty (30)", "forty-five (45)", " days"),
        ),
        (
            ("a fee of £", "48,000", "52,500", " a year"),
            ("a fee of ", "£48,000", "£52,500", " a year"),
        ),
        (("a fee of £4", "8", "9", ",000 a year"), ("a fee of ", "£48,000", "£49,000", " a year")),
        (("the ", "4", "5", "th day"), ("the ", "4th", "5th", " day")),
        (("at ", "5", "7", "% interest"), ("at ", "5%", "7%", " interest")),
        (("see (", "Annex A)", "Annex B)", "."), ("see ", "(Annex A)", "(Annex B)", ".")),
        (
            ("within ", "thirty (30", "sixty", ") days"),
            ("within ", "thirty (30", "sixty", ") days"),
        ),
        (("in 2", "0", "", "26"), ("in 2", "0", "", "26")),
        (("at ", "5", "7", " mm of "), ("at ", "5 mm", "7 mm", " of ")),
        (("pay USD ", "48,000", "52,500", "."), ("pay ", "USD 48,000", "USD 52,500", ".")),
        (("within ", "30", "45", " days"), ("within ", "30", "45", " days")),
        (("shall ", "pay", "remit", " (30"), ("shall ", "pay", "remit", " (30")),
    ],
)
def test_numbers_and_brackets_are_shown_whole(
    given: tuple[str, str, str, str], whole: tuple[str, str, str, str]
) -> None:
    lead, before, after, trail = given
    change = with_whole_tokens(
        Change(id="1", kind="replacement", lead=lead, before=before, after=after, trail=trail)
    )
    assert (change.lead, change.before, change.after, change.trail) == whole
    assert change.lead + change.before + change.trail == lead + before + trail
    assert change.lead + change.after + change.trail == lead + after + trail


def test_a_change_is_drawn_with_whole_tokens() -> None:
    change = Change(
        id="1",
        kind="replacement",
        lead="in ",
        before="thirty (30",
        after="forty (40",
        trail=") days",
    )
    assert "[-thirty (30)-]{+forty (40)+} days" in drawn(change)[1]


def test_the_first_change_of_an_edit_shows_the_instruction() -> None:
    assert drawn(SWAP, leads=True)[1] == '    "change the term from 30 to 45 days"'


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("final", "    Payment is due within 45 days after receipt of the invoice."),
        ("original", "    Payment is due within 30 days after receipt of the invoice."),
    ],
)
def test_final_and_original_show_one_side(mode: str, words: str) -> None:
    assert drawn(SWAP, mode)[1] == words


def test_split_shows_both_sides_beside_each_other() -> None:
    rows = drawn(SWAP, "split")[1:-1]
    left = " ".join(row[4:].split(" | ")[0].strip() for row in rows)
    right = " ".join(row.split(" | ")[1].strip() for row in rows)
    assert left == "Payment is due within [-30-] days after receipt of the invoice."
    assert right == "Payment is due within {+45+} days after receipt of the invoice."


def test_the_left_of_split_is_the_original_text_and_the_right_the_final_one() -> None:
    change = msgspec.structs.replace(
        SWAP, original_lead="Payment falls due within ", original_trail=" days of the invoice."
    )
    rows = drawn(change, "split")[1:-1]
    left = " ".join(row[4:].split(" | ")[0].strip() for row in rows)
    right = " ".join(row.split(" | ")[1].strip() for row in rows)
    assert left == "Payment falls due within [-30-] days of the invoice."
    assert right == "Payment is due within {+45+} days after receipt of the invoice."
    assert drawn(change, "original")[1] == "    Payment falls due within 30 days of the invoice."


def test_a_bracket_that_another_change_brought_is_not_taken_into_this_one() -> None:
    change = Change(
        id="1",
        kind="replacement",
        lead="within ",
        before="thirty (30",
        after="sixty (60",
        trail=") days",
        original_lead="within ",
        original_trail="] days",
    )
    assert with_whole_tokens(change) == change


def test_split_falls_back_to_inline_where_it_does_not_fit() -> None:
    assert drawn(SWAP, "split", cells=60) == drawn(SWAP, "inline", cells=60)


def test_formatting_is_shown_as_old_and_new() -> None:
    change = Change(
        id="8",
        kind="format",
        formatting=[("bold", "off", "on"), ("size", "10 pt", "11 pt")],
        lead="the ",
        trail="price",
    )
    assert drawn(change)[1:3] == [
        "    the price",
        "    bold: [-off-] -> {+on+}   size: [-10 pt-] -> {+11 pt+}",
    ]


@pytest.mark.parametrize("mode", ["inline", "split", "final", "original"])
def test_words_that_only_look_different_are_shown_once(mode: str) -> None:
    assert drawn(BOLDER, mode)[1:] == ["    without delay", "    bold: as styled -> {+on+}", ""]


def test_a_format_taken_off_goes_back_to_the_style() -> None:
    plainer = msgspec.structs.replace(BOLDER, formatting=[("bold", "on", "")])
    assert drawn(plainer)[2] == "    bold: [-on-] -> as styled"


def test_one_line_of_a_format_change_says_what_is_different() -> None:
    line = text_of(difference(BOLDER, 100, Look(ASCII, markers=True)))
    assert line.strip() == "+- without delay  bold: as styled -> {+on+}"


@pytest.mark.parametrize(
    ("kind", "before", "after", "said"),
    [
        ("row", "", "Tea\n2\n£3", "row inserted"),
        ("row", "Tea\n2\n£3", "", "row deleted"),
        ("cell", "", "Notes", "column inserted"),
        ("table", "A\nB", "", "table deleted"),
        ("move", "Words", "", "moved away"),
        ("move", "", "Words", "moved here"),
        ("paragraph", "", "", "paragraph mark"),
    ],
)
def test_the_kind_says_in_which_direction(kind: str, before: str, after: str, said: str) -> None:
    change = msgspec.structs.replace(SWAP, kind=kind, before=before, after=after)
    assert drawn(change)[0].endswith(f"  {said}")


def test_a_row_is_shown_by_its_cells_and_named_by_its_place() -> None:
    row = Change(
        id="3",
        kind="row",
        edit_uids=["e1"],
        where="Fees › Table 1, row 3 · Tea2£3",  # noqa: RUF001 - as the service writes it
        before="Tea\n2\n£3",
    )
    head, body, _ = drawn(row)
    assert "Fees › Table 1, row 3  " in head  # noqa: RUF001
    assert "Tea2" not in head
    assert body == "    [-Tea | 2 | £3-]"


def test_a_column_is_called_so_and_named_by_its_place() -> None:
    column = Change(
        id="3",
        kind="cell",
        edit_uids=["e1"],
        where="Fees › Table 1, row 1, column 2 · Unit",  # noqa: RUF001 - as the service writes it
        before="Unit\nDay\nDay",
    )
    head, body, _ = drawn(column)
    assert "Fees › Table 1, column 2  " in head  # noqa: RUF001
    assert head.endswith("column deleted")
    assert body == "    [-Unit | Day | Day-]"
    assert tally([column]) == "1 column deleted"


def test_a_single_cell_of_somebody_else_is_no_column() -> None:
    cell = Change(id="3", kind="cell", where="Table 1, row 2, column 2 · Day", after="Day")
    assert "Table 1, row 2, column 2" in drawn(cell)[0]
    assert drawn(cell)[0].endswith("cell inserted")
    assert tally([cell]) == "1 cell inserted"


def test_both_ends_of_a_move_are_called_so() -> None:
    ends = [
        Change(id="1", kind="insertion", edit_uids=["e1"], after="Notices\nText"),
        Change(id="2", kind="deletion", edit_uids=["e1"], before="Notices\nText"),
        Change(id="3", kind="deletion", edit_uids=["e2"], before="Notices\nText"),
    ]
    context = Context({}, (), "inline", UTC, moved(ends))
    heads = [text_of(draw(each, 1, 60, Look(), context, leads=False)[0]) for each in ends]
    assert [head.split()[-2:] for head in heads] == [
        ["moved", "here"],
        ["moved", "away"],
        ["#1", "deleted"],
    ]


def test_a_paragraph_mark_is_drawn_where_it_is() -> None:
    change = Change(id="1", kind="paragraph", lead="one", trail="two")
    assert drawn(change)[1] == "    one[para]two"


def test_a_foreign_change_is_labelled() -> None:
    assert "from the file - inserted" in drawn(Change(id="9", kind="insertion", after="x"))[0]


@pytest.mark.parametrize(
    ("after", "shown"), [(" ", "{+_+}"), ("\n", "{+[para]+}"), ("a\nb", "{+a[para] b+}")]
)
def test_white_space_that_changed_can_be_seen(after: str, shown: str) -> None:
    assert drawn(Change(id="9", kind="insertion", after=after))[1].strip() == shown


def test_a_header_is_named_as_such() -> None:
    assert (
        "header: first page"
        in drawn(Change(id="1", kind="insertion", story="header", where="first page"))[0]
    )


@pytest.mark.parametrize(
    ("chosen", "passes"),
    [
        (Filter(), True),
        (Filter(author="Alice Lee"), True),
        (Filter(author="Bob"), False),
        (Filter(kind="replacement"), True),
        (Filter(kind="format"), False),
        (Filter(edit="e1"), True),
        (Filter(edit="e2"), False),
    ],
)
def test_a_filter_takes_by_author_kind_and_edit(chosen: Filter, passes: bool) -> None:
    assert chosen.takes(SWAP) is passes


def test_struck_and_inserted_words_have_their_roles() -> None:
    context = Context({}, (), "inline", UTC)
    lines = draw(SWAP, 7, 100, Look(), context, leads=False)
    roles = {run.text: run.role for run in lines[1]}
    assert roles["30"] == "del"
    assert roles["45"] == "ins"
    assert Run("30", "del", 8) in lines[1]
