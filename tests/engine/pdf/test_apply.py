from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from redraft.engine.errors import AmbiguousError, EditError, NotFoundError, PlanError, RefusedError
from redraft.engine.pdf import reader
from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.glyphs.target_blocks import targets
from redraft.engine.plan import (
    DeleteBlocks,
    EditPlan,
    FindReplace,
    InsertBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    RewriteBlock,
)
from redraft.engine.report import EditReport, Signature
from tests.engine.pdf.paper import paper
from tests.engine.pdf.stream.streams import content, model, pdf

BY_ANN = Signature("u1", "Ann Lee", "2026-11-21T06:30:00Z", tracked=True)
PARAGRAPH = (
    b"BT /F1 10 Tf 12 TL 20 250 Td (The quick brown fox jumps over the lazy dog and) Tj"
    b" (runs through the wide forest until the evening) ' (comes.) ' ET"
    b" BT /F2 10 Tf 20 200 Td (A line below) Tj ET"
)


def edited(data: bytes, *operations: Operation) -> tuple[bytes, EditReport]:
    return apply(data, EditPlan("edit", "asked", operations), BY_ANN)


def texts(data: bytes) -> list[str]:
    return [target.text for target in targets(reader.read(data))]


def lines(data: bytes) -> list[str]:
    rows: dict[float, str] = {}
    for glyph in model(data).glyphs():
        rows[round(glyph.y, 1)] = rows.get(round(glyph.y, 1), "") + glyph.text
    return [rows[y].rstrip() for y in sorted(rows, reverse=True)]


def test_a_word_is_replaced_in_its_line_and_the_rest_of_the_line_follows() -> None:
    data, report = edited(pdf(PARAGRAPH), ReplaceText("p1.b1", "brown", "red"))
    assert lines(data)[0] == "The quick red fox jumps over the lazy dog and"
    assert lines(data)[1:] == lines(pdf(PARAGRAPH))[1:]
    assert (report.applied, report.summary) == (True, "1 change on page 1")
    (revision,) = report.revisions
    assert (revision.kind, revision.before, revision.after) == ("replacement", "brown", "red")
    assert (revision.author, revision.where, revision.edits) == ("Ann Lee", "page 1", ("u1",))


def test_the_new_word_has_font_size_and_colour_of_the_old_one() -> None:
    stream = b"1 0 0 rg BT /F3 11 Tf 20 200 Td (Pay ten euros now) Tj ET"
    data, _ = edited(pdf(stream), ReplaceText("p1.b1", "ten", "thirty"))
    assert {
        (g.show.state.font_name, g.show.state.size, g.show.state.fill, g.y)
        for g in model(data).glyphs()
    } == {("F3", 11, b"1 0 0 rg", 200)}


def test_a_paragraph_that_grows_is_broken_anew_to_its_end() -> None:
    data, _ = edited(pdf(PARAGRAPH), ReplaceText("p1.b1", "quick", "unbelievably quick and clever"))
    found = lines(data)
    assert found[-1] == "A line below"
    assert " ".join(found[:-1]) == (
        "The unbelievably quick and clever brown fox jumps over the lazy dog and runs through the "
        "wide forest until the evening comes."
    )
    assert len(found) == 4
    rights = [max(g.x + g.ink_width for g in model(data).glyphs() if abs(g.y - y) < 1)
              for y in (250, 238)]  # fmt: skip
    edge = max(g.x + g.ink_width for g in model(pdf(PARAGRAPH)).glyphs())
    assert all(right <= edge + 0.5 for right in rights)


def test_growth_without_room_below_is_refused_and_says_how_much() -> None:
    full = PARAGRAPH.replace(b"20 200 Td", b"20 214 Td")
    message = r"needs \d+ more lines? but there is no free space .* page 1; shorten it by about \d+"
    with pytest.raises(RefusedError, match=message):
        edited(pdf(full), ReplaceText("p1.b1", "quick", "quick " * 150))


def test_removed_text_is_nowhere_in_the_new_file() -> None:
    import pikepdf

    data, _ = edited(pdf(PARAGRAPH), DeleteBlocks("p1.b2", "p1.b2"))
    assert texts(data) == texts(pdf(PARAGRAPH))[:1]
    from io import BytesIO

    with pikepdf.open(BytesIO(data)) as document:
        streams = [
            bytes(each.read_bytes())
            for each in document.objects
            if isinstance(each, pikepdf.Stream)
        ]
    assert streams
    assert not any(b"line below" in each for each in streams)
    assert lines(data) == lines(pdf(PARAGRAPH))[:3]


def test_every_hit_is_replaced_in_the_case_it_has() -> None:
    stream = (
        b"BT /F1 10 Tf 20 250 Td (The vendor pays the Vendor.) Tj ET"
        b" BT /F1 10 Tf 20 200 Td (VENDOR) Tj ET"
    )
    data, report = edited(pdf(stream), FindReplace("vendor", "seller"))
    assert texts(data) == ["The seller pays the Seller.", "SELLER"]
    assert len(report.revisions) == 3


def test_a_rewritten_block_keeps_the_words_that_stay_where_they_are() -> None:
    before = {(g.text, g.x) for g in model(pdf(PARAGRAPH)).glyphs() if g.y == 250}
    text = texts(pdf(PARAGRAPH))[0].replace("jumps over", "sees")
    data, report = edited(pdf(PARAGRAPH), RewriteBlock("p1.b1", text))
    assert texts(data)[0] == text
    after = {(g.text, g.x) for g in model(data).glyphs() if g.y == 250}
    assert len([each for each in before if each in after]) >= len("Thequickbrownfox")
    assert [(r.before, r.after) for r in report.revisions] == [("jumps over", "sees")]


def test_a_word_the_font_cannot_draw_is_set_in_a_fallback_with_a_warning() -> None:
    data, report = edited(pdf(PARAGRAPH), ReplaceText("p1.b2", "line", "Łódź"))
    assert texts(data)[1] == "A Łódź below"
    (warning,) = report.warnings
    assert "Times-Bold" in warning
    assert "Łódź" in warning
    used = {g.show.state.font_name for g in model(data).glyphs() if g.y == 200 and g.text in "Łódź"}
    assert len(used) == 1


def test_a_character_no_font_has_is_refused() -> None:
    with pytest.raises(RefusedError, match="No font at hand has the character"):
        edited(pdf(PARAGRAPH), ReplaceText("p1.b2", "line", "漢字"))


def test_right_aligned_numbers_keep_their_right_edge() -> None:
    rows = b"".join(
        b" BT /F1 10 Tf %d %d Td (%s) Tj ET" % (x, y, text)
        for x, y, text in ((220, 250, b"1,000"), (225.56, 236, b"100"), (231.12, 222, b"20"))
    )
    names = b"".join(b" BT /F1 10 Tf 20 %d Td (Item %d) Tj ET" % (y, y) for y in (250, 236, 222))
    before = pdf(names + rows)
    target = next(each for each in targets(reader.read(before)) if each.text.endswith("100"))
    data, _ = edited(before, ReplaceText(target.anchor, "100", "12,345"))
    ends = [max(g.x + g.ink_width for g in model(d).glyphs() if g.y == 236) for d in (before, data)]
    assert ends[0] == pytest.approx(ends[1], abs=0.05)


def test_a_right_aligned_line_grows_to_the_left_and_is_not_narrowed() -> None:
    stream = b"".join(
        b" BT /F3 10 Tf %d %d Td (%s) Tj ET" % (280 - 6 * len(text), y, text)
        for y, text in ((250, b"INVOICE #100"), (236, b"DATE: 1/1/2023"), (222, b"PAGE 7"))
    )
    before = pdf(stream)
    target = next(each for each in targets(reader.read(before)) if "#100" in each.text)
    data, report = edited(before, ReplaceText(target.anchor, "#100", "NUMBER 2071"))
    assert report.warnings == ()
    row = [g for g in model(data).glyphs() if g.y == 250]
    assert row[-1].x + row[-1].ink_width == pytest.approx(280, abs=0.05)


def test_a_word_after_a_wide_gap_stays_at_its_place() -> None:
    stream = b"BT /F3 10 Tf 20 200 Td [(Name:) -1500 (Ann)] TJ ET"
    before = pdf(stream)
    starts = [g.x for g in model(before).glyphs() if g.text == "A"]
    target = next(each for each in targets(reader.read(before)) if "Ann" in each.text)
    data, _ = edited(before, ReplaceText(target.anchor, "Ann", "Barbara"))
    assert [g.x for g in model(data).glyphs() if g.text == "B"] == pytest.approx(starts, abs=0.01)


def test_letters_are_not_moved_over_a_picture_between_words() -> None:
    stream = b"BT /F3 10 Tf 20 200 Td [(See) -900 (icon here)] TJ ET 1 0 0 rg 40 199 6 6 re f"
    with pytest.raises(EditError, match="would cover something"):
        edited(pdf(stream), ReplaceText("p1.b1", "See", "Look at"))


def test_of_equal_blocks_the_one_that_is_meant_is_edited() -> None:
    stream = b"".join(
        b" BT /F1 10 Tf 20 %d Td (%s) Tj ET" % (y, text)
        for y, text in ((250, b"Total"), (220, b"Other"), (190, b"Total"))
    )
    data, _ = edited(pdf(stream), ReplaceText("p1.b3", "Total", "Sum"))
    assert lines(data) == ["Total", "Other", "Sum"]
    data, _ = edited(pdf(stream), DeleteBlocks("p1.b1", "p1.b1"))
    assert lines(data) == ["Other", "Total"]


def test_a_link_goes_with_its_words() -> None:
    stream = b"BT /F3 10 Tf 20 200 Td (See our terms of sale) Tj ET"
    data, _ = edited(
        pdf(stream, links=([68, 197, 98, 209],)), ReplaceText("p1.b1", "our", "the newest")
    )
    import pymupdf

    opened: Any = pymupdf.open(stream=data, filetype="pdf")
    box = opened[0].get_links()[0]["from"]
    assert (round(box.x0), round(box.x1)) == (110, 140)
    assert opened[0].get_textbox(box).strip() == "terms"


@pytest.mark.parametrize(
    ("stream", "reason"),
    [
        (b"BT /F1 10 Tf 3 Tr 20 200 Td (Hidden words here) Tj ET", "invisible OCR layer"),
        (
            b"/Span <</ActualText (Hidden words here)>> BDC"
            b" BT /F1 10 Tf 20 200 Td (Hidden words here) Tj ET EMC",
            "ActualText",
        ),
        (
            b"0.9 g 53 197 m 83 197 l 83 208 l 53 208 l h f 0 g"
            b" BT /F1 10 Tf 20 200 Td (Hidden words here) Tj ET",
            "background drawn on its own",
        ),
        (
            b"BT /F1 10 Tf 20 200 Td (Hidden words here) Tj ET 1 0 .2 1 0 0 cm"
            b" 14 198.6 m 45 198.6 l S",
            "underline",
        ),
    ],
)
def test_text_that_must_not_be_touched_is_refused_with_its_reason(
    stream: bytes, reason: str
) -> None:
    with pytest.raises(RefusedError, match=reason):
        edited(pdf(stream), ReplaceText("p1.b1", "words", "letters"))


@pytest.mark.parametrize("drawn", [b"50 198 30 0.6 re f", b"50 198.3 m 80 198.3 l S"])
def test_a_drawn_underline_goes_with_its_word(drawn: bytes) -> None:
    stream = b"BT /F3 10 Tf 20 200 Td (Read these terms) Tj ET " + drawn
    data, _ = edited(pdf(stream), ReplaceText("p1.b1", "Read", "Reread"))
    (ink,) = model(data).inks
    assert (round(ink.box.x0, 3), round(ink.box.x1, 3)) == (62, 92)
    longer, _ = edited(pdf(stream), ReplaceText("p1.b1", "these", "those other"))
    (ink,) = model(longer).inks
    assert (round(ink.box.x0, 3), round(ink.box.x1, 3)) == (50, 116)
    gone, _ = edited(
        pdf(stream),
        DeleteBlocks("p1.b1", "p1.b1"),
    )
    assert model(gone).inks == ()


def test_a_ground_behind_words_goes_along_with_them() -> None:
    stream = b"0.9 g 53 197 30 11 re f 0 g BT /F1 10 Tf 20 200 Td (Hidden words here) Tj ET"
    (before,) = model(pdf(stream)).inks
    data, _ = edited(pdf(stream), ReplaceText("p1.b1", "words", "sentences"))
    (after,) = model(data).inks
    assert texts(data) == ["Hidden sentences here"]
    assert abs(after.box.x0 - before.box.x0) < 0.1
    assert after.box.width > before.box.width + 10
    assert after.box.height == pytest.approx(before.box.height)


def test_the_ground_of_a_field_on_the_next_line_stays() -> None:
    stream = b"0.9 g 53 186 30 12.5 re f 0 g BT /F1 10 Tf 20 200 Td (Hidden words here) Tj ET"
    (before,) = model(pdf(stream)).inks
    data, _ = edited(pdf(stream), ReplaceText("p1.b1", "Hidden", "Seen"))
    (after,) = model(data).inks
    assert after.box == before.box


def test_a_shape_drawn_over_words_stays_where_it_is_and_that_is_said() -> None:
    drawn = paper().text(72, 100, "Some words are circled here by hand.")
    circle = drawn.pages[-1].add_circle_annot((95, 80, 140, 110))
    where = tuple(circle.rect)
    data, report = edited(drawn.data(), ReplaceText("p1.b1", "words", "notes"))
    assert texts(data) == ["Some notes are circled here by hand."]
    assert report.warnings == ("A shape drawn over words on page 1 was left in place",)
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        page: Any = opened[0]
        assert [tuple(each.rect) for each in page.annots()] == [where]


def test_a_new_word_is_not_broken_behind_a_hyphen_of_its_own() -> None:
    stream = (
        b"BT /F1 10 Tf 12 TL 20 250 Td (Sales of the first quarter rose year-over-) Tj"
        b" (year, those of the second one fell, and) ' (year-over-year they rose again.) ' ET"
    )
    held = texts(pdf(stream))[0]
    assert "rose year-over-year, those" in held
    data, _ = edited(pdf(stream), ReplaceText("p1.b1", "over", "upon", 1))
    assert "rose year-upon-year, those" in texts(data)[0]


def test_letters_are_narrowed_a_little_where_a_line_has_no_room_below() -> None:
    stream = b"BT /F1 10 Tf 11 TL 20 250 Td" + b"".join(
        b" (This line is as wide as this column is, %d) '" % n for n in range(4)
    ) + b" ET"  # fmt: skip
    held = [each for each in targets(reader.read(pdf(stream))) if "is, 0" in each.text]
    last = held[0].text.rfind("column")
    assert last > 0
    data, report = edited(
        pdf(stream), ReplaceText(held[0].anchor, "This line is", "This line was", 1)
    )
    assert "This line was as wide" in texts(data)[0]
    assert all("narrower" in warning for warning in report.warnings)


def test_a_form_is_edited_where_it_is_drawn_once_and_refused_where_it_is_shared() -> None:
    forms = {"X": b"BT /F1 10 Tf 20 200 Td (Words in a form) Tj ET"}
    data, _ = edited(pdf(b"/X Do", forms=forms), ReplaceText("p1.b1", "form", "frame"))
    assert texts(data) == ["Words in a frame"]
    assert content(data) == b"/X Do"
    twice = pdf(b"/X Do 1 0 0 1 0 -50 cm /X Do", forms=forms)
    with pytest.raises(RefusedError, match="drawn repeatedly"):
        edited(twice, ReplaceText("p1.b1", "form", "frame"))
    with pytest.raises(RefusedError, match="other pages use too"):
        edited(pdf(b"/X Do", b"/X Do q Q", forms=forms), ReplaceText("p1.b1", "form", "frame"))


def test_a_signed_document_is_refused() -> None:
    from io import BytesIO

    import pikepdf

    with pikepdf.open(BytesIO(pdf(PARAGRAPH))) as document:
        field: Any = pikepdf.Dictionary(FT=pikepdf.Name.Sig, V=pikepdf.Dictionary())
        document.Root.AcroForm = pikepdf.Dictionary(
            Fields=pikepdf.Array([document.make_indirect(field)])
        )
        out = BytesIO()
        document.save(out)
    with pytest.raises(RefusedError, match="signed"):
        edited(out.getvalue(), ReplaceText("p1.b1", "brown", "red"))


def test_a_document_whose_author_forbids_changes_is_refused() -> None:
    from io import BytesIO

    import pikepdf

    with pikepdf.open(BytesIO(pdf(PARAGRAPH))) as document:
        out = BytesIO()
        allow = pikepdf.Permissions(modify_other=False)
        document.save(out, encryption=pikepdf.Encryption(owner="o", user="", allow=allow))
    with pytest.raises(RefusedError, match="permissions forbid"):
        edited(out.getvalue(), ReplaceText("p1.b1", "brown", "red"))


def test_what_is_not_there_or_is_there_often_is_said() -> None:
    data = pdf(PARAGRAPH)
    with pytest.raises(NotFoundError, match=r"^Unable to locate the specified text$"):
        edited(data, ReplaceText("p1.b1", "purple", "red"))
    with pytest.raises(NotFoundError):
        edited(data, ReplaceText("p7.b1", "brown", "red"))
    with pytest.raises(AmbiguousError):
        edited(data, ReplaceText("p1.b1", "the", "a"))
    with pytest.raises(PlanError, match="overlap"):
        edited(data, ReplaceText("p1.b1", "brown fox", "x"), ReplaceText("p1.b1", "fox", "y"))
    with pytest.raises(RefusedError, match="No room for the new paragraph on page 1"):
        edited(data, InsertBlocks("p1.b1", "after", (NewBlock("paragraph", "some words " * 90),)))


def test_a_change_of_nothing_leaves_the_bytes_alone() -> None:
    data = pdf(PARAGRAPH)
    same, report = edited(data, ReplaceText("p1.b1", "brown", "brown"))
    assert same is data
    assert not report.applied


def test_a_blank_before_a_frame_is_not_cut_off_by_it() -> None:
    """Two words of one line, each in a frame of its own; new words need a blank between them."""
    data = pdf(
        b"q 18 240 50 20 re W n BT /F3 10 Tf 20 250 Td (Customer) Tj ET Q"
        b" q 75 240 100 20 re W n BT /F3 10 Tf 76 250 Td (Vehicle data) Tj ET Q"
    )
    assert texts(data) == ["Customer Vehicle data"]
    after, _ = edited(data, ReplaceText("p1.b1", "Vehicle", "Lorry"))
    assert texts(after) == ["Customer Lorry data"]
    with pytest.raises(RefusedError, match="cut off by a frame"):
        edited(data, ReplaceText("p1.b1", "Vehicle", "Motor vehicles'"))


def test_the_text_of_one_edit_is_found_by_the_next() -> None:
    first, _ = edited(pdf(PARAGRAPH), ReplaceText("p1.b1", "brown", "dark yellow"))
    second, _ = edited(first, ReplaceText("p1.b1", "dark yellow fox", "brown fox"))
    assert texts(second) == texts(pdf(PARAGRAPH))
    assert " ".join(lines(second)) == " ".join(lines(pdf(PARAGRAPH)))


# What is left alone in the corpus, with a reason of its own: no text layer, right to left or
# vertical writing, an OCR layer, forbidden changes.
LEFT_ALONE = re.compile(r"ocr_test|right_to_left|pdfminer__jo|issue6387|backus|pr-138|scan-bad")


@pytest.mark.corpus
def test_words_of_real_files_are_replaced_or_refused_with_a_sentence(corpus: Path) -> None:
    applied = tried = 0
    reasons: list[str] = []
    for path in sorted((corpus / "pdf").glob("*.pdf")):
        if LEFT_ALONE.search(path.name):
            continue
        data = path.read_bytes()
        for operation in _swaps(data):
            tried += 1
            try:
                edited(data, operation)
            except EditError as error:
                reasons.append(str(error))
            else:
                applied += 1
    assert tried >= 20
    assert all(len(reason) > 20 for reason in reasons)
    assert applied >= 0.6 * tried, f"{applied} of {tried}"


def _swaps(data: bytes) -> list[Operation]:
    """Swap a word for another of the same block, in the first block after the middle with two."""
    held = [each for each in targets(reader.read(data)) if len(each.text) > 30]
    for target in held[len(held) // 2 :]:
        words = [w for w in re.findall(r"[^\W\d_]{4,}", target.text) if target.text.count(w) == 1]
        if len(words) > 1:
            return [ReplaceText(target.anchor, words[0], words[-1])]
    return []


def test_cells_of_a_table_that_goes_on_are_edited_on_the_page_they_stand_on() -> None:
    drawn = paper()
    for number, words in enumerate(("Desk", "Lamp")):
        drawn = drawn.page() if number else drawn
        for y in (100, 120, 140):
            drawn.rule(72, y, 272, y)
        for x in (72, 172, 272):
            drawn.rule(x, 100, x, 140)
        drawn.text(76, 114, "Item").text(176, 114, "Fee").text(76, 134, words).text(176, 134, "10")
    data = drawn.data()
    anchors = {target.text: target.anchor for target in targets(reader.read(data))}
    assert anchors["Lamp"] == "p2.b1.r2.c1.b1"
    made, _ = edited(data, ReplaceText("p2.b1.r2.c1.b1", "Lamp", "Sofa"))
    made, _ = edited(made, FindReplace("Item", "Thing"))
    assert texts(made) == ["Thing", "Fee", "Desk", "10", "Thing", "Fee", "Sofa", "10"]


def test_a_second_edit_keeps_the_letters_that_the_first_one_brought_a_font_for() -> None:
    data, _ = edited(pdf(PARAGRAPH), ReplaceText("p1.b2", "line", "Łódź"))
    again, report = edited(data, ReplaceText("p1.b2", "below", "żółw"))
    assert texts(again)[1] == "A Łódź żółw"
    assert len(report.warnings) == 1
    third, report = edited(again, ReplaceText("p1.b2", "Łódź", "Łęg"))
    assert texts(third)[1] == "A Łęg żółw"
    assert report.warnings == ()


def test_a_font_for_missing_letters_is_cut_down_to_them() -> None:
    data, _ = edited(pdf(PARAGRAPH), ReplaceText("p1.b2", "line", "Łódź"))
    assert len(data) - len(pdf(PARAGRAPH)) < 4_000


def test_what_is_added_at_the_end_goes_on_behind_the_last_word() -> None:
    data, _ = edited(pdf(PARAGRAPH), ReplaceText("p1.b1", "comes.", "comes. Then it sleeps."))
    assert lines(data)[2] == "comes. Then it sleeps."
    before = [g.x for g in model(pdf(PARAGRAPH)).glyphs() if g.y == 226]
    assert [g.x for g in model(data).glyphs() if g.y == 226][: len(before)] == before


BROKEN = (
    b"BT /F1 10 Tf 12 TL 20 250 Td (The quick brown fox jumps over every lazy dog and extra-) Tj"
    b" (ordinary cats run through the wide forest until the eve-) ' (ning comes and goes.) ' ET"
)


@pytest.mark.parametrize(
    ("old", "new", "drawn"),
    [
        ("quick", "slow", ["dog and extra-", "until the eve-", "comes and goes."]),
        ("extraordinary", "ordinary", ["lazy dog and", "until the eve-", "comes and goes."]),
        ("evening", "morning", ["dog and extra-", "until the morning", "comes and goes."]),
        (
            "brown fox",
            "brown and very old fox",
            ["over every lazy", "the wide forest", "comes and goes."],
        ),
    ],
)
def test_a_hyphen_at_the_end_of_a_line_goes_with_the_break(
    old: str, new: str, drawn: list[str]
) -> None:
    (before,) = texts(pdf(BROKEN))
    assert "extraordinary cats" in before
    data, _ = edited(pdf(BROKEN), ReplaceText("p1.b1", old, new))
    assert texts(data) == [before.replace(old, new)]
    assert all(line.endswith(end) for line, end in zip(lines(data), drawn, strict=True))


def test_words_behind_a_gap_keep_their_place_though_the_line_is_centred() -> None:
    stream = (
        b"BT /F1 10 Tf 60 250 Td [(A longer name) -4000 (Another name)] TJ ET"
        b" BT /F1 10 Tf 101.1 230 Td (in the middle below) Tj ET"
    )
    before = pdf(stream)
    places = {(g.text, round(g.x, 2)) for g in model(before).glyphs() if g.y == 250 and g.x > 150}
    data, _ = edited(before, ReplaceText("p1.b1", "longer", "short"))
    after = {(g.text, round(g.x, 2)) for g in model(data).glyphs() if g.y == 250}
    assert places <= after
    assert ("A", 60) in after


def test_a_title_beside_an_address_at_the_edge_of_a_page_stays_one_line_and_apart() -> None:
    stream = (
        b"BT /F1 8 Tf 5 290 Td [(A title of the page that was printed) -3000 (https://a.example)] "
        b"TJ ET BT /F1 10 Tf 20 200 Td (Words of the page.) Tj ET"
    )
    before = pdf(stream)
    assert texts(before)[:2] == ["A title of the page that was printed", "https://a.example"]
    data, report = edited(before, ReplaceText("p1.b1", "was printed", "was reprinted"))
    assert texts(data)[:2] == ["A title of the page that was reprinted", "https://a.example"]
    assert {round(g.y) for g in model(data).glyphs()} == {290, 200}
    assert any("narrower" in warning for warning in report.warnings)
    with pytest.raises(RefusedError, match="page 1"):
        edited(before, ReplaceText("p1.b1", "was printed", "we have all printed with one another"))
