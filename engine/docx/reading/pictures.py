"""The pictures of a document that nothing is said of, as bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from redraft.engine.docx.anchors import stories
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.images import Images
from redraft.engine.report import Picture

# What servers of models take; by the first bytes, whatever the name says.
_BEGINNINGS: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
)
_MOST, _SMALLEST, _LARGEST = 20, 200, 4_000_000


def undescribed(package: Package) -> tuple[Picture, ...]:
    """Returns the first pictures without an alternative text that a model can be shown."""
    return tuple(_shown(package))[:_MOST]


def _shown(package: Package) -> Iterator[Picture]:
    images = Images(package, stories(package))
    for identifier, name, part in images.undescribed():
        data = package.read(part) if package.has(part) else b""
        media_type = next((kind for start, kind in _BEGINNINGS if data.startswith(start)), "")
        if media_type and _SMALLEST <= len(data) <= _LARGEST:
            yield Picture(identifier, name, media_type, data)
