"""Values of a PDF are read whatever stands in them."""

from __future__ import annotations

import pikepdf
import pytest

from redraft.engine.pdf.stream import objects


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (b"/Arial", "Arial"),
        (b"/A#20B", "A B"),
        (b"/#ba#da#cc#e5", "ºÚÌå"),
        (b"/#c3#a9t#c3#a9", "été"),
    ],
)
def test_names_are_read_in_whatever_encoding_they_are(written: bytes, name: str) -> None:
    assert objects.name(pikepdf.Object.parse(written)) == name
    assert objects.name(pikepdf.String("Arial")) == ""
