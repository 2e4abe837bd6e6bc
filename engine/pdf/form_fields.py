"""Form fields of a PDF (ISO 32000-2, 12.7): what they hold, and new values with their looks.

[x] text  [x] check box  [x] radio buttons  [x] list and combo box  [-] signatures, push buttons
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from redraft.engine.errors import NotFoundError, PlanError, RefusedError, VerificationError
from redraft.engine.pdf.glyphs.lines import letters
from redraft.engine.pdf.stream import objects

_BUTTON, _CHECK, _COMBO, _LIST, _RADIO, _SIGNATURE, _TEXT = 1, 2, 3, 4, 5, 6, 7
_READ_ONLY: Final = 1
_DEEPEST: Final = 32
_FONT: Final = re.compile(rb"(/[^\s/\[\]()<>{}%]+)\s+[-+.\d]+\s+Tf")
_KEEP: Final = 0  # MuPDF's PDF_ENCRYPT_KEEP
_ON: Final = frozenset(("checked", "on", "yes", "true", "x", "1"))
_OFF: Final = frozenset(("unchecked", "off", "no", "false", "", "0"))


@dataclass(frozen=True, slots=True)
class Field:
    """A form field: its full name, its value as text, and the 0-based page it is first on."""

    name: str
    value: str
    page: int


def fields(data: bytes) -> dict[str, Field]:
    """Lists the fields of a PDF by name."""
    import pymupdf

    if b"/AcroForm" not in data and b"/ObjStm" not in data:
        return {}
    by_name: dict[str, Field] = {}
    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        if not document.is_form_pdf:
            return {}
        for index, widget in _widgets(document):
            value = _value(widget)
            known = by_name.get(widget.field_name)
            if known is None or (value not in ("", "Off") and known.value in ("", "Off")):
                page = index if known is None else known.page
                by_name[widget.field_name] = Field(widget.field_name, value, page)
    return by_name


def _widgets(document: Any) -> Iterator[tuple[int, Any]]:
    for page in document:
        for widget in page.widgets():
            yield int(page.number), widget


def _value(widget: Any) -> str:
    value = widget.field_value
    if isinstance(value, list | tuple):
        return ", ".join(str(item) for item in cast("list[object]", value))
    return "" if value is None or value is False else str(value)


def check(data: bytes, wanted: Mapping[str, str]) -> None:
    """Says nothing where every field can take its new value.

    Raises:
        NotFoundError, PlanError, RefusedError: one cannot.
    """
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        missing = dict(wanted)
        for _, widget in _widgets(document) if document.is_form_pdf else ():
            if widget.field_name in wanted:
                _new_value(widget, wanted[widget.field_name])
                missing.pop(widget.field_name, None)
    for name in missing:
        message = f'There is no form field "{name}" in this PDF'
        raise NotFoundError(message)


def fill(data: bytes, wanted: Mapping[str, str]) -> bytes:
    """Gives fields new values and draws them; everything else stays.

    Raises:
        as `check`; VerificationError: a value does not read back, or another field changed.
    """
    import pymupdf

    if not wanted:
        return data
    check(data, wanted)
    before = fields(data)
    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        for page in document:
            for widget in page.widgets():
                if widget.field_name in wanted:
                    _set(widget, wanted[widget.field_name])
        edited = bytes(document.tobytes(garbage=1, deflate=True, encryption=_KEEP))
    edited = _with_named_fonts(edited, wanted)
    after = fields(edited)
    for name, field in before.items():
        filled = after.get(name)
        if filled is None or (name not in wanted and filled.value != field.value):
            message = "The edit was not kept: a form field that it does not name changed too"
            raise VerificationError(message)
    return edited


def _with_named_fonts(data: bytes, wanted: Mapping[str, str]) -> bytes:
    """Adds the fonts of filled fields to the resources where readers look for them.

    MuPDF sets a value in a standard font when that of the field lacks letters, and names that font
    in `/DA` and in the appearance only. A reader that draws the field itself looks it up in `/DR`
    (ISO 32000-2, 12.7.4.3), and shows nothing when it is not there.
    """
    with objects.opened(data) as document:
        form = objects.entry(document.Root, "/AcroForm")
        added = 0
        for page in document.pages:
            for widget in objects.elements(objects.entry(page.obj, "/Annots")):
                default = objects.string(objects.entry(widget, "/DA"))
                match = _FONT.search(default) if _full_name(widget) in wanted else None
                key = match[1].decode("latin-1") if match else ""
                font = _drawn_font(widget, key) if key else None
                if font is None:
                    continue
                holders = [form] if objects.entry(widget, "/DR") is None else [form, widget]
                added += sum(_add_font(holder, key, font) for holder in holders)
        return objects.saved(document) if added else data


def _full_name(widget: Any) -> str:
    """Returns the name of a field with those above it (ISO 32000-2, 12.7.4.2)."""
    names: list[str] = []
    while widget is not None and len(names) < _DEEPEST:
        title = objects.entry(widget, "/T")
        if title is not None:
            names.append(str(title))
        widget = objects.entry(widget, "/Parent")
    return ".".join(reversed(names))


def _drawn_font(widget: Any, key: str) -> Any:
    """Returns the font that an appearance of a widget names so; None where none does."""
    normal = objects.entry(widget, "/AP", "/N")
    streams = [normal, *(value for _, value in objects.items(normal))]
    fonts = (objects.entry(stream, "/Resources", "/Font", key) for stream in streams)
    return next((font for font in fonts if font is not None), None)


def _add_font(holder: Any, key: str, font: Any) -> bool:
    """Adds a font to the default resources of a form or field; False where its name is taken."""
    import pikepdf

    if objects.entry(holder, "/DR", "/Font", key) is not None:
        return False
    for path in (("/DR",), ("/DR", "/Font")):
        if objects.entry(holder, *path) is None:
            objects.entry(holder, *path[:-1])[path[-1]] = pikepdf.Dictionary()
    objects.entry(holder, "/DR", "/Font")[key] = font
    return True


def cut_off(data: bytes, wanted: Mapping[str, str]) -> tuple[str, ...]:
    """Says which fields show less than their value, as what does not fit is not drawn."""
    import pymupdf

    warnings: list[str] = []
    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        for page in document:
            for widget in page.widgets():
                name = str(widget.field_name)
                if name not in wanted or widget.field_type not in (_TEXT, _COMBO):
                    continue
                seen = Counter(letters(page.get_text("text", clip=widget.rect)))
                is_shown = any(seen.values())
                if is_shown and not Counter(letters(str(widget.field_value))) <= seen:
                    warnings.append(
                        f'The form field "{name}" is too small to show all of its value'
                    )
    return tuple(dict.fromkeys(warnings))


def _set(widget: Any, text: str) -> None:
    value = _new_value(widget, text)
    if widget.field_type == _RADIO:
        if value != widget.on_state():
            return
        value = True
    widget.field_value = value
    widget.update()
    if widget.field_type in (_TEXT, _COMBO) and str(widget.field_value) != text:
        message = "The edit was not kept: a form field shows something else"
        raise VerificationError(message)


def _new_value(widget: Any, text: str) -> Any:
    """Turns a new value into what the field takes.

    Raises:
        PlanError, RefusedError: it does not take it.
    """
    name, kind = widget.field_name, widget.field_type
    if widget.field_flags & _READ_ONLY:
        message = f'Field "{name}" is read-only'
        raise RefusedError(message)
    if kind == _TEXT:
        if widget.text_maxlen and len(text) > widget.text_maxlen:
            message = f'Field "{name}" takes at most {widget.text_maxlen} characters'
            raise PlanError(message)
        return text
    if kind == _CHECK:
        answer = text.strip().lower()
        if answer in _ON or text == widget.on_state():
            return True
        if answer in _OFF:
            return False
        message = f'Field "{name}" is a check box: say checked or unchecked'
        raise PlanError(message)
    if kind in (_COMBO, _LIST, _RADIO):
        return _choice(widget, text)
    message = f'Field "{name}" cannot be filled: it is a button or a signature'
    raise RefusedError(message)


def _choice(widget: Any, text: str) -> str:
    if widget.field_type == _RADIO:
        states: Any = widget.button_states() or {}
        options = [str(option) for option in states.get("normal") or () if option != "Off"]
        return text if text in options or len(options) == 1 else _refuse(widget, options)
    pairs: list[tuple[str, str]] = []
    for option in widget.choice_values or ():
        # An option is what is stored, or a pair of what is stored and what is shown.
        names = (
            cast("list[object]", option) if isinstance(option, list | tuple) else [option, option]
        )
        pairs.append((str(names[0]), str(names[-1])))
    for stored, shown in pairs:
        if text in (stored, shown):
            return stored
    is_open = widget.field_type == _COMBO and widget.field_flags & 1 << 18
    return text if is_open else _refuse(widget, [shown for _, shown in pairs])


def _refuse(widget: Any, options: list[str]) -> str:
    message = f'Field "{widget.field_name}": not one of {", ".join(options)}'
    raise PlanError(message)
