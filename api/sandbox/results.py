"""Results of engine calls as MessagePack: what a worker sends can build values, never run code.

A worker that a hostile document has taken over writes whatever bytes it likes to the service. So
the service decodes no pickle: it builds the built-in types, the dataclasses and Structs of the
engine's public modules, and the engine's errors, and nothing else.

    tuple (1, "a")         {"t": [1, "a"]}
    Fault("no such id")    {"c": "Fault", "v": ["no such id"]}
    NotFoundError("x")     {"e": "NotFoundError", "v": [args], "d": [[name, value], …]}
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from functools import cache
from types import ModuleType
from typing import Any, Final, TypeAlias, cast

import msgspec

from redraft.engine import errors, model, plan, report

DEEPEST: Final = 64
"""How far values may be nested; the engine's own stay below 10."""
PLAIN: Final[frozenset[Any]] = frozenset((type(None), bool, int, float, str, bytes))
SEQUENCES: Final[Mapping[Any, str]] = {tuple: "t", list: "l", frozenset: "f", set: "s"}
Tagged: TypeAlias = Mapping[str, Any]


class ResultError(Exception):
    """The bytes are no result that the engine could have given."""


@dataclasses.dataclass(frozen=True, slots=True)
class Crashed:
    """An unexpected exception in a worker: its kind and frames, without any document text."""

    kind: str
    frames: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Raised:
    """An engine error that a call raised."""

    error: errors.EngineError


def encode(value: object) -> bytes:
    """Writes a value as MessagePack.

    Raises:
        TypeError: it contains something that is none of the engine's values.
    """
    return msgspec.msgpack.encode(_tagged(value))


def decode(data: bytes) -> Any:
    """Builds the value that a worker has sent.

    Raises:
        ResultError: the data is damaged, or names a type that is not the engine's.
    """
    try:
        return _built(msgspec.msgpack.decode(data), DEEPEST)
    except ResultError:
        raise
    except (msgspec.DecodeError, TypeError, ValueError, KeyError, AttributeError) as error:
        raise ResultError from error


def _tagged(value: Any) -> Any:
    kind = cast("Any", type(value))
    if kind in PLAIN:
        return value
    if isinstance(value, Raised):
        fields = [[name, _tagged(field)] for name, field in vars(value.error).items()]
        arguments = [_tagged(argument) for argument in value.error.args]
        return {"e": type(value.error).__name__, "v": arguments, "d": fields}
    if kind in SEQUENCES:
        return {SEQUENCES[kind]: [_tagged(item) for item in value]}
    if kind is dict:
        return {"d": [[_tagged(key), _tagged(item)] for key, item in value.items()]}
    name = kind.__name__
    if _classes().get(name) is not kind:
        message = f"{kind.__qualname__} is not a value of the engine"
        raise TypeError(message)
    return {"c": name, "v": [_tagged(getattr(value, field)) for field in _fields(kind)]}


def _built(data: Any, depth: int) -> Any:
    if type(data) in PLAIN:
        return data
    if not depth or not isinstance(data, dict):
        raise ResultError
    tagged = cast("Tagged", data)
    if "c" in tagged:
        return _classes()[tagged["c"]](*_values(tagged["v"], depth))
    if "e" in tagged:
        return Raised(_error(tagged, depth))
    if "d" in tagged:
        return {_built(key, depth - 1): _built(item, depth - 1) for key, item in tagged["d"]}
    ((mark, items),) = tagged.items()
    builders: dict[str, Any] = {name: kind for kind, name in SEQUENCES.items()}
    return builders[mark](_values(items, depth))


def _values(items: Any, depth: int) -> list[Any]:
    if not isinstance(items, list):
        raise ResultError
    return [_built(item, depth - 1) for item in cast("list[Any]", items)]


def _error(tagged: Tagged, depth: int) -> errors.EngineError:
    kind = getattr(errors, tagged["e"], None)
    if not (inspect.isclass(kind) and issubclass(kind, errors.EngineError)):
        raise ResultError
    error = kind.__new__(kind, *_values(tagged["v"], depth))
    for name, value in tagged["d"]:
        if not isinstance(name, str) or name.startswith("_"):
            raise ResultError
        setattr(error, name, _built(value, depth - 1))
    return error


@cache
def _classes() -> Mapping[str, type]:
    """Returns the classes that a result may name, from the engine's public modules."""
    modules: tuple[ModuleType, ...] = (errors, model, plan, report)
    classes: dict[str, type] = {"Crashed": Crashed}
    for module in modules:
        for name, kind in vars(module).items():
            is_own = inspect.isclass(kind) and kind.__module__ == module.__name__
            if is_own and (dataclasses.is_dataclass(kind) or issubclass(kind, msgspec.Struct)):
                classes[name] = kind
    return classes


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    if issubclass(kind, msgspec.Struct):
        return kind.__struct_fields__
    return tuple(field.name for field in dataclasses.fields(kind) if field.init)
