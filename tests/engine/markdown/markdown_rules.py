"""How Word documents read as Markdown: one small document a rule, and the Markdown it must give.

`python -m tests.engine.markdown.markdown_rules` writes the table of all rules to `docs/markdown.md`; a test
keeps the two together.
"""
# ruff: noqa: E501, RUF001  # a document and its Markdown are compared best on one line

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.reader import read
from redraft.engine.markdown.document import write
from redraft.engine.model import Extra, View
from tests.engine.wordml import (
    abstract_num,
    dele,
    docx,
    field,
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
    r,
    style,
    table,
    tc,
    textbox,
)

_SECTION = re.compile(r"<w:sectPr(?:/>|(?:(?!<w:sectPr).)*</w:sectPr>)$", re.DOTALL)
_SPACE = ' xml:space="preserve"'
PAGE = Path(__file__).parents[3] / "docs" / "markdown.md"


@dataclass(frozen=True, slots=True)
class Rule:
    """A document and its Markdown; `area` and `name` say what it shows."""

    area: str
    name: str
    document: bytes
    markdown: str
    view: View = "final"
    include: tuple[Extra, ...] = ()

    @property
    def source(self) -> str:
        """The XML of the document's body, and the names of the parts that it needs besides."""
        with zipfile.ZipFile(io.BytesIO(self.document)) as package:
            main = package.read("word/document.xml").decode()
            names = sorted(map(Path, package.namelist()))
        body = main[main.index("<w:body>") + len("<w:body>") : main.rindex("</w:body>")]
        others = [
            name.stem for name in names if name.parent.name == "word" and name.suffix == ".xml"
        ]
        others = [name for name in others if name != "document"]
        beside = f" with {', '.join(others)}" if others else ""
        return _code(_SECTION.sub("", body).replace(_SPACE, "")) + beside

    @property
    def result(self) -> str:
        """What the document reads as."""
        return write(read(Package.open(self.document), self.view), self.include).rstrip("\n")


HEADINGS = "".join(heading_style(n) for n in range(1, 10))
BULLET = level(0, "\uf0b7", "bullet") + level(1, "o", "bullet") + level(2, "\uf0a7", "bullet")
DECIMAL = level(0, "%1.") + level(1, "%2.", "lowerLetter") + level(2, "%3)")
LEGAL = (
    level(0, "Article %1.", "upperRoman")
    + level(1, "%1.%2", extra="<w:isLgl/>")
    + level(2, "(%3)", "lowerLetter")
    + level(3, "(%4)", "lowerRoman")
)
LISTS = (
    abstract_num(0, BULLET)
    + abstract_num(1, DECIMAL)
    + abstract_num(2, LEGAL)
    + num(1, 0)
    + num(2, 1)
    + num(3, 1)
    + num(4, 2)
    + num(5, 1, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>')
    + num(6, 1, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>')
)
CHECKED = (
    '<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="{}"/></w14:checkbox></w:sdtPr>'
    "<w:sdtContent><w:r><w:t>{}</w:t></w:r></w:sdtContent></w:sdt>"
)
PLACEHOLDER = (
    "<w:sdt><w:sdtPr>{}</w:sdtPr><w:sdtContent><w:r><w:t>{}</w:t></w:r></w:sdtContent></w:sdt>"
)
TOC = (
    '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj>'
    f"</w:sdtPr><w:sdtContent>{p('Contents')}{p('One', '<w:r><w:tab/></w:r>', '3')}"
    "</w:sdtContent></w:sdt>"
)
FIELD_BEGIN = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
FIELD_MIDDLE = '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
FIELD_END = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
PNG = {"media/image1.png": b"\x89PNG"}
IMAGE = {"rId7": ("image", "media/image1.png")}
WEB = {"rId7": ("hyperlink", "https://example.org/a")}
MATH = "<m:oMath><m:r><m:t>{}</m:t></m:r></m:oMath>"
MATH_WORDS = "<m:oMath><m:r><m:rPr><m:nor/></m:rPr><m:t>{}</m:t></m:r></m:oMath>"
GONE = '<w:rPr><w:del w:id="9" w:author="Ann"/></w:rPr>'
CAME = '<w:rPr><w:ins w:id="9" w:author="Ann"/></w:rPr>'


CONTROL_OF = "<w:sdt><w:sdtPr/><w:sdtContent>{}</w:sdtContent></w:sdt>"
BREAK = "<w:r><w:br/></w:r>"


def listed_pieces(numbering: int, depth: int, *pieces: str) -> str:
    """An item of several runs."""
    place = f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{numbering}"/></w:numPr>'
    return p(*pieces, properties=place)


BROKEN = listed_pieces(2, 0, "b", BREAK, "- c")
BROKEN_LEGAL = listed_pieces(4, 2, "d", BREAK, "# e")
LOUD_BOX = listed_pieces(1, 0, r("☐", "<w:b/>"), " open")


def bookmarked(name: str, text: str) -> str:
    return f'<w:bookmarkStart w:id="0" w:name="{name}"/>{r(text)}<w:bookmarkEnd w:id="0"/>'


def row(*cells: str, properties: str = "") -> str:
    return f"<w:tr>{f'<w:trPr>{properties}</w:trPr>' if properties else ''}{''.join(cells)}</w:tr>"


def rows(*lines: str) -> str:
    return f"<w:tbl><w:tblPr/><w:tblGrid/>{''.join(lines)}</w:tbl>"


def item(text: str, numbering: int, depth: int = 0, properties: str = "") -> str:
    return listed(text, num=numbering, level=depth, properties=properties)


def _headings() -> list[Rule]:
    area = "Headings"
    outlined = style("Clause", ppr='<w:outlineLvl w:val="2"/>')
    derived = style("Mine", based_on="Heading2")
    bold = style("Heading1", name="heading 1", ppr='<w:outlineLvl w:val="0"/>', rpr="<w:b/>")
    sign = level(0, "§ %1") + level(1, "§ %1.%2")
    numbered = "".join(
        style(
            f"Heading{n}",
            name=f"heading {n}",
            ppr=f'<w:numPr><w:ilvl w:val="{n - 1}"/><w:numId w:val="1"/></w:numPr>',
        )
        for n in (1, 2)
    )
    levels = p("One", style="Heading1") + p("Six", style="Heading6") + p("Nine", style="Heading9")
    return [
        Rule(area, "levels are those of the style, at most six", docx(levels, styles=HEADINGS), "# One\n\n###### Six\n\n###### Nine"),
        Rule(area, "a style based on a heading is one", docx(p("Two", style="Mine"), styles=HEADINGS + derived), "## Two"),
        Rule(area, "an outline level makes a style a heading", docx(p("Three", style="Clause"), styles=outlined), "### Three"),
        Rule(area, "so does one on the paragraph itself", docx(p("Two", properties='<w:outlineLvl w:val="1"/>')), "## Two"),
        Rule(area, "outline level 9 takes it away", docx(p("Text", style="Heading1", properties='<w:outlineLvl w:val="9"/>'), styles=HEADINGS), "Text"),
        Rule(area, "the Title is a first-level heading, the Subtitle a paragraph", docx(p("Deed", style="Title") + p("of gift", style="Subtitle"), styles=style("Title") + style("Subtitle")), "# Deed\n\nof gift"),
        Rule(area, "bold text is not taken for one", docx(p(r("Note", '<w:b/><w:sz w:val="32"/>'))), "**Note**"),
        Rule(area, "an empty heading is dropped", docx(p(style="Heading1") + p("Text"), styles=HEADINGS), "Text"),
        Rule(area, "a line break becomes a blank", docx(p(r("One"), "<w:r><w:br/></w:r>", r("Two"), style="Heading1"), styles=HEADINGS), "# One Two"),
        Rule(area, "marks of the style are not repeated, others are kept", docx(p(r("Plain "), r("slanted", "<w:i/>"), r(" loud", "<w:b/>"), style="Heading1"), styles=bold), "# Plain *slanted* loud"),
        Rule(area, "the visible number stands before the title", docx(p("Terms", style="Heading1") + p("Price", style="Heading2"), styles=numbered, numbering=abstract_num(0, sign) + num(1, 0)), "# § 1 Terms\n\n## § 1.1 Price"),
        Rule(area, "signs at the end do not close it", docx(p("About C #", style="Heading1"), styles=HEADINGS), "# About C \\#"),
    ]  # fmt: skip


def _lists() -> list[Rule]:
    area = "Lists"
    bullets = item("a", 1) + item("b", 1, 1) + item("c", 1, 2) + item("d", 1)
    legal = (
        item("Scope", 4)
        + item("First", 4, 1)
        + item("one", 4, 2)
        + item("deep", 4, 3)
        + item("Second", 4, 1)
    )
    bound = style("ListNumber", name="List Number", ppr='<w:numPr><w:numId w:val="2"/></w:numPr>')
    continued = style("ListContinue", name="List Continue")
    indent = '<w:ind w:left="720"/>'
    deeper = '<w:ind w:left="1440"/>'
    none = abstract_num(0, level(0, "", "none")) + num(1, 0)
    zero = abstract_num(0, level(0, "%1.", "decimalZero")) + num(1, 0)
    restart = abstract_num(
        0, level(0, "%1."), level(1, "%2)", extra='<w:lvlRestart w:val="0"/>')
    ) + num(1, 0)
    linked = (
        abstract_num(0, '<w:numStyleLink w:val="Legal"/>')
        + abstract_num(1, '<w:styleLink w:val="Legal"/>', level(0, "%1)"))
        + num(1, 0)
        + num(2, 1)
    )
    legal_style = style("Legal", kind="numbering", ppr='<w:numPr><w:numId w:val="2"/></w:numPr>')
    task = item("☐ open", 1) + item("☒ done", 1)
    box = p(CHECKED.format(1, "☒"), r(" Agreed")) + p(r("Agreed "), CHECKED.format(0, "☐"))
    gone = (
        item("a", 2)
        + listed("b", num=2, properties=GONE.replace("<w:rPr>", "<w:rPr>"))
        + item("c", 2)
    )
    hidden = listed("x", num=2, properties="<w:rPr><w:vanish/></w:rPr>").replace(
        "<w:r>", "<w:r><w:rPr><w:vanish/></w:rPr>"
    )
    tied = abstract_num(0, level(0, "%1.", extra='<w:pStyle w:val="Mine"/>')) + num(1, 0)
    numbered = '<w:numPr><w:numId w:val="1"/></w:numPr>'
    tied_styles = (
        style("Mine", ppr=numbered) + style("Other", ppr=numbered) + style("Child", based_on="Mine")
    )
    single = abstract_num(
        0, '<w:multiLevelType w:val="singleLevel"/>', level(0, "·", "bullet")
    ) + num(1, 0)
    zero_led = level(1, "Section %1.%2", "decimalZero", extra="<w:isLgl/>")
    sections = abstract_num(0, level(0, "Article %1.", "upperRoman"), zero_led) + num(1, 0)
    legal_numbers = abstract_num(
        0, level(0, "%1."), level(1, "%1.%2."), level(2, "%1.%2.%3.")
    ) + num(1, 0)
    return [
        Rule(area, "bullets nest by the width of the marker", docx(bullets, numbering=LISTS), "- a\n  - b\n    - c\n- d"),
        Rule(area, "numbers nest by the width of theirs", docx(item("a", 2) + item("b", 1, 1) + item("c", 2), numbering=LISTS), "1. a\n   - b\n2. c"),
        Rule(area, "a number goes on after a paragraph", docx(item("a", 2) + p("between") + item("b", 2), numbering=LISTS), "1. a\n\nbetween\n\n2. b"),
        Rule(area, "lists of one definition count together", docx(item("a", 2) + item("b", 3) + item("c", 2), numbering=LISTS), "1. a\n2. b\n3. c"),
        Rule(area, "a list that restarts is a list of its own", docx(item("a", 2) + item("b", 2) + item("c", 5) + item("d", 5), numbering=LISTS), "1. a\n2. b\n\n<!-- -->\n\n1. c\n2. d"),
        Rule(area, "a list may start at any number", docx(item("a", 6) + item("b", 6), numbering=LISTS), "7. a\n8. b"),
        Rule(area, "labels Markdown cannot say are text, exactly as Word shows them", docx(legal, numbering=LISTS), "- Article I. Scope\n  - 1.1 First\n    - (a) one\n      - (i) deep\n  - 1.2 Second"),
        Rule(area, "other numbers and letters too", docx(item("a", 2) + item("b", 2, 1) + item("c", 2, 2), numbering=LISTS), "1. a\n   - a. b\n     1) c"),
        Rule(area, "a leading zero is kept", docx(item("a", 1), numbering=zero), "- 01\\. a"),
        Rule(area, "a format of nothing shows nothing", docx(item("a", 1), numbering=none), "a"),
        Rule(area, "a level may go on counting", docx(item("a", 1) + item("b", 1, 1) + item("c", 1) + item("d", 1, 1), numbering=restart), "1. a\n   1) b\n2. c\n\n   2) d"),
        Rule(area, "a definition may be that of a numbering style", docx(item("a", 1), numbering=linked, styles=legal_style), "1) a"),
        Rule(area, "a list bound to a style begins at the margin", docx(p("T", style="Heading1") + p("a", style="ListNumber"), numbering=LISTS, styles=HEADINGS + bound), "# T\n\n1. a"),
        Rule(area, "numbering is taken away by list 0", docx(p("a", style="ListNumber", properties='<w:numPr><w:numId w:val="0"/></w:numPr>'), numbering=LISTS, styles=bound), "a"),
        Rule(area, "a list may begin below its first level, and come back above", docx(item("b", 4, 2) + item("a", 4, 1), numbering=LISTS), "- (a) b\n- 1.2 a"),
        Rule(area, "a paragraph at the indent of an item's text belongs to it", docx(item("a", 1, 0, indent) + p("more", properties=indent) + item("b", 1, 0, indent), numbering=LISTS), "- a\n\n  more\n\n- b"),
        Rule(area, "so does one in a style that continues lists", docx(item("a", 2) + p("more", style="ListContinue"), numbering=LISTS, styles=continued), "1. a\n\n   more"),
        Rule(area, "another list, indented more, is nested", docx(item("a", 2, 0, indent) + item("b", 1, 0, deeper) + item("c", 2, 0, indent), numbering=LISTS), "1. a\n   - b\n2. c"),
        Rule(area, "a list with another number than one does not run into its item", docx(item("a", 1) + item("b", 6, 0, deeper), numbering=LISTS), "- a\n\n7. b"),
        Rule(area, "empty bullets are dropped, empty numbers are shown", docx(item("", 1) + item("a", 1) + item("", 2) + item("b", 2), numbering=LISTS), "- a\n\n1.\n2. b"),
        Rule(area, "boxes make tasks", docx(task, numbering=LISTS), "- [ ] open\n- [x] done"),
        Rule(area, "a check box at the start makes a task of a paragraph, elsewhere it is a sign", docx(box), "- [x] Agreed\n\nAgreed ☐"),
        Rule(area, "a paragraph whose mark is deleted takes no number", docx(gone, numbering=LISTS), "1. a\n2. bc"),
        Rule(area, "neither does one of which nobody sees anything", docx(item("a", 2) + hidden + item("b", 2), numbering=LISTS), "1. a\n2. b"),
        Rule(area, "a list through a numbering style counts for itself", docx(item("a", 2) + item("b", 1) + item("c", 2), numbering=linked, styles=legal_style), "1) a\n\n<!-- -->\n\n1) b\n2) c"),
        Rule(area, "a text box counts for itself", docx(item("a", 2) + p("host", textbox(item("x", 2) + item("y", 2))) + item("b", 2), numbering=LISTS), "1. a\n\nhost\n\n1. x\n2. y\n\n2. b"),
        Rule(area, "so do notes", docx(item("a", 2) + p("b", note("1")), numbering=LISTS, footnotes=footnote("1", item("x", 2))), "1. a\n\nb[^1]\n\n[^1]: 1. x"),
        Rule(area, "a level that is bound to a style numbers no other one", docx(p("a", style="Mine") + p("b", style="Other") + p("c", style="Child"), numbering=tied, styles=tied_styles), "1. a\n\nb\n\n2. c"),
        Rule(area, "a list of a single level has no deeper ones", docx(item("a", 1) + item("b", 1, 1), numbering=single), "- a\n- b"),
        Rule(area, "a level that is left out has begun all the same", docx(item("a", 1) + item("b", 1, 2) + item("c", 1, 1), numbering=legal_numbers), "1. a\n   - 1.1.1. b\n   - 1.2. c"),
        Rule(area, "legal numbers are decimal, with the zero that they lead with", docx(item("a", 1) + item("b", 1, 1), numbering=sections), "- Article I. a\n  - Section 1.01 b"),
        Rule(area, "what is below an empty item stands below it", docx(item("", 2) + item("b", 2, 1), numbering=LISTS), "1.\n   - a. b"),
        Rule(area, "a later line of an item begins no block", docx(item("a", 2) + BROKEN + BROKEN_LEGAL, numbering=LISTS), "1. a\n2. b\\\n   \\- c\n   - (a) d\\\n     \\# e"),
        Rule(area, "a box makes a task whatever its marks", docx(LOUD_BOX, numbering=LISTS), "- [ ] open"),
    ]  # fmt: skip


def _tables() -> list[Rule]:
    area = "Tables"
    spanned = rows(row(tc("a", '<w:gridSpan w:val="2"/>'), tc("b")), row(tc("c"), tc("d"), tc("e")))
    merged = rows(
        row(tc("a", '<w:vMerge w:val="restart"/>'), tc("b")), row(tc("", "<w:vMerge/>"), tc("c"))
    )
    shifted = rows(
        row(tc("a"), tc("b"), tc("c")),
        row(tc("d"), properties='<w:gridBefore w:val="1"/><w:gridAfter w:val="1"/>'),
    )
    nested = table(["a", table(["b", "c"], ["d", "e"]) + p("f")], ["g", "h"])
    framed = table(["a", table([p("b") + p("c")])], ["d", "e"])
    display = f"<w:p><m:oMathPara>{MATH.format('x')}</m:oMathPara></w:p>"
    old = '<w:ins w:id="3" w:author="Ann"/>'
    gone = '<w:del w:id="3" w:author="Ann"/>'
    tracked = rows(
        row(tc("a")), row(tc("b"), properties=gone), row(tc("c"), properties=old), row(tc("d"))
    )
    emptied = rows(row(tc("a")), row(tc("b")), row(tc("c", '<w:cellDel w:id="4" w:author="Ann"/>')))
    orphans = rows(row(tc("a", "<w:vMerge/>"), tc("b")), row(tc("c", "<w:vMerge/>"), tc("d")))
    cells = rows(
        row(tc("a"), tc("b", '<w:cellDel w:id="4" w:author="Ann"/>')),
        row(tc("c"), tc("d", '<w:cellDel w:id="5" w:author="Ann"/>')),
    )
    return [
        Rule(area, "the first row is the header", docx(table(["a", "b"], ["c", "d"])), "| a | b |\n| --- | --- |\n| c | d |"),
        Rule(area, "also when it is the only one", docx(table(["a", "b"])), "| a | b |\n| --- | --- |"),
        Rule(area, "a cell over columns has its text once", docx(spanned), "| a |  | b |\n| --- | --- | --- |\n| c | d | e |"),
        Rule(area, "a cell over rows has its text once", docx(merged), "| a | b |\n| --- | --- |\n|  | c |"),
        Rule(area, "rows that begin late or end early are filled up", docx(shifted), "| a | b | c |\n| --- | --- | --- |\n|  | d |  |"),
        Rule(area, "paragraphs of a cell are parted by <br>", docx(table(["a", p("b") + p("c")], ["d", "e"])), "| a | b<br>c |\n| --- | --- |\n| d | e |"),
        Rule(area, "lists in a cell keep their labels", docx(table(["a", item("b", 1) + item("c", 4, 1)], ["d", "e"]), numbering=LISTS), "| a | - b<br>1.1 c |\n| --- | --- |\n| d | e |"),
        Rule(area, "a table in a cell is written flat", docx(nested), "| a | b, c; d, e<br>f |\n| --- | --- |\n| g | h |"),
        Rule(area, "a frame of one cell is what it holds", docx(framed + table([p("x") + p("y")])), "| a | b<br>c |\n| --- | --- |\n| d | e |\n\nx\n\ny"),
        Rule(area, "marks hold inside cells", docx(table([p(r("a", "<w:b/>")), "b"], ["c", "d"])), "| **a** | b |\n| --- | --- |\n| c | d |"),
        Rule(area, "pipes are escaped, in code too", docx(table([p(r("a|b")), p(r("c|d", '<w:rStyle w:val="Code"/>'))], ["e", "f"]), styles=style("Code", kind="character")), "| a\\|b | `c\\|d` |\n| --- | --- |\n| e | f |"),
        Rule(area, "an equation in a cell stays in its line", docx(table([display, "b"], ["c", "d"])), "| $x$ | b |\n| --- | --- |\n| c | d |"),
        Rule(area, "tracked rows come and go with the view", docx(tracked), "| a |\n| --- |\n| c |\n| d |"),
        Rule(area, "tracked rows, original", docx(tracked), "| a |\n| --- |\n| b |\n| d |", "original"),
        Rule(area, "tracked rows, both", docx(tracked), "| a |\n| --- |\n| {--b--} |\n| {++c++} |\n| d |", "markup"),
        Rule(area, "words of a tracked row are marked once", docx(rows(row(tc("a")), row(tc(p(ins(r("b")), " c{++")), properties=old))), "| a |\n| --- |\n| {++b c\\{++++} |", "markup"),
        Rule(area, "a frame that came is told", docx(rows(row(tc("a"), properties=old))), "| {++a++} |\n| --- |", "markup"),
        Rule(area, "tracked cells come and go with the view", docx(cells), "| a |\n| --- |\n| c |"),
        Rule(area, "a row without any cell left is gone", docx(emptied), "| a |\n| --- |\n| b |"),
        Rule(area, "a cell merged with nothing is a cell by itself", docx(orphans), "| a | b |\n| --- | --- |\n| c | d |"),
        Rule(area, "signs that pair are escaped over the paragraphs of a cell", docx(table([p("a ~b") + p("c~ d"), "e"])), "| a \\~b<br>c\\~ d | e |\n| --- | --- |"),
        Rule(area, "pipes in equations are escaped too", docx(table([p(MATH_WORDS.format("a|b")), "c"])), "| $\\text{a\\|b}$ | c |\n| --- | --- |"),
    ]  # fmt: skip


def _emphasis() -> list[Rule]:
    area = "Characters"
    b, i = "<w:b/>", "<w:i/>"
    strong = style("Strong", kind="character", rpr=b)
    loud = style("Loud", rpr=b)
    toggled = p(
        r("on "),
        r("off", '<w:rStyle w:val="Strong"/>'),
        r(" set", f'<w:rStyle w:val="Strong"/>{b}'),
        style="Loud",
    )
    code = style("Code", name="HTML Code", kind="character")
    return [
        Rule(area, "equal runs are one", docx(p(r("bo", b), r("ld", b), r(" text"))), "**bold** text"),
        Rule(area, "marks nest, the longest outside", docx(p(r("a ", b), r("b", b + i), r(" c", b))), "**a *b* c**"),
        Rule(area, "both marks at once", docx(p(r("both", b + i))), "***both***"),
        Rule(area, "blanks at the edge stand outside", docx(p(r("a"), r(" b ", b), r("c"))), "a **b** c"),
        Rule(area, "inside a word `**` does", docx(p(r("un"), r("believ", b), r("able"))), "un**believ**able"),
        Rule(area, "beside punctuation an element stands where `**` would not", docx(p(r("a"), r("(b)", b), r("c"))), "a<strong>(b)</strong>c"),
        Rule(area, "the same in Chinese", docx(p(r("中文"), r("（强调）", b), r("后面"))), "中文<strong>（强调）</strong>后面"),
        Rule(area, "marks that touch do not run together", docx(p(r("a", b), r("b", i))), "**a**<em>b</em>"),
        Rule(area, "toggles of two styles cancel, a direct one counts", docx(toggled, styles=strong + loud), "**on** off **set**"),
        Rule(area, "a mark switched off is off", docx(p(r("a", '<w:b w:val="0"/>'), r(" b", '<w:b w:val="true"/>'))), "a **b**"),
        Rule(area, "struck once or twice", docx(p(r("a", "<w:strike/>"), r(" "), r("b", "<w:dstrike/>"))), "~~a b~~"),
        Rule(area, "underlined", docx(p(r("a", '<w:u w:val="single"/>'), r(" b", '<w:u w:val="none"/>'))), "<u>a</u> b"),
        Rule(area, "raised and lowered", docx(p(r("m"), r("2", '<w:vertAlign w:val="superscript"/>'), r(" H"), r("2", '<w:vertAlign w:val="subscript"/>'), r("O"))), "m<sup>2</sup> H<sub>2</sub>O"),
        Rule(area, "small capitals, colours and highlights are not said", docx(p(r("a", '<w:smallCaps/><w:color w:val="FF0000"/><w:highlight w:val="yellow"/>'))), "a"),
        Rule(area, "hidden text is not shown", docx(p(r("seen"), r(" unseen", "<w:vanish/>"))), "seen"),
        Rule(area, "a style of code gives a code span", docx(p(r("run "), r("a `b`", '<w:rStyle w:val="Code"/>')), styles=code), "run `` a `b` ``"),
        Rule(area, "right-to-left text stays in logical order, its bold is its own", docx(p(r("שלום", "<w:bCs/><w:rtl/>"), r(" עולם", "<w:b/><w:rtl/>"))), "**שלום** עולם"),
        Rule(area, "ruby keeps its base", docx(f"<w:p><w:r><w:ruby><w:rt>{r('かん')}</w:rt><w:rubyBase>{r('漢')}</w:rubyBase></w:ruby></w:r></w:p>"), "漢"),
        Rule(area, "symbols are mapped", docx('<w:p><w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r><w:r><w:sym w:font="Symbol" w:char="F061"/></w:r></w:p>'), "✓α"),
        Rule(area, "the font of one run says nothing of the next", docx(p(r("\uf0e0", '<w:rFonts w:ascii="Wingdings"/>'), r("\uf0e0"))), "→\uf0e0"),
        Rule(area, "code that goes on in a control is one span", docx(p(r("a", '<w:rStyle w:val="Code"/>'), PLACEHOLDER.format("", "b").replace("<w:r>", '<w:r><w:rPr><w:rStyle w:val="Code"/></w:rPr>')), styles=code), "`ab`"),
        Rule(area, "marks on nothing but soft hyphens are none", docx(p(r("a"), r("\u00ad", "<w:strike/>"), r("b"))), "ab"),
        Rule(area, "so is private use in a symbol font", docx(p(r("\uf0e0 on", '<w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/>'))), "→ on"),
        Rule(area, "hyphens: no-break kept, soft dropped", docx("<w:p><w:r><w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t><w:softHyphen/><w:t>c\u00add</w:t></w:r></w:p>"), "a\u2011bcd"),
        Rule(area, "a line break is a backslash at the end", docx("<w:p><w:r><w:t>a</w:t><w:br/><w:t>b</w:t></w:r></w:p>"), "a\\\nb"),
        Rule(area, "a page break is a blank", docx('<w:p><w:r><w:t>a</w:t><w:br w:type="page"/><w:t>b</w:t></w:r></w:p>'), "a b"),
        Rule(area, "a tab is a blank", docx("<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r></w:p>"), "a b"),
    ]  # fmt: skip


def _escapes() -> list[Rule]:
    area = "Escapes"
    same = [
        "snake_case_name",
        "2 * 3 = 6",
        "a < b > c",
        "R&D and AT&T",
        "C:\\Users\\me",
        "f(x) [1] {2}",
        "Section #3",
        "1.5 m",
        "a - b",
        "____ (name)",
        "$5 and $6",
        "#tag",
        "1.",
        "~5 days",
        "e-mail me@example.org",
    ]
    pairs = [
        ("*a* **b**", "\\*a\\* \\*\\*b\\*\\*"), ("_a_", "\\_a_"), ("`code`", "\\`code\\`"), ("# a",
        "\\# a"), ("- a", "\\- a"), ("+ a", "\\+ a"), ("1. a", "1\\. a"), ("2) a", "2\\) a"), ("> a", "\\> a"), ("---", "\\---"), ("[a](b)", "[a\\](b)"), ("[^1]", "\\[^1]"), ("[a]: b",
        "\\[a]: b"), ("<b>x</b>", "\\<b>x\\</b>"), ("&amp; &#65;", "\\&amp; \\&#65;"), ("\\*",
        "\\\\\\*"), ("a\\", "a\\\\"), ("~~a~~", "\\~\\~a\\~\\~"), ("$a$ b", "\\$a\\$ b"), ("    a",
        "a"), ("~~~", "\\~\\~\\~"), ("![a](b)", "![a\\](b)"),
    ]  # fmt: skip
    b = "<w:b/>"
    over_pieces = [
        Rule(area, "dollar signs that pair over marks", docx(p(r("a$", b), r(" b$ c"))), "**a\\$** b\\$ c"),
        Rule(area, "sums in bold beside each other", docx(p(r("$5", b), " plus ", r("$6", b))), "**\\$5** plus **\\$6**"),
        Rule(area, "sums of which only one is bold", docx(p(r("$5", b), " plus $6")), "**$5** plus $6"),
        Rule(area, "a dollar sign in front of an equation", docx(p(r("costs $5 "), MATH.format("x"))), "costs \\$5 $x$"),
        Rule(area, "tildes that pair over marks", docx(p(r("a ~b "), r("c", b), r(" d~ e"))), "a \\~b **c** d\\~ e"),
        Rule(area, "an exclamation mark in front of a link", docx(p("Wow!", link("rId7", "this")), relations=WEB), "Wow\\![this](https://example.org/a)"),
        Rule(area, "a bracket behind a note", docx(p("a", note("1"), "(b)"), footnotes=footnote("1", p("n"))), "a[^1]\\(b)\n\n[^1]: n"),
        Rule(area, "a colon behind a note that begins a paragraph", docx(p(note("1"), ": b"), footnotes=footnote("1", p("n"))), "[^1]\\: b\n\n[^1]: n"),
        Rule(area, "digits beside an equation", docx(p("2", MATH.format("x"), "3")), "2<u></u>$x$<u></u>3"),
    ]  # fmt: skip
    found = [
        Rule(area, f"`{text}` stays", docx(p(text)), "1\\." if text == "1." else text)
        for text in same
    ]
    found += [
        Rule(area, f"`{text.strip()}` is no Markdown", docx(p(r(text))), escaped)
        for text, escaped in pairs
    ]
    return found + over_pieces


def _links() -> list[Rule]:
    area = "Links and fields"
    marked = p(bookmarked("_Ref1", "Terms, again"), style="Heading1")
    plain = p(bookmarked("_Ref2", "Words"))
    here = '<w:hyperlink w:anchor="{}">' + r("there") + "</w:hyperlink>"
    styled = style("Hyperlink", kind="character", rpr='<w:u w:val="single"/>')
    spread = p(
        FIELD_BEGIN, f"<w:r><w:instrText> TOC \\o </w:instrText></w:r>{FIELD_MIDDLE}", r("One\t1")
    ) + p(r("Two\t2"), FIELD_END, r("after"))
    box = (
        '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r>'
        + FIELD_END
    )
    return [
        Rule(area, "a link with its fragment", docx(p("see ", link("rId7", "this", anchor="b")), relations=WEB), "see [this](https://example.org/a#b)"),
        Rule(area, "its underline is not repeated", docx(p(f'<w:hyperlink r:id="rId7">{r("this", "<w:rStyle w:val=" + chr(34) + "Hyperlink" + chr(34) + "/>")}</w:hyperlink>'), relations=WEB, styles=styled), "[this](https://example.org/a)"),
        Rule(area, "bold around a link goes on through it", docx(p(r("a ", "<w:b/>"), f'<w:hyperlink r:id="rId7">{r("b", "<w:b/>")}</w:hyperlink>', r(" c", "<w:b/>")), relations=WEB), "**a [b](https://example.org/a) c**"),
        Rule(area, "a link to a heading leads to its fragment", docx(p(here.format("_Ref1")) + marked, styles=HEADINGS), "[there](#terms-again)\n\n# Terms, again"),
        Rule(area, "a link to another place is its text", docx(p(here.format("_Ref2")) + plain), "there\n\nWords"),
        Rule(area, "a HYPERLINK field", docx(p(field(' HYPERLINK "https://example.org/a b(c)" \\l "part" ', "this"))), "[this](https://example.org/a%20b%28c%29#part)"),
        Rule(area, "a cross-reference to a heading", docx(marked + p("see ", field(" REF _Ref1 \\h ", "Terms")), styles=HEADINGS), "# Terms, again\n\nsee [Terms](#terms-again)"),
        Rule(area, "other fields show their result", docx(p("by ", '<w:fldSimple w:instr=" AUTHOR ">' + r("Ann") + "</w:fldSimple>", " on ", field(" PAGE ", "7"))), "by Ann on 7"),
        Rule(area, "a nested field inside an instruction is not shown", docx(p(FIELD_BEGIN, "<w:r><w:instrText> IF </w:instrText></w:r>", field(" MERGEFIELD a ", "hidden"), FIELD_MIDDLE, r("shown"), FIELD_END)), "shown"),
        Rule(area, "a table of contents is dropped", docx(TOC + p("Text")), "Text"),
        Rule(area, "a button shows its words", docx(p("to ", FIELD_BEGIN, "<w:r><w:instrText> MACROBUTTON NoMacro [Your name] </w:instrText></w:r>", FIELD_END)), "to [Your name]"),
        Rule(area, "an address that says an entity keeps it", docx(p(field(' HYPERLINK "http://a.b/?c&lt;d" ', "e"))), "[e](http://a.b/?c&amp;lt;d)"),
        Rule(area, "a picture may be the words of a link", docx(p(f'<w:hyperlink r:id="rId8">{picture("rId7", alt="A")}</w:hyperlink>'), relations=IMAGE | {"rId8": WEB["rId7"]}, media=PNG), "[![A](media/image1.png)](https://example.org/a)"),
        Rule(area, "or lead somewhere itself", docx(p(picture("rId7", alt="A").replace('alt="A"', "").replace("/><a:graphic>", '><a:hlinkClick r:id="rId8"/></wp:docPr><a:graphic>')), relations=IMAGE | {"rId8": WEB["rId7"]}, media=PNG), "[![A](media/image1.png)](https://example.org/a)"),
        Rule(area, "a note's reference parts a link", docx(p(f'<w:hyperlink r:id="rId7">{r("a")}{note("1")}{r(" b")}</w:hyperlink>'), relations=WEB, footnotes=footnote("1", p("n"))), "[a](https://example.org/a)[^1] [b](https://example.org/a)\n\n[^1]: n"),
        Rule(area, "also as a field over paragraphs", docx(spread), "after"),
        Rule(area, "a legacy check box", docx(p(box, r(" yes"))), "☒ yes"),
        Rule(area, "content controls show their content", docx(p("to ", PLACEHOLDER.format("", "Ann"))), "to Ann"),
        Rule(area, "and their placeholder, which Word prints", docx(p("to ", PLACEHOLDER.format("<w:showingPlcHdr/>", "Click here")) + f"<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{p('Type here')}</w:sdtContent></w:sdt>"), "to Click here\n\nType here"),
    ]  # fmt: skip


def _objects() -> list[Rule]:
    area = "Pictures, notes, boxes, equations"
    pict = '<w:r><w:pict><v:shape alt="A hen"><v:imagedata r:id="rId7" o:title="x"/></v:shape></w:pict></w:r>'
    rule = '<w:r><w:pict><v:rect o:hr="t"/></w:pict></w:r>'
    frac = "<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath>"
    comment = f'<w:comment w:id="0" w:author="Ann">{p("Why?")}</w:comment>'
    remark = '<w:r><w:commentReference w:id="0"/></w:r>'
    asked = p("Text", remark)
    code = style("SourceCode", name="Source Code")
    on_code = p("a", remark, style="SourceCode")
    on_equation = p(f"<m:oMathPara>{MATH.format('x')}</m:oMathPara>", remark)
    return [
        Rule(area, "a picture with its description", docx(p(picture("rId7", alt="A duck\non water")), relations=IMAGE, media=PNG), "![A duck on water](media/image1.png)"),
        Rule(area, "else its title, else its name", docx(p(picture("rId7", title="Duck")) + p(picture("rId7", name="Picture 3")), relations=IMAGE, media=PNG), "![Duck](media/image1.png)\n\n![Picture 3](media/image1.png)"),
        Rule(area, "a VML picture", docx(p(pict), relations=IMAGE, media=PNG), "![x](media/image1.png)"),
        Rule(area, "a linked picture keeps its address", docx(p(picture("rId7", alt="far").replace("r:embed", "r:link")), relations={"rId7": ("image", "https://example.org/p.png")}), "![far](https://example.org/p.png)"),
        Rule(area, "notes by the order of their marks", docx(p("a", note("5"), " b", note("3")), footnotes=footnote("3", p("three")) + footnote("5", p("five") + p("more"))), "a[^1] b[^2]\n\n[^1]: five\n\n    more\n\n[^2]: three"),
        Rule(area, "endnotes are told apart", docx(p("a", note("1"), note("1", "endnote")), footnotes=footnote("1", p("foot")), endnotes=footnote("1", p("end"), kind="endnote")), "a[^1][^e1]\n\n[^1]: foot\n\n[^e1]: end"),
        Rule(area, "a text box stands behind its paragraph, once", docx(p("host", textbox(p("boxed"))) + p("next")), "host\n\nboxed\n\nnext"),
        Rule(area, "an equation in a line", docx(p(r("so "), frac, r(" holds"))), "so $\\frac{a}{b}$ holds"),
        Rule(area, "one that ends in a blank", docx(p(r("so "), MATH.format("x\u00a0"), r(" holds"))), "so $x{\\ }$ holds"),
        Rule(area, "two that touch are one", docx(p(MATH.format("x"), MATH.format("y"))), "$x y$"),
        Rule(area, "an equation of its own", docx(f"<w:p><m:oMathPara>{frac}</m:oMathPara></w:p>"), "$$\n\\frac{a}{b}\n$$"),
        Rule(area, "a horizontal line", docx(p("a") + p(rule) + p("b")), "a\n\n---\n\nb"),
        Rule(area, "headers and footers are left out", docx(p("body"), headers=[p("top")], footers=[p("foot")]), "body"),
        Rule(area, "unless asked for", docx(p("body"), headers=[p("top")], footers=[p("foot")]), "<!-- header default -->\n\ntop\n\nbody\n\n<!-- footer default -->\n\nfoot", include=("headers",)),
        Rule(area, "comments are left out", docx(asked, comments=comment), "Text"),
        Rule(area, "unless asked for, then as notes", docx(asked, comments=comment), "Text[^c1]\n\n[^c1]: Ann: Why?", include=("comments",)),
        Rule(area, "comments on a listing stand behind it", docx(on_code, styles=code, comments=comment), "```\na\n```\n\n[^c1]\n\n[^c1]: Ann: Why?", include=("comments",)),
        Rule(area, "and on an equation", docx(on_equation, comments=comment), "$$\nx\n$$\n\n[^c1]\n\n[^c1]: Ann: Why?", include=("comments",)),
    ]  # fmt: skip


def _blocks() -> list[Rule]:
    area = "Code, quotations, paragraphs"
    source = style("SourceCode", name="Source Code")
    quote = style("Quote", rpr="<w:i/>")
    typed = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/>'
    return [
        Rule(area, "paragraphs in a style of code are one listing", docx(p("# a", style="SourceCode") + p(style="SourceCode") + p("  b", style="SourceCode"), styles=source), "```\n# a\n\n  b\n```"),
        Rule(area, "its fence is longer than any in it", docx(p("```", style="SourceCode"), styles=source), "````\n```\n````"),
        Rule(area, "lines in a typewriter face are a listing", docx(p("Text") + p("More") + p(r("x = f(y)", typed)) + p("End")), "Text\n\nMore\n\n```\nx = f(y)\n```\n\nEnd"),
        Rule(area, "prose in a typewriter face is not", docx(p("Text") + p("More") + p(r("Yours truly", typed)) + p("End")), "Text\n\nMore\n\nYours truly\n\nEnd"),
        Rule(area, "one word in a typewriter face stays text", docx(p("call ", r("printf", typed), " here")), "call printf here"),
        Rule(area, "quotations", docx(p("a", style="Quote") + p("b", style="Quote"), styles=quote), "> a\n>\n> b"),
        Rule(area, "a drop cap begins its word", docx(p("D", properties='<w:framePr w:dropCap="drop"/>') + p("rop it.")), "Drop it."),
        Rule(area, "empty paragraphs are dropped", docx(p() + p("a") + p() + p(" ") + p("b")), "a\n\nb"),
        Rule(area, "alternate content is read once", docx(p("<mc:AlternateContent><mc:Choice>" + r("new") + "</mc:Choice><mc:Fallback>" + r("old") + "</mc:Fallback></mc:AlternateContent>")), "new"),
        Rule(area, "smart tags and other wrappers are looked into", docx(p("<w:smartTag><w:customXml>" + r("in") + "</w:customXml></w:smartTag>", "<w:bdo>" + r("side") + "</w:bdo>")), "inside"),
    ]  # fmt: skip


def _changes() -> list[Rule]:
    area = "Tracked changes"
    edited = p("the ", dele("old"), ins(r("new")), " text")
    moved_from = '<w:moveFrom w:id="1" w:author="Ann">' + r("moved") + "</w:moveFrom>"
    moved_to = '<w:moveTo w:id="2" w:author="Ann">' + r("moved") + "</w:moveTo>"
    moved = p(moved_from, "a ") + p("b ", moved_to)
    joined = p("one ", properties=GONE) + p("two", style="Heading1")
    split = p("one ", properties=CAME) + p("two")
    emptied = p(dele("gone"), properties=GONE) + p("kept")
    formatted = p(r("a", '<w:b/><w:rPrChange w:id="1" w:author="Ann"><w:rPr/></w:rPrChange>'))
    restyled = p(
        "a",
        style="Heading1",
        properties='<w:pPrChange w:id="1" w:author="Ann"><w:pPr/></w:pPrChange>',
    )
    both = p(ins(r("a ") + dele("b ", id=5, author="Bob")), "c")
    return [
        Rule(area, "final", docx(edited), "the new text"),
        Rule(area, "original", docx(edited), "the old text", "original"),
        Rule(area, "both", docx(edited), "the {--old--}{++new++} text", "markup"),
        Rule(area, "moved text once, at its new place", docx(moved), "a\n\nb moved"),
        Rule(area, "moved text, original", docx(moved), "moveda\n\nb", "original"),
        Rule(area, "moved text, both", docx(moved), "{--moved--}a\n\nb {++moved++}", "markup"),
        Rule(area, "paragraphs join where a mark is deleted, as the last of them", docx(joined, styles=HEADINGS), "# one two"),
        Rule(area, "not into a content control", docx(p("one", properties=GONE) + CONTROL_OF.format(p("two")) + p("three")), "one\n\ntwo\n\nthree"),
        Rule(area, "nor out of one", docx(CONTROL_OF.format(p("one", properties=GONE)) + p("two")), "one\n\ntwo"),
        Rule(area, "but past a table that goes with them", docx(p("one ", properties=GONE) + rows(row(tc("gone"), properties='<w:del w:id="3" w:author="Ann"/>')) + p("two")), "one two"),
        Rule(area, "they stand apart in the original", docx(joined, styles=HEADINGS), "one\n\n# two", "original"),
        Rule(area, "a mark that alone is tracked is shown", docx(split), "one {++¶++}\n\ntwo", "markup"),
        Rule(area, "a paragraph that will be joined with the next one", docx(joined), "one {--¶--}\n\n# two", "markup"),
        Rule(area, "paragraphs join in the original where a mark is inserted", docx(split), "one two", "original"),
        Rule(area, "a paragraph that is wholly deleted is gone", docx(emptied), "kept"),
        Rule(area, "formatting of the original", docx(formatted), "a", "original"),
        Rule(area, "style of the original", docx(restyled, styles=HEADINGS), "a", "original"),
        Rule(area, "text inserted and deleted again is in neither", docx(both), "a c"),
        Rule(area, "nor in the original", docx(both), "c", "original"),
        Rule(area, "signs of changes in the text are escaped", docx(p("a {++b++} ", ins(r("c")))), "a \\{++b++\\} {++c++}", "markup"),
    ]  # fmt: skip


RULES: tuple[Rule, ...] = (
    *_headings(),
    *_lists(),
    *_tables(),
    *_emphasis(),
    *_escapes(),
    *_links(),
    *_objects(),
    *_blocks(),
    *_changes(),
)


# Where a reader who knows the other converters would stumble; each is a rule above.
DIFFERENCES = (
    "pandoc takes the Title out of the text; here it is the first heading.",
    'Legal labels (`1.1`, `(a)`, `Article I.`) are text that stays, so that "see clause 1.1" still leads somewhere; pandoc, mammoth and markitdown count anew.',
    "Every table is a pipe table of even width; pandoc writes HTML for merged cells and for paragraphs in cells.",
    "Hidden text is left out; pandoc, mammoth and markitdown show it. What an empty control says (`Click here`) is read, as Word prints it.",
    "An outline level makes a heading, also on a plain paragraph; pandoc and docling read most of these as text.",
    "A first-level heading is `#`, with or without a Title; docling moves all levels down by one.",
    "Lines set in a typewriter face are a listing, as in docling; pandoc reads them as text.",
    "A hyphen or number that somebody typed at the start of a line is escaped, for it is no list; pandoc lets it become one.",
    "Right-to-left text needs no span; pandoc writes one with `dir`.",
    "A table of contents is dropped, for it repeats the headings with page numbers that are no longer true.",
)


def page() -> str:
    """The rules as a page of documentation."""
    lines = [
        "# How a Word document reads as Markdown",
        "",
        "Written by `python -m tests.engine.markdown.markdown_rules`; every line is a test. A document is shown by the XML",
        "of its body, with the names of the other parts that play a role.",
    ]
    area = ""
    for rule in RULES:
        if rule.area != area:
            area = rule.area
            lines += ["", f"## {area}", "", "| rule | document | Markdown |", "| --- | --- | --- |"]
        shown = "<br>".join(_code(line) for line in rule.result.split("\n"))
        name = rule.name.replace("|", "\\|")
        view = "" if rule.view == "final" else f" ({rule.view} view)"
        lines.append(f"| {name}{view} | {rule.source} | {shown} |")
    lines += ["", "## Where this differs from other converters on purpose", ""]
    lines += [f"- {difference}" for difference in DIFFERENCES]
    return "\n".join(lines) + "\n"


def _code(line: str) -> str:
    if not line:
        return ""
    fence = "`" * (1 + max((len(run) for run in line.split() if set(run) == {"`"}), default=0))
    fence = fence if "`" not in line or len(fence) > 1 else "``"
    pad = " " if "`" in line else ""
    escaped = line.replace("|", "\\|")
    return f"{fence}{pad}{escaped}{pad}{fence}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
