from __future__ import annotations

import pytest

from redraft.tui.panes.status_lines import status
from redraft.tui.text.runs import Line, Run, text_of, width
from redraft.tui.theme import look

LEFT: Line = (Run("59 m left "),)
REASON = "contract.docx: The file is protected by a password. Please remove it and upload it again"


def said(text: str, role: str, cells: int) -> list[str]:
    rows = status(text, role, LEFT, cells, look("dark"))
    assert all(width(row) <= cells for row in rows)
    return [text_of(row).rstrip() for row in rows]


@pytest.mark.parametrize("role", ["error", "warning", "ok"])
@pytest.mark.parametrize("cells", [60, 80, 120, 200])
def test_what_matters_is_said_whole(role: str, cells: int) -> None:
    rows = said(REASON, role, cells)
    assert rows[0].endswith("59 m left")
    rows[0] = rows[0].removesuffix("59 m left")
    assert " ".join(" ".join(rows).split()) == REASON


def test_what_does_not_matter_stays_on_its_line() -> None:
    assert len(said(REASON, "muted", 80)) == 1


def test_what_is_endless_ends_with_dots_on_the_third_line() -> None:
    rows = said("word " * 200, "error", 60)
    assert len(rows) == 3
    assert rows[-1].endswith("word …")
    assert said("x" * 900, "error", 60)[-1].endswith("x …")


def test_nothing_said_leaves_the_time() -> None:
    assert said("", "error", 80) == ["59 m left".rjust(79)]
