"""What a model is told of blocks beside their words: each remark is what an edit would say."""

from __future__ import annotations

import pytest

from redraft.engine.docx.apply import faults, initial_state
from redraft.engine.docx.editing.document_index import content
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.docx.view_hints import flat, remarks
from redraft.engine.plan import EditPlan, RewriteBlock
from redraft.engine.state import decode
from redraft.engine.tokens import pieces, write
from tests.counting import calls
from tests.documents import corpus_folder, names
from tests.engine.docx.steps.test_controls import control
from tests.engine.wordml import docx, p, r, table

SECTION = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>'
TYPED = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/>'


def said(data: bytes) -> dict[str, str]:
    package = Package.open(data)
    return dict(remarks(package, decode(initial_state(data)), reader.read(package, "final")))


STRUCK = '<w:rPr><w:del w:id="7" w:author="Ann" w:date="2026-01-01T00:00:00Z"/></w:rPr>'
SYMBOL = (
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> SYMBOL 65 </w:instrText></w:r>'
    '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
)


TITLE = '<w:alias w:val="The [net] fee"/>'
EMPTY = "<w:showingPlcHdr/>"


@pytest.mark.parametrize(
    ("blocks", "remark"),
    [
        (p("Plain ", r("words", "<w:b/>")), {}),
        (p("A tab", "<w:r><w:tab/></w:r>", "note", properties=SECTION), {"p1": "sect"}),
        (p(r("x = 1", TYPED)), {}),
        (p("Grade ", SYMBOL), {"p1": "words"}),
        (p("Grade ", SYMBOL, properties=SECTION), {"p1": "words sect"}),
        (p("One ", properties=STRUCK) + p("two"), {}),
        (p("One ", SYMBOL, properties=STRUCK) + p("two"), {}),
        (table([p("Grade ", SYMBOL), p("b")]), {"t1.r1.c1.p1": "words"}),
        (p("Fee: ", control(f"{TITLE}{EMPTY}", r("Click"))), {"cc1": '"The (net) fee" empty'}),
        (p("Fee: ", control('<w:tag w:val="fee"/>', r("10"))), {"cc1": '"fee"'}),
        (control(EMPTY, p("Click")), {"p1": "empty"}),
    ],
)
def test_only_blocks_that_have_something_to_be_said_of_them_have_a_remark(
    blocks: str, remark: dict[str, str]
) -> None:
    assert said(docx(blocks)) == remark


def looks_of(data: bytes) -> dict[str, str]:
    package = Package.open(data)
    document = reader.read(package, "final")
    return dict(remarks(package, decode(initial_state(data)), document, tells_looks=True))


def test_looks_are_said_where_they_differ_from_the_commonest() -> None:
    plain = '<w:rFonts w:ascii="Arial"/><w:sz w:val="22"/>'
    red = f'{plain}<w:color w:val="FF0000"/><w:highlight w:val="yellow"/>'
    data = docx(
        p(r("Words of the usual look in a long line", plain))
        + p(r("The ", plain), r("[fee]", red), r(" ", plain), r("is due", red))
        + p(r("Big", '<w:rFonts w:ascii="Arial"/><w:sz w:val="31"/>'))
    )
    assert looks_of(data) == {
        "": "# looks where nothing else is said: 11pt Arial",
        "p2": '"(fee) is due" color FF0000 highlight yellow',
        "p3": "15.5pt",
    }
    assert said(data) == {}


def test_a_table_of_contents_is_named_with_its_blocks() -> None:
    def char(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    begun = f"{char('begin')}<w:r><w:instrText> TOC \\o </w:instrText></w:r>{char('separate')}"
    data = docx(
        p("Contract")
        + p(begun, r("Term"), "<w:r><w:tab/></w:r>", r("2"))
        + p(r("Fees"), "<w:r><w:tab/></w:r>", r("5"))
        + p(char("end"), r("Term"))
    )
    line = "# table of contents, computed from the headings: p2-p3 Term⇥2 · Fees⇥5"
    assert said(data)[""] == line


@pytest.mark.corpus
@pytest.mark.parametrize("name", names("docx", start=5))
def test_a_block_is_said_to_change_only_word_by_word_where_rewriting_it_is_refused(
    name: str,
) -> None:
    data = corpus(name)
    package = Package.open(data)
    document = reader.read(package, "final")
    shown = {
        block.anchor: write(pieces(content(block)))
        for story in document.stories
        if story.kind != "comment"
        for block in flat(iter(story.blocks))
        if content(block)
    }
    rewritten = tuple(RewriteBlock(anchor, f"{text} end") for anchor, text in shown.items())
    found = faults(package, EditPlan("edit", "x", rewritten), initial_state(data))
    refused = {
        rewritten[fault.index].block for fault in found if "instead of rewriting" in fault.message
    }
    assert {anchor for anchor, word in said(data).items() if "words" in word.split()} == refused


def corpus(name: str) -> bytes:
    folder = corpus_folder()
    if folder is None:
        pytest.skip("no corpus")
    return (folder / "docx" / name).read_bytes()


def test_remarks_of_a_longer_document_take_no_more_work_for_a_block() -> None:
    def work(size: int) -> int:
        data = docx("".join(p(f"Paragraph {number} of many", SYMBOL) for number in range(size)))
        package = Package.open(data)
        document, state = reader.read(package, "final"), decode(initial_state(data))
        return calls(lambda: remarks(package, state, document))

    assert work(400) < 2.6 * work(200)
