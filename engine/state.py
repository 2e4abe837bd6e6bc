"""What must be known of a version of a document besides its file: whose marks, and what baseline.

A version is (working, baseline). The baseline is not stored: it is what rejecting our marks in the
working copy gives. Its fingerprint is stored, so that every edit can be held against the version
before it (law 1 of the redline). Ours are exactly the revision ids in the map, nothing else.
The bytes are JSON and opaque to whoever stores them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import msgspec

from redraft.engine.errors import CorruptDocumentError

FORMAT_VERSION: Final = 1
FINGERPRINT_FORM: Final = 2
"""Raised whenever the canonical form of `engine.docx.judging.fingerprint` changes: a baseline of an
earlier form cannot be compared, and is computed anew from the file."""


@dataclass(frozen=True, slots=True)
class State:
    """The marks that are ours, and the fingerprint of the baseline.

    `ours` says for each of our revision ids which edit wrote it. `formatted` are those of our
    insertions whose bold and italic were asked for, not inherited. `baseline` holds, for each part
    with text, a digest of every block in order; it is empty where it is not known.
    """

    ours: Mapping[int, str] = field(default_factory=dict[int, str])
    formatted: frozenset[int] = frozenset()
    baseline: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


class _Stored(msgspec.Struct, omit_defaults=True):
    version: int = FORMAT_VERSION
    ours: dict[str, list[int]] = {}
    formatted: list[int] = []
    baseline: dict[str, str] = {}
    form: int = 1


def encode(state: State) -> bytes:
    """The bytes to be stored beside the file."""
    by_edit: dict[str, list[int]] = {}
    for identifier, edit in sorted(state.ours.items()):
        by_edit.setdefault(edit, []).append(identifier)
    stored = _Stored(
        version=FORMAT_VERSION,
        ours=by_edit,
        formatted=sorted(state.formatted),
        baseline={part: " ".join(digests) for part, digests in state.baseline.items()},
        form=FINGERPRINT_FORM,
    )
    return msgspec.json.encode(stored)


def decode(data: bytes) -> State:
    """Read stored bytes; none at all is a file of which no mark is ours and no baseline is known.

    Neither is the baseline known of a version that was stored with another form of fingerprint.

    Raises:
        CorruptDocumentError: these are not bytes that `encode` made.
    """
    if not data:
        return State()
    try:
        stored = msgspec.json.decode(data, type=_Stored)
    except msgspec.MsgspecError as error:
        message = "The stored state of the document is damaged"
        raise CorruptDocumentError(message) from error
    if stored.version != FORMAT_VERSION:
        message = f"The stored state of the document has the unknown version {stored.version}"
        raise CorruptDocumentError(message)
    return State(
        ours={identifier: edit for edit, ids in stored.ours.items() for identifier in ids},
        formatted=frozenset(stored.formatted),
        baseline={part: tuple(text.split()) for part, text in stored.baseline.items()}
        if stored.form == FINGERPRINT_FORM
        else {},
    )
