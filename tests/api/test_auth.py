from __future__ import annotations

import pytest

from api.auth import Authenticator, new_key, rotated
from api.errors import UnauthenticatedError
from api.metadata.sqlite import SqliteMetadata
from tests.api.builders import HeldClock


async def test_a_key_of_the_settings_has_an_owner_that_outlives_a_restart(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    first = await Authenticator(metadata.keys, ("one", "two"), clock).caller("Bearer one")
    again = await Authenticator(metadata.keys, ("two", "one"), clock).caller("bearer  one ")
    other = await Authenticator(metadata.keys, ("two", "one"), clock).caller("Bearer two")
    assert first == again
    assert first.owner != other.owner
    assert "one" not in first.owner


async def test_a_key_of_the_database_opens_until_it_ends(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    made = new_key("for tests", clock.now(), clock.now() + 10)
    await metadata.keys.add(made.key)
    authenticator = Authenticator(metadata.keys, (), clock)
    caller = await authenticator.caller(f"Bearer {made.text}")
    assert caller.owner == made.key.owner
    clock.advance(10)
    with pytest.raises(UnauthenticatedError):
        await authenticator.caller(f"Bearer {made.text}")


async def test_a_rotated_key_has_the_owner_of_the_old_one(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    old = new_key("", clock.now())
    fresh = rotated(old.key, clock.now())
    assert fresh.key.owner == old.key.owner
    assert fresh.key.id != old.key.id
    await metadata.keys.add(fresh.key)
    caller = await Authenticator(metadata.keys, (), clock).caller(f"Bearer {fresh.text}")
    assert caller.owner == old.key.owner


async def test_the_day_a_key_was_used_is_noted(metadata: SqliteMetadata, clock: HeldClock) -> None:
    made = new_key("", clock.now())
    await metadata.keys.add(made.key)
    await Authenticator(metadata.keys, (), clock).caller(f"Bearer {made.text}")
    (stored,) = await metadata.keys.list()
    assert stored.used_on == "2027-01-15"


async def test_a_revoked_key_is_closed_once(metadata: SqliteMetadata, clock: HeldClock) -> None:
    made = new_key("", clock.now())
    await metadata.keys.add(made.key)
    assert await metadata.keys.revoke(made.key.id, clock.now()) is True
    assert await metadata.keys.revoke(made.key.id, clock.now()) is False
    with pytest.raises(UnauthenticatedError):
        await Authenticator(metadata.keys, (), clock).caller(f"Bearer {made.text}")
