"""A contract as people send it: numbered sections, clauses, definitions, one signature table."""

from __future__ import annotations

from redraft.engine.model import Block, Document, Heading, ListItem, Paragraph, Story, Table, Text
from tests.engine.interpreter.agreement import heading, paragraph, row, story


def item(anchor: str, label: str, text: str, depth: int = 0) -> ListItem:
    return ListItem(anchor, depth, (Text(text),), label, ordered=True)


BODY: tuple[Block, ...] = (
    paragraph("p1", "Consulting Agreement", "Title"),
    paragraph(
        "p2", "This agreement is made on 5 January 2026 between the Client and the Consultant."
    ),
    heading("p3", 1, "Definitions", "1."),
    item("p4", "(a)", "“Fees” means the amounts in Section 3.", 1),
    item("p5", "(b)", "“Services” means the work in Section 2.", 1),
    item("p6", "(c)", "“Term” means the period in Section 4.", 1),
    item("p7", "(d)", "“Confidential Information” means what is marked so.", 1),
    heading("p8", 1, "Services", "2."),
    paragraph(
        "p9", "The Consultant shall perform the Services. It shall report monthly to the Client."
    ),
    heading("p10", 1, "Fees", "3."),
    item("p11", "3.1", "The Client pays $5,000 a month. Invoices are sent by email.", 1),
    item(
        "p12",
        "3.2",
        "Invoices are due within thirty (30) days. Late payment bears interest at 5%. The Client"
        " may withhold disputed amounts.",
        1,
    ),
    heading("p13", 1, "Term", "4."),
    paragraph("p14", "The term is as follows:"),
    item("p15", "(a)", "it begins on the date above;", 1),
    item("p16", "(b)", "it lasts for two years;", 1),
    item("p17", "(c)", "it may be renewed; and", 1),
    item("p18", "(d)", "it ends on notice.", 1),
    heading("p19", 1, "Termination", "5."),
    paragraph(
        "p20",
        "Either party may terminate on sixty (60) days written notice. Notice is given by email.",
    ),
    heading("p21", 1, "Liability", "6."),
    paragraph(
        "p22", "Subject to SECTION 5, liability is capped at $50,000. Item (b) is not affected."
    ),
    heading("p23", 1, "Governing Law", "7."),
    paragraph(
        "p24", "This agreement is governed by the laws of the State of Delaware. See also Item (b)."
    ),
    heading("p25", 1, "General", "8."),
    paragraph("p26", "This is the entire agreement of the Client and the Consultant."),
    paragraph("p27", "IN WITNESS WHEREOF the parties sign below."),
    Table(
        "t1",
        (
            row("t1.r1", "Client", "Consultant", is_header=True),
            row("t1.r2", "By: ______", "By: ______"),
        ),
        2,
    ),
)

CONTRACT = Document(
    "docx",
    (
        Story("body", "", BODY),
        story("header", "h1", "Consulting Agreement — Final"),
        story("footer", "f1", "Page"),
    ),
)

__all__ = ["BODY", "CONTRACT", "Heading", "Paragraph"]
