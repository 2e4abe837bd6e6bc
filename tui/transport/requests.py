"""What can be asked of a service: the values that go out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

View: TypeAlias = Literal["final", "original", "markup"]
Copy: TypeAlias = Literal["redline", "clean", "original", "word"]
"""`word` is the redline of a PDF as a Word document."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file on its way, and what is asked for it."""

    name: str
    data: bytes
    ttl_seconds: int = 3600
    tracked: bool = True
    author: str = "Anonymous"


@dataclass(frozen=True, slots=True)
class Edit:
    """An instruction; `uid` makes sending it twice the same as sending it once.

    `places` are those that were chosen of the candidates of an ambiguous one. `operations` say
    exactly what is to be done, and the instructions only tell it to people. `asks_first`: a
    deletion, or a change in more than one place, is only shown. `base_version` is the version that
    it was shown for; on another one it is refused.
    """

    uid: str
    instructions: str
    lookup: str | None = None
    large: bool = False
    places: tuple[str, ...] = ()
    operations: tuple[Mapping[str, object], ...] = ()
    asks_first: bool = False
    base_version: int | None = None
