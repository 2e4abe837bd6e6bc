"""Title, author and the like: the Info dictionary and, where the file has it, the XMP packet.

ISO 32000-2, 14.3.2 and 14.3.3; both say the same afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.stream import objects

_KEYS: Final = {
    "title": ("/Title", "dc:title"),
    "author": ("/Author", "dc:creator"),
    "subject": ("/Subject", "dc:description"),
    "keywords": ("/Keywords", "pdf:Keywords"),
}


def check(wanted: Mapping[str, str]) -> None:
    """Says nothing where a PDF has the properties.

    Raises:
        RefusedError: it has not.
    """
    for name in wanted:
        if name not in _KEYS:
            message = f"A PDF has no property {name}; it has {', '.join(_KEYS)}"
            raise RefusedError(message)


def properties(data: bytes) -> dict[str, str]:
    """Returns the properties that are set, by name."""
    with objects.opened(data) as document:
        info = objects.entry(document.trailer, "/Info")
        values = {name: objects.entry(info, key) for name, (key, _) in _KEYS.items()}
        return {name: str(value) for name, value in values.items() if value is not None}


def set_properties(document: Any, wanted: Mapping[str, str]) -> None:
    """Sets properties of an open document."""
    import pikepdf

    check(wanted)
    for name, value in wanted.items():
        document.docinfo[_KEYS[name][0]] = pikepdf.String(value)
    if objects.entry(document.Root, "/Metadata") is None:
        return
    with document.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as packet:
        for name, value in wanted.items():
            key = _KEYS[name][1]
            packet[key] = [value] if key == "dc:creator" else value
