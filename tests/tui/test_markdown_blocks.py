from __future__ import annotations

import pytest

from redraft.tui.look import ASCII, Look
from redraft.tui.text.layout import lines
from redraft.tui.text.markdown_blocks import Block, Reader
from redraft.tui.text.runs import BOLD, ITALIC, STRIKE, UNDERLINE, Run, text_of

LOOK = Look()
PLAIN = Look(ASCII, markers=True)


def read(markdown: str) -> tuple[Block, ...]:
    return Reader().read(markdown)


def drawn(markdown: str, cells: int = 60, look: Look = LOOK) -> list[str]:
    return [
        text_of(line).rstrip() for block in read(markdown) for line in lines(block, cells, look)
    ]


@pytest.mark.parametrize(
    ("markdown", "runs"),
    [
        ("plain", (Run("plain"),)),
        ("**b**", (Run("b", "text", BOLD),)),
        ("*i*", (Run("i", "text", ITALIC),)),
        ("**b *bi* b**", (Run("b ", "text", 1), Run("bi", "text", 3), Run(" b", "text", 1))),
        ("~~s~~", (Run("s", "text", STRIKE),)),
        ("<u>u</u>", (Run("u", "text", UNDERLINE),)),
        ("<strong>b</strong>", (Run("b", "text", BOLD),)),
        ("`c`", (Run("c", "code"),)),
        ("{++new++}", (Run("new", "ins"),)),
        ("{--old--}", (Run("old", "del"),)),
        ("{~~old~>new~~}", (Run("old", "del"), Run("new", "ins"))),
        ("{++a **b**++}", (Run("a ", "ins"), Run("b", "ins", BOLD))),
        ("**a {--b--}**", (Run("a ", "text", BOLD), Run("b", "del", BOLD))),
        ("C++} and {++", (Run("C++} and {++"),)),
        ("{++ open only", (Run("{++ open only"),)),
        ("note[^1].", (Run("note"), Run("[^1]", "note"), Run("."))),
        ("![A duck](im1)", (Run("[A duck]", "image"),)),
        ("a\\\nb", (Run("a"), Run("\n"), Run("b"))),
        ("a<br>b", (Run("a"), Run("\n"), Run("b"))),
        (r"\*not\*", (Run("*"), Run("not"), Run("*"))),
        ("x &amp; y", (Run("x "), Run("&"), Run(" y"))),
        ("[same](same)", (Run("same", "link"),)),
        ("[in](#p)", (Run("in", "link"),)),
        ("[t](http://x)", (Run("t", "link"), Run(" (http://x)", "muted"))),
    ],
)
def test_inlines_become_runs(markdown: str, runs: tuple[Run, ...]) -> None:
    assert read(markdown)[0].runs == runs


@pytest.mark.parametrize(
    "markdown",
    ["<script>alert(1)</script>", "<div>\n\ntext", "[@click=app.quit]x", "[bold red]x[/]", "[/]"],
)
def test_markup_of_any_kind_is_only_text(markdown: str) -> None:
    text = "".join(block.text for block in read(markdown))
    assert text.replace("\n", "") == markdown.replace("\n", "")


def test_a_footnote_of_one_word_is_text_and_not_a_reference() -> None:
    assert read("[^1]: word")[0].text == "[^1]: word"


def test_a_title_is_ruled_off() -> None:
    assert drawn("# Title") == ["Title", "─────"]


def test_labels_stand_in_place_of_bullets() -> None:
    assert drawn("- 1.1 In this Agreement\n- (a) first\n- plain") == [
        " 1.1 In this Agreement",
        " (a) first",
        " • plain",
    ]


def test_numbers_are_those_of_the_source() -> None:
    assert drawn("4. four\n5. five") == [" 4. four", " 5. five"]


def test_nested_lists_are_indented() -> None:
    assert drawn("- a\n  - b\n    - c") == [" • a", "    ◦ b", "       ▪ c"]


def test_items_hang_below_their_text() -> None:
    assert drawn("- one two three four five", 12) == [" • one two", "   three", "   four five"]


def test_tasks_show_their_box() -> None:
    assert drawn("- [x] done\n- [ ] open") == [" ☒ done", " ☐ open"]


def test_a_table_has_borders_and_alignment() -> None:
    assert drawn("| Item | Qty |\n|---|--:|\n| A | 5 |\n| Bcd | 25 |") == [
        "┌──────┬─────┐",
        "│ Item │ Qty │",
        "├──────┼─────┤",
        "│ A    │   5 │",
        "│ Bcd  │  25 │",
        "└──────┴─────┘",
    ]


def test_a_table_shrinks_to_the_room_and_wraps_its_cells() -> None:
    shown = drawn("| A | B |\n|---|---|\n| some words here | x |", 18)
    assert max(len(line) for line in shown) <= 18
    assert [line.split("│")[1].strip() for line in shown if "│" in line] == [
        "A",
        "some words",
        "here",
    ]


def test_a_table_that_is_much_too_wide_is_stacked() -> None:
    head = " | ".join(f"Column {number}" for number in range(9))
    row = " | ".join(f"value {number}" for number in range(9))
    shown = drawn(f"| {head} |\n|{'---|' * 9}\n| {row} |", 30)
    assert shown[:2] == ["Column 0: value 0", "Column 1: value 1"]


def test_without_colour_changes_are_written_as_signs() -> None:
    assert drawn("due in {--30--}{++45++} days", look=PLAIN) == ["due in [-30-]{+45+} days"]


def test_signs_stand_once_round_a_change_of_several_looks() -> None:
    assert drawn("{++a **b** c++}", look=PLAIN) == ["{+a b c+}"]


def test_ascii_drawing_adds_nothing_outside_ascii() -> None:
    markdown = "# T\n\n- a\n  - b\n\n> q\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n---\n\n- [x] y\n"
    assert all(line.isascii() for line in drawn(markdown, look=PLAIN))


def test_quotes_and_code_are_set_off() -> None:
    assert drawn("> said\n\n```\nrun <it>\n```") == ["▌ said", "│ run <it>"]


def test_reading_again_reuses_what_is_known() -> None:
    reader = Reader()
    first = reader.read("**a** b\n\n*c*")
    second = reader.read("new\n\n**a** b\n\n*c*")
    assert second[1].runs is first[0].runs


def test_a_block_knows_whether_it_holds_a_change() -> None:
    blocks = read("same\n\n{++new++}\n\n| A |\n|---|\n| {--x--} |")
    assert [block.is_changed for block in blocks] == [False, True, True]
