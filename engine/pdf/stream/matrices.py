"""Transformations as PDF writes them: six numbers, points are rows (ISO 32000-2, 8.3.3)."""

from __future__ import annotations

import math
from typing import Final, TypeAlias

Matrix: TypeAlias = tuple[float, float, float, float, float, float]

IDENTITY: Final[Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def product(first: Matrix, second: Matrix) -> Matrix:
    """Applys `first`, then `second`."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + m,
    )


def moved(matrix: Matrix, x: float, y: float) -> Matrix:
    """Moves the origin by (x, y) of the matrix's own space."""
    a, b, c, d, e, f = matrix
    return a, b, c, d, x * a + y * c + e, x * b + y * d + f


def applied(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """Transforms a point."""
    a, b, c, d, e, f = matrix
    return x * a + y * c + e, x * b + y * d + f


def inverse(matrix: Matrix) -> Matrix | None:
    """Undos a transformation; None when it flattens everything."""
    a, b, c, d, e, f = matrix
    determinant = a * d - b * c
    if abs(determinant) < 1e-12 or not math.isfinite(determinant):
        return None
    return (
        d / determinant,
        -b / determinant,
        -c / determinant,
        a / determinant,
        (c * f - d * e) / determinant,
        (b * e - a * f) / determinant,
    )
