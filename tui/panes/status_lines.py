"""What the fixed lines of the main screen say: title, details, title of the prompt, keys, notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import tzinfo

from redraft.tui.clock import elapsed, hour_minute
from redraft.tui.keys import ACTIONS, BY_ID, Action, Where, first_key, shown
from redraft.tui.look import Look
from redraft.tui.session.state import (
    EDIT_LIMIT,
    Job,
    Link,
    OpenDocument,
    counted,
    shown_size,
    shown_ttl,
)
from redraft.tui.text.runs import BOLD, Line, Run, clip, one_line, spread, text_of, width
from redraft.tui.text.wrap import wrap

KEYS_SHOWN = 8
MOST_STATUS = 3  # lines
LATE = 240  # seconds of an edit from which on it is shown as late


def title(
    link: Link, server: str, key: str, counts: tuple[int, int], times: tuple[str, float]
) -> tuple[tuple[str, str], ...]:
    """Return the parts of the first line as (text, role).

    Args:
        link: The connection.
        server: Its address.
        key: The last characters of the key.
        counts: Documents and edits under way.
        times: The time of day as written, and the steady time.
    """
    documents, edits = counts
    return (
        ("redraft", "strong"),
        (server, "muted"),
        (connection(link, times[1]), _link_role(link)),
        (f"key ..{key}" if key else "", "muted"),
        (counted(edits, "edit") + " under way" if edits else "", "warning"),
        (counted(documents, "document") if documents else "", "muted"),
        (times[0], "muted"),
    )


def title_line(parts: Sequence[tuple[str, str]], cells: int, look: Look) -> Line:
    """Lay out the first line; what does not fit is left out, the least needed first."""
    name, server, link, key, edits, documents, time = parts
    sign = look.glyphs.online if link[1] == "ok" else look.glyphs.offline
    state = (f"{sign} {link[0]}", link[1])
    left = [name, server, state]
    right = [edits, documents, key, time]
    order = [key, server, documents, edits, time]
    while True:
        left_line = _joined(left)
        right_line = _joined(right)
        if width(left_line) + width(right_line) + 3 <= cells or not order:
            return spread(left_line, (*right_line, Run(" ")), cells, look.glyphs.ellipsis)
        leaving = order.pop(0)
        left = [part for part in left if part != leaving]
        right = [part for part in right if part != leaving]


def _joined(parts: Sequence[tuple[str, str]]) -> Line:
    runs: list[Run] = []
    for text, role in parts:
        if text:
            runs.append(Run("  " if runs else " "))
            runs.append(Run(one_line(text), role, BOLD if role == "strong" else 0))
    return tuple(runs)


def connection(link: Link, steady: float) -> str:
    """Say how the connection is."""
    match link.state:
        case "online":
            return "online"
        case "starting":
            return "connecting"
        case "rejected":
            return "key rejected"
        case _:
            if not link.retry_at:
                return "no service"
            retry = max(0, round(link.retry_at - steady))
            word = {"offline": "offline", "failing": "service fails"}.get(link.state, "no service")
            since = elapsed(steady - link.since)
            return f"{word} {since}, retry in {retry} s" if retry else f"{word} {since}, retrying"


def _link_role(link: Link) -> str:
    return {"online": "ok", "starting": "muted"}.get(link.state, "error")


def details(
    document: OpenDocument, left: float | None, cells: int, look: Look, zone: tzinfo | None
) -> tuple[Line, ...]:
    """Describe the open document."""
    info = document.info
    kind = "pdf" if info.is_pdf else "docx"
    dot = f" {look.glyphs.dot} "
    lines: list[Line] = [
        (Run(f" {look.glyphs.rule} ", "faint"), Run(one_line(info.name), "strong", BOLD)),
        (Run(f"   {shown_size(info.size)}{dot}{kind}{dot}version {info.version}", "muted"),),
        (
            Run("   tracked changes ", "muted"),
            Run("on", "ok") if info.tracked_changes else Run("off", "warning"),
        ),
    ]
    if info.tracked_changes and info.author_name:
        lines.append((Run("   author ", "muted"), Run(one_line(info.author_name))))
    if document.save_error:
        lines.append((Run("   not saved: ", "error"), Run(document.save_error, "error")))
    elif document.saved_as:
        lines.append((Run("   saved as ", "muted"), Run(one_line(document.saved_as), "ok")))
    if document.expired_at is not None:
        gone = hour_minute(document.expired_at, zone)
        lines.append((Run(f"   gone from the server at {gone}", "error"),))
    elif left is not None:
        minutes = round(info.ttl_seconds / 60)
        lines.append((Run("   time left ", "muted"), Run(f"{shown_ttl(left)} of {minutes} m")))
        lines.append((Run("   each edit resets it", "muted"),))
    return tuple(spread(line, (), cells, look.glyphs.ellipsis) for line in lines)


def queue(
    jobs: Sequence[Job], steady: float, cells: int, look: Look, tick: int
) -> tuple[Line, ...]:
    """Describe the edits under way."""
    if not jobs:
        return ()
    lines: list[Line] = [(Run(f" {look.glyphs.rule} ", "faint"), Run("Queue", "strong", BOLD))]
    waiting = 0
    for job in jobs:
        if job.state == "waiting":
            waiting += 1
            head: Line = (Run(f"   {look.glyphs.queued} waiting, {_ordinal(waiting)}", "muted"),)
        elif job.state == "unknown":
            head = (Run(f"   {look.glyphs.offline} unknown, asking again", "warning"),)
        else:
            spinner = look.glyphs.spinner[tick % len(look.glyphs.spinner)]
            head = (Run(f"   {spinner} {elapsed(steady - job.sent_at)}", "warning"),)
        words = one_line(job.instructions)
        lines.append(head)
        lines.append(
            (Run(f"     {clip(words, max(4, cells - 7), look.glyphs.ellipsis)}", "muted"),)
        )
    return tuple(lines)


def _ordinal(number: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")


def model_name(models: Sequence[str] | None, *, large: bool) -> str:
    """Name the language model that an edit is for; `models` is None where nothing is known."""
    if models is None:
        return "large model" if large else "standard model"
    if not models:
        return "no language model (ctrl+t): simple instructions only"
    return f"model {one_line(models[-1 if large else 0])}"


def prompt_title(
    document: OpenDocument | None, models: Sequence[str] | None, lookup: str, *, large: bool
) -> tuple[tuple[str, str], ...]:
    """Return the prompt's title as (text, role) parts; `lookup` is the place it points at."""
    if document is None:
        return (("Edit", "strong"), ("open a document first", "muted"))
    parts = [("Edit " + one_line(document.info.name), "strong")]
    parts.append((model_name(models, large=large), "accent" if large else "muted"))
    if lookup:
        parts.append((f"at {one_line(lookup)}", "accent"))
    return tuple(parts)


def job_line(jobs: Sequence[Job], steady: float, look: Look, tick: int) -> Line:
    """Describe the edit that is running, in one line; the key that cancels it is the last run."""
    if not jobs:
        return ()
    job = jobs[0]
    taken = steady - job.sent_at
    more = f"  +{len(jobs) - 1} waiting" if len(jobs) > 1 else ""
    if job.is_cancelling:
        return (Run(f"{look.glyphs.pen} cancelling{more} ", "warning"),)
    if job.state == "unknown":
        return (Run(f"{look.glyphs.offline} line lost, asking again{more} ", "warning"),)
    if job.state == "waiting":
        words = f"{look.glyphs.queued} in the queue {elapsed(taken)}{more}"
        return (Run(words, "warning"), Run("  ctrl+x cancels ", "muted"))
    spinner = look.glyphs.spinner[tick % len(look.glyphs.spinner)]
    role = "error" if taken > LATE else "warning"
    limit = elapsed(EDIT_LIMIT)
    step = f"{one_line(job.note)}  " if job.note else ""
    return (
        Run(f"{spinner} {step}{elapsed(taken)} of {limit}{more}", role),
        Run("  ctrl+x cancels ", "muted"),
    )


def status(text: str, role: str, right: Line, cells: int, look: Look) -> tuple[Line, ...]:
    """Return what was said last, and the time left; what matters gets the lines it needs."""
    dots = look.glyphs.ellipsis
    words, room = one_line(text), max(20, cells - width(right) - 2)
    lines = [words]
    if role != "muted":
        lines = [text_of(line) for line in wrap([Run(words)], room)]
    if len(lines) > MOST_STATUS:
        lines = [*lines[: MOST_STATUS - 1], f"{clip(lines[MOST_STATUS - 1], room - 2, '')} {dots}"]
    rows = [(Run(f" {line}", role),) for line in lines]
    return (spread(rows[0], right, cells, dots), *rows[1:])


def key_line(
    where: Where, keys: Mapping[str, str], cells: int, look: Look, *, searching: bool = False
) -> Line:
    """Return the keys that matter most where the focus is, as many as fit."""
    is_typing = where == "prompt"
    chosen = [action for action in ACTIONS if action.rank and _works(action, where)]
    chosen.sort(key=lambda action: (action.where in ("panes", "any"), action.rank))
    runs: list[Run] = []
    helping = _key(BY_ID["help"], keys, look, is_typing=is_typing)
    for action in [action for action in chosen if action.id != "help"][: KEYS_SHOWN - 1]:
        piece = _key(action, keys, look, is_typing=is_typing, searching=searching)
        if width(runs) + width(piece) + width(helping) > cells:
            break
        runs.extend(piece)
    return (*runs, *helping)


def _key(
    action: Action,
    keys: Mapping[str, str],
    look: Look,
    *,
    is_typing: bool,
    searching: bool = False,
) -> Line:
    key = first_key(action, keys, is_typing=is_typing)
    label = "next hit" if searching and action.id == "change.next" else action.label
    return (
        Run(f" {shown(key, ascii_only=look.is_ascii)}", "key"),
        Run(f" {label} ", "muted"),
    )


def _works(action: Action, where: Where) -> bool:
    if action.where in ("any", where):
        return True
    return action.where == "panes" and where != "prompt"
