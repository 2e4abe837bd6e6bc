"""Cases 16 and 17: forms are filled, and edited beside their fields."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from redraft.engine import editor
from redraft.engine.pdf.form_fields import fields
from redraft.engine.pdf.glyphs.target_blocks import known_in
from redraft.engine.pdf.plan_faults import faults
from redraft.engine.plan import (
    EditPlan,
    Operation,
    ReplaceText,
    RotatePages,
    SetField,
    SetProperty,
)
from redraft.engine.report import StoredVersion
from tests.engine.pdf import judges
from tests.engine.pdf.acceptance.documents import (
    BY_ANN,
    LINE,
    all_bytes,
    beside,
    block,
    edited,
    held,
    texts,
    with_field,
)
from tests.engine.pdf.judges import sound
from tests.engine.pdf.paper import paper
from tests.engine.pdf.stream.streams import content


@pytest.mark.corpus
def test_cases_16_and_17_a_form_is_filled_and_the_page_stays(corpus: Path) -> None:
    data = held(corpus, "tika__testPDF_XFA_govdocs1_258578.pdf")
    before = fields(data)
    name = next(n for n, each in before.items() if not each.value)
    after, report = edited(data, SetField(name, "Zażółć"))
    now = fields(after)
    assert now[name].value == "Zażółć"
    assert {n: e.value for n, e in now.items() if n != name} == {
        n: e.value for n, e in before.items() if n != name
    }
    assert content(after) == content(data)
    sound(data, after)
    assert judges.widgets(after) == judges.widgets(data) | {name: "Zażółć"}
    old, new = judges.form(data), judges.form(after)
    assert len(old) == len(new) == 27
    assert sum(one != two for one, two in zip(old, new, strict=True)) == 1
    (box,) = judges.places_of_widget(after, name)
    assert judges.differences(data, after, 0, []) != (0, 0)
    assert judges.differences(data, after, 0, [box]) == (0, 0)
    assert "Zażółć" in judges.drawn_in_widget(after, name)
    assert {"/XFA", "/UR3"} <= set(re.findall(r"/XFA|/UR3", all_bytes(data).decode("latin-1")))
    assert not re.findall(rb"/XFA|/UR3", all_bytes(after))
    assert len(report.warnings) == 2


@pytest.mark.corpus
def test_words_and_pages_of_a_form_change_for_viewers_that_know_xfa_too(corpus: Path) -> None:
    data = held(corpus, "tika__testPDF_XFA_govdocs1_258578.pdf")
    operations: tuple[Operation, ...] = (
        ReplaceText("p1.b10", "only", "just"),
        RotatePages(1, 1, 90),
    )
    for operation in operations:
        after, report = edited(data, operation)
        assert b"/XFA" not in all_bytes(after)
        assert fields(after) == fields(data)
        assert any("XFA" in each for each in report.warnings)
    after, _ = edited(data, SetProperty("title", "A form"))
    assert b"/XFA" in all_bytes(after)


RIGHTS = (
    "The document's extended rights in Adobe Reader hold only for the file as it was; they "
    "were dropped",
    "The form's data in XML (XFA) holds the old words and was dropped; its fields stay",
)


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "count", "words", "old", "new", "warnings"),
    [
        ("tika__testPDF_XFA_govdocs1_258578.pdf", 27, "", "", "item", RIGHTS),
        ("pdfjs__issue17492.pdf", 15, "First name:", "First", "Given", ()),
        ("pdfjs__issue17492.pdf", 15, "Please fill out", "fields", "parts of it", ()),
    ],
)
def test_case_17_a_label_of_a_form_is_changed_and_its_fields_stay(
    corpus: Path, name: str, count: int, words: str, old: str, new: str, warnings: tuple[str, ...]
) -> None:
    """Each where it is, with what it holds, drawn as it was."""
    data = held(corpus, name)
    target = next(each for each in known_in(data) if words in each.text and len(each.text) > 8)
    word = old or re.findall(r"[a-z]{4,}", target.text)[0]
    after, report = edited(data, ReplaceText(target.anchor, word, new, 1))
    assert target.text.replace(word, new, 1) in texts(after)
    sound(data, after)
    assert len(judges.form(data)) == count
    assert judges.form(after) == judges.form(data)
    assert judges.widgets(after) == judges.widgets(data)
    assert report.warnings == warnings


def questionnaire() -> bytes:
    """Make a form of 49 fields, half of them filled, and two to sign in that nobody signed."""
    import pikepdf

    made = paper().text(72, 60, "Customer claim form, to be filled in by hand", size=14)
    for number in range(49):
        x, y = 72 + 240 * (number % 2), 90 + 26 * (number // 2)
        made.text(x, y, f"Question {number + 1}:")
        made.field(f"q{number + 1}", x + 80, y - 10, x + 190, y + 4, "Yes" * (number % 2))
    with pikepdf.open(BytesIO(made.data())) as document:
        page = document.pages[0].obj
        for number in range(2):
            signature = pikepdf.Dictionary(
                Type=pikepdf.Name.Annot,
                Subtype=pikepdf.Name.Widget,
                FT=pikepdf.Name.Sig,
                T=pikepdf.String(f"signature {number + 1}"),
                Rect=pikepdf.Array([72 + 200 * number, 40, 200 + 200 * number, 70]),
                P=page,
                F=4,
            )
            held = document.make_indirect(signature)
            page.Annots.append(held)
            document.Root.AcroForm.Fields.append(held)
        document.Root.AcroForm.SigFlags = 1
        out = BytesIO()
        document.save(out)
        return out.getvalue()


@pytest.mark.parametrize("is_tracked", [False, True])
def test_case_17_a_form_with_empty_signature_fields_is_not_signed_and_its_fields_stay(
    tmp_path: Path, is_tracked: bool
) -> None:
    data = questionnaire()
    target = block(data, "Customer claim")
    assert len(judges.form(data)) == 51
    plan = EditPlan("edit", "", (ReplaceText(target.anchor, "Customer claim", "Client's report"),))
    assert faults(data, plan, tracked=is_tracked) == ()
    source, done = tmp_path / "form.pdf", tmp_path / "done.pdf"
    source.write_bytes(data)
    report = editor.edit(
        StoredVersion(source, b""), done, plan, replace(BY_ANN, tracked=is_tracked)
    )
    after = done.read_bytes()
    assert report.warnings == ()
    assert target.text.replace("Customer claim", "Client's report") in texts(after)
    assert judges.form(after) == judges.form(data)
    assert judges.widgets(after) == judges.widgets(data)
    assert beside(data, after) == (0, 0)
    sound(data, after)
    with pikepdf_of(after) as document:
        assert document.Root.AcroForm.SigFlags == 1


def pikepdf_of(data: bytes) -> Any:
    import pikepdf

    return pikepdf.open(BytesIO(data))


def test_case_17_an_empty_signature_field_is_no_signature() -> None:
    after, _ = edited(with_field(LINE), ReplaceText("p1.b1", "brown", "red"))
    assert texts(after) == ["The quick red fox jumps"]


def form_with_font(resources: bool) -> bytes:
    """A form with one text field whose font is not one that MuPDF can write with."""
    import pikepdf

    data = paper().page().text(72, 100, "Height").data()
    with pikepdf.open(BytesIO(data)) as document:
        font = pikepdf.Dictionary(
            Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica
        )
        fonts = pikepdf.Dictionary(Font=pikepdf.Dictionary(F3=font))
        field: Any = document.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Widget, FT=pikepdf.Name.Tx,
                T=pikepdf.String("height"), V=pikepdf.String("150"), F=4,
                Rect=pikepdf.Array([120, 730, 220, 750]), DA=pikepdf.String("0 g /F3 11 Tf"),
            )
        )  # fmt: skip
        form: Any = pikepdf.Dictionary(Fields=pikepdf.Array([field]), NeedAppearances=True)
        if resources:
            form.DR = fonts
            field.DR = fonts
        document.Root.AcroForm = form
        document.pages[0].obj.Annots = pikepdf.Array([field])
        out = BytesIO()
        document.save(out)
        return out.getvalue()


@pytest.mark.parametrize("resources", [True, False])
def test_the_font_of_a_filled_field_is_among_the_resources_of_the_form(resources: bool) -> None:
    import pikepdf

    after, _ = edited(form_with_font(resources), SetField("height", "1483"))
    with pikepdf.open(BytesIO(after)) as document:
        form: Any = document.Root.AcroForm
        (field,) = form.Fields
        name = re.search(r"(/\S+) [\d.]+ Tf", str(field.DA))
        assert name is not None
        for holder in (form, field) if resources else (form,):
            assert name[1] in holder.DR.Font
