"""Who is asking, by a bearer token of OpenID Connect (a JSON Web Token, RFC 7519 and RFC 9068).

The operator pins issuer, audience and algorithm; a token says only which of the issuer's keys has
signed it. Those keys are fetched by OpenID Connect Discovery 1.0, with limits on time and size, and
kept for an hour. An account is an owner of documents like a key: it is written down as a key at its
first request, so that it is listed, has a quota, and is closed like one.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import httpx
import jwt
import msgspec

from redraft.api.clock import Clock
from redraft.api.errors import IssuerError, RoleError, UnauthenticatedError
from redraft.api.logs import logger_for
from redraft.api.metadata.keys import ROLES, Role
from redraft.api.settings import is_safe_address

DISCOVERY = "/.well-known/openid-configuration"
LONGEST_TOKEN = 16 * 1024
LARGEST_ANSWER = 256 * 1024
MOST_KEYS = 100
SHORTEST_RSA_BITS = 2048
ANSWER_SECONDS = 5.0
FRESH_SECONDS = 3600.0
"""How long the keys of the issuer are used without asking again."""
STALE_SECONDS = 86_400.0
"""How long they are used when the issuer does not answer."""
PAUSE_SECONDS = 60.0
"""Between two questions, however many tokens name keys that are unknown."""
LEEWAY_SECONDS = 60.0
"""By how much clocks may differ."""
ROLE_PREFIX = "redraft-"
OWNER_PREFIX = "oidc-"
NO_ROLE = "This account has no role in this service"
log = logger_for("redraft.openid")


@dataclass(frozen=True, slots=True)
class Account:
    """Whom a token speaks for: the owner of documents, what it may do, and until when."""

    owner: str
    role: Role
    ends: float


@dataclass(frozen=True, slots=True)
class Rules:
    """What the operator pins; without a `role_claim` every account may edit."""

    issuer: str
    audience: str
    algorithm: str
    owner_claim: str
    role_claim: str


class Tokens:
    """Reads tokens.

    Args:
        rules: What is pinned.
        clock: When it is.
    """

    def __init__(self, rules: Rules, clock: Clock) -> None:
        self._rules = rules
        self._clock = clock
        self._keys = _IssuerKeys(rules, clock)

    async def account(self, token: str) -> Account:
        """Finds whom a token speaks for.

        Raises:
            UnauthenticatedError: nobody, without saying why.
            RoleError: an account that has no role here.
            IssuerError: the keys of the issuer cannot be fetched.
        """
        claims = await self._claims(token)
        now, ends = self._clock.now(), _moment(claims, "exp")
        begins = _moment(claims, "nbf") if "nbf" in claims else now
        name = claims.get(self._rules.owner_claim)
        if not (ends > now - LEEWAY_SECONDS and begins <= now + LEEWAY_SECONDS):
            raise UnauthenticatedError
        if not isinstance(name, str) or not name:
            raise UnauthenticatedError
        told = f"{self._rules.issuer}\n{name}".encode()
        owner = OWNER_PREFIX + hashlib.sha256(told).hexdigest()[:24]
        return Account(owner, self._role(claims), ends + LEEWAY_SECONDS)

    async def _claims(self, token: str) -> Mapping[str, Any]:
        try:
            if len(token) > LONGEST_TOKEN:
                raise UnauthenticatedError
            header = jwt.get_unverified_header(token)
            if header.get("alg") != self._rules.algorithm:  # before a key is looked up
                raise UnauthenticatedError
            key = await self._keys.named(str(header.get("kid", "")))
            return cast(
                "Mapping[str, Any]",
                jwt.decode(  # pyright: ignore[reportUnknownMemberType] - of any keys
                    token,
                    key,
                    algorithms=[self._rules.algorithm],
                    audience=self._rules.audience,
                    issuer=self._rules.issuer,
                    # Moments are compared with the clock of the service.
                    options={
                        "require": ["exp", "iss", "aud"],
                        "verify_exp": False,
                        "verify_nbf": False,
                        "verify_iat": False,
                    },
                ),
            )
        except (jwt.PyJWTError, ValueError, RecursionError) as error:
            raise UnauthenticatedError from error

    def _role(self, claims: Mapping[str, Any]) -> Role:
        if not self._rules.role_claim:
            return "edit"
        told = claims.get(self._rules.role_claim)
        words: Any = told.split() if isinstance(told, str) else told
        if isinstance(words, list):
            for role in reversed(ROLES):  # the one that may do most
                if ROLE_PREFIX + role in words:
                    return role
        raise RoleError(NO_ROLE)


class _IssuerKeys:
    """The keys that the issuer signs with, by their ids."""

    def __init__(self, rules: Rules, clock: Clock) -> None:
        self._rules = rules
        self._clock = clock
        self._keys: dict[str, jwt.PyJWK] = {}
        self._asked_at = self._fetched_at = -STALE_SECONDS
        self._fetching = asyncio.Lock()

    async def named(self, kid: str) -> jwt.PyJWK:
        """Returns a key; one without an id where the issuer has a single one.

        Raises:
            UnauthenticatedError: the issuer has no such key.
            IssuerError: it cannot be asked.
        """
        if not self._is_within(FRESH_SECONDS) or self._key(kid) is None:
            async with self._fetching:
                await self._ask_again(kid)
        if not self._is_within(STALE_SECONDS):
            raise IssuerError(retry_after=10)
        key = self._key(kid)
        if key is None:
            raise UnauthenticatedError
        return key

    def _key(self, kid: str) -> jwt.PyJWK | None:
        if not kid and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        return self._keys.get(kid)

    def _is_within(self, seconds: float) -> bool:
        return self._clock.monotonic() - self._fetched_at < seconds

    async def _ask_again(self, kid: str) -> None:
        now = self._clock.monotonic()
        is_known = self._is_within(FRESH_SECONDS) and self._key(kid) is not None
        if is_known or now - self._asked_at < PAUSE_SECONDS:
            return  # somebody else has asked meanwhile
        self._asked_at = now
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                self._keys = await self._fetched()
            self._fetched_at = now
        except (httpx.HTTPError, TimeoutError, ValueError, jwt.PyJWTError) as error:
            log.error("the keys of the issuer cannot be fetched", kind=type(error).__name__)  # noqa: TRY400, RUF100 - it says all there is

    async def _fetched(self) -> dict[str, jwt.PyJWK]:
        async with httpx.AsyncClient(timeout=ANSWER_SECONDS, follow_redirects=False) as client:
            about = await _json(client, self._rules.issuer.rstrip("/") + DISCOVERY)
            address = about.get("jwks_uri")
            if about.get("issuer") != self._rules.issuer:
                raise ValueError(address)
            if not isinstance(address, str) or not is_safe_address(address):
                raise ValueError(address)
            entries: Any = (await _json(client, address)).get("keys")
        if not isinstance(entries, list):
            raise ValueError(address)
        keys: dict[str, jwt.PyJWK] = {}
        for entry in cast("list[Any]", entries)[:MOST_KEYS]:
            key = _key_of(entry, self._rules.algorithm)
            if key is not None:
                keys[str(entry.get("kid", ""))] = key
        return keys


def _key_of(entry: Any, algorithm: str) -> jwt.PyJWK | None:
    """Reads a key of the issuer; None of one that is not for signatures of that algorithm."""
    try:
        if entry.get("use", "sig") != "sig" or entry.get("alg", algorithm) != algorithm:
            return None
        if entry.get("kty") == "oct":  # a secret that is public
            return None
        key = jwt.PyJWK.from_dict(entry, algorithm)
    except (jwt.PyJWTError, AttributeError, ValueError, TypeError):
        return None
    bits = getattr(key.key, "key_size", SHORTEST_RSA_BITS)
    return None if entry["kty"] == "RSA" and bits < SHORTEST_RSA_BITS else key


async def _json(client: httpx.AsyncClient, address: str) -> Mapping[str, Any]:
    """Fetches a JSON object, as far as it is small.

    Raises:
        httpx.HTTPError, ValueError: it is not there, too large, or something else.
    """
    data = bytearray()
    async with client.stream("GET", address, headers={"Accept-Encoding": "identity"}) as answer:
        answer.raise_for_status()
        async for piece in answer.aiter_raw():
            data += piece
            if len(data) > LARGEST_ANSWER:
                raise ValueError(address)
    decoded = msgspec.json.decode(bytes(data))
    if not isinstance(decoded, dict):
        raise ValueError(address)  # noqa: TRY004, RUF100 - what was sent is wrong
    return cast("Mapping[str, Any]", decoded)


def _moment(claims: Mapping[str, Any], name: str) -> float:
    value = claims.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise UnauthenticatedError
    return float(value)
