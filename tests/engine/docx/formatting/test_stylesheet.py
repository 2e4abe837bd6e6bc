"""Styles and lists that a document lacks are made; what it has is found and kept."""

from __future__ import annotations

import pytest

from redraft.engine.docx.formatting.builtin_styles import BUILTINS
from redraft.engine.docx.formatting.list_definitions import ListDefinitions
from redraft.engine.docx.formatting.stylesheet import Stylesheet
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.docx.styles import Styles
from redraft.engine.model import Heading, ListItem, Quote
from redraft.engine.plan import InsertBlocks, NewBlock
from redraft.engine.report import Selection
from tests.engine.redlining import Draft
from tests.engine.schema import errors
from tests.engine.wordml import abstract_num, docx, level, listed, p, style
from tests.oracle import members

KINDS = {
    "heading1": (Heading, 1),
    "heading4": (Heading, 4),
    "bullet": (ListItem, False),
    "bullet2": (ListItem, False),
    "numbered": (ListItem, True),
    "numbered3": (ListItem, True),
    "quote": (Quote, None),
}
NORMAL = style("Normal", default=True)


def shown(draft: Draft) -> list[object]:
    blocks = reader.read(Package.open(draft.data), "final").stories[0].blocks
    found: list[object] = []
    for block in blocks:
        match block:
            case Heading():
                found.append((Heading, block.level))
            case ListItem():
                found.append((ListItem, block.ordered))
            case Quote():
                found.append((Quote, None))
            case _:
                found.append("text")
    return found


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("styles", ["", NORMAL])
@pytest.mark.parametrize("kind", list(KINDS))
def test_a_block_of_a_kind_that_the_document_lacks_gets_words_own_style(
    kind: str, styles: str, strict: bool
) -> None:
    start = Draft.of(p("Some text"), styles=styles, strict=strict)
    draft = start.edit(InsertBlocks("p1", "after", (NewBlock(kind, "New"),)))  # pyright: ignore[reportArgumentType]
    assert shown(draft) == ["text", KINDS[kind]]
    assert draft.rejected == draft.original
    assert draft.accepted == ["Some text", "New"]
    assert errors(draft.data) == []


@pytest.mark.parametrize("name", list(BUILTINS))
@pytest.mark.parametrize("strict", [False, True])
def test_every_built_in_style_is_valid_and_stands_on_the_default_style(
    name: str, strict: bool
) -> None:
    package = Package.open(docx(p("a"), styles=style("Standard", default=True), strict=strict))
    identifier = Stylesheet(package).made(name)
    data = package.save()
    assert errors(data) == []
    styles = Package.open(data).read("word/styles.xml").decode()
    assert f'w:styleId="{identifier}"><w:name w:val="{BUILTINS[name].name}"/>' in styles
    assert '<w:basedOn w:val="Standard"/>' in styles
    assert Stylesheet(Package.open(data)).made(name) == identifier


def test_a_style_is_spliced_in_and_nothing_else_changes() -> None:
    data = docx(p("a"), styles=NORMAL + "<!-- odd  spacing -->")
    package = Package.open(data)
    Stylesheet(package).made("Heading 2")
    before, after = members(data), members(package.save())
    changed = {name for name in after if before.get(name) != after[name]}
    assert changed == {"word/styles.xml"}
    start, end = before["word/styles.xml"].split(b"</w:styles>")
    assert after["word/styles.xml"].startswith(start)
    assert after["word/styles.xml"].endswith(b"</w:styles>" + end)


def test_an_id_that_is_taken_or_named_by_paragraphs_is_not_used() -> None:
    styles = NORMAL + style("Heading1", name="Other", kind="character")
    assert Stylesheet(Package.open(docx(p("a"), styles=styles))).made("Heading 1") == "Heading1-1"
    named = Package.open(docx(p("a", style="Heading2"), styles=NORMAL))
    assert Stylesheet(named).made("Heading 2") == "Heading2-1"


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Clause Text", "Clause"),
        ("clause  text", "Clause"),
        ("Clause", "Clause"),
        ("Absatz", "Clause"),
        ("Überschrift 1", "berschrift1"),
        ("heading 1", "berschrift1"),
        ("Strong", None),
        ("Klausel", None),
    ],
)
def test_a_style_is_found_by_name_other_name_id_and_translated_name(
    name: str, found: str | None
) -> None:
    clause = style("Clause", name="Clause Text").replace(
        "<w:pPr>", '<w:aliases w:val="Absatz,Para"/><w:pPr>', 1
    )
    styles = clause + style("berschrift1", name="heading 1") + style("Strong", kind="character")
    assert Stylesheet(Package.open(docx(p("a"), styles=styles))).find(name) == found


def test_a_list_style_without_a_list_gets_one() -> None:
    styles = NORMAL + style("ListNumber", name="List Number")
    new = tuple(NewBlock("numbered", text) for text in ("One", "Two"))
    draft = Draft.of(p("a"), styles=styles).edit(InsertBlocks("p1", "after", new))
    blocks = reader.read(Package.open(draft.data), "final").stories[0].blocks
    assert [b.label for b in blocks if isinstance(b, ListItem)] == ["1.", "2."]


def test_new_numbering_stands_in_its_place_and_takes_free_ids() -> None:
    numbering = (
        abstract_num(4, level(0, "%1)"))
        + '<w:num w:numId="7"><w:abstractNumId w:val="4"/></w:num>'
        + '<w:numIdMacAtCleanup w:val="1"/>'
    )
    package = Package.open(docx(listed("a", num=7), numbering=numbering))
    lists = ListDefinitions(package)
    assert lists.define("bullet") == "8"
    assert lists.restarted("7", 0) == "9"
    assert errors(package.save()) == []
    root = package.tree("word/numbering.xml")
    assert [child.tag.rpartition("}")[2] for child in root] == [
        *("abstractNum", "abstractNum"),
        *("num", "num", "num"),
        "numIdMacAtCleanup",
    ]
    numbers = lists.numbering(Styles.of(package))
    labels = [numbers.label(num, 0) for num in ("7", "7", "9", "7")]
    assert [label.text for label in labels if label] == ["1)", "2)", "1)", "2)"]


def test_a_list_with_levels_of_its_own_keeps_them_when_it_begins_anew() -> None:
    override = f'<w:lvlOverride w:ilvl="1">{level(1, "(%2)", start=3)}</w:lvlOverride>'
    numbering = (
        abstract_num(0, level(0, "%1.", start=5), level(1, "%2."))
        + f'<w:num w:numId="1"><w:abstractNumId w:val="0"/>{override}</w:num>'
    )
    package = Package.open(docx(listed("a"), numbering=numbering))
    lists = ListDefinitions(package)
    first, second = lists.restarted("1", 0), lists.restarted("1", 1)
    numbers = lists.numbering(Styles.of(package))
    labels = [numbers.label(num, at) for num, at in (("1", 0), (first, 0), (second, 1))]
    assert [label.text for label in labels if label] == ["5.", "5.", "(3)"]
    assert errors(package.save()) == []


def test_rejecting_leaves_an_unused_style_and_the_same_text() -> None:
    start = Draft.of(p("a"), styles=NORMAL)
    draft = start.edit(InsertBlocks("p1", "after", (NewBlock("heading1", "H"),)))
    back = draft.decide("reject", Selection(all=True))
    assert members(back.data)["word/document.xml"] == members(start.data)["word/document.xml"]
