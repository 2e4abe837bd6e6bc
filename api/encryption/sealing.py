"""How files and values are encrypted: AES-256-GCM, with keys that are derived for each purpose.

A sealed file is FILE_MARK, 16 random bytes, and chunks of CHUNK bytes with a tag of 16 each. The
key of the file is derived (HKDF, RFC 5869) from that of its document, the random bytes and the name
of the file, so that no file can stand for another one. The nonce of a chunk is its number and
whether it is the last one: none can be left out, moved, or cut off at the end.

A sealed value is VALUE_MARK, the document it belongs to, a random nonce and the text with its tag;
document and field are authenticated with it.
"""

from __future__ import annotations

import base64
import hmac
import os
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES = 32
CHUNK = 256 * 1024
TAG, NONCE, SALT, NAME = 16, 12, 16, 36
FILE_MARK, VALUE_MARK = b"\x00rdF1", b"\x00rdV1"
TEXT_MARK = "sealed:"
HEADER = len(FILE_MARK) + SALT


class SealError(Exception):
    """What is sealed cannot be opened: it was changed, or belongs to another key."""


@dataclass(frozen=True, slots=True)
class SealedFile:
    """The beginning of a sealed file, and the key of its chunks."""

    key: bytes
    size: int
    """Bytes of the file as it is stored."""

    @property
    def plain_size(self) -> int:
        """How many bytes the file has when it is opened."""
        body = self.size - HEADER
        return body - TAG * self.chunks

    @property
    def chunks(self) -> int:
        """How many chunks it has; an empty file has one."""
        return max(1, -(-(self.size - HEADER) // (CHUNK + TAG)))

    def place(self, number: int) -> tuple[int, int]:
        """Returns from where up to where a chunk is stored."""
        start = HEADER + number * (CHUNK + TAG)
        return start, min(start + CHUNK + TAG, self.size)

    def opened(self, number: int, stored: bytes) -> bytes:
        """Opens a chunk.

        Raises:
            SealError: it is not what was stored there.
        """
        try:
            return AESGCM(self.key).decrypt(self._nonce(number), stored, None)
        except (InvalidTag, ValueError) as error:
            raise SealError from error

    def sealed(self, number: int, plain: bytes) -> bytes:
        """Seals a chunk."""
        return AESGCM(self.key).encrypt(self._nonce(number), plain, None)

    def _nonce(self, number: int) -> bytes:
        is_last = number == self.chunks - 1
        return number.to_bytes(NONCE - 1, "big") + bytes([is_last])


def file_at(header: bytes, size: int, key: bytes, name: str) -> SealedFile | None:
    """Reads the first HEADER bytes of a stored file; None of one that is not sealed.

    Args:
        header: Its first bytes.
        size: How many bytes it has.
        key: That of its document.
        name: What it is stored as.
    """
    if len(header) < HEADER or not header.startswith(FILE_MARK):
        return None
    return SealedFile(_derived(key, f"redraft file {name}", header[len(FILE_MARK) : HEADER]), size)


def seal_file(data: bytes, key: bytes, name: str) -> bytes:
    """Seals a whole file."""
    chunks = [data[start : start + CHUNK] for start in range(0, len(data), CHUNK)] or [b""]
    size = HEADER + len(data) + TAG * len(chunks)
    header = FILE_MARK + os.urandom(SALT)
    file = SealedFile(_derived(key, f"redraft file {name}", header[len(FILE_MARK) :]), size)
    return header + b"".join(file.sealed(number, chunk) for number, chunk in enumerate(chunks))


def open_file(stored: bytes, key: bytes, name: str) -> bytes:
    """Opens a whole file; one that is not sealed is returned as it is.

    Raises:
        SealError: it is not what was stored.
    """
    file = file_at(stored[:HEADER], len(stored), key, name)
    if file is None:
        return stored
    pieces = (slice(*file.place(number)) for number in range(file.chunks))
    return b"".join(file.opened(number, stored[piece]) for number, piece in enumerate(pieces))


class Values:
    """Seals and opens the values of one document that are kept in the database."""

    def __init__(self, key: bytes, document: str) -> None:
        self._cipher = AESGCM(_derived(key, "redraft values"))
        self._digest_key = _derived(key, "redraft digests")
        self._document = document.encode()

    def sealed(self, value: bytes, field: str) -> bytes:
        """Seals the value of a field."""
        nonce = os.urandom(NONCE)
        text = self._cipher.encrypt(nonce, value, self._about(field))
        return VALUE_MARK + self._document.ljust(NAME) + nonce + text

    def opened(self, value: bytes, field: str) -> bytes:
        """Opens the value of a field; one that is not sealed is returned as it is.

        Raises:
            SealError: it is not what was stored.
        """
        if not value.startswith(VALUE_MARK):
            return value
        start = len(VALUE_MARK) + NAME
        nonce, text = value[start : start + NONCE], value[start + NONCE :]
        try:
            return self._cipher.decrypt(nonce, text, self._about(field))
        except (InvalidTag, ValueError) as error:
            raise SealError from error

    def sealed_text(self, text: str, field: str) -> str:
        """Seals a text; an empty one stays empty."""
        if not text:
            return text
        return TEXT_MARK + base64.b64encode(self.sealed(text.encode(), field)).decode()

    def opened_text(self, text: str, field: str) -> str:
        """Opens a text; one that is not sealed is returned as it is.

        Raises:
            SealError: it is not what was stored.
        """
        if not text.startswith(TEXT_MARK):
            return text
        try:
            return self.opened(base64.b64decode(text[len(TEXT_MARK) :]), field).decode()
        except ValueError as error:
            raise SealError from error

    def digest(self, digest: str) -> str:
        """Returns what stands for the digest of a request, by which none can be guessed."""
        return hmac.digest(self._digest_key, digest.encode(), "sha256").hex()

    def _about(self, field: str) -> bytes:
        return self._document + b" " + field.encode()


def document_of(value: bytes) -> str:
    """Says whose a sealed value is; empty of one that is not sealed."""
    if not value.startswith(VALUE_MARK):
        return ""
    return value[len(VALUE_MARK) : len(VALUE_MARK) + NAME].decode("ascii", "replace").rstrip()


def _derived(key: bytes, purpose: str, salt: bytes = b"") -> bytes:
    return HKDF(SHA256(), KEY_BYTES, salt or None, purpose.encode()).derive(key)
