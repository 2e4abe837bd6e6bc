"""The preview strikes and inserts whole numbers, units and brackets."""

from __future__ import annotations

import pytest

from redraft.tui.look import ASCII, Look
from redraft.tui.text.layout import lines
from redraft.tui.text.markdown_blocks import Reader
from redraft.tui.text.runs import text_of

LOOK = Look(ASCII, markers=True)


def drawn(markdown: str) -> str:
    [block] = Reader().read(markdown)
    return " ".join(text_of(line) for line in lines(block, 90, LOOK))


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        (
            "within {--thirty (30--}{++forty-five (45++}) days",
            "within [-thirty (30)-]{+forty-five (45)+} days",
        ),
        ("a fee of £{--48,000--}{++52,500++}.", "a fee of [-£48,000-]{+£52,500+}."),
        ("at {--5--}{++7++}% and {--2--}{++3++} mm", "at [-5%-]{+7%+} and [-2 mm-]{+3 mm+}"),
        ("on the {--4--}{++5++}th **day**", "on the [-4th-]{+5th+} day"),
        ("{--5--}{++7++}{--%--}{++ points++}", "[-5-]{+7+}[-%-]{+ points+}"),
        ("(see {--Annex A--}{++Annex B++})", "(see [-Annex A-]{+Annex B+})"),
        ("a {--(b--}) c", "a [-(b-]) c"),
    ],
)
def test_a_change_is_shown_in_whole_tokens(markdown: str, shown: str) -> None:
    assert drawn(markdown) == shown


def test_a_cell_of_a_table_is_shown_in_whole_tokens() -> None:
    assert "[-£4-]{+£5+}" in drawn("| a |\n|---|\n| £{--4--}{++5++} |")
