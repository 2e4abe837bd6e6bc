"""The configuration file of the terminal program: keys by action id, colours, author, service."""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import shutil
import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
import platformdirs

from redraft.tui.keys import ACTIONS, BY_ID, Action
from redraft.tui.transport.failures import refused

ThemeName: TypeAlias = Literal["dark", "light", "ansi", "mono"]
Key = Annotated[str, msgspec.Meta(min_length=1)]
NAME = "config.toml"
MEANINGS = {
    "theme": "Colours; without it those that fit the terminal.",
    "ascii": "Draw with ASCII only.",
    "mouse": "Listen to the mouse.",
    "author": "Whose changes they are; without it git's user name, else that of the system.",
    "server": "Address of a service that runs elsewhere; without it redraft starts its own.",
    "redline_folder": "Where the changes of local files are saved; without it beside each file.",
    "ask_first": "Show a deletion, or changes in more than one place, before they are made.",
    "keys": "Keys by action id, several separated by commas.",
}


class ConfigurationError(Exception):
    """A configuration that cannot be used; the message names the file and the place in it."""


class Configuration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person can set in config.toml."""

    theme: ThemeName | None = None
    ascii: bool = False
    mouse: bool = True
    author: str = ""
    server: str = ""
    redline_folder: str = ""
    ask_first: bool = True
    keys: dict[str, Key] = {}


def default_path() -> Path:
    """Return where the configuration is looked for."""
    return Path(platformdirs.user_config_dir("redraft", appauthor=False)) / NAME


def load(path: Path) -> Configuration:
    """Read the configuration; a file that is not there is an empty one.

    Raises:
        ConfigurationError: it is not TOML, has an unknown name, an id that no action has, or a key
            with two meanings.
    """
    try:
        written = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return Configuration()
    except OSError as error:
        raise ConfigurationError(refused(error, "set XDG_CONFIG_HOME to another folder")) from error
    except ValueError as error:
        message = f"{path}: {error}"
        raise ConfigurationError(message) from error
    _check_names(written, path)
    try:
        configuration = msgspec.convert(written, Configuration)
    except msgspec.ValidationError as error:
        message = f"{path}: {error}"
        raise ConfigurationError(message) from error
    _check_keys(configuration.keys, path)
    return configuration


def author_name(configuration: Configuration, environment: Mapping[str, str]) -> str:
    """Returns whose name changes carry: as set, else git's user, else the one of the system."""
    names = (
        lambda: configuration.author,
        lambda: environment.get("REDRAFT_AUTHOR", ""),
        _git_user,
        lambda: _system_user(environment),
    )
    candidates = (" ".join(name().split()) for name in names)
    return next(filter(None, candidates), "Anonymous")


def _git_user() -> str:
    git = shutil.which("git")
    if git is None:
        return ""
    try:
        asked = subprocess.run(  # noqa: S603 - git as the system finds it
            [git, "config", "--get", "user.name"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=2,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return asked.stdout.decode("utf-8", "replace").strip()


def _system_user(environment: Mapping[str, str]) -> str:
    """Returns the full name of who is logged in, else the login name; nothing for `root`."""
    names = [environment.get("USER") or environment.get("USERNAME") or ""]
    with contextlib.suppress(ImportError, KeyError):  # Windows has no such list
        import pwd

        entry = pwd.getpwuid(os.getuid())
        names = [entry.pw_gecos.split(",")[0], *names, entry.pw_name]
    return next((name for name in names if name and name != "root"), "")


def _check_names(written: Mapping[str, Any], path: Path) -> None:
    for name in written:
        if name not in MEANINGS:
            message = f"{path}: there is no setting {name!r}{_hint(name, MEANINGS)}"
            raise ConfigurationError(message)


def _check_keys(keys: Mapping[str, str], path: Path) -> None:
    for action in keys:
        if action not in BY_ID:
            message = f"{path}: keys: there is no action {action!r}{_hint(action, BY_ID)}"
            raise ConfigurationError(message)
    for action in ACTIONS:
        for other in ACTIONS:
            shared = _shared(action, other, keys)
            if shared and action.id < other.id and (action.id in keys or other.id in keys):
                message = f"{path}: keys: {shared!r} is both {action.id!r} and {other.id!r}"
                raise ConfigurationError(message)


def _shared(action: Action, other: Action, keys: Mapping[str, str]) -> str:
    """Return a key that two actions of one place share, or nothing."""
    if _layer(action) != _layer(other):
        return ""
    mine = set(keys.get(action.id, action.keys).split(","))
    theirs = set(keys.get(other.id, other.keys).split(","))
    return min(mine & theirs, default="")


def _layer(action: Action) -> str:
    """Return which widget an action is bound on; a key has one meaning there."""
    return action.where if action.where in ("prompt", "lists") else "screen"


def _hint(name: str, known: Mapping[str, object]) -> str:
    near = difflib.get_close_matches(name, known, 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def written(configuration: Configuration) -> str:
    """Write a configuration as TOML; what is not set stands as a comment."""
    lines: list[str] = []
    for name, meaning in MEANINGS.items():
        value = getattr(configuration, name)
        if name == "keys":
            lines.extend(["", f"# {meaning}", "[keys]"])
            lines.extend(f"{_quoted(key)} = {_quoted(keys)}" for key, keys in value.items())
        elif value is None or value == "":
            lines.append(f"# {name} =  ({meaning})")
        else:
            shown = _quoted(value) if isinstance(value, str) else str(value).lower()
            lines.append(f"{name} = {shown}  # {meaning}")
    return "\n".join(lines) + "\n"


EXAMPLES = {
    "theme": '"dark"  # or light, ansi, mono',
    "ascii": "true",
    "mouse": "false",
    "author": '"Dana Whitfield"',
    "server": '"https://redraft.example.org"',
    "redline_folder": '"/home/dana/redlines"',
    "ask_first": "false",
}


def template() -> str:
    """Returns a file in which every setting is explained and none is set."""
    lines = [
        "# Settings of the terminal program. Take the # away from a line to make it count.",
        "",
    ]
    for name, example in EXAMPLES.items():
        lines.extend([f"# {MEANINGS[name]}", f"#{name} = {example}", ""])
    lines.extend([f"# {MEANINGS['keys']} `redraft config schema` lists the actions."])
    lines.extend(["#[keys]", '#"doc.save" = "ctrl+s,s"'])
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # a JSON string is a TOML basic string


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the configuration, for editors that complete and check TOML."""
    (_,), components = msgspec.json.schema_components([Configuration])
    described: dict[str, Any] = components["Configuration"]
    properties: dict[str, Any] = described["properties"]
    for name, meaning in MEANINGS.items():
        properties[name]["description"] = meaning
    properties["keys"] = {
        "type": "object",
        "description": MEANINGS["keys"],
        "additionalProperties": False,
        "default": {},
        "properties": {
            action.id: {
                "type": "string",
                "minLength": 1,
                "default": action.keys,
                "description": action.help,
            }
            for action in ACTIONS
        },
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **described}
