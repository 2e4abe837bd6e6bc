"""Whose SSH key opens what: a file like `authorized_keys`, and the API keys that it names.

A line is options, a key type, the key, and a comment:

    key="alice",author="Alice Lee" ssh-ed25519 AAAA... alice@laptop
    env="REDRAFT_KEY_BOB" ssh-ed25519 AAAA... bob@desk

`key` names a file in the folder `keys` beside this one, `env` a variable of the server; either
holds an API key of the service. The format is that of sshd(8), AUTHORIZED_KEYS FILE FORMAT; other
options than these are refused, as nobody should believe that they work.
"""

from __future__ import annotations

import base64
import binascii
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from redraft.tui.transport.failures import refused

PEOPLE = "authorized_keys"
KEYS = "keys"
OTHER_FOLDER = "choose another folder with --folder"
LARGEST = 1 << 20
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}")
OPTION = re.compile(r'([A-Za-z0-9-]+)(?:="((?:[^"\\]|\\.)*)")?(?:,|\s+)')
TYPES = ("ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-")


class AuthorizedKeysError(Exception):
    """The list of people cannot be used; the message names the file, the line and what to do."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may come in: documents belong to the API key, drafts to the name."""

    name: str
    author: str
    api_key: str = field(repr=False)


def read(folder: Path, environment: Mapping[str, str]) -> Mapping[bytes, Person]:
    """Returns the people by their public keys, in the base64 form of such files.

    Args:
        folder: Holds `authorized_keys` and `keys`.
        environment: Where `env` options look.

    Raises:
        PeopleError: a file is missing, open to others, or a line cannot be understood.
    """
    path = folder / PEOPLE
    text = _secret(path, others=stat.S_IWGRP | stat.S_IWOTH)
    authorized_keys: dict[bytes, Person] = {}
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        try:
            blob, person = _entry(line, folder, environment)
        except AuthorizedKeysError as error:
            message = f"{path}, line {number}: {error}"
            raise AuthorizedKeysError(message) from error
        if blob in authorized_keys:
            message = f"{path}, line {number}: this SSH key is listed twice"
            raise AuthorizedKeysError(message)
        authorized_keys[blob] = person
    return authorized_keys


def _entry(line: str, folder: Path, environment: Mapping[str, str]) -> tuple[bytes, Person]:
    options, rest = _options(line)
    words = rest.split(None, 2)
    blob = _blob(words)
    names = [name for name in ("key", "env") if name in options]
    if len(names) != 1:
        message = 'needs one of key="NAME" and env="VARIABLE" before the SSH key'
        raise AuthorizedKeysError(message)
    name = options[names[0]]
    if not NAME.fullmatch(name):
        message = f"{names[0]}={name!r} is not a name of letters, digits and ._@-"
        raise AuthorizedKeysError(message)
    if names[0] == "key":
        path = folder / KEYS / name
        api_key = _secret(path, others=stat.S_IRWXG | stat.S_IRWXO).strip()
        source = str(path)
    else:
        api_key = environment.get(name, "").strip()
        source = f"the variable {name}"
    if not api_key or not api_key.isascii() or len(api_key.split()) != 1:
        message = f"{source} contains no API key; create one with `redraft keys create`"
        raise AuthorizedKeysError(message)
    return base64.b64encode(blob), Person(name, options.get("author", "") or name, api_key)


def _options(line: str) -> tuple[Mapping[str, str], str]:
    """Parts a line into its options and the rest."""
    options: dict[str, str] = {}
    at = 0
    while not line.startswith(TYPES, at):
        option = OPTION.match(line, at)
        if option is None:
            message = "is not a list of options followed by an SSH key"
            raise AuthorizedKeysError(message)
        name, value = option.group(1), option.group(2)
        if name not in ("key", "env", "author") or value is None:
            message = f'option {name} is unknown; use key="", env="" or author=""'
            raise AuthorizedKeysError(message)
        options[name] = re.sub(r"\\(.)", r"\1", value)
        at = option.end()
    return options, line[at:]


def _blob(words: list[str]) -> bytes:
    """Returns the encoded public key; its first string says its type."""
    try:
        blob = base64.b64decode(words[1], validate=True)
        length = int.from_bytes(blob[:4], "big")
        if blob[4 : 4 + length].decode("ascii") == words[0] and len(blob) > 4 + length:
            return blob
    except (IndexError, ValueError, binascii.Error):
        pass
    message = "contains no complete SSH public key"
    raise AuthorizedKeysError(message)


def _secret(path: Path, *, others: int) -> str:
    """Reads a file that others may not touch in the ways of the mode bits `others`."""
    try:
        with path.open("rb") as file:
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & others:
                message = f"{path} can be read or written by other users; run `chmod 600 {path}`"
                raise AuthorizedKeysError(message)
            return file.read(LARGEST).decode("utf-8")
    except FileNotFoundError as error:
        message = f"{path} does not exist; see docs/ssh.md for its format"
        raise AuthorizedKeysError(message) from error
    except OSError as error:
        message = f"{path} cannot be read: {refused(error, OTHER_FOLDER)}"
        raise AuthorizedKeysError(message) from error
    except UnicodeDecodeError as error:
        message = f"{path} is not UTF-8 text; see docs/ssh.md for its format"
        raise AuthorizedKeysError(message) from error
