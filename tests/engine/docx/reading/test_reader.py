"""The tree of a Word document: stories, anchors, ids and notices; views of tracked changes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from redraft.engine.docx.anchors import locate
from redraft.engine.docx.names import W_DEL, W_MOVE_FROM, W_P, W_PPR, W_RPR, W_T, Element
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.reader import read
from redraft.engine.errors import EngineError, TooLargeError
from redraft.engine.markdown.document import write
from redraft.engine.model import (
    Block,
    Change,
    Control,
    Document,
    Field,
    Heading,
    Image,
    Link,
    ListItem,
    Mark,
    NoteReference,
    Paragraph,
    Story,
    Table,
    Text,
    View,
)
from tests.engine.rendered import markdown_text, squeezed, tree_text
from tests.engine.wordml import (
    archive,
    dele,
    docx,
    field,
    footnote,
    heading_style,
    ins,
    link,
    note,
    p,
    picture,
    r,
    table,
    tc,
    textbox,
)

VIEWS: tuple[View, ...] = ("final", "original", "markup")
GONE = '<w:rPr><w:del w:id="9" w:author="Ann"/></w:rPr>'


def tree(data: bytes, view: View = "final") -> Document:
    return read(Package.open(data), view)


def blocks(data: bytes, view: View = "final") -> tuple[Block, ...]:
    return tree(data, view).body.blocks


def story(document: Document, anchor: str) -> Story:
    return next(s for s in document.stories if s.anchor == anchor)


def every_block(content: tuple[Block, ...]) -> Iterator[Block]:
    for block in content:
        yield block
        if isinstance(block, Table):
            for row in block.rows:
                for cell in row.cells:
                    yield from every_block(cell.blocks)


def test_equal_runs_are_one_text_with_its_marks() -> None:
    (block,) = blocks(docx(p(r("a", "<w:b/>"), r("b", "<w:b/>"), r("c"))))
    assert block == Paragraph("p1", (Text("ab", Mark.BOLD), Text("c")))


def test_empty_paragraphs_stay_in_the_tree_with_their_anchor() -> None:
    assert [b.anchor for b in blocks(docx(p("a") + p() + p("b")))] == ["p1", "p2", "p3"]


def test_joined_paragraphs_carry_the_anchor_and_style_of_the_last() -> None:
    data = docx(
        p("one ", properties=GONE) + p("two", style="Heading2") + p("three"),
        styles=heading_style(2),
    )
    first, second = blocks(data)
    assert isinstance(first, Heading)
    assert (first.anchor, first.level, first.content) == ("p2", 2, (Text("one "), Text("two")))
    assert second.anchor == "p3"


def test_a_paragraph_that_cannot_join_a_table_stands_alone_or_is_gone() -> None:
    data = docx(p("a", properties=GONE) + table(["x"]) + p(dele("b"), properties=GONE))
    assert [b.anchor for b in blocks(data)] == ["p1", "t1"]


def test_fields_and_controls_are_numbered_through_the_stories() -> None:
    control = (
        '<w:sdt><w:sdtPr><w:lock w:val="contentLocked"/></w:sdtPr>'
        "<w:sdtContent>{}</w:sdtContent></w:sdt>"
    )
    data = docx(
        p(field(" REF a ", "A"), control.format(r("in"))) + p(field(" PAGE ", "2")),
        headers=[p(field(" PAGE ", "1"))],
    )
    document = tree(data)
    first = document.body.blocks[0]
    assert isinstance(first, Paragraph)
    assert first.content == (
        Field("x1", "REF a", (Text("A"),)),
        Control("cc1", (Text("in"),), locked=True),
    )
    header = story(document, "h1").blocks[0]
    assert isinstance(header, Paragraph)
    assert header.content == (Field("x3", "PAGE", (Text("1"),)),)
    assert story(document, "h1").name == "default"


def test_a_placeholder_is_read_as_what_an_empty_control_shows() -> None:
    control = "<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>"
    (block,) = blocks(docx(p(control.format(r("Click")))))
    assert block == Paragraph("p1", (Control("cc1", (Text("Click"),), placeholder=True),))


def test_a_link_holds_its_target_title_and_text() -> None:
    data = docx(
        p(link("rId7", "here").replace("<w:hyperlink", '<w:hyperlink w:tooltip="Tip"')),
        relations={"rId7": ("hyperlink", "https://example.org/")},
    )
    (block,) = blocks(data)
    assert block == Paragraph("p1", (Link("https://example.org/", (Text("here"),), "Tip"),))


def test_a_link_over_two_paragraphs_goes_on() -> None:
    begin = field(' HYPERLINK "https://example.org/" ', "one").removesuffix(
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    data = docx(p(begin) + p(r("two"), '<w:r><w:fldChar w:fldCharType="end"/></w:r>', r(" out")))
    targets = [
        [i.target if isinstance(i, Link) else "" for i in b.content]
        for b in blocks(data)
        if isinstance(b, Paragraph)
    ]
    assert targets == [["https://example.org/"], ["https://example.org/", ""]]


def test_pictures_keep_their_id_in_every_view() -> None:
    gone = p(dele("x").replace("<w:r>", picture("rId7", alt="first") + "<w:r>", 1))
    data = docx(
        gone + p(picture("rId8", alt="second")),
        relations={"rId7": ("image", "media/a.png"), "rId8": ("image", "media/b.png")},
        media={"media/a.png": b"1", "media/b.png": b"2"},
    )
    (block,) = (b for b in blocks(data) if isinstance(b, Paragraph) and b.anchor == "p2")
    assert block.content == (Image("im2", "second", "media/b.png"),)
    assert "![first](media/a.png)" in write(tree(data, "original"))
    notes = [(i.image_id, i.caption) for i in tree(data).images]
    assert notes == [("media/a.png", "first"), ("media/b.png", "second")]


def test_a_missing_picture_is_a_notice() -> None:
    data = docx(p(picture("rId7", alt="lost")), relations={"rId7": ("image", "media/gone.png")})
    document = tree(data)
    assert [n.code for n in document.notices] == ["missing-image"]
    assert write(document) == "![lost](media/gone.png)\n"


def test_notes_are_numbered_by_what_the_view_shows() -> None:
    data = docx(
        p("a", dele("x").replace("<w:r>", note("1") + "<w:r>", 1), note("2")),
        footnotes=footnote("1", p("one")) + footnote("2", p("two")),
    )
    final, original = tree(data), tree(data, "original")
    assert [(s.anchor, s.label) for s in final.stories if s.kind == "footnote"] == [("fn2", "1")]
    labels = [(s.anchor, s.label) for s in original.stories if s.kind == "footnote"]
    assert labels == [("fn1", "1"), ("fn2", "2")]


def test_a_custom_note_mark_is_the_label_and_no_text() -> None:
    marked = '<w:r><w:footnoteReference w:id="1" w:customMarkFollows="1"/><w:t>*</w:t></w:r>'
    (block,) = blocks(docx(p("a", marked), footnotes=footnote("1", p("n"))))
    assert block == Paragraph("p1", (Text("a"), NoteReference("footnote", "fn1", "*")))


def test_a_reference_to_a_missing_note_is_a_notice() -> None:
    document = tree(docx(p("a", note("7"))))
    assert [n.code for n in document.notices] == ["missing-note"]


def test_a_text_box_names_the_block_it_hangs_on() -> None:
    data = docx(p("a", properties=GONE) + p("host", textbox(p("boxed"))) + p("end"))
    assert story(tree(data), "tb1").host == "p2"


def test_a_text_box_in_deleted_text_is_not_in_the_final_view() -> None:
    gone = dele("x").replace("<w:r>", textbox(p("boxed")) + "<w:r>", 1)
    data = docx(p("a", gone))
    assert [s.anchor for s in tree(data).stories] == [""]
    assert [s.anchor for s in tree(data, "original").stories] == ["", "tb1"]


def test_comments_are_stories_with_author_and_host() -> None:
    comment = f'<w:comment w:id="4" w:author="Ann" w:initials="A">{p("Why?")}</w:comment>'
    data = docx(p("a") + p("b", '<w:r><w:commentReference w:id="4"/></w:r>'), comments=comment)
    found = story(tree(data), "c1")
    assert (found.name, found.label, found.host) == ("Ann", "A", "p2")


def test_bookmarks_name_the_block_they_begin_in() -> None:
    mark = '<w:bookmarkStart w:id="0" w:name="{}"/>'
    data = docx(p(mark.format("a"), "x") + mark.format("b") + p("y"))
    assert tree(data).bookmarks == (("a", "p1"), ("b", "p2"))


def test_changes_carry_author_and_revision_in_the_markup_view() -> None:
    (block,) = blocks(docx(p(dele("a", id=5, author="Bob"), ins(r("b"), id=6))), "markup")
    assert block == Paragraph(
        "p1",
        (
            Text("a", change=Change("deletion", "Bob", "5")),
            Text("b", change=Change("insertion", "Ann", "6")),
        ),
    )


def test_inserted_numbering_is_not_in_the_original() -> None:
    numbered = (
        '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/><w:ins w:id="1" w:author="A"/></w:numPr>'
    )
    numbering = (
        '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/>'
        '<w:lvlText w:val="%1."/></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )
    data = docx(p("a", properties=numbered), numbering=numbering)
    assert isinstance(blocks(data)[0], ListItem)
    assert isinstance(blocks(data, "original")[0], Paragraph)


def test_a_tracked_merge_of_cells_reads_by_view() -> None:
    merge = '<w:cellMerge w:id="1" w:author="A" w:vMerge="cont" w:vMergeOrig="rest"/>'
    rows = f"<w:tr>{tc('a')}</w:tr><w:tr>{tc('b', merge)}</w:tr>"
    data = docx(f"<w:tbl><w:tblPr/><w:tblGrid/>{rows}</w:tbl>")
    assert write(tree(data)) == "| a |\n| --- |\n|  |\n"
    assert write(tree(data, "original")) == "| a |\n| --- |\n| b |\n"


def test_an_embedded_document_is_a_notice() -> None:
    document = tree(docx(p("a") + '<w:altChunk r:id="rId9"/>'))
    assert [n.code for n in document.notices] == ["embedded-document"]


def test_core_properties_are_told() -> None:
    core = (
        b'<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/'
        b'core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Deed</dc:title>'
        b"<dc:subject/></cp:coreProperties>"
    )
    data = Package.open(docx(p("a")))
    relations = data.read("_rels/.rels").replace(
        b"</Relationships>",
        b'<Relationship Id="c" Type="http://x/core-properties" Target="docProps/core.xml"/>'
        b"</Relationships>",
    )
    data.replace("_rels/.rels", relations)
    data.replace("docProps/core.xml", core)
    assert tree(data.save()).properties == (("title", "Deed"),)
    data.replace("docProps/core.xml", b"<broken")
    assert [n.code for n in tree(data.save()).notices] == ["properties"]


def test_reading_changes_nothing_in_the_package() -> None:
    package = Package.open(docx(p("a", dele("b"), ins(r("c")))))
    before = package.serialize(package.main)
    for view in VIEWS:
        read(package, view)
    assert package.serialize(package.main) == before


def test_inlines_nested_beyond_reason_are_refused_without_a_crash() -> None:
    deep = '<w:ins w:id="1" w:author="A">' * 490 + r("x") + "</w:ins>" * 490
    with pytest.raises(TooLargeError, match="nested"):
        tree(docx(p(deep)))


def sampled(folder: Path, step: int) -> list[Path]:
    found = sorted(folder.rglob("*.docx"))
    return found if os.environ.get("REDRAFT_SWEEP") == "full" else found[::step]


@pytest.mark.corpus
def test_every_document_reads_in_every_view(corpus: Path) -> None:
    for path in sampled(corpus / "docx", 3):
        package = Package.open(path.read_bytes())
        for view in VIEWS:
            assert read(package, view).view == view, path.name


def own_text(paragraph: Element) -> str:
    """The characters of a paragraph without those of text boxes in it."""
    texts = (t for t in paragraph.iter(W_T) if next(t.iterancestors(W_P)) is paragraph)
    return "".join(t.text or "" for t in texts)


def joined_text(paragraph: Element) -> str:
    """The same, behind that of the paragraphs before it whose marks are deleted."""
    text = own_text(paragraph)
    for before in paragraph.itersiblings(W_P, preceding=True):
        mark = before.find(f"{W_PPR}/{W_RPR}")
        if mark is None or {child.tag for child in mark}.isdisjoint({W_DEL, W_MOVE_FROM}):
            break
        text = own_text(before) + text
    return text


@pytest.mark.corpus
def test_each_anchor_locates_the_paragraph_whose_text_its_block_has(corpus: Path) -> None:
    for path in sampled(corpus / "docx", 4):
        package = Package.open(path.read_bytes())
        found = list(every_block(read(package).body.blocks))
        for block in found[:: max(1, len(found) // 40)]:
            place = locate(package, block.anchor)
            assert place.kind == ("table" if isinstance(block, Table) else "paragraph"), path.name
            if isinstance(block, Paragraph | Heading | ListItem):
                assert place.element.tag == W_P
                has = squeezed(joined_text(place.element))
                said = [i.text for i in block.content if isinstance(i, Text) and i.text.isascii()]
                assert all(squeezed(piece) in has for piece in said), (path.name, block)


@pytest.mark.corpus
def test_tracked_changes_read_as_their_accepted_and_rejected_files(corpus: Path) -> None:
    checked = 0
    for path in sorted((corpus / "docx" / "revisions").glob("*.docx")):
        if ".accepted" in path.name or ".rejected" in path.name:
            continue
        package = Package.open(path.read_bytes())
        markdown = {view: write(read(package, view)) for view in VIEWS}
        for view, kind in (("final", "accepted"), ("original", "rejected")):
            other = path.with_name(path.name.replace(".docx", f".{kind}.docx"))
            assert markdown[view] == write(tree(other.read_bytes())), (path.name, view)
        assert markdown["final"]
        checked += 1
    assert checked == 17


@pytest.mark.corpus
def test_hostile_documents_are_read_or_refused(corpus: Path) -> None:
    for path in sorted((corpus / "bad").glob("*.docx")):
        if path.name == "generated__paragraphs-300k.docx":
            continue
        try:
            markdown = write(tree(path.read_bytes()))
        except EngineError:
            continue
        assert "root:x:0" not in markdown


@pytest.mark.corpus
def test_text_that_looks_like_markdown_is_nothing_but_text(corpus: Path) -> None:
    data = (corpus / "bad" / "generated__markdown-lookalikes.docx").read_bytes()
    document = tree(data)
    markdown = write(document)
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    kinds = {child.type for token in tokens for child in token.children or [token]}
    assert kinds == {"paragraph_open", "paragraph_close", "text"}
    assert markdown_text(markdown) == tree_text(document)


@pytest.mark.corpus
def test_three_hundred_thousand_paragraphs_are_read_in_linear_time(corpus: Path) -> None:
    data = (corpus / "bad" / "generated__paragraphs-300k.docx").read_bytes()
    assert write(tree(data)).count("\n\n") == 299_999


def test_an_archive_of_another_kind_is_not_read() -> None:
    with pytest.raises(EngineError):
        tree(archive({"a": b""}))
