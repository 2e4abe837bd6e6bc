"""The zip layer: bytes that are not touched stay, and hostile directories are refused."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable

import pytest

from redraft.engine.archive import MAX_MEMBERS, Archive, ends_as_archive
from redraft.engine.errors import (
    CorruptDocumentError,
    EngineError,
    ProtectedFileError,
    TooLargeError,
)
from tests.engine.wordml import archive

SMALL = {"a.xml": b"<a/>" * 50, "b.bin": bytes(range(256)), "c.txt": b"last"}


def streamed(members: dict[str, bytes]) -> bytes:
    """A zip written to a stream that cannot seek: sizes stand in data descriptors."""

    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.parts: list[bytes] = []

        def writable(self) -> bool:
            return True

        def write(self, data: object) -> int:
            piece = bytes(data)  # pyright: ignore[reportArgumentType]
            self.parts.append(piece)
            return len(piece)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in members.items():
            info = zipfile.ZipInfo(name)
            info.extra = struct.pack("<HH4s", 0xA220, 4, b"pad!")
            info.compress_type = zipfile.ZIP_DEFLATED
            with target.open(info, "w", force_zip64=name == "b.bin") as sink:
                sink.write(content)
        target.comment = b"made by a stream"
    return b"".join(pipe.parts)


def test_members_read_as_they_were_written() -> None:
    opened = Archive.open(archive(SMALL))
    assert opened.names() == tuple(SMALL)
    assert {name: opened.read(name) for name in opened.names()} == SMALL


def test_an_archive_without_replacements_is_the_same_bytes() -> None:
    data = streamed(SMALL)
    assert Archive.open(data).write({}) == data


@pytest.mark.parametrize("make", [archive, streamed], ids=["seekable", "streamed"])
def test_untouched_members_keep_their_raw_bytes_and_headers(
    make: Callable[[dict[str, bytes]], bytes],
) -> None:
    data = make(SMALL)
    written = Archive.open(data).write({"a.xml": b"short", "new.xml": b"<new/>"})
    begin = data.index(b"b.bin") - 30
    end = data.index(b"PK\x01\x02")
    assert data[begin:end] in written
    with zipfile.ZipFile(io.BytesIO(written)) as check:
        assert check.testzip() is None
        assert check.namelist() == ["a.xml", "b.bin", "c.txt", "new.xml"]
        assert check.read("a.xml") == b"short"
        assert check.read("b.bin") == SMALL["b.bin"]
    assert Archive.open(written).read("new.xml") == b"<new/>"


def test_the_comment_and_the_dates_survive_a_replacement() -> None:
    data = archive(SMALL)
    commented = data[:-2] + struct.pack("<H", 5) + b"hello"
    with zipfile.ZipFile(io.BytesIO(Archive.open(commented).write({"a.xml": b"x"}))) as check:
        assert check.comment == b"hello"
        assert check.getinfo("a.xml").date_time == (2026, 1, 2, 3, 4, 6)


def test_two_members_of_one_name_are_refused_whatever_their_case() -> None:
    data = archive({"word/a.xml": b"1", "word/A.xml": b"2"})
    with pytest.raises(CorruptDocumentError, match="two parts"):
        Archive.open(data)


def test_an_encrypted_member_is_refused_as_protected() -> None:
    data = bytearray(archive(SMALL))
    at = data.index(b"PK\x01\x02") + 8
    data[at] |= 1
    with pytest.raises(ProtectedFileError, match="password"):
        Archive.open(bytes(data))


def test_too_many_members_are_refused() -> None:
    data = archive({f"{n}": b"" for n in range(MAX_MEMBERS + 1)}, method=zipfile.ZIP_STORED)
    with pytest.raises(TooLargeError, match="5001 parts"):
        Archive.open(data)


def test_a_declared_bomb_is_refused_before_inflating() -> None:
    with pytest.raises(TooLargeError, match="packed more than 200 times"):
        Archive.open(archive({"big": bytes(2 * 1024 * 1024)}))


def test_a_total_beyond_the_limit_is_refused() -> None:
    data = bytearray(archive({"a": b"1", "b": b"2"}, method=zipfile.ZIP_STORED))
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<L", 201 * 1024 * 1024)
    with pytest.raises(TooLargeError, match="unpacks to more than 200 MB"):
        Archive.open(bytes(data))


def test_a_member_larger_than_it_says_is_cut_off_while_inflating() -> None:
    data = bytearray(archive({"a": b"x" * 9000}))
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<L", 100)
    with pytest.raises(TooLargeError, match="larger than it says"):
        Archive.open(bytes(data)).read("a")


def test_a_wrong_checksum_is_noticed_when_the_member_is_read() -> None:
    data = bytearray(archive({"a": b"same", "b": b"other"}, method=zipfile.ZIP_STORED))
    data[data.index(b"same")] = ord("g")
    opened = Archive.open(bytes(data))
    assert opened.read("b") == b"other"
    with pytest.raises(CorruptDocumentError, match="checksum"):
        opened.read("a")


def test_overlapping_members_are_refused() -> None:
    data = bytearray(archive({"aa": b"12345", "ab": b"12345"}, method=zipfile.ZIP_STORED))
    first = data.index(b"PK\x01\x02")
    second = data.index(b"PK\x01\x02", first + 1)
    data[second + 42 : second + 46] = data[first + 42 : first + 46]
    data[second + 46 : second + 48] = b"aa"
    data[first + 46 : first + 48] = b"ab"
    with pytest.raises(CorruptDocumentError):
        Archive.open(bytes(data))


def test_a_missing_member_is_a_corrupt_document() -> None:
    with pytest.raises(CorruptDocumentError, match="no part nowhere"):
        Archive.open(archive(SMALL)).read("nowhere")


def test_every_cut_and_every_flipped_byte_raises_an_engine_error_or_nothing() -> None:
    data = archive(SMALL)
    for at in range(len(data)):
        damaged = bytearray(data)
        damaged[at] ^= 0xFF
        for candidate in (data[:at], bytes(damaged)):
            try:
                opened = Archive.open(candidate)
                for name in opened.names():
                    opened.read(name)
            except EngineError:
                pass


def test_a_pdf_that_closes_as_an_archive_is_seen() -> None:
    assert ends_as_archive(b"%PDF-1.7\n" + archive(SMALL))
    assert not ends_as_archive(archive(SMALL) + b"\n%%EOF")
