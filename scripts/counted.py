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
    """The figures, a line each; those that should be zero and are not are marked."""
    return [
        f"{'!' if each.is_fault and each.value else ' '} "
        f"{each.name:<48}{each.value:>8}  {each.note}"
        for each in counts
    ]


def faults(counts: Iterable[Count]) -> int:
    """How many things went wrong."""
    return sum(each.value for each in counts if each.is_fault)
