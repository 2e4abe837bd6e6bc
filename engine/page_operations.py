"""Operations on the pages of a PDF as such; part of `engine.plan`, which names them all.

Pages are counted from 1 in the file as the plan found it, whatever labels are printed on them, and
whatever other operations of the plan do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

StampKind: TypeAlias = Literal["header", "footer", "page_numbers", "watermark"]


@dataclass(frozen=True, slots=True)
class DeletePages:
    """Delete the pages from `first` to `last`, both included; -1 is the last page."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class MovePages:
    """Move the pages from `first` to `last` beside the page `to`, which is none of them."""

    first: int
    last: int
    to: int
    where: Literal["before", "after"]


@dataclass(frozen=True, slots=True)
class RotatePages:
    """Turn the pages from `first` to `last` clockwise by `degrees`, a multiple of 90."""

    first: int
    last: int
    degrees: int


@dataclass(frozen=True, slots=True)
class InsertPage:
    """Insert a blank page, as large as the page `at`, beside it."""

    at: int
    where: Literal["before", "after"]


@dataclass(frozen=True, slots=True)
class Redact:
    """Take a text out of the whole file, wherever it is written, and draw black boxes instead."""

    find: str
    match_case: bool = False
    whole_word: bool = False


@dataclass(frozen=True, slots=True)
class StampPages:
    """Write a line on every page: above or below its content, or large across it.

    In `text` `{page}` is the number of the page and `{pages}` how many there are; `page_numbers`
    without a text are `{page}`.
    """

    kind: StampKind
    text: str = ""


PageOperation: TypeAlias = DeletePages | MovePages | RotatePages | InsertPage | Redact | StampPages
PAGE_OPERATIONS = (DeletePages, MovePages, RotatePages, InsertPage, Redact, StampPages)
