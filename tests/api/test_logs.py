from __future__ import annotations

import io
import json
import logging
from collections.abc import Generator

import pytest
import structlog

from redraft.api.logs import FIELDS, error_origin, logger_for, start_logging


@pytest.fixture(autouse=True)
def restored() -> Generator[None]:
    names = ("redraft", "uvicorn")
    before = {name: logging.getLogger(name).handlers[:] for name in names}
    yield
    structlog.contextvars.clear_contextvars()
    for name, handlers in before.items():
        logging.getLogger(name).handlers[:] = handlers
        logging.getLogger(name).propagate = True


def opened(form: str, level: str = "info") -> io.StringIO:
    stream = io.StringIO()
    start_logging(form, level, stream)
    return stream


def test_a_json_line_carries_the_ids_of_what_it_belongs_to() -> None:
    stream = opened("json")
    structlog.contextvars.bind_contextvars(request="r1", document="d1")
    logger_for("redraft.test").info("request", status=200, seconds=0.00123456)
    line = json.loads(stream.getvalue())
    assert line.pop("time").endswith("Z")
    assert line == {
        "level": "info",
        "logger": "redraft.test",
        "event": "request",
        "request": "r1",
        "document": "d1",
        "status": 200,
        "seconds": 0.001235,
    }


def test_a_line_says_what_a_model_took() -> None:
    stream = opened("json")
    took = {"model": "m", "requests": 1, "input": 5, "cached": 2, "output": 3, "cost": 0.25}
    logger_for("redraft.test").info("planned", **took)
    assert took.items() <= json.loads(stream.getvalue()).items()


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_field_that_is_not_on_the_list_is_left_out(form: str) -> None:
    stream = opened(form)
    logger_for("redraft.test").info("edited", instruction="canary", text="canary", kind="edit")
    assert "canary" not in stream.getvalue()
    assert "edit" in stream.getvalue()
    assert not {"instruction", "text", "name", "exc_info", "exception"} & set(FIELDS)


@pytest.mark.parametrize("form", ["json", "console"])
def test_the_message_of_an_exception_is_left_out_also_of_the_servers_own_lines(form: str) -> None:
    stream = opened(form)
    try:
        raise ValueError("canary")
    except ValueError as error:
        told = error_origin(error)
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application")
        logging.getLogger("redraft.test").exception("failed")
    assert stream.getvalue().count("\n") == 2
    assert "canary" not in stream.getvalue()
    assert told.startswith("ValueError at ")
    assert "canary" not in told


def test_control_characters_from_outside_are_made_visible_in_lines_for_people() -> None:
    stream = opened("console")
    logger_for("redraft.test").info("request", method="GET\r\nforged \x1b[31mline")
    assert stream.getvalue().count("\n") == 1
    assert "\x1b" not in stream.getvalue()


def test_lines_below_the_level_are_left_out() -> None:
    stream = opened("json", "warning")
    logger_for("redraft.test").info("request")
    logger_for("redraft.test").warning("told")
    assert [json.loads(line)["event"] for line in stream.getvalue().splitlines()] == ["told"]
