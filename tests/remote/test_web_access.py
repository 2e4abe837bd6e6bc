from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from redraft.remote.web.access import NO_HOST, NO_ORIGIN, NO_TOKEN, SPENT, WRONG, Access


def token_of(access: Access) -> str:
    return parse_qs(urlsplit(access.address).query)["token"][0]


def test_a_token_opens_once() -> None:
    access = Access(8000)
    assert access.refusal_of_token(token_of(access)) == ""
    assert access.refusal_of_token(token_of(access)) == SPENT


@pytest.mark.parametrize(
    ("token", "words"), [(None, NO_TOKEN), ("", NO_TOKEN), ("x", WRONG), ("ü\ud800", WRONG)]
)
def test_without_the_token_nothing_opens_and_it_is_not_spent(token: str | None, words: str) -> None:
    access = Access(8000)
    assert access.refusal_of_token(token) == words
    assert access.refusal_of_token(token_of(access)) == ""


def test_every_run_has_secrets_of_its_own() -> None:
    one, other = Access(8000), Access(8000)
    assert len({token_of(one), token_of(other), one.window, other.window}) == 4
    assert not one.opens(other.window)
    assert not one.opens(token_of(one))
    assert one.opens(one.window)
    assert len(token_of(one)) >= 43  # 256 bits


@pytest.mark.parametrize(
    ("host", "refusal"),
    [
        ("127.0.0.1:8000", ""),
        ("localhost:8000", ""),
        ("LOCALHOST:8000", ""),
        ("[::1]:8000", ""),
        ("127.0.0.1", NO_HOST),
        ("127.0.0.1:8001", NO_HOST),
        ("evil.example:8000", NO_HOST),
        ("127.0.0.1.evil.example:8000", NO_HOST),
        ("0.0.0.0:8000", NO_HOST),
        ("", NO_HOST),
        (None, NO_HOST),
    ],
)
def test_only_names_of_this_machine_are_hosts(host: str | None, refusal: str) -> None:
    assert Access(8000).refusal_of_host(host) == refusal


@pytest.mark.parametrize(
    ("origin", "needed", "refusal"),
    [
        ("http://127.0.0.1:8000", True, ""),
        ("http://localhost:8000", True, ""),
        (None, False, ""),
        (None, True, NO_ORIGIN),
        ("", False, NO_ORIGIN),
        ("null", True, NO_ORIGIN),
        ("https://127.0.0.1:8000", True, NO_ORIGIN),
        ("http://127.0.0.1:8001", True, NO_ORIGIN),
        ("http://evil.example", False, NO_ORIGIN),
        ("http://127.0.0.1:8000@evil.example", True, NO_ORIGIN),
    ],
)
def test_only_our_own_page_may_ask(origin: str | None, needed: bool, refusal: str) -> None:
    assert Access(8000).refusal_of_origin(origin, is_needed=needed) == refusal
