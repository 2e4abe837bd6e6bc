"""A small agreement with everything the interpreter looks at, in the tree."""

from __future__ import annotations

from dataclasses import replace

from redraft.engine.model import (
    Block,
    Cell,
    Document,
    Field,
    Heading,
    Image,
    LineBreak,
    Link,
    ListItem,
    Mark,
    NoteReference,
    Paragraph,
    Revision,
    Row,
    Story,
    StoryKind,
    Table,
    Text,
)

MANY = 600_000
"""Calls that reading one sentence may make."""


def paragraph(anchor: str, text: str, style: str = "") -> Paragraph:
    return Paragraph(anchor, (Text(text),), style)


def heading(anchor: str, level: int, text: str, label: str = "") -> Heading:
    return Heading(anchor, level, (Text(text),), label)


def bullet(anchor: str, text: str) -> ListItem:
    return ListItem(anchor, 0, (Text(text),))


def row(anchor: str, *texts: str, is_header: bool = False) -> Row:
    cells = tuple(
        Cell(f"{anchor}.c{i}", (paragraph(f"{anchor}.c{i}.p1", text),), i - 1)
        for i, text in enumerate(texts, 1)
    )
    return Row(anchor, cells, is_header)


def story(kind: StoryKind, anchor: str, *texts: str, label: str = "") -> Story:
    blocks = tuple(paragraph(f"{anchor}.p{i}", text) for i, text in enumerate(texts, 1))
    return Story(kind, anchor, blocks, label)


BODY: tuple[Block, ...] = (
    paragraph("p1", "Service Agreement", "Title"),
    heading("p2", 1, "Purpose", "1."),
    Paragraph(
        "p3",
        (
            Text("ACME Corp supplies the Services to the Vendor. In no event is the "),
            Text("Vendor", Mark.BOLD),
            Text(" late. The meeting is at 2:00 PM on 1 May 2026."),
        ),
    ),
    heading("p4", 2, "Scope"),
    paragraph("p5", "This (draft) covers a very good fee of $1,200 and the fees of others."),
    bullet("p6", "Pay for overtime"),
    bullet("p7", "Emma Davis"),
    heading("p8", 1, "Payment", "2."),
    Paragraph(
        "p9",
        (
            Text("Invoices are due Net 30. Payment takes 30 days"),
            NoteReference("footnote", "fn1", "1"),
            Text(" from receipt by ACME Corp's bank; the word recieve is wrong."),
        ),
    ),
    Table(
        "t1",
        (
            row("t1.r1", "Item", "Q4", "Notes", is_header=True),
            row("t1.r2", "Governing Law", "Delaware", ""),
            row("t1.r3", "Revenue", "Delaware", "Week 3"),
        ),
        3,
    ),
    Table("t2", (row("t2.r1", "Name", "Ryan Braun"), row("t2.r2", "City", "Berlin")), 2),
    heading("p10", 1, "3. Termination"),
    paragraph(
        "p11", "Force majeure ends it. A party may stop within 60 days. It tells Dr. Weber so."
    ),
    heading("p12", 1, "Appendix B"),
    paragraph("p13", "Location: Room 1"),
    paragraph(
        "p14",
        "The colour is red. Colour matters: COLOUR codes, Mr Smith and Mr Smith. Monday to Friday.",
    ),
)

AGREEMENT = Document(
    "docx",
    (
        Story("body", "", BODY),
        story("header", "h1", "ACME Corp — Draft"),
        Story(
            "footer",
            "f1",
            (Paragraph("f1.p1", (Text("Page "), Field("x1", "PAGE", (Text("1"),)))),),
        ),
        story("footnote", "fn1", "See annex 3 for calendar days.", label="1"),
        story("comment", "c1", "A remark about Zebra."),
    ),
)

# The agreement with a link, an image and changes of two people.
LINKED = replace(
    AGREEMENT,
    stories=(
        Story(
            "body",
            "",
            (
                *BODY,
                Paragraph(
                    "p15",
                    (
                        Text("See "),
                        Link("http://a.example", (Text("our terms"),)),
                        Text(" and the "),
                        Image("im1", "A goose"),
                        Text(" goose."),
                    ),
                ),
            ),
        ),
        *AGREEMENT.stories[1:],
    ),
)


def revision(name: str, author: str, anchor: str) -> Revision:
    return Revision(name, "insertion", author, "", "body", anchor, "", "", "x")


CHANGES = (
    revision("3", "Ann Lee", "p3"),
    revision("7", "Bob", "p5"),
    revision("7.2", "Ann Lee", "p9"),
)

NO_BREAK = Document(
    "docx",
    (
        Story(
            "body",
            "",
            (Paragraph("p1", (Text("One"), LineBreak("page"), Text("two three."))),),
        ),
        story("footer", "f1", "Old"),
        story("footer", "f2", "Old"),
    ),
)
