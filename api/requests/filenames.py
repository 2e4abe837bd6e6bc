"""File names that people gave: kept for people, made harmless for headers, never part of a path."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from urllib.parse import quote

from redraft.engine.model import Format

LONGEST = 255
UNTITLED = "document"
BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
NO_CHARACTERS = frozenset("\ufffe\uffff")
"""What no XML document can hold (XML 1.0, 2.2), beside controls and halves of pairs."""
PLAIN = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 !#$&'()+,-.;=@[]^_`{}~"
)


def cleaned(filename: str) -> str:
    """Makes a given name safe to show: last path component, NFC, no control or bidi characters.

    At most 255 bytes of UTF-8; a name that is too long loses the end of its stem, not its suffix.
    """
    last = filename.replace("\\", "/").rsplit("/", 1)[-1]
    kept = "".join(filter(is_shown, unicodedata.normalize("NFC", last))).strip()
    if kept in ("", ".", ".."):
        return UNTITLED
    return _shortened(kept)


def is_shown(character: str) -> bool:
    """Whether a character may stand in a name: no control, line end, half of a pair, or bidi."""
    return (
        unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")
        and character not in BIDI
        and character not in NO_CHARACTERS
    )


def with_suffix(name: str, kind: Format) -> str:
    """Gives a name the suffix of its content when it has another or none."""
    suffix = f".{kind}"
    return name if name.lower().endswith(suffix) else _shortened(name + suffix)


@lru_cache(maxsize=1024)
def disposition(name: str) -> str:
    """Writes the Content-Disposition of a download, in both forms of RFC 6266.

    `filename` is plain ASCII for old clients, `filename*` the name itself (RFC 8187).
    """
    composed = unicodedata.normalize("NFKD", name)
    bare = "".join(c for c in composed if not unicodedata.combining(c))
    plain = "".join(c if c in PLAIN else "_" for c in bare).strip() or UNTITLED
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def _shortened(name: str) -> str:
    if len(name.encode()) <= LONGEST:
        return name
    stem, dot, suffix = name.rpartition(".")
    if not dot or len(suffix) > 8:
        stem, dot, suffix = name, "", ""
    worker_folders = LONGEST - len((dot + suffix).encode())
    return stem.encode()[:worker_folders].decode("utf-8", "ignore").rstrip() + dot + suffix
