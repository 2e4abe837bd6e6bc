"""Two validators that are not ours find nothing in a redline that its upload had not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias, get_args

import pytest

from redraft.engine.plan import Operation
from tests.documents import is_full_sweep
from tests.engine.docx.test_second_opinions import edited, made_up, of_the_corpus
from tests.engine.wordml import docx, p, r, table, textbox
from tests.engine_limits import BY
from tests.second_opinions import audit, brought, integrity

pytestmark = pytest.mark.usefixtures("validators")
Validate: TypeAlias = Callable[[Path], set[str]]

_NEW = f'<w:ins w:id="5" {BY}/>'
ROW = table(["a"]).replace("<w:tr>", f"<w:tr><w:trPr>{_NEW}</w:trPr>")
NO_NUMBER = p("a", properties='<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>')
BOX = p(f'<w:del w:id="5" {BY}>{textbox(p("in it"))}</w:del>')
FALSE_ALARMS: tuple[tuple[Validate, str, str], ...] = (
    # 17.4.79, trPr: Word writes the mark of a row alone.
    (audit, "Required sequence content is missing", ROW),
    # 17.9.18, numId: 0 takes the number off.
    (audit, "Numbering definition '0' referenced but not found", NO_NUMBER),
    (integrity, "NUM002 numId=0 undefined in numbering.xml - numbering disappears", NO_NUMBER),
    # The text of a box is a story of its own: it goes with its drawing.
    (integrity, "REV002 w:t inside w:del instead of w:delText", BOX),
)
"""What a validator takes for wrong and Word does not, with a file written by hand that shows it."""
STALE = "not in stylesWithEffects"
"""A copy of the styles for Word 2010 alone, which later releases drop."""
RAGGED = "TBL002"
"""A row whose merged cell lost a column is narrower than the grid until the change is decided."""
KINDS: tuple[type[Operation], ...] = get_args(Operation)


@pytest.mark.parametrize(("validate", "alarm", "body"), FALSE_ALARMS)
def test_a_listed_false_alarm_is_one(
    validate: Validate, alarm: str, body: str, tmp_path: Path
) -> None:
    file = tmp_path / "made.docx"
    numbering = '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
    file.write_bytes(docx(body + p(r("end")), numbering=numbering))
    assert [kind for kind in validate(file) if kind.startswith(alarm)]


@pytest.mark.parametrize("validate", [audit, integrity])
def test_redlines_of_made_up_documents_bring_no_problem(validate: Validate, tmp_path: Path) -> None:
    brings_nothing(validate, made_up(), tmp_path)


@pytest.mark.corpus
@pytest.mark.parametrize("validate", [audit, integrity])
def test_redlines_of_real_documents_bring_no_problem(
    validate: Validate, corpus: Path, tmp_path: Path
) -> None:
    uploads = of_the_corpus(corpus)
    brings_nothing(validate, uploads if is_full_sweep() else uploads[:8], tmp_path)


def brings_nothing(validate: Validate, uploads: list[tuple[str, bytes]], folder: Path) -> None:
    """See that edits of all kinds bring no kind of problem that is not listed."""
    versions = [made for name, data in uploads if (made := edited(name, data, KINDS))]
    assert versions
    known = (STALE, RAGGED, *(alarm for by, alarm, _ in FALSE_ALARMS if by is validate))
    problems = {
        version.name: kinds
        for version in versions
        if (
            kinds := {
                k for k in brought(validate, version, folder) if all(a not in k for a in known)
            }
        )
    }
    assert problems == {}
