from __future__ import annotations

import stat
from pathlib import Path

import pytest

from redraft.remote.ssh.host_key import HostKeyError, host_key


def test_it_is_made_at_the_first_start_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "ssh"
    made = host_key(folder)
    assert made.get_algorithm() == "ssh-ed25519"
    assert stat.S_IMODE((folder / "host_key").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [entry.name for entry in folder.iterdir()] == ["host_key"]


def test_it_stays_the_same(tmp_path: Path) -> None:
    assert host_key(tmp_path).get_fingerprint() == host_key(tmp_path).get_fingerprint()


def test_one_that_others_can_read_is_refused(tmp_path: Path) -> None:
    host_key(tmp_path)
    (tmp_path / "host_key").chmod(0o644)
    with pytest.raises(HostKeyError, match="can be read"):
        host_key(tmp_path)


def test_what_is_no_key_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "host_key"
    path.write_text("not a key")
    path.chmod(0o600)
    with pytest.raises(HostKeyError, match="cannot be used"):
        host_key(tmp_path)
    assert path.read_text() == "not a key"


def test_a_file_in_place_of_the_folder_is_told_without_numbers(tmp_path: Path) -> None:
    folder = tmp_path / "ssh"
    folder.write_text("")
    with pytest.raises(HostKeyError) as caught:
        host_key(folder)
    assert str(caught.value) == (
        f"the host key {folder / 'host_key'} cannot be used: File exists: {folder}; move away the "
        "file that stands where a folder belongs, or choose another folder with --folder"
    )
