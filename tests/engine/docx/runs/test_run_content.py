"""What stands in a run is the same for the reader, the text map and the list of changes."""

from __future__ import annotations

import pytest

from redraft.engine.docx.changes.revisions import changes
from redraft.engine.docx.names import W_P
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.reader import read
from redraft.engine.docx.redline import textmap
from redraft.engine.model import Inline, LineBreak, Paragraph, Text
from tests.engine.wordml import docx, ins, p

CONTENTS = {
    "text": ("<w:t>one</w:t>", "one"),
    "a line feed in the XML is a blank": ("<w:t>one\ntwo</w:t>", "one two"),
    "tab": ("<w:tab/>", "\t"),
    "position tab": ('<w:ptab w:alignment="right" w:relativeTo="margin" w:leader="none"/>', "\t"),
    "line break": ("<w:br/>", "\n"),
    "line break, named": ('<w:br w:type="textWrapping" w:clear="all"/>', "\n"),
    "carriage return": ("<w:cr/>", "\n"),
    "no-break hyphen": ("<w:noBreakHyphen/>", "\u2011"),
    "soft hyphen": ("<w:softHyphen/>", "\u00ad"),
    "sign of a symbol font": ('<w:sym w:font="Symbol" w:char="F061"/>', "\u03b1"),
    "sign of an unknown font": ('<w:sym w:font="Corbel" w:char="2022"/>', "•"),
    "sign without a code": ('<w:sym w:font="Symbol" w:char="zz"/>', ""),
    "what a page shows by itself": ("<w:lastRenderedPageBreak/><w:separator/>", ""),
}
EMOJI = (
    '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    ' xmlns:w16se="http://schemas.microsoft.com/office/word/2015/wordml/symex">'
    '<mc:Choice Requires="w16se"><w16se:symEx w16se:font="Segoe UI Emoji" w16se:char="1F60A"/>'
    "</mc:Choice><mc:Fallback><w:t>\U0001f60a</w:t></mc:Fallback></mc:AlternateContent>"
)
PRIVATE_USE = '<w:rPr><w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/></w:rPr><w:t>\uf0e0</w:t>'


def shown(inlines: tuple[Inline, ...]) -> str:
    texts = [
        inline.text if isinstance(inline, Text) else "\n" if isinstance(inline, LineBreak) else ""
        for inline in inlines
    ]
    return "".join(texts)


def views(content: str) -> dict[str, str]:
    """What the three say of an inserted run between `a` and `b`."""
    run = f"<w:r><w:t>a</w:t>{content}<w:t>b</w:t></w:r>"
    data = docx(p(ins(run)))
    package = Package.open(data)
    block = read(package, "markup").stories[0].blocks[0]
    assert isinstance(block, Paragraph)
    (paragraph,) = package.tree(package.main).iter(W_P)
    (change,) = changes(data, b"")
    return {
        "reader": shown(block.content),
        "text map": textmap.read(paragraph, {}).text,
        "changes": change.after,
    }


@pytest.mark.parametrize(("content", "text"), CONTENTS.values(), ids=CONTENTS)
def test_the_three_say_the_same(content: str, text: str) -> None:
    assert set(views(content).values()) == {f"a{text}b"}


def test_an_emoji_that_word_writes_as_a_symbol_is_read_and_listed() -> None:
    said = views(EMOJI)
    assert said["reader"] == said["changes"] == "a\U0001f60ab"


def test_private_use_text_is_listed_as_its_font_shows_it() -> None:
    data = docx(p(ins(f"<w:r>{PRIVATE_USE}</w:r>")))
    (change,) = changes(data, b"")
    assert change.after == "→"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ('<w:br w:type="page"/>', "a[page break]b"),
        ('<w:br w:type="column"/>', "a[column break]b"),
        ("<w:object/>", "a[object]b"),
        ("<w:pict/>", "a[image]b"),
        ('<w:footnoteReference w:id="7"/>', "a[footnote]b"),
    ],
)
def test_what_has_no_characters_is_named_in_the_changes_and_no_text_elsewhere(
    content: str, text: str
) -> None:
    said = views(content)
    assert said["changes"] == text
    assert said["text map"] == "ab"
