"""What asking a language model cost: tokens, and money where the operator has set prices.

A price is that of a million tokens. Tokens that the model took from its cache count as read in
full, so that the cost is what it is at the most.
"""

from __future__ import annotations

from typing import Protocol

from api.metadata.protocol import Spending
from api.settings import Settings, prices_of
from engine.planner.model import Usage

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
        self._output = prices_of(settings.output_price)

    def spending(self, asked: Asked) -> Spending | None:
        """Say what it cost; None when no model was asked."""
        model, usage = asked.model, asked.usage
        if model is None or usage is None:
            return None
        cost = self._cost(model, usage.input, usage.output)
        return Spending(model, usage.requests, usage.input, usage.cached, usage.output, cost)

    def _cost(self, model: str, read: int, written: int) -> float | None:
        """The price of tokens read and written; None without a price for both."""
        read_price = self._input.get(model, self._input.get(ANY_MODEL))
        written_price = self._output.get(model, self._output.get(ANY_MODEL))
        if read_price is None or written_price is None:
            return None
        return (read * read_price + written * written_price) / TOKENS_PRICED
