"""Document properties: set in their part, which is made where it is missing."""

from __future__ import annotations

import pytest

from redraft.engine.docx.apply import initial_state
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.reader import read
from redraft.engine.errors import EditError
from redraft.engine.plan import ReplaceText, SetProperty
from tests.engine.redlining import Draft
from tests.engine.wordml import archive, p
from tests.oracle import members


def properties(draft: Draft) -> dict[str, str]:
    return dict(read(Package.open(draft.data)).properties)


@pytest.mark.parametrize(
    ("name", "element"),
    [
        ("title", "title"),
        ("Subject", "subject"),
        ("author", "creator"),
        ("keywords", "keywords"),
        ("comments", "description"),
        ("category", "category"),
    ],
)
def test_a_property_is_set_in_a_part_that_is_made_once(name: str, element: str) -> None:
    draft = Draft.of(p("text")).edit(SetProperty(name, "R&D “plan”"))
    assert properties(draft) == {element: "R&D “plan”"}
    again = draft.edit(SetProperty(name, "Other"))
    assert properties(again) == {element: "Other"}
    held = members(again.data)
    assert [part for part in held if "core" in part] == ["docProps/core.xml"]
    assert held["[Content_Types].xml"].count(b"core-properties+xml") == 1
    assert held["_rels/.rels"].count(b"metadata/core-properties") == 1
    assert again.changes == ()


def test_it_goes_with_words_of_the_same_plan_and_is_said_not_to_be_tracked() -> None:
    draft = Draft.of(p("old text")).edit(
        ReplaceText("p1", "old", "new"), SetProperty("title", "T"), SetProperty("author", "A")
    )
    assert draft.redline == ["[-old-]{+new+} text"]
    assert draft.report is not None
    assert draft.report.warnings == (
        "Word does not track document properties: this change cannot be rejected",
    )
    assert members(draft.data)["word/document.xml"] != members(draft.upload)["word/document.xml"]


def test_the_same_value_changes_nothing() -> None:
    draft = Draft.of(p("text")).edit(SetProperty("title", "T"))
    assert draft.edit(SetProperty("title", "T")).data == draft.data
    assert Draft.of(p("text")).edit(SetProperty("title", "")).report is not None


@pytest.mark.parametrize(("name", "value"), [("pages", "3"), ("title", "a\x00b")])
def test_what_cannot_be_set_is_said(name: str, value: str) -> None:
    said = "there are title, subject" if name == "pages" else "control character"
    with pytest.raises(EditError, match=said):
        Draft.of(p("text")).edit(SetProperty(name, value))


@pytest.mark.parametrize(
    ("declared", "name"),
    [
        ("application/vnd.openxmlformats-package.core-properties+xml", "docProps/core.xml"),
        ("application/xml", "docProps/core2.xml"),
    ],
)
def test_the_part_is_declared_once_where_a_lost_one_left_its_declaration(
    declared: str, name: str
) -> None:
    types = "[Content_Types].xml"
    files = members(Draft.of(p("text")).data)
    override = f'<Override PartName="/docProps/core.xml" ContentType="{declared}"/></Types>'
    files[types] = files[types].replace(b"</Types>", override.encode())
    data = archive(files)
    draft = Draft(data, initial_state(data), data).edit(SetProperty("author", "Ann Lee"))
    assert properties(draft) == {"creator": "Ann Lee"}
    after = members(draft.data)
    assert after[types].count(f'"/{name}"'.encode()) == 1
    assert after[types].count(b'"/docProps/core.xml"') == 1
