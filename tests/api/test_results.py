"""Results of workers are values of the engine, and nothing that a worker sends runs code."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.api.sandbox.results import Crashed, Raised, ResultError, decode, encode
from redraft.engine import errors
from redraft.engine.model import ImageNote, Notice, Revision
from redraft.engine.plan import EditPlan, Fault, FindReplace
from redraft.engine.report import Inspection, Reading, Resolution

VALUES = [
    None,
    True,
    3.5,
    "text",
    b"\x00state",
    (1, ("a", None)),
    [1, [2]],
    frozenset({"a"}),
    {"a": (1,)},
    Inspection("docx", "application/x", (ImageNote("im1", "a chart"),), b"[]"),
    EditPlan("edit", "because", (FindReplace("a", "b"),)),
    (Fault(0, "no-such-id", "no such id"),),
    Crashed("ValueError", ("a.py:1",)),
]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_every_kind_of_result_comes_back_equal(value: object) -> None:
    assert decode(encode(value)) == value
    assert type(decode(encode(value))) is type(value)


def test_an_error_comes_back_with_all_it_says() -> None:
    raised = decode(encode(Raised(errors.NotFoundError("a sentence", "closest"))))
    assert type(raised.error) is errors.NotFoundError
    assert (str(raised.error), raised.error.closest) == ("a sentence", "closest")


class Trap:
    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (Path("trap-was-sprung"),)


@pytest.mark.parametrize(
    "data",
    [
        pickle.dumps(Trap()),
        b"",
        b"\xc1",
        msgspec.msgpack.encode({"c": "Path", "v": ["/"]}),
        msgspec.msgpack.encode({"c": "Protocol", "v": []}),
        msgspec.msgpack.encode({"e": "Callable", "v": [], "d": []}),
        msgspec.msgpack.encode({"e": "__builtins__", "v": [], "d": []}),
        msgspec.msgpack.encode({"e": "EngineError", "v": [], "d": [["__class__", 1]]}),
        msgspec.msgpack.encode({"x": []}),
        msgspec.msgpack.encode({"t": 1}),
        msgspec.msgpack.encode({"c": "Fault", "v": [1, 2, 3, 4, 5]}),
        msgspec.msgpack.encode([1]),
        msgspec.msgpack.encode({"d": [[{"l": []}, 1]]}),
    ],
)
def test_what_is_no_result_is_refused(data: bytes, monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ResultError):
        decode(data)
    assert not Path("trap-was-sprung").exists()


def test_a_result_that_is_nested_without_end_is_refused() -> None:
    data: Any = 1
    for _ in range(100):
        data = {"l": [data]}
    with pytest.raises(ResultError):
        decode(msgspec.msgpack.encode(data))


@given(st.binary(max_size=200))
def test_any_bytes_are_a_result_or_refused(data: bytes) -> None:
    try:
        decode(data)
    except ResultError:
        return


def test_a_value_that_is_not_the_engines_does_not_leave_a_worker() -> None:
    with pytest.raises(TypeError, match="PosixPath is not a value of the engine"):
        encode(Path())


def test_the_results_of_the_engine_are_all_known() -> None:
    for value in (
        Reading("# A", (), ()),
        Resolution(1, b""),
    ):
        assert decode(encode(value)) == value
    assert Notice
    assert Revision
