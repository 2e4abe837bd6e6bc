"""Sentences that are more than words for words, each with the plan it becomes."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import get_args

import pytest

from redraft.engine.errors import AmbiguousError, NotUnderstoodError, RefusedError
from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.model import Block, Format, Heading, Image, Paragraph, Text
from redraft.engine.plan import (
    PAGE_OPERATIONS,
    AddComment,
    BlockKind,
    DeleteBlocks,
    DeleteColumn,
    DeleteComment,
    DeleteImage,
    DeleteNote,
    DeleteRow,
    FormatText,
    InsertBlocks,
    InsertBreak,
    InsertColumn,
    InsertFootnote,
    InsertRow,
    InsertTable,
    MergeBlocks,
    MoveBlocks,
    NewBlock,
    Operation,
    RemoveLink,
    ReplaceText,
    ReplyComment,
    ResolveComment,
    SetAltText,
    SetField,
    SetLink,
    SetList,
    SetParagraph,
    SetProperty,
    SetStyle,
    SettleChange,
    SplitBlock,
    TextProperty,
)
from tests.counting import calls
from tests.engine.interpreter.agreement import (
    CHANGES,
    LINKED,
    MANY,
    NO_BREAK,
    heading,
    paragraph,
)

HEADINGS = [
    block.anchor for block in LINKED.body.blocks if isinstance(block, Heading)
]  # p2 p4 p8 p10 p12


def operations(instruction: str) -> tuple[Operation, ...]:
    plan = interpret(LINKED, instruction, None, CHANGES)
    assert plan.decision == "edit"
    return plan.operations


def looks(
    anchor: str, find: str, name: TextProperty, value: str = "on", nth: int | None = None
) -> FormatText:
    return FormatText(anchor, find, name, value, nth)


def headings(*said: tuple[TextProperty, str]) -> tuple[FormatText, ...]:
    return tuple(looks(anchor, "", name, value) for anchor in HEADINGS for name, value in said)


def style(anchor: str, name: str) -> tuple[SetStyle]:
    return (SetStyle(anchor, anchor, name),)


def alignment(anchor: str, value: str) -> tuple[SetParagraph]:
    return (SetParagraph(anchor, anchor, "alignment", value),)


def new(anchor: str, kind: BlockKind, text: str) -> tuple[InsertBlocks]:
    return (InsertBlocks(anchor, "after", (NewBlock(kind, text),)),)


NET = looks("p9", "Net 30", "bold")
TITLE = (
    ReplaceText("p1", "Service Agreement", "Annual Report 2026"),
    SetProperty("title", "Annual Report 2026"),
)

SENTENCES: list[tuple[str, tuple[Operation, ...]]] = [
    # characters
    ('Make "Net 30" bold', (NET,)),
    ('Bold the phrase "Net 30"', (NET,)),
    ('put "Net 30" in bold', (NET,)),
    ("Make Net 30 bold", (NET,)),
    ('In the section "Payment", make "Net 30" bold', (NET,)),
    (
        "make all “Mr Smith” in bold and italic",
        (looks("p14", "Mr Smith", "bold", nth=0), looks("p14", "Mr Smith", "italic", nth=0)),
    ),
    ('underline "Net 30"', (looks("p9", "Net 30", "underline"),)),
    ('italicize "Net 30"', (looks("p9", "Net 30", "italic"),)),
    ('Highlight "fee" everywhere', (looks("p5", "fee", "highlight", "yellow", 1),)),
    ('Highlight "Net 30" in green', (looks("p9", "Net 30", "highlight", "green"),)),
    ('Make the word "Net 30" red', (looks("p9", "Net 30", "color", "red"),)),
    ('change the colour of "Net 30" to red', (looks("p9", "Net 30", "color", "red"),)),
    ('set the font size of "Emma Davis" to 14 pt', (looks("p7", "Emma Davis", "size", "14"),)),
    ('make "Emma Davis" 10.5pt', (looks("p7", "Emma Davis", "size", "10.5"),)),
    ('change the font of the title to "Arial"', (looks("p1", "", "font", "Arial"),)),
    ('make the first "fee" bold', (looks("p5", "fee", "bold", nth=1),)),
    ('make "30 days" superscript', (looks("p9", "30 days", "vertical", "superscript"),)),
    ('make "Emma Davis" not bold', (looks("p7", "Emma Davis", "bold", "off"),)),
    ('remove the highlighting from "Net 30"', (looks("p9", "Net 30", "highlight", "none"),)),
    ('Make "Berlin" bold in table 2', (looks("t2.r2.c2.p1", "Berlin", "bold"),)),
    ("make all section headings bold and 16pt", headings(("bold", "on"), ("size", "16"))),
    (
        "Make all headings bold, italic and 16 pt.",
        headings(("bold", "on"), ("italic", "on"), ("size", "16")),
    ),
    ("make the headings blue", headings(("color", "blue"))),
    ("Make every heading underlined", headings(("underline", "on"))),
    ("make all level 2 headings italic", (looks("p4", "", "italic"),)),
    ("make the second paragraph bold", (looks("p5", "", "bold"),)),
    (
        "make the header row of table 2 bold",
        (looks("t2.r1.c1.p1", "", "bold"), looks("t2.r1.c2.p1", "", "bold")),
    ),
    ('make the text in the cell "Week 3" bold', (looks("t1.r3.c3.p1", "", "bold"),)),
    (
        'make the column "Name" bold',
        (looks("t2.r1.c1.p1", "", "bold"), looks("t2.r2.c1.p1", "", "bold")),
    ),
    # paragraphs
    ('Make "Scope" a heading 1', style("p4", "Heading 1")),
    (
        'Turn the paragraph "Location: Room 1" into a level 2 heading',
        style("p13", "Heading 2"),
    ),
    ('change the heading "Scope" to a level 3 heading', style("p4", "Heading 3")),
    ('Make "Location: Room 1" a normal paragraph', style("p13", "Normal")),
    ('apply the style "Quote" to the paragraph containing "Room 1"', style("p13", "Quote")),
    ('set the style of "Location: Room 1" to "Body Text"', style("p13", "Body Text")),
    ("center the title", alignment("p1", "center")),
    ('align "Location: Room 1" to the right', alignment("p13", "right")),
    ('justify the paragraph containing "Net 30"', alignment("p9", "justify")),
    (
        'set the line spacing of the paragraph containing "Room 1" to 1.5',
        (SetParagraph("p13", "p13", "line_spacing", "1.5"),),
    ),
    ('Make "Location: Room 1" a bulleted list', (SetList("p13", "p13", "bullet"),)),
    ('make "Location: Room 1" a numbered list', (SetList("p13", "p13", "numbered"),)),
    # blocks
    ('Move the section "Scope" before "Payment"', (MoveBlocks("p4", "p7", "p8", "before"),)),
    ('Move the section "Purpose" after "Payment"', (MoveBlocks("p2", "p7", "t2", "after"),)),
    ("Move the section Scope before Payment", (MoveBlocks("p4", "p7", "p8", "before"),)),
    (
        'Move the paragraph containing "Room 1" after the heading "Scope"',
        (MoveBlocks("p13", "p13", "p4", "after"),),
    ),
    ('Move "Appendix B" to the top', (MoveBlocks("p12", "p15", "p1", "before"),)),
    (
        'Move the paragraph "Location: Room 1" to the end of the document',
        (MoveBlocks("p13", "p13", "p15", "after"),),
    ),
    (
        'Move the first table before the heading "Scope"',
        (MoveBlocks("t1", "t1", "p4", "before"),),
    ),
    ('Merge the paragraph "Emma Davis" with the next one', (MergeBlocks("p7", "p8"),)),
    ('Merge "Emma Davis" with "Pay for overtime"', (MergeBlocks("p6", "p7"),)),
    ('Split the paragraph before "A party may"', (SplitBlock("p11", "A party may"),)),
    ('Start a new paragraph at "A party may"', (SplitBlock("p11", "A party may"),)),
    (
        'Insert a page break before the heading "Appendix B"',
        (InsertBreak("p12", "before", "page"),),
    ),
    ("insert a page break after the first table", (InsertBreak("t1", "after", "page"),)),
    ('Start "Scope" on a new page', (InsertBreak("p4", "before", "page"),)),
    # tables
    (
        'Add a row "Seeds" "Sunflower" "180" to table 1',
        (InsertRow("t1.r3", "after", ("Seeds", "Sunflower", "180")),),
    ),
    (
        'Add a new row with "Total" and "104.98" below the row containing "Ryan Braun"',
        (InsertRow("t2.r1", "after", ("Total", "104.98")),),
    ),
    (
        'add the row "A", "B" at the top of table 1',
        (InsertRow("t1.r1", "after", ("A", "B")),),
    ),
    ('Add a column "Price" after "Item"', (InsertColumn("t1.r1.c1", "after", ("Price",)),)),
    (
        'insert a column with "Age", "3" after the column "Name"',
        (InsertColumn("t2.r1.c1", "after", ("Age", "3")),),
    ),
    ('Remove the row with "Ryan Braun"', (DeleteRow("t2.r1"),)),
    ("delete the last row of table 2", (DeleteRow("t2.r2"),)),
    ("Delete row 2 of table 1", (DeleteRow("t1.r2"),)),
    ('delete the column "Notes"', (DeleteColumn("t1.r1.c3"),)),
    ("delete the second column of table 2", (DeleteColumn("t2.r1.c2"),)),
    (
        'Insert a table with the columns "A" and "B" after the heading "Scope"',
        (InsertTable("p4", "after", (("A", "B"),)),),
    ),
    # links
    (
        'Link "Net 30" to "https://x.example/terms"',
        (SetLink("p9", "Net 30", "https://x.example/terms"),),
    ),
    ('Add a link to "x.example" to "Net 30"', (SetLink("p9", "Net 30", "https://x.example"),)),
    ('link "Emma Davis" to "e@x.example"', (SetLink("p7", "Emma Davis", "mailto:e@x.example"),)),
    ('Remove the hyperlink from "our terms"', (RemoveLink("p15", "our terms"),)),
    (
        'Change the link "http://a.example/" to "https://b.example"',
        (SetLink("p15", "our terms", "https://b.example"),),
    ),
    # notes, images, fields, properties
    ('Can you please remove the footnote "See annex 3"?', (DeleteNote("fn1"),)),
    ("delete footnote 1", (DeleteNote("fn1"),)),
    (
        'Add a footnote "Net of tax." after "$1,200"',
        (InsertFootnote("p5", "$1,200", "Net of tax."),),
    ),
    (
        'insert a footnote after "$1,200" saying "Net."',
        (InsertFootnote("p5", "$1,200", "Net."),),
    ),
    ("Delete the comment", (DeleteComment("c1"),)),
    ('Resolve the comment "Zebra"', (ResolveComment("c1"),)),
    ("Reopen the comment", (ResolveComment("c1", resolved=False),)),
    ('Reply "Agreed" to the comment saying "Zebra"', (ReplyComment("c1", "Agreed"),)),
    ("Delete all comments", (DeleteComment("c1"),)),
    ('Add a comment "Check this" to "Net 30"', (AddComment("p9", "Net 30", "Check this"),)),
    ('Comment on "Net 30": "Check this"', (AddComment("p9", "Net 30", "Check this"),)),
    (
        'Link "Mr Smith" to "https://a.example" everywhere',
        (
            SetLink("p14", "Mr Smith", "https://a.example", 1),
            SetLink("p14", "Mr Smith", "https://a.example", 2),
        ),
    ),
    ('Set the alt text of the image to "A duck"', (SetAltText("im1", "A duck"),)),
    ('Add the alt text "A duck" to image 1', (SetAltText("im1", "A duck"),)),
    ("Delete the image", (DeleteImage("im1"),)),
    ('Fill in the field "Name" with "Ann"', (SetField("Name", "Ann"),)),
    ('check the box "Agree"', (SetField("Agree", "checked"),)),
    ('Set the document title to "Annual Report 2026"', TITLE),
    ('set the author to "Ann Lee"', (SetProperty("author", "Ann Lee"),)),
    # tracked changes
    (
        "accept all changes by Ann Lee",
        (SettleChange("3", "accept"), SettleChange("7.2", "accept")),
    ),
    ('reject the changes made by "Bob"', (SettleChange("7", "reject"),)),
    ("accept Bob's changes", (SettleChange("7", "accept"),)),
    ('accept all changes in the section "Scope"', (SettleChange("7", "accept"),)),
    (
        "Reject all tracked changes.",
        (SettleChange("3", "reject"), SettleChange("7", "reject"), SettleChange("7.2", "reject")),
    ),
    # words, in places that are said apart
    (
        'Change the company name in the header from "ACME Corp" to "Globex"',
        (ReplaceText("h1.p1", "ACME Corp", "Globex"),),
    ),
    ('Add "Total" to the header', new("h1.p1", "like_anchor", "Total")),
    ('Add a section titled "Risks" after the Scope section', new("p7", "heading2", "Risks")),
    # several
    ('Make "Net 30" bold and delete "Emma Davis"', (NET, DeleteBlocks("p7", "p7"))),
    (
        'bold "Net 30" and underline "Emma Davis"',
        (NET, looks("p7", "Emma Davis", "underline")),
    ),
    (
        "Make all headings bold and delete the first table",
        (*headings(("bold", "on")), DeleteBlocks("t1", "t1")),
    ),
    (
        'Make "Net 30" bold; move the section "Scope" before "Payment"',
        (NET, MoveBlocks("p4", "p7", "p8", "before")),
    ),
    # German
    ("Mache „Net 30“ fett", (NET,)),
    ("Mache alle Überschriften fett und 16pt", headings(("bold", "on"), ("size", "16"))),
    ("Unterstreiche „Net 30“", (looks("p9", "Net 30", "underline"),)),
    ("Markiere „Net 30“ gelb", (looks("p9", "Net 30", "highlight", "yellow"),)),
    ("Verschiebe den Abschnitt „Scope“ vor „Payment“", (MoveBlocks("p4", "p7", "p8", "before"),)),
    (
        "Füge eine Zeile „A“, „B“ nach der Zeile mit „Ryan Braun“ ein",
        (InsertRow("t2.r1", "after", ("A", "B")),),
    ),
    ("Lösche die Zeile mit „Ryan Braun“", (DeleteRow("t2.r1"),)),
    ("Lösche die Spalte „Notes“", (DeleteColumn("t1.r1.c3"),)),
    ("Verlinke „Net 30“ mit „https://x.example“", (SetLink("p9", "Net 30", "https://x.example"),)),
    (
        "Füge einen Seitenumbruch vor der Überschrift „Scope“ ein",
        (InsertBreak("p4", "before", "page"),),
    ),
    ("Beginne „Scope“ auf einer neuen Seite", (InsertBreak("p4", "before", "page"),)),
    ("Akzeptiere alle Änderungen von Bob", (SettleChange("7", "accept"),)),
    ("Lehne die Änderungen von „Bob“ ab", (SettleChange("7", "reject"),)),
    ("Setze den Alternativtext des Bildes auf „Eine Ente“", (SetAltText("im1", "Eine Ente"),)),
    ("Zentriere den Titel", alignment("p1", "center")),
    ("Lösche die Fußnote „See annex 3“", (DeleteNote("fn1"),)),
    # French
    ("Mettez « Net 30 » en gras", (NET,)),
    ("Mettez tous les titres en gras", headings(("bold", "on"))),
    ("Soulignez « Net 30 »", (looks("p9", "Net 30", "underline"),)),
    ("Déplacez la section « Scope » avant « Payment »", (MoveBlocks("p4", "p7", "p8", "before"),)),
    ("Supprimez la ligne contenant « Ryan Braun »", (DeleteRow("t2.r1"),)),
    ("Supprimez la colonne « Notes »", (DeleteColumn("t1.r1.c3"),)),
    ("Acceptez toutes les modifications de Bob", (SettleChange("7", "accept"),)),
    ("Insérez un saut de page avant le titre « Scope »", (InsertBreak("p4", "before", "page"),)),
    # Spanish
    ("Pon «Net 30» en negrita", (NET,)),
    ("Pon todos los títulos en negrita", headings(("bold", "on"))),
    ("Subraya «Net 30»", (looks("p9", "Net 30", "underline"),)),
    ("Mueve la sección «Scope» antes de «Payment»", (MoveBlocks("p4", "p7", "p8", "before"),)),
    ("Elimina la fila que contiene «Ryan Braun»", (DeleteRow("t2.r1"),)),
    ("Elimina la columna «Notes»", (DeleteColumn("t1.r1.c3"),)),
    ("Rechaza todos los cambios de Bob", (SettleChange("7", "reject"),)),
    ("Inserta un salto de página antes del título «Scope»", (InsertBreak("p4", "before", "page"),)),
]


@pytest.mark.parametrize(("instruction", "meant"), SENTENCES, ids=[case[0] for case in SENTENCES])
def test_a_sentence_becomes_its_plan(instruction: str, meant: tuple[Operation, ...]) -> None:
    assert operations(instruction) == meant


# What the interpreter has no sentence for, because it says the same with another operation.
OTHERWISE = {"RewriteBlock", "SetCell", "EditNote", "DeleteTable"}


def test_every_operation_has_a_sentence() -> None:
    from tests.engine.interpreter.test_interpreter import ONE

    reached = {type(one) for _, meant in SENTENCES for one in meant} | {type(one) for _, one in ONE}
    names = {kind.__name__ for kind in (*reached, *PAGE_OPERATIONS)}  # test_paging.py
    assert names | OTHERWISE == {kind.__name__ for kind in get_args(Operation)}


@pytest.mark.parametrize(
    "instruction",
    [
        "accept all changes by Zoe",
        'reject the changes in the section "Termination"',
    ],
)
def test_changes_that_are_not_there_are_not_settled(instruction: str) -> None:
    with pytest.raises(RefusedError, match="no tracked changes"):
        interpret(LINKED, instruction, None, CHANGES)


def test_an_unknown_author_is_answered_with_those_there_are() -> None:
    with pytest.raises(RefusedError, match="its changes are by Ann Lee, Bob"):
        interpret(LINKED, "accept all changes by Zoe", None, CHANGES)


def test_where_there_are_several_tables_or_images_one_must_be_said() -> None:
    with pytest.raises(AmbiguousError, match="say which one, as: table 2"):
        interpret(LINKED, 'Add a row "a" "b" to the table', None)
    picture = Paragraph("p1", (Image("im1", "A goose"), Image("im2", "A swan")))
    two = replace(LINKED, stories=(replace(LINKED.body, blocks=(picture,)),))
    assert interpret(two, "delete the second image", None).operations == (DeleteImage("im2"),)
    assert interpret(two, 'delete the image "swan"', None).operations == (DeleteImage("im2"),)
    with pytest.raises(AmbiguousError, match="say which one, as: image 2"):
        interpret(two, "delete the image", None)


@pytest.mark.parametrize("style", ["Title", "Titel"])
def test_the_title_is_no_heading_of_a_section(style: str) -> None:
    titled = Heading("p1", 1, (Text("Annual Report"),), style=style)
    blocks = (titled, *LINKED.body.blocks[1:])
    report = replace(LINKED, stories=(replace(LINKED.body, blocks=blocks), *LINKED.stories[1:]))
    plan = interpret(report, "make all section headings bold", None)
    assert plan.operations == headings(("bold", "on"))
    assert interpret(report, "make the title bold", None).operations == (looks("p1", "", "bold"),)


def test_a_document_without_headings_has_none_to_make_bold() -> None:
    with pytest.raises(RefusedError, match="no headings: none of its paragraphs has"):
        interpret(NO_BREAK, "make all headings bold", None)


@pytest.mark.parametrize("kind", ["docx", "pdf"])
@pytest.mark.parametrize(
    ("instruction", "first", "expected", "said"),
    [
        (
            'Set the document title to "Annual Report 2026"',
            paragraph("p1", "Service Agreement", "Title"),
            TITLE,
            "Set the document's title to “Annual Report 2026”: the line “Service Agreement” and"
            " the title property",
        ),
        (
            'Set the document title to "Annual Report 2026"',
            heading("p1", 1, "Service Agreement"),
            TITLE,
            "the line “Service Agreement” and the title property",
        ),
        (
            'Change the title of the document to "Annual Report 2026"',
            heading("p1", 1, "Purpose", "1."),
            TITLE[1:],
            ": the title property; no line of its text is its title",
        ),
        (
            'Set the document title to "Annual Report 2026"',
            paragraph("p1", "Only one heading, further down"),
            TITLE[1:],
            ": the title property; no line of its text is its title",
        ),
        (
            'Set the title property to "Annual Report 2026"',
            paragraph("p1", "Service Agreement", "Title"),
            TITLE[1:],
            "Set the document's title property to “Annual Report 2026”",
        ),
        (
            'Set the title in the metadata to "Annual Report 2026"',
            paragraph("p1", "Service Agreement", "Title"),
            TITLE[1:],
            "Set the document's title property to “Annual Report 2026”",
        ),
        (
            'Set the title to "Annual Report 2026"',
            paragraph("p1", "Service Agreement", "Title"),
            TITLE[:1],
            "Give the title the words “Annual Report 2026”",
        ),
    ],
)
def test_the_title_of_a_document_is_its_line_and_its_property_in_both_formats(
    kind: Format, instruction: str, first: Block, expected: tuple[Operation, ...], said: str
) -> None:
    rest = (heading("p2", 1, "Scope"), paragraph("p3", "Words of it"))
    body = replace(LINKED.body, blocks=(first, *rest))
    plan = interpret(replace(LINKED, format=kind, stories=(body,)), instruction, None)
    assert plan.operations == expected
    assert plan.reason.endswith(said)


@pytest.mark.parametrize(
    ("instruction", "reason"),
    [
        ("make all headings bold and 16pt", "Make the headings bold and size 16"),
        ('Move the section "Scope" before "Payment"', "Move the section “Scope” before “Payment”"),
        ('Add a row "a" to table 2', "Insert a row of “a” at the end of table 2"),
        ("accept all changes by Bob", "Accept all tracked changes by Bob"),
        ('Remove the link from "our terms"', "Take the link off “our terms”"),
        ('Make "Scope" a heading 3', "Give “Scope” the style Heading 3"),
        ("delete the last row of table 1", "Delete the last row of table 1"),
    ],
)
def test_the_reason_says_how_a_sentence_was_read(instruction: str, reason: str) -> None:
    assert interpret(LINKED, instruction, None, CHANGES).reason == reason


@pytest.mark.thorough
def test_no_sentence_takes_long() -> None:
    for instruction, _ in SENTENCES:  # what is made at the first sentence of a kind is kept
        interpret(LINKED, instruction, None, CHANGES)
    work = {
        instruction: calls(partial(interpret, LINKED, instruction, None, CHANGES))
        for instruction, _ in SENTENCES
    }
    assert max(work.values()) < MANY, max(work, key=work.__getitem__)


PAGE = Path(__file__).parents[3] / "docs" / "instructions.md"
# What a PDF alone can do is tried in test_paging.py.
WORDS = re.sub(r"(?s)## Pages of a PDF.*?\n\n(?!A redaction)", "", PAGE.read_text("utf-8"))
EXAMPLES = re.findall(r"^- `(.+)`$", WORDS, re.MULTILINE)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_page_of_sentences_is_true(example: str) -> None:
    assert interpret(LINKED, example, None, CHANGES).decision == "edit"


def test_the_page_of_sentences_is_long_enough_to_be_tried() -> None:
    assert len(EXAMPLES) > 45


@pytest.mark.parametrize(
    "instruction",
    [
        "accept all changes except Bob's",
        "accept all changes except those by Bob",
        "Accept only the good changes",
        "Accept all changes but not Bob's",
        "Accept Ann Lee's changes and reject the rest",
        "make all headings bold except the first",
        "Make everything except headings bold",
        "make all headings bold but Scope",
        "Make all headings bold like in the Annual Report",
        "Highlight the most important parts",
        "Highlight any risky clauses",
        "make the intro bold",
        "Set the tone to formal",
        "Add a comment where the fee is unclear",
        "Add a row for taxes",
        "Add a row with the totals",
        'Add a row "Total" with the sum of all rows',
        "Move things around",
        "Move the best part first",
        "link every URL",
        "Add links to all e-mail addresses",
        "Center everything that looks like a title",
        "Make the table look better",
        "Make the table wider",
        "Make headings consistent",
        "make the headings bigger",
        "Make the last word bold",
        "Set the title to something catchy",
        "Set the author to me",
        "Change the title",
        "Delete empty rows",
        "Delete the empty paragraphs",
        "Remove all formatting",
        'Make "Net 30" bold unless it is in a table',
        'Make "Net 30" bold if it is not',
        'Do not make "Net 30" bold',
        "Never accept changes",
        "Don't accept all changes",
        "do not delete the first table",
        'Please don\'t move the section "Scope" before "Payment"',
        "Turn Emma Davis into a table",
        "Put the table after the conclusion",
        "Insert an image of a duck",
        "Insert a table of contents",
        "Add a page number",
        "Start numbering at 5",
        "Split it",
        "merge the two tables",
        "Number the headings",
        "Number all paragraphs",
        "Reject everything Bob did",
        "Underline it",
        "underline every defined term",
        "make the title of the table bold",
        "Make the title page nicer",
        "fill in the form",
        "Fill in today's date",
        "Comment out the last paragraph",
    ],
)
@pytest.mark.thorough
def test_what_is_only_nearly_a_sentence_is_left_alone(instruction: str) -> None:
    with pytest.raises(NotUnderstoodError):
        interpret(LINKED, instruction, None, CHANGES)
