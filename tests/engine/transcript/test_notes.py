"""The notes of a PDF are footnotes of the Word document, and their changes are tracked there."""

from __future__ import annotations

import re
import subprocess
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from redraft.engine.docx.changes import revisions
from redraft.engine.docx.names import W_ID, W
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.errors import VerificationError
from redraft.engine.markdown.document import write
from redraft.engine.model import (
    Block,
    Document,
    Inline,
    Link,
    ListItem,
    Mark,
    NoteReference,
    Paragraph,
    Story,
    Table,
    Text,
    View,
)
from redraft.engine.pdf.reader import read
from redraft.engine.pdf.tracked import redline as pdf_redline
from redraft.engine.plan import (
    DeleteBlocks,
    DeleteNote,
    EditPlan,
    FormatText,
    Operation,
    ReplaceText,
    RewriteBlock,
    SetLink,
)
from redraft.engine.report import Signature
from redraft.engine.transcript.building import build
from redraft.engine.transcript.notes import MARK, Count, counted, folded, raw
from redraft.engine.transcript.redline import redline
from tests.engine.pdf.stream.streams import pdf
from tests.engine.schema import errors

pytestmark = pytest.mark.thorough

ANN = Signature("u1", "Ann Lee", "2026-11-22T06:30:00Z", tracked=True)
BOB = Signature("u2", "Bob Żak", "2026-11-22T07:00:00Z", tracked=True)
BODY, FEE, NOTE = "p1.b1", "p1.b2", "p1.n1.p1"


DRAWN = (
    b"BT /F1 11 Tf 20 250 Td (The rate is fixed) Tj 4 Ts /F1 6 Tf (%(first)s) Tj 0 Ts"
    b" /F1 11 Tf ( by the bank and not) Tj ET BT /F1 11 Tf 20 236 Td (by the agent of it.) Tj"
    b" ET BT /F1 11 Tf 20 200 Td (The fee) Tj 4 Ts /F1 6 Tf (%(second)s) Tj 0 Ts /F1 11 Tf"
    b" ( is small.) Tj ET BT /F1 6 Tf 3 Ts 20 60 Td (%(first)s) Tj 0 Ts /F1 9 Tf"
    b" ( See the annex.) Tj ET BT /F1 6 Tf 3 Ts 20 48 Td (%(second)s) Tj 0 Ts /F1 9 Tf"
    b" ( See the table.) Tj ET"
)


def drawn(first: str = "1", second: str = "2") -> bytes:
    """Two paragraphs with a mark each, and their notes at the foot."""
    return pdf(DRAWN % {b"first": first.encode(), b"second": second.encode()})


def word(data: bytes, *steps: tuple[Signature, Operation]) -> bytes:
    working, state = data, b""
    for signature, operation in steps:
        plan = EditPlan("edit", "", (operation,))
        working, report = pdf_redline.edit(data, working, state, plan, signature)
        state = report.state
    made = redline(data, working, state)
    assert [each for each in errors(made) if "Ignorable" not in each] == []
    return made


def said(data: bytes, view: View) -> str:
    return write(reader.read(Package.open(data), view))


def listed(data: bytes) -> list[tuple[str, str, str, str]]:
    found = revisions.changes(data, b"")
    return [(each.author, each.story, each.before, each.after) for each in found]


def test_marks_and_notes_are_those_of_word() -> None:
    made = word(drawn())
    assert said(made, "final") == write(read(drawn()))
    package = Package.open(made)
    (part,) = package.related(package.main, "footnotes")
    ids = [each.get(W_ID) for each in package.tree(part)]
    assert ids == ["-1", "0", "1", "2"]
    cited = package.tree(package.main).iter(W("footnoteReference"))
    assert [each.get(W_ID) for each in cited] == ["1", "2"]
    assert len(list(package.tree(part).iter(W("footnoteRef")))) == 2


def test_words_of_a_note_are_tracked_in_the_note() -> None:
    made = word(
        drawn(),
        (ANN, ReplaceText(NOTE, "annex", "schedule")),
        (BOB, FormatText("p1.n2.p1", "table", "bold", "on")),
    )
    assert listed(made) == [
        ("Ann Lee", "footnote", "annex", "schedule"),
        ("Bob Żak", "footnote", "table", "table"),
    ]
    assert "[^1]: See the annex." in said(made, "original")
    assert "[^1]: See the schedule." in said(made, "final")
    assert "[^2]: See the **table**." in said(made, "final")


@pytest.mark.parametrize(
    ("operation", "final"),
    [
        (ReplaceText(BODY, "fixed", "given"), "The rate is given[^1] by the bank"),
        (ReplaceText(BODY, "by the bank", "set by banks"), "is fixed[^1] set by banks and"),
        (ReplaceText(BODY, "rate is fixed by", "fees are set by"), "The fees are set[^1] by"),
        (ReplaceText(FEE, "fee", ""), "The[^2] is small."),
        (RewriteBlock(FEE, "One fee⟦fn1⟧ is not small."), "One fee[^2] is not small."),
    ],
)
def test_words_beside_a_mark_are_tracked_and_the_mark_stays(
    operation: Operation, final: str
) -> None:
    made = word(drawn(), (ANN, operation))
    assert said(made, "original") == said(word(drawn()), "final")
    assert final in said(made, "final").replace("The [^2]", "The[^2]")
    assert not any("1" in before + after for _, _, before, after in listed(made))


def test_looks_and_links_beside_a_mark_leave_it() -> None:
    url = "https://example.org/"
    made = word(
        drawn(),
        (ANN, FormatText(BODY, "is fixed by the", "italic", "on")),
        (ANN, SetLink(FEE, "small", url)),
        (BOB, ReplaceText(BODY, "bank", "agent")),
    )
    assert "The rate *is fixed[^1] by the* agent" in said(made, "final")
    assert f"is [small]({url})" in said(made, "final")
    assert "The rate is fixed[^1] by the bank" in said(made, "original")


def test_a_note_goes_from_between_others_which_keep_theirs() -> None:
    more = b" BT /F1 11 Tf 20 150 Td (Nor is it) Tj 4 Ts /F1 6 Tf (3) Tj 0 Ts /F1 11 Tf ( fair.) Tj"
    foot = b" ET BT /F1 6 Tf 3 Ts 20 36 Td (3) Tj 0 Ts /F1 9 Tf ( See the end.) Tj ET"
    data = pdf(DRAWN % {b"first": b"1", b"second": b"2"} + more + foot)
    made = word(data, (ANN, DeleteNote("p1.n2")))
    assert listed(made) == [("Ann Lee", "body", "[footnote: See the table.]", "")]
    assert said(made, "final").endswith("[^1]: See the annex.\n\n[^2]: See the end.\n")


@pytest.mark.parametrize("operation", [DeleteNote("p1.n1"), DeleteBlocks(BODY, BODY)])
def test_a_note_goes_with_its_mark(operation: Operation) -> None:
    made = word(drawn(), (ANN, ReplaceText(NOTE, "annex", "schedule")), (BOB, operation))
    assert "[^2]: See the table." in said(made, "original")
    assert said(made, "final").endswith("The fee[^1] is small.\n\n[^1]: See the table.\n")
    assert {author for author, *_ in listed(made)} == {"Bob Żak"}


def test_labels_that_do_not_follow_one_another_are_marks_of_their_own() -> None:
    made = word(drawn("*", "1"), (ANN, ReplaceText(NOTE, "annex", "schedule")))
    read_of = write(read(drawn("*", "1"))).replace("p1.n1", "fn1").replace("annex", "schedule")
    assert said(made, "final") == read_of.replace("[^fn1]: ", "[^fn1]: <sup>\\*</sup> ")
    package = Package.open(made)
    (first, second) = package.tree(package.main).iter(W("footnoteReference"))
    assert first.get(W("customMarkFollows")) == "1"
    assert [each.text for each in first.itersiblings()] == ["*"]
    assert second.get(W("customMarkFollows")) is None
    assert listed(made) == [("Ann Lee", "footnote", "annex", "schedule")]


def test_a_note_whose_mark_word_cannot_strike_leaves_all_as_paragraphs() -> None:
    made = word(drawn("*", "1"), (ANN, DeleteNote("p1.n1")))
    package = Package.open(made)
    assert not package.related(package.main, "footnotes")
    assert "See the annex." in said(made, "original")
    assert "See the annex." not in said(made, "final")


def test_word_counts_from_the_number_that_the_pdf_begins_with() -> None:
    package = Package.open(word(drawn("4", "5")))
    (settings,) = package.related(package.main, "settings")
    start = package.tree(settings).find(f"{W('footnotePr')}/{W('numStart')}")
    assert start is not None
    assert start.get(W("val")) == "4"


def note(anchor: str, label: str, *content: Inline) -> Story:
    block = Paragraph(f"{anchor}.p1", content or (Text("See it."),))
    return Story("footnote", anchor, (block,), label=label)


@pytest.mark.parametrize(
    ("labels", "count"),
    [
        ({"p1.n1": "1", "p1.n2": "2", "p3.n1": "3"}, Count()),
        ({"p1.n1": "7", "p2.n1": "8"}, Count(start=7)),
        ({"p1.n1": "1", "p1.n2": "2", "p2.n1": "1"}, Count(by_page=True)),
        ({"p1.n1": "a", "p1.n2": "b"}, Count("lowerLetter")),
        ({"p1.n1": "i", "p1.n2": "ii", "p2.n1": "iii"}, Count("lowerRoman")),
        ({"p1.n1": "*", "p1.n2": "1", "p1.n3": "2"}, Count(own=frozenset({"p1.n1"}))),
        ({"p1.n1": "1", "p1.n2": "3"}, Count(own=frozenset({"p1.n2"}))),
        ({"p1.n1": "*", "p1.n2": "†"}, Count(own=frozenset({"p1.n1", "p1.n2"}))),
        ({"p1.n1": "(1)"}, Count(own=frozenset({"p1.n1"}))),
    ],
)
def test_labels_are_counted_as_word_can(labels: dict[str, str], count: Count) -> None:
    assert counted([note(anchor, label) for anchor, label in labels.items()]) == count


def tree(*stories: Story, body: Sequence[Block]) -> Document:
    return Document("pdf", (Story("body", "", tuple(body)), *stories))


def mark(label: str) -> NoteReference:
    return NoteReference("footnote", f"p1.n{label}", label)


def test_notes_stand_in_the_order_of_their_marks_and_only_the_first_mark_leads_to_one() -> None:
    link = Link("https://a.example", (Text("see"), mark("2")))
    body = [Paragraph("p1.b1", (Text("a"), mark("1"), link, Text("b"), mark("1")))]
    made = folded(tree(note("p1.n2", "2", Text("Two"), mark("1")), note("p1.n1", "1"), body=body))
    assert [each.anchor for each in made.document.stories] == ["", "p1.n1", "p1.n2"]
    assert made.cited == {"p1.n1": "p1.b1", "p1.n2": "p1.b1"}
    (block,) = made.document.body.blocks
    assert isinstance(block, Paragraph)
    assert raw(block.content) == f"a{MARK}see{MARK}b1"
    assert made.document.stories[2].blocks == (
        Paragraph("p1.n2.p1", (Text("Two"), Text("1", Mark.SUPERSCRIPT))),
    )


def test_a_note_without_a_mark_cannot_be_folded() -> None:
    with pytest.raises(VerificationError, match="has no mark"):
        folded(tree(note("p1.n1", "1"), body=[Paragraph("p1.b1", (Text("a"),))]))


def test_notes_of_several_paragraphs_lists_and_tables_are_written() -> None:
    item = ListItem("p1.n1.p2", 0, (Text("first"),))
    long = Story("footnote", "p1.n1", (Paragraph("p1.n1.p1", (Text("So:"),)), item), label="1")
    bare = Story("footnote", "p1.n2", (Table("p1.n2.t1", (), 1),), label="2")
    link = note("p1.n3", "3", Link("https://a.example/", (Text("here"),)))
    body = [Paragraph("p1.b1", (Text("a"), mark("1"), mark("2"), mark("3")))]
    made = folded(tree(long, bare, link, body=body))
    data = build(made.document, (595, 842), made.count)
    assert [each for each in errors(data) if "tbl" not in each and "Ignorable" not in each] == []
    written = said(data, "final")
    assert "[^1]: So:\n\n    - first" in written
    assert "[^3]: [here](https://a.example/)" in written


def test_pandoc_reads_footnotes_with_their_changes(pandoc: Path, tmp_path: Path) -> None:
    file = tmp_path / "made.docx"
    file.write_bytes(word(drawn(), (ANN, ReplaceText(NOTE, "annex", "schedule"))))
    for changes, noun in (("reject", "annex"), ("accept", "schedule")):
        command = [pandoc, "-t", "markdown", f"--track-changes={changes}", file]
        told = subprocess.run(command, capture_output=True, check=True, text=True).stdout
        assert "is fixed[^1] by" in told
        assert f"[^1]: See the {noun}." in told


def test_libreoffice_reads_footnotes_with_their_changes(soffice: Path, tmp_path: Path) -> None:
    file = tmp_path / "made.docx"
    file.write_bytes(word(drawn(), (ANN, ReplaceText(NOTE, "annex", "schedule"))))
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    command = [soffice, profile, "--headless", "--convert-to", "odt", "--outdir", tmp_path, file]
    subprocess.run(command, capture_output=True, check=True, timeout=120)
    with zipfile.ZipFile(tmp_path / "made.odt") as made:
        told = made.read("content.xml").decode()
    first, second = re.findall(r'<text:note [^>]*text:note-class="footnote".*?</text:note>', told)
    assert "<text:change-start" in first
    assert "schedule" in first
    assert "See the table." in second


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("tika__testPDFVarious", 1),
        ("pdfminer__naacl06-shinyama", 3),
        ("opf__test_fontArialNotEmbedded", 7),
        ("unstructured__multi-column", 11),
    ],
)
def test_the_notes_of_real_files_are_footnotes(corpus: Path, name: str, count: int) -> None:
    data = (corpus / "pdf" / f"{name}.pdf").read_bytes()
    made = word(data)
    found = reader.read(Package.open(made), "final")
    assert [each.kind for each in found.stories].count("footnote") == count
    assert said(made, "final").count("\n[^") == count
