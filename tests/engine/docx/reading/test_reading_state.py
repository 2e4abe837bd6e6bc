"""What is counted while a document is read: notes, each kind for itself and in linear time."""

from __future__ import annotations

from collections.abc import Callable

from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.reader import read
from tests.counting import lines
from tests.engine.wordml import docx, footnote, note, p

MARKED = '<w:r><w:footnoteReference w:id="{}" w:customMarkFollows="1"/>{}</w:r>'


def labels(data: bytes) -> list[str]:
    return [story.label for story in read(Package.open(data)).stories if story.label]


def test_a_mark_of_its_own_takes_no_number() -> None:
    own = MARKED.format("2", "<w:t>*</w:t>")
    notes = "".join(footnote(number, p("n")) for number in "123")
    assert labels(docx(p(note("1"), own, note("3")), footnotes=notes)) == ["1", "*", "2"]


def test_a_sign_without_a_code_is_no_mark() -> None:
    bad = MARKED.format("1", '<w:sym w:font="Symbol" w:char="zz"/>')
    assert labels(docx(p(bad), footnotes=footnote("1", p("n")))) == ["1"]


def noted(count: int) -> Callable[[], object]:
    """The reading of a document with many notes."""
    numbers = [f"{number}" for number in range(1, count + 1)]
    notes = "".join(footnote(number, p("n")) for number in numbers)
    package = Package.open(docx(p(*map(note, numbers)), footnotes=notes))
    return lambda: read(package)


def test_the_work_grows_as_the_notes_do() -> None:
    assert lines(noted(200)) < 4.6 * lines(noted(50))
