"""Colours by name or number, as the operators that set them (ISO 32000-2, 8.6.8)."""

from __future__ import annotations

import re
from typing import Final

from redraft.engine.errors import PlanError

_HEX = re.compile(r"#?([0-9a-fA-F]{6})")
# The sixteen names of HTML 4 and a few that people say (CSS Color 4, 6.1).
_NAMES: Final = {
    "auto": "000000",
    "black": "000000",
    "silver": "c0c0c0",
    "gray": "808080",
    "grey": "808080",
    "white": "ffffff",
    "maroon": "800000",
    "red": "ff0000",
    "purple": "800080",
    "fuchsia": "ff00ff",
    "magenta": "ff00ff",
    "green": "008000",
    "lime": "00ff00",
    "olive": "808000",
    "yellow": "ffff00",
    "navy": "000080",
    "blue": "0000ff",
    "teal": "008080",
    "aqua": "00ffff",
    "cyan": "00ffff",
    "orange": "ffa500",
    "brown": "a52a2a",
    "pink": "ffc0cb",
    "gold": "ffd700",
    "violet": "ee82ee",
    "indigo": "4b0082",
    "turquoise": "40e0d0",
    "crimson": "dc143c",
    "darkred": "8b0000",
    "darkgreen": "006400",
    "darkblue": "00008b",
    "darkgray": "a9a9a9",
    "darkgrey": "a9a9a9",
    "lightgray": "d3d3d3",
    "lightgrey": "d3d3d3",
    "lightblue": "add8e6",
    "lightgreen": "90ee90",
}


def fill_of(colour: str) -> str:
    """Returns the operator that fills letters with a colour.

    Raises:
        PlanError: it is neither six hex digits nor a known name.
    """
    wording = colour.strip().lower().replace(" ", "")
    match = _HEX.fullmatch(_NAMES.get(wording, wording))
    if match is None:
        message = f"color: {colour} is no colour; give six hex digits such as C00000, or a name"
        raise PlanError(message)
    parts = (int(match[1][at : at + 2], 16) / 255 for at in (0, 2, 4))
    numbers = " ".join(f"{part:.3f}".rstrip("0").rstrip(".") for part in parts)
    return "0 g" if numbers == "0 0 0" else f"{numbers} rg"
