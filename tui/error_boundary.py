"""Handlers that may fail without an end of the program.

Textual ends a widget's life with the first exception in one of its handlers. A guarded widget asks
the program first whether it goes on; a program without a place for the report (as in tests) does
not.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from textual.message import Message
from textual.message_pump import MessagePump


@runtime_checkable
class Recovering(Protocol):
    """A program that can go on after a fault."""

    def recover(self, error: Exception) -> bool:
        """Tell of the fault; return whether the program goes on."""
        ...


class ErrorBoundary(MessagePump):
    """Something whose handlers may fail without an end of it."""

    async def _dispatch_message(self, message: Message) -> None:
        try:
            await super()._dispatch_message(message)
        except Exception as error:  # the outermost frame of every handler
            program = self.app  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            if not isinstance(program, Recovering) or not program.recover(error):
                raise
