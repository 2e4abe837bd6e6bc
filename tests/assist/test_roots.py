from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest

from redraft.assist import roots as roots_module
from redraft.assist.roots import PathError, Roots


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """`root` with a document and ways out of it, and a secret beside it."""
    root = tmp_path / "served"
    (root / "below").mkdir(parents=True)
    (root / "a.docx").write_bytes(b"inside")
    (root / "below" / "b.docx").write_bytes(b"below")
    (tmp_path / "secret.docx").write_bytes(b"secret")
    (root / "out.docx").symlink_to(tmp_path / "secret.docx")
    (root / "away").symlink_to(tmp_path)
    (root / "within.docx").symlink_to(root / "below" / "b.docx")
    (root / "round.docx").symlink_to(root / "round.docx")
    os.mkfifo(root / "pipe.docx")
    return root


OUTSIDE = [
    "../secret.docx",
    "below/../../secret.docx",
    "./../secret.docx",
    "below/../../served/../secret.docx",
    "/etc/passwd",
    "/proc/self/environ",
    "/dev/zero",
    "//etc/passwd",
    "out.docx",
    "away/secret.docx",
    "away/served/../secret.docx",
    "away/../secret.docx",
    "~/secret.docx",
    "$HOME/secret.docx",
    "C:\\secret.docx",
    "..\\secret.docx",
    "file:///etc/passwd",
    "a.docx/../../secret.docx",
    "a.docx\0.pdf",
    "\0",
    "",
    " ",
    ".",
    "..",
    "/",
    "below",
    "A.DOCX",
    "pipe.docx",
    "round.docx",
    "missing.docx",
    "x" * 5000,
]


@pytest.mark.parametrize("written", OUTSIDE)
def test_nothing_is_read_that_is_no_file_below_a_root(folder: Path, written: str) -> None:
    with pytest.raises(PathError) as caught:
        Roots([folder]).read(written)
    assert "secret" not in str(caught.value).replace(written, "")


@pytest.mark.parametrize("written", ["a.docx", "./a.docx", "below/../a.docx", "within.docx"])
def test_a_file_below_a_root_is_read(folder: Path, written: str) -> None:
    file = Roots([folder]).read(written)
    assert file.data in (b"inside", b"below")
    assert Roots([folder]).read(str(folder / written)) == file
    assert file.digest == sha256(file.data).hexdigest()


def test_a_folder_that_becomes_a_link_in_between_leads_nowhere(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder.parent / "elsewhere").mkdir()
    (folder.parent / "elsewhere" / "b.docx").write_bytes(b"secret")
    found = os.path.realpath

    def swapped(path: str) -> str:
        place = found(path)
        if (folder / "below").is_dir() and not (folder / "below").is_symlink():
            (folder / "below").rename(folder / "before")
            (folder / "below").symlink_to(folder.parent / "elsewhere")
        return place

    roots = Roots([folder])
    monkeypatch.setattr(roots_module.os.path, "realpath", swapped)
    with pytest.raises(PathError):
        roots.read("below/b.docx")


def test_a_file_above_10_mib_is_refused(folder: Path) -> None:
    (folder / "big.docx").write_bytes(b"x" * (roots_module.LARGEST + 1))
    with pytest.raises(PathError, match="larger than 10 MiB"):
        Roots([folder]).read("big.docx")


@pytest.mark.parametrize("written", [*OUTSIDE[:24], "new.txt", "new", "below/none/new.docx"])
def test_nothing_is_written_outside_or_under_another_name(folder: Path, written: str) -> None:
    before = sorted(folder.parent.rglob("*"))
    with pytest.raises(PathError):
        Roots([folder]).write(written, b"new", overwrite=True)
    assert sorted(folder.parent.rglob("*")) == before
    assert (folder.parent / "secret.docx").read_bytes() == b"secret"


def test_a_file_that_is_there_is_only_replaced_on_request(folder: Path) -> None:
    roots = Roots([folder])
    with pytest.raises(PathError, match="exists; give another path"):
        roots.write("a.docx", b"new", overwrite=False)
    assert (folder / "a.docx").read_bytes() == b"inside"
    saved = roots.write("a.docx", b"new", overwrite=True)
    assert (folder / "a.docx").read_bytes() == b"new"
    assert saved.digest == sha256(b"new").hexdigest()
    assert not [path for path in folder.iterdir() if path.name.endswith(".part")]


def test_the_other_name_of_a_hard_linked_file_keeps_its_words(folder: Path) -> None:
    os.link(folder.parent / "secret.docx", folder / "linked.docx")
    Roots([folder]).write("linked.docx", b"new", overwrite=True)
    assert (folder.parent / "secret.docx").read_bytes() == b"secret"


def test_an_original_that_changed_since_it_was_opened_is_not_replaced(folder: Path) -> None:
    roots = Roots([folder])
    opened = roots.read("a.docx")
    (folder / "a.docx").write_bytes(b"by somebody else")
    with pytest.raises(PathError, match="has changed since it was opened"):
        roots.write("a.docx", b"new", overwrite=True, opened=opened)
    assert (folder / "a.docx").read_bytes() == b"by somebody else"
    roots.write("b.docx", b"new", overwrite=False, opened=opened)


def test_a_root_that_is_no_folder_is_refused(folder: Path) -> None:
    with pytest.raises(PathError, match="cannot be used as a root"):
        Roots([folder / "a.docx"])
