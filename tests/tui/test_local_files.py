from __future__ import annotations

from pathlib import Path

import pytest

from redraft.engine import formats
from redraft.engine.errors import EngineError
from redraft.tui import local_files
from tests.documents import corpus_folder


def test_a_file_that_is_there_is_not_written_over_unasked(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_text("mine")
    with pytest.raises(local_files.FileError, match="is there already"):
        local_files.save(path, b"new", over=False)
    assert path.read_text() == "mine"
    local_files.save(path, b"new", over=True)
    assert path.read_text() == "new"


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    local_files.save(tmp_path / "a.docx", b"new", over=False)
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.docx"]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(local_files.FileError, match="No such file"):
        local_files.save(tmp_path / "none" / "a.docx", b"new", over=False)


def test_the_next_free_name_is_numbered(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    assert local_files.free_path(path) == path
    path.touch()
    (tmp_path / "a (2).docx").touch()
    assert local_files.free_path(path).name == "a (3).docx"


def test_a_copy_says_what_it_is() -> None:
    assert local_files.copy_name("my contract.docx", "clean") == "my contract-clean.docx"


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
    assert [entry.shown for entry in local_files.documents_below(tmp_path)] == ["z.docx", "b/c.pdf"]


def test_a_typed_path_is_completed_by_folders_and_documents(tmp_path: Path) -> None:
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contract.docx").touch()
    (tmp_path / "context.txt").touch()
    shown = [entry.shown for entry in local_files.completions(f"{tmp_path}/con")]
    assert shown == [f"{tmp_path}/contract.docx", f"{tmp_path}/contracts/"]


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.docx", b"", "The file is empty"),
        ("a.txt", b"text", "not supported"),
        ("a.txt", b"%PDF-1.7", "not supported"),
        ("a.docx", b"<html>", "not supported"),
        ("a.odt", b"PK\x03\x04", "not supported"),
        ("a.pdf", bytes(local_files.LARGEST + 1), "10MB"),
    ],
)
def test_what_the_service_would_refuse_is_not_read(
    tmp_path: Path, name: str, data: bytes, words: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(local_files.FileError, match=words):
        local_files.load(path)


def test_ten_megabytes_exactly_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7".ljust(local_files.LARGEST))
    assert len(local_files.load(path)) == local_files.LARGEST


def test_a_folder_is_no_document(tmp_path: Path) -> None:
    with pytest.raises(local_files.FileError, match="is a folder"):
        local_files.load(tmp_path)


def test_what_only_the_service_can_tell_apart_is_left_to_it(tmp_path: Path) -> None:
    path = tmp_path / "protected.docx"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
    assert local_files.load(path) == path.read_bytes()


@pytest.mark.parametrize(
    ("suffix", "name"),
    [
        (".docm", "poi__SimpleMacro.docm"),
        (".dotx", "oxsdk__VendorRatingPolicy_TP10187010.dotx"),
        (".doc", "poi__Word6.doc-renamed.docx"),
    ],
)
def test_what_is_nearly_a_word_document_is_refused_in_the_words_of_the_service(
    tmp_path: Path, suffix: str, name: str
) -> None:
    corpus = corpus_folder()
    if corpus is None:
        pytest.skip("the corpus is not there")
    data = (corpus / "bad" / name).read_bytes()
    path = tmp_path / f"contract{suffix}"
    path.write_bytes(data)
    with pytest.raises(EngineError) as said:
        formats.detect(data, name)
    with pytest.raises(local_files.FileError) as refusal:
        local_files.load(path)
    assert str(refusal.value) == str(said.value)


def test_a_link_to_nothing_is_no_document(tmp_path: Path) -> None:
    (tmp_path / "gone.docx").symlink_to(tmp_path / "nowhere.docx")
    (tmp_path / "here.docx").touch()
    assert [entry.path.name for entry in local_files.completions(f"{tmp_path}/")] == ["here.docx"]


@pytest.mark.parametrize("typed", ["~nobody-of-that-name/", "~nobody-of-that-name", "/\0/x"])
def test_a_path_that_cannot_be_is_completed_by_nothing(typed: str) -> None:
    assert local_files.completions(typed) == []
    assert local_files.named_file(f"{typed}/a.docx") is None
    assert not local_files.expanded(typed).exists()


@pytest.mark.parametrize("form", ["{}", "'{}'", '"{}"', "file://{}", " {} "])
def test_a_file_is_named_also_quoted_and_as_an_address(tmp_path: Path, form: str) -> None:
    path = tmp_path / "my contract.docx"
    path.touch()
    assert local_files.named_file(form.format(path)) == str(path)
    assert local_files.named_file(str(path).replace(" ", "\\ ")) == str(path)
    assert local_files.named_file(form.format(tmp_path / "none.docx")) is None
