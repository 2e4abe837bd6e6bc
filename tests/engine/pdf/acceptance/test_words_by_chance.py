"""Case 35 on the files that test_sweep leaves alone: words are refused, and nothing is spoilt.

They are scans, scans with a layer of invisible text, vertical writing, Arabic and forbidden
changes; of some a few words can be edited all the same.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from pathlib import Path

import pytest

from redraft.engine.errors import EditError, UnreadableError
from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.glyphs.target_blocks import known_in
from redraft.engine.plan import EditPlan
from tests.documents import corpus_folder
from tests.engine.pdf.test_apply import LEFT_ALONE
from tests.engine.pdf.test_sweep import (
    BY_ANN,
    WORD,
    check_letters,
    check_places,
    check_words,
    swaps,
)

pytestmark = pytest.mark.corpus

NO_WORDS = {"docling__ocr_test.pdf", "docling__ocr_test_rotated_90.pdf", "pdfjs__scan-bad.pdf"}
WHY = {
    "docling__right_to_left_01.pdf": "written from right to left cannot be edited",
    "pdfjs__issue6387.pdf": "drawn in a way that cannot be followed character by character",
    "pdfminer__jo.pdf": "drawn in a way that cannot be followed character by character",
    "pdfplumber__pr-138-example.pdf": "permissions forbid modification",
    "unstructured__a1977-backus-p21.pdf": "is an invisible OCR layer over an image",
}


def test_every_file_that_the_sweep_leaves_alone_is_named_here() -> None:
    folder = corpus_folder()
    if folder is None:
        pytest.skip("no corpus")
    every = {path.name for path in (folder / "pdf").glob("*.pdf")}
    assert {name for name in every if LEFT_ALONE.search(name)} == {*NO_WORDS, *WHY}
    assert len(every) - len(NO_WORDS) - len(WHY) >= 20


@pytest.mark.parametrize("name", sorted(NO_WORDS))
def test_case_35_a_file_left_alone_has_no_words_at_all(corpus: Path, name: str) -> None:
    data = (corpus / "pdf" / name).read_bytes()
    with contextlib.suppress(UnreadableError):
        assert not any(WORD.search(target.text) for target in known_in(data))


@pytest.mark.parametrize("name", sorted(WHY))
def test_case_35_words_of_a_file_left_alone_are_refused_or_edited_without_damage(
    corpus: Path, name: str
) -> None:
    data = (corpus / "pdf" / name).read_bytes()
    reasons: Counter[str] = Counter()
    for target, operation in swaps(data, name, 8):
        try:
            after, report = apply(data, EditPlan("edit", "", (operation,)), BY_ANN)
        except EditError as error:
            reasons[str(error)] += 1
            continue
        where = f"{name} {target.anchor}: {operation.find} -> {operation.replace}"
        is_stretched = any(" % " in warning for warning in report.warnings)
        check_letters(data, after, operation, where)
        check_places(data, after, target, where, is_stretched=is_stretched)
        check_words(data, after, operation, where)
    assert all(len(reason) > 20 for reason in reasons)
    assert any(WHY[name] in reason for reason in reasons), reasons
