"""Words that a form field shows are changed by filling the field."""

from __future__ import annotations

from io import BytesIO

import pytest

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.form_fields import fields
from redraft.engine.pdf.glyphs.target_blocks import known_in
from redraft.engine.pdf.plan_faults import faults
from redraft.engine.pdf.tracked import redline
from redraft.engine.plan import EditPlan, FindReplace, Operation, ReplaceText
from redraft.engine.report import EditReport, Selection, Signature
from tests.engine.pdf.paper import Paper, paper

ANN = Signature("u1", "Ann Lee", "2026-11-22T06:30:00Z", tracked=False)


def form() -> Paper:
    made = paper()
    made.text(72, 80, "Please fill out the fields.")
    made.text(72, 120, "Name:").field("name", 150, 105, 400, 125, "Maria  Garzas of Spain")
    made.text(72, 160, "Town:").field("town", 150, 145, 400, 165, "Cork")
    return made


def anchor(data: bytes, words: str) -> str:
    return next(each.anchor for each in known_in(data) if words in each.text)


def edited(data: bytes, *operations: Operation) -> tuple[bytes, EditReport]:
    return apply(data, EditPlan("edit", "", operations), ANN)


def values(data: bytes) -> dict[str, str]:
    return {name: each.value for name, each in fields(data).items()}


@pytest.mark.parametrize(
    ("find", "new", "name"),
    [
        ("Garzas", "Smith", "Maria  Smith of Spain"),
        ("Garzas of", "Smith, from", "Maria  Smith, from Spain"),
        ("of Spain", "", "Maria  Garzas"),
    ],
)
def test_words_in_a_field_are_its_value(find: str, new: str, name: str) -> None:
    data = form().data()
    operation = ReplaceText(anchor(data, "Garzas"), find, new)
    after, report = edited(data, operation)
    assert {key: value.strip() for key, value in values(after).items()} == {
        "name": name,
        "town": "Cork",
    }
    (revision,) = report.revisions
    assert (revision.kind, revision.anchor, revision.where) == ("other", "name", "page 1")
    assert faults(data, EditPlan("edit", "", (operation,))) == ()


def test_fields_and_words_of_the_page_change_together() -> None:
    data = form().text(72, 200, "She lives in Cork now.").data()
    after, report = edited(data, FindReplace("Cork", "Galway"))
    assert values(after)["town"] == "Galway"
    assert any("She lives in Galway now." in each.text for each in known_in(after))
    assert len(report.revisions) == 2


def test_what_the_page_draws_is_no_field_though_one_has_the_same_value() -> None:
    made = paper().text(72, 80, "Please fill out the fields.").text(72, 120, "Town: Cork")
    data = made.text(72, 200, "Cork").field("town", 72, 245, 200, 265, "Cork").data()
    first, second = [each.anchor for each in known_in(data) if each.text == "Cork"]
    after, _ = edited(data, ReplaceText(first, "Cork", "Galway"))
    assert values(after) == {"town": "Cork"}
    assert [each.text for each in known_in(after)][-2:] == ["Galway", "Cork"]
    after, _ = edited(data, ReplaceText(second, "Cork", "Galway"))
    assert values(after) == {"town": "Galway"}
    assert [each.text for each in known_in(after)][-2:] == ["Cork", "Galway"]


def test_a_value_among_the_words_of_a_page_leaves_them_theirs() -> None:
    data = form().text(72, 200, "She lives in Cork now.").data()
    after, _ = edited(data, ReplaceText(anchor(data, "She"), "Cork", "Galway"))
    assert values(after)["town"] == "Cork"
    assert known_in(after)[-1].text == "She lives in Galway now."


def test_what_two_fields_say_is_not_filled_by_guess() -> None:
    data = form().field("other", 150, 205, 400, 225, "Cork").data()
    with pytest.raises(RefusedError, match="form field"):
        edited(data, ReplaceText(anchor(data, "Cork"), "Cork", "Galway", 1))


def test_it_is_a_tracked_change_that_can_be_rejected() -> None:
    data = form().data()
    plan = EditPlan("edit", "", (ReplaceText(anchor(data, "Cork"), "Cork", "Galway"),))
    after, report = redline.edit(data, data, b"", plan, ANN)
    (change,) = redline.changes(data, after, report.state)
    assert (change.before, change.after, change.author) == ("Cork", "Galway", "Ann Lee")
    back, _ = redline.resolve(data, after, report.state, "reject", Selection(all=True))
    assert back == data


def test_a_value_that_the_field_cannot_show_is_filled_with_a_warning() -> None:
    import pikepdf

    with pikepdf.open(BytesIO(form().data())) as document:
        for each in document.pages[0].obj.Annots:
            each.DA = pikepdf.String("/Helv 12 Tf 0 g")
        out = BytesIO()
        document.save(out)
    data = out.getvalue()
    operation = ReplaceText(anchor(data, "Cork"), "Cork", "Galway " * 20 + "West")
    after, report = edited(data, operation)
    assert values(after)["town"] == "Galway " * 20 + "West"
    assert report.warnings == ('The form field "town" is too small to show all of its value',)
