"""Chat Completions through the openai package: the one place of the engine with a network.

Retries, deadlines and the ladder of `engine.planner.json_modes` are ours, so that an edit's five
minutes hold and cancelling really ends the request. The key is in no message of any exception.
"""

from __future__ import annotations

import asyncio
import importlib
import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from redraft.engine.errors import ModelError
from redraft.engine.planner.json_modes import NAMES, PLAIN, STRICT, TOOL, request
from redraft.engine.planner.model import Answer, Question, SpentError, Usage

if TYPE_CHECKING:
    import openai

LONGEST_CALL = 120.0
TRIES = 3
LONGEST_WAIT = 60.0
_TEMPERATURE = "temperature"
NOTHING = Usage()


class _Function(msgspec.Struct):
    arguments: str = ""


class _ToolCall(msgspec.Struct):
    function: _Function | None = None


class _Said(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[_ToolCall] | None = None


class _Choice(msgspec.Struct):
    message: _Said
    finish_reason: str | None = None


class _Cached(msgspec.Struct):
    cached_tokens: int | None = None


class _Counted(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _Cached | None = None


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    usage: _Counted | None = None


@dataclass(frozen=True, slots=True)
class _RetryError(Exception):
    """A request that may go better in a while; `wait` is what the server asked for, in seconds."""

    why: str
    wait: float | None = None
    usage: Usage = NOTHING


class _LowerError(Exception):
    """The server does not take this way of asking."""


class ChatCompletions:
    """One model of one server; it remembers the way of asking that worked."""

    def __init__(self, name: str, address: str, key: str, *, first_wait: float = 1.0) -> None:
        """`first_wait` is the pause before the first retry in seconds; the second is twice that."""
        self._first_wait = first_wait
        self._name = name
        self._address = address
        # The package insists on a key; servers without keys ignore it.
        self._key = key or "none"
        self._rung = STRICT
        self._takes_temperature = True

    def __repr__(self) -> str:
        return f"ChatCompletions({self._name!r}, {self.host!r})"

    @property
    def name(self) -> str:
        """The model's name."""
        return self._name

    @property
    def host(self) -> str:
        """The server, without path or credentials."""
        parts = urlsplit(self._address)
        return parts.hostname or "the configured address"

    def misread(self) -> None:
        """Ask in a plainer way from now on: a server that ignores a schema ignores a loose one."""
        self._rung = TOOL if self._rung < TOOL else PLAIN

    async def answer(self, question: Question, deadline: float) -> Answer:
        """Ask once, with retries where the failure may pass.

        Raises:
            ModelError: No useful answer before the deadline.
        """
        # About a second of imports, off the event loop.
        module = await asyncio.to_thread(importlib.import_module, "openai")
        client: openai.AsyncOpenAI = module.AsyncOpenAI(
            api_key=self._key,
            base_url=self._address,
            max_retries=0,
            timeout=LONGEST_CALL,
            # Document text and key go to the operator's host and to no other.
            http_client=module.DefaultAsyncHttpxClient(follow_redirects=False),
        )
        async with client:
            return await self._persist(client, question, deadline)

    async def _persist(
        self, client: openai.AsyncOpenAI, question: Question, deadline: float
    ) -> Answer:
        tries, spent = 0, Usage()
        while True:
            try:
                answer = await self._ask(client, question, deadline)
                return replace(answer, usage=spent + answer.usage)
            except _LowerError:
                continue
            except _RetryError as failure:
                tries += 1
                spent += failure.usage
                await self._pause(failure, tries, deadline, spent)
            except SpentError as error:
                raise SpentError(
                    error.message, spent + error.usage, passing=error.passing
                ) from error

    async def _pause(self, failure: _RetryError, tries: int, deadline: float, spent: Usage) -> None:
        if tries >= TRIES:
            message = f"The language model is not available ({failure.why} after {tries} tries)"
            raise SpentError(message, spent)
        grown = self._first_wait * 2 ** (tries - 1) * random.uniform(0.8, 1.2)  # noqa: S311 - spreads retries, no secret
        wait = grown if failure.wait is None else failure.wait
        left = deadline - asyncio.get_running_loop().time()
        if wait > LONGEST_WAIT or wait >= left - 1:
            message = f"The language model is not available ({failure.why}); try again later"
            raise SpentError(message, spent)
        await asyncio.sleep(wait)

    async def _ask(self, client: openai.AsyncOpenAI, question: Question, deadline: float) -> Answer:
        body = {"model": self._name, **request(question, self._rung)}
        if self._takes_temperature:
            body["temperature"] = 0
        if self.host == "api.openai.com":
            body["prompt_cache_key"] = "redraft"
        left = deadline - asyncio.get_running_loop().time()
        if left <= 0:
            raise ModelError("There was no time left to ask the language model")
        limit = min(LONGEST_CALL, left)
        try:
            async with asyncio.timeout(limit):
                content = await self._post(client, body, limit)
        except TimeoutError:
            message = f"The language model did not answer within {limit:.0f} seconds"
            raise SpentError(message, question.unanswered()) from None
        return self._read(content)

    async def _post(self, client: openai.AsyncOpenAI, body: dict[str, Any], limit: float) -> bytes:
        import openai

        create: Any = client.chat.completions.with_raw_response.create
        try:
            raw: Any = await create(**body, timeout=limit)
        except openai.APITimeoutError:
            raise TimeoutError from None
        except openai.APIConnectionError:
            why = f"no connection to {self.host}"
            raise _RetryError(why) from None
        except openai.APIStatusError as error:
            raise self._status(error) from None
        return bytes(raw.content)

    def _status(self, error: openai.APIStatusError) -> Exception:
        """Say what an error status means; the server's own words may hold the key and stay out."""
        status, answer = error.status_code, f"{error.code} {error.param} {error.message}".lower()
        if "insufficient_quota" in answer:
            return ModelError("The language model's account has no credit left", passing=False)
        if status in (408, 409, 429) or status >= 500:
            return _RetryError(str(status), _retry_after(error.response.headers.get("retry-after")))
        if status in (401, 403):
            message = f"The language model's server at {self.host} refused OPENAI_API_KEY"
            return ModelError(message, passing=False)
        if status == 413 or "context_length" in answer or "maximum context" in answer:
            return ModelError("The document is too long for the language model", passing=False)
        return self._lower(status, answer)

    def _lower(self, status: int, answer: str) -> Exception:
        if self._takes_temperature and _TEMPERATURE in answer:
            self._takes_temperature = False
            return _LowerError()
        is_named = any(name in answer for name in NAMES[self._rung])
        if self._rung < PLAIN and (is_named or status in (400, 422)):
            self._rung += 1
            return _LowerError()
        if status == 404:
            message = (
                f"The server at {self.host} does not know the model {self._name};"
                " see REDRAFT_MODEL and OPENAI_BASE_URL"
            )
            return ModelError(message, passing=False)
        if status < 400:
            message = f"The server at {self.host} sends requests elsewhere; see OPENAI_BASE_URL"
            return ModelError(message, passing=False)
        message = f"The language model's server did not take the request ({status})"
        return ModelError(message, passing=False)

    def _read(self, content: bytes) -> Answer:
        try:
            completion = msgspec.json.decode(content, type=_Completion)
        except (msgspec.DecodeError, UnicodeDecodeError):
            why = "an answer that is no Chat Completion"
            raise _RetryError(why) from None
        usage = _usage(completion.usage)
        if not completion.choices:
            raise _RetryError("an empty answer", usage=usage)
        choice = completion.choices[0]
        text = _text(choice.message)
        if choice.message.refusal:
            message = f"The language model refused: {choice.message.refusal[:300]}"
            raise SpentError(message, usage, passing=False)
        if choice.finish_reason == "content_filter":
            message = "The language model's content filter stopped the answer"
            raise SpentError(message, usage, passing=False)
        if choice.finish_reason == "length":
            message = "The language model's answer was too long and was cut off"
            raise SpentError(message, usage, passing=False)
        if not text.strip():
            raise _RetryError("an empty answer", usage=usage)
        return Answer(text, usage)


def _text(message: _Said) -> str:
    for call in message.tool_calls or ():
        if call.function and call.function.arguments:
            return call.function.arguments
    return message.content or ""


def _usage(counted: _Counted | None) -> Usage:
    if counted is None:
        return Usage(1)
    details = counted.prompt_tokens_details
    return Usage(
        1,
        counted.prompt_tokens or 0,
        (details.cached_tokens or 0) if details else 0,
        counted.completion_tokens or 0,
    )


def _retry_after(written: str | None) -> float | None:
    """Read the header's seconds; its date form is not worth a clock."""
    try:
        return max(0.0, float(written)) if written else None
    except ValueError:
        return None
