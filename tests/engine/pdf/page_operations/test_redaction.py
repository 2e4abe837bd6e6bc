from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest

from redraft.engine.errors import NotFoundError, PlanError, RefusedError, VerificationError
from redraft.engine.pdf.page_operations import redaction
from redraft.engine.pdf.page_operations.metadata_removal import leftovers
from redraft.engine.pdf.page_operations.redacted_text import Wanted
from redraft.engine.pdf.page_operations.redaction import redact
from redraft.engine.pdf.stream import objects
from redraft.engine.plan import Redact
from tests.engine.pdf.paper import paper
from tests.engine.pdf.stream.streams import content, model, pdf

SAID = b"BT /F1 12 Tf 20 200 Td (The secret is out.) Tj ET"


def changed(data: bytes, change: Callable[[Any], None]) -> bytes:
    import pikepdf

    with pikepdf.open(BytesIO(data)) as document:
        change(document)
        out = BytesIO()
        document.save(out)
    return out.getvalue()


def everything(data: bytes) -> str:
    """Everything written in a file: strings, streams, and the file itself."""
    import pikepdf

    with pikepdf.open(BytesIO(data)) as document:
        found: list[Any] = list(document.objects)
        streams = [bytes(each.read_bytes()) for each in found if isinstance(each, pikepdf.Stream)]
        texts = [each.unparse() for each in found]
    whole = b"\n".join((data, *streams, *texts))
    return whole.decode("latin-1") + whole.replace(b"\0", b"").decode("latin-1")


def drawn(data: bytes, page: int = 0) -> str:
    return "".join(glyph.text for glyph in model(data, page).glyphs())


def test_the_glyphs_go_and_a_black_box_stands_there() -> None:
    after, count, warnings = redact(pdf(SAID), Redact("secret"))
    assert (count, warnings) == (1, ())
    assert drawn(after) == "The  is out."
    assert "secret" not in everything(after)
    import pymupdf

    with pymupdf.open(stream=after, filetype="pdf") as opened:
        document: Any = opened
        found = document[0].get_pixmap(clip=(48, 92, 70, 98), alpha=False)
        assert found.is_unicolor
        assert found.pixel(1, 1) == (0, 0, 0)


def test_other_words_stand_where_they_stood() -> None:
    before = pdf(SAID)
    after, _, _ = redact(before, Redact("secret"))
    kept = [(g.text, round(g.x, 2)) for g in model(before).glyphs() if g.x < 44 or g.x > 78]
    now = [(g.text, round(g.x, 2)) for g in model(after).glyphs() if g.x < 44 or g.x > 78]
    assert kept == now
    assert len(kept) > 8


@pytest.mark.parametrize(
    "stream",
    [
        b"BT /F1 12 Tf 20 200 Td [(se) -20 (cr) 30 (et)] TJ ET",
        b"BT /F1 12 Tf 14 TL 20 200 Td (my sec-) Tj T* (ret words) Tj ET",
        b"BT /F1 12 Tf 14 TL 20 200 Td (my sec) Tj T* (ret words) Tj ET",
        b"BT /F1 12 Tf 20 200 Td (SECRET) Tj ET",
        b"BT /F1 12 Tf 14 TL 20 200 Td (first) Tj (secret) ' ET",
        b"BT /F1 12 Tf 3 Tr 20 200 Td (secret) Tj ET",
        b"BT 1 0 0 1 20 200 Tm /F1 12 Tf (sec) Tj ET BT 1 0 0 1 38.02 200 Tm /F2 12 Tf (ret) Tj ET",
    ],
)
def test_however_it_is_drawn_it_goes(stream: bytes) -> None:
    after, count, _ = redact(pdf(stream), Redact("secret"))
    assert count == 1
    assert "secret" not in drawn(after).lower().replace("-", "")
    assert not {"s", "S"} & set(drawn(after).replace("words", "").replace("first", ""))


def test_a_form_that_is_drawn_twice_loses_it_once_and_is_blackened_twice() -> None:
    form = {"Fm": b"BT /F1 12 Tf 20 100 Td (a secret) Tj ET"}
    data = pdf(b"/Fm Do q 1 0 0 1 0 90 cm /Fm Do Q", b"/Fm Do", forms=form)
    after, count, _ = redact(data, Redact("secret"))
    assert count == 3
    assert [drawn(after, page) for page in (0, 1)] == ["a a ", "a "]
    assert "secret" not in everything(after)


def test_a_form_that_nothing_draws_loses_it_too() -> None:
    data = pdf(SAID, forms={"Fm": b"BT /F1 12 Tf 20 100 Td (a secret) Tj ET"})
    after, _, _ = redact(data, Redact("secret"))
    assert "secret" not in everything(after)


def test_what_is_read_aloud_for_it_goes_with_its_glyphs() -> None:
    spoken = b"/Span <</MCID 4 /ActualText (secret)>> BDC BT /F1 12 Tf 20 100 Td (xyz) Tj ET EMC"
    after, _, _ = redact(pdf(SAID + b" " + spoken), Redact("secret"))
    assert "xyz" not in drawn(after)
    assert "secret" not in everything(after)
    assert "/MCID 4" in everything(after)


def everywhere(document: Any) -> None:
    """Write the word into all that is written beside pages."""
    import pikepdf

    text = pikepdf.String("my secret \u2013 \u0107")
    page = document.pages[0].obj
    look = document.make_stream(b"BT /F1 9 Tf 2 2 Td (secret) Tj ET")
    look[pikepdf.Name.Subtype] = pikepdf.Name.Form
    look[pikepdf.Name.BBox] = pikepdf.Array([0, 0, 90, 20])
    look[pikepdf.Name.Resources] = page.Resources
    field = pikepdf.Dictionary(
        Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Widget, FT=pikepdf.Name.Tx, T=text, V=text,
        Rect=[100, 100, 190, 120], AP=pikepdf.Dictionary(N=look), TU=text,
    )  # fmt: skip
    note = pikepdf.Dictionary(
        Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Text, Contents=text, Rect=[1, 1, 9, 9]
    )
    link = pikepdf.Dictionary(
        Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Link, Rect=[1, 11, 9, 19],
        A=pikepdf.Dictionary(S=pikepdf.Name.URI, URI=pikepdf.String("https://a.example/secret")),
    )  # fmt: skip
    held = [document.make_indirect(each) for each in (field, note, link)]
    page[pikepdf.Name.Annots] = pikepdf.Array(held)
    page[pikepdf.Name.PieceInfo] = pikepdf.Dictionary(X=pikepdf.Dictionary(Private=text))
    form = pikepdf.Dictionary(Fields=pikepdf.Array([held[0]]))
    document.Root[pikepdf.Name.AcroForm] = document.make_indirect(form)
    document.docinfo[pikepdf.Name.Title] = text
    with document.open_metadata() as packet:
        packet["dc:title"] = "my secret title"
    with document.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem("The secret chapter", 0))
    figure = pikepdf.Dictionary(S=pikepdf.Name.Figure, Alt=text)
    tree = pikepdf.Dictionary(Type=pikepdf.Name.StructTreeRoot, K=figure)
    document.Root[pikepdf.Name.StructTreeRoot] = document.make_indirect(tree)


def test_it_goes_from_all_that_is_written_beside_the_pages() -> None:
    before = changed(pdf(SAID), everywhere)
    assert everything(before).count("secret") > 8
    after, count, _ = redact(before, Redact("secret"))
    assert count >= 9
    assert "secret" not in everything(after).lower()
    import pymupdf

    with pymupdf.open(stream=after, filetype="pdf") as opened:
        document: Any = opened
        assert document.get_toc()[0][1] == "The \u2588\u2588\u2588\u2588\u2588\u2588 chapter"
        assert [len(list(each)) for each in (document[0].widgets(), document[0].annots())] == [1, 1]


def attached(data: bytes) -> Callable[[Any], None]:
    def attach(document: Any) -> None:
        document.attachments["notes.txt"] = data

    return attach


def test_an_attached_file_is_named_or_refused() -> None:
    after, _, warnings = redact(changed(pdf(SAID), attached(b"PK packed")), Redact("secret"))
    assert warnings == ("The attached file notes.txt was not searched",)
    assert "secret" not in everything(after)
    with pytest.raises(RefusedError, match=r"also stands in the attached file notes\.txt"):
        redact(changed(pdf(SAID), attached(b"a secret")), Redact("secret"))


def test_a_hidden_layer_over_a_picture_is_refused() -> None:
    scan = paper().picture(0, 0, 595, 842)
    scan.pages[-1].insert_text((300, 400), "a secret", render_mode=3)
    with pytest.raises(RefusedError, match="hidden layer over a scanned picture"):
        redact(scan.data(), Redact("secret"))


def test_a_scanned_page_beside_others_is_named_and_alone_refused() -> None:
    mixed = paper().text(50, 100, "A secret.").page().picture(0, 0, 595, 842).data()
    _, _, warnings = redact(mixed, Redact("secret"))
    assert warnings == ("Page 2: the words of scanned pictures were not searched; look at them",)
    with pytest.raises(RefusedError, match="No text layer"):
        redact(paper().picture(0, 0, 595, 842).data(), Redact("secret"))


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(NotFoundError):
        redact(pdf(SAID), Redact("nowhere"))
    with pytest.raises(PlanError, match="at least two characters"):
        redact(pdf(SAID), Redact("s"))


@pytest.mark.parametrize(
    ("operation", "text", "stands"),
    [
        (Redact("Ann", whole_word=True), "Annex", False),
        (Redact("Ann", whole_word=True), "by Ann.", True),
        (Redact("Ann", match_case=True), "ann", False),
        (Redact("Ann Lee"), "ann\nlee", True),
        (Redact("don't"), "don\u2019t", True),
        (Redact("office"), "o\ufb03ce", True),
        (Redact("secret"), "se\u00adcret", True),
        (Redact("is"), "wiki\nsays", False),
    ],
)
def test_a_text_is_found_in_other_spellings(operation: Redact, text: str, stands: bool) -> None:
    assert Wanted(operation).stands_in(text) is stands


def test_a_word_that_stays_drawn_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: object) -> None:
        """Do nothing."""

    monkeypatch.setattr(redaction.Eraser, "write", nothing)
    monkeypatch.setattr(redaction, "verify", nothing)
    with pytest.raises(VerificationError, match="still drawn"):
        redact(pdf(SAID), Redact("secret"))


def test_a_string_that_stays_is_found_out() -> None:
    data = changed(pdf(b""), everywhere)
    with objects.opened(data) as document:
        assert leftovers(document, Wanted(Redact("secret")))
        assert not leftovers(document, Wanted(Redact("nowhere")))
    assert content(data) == b""
