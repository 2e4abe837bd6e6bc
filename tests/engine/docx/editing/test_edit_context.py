"""What everybody who writes marks asks the desk for."""

from __future__ import annotations

import pytest

from redraft.engine.docx.editing.document_index import Survey
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.formatting.list_definitions import ListDefinitions
from redraft.engine.docx.formatting.stylesheet import Stylesheet
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.redline.line import Stamp
from redraft.engine.state import State
from tests.engine.wordml import docx, p


def desk() -> Desk:
    package = Package.open(docx(p("one")))
    state = State()
    return Desk(Survey(package, state), state, Stamp("e", "Us", "2026-01-01T00:00:00Z"))


def test_the_styles_are_read_once_for_all_steps() -> None:
    at = desk()
    assert at.cascade is at.cascade


def test_a_style_made_meanwhile_is_known() -> None:
    at = desk()
    assert at.cascade.style("Heading1") is None
    assert Stylesheet(at.package).made("Heading 1") == "Heading1"
    assert at.cascade.style("Heading1") is not None


@pytest.mark.parametrize("style", ["", "ListBullet"])
def test_a_list_made_meanwhile_is_known(style: str) -> None:
    at = desk()
    before = at.cascade
    ListDefinitions(at.package).define("bullet", style)
    assert at.cascade is not before
    assert at.cascade.is_current
