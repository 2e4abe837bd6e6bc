"""The seam to a language model: what is said, what comes back, what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from redraft.engine.errors import ModelError

_LETTERS_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation with a model; `picture` is a `data:` address shown beside it."""

    role: Literal["system", "user", "assistant"]
    content: str
    picture: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """What answers cost: requests that were answered, tokens read, read from cache, and written."""

    requests: int = 0
    input: int = 0
    cached: int = 0
    output: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.requests + other.requests,
            self.input + other.input,
            self.cached + other.cached,
            self.output + other.output,
        )


@dataclass(frozen=True, slots=True)
class Question:
    """A conversation and the JSON schema its answer must have (strict style)."""

    messages: tuple[Message, ...]
    schema_name: str
    schema: Mapping[str, object]

    def unanswered(self) -> Usage:
        """What asking has cost when no answer came: about the words that were sent."""
        letters = sum(len(message.content) for message in self.messages)
        return Usage(1, letters // _LETTERS_A_TOKEN)


class SpentError(ModelError):
    """The model failed after it had been asked; `usage` is what that took, as far as it is known.

    Args:
        message: A sentence for a person.
        usage: What the answers that were no use took, and questions that got none.
        passing: Whether a later try may work.
    """

    def __init__(self, message: str, usage: Usage, *, passing: bool = True) -> None:
        super().__init__(message, passing=passing)
        self.usage = usage


@dataclass(frozen=True, slots=True)
class Answer:
    """The text a model wrote, thoughts and fences as they came."""

    text: str
    usage: Usage


class LanguageModel(Protocol):
    """Something that answers a question in JSON."""

    @property
    def name(self) -> str:
        """How the operator calls it."""
        ...

    async def answer(self, question: Question, deadline: float) -> Answer:
        """Answer once.

        Args:
            question: What is asked.
            deadline: A moment of the running loop's clock, in seconds.

        Raises:
            ModelError: It did not answer usefully; each cause has its own sentence. A SpentError
                when it was asked, and that costs.
        """
        ...

    def misread(self) -> None:
        """Take note that the last answer was no such JSON; ask in a plainer way next time."""
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a model is given: tokens of view in one question, tokens of one edit in all."""

    view: int = 24_000
    edit: int = 200_000


@dataclass(frozen=True, slots=True)
class Models:
    """The models an operator configured; `plain_first` lets the built-in interpreter try first.

    `vision` sees: it captions pictures.
    """

    ordinary: LanguageModel | None = None
    large: LanguageModel | None = None
    plain_first: bool = True
    limits: Limits = Limits()
    large_limits: Limits = Limits(60_000, 600_000)
    vision: LanguageModel | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the ordinary model, and of the large one where there are two."""
        names = [model.name for model in (self.ordinary, self.large) if model is not None]
        return tuple(dict.fromkeys(names))
