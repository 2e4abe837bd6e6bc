from __future__ import annotations

from datetime import UTC, datetime

import pytest

from redraft.tui.clock import elapsed, shown_date
from redraft.tui.session.state import redoable, remaining, shown_size, shown_ttl, tally, undoable
from redraft.tui.transport.wire import Change, DocumentInfo, HistoryItem


def item(uid: str, kind: str = "edit", state: str = "applied") -> HistoryItem:
    return HistoryItem(edit_uid=uid, kind=kind, state=state)


@pytest.mark.parametrize(
    ("history", "last"),
    [
        ([], None),
        ([item("a"), item("b")], "b"),
        ([item("a"), item("b", state="failed")], "a"),
        ([item("a"), item("b"), item("u", "undo")], "a"),
        ([item("a"), item("u", "undo")], None),
        ([item("a"), item("u", "undo"), item("r", "redo")], "a"),
        ([item("a"), item("u", "undo"), item("b"), item("r", "redo")], "b"),
        ([item("a"), item("x", "reject", "done")], "x"),
    ],
)
def test_undo_names_what_it_takes_back(history: list[HistoryItem], last: str | None) -> None:
    found = undoable(history)
    assert (None if found is None else found.edit_uid) == last


@pytest.mark.parametrize(
    ("history", "next_one"),
    [
        ([item("a")], None),
        ([item("a"), item("u", "undo")], "a"),
        ([item("a"), item("b"), item("u", "undo"), item("v", "undo")], "a"),
        ([item("a"), item("u", "undo"), item("b")], None),
    ],
)
def test_redo_names_what_it_brings_back(history: list[HistoryItem], next_one: str | None) -> None:
    undone = redoable(history)
    assert (None if undone is None else undone.edit_uid) == next_one


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (None, ""),
        (-3, "0:00"),
        (59.9, "0:59"),
        (300, "5:00"),
        (301, "5 m"),
        (3600, "60 m"),
        (5999, "99 m"),
        (21600, "6 h 00"),
    ],
)
def test_time_left_is_minutes_until_the_last_five(seconds: float | None, shown: str) -> None:
    assert shown_ttl(seconds) == shown


def test_the_time_left_is_counted_from_the_servers_clock() -> None:
    info = DocumentInfo(doc_id="a", name="a", expires_at=datetime(2026, 1, 1, 0, 1, tzinfo=UTC))
    now = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
    assert remaining(info, now) == 60


@pytest.mark.parametrize(
    ("count", "shown"), [(900, "900 B"), (20_782, "20 KB"), (10 * 1024 * 1024, "10.0 MB")]
)
def test_sizes_are_written_for_people(count: int, shown: str) -> None:
    assert shown_size(count) == shown


def test_a_tally_leaves_out_what_there_is_none_of() -> None:
    changes = [
        Change(id="1", kind="replacement", before="a", after="b"),
        Change(id="2", kind="insertion", after="c"),
        Change(id="3", kind="format"),
    ]
    assert tally(changes) == "2 insertions, 1 deletion, 1 format change"


def test_a_tally_counts_rows_moves_and_formats_as_what_they_are() -> None:
    changes = [
        Change(id="1", kind="format", before="a", after="a"),
        Change(id="2", kind="row", after="b"),
        Change(id="3", kind="row", after="c"),
        Change(id="4", kind="cell", before="d"),
        Change(id="5", kind="insertion", edit_uids=["e"], after="e"),
        Change(id="6", kind="deletion", edit_uids=["e"], before="e"),
    ]
    assert tally(changes) == "1 format change, 2 rows inserted, 1 cell deleted, 1 move"


def test_a_tally_calls_fields_and_pages_other_changes() -> None:
    field = Change(id="1", kind="other", before="Ann", after="Bo")
    pages = Change(id="2", kind="other", after="Page 2 deleted")
    assert tally([field, pages]) == "2 other changes"
    assert (
        tally([Change(id="3", kind="deletion", before="a"), pages]) == "1 deletion, 1 other change"
    )


@pytest.mark.parametrize(
    ("seconds", "shown"), [(7, "00:07"), (250, "04:10"), (3723, "1:02:03"), (-1, "00:00")]
)
def test_durations_are_written_as_on_a_clock(seconds: float, shown: str) -> None:
    assert elapsed(seconds) == shown


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("2026-11-21T14:30:41Z", "2026-11-21 14:30"),
        ("2026-11-21T14:30:41", "2026-11-21 14:30"),
        ("some day", "some day"),
    ],
)
def test_dates_of_files_are_shown_whatever_they_are(written: str, shown: str) -> None:
    assert shown_date(written, UTC) == shown
