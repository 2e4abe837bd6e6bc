"""Instructions, what a model answered that saw the requests and nothing else, and what must come.

An answer was written from the text of the request alone. What must come was written before the
engine carried anything out: lines of the view that change, by their ids; all others must stay.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

Wanted = tuple[str, ...]


@dataclass(frozen=True)
class Case:
    """One instruction.

    Attributes:
        document: In the corpus.
        instruction: As a person types it.
        answers: The JSON of the model's operations, or of a whole answer, one a question.
        wanted: Each (`sub`, id, old, new): words of a line; (`kind`, id, old, new): what stands in
            its brackets; (`gone`, id); (`new`, id, line): a line behind that of an id; () for
            nothing, with the sentence of a refusal in `refused`.
        refused: A part of what the person is told where nothing is done.
    """

    document: str
    instruction: str
    answers: tuple[str, ...]
    wanted: tuple[Wanted, ...] = ()
    refused: str = ""


REPORT = "docx/bgreenwell__business-report.docx"
PAGES = "docx/microsoft__docx_multipage.docx"
DRUG = "docx/aspose-words__Document_with_SDT_1.docx"
BOXES = "docx/nissl-lab__checkboxes.docx"
HOMEWORK = "docx/zlwang-cs__homework_withname.docx"
GOLDEN = "docx/dealfluence__golden2.docx"
DECLARATION = "docx/plutext__decracdiscrim1.docx"
INVOICE = "docx/plutext__invoice_Saxon_XPath2.docx"
RESUMED = "docx/docling-project__docx_list_resumed_numbering.docx"
CELLS = "docx/python-openxml__tbl-cell-access.docx"
PACKING = "docx/JSv4__DA253-Table-With-Sum-Run-Level-CC.docx"
SAMPLE = "docx/plutext__sample-docxv2.docx"
FURNITURE = "docx/apache__headerFooter.docx"
EXPORT = "docx/bgreenwell__export-test.docx"
TEMPLATE = "docx/apache__60316.docx"
CRAZY = "pdf/sample-files__crazyones-pdfa.pdf"
LINKS = "pdf/unstructured__embedded-link.pdf"
MULTI = "pdf/markitdown__pdf_multipage.pdf"


def op(name: str, **fields: object) -> str:
    """Returns an operation as JSON."""
    return json.dumps({"op": name, **fields})


def text(block: str, find: str, by: str, occurrence: int | None = None) -> str:
    """Returns a replacement as JSON."""
    return op("replace_text", block=block, find=find, replace=by, occurrence=occurrence)


def both(*operations: str) -> str:
    """Returns several operations as JSON."""
    return ", ".join(operations)


def answer(decision: str, reason: str) -> str:
    """Returns a whole answer without operations."""
    return json.dumps({"reason": reason, "decision": decision, "read": [], "operations": []})


def refusal(reason: str) -> str:
    """Returns the answer that refuses."""
    return answer("refuse", reason)


CASES = (
    Case(
        REPORT,
        "The customer base grew by 43 percent, not 34",
        (f"{text('p3', '34%', '43%')}, {text('t1.r4.c4.p1', '+34%', '+43%')}",),
        (("sub", "p3", "34%", "43%"), ("sub", "t1.r4", "+34%", "+43%")),
    ),
    Case(
        REPORT,
        "Remove the product sales line",
        (op("delete_blocks", first="p11", last="p11"),),
        (("gone", "p11"),),
    ),
    Case(
        REPORT,
        "Add a row for operating costs to the KPI table: 1.2M now, 1.1M before",
        (
            op(
                "insert_row",
                target="t1.r4",
                where="after",
                cells=["Operating Costs", "$1,200,000", "$1,100,000", "+9%"],
            ),
        ),
        (
            ("kind", "t1", "4x4", "5x4"),
            ("new", "t1.r4", "| Operating Costs | $1,200,000 | $1,100,000 | +9% |"),
        ),
    ),
    Case(
        REPORT,
        "Make the sub-headings of the report the same size as Executive Summary",
        (
            ", ".join(
                op("format_text", block=b, find="", property="size", value="9", occurrence=None)
                for b in ("p4", "p6", "p13", "p18", "p23")
            ),
        ),
        tuple(("kind", b, "8pt", "9pt") for b in ("p4", "p6", "p13", "p18", "p23")),
    ),
    Case(
        REPORT,
        "What was the net profit?",
        (answer("no_change", "Net profit was $420,000 in Q4 2024."),),
        (),
        "$420,000",
    ),
    Case(
        REPORT,
        "Put the market risks in alphabetical order",
        (op("move_blocks", first="p15", last="p15", to="p14", where="before"),),
        (
            ("gone", "p15"),
            (
                "new",
                "p13",
                "• **Economic Uncertainty**: Potential recession could impact enterprise spending",
            ),
        ),
    ),
    Case(
        REPORT,
        "Put net profit above revenue in the table",
        (
            both(
                op(
                    "insert_row",
                    target="t1.r2",
                    where="before",
                    cells=["Net Profit", "$420,000", "$315,000", "+33%"],
                ),
                op("delete_row", target="t1.r3"),
            ),
        ),
        (("gone", "t1.r3"), ("new", "t1.r1", "| Net Profit | $420,000 | $315,000 | +33% |")),
    ),
    Case(
        REPORT,
        "London should be Dublin",
        (text("p25", "London", "Dublin"),),
        (("sub", "p25", "London", "Dublin"),),
    ),
    Case(
        PAGES,
        "Give all pictures an alternative text",
        (
            ", ".join(
                op("set_alt_text", target=f"im{n}", text=f"A picture on page {n}")
                for n in (1, 2, 3)
            ),
        ),
        tuple(
            ("sub", b, f"Picture {n}", f"A picture on page {n}")
            for n, b in ((1, "p4"), (2, "p13"), (3, "p16"))
        ),
    ),
    Case(
        PAGES,
        "Delete the picture on the second page",
        (op("delete_image", target="im2"),),
        (("sub", "p13", "⟦im2:Picture 2⟧", ""),),
    ),
    Case(
        PAGES,
        "Turn the headings into plain paragraphs",
        (", ".join(op("set_style", first=b, last=b, style="Normal") for b in ("p1", "p8", "p15")),),
        tuple(("kind", b, "h1 14pt Calibri color 365F91", "") for b in ("p1", "p8", "p15")),
    ),
    Case(
        PAGES,
        "Say 'key content' instead of important content",
        (text("p3", "Important content", "Key content"),),
        (("sub", "p3", "Important content", "Key content"),),
    ),
    Case(
        DRUG,
        "The trade name is Zolpax; fill it in",
        (refusal("The fields for the trade name are locked; unlock them in Word"),),
        refused="locked",
    ),
    Case(
        DRUG,
        "Delete the note that begins with Else If",
        (refusal("The note stands in a locked control"),),
        refused="locked",
    ),
    Case(
        BOXES,
        "Tick the box that says unchecked",
        (op("set_field", control="cc1", value="checked"),),
        (("sub", "p2", "☐", "☒"),),
    ),
    Case(
        BOXES,
        "Untick both boxes of the table row",
        (
            both(
                op("set_field", control="cc5", value="unchecked"),
                op("set_field", control="cc6", value="unchecked"),
            ),
        ),
        (("sub", "t1.r1", "☒", "☐"),),
    ),
    Case(
        HOMEWORK,
        "The student is Maria with the ID A98765432",
        (f"{text('p3', 'A12345678', 'A98765432')}, {text('p4', 'Linda', 'Maria')}",),
        (("sub", "p3", "A12345678", "A98765432"), ("sub", "p4", "Linda", "Maria")),
    ),
    Case(
        HOMEWORK,
        "Add Mach to the systems, after Multics",
        (
            op(
                "insert_blocks",
                block="p10",
                where="after",
                blocks=[{"kind": "like_anchor", "text": "Mach"}],
            ),
        ),
        (("new", "p10", "Mach"),),
    ),
    Case(
        HOMEWORK,
        "Make the heading Winter 2022 black",
        (
            op(
                "format_text",
                block="p2",
                find="",
                property="color",
                value="000000",
                occurrence=None,
            ),
        ),
        (("kind", "p2", "color 68C2C7", ""),),
    ),
    Case(
        GOLDEN,
        "Answer the first comment with Done and resolve it",
        (
            both(
                op("reply_comment", target="c1", text="Done"),
                op("resolve_comment", target="c1", resolved=True),
            ),
        ),
        (("new", "c4.p1", "Done"),),
    ),
    Case(
        GOLDEN,
        "Delete the last comment",
        (op("delete_comment", target="c4"),),
        (("gone", "c4.p1"),),
    ),
    Case(
        DECLARATION,
        "Shorten the preamble a little",
        (
            op("delete_blocks", first="p4", last="p40"),
            '{"reason": "It asks for all of it.", "decision": "refuse"}',
        ),
        (),
        "does not plainly ask",
    ),
    Case(
        DECLARATION,
        "Call it Article One",
        (text("p19", "Article 1", "Article One"),),
        (("sub", "p19", "Article 1", "Article One"),),
    ),
    Case(
        DECLARATION,
        "Articles 1 and 2 should be in bold",
        (
            ", ".join(
                op("format_text", block=b, find="", property="bold", value="on", occurrence=None)
                for b in ("p19", "p21")
            ),
        ),
        (
            ("sub", "p19", "*Article 1*", "***Article 1***"),
            ("sub", "p21", "*Article 2*", "***Article 2***"),
        ),
    ),
    Case(
        DECLARATION,
        "Translate the line on the proclamation into German",
        (
            op(
                "rewrite_block",
                block="p2",
                text="***Verkündet durch Resolution 1904 (XVIII) vom 20. November 1963***",
            ),
        ),
        (
            (
                "sub",
                "p2",
                "Proclaimed by General Assembly resolution 1904 (XVIII) of 20 November 1963",
                "Verkündet durch Resolution 1904 (XVIII) vom 20. November 1963",
            ),
        ),
    ),
    Case(
        INVOICE,
        "Bill it to Jane Roe",
        (text("p4", "Joe Bloggs", "Jane Roe"),),
        (("sub", "p4", "Joe Bloggs", "Jane Roe"),),
    ),
    Case(
        INVOICE,
        "Apples cost $25 and pears cost $30",
        (
            both(
                text("t1.r2.c2.p1", "$20", "$25"),
                op("insert_row", target="t1.r2", where="after", cells=["pears", "$30"]),
            ),
        ),
        (
            ("kind", "t1", "2x2", "3x2"),
            ("sub", "t1.r2.c2.p1", "$20", "$25"),
            ("new", "t1.r2.c2.p1", "| pears | $30 |"),
        ),
    ),
    Case(
        INVOICE,
        "Leave out the paragraph that should be left out",
        (op("delete_blocks", first="p9", last="p9"),),
        (("sub", "p9", "This paragraph should be left out.", ""),),
    ),
    Case(
        RESUMED,
        "Make the bullets numbered items as well",
        (op("set_list", first="p4", last="p5", kind="numbered", level=None, restart=False),),
        (
            ("kind", "p4", "li1", 'li1 num="3."'),
            ("kind", "p5", "li1", 'li1 num="4."'),
            ("kind", "p6", 'num="3."', 'num="5."'),
        ),
    ),
    Case(
        RESUMED,
        "Drop the second item",
        (op("delete_blocks", first="p3", last="p3"),),
        (("gone", "p3"), ("kind", "p6", 'num="3."', 'num="2."')),
    ),
    Case(
        CELLS,
        "In the first table the 5 should be 55",
        (op("set_cell", target="t1.r2.c2", text="55"),),
        (("sub", "t1.r2", "5", "55"),),
    ),
    Case(
        CELLS,
        "Delete the third table",
        (op("delete_table", target="t3"),),
        tuple(("gone", a) for a in ("t3", "t3.r1", "t3.r2", "t3.r3")),
    ),
    Case(
        CELLS,
        "Delete the middle column of table 1",
        (op("delete_column", target="t1.r1.c2"),),
        (
            ("kind", "t1", "3x3", "3x2"),
            ("sub", "t1.r1", "| 2 ", ""),
            ("sub", "t1.r2", "| 5 ", ""),
            ("sub", "t1.r3", "| 8 ", ""),
        ),
    ),
    Case(
        PACKING,
        "Make the red line black",
        (
            op(
                "format_text",
                block="p4",
                find="",
                property="color",
                value="000000",
                occurrence=None,
            ),
        ),
        (("kind", "p4", "color FF0000", "color 000000"),),
    ),
    Case(
        SAMPLE,
        "Centre the paragraph 'Some text.'",
        (op("set_paragraph", first="p5", last="p5", property="alignment", value="center"),),
        (),
    ),
    Case(
        SAMPLE,
        "The title should read: A sample in Word",
        (op("rewrite_block", block="p1", text="A sample in Word"),),
        (("sub", "p1", "Docx sample document", "A sample in Word"),),
    ),
    Case(
        FURNITURE,
        "Put the word draft in the header",
        (text("h2.p1", "simple header…", "simple header… draft"),),
        (("sub", "h2.p1", "header…", "header… draft"),),
    ),
    Case(
        EXPORT,
        "Widget B costs 24.99 and there are 80 of it",
        (f"{text('t1.r3.c2.p1', '$29.99', '$24.99')}, {text('t1.r3.c3.p1', '75', '80')}",),
        (("sub", "t1.r3", "$29.99", "$24.99"), ("sub", "t1.r3", "75", "80")),
    ),
    Case(
        EXPORT,
        "The bold in the second bullet should go",
        (
            op(
                "format_text",
                block="p8",
                find="bold text",
                property="bold",
                value="off",
                occurrence=None,
            ),
        ),
        (("sub", "p8", "**bold text**", "bold text"),),
    ),
    Case(
        TEMPLATE,
        "The job is from 2019 to 2024 at Initech as a tester",
        (
            both(
                op("rewrite_block", block="p5", text="2019 to 2024"),
                op("rewrite_block", block="p6", text="**Initech**"),
                op("rewrite_block", block="p7", text="Tester"),
            ),
        ),
        (
            ("sub", "p5", "[Dates From - To]", "2019 to 2024"),
            ("kind", "p5", "empty", ""),
            ("sub", "p6", "[Company]", "Initech"),
            ("kind", "p6", "empty", ""),
            ("sub", "p7", "[Position Held]", "Tester"),
            ("kind", "p7", "empty", ""),
        ),
    ),
    Case(
        CRAZY,
        "Set the date to November 2, 1999",
        (text("p1.b2", "October 14, 1998", "November 2, 1999"),),
        (("sub", "p1.b2", "October 14, 1998", "November 2, 1999"),),
    ),
    Case(
        CRAZY,
        "Delete the line on crazy people",
        (op("delete_blocks", first="p1.b7", last="p1.b7", close_up=False),),
        (("gone", "p1.b7"),),
    ),
    Case(
        LINKS,
        "The mail address is called e-mail",
        (text("p1.b2", "email", "e-mail"),),
        (("sub", "p1.b2", "email", "e-mail"),),
    ),
    Case(
        MULTI,
        "On the third page say header picture instead of image at top",
        (text("p3.b1", "Image at top", "Header picture"),),
        (("sub", "p3.b1", "Image at top", "Header picture"),),
    ),
)
