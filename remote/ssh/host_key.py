"""The key by which people know this server: made at the first start, then always the same."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

import asyncssh

from redraft.remote.ssh.authorized_keys import OTHER_FOLDER
from redraft.tui.transport.failures import refused

NAME = "host_key"


class HostKeyError(Exception):
    """The host key cannot be used; the message says what to do."""


def host_key(folder: Path) -> asyncssh.SSHKey:
    """Returns the host key (Ed25519), making it when there is none.

    Raises:
        HostKeyError: it can be read by others, is no private key, or its folder cannot be used.
    """
    path = folder / NAME
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            _make(path)
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & (stat.S_IRWXG | stat.S_IRWXO):
            message = f"{path} can be read by other users; remove it, or run `chmod 600` on it"
            raise HostKeyError(message)
        return asyncssh.read_private_key(path)
    except OSError as error:
        message = f"the host key {path} cannot be used: {refused(error, OTHER_FOLDER)}"
        raise HostKeyError(message) from error
    except asyncssh.KeyImportError as error:
        message = (
            f"the host key {path} cannot be used: {error}; move it away to have a new one created"
        )
        raise HostKeyError(message) from error


def _make(path: Path) -> None:
    """Writes a new key where there is none, whole or not at all."""
    key = asyncssh.generate_private_key("ssh-ed25519", "redraft")  # pyright: ignore[reportUnknownMemberType]
    text = key.export_private_key("openssh")
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(text)
    try:
        path.hardlink_to(partial)  # unlike a rename it never replaces the key of another start
    except FileExistsError:
        pass
    finally:
        partial.unlink()
