from __future__ import annotations

import hmac
from typing import Any, cast

import pytest

from redraft.api.auth import api_keys
from redraft.api.auth.api_keys import Authenticator, new_key, rotated
from redraft.api.errors import UnauthenticatedError
from redraft.api.metadata.keys import Key
from redraft.api.metadata.sqlite import SqliteMetadata
from tests.api.builders import HeldClock


async def test_a_key_of_the_settings_has_an_owner_that_outlives_a_restart(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    first = await Authenticator(metadata.keys, ("one", "two"), clock).caller("Bearer one")
    again = await Authenticator(metadata.keys, ("two", "one"), clock).caller("bearer  one ")
    other = await Authenticator(metadata.keys, ("two", "one"), clock).caller("Bearer two")
    assert first.owner == again.owner
    assert first.owner != other.owner
    assert "one" not in first.owner


async def test_a_key_of_the_settings_may_be_any_text(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    authenticator = Authenticator(metadata.keys, ("schlüssel",), clock)
    sent = "Bearer schlüssel".encode().decode("latin-1")  # a character a byte, as a header comes
    assert await authenticator.caller(sent)
    with pytest.raises(UnauthenticatedError):
        await authenticator.caller("Bearer schlussel")


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


@pytest.mark.parametrize("ending", ["0", "f"], ids=["almost right", "another ending"])
async def test_a_wrong_secret_is_as_much_work_as_an_unknown_key(
    metadata: SqliteMetadata, clock: HeldClock, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    made = new_key("", clock.now())
    await metadata.keys.add(made.key)
    done: list[tuple[str, int]] = []

    class Keys:
        async def get(self, key: str) -> Key | None:
            done.append(("looked up", len(key)))
            return await metadata.keys.get(key)

        def __getattr__(self, name: str) -> object:
            return getattr(metadata.keys, name)

    def compared(one: str, other: str) -> bool:
        done.append(("compared", len(one)))
        return hmac.compare_digest(one, other)

    monkeypatch.setattr(api_keys, "compare_digest", compared)
    authenticator = Authenticator(cast("Any", Keys()), ("configured",), clock)
    last = made.text[-1]
    wrong = made.text[:-1] + (ending if last != ending else "1")
    work: list[list[tuple[str, int]]] = []
    for candidate in (wrong, "rd_000000000000_" + "0" * 64):
        done.clear()
        with pytest.raises(UnauthenticatedError):
            await authenticator.caller(f"Bearer {candidate}")
        work.append(list(done))
    assert work[0] == work[1] == [("compared", 64), ("looked up", 12), ("compared", 64)]
