from __future__ import annotations

import os
from pathlib import Path

import pytest

from redraft.remote.ssh.authorized_keys import AuthorizedKeysError, Person, read
from tests.remote.conftest import admit, key_of

BLOB = "AAAAC3NzaC1lZDI1NTE5AAAAIGZpZnR5IHplcm8gYnl0ZXMgb2Yga2V5IGZvciBh"
KEY = f"ssh-ed25519 {BLOB}"


def listed(folder: Path, line: str, mode: int = 0o600) -> Path:
    (folder / "keys").mkdir(exist_ok=True)
    alice = folder / "keys" / "alice"
    alice.write_text("secret-1\n")
    alice.chmod(0o600)
    path = folder / "authorized_keys"
    path.write_text(f"# people\n{line}\n")
    path.chmod(mode)
    return folder


@pytest.mark.parametrize(
    ("line", "person"),
    [
        (f'key="alice" {KEY} alice@laptop', Person("alice", "alice", "secret-1")),
        (f'key="alice",author="Alice Lee" {KEY}', Person("alice", "Alice Lee", "secret-1")),
        (
            f'author="A \\"B\\" Lee",key="alice" {KEY} a b c',
            Person("alice", 'A "B" Lee', "secret-1"),
        ),
        (f'env="BOB" {KEY}', Person("BOB", "BOB", "secret-2")),
    ],
    ids=["key", "author", "quotes", "variable"],
)
def test_a_line_gives_a_person_to_an_ssh_key(tmp_path: Path, line: str, person: Person) -> None:
    assert read(listed(tmp_path, line), {"BOB": "secret-2"}) == {BLOB.encode(): person}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (KEY, "needs one of key"),
        (f'key="alice",env="BOB" {KEY}', "needs one of key"),
        (f'key="../alice" {KEY}', "is not a name"),
        (f'key=".hidden" {KEY}', "is not a name"),
        (f'key="nobody" {KEY}', "keys/nobody does not exist"),
        (f'env="NOBODY" {KEY}', "the variable NOBODY contains no API key"),
        (f'command="sh" {KEY}', "option command is unknown"),
        (f'no-pty,key="alice" {KEY}', "option no-pty is unknown"),
        ('key="alice" ssh-ed25519 AAAA', "contains no complete SSH public key"),
        ('key="alice" ssh-rsa ' + BLOB, "contains no complete SSH public key"),
        ('key="alice" ssh-ed25519', "contains no complete SSH public key"),
        ('key="alice"', "is not a list of options followed by an SSH key"),
        ("nonsense here", "option nonsense is unknown"),
        ("!", "is not a list of options followed by an SSH key"),
        (f'key="alice" {KEY}\nkey="alice" {KEY}', "is listed twice"),
    ],
)
def test_a_line_that_does_not_say_what_it_opens_is_named(
    tmp_path: Path, line: str, words: str
) -> None:
    with pytest.raises(AuthorizedKeysError) as caught:
        read(listed(tmp_path, line), {})
    assert words in str(caught.value)
    assert "authorized_keys, line " in str(caught.value)


def test_a_list_that_others_may_write_lets_nobody_in(tmp_path: Path) -> None:
    with pytest.raises(AuthorizedKeysError, match="can be read"):
        read(listed(tmp_path, f'key="alice" {KEY}', mode=0o666), {})


def test_an_api_key_that_others_may_read_lets_nobody_in(tmp_path: Path) -> None:
    folder = listed(tmp_path, f'key="alice" {KEY}')
    (folder / "keys" / "alice").chmod(0o640)
    with pytest.raises(AuthorizedKeysError, match="chmod 600"):
        read(folder, {})


def test_a_missing_list_says_where_it_should_be(tmp_path: Path) -> None:
    with pytest.raises(
        AuthorizedKeysError, match=r"authorized_keys does not exist; see docs/ssh\.md"
    ):
        read(tmp_path, {})


def test_a_list_that_is_a_folder_or_no_text_is_told_without_numbers(tmp_path: Path) -> None:
    path = tmp_path / "authorized_keys"
    path.mkdir(mode=0o700)
    with pytest.raises(AuthorizedKeysError) as caught:
        read(tmp_path, {})
    assert str(caught.value) == (
        f"{path} cannot be read: Is a directory: {path}; move away the folder that stands where a "
        "file belongs, or choose another folder with --folder"
    )
    path.rmdir()
    path.write_bytes(b"\xff\xfe")
    path.chmod(0o600)
    with pytest.raises(
        AuthorizedKeysError, match=r"authorized_keys is not UTF-8 text; see docs/ssh\.md"
    ):
        read(tmp_path, {})


def test_a_person_is_shown_without_the_api_key(tmp_path: Path) -> None:
    admit(tmp_path, "alice")
    (person,) = read(tmp_path, os.environ).values()
    assert person.api_key == key_of("alice")
    assert key_of("alice") not in repr(person)
