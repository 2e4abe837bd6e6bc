"""Words that are struck and written again in other places of a paragraph."""

from __future__ import annotations

import itertools

import pytest

from redraft.engine.plan import DeleteImage, FormatText, ReplaceText
from redraft.engine.report import Selection
from tests.engine.redlining import US, Draft
from tests.engine.wordml import p, picture
from tests.oracle import judged, keep

EARLIER = (
    FormatText("p1", "", "font", "Arial"),
    DeleteImage("im1"),
    ReplaceText("p1", "of it", "alpha beta"),
)


@pytest.mark.parametrize("order", list(itertools.permutations(range(len(EARLIER)))), ids=str)
def test_kept_words_that_become_new_ones_leave_their_tracked_format_behind(
    order: tuple[int, ...],
) -> None:
    draft = Draft.of(
        p(" ", picture("rId8"), " of it"),
        p("end"),
        relations={"rId8": ("image", "media/a.png")},
        media={"media/a.png": b""},
    )
    made = draft
    for number in order:
        made = made.edit(EARLIER[number])
    made = made.edit(ReplaceText("p1", "beta", "new, longer wording of it"))
    assert made.accepted[0].strip() == "alpha new, longer wording of it"
    assert made.rejected == made.original
    written = made.body.split("<w:ins ")[1:]
    assert written
    assert not any("rPrChange" in each.split("</w:ins>")[0] for each in written)
    rejected = made.decide("reject", Selection(author=US))
    assert judged(rejected.data, keep) == judged(draft.data, keep)
