"""The process that workers are forked from: it has loaded the engine and holds no secret.

It is started by `workers.py` with a clean environment, as its own program, so that it can be
started again at any time without anything of the service in its memory. It never opens a document.
Over its control socket it takes a command of one byte:

    b"s" with a descriptor    fork a worker that serves calls on it; answers the worker's pid
    b"k" and a pid            kill that worker and reap it; answers its wait status

Only it may reap its children, so a pid cannot belong to another process before the answer. When the
service is gone, the control socket ends: workers are killed, and so ends this process.
"""

from __future__ import annotations

import array
import contextlib
import importlib
import os
import pickle
import signal
import socket
import struct
import sys
from collections.abc import Sequence

NUMBER = struct.Struct("=q")
LENGTH = struct.Struct("=I")
UNKNOWN = -1


def main(descriptor: int, preloaded: Sequence[str]) -> None:
    """Serves commands until the service closes the control socket."""
    for name in preloaded:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    control = socket.socket(fileno=descriptor)
    workers: set[int] = set()
    while True:
        command, descriptors = _received(control)
        if command == b"s" and descriptors:
            pid = _forked(control, descriptors[0])
            workers.add(pid)
            control.sendall(NUMBER.pack(pid))
        elif command == b"k":
            pid = NUMBER.unpack(_exactly(control, NUMBER.size))[0]
            control.sendall(NUMBER.pack(_ended(pid) if pid in workers else UNKNOWN))
            workers.discard(pid)
        else:
            break
    for pid in workers:
        _ended(pid)


def serve_calls(connection: int) -> None:
    """Serves calls in a worker, in frames of a length and that many bytes, until the service ends.

    The first frame confines this process; each other one is a function, its arguments and its
    seconds of CPU time. Requests are pickles, as they come from the service; answers never are.
    """
    # What the fork server is told to preload; it starts without.
    from redraft.api.sandbox.process_limits import perform
    from redraft.api.sandbox.results import Raised, encode
    from redraft.engine.errors import EngineError

    confine, arguments = pickle.loads(_frame(connection))  # noqa: S301 - from the service itself
    confine(*arguments)
    _write(connection, encode(None))
    while frame := _frame(connection):
        function, arguments, seconds = pickle.loads(frame)  # noqa: S301 - from the service itself
        try:
            value = perform(function, arguments, seconds)
        except EngineError as error:
            value = Raised(error)
        _write(connection, encode(value))


def _forked(control: socket.socket, connection: int) -> int:
    pid = os.fork()
    if pid:
        os.close(connection)
        return pid
    status = 1
    try:
        control.close()
        serve_calls(connection)
        status = 0
    except (OSError, EOFError):  # the service is gone
        status = 0
    finally:
        os._exit(status)


def _ended(pid: int) -> int:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    try:
        return os.waitpid(pid, 0)[1]
    except ChildProcessError:
        return UNKNOWN


def _received(control: socket.socket) -> tuple[bytes, list[int]]:
    descriptors = array.array("i")
    data, ancillary, _, _ = control.recvmsg(1, socket.CMSG_SPACE(descriptors.itemsize))
    for level, kind, payload in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors.frombytes(payload[: descriptors.itemsize])
    return data, list(descriptors)


def _exactly(control: socket.socket, size: int) -> bytes:
    data = control.recv(size, socket.MSG_WAITALL)
    if len(data) < size:
        raise EOFError
    return data


def _frame(connection: int) -> bytes:
    """Reads the next frame; empty when the service has closed the connection."""
    head = _read(connection, LENGTH.size)
    return _read(connection, LENGTH.unpack(head)[0]) if head else b""


def _read(connection: int, size: int) -> bytes:
    chunks: list[bytes] = []
    while size:
        chunk = os.read(connection, min(size, 1 << 20))
        if not chunk:
            if chunks:
                raise EOFError
            return b""
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)


def _write(connection: int, data: bytes) -> None:
    view = memoryview(LENGTH.pack(len(data)) + data)
    while view:
        view = view[os.write(connection, view) :]


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
