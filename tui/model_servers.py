"""Asking a language model's server: what answers on this machine, which models it has, a trial."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx
import msgspec

from redraft.tui.language_model import NO_KEY, ModelChoice
from redraft.tui.text.runs import clip, one_line
from redraft.tui.transport.failures import ClientError

GLANCE = 1.5  # seconds for a server of this machine to say what it has
PATIENCE = 20.0
TRIAL = 90.0  # a local server may have to load the model first
LOCAL_PORTS = {"Ollama": 11434, "LM Studio": 1234, "llama.cpp": 8080, "vLLM": 8000}
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class ModelServerError(ClientError):
    """The server does not answer as a language model's does; the message is for a person."""


@dataclass(frozen=True, slots=True)
class LocalModels:
    """A server of this machine and the models that it has."""

    name: str
    address: str
    models: tuple[str, ...]


class _Model(msgspec.Struct):
    id: str


class _Models(msgspec.Struct):
    data: list[_Model]


class _Choices(msgspec.Struct):
    choices: list[dict[str, object]]


class _Fault(msgspec.Struct):
    message: str = ""


class _Refusal(msgspec.Struct):
    error: _Fault | str = ""


async def local_servers() -> list[LocalModels]:
    """Returns the servers that answer on this machine, each with its models."""

    async def look(name: str, port: int) -> LocalModels | None:
        address = f"http://127.0.0.1:{port}/v1"
        try:
            models = await models_at(address, "", GLANCE)
        except ModelServerError:
            return None
        return LocalModels(name, address, models) if models else None

    looked = await asyncio.gather(*(look(name, port) for name, port in LOCAL_PORTS.items()))
    return [one for one in looked if one is not None]


async def models_at(address: str, key: str, seconds: float = PATIENCE) -> tuple[str, ...]:
    """Returns the names of the models of a server.

    Raises:
        ModelServerError: it does not tell them.
    """
    answer = await _asked("GET", address, "/models", key, seconds)
    try:
        listed = msgspec.json.decode(answer.content, type=_Models)
    except msgspec.DecodeError as error:
        message = f"what answers at {address} does not list language models"
        raise ModelServerError(message) from error
    return tuple(model.id.removeprefix("models/") for model in listed.data)


async def try_out(choice: ModelChoice) -> None:
    """Asks the model one short question.

    Raises:
        ModelServerError: it does not answer.
    """
    question = {"role": "user", "content": "Answer with the one word: ready"}
    body = {"model": choice.model, "messages": [question]}
    answer = await _asked("POST", choice.address, "/chat/completions", choice.key, TRIAL, body)
    try:
        is_answered = bool(msgspec.json.decode(answer.content, type=_Choices).choices)
    except msgspec.DecodeError:
        is_answered = False
    if not is_answered:
        message = f"{choice.model} at {choice.address} gave no answer that can be read"
        raise ModelServerError(message)


async def _asked(
    method: str,
    address: str,
    path: str,
    key: str,
    seconds: float,
    body: Mapping[str, object] | None = None,
) -> httpx.Response:
    place = urlsplit(address)
    is_near = place.hostname in LOOPBACK
    if place.scheme not in ("http", "https") or not place.hostname:
        message = f"{address!r} is no address; it begins with https:// or http://"
        raise ModelServerError(message)
    if key and place.scheme == "http" and not is_near:
        message = f"the key would go to {place.hostname} unencrypted; use https://"
        raise ModelServerError(message)
    headers = {"Authorization": f"Bearer {key or NO_KEY}"}
    timeout = httpx.Timeout(seconds, connect=min(seconds, 5.0))
    try:
        async with httpx.AsyncClient(
            headers=headers, timeout=timeout, trust_env=not is_near, follow_redirects=False
        ) as client:
            answer = await client.request(method, address.rstrip("/") + path, json=body)
    except httpx.TimeoutException as error:
        message = f"{address} did not answer within {seconds:g} seconds"
        raise ModelServerError(message) from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        message = f"nothing answers at {address}; check the address, and that it runs"
        raise ModelServerError(message) from error
    if not answer.is_success:
        raise ModelServerError(_reason(answer, address, key))
    return answer


def _reason(answer: httpx.Response, address: str, key: str) -> str:
    """Says why a server refused, never with the key in it."""
    if answer.status_code in (401, 403):
        return f"{address} does not accept the key ({answer.status_code})"
    try:
        error = msgspec.json.decode(answer.content, type=_Refusal).error
    except msgspec.DecodeError:
        error = ""
    told = one_line(error.message if isinstance(error, _Fault) else error)
    told = clip(told.replace(key, "…") if key else told, 160)
    words = f"{address} answered {answer.status_code}"
    return f"{words}: {told}" if told else words
