from __future__ import annotations

import pytest

from redraft.remote.sessions import FullError, Limits, Reason, Session, Sessions
from tests.remote.conftest import HandClock


class Door:
    """Sessions on a clock of the test, and who was asked to end."""

    def __init__(self, limits: Limits) -> None:
        self.clock = HandClock()
        self.sessions = Sessions(limits, self.clock.steady)
        self.ended: list[tuple[str, Reason]] = []

    def enter(self, owner: str) -> Session:
        return self.sessions.enter(owner, lambda reason: self.ended.append((owner, reason)))


def test_no_more_than_so_many_come_in_and_one_that_left_makes_room() -> None:
    door = Door(Limits(sessions=2))
    first = door.enter("a")
    door.enter("b")
    with pytest.raises(FullError, match="too many sessions"):
        door.enter("c")
    first.close()
    first.close()
    door.enter("c")
    assert len(door.sessions) == 2


def test_no_more_than_so_many_of_one_key_come_in() -> None:
    door = Door(Limits(sessions_per_key=1))
    door.enter("a")
    with pytest.raises(FullError, match="your key has 1 open sessions"):
        door.enter("a")
    door.enter("b")


def test_connections_are_watched_and_not_counted() -> None:
    door = Door(Limits(sessions=1))
    door.sessions.watch("a", lambda reason: door.ended.append(("watched", reason)))
    door.enter("a")
    assert len(door.sessions) == 1
    door.clock.seconds += 1800
    door.sessions.end_idle()
    assert door.ended == [("watched", "idle"), ("a", "idle")]


def test_only_those_who_did_nothing_for_so_long_are_ended() -> None:
    door = Door(Limits(idle=600))
    busy, _ = door.enter("busy"), door.enter("idle")
    door.clock.seconds += 599
    assert door.sessions.end_idle() == 0
    busy.touch()
    door.clock.seconds += 1
    assert door.sessions.end_idle() == 1
    assert door.ended == [("idle", "idle")]


def test_without_a_limit_nobody_idles() -> None:
    door = Door(Limits(idle=0))
    door.enter("a")
    door.clock.seconds += 1e9
    assert door.sessions.end_idle() == 0


def test_stopping_asks_all_to_end_and_lets_nobody_in() -> None:
    door = Door(Limits())
    door.enter("a")
    door.sessions.stop()
    assert door.ended == [("a", "stopping")]
    with pytest.raises(FullError, match="stopping"):
        door.enter("b")
