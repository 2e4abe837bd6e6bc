"""Log lines: one JSON object or one readable line each, with the id of the request they belong to.

Never in a log: instructions, document text, file names, keys, signatures, messages of exceptions.
"""

from __future__ import annotations

import logging
import sys
import traceback
from contextvars import ContextVar
from typing import TextIO

import msgspec

from api.clock import iso

request_id: ContextVar[str] = ContextVar("request_id", default="")


class JsonLines(logging.Formatter):
    """Writes each record as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        line = {
            "time": iso(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request": request_id.get(),
        }
        return msgspec.json.encode(line).decode()


class PlainLines(logging.Formatter):
    """Writes each record as one line for people."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record; control characters that came from outside are made visible."""
        message = record.getMessage().encode("unicode_escape").decode("ascii")
        request = request_id.get() or "-"
        level = record.levelname.lower()
        return f"{iso(record.created)} {level:7} {record.name} {request} {message}"


def open_journal(form: str, level: str, stream: TextIO = sys.stderr) -> None:
    """Send the log of the service and of its server to a stream."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines() if form == "json" else PlainLines())
    root = logging.getLogger("redraft")
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    root.propagate = False
    server = logging.getLogger("uvicorn")
    server.handlers[:] = [handler]
    server.setLevel(logging.WARNING)
    server.propagate = False


def places(error: BaseException) -> str:
    """Say what an exception was and where it came from, without its message."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    where = " < ".join(f"{frame.filename}:{frame.lineno}" for frame in reversed(frames))
    cause = error.__cause__
    because = "" if cause is None else f" because of {places(cause)}"
    return f"{type(error).__name__} at {where}{because}"
