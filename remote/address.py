"""What is said of an address that cannot be opened for listening."""

from __future__ import annotations

import os
import socket


def unheard(error: OSError) -> str:
    """Returns the system's own words; asyncio wraps them in the address and a number."""
    if isinstance(error, socket.gaierror) or not error.errno:
        return error.strerror or str(error)
    return os.strerror(error.errno)
