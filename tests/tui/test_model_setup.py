"""Setting up a language model: kept for its owner alone, tried before it is kept, found nearby."""

from __future__ import annotations

import io
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from redraft import command_line
from redraft.tui import language_model, model_servers
from redraft.tui.language_model import ModelChoice
from redraft.tui.model_servers import ModelServerError
from redraft.tui.screens.dialog import ChoiceScreen
from redraft.tui.transport.client import Client
from tests.model_server import Fault, ModelServer
from tests.tui.program import Program
from tests.tui.standin import Service

SECRET = "sk-very-secret"


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the choice is kept; nothing else says which model is asked, and none is nearby."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(model_servers, "LOCAL_PORTS", {})
    for name in language_model.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return language_model.default_path()


def near(monkeypatch: pytest.MonkeyPatch, server: ModelServer) -> None:
    port = urlsplit(server.address).port
    monkeypatch.setattr(model_servers, "LOCAL_PORTS", {"Ollama": port, "vLLM": 1})


def test_only_the_owner_can_read_what_is_kept(kept: Path) -> None:
    choice = ModelChoice(address="https://a.example/v1", model='m "1"', key=SECRET)
    language_model.save(kept, choice)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert language_model.load(kept) == choice
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


def test_a_model_of_the_environment_goes_before_the_file_as_a_whole(kept: Path) -> None:
    language_model.save(kept, ModelChoice(address="https://a.example/v1", model="m", key=SECRET))
    completed = language_model.completed({"HOME": "/"})
    assert completed["OPENAI_API_KEY"] == SECRET
    assert completed["REDRAFT_MODEL"] == "m"
    other = {"OPENAI_BASE_URL": "https://b.example/v1"}
    assert language_model.completed(other) == other  # its key would go to somebody else


def test_the_command_tries_a_model_and_keeps_it(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MY_KEY", SECRET)
    with ModelServer(["ready"]) as server:
        words = ["--address", server.address, "--model", "clerk", "--key-from", "MY_KEY"]
        assert command_line.main(["model", *words]) == 0
        assert server.keys == [f"Bearer {SECRET}"]
        assert command_line.main(["model", "show"]) == 0
        assert command_line.main(["model", "test"]) == 0
    told = capsys.readouterr()
    assert f"clerk at {server.address} (key ends in cret)" in told.out
    assert SECRET not in told.out + told.err
    assert command_line.main(["model", "off"]) == 0
    assert not kept.exists()
    assert command_line.main(["model", "show"]) == 1


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Fault(401, "wrong key sk-very-secret"), "does not accept the key (401)"),
        (Fault(404, "no model sk-very-secret"), "answered 404: no model …"),
        ("", "kept in"),
    ],
)
def test_what_does_not_answer_is_not_kept_and_the_key_is_not_told(
    kept: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    fault: Any,
    words: str,
) -> None:
    monkeypatch.setenv("MY_KEY", SECRET)
    with ModelServer([fault]) as server:
        flags = ["--address", server.address, "--model", "clerk", "--key-from", "MY_KEY"]
        code = command_line.main(["model", *flags])
    told = capsys.readouterr().err
    assert words in told
    assert SECRET not in told
    assert kept.exists() == (code == 0) == (fault == "")


async def test_a_key_never_goes_unencrypted_to_another_machine() -> None:
    choice = ModelChoice(address="http://models.example/v1", model="m", key=SECRET)
    with pytest.raises(ModelServerError, match="unencrypted; use https://"):
        await model_servers.try_out(choice)


def test_the_command_asks_and_offers_what_answers_on_this_machine(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with ModelServer(["ready"], models=["small", "big"]) as server:
        near(monkeypatch, server)
        typed = io.StringIO("x\n1\n2\n")
        monkeypatch.setattr(typed, "isatty", lambda: True, raising=False)
        monkeypatch.setattr("sys.stdin", typed)
        assert command_line.main(["model"]) == 0
    assert "1. Ollama on this machine (2 models)" in capsys.readouterr().err
    assert language_model.load(kept) == ModelChoice(address=server.address, model="big")


async def test_a_model_is_set_up_from_within_and_the_service_takes_it(
    kept: Path,
    service: Service,
    program: Callable[..., Program],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = service.add()
    service.models = []

    async def restart() -> Client:
        chosen = language_model.load(kept)
        service.models = [chosen.model] if chosen is not None else []
        return service.client()

    with ModelServer(["ready"], models=["small", "big"]) as server:
        near(monkeypatch, server)
        async with program(server="", restart=restart).running((80, 24)) as redraft:
            assert "no language model" in redraft.text("#prompt-title")
            await redraft.press("ctrl+t")
            assert isinstance(redraft.app.screen, ChoiceScreen)
            assert "Ollama on this machine" in redraft.text("#choices")
            await redraft.press("enter")
            await redraft.type("big")
            await redraft.press("enter")
            assert "big answers" in redraft.status
            assert "model big" in redraft.text("#prompt-title")
            assert redraft.main.open_id == held.id
    assert language_model.load(kept) == ModelChoice(address=server.address, model="big")


async def test_where_the_service_is_another_machines_none_can_be_set_up(
    service: Service, program: Callable[..., Program]
) -> None:
    service.add()
    service.models = []
    async with program().running() as redraft:
        await redraft.press("escape", "M")
        assert "the service that you use has its own models" in redraft.status
