from __future__ import annotations

import pytest

from api.metadata.protocol import Spending
from api.prices import Prices
from api.settings import Settings
from engine.plan import EditPlan
from engine.planner.model import Usage
from tests.api.fake_planner import FakePlanned

PLAN = EditPlan("no_change", "")


def spending(model: str, reads: tuple[str, ...], writes: tuple[str, ...]) -> Spending | None:
    prices = Prices(Settings(input_price=reads, output_price=writes))
    return prices.spending(FakePlanned(PLAN, (), model, Usage(2, 3_000_000, 1_000_000, 500_000)))


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


def test_the_interpreter_costs_nothing() -> None:
    prices = Prices(Settings(input_price=("2",), output_price=("8",)))
    assert prices.spending(FakePlanned(PLAN, ())) is None
