from __future__ import annotations

from typing import Any

import pytest

from redraft.engine.pdf.compare.character_looks import (
    CharacterLook,
    changed_looks,
    colour_of,
    kept_places,
)
from redraft.engine.pdf.glyphs.edited_words import Change


@pytest.mark.parametrize(
    ("fill", "colour"),
    [
        (b"", "000000"),
        (b"0.5 g", "808080"),
        (b"0.753 0 0 rg", "C00000"),
        (b"0 1 1 0 k", "FF0000"),
        (b"/DeviceRGB cs 0 0 1 sc", "0000FF"),
        (b"/C1 cs 1 0 0 scn", "FF0000"),
        (b"/C2 cs 0.5 sc", "808080"),
        (b"/C3 cs 0.5 scn", ""),
        (b"/Pattern cs /P1 scn", ""),
    ],
)
def test_a_colour_is_told_from_its_operators_and_its_space(fill: bytes, colour: str) -> None:
    import pikepdf

    document: Any = pikepdf.new()
    profile: Any = document.make_stream(b"profile", N=1)
    spaces = pikepdf.Dictionary(
        C1=pikepdf.Array([pikepdf.Name.CalRGB, pikepdf.Dictionary()]),
        C2=pikepdf.Array([pikepdf.Name.ICCBased, profile]),
        C3=pikepdf.Array([pikepdf.Name.Separation, pikepdf.Name.Gold, pikepdf.Name.DeviceCMYK]),
    )
    assert colour_of(fill, pikepdf.Dictionary(ColorSpace=spaces)) == colour


def test_the_places_of_what_stays_are_counted_through_changes() -> None:
    changes = [Change(1, 3, "xyz"), Change(5, 5, "n")]
    assert kept_places(6, changes) == [0, None, None, 4, 5, 7]


PLAIN, BOLD = CharacterLook("off", "off", "000000", ""), CharacterLook("on", "off", "000000", "")


def test_a_stretch_goes_on_over_blanks_and_ends_where_words_went() -> None:
    old = [PLAIN, None, PLAIN, PLAIN, PLAIN]
    new = [BOLD, None, BOLD, BOLD]
    asked = {("bold", "on")}
    said = ("bold", "off", "on")
    assert list(changed_looks(old, new, [0, 1, 2, None, 3], asked)) == [(0, 3, said), (4, 5, said)]
    assert not list(changed_looks(old, new, [0, 1, 2, None, 3], {("italic", "on")}))
