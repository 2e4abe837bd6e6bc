"""Tokens of an issuer, which stands in for one on this machine."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from redraft.api.app import Externals, running
from redraft.api.sandbox.workers import InProcess
from redraft.api.settings import SettingError, Settings, load
from redraft.api.stores import open_metadata
from tests.api import fake_planner
from tests.api.builders import HeldClock
from tests.api.fake_engine import FakeEngine, docx

AUDIENCE = "redraft"
RSA = rsa.generate_private_key(65537, 2048)
NEW = rsa.generate_private_key(65537, 2048)
WEAK = rsa.generate_private_key(65537, 1024)  # noqa: S505 - to be refused
CURVE = ec.generate_private_key(ec.SECP256R1())
NOW = HeldClock().now()


class Issuer(ThreadingHTTPServer):
    """Says which keys it has, and counts how often it is asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.about: dict[str, Any] = {"issuer": self.url, "jwks_uri": f"{self.url}/keys"}
        self.keys: list[dict[str, Any]] = [public(RSA, "one")]
        self.asked: list[str] = []
        self.is_down = False
        self.padding = 0

    def token(self, key: Any = RSA, kid: str = "one", alg: str = "RS256", **claims: Any) -> str:
        told: dict[str, Any] = {
            "iss": self.url,
            "aud": AUDIENCE,
            "sub": "ann@example.com",
            "exp": NOW + 300,
        } | claims
        told = {name: value for name, value in told.items() if value is not None}
        return jwt.encode(told, key, alg, {"kid": kid} if kid else None)


class Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        issuer = self.server
        assert isinstance(issuer, Issuer)
        issuer.asked.append(self.path)
        body: Any = {"keys": issuer.keys} if self.path == "/keys" else issuer.about
        data = json.dumps(body).encode() + b" " * issuer.padding
        self.send_response(500 if issuer.is_down else 200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride] - it says nothing
        pass


def public(key: Any, kid: str, **more: Any) -> dict[str, Any]:
    algorithm: Any = RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else ECAlgorithm
    told: dict[str, Any] = json.loads(algorithm.to_jwk(key.public_key()))
    return {**told, "kid": kid, **more}


@pytest.fixture
def issuer() -> Generator[Issuer]:
    server = Issuer()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


class Stage:
    def __init__(self, client: httpx.AsyncClient, clock: HeldClock, settings: Settings) -> None:
        self.client, self.clock, self.settings = client, clock, settings

    async def ask(self, token: str, path: str = "/v1/documents/") -> int:
        headers = {"Authorization": f"Bearer {token}"}
        return (await self.client.get(path, headers=headers)).status_code

    async def upload(self, token: str) -> httpx.Response:
        files = {"file": ("a.docx", docx("hello"))}
        headers = {"Authorization": f"Bearer {token}"}
        return await self.client.post("/v1/documents/", files=files, headers=headers)


@asynccontextmanager
async def staged(data: Path, issuer: Issuer, **options: Any) -> AsyncGenerator[Stage]:
    clock = HeldClock()
    settings = Settings(
        data_dir=data,
        api_keys=("one.of.settings",),
        openid_issuer=issuer.url,
        openid_audience=AUDIENCE,
        **options,
    )
    externals = Externals(FakeEngine(InProcess()), fake_planner.plan, clock)
    async with running(settings, externals) as application:
        transport = httpx.ASGITransport(application.asgi)  # pyright: ignore[reportArgumentType] - the scope has another name
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            yield Stage(client, clock, settings)


async def test_an_account_owns_its_documents_as_a_key_does(tmp_path: Path, issuer: Issuer) -> None:
    async with staged(tmp_path, issuer) as stage:
        name = (await stage.upload(issuer.token())).json()["docId"]
        path = f"/v1/documents/{name}/download"
        assert await stage.ask(issuer.token(exp=NOW + 60), path) == 200  # another token of it
        assert await stage.ask(issuer.token(sub="bob"), path) == 404
        assert await stage.ask("one.of.settings") == 200
        assert issuer.asked == ["/.well-known/openid-configuration", "/keys"]
        metadata = await open_metadata(stage.settings)
        accounts = await metadata.keys.list()
        assert len(accounts) == 2
        assert "ann" not in str(accounts)
        await metadata.keys.revoke(accounts[0].id, NOW)
        await metadata.keys.revoke(accounts[1].id, NOW)
        await metadata.close()
        assert await stage.ask(issuer.token(), path) == 401


def forged(issuer: Issuer) -> dict[str, str]:
    header, claims, signature = issuer.token().split(".")
    none = jwt.encode({"iss": issuer.url, "aud": AUDIENCE, "sub": "a", "exp": NOW + 9}, "", "none")
    return {
        "another issuer": issuer.token(iss="https://elsewhere.example"),
        "another audience": issuer.token(aud="other"),
        "no audience": issuer.token(aud=None),
        "no end": issuer.token(exp=None),
        "an end that is no number": issuer.token(exp=True),
        "ended": issuer.token(exp=NOW - 61),
        "not begun": issuer.token(nbf=NOW + 61),
        "no name": issuer.token(sub=None),
        "another key": issuer.token(NEW),
        "an unknown key": issuer.token(NEW, "two"),
        "a weak key": issuer.token(WEAK, "weak"),
        "a key for encryption": issuer.token(NEW, "enc"),
        "another algorithm": issuer.token(alg="RS512"),
        "another kind of key": issuer.token(CURVE, "curve", "ES256"),
        "the public key as a secret": issuer.token("secret" * 9, "oct", "HS256"),
        "no signature": none,
        "signature cut off": f"{header}.{claims}.",
        "other claims": f"{header}.{claims[:-4]}AAAA.{signature}",
        "no token": "a.b.c",
        "long": "a" * 20_000 + ".b.c",
    }


@pytest.mark.filterwarnings("ignore:The RSA key is 1024 bits")
async def test_no_other_token_opens_anything(tmp_path: Path, issuer: Issuer) -> None:
    secret = {"kty": "oct", "k": "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0", "kid": "oct"}
    issuer.keys += [public(WEAK, "weak"), public(NEW, "enc", use="enc"), secret]
    issuer.keys += [public(CURVE, "curve"), {"kty": "nonsense"}]
    async with staged(tmp_path, issuer) as stage:
        assert await stage.ask(issuer.token()) == 200
        for fault, token in forged(issuer).items():
            assert await stage.ask(token) == 401, fault
        assert await stage.ask(issuer.token(exp=NOW - 30)) == 200  # clocks may differ
    metadata = await open_metadata(stage.settings)
    assert len(await metadata.keys.list()) == 1
    await metadata.close()


async def test_the_role_is_what_the_token_says(tmp_path: Path, issuer: Issuer) -> None:
    async with staged(tmp_path, issuer, openid_role_claim="roles") as stage:
        reader = issuer.token(roles=["redraft-read", "other"])
        assert (await stage.upload(reader)).status_code == 403
        assert await stage.ask(reader) == 200
        assert (await stage.upload(issuer.token(roles="redraft-edit"))).status_code == 200
        chief = issuer.token(roles=["redraft-read", "redraft-admin"])
        assert await stage.ask(chief, "/v1/admin/keys") == 200
        assert await stage.ask(reader, "/v1/admin/keys") == 403
        for roles in (None, [], ["admin"], {"redraft-edit": 1}, 7):
            assert await stage.ask(issuer.token(roles=roles)) == 403


async def test_keys_of_the_issuer_change_and_it_is_not_asked_too_often(
    tmp_path: Path, issuer: Issuer
) -> None:
    async with staged(tmp_path, issuer) as stage:
        assert await stage.ask(issuer.token()) == 200
        issuer.keys = [public(NEW, "two")]
        for _ in range(5):
            assert await stage.ask(issuer.token(NEW, "two")) == 401
        assert len(issuer.asked) == 2
        stage.clock.advance(61)
        assert await stage.ask(issuer.token(NEW, "two")) == 200
        assert await stage.ask(issuer.token()) == 401
        assert len(issuer.asked) == 4
        issuer.is_down = True
        stage.clock.advance(3601)
        fresh: dict[str, Any] = {"exp": NOW + 10 * 86_400}
        assert await stage.ask(issuer.token(NEW, "two", **fresh)) == 200  # as before, for a day
        stage.clock.advance(86_400)
        assert await stage.ask(issuer.token(NEW, "two", **fresh)) == 503


@pytest.mark.parametrize("fault", ["large", "another issuer", "plain address", "no list", "down"])
async def test_an_issuer_that_answers_something_else_is_not_believed(
    fault: str, tmp_path: Path, issuer: Issuer
) -> None:
    if fault == "large":
        issuer.padding = 300_000
    elif fault == "another issuer":
        issuer.about["issuer"] = "https://elsewhere.example"
    elif fault == "plain address":
        issuer.about["jwks_uri"] = "http://elsewhere.example/keys"
    elif fault == "no list":
        issuer.keys = {}  # pyright: ignore[reportAttributeAccessIssue] - what an issuer may send
    else:
        issuer.is_down = True
    async with staged(tmp_path, issuer) as stage:
        started = time.monotonic()
        assert await stage.ask(issuer.token()) == 503
        assert await stage.ask("one.of.settings") == 200
        assert time.monotonic() - started < 60


def test_issuer_and_audience_are_pinned_together_and_fetched_safely() -> None:
    for wrong, complaint in (
        ({"REDRAFT_OPENID_ISSUER": "https://a.example"}, "go together"),
        ({"REDRAFT_OPENID_AUDIENCE": "a"}, "go together"),
        ({"REDRAFT_OPENID_ISSUER": "http://a.example"}, "begins with https"),
        ({"REDRAFT_OPENID_ALGORITHM": "HS256"}, "must be one of ES256"),
        ({"REDRAFT_OPENID_ALGORITHM": "none"}, "must be one of ES256"),
    ):
        with pytest.raises(SettingError, match=complaint):
            load(wrong, {})
