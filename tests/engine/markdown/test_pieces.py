"""Inlines of all kinds beside and inside each other, as a CommonMark parser reads them back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from redraft.engine.markdown.document import write
from redraft.engine.model import (
    Block,
    Cell,
    CodeBlock,
    Control,
    Document,
    Field,
    Heading,
    Image,
    Inline,
    LineBreak,
    Link,
    ListItem,
    Mark,
    Math,
    NoteReference,
    Paragraph,
    Row,
    Story,
    Table,
    Text,
)

PARSER = (
    MarkdownIt("commonmark")
    .enable(["strikethrough", "table"])
    .use(footnote_plugin, inline=False, always_match_refs=True)
    .use(dollarmath_plugin, allow_space=False, allow_digits=False)
)
MARKS = {
    "strong": Mark.BOLD,
    "em": Mark.ITALIC,
    "s": Mark.STRIKE,
    "del": Mark.STRIKE,
    "u": Mark.UNDERLINE,
    "sup": Mark.SUPERSCRIPT,
}
EQUATION = 1 << 20
# A character, its marks, and where it leads.
Seen = tuple[str, int, str]

TEXTS = st.builds(
    Text,
    st.text(alphabet="ab1 *_`~[]()<>&#\\-!|$^.:\u00ad中", min_size=1, max_size=6),
    st.sampled_from(
        [
            Mark.NONE,
            Mark.NONE,
            Mark.BOLD,
            Mark.ITALIC,
            Mark.BOLD | Mark.ITALIC,
            Mark.STRIKE,
            Mark.SUPERSCRIPT,
            Mark.CODE,
            Mark.BOLD | Mark.CODE,
        ]
    ),
)
OBJECTS = st.sampled_from(
    [
        NoteReference("footnote", "fn1", "1"),
        Math("x"),
        Math("\\frac{a}{b}"),
        Math("\\text{a|b}"),
        Image("im1", "a [$5] b", "media/a b.png"),
        Image("im2", "c", "media/c.png", "https://e.org/p"),
        LineBreak(),
        LineBreak("page"),
    ]
)
PLAIN = st.one_of(TEXTS, TEXTS, TEXTS, OBJECTS)


def around(inner: st.SearchStrategy[Inline]) -> st.SearchStrategy[Inline]:
    content = st.lists(inner, min_size=1, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Link, st.sampled_from(["https://e.org/a b", "http://x/?a=1&b=(2)"]), content),
        st.builds(Control, st.just("cc1"), content),
        st.builds(Field, st.just("x1"), st.just("PAGE"), content),
    )


# The parser takes the last character of a line for the one in front of its first.
FIRST: list[Inline] = [Text("o ")]
CONTENT = st.lists(st.recursive(PLAIN, around, max_leaves=5), min_size=1, max_size=5).map(
    lambda content: FIRST + content
)


def meant(content: Sequence[Inline], target: str = "") -> Iterator[Seen]:
    """What a reader should see of inlines; a link inside a link is none."""
    for inline in content:
        if isinstance(inline, Text):
            yield from ((c, int(inline.marks), target) for c in visible(inline.text))
        elif isinstance(inline, Link):
            yield from meant(inline.content, target or inline.target)
        elif isinstance(inline, Control | Field):
            yield from meant(inline.content, target)
        elif isinstance(inline, Image):
            yield from ((c, 0, target or inline.target) for c in visible(inline.alt))
        elif isinstance(inline, Math):
            yield from ((c, EQUATION, target) for c in visible(inline.latex))
        elif isinstance(inline, NoteReference):
            yield ("note", 0, "")


def visible(text: str) -> str:
    return re.sub(r"[\s\u00ad]", "", text)


def seen(tokens: Sequence[Token]) -> Iterator[Seen]:
    """What a parser sees, the notes at the end left out."""
    for token in tokens:
        if token.type == "footnote_block_open":
            return
        marks, target = 0, ""
        for child in token.children or ():
            mark = int(MARKS.get(tag_of(child), 0))
            if child.type in ("link_open", "link_close"):
                target = unquote(str(child.attrs.get("href", "")))
            elif mark:
                marks = marks & ~mark if is_end(child) else marks | mark
            elif child.type == "footnote_ref":
                yield ("note", 0, "")
            else:
                yield from ((c, face, target) for c, face in shown(child, marks))


def shown(token: Token, marks: int) -> Iterator[tuple[str, int]]:
    """The characters of one token with their marks."""
    text, face = token.content, marks
    if token.type == "image":
        text, face = "".join(each.content for each in token.children or ()), 0
    elif token.type == "math_inline":
        face = EQUATION
    elif token.type == "code_inline":
        face |= int(Mark.CODE)
    elif token.type != "text":
        return
    yield from ((c, face) for c in visible(text))


def tag_of(token: Token) -> str:
    return token.content.strip("</>") if token.type == "html_inline" else token.tag


def is_end(token: Token) -> bool:
    return token.content.startswith("</") or token.nesting < 0


def document(*blocks: Block) -> Document:
    cited = Paragraph("z", (Text("end"), NoteReference("footnote", "fn1", "1")))
    notes = Story("footnote", "fn1", (Paragraph("fn1.p1", (Text("n"),)),), "1")
    return Document("docx", (Story("body", "", (*blocks, cited)), notes))


END: list[Seen] = [("e", 0, ""), ("n", 0, ""), ("d", 0, ""), ("note", 0, "")]


def read_back(*blocks: Block) -> list[Seen]:
    return list(seen(PARSER.parse(write(document(*blocks)))))


@pytest.mark.thorough
@settings(max_examples=500, deadline=None)
@given(CONTENT)
def test_a_parser_sees_every_inline_with_its_marks_and_links(content: list[Inline]) -> None:
    assert read_back(Paragraph("p1", tuple(content))) == [*meant(content), *END]


@pytest.mark.thorough
@settings(max_examples=300, deadline=None)
@given(CONTENT, CONTENT)
def test_the_same_holds_in_a_cell_of_two_paragraphs(
    first: list[Inline], second: list[Inline]
) -> None:
    blocks = (Paragraph("t1.r1.c1.p1", tuple(first)), Paragraph("t1.r1.c1.p2", tuple(second)))
    cells = (
        Cell("t1.r1.c1", blocks),
        Cell("t1.r1.c2", (Paragraph("t1.r1.c2.p1", (Text("x"),)),), column=1),
    )
    found = read_back(Table("t1", (Row("t1.r1", cells),), 2))
    assert found == [*meant([*first, *second]), ("x", 0, ""), *END]


ITEM_TEXTS = ("w", "- x", "1. y", "# z", "> q", "---", "")
ITEMS = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sampled_from(["", "1.", "2.", "3)", "(a)", "1.1"]),
        st.sampled_from(ITEM_TEXTS),
        st.booleans(),
    ),
    min_size=1,
    max_size=7,
)


def items(drawn: list[tuple[int, str, str, bool]]) -> Iterator[ListItem]:
    """Items none of which is more than one level below the one before it."""
    deepest = 0
    for number, (depth, label, text, is_broken) in enumerate(drawn):
        depth = min(depth, deepest)
        words = Text(f"i{number}i {text}")
        content = (words, LineBreak(), Text(text or "w")) if is_broken else (words,)
        is_empty = bool(label) and text == ""
        yield ListItem(f"p{number}", depth, () if is_empty else content, label, bool(label))
        deepest = depth + 1


@pytest.mark.thorough
@settings(max_examples=400, deadline=None)
@given(ITEMS)
def test_a_parser_sees_every_item_at_its_depth_with_its_number(
    drawn: list[tuple[int, str, str, bool]],
) -> None:
    expected: list[tuple[str, int, str]] = []
    for item in items(drawn):
        if item.content:
            number = item.label if re.fullmatch(r"\d+[.)]", item.label) else "-"
            text = item.content[0]
            assert isinstance(text, Text)
            expected.append((text.text.split()[0], item.depth + 1, number))
    found: list[tuple[str, int, str]] = []
    markers: list[str] = []
    for token in PARSER.parse(write(document(*items(drawn)))):
        if token.type == "list_item_open":
            markers.append(f"{token.info}{token.markup}" if token.info else "-")
        elif token.type == "list_item_close":
            markers.pop()
        elif token.type == "inline":
            found += [
                (name, len(markers), markers[-1]) for name in re.findall(r"i\di", token.content)
            ]
    assert found == expected


def test_notes_whose_marks_differ_in_case_alone_have_names_of_their_own() -> None:
    notes = tuple(
        Story("footnote", f"fn{n}", (Paragraph(f"fn{n}.p1", (Text(f"note {n}"),)),), label)
        for n, label in ((1, "a"), (2, "A"))
    )
    marks = tuple(NoteReference("footnote", story.anchor, story.label) for story in notes)
    body = Story("body", "", (Paragraph("p1", (Text("x"), *marks)),))
    written = write(Document("docx", (body, *notes)))
    assert written == "x[^a][^fn2]\n\n[^a]: note 1\n\n[^fn2]: note 2\n"


@pytest.mark.parametrize(
    "story",
    [
        Story("header", "h1", (Paragraph("h1.p1", (Text("top"),)),), name="--> <script>"),
        Story("comment", "c1", (Paragraph("c1.p1", (Text("Why?"),)),), name="A\n# B", host="p1"),
    ],
    ids=lambda story: story.kind,
)
def test_names_that_a_file_gives_to_stories_are_no_markdown(story: Story) -> None:
    body = Story("body", "", (Paragraph("p1", (Text("x"),)),))
    written = write(Document("docx", (body, story)), ("headers", "comments"))
    kinds = {token.type for token in PARSER.parse(written)}
    assert "heading_open" not in kinds
    assert "<script>" not in written


def test_comments_are_kept_on_a_heading_without_words() -> None:
    comment = Story("comment", "c1", (Paragraph("c1.p1", (Text("Why?"),)),), name="Ann", host="p1")
    blocks = (Heading("p1", 1, ()), CodeBlock("p2", "a"))
    written = write(Document("docx", (Story("body", "", blocks), comment)), ("comments",))
    assert written == "[^c1]\n\n```\na\n```\n\n[^c1]: Ann: Why?\n"


def test_a_link_whose_text_begins_a_line_with_a_bracket_stays_one() -> None:
    link = Link("https://e.org/a", (LineBreak("line"), Text("]:")), None)
    assert read_back(Paragraph("p1", (Text("o "), link))) == [*meant([Text("o "), link]), *END]


def test_underscores_at_the_end_of_a_line_in_a_cell_emphasise_nothing() -> None:
    lines = ["Name:____", "Date: ____", "o 1_", "Place: ___"]
    blocks = tuple(
        Paragraph(f"t1.r1.c1.p{number}", (Text(line),)) for number, line in enumerate(lines, 1)
    )
    beside = Cell("t1.r1.c2", (Paragraph("t1.r1.c2.p1", (Text("x"),)),), column=1)
    table = Table("t1", (Row("t1.r1", (Cell("t1.r1.c1", blocks), beside)),), 2)
    shown = "".join("".join(lines).split())
    assert read_back(table) == [*((c, 0, "") for c in f"{shown}x"), *END]
