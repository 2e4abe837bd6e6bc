from __future__ import annotations

import pytest

from redraft.api.metadata.protocol import Spending
from redraft.api.operations.metering import Meter
from redraft.api.operations.prices import Prices, together
from redraft.api.settings import Settings
from redraft.engine.planner.model import Usage


def spending(
    model: str, reads: tuple[str, ...], writes: tuple[str, ...], cached: tuple[str, ...] = ()
) -> Spending | None:
    prices = Prices(Settings(input_price=reads, cached_price=cached, output_price=writes))
    meter = Meter()
    meter.count(model, Usage(2, 3_000_000, 1_000_000, 500_000))
    return prices.spending(meter)


def test_without_prices_tokens_are_told_and_no_cost() -> None:
    assert spending("small", (), ()) == Spending("small", 2, 3_000_000, 1_000_000, 500_000, None)


@pytest.mark.parametrize(
    ("reads", "writes", "cost"),
    [
        (("2",), ("8",), 3 * 2 + 0.5 * 8),
        (("2", "small=1"), ("8", "small=4"), 3 * 1 + 0.5 * 4),
        (("2", "large=1"), ("8", "large=4"), 3 * 2 + 0.5 * 8),
        (("small=0",), ("8",), 0.5 * 8),
        (("2",), (), None),
        (("large=2",), ("8",), None),
    ],
    ids=["any model", "this model", "another model", "free", "no price to write", "not this model"],
)
def test_the_price_of_a_model_goes_before_that_of_any(
    reads: tuple[str, ...], writes: tuple[str, ...], cost: float | None
) -> None:
    found = spending("small", reads, writes)
    assert found is not None
    assert found.cost == cost


@pytest.mark.parametrize(
    ("cached", "cost"),
    [
        ((), 3 * 2 + 4),
        (("0.5",), 2 * 2 + 0.5 + 4),
        (("0.5", "small=0"), 2 * 2 + 4),
        (("large=0.5",), 3 * 2 + 4),
    ],
    ids=["no price of its own", "any model", "this model", "another model"],
)
def test_tokens_from_the_cache_have_a_price_of_their_own(
    cached: tuple[str, ...], cost: float
) -> None:
    found = spending("small", ("2",), ("8",), cached)
    assert found is not None
    assert found.cost == cost


def test_the_interpreter_costs_nothing() -> None:
    prices = Prices(Settings(input_price=("2",), output_price=("8",)))
    assert prices.spending(Meter()) is None


def test_attempts_at_an_edit_add_up() -> None:
    one, other = Spending("a", 1, 10, 4, 2, 0.5), Spending("b", 2, 20, 6, 3, None)
    assert together(one, other) == Spending("b", 3, 30, 10, 5, 0.5)
    assert together(None, one) == together(one, None) == one
    assert together(None, None) is None
    assert together(other, other) == Spending("b", 4, 40, 12, 6, None)
