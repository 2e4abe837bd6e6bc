from __future__ import annotations

import re
from dataclasses import replace

import pytest

from redraft.engine.errors import VerificationError
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.verify.verify import Claim, verify
from tests.engine.pdf.stream.streams import pdf

BEFORE = b"BT /F1 12 Tf 20 200 Td (Hello world) Tj 0 -40 Td (Other words) Tj ET"
AFTER = BEFORE.replace(b"world", b"there")
CLAIM = Claim(0, (Box(15, 190, 120, 215),), (), "world", "there", (("Hello world", "Hello there"),))


def check(after: bytes, claim: Claim = CLAIM, before: bytes = BEFORE, *, pages: int = 1) -> None:
    verify(pdf(*[before] * pages), pdf(after, *[before] * (pages - 1)), [claim])


def refused(what: str) -> pytest.RaisesExc[VerificationError]:
    return pytest.raises(VerificationError, match=re.escape(what))


def test_an_edit_that_is_as_claimed_passes() -> None:
    check(AFTER, pages=2)


def test_a_change_beside_the_declared_box_is_seen() -> None:
    with refused("pixels of page 1 changed beside the edit"):
        check(AFTER.replace(b"0 -40 Td", b"0 -44 Td"))
    with refused("pixels of page 1 changed beside the edit"):
        check(AFTER + b" 250 250 10 10 re f")


def test_lost_and_further_letters_are_seen() -> None:
    with refused("MuPDF reads other text on page 1"):
        check(AFTER.replace(b"Other words", b"Other word"))
    with refused("MuPDF reads other text on page 1"):
        check(BEFORE)


def test_new_text_that_falls_apart_is_seen() -> None:
    scattered = AFTER.replace(
        b"(Hello there) Tj 0 -40 Td", b"(Hello) Tj 0 -40 Td (Oth) Tj 35 40 Td (there) Tj -35 -40 Td"
    ).replace(b"(Other words)", b"(er words)")
    claim = replace(CLAIM, declared=(Box(0, 0, 300, 300),))
    with refused("does not find the new text of page 1 in one piece"):
        check(scattered, claim)


def test_deleted_text_that_is_still_there_is_seen() -> None:
    claim = replace(CLAIM, added="world", passages=(("Hello world", ""),))
    with refused("still finds deleted text on page 1"):
        check(BEFORE, claim)


BEHIND = replace(CLAIM, fresh=(Box(90, 200, 115, 208),))


def test_new_text_over_something_drawn_is_seen() -> None:
    before = b"0.8 g 100 195 30 15 re f 0 g " + BEFORE
    with refused("would cover something on page 1"):
        check(before.replace(b"world", b"there"), BEHIND, before)
    check(AFTER, BEHIND)


def test_new_text_may_stand_on_a_faint_watermark() -> None:
    before = b"0.9 g 100 195 30 15 re f 0 g " + BEFORE
    check(before.replace(b"world", b"there"), BEHIND, before)


EVERYWHERE = (Box(0, 0, 300, 300),)


@pytest.mark.parametrize("up", [0.3, 7.3, -11.64, 20.0])
def test_a_hairline_that_moved_is_looked_for_where_it_should_be(up: float) -> None:
    """It may be as faint as the light side of a shaded rule."""
    line = b" %.2f g 20 %.2f 200 0.85 re f"
    before = BEFORE + line % (0.6, 100)
    moved = ((Box(20, 100, 220, 100.85), up),)
    claim = replace(CLAIM, declared=EVERYWHERE, moved=moved)
    check(AFTER + line % (0.6, 100 + up), claim, before)
    check(AFTER + line % (0.98, 100 + up), claim, before)
    with refused("what was moved on page 1 looks otherwise there"):
        check(AFTER, claim, before)


def test_text_that_moved_over_a_faint_watermark_is_the_same_text() -> None:
    ground = b"0.92 g 30 60 25 60 re f 0 g "
    before = ground + BEFORE
    moved = ((Box(20, 158, 90, 172), -40.0),)
    claim = replace(CLAIM, declared=EVERYWHERE, moved=moved)
    check(ground + AFTER.replace(b"0 -40 Td", b"0 -80 Td"), claim, before)
    with refused("what was moved on page 1 looks otherwise there"):
        check(ground + AFTER.replace(b"0 -40 Td", b"3 -80 Td"), claim, before)


def test_another_page_that_changed_is_seen() -> None:
    with refused("page 2 changed though it was not edited"):
        verify(pdf(BEFORE, BEFORE), pdf(AFTER, AFTER), [CLAIM])
    with refused("the number of pages changed"):
        verify(pdf(BEFORE, BEFORE), pdf(AFTER), [CLAIM])


def test_a_lost_link_is_seen() -> None:
    linked = pdf(BEFORE, links=([20, 150, 60, 170],))
    with refused("annotations of page 1 were lost"):
        verify(linked, pdf(AFTER), [CLAIM])
    verify(linked, pdf(AFTER), [replace(CLAIM, links_gone=1)])
