"""Changes of the list and marked places of the text are the same ones in the same order."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from redraft.tui.panes.change_locations import Place, emphasised, locate, places
from redraft.tui.text.markdown_blocks import Reader
from redraft.tui.text.runs import REVERSE
from redraft.tui.transport.wire import Change
from tests.tui.program import Program
from tests.tui.standin import Service

TEXT = """# A {--old--}{++new++} head

Within {--30--}{++45++} days, not {--30--}{++45++} weeks; and {++more++}.

| a | b |
|---|---|
| {--x--} | {++y++} |
"""


def marked(text: str) -> list[Place]:
    return places(Reader().read(text))


def change(identifier: int, before: str = "", after: str = "") -> Change:
    return Change(id=str(identifier), kind="replacement", before=before, after=after)


def test_every_marked_place_is_found_in_order() -> None:
    assert [(place.before, place.after) for place in marked(TEXT)] == [
        ("old", "new"),
        ("30", "45"),
        ("30", "45"),
        ("", "more"),
        ("x", ""),
        ("", "y"),
    ]


def test_equal_changes_have_places_of_their_own() -> None:
    found = marked(TEXT)
    located = locate([change(1, "30", "45"), change(2, "30", "45")], found)
    assert [place.number for place in located if place] == [0, 1]


def test_a_change_that_is_not_in_the_text_has_no_place() -> None:
    assert locate([change(1, "nowhere", "")], marked(TEXT)) == [None]
    assert locate([Change(id="1", kind="format")], marked(TEXT)) == [None]


def test_one_place_is_emphasised_and_the_text_stays() -> None:
    block = Reader().read(TEXT)[1]
    drawn = emphasised(block, 1)
    assert drawn.text == block.text
    turned = [run.text for run in drawn.runs if run.flags & REVERSE]
    assert turned == ["30", "45"]
    assert drawn.runs.index(next(run for run in drawn.runs if run.flags & REVERSE)) > 3


def test_a_place_in_a_table_is_emphasised() -> None:
    block = Reader().read(TEXT)[2]
    drawn = emphasised(block, 1)
    assert [
        run.text for row in drawn.rows for cell in row for run in cell if run.flags & REVERSE
    ] == ["y"]


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("cd")), min_size=1, max_size=30))
def test_as_many_changes_as_places_meet_one_to_one(pairs: list[tuple[str, str]]) -> None:
    text = "\n\n".join(f"see {{--{old}--}}{{++{new}++}} here" for old, new in pairs)
    changes = [change(number, old, new) for number, (old, new) in enumerate(pairs)]
    located = locate(changes, marked(text))
    assert [place.block for place in located if place] == list(range(len(pairs)))


async def test_n_and_p_go_through_the_text_as_the_list_counts(
    service: Service, program: Callable[..., Program]
) -> None:
    held = service.add()
    async with program().running() as redraft:
        for old, new in (("30 days", "45 days"), ("Client monthly", "Client weekly")):
            await redraft.send(f'Replace "{old}" with "{new}"')
        held.changes.reverse()  # the service lists in document order
        plain = {"before": "", "after": "", "story": "footer", "where": "7. Term"}
        held.changes.append({"id": "9", "kind": "format", **plain})
        held.version += 1
        await redraft.wait(40)
        await redraft.press("escape", "g", "n")
        assert redraft.status == "change 1 of 3"
        assert redraft.main.changes.current_number() == 1
        await redraft.press("n")
        assert redraft.status == "change 2 of 3"
        assert redraft.main.changes.current_number() == 2
        await redraft.press("n")
        words = "change 3 of 3: format in footer 7. Term, not in the text; 3 shows it"
        assert redraft.status == words
        await redraft.press("n", "p", "p")
        assert redraft.main.changes.current_number() == 2
