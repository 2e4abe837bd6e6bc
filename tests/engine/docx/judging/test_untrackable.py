"""What Word does not track is overlooked, and nothing else is."""

from __future__ import annotations

import pytest

from redraft.engine.docx.judging.fingerprint import container, digests
from redraft.engine.docx.judging.untrackable import link_styles
from redraft.engine.docx.names import Element
from redraft.engine.docx.opc.package import Package
from tests.engine.wordml import docx, field, link, p, picture, r, style

STYLED = '<w:rStyle w:val="Lien"/>'
LINK = f'<w:hyperlink r:id="rId1" w:history="1">{r("word", STYLED)}</w:hyperlink>'
SIMPLE = f"<w:fldSimple w:instr=' HYPERLINK \"u\"'>{r('word')}</w:fldSimple>"
COMMENTED = (
    f'<w:commentRangeStart w:id="1"/>{r("word")}<w:commentRangeEnd w:id="1"/>'
    '<w:r><w:commentReference w:id="1"/></w:r>'
)


def control(properties: str, text: str = "x") -> str:
    return f"<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{r(text)}</w:sdtContent></w:sdt>"


def seen(content: str, *blind: str) -> tuple[str, ...]:
    package = Package.open(docx(p(r("a "), content, r(" b"))))
    blocks: list[Element] = list(container(package.tree(package.main)))
    return digests(blocks, (), "baseline", blind)


@pytest.mark.parametrize(
    ("first", "second", "blind"),
    [
        (LINK, r("word"), ("links", "style Lien")),
        (link("rId2", "word"), link("rId3", "word", anchor="x"), ("links",)),
        (field(' HYPERLINK "u" ', "word"), r("word"), ("links",)),
        (SIMPLE, r("word"), ("links",)),
        (COMMENTED, r("word"), ("comments",)),
        (picture("rId1", alt="one"), picture("rId1", title="two"), ("alt_text",)),
        (control("<w:showingPlcHdr/><w:text/>"), control("<w:text/>"), ("controls",)),
        (control('<w:date w:fullDate="1"/>'), control("<w:date/>"), ("controls",)),
    ],
)
def test_what_is_not_tracked_makes_no_difference(
    first: str, second: str, blind: tuple[str, ...]
) -> None:
    assert seen(first, *blind) == seen(second, *blind)
    assert seen(first) != seen(second)


@pytest.mark.parametrize(
    ("first", "second", "blind"),
    [
        (LINK, r("words"), ("links", "style Lien")),
        (r("word", STYLED), r("word"), ("links", "style Other")),
        (field("REF x", "word"), r("word"), ("links",)),
        (LINK, r("word"), ("comments",)),
        (COMMENTED, r("word"), ("links",)),
        (picture("rId1", alt="one"), picture("rId2", alt="one"), ("alt_text",)),
        (control("<w:text/>", "x"), control("<w:text/>", "y"), ("controls",)),
        (control('<w:tag w:val="a"/>'), control('<w:tag w:val="b"/>'), ("controls",)),
    ],
)
def test_everything_else_still_does(first: str, second: str, blind: tuple[str, ...]) -> None:
    assert seen(first, *blind) != seen(second, *blind)


def test_the_styles_of_links_are_known_by_their_english_names() -> None:
    styles = style("Lien", name="Hyperlink", kind="character") + style("P", name="Hyperlink")
    assert link_styles(Package.open(docx(p("x"), styles=styles))) == {"style Lien"}
