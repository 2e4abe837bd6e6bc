"""Upload forms: multipart, UTF-8, read in one pass while they arrive."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator

import pytest

from redraft.api.errors import FieldError, FileTooLargeError, MalformedError
from redraft.api.requests.forms import LONGEST_FIELD, MOST_PARTS, Form, read_form

SINGLE = frozenset({"file", "ttl_seconds"})
MULTIPART = "multipart/form-data; boundary=b"
LARGEST = 10 * 1024 * 1024


def part(name: str, data: bytes, extra: str = "", headers: str = "") -> bytes:
    head = f'--b\r\nContent-Disposition: form-data; name="{name}"{extra}\r\n{headers}\r\n'
    return head.encode() + data + b"\r\n"


async def read(body: bytes, kind: str = MULTIPART, size: int = 65536) -> Form:
    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(body), size):
            yield body[start : start + size]

    return await read_form(chunks(), kind, SINGLE, LARGEST)


@pytest.mark.parametrize("size", [1, 7, 65536])
async def test_fields_and_files_are_read_however_they_arrive(size: int) -> None:
    body = part("ttl_seconds", b"300") + part("file", b"\r\n--PK", '; filename="a.docx"') + b"--b--"
    form = await read(body, size=size)
    assert form.fields == {"ttl_seconds": "300"}
    assert (form.files["file"].name, form.files["file"].data) == ("a.docx", b"\r\n--PK")


@pytest.mark.parametrize(
    ("extra", "name"),
    [
        ("; filename*=UTF-8''r%C3%A9sum%C3%A9.docx", "résumé.docx"),
        ("; filename=\"a.docx\"; filename*=UTF-8''b.docx", "a.docx"),
    ],
)
async def test_an_extended_file_name_is_enough(extra: str, name: str) -> None:
    form = await read(part("file", b"PK", extra) + b"--b--")
    assert form.files["file"].name == name


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (part("a", b"1") + b"--b--", "multipart/form-data"),
        (part("a", b"1") + b"--b--", MULTIPART + "; charset=punycode"),
        (
            part("a", b"1", headers="Content-Type: text/plain; charset=punycode\r\n") + b"--b--",
            MULTIPART,
        ),
        (
            part("a", b"1", headers="Content-Type: text/plain; charset=no-such\r\n") + b"--b--",
            MULTIPART,
        ),
        (part("a", b"\xff") + b"--b--", MULTIPART),
        (part("a", b"1"), MULTIPART),
        (b"garbage" + part("a", b"1") + b"--b--", MULTIPART),
        (b"", MULTIPART),
        (b"".join(part(f"f{n}", b"1") for n in range(MOST_PARTS + 1)) + b"--b--", MULTIPART),
    ],
)
async def test_what_is_no_plain_form_is_refused(body: bytes, kind: str) -> None:
    with pytest.raises(MalformedError):
        await read(body, kind)


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "application/json", ""])
async def test_a_body_of_another_type_has_no_fields_and_is_not_read(kind: str) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        pytest.fail("it was read")
        yield b""

    assert await read_form(chunks(), kind, SINGLE, LARGEST) == Form({}, {})


async def test_a_field_that_is_too_long_or_comes_twice_is_named() -> None:
    with pytest.raises(FieldError, match="a: must not be longer"):
        await read(part("a", b"x" * (LONGEST_FIELD + 1)) + b"--b--")
    with pytest.raises(FieldError, match="ttl_seconds: must be given once"):
        await read(part("ttl_seconds", b"1") * 2 + b"--b--")


async def test_a_file_over_its_limit_is_refused_before_its_end() -> None:
    with pytest.raises(FileTooLargeError):
        await read(part("file", b"x" * (LARGEST + 1), '; filename="a"') + b"--b--")


HOSTILE = {
    "no line ends": b"--b\r\nContent-Disposition: form-data; name=" + b"a" * LARGEST,
    "line ends": b"--b\r\n" + b"\r\n" * (LARGEST // 2),
    "carriage returns": part("file", b"\r" * LARGEST, '; filename="a"'),
    "almost delimiters": part("file", b"\r\n--" * (LARGEST // 4), '; filename="a"'),
    "many parts": part("a", b"") * 100_000,
    "many options": part("a", b"1", "; x=y" * 2_000_000),
    "preamble": b"\r\n--x" * (LARGEST // 5),
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
async def test_no_body_keeps_the_event_loop_busy(body: bytes) -> None:
    gaps: list[float] = []

    async def tick() -> None:
        while True:
            start = time.process_time()
            await asyncio.sleep(0)
            gaps.append(time.process_time() - start)

    ticking = asyncio.create_task(tick())
    await asyncio.sleep(0)

    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(body), 65536):
            await asyncio.sleep(0)
            yield body[start : start + 65536]

    started = time.process_time()
    with contextlib.suppress(MalformedError, FieldError, FileTooLargeError):
        await read_form(chunks(), MULTIPART, SINGLE, LARGEST)
    ticking.cancel()
    assert max(gaps, default=0) < 0.1
    assert time.process_time() - started < 3
