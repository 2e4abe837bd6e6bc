"""What an operator can set: a TOML file, then REDRAFT_* variables, then flags; the later wins."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Literal, get_type_hints

import msgspec
import platformdirs

from redraft.api.checks import PRICES, variable, wanted, wrong, wrong_around

LOOPBACK = ("127.0.0.1", "::1", "localhost")


class SettingError(Exception):
    """A setting that is unknown or has a value that it cannot have."""


def _data_dir() -> Path:
    return Path(platformdirs.user_data_dir("redraft", appauthor=False))


def _cores() -> int:
    return os.cpu_count() or 1


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every setting of the service with its default; docs/settings.md explains them."""

    host: str = "127.0.0.1"
    port: int = 8765
    data_dir: Path = msgspec.field(default_factory=_data_dir)
    public_url: str = ""
    api_keys: tuple[str, ...] = ()
    workers: int = msgspec.field(default_factory=_cores)
    worker_memory_mb: int = 1024
    inspect_seconds: float = 15
    read_seconds: float = 60
    edit_seconds: float = 60
    body_seconds: float = 60
    drain_seconds: float = 30
    sweep_seconds: float = 30
    durability: Literal["normal", "full"] = "normal"
    queue_limit: int = 64
    documents_per_key: int = 0
    bytes_per_key: int = 0
    pending_per_key: int = 0
    requests_per_minute: int = 0
    connection_limit: int = 0
    input_price: tuple[str, ...] = ()
    cached_price: tuple[str, ...] = ()
    output_price: tuple[str, ...] = ()
    cors_origins: tuple[str, ...] = ()
    log_format: Literal["console", "json"] = "console"
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the service."""
        return self.host in LOOPBACK


NAMES: tuple[str, ...] = Settings.__struct_fields__


def flag(name: str) -> str:
    """Return the flag of a setting."""
    return f"--{name.replace('_', '-')}"


def load(
    environment: Mapping[str, str],
    flags: Mapping[str, str | None],
    file: Path | None = None,
) -> Settings:
    """Put the settings together.

    Args:
        environment: Where REDRAFT_* variables are looked up.
        flags: Values from the command line by the setting's name; None for one not given.
        file: A TOML file whose keys are the settings' names.

    Raises:
        SettingError: with a sentence that names the setting.
    """
    return located(environment, flags, file)[0]


def located(
    environment: Mapping[str, str],
    flags: Mapping[str, str | None],
    file: Path | None = None,
) -> tuple[Settings, Mapping[str, str]]:
    """Put the settings together, and say where each that is not its default comes from.

    Raises:
        SettingError: with a sentence that names the setting.
    """
    values: dict[str, Any] = _from_file(file) if file is not None else {}
    origins = dict.fromkeys(values, str(file))
    for name in NAMES:
        for origin, written in (
            (variable(name), environment.get(variable(name))),
            (flag(name), flags.get(name)),
        ):
            if written is not None:
                values[name] = _split(written) if _is_list(name) else written
                origins[name] = origin
    types = get_type_hints(Settings)
    settings = Settings(**{name: _converted(name, value, types) for name, value in values.items()})
    return _checked(settings, environment), origins


def _converted(name: str, value: object, types: Mapping[str, Any]) -> Any:
    if name not in types:
        message = f"there is no setting {name}"
        raise SettingError(message)
    try:
        return msgspec.convert(value, types[name], strict=False, dec_hook=_path)
    except msgspec.ValidationError as error:
        kind = types[name]
        told = "it must be a path" if kind is Path else wanted(kind)
        message = f"{variable(name)} is wrong: {told}"
        raise SettingError(message) from error


def _from_file(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        told = error.strerror if isinstance(error, OSError) else error
        message = f"the settings file {file} cannot be read: {told}"
        raise SettingError(message) from error


def _path(kind: type, written: object) -> Path:
    if kind is Path and isinstance(written, str) and written:
        return Path(written).expanduser().absolute()
    message = "must be a path"
    raise ValueError(message)


def _is_list(name: str) -> bool:
    return name in ("api_keys", "cors_origins", *PRICES)


def _split(written: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in written.split(",") if part.strip())


def _checked(settings: Settings, environment: Mapping[str, str]) -> Settings:
    for problem in chain(wrong(settings), wrong_around(environment, NAMES)):
        raise SettingError(problem)
    return settings
