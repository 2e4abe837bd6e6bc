"""The service's part of the command line: `redraft serve`, `keys`, `audit`, `backup` and so on."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec

from redraft.api.metadata.keys import ROLES
from redraft.api.requests.filenames import is_shown
from redraft.api.settings import NAMES, SettingError, Settings, flag, load, located, variable

if TYPE_CHECKING:
    from redraft.api.app import Mount

DONE, FAILED, WRONG_USE = 0, 1, 2
NO_ENCRYPTION = "encryption needs one more package; install redraft[encryption]"
MOST_DAYS = 36_500
MOST_COUNT = 1 << 52
SHOWN_AS_FLAGS = {
    "host": "the address to listen on",
    "port": "0 uses any free port and prints it",
    "data_dir": "where documents and the database live",
    "public_url": "address that download links begin with, behind a proxy",
    "workers": "processes that open documents",
    "log_format": "console or json",
    "log_level": "debug, info, warning or error",
}
Given = ParamSpec("Given")


def _refusing_settings(command: Callable[Given, int]) -> Callable[Given, int]:
    """Lets a command end with a sentence when a setting is wrong."""

    @wraps(command)
    def refusing(*args: Given.args, **kwargs: Given.kwargs) -> int:
        try:
            return command(*args, **kwargs)
        except SettingError as error:
            sys.stderr.write(f"redraft: {error}\n")
            return WRONG_USE

    return refusing


def serve(arguments: Sequence[str], mount_source: Callable[[], Mount | None] = lambda: None) -> int:
    """Runs `redraft serve`: the service, until SIGTERM or Ctrl+C.

    Args:
        arguments: The command line.
        mount_source: Gives what answers at `/mcp` where the setting `mcp` is on; None where it is
            not installed.
    """
    return _serve(arguments, mount_source)


@_refusing_settings
def _serve(arguments: Sequence[str], mount_source: Callable[[], Mount | None]) -> int:
    parser = argparse.ArgumentParser(
        prog="redraft serve",
        description="Run the service. Every setting is also a variable (REDRAFT_HOST and so on).",
    )
    _add_flags(parser)
    options = parser.parse_args(arguments)
    settings = load(os.environ, vars(options), options.config)
    from redraft.api.serve import serve as run

    mount = mount_source() if settings.mcp == "on" else None
    if settings.mcp == "on" and mount is None:
        message = f"{variable('mcp')}=on needs the extra `mcp`: pip install 'redraft[mcp]'"
        raise SettingError(message)
    return run(settings, os.environ, mount)


@_refusing_settings
def keys(arguments: Sequence[str]) -> int:
    """Runs `redraft keys`: create, list, revoke and rotate the keys of a data folder."""
    parser = argparse.ArgumentParser(prog="redraft keys")
    actions = parser.add_subparsers(dest="action", required=True)
    create = actions.add_parser("create", help="create a key and print it once")
    _add_wishes(create)
    actions.add_parser("list", help="list the keys, without their secrets")
    revoke = actions.add_parser("revoke", help="revoke a key now")
    revoke.add_argument("id")
    actions.add_parser(
        "revoke-all", help="revoke every key and end every download link and event stream now"
    )
    rotate = actions.add_parser(
        "rotate", help="create a second key for the documents of an older one"
    )
    rotate.add_argument("id")
    rotate.add_argument(
        "--hours", type=_hours, default=24, help="hours until the older key expires"
    )
    actions.add_parser("rotate-presign", help="sign download links with a new key from now on")
    for action in actions.choices.values():
        action.add_argument("--data-dir", metavar="DATA_DIR")
        _add_config(action)
    options = parser.parse_args(arguments)
    settings = load(os.environ, {"data_dir": options.data_dir}, options.config)
    from redraft.api.admin.key_command import run

    return asyncio.run(run(settings, options))


def admin(arguments: Sequence[str]) -> int:
    """Runs `redraft admin`: keys, quotas, documents, holds and sweeps of a running service."""
    parser = argparse.ArgumentParser(
        prog="redraft admin", description="Run a service, with the key of an administrator."
    )
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("keys", help="list all keys")
    _add_wishes(actions.add_parser("create-key", help="create a key and print it once"))
    actions.add_parser("revoke-key", help="revoke a key now").add_argument("id")
    quota = actions.add_parser(
        "quota", help="what the owner of a key may keep; without a number as the settings say"
    )
    quota.add_argument("id")
    quota.add_argument("--documents", type=_count, help="documents; 0 for any number")
    quota.add_argument("--bytes", dest="size", type=_count, help="bytes; 0 for any number")
    actions.add_parser("documents", help="list the documents of all owners, without their names")
    actions.add_parser("delete", help="delete a document").add_argument("document")
    for name in ("hold", "release"):
        action = actions.add_parser(name, help=f"{name} a document, or all that a key has now")
        which = action.add_mutually_exclusive_group(required=True)
        which.add_argument("document", nargs="?", default="")
        which.add_argument("--key", default="", metavar="ID")
    sweeps = actions.add_parser("sweeps", help="say what sweeps came to")
    sweeps.add_argument("--now", action="store_true", help="delete first what has expired")
    for action in actions.choices.values():
        action.add_argument("--server", metavar="URL", default="http://127.0.0.1:8765")
    options = parser.parse_args(arguments)
    key = os.environ.get(variable("key"), "")
    if not key:
        sys.stderr.write(f"redraft: set {variable('key')} to the key of an administrator\n")
        return WRONG_USE
    from redraft.api.admin.admin_command import run

    return run(options, key)


@_refusing_settings
def encryption(arguments: Sequence[str]) -> int:
    """Runs `redraft encryption`: keys of the operator, and what is encrypted with them."""
    parser = argparse.ArgumentParser(prog="redraft encryption")
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("new-key", help="print a new key")
    actions.add_parser("status", help="count what is encrypted, and with which key")
    actions.add_parser("migrate", help="encrypt what is there already; no service may run")
    actions.add_parser("rotate", help="seal the keys of all documents with the first key")
    for action in actions.choices.values():
        action.add_argument("--data-dir", metavar="DATA_DIR")
        _add_config(action)
    options = parser.parse_args(arguments)
    settings = load(os.environ, {"data_dir": options.data_dir}, options.config)
    try:
        from redraft.api.admin.encryption_command import run
    except ImportError as error:
        raise SettingError(NO_ENCRYPTION) from error

    return run(settings, options.action)


@_refusing_settings
def doctor(arguments: Sequence[str]) -> int:
    """Runs `redraft doctor`: checks the set-up and says what is wrong with it."""
    parser = argparse.ArgumentParser(prog="redraft doctor")
    parser.add_argument("--data-dir", metavar="DATA_DIR")
    _add_config(parser)
    options = parser.parse_args(arguments)
    settings = load(os.environ, {"data_dir": options.data_dir}, options.config)
    from redraft.api.admin.doctor import examine

    return examine(settings, os.environ, sys.stdout)


@_refusing_settings
def config(arguments: Sequence[str]) -> int:
    """Runs `redraft config show`: every setting of the service and where its value comes from."""
    parser = argparse.ArgumentParser(prog="redraft config")
    actions = parser.add_subparsers(dest="action", required=True)
    show = actions.add_parser("show", help="list all settings of the service, without secrets")
    _add_flags(show)
    options = parser.parse_args(arguments)
    settings, origins = located(os.environ, vars(options), options.config)
    sys.stdout.write(shown(settings, origins) + "\n")
    return DONE


@_refusing_settings
def audit(arguments: Sequence[str]) -> int:
    """Runs `redraft audit`: verify or export the audit log."""
    parser = argparse.ArgumentParser(prog="redraft audit")
    actions = parser.add_subparsers(dest="action", required=True)
    verify = actions.add_parser("verify", help="check that no entry was changed or taken out")
    verify.add_argument(
        "file", nargs="?", type=Path, help="an exported log; the service's if omitted"
    )
    verify.add_argument(
        "--head", type=_head, metavar="NUMBER:HASH", help="an entry that must still be there"
    )
    export = actions.add_parser("export", help="print the log, a JSON object a line")
    export.add_argument("--document", default="", help="the entries of one document (or key) only")
    for action in actions.choices.values():
        action.add_argument("--data-dir", metavar="DATA_DIR")
        _add_config(action)
    options = parser.parse_args(arguments)
    settings = load(os.environ, {"data_dir": options.data_dir}, options.config)
    from redraft.api.admin.audit_command import run

    return asyncio.run(run(settings, options))


@_refusing_settings
def backup(arguments: Sequence[str]) -> int:
    """Runs `redraft backup`: copy a data folder, also while the service runs."""
    parser = argparse.ArgumentParser(prog="redraft backup")
    parser.add_argument("target", type=Path, help="a folder that is not there yet")
    parser.add_argument("--data-dir", metavar="DATA_DIR")
    _add_config(parser)
    options = parser.parse_args(arguments)
    settings = load(os.environ, {"data_dir": options.data_dir}, options.config)
    from redraft.api.admin.backup_command import back_up

    return back_up(settings, options.target)


@_refusing_settings
def restore(arguments: Sequence[str]) -> int:
    """Runs `redraft restore`: put a backup into a data folder that no service uses."""
    parser = argparse.ArgumentParser(prog="redraft restore")
    parser.add_argument("backup", type=Path, help="a folder that `redraft backup` has made")
    parser.add_argument(
        "--replace", action="store_true", help="delete what the data folder holds now"
    )
    parser.add_argument("--data-dir", metavar="DATA_DIR")
    _add_config(parser)
    options = parser.parse_args(arguments)
    settings = load(os.environ, {"data_dir": options.data_dir}, options.config)
    from redraft.api.admin.backup_command import restore as put_back

    return put_back(settings, options.backup, may_replace=options.replace)


def hold(arguments: Sequence[str]) -> int:
    """Runs `redraft hold`: keep documents beyond their time, and refuse to delete them."""
    return _legal_hold("hold", arguments)


def release(arguments: Sequence[str]) -> int:
    """Runs `redraft release`: end the legal hold of documents."""
    return _legal_hold("release", arguments)


@_refusing_settings
def gc(arguments: Sequence[str]) -> int:
    """Runs `redraft gc`: delete from a data folder what the service would not keep."""
    parser = argparse.ArgumentParser(prog="redraft gc")
    parser.add_argument("--dry-run", action="store_true", help="say what would go, and delete none")
    parser.add_argument("--data-dir", metavar="DATA_DIR")
    _add_config(parser)
    options = parser.parse_args(arguments)
    settings = load(os.environ, {"data_dir": options.data_dir}, options.config)
    from redraft.api.admin.garbage_collection import collect

    return collect(settings, is_trial=options.dry_run)


@_refusing_settings
def db(arguments: Sequence[str]) -> int:
    """Runs `redraft db`: brings the schema of a shared database up to date."""
    parser = argparse.ArgumentParser(prog="redraft db")
    actions = parser.add_subparsers(dest="action", required=True)
    upgrade = actions.add_parser("upgrade", help="make the schema, or bring it up to date")
    _add_config(upgrade)
    options = parser.parse_args(arguments)
    settings = load(os.environ, {}, options.config)
    from redraft.api.admin.database_upgrade import upgrade as run

    return asyncio.run(run(settings))


@_refusing_settings
def migrate(arguments: Sequence[str]) -> int:
    """Runs `redraft migrate`: moves a data folder into the shared stores, or out of them."""
    parser = argparse.ArgumentParser(
        prog="redraft migrate",
        description="Move all documents and keys; REDRAFT_DATABASE_URL and REDRAFT_FILES_URL name "
        "the other side. No service may use what is moved.",
    )
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--from", dest="source", type=Path, help="a data folder, to move it in")
    way.add_argument("--to", dest="target", type=Path, help="a data folder, to move back into it")
    _add_config(parser)
    options = parser.parse_args(arguments)
    settings = load(os.environ, {}, options.config)
    from redraft.api.admin.migrate_command import migrate as run

    folder: Path = options.source or options.target
    return run(settings, folder, goes_in=options.source is not None)


def _legal_hold(name: str, arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog=f"redraft {name}")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("document", nargs="?", default="", help="the id of a document")
    which.add_argument("--key", default="", metavar="ID", help="all documents that a key has now")
    parser.add_argument("--data-dir", metavar="DATA_DIR")
    _add_config(parser)
    options = parser.parse_args(arguments)
    try:
        settings = load(os.environ, {"data_dir": options.data_dir}, options.config)
    except SettingError as error:
        sys.stderr.write(f"redraft: {error}\n")
        return WRONG_USE
    from redraft.api.admin.hold_command import run

    return asyncio.run(run(settings, options.document, options.key, begins=name == "hold"))


def _add_wishes(create: argparse.ArgumentParser) -> None:
    create.add_argument("--name", type=_name, default="", help="what it is for")
    create.add_argument("--days", type=_days, help="days until it expires; never if omitted")
    create.add_argument("--role", choices=ROLES, default="edit", help="what it may do")
    create.add_argument(
        "--for", dest="beside", metavar="ID", default="", help="a key whose documents it opens"
    )


def _count(written: str) -> int:
    return _between(written, 0, MOST_COUNT)


def _days(written: str) -> int:
    return _between(written, 1, MOST_DAYS)


def _hours(written: str) -> int:
    return _between(written, 0, MOST_DAYS * 24)


def _head(written: str) -> tuple[int, str]:
    number, _, digest = written.partition(":")
    if not number.isdecimal() or len(digest) != 64:
        message = "must be the number of an entry and its hash, as `redraft audit verify` tells"
        raise argparse.ArgumentTypeError(message)
    return int(number), digest


def _between(written: str, least: int, most: int) -> int:
    if not written.isdecimal() or len(written) > 18 or not least <= int(written) <= most:
        message = f"must be a whole number from {least} to {most}"
        raise argparse.ArgumentTypeError(message)
    return int(written)


def _name(written: str) -> str:
    if not all(map(is_shown, written)):
        message = "must not hold control characters"
        raise argparse.ArgumentTypeError(message)
    return written


def shown(settings: Settings, origins: Mapping[str, str]) -> str:
    """Writes all settings, one a line with its origin; secrets are counted and left out."""
    lines: list[str] = []
    for name in NAMES:
        value = getattr(settings, name)
        if name == "api_keys":
            value = f"({len(settings.api_keys)} keys, not shown)"
        elif name in ("database_url", "encryption_key") and value:
            value = "(set, not shown)"
        elif isinstance(value, tuple):
            value = ",".join(value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] - of strings
        lines.append(f"{variable(name)}={value}\t{origins.get(name, 'default')}")
    return "\n".join(lines)


def _add_flags(parser: argparse.ArgumentParser) -> None:
    for name, meaning in SHOWN_AS_FLAGS.items():
        parser.add_argument(flag(name), metavar=name.upper(), help=meaning)
    _add_config(parser)


def _add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", help="a TOML file with settings")
