"""Two versions become one redline: rejected it is the first, accepted the second.

The judge is `tests.oracle`, which shares no code with the engine.
"""

from __future__ import annotations

import pytest

from redraft.engine import tokens
from redraft.engine.compare.differences import differences
from redraft.engine.compare.redlining import Redline, compare
from redraft.engine.compare.versions import read
from redraft.engine.docx.opc.package import Package
from redraft.engine.plan import InsertBlocks, InsertRow
from redraft.engine.report import Signature
from redraft.engine.state import State
from tests.engine.compare.made_pairs import pair
from tests.engine.wordml import (
    abstract_num,
    docx,
    field,
    footnote,
    level,
    listed,
    note,
    num,
    p,
    picture,
    r,
    style,
    table,
    textbox,
)
from tests.oracle import Frozen, accept, judged, keep, members, only, texts

AUTHOR = "Comparison"
SIGNED = Signature("9f1c", AUTHOR, "2026-11-22T10:00:00Z", tracked=True)


def redline(first: bytes, second: bytes) -> Redline:
    """Compares, and holds the result against both versions."""
    found = compare(first, second, SIGNED)
    assert judged(found.data, only(AUTHOR, "reject")) == judged(first, keep)
    return found


def seen(data: bytes) -> list[object]:
    """Returns the paragraphs with all changes accepted: alignment, and each word with its look.

    Blanks have none, and complex scripts have the one of the others.
    """
    return [
        (
            frozen_values(paragraph.properties),
            [
                (word, frozen_values(piece.properties))
                for piece in paragraph.pieces
                for word in piece.text.split()
            ],
        )
        for paragraph in judged(data, accept)["word/document.xml"]
    ]


def frozen_values(properties: Frozen | None) -> list[tuple[str, object]]:
    """Returns what properties say, but for complex scripts and for what is so without them."""
    children = () if properties is None else properties[3]
    said = [(name.rpartition("}")[2], dict(values)) for name, values, _, _ in children]
    plain = [{"val": "left"}, {"val": "0"}]
    named = [(name, {k.rpartition("}")[2]: v for k, v in values.items()}) for name, values in said]
    return sorted(
        (name, str(values))
        for name, values in named
        if name not in ("bCs", "iCs", "szCs", "rPr") and values not in plain
    )


@pytest.mark.parametrize("seed", range(60))
def test_random_edits_come_back_with_their_formatting(seed: int) -> None:
    first, second, _ = pair(seed)
    found = redline(first, second)
    assert texts(judged(found.data, accept)) == texts(judged(second, accept))
    assert seen(found.data) == seen(second)
    assert found.remains == ()


def test_equal_documents_give_no_mark() -> None:
    data = docx(p("One") + p("Two"))
    found = compare(data, data, SIGNED)
    assert found.data == data
    assert found.revisions == ()
    assert found.remains == ()


def test_a_field_that_became_plain_text_is_no_change() -> None:
    first = docx(p(r("See "), field("REF a", "Section 7"), r(" for the terms.")))
    second = docx(p(r("See Section 7 for all terms.")))
    found = redline(first, second)
    assert [(c.before, c.after) for c in found.revisions] == [("the", "all")]


def test_other_parts_keep_their_bytes() -> None:
    first, second = docx(p("One word"), styles=style("A")), docx(p("Two words"), styles=style("A"))
    found = redline(first, second)
    before, after = members(first), members(found.data)
    assert [name for name in after if after[name] != before[name]] == ["word/document.xml"]


def test_what_cannot_be_tracked_is_named() -> None:
    landscape = '<w:sectPr><w:pgSz w:w="16838" w:h="11906"/></w:sectPr>'
    found = redline(docx(p("One")), docx(p("One"), section=landscape))
    assert found.revisions == ()
    assert [sentence[:11] for sentence in found.remains] == ["Page set-up"]


def test_the_words_of_notes_are_compared() -> None:
    first = docx(p(r("Text"), note("2")), footnotes=footnote("2", p("An old note.")))
    second = docx(p(r("Text"), note("2")), footnotes=footnote("2", p("A new note.")))
    found = redline(first, second)
    assert texts(judged(found.data, accept)) == texts(judged(second, accept))


def test_a_new_footnote_stands_where_it_stands_in_the_second_version() -> None:
    first = docx(p(r("One word, and one word more.")), footnotes=footnote("2", p("Unused.")))
    second = docx(
        p(r("One word, and one word"), note("2"), r(" more.")), footnotes=footnote("2", p("Why?"))
    )
    found = redline(first, second)
    document = read(Package.open(found.data), State()).stories
    notes = {story.anchor: story.blocks[0].text.strip() for story in document}
    assert tokens.write(document[0].blocks[0].pieces) == "One word, and one word⟦fn1⟧ more."
    assert notes["fn1"] == "Why?"
    assert found.remains == ()


def test_a_footnote_that_the_second_version_has_not_is_deleted() -> None:
    first = docx(p(r("Text"), note("2"), r(" goes on.")), footnotes=footnote("2", p("A note.")))
    found = redline(first, docx(p(r("Text goes on."))))
    assert texts(judged(found.data, accept))["word/document.xml"][0] == "Text goes on."
    assert found.remains == ()


def test_a_text_box_that_only_the_second_version_has_is_brought() -> None:
    first = docx(p("One.") + p("Two.") + p("Three."))
    second = docx(p("One.") + p(r("Two."), textbox(p("In a box."))) + p("Three."))
    found = redline(first, second)
    assert texts(judged(found.data, accept)) == texts(judged(second, accept))
    assert found.remains == ()
    assert members(found.data).keys() == members(first).keys()


def test_a_text_box_comes_with_its_picture() -> None:
    image = b"\x89PNG\r\n"
    second = docx(
        p("One.") + p(r("Two."), textbox(p(picture("rId9")))) + p("Three."),
        relations={"rId9": ("image", "media/image1.png")},
        media={"media/image1.png": image},
    )
    found = redline(docx(p("One.") + p("Two.") + p("Three.")), second)
    assert found.remains == ()
    assert members(found.data)["word/media/image1.png"] == image


def test_a_new_picture_is_brought_once_however_often_it_is_shown() -> None:
    image = b"\x89PNG\r\n"
    both = {
        "relations": {"rId9": ("image", "media/image1.png")},
        "media": {"media/image1.png": image},
    }
    first = docx(p("One.") + p("Two."))
    second = docx(p(r("One."), picture("rId9")) + p("Two.") + p(picture("rId9")), **both)  # pyright: ignore[reportArgumentType]
    found = redline(first, second)
    assert found.remains == ()
    assert [d for name, d in members(found.data).items() if "media" in name] == [image]


def test_what_refers_to_a_part_that_cannot_be_brought_is_named() -> None:
    own = '<w:r><w:object><w:control r:id="rId9"/></w:object></w:r>'
    second = docx(
        p("One.") + p(r("Two."), own),
        relations={"rId9": ("control", "media/control.bin")},
        media={"media/control.bin": b"x"},
    )
    found = redline(docx(p("One.") + p("Two.")), second)
    assert found.revisions == ()
    assert found.remains != ()


def test_a_new_endnote_comes_into_a_document_without_any() -> None:
    first = docx(p("A word and another."))
    second = docx(
        p(r("A word"), note("2", "endnote"), r(" and another.")),
        endnotes=footnote("2", p("Why?"), p(r("Because.", "<w:b/>")), kind="endnote"),
    )
    found = compare(first, second, SIGNED)
    before, rejected = judged(first, keep), judged(found.data, only(AUTHOR, "reject"))
    assert {part: rejected[part] for part in before} == before
    assert [
        text for part, more in texts(rejected).items() if part not in before for text in more
    ] in (
        [],
        ["", ""],
    )
    stories = read(Package.open(found.data), State()).stories
    notes = [[block.text for block in s.blocks] for s in stories if s.kind == "endnote"]
    assert notes == [["Why?", "Because."]]
    assert found.remains == ()


def test_a_new_item_joins_the_list_of_its_neighbours() -> None:
    lists = abstract_num(0, level(0, "%1.")) + num(1, 0) + num(2, 0)
    own = abstract_num(7, level(0, "%1.")) + num(4, 7)
    first = docx(listed("One", num=2) + listed("Two", num=2), numbering=lists)
    second = docx(
        "".join(listed(text, num=4) for text in ("One", "Quite new", "Two")), numbering=own
    )
    found = redline(first, second)
    document = members(found.data)["word/document.xml"]
    assert document.count(b'<w:numId w:val="2"/>') == 3
    assert members(found.data)["word/numbering.xml"] == members(first)["word/numbering.xml"]
    assert found.remains == ()


def test_a_new_list_brings_its_definition() -> None:
    own = abstract_num(7, level(0, "%1)", "lowerRoman")) + num(4, 7)
    lists = abstract_num(0, level(0, "%1.")) + num(1, 0)
    first = docx(p("Before") + p("After"), numbering=lists)
    second = docx(p("Before") + listed("New", num=4) + p("After"), numbering=own)
    found = redline(first, second)
    assert b'"lowerRoman"' in members(found.data)["word/numbering.xml"]
    assert b'<w:numId w:val="2"/>' in members(found.data)["word/document.xml"]
    assert found.remains == ()


def test_formatting_is_written_as_the_second_version_has_it() -> None:
    first = docx(p(r("All these words."), properties='<w:jc w:val="left"/>'))
    second = docx(
        p(
            r("All "), r("these", '<w:b/><w:shd w:val="clear" w:fill="FFFF00"/>'), r(" new words.")
        ).replace("<w:p>", '<w:p><w:pPr><w:pBdr><w:top w:val="single"/></w:pBdr></w:pPr>')
    )
    found = redline(first, second)
    assert seen(found.data) == seen(second)
    assert found.remains == ()
    document = members(found.data)["word/document.xml"]
    assert document.count(b"<w:rPrChange ") == document.count(b"<w:pPrChange ") == 1


def test_what_a_reader_does_not_see_is_no_change_of_formatting() -> None:
    first = docx(p(r("Some words.", '<w:b/><w:lang w:val="en-GB"/>')))
    second = docx(p(r("Some words.", '<w:b/><w:bCs/><w:lang w:val="de-DE"/>')))
    assert redline(first, second).revisions == ()


def test_the_only_paragraph_of_a_cell_stays_when_all_its_words_change() -> None:
    first = docx(table(["one", "two"], ["three", "four"]) + p(""))
    second = docx(table(["one", "quite other words"], ["three", "four"]) + p(""))
    found = redline(first, second)
    document = members(found.data)["word/document.xml"]
    assert document.count(b"<w:p>") == members(first)["word/document.xml"].count(b"<w:p>")


def test_that_the_state_of_a_control_is_not_tracked_is_named() -> None:
    shown = "<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>"
    first = docx(p(shown.format(r("Type your name"))) + p("End"))
    second = docx(p(shown.format(r("Give your name"))) + p("End"))
    found = compare(first, second, SIGNED)
    assert any("content control" in sentence for sentence in found.remains)


def test_that_a_document_is_protected_is_no_difference() -> None:
    protected = '<w:documentProtection w:edit="readOnly" w:enforcement="1"/>'
    first, second = (docx(p(text), settings=protected) for text in ("One word", "Two words"))
    assert redline(first, second).remains == ()


def test_a_new_table_looks_as_in_the_second_version() -> None:
    grid = table(["a", "b"]).replace(
        "<w:tblPr/>", '<w:tblPr><w:tblStyle w:val="Lines"/><w:jc w:val="center"/></w:tblPr>'
    )
    second = docx(p("One") + grid + p("Two"), styles=style("Lines", kind="table"))
    found = redline(docx(p("One") + p("Two"), styles=style("Normal")), second)
    assert b'<w:tblStyle w:val="Lines"/>' in members(found.data)["word/document.xml"]
    assert b'w:styleId="Lines"' in members(found.data)["word/styles.xml"]
    assert found.remains == ()


def test_a_style_of_another_name_does_not_take_the_place_of_one_with_the_same_id() -> None:
    first = docx(p("One") + p("Two"), styles=style("S1", name="Mine", rpr="<w:b/>"))
    second = docx(p("One") + p("Fresh", style="S1") + p("Two"), styles=style("S1", name="Other"))
    found = redline(first, second)
    assert b'<w:pStyle w:val="S1-1"/>' in members(found.data)["word/document.xml"]
    assert found.remains == ()


def test_a_style_that_only_the_second_version_has_comes_along() -> None:
    own = style("Clause", ppr='<w:jc w:val="center"/>')
    first = docx(p("One") + p("Two"), styles=style("Normal"))
    second = docx(p("One") + p("Two", style="Clause"), styles=style("Normal") + own)
    found = redline(first, second)
    assert b'"Clause"' in members(found.data)["word/styles.xml"]
    assert [change.kind for change in found.revisions] == ["format"]
    assert found.remains == ()


def test_a_repeated_clause_is_marked_where_it_was_edited() -> None:
    clause = "The supplier shall deliver the goods within ten days."
    first = docx("".join(p(clause) for _ in range(9)))
    edited = [clause] * 9
    edited[5] = clause.replace("ten", "twenty")
    found = redline(first, docx("".join(map(p, edited))))
    assert [(c.before, c.after) for c in found.revisions] == [("ten", "twenty")]


def test_rows_are_inserted_and_deleted_as_rows() -> None:
    first = docx(table(["a", "b"], ["c", "d"], ["e", "f"]) + p(""))
    second = docx(table(["a", "b"], ["e", "f"], ["g", "h"]) + p(""))
    found = redline(first, second)
    assert {change.kind for change in found.revisions} == {"row"}
    assert texts(judged(found.data, accept)) == texts(judged(second, accept))


def test_nothing_is_deleted_for_what_cannot_be_inserted() -> None:
    first = docx(p("One") + p("Apples and pears") + p("Three"))
    second = docx(p("One") + p("Quite another matter") + p("Three"))
    versions = [read(Package.open(data), State()) for data in (first, second)]
    found = differences(versions[0], versions[1])
    keys = [transfer.key for transfer in found.transfers]
    assert keys == [("p2",)]
    operations = differences(versions[0], versions[1], (), keys).operations
    assert sorted(type(one).__name__ for one in operations) == ["DeleteBlocks", "InsertBlocks"]
    refused = [one for one in operations if isinstance(one, InsertBlocks)]
    assert differences(versions[0], versions[1], refused, keys).operations == []


def test_no_row_is_deleted_for_one_that_cannot_be_inserted() -> None:
    rows = [["a", "b"], ["one", "two"], ["c", "d"]]
    first = docx(table(*rows) + p("End"))
    second = docx(table(rows[0], ["quite", "other words"], rows[2]) + p("End"))
    versions = [read(Package.open(data), State()) for data in (first, second)]
    operations = differences(versions[0], versions[1]).operations
    refused = [one for one in operations if isinstance(one, InsertRow)]
    assert len(refused) == 1
    assert differences(versions[0], versions[1], refused).operations == []
