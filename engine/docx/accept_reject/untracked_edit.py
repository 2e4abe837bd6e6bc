"""Accepts what an untracked edit wrote, once all of it is written.

An untracked edit is a tracked one whose marks are accepted at the end: after the last of several
rounds and not after each, so that both ways lead to the same document.
"""

from __future__ import annotations

from redraft.engine import verify
from redraft.engine.docx.accept_reject.whole_package import settle_ours
from redraft.engine.docx.judging.fingerprint import fingerprint, story_parts
from redraft.engine.docx.judging.validity import present
from redraft.engine.docx.opc.package import Package
from redraft.engine.state import State


def accept(opened: Package, after: State, edit: str) -> State:
    """Accept the marks of an edit in a package, which says in the final view what was said before.

    Marks of earlier edits stay, and with them those that can only be settled along with them.

    Raises:
        VerificationError: it then says something else.
    """
    left = {number: other for number, other in after.ours.items() if other != edit}
    final = fingerprint(opened, after.ours, "final")
    settle_ours(opened, after.ours, left)
    ids = present([opened.read(part) for part in story_parts(opened)])
    kept = {number: other for number, other in after.ours.items() if number in ids}
    for part, digests in fingerprint(opened, kept, "final").items():
        verify.stays_the_same(part, final.get(part, ()), digests)
    return State(kept, after.formatted & kept.keys(), fingerprint(opened, kept))
