"""Reviewing clause by clause: the changes of one, the original below the fold, steps that undo."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from redraft.tui.screens.review_screen import ReviewScreen
from redraft.tui.text.change_text import as_markdown, as_text
from redraft.tui.transport.wire import Change
from tests.tui.program import Program
from tests.tui.standin import Held, Service

Make = Callable[..., Program]


async def edited(redraft: Program) -> None:
    """Two changes under Payment, one under Term, and the review opened."""
    for old, new in (("30 days", "45 days"), ("monthly", "quarterly"), ("three years", "two")):
        await redraft.send(f'Replace "{old}" with "{new}"')
    [held] = redraft.service.documents.values()
    for change, where in zip(held.changes, ("4. Payment", "4. Payment", "7. Term"), strict=True):
        change.update(where=f"{where} · words", anchor="p9")
    held.version += 1
    redraft.service.announce(held.id, "applied", "another")
    await redraft.settle()
    await redraft.press("escape", "V")
    assert isinstance(redraft.app.screen, ReviewScreen)


def the_document(service: Service) -> Held:
    [held] = service.documents.values()
    return held


async def test_the_review_shows_one_clause_and_counts_all(service: Service, program: Make) -> None:
    service.add()
    async with program().running((80, 24)) as redraft:
        await edited(redraft)
        shown = "\n".join(redraft.screen())
        assert "4. Payment" in shown
        assert "clause 1/2" in shown
        assert "Alice Lee 3 · 3 replaced" in shown
        assert "#3" not in shown
        await redraft.press("n")
        assert "7. Term" in "\n".join(redraft.screen())


async def test_the_original_is_below_the_fold(service: Service, program: Make) -> None:
    service.add()
    async with program().running((80, 24)) as redraft:
        await edited(redraft)
        assert "within 30 days after" not in redraft.words("#review")
        await redraft.press("o")
        assert "invoice the Client monthly. Payment is due within 30 days after receipt" in (
            redraft.words("#review")
        )
        await redraft.press("o")
        assert "within 30 days after" not in redraft.words("#review")


async def test_space_accepts_x_rejects_and_u_undoes_at_once(
    service: Service, program: Make
) -> None:
    service.add()
    async with program().running((80, 24)) as redraft:
        await edited(redraft)
        ids = [change["id"] for change in the_document(service).changes]
        await redraft.press("space")
        assert service.resolved[-1] == {"action": "accept", "ids": [ids[0]]}
        assert "1 change accepted; u undoes it" in "\n".join(redraft.screen())
        await redraft.press("x")
        assert service.resolved[-1] == {"action": "reject", "ids": [ids[1]]}
        assert "7. Term" in "\n".join(redraft.screen())  # nothing is left of the clause before
        await redraft.press("u")
        assert len(the_document(service).changes) == 2
        await redraft.press("A", "u", "u", "space")
        assert isinstance(redraft.app.screen, ReviewScreen)


async def test_a_step_is_not_begun_while_another_is_under_way(
    service: Service, program: Make
) -> None:
    service.add()
    async with program().running((80, 24)) as redraft:
        await edited(redraft)
        assert redraft.pilot is not None
        await redraft.pilot.press("space", "space", "space")
        await redraft.settle()
        settled = [change for body in service.resolved for change in body["ids"]]
        assert len(settled) == len(set(settled))


async def test_c_comments_on_the_words_of_a_change(service: Service, program: Make) -> None:
    service.add()
    async with program().running((80, 24)) as redraft:
        await edited(redraft)
        await redraft.press("c")
        await redraft.type("Agreed?")
        await redraft.press("enter")
        assert isinstance(redraft.app.screen, ReviewScreen)
        [operation] = service.bodies[-1]["operations"]
        assert operation["op"] == "add_comment"
        assert operation["block"] == "p9"
        assert "45 days" in operation["find"]
        assert operation["text"] == "Agreed?"
        assert [one["text"] for one in the_document(service).comments] == ["Agreed?"]


async def test_what_is_copied_says_who_changed_what_and_where() -> None:
    change = Change(
        id="1",
        kind="replacement",
        author="Alice Lee",
        where="4. Payment · The Supplier shall…",
        lead="due within ",
        before="30",
        after="45",
        trail=" days.",
    )
    assert as_text(change) == "4. Payment: “30” -> “45” (Alice Lee)\ndue within 45 days."
    assert as_markdown(change) == "**4. Payment**\n\ndue within {--30--}{++45++} days."


@pytest.mark.parametrize(
    ("kind", "before", "after", "text"),
    [
        ("deletion", "and more", "", "deleted “and more”"),
        ("insertion", "", "and more", "inserted “and more”"),
    ],
)
async def test_a_change_of_one_side_is_copied_so(
    kind: str, before: str, after: str, text: str
) -> None:
    assert as_text(Change(id="1", kind=kind, before=before, after=after)).startswith(text)


async def test_a_change_of_format_is_copied_with_its_values() -> None:
    change = Change(
        id="1", kind="format", before="now", after="now", formatting=[("bold", "", "on")]
    )
    assert as_text(change) == "“now”: bold - -> on\nnow"
    assert as_markdown(change) == "now *(bold: - → on)*"


async def test_the_document_without_changes_has_nothing_to_review(
    service: Service, program: Make
) -> None:
    service.add()
    async with program().running((80, 24)) as redraft:
        await redraft.press("escape", "V")
        assert redraft.status == "there are no changes to review"
