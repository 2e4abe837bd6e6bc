"""Content controls that show data: the data change along with the words."""

from __future__ import annotations

import pytest

from redraft.engine.docx.apply import initial_state
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.steps import bindings
from redraft.engine.errors import RefusedError
from redraft.engine.plan import (
    FindReplace,
    Operation,
    ReplaceText,
    RewriteBlock,
    SetField,
    SetProperty,
)
from redraft.engine.report import Selection
from tests.engine.redlining import Draft
from tests.engine.wordml import archive, docx, p, r, table, textbox
from tests.oracle import members

STORE = "{1B2C3D4E-0000-4000-8000-000000000001}"
CORE = "{6C3C8BC8-F283-45AE-878A-BAB7291924A1}"
ITEM, PROPERTIES = "customXml/item1.xml", "customXml/itemProps1.xml"
DATA = '<f:form xmlns:f="urn:form"><f:fee>10</f:fee><f:day paid="no">2026-01-02</f:day></f:form>'
RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
CORE_PREFIXES = (
    "xmlns:c='http://schemas.openxmlformats.org/package/2006/metadata/core-properties' "
    "xmlns:d='http://purl.org/dc/elements/1.1/'"
)


def bound(
    text: str,
    path: str = "/f:form[1]/f:fee[1]",
    *,
    store: str = STORE,
    prefixes: str = "xmlns:f='urn:form'",
    kind: str = "<w:text/>",
) -> str:
    binding = (
        f'<w:dataBinding w:prefixMappings="{prefixes}" w:xpath="{path}" w:storeItemID="{store}"/>'
    )
    inside = text if text.startswith("<w:p>") else r(text)
    return (
        f'<w:sdt><w:sdtPr><w:tag w:val="fee"/>{binding}{kind}</w:sdtPr>'
        f"<w:sdtContent>{inside}</w:sdtContent></w:sdt>"
    )


def with_data(*blocks: str, data: str = DATA, **parts: object) -> Draft:
    """A document with a store of custom XML data."""
    held = members(docx("".join(blocks), **parts))  # pyright: ignore[reportArgumentType]
    relations = "word/_rels/document.xml.rels"
    held[relations] = held[relations].replace(
        b"</Relationships>",
        f'<Relationship Id="rIdData" Type="{RELATED}customXml" Target="../{ITEM}"/>'
        "</Relationships>".encode(),
    )
    held[ITEM] = data.encode()
    held[PROPERTIES] = (
        f'<ds:datastoreItem ds:itemID="{STORE}" '
        'xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml"/>'
    ).encode()
    held["customXml/_rels/item1.xml.rels"] = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="rId1" Type="{RELATED}customXmlProps" Target="itemProps1.xml"/>'
        "</Relationships>"
    ).encode()
    whole = archive(held)
    return Draft(whole, initial_state(whole), whole)


def data_in(draft: Draft) -> str:
    return members(draft.data)[ITEM].decode()


def warnings(draft: Draft) -> tuple[str, ...]:
    assert draft.report is not None
    return draft.report.warnings


@pytest.mark.parametrize(
    "operation",
    [
        SetField("fee", "20"),
        ReplaceText("p1", "10", "20"),
        ReplaceText("p1", "Fee 10 net", "Fee 20 net"),
        RewriteBlock("p1", "Fee \u27e6cc1\u27e720\u27e6/cc1\u27e7 net"),
        FindReplace("10", "20"),
    ],
)
def test_the_words_are_tracked_and_the_data_set_and_that_is_said(operation: Operation) -> None:
    draft = with_data(p("Fee ", bound("10"), " net"))
    made = draft.edit(operation)
    assert made.redline == ["Fee [-10-]{+20+} net"]
    assert made.rejected == made.original
    assert "<f:fee>20</f:fee>" in data_in(made)
    assert bindings.CHANGED in warnings(made)
    changed = {
        name for name, held in members(made.data).items() if held != members(draft.data)[name]
    }
    assert changed == {ITEM, "word/document.xml"}


def test_a_part_of_the_words_and_several_of_them_are_stored_as_they_then_read() -> None:
    made = with_data(p("Fee ", bound("10 of 10 EUR"), " net")).edit(
        FindReplace("10", "20"), ReplaceText("p1", "EUR", "USD")
    )
    assert made.accepted == ["Fee 20 of 20 USD net"]
    assert "<f:fee>20 of 20 USD</f:fee>" in data_in(made)


def test_words_beside_a_bound_control_leave_its_data() -> None:
    draft = with_data(p("The fee is ", bound("10"), " EUR net of all taxes"))
    made = draft.edit(ReplaceText("p1", "fee is 10 EUR net", "price is 10 EUR gross"))
    assert data_in(made) == data_in(draft)
    assert warnings(made) == ()


@pytest.mark.parametrize("wrapped", ["{}", "<w:tbl><w:tblPr/><w:tblGrid/><w:tr>{}</w:tr></w:tbl>"])
def test_a_control_around_a_paragraph_or_a_cell_is_bound_as_well(wrapped: str) -> None:
    inside = bound(p("10"))
    if "<w:tr>" in wrapped:
        inside = inside.replace("<w:p>", "<w:tc><w:p>").replace("</w:p>", "</w:p></w:tc>")
    anchor = "t1.r1.c1.p1" if "<w:tr>" in wrapped else "p1"
    made = with_data(wrapped.format(inside), p("end")).edit(ReplaceText(anchor, "10", "20"))
    assert "<f:fee>20</f:fee>" in data_in(made)
    assert made.rejected == made.original


def test_of_several_bound_paragraphs_none_is_edited() -> None:
    draft = with_data(bound(p("10") + p("11")), p("1 end"))
    with pytest.raises(RefusedError, match="change the control in Word"):
        draft.edit(ReplaceText("p1", "10", "20"))
    everywhere = draft.edit(FindReplace("1", "2"))
    assert everywhere.accepted == ["10", "11", "2 end"]


DATE = '<w:date><w:dateFormat w:val="d MMMM yyyy"/><w:lid w:val="en"/>{}</w:date>'
BOX = "<w14:checkbox/>"
LIST = '<w:dropDownList><w:listItem w:displayText="Red" w:value="r"/></w:dropDownList>'


@pytest.mark.parametrize(
    ("kind", "value", "shown", "kept"),
    [
        (DATE.format(""), "2026-05-01", "1 May 2026", "2026-05-01T00:00:00"),
        (
            DATE.format('<w:storeMappedDataAs w:val="date"/>'),
            "1 May 2026",
            "1 May 2026",
            "2026-05-01",
        ),
        (
            DATE.format('<w:storeMappedDataAs w:val="text"/>'),
            "2026-05-01",
            "1 May 2026",
            "1 May 2026",
        ),
        (BOX, "checked", "\u2612", "true"),
        (LIST, "red", "Red", "r"),
    ],
)
def test_dates_states_and_options_are_stored_in_their_own_form(
    kind: str, value: str, shown: str, kept: str
) -> None:
    draft = with_data(p("Fee ", bound("10", kind=kind)))
    made = draft.edit(SetField("fee", value))
    assert made.accepted == [f"Fee {shown}"]
    assert f"<f:fee>{kept}</f:fee>" in data_in(made)
    with pytest.raises(RefusedError, match="stores apart"):
        draft.edit(ReplaceText("p1", "10", "20"))


def test_the_state_of_a_box_is_stored_as_it_was_and_an_attribute_can_be_bound() -> None:
    control = bound("\u2610", kind=BOX)
    made = with_data(p(control), data=DATA.replace("10", "0")).edit(SetField("fee", "checked"))
    assert "<f:fee>1</f:fee>" in data_in(made)
    paid = with_data(p(bound("no", "/f:form/f:day/@paid"))).edit(SetField("fee", "yes"))
    assert 'paid="yes"' in data_in(paid)


@pytest.mark.parametrize(
    "control",
    [
        bound("10", store="{00000000-0000-4000-8000-000000000009}"),
        bound("10", "/f:form/f:nothing"),
        bound("10", "/f:form["),
        bound("10", prefixes=""),
    ],
)
def test_without_the_data_only_the_words_change_and_that_is_said(control: str) -> None:
    draft = with_data(p("Fee ", control))
    made = draft.edit(SetField("fee", "20"))
    assert made.redline == ["Fee [-10-]{+20+}"]
    assert data_in(made) == data_in(draft)
    assert bindings.UNBOUND in warnings(made)


@pytest.mark.parametrize(
    "control",
    [
        bound("10", "/f:form"),
        bound("10")
        .replace("w:dataBinding", "w15:dataBinding")
        .replace(
            "<w:sdt>", '<w:sdt xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml">'
        ),
    ],
)
@pytest.mark.parametrize("operation", [SetField("fee", "20"), ReplaceText("p1", "10", "20")])
def test_data_that_hold_more_than_text_are_refused(control: str, operation: Operation) -> None:
    with pytest.raises(RefusedError, match="change the control in Word"):
        with_data(p("Fee ", control)).edit(operation)


def test_that_other_controls_show_the_same_data_is_said() -> None:
    made = with_data(p(bound("10")), p(bound("10"))).edit(ReplaceText("p1", "10", "20"))
    assert bindings.OTHERS in warnings(made)


def test_a_property_of_the_document_is_set_and_made_where_it_is_missing() -> None:
    path = "/c:coreProperties[1]/d:{}[1]"
    title = bound("Old", path.format("title"), store=CORE, prefixes=CORE_PREFIXES)
    subject = bound("None", path.format("subject"), store=CORE, prefixes=CORE_PREFIXES)
    draft = with_data(p(title), p(subject)).edit(SetProperty("title", "Old"))
    made = draft.edit(ReplaceText("p1", "Old", "New"), ReplaceText("p2", "None", "Some"))
    core = members(made.data)["docProps/core.xml"].decode()
    assert "title>New</" in core
    assert "subject>Some</" in core


def test_an_untracked_edit_sets_the_data() -> None:
    draft = with_data(p("Fee ", bound("10")), p("x"))
    made = draft.edit(SetField("fee", "20"), tracked=False)
    assert made.redline[0] == "Fee 20"
    assert "<f:fee>20</f:fee>" in data_in(made)


def test_rejecting_brings_back_the_words_only() -> None:
    made = with_data(p("Fee ", bound("10"))).edit(SetField("fee", "20"))
    rejected = made.decide("reject", Selection(all=True))
    assert rejected.redline == ["Fee 10"]
    assert "<f:fee>20</f:fee>" in data_in(rejected)


def test_bound_controls_of_headers_and_of_both_forms_of_a_text_box_change() -> None:
    made = with_data(p("x"), headers=[p("Fee ", bound("10"))]).edit(SetField("fee", "20"))
    assert "<f:fee>20</f:fee>" in data_in(made)
    boxed = with_data(p("host", textbox(p("Fee ", bound("10"))))).edit(SetField("fee", "20"))
    assert boxed.body.count(">20</w:t>") == 2
    assert "<f:fee>20</f:fee>" in data_in(boxed)


def test_the_data_are_found_by_the_words_of_a_control_in_a_control() -> None:
    inner = bound("10")
    content = f"{r('a fee of ')}{inner}{r(' EUR or so')}"
    outer = f"<w:sdt><w:sdtPr/><w:sdtContent>{content}</w:sdtContent></w:sdt>"
    made = with_data(p(outer)).edit(ReplaceText("p1", "fee of 10 EUR", "fee of 20 EUR"))
    assert "<f:fee>20</f:fee>" in data_in(made)


def test_the_main_part_opens_with_its_data_unharmed() -> None:
    made = with_data(p(bound("10")), table([bound("10")])).edit(SetField("cc1", "A & <B>"))
    package = Package.open(made.data)
    assert package.tree(ITEM)[0].text == "A & <B>"
