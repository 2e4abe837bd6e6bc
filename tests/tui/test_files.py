from __future__ import annotations

from pathlib import Path

import pytest

from tui import files


def test_a_file_that_is_there_is_not_written_over_unasked(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_text("mine")
    with pytest.raises(files.FileError, match="is there already"):
        files.save(path, b"new", over=False)
    assert path.read_text() == "mine"
    files.save(path, b"new", over=True)
    assert path.read_text() == "new"


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    files.save(tmp_path / "a.docx", b"new", over=False)
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.docx"]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(files.FileError, match="No such file"):
        files.save(tmp_path / "none" / "a.docx", b"new", over=False)


def test_the_next_free_name_is_numbered(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    assert files.free_path(path) == path
    path.touch()
    (tmp_path / "a (2).docx").touch()
    assert files.free_path(path).name == "a (3).docx"


def test_a_copy_says_what_it_is() -> None:
    assert files.copy_name("my contract.docx", "clean") == "my contract-clean.docx"


def test_documents_are_found_the_shallow_ones_first(tmp_path: Path) -> None:
    for name in (
        "b/c.pdf",
        "z.docx",
        "b/.hidden/x.docx",
        "~$z.docx",
        "notes.txt",
        "1/2/3/4/5/x.pdf",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert [entry.shown for entry in files.documents_below(tmp_path)] == ["z.docx", "b/c.pdf"]


def test_a_typed_path_is_completed_by_folders_and_documents(tmp_path: Path) -> None:
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contract.docx").touch()
    (tmp_path / "context.txt").touch()
    shown = [entry.shown for entry in files.completions(f"{tmp_path}/con")]
    assert shown == [f"{tmp_path}/contract.docx", f"{tmp_path}/contracts/"]


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.docx", b"", "not supported"),
        ("a.docx", b"<html>", "not supported"),
        ("a.odt", b"PK\x03\x04", "not supported"),
        ("a.pdf", bytes(files.LARGEST + 1), "10MB"),
    ],
)
def test_what_the_service_would_refuse_is_not_read(
    tmp_path: Path, name: str, data: bytes, words: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(files.FileError, match=words):
        files.load(path)


def test_ten_megabytes_exactly_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7".ljust(files.LARGEST))
    assert len(files.load(path)) == files.LARGEST


def test_a_folder_is_no_document(tmp_path: Path) -> None:
    with pytest.raises(files.FileError, match="is a folder"):
        files.load(tmp_path)
