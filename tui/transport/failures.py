"""What can go wrong between the terminal program and a service.

ClientError              str(error) is a sentence for a person
├── ServiceError         the service answered with an error: `status`, and its own words in `detail`
│   ├── KeyRejectedError 401
│   ├── GoneError        404: unknown, or its time is over
│   └── TimedOutError    408: not applied, and never will be
├── UnreachableError     no answer; whether the request was carried out is not known
└── StartError           the local service did not start
"""

from __future__ import annotations

import errno

from redraft.tui.transport.wire import Candidate

ADVICE = {
    errno.EACCES: "give it to the user that redraft runs as",
    errno.EPERM: "give it to the user that redraft runs as",
    errno.EROFS: "let its volume be written",
    errno.ENOSPC: "make room there",
    errno.EDQUOT: "make room there",
    errno.EEXIST: "move away the file that stands where a folder belongs",
    errno.ENOTDIR: "move away the file that stands where a folder belongs",
    errno.EISDIR: "move away the folder that stands where a file belongs",
}


class ClientError(Exception):
    """Base of everything that the client raises on purpose."""


class ServiceError(ClientError):
    """The service refused or failed; `detail` is what it said, word for word.

    `candidates` are the places that an ambiguous instruction may mean.
    """

    def __init__(self, status: int, detail: str, candidates: tuple[Candidate, ...] = ()) -> None:
        super().__init__(status, detail, candidates)
        self.status = status
        self.detail = detail
        self.candidates = candidates

    def __str__(self) -> str:
        return self.detail


class KeyRejectedError(ServiceError):
    """The key is missing or wrong."""


class GoneError(ServiceError):
    """The document, or the thing named, is not there any more."""


class TimedOutError(ServiceError):
    """The operation ran out of time and was not applied."""


class UnreachableError(ClientError):
    """The service cannot be reached, or the line broke before it answered."""


class StartError(ClientError):
    """The local service did not start; the message ends with the last lines that it printed."""


def service_error(status: int, detail: str, candidates: tuple[Candidate, ...] = ()) -> ServiceError:
    """Return the error that belongs to a status."""
    kinds: dict[int, type[ServiceError]] = {
        401: KeyRejectedError,
        404: GoneError,
        408: TimedOutError,
    }
    return kinds.get(status, ServiceError)(status, detail, candidates)


def refused(error: OSError, otherwise: str) -> str:
    """Say what the system said of which file, and what helps.

    Args:
        error: What was raised.
        otherwise: What helps, too: how another folder is named.
    """
    where = f": {error.filename}" if error.filename else ""
    advice = [ADVICE[error.errno]] if error.errno in ADVICE else []
    helps = ", or ".join([*advice, otherwise])
    return f"{error.strerror or error}{where}; {helps}"
