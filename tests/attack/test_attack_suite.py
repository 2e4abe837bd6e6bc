"""A little of each part of `make attack`: the figures that should be zero are."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from scripts import attack_documents, attack_http, counted
from scripts.counted import Count

PARTS: dict[str, Callable[[], list[Count]]] = {
    "requests": lambda: attack_http.run(300),
    "documents": lambda: attack_documents.run(40),
}


@pytest.mark.process
@pytest.mark.parametrize("part", PARTS)
def test_a_short_attack_finds_nothing(part: str) -> None:
    counts = PARTS[part]()
    assert counts[0].value >= 40
    assert counted.faults(counts) == 0, "\n".join(counted.lines(counts))


def test_the_attack_damages_what_it_sends_and_is_the_same_each_time() -> None:
    sound = attack_http.requests("a", "b")
    sent = [[attack_http.damaged(one, random.Random(7)) for one in sound] for _ in range(2)]  # noqa: S311 - no secret
    assert sent[0] == sent[1]
    assert sum(one != other for one, other in zip(sent[0], sound, strict=True)) > len(sound) // 2
    for _, data in attack_documents.samples():
        assert attack_documents.damaged(data, random.Random(7)) != data  # noqa: S311 - no secret
