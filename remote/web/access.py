"""Who may open the page: one address that works once, from this machine, from our own page.

The address that is printed holds a token that is spent by the first who uses it; the window that
it opens has a secret address of its own, which works until the server ends. Pages of others that a
browser has open cannot get in: they know neither, their requests carry another Origin (RFC 6454),
and a name of theirs that they point at this machine is no Host of ours.
"""

from __future__ import annotations

import hmac
import secrets
from urllib.parse import urlsplit

NAMES = ("127.0.0.1", "localhost", "[::1]")
NO_HOST = "this is not the address of redraft; open the one that `redraft web` printed"
NO_ORIGIN = "requests from other pages are refused"
NO_TOKEN = "open the address that `redraft web` printed, with its token"  # noqa: S105 - a sentence
SPENT = "this address works only once and was already used; start `redraft web` again"
WRONG = "this is not the address that `redraft web` printed"


class Access:
    """The tokens and names of one run of the server."""

    def __init__(self, port: int) -> None:
        self._hosts = {f"{name}:{port}" for name in NAMES}
        if port == 80:
            self._hosts.update(NAMES)
        self._token = secrets.token_urlsafe(32)
        self._window = secrets.token_urlsafe(32)
        self._is_spent = False
        self.address = f"http://127.0.0.1:{port}/?token={self._token}"

    def refusal_of_host(self, host: str | None) -> str:
        """Returns why a Host header is not ours, or nothing."""
        return "" if (host or "").lower() in self._hosts else NO_HOST

    def refusal_of_origin(self, origin: str | None, *, is_needed: bool) -> str:
        """Returns why an Origin header is not ours, or nothing; browsers leave it out of links."""
        if origin is None and not is_needed:
            return ""
        place = urlsplit(origin or "")
        is_ours = place.scheme == "http" and place.netloc.lower() in self._hosts
        return "" if is_ours else NO_ORIGIN

    def refusal_of_token(self, token: str | None) -> str:
        """Returns why a token opens nothing, or nothing; the token is spent then."""
        if not token:
            return NO_TOKEN
        if not _is_same(token, self._token):
            return WRONG
        if self._is_spent:
            return SPENT
        self._is_spent = True
        return ""

    @property
    def window(self) -> str:
        """The secret part of the address of the window."""
        return self._window

    def opens(self, window: str) -> bool:
        """Whether this is the secret of the window."""
        return _is_same(window, self._window)


def _is_same(received: str, expected: str) -> bool:
    return hmac.compare_digest(received.encode("utf-8", "surrogatepass"), expected.encode())
