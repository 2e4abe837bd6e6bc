from __future__ import annotations

import logging
from itertools import count

import pytest

from redraft.remote.sessions import Limits
from redraft.remote.ssh.login_limits import MOST_PLACES, WINDOW, LoginLimits, place_of
from tests.remote.conftest import HandClock

HOME, ELSEWHERE = "192.0.2.1", "192.0.2.2"
GUESTS = count()


def ignore() -> None:
    """Close nothing."""


def door(clock: HandClock, **limits: int) -> LoginLimits:
    return LoginLimits(Limits(**limits), clock.steady)


def fail(login_limits: LoginLimits, address: str) -> bool:
    """Come, fail to log in, and go; say whether the door was opened."""
    guest = next(GUESTS)
    entered = login_limits.enter(guest, address, ignore)
    login_limits.leave(guest, failed=True)
    return entered


def test_one_address_does_not_take_all_places() -> None:
    login_limits = door(HandClock(), unauthenticated=3, unauthenticated_per_address=2)
    assert login_limits.enter("a", HOME, ignore)
    assert login_limits.enter("b", HOME, ignore)
    assert not login_limits.enter("c", HOME, ignore)
    assert login_limits.enter("d", ELSEWHERE, ignore)
    assert len(login_limits) == 3
    login_limits.leave("a")
    assert login_limits.enter("f", HOME, ignore)
    # Who was not let in leaves nothing behind.
    login_limits.leave("c", failed=True)
    assert len(login_limits) == 3


def test_two_addresses_that_take_all_places_keep_nobody_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    login_limits = door(HandClock(), unauthenticated=4, unauthenticated_per_address=2)
    closed: list[str] = []
    for guest, address in (("a", HOME), ("b", HOME), ("c", ELSEWHERE), ("d", ELSEWHERE)):
        assert login_limits.enter(guest, address, lambda guest=guest: closed.append(guest))
    with caplog.at_level(logging.WARNING):
        assert login_limits.enter("e", "192.0.2.3", ignore)
        assert login_limits.enter("f", "192.0.2.4", ignore)
    assert closed == ["a", "c"]
    assert len(login_limits) == 4
    assert caplog.text.count("makes room") == 1


def test_after_too_many_failures_an_address_waits_and_others_do_not() -> None:
    clock = HandClock()
    login_limits = door(clock, failures=3)
    assert [fail(login_limits, HOME) for _ in range(5)] == [True, True, True, False, False]
    assert fail(login_limits, ELSEWHERE)
    clock.seconds += WINDOW - 1
    assert not fail(login_limits, HOME)
    clock.seconds += 1
    assert fail(login_limits, HOME)


def test_failures_that_are_far_apart_lock_nobody_out() -> None:
    clock = HandClock()
    login_limits = door(clock, failures=2)
    for _ in range(9):
        assert fail(login_limits, HOME)
        clock.seconds += WINDOW / 2


def test_who_logs_in_or_only_looks_has_not_failed() -> None:
    login_limits = door(HandClock(), failures=1)
    for guest in range(5):
        assert login_limits.enter(guest, HOME, ignore)
        login_limits.leave(guest)
        login_limits.leave(guest, failed=True)
    assert fail(login_limits, HOME)
    assert not fail(login_limits, HOME)


def test_without_a_limit_nobody_is_locked_out() -> None:
    login_limits = door(HandClock(), failures=0)
    assert all(fail(login_limits, HOME) for _ in range(99))


def test_the_log_says_it_once_and_again_when_it_begins_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING, "redraft.ssh")
    clock = HandClock()
    login_limits = door(clock, failures=1)
    for _ in range(4):
        fail(login_limits, HOME)
    said = f"{HOME}: 1 logins failed; connections from there are refused for 10 min"
    assert caplog.messages == [said]
    clock.seconds += WINDOW
    for _ in range(4):
        fail(login_limits, HOME)
    assert caplog.messages == [said, said]


def test_the_log_says_once_that_one_address_has_too_many_connections(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING, "redraft.ssh")
    login_limits = door(HandClock(), unauthenticated_per_address=1)
    for guest in range(4):
        login_limits.enter(guest, HOME, ignore)
    assert caplog.messages == [
        f"{HOME}: 1 connections have not logged in; further ones from there are refused"
    ]


def test_it_remembers_a_number_of_places_and_the_latest_of_them() -> None:
    login_limits = door(HandClock(), failures=1)
    addresses = [f"10.0.{n // 256}.{n % 256}" for n in range(MOST_PLACES + 10)]
    for address in addresses:
        assert fail(login_limits, address)
    assert fail(login_limits, addresses[0])
    assert not fail(login_limits, addresses[-1])


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("?", "?"),
    ],
)
def test_a_place_is_an_address_or_the_network_of_one_customer(address: str, place: str) -> None:
    assert place_of(address) == place
