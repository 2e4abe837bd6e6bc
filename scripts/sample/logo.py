"""Draw the emblem of the sample contract's supplier as a PNG, from nothing but arithmetic."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

SIZE = 240
NAVY = (31, 58, 77)
TEAL = (46, 134, 139)
AMBER = (217, 142, 50)
PAPER = (255, 255, 255)
BARS = ((-0.52, 0.30, 0.20), (-0.26, 0.10, 0.20), (0.0, -0.10, 0.20))
STEPS = 3


def draw_logo() -> bytes:
    """Draw a ring, three rising bars and a compass needle.

    Returns:
        A PNG of 240 by 240 pixels in 24-bit colour. Its data is stored, not deflated, so that the
        bytes are the same everywhere.
    """
    lines = b"".join(b"\0" + bytes(line(y)) for y in range(SIZE))
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", stored(lines)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, data) for kind, data in chunks)


def chunk(kind: bytes, data: bytes) -> bytes:
    """Frame a chunk with its length and checksum (PNG, 5.3)."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def stored(data: bytes) -> bytes:
    """Wrap bytes as a zlib stream of stored blocks (RFC 1951, 3.2.4)."""
    blocks: list[bytes] = []
    for start in range(0, len(data), 65535):
        block = data[start : start + 65535]
        is_last = start + 65535 >= len(data)
        blocks.append(struct.pack("<BHH", is_last, len(block), len(block) ^ 0xFFFF) + block)
    return b"\x78\x01" + b"".join(blocks) + struct.pack(">I", zlib.adler32(data))


def line(y: int) -> Iterator[int]:
    """Give the bytes of one line of pixels, each the mean of nine samples for smooth edges."""
    for x in range(SIZE):
        samples = [
            colour(
                ((x + (i + 0.5) / STEPS) / SIZE) * 2 - 1, ((y + (j + 0.5) / STEPS) / SIZE) * 2 - 1
            )
            for i in range(STEPS)
            for j in range(STEPS)
        ]
        yield from (sum(sample[k] for sample in samples) // len(samples) for k in range(3))


def colour(x: float, y: float) -> tuple[int, int, int]:
    """Give the colour at a point; x and y run from -1 to 1, y downwards."""
    radius = (x * x + y * y) ** 0.5
    if 0.84 <= radius <= 0.96:
        return NAVY
    if radius < 0.84 and in_needle(x, y):
        return AMBER
    for left, top, width in BARS:
        if left <= x <= left + width and top <= y <= 0.52:
            return TEAL
    return PAPER


def in_needle(x: float, y: float) -> bool:
    """Say whether a point lies on the needle, a thin lozenge that points to the upper right."""
    along = (x - 0.14 - (y + 0.14)) / 2**0.5
    across = (x - 0.14 + y + 0.14) / 2**0.5
    return abs(along) / 0.62 + abs(across) / 0.13 <= 1
