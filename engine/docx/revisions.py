"""The tracked changes of a file as a reviewer counts them.

Adjacent marks of one author are one change: struck words and the words written for them are a
replacement, paragraphs inserted or deleted one after the other are one insertion or deletion.
Both ends of a native move are one change.

[x] text  [x] paragraphs and their marks  [x] rows, cells, tables  [x] formatting as old and new
[x] moves  [x] section, table and numbering properties (kind `format`)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from engine.docx import settling
from engine.docx.anchors import StoryPlace, places_in, stories
from engine.docx.emphasis import heading_level
from engine.docx.formats import differences
from engine.docx.names import (
    W_AUTHOR,
    W_DEL,
    W_ID,
    W_INS,
    W_MOVE_FROM,
    W_MOVE_TO,
    W_P,
    W_PPR,
    W_R,
    W_RPR,
    W_TBL,
    W_TC,
    W_TR,
    W_TR_PR,
    Element,
    W,
)
from engine.docx.package import Package
from engine.docx.styles import Styles
from engine.docx.textmap import revision_id
from engine.docx.wording import struck_words, words
from engine.model import Revision, RevisionKind, StoryKind
from engine.state import State, decode

CONTEXT: Final = 60
EXCERPT: Final = 60
_DATE: Final = W("date")
_BETWEEN: Final = frozenset(
    map(
        W,
        (
            *("bookmarkStart", "bookmarkEnd", "commentRangeStart", "commentRangeEnd", "proofErr"),
            *("moveFromRangeStart", "moveFromRangeEnd", "moveToRangeStart", "moveToRangeEnd"),
        ),
    )
)


def changes(data: bytes, state: bytes) -> tuple[Revision, ...]:
    """List the tracked changes of a file, ours and others', in document order."""
    return changes_in(Package.open(data), decode(state))


def changes_in(package: Package, state: State) -> tuple[Revision, ...]:
    """List the tracked changes of an opened file."""
    return tuple(group.revision for group in groups(package, state))
