"""What an operator can set: a TOML file, then REDRAFT_* variables, then flags; the later wins."""

from __future__ import annotations

import difflib
import math
import os
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints
from urllib.parse import SplitResult, urlsplit

import msgspec
import platformdirs

PREFIX = "REDRAFT_"
MOST_WORKERS = 256
LEAST_MEMORY = 256
"""Megabytes of address space in which a worker that holds the engine can open small documents."""
SHORTEST_KEY = 16
SHORTEST_LEASE = 2.0
"""Seconds in which a hold can be renewed three times by a process that has much to do."""
ABOVE_ZERO = (
    "inspect_seconds",
    "read_seconds",
    "edit_seconds",
    "body_seconds",
    "header_seconds",
    "sweep_seconds",
)
NEVER_ENDING = ("drain_seconds",)
PRICES = ("input_price", "cached_price", "output_price")
ELSEWHERE = ("KEY", "MODEL", "LARGE_MODEL", "AUTHOR", "PROTECTED", "SIGNED")
"""Variables of ours that are no settings of the service."""
POLICIES = ("REDRAFT_PROTECTED", "REDRAFT_SIGNED")
ALIKE = 0.88
"""From here on a name is taken for a slip of the pen."""
ADDRESS = "must be an address that begins with http:// or https:// and names a host"


def variable(name: str) -> str:
    """Returns the environment variable of a setting."""
    return PREFIX + name.upper()


def wanted(kind: Any) -> str:
    """Says what a value of a type would look like."""
    if kind in (int, float):
        return "it must be a whole number" if kind is int else "it must be a number"
    words = [word for word in get_args(kind) if isinstance(word, str)]
    return "it must be one of " + ", ".join(sorted(words)) if words else "it must be a text"


def wrong(value: Any) -> Iterator[str]:
    """Says of each setting that cannot be used what it must be.

    Args:
        value: The settings.
    """
    if not value.host.strip():
        yield f"{variable('host')} must be an address, such as 127.0.0.1, or 0.0.0.0 for all"
    if not 0 <= value.port <= 65535:
        yield f"{variable('port')} must be 0 to 65535"
    if not 0 <= value.workers <= MOST_WORKERS:
        yield f"{variable('workers')} must be from 0 to {MOST_WORKERS}; 0 is for tests only"
    if 0 < value.worker_memory_mb < LEAST_MEMORY:
        yield f"{variable('worker_memory_mb')} must be at least {LEAST_MEMORY}, or 0 for no limit"
    yield from _wrong_access(value)
    yield from _wrong_stores(value)
    yield from _wrong_numbers(value)
    if value.public_url and not _is_address(value.public_url):
        yield f"{variable('public_url')} {ADDRESS}"
    if "*" in value.cors_origins:
        yield f"{variable('cors_origins')} must list origins; * would allow every site"
    if not all(map(_is_origin, value.cors_origins)):
        name = variable("cors_origins")
        yield f"{name} must be origins such as https://app.example, without a path"


def _wrong_access(value: Any) -> Iterator[str]:
    if not value.is_loopback and any(len(key) < SHORTEST_KEY for key in value.api_keys):
        yield (
            f"{variable('api_keys')} has a key of less than {SHORTEST_KEY} characters, "
            "which could be guessed from other machines; `redraft keys create` makes a strong one"
        )
    if value.openid_issuer and not is_safe_address(value.openid_issuer):
        yield f"{variable('openid_issuer')} must be an address that begins with https://"
    if bool(value.openid_issuer) != bool(value.openid_audience):
        yield (
            f"{variable('openid_issuer')} and {variable('openid_audience')} go together: a token "
            "that was issued for another service must not open this one"
        )


def _wrong_stores(value: Any) -> Iterator[str]:
    for name, scheme in (("database_url", "postgresql://"), ("files_url", "s3://")):
        address = getattr(value, name)
        if address and not (address.startswith(scheme) and _address_parts(address)):
            yield f"{variable(name)} must be an address that begins with {scheme}"
    if bool(value.database_url) != bool(value.files_url):
        yield (
            f"{variable('database_url')} and {variable('files_url')} go together: several "
            "services share both, and one by itself needs neither"
        )
    if value.work_dir and not value.encryption_key:
        yield (
            f"{variable('work_dir')} is for documents that are encrypted where they are kept; "
            f"set {variable('encryption_key')}, too"
        )
    if value.lease_seconds < SHORTEST_LEASE:
        yield f"{variable('lease_seconds')} must be at least {SHORTEST_LEASE:.0f} seconds"
    if value.database_connections < 1:
        yield f"{variable('database_connections')} must be at least 1"


def _wrong_numbers(value: Any) -> Iterator[str]:
    for name in value.__struct_fields__:
        number: Any = getattr(value, name)
        if name in ABOVE_ZERO and not 0 < number < math.inf:
            yield f"{variable(name)} must be a number of seconds above 0"
        elif name in NEVER_ENDING and not 0 <= number < math.inf:
            yield f"{variable(name)} must be a number of seconds, or 0"
        elif isinstance(number, (int, float)) and number < 0:
            yield f"{variable(name)} must not be negative"
        elif name in PRICES and not _are_prices(getattr(value, name)):
            yield (
                f"{variable(name)} must be the price of a million tokens, or a comma-separated "
                "list of prices by model: 0.4,large-one=2"
            )


def wrong_around(environment: Mapping[str, str], names: Collection[str]) -> Iterator[str]:
    """Says what is wrong with variables that are no settings of the service, or only nearly so."""
    known_names = [*map(variable, names), *(PREFIX + name for name in ELSEWHERE)]
    for name in sorted(environment):
        if name.startswith(PREFIX) and name not in known_names:
            close_names = difflib.get_close_matches(name, known_names, 1, ALIKE)
            if close_names:
                yield f"there is no setting {name}; did you mean {close_names[0]}?"
    for name in POLICIES:
        if environment.get(name, "") not in ("", "edit", "refuse"):
            yield f"{name} must be edit or refuse"
    model = environment.get("OPENAI_BASE_URL", "")
    if model and not _is_address(model):
        yield f"OPENAI_BASE_URL {ADDRESS}"


def prices_of(entries: Sequence[str]) -> dict[str, float]:
    """Reads prices of a million tokens by the name of a model; the empty name is any model.

    Raises:
        ValueError: an entry is neither a price nor a name and a price.
    """
    prices: dict[str, float] = {}
    for entry in entries:
        model, _, price = entry.rpartition("=")
        prices[model.strip()] = float(price)
        if not 0 <= prices[model.strip()] < math.inf:
            raise ValueError(entry)
    return prices


def _are_prices(entries: Sequence[str]) -> bool:
    try:
        prices_of(entries)
    except ValueError:
        return False
    return True


def _address_parts(text: str) -> SplitResult | None:
    try:
        return urlsplit(text)
    except ValueError:
        return None


def _is_address(text: str) -> bool:
    parts = _address_parts(text)
    return parts is not None and parts.scheme in ("http", "https") and bool(parts.hostname)


def is_safe_address(text: str) -> bool:
    """Whether nobody on the way can change what an address answers: TLS, or this machine."""
    parts = _address_parts(text)
    if parts is None or not parts.hostname:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)


def _is_origin(text: str) -> bool:
    parts = _address_parts(text)
    return parts is not None and bool(parts.scheme and parts.netloc) and not parts.path


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
    confinement: Literal["prefer", "require"] = "prefer"
    inspect_seconds: float = 15
    read_seconds: float = 60
    edit_seconds: float = 60
    body_seconds: float = 60
    drain_seconds: float = 30
    sweep_seconds: float = 30
    durability: Literal["normal", "full"] = "normal"
    database_url: str = ""
    database_connections: int = 10
    files_url: str = ""
    lease_seconds: float = 15
    encryption_key: str = ""
    work_dir: str = ""
    openid_issuer: str = ""
    openid_audience: str = ""
    openid_algorithm: Literal["RS256", "PS256", "ES256", "ES384", "EdDSA"] = "RS256"
    openid_owner_claim: str = "sub"
    openid_role_claim: str = ""
    queue_limit: int = 64
    documents_per_key: int = 0
    bytes_per_key: int = 0
    pending_per_key: int = 0
    requests_per_minute: int = 0
    connection_limit: int = 512
    header_seconds: float = 10
    input_price: tuple[str, ...] = ()
    cached_price: tuple[str, ...] = ()
    output_price: tuple[str, ...] = ()
    cors_origins: tuple[str, ...] = ()
    mcp: Literal["off", "on"] = "off"
    traces: Literal["off", "on"] = "off"
    log_format: Literal["console", "json"] = "console"
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @property
    def work_folder(self) -> Path:
        """Where documents are while a worker has them; apart from the files only if encrypted."""
        return Path(self.work_dir).expanduser().absolute() if self.work_dir else self.data_dir

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the service."""
        return self.host in LOOPBACK


NAMES: tuple[str, ...] = Settings.__struct_fields__


def flag(name: str) -> str:
    """Returns the flag of a setting."""
    return f"--{name.replace('_', '-')}"


def load(
    environment: Mapping[str, str],
    flags: Mapping[str, str | None],
    file: Path | None = None,
) -> Settings:
    """Puts the settings together.

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
    """Puts the settings together, and says where each that is not its default comes from.

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
        requirement = "it must be a path" if kind is Path else wanted(kind)
        message = f"{variable(name)} is wrong: {requirement}"
        raise SettingError(message) from error


def _from_file(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        message = f"the settings file {file} cannot be read: {reason}"
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
