"""Which block of a version is which one of another."""

from __future__ import annotations

from engine.model import Paragraph, StoryKind, Text
from engine.pdf.content.pairing import paired
from engine.pdf.content.targets import Target


def target(anchor: str, text: str, page: int = 0, story: StoryKind = "body") -> Target:
    block = Paragraph(anchor, (Text(text),))
    return Target(anchor, page, text, "", block, (), story)


def names(old: list[Target], new: list[Target]) -> list[tuple[str, str]]:
    return [
        (pair.old.anchor if pair.old else "", pair.new.anchor if pair.new else "")
        for pair in paired(old, new)
    ]


def test_a_header_that_is_read_as_a_paragraph_is_still_the_same_words() -> None:
    old = [
        target("p1.b1", "One two three four."),
        target("p2.b1", "Five six seven eight.", 1),
        target("p1.h1", "Annual report", story="header"),
        target("p2.h1", "Annual report", 1, "header"),
    ]
    new = [
        target("p1.b1", "One two three four."),
        target("p2.b1", "Annual report", 1),
        target("p2.b2", "Five six seven eight.", 1),
        target("p1.h1", "Annual account", story="header"),
    ]
    assert sorted(names(old, new)) == [
        ("p1.b1", "p1.b1"),
        ("p1.h1", "p1.h1"),
        ("p2.b1", "p2.b2"),
        ("p2.h1", "p2.b1"),
    ]


def test_the_same_words_on_another_page_are_others() -> None:
    kept = [target("p1.b2", "Three four five."), target("p1.b3", "Six seven eight.")]
    old = [target("p1.b1", "One two."), *kept]
    new = [*kept, target("p2.b1", "One two.", 1)]
    assert ("p1.b1", "") in names(old, new)
    assert ("", "p2.b1") in names(old, new)
    back = [*kept, target("p1.b9", "One two.")]
    assert ("p1.b1", "p1.b9") in names(old, back)
