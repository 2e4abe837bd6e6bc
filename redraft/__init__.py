"""Edit `.docx` and `.pdf` documents by saying what should change, with real tracked changes.

`redraft.open` gives a `Document`; docs/python.md shows what it does. What is named in `__all__` is
the stable face of the package: it follows Semantic Versioning, and nothing else does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from redraft.engine.errors import (
        AmbiguousError,
        CorruptDocumentError,
        EditError,
        EngineError,
        NotFoundError,
        NotUnderstoodError,
        PlanError,
        RefusedError,
        UnreadableError,
        UnsupportedFormatError,
        VerificationError,
    )
    from redraft.engine.model import Comment, Revision
    from redraft.engine.playbook.findings import Review
    from redraft.engine.report import EditReport
    from redraft.opened_document import Document, open  # noqa: A004 - used as `redraft.open`

__all__ = [
    "AmbiguousError",
    "Comment",
    "CorruptDocumentError",
    "Document",
    "EditError",
    "EditReport",
    "EngineError",
    "NotFoundError",
    "NotUnderstoodError",
    "PlanError",
    "RefusedError",
    "Review",
    "Revision",
    "UnreadableError",
    "UnsupportedFormatError",
    "VerificationError",
    "open",
]

_HOMES = {
    "Document": "redraft.opened_document",
    "open": "redraft.opened_document",
    "Revision": "redraft.engine.model",
    "EditReport": "redraft.engine.report",
    "Comment": "redraft.engine.model",
    "Review": "redraft.engine.playbook.findings",
}


def __getattr__(name: str) -> Any:
    """Imports what is asked for: the terminal program and the service need none of it."""
    if name not in __all__:
        message = f"module 'redraft' has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    return getattr(import_module(_HOMES.get(name, "redraft.engine.errors")), name)
