"""Log lines: one JSON object or one readable line each, with the ids of what they belong to.

Never in a log: instructions, document text, file names, keys, signatures, messages of exceptions.
A field that is not on the list below is left out of every line, whoever gave it.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import MutableMapping
from typing import Any, TextIO

import msgspec
import structlog
from structlog.stdlib import BoundLogger, ProcessorFormatter

FIELDS = (
    "time",
    "level",
    "logger",
    "event",
    "request",
    "key",
    "document",
    "operation",
    "method",
    "route",
    "status",
    "kind",
    "outcome",
    "queued",
    "seconds",
    "model",
    "requests",
    "input",
    "cached",
    "output",
    "cost",
    "error",
    "origin",
    "check",
    "head",
    "file",
    "plan",
)
"""What a line may say, in the order in which it says it."""
COMMON: tuple[Any, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper("iso", utc=True, key="time"),
)
structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *COMMON,
        ProcessorFormatter.wrap_for_formatter,
    ],
    wrapper_class=BoundLogger,
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)


def logger_for(name: str) -> BoundLogger:
    """Returns the log of one part of the service; `event` is what happened, the rest are fields."""
    return structlog.stdlib.get_logger(name)


def start_logging(form: str, level: str, stream: TextIO = sys.stderr) -> None:
    """Sends the log of the service and of its server to a stream."""
    written = _as_json if form == "json" else _as_line
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        ProcessorFormatter(processors=[_allowed, written], foreign_pre_chain=COMMON)
    )
    for name, least in (("redraft", level.upper()), ("uvicorn", "WARNING")):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(least)
        logger.propagate = False


def error_origin(error: BaseException) -> str:
    """Says what an exception was and where it came from, without its message."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    frame_list = " < ".join(f"{frame.filename}:{frame.lineno}" for frame in reversed(frames))
    cause = error.__cause__
    because = "" if cause is None else f" because of {error_origin(cause)}"
    return f"{type(error).__name__} at {frame_list}{because}"


def _allowed(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    kept = {name: event[name] for name in FIELDS if name in event}
    return {
        name: round(value, 6) if isinstance(value, float) else value for name, value in kept.items()
    }


def _as_json(_: object, __: str, event: MutableMapping[str, Any]) -> str:
    return msgspec.json.encode(event).decode()


def _as_line(_: object, __: str, event: MutableMapping[str, Any]) -> str:
    """Writes a line for people; control characters that came from outside are made visible."""
    fields = dict(event)
    time, level, name, what = (fields.pop(key) for key in ("time", "level", "logger", "event"))
    start = f"{time} {level:7} {name}: {what}"
    line = " ".join((start, *(f"{field}={value}" for field, value in fields.items())))
    return line.encode("unicode_escape").decode("ascii")
