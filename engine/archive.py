"""A zip file read with limits and written back so that untouched members keep their very bytes.

The standard library's zipfile rewrites local headers; a document must come back byte for byte where
nothing was edited, so the two directories of the format (PKWARE APPNOTE 4.3) are read here, and
members are copied with their headers.

[x] stored, deflated  [x] data descriptors  [x] extra fields  [x] zip64 sizes
[-] encryption (refused)  [-] several disks (refused)
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from redraft.engine.errors import CorruptDocumentError, ProtectedFileError, TooLargeError

MAGIC = b"PK\x03\x04"

MAX_MEMBERS = 5_000
MAX_TOTAL = 200 * 1024 * 1024
MAX_RATIO = 200
RATIO_FLOOR = 1024 * 1024

_END = struct.Struct("<4s4H2LH")
_END64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR64 = struct.Struct("<4sLQL")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_END_MAGIC = b"PK\x05\x06"
_FULL = 0xFFFFFFFF
_STORED, _DEFLATED = 0, 8
_UTF8 = 0x800
_ENCRYPTED = 0x41
# 1 January 1980, the first day a zip can name: an answer depends on the document only.
_NO_TIME, _FIRST_DAY = 0, 0x21


@dataclass(frozen=True, slots=True)
class Member:
    """One file of the archive, in bytes; `record` is its line of the central directory."""

    name: str
    method: int
    crc: int
    compressed: int
    size: int
    offset: int
    start: int
    record: bytes

    @property
    def end(self) -> int:
        """Offset behind the compressed bytes."""
        return self.start + self.compressed


class Archive:
    """The members of a zip file, in the order of its central directory."""

    __slots__ = ("_comment", "_data", "_directory", "_members")

    def __init__(
        self, data: bytes, members: tuple[Member, ...], directory: int, comment: bytes
    ) -> None:
        self._data = data
        self._members = {member.name: member for member in members}
        self._directory = directory
        self._comment = comment

    @classmethod
    def open(cls, data: bytes) -> Archive:
        """Reads the directory and holds it against the limits; no member is inflated.

        Raises:
            CorruptDocumentError: the directory is damaged, or lies.
            TooLargeError: more members, bytes or compression than allowed.
            ProtectedFileError: a member is encrypted.
        """
        if not data.startswith(MAGIC):
            message = "The file is damaged: it does not begin as a .docx does"
            raise CorruptDocumentError(message)
        count, directory, comment = _end_record(data)
        if count > MAX_MEMBERS:
            message = f"The document has {count} parts; at most {MAX_MEMBERS} are allowed"
            raise TooLargeError(message)
        members = tuple(_central_records(data, directory, count))
        _check_limits(members)
        _check_layout(members, directory)
        return cls(data, members, directory, comment)

    def names(self) -> tuple[str, ...]:
        """Returns the names of all members, as stored."""
        return tuple(self._members)

    def __contains__(self, name: object) -> bool:
        return name in self._members

    def read(self, name: str) -> bytes:
        """Inflates a member, counting real bytes.

        Raises:
            CorruptDocumentError: no such member, or its bytes are not what the directory promises.
        """
        member = self._members.get(name)
        if member is None:
            message = f"The document has no part {name}"
            raise CorruptDocumentError(message)
        raw = self._data[member.start : member.end]
        content = raw if member.method == _STORED else _inflate(raw, member)
        if len(content) != member.size or zlib.crc32(content) != member.crc:
            message = f"The file is damaged: its part {name} does not match its checksum"
            raise CorruptDocumentError(message)
        return content

    def is_same(self, name: str, other: Archive) -> bool:
        """Returns whether a member holds the same bytes in two archives, if possible unread."""
        mine, theirs = self._members.get(name), other._members.get(name)
        if mine is None or theirs is None:
            return mine is theirs
        if (mine.size, mine.crc) != (theirs.size, theirs.crc):
            return False
        raw = self._data[mine.start : mine.end], other._data[theirs.start : theirs.end]
        is_copy = mine.method == theirs.method and raw[0] == raw[1]
        return is_copy or self.read(name) == other.read(name)

    def write(self, replaced: Mapping[str, bytes]) -> bytes:
        """Returns the archive with members replaced or, when their name is new, added at the end.

        Members that are not named are copied as they are, header and compressed bytes; nothing
        named is the same file.
        """
        if not replaced:
            return self._data
        out = bytearray()
        records: dict[str, bytes] = {}
        placed = sorted(self._members.values(), key=lambda member: member.offset)
        ends = [member.offset for member in placed[1:]] + [self._directory]
        for member, end in zip(placed, ends, strict=True):
            offset = len(out)
            content = replaced.get(member.name)
            if content is None:
                out += self._data[member.offset : end]
                records[member.name] = _moved(member.record, offset)
            else:
                local, record = _deflated(member.name, content, offset, member.record)
                out += local
                records[member.name] = record
        for name, content in replaced.items():
            if name not in self._members:
                local, records[name] = _deflated(name, content, len(out), None)
                out += local
        directory = len(out)
        for name in [*self._members, *(name for name in replaced if name not in self._members)]:
            out += records[name]
        size = len(out) - directory
        count = len(records)
        out += _END.pack(_END_MAGIC, 0, 0, count, count, size, directory, len(self._comment))
        out += self._comment
        return bytes(out)


def ends_as_archive(data: bytes) -> bool:
    """Returns whether a zip directory closes at the very last byte, as a zip file's does."""
    at = data.rfind(_END_MAGIC, max(0, len(data) - _END.size - 0xFFFF))
    if at < 0 or len(data) - at < _END.size:
        return False
    return at + _END.size + int.from_bytes(data[at + 20 : at + 22], "little") == len(data)


def _damaged(detail: str) -> CorruptDocumentError:
    return CorruptDocumentError(f"The file is damaged: {detail}")


def _end_record(data: bytes) -> tuple[int, int, bytes]:
    """Returns the number of members, directory offset, comment (APPNOTE 4.3.16, 4.3.14)."""
    at = data.rfind(_END_MAGIC, max(0, len(data) - _END.size - 0xFFFF))
    if at < 0 or len(data) - at < _END.size:
        detail = "its directory is missing, perhaps it was cut off"
        raise _damaged(detail)
    _, disk, first, here, count, size, directory, length = _END.unpack_from(data, at)
    comment = data[at + _END.size : at + _END.size + length]
    if 0xFFFF in (here, count) or _FULL in (size, directory):
        locator = at - _LOCATOR64.size
        if locator >= 0 and data.startswith(b"PK\x06\x07", locator):
            _, _, at, _ = _LOCATOR64.unpack_from(data, locator)
            if at + _END64.size > len(data) or not data.startswith(b"PK\x06\x06", at):
                raise _damaged("its directory is damaged")
            _, _, _, _, disk, first, here, count, size, directory = _END64.unpack_from(data, at)
    if disk or first or here != count or directory + size > at:
        raise _damaged("its directory is damaged")
    return count, directory, comment


def _central_records(data: bytes, at: int, count: int) -> list[Member]:
    """Returns every line of the central directory, with its local header looked up."""
    members: list[Member] = []
    seen: set[str] = set()
    for _ in range(count):
        if at + _CENTRAL.size > len(data) or not data.startswith(b"PK\x01\x02", at):
            raise _damaged("its directory is damaged")
        fields = _CENTRAL.unpack_from(data, at)
        lengths: tuple[int, int, int] = fields[10:13]
        end = at + _CENTRAL.size + sum(lengths)
        member = _member(data, data[at:end], fields)
        key = member.name.replace("\\", "/").lower()
        if key in seen:
            detail = f"it holds two parts named {member.name}"
            raise _damaged(detail)
        seen.add(key)
        members.append(member)
        at = end
    return members


def _member(data: bytes, record: bytes, fields: tuple[int, ...]) -> Member:
    flags, method, crc, compressed, size = fields[3], fields[4], *fields[7:10]
    name_length, extra_length, offset = fields[10], fields[11], fields[16]
    raw = record[_CENTRAL.size : _CENTRAL.size + name_length]
    name = _decoded(raw, flags)
    if flags & _ENCRYPTED:
        message = (
            "The file is protected by a password. Please remove the password and upload it again"
        )
        raise ProtectedFileError(message)
    if method not in (_STORED, _DEFLATED):
        detail = f"its part {name} is compressed in an unknown way"
        raise _damaged(detail)
    if _FULL in (size, compressed, offset):
        extra = record[_CENTRAL.size + name_length :][:extra_length]
        size, compressed, offset = _zip64(extra, size, compressed, offset)
    if not data.startswith(MAGIC, offset) or offset + _LOCAL.size > len(data):
        detail = f"its part {name} is not where the directory says"
        raise _damaged(detail)
    local = _LOCAL.unpack_from(data, offset)
    start = offset + _LOCAL.size + local[9] + local[10]
    if data[offset + _LOCAL.size : offset + _LOCAL.size + local[9]] != raw or local[3] != method:
        detail = f"its part {name} contradicts the directory"
        raise _damaged(detail)
    return Member(name, method, crc, compressed, size, offset, start, record)


def _decoded(raw: bytes, flags: int) -> str:
    try:
        name = raw.decode("utf-8" if flags & _UTF8 else "cp437")
    except UnicodeDecodeError:
        name = raw.decode("cp437")
    if not name or "\x00" in name:
        raise _damaged("a part has no proper name")
    return name


def _zip64(extra: bytes, size: int, compressed: int, offset: int) -> tuple[int, int, int]:
    """Returns the 64-bit values of the extra field for those that are full (APPNOTE 4.5.3)."""
    values = [size, compressed, offset]
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        if kind == 1:
            wide = extra[at + 4 : at + 4 + length]
            for index, value in enumerate(values):
                if value == _FULL and len(wide) >= 8:
                    values[index] = int.from_bytes(wide[:8], "little")
                    wide = wide[8:]
        at += 4 + length
    return values[0], values[1], values[2]


def _check_limits(members: tuple[Member, ...]) -> None:
    if sum(member.size for member in members) > MAX_TOTAL:
        message = f"The document unpacks to more than {MAX_TOTAL // 1024 // 1024} MB"
        raise TooLargeError(message)
    for member in members:
        if member.size > RATIO_FLOOR and member.size > MAX_RATIO * member.compressed:
            message = f"The document's part {member.name} is packed more than {MAX_RATIO} times"
            raise TooLargeError(message)


def _check_layout(members: tuple[Member, ...], directory: int) -> None:
    """Refuses members that begin inside another: that is how small bombs are made."""
    free = 0
    for member in sorted(members, key=lambda member: member.offset):
        if member.offset < free or member.end > directory:
            detail = f"its part {member.name} overlaps another"
            raise _damaged(detail)
        free = member.end


def _inflate(raw: bytes, member: Member) -> bytes:
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        content = inflater.decompress(raw, member.size + 1)
    except zlib.error as error:
        detail = f"its part {member.name} cannot be unpacked"
        raise _damaged(detail) from error
    if len(content) > member.size:
        message = f"The document's part {member.name} is larger than it says"
        raise TooLargeError(message)
    return content


def _moved(record: bytes, offset: int) -> bytes:
    """Returns the central record of a member that now begins at `offset`."""
    if record[42:46] != b"\xff\xff\xff\xff":
        return record[:42] + struct.pack("<L", offset) + record[46:]
    # The offset stands in the zip64 extra field, behind those of the two sizes that are full too.
    fields = _CENTRAL.unpack_from(record)
    at = _CENTRAL.size + fields[10]
    end = at + fields[11]
    while at + 4 <= end:
        kind, length = struct.unpack_from("<HH", record, at)
        if kind == 1:
            slot = at + 4 + 8 * ((fields[9] == _FULL) + (fields[8] == _FULL))
            return record[:slot] + struct.pack("<Q", offset) + record[slot + 8 :]
        at += 4 + length
    return record


def _deflated(name: str, content: bytes, offset: int, record: bytes | None) -> tuple[bytes, bytes]:
    """Returns the local header with data, and central record, of a member with new content."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(content) + packer.flush()
    made_by, flags, time, day, internal, external = 20, 0, _NO_TIME, _FIRST_DAY, 0, 0
    raw = name.encode()
    if record is not None:
        fields = _CENTRAL.unpack_from(record)
        made_by, flags, time, day = fields[1], fields[3] & _UTF8, fields[5], fields[6]
        internal, external = fields[14], fields[15]
        raw = record[_CENTRAL.size : _CENTRAL.size + fields[10]]
    elif not name.isascii():
        flags = _UTF8
    crc = zlib.crc32(content)
    sizes = (crc, len(packed), len(content))
    local = _LOCAL.pack(MAGIC, 20, flags, _DEFLATED, time, day, *sizes, len(raw), 0)
    central = _CENTRAL.pack(
        b"PK\x01\x02", made_by, 20, flags, _DEFLATED, time, day, *sizes,
        len(raw), 0, 0, 0, internal, external, offset,
    )  # fmt: skip
    return local + raw + packed, central + raw
