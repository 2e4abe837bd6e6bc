"""LibreOffice opens what steps write, and resolves it as we do.

Words struck in a content control are left out: LibreOffice 7 keeps them when all is accepted.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from redraft.engine.plan import (
    AddComment,
    DeleteImage,
    DeleteNote,
    InsertFootnote,
    Operation,
    ReplaceText,
    SetAltText,
    SetField,
    SetLink,
    SetProperty,
)
from tests import libreoffice
from tests.engine.redlining import Draft
from tests.engine.wordml import field, footnote, note, p, picture, r, style

PLAN: tuple[Operation, ...] = (
    SetLink("p1", "our terms", "https://example.org/"),
    AddComment("p1", "accept", "Why?"),
    SetProperty("title", "T"),
    SetAltText("im1", "A swan"),
    InsertFootnote("p1", "accept", "New note"),
    DeleteNote("fn1"),
    DeleteImage("im1"),
    ReplaceText("p2", "see Section 7 now", "go"),
)


@pytest.mark.parametrize("action", ["accept", "reject"])
def test_a_document_with_all_of_them_is_opened_and_resolved_alike(
    action: libreoffice.Action, soffice: Path, tmp_path: Path
) -> None:
    upload = Draft.of(
        p("We accept our terms", note("2"), " today"),
        p("I see ", field(' QUOTE "Section 7" ', "Section 7"), " now"),
        p("End ", picture("rId8", alt="A duck"), " of it"),
        footnotes=footnote("2", p("Old note")),
        styles=style("H", name="Hyperlink", kind="character"),
        relations={"rId8": ("image", "media/a.png")},
        media={"media/a.png": b""},
    )
    file = tmp_path / "edited.docx"
    file.write_bytes(upload.edit(*PLAN).data)
    said = libreoffice.text(str(soffice), file, action, tmp_path)
    body = [" ".join(line.split()) for line in said.splitlines() if line.strip()]
    wanted = {
        "accept": ["We accept our terms today", "I go", "End of it"],
        "reject": ["We accept our terms today", "I see Section 7 now", "End of it"],
    }[action]
    # The numbers of notes are written into the text.
    assert [line.replace("1", "") for line in body[:3]] == wanted


def form(result: str) -> str:
    begin = "<w:ffData><w:enabled/><w:textInput/></w:ffData>"
    return (
        f'<w:r><w:fldChar w:fldCharType="begin">{begin}</w:fldChar></w:r>'
        "<w:r><w:instrText> FORMTEXT </w:instrText></w:r>"
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{r(result)}'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


@pytest.mark.parametrize("action", ["accept", "reject"])
def test_form_fields_that_were_filled_are_resolved_alike(
    action: libreoffice.Action, soffice: Path, tmp_path: Path
) -> None:
    draft = Draft.of(p("Name: ", form("\u2002" * 5), " end"), p("Day: ", form("Monday"), " x"))
    made = draft.edit(SetField("cc1", "Ann"), SetField("cc2", "Sunday"))
    file = tmp_path / "form.docx"
    file.write_bytes(made.data)
    said = libreoffice.text(str(soffice), file, action, tmp_path)
    wanted = made.accepted if action == "accept" else draft.accepted
    assert said.splitlines() == list(wanted)
