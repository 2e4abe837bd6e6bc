from __future__ import annotations

import pytest

from redraft.engine.planner.readable_reason import readable
from redraft.engine.planner.retrieval import Entry

DOCUMENT = [
    Entry("p2", "h1", "**Term** and end", ""),
    Entry("p3", "", "The fee⟦fn1⟧ is due within thirty days of each invoice.", ""),
    Entry("t1", "table", "", ""),
    Entry("t1.r2", "", "| Support | 1,200 |", ""),
    Entry("p9", "", "⟦im2:A duck⟧", ""),
]


@pytest.mark.parametrize(
    ("reason", "read"),
    [
        ("The fee in p3 is raised.", "The fee in “The fee is due within thirty …” is raised."),
        ("The term (p2, p3) is now sixty days.", "The term is now sixty days."),
        (
            "p2 and t1.r2 change; [p3] stays.",
            "“Term and end” and “Support 1,200” change; “The fee is due within thirty …” stays.",
        ),
        (
            "A row is added to t1 and p9 goes.",
            "A row is added to the table and the paragraph goes.",
        ),
        ("Make it an h2 as in H20 and (c1).", "Make it an h2 as in H20 and (c1)."),
        ("Note fn1 and ⟦im2:A duck⟧ stay.", "Note the footnote and the picture stay."),
        ("Say “p3” there; see p3.4 too.", "Say “p3” there; see p3.4 too."),
    ],
)
def test_a_reason_names_places_by_their_words(reason: str, read: str) -> None:
    assert readable(reason, DOCUMENT) == read
