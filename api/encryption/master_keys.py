"""The keys of the operator, which seal those of the documents and nothing else.

They come from the setting itself, a file or a command: one or more, separated by white space, each
32 bytes in Base64. The first one seals; all of them open.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from redraft.api.encryption.sealing import KEY_BYTES, NONCE
from redraft.api.settings import SettingError, variable

IDENTIFIER = 8
"""Bytes at the beginning of a sealed key that name the key which sealed it."""
COMMAND_SECONDS = 30
FILE, COMMAND = "file:", "command:"
VARIABLE = variable("encryption_key")


class UnknownKeyError(Exception):
    """The key that sealed a document's key is not there."""


class MasterKeys:
    """The keys of the operator."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys = {_identifier(key): key for key in keys}
        self._first = _identifier(keys[0])

    def sealed(self, key: bytes, document: str) -> bytes:
        """Seals the key of a document with the first key."""
        nonce = os.urandom(NONCE)
        text = AESGCM(self._keys[self._first]).encrypt(nonce, key, document.encode())
        return self._first + nonce + text

    def opened(self, sealed: bytes, document: str) -> bytes:
        """Opens the key of a document.

        Raises:
            UnknownKeyError: it was sealed with another key, or for another document.
        """
        key = self._keys.get(sealed[:IDENTIFIER])
        nonce, text = sealed[IDENTIFIER : IDENTIFIER + NONCE], sealed[IDENTIFIER + NONCE :]
        try:
            if key is None:
                raise UnknownKeyError
            return AESGCM(key).decrypt(nonce, text, document.encode())
        except (InvalidTag, ValueError) as error:
            raise UnknownKeyError from error

    def is_known(self, sealed: bytes) -> bool:
        """Whether a key that sealed something is one of these."""
        return sealed[:IDENTIFIER] in self._keys

    def is_first(self, sealed: bytes) -> bool:
        """Whether it is the one that seals now."""
        return sealed[:IDENTIFIER] == self._first


def new_document_key() -> bytes:
    """Makes the key of a document."""
    return os.urandom(KEY_BYTES)


def new_master_key() -> str:
    """Makes a key of the operator, as it is written."""
    return base64.b64encode(os.urandom(KEY_BYTES)).decode()


def load(source: str) -> MasterKeys:
    """Reads the keys.

    Args:
        source: The value of the setting: the keys, `file:PATH`, or `command:COMMAND`.

    Raises:
        SettingError: there are none, or they are no keys.
    """
    if source.startswith(FILE):
        words = _read(Path(source[len(FILE) :]).expanduser())
    elif source.startswith(COMMAND):
        words = _run(source[len(COMMAND) :])
    else:
        words = source
    keys = [_key(word) for word in words.split()]
    if not keys:
        message = f"{VARIABLE} gives no key; `redraft encryption new-key` makes one"
        raise SettingError(message)
    return MasterKeys(keys)


def _read(path: Path) -> str:
    try:
        return path.read_text("ascii")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        message = f"the file of {VARIABLE} cannot be read: {path}: {reason}"
        raise SettingError(message) from error


def _run(command: str) -> str:
    message = f"the command of {VARIABLE} gives no key"
    try:
        ended = subprocess.run(  # noqa: S603 - the operator's own command
            shlex.split(command),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=COMMAND_SECONDS,
            check=True,
        )
        return ended.stdout.decode("ascii")
    except subprocess.CalledProcessError as error:
        message = f"{message}: it ended with exit code {error.returncode}"
    except subprocess.TimeoutExpired:
        message = f"{message} within {COMMAND_SECONDS} seconds"
    except (OSError, ValueError, IndexError) as error:
        message = f"{message} ({type(error).__name__})"
    raise SettingError(message)


def _key(word: str) -> bytes:
    try:
        key = base64.b64decode(word.replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        message = (
            f"{VARIABLE} holds what is no key: each is {KEY_BYTES} bytes in Base64, as "
            "`redraft encryption new-key` makes them; or file:PATH, or command:COMMAND"
        )
        raise SettingError(message)
    return key


def _identifier(key: bytes) -> bytes:
    return hashlib.sha256(b"redraft encryption key" + key).digest()[:IDENTIFIER]
