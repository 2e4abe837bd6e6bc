"""Word's built-in paragraph styles, for documents that lack the one that is asked for.

ECMA-376 Part 1, 17.7.4.17 (style). Names are those of Word in every language; a program shows them
translated. Looks are those that Word gives a new document.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Builtin:
    """A built-in style: its id in an English Word, its name, and what it says.

    `major`: headings are set in the theme's face for them, where there is a theme. `list_kind` is
    the list that it needs.
    """

    id: str
    name: str
    priority: int
    paragraph: str = ""
    run: str = ""
    is_quick: bool = True
    is_late: bool = False
    is_followed: bool = True
    is_major: bool = False
    list_kind: str = ""

    def xml(self, identifier: str, normal: str, num: str, *, has_theme: bool) -> str:
        """The `w:style`.

        Args:
            identifier: Its id in this document.
            normal: The id of the default paragraph style, on which it is based; empty for none.
            num: The list of its paragraphs; empty for none.
            has_theme: Whether the document has a theme to take a face from.
        """
        based = f'<w:basedOn w:val="{normal}"/>' if normal else ""
        after = f'<w:next w:val="{normal}"/>' if normal and self.is_followed else ""
        flags = "<w:unhideWhenUsed/>" if self.is_late else ""
        flags += "<w:qFormat/>" if self.is_quick else ""
        listed = f'<w:numPr><w:numId w:val="{num}"/></w:numPr>' if num else ""
        first, _, rest = self.paragraph.partition("|")
        paragraph = f"{first}{listed}{rest}"
        run = (_MAJOR if self.is_major and has_theme else "") + self.run
        return (
            f'<w:style w:type="paragraph" w:styleId="{identifier}">'
            f'<w:name w:val="{self.name}"/>{based}{after}'
            f'<w:uiPriority w:val="{self.priority}"/>{flags}'
            + (f"<w:pPr>{paragraph}</w:pPr>" if paragraph else "")
            + (f"<w:rPr>{run}</w:rPr>" if run else "")
            + "</w:style>"
        )


NORMAL: Final = (
    '<w:style w:type="paragraph" w:default="1" w:styleId="{id}">'
    '<w:name w:val="Normal"/><w:qFormat/></w:style>'
)
_MAJOR: Final = (
    '<w:rFonts w:asciiTheme="majorHAnsi" w:eastAsiaTheme="majorEastAsia"'
    ' w:hAnsiTheme="majorHAnsi" w:cstheme="majorBidi"/>'
)


def _size(half_points: int) -> str:
    return f'<w:sz w:val="{half_points}"/><w:szCs w:val="{half_points}"/>'


_ITALIC: Final = "<w:i/><w:iCs/>"
_BLUE: Final = '<w:color w:val="2F5496"/>'
_NAVY: Final = '<w:color w:val="1F3763"/>'
_GREY: Final = '<w:color w:val="272727"/>'
_HEADING_RUNS: Final = (
    _BLUE + _size(32),
    _BLUE + _size(26),
    _NAVY + _size(24),
    _ITALIC + _BLUE,
    _BLUE,
    _NAVY,
    _ITALIC + _NAVY,
    _GREY + _size(21),
    _ITALIC + _GREY + _size(21),
)


def _heading(level: int) -> Builtin:
    before = 240 if level == 1 else 40
    return Builtin(
        f"Heading{level}",
        f"heading {level}",
        9,
        f'<w:keepNext/><w:keepLines/>|<w:spacing w:before="{before}" w:after="0"/>'
        f'<w:outlineLvl w:val="{level - 1}"/>',
        _HEADING_RUNS[level - 1],
        is_late=level > 1,
        is_major=True,
    )


_CONTEXTUAL: Final = "|<w:contextualSpacing/>"
_MANY: Final = (
    *map(_heading, range(1, 10)),
    Builtin(
        "Title",
        "Title",
        10,
        '|<w:spacing w:after="0" w:line="240" w:lineRule="auto"/><w:contextualSpacing/>',
        '<w:spacing w:val="-10"/><w:kern w:val="28"/>' + _size(56),
        is_major=True,
    ),
    Builtin(
        "Subtitle",
        "Subtitle",
        11,
        run='<w:color w:val="5A5A5A"/><w:spacing w:val="15"/>',
    ),
    Builtin(
        "Quote",
        "Quote",
        29,
        '|<w:spacing w:before="200"/><w:ind LEFT="864" RIGHT="864"/><w:jc w:val="center"/>',
        _ITALIC + '<w:color w:val="404040"/>',
    ),
    Builtin(
        "IntenseQuote",
        "Intense Quote",
        30,
        '|<w:spacing w:before="360" w:after="360"/><w:ind LEFT="864" RIGHT="864"/>'
        '<w:jc w:val="center"/>',
        _ITALIC + _BLUE,
    ),
    Builtin(
        "Caption",
        "caption",
        35,
        '|<w:spacing w:after="200" w:line="240" w:lineRule="auto"/>',
        _ITALIC + '<w:color w:val="44546A"/>' + _size(18),
        is_late=True,
    ),
    Builtin("BodyText", "Body Text", 99, '|<w:spacing w:after="120"/>', is_quick=False),
    Builtin(
        "NoSpacing",
        "No Spacing",
        1,
        '|<w:spacing w:after="0" w:line="240" w:lineRule="auto"/>',
        is_followed=False,
    ),
    Builtin(
        "ListParagraph",
        "List Paragraph",
        34,
        '|<w:ind LEFT="720"/><w:contextualSpacing/>',
        is_followed=False,
    ),
    Builtin(
        "ListBullet",
        "List Bullet",
        99,
        _CONTEXTUAL,
        is_quick=False,
        is_late=True,
        is_followed=False,
        list_kind="bullet",
    ),
    Builtin(
        "ListNumber",
        "List Number",
        99,
        _CONTEXTUAL,
        is_quick=False,
        is_late=True,
        is_followed=False,
        list_kind="numbered",
    ),
)
BUILTINS: Final = {builtin.name.lower(): builtin for builtin in _MANY}
