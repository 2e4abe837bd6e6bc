from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.engine.pdf.glyphs.edited_words import old
from redraft.engine.pdf.glyphs.glyphs import Glyph, PageModel
from redraft.engine.pdf.glyphs.lines import Frame
from redraft.engine.pdf.typeset.stream_writer import Patch
from redraft.engine.pdf.typeset.text_operators import Chunk, Spot, number, written_string
from tests.engine.pdf.stream.streams import model, pdf

LINE = (
    b"BT /F1 10 Tf 1 Tc 2 Tw 90 Tz 1 0 0 rg 14 TL 20 200 Td (Hello big world) Tj"
    b" [(And) -250 (more\\) text)] TJ (next line) ' 4 1 (last one) \" (tail) Tj ET"
)


def positions(held: PageModel) -> list[tuple[str, float, float]]:
    return [(g.text, round(g.x, 3), round(g.y, 3)) for g in held.glyphs()]


def rewritten(stream: bytes, patch: Patch, held: PageModel) -> PageModel:
    changed = patch.streams(held.streams)
    return model(pdf(changed.get(0, stream)))


@settings(deadline=None)
@given(st.sets(st.integers(0, 48)))
@pytest.mark.thorough
def test_deleting_glyphs_moves_no_other(indexes: set[int]) -> None:
    held = model(pdf(LINE))
    glyphs = list(held.glyphs())
    assert len(glyphs) == 49
    patch = Patch()
    patch.delete(glyphs[index] for index in indexes)
    after = positions(rewritten(LINE, patch, held))
    assert after == [each for n, each in enumerate(positions(held)) if n not in indexes]


def test_what_is_not_touched_stays_byte_for_byte() -> None:
    held = model(pdf(LINE))
    patch = Patch()
    patch.delete([list(held.glyphs())[2]])
    (data,) = patch.streams(held.streams).values()
    assert data.startswith(LINE[: LINE.index(b"(Hello")])
    assert data.endswith(LINE[LINE.index(b" [(And)") :])


def spot(glyph: Glyph, u: float, v: float) -> Spot:
    return Spot(old(glyph), Frame(0.0), u, v)


@pytest.mark.parametrize("is_after", [False, True])
@pytest.mark.parametrize("index", [0, 6, 14, 17, 30, 48])
def test_new_text_stands_where_it_is_put_and_moves_nothing(index: int, is_after: bool) -> None:
    held = model(pdf(LINE))
    glyphs = list(held.glyphs())
    patch = Patch()
    patch.insert(Chunk(glyphs[index], is_after, (spot(glyphs[0], 50, 90), spot(glyphs[4], 61, 90))))
    found = rewritten(LINE, patch, held)
    at = index + is_after
    before = positions(held)
    assert positions(found) == [*before[:at], ("H", 50, 90), ("o", 61, 90), *before[at:]]
    new = list(found.glyphs())[at]
    assert (new.size, new.show.state.fill) == (glyphs[0].size, b"1 0 0 rg")
    states = [(g.show.state.spacing, g.show.state.scale, g.show.state.rise) for g in found.glyphs()]
    assert states[at + 2 :] == [
        (g.show.state.spacing, g.show.state.scale, g.show.state.rise) for g in glyphs[at:]
    ]


def test_text_of_another_look_is_written_in_it_and_the_look_set_back() -> None:
    stream = (
        b"q 2 0 0 2 5 5 cm BT /F1 10 Tf 3 Ts 0 1 0 rg 10 20 Td (one) Tj ET Q"
        b" BT /F2 8 Tf 80 Tz 0 0 1 rg 10 100 Td (two) Tj (three) Tj ET"
    )
    held = model(pdf(stream))
    one, two = held.shows[0].glyphs[0], held.shows[1].glyphs[1]
    patch = Patch()
    patch.insert(Chunk(two, False, (spot(one, 70, 80),)))
    found = rewritten(stream, patch, held)
    assert [each for each in positions(found) if each[0] != "o" or each[1] != 70] == positions(held)
    new = next(g for g in found.glyphs() if (g.text, g.x) == ("o", 70))
    assert new.y == pytest.approx(80)
    assert (new.size, new.show.state.fill) == (20, b"0 1 0 rg")
    last = list(found.glyphs())[-1].show.state
    assert (last.font_name, last.size, last.scale, last.fill) == ("F2", 8, 0.8, b"0 0 1 rg")


@pytest.mark.parametrize(
    ("codes", "written"), [(b"a(b)\\", rb"(a\(b\)\\)"), (b"\0\x41", b"<0041>"), (b"", b"()")]
)
def test_strings_are_written_readably_or_in_hexadecimal(codes: bytes, written: bytes) -> None:
    assert written_string(codes) == written


@pytest.mark.parametrize(
    ("value", "written"), [(1.5, b"1.5"), (-0.0000001, b"0"), (100.0, b"100"), (1e-3, b"0.001")]
)
def test_numbers_have_no_exponent(value: float, written: bytes) -> None:
    assert number(value) == written


def test_text_that_looks_alike_joins_the_string_and_leaves_the_text_matrix_alone() -> None:
    stream = b"BT /F1 10 Tf 20 200 Td (Page 7 of 9) Tj ( goes on) Tj ET"
    held = model(pdf(stream))
    glyphs = list(held.glyphs())
    patch = Patch()
    patch.delete([glyphs[5]])
    patch.insert(Chunk(glyphs[5], False, (spot(glyphs[10], glyphs[5].x, glyphs[5].y),)))
    (data,) = patch.streams(held.streams).values()
    assert data == stream.replace(b"(Page 7 of 9)", b" (Page 9 of 9)")
    wider = Patch()
    wider.delete([glyphs[5]])
    wider.insert(Chunk(glyphs[5], False, (spot(glyphs[0], glyphs[5].x, glyphs[5].y),)))
    (data,) = wider.streams(held.streams).values()
    assert b"Tm" not in data
    assert b"[(Page P) 111 ( of 9)] TJ" in data
    assert positions(model(pdf(data)))[6:] == positions(held)[6:]


def test_a_string_that_moves_takes_what_was_put_in_along() -> None:
    held = model(pdf(LINE))
    glyphs = list(held.glyphs())
    patch = Patch()
    patch.insert(Chunk(glyphs[2], False, (spot(glyphs[0], 50, 90),)))
    patch.move(glyphs[2].show, 7.5)
    patch.move(glyphs[2].show, -20.0)
    found = positions(rewritten(LINE, patch, held))
    own = {id(glyph) for glyph in glyphs[2].show.glyphs}
    expected = [
        (text, x, round(y - 12.5, 3) if id(glyph) in own else y)
        for glyph, (text, x, y) in zip(glyphs, positions(held), strict=True)
    ]
    assert found == [*expected[:2], ("H", 50, 77.5), *expected[2:]]


def test_words_behind_new_ones_of_another_look_stay_in_their_string() -> None:
    stream = b"BT /F1 10 Tf 20 200 Td (Page 7 of 9) Tj ET BT /F2 10 Tf 20 100 Td (x) Tj ET"
    held = model(pdf(stream))
    glyphs = list(held.glyphs())
    patch = Patch()
    patch.delete(glyphs[5:8])
    spots = (spot(glyphs[11], glyphs[5].x, 200), spot(glyphs[7], glyphs[5].x + 9, 200))
    patch.insert(Chunk(glyphs[5], False, spots))
    found = rewritten(stream, patch, held)
    assert [each[0] for each in positions(found)] == list("Page xof 9x")
    assert positions(found)[7:] == positions(held)[8:]
    (data,) = patch.streams(held.streams).values()
    assert data.count(b" Tm") == 2, "once to the new look, once back"
