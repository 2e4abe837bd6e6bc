"""What asking a language model cost: tokens, and money where the operator has set prices.

A price is that of a million tokens. Tokens that the model took from its cache have a price of their
own, or that of other tokens, so that the cost is what it is at the most.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from redraft.api.metadata.protocol import Spending
from redraft.api.settings import Settings, prices_of
from redraft.engine.planner.model import Usage

TOKENS_PRICED = 1_000_000
ANY_MODEL = ""


class Asked(Protocol):
    """Something for which a model was asked, or none."""

    @property
    def model(self) -> str | None:
        """Which one."""
        ...

    @property
    def usage(self) -> Usage | None:
        """What it took."""
        ...


class Prices:
    """The prices in the settings, by the name of a model."""

    def __init__(self, settings: Settings) -> None:
        self._input = prices_of(settings.input_price)
        self._cached = prices_of(settings.cached_price)
        self._output = prices_of(settings.output_price)

    def spending(self, meter: Asked) -> Spending | None:
        """Says what it cost; None when no model was asked."""
        model, usage = meter.model, meter.usage
        if model is None or usage is None:
            return None
        cost = self._cost(model, usage)
        return Spending(model, usage.requests, usage.input, usage.cached, usage.output, cost)

    def _cost(self, model: str, usage: Usage) -> float | None:
        """The price of tokens read and written; None without a price for both."""
        read_price, written_price = _price(self._input, model), _price(self._output, model)
        if read_price is None or written_price is None:
            return None
        cached_price = _price(self._cached, model)
        if cached_price is None:
            cached_price = read_price
        read = (usage.input - usage.cached) * read_price + usage.cached * cached_price
        return (read + usage.output * written_price) / TOKENS_PRICED


def together(before: Spending | None, now: Spending | None) -> Spending | None:
    """Adds what two attempts at an edit took; its model is that of the later one."""
    if before is None or now is None:
        return before or now
    costs = [cost for cost in (before.cost, now.cost) if cost is not None]
    return Spending(
        now.model,
        before.requests + now.requests,
        before.input + now.input,
        before.cached + now.cached,
        before.output + now.output,
        sum(costs) if costs else None,
    )


def _price(prices: Mapping[str, float], model: str) -> float | None:
    return prices.get(model, prices.get(ANY_MODEL))
