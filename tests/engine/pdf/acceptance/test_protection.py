"""Cases 18 to 22: what must not or cannot be edited is refused, and why."""

from __future__ import annotations

import re
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from redraft.engine import editor
from redraft.engine.errors import ProtectedFileError, RefusedError
from redraft.engine.pdf import reader
from redraft.engine.pdf.glyphs.target_blocks import known_in
from redraft.engine.pdf.plan_faults import faults
from redraft.engine.pdf.tracked.read_annotations import marks
from redraft.engine.plan import (
    DeleteBlocks,
    EditPlan,
    Operation,
    Redact,
    ReplaceText,
    SetField,
    SetProperty,
    StampPages,
)
from redraft.engine.report import StoredVersion
from tests.engine.pdf import judges
from tests.engine.pdf.acceptance.documents import (
    BY_ANN,
    LINE,
    all_bytes,
    edited,
    held,
    texts,
    with_field,
)
from tests.engine.pdf.judges import sound
from tests.engine.pdf.paper import paper
from tests.engine.pdf.stream.streams import pdf

PLACES = (1_000_000_001, 1_000_000_002, 1_000_000_003)
"""They hold the place of the numbers of a signature's range until these are known."""


def signed() -> bytes:
    """Sign a file: the signature covers all but itself, and is the digest of what it covers."""
    import pikepdf

    signature = pikepdf.Dictionary(
        Type=pikepdf.Name.Sig,
        Filter=pikepdf.Name("/Adobe.PPKLite"),
        SubFilter=pikepdf.Name("/adbe.pkcs7.detached"),
        ByteRange=pikepdf.Array([0, *PLACES]),
        Contents=pikepdf.String(bytes(range(32, 64))),
    )
    data = with_field(LINE, V=signature)
    start = data.index(b"<", data.index(b"/Contents <"))
    end = data.index(b">", start) + 1
    for place, number in zip(PLACES, (start, end, len(data) - end), strict=True):
        data = data.replace(b"%d" % place, b"%-10d" % number)
    return data[: start + 1] + covered(data).hex().encode() + data[end - 1 :]


def covered(data: bytes) -> bytes:
    """Give the digest of the bytes that the signature of a file covers."""
    (found,) = re.findall(rb"/ByteRange \[ 0 (\d+) +(\d+) +(\d+) +\]", data)
    first, second, length = map(int, found)
    assert first == data.index(b"<", data.index(b"/Contents <"))
    return sha256(data[:first] + data[second : second + length]).digest()


def test_case_18_the_made_signature_covers_the_file_and_nothing_may_change_in_it() -> None:
    data = signed()
    assert covered(data).hex().encode() in data
    spoiled = data.replace(b"%%EOF", b"%%EOf")
    assert covered(spoiled).hex().encode() not in spoiled
    assert texts(data) == ["The quick brown fox jumps"]


def test_case_18_a_signature_whose_kind_its_parent_names_is_one() -> None:
    """The kind of a field may be inherited (ISO 32000-2, 12.7.4.1)."""
    import pikepdf

    with pikepdf.open(BytesIO(signed())) as document:
        field: Any = document.Root.AcroForm.Fields[0]
        child = document.make_indirect(pikepdf.Dictionary(V=field.V, T=pikepdf.String("of")))
        del field["/V"]
        field.Kids = pikepdf.Array([child])
        child.Parent = field
        out = BytesIO()
        document.save(out)
    with pytest.raises(RefusedError, match="signature"):
        edited(out.getvalue(), ReplaceText("p1.b1", "brown", "red"))


@pytest.mark.parametrize(
    "operation",
    [
        ReplaceText("p1.b1", "brown", "red"),
        SetProperty("title", "Another"),
        SetField("sig", "x"),
        StampPages("page_numbers"),
        Redact("brown"),
    ],
)
def test_case_18_a_signed_document_is_refused(operation: Operation) -> None:
    with pytest.raises(RefusedError, match="signature"):
        edited(signed(), operation)
    plan = EditPlan("edit", "", (operation,))
    assert ["signature" in each.message for each in faults(signed(), plan)] == [True]


def test_case_18_the_operator_may_allow_it_and_the_signed_bytes_stay_in_the_tracked_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = tmp_path / "signed.pdf", tmp_path / "edited.pdf"
    source.write_bytes(signed())
    plan = EditPlan("edit", "", (ReplaceText("p1.b1", "brown", "red"),))
    monkeypatch.delenv("REDRAFT_SIGNED", raising=False)
    assert editor.check(StoredVersion(source), plan, tracked=True)
    with pytest.raises(RefusedError, match="REDRAFT_SIGNED=edit"):
        editor.edit(StoredVersion(source, b""), target, plan, BY_ANN)
    assert not target.exists()
    monkeypatch.setenv("REDRAFT_SIGNED", "edit")
    assert editor.check(StoredVersion(source), plan, tracked=True) == ()
    report = editor.edit(StoredVersion(source, b""), target, plan, BY_ANN)
    assert report.warnings == (
        "The PDF was digitally signed; the edit makes its signature invalid",
    )
    assert texts(target.read_bytes()) == ["The quick red fox jumps"]
    shown = tmp_path / "shown.pdf"
    editor.redline(StoredVersion(target, report.state, source), shown)
    assert shown.read_bytes().startswith(source.read_bytes())
    assert covered(shown.read_bytes()).hex().encode() in shown.read_bytes()
    assert len(marks(shown.read_bytes())) == 1
    assert texts(shown.read_bytes()) == ["The quick brown fox jumps"]


def test_case_18_an_edit_that_is_not_tracked_warns_and_breaks_the_signature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is written whole, since nothing of the old words may stay in the file."""
    source, target = tmp_path / "signed.pdf", tmp_path / "edited.pdf"
    source.write_bytes(signed())
    plan = EditPlan("edit", "", (ReplaceText("p1.b1", "brown", "red"),))
    monkeypatch.setenv("REDRAFT_SIGNED", "edit")
    report = editor.edit(StoredVersion(source, b""), target, plan, replace(BY_ANN, tracked=False))
    assert report.warnings == (
        "The PDF was digitally signed; the edit makes its signature invalid",
    )
    after = target.read_bytes()
    assert texts(after) == ["The quick red fox jumps"]
    assert b"brown" not in all_bytes(after)
    sound(source.read_bytes(), after)


def restricted(**allowed: bool) -> bytes:
    import pikepdf

    with pikepdf.open(BytesIO(LINE)) as document:
        rules = pikepdf.Permissions(**{"modify_other": False, "modify_form": False} | allowed)
        out = BytesIO()
        document.save(out, encryption=pikepdf.Encryption(owner="o", user="", allow=rules))
        return out.getvalue()


@pytest.mark.parametrize(
    "operation", [ReplaceText("p1.b1", "brown", "red"), Redact("brown"), SetProperty("title", "x")]
)
def test_case_19_permissions_forbid_an_edit(operation: Operation) -> None:
    with pytest.raises(RefusedError, match="permissions forbid"):
        edited(restricted(), operation)
    after, _ = edited(restricted(modify_other=True), operation)
    import pikepdf

    with pikepdf.open(BytesIO(after)) as document:
        assert document.is_encrypted
        assert not document.allow.modify_form


@pytest.mark.parametrize("is_allowed", [False, True])
def test_case_19_a_form_is_filled_where_that_alone_is_allowed(is_allowed: bool) -> None:
    import pikepdf

    made = paper().text(72, 100, "Your name:")
    made.field("name", 150, 90, 300, 106)
    with pikepdf.open(BytesIO(made.data())) as document:
        rules = pikepdf.Permissions(modify_other=False, modify_form=is_allowed)
        out = BytesIO()
        document.save(out, encryption=pikepdf.Encryption(owner="o", user="", allow=rules))
    data = out.getvalue()
    with pytest.raises(RefusedError, match="permissions forbid"):
        edited(data, ReplaceText("p1.b1", "name", "family"))
    if not is_allowed:
        with pytest.raises(RefusedError, match="permissions forbid"):
            edited(data, SetField("name", "Zażółć"))
        return
    after, _ = edited(data, SetField("name", "Zażółć"))
    assert judges.widgets(after) == {"name": "Zażółć"}
    assert "Zażółć" in judges.drawn_in_widget(after, "name")
    with pikepdf.open(BytesIO(after)) as document:
        assert document.is_encrypted
        assert (document.encryption.R, document.allow.modify_other) == (6, False)
        assert document.allow.modify_form


@pytest.mark.corpus
@pytest.mark.parametrize("is_tracked", [False, True])
def test_case_19_permissions_of_a_real_file_forbid_an_edit(
    corpus: Path, tmp_path: Path, is_tracked: bool
) -> None:
    source, target = corpus / "pdf" / "pdfplumber__pr-138-example.pdf", tmp_path / "edited.pdf"
    data = source.read_bytes()
    (anchor, word) = next((t.anchor, t.text.split()[0]) for t in known_in(data) if t.text)
    stamp = () if is_tracked else (StampPages("page_numbers"),)
    for operation in (ReplaceText(anchor, word, "other", 1), *stamp):
        plan = EditPlan("edit", "", (operation,))
        assert ["permissions" in e.message for e in faults(data, plan)] == [True]
        with pytest.raises(RefusedError, match="permissions forbid"):
            editor.edit(
                StoredVersion(source, b""), target, plan, replace(BY_ANN, tracked=is_tracked)
            )
    assert not target.exists()
    assert source.read_bytes() == data
    assert len(editor.read(StoredVersion(source)).markdown) > 5000, "it may be read"


@pytest.mark.corpus
def test_case_19_a_password_is_asked_for_at_upload(corpus: Path) -> None:
    path = corpus / "bad" / "opf__encryption_openpassword.pdf"
    with pytest.raises(ProtectedFileError, match="password"):
        reader.check(path.read_bytes())
    with pytest.raises(ProtectedFileError, match="password"):
        editor.inspect(path, path.name)


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["docling__ocr_test.pdf", "docling__ocr_test_rotated_90.pdf"])
@pytest.mark.parametrize("is_tracked", [False, True])
def test_case_20_a_scanned_page_has_no_text_layer(
    corpus: Path, tmp_path: Path, name: str, is_tracked: bool
) -> None:
    path = corpus / "pdf" / name
    with pytest.raises(RefusedError, match="No text layer"):
        editor.interpret(StoredVersion(path), 'Replace "Docling" with "x"', None)
    with pytest.raises(RefusedError, match="No text layer"):
        editor.show(StoredVersion(path), 'Replace "Docling" with "x"', None, "n")
    before, target = path.read_bytes(), tmp_path / "edited.pdf"
    plan = EditPlan("edit", "", (ReplaceText("p1.b1", "Docling", "x"),))
    (fault,) = editor.check(StoredVersion(path), plan, tracked=is_tracked)
    assert fault.message.startswith("No text layer")
    with pytest.raises(RefusedError, match=r"^No text layer"):
        editor.edit(StoredVersion(path, b""), target, plan, replace(BY_ANN, tracked=is_tracked))
    assert not target.exists()
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("is_form", "reason"), [(True, "form fields and no other text"), (False, "letters are drawn")]
)
def test_what_was_never_scanned_is_not_called_so(
    tmp_path: Path, is_form: bool, reason: str
) -> None:
    import pymupdf

    module: Any = pymupdf
    with module.open() as document:
        page = document.new_page()
        page.draw_rect((72, 72, 200, 100))
        if is_form:
            field = module.Widget()
            field.field_name, field.rect = "name", module.Rect(72, 72, 200, 100)
            field.field_type = module.PDF_WIDGET_TYPE_TEXT
            page.add_widget(field)
        path = tmp_path / "blank.pdf"
        path.write_bytes(document.tobytes())
    with pytest.raises(RefusedError, match=reason):
        editor.interpret(StoredVersion(path), 'Replace "Docling" with "x"', None)
    (fault,) = editor.check(
        StoredVersion(path), EditPlan("edit", "", (ReplaceText("p1.b1", "a", "x"),))
    )
    assert reason in fault.message


@pytest.mark.corpus
def test_case_21_the_text_layer_of_a_real_scan_is_refused(corpus: Path) -> None:
    """Every block of it, whatever is to be done with its words."""
    data = held(corpus, "unstructured__a1977-backus-p21.pdf")
    blocks = [t for t in known_in(data) if len(t.text.split()) > 3]
    assert len(blocks) > 20
    for target in blocks[::6]:
        word = target.text.split()[1]
        for operation in (
            ReplaceText(target.anchor, word, "other", 1),
            DeleteBlocks(target.anchor, target.anchor),
        ):
            with pytest.raises(RefusedError, match="invisible OCR layer"):
                edited(data, operation)


def test_case_21_the_invisible_text_is_refused_and_the_visible_edited() -> None:
    data = pdf(
        b"BT /F1 10 Tf 20 250 Td (Words that are seen) Tj ET"
        b" BT /F1 10 Tf 3 Tr 20 150 Td (Hidden words of a scan) Tj ET"
    )
    with pytest.raises(RefusedError, match="invisible OCR layer"):
        edited(data, ReplaceText("p1.b2", "Hidden", "Other"))
    after, _ = edited(data, ReplaceText("p1.b1", "seen", "read"))
    assert texts(after) == ["Words that are read", "Hidden words of a scan"]
    sound(data, after)


@pytest.mark.corpus
def test_case_22_arabic_is_read_and_its_edit_refused(corpus: Path) -> None:
    data = held(corpus, "docling__right_to_left_01.pdf")
    target = known_in(data)[1]
    with pytest.raises(RefusedError, match="right to left"):
        edited(data, ReplaceText(target.anchor, target.text.split()[0], target.text.split()[1], 1))
    assert (
        editor.read(StoredVersion(corpus / "pdf" / "docling__right_to_left_01.pdf")).markdown.count(
            "\u0627"
        )
        > 50
    )
