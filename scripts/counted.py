"""What a soak counts, and how it is printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Count:
    """One figure; a fault should be zero."""

    name: str
    value: int
    is_fault: bool = True
    note: str = ""


def lines(counts: Iterable[Count]) -> list[str]:
    """Returns the figures, a line each; those that should be zero and are not are marked."""
    return [
        f"{'!' if figure.is_fault and figure.value else ' '} "
        f"{figure.name:<48}{figure.value:>8}  {figure.note}"
        for figure in counts
    ]


def faults(counts: Iterable[Count]) -> int:
    """Returns how many things went wrong."""
    return sum(figure.value for figure in counts if figure.is_fault)
