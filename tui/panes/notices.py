"""Messages in place of a document, or above the prompt: what is wrong and what can be done."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from redraft.tui.clock import elapsed, hour_minute
from redraft.tui.look import Look
from redraft.tui.session.state import Failure, Link, OpenDocument, ShownEdit, counted
from redraft.tui.text.runs import BOLD, Line, Run, clip, one_line, plain, width
from redraft.tui.text.wrap import wrap

GAP: Line = ()


def _keys(cells: int, *pairs: tuple[str, str]) -> list[Line]:
    """Write keys and what they do, on as many lines as they need."""
    lines: list[Line] = [()]
    for key, words in pairs:
        piece = (Run(key, "key"), Run(f" {words}", "muted"))
        if lines[-1] and width(lines[-1]) + width(piece) + 3 > cells - 4:
            lines.append(())
        gap = (Run("   "),) if lines[-1] else ()
        lines[-1] = (*lines[-1], *gap, *piece)
    return lines


def _paragraph(text: str, cells: int, role: str = "text") -> list[Line]:
    return wrap([Run(plain(text), role)], max(20, cells - 4))


def starting(server: str) -> tuple[Line, ...]:
    """While the service is being started or reached."""
    where = f"Connecting to {server} ..." if server else "Starting the local service ..."
    return ((Run(one_line(where), "muted"),),)


def reading(document: OpenDocument, seconds: float) -> tuple[Line, ...]:
    """The document has not been read yet."""
    name = Run(one_line(document.info.name), "strong", BOLD)
    return ((Run("Reading ", "muted"), name, Run(f"  {elapsed(seconds)}", "warning")),)


def unreachable(
    link: Link, server: str, cells: int, *, retry: str, is_local: bool, is_typing: bool
) -> tuple[Line, ...]:
    """No answer since the start; `retry` says when it is tried again."""
    head = "The local service did not start" if is_local else "No answer from the service"
    if link.state == "failing":
        head = "The service cannot answer now"
    rows: list[Line] = [(Run(head, "error", BOLD),)]
    if server:
        rows.append((Run(one_line(server), "strong"),))
    rows.append(GAP)
    rows.extend(_paragraph(link.reason, cells))
    if retry:
        rows.extend(_paragraph(retry, cells, "muted"))
    rows.append(GAP)
    keys = [("r", "try again now"), ("c", "other address")]
    if not is_local:
        keys.append(("l", "start a service here"))
    rows.extend(_keys(cells, *_from_prompt(is_typing), *keys, ("q", "leave")))
    return tuple(rows)


def _from_prompt(is_typing: bool) -> list[tuple[str, str]]:
    """Says how letters become keys for somebody whose letters are text now."""
    return [("esc", "leave the prompt, then:")] if is_typing else []


def rejected(link: Link, key: str, cells: int, *, is_typing: bool) -> tuple[Line, ...]:
    """The key is wrong."""
    rows: list[Line] = [(Run("Key rejected", "error", BOLD),), GAP]
    rows.extend(_paragraph(link.reason, cells))
    shown = f"The key given ends in {key}." if key else "No key was given."
    words = f"{shown} `redraft keys create` at the service makes one."
    rows.extend(_paragraph(words, cells, "muted"))
    keys = (("c", "give another"), ("l", "start a service here"), ("r", "try again"))
    return (*rows, GAP, *_keys(cells, *_from_prompt(is_typing), *keys, ("q", "leave")))


def no_documents(cells: int, *keys: tuple[str, str], has_model: bool = True) -> tuple[Line, ...]:
    """Nothing has been uploaded; `keys` work wherever the focus is, and say what they do."""
    rows: list[Line] = [(Run("No documents yet", "strong", BOLD),), GAP]
    rows.extend(_keys(cells, *keys))
    rows.append(GAP)
    words = (
        "Or paste the path of a file into the prompt, or start with `redraft FILE`; "
        "`redraft --demo` opens a sample, `redraft tutor` teaches in ten steps. "
        "Files are .docx or .pdf, up to 10 MB, and stay for 5 minutes to 6 hours."
    )
    rows.extend(_paragraph(words, cells, "muted"))
    if not has_model:
        words = (
            "No language model is set up: replace, delete, insert, rename, move and format work "
            "when you name the words; ctrl+t in the prompt sets up a model for the rest."
        )
        rows.extend((GAP, *_paragraph(words, cells, "muted")))
    return tuple(rows)


def unreadable(document: OpenDocument, cells: int) -> tuple[Line, ...]:
    """The preview could not be made."""
    rows: list[Line] = [(Run("The preview could not be read", "error", BOLD),), GAP]
    rows.extend(_paragraph(document.read_error, cells))
    return (*rows, GAP, *_keys(cells, ("f5", "try again"), ("s", "save the file")))


def waiting(shown: Sequence[ShownEdit], key: str, cells: int, look: Look) -> tuple[Line, ...]:
    """Above the prompt: an edit was shown, and is made when a person says so."""
    sign = (Run(f" {look.glyphs.warning} ", "warning"),)
    first = shown[0]
    words = f"Not done yet: {first.tally}, by {one_line(first.edit.instructions)}"
    dots = look.glyphs.ellipsis
    head = (*sign, Run(clip(words, max(20, cells - 6), dots), "text"))
    more = f", and {counted(len(shown) - 1, 'more edit')}" if len(shown) > 1 else ""
    return (head, *((Run("   "), *line) for line in _keys(cells, (key, f"looks at it{more}"))))


def failed(
    failure: Failure, more: str, cells: int, look: Look, room: int, other: str, decide: str = ""
) -> tuple[Line, ...]:
    """Above the prompt: an edit failed.

    Args:
        failure: With the service's own words.
        more: What the history adds to them, such as the closest passage.
        cells: The width.
        look: The signs.
        room: The lines for the words.
        other: The model that could be asked instead; empty where there is none.
        decide: The key that asks which of several places is meant; empty where none is.
    """
    glyphs = look.glyphs
    head = "The edit ran out of time" if failure.timed_out else "The edit failed"
    rows: list[Line] = [(Run(f" {glyphs.failed} {head}", "error", BOLD),)]
    margin = (Run("   "),)
    detail = wrap([Run(plain(failure.detail), "text")], max(20, cells - 6), margin, margin)
    if more and more not in failure.detail:
        detail += wrap([Run(plain(more), "muted")], max(20, cells - 6), margin, margin)
    is_cut = len(detail) > room
    rows.extend(_shortened(detail, room, glyphs.ellipsis))
    if failure.timed_out:
        words = "The document is as it was, and this edit will not be applied later."
        rows.extend(wrap([Run(words, "muted")], max(20, cells - 6), margin, margin))
    keys = _keys(
        cells,
        (glyphs.enter, "send again"),
        ("@", "point at a section"),
        *([(decide, "choose the place")] if decide else []),
        *([("ctrl+t", other)] if other else []),
        ("esc", "close"),
        *([("esc 4", "all of it")] if is_cut else []),
    )
    rows.extend((Run("   "), *line) for line in keys)
    return tuple(rows)


def warned(warnings: Sequence[str], cells: int, look: Look, room: int) -> tuple[Line, ...]:
    """Above the prompt: an edit was made, with warnings, which are shown in `room` lines."""
    glyphs = look.glyphs
    lines: list[Line] = []
    for warning in warnings:
        sign = (Run(f" {glyphs.warning} ", "warning"),)
        words = [Run(plain(warning), "text")]
        lines.extend(wrap(words, max(20, cells - 6), sign, (Run("   "),)))
    keys = [("esc", "close")]
    if len(lines) > room:
        keys.append(("esc 4", "all of it"))
    rows = [(Run("   "), *line) for line in _keys(cells, *keys)]
    return (*_shortened(lines, room, glyphs.ellipsis), *rows)


def _shortened(lines: Sequence[Line], room: int, ellipsis: str) -> Sequence[Line]:
    if len(lines) <= room:
        return lines
    return (*lines[: room - 1], (*lines[room - 1], Run(f" {ellipsis}", "muted")))


def expired(document: OpenDocument, zone: tzinfo | None) -> str:
    """Why the prompt does not send."""
    at = "" if document.expired_at is None else f" at {hour_minute(document.expired_at, zone)}"
    return f"expired{at}; u uploads it again"


def no_changes(document: OpenDocument | None) -> str:
    """The change view of a document without any, or with none that passes the filter."""
    if document is None:
        return ""
    if document.changes:
        return "No change passes the filter; f changes it."
    if not document.info.tracked_changes:
        return "This document was uploaded without tracked changes: edits are made at once."
    return "No tracked changes yet. What you ask for in the prompt appears here."


def no_history(document: OpenDocument | None) -> str:
    """The history of a document without edits."""
    return "No edits yet." if document else ""


def too_small(cells: int, height: int) -> Line:
    """The terminal is too small."""
    return (Run(f"redraft needs 60x15, have {cells}x{height}", "warning", BOLD),)
