from __future__ import annotations

from datetime import UTC

import pytest

from tui.change_lines import Context, draw
from tui.change_view import Filter
from tui.look import ASCII, Look
from tui.runs import Run, text_of
from tui.wire import Change, HistoryItem

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
    assert drawn(change)[1:4] == [
        "    the price",
        "    bold: [-off-] -> {+on+}",
        "    size: [-10 pt-] -> {+11 pt+}",
    ]


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
