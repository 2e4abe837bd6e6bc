from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from textual.app import App, ComposeResult
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.selection import Selection

from redraft.tui.panes.change_view import ChangeView
from redraft.tui.panes.doc_view import DocView
from redraft.tui.panes.line_view import LineView
from redraft.tui.text.runs import text_of
from redraft.tui.theme import look

PARAGRAPHS = [f"Paragraph {number} says something of its own." for number in range(1, 61)]


class Stand(App[None]):
    def compose(self) -> ComposeResult:
        yield DocView(look("dark"))
        yield ChangeView(look("dark"), None)


@asynccontextmanager
async def stand(size: tuple[int, int] = (60, 40)) -> AsyncGenerator[tuple[DocView, Pilot[None]]]:
    app = Stand()
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app.query_one(DocView), pilot


def top(view: LineView) -> str:
    return text_of(view.line(view.scroll_offset.y)).strip()


async def test_the_block_at_the_top_stays_when_others_come_before_it() -> None:
    async with stand() as (view, pilot):
        view.show("\n\n".join(PARAGRAPHS), fresh=True)
        await pilot.pause()
        view.move(40)
        await pilot.pause()
        before = top(view)
        view.show("\n\n".join(["New.", "And another.", *PARAGRAPHS]))
        await pilot.pause()
        assert top(view) == before


async def test_the_block_at_the_top_stays_when_those_before_it_go() -> None:
    async with stand() as (view, pilot):
        view.show("\n\n".join(PARAGRAPHS), fresh=True)
        await pilot.pause()
        view.move(60)
        await pilot.pause()
        before = top(view)
        view.show("\n\n".join(PARAGRAPHS[10:]))
        await pilot.pause()
        assert top(view) == before


async def test_another_document_begins_at_the_top() -> None:
    async with stand() as (view, pilot):
        view.show("\n\n".join(PARAGRAPHS), fresh=True)
        await pilot.pause()
        view.move(40)
        view.show("# Other\n\n" + "\n\n".join(PARAGRAPHS), fresh=True)
        await pilot.pause()
        assert top(view) == "Other"


async def test_only_what_changed_is_flagged_and_wrapped_again() -> None:
    async with stand() as (view, _):
        view.show("\n\n".join(PARAGRAPHS), fresh=True)
        kept = [id(wrapped) for wrapped in view._lines]  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        changed = [*PARAGRAPHS]
        changed[30] = "Paragraph 31 was {--old--}{++new++}."
        assert view.show("\n\n".join(changed)) == 1
        assert view.new_blocks() == [30]
        now = [id(wrapped) for wrapped in view._lines]  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        assert [index for index, (a, b) in enumerate(zip(kept, now, strict=True)) if a != b] == [30]


async def test_changes_are_walked_round_the_end() -> None:
    async with stand() as (view, pilot):
        texts = [*PARAGRAPHS]
        for index in (5, 30, 55):
            texts[index] = f"{{++inserted {index}++}}"
        view.show("\n\n".join(texts), fresh=True)
        await pilot.pause()
        places: list[tuple[int, int] | None] = []
        for _ in range(4):
            places.append(view.next_change(1))
            await pilot.pause()
        assert [place[0] for place in places if place] == [1, 2, 3, 1]


async def test_hits_are_counted_and_walked_also_across_wrapped_lines() -> None:
    async with stand((30, 40)) as (view, _):
        view.show("\n\n".join(PARAGRAPHS), fresh=True)
        assert view.search("says something") == 60
        for _ in range(60):
            view.next_hit(1)
        assert view.hit == 0


async def test_the_selected_text_can_be_copied() -> None:
    async with stand() as (view, _):
        view.show("\n\n".join(PARAGRAPHS), fresh=True)
        taken = view.get_selection(Selection(Offset(2, 0), Offset(13, 0)))
        assert taken == ("Paragraph 1", "\n")


async def test_the_heading_of_the_section_on_the_screen_is_known() -> None:
    async with stand() as (view, pilot):
        text = "# Title\n\n" + "\n\n".join(
            f"## {number}. Section\n\n" + "\n\n".join(PARAGRAPHS[:10]) for number in range(1, 5)
        )
        view.show(text, fresh=True)
        await pilot.pause()
        view.go_to_block(view.outline()[3].block, above=0)
        await pilot.pause()
        assert view.heading_here() == "3. Section"


async def test_no_line_is_wider_than_the_pane() -> None:
    async with stand((40, 30)) as (view, _):
        view.show(
            "# T\n\n- 漢字 " + "word " * 40 + "\n\n| a | b |\n|---|---|\n| " + "x" * 90 + " | y |"
        )
        assert max(len(text_of(view.line(n))) for n in range(view.line_count())) <= 40


async def test_only_lines_on_the_screen_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: set[int] = set()
    original = DocView.line

    def line(self: DocView, number: int):  # noqa: ANN202
        drawn.add(number)
        return original(self, number)

    monkeypatch.setattr(DocView, "line", line)
    async with stand() as (view, pilot):
        view.show("\n\n".join(PARAGRAPHS * 50), fresh=True)
        await pilot.pause()
        assert view.line_count() > 5000
        assert len(drawn) <= 80


async def test_the_text_keeps_its_width_when_the_scroll_bar_comes_and_beside_it() -> None:
    async with stand((60, 20)) as (view, pilot):
        view.show("\n\n".join(["word " * 40] * 30), fresh=True)
        before = view.content_width
        await pilot.pause()
        await pilot.resize_terminal(60, 18)
        await pilot.pause()
        assert view.show_vertical_scrollbar
        assert view.content_width == before
        assert view.content_width == view.scrollable_content_region.width
