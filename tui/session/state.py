"""What the terminal knows: the connection, the documents, the edits under way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from redraft.tui.transport.requests import Edit, View
from redraft.tui.transport.wire import Candidate, Change, Comment, DocumentInfo, HistoryItem

LinkState: TypeAlias = Literal["starting", "online", "offline", "failing", "refused", "rejected"]
JobState: TypeAlias = Literal["waiting", "running", "unknown"]
TransferState: TypeAlias = Literal["sending", "failed"]

EDIT_LIMIT = 300  # seconds from receipt until the service gives up
NEAR_END = 300  # seconds of life from which on they are counted
LAST_CALL = 60
NOTHING = "no change was needed"  # what the service says where it knows no reason
NOUNS = (
    "insertion",
    "deletion",
    "format change",
    "table",
    "row",
    "column",
    "cell",
    "move",
    "other change",
)


@dataclass(frozen=True, slots=True)
class Link:
    """The connection; moments are steady time in seconds.

    `refused`: never reached since start. `offline`: was reached before. `failing`: it answers with
    errors of its own. `rejected`: the key is wrong.
    """

    state: LinkState = "starting"
    since: float = 0.0
    retry_at: float = 0.0
    attempts: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """An edit without an answer yet; `unknown`: the line broke while it was under way.

    `note` is the step that the service says it is at.
    """

    uid: str
    document_id: str
    instructions: str
    sent_at: float
    lookup: str = ""
    large: bool = False
    state: JobState = "running"
    is_cancelling: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """An edit that failed: the service's own words, and what was asked; `timed_out` for a 408.

    `candidates` are the places that the instruction may mean, when that is why.
    """

    edit: Edit
    detail: str
    timed_out: bool = False
    candidates: tuple[Candidate, ...] = ()

    @property
    def instructions(self) -> str:
        """What was asked."""
        return self.edit.instructions


@dataclass(frozen=True, slots=True)
class ShownEdit:
    """An edit that is not made before a person has seen what it would change.

    `version` is that of the document for which `changes` were found.
    """

    edit: Edit
    changes: tuple[Change, ...]
    warnings: tuple[str, ...] = ()
    version: int | None = None

    @property
    def tally(self) -> str:
        """What it would do, counted."""
        return tally(self.changes)


@dataclass(frozen=True, slots=True)
class Summary:
    """How an edit ended well; `applied` False: nothing had to change."""

    instructions: str
    applied: bool
    text: str
    seconds: float
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Transfer:
    """An upload under way or failed; `sent` of `size` bytes."""

    number: int
    name: str
    size: int
    sent: int
    since: float
    state: TransferState = "sending"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A document as the terminal knows it.

    `markdown` is what was read last, at `read_version` and in `view`; `expired_at` is the wall time
    at which it was found to be gone from the server, after which everything else stays readable.
    `saved_as` is the name of the file that its changes were saved to, `save_error` why they were
    not. `shown` are edits that wait for a person's word, oldest first.
    """

    info: DocumentInfo
    markdown: str | None = None
    read_version: int | None = None
    view: View = "markup"
    changes: tuple[Change, ...] = ()
    comments: tuple[Comment, ...] = ()
    history: tuple[HistoryItem, ...] = ()
    changes_version: int | None = None
    reading_since: float | None = None
    read_error: str = ""
    failure: Failure | None = None
    summary: Summary | None = None
    expired_at: float | None = None
    saved_as: str = ""
    save_error: str = ""
    shown: tuple[ShownEdit, ...] = ()

    @property
    def id(self) -> str:
        """The document's id."""
        return self.info.doc_id

    @property
    def is_expired(self) -> bool:
        """Whether the server does not have it any more."""
        return self.expired_at is not None


def remaining(info: DocumentInfo, now: float) -> float | None:
    """Return the seconds a document has left; `now` is the server's wall time. None: not told."""
    return None if info.expires_at is None else info.expires_at.timestamp() - now


def shown_ttl(seconds: float | None) -> str:
    """Write the time left: minutes while there are more than five, then seconds."""
    if seconds is None:
        return ""
    if seconds <= 0:
        return "0:00"
    if seconds <= NEAR_END:
        whole = int(seconds)
        return f"{whole // 60}:{whole % 60:02}"
    minutes = int(seconds // 60)
    return f"{minutes} m" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02}"


def shown_size(count: int) -> str:
    """Write a number of bytes for people."""
    if count < 1024:
        return f"{count} B"
    kilobytes = count / 1024
    return f"{kilobytes:.0f} KB" if kilobytes < 1000 else f"{kilobytes / 1024:.1f} MB"


def counted(number: int, singular: str, plural: str = "") -> str:
    """Write `1 change`, `3 changes`."""
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def tally(changes: Sequence[Change]) -> str:
    """Write how many insertions, deletions, format changes, rows, moves and others there are."""
    ends = moved(changes)
    counts = Counter(named for change in changes for named in _counted_as(change, ends))
    return ", ".join(
        f"{counted(counts[noun, verb], noun)} {verb}".rstrip()
        for noun, verb in sorted(counts, key=_order)
    )


def _order(named: tuple[str, str]) -> tuple[int, str]:
    return NOUNS.index(named[0]), named[1]


def _counted_as(change: Change, ends: Collection[str]) -> list[tuple[str, str]]:
    """What a change counts as: a noun, and a verb where the noun does not say it."""
    is_move = change.kind == "move" or change.id in ends
    if is_move:
        return [("move", "")] if change.after else []
    if change.kind == "format":
        return [("format change", "")]
    if change.kind == "other":  # a field, a property, whole pages
        return [("other change", "")]
    written, struck = bool(change.after), bool(change.before)
    if change.kind in ("table", "row", "cell"):
        noun = "column" if is_column(change) else change.kind
        return [(noun, "inserted")] * written + [(noun, "deleted")] * struck
    return [("insertion", "")] * written + [("deletion", "")] * struck


def is_column(change: Change) -> bool:
    """Whether a change of cells is one of a column: ours always are, and those of several cells."""
    is_tall = "\n" in (change.before or change.after).rstrip("\n")
    return change.kind == "cell" and (bool(change.edit_uids) or is_tall)


def moved(changes: Sequence[Change]) -> frozenset[str]:
    """Return the ids of deletions and insertions of the same words by the same edit.

    Such a pair is how a move is tracked where Word's own mark of a move cannot be used.
    """
    struck: dict[tuple[str, ...], list[str]] = {}
    for change in changes:
        if change.kind == "deletion" and change.before.strip() and change.edit_uids:
            struck.setdefault((*change.edit_uids, change.before), []).append(change.id)
    ends: set[str] = set()
    for change in changes:
        if change.kind != "insertion" or not change.edit_uids:
            continue
        partners = struck.get((*change.edit_uids, change.after))
        if partners:
            ends.update((change.id, partners.pop()))
    return frozenset(ends)


def reason_of(summary: str) -> str:
    """Return why there was nothing to change, where the service says more than that."""
    return "" if summary.strip().rstrip(".").casefold() == NOTHING else summary.strip()


def undoable(history: Sequence[HistoryItem]) -> HistoryItem | None:
    """Returns the operation that undo would take back: the last applied one not undone already."""
    done, _ = _done_and_undone(history)
    return done[-1] if done else None


def redoable(history: Sequence[HistoryItem]) -> HistoryItem | None:
    """Returns the operation that redo would bring back: the one that was undone last."""
    _, undone = _done_and_undone(history)
    return undone[-1] if undone else None


def _done_and_undone(
    history: Sequence[HistoryItem],
) -> tuple[list[HistoryItem], list[HistoryItem]]:
    done: list[HistoryItem] = []
    undone: list[HistoryItem] = []
    for item in history:
        if item.state not in ("applied", "done"):
            continue
        if item.kind == "undo":
            if done:
                undone.append(done.pop())
        elif item.kind == "redo":
            if undone:
                done.append(undone.pop())
        else:
            done.append(item)
            undone.clear()
    return done, undone
