"""Take a text out of everything in a file that is written and not drawn.

[x] strings of all objects: outline, properties, annotations, field values and options, alternative
texts, names, scripts, addresses of links  [x] XMP  [x] form data in XML (XFA): dropped whole
[x] private data of applications and thumbnails: dropped  [x] attachments: refused where the text
stands in one as plain text, else named in a warning, since what is packed is not searched
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any, Final

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.page_operations.number_trees import pairs
from redraft.engine.pdf.page_operations.redacted_text import Wanted
from redraft.engine.pdf.page_operations.text_removal import text_of
from redraft.engine.pdf.stream import objects

DEEPEST: Final = 100
_SHOWN_ANYWAY: Final = frozenset(("Image", "Form", "Type1C", "CIDFontType0C", "OpenType"))


def scrub(document: Any, wanted: Wanted) -> tuple[int, list[str]]:
    """Takes a text out; gives how often it stood there, and warnings.

    Raises:
        RefusedError: an attachment holds it.
    """
    warnings = _check_attachments(document, wanted)
    warnings += _drop_form_data(document, wanted)
    _drop_private(document)
    count = 0
    for entry in document.objects:
        count += _strings(entry, wanted, 0)
        if _is_metadata(entry):
            count += _metadata(entry, wanted)
    return count, warnings


def _strings(value: Any, wanted: Wanted, depth: int) -> int:
    """Scrubs the strings of one object and of what is written inside of it."""
    import pikepdf

    count = 0
    entries: list[tuple[Any, Any]] = []
    if isinstance(value, pikepdf.Dictionary | pikepdf.Stream):
        entries = [(key, value.get(key)) for key in list(value.keys())]
    elif isinstance(value, pikepdf.Array):
        entries = list(enumerate(value))
    for key, inner in entries if depth < DEEPEST else ():
        if isinstance(inner, pikepdf.String):
            text = text_of(bytes(inner))
            if _is_text(text) and wanted.stands_in(text):
                value[key] = pikepdf.String(wanted.without(text))
                count += 1
        elif objects.identity(inner) == (0, 0):
            count += _strings(inner, wanted, depth + 1)
    return count


def _is_text(text: str) -> bool:
    return all(char.isprintable() or char in "\t\r\n\xad\u200b" for char in text)


def _is_metadata(value: Any) -> bool:
    if not objects.is_stream(value):
        return False
    kinds = {objects.name(objects.entry(value, key)) for key in ("/Type", "/Subtype")}
    return bool(kinds & {"Metadata", "XML"})


def _metadata(stream: Any, wanted: Wanted) -> int:
    text = objects.decoded(stream).decode("utf-8", "replace")
    new = wanted.without(text)
    if new == text:
        # Markup writes some letters in other ways.
        plain = html.unescape(text)
        if not wanted.stands_in(plain):
            return 0
        new = wanted.without(plain)
    stream.write(new.encode("utf-8"))
    return 1


def _drop_private(document: Any) -> None:
    """Drops what applications keep for themselves (14.5) and small pictures of pages (12.3.4)."""
    for entry in document.objects:
        for key in ("/PieceInfo", "/Thumb", "/LastModified"):
            if objects.entry(entry, key) is not None:
                del entry[key]


def _drop_form_data(document: Any, wanted: Wanted) -> list[str]:
    form = objects.entry(document.Root, "/AcroForm")
    data = objects.entry(form, "/XFA")
    packets = objects.elements(data) or [data]
    if not any(_stands_in(objects.decoded(packet), wanted) for packet in packets):
        return []
    del form["/XFA"]
    return ["The form's data in XML (XFA) held the text and was dropped; its fields stay"]


def _check_attachments(document: Any, wanted: Wanted) -> list[str]:
    warnings: list[str] = []
    for name, stream in attachments(document):
        if _stands_in(objects.decoded(stream), wanted):
            message = (
                f"The text also stands in the attached file {wanted.without(name)}; take the "
                "attachment off and upload the PDF again"
            )
            raise RefusedError(message)
        warnings.append(f"The attached file {wanted.without(name)} was not searched")
    return warnings


def attachments(document: Any) -> Iterator[tuple[str, Any]]:
    """Yields the attached files with their names, each once (7.11.4)."""
    import pikepdf

    specifications = [value for _, value in pairs(objects.entry(
        document.Root, "/Names", "/EmbeddedFiles"), "/Names")]  # fmt: skip
    specifications += [
        entry
        for entry in document.objects
        if isinstance(entry, pikepdf.Dictionary) and objects.entry(entry, "/EF") is not None
    ]
    seen: set[tuple[int, int]] = set()
    for entry in specifications:
        name = next(
            (text_of(objects.string(entry.get(key))) for key in ("/UF", "/F") if key in entry),
            "file",
        )
        for _, stream in objects.items(objects.entry(entry, "/EF")):
            if objects.identity(stream) not in seen:
                seen.add(objects.identity(stream))
                yield name, stream


def _stands_in(data: bytes, wanted: Wanted) -> bool:
    if not data:
        return False
    encodings = ("utf-8", "utf-16-le", "utf-16-be") if b"\0" in data else ("utf-8", "latin-1")
    return any(wanted.stands_in(data.decode(encoding, "replace")) for encoding in encodings)


def leftovers(document: Any, wanted: Wanted) -> list[str]:
    """Names what still holds a text: strings, and streams of text that are not drawn."""
    places: list[str] = []
    for entry in document.objects:
        where = f"object {objects.identity(entry)[0]}"
        if _strings(entry, wanted, 0):
            places.append(where)
        if not objects.is_stream(entry):
            continue
        if objects.name(objects.entry(entry, "/Subtype")) in _SHOWN_ANYWAY or "/Length1" in entry:
            continue
        data = objects.decoded(entry)
        is_text = sum(32 <= byte < 127 or byte in b"\t\r\n" for byte in data[:4000])
        if is_text > 0.9 * min(len(data), 4000) and _stands_in(data, wanted):
            places.append(where)
    return places
