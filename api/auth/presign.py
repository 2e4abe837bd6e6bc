"""Download links that carry their own, temporary access.

A link is `/storage/<document>/<version>?exp=<moment>&kid=<key>&sig=<signature>&by=<API key>`; the
signature is HMAC-SHA256 over the method's family, the path, the moment, the id of the signing key
and that of the API key it was made with, which must still be open when the link is used.
`verified` is the one function that lets anybody in, and nothing in it skips the comparison.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import math
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from redraft.api.clock import Clock
from redraft.api.errors import BadLinkError
from redraft.api.metadata.keys import Keys, SigningKey

STILL_VERIFIES = 25 * 3600.0
"""Seconds that a retired key still verifies: the longest life of a link (24 h) and an hour."""
PARAMETERS = ("by", "exp", "kid", "sig")


@dataclass(frozen=True, slots=True)
class Link:
    """What a link opens: the path below the service's address, and the query that signs it."""

    path: str
    query: str


class Presigner:
    """Makes and verifies download links.

    Args:
        keys: Where the signing keys are kept.
        clock: When it is.
    """

    def __init__(self, keys: Keys, clock: Clock) -> None:
        self._keys = keys
        self._clock = clock

    async def prepare(self) -> None:
        """Makes the first signing key if there is none, and forgets those that are long retired."""
        await self._keys.drop_signing(self._clock.now() - STILL_VERIFIES)
        if not any(key.retired_at is None for key in await self._keys.signing()):
            await self.rotate()

    async def rotate(self) -> str:
        """Signs with a new key from now on; links made before live on until they expire."""
        key = SigningKey(secrets.token_hex(4), secrets.token_bytes(32), self._clock.now())
        await self._keys.add_signing(key)
        return key.id

    async def replace(self) -> None:
        """Signs with a new key from now on, and ends every link that was made before."""
        await self.rotate()
        await self._keys.drop_signing(math.inf)

    async def link(self, document: str, version: int, seconds: int, by: str) -> Link:
        """Makes a link to one version of a document that works for that many seconds.

        `by` is the id of the API key that asked for it.
        """
        return await self.signed(path_of(document, version), seconds, by)

    async def signed(self, path: str, seconds: int, by: str) -> Link:
        """Makes a link to a path that works for that many seconds; `by` as `link` has it."""
        key = (await self._keys.signing())[0]
        moment = str(int(self._clock.now()) + seconds)
        signature = _signature(key.secret, path, moment, key.id, by)
        return Link(path, f"exp={moment}&kid={key.id}&sig={signature}&by={by}")

    async def nonce(self, document: str) -> str:
        """Returns a word for a document that nobody can guess and that stays while the key does.

        What a language model is shown begins with it; were it another one each time, a provider
        could not take the document from its cache.
        """
        key = (await self._keys.signing())[0]
        code = hmac.digest(key.secret, f"redraft-view-v1\n{document}".encode(), "sha256")
        return base64.urlsafe_b64encode(code[:6]).decode()

    async def verified(self, path: str, query: Sequence[tuple[str, str]]) -> str:
        """Lets a request through whose link is genuine and has not expired.

        Returns the id of the API key that it was made with.

        Raises:
            BadLinkError: anything else, without saying what.
        """
        parameters = dict(query)
        if sorted(name for name, _ in query) != sorted(PARAMETERS):
            raise BadLinkError
        now = self._clock.now()
        key = await self._signing_key(parameters["kid"])
        secret = key.secret if key is not None else b""
        expected = _signature(secret, path, *(parameters[name] for name in ("exp", "kid", "by")))
        is_genuine = hmac.compare_digest(expected.encode(), parameters["sig"].encode())
        if not is_genuine or key is None or not _still_verifies(key, now):
            raise BadLinkError
        if not parameters["exp"].isdecimal() or int(parameters["exp"]) <= now:
            raise BadLinkError
        return parameters["by"]

    async def _signing_key(self, kid: str) -> SigningKey | None:
        for is_fresh in (False, True):  # another process may have made it a moment ago
            for key in await self._keys.signing(is_fresh=is_fresh):
                if key.id == kid:
                    return key
        return None


def path_of(document: str, version: int) -> str:
    """Returns the path of a version below the service's address."""
    return f"/storage/{document}/{version}"


def _still_verifies(key: SigningKey, now: float) -> bool:
    return key.retired_at is None or key.retired_at > now - STILL_VERIFIES


def _signature(secret: bytes, path: str, moment: str, kid: str, by: str) -> str:
    message = "\n".join(("redraft-v2", "GET", path, moment, kid, by)).encode()
    return hmac.new(secret, message, hashlib.sha256).hexdigest()
