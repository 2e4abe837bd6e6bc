"""Every text can be read: it has a contrast of 4.5:1 to every shade below it (WCAG 2.2, 1.4.3)."""

from __future__ import annotations

import pytest
from rich.color import Color
from rich.style import Style

from redraft.tui.config import ThemeName
from redraft.tui.theme import THEMES, palette

LEAST = 4.5
SHADES = ("bar", "card", "alert", "cursor", "cursor.blurred")


def luminance(color: Color) -> float:
    """Return the relative luminance of a colour, 0 to 1."""
    channels = (channel / 255 for channel in color.get_truecolor())
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Color, other: Color) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def grounds(name: ThemeName, style: Style) -> dict[str, Color]:
    """Return what a text of this style may stand on, by name."""
    if style.bgcolor is not None:
        return {"its own": style.bgcolor}
    base = THEMES[name].background
    assert base is not None
    shades = {shade: palette(name)[shade].bgcolor for shade in SHADES}
    found = {shade: color for shade, color in shades.items() if color is not None}
    return {"the screen": Color.parse(base), **found}


@pytest.mark.parametrize("name", ["dark", "light"])
def test_every_text_can_be_read_on_every_shade(name: ThemeName) -> None:
    weak = {
        f"{role} on {place}": round(contrast(style.color, ground), 2)
        for role, style in palette(name).items()
        if style.color is not None
        for place, ground in grounds(name, style).items()
        if contrast(style.color, ground) < LEAST
    }
    assert weak == {}


def test_the_measure_is_that_of_the_standard() -> None:
    black, white, grey = (Color.parse(color) for color in ("#000000", "#ffffff", "#777777"))
    assert round(contrast(black, white), 1) == 21.0
    assert round(contrast(grey, white), 2) == 4.48
