"""Every operation can be reached by a sentence and by a model, and arrives in the file.

The route of a sentence: interpreter, check, edit. That of a model: a server over HTTP that answers
with the operation, decoding, guards, check, edit.
"""

from __future__ import annotations

import asyncio
import io
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from redraft.engine import editor
from redraft.engine.engine_calls import EngineCalls
from redraft.engine.instruct import Instruction, Planned, instruct
from redraft.engine.plan import PAGE_OPERATIONS, EditPlan, name_of, offered
from redraft.engine.planner.model import Models
from redraft.engine.planner.providers import ChatCompletions
from redraft.engine.report import Signature, StoredVersion
from tests.engine.pdf.paper import paper
from tests.engine.planner.standins import reply
from tests.engine.wordml import (
    abstract_num,
    docx,
    footnote,
    heading_style,
    ins,
    level,
    link,
    listed,
    note,
    num,
    p,
    picture,
    style,
    table,
)
from tests.model_server import ModelServer

_CONTROL = (
    '<w:sdt><w:sdtPr><w:alias w:val="Client"/><w:tag w:val="client"/><w:text/></w:sdtPr>'
    "<w:sdtContent><w:r><w:t>Nobody</w:t></w:r></w:sdtContent></w:sdt>"
)
DOCUMENT = docx(
    p("Agreement", style="Title")
    + p("Scope", style="Heading1")
    + p("We deliver the goods", note("2"), ". They are red.")
    + p("Second part.")
    + p("Payment", style="Heading1")
    + p("Due in 30 days. See ", link("rId90", "our terms"), ".")
    + p("By ", ins("<w:r><w:t>Bob</w:t></w:r>", id=7, author="Bob"), ".")
    + p("Client: ", _CONTROL)
    + p("A duck: ", picture("rId91", alt="duck"))
    + listed("Alpha")
    + listed("Beta")
    + table(["Item", "Price"], ["Tea", "3"], ["Milk", "1"])
    + p("End."),
    styles=style("Normal", default=True)
    + style("Title", name="Title")
    + heading_style(1)
    + heading_style(2),
    numbering=abstract_num(1, level(0, "%1.")) + num(1, 1),
    footnotes=footnote("2", p("Net of tax.")),
    relations={
        "rId90": ("hyperlink", "http://a.example"),
        "rId91": ("image", "media/image1.png"),
    },
    media={"media/image1.png": b"\x89PNG\r\n\x1a\n"},
)
SIGNED = Signature("e1", "Dana", "2026-11-21T06:30:00Z", tracked=False)


@dataclass(frozen=True)
class Route:
    """An operation of the wire, a sentence that does the same, and what the file says then."""

    wire: dict[str, Any]
    sentence: str
    there: str = ""
    gone: str = ""


def op(kind_: str, **said: Any) -> dict[str, Any]:
    return {"op": kind_, **said}


ROUTES = [
    Route(
        op("replace_text", block="p6", find="30", replace="60", occurrence=None),
        'change "30" to "60"',
        "60",
    ),
    Route(
        op("rewrite_block", block="p4", text="Other words."),
        'replace the paragraph "Second part." with "Other words."',
        "Other words.",
        "Second",
    ),
    Route(
        op(
            "find_replace",
            find="goods",
            replace="wares",
            scope="all",
            match_case=True,
            whole_word=False,
        ),
        'replace "goods" with "wares" everywhere',
        "wares",
        "goods",
    ),
    Route(
        op(
            "insert_blocks",
            block="p4",
            where="after",
            blocks=[{"kind": "like_anchor", "text": "Third part."}],
        ),
        'add the paragraph "Third part." after "Second part."',
        "Third part.",
    ),
    Route(op("delete_blocks", first="p4", last="p4"), 'delete "Second part."', gone="Second part"),
    Route(
        op("move_blocks", first="p4", last="p4", to="p12", where="after"),
        'move the paragraph "Second part." to the end of the document',
    ),
    Route(op("split_block", block="p3", find="They"), 'split the paragraph before "They are"'),
    Route(
        op("merge_blocks", first="p3", last="p4"),
        'merge the paragraph containing "They are red" with the next one',
    ),
    Route(
        op("set_style", first="p4", last="p4", style="Heading 2"),
        'make "Second part." a heading 2',
        'w:pStyle w:val="Heading2"',
    ),
    Route(
        op("set_paragraph", first="p4", last="p4", property="alignment", value="center"),
        'center "Second part."',
        '<w:jc w:val="center"/>',
    ),
    Route(
        op(
            "format_text",
            block="p6",
            find="30 days",
            property="italic",
            value="on",
            occurrence=None,
        ),
        'make "30 days" italic',
        "<w:i/>",
    ),
    Route(
        op("set_list", first="p4", last="p4", kind="bullet", level=None, restart=False),
        'make "Second part." a bulleted list',
        'w:val="bullet"',
    ),
    Route(op("set_cell", target="t1.r2.c2", text="4"), 'set the cell "3" to "4"', "<w:t>4</w:t>"),
    Route(
        op("insert_row", target="t1.r3", where="after", cells=["Salt", "2"]),
        'add a row "Salt" "2" to the table',
        "Salt",
    ),
    Route(
        op("insert_column", target="t1.r1.c2", where="after", cells=["Tax"]),
        'add a column "Tax" after "Price"',
        "Tax",
    ),
    Route(op("delete_row", target="t1.r2"), 'delete the row with "Tea"', gone="Tea"),
    Route(op("delete_column", target="t1.r1.c2"), 'delete the column "Price"', gone="Price"),
    Route(op("delete_table", target="t1"), "delete the table", gone="w:tbl>"),
    Route(
        op("insert_table", block="p4", where="after", rows=[["X", "Y"]], header_row=True),
        'insert a table with the columns "X" and "Y" after "Second part."',
        "<w:t>X</w:t>",
    ),
    Route(
        op("set_link", block="p6", find="30 days", url="https://b.example"),
        'link "30 days" to "https://b.example"',
        "https://b.example",
    ),
    Route(
        op("remove_link", block="p6", find="our terms"),
        'remove the link from "our terms"',
        gone="<w:hyperlink",
    ),
    Route(op("edit_note", target="fn1", text="Gross."), 'change footnote 1 to "Gross."', "Gross."),
    Route(
        op("insert_footnote", block="p4", after_text="part", text="Of two."),
        'add a footnote "Of two." after "Second part."',
        "Of two.",
    ),
    Route(op("delete_note", target="fn1"), "delete footnote 1", gone="w:footnoteReference"),
    Route(
        op("set_alt_text", target="im1", text="A mallard"),
        'set the alt text of the image to "A mallard"',
        "A mallard",
    ),
    Route(op("delete_image", target="im1"), "delete the image", gone="w:drawing"),
    Route(
        op("add_comment", block="p4", find="Second", text="Which one?"),
        'add a comment "Which one?" to "Second part"',
        "Which one?",
    ),
    Route(
        op("insert_break", block="p5", where="before", kind="page"),
        'insert a page break before the heading "Payment"',
        "w:(pageBreakBefore|br w:type=.page)",
    ),
    Route(
        op("set_field", control="cc1", value="Globex"),
        'fill the field "cc1" with "Globex"',
        "Globex",
        "Nobody",
    ),
    Route(op("set_property", name="subject", value="Teas"), 'set the subject to "Teas"', "Teas"),
    Route(
        op("settle_change", change="chg7", action="accept"),
        "accept all changes by Bob",
        "Bob",
        "w:ins ",
    ),
    Route(
        op("settle_change", change="chg7", action="reject"), "reject all changes by Bob", gone="Bob"
    ),
]
NAMES = [route.wire["op"] for route in ROUTES]
IDS = [f"{route.wire['op']}-{route.wire.get('action', '')}" for route in ROUTES]

# What only a PDF can do; `there` and `gone` are the words of its pages, one a line.
PAGE_ROUTES = [
    Route(op("delete_pages", first_page=1, last_page=1), "delete page 1", "^two$", "one"),
    Route(
        op("move_pages", first_page=2, last_page=2, to_page=1, where="before"),
        "move page 2 before page 1",
        "two\none",
    ),
    Route(
        op("rotate_pages", first_page=1, last_page=1, degrees=90),
        "rotate page 1 by 90 degrees",
    ),
    Route(op("insert_page", page=1, where="after"), "insert a blank page after page 1", "one\n\n"),
    Route(
        op("redact", find="one", match_case=False, whole_word=False),
        'redact "one" everywhere',
        "^\ntwo$",
        "one",
    ),
    Route(op("stamp_pages", kind="footer", text="Hi"), 'set the footer to "Hi"', "one Hi\ntwo Hi"),
]
PAGE_NAMES = [route.wire["op"] for route in PAGE_ROUTES]


ABOUT_COMMENTS = {"reply_comment", "resolve_comment", "delete_comment"}
"""Operations on comments that are there, tried in `tests/engine/planner/written_answers.py`."""


def test_every_operation_has_both_routes() -> None:
    assert {*NAMES} | ABOUT_COMMENTS == offered("docx")
    assert all(route.sentence for route in ROUTES)
    assert sorted(PAGE_NAMES) == sorted(map(name_of, PAGE_OPERATIONS))


async def planned(source: Path, instruction: str, models: Models) -> Planned:
    deadline = asyncio.get_running_loop().time() + 300
    calls = EngineCalls(StoredVersion(source), tracked=False)
    return await instruct(calls, models, Instruction(instruction, None, deadline, "N0"))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "agreement.docx"
    path.write_bytes(DOCUMENT)
    return path


def said(data: bytes) -> str:
    """All XML of a document."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = [name for name in archive.namelist() if not name.endswith(".png")]
        return "".join(archive.read(name).decode() for name in names)


def hold(source: Path, plan: EditPlan, route: Route) -> None:
    """Carry a plan out and look at what the file says."""
    assert editor.check(StoredVersion(source), plan) == ()
    target = source.with_name("edited.docx")
    report = editor.edit(
        StoredVersion(source, editor.inspect(source, source.name).state), target, plan, SIGNED
    )
    assert report.applied
    before, after = said(DOCUMENT), said(target.read_bytes())
    assert before != after
    if route.there:
        assert re.search(route.there, after)
    if route.gone:
        assert re.search(route.gone, before)
        assert not re.search(route.gone, after)


@pytest.mark.parametrize("route", ROUTES, ids=IDS)
async def test_a_sentence_gets_there(route: Route, source: Path) -> None:
    found = await planned(source, route.sentence, Models())
    hold(source, found.plan, route)


@pytest.mark.parametrize("route", ROUTES, ids=IDS)
async def test_a_model_gets_there(route: Route, source: Path) -> None:
    with ModelServer([reply(route.wire, reason="As asked")]) as server:
        models = Models(ChatCompletions("m", server.address, "k"), plain_first=False)
        found = await planned(source, route.sentence, models)
        assert len(server.requests) == 1
    assert found.model == "m"
    assert found.usage is not None
    assert len(found.plan.operations) == 1
    hold(source, found.plan, route)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.pdf"
    path.write_bytes(paper().text(200, 300, "one").page().text(200, 300, "two").data())
    return path


def pages(path: Path) -> str:
    """The words of the pages, one page a line."""
    import pymupdf

    with pymupdf.open(path) as opened:
        document: Any = opened
        return "\n".join(" ".join(str(page.get_text()).split()) for page in document)


def hold_pages(book: Path, plan: EditPlan, route: Route) -> None:
    assert editor.check(StoredVersion(book), plan) == ()
    target = book.with_name("edited.pdf")
    report = editor.edit(StoredVersion(book, b""), target, plan, SIGNED)
    assert report.applied
    assert book.read_bytes() != target.read_bytes()
    after = pages(target)
    if route.there:
        assert re.search(route.there, after)
    if route.gone:
        assert re.search(route.gone, pages(book))
        assert not re.search(route.gone, after)


@pytest.mark.parametrize("route", PAGE_ROUTES, ids=PAGE_NAMES)
async def test_a_sentence_gets_to_the_pages_of_a_pdf(route: Route, book: Path) -> None:
    found = await planned(book, route.sentence, Models())
    hold_pages(book, found.plan, route)


@pytest.mark.parametrize("route", PAGE_ROUTES, ids=PAGE_NAMES)
async def test_a_model_gets_to_the_pages_of_a_pdf(route: Route, book: Path) -> None:
    with ModelServer([reply(route.wire, reason="As asked")]) as server:
        models = Models(ChatCompletions("m", server.address, "k"), plain_first=False)
        found = await planned(book, route.sentence, models)
    assert found.model == "m"
    assert len(found.plan.operations) == 1
    hold_pages(book, found.plan, route)
