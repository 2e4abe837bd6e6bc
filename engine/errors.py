"""What can go wrong with a document, in the engine's words.

EngineError                      str(error) is a sentence for a person
├── UnsupportedFormatError       this is not a .docx or .pdf (or a kind of them we refuse)
│   └── ProtectedFileError       a password is needed to open it
├── CorruptDocumentError         it says it is one, and cannot be read
│   └── TooLargeError            opening it would take more memory, parts or pages than allowed
├── UnreadableError              it opens, and holds no text that could be read
└── EditError                    the document is untouched
    ├── NotFoundError            the text or place that the instruction names is not there
    ├── AmbiguousError           the instruction names several places
    ├── NotUnderstoodError       the built-in interpreter cannot read the instruction
    ├── RefusedError             it can be read, and must not or cannot be done; says why
    ├── PlanError                the model's plan is not valid against the document
    ├── ModelError               the model failed; `passing`: a later try may work
    └── VerificationError        an edit was made and did not pass its checks
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class EngineError(Exception):
    """Base of everything the engine raises on purpose; any of them can be pickled."""

    def __reduce__(self) -> tuple[Callable[..., EngineError], tuple[Any, ...], dict[str, Any]]:
        # An exception is pickled as a call of its class with `args`, which says no keywords.
        return _rebuilt, (type(self), *self.args), vars(self)


def _rebuilt(kind: type[EngineError], *arguments: object) -> EngineError:
    return kind.__new__(kind, *arguments)


class UnsupportedFormatError(EngineError):
    """The file is of a kind that is not accepted.

    `is_other` when it is neither .docx nor .pdf at all.
    """

    def __init__(self, message: str, *, is_other: bool = False) -> None:
        super().__init__(message, is_other)
        self.message = message
        self.is_other = is_other

    def __str__(self) -> str:
        return self.message


class ProtectedFileError(UnsupportedFormatError):
    """A password is needed to open the file."""


class CorruptDocumentError(EngineError):
    """The file is damaged beyond reading."""


class TooLargeError(CorruptDocumentError):
    """Reading the file would go over a limit."""


class UnreadableError(EngineError):
    """The file holds no text that could be read."""


class EditError(EngineError):
    """An edit was not made; the document is as it was."""


class NotFoundError(EditError):
    """The text or place was not found.

    `closest` is the passage most like it, `reason` what a model said: for the history and for who
    sits at the command line, never for the status text.
    """

    def __init__(
        self,
        message: str = "Unable to locate the specified text",
        closest: str = "",
        reason: str = "",
    ) -> None:
        super().__init__(message, closest, reason)
        self.message = message
        self.closest = closest
        self.reason = reason

    @property
    def more(self) -> str:
        """A sentence that tells more; empty when nothing is known."""
        return self.reason or (f"Closest passage: {self.closest}" if self.closest else "")

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of several places an instruction may mean.

    `anchor` addresses its block in the version that was read (see `engine.model`), `label` is what
    it is called (`Section 4(c)`, `Table 2`, `Row 3`; empty for running text), and `words` are those
    around it, with the place itself between U+27EA and U+27EB where it is a part of them. `place`
    names exactly this place of that version (`p12@34-40`, `p3..p9`, `t2`), for the answer.
    """

    anchor: str
    label: str
    words: str
    place: str


class AmbiguousError(EditError):
    """Several places fit; `candidates` are these places in document order, where they are known.

    `count` is how many fit, where the candidates are only the first of them.
    """

    def __init__(
        self, message: str, candidates: tuple[Candidate, ...] = (), count: int | None = None
    ) -> None:
        super().__init__(message, candidates, count)
        self.message = message
        self.candidates = candidates
        self.count = len(candidates) if count is None else count

    def __str__(self) -> str:
        return self.message


class NotUnderstoodError(EditError):
    """The built-in interpreter cannot read the instruction."""


class RefusedError(EditError):
    """The edit is understood and is not made, for a reason the message gives."""


class PlanError(EditError):
    """The plan cannot be carried out on this document."""


class ModelError(EditError):
    """The language model did not answer usefully."""

    def __init__(self, message: str, *, passing: bool = True) -> None:
        super().__init__(message, passing)
        self.message = message
        self.passing = passing

    def __str__(self) -> str:
        return self.message


class VerificationError(EditError):
    """The edited document failed a check and was thrown away.

    Its message names the law, the part and the place, and no text of the document: it is logged for
    whoever mends the engine. `text` is what a person reads.
    """

    text = "The edit did not pass its checks"
