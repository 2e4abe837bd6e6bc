from __future__ import annotations

from urllib.parse import parse_qsl

import pytest

from redraft.api.auth.presign import STILL_VERIFIES, Presigner
from redraft.api.errors import BadLinkError
from redraft.api.metadata.sqlite import SqliteMetadata
from tests.api.builders import HeldClock


@pytest.fixture
async def presigner(metadata: SqliteMetadata, clock: HeldClock) -> Presigner:
    made = Presigner(metadata.keys, clock)
    await made.prepare()
    return made


async def test_a_link_verifies_until_its_moment(presigner: Presigner, clock: HeldClock) -> None:
    link = await presigner.link("doc", 3, 60, "key")
    await presigner.verified(link.path, parse_qsl(link.query))
    clock.advance(60)
    with pytest.raises(BadLinkError):
        await presigner.verified(link.path, parse_qsl(link.query))


async def test_a_link_of_a_retired_key_verifies_for_25_hours(
    presigner: Presigner, clock: HeldClock
) -> None:
    link = await presigner.link("doc", 3, 30 * 3600, "key")
    await presigner.rotate()
    clock.advance(STILL_VERIFIES - 1)
    await presigner.verified(link.path, parse_qsl(link.query))
    clock.advance(2)
    with pytest.raises(BadLinkError):
        await presigner.verified(link.path, parse_qsl(link.query))


async def test_a_key_that_was_dropped_verifies_nothing(
    presigner: Presigner, metadata: SqliteMetadata, clock: HeldClock
) -> None:
    link = await presigner.link("doc", 3, 30 * 3600, "key")
    await presigner.rotate()
    clock.advance(STILL_VERIFIES + 1)
    await presigner.prepare()
    assert len(await metadata.keys.signing()) == 1
    with pytest.raises(BadLinkError):
        await presigner.verified(link.path, parse_qsl(link.query))


async def test_preparing_again_keeps_the_key(
    presigner: Presigner, metadata: SqliteMetadata
) -> None:
    before = await metadata.keys.signing()
    await presigner.prepare()
    assert await metadata.keys.signing() == before
