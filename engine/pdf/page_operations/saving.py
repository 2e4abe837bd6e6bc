"""Write an open file whole, without what nothing refers to, so that nothing old stays in it."""

from __future__ import annotations

from io import BytesIO
from typing import Any


def saved(document: Any) -> bytes:
    """Returns the bytes; what the file was encrypted with stays."""
    out = BytesIO()
    document.save(out, encryption=True if document.is_encrypted else None)
    return out.getvalue()
