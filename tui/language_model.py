"""Which language model a person has set up: its address, its key, its name, and where it is kept.

The file stands beside config.toml and only its owner can read it. A model that the environment
names goes before it, as a whole: a key must never be sent to the address of another.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from redraft.tui import config
from redraft.tui.transport.failures import refused

NAME = "model.toml"
VARIABLES = ("OPENAI_BASE_URL", "OPENAI_API_KEY", "REDRAFT_MODEL", "REDRAFT_LARGE_MODEL")
NO_KEY = "none"  # what a server without keys is sent, since some clients insist on one


@dataclass(frozen=True, slots=True)
class Provider:
    """Somebody whose models can be asked by Chat Completions; `keys`: where a key is made."""

    name: str
    address: str
    keys: str


PROVIDERS = (
    Provider("OpenAI", "https://api.openai.com/v1", "platform.openai.com/api-keys"),
    Provider("Anthropic", "https://api.anthropic.com/v1", "console.anthropic.com"),
    Provider(
        "Google Gemini",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        "aistudio.google.com/apikey",
    ),
    Provider("Mistral", "https://api.mistral.ai/v1", "console.mistral.ai"),
    Provider("OpenRouter", "https://openrouter.ai/api/v1", "openrouter.ai/keys"),
)


class ModelChoice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The model that plans edits, and where it is asked."""

    address: str
    model: str
    key: str = ""
    large_model: str = ""


def default_path() -> Path:
    """Returns where the choice is kept."""
    return config.default_path().with_name(NAME)


def load(path: Path) -> ModelChoice | None:
    """Reads the choice; None where none was made.

    Raises:
        ConfigurationError: the file cannot be used.
    """
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), ModelChoice)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise config.ConfigurationError(
            refused(error, "run `redraft model` to set it again")
        ) from error
    except (ValueError, msgspec.ValidationError) as error:
        message = f"{path}: {error}; `redraft model` sets it again"
        raise config.ConfigurationError(message) from error


def save(path: Path, choice: ModelChoice) -> None:
    """Writes the choice, readable by its owner alone from the first byte on.

    Raises:
        ConfigurationError: it cannot be written.
    """
    written = "# Made by `redraft model`; holds a key, so keep it to yourself.\n"
    for name, value in msgspec.structs.asdict(choice).items():
        written += f"{name} = {json.dumps(value, ensure_ascii=False)}\n" if value else ""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.unlink(missing_ok=True)
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(written)
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise config.ConfigurationError(
            refused(error, "set XDG_CONFIG_HOME to another folder")
        ) from error


def forget(path: Path) -> bool:
    """Deletes the choice; returns whether there was one."""
    was_there = path.exists()
    path.unlink(missing_ok=True)
    return was_there


def named_by(environment: Mapping[str, str]) -> bool:
    """Whether the environment says which model is asked, so that the file does not count."""
    return any(environment.get(name, "").strip() for name in VARIABLES)


def variables(choice: ModelChoice) -> dict[str, str]:
    """Returns the choice as the environment of a service or a command."""
    values = (choice.address, choice.key or NO_KEY, choice.model, choice.large_model)
    return {name: value for name, value in zip(VARIABLES, values, strict=True) if value}


def completed(environment: Mapping[str, str]) -> dict[str, str]:
    """Returns the environment, with the model that was set up where it names none itself.

    A file that cannot be read counts as none here; who sets a model up is told.
    """
    complete = dict(environment)
    if not named_by(environment):
        try:
            choice = load(default_path())
        except config.ConfigurationError:
            choice = None
        complete.update(variables(choice) if choice is not None else {})
    return complete
