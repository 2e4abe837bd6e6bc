"""What programs of second opinion cannot do, each shown by a file that was written by hand.

A limit has a body with tracked changes, and what the standard leaves of it: the program leaves
something else, whoever wrote the marks. `docs/word-compatibility.md` lists them in words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from tests.engine.wordml import field, footnote, note, p, r, style, table, tc
from tests.libreoffice import Action

Engine: TypeAlias = Literal["LibreOffice", "Docxodus", "pandoc"]

BY: Final = 'w:author="Ann" w:date="2026-01-01T00:00:00Z"'
STYLES: Final = style("Heading1", name="heading 1")
PROTECTED: Final = (
    '<w:trackRevisions/><w:documentProtection w:edit="trackedChanges" w:enforcement="1"/>'
)


@dataclass(frozen=True, slots=True)
class Limit:
    """A file that a program settles to something else than the standard leaves of it."""

    engine: Engine
    what: str
    action: Action
    body: str
    left: str
    settings: str = ""
    footnotes: str = ""
    is_strict: bool = False


def _inserted(*content: str) -> str:
    return f'<w:ins w:id="8" {BY}>{"".join(content)}</w:ins>'


def _deleted(text: str) -> str:
    return f'<w:del w:id="9" {BY}><w:r><w:delText>{text}</w:delText></w:r></w:del>'


def _mark(tag: str) -> str:
    return f'<w:rPr><w:{tag} w:id="7" {BY}/></w:rPr>'


def _control(content: str, kind: str = "") -> str:
    return f"<w:sdt><w:sdtPr>{kind}</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>"


def _taken_off(content: str) -> str:
    """A control both of whose tags are deleted."""
    start, end = "<w:customXmlDelRangeStart", "<w:customXmlDelRangeEnd"
    inner = f'{end} w:id="11"/>{content}{start} w:id="12" {BY}/>'
    return f'{start} w:id="11" {BY}/>{_control(inner)}{end} w:id="12"/>'


def _new_table(*words: str) -> str:
    """A table all of whose rows are inserted."""
    cells = "".join(tc(p(_inserted(r(word)), properties=_mark("ins"))) for word in words)
    mark = f'<w:trPr><w:ins w:id="6" {BY}/></w:trPr>'
    columns = '<w:gridCol w:w="2000"/>' * len(words)
    return f"<w:tbl><w:tblPr/><w:tblGrid>{columns}</w:tblGrid><w:tr>{mark}{cells}</w:tr></w:tbl>"


def _columns(first: str, second: str) -> str:
    grid = '<w:tblGrid><w:gridCol w:w="2000"/><w:gridCol w:w="2000"/></w:tblGrid>'
    return f"<w:tbl><w:tblPr/>{grid}<w:tr>{first}{second}</w:tr></w:tbl>"


def _cell(content: str, mark: str = "") -> str:
    change = f'<w:{mark} w:id="5" {BY}/>' if mark else ""
    width = '<w:tcW w:w="2000" w:type="dxa"/>'
    return f"<w:tc><w:tcPr>{width}{change}</w:tcPr>{content}</w:tc>"


def _moved(kind: str, number: int, content: str) -> str:
    """A paragraph at one end of a move, in a range of its own."""
    mark = f'<w:rPr><w:{kind} w:id="{number}" {BY}/></w:rPr>'
    start = f'<w:{kind}RangeStart w:id="{number + 1}" {BY} w:name="move{number // 20}"/>'
    runs = f'<w:{kind} w:id="{number + 2}" {BY}>{content}</w:{kind}>'
    end = f'<w:{kind}RangeEnd w:id="{number + 1}"/>'
    return p(start + runs, properties=mark) + end


def _move(content: str) -> str:
    """A paragraph that is moved behind the next one."""
    ends = _moved("moveFrom", 20, content), _moved("moveTo", 30, content)
    return p("a") + ends[0] + p("b") + ends[1] + p("end")


_LOST = p(_deleted("lost"), properties=_mark("del"))
_NEW = p(_inserted(r("new")), properties=_mark("ins"))
_DROP_CAP = '<w:framePr w:dropCap="drop" w:lines="3" w:wrap="around"/>'
_MATH = "<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>"
_OLD_LOOK = f'<w:pPrChange w:id="4" {BY}><w:pPr/></w:pPrChange>'

LIMITS: Final[tuple[Limit, ...]] = (
    Limit(
        "LibreOffice",
        "cells of an inserted column stay",
        "reject",
        _columns(_cell(p("a")), _cell(_NEW, "cellIns")) + p("end"),
        table(["a"]) + p("end"),
    ),
    Limit(
        "LibreOffice",
        "cells of a deleted column stay",
        "accept",
        _columns(_cell(p("a")), _cell(_LOST, "cellDel")) + p("end"),
        table(["a"]) + p("end"),
    ),
    Limit(
        "LibreOffice",
        "changes in a control of plain text stay",
        "accept",
        p("a ", _control(r("b") + _deleted("lost"), "<w:text/>")),
        p("a ", _control(r("b"), "<w:text/>")),
    ),
    Limit(
        "LibreOffice",
        "the mark of a paragraph in front of a table stays",
        "reject",
        p("a") + _NEW + table(["b"]) + p("end"),
        p("a") + table(["b"]) + p("end"),
    ),
    Limit(
        "LibreOffice",
        "paragraphs of two styles are not joined",
        "accept",
        p("a ", properties=f'<w:pStyle w:val="A"/>{_mark("del")}') + p("b"),
        p("a b"),
    ),
    Limit(
        "LibreOffice",
        "a moved paragraph with a field leaves an empty one",
        "reject",
        _move(r("moved ") + field("PAGE", "1")),
        p("a") + p("moved ", field("PAGE", "1")) + p("b") + p("end"),
    ),
    Limit(
        "LibreOffice",
        "nothing is settled in a protected document",
        "accept",
        p("a ", _deleted("lost")),
        p("a "),
        settings=PROTECTED,
    ),
    Limit(
        "LibreOffice",
        "a change that begins a control around paragraphs stays",
        "accept",
        p("a") + _control(p(_deleted("lost"), r("b")) + p("c")) + p("end"),
        p("a") + _control(p("b") + p("c")) + p("end"),
    ),
    Limit(
        "LibreOffice",
        "a table at the end leaves an empty paragraph behind",
        "reject",
        p("a", properties=_mark("ins")) + _new_table("new") + p(),
        p("a"),
    ),
    Limit(
        "LibreOffice",
        "the halves of a paragraph with a new table between them are not joined",
        "reject",
        p("one ", properties=_mark("ins")) + _new_table("new") + p("two") + p("end"),
        p("one two") + p("end"),
    ),
    Limit(
        "LibreOffice",
        "changes in a framed paragraph and the one behind it stay",
        "accept",
        p("D", properties=_DROP_CAP) + p("rop", _deleted("lost")),
        p("D", properties=_DROP_CAP) + p("rop"),
    ),
    Limit(
        "Docxodus",
        "nothing is settled in a document of the strict edition",
        "accept",
        p("a", _deleted("lost")),
        p("a"),
        is_strict=True,
    ),
    Limit(
        "Docxodus",
        "a deleted first column is refused",
        "accept",
        _columns(_cell(_LOST, "cellDel"), _cell(p("a"))) + p("end"),
        table(["a"]) + p("end"),
    ),
    Limit(
        "Docxodus",
        "inserted cells beside cells in controls are refused",
        "reject",
        _columns(_cell(_NEW, "cellIns"), _control(_cell(p("a")))) + p("end"),
        table(["a"]) + p("end"),
    ),
    Limit(
        "Docxodus",
        "a deleted control leaves an empty paragraph in front of another control",
        "accept",
        p("a") + p(_taken_off(_deleted("lost")), properties=_mark("del")) + _control(p("b")),
        p("a") + _control(p("b")),
    ),
    Limit(
        "Docxodus",
        "the halves of a paragraph with a new table between them are not joined",
        "reject",
        p("one ", properties=_mark("ins")) + _new_table("new") + p("two") + p("end"),
        p("one two") + p("end"),
    ),
    Limit(
        "Docxodus",
        "a table at the end leaves an empty paragraph behind",
        "reject",
        p("a", properties=_mark("ins")) + _new_table("new") + p(),
        p("a"),
    ),
    Limit(
        "pandoc",
        "formulas in a deletion are lost",
        "reject",
        p("a ", f'<w:del w:id="9" {BY}>{_MATH}</w:del>'),
        p("a ", _MATH),
    ),
    Limit(
        "pandoc",
        "parts of a paragraph with a note change places when they are joined",
        "reject",
        p("one ", properties=_mark("ins")) + p("two", note("2"), " three"),
        p("one two", note("2"), " three"),
        footnotes=footnote("2", p("a note")),
    ),
    Limit(
        "pandoc",
        "words are lost in front of a new heading that ends the document",
        "reject",
        p("a", properties=_mark("ins"))
        + p(_inserted(r("new")), properties=f'<w:pStyle w:val="Heading1"/>{_OLD_LOOK}'),
        p("a"),
    ),
)
