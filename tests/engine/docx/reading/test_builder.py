"""Fields that nest deeper than any producer lets them, and that never end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.reader import read
from redraft.engine.errors import TooLargeError
from redraft.engine.markdown.document import write
from tests.counting import lines
from tests.engine.wordml import docx, p, r, table

BEGIN = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
MIDDLE = '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
END = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'


def opened(instruction: str) -> str:
    return f"{BEGIN}<w:r><w:instrText>{instruction}</w:instrText></w:r>{MIDDLE}"


def test_fields_nested_beyond_reason_show_what_they_hold() -> None:
    nested = p(opened(" QUOTE ") * 900, r("in"), END * 900, r(" out"))
    assert write(read(Package.open(docx(nested)))) == "in out\n"


def test_a_field_inside_a_silent_one_speaks_when_both_have_ended() -> None:
    contents = opened(" TOC ") + opened(" PAGE ") + r("7") + END + r("unseen") + END
    assert write(read(Package.open(docx(p(contents, r("seen")))))) == "seen\n"


def test_a_field_may_end_inside_a_control() -> None:
    control = f"<w:sdt><w:sdtContent>{MIDDLE}{r('7')}{END}</w:sdtContent></w:sdt>"
    begun = f"{BEGIN}<w:r><w:instrText> PAGE </w:instrText></w:r>"
    assert write(read(Package.open(docx(p(begun, control, r(" pages")))))) == "7 pages\n"


def without_end(count: int) -> Callable[[], object]:
    """The reading of paragraphs that each begin a link and never end it."""
    body = p(opened(' HYPERLINK "https://example.org/" '), r("a")) * count
    package = Package.open(docx(body))
    return lambda: read(package)


@pytest.mark.thorough
def test_the_work_grows_as_the_paragraphs_do_when_no_field_ends() -> None:
    assert lines(without_end(800)) < 4.6 * lines(without_end(200))


@pytest.mark.parametrize("depth", range(40, 170, 10))
def test_tables_nested_beyond_reason_are_written_or_refused(depth: int) -> None:
    nested = p("innermost")
    for _ in range(depth):
        nested = table([nested + p(), "b"])
    try:
        written = write(read(Package.open(docx(nested))))
    except TooLargeError:
        return
    assert "innermost" in written
