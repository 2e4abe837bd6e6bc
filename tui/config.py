"""The configuration file of the terminal program: keys by action id, colours, author."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from tui.keys import BY_ID


class ConfigurationError(Exception):
    """A configuration that cannot be used; the message names the file and the place in it."""


class Configuration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person can set in config.toml."""

    theme: Literal["dark", "light", "ansi", "mono"] | None = None
    ascii: bool = False
    mouse: bool = True
    author: str = ""
    keys: dict[str, str] = {}


def load(path: Path) -> Configuration:
    """Read the configuration; a file that is not there is an empty one.

    Raises:
        ConfigurationError: it is not TOML, has an unknown name, or an id that no action has.
    """
    try:
        written = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return Configuration()
    except (OSError, ValueError) as error:
        message = f"{path}: {error}"
        raise ConfigurationError(message) from error
    try:
        configuration = msgspec.convert(written, Configuration)
    except msgspec.ValidationError as error:
        message = f"{path}: {error}"
        raise ConfigurationError(message) from error
    _check_keys(configuration.keys, path)
    return configuration


def _check_keys(keys: Mapping[str, str], path: Path) -> None:
    for action in keys:
        if action in BY_ID:
            continue
        near = difflib.get_close_matches(action, BY_ID, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        message = f"{path}: keys: there is no action {action!r}{hint}"
        raise ConfigurationError(message)
