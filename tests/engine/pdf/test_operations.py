"""What a PDF takes besides new words: paragraphs, looks, links, fields, properties, headers."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest

from redraft.engine.errors import EditError, NotFoundError, PlanError, RefusedError
from redraft.engine.pdf import reader
from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.form_fields import fields
from redraft.engine.pdf.glyphs.target_blocks import known_in
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.tracked import redline
from redraft.engine.plan import (
    DeleteRow,
    EditNote,
    EditPlan,
    FindReplace,
    FormatText,
    InsertBlocks,
    MoveBlocks,
    NewBlock,
    Operation,
    RemoveLink,
    ReplaceText,
    SetAltText,
    SetField,
    SetLink,
    SetProperty,
    SetStyle,
)
from redraft.engine.report import EditReport, Selection, Signature
from tests.engine.pdf.stream.streams import model, pdf

BY_ANN = Signature("u1", "Ann Lee", "2026-11-21T06:30:00Z", tracked=True)
PAGE = pdf(
    b"BT /F1 10 Tf 12 TL 40 250 Td (The quick brown fox jumps over the lazy dog) Tj"
    b" (and runs through the wide forest until evening) ' (comes.) ' ET"
    b" BT /F1 10 Tf 12 TL 40 208 Td (A second paragraph stands here, as long as) Tj"
    b" (the first one, and a little longer.) ' ET"
    b" BT /F3 10 Tf 40 60 Td (The end) Tj ET"
)


def edited(data: bytes, *operations: Operation) -> tuple[bytes, EditReport]:
    return apply(data, EditPlan("edit", "asked", operations), BY_ANN)


def texts(data: bytes) -> list[str]:
    return [target.text for target in known_in(data)]


def insertion(anchor: str, *blocks: tuple[Any, str], where: Any = "after") -> InsertBlocks:
    return InsertBlocks(anchor, where, tuple(NewBlock(kind, text) for kind, text in blocks))


def test_a_paragraph_is_inserted_into_the_white_space_below() -> None:
    new = "A new paragraph is set here, in the same column, and is broken into lines."
    data, report = edited(PAGE, insertion("p1.b2", ("paragraph", new)))
    assert texts(data) == [*texts(PAGE)[:2], new, "The end"]
    (revision,) = report.revisions
    assert (revision.kind, revision.after, revision.anchor) == ("insertion", new, "p1.b2")
    before = {(g.text, g.x, g.y) for g in model(PAGE).glyphs()}
    after = {(g.text, g.x, g.y) for g in model(data).glyphs()}
    assert before <= after
    added = [g for g in model(data).glyphs() if (g.text, g.x, g.y) not in before]
    assert {(g.show.state.font_name, g.size) for g in added} == {("F1", 10)}
    assert len({g.y for g in added}) == 2
    edge = max(g.x + g.ink_width for g in model(PAGE).glyphs())
    assert all(g.x + g.ink_width <= edge + 0.5 for g in added)


def test_several_paragraphs_and_one_before_another_are_inserted() -> None:
    one = "The first of two new paragraphs, which goes on until the line is full."
    two = "The second of them."
    data, _ = edited(PAGE, insertion("p1.b2", ("paragraph", one), ("like_anchor", two)))
    assert texts(data)[2:] == [one, two, "The end"]
    data, _ = edited(PAGE, insertion("p1.b2", ("paragraph", "One."), where="before"))
    assert texts(data) == [texts(PAGE)[0], "One.", *texts(PAGE)[1:]]


def test_a_bullet_is_inserted_like_the_one_beside_it() -> None:
    stream = b"".join(
        b" BT /F1 10 Tf 40 %d Td (\x95) Tj 12 0 Td (%s) Tj ET" % (y, text)
        for y, text in ((250, b"First item of the list"), (236, b"Second item of the list"))
    )
    data, _ = edited(pdf(stream), insertion("p1.b2", ("bullet", "Third item")))
    found = reader.read(data).body.blocks
    assert [type(each).__name__ for each in found] == ["ListItem"] * 3
    assert texts(data)[2] == "Third item"
    starts = {round(g.x, 2) for g in model(data).glyphs() if g.text == "•"}
    assert starts == {40.0}
    with pytest.raises(RefusedError, match="beside an existing bullet"):
        edited(PAGE, insertion("p1.b2", ("bullet", "x")))


def test_a_paragraph_without_room_is_refused_with_the_points_it_needs() -> None:
    with pytest.raises(RefusedError, match=r"needs \d+ pt, \d+ pt free"):
        edited(PAGE, insertion("p1.b1", ("paragraph", "One more. " * 90)))
    with pytest.raises(RefusedError, match="heading1 cannot be set"):
        edited(PAGE, insertion("p1.b2", ("heading1", "One")))


def test_an_inserted_paragraph_is_tracked_and_taken_back() -> None:
    plan = EditPlan("edit", "", (insertion("p1.b2", ("paragraph", "One new paragraph.")),))
    working, report = redline.edit(PAGE, PAGE, b"", plan, BY_ANN)
    (change,) = redline.changes(PAGE, working, report.state)
    assert (change.kind, change.after, change.author) == (
        "insertion",
        "One new paragraph.",
        "Ann Lee",
    )
    import pymupdf

    shown: Any = pymupdf.open(stream=redline.annotated(PAGE, working, report.state))
    page = shown[0]
    (note,) = page.annots()
    assert (note.type[1], note.info["content"]) == ("Caret", "\nOne new paragraph.")
    second = EditPlan("edit", "", (ReplaceText("p1.b1", "brown", "red"),))
    working, report = redline.edit(PAGE, working, report.state, second, BY_ANN)
    other = redline.changes(PAGE, working, report.state)[0]
    chosen = Selection(ids=(other.id,))
    kept, done = redline.resolve(PAGE, working, report.state, "reject", chosen)
    assert texts(kept) == [*texts(PAGE)[:2], "One new paragraph.", "The end"]
    everything = Selection(all=True)
    assert redline.resolve(PAGE, kept, done.state, "reject", everything)[0] == PAGE


def faces(data: bytes, words: str) -> set[tuple[str, bytes]]:
    """Fonts and colours of the glyphs of a word that stands once."""
    glyphs = [g for g in model(data).glyphs() if not g.is_blank]
    text = "".join(g.text for g in glyphs)
    at = text.index(words)
    held = glyphs[at : at + len(words)]
    return {(g.show.state.font.name, g.show.state.fill) for g in held if g.show.state.font}


def test_text_is_made_bold_in_a_sibling_of_its_font() -> None:
    import pikepdf

    with pikepdf.open(BytesIO(PAGE)) as document:
        fonts: Any = document.pages[0].obj.Resources.Font
        fonts["/F9"] = document.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.Font,
                Subtype=pikepdf.Name.Type1,
                BaseFont=pikepdf.Name("/Helvetica-Bold"),
                Encoding=pikepdf.Name.WinAnsiEncoding,
            )
        )
        out = BytesIO()
        document.save(out)
    data, report = edited(out.getvalue(), FormatText("p1.b1", "brown fox", "bold", "on"))
    assert texts(data) == texts(PAGE)
    assert faces(data, "brownfox") == {("Helvetica-Bold", b"")}
    assert faces(data, "quick") == {("Helvetica", b"")}
    assert report.warnings == ()
    (revision,) = report.revisions
    assert (revision.kind, revision.formatting) == ("format", (("bold", "", "on"),))


def test_without_a_sibling_a_twin_is_used_with_a_warning() -> None:
    data, report = edited(PAGE, FormatText("p1.b1", "brown", "bold", "on"))
    assert texts(data) == texts(PAGE)
    assert "no bold face of Helvetica" in report.warnings[0]
    ((name, _),) = faces(data, "brown")
    assert name.endswith("Helvetica-Bold")


def test_text_gets_a_colour_and_stays_where_it_is() -> None:
    data, _ = edited(PAGE, FormatText("p1.b1", "brown", "color", "C00000"))
    assert faces(data, "brown") == {("Helvetica", b"0.753 0 0 rg")}
    assert faces(data, "fox") == {("Helvetica", b"0 g")} or faces(data, "fox") == {
        ("Helvetica", b"")
    }
    places = [[(g.text, round(g.x, 2), g.y) for g in model(d).glyphs()] for d in (PAGE, data)]
    assert sorted(places[0]) == sorted(places[1])
    whole, _ = edited(PAGE, FormatText("p1.b3", "", "color", "red"))
    assert faces(whole, "Theend") == {("Courier", b"1 0 0 rg")}


SPACED = pdf(
    b"BT /F1 10 Tf 12 TL 40 250 Td [(The q) -90 (uick br) 60 (own f) 140 (ox jumps ov) 80 (er)] TJ"
    b" 2 Tw (the lazy dog and runs) ' 0 Tw 0.4 Tc (through the) ' 0 0 1 rg ( wide forest) Tj ET"
)


@pytest.mark.parametrize("find", ["", "brown fox", "dog and runs through", "e"])
def test_a_colour_moves_no_letter_whatever_their_spacing(find: str) -> None:
    data, report = edited(SPACED, FormatText("p1.b1", find, "color", "red", 1))
    assert texts(data) == texts(SPACED)
    before, after = ([(g.text, g.x, g.y) for g in model(d).glyphs()] for d in (SPACED, data))
    for one, other in zip(sorted(before), sorted(after), strict=True):
        assert one[0] == other[0]
        assert one[1:] == pytest.approx(other[1:], abs=0.001)
    red = [g.text for g in model(data).glyphs() if g.show.state.fill == b"1 0 0 rg"]
    assert "".join(red).replace(" ", "") == (find or texts(SPACED)[0]).replace(" ", "")
    assert report.warnings == ()


def test_a_colour_leaves_a_ligature_one() -> None:
    import pikepdf

    with pikepdf.open(
        BytesIO(pdf(b"BT /F1 10 Tf 40 250 Td (The o\001cer of the day) Tj ET"))
    ) as held:
        font: Any = held.pages[0].obj.Resources.Font["/F1"]
        font.Encoding = pikepdf.Dictionary(
            BaseEncoding=pikepdf.Name.WinAnsiEncoding,
            Differences=pikepdf.Array([1, pikepdf.Name("/ffi")]),
        )
        out = BytesIO()
        held.save(out)
    data, _ = edited(out.getvalue(), FormatText("p1.b1", "officer", "color", "red", 1))
    red = [g.code for g in model(data).glyphs() if g.show.state.fill == b"1 0 0 rg"]
    assert red == [b"o", b"\x01", b"c", b"e", b"r"]


@pytest.mark.parametrize(
    ("operation", "error", "message"),
    [
        (FormatText("p1.b1", "fox", "size", "16"), RefusedError, "size of text cannot be changed"),
        (FormatText("p1.b1", "fox", "color", "sky"), PlanError, "sky is no colour"),
        (FormatText("p1.b1", "fox", "bold", "very"), PlanError, "neither on nor off"),
        (SetLink("p1.b1", "fox", "#top"), PlanError, "give an http, https or mailto"),
        (RemoveLink("p1.b1", "fox"), NotFoundError, "no link on these words"),
        (SetField("name", "x"), NotFoundError, 'no form field "name"'),
        (SetProperty("category", "x"), RefusedError, "no property category; it has title"),
        (MoveBlocks("p1.b1", "p1.b1", "p1.b3", "after"), RefusedError, "cannot be moved"),
        (SetStyle("p1.b1", "p1.b1", "Title"), RefusedError, "no styles"),
        (DeleteRow("t1.r1"), RefusedError, "Rows, columns and tables"),
        (EditNote("fn1", "x"), RefusedError, "change that text"),
        (SetAltText("im1", "x"), RefusedError, "cannot be done in a PDF"),
    ],
)
def test_what_a_pdf_does_not_take_is_refused_with_what_to_do(
    operation: Operation, error: type[EditError], message: str
) -> None:
    with pytest.raises(error, match=message):
        edited(PAGE, operation)


def links(data: bytes) -> list[tuple[str, str]]:
    """The addresses of the links of page 1, with the words whose middle they cover."""
    import pymupdf

    opened: Any = pymupdf.open(stream=data, filetype="pdf")
    page = opened[0]
    found: list[tuple[str, str]] = []
    for each in page.get_links():
        words = [
            str(word[4])
            for word in page.get_text("words")
            if pymupdf.Point((word[0] + word[2]) / 2, (word[1] + word[3]) / 2) in each["from"]
        ]
        found.append((each["uri"], " ".join(words)))
    return found


def test_words_of_which_some_are_linked_are_linked_whole() -> None:
    data = pdf(b"BT /F3 10 Tf 20 200 Td (See our terms of sale) Tj ET", links=([68, 197, 98, 209],))
    after, _ = edited(data, SetLink("p1.b1", "our terms of", "https://example.org/new"))
    found = sorted(links(after), key=lambda each: each[1])
    assert {uri for uri, _ in found} == {"https://example.org/new"}
    assert sorted(words for _, words in found) == ["of", "our", "terms"]


def test_a_link_lies_on_its_words_where_most_of_the_line_is_raised() -> None:
    data = pdf(b"BT /F1 12 Tf 20 200 Td (See terms) Tj /F1 7 Tf 5 Ts (which are raised here) Tj ET")
    after, _ = edited(data, SetLink("p1.b1", "terms", "https://example.org/new"))
    with objects.opened(after) as document:
        (link,) = document.pages[0].obj.Annots
        low, high = sorted(float(link.Rect[at]) for at in (1, 3))
    assert low < 200
    assert high > 207


def test_a_face_that_lacks_the_characters_is_refused() -> None:
    data = pdf(b"BT /F1 10 Tf 20 200 Td (A word \267 and more) Tj ET")
    edited(data, FormatText("p1.b1", "word", "bold", "on"))
    with pytest.raises(RefusedError, match="No bold face at hand has the characters"):
        styled_in_korean()


def styled_in_korean() -> None:
    """Ask for a bold face of characters that only a light font of the file has."""
    from tests.documents import corpus_folder

    folder = corpus_folder()
    if folder is None:
        pytest.skip("no corpus")
    data = (folder / "pdf" / "docling__normal_4pages.pdf").read_bytes()
    target = next(each for each in known_in(data) if "병 1급에 해당하는" in each.text)
    edited(data, FormatText(target.anchor, "병 1급에 해당하는", "bold", "on", 1))


def test_words_are_linked_linked_elsewhere_and_unlinked() -> None:
    data, report = edited(PAGE, SetLink("p1.b1", "brown fox", "https://example.org/a?b=ü"))
    assert links(data) == [("https://example.org/a?b=%C3%BC", "brown fox")]
    assert report.revisions[0].formatting == (("link", "", "https://example.org/a?b=%C3%BC"),)
    other, _ = edited(data, SetLink("p1.b1", "fox", "mailto:a@example.org"))
    assert links(other) == [("mailto:a@example.org", "brown fox")]
    gone, _ = edited(other, RemoveLink("p1.b1", "brown"))
    assert links(gone) == []
    over_lines, _ = edited(PAGE, SetLink("p1.b1", "lazy dog and runs", "https://example.org"))
    assert [words for _, words in links(over_lines)] == ["lazy dog", "and runs"]


def form() -> bytes:
    import pymupdf as untyped

    pymupdf: Any = untyped
    document = pymupdf.open(stream=PAGE, filetype="pdf")
    page = document[0]
    for number, (kind, name) in enumerate(
        (
            (pymupdf.PDF_WIDGET_TYPE_TEXT, "name"),
            (pymupdf.PDF_WIDGET_TYPE_CHECKBOX, "agreed"),
            (pymupdf.PDF_WIDGET_TYPE_COMBOBOX, "size"),
            (pymupdf.PDF_WIDGET_TYPE_TEXT, "other"),
        )
    ):
        widget: Any = pymupdf.Widget()
        widget.field_type, widget.field_name = kind, name
        widget.rect = pymupdf.Rect(150, 100 + 25 * number, 260, 118 + 25 * number)
        if name == "size":
            widget.choice_values = ["small", "large"]
        if name == "other":
            widget.field_value = "stays"
        page.add_widget(widget)
    return bytes(document.tobytes())


def picture(data: bytes) -> bytes:
    """The pixels of the first field."""
    import pymupdf

    opened: Any = pymupdf.open(stream=data, filetype="pdf")
    return bytes(opened[0].get_pixmap(clip=(150, 100, 260, 118)).samples)


def test_form_fields_are_filled_and_drawn() -> None:
    before = form()
    data, report = edited(
        before,
        SetField("name", "Zażółć 42"),
        SetField("agreed", "checked"),
        SetField("size", "large"),
    )
    assert {name: held.value for name, held in fields(data).items()} == {
        "name": "Zażółć 42",
        "agreed": "Yes",
        "size": "large",
        "other": "stays",
    }
    first = report.revisions[0]
    assert (first.anchor, first.before, first.after) == ("name", "", "Zażółć 42")
    assert picture(before) != picture(data)
    again, second = edited(data, SetField("agreed", "unchecked"), SetField("name", "Zażółć 42"))
    assert fields(again)["agreed"].value in ("", "Off")
    assert len(second.revisions) == 1


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [("size", "huge", "not one of small, large"), ("agreed", "maybe", "checked or unchecked")],
)
def test_what_a_field_does_not_take_is_refused(field: str, value: str, message: str) -> None:
    with pytest.raises(PlanError, match=message):
        edited(form(), SetField(field, value))


def test_fields_and_properties_are_tracked_as_notes() -> None:
    upload = form()
    plan = EditPlan("edit", "", (SetField("name", "Ann"), SetProperty("title", "Contract")))
    working, report = redline.edit(upload, upload, b"", plan, BY_ANN)
    field, title = redline.changes(upload, working, report.state)
    assert (field.anchor, field.before, field.after, field.edits) == ("name", "", "Ann", ("u1",))
    assert (title.where, title.after) == ("property title", "Contract")
    import pymupdf

    data = redline.annotated(upload, working, report.state)
    assert data.startswith(upload)
    shown: Any = pymupdf.open(stream=data, filetype="pdf")
    page = shown[0]
    said = [each.info["content"] for each in page.annots()]
    assert said == [
        'Form field name: was empty, is now "Ann"',
        'Document property title: was empty, is now "Contract"',
    ]
    assert all(each.rect in page.rect for each in page.annots())
    kept, done = redline.resolve(
        upload, working, report.state, "reject", Selection(ids=(field.id,))
    )
    assert [r.after for r in redline.changes(upload, kept, done.state)] == ["Contract"]
    same, done = redline.resolve(upload, working, report.state, "accept", Selection(all=True))
    assert redline.changes(upload, same, done.state) == ()


@pytest.mark.parametrize(
    "operation",
    [
        ReplaceText("p1.b1", "quick brown", "slow **and weary** grey"),
        FindReplace("quick brown", "slow **and weary** grey", "body"),
    ],
)
def test_new_words_with_stars_are_bold(operation: Operation) -> None:
    data, report = edited(PAGE, ReplaceText("p1.b1", "The", "Then a"), operation)
    assert texts(data)[0].startswith("Then a slow and weary grey fox")
    drawn = [g for g in model(data).glyphs() if g.show.state.font]
    bold = "".join(g.text for g in drawn if g.show.state.font and g.show.state.font.style.is_bold)
    assert bold.replace(" ", "") == "andweary"
    assert report.applied


def test_the_same_words_with_stars_are_made_bold_tracked_or_not() -> None:
    operation = ReplaceText("p1.b1", "brown fox", "brown **fox**")
    data, report = edited(PAGE, operation)
    assert texts(data) == texts(PAGE)
    assert report.revisions[0].formatting == (("bold", "", "on"),)
    plan = EditPlan("edit", "", (operation,))
    _, report = redline.edit(PAGE, PAGE, b"", plan, BY_ANN)
    assert [(r.before, r.formatting) for r in report.revisions] == [
        ("fox", (("bold", "off", "on"),))
    ]
    assert report.warnings == ("The document has no bold face of Helvetica; used Helvetica-Bold",)


def test_new_words_of_a_tracked_pdf_are_plain_and_the_answer_says_so() -> None:
    plan = EditPlan("edit", "", (ReplaceText("p1.b1", "brown", "**red**"),))
    data, report = redline.edit(PAGE, PAGE, b"", plan, BY_ANN)
    assert texts(data)[0].startswith("The quick red fox")
    assert any("no bold or italic of new words" in each for each in report.warnings)


def test_words_look_and_link_of_one_block_change_in_one_plan() -> None:
    data, _ = edited(
        PAGE,
        ReplaceText("p1.b1", "quick", "very slow"),
        FormatText("p1.b1", "brown fox", "bold", "on"),
        FormatText("p1.b1", "fox", "color", "C00000"),
        SetLink("p1.b1", "fox", "https://a.example/"),
    )
    assert "very slow brown fox" in texts(data)[0]
    drawn = [g for g in model(data).glyphs() if g.show.state.font]
    bold = "".join(g.text for g in drawn if g.show.state.font and g.show.state.font.style.is_bold)
    assert "brown" in bold
    assert "fox" in bold
    assert "quick" not in bold
    red = "".join(g.text for g in drawn if g.show.state.fill == b"0.753 0 0 rg")
    assert red.strip() == "fox"


def test_a_property_is_set_in_info_and_in_xmp() -> None:
    import pikepdf

    with pikepdf.open(BytesIO(PAGE)) as document:
        with document.open_metadata() as packet:
            packet["dc:title"] = "Old title"
        out = BytesIO()
        document.save(out)
    data, report = edited(out.getvalue(), SetProperty("title", "Neuer Titel Ż 2026"))
    with pikepdf.open(BytesIO(data)) as document:
        assert str(document.docinfo["/Title"]) == "Neuer Titel Ż 2026"
        with document.open_metadata() as packet:
            assert packet["dc:title"] == "Neuer Titel Ż 2026"
    assert report.summary == "The property title set"
    plain, _ = edited(PAGE, SetProperty("author", "Ann Lee"))
    assert ("author", "Ann Lee") in reader.read(plain).properties
    assert b"/Metadata" not in plain


def book() -> bytes:
    """Three pages with the same header, numbered footers, and an outline."""
    import pymupdf

    document: Any = pymupdf.open()
    for number in range(1, 4):
        page = document.new_page(width=300, height=400)
        page.insert_text((40, 25), "Draft of the Agreement", fontsize=9)
        page.insert_text((40, 80), f"Chapter {'ABC'[number - 1]}", fontsize=18)
        page.insert_text((40, 120), f"Some words of text number {number}.", fontsize=10)
        page.insert_text((40, 385), f"Agreement, page {number}", fontsize=9)
    document.set_toc([[1, f"Chapter {name}", n] for n, name in enumerate("ABC", 1)])
    return bytes(document.tobytes())


def test_the_outline_follows_a_heading() -> None:
    import pymupdf

    target = next(t for t in known_in(book()) if t.text == "Chapter B")
    data, _ = edited(book(), ReplaceText(target.anchor, "Chapter", "Part"))
    opened: Any = pymupdf.open(stream=data, filetype="pdf")
    assert [title for _, title, _ in opened.get_toc()] == ["Chapter A", "Part B", "Chapter C"]


def test_running_headers_are_stories_of_their_own() -> None:
    body, header, footer = reader.read(book()).stories
    assert (body.kind, header.kind, footer.kind) == ("body", "header", "footer")
    assert [each.anchor for each in (*header.blocks, *footer.blocks)] == ["p1.h1", "p1.f1"]
    found = [(t.anchor, t.text) for t in known_in(book()) if t.story == "footer"]
    assert found == [(f"p{n}.f1", f"Agreement, page {n}") for n in (1, 2, 3)]


def test_a_header_is_changed_on_every_page_that_has_it() -> None:
    data, report = edited(book(), ReplaceText("p1.h1", "Draft of the", "Final"))
    assert [t.text for t in known_in(data) if t.story == "header"] == ["Final Agreement"] * 3
    assert [r.story for r in report.revisions] == ["header"] * 3
    data, report = edited(book(), FindReplace("Agreement", "Contract", scope="footers"))
    assert [t.text for t in known_in(data) if t.story == "footer"] == [
        f"Contract, page {n}" for n in (1, 2, 3)
    ]
    assert [t.text for t in known_in(data) if t.story == "header"] == ["Draft of the Agreement"] * 3
