"""A document edited as text says what was written, and rejecting all of it gives the document."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from redraft.engine.markdown import document as markdown
from redraft.engine.report import Signature
from redraft.engine.text_edit import text_edit, writing
from redraft.engine.text_edit.text_plan import TextFaultsError
from tests.documents import names, seed
from tests.engine.text_edit.random_text_edits import edited
from tests.engine.wordml import docx, footnote, note, p, r, style, table
from tests.oracle import accept, judged, keep, only, texts

AUTHOR = "Ann"
SIGNED = Signature("9f1c", AUTHOR, "2026-11-22T10:00:00Z", tracked=True)
HEADING = style("Heading1", name="heading 1", ppr='<w:outlineLvl w:val="0"/>')
SAMPLE = docx(
    p("Agreement", style="Heading1")
    + p("Payment within 30 days of receipt.")
    + p("The supplier delivers the goods. The customer pays for them.")
    + p("Notices are in writing.")
    + table(["Item", "Fee"], ["Support", "1,200"], ["Hosting", "300"])
    + p("Signed by both."),
    styles=style("Normal") + HEADING,
)


def text_of(data: bytes) -> str:
    return text_edit.text_of(writing.read(data))


def written(data: bytes, text: str) -> list[str]:
    """Returns what the body says after an edited text was accepted; rejected it is as before."""
    done = writing.carry_out(data, b"", text, SIGNED)
    assert judged(done.data, only(AUTHOR, "reject")) == judged(data, keep)
    return [line for line in texts(judged(done.data, accept))["word/document.xml"] if line]


def changed(old: str, new: str, data: bytes = SAMPLE) -> list[str]:
    text = text_of(data)
    assert text.count(old) == 1
    return written(data, text.replace(old, new))


def faults(old: str, new: str, data: bytes) -> list[str]:
    """Returns what is said of a change, each with the words of its line."""
    text = text_of(data).replace(old, new)
    with pytest.raises(TextFaultsError) as refused:
        writing.carry_out(data, b"", text, SIGNED)
    lines = text.split("\n")
    return [f"{lines[f.number - 1]} <- {f.message}" for f in refused.value.faults]


def test_the_text_has_an_anchor_before_each_block() -> None:
    assert text_of(SAMPLE).split("-->\n")[1] == (
        "\n[p1] # Agreement\n\n[p2] Payment within 30 days of receipt.\n\n"
        "[p3] The supplier delivers the goods. The customer pays for them.\n\n"
        "[p4] Notices are in writing.\n\n"
        "[t1.r1] | Item | Fee |\n[t1.r2] | Support | 1,200 |\n[t1.r3] | Hosting | 300 |\n\n"
        "[p5] Signed by both.\n"
    )


def test_words_are_changed() -> None:
    assert "Payment within 45 days of receipt." in changed("30 days", "45 days")


def test_only_the_words_that_differ_are_marked() -> None:
    done = writing.carry_out(SAMPLE, b"", text_of(SAMPLE).replace("30 days", "45 days"), SIGNED)
    assert [(c.before, c.after) for c in done.revisions] == [("30", "45")]


def test_a_line_without_an_anchor_is_a_new_paragraph() -> None:
    said = changed("[p5]", "A new one.\n\n[p5]")
    assert said[said.index("A new one.") + 1] == "Signed by both."


def test_a_line_that_is_gone_is_a_deleted_paragraph() -> None:
    assert "Notices are in writing." not in changed("[p4] Notices are in writing.\n\n", "")


def test_a_line_that_stands_elsewhere_is_moved() -> None:
    text = text_of(SAMPLE)
    line = "[p4] Notices are in writing.\n\n"
    moved = text.replace(line, "").replace("[p2]", f"{line}[p2]")
    said = written(SAMPLE, moved)
    assert said.index("Notices are in writing.") == 1


def test_a_paragraph_cut_in_two_is_split() -> None:
    done = changed("goods. The", "goods.\n\nThe")
    assert [line.strip() for line in done[2:4]] == [
        "The supplier delivers the goods.",
        "The customer pays for them.",
    ]
    text = text_of(SAMPLE).replace("goods. The", "goods.\n\nThe")
    revisions = writing.carry_out(SAMPLE, b"", text, SIGNED).revisions
    assert not any(change.before.strip() for change in revisions)


def test_a_paragraph_cut_in_two_keeps_its_end_when_its_beginning_is_changed() -> None:
    text = text_of(SAMPLE).replace("The supplier delivers the goods. The", "We deliver.\n\nThe")
    assert [line.strip() for line in written(SAMPLE, text)[2:4]] == [
        "We deliver.",
        "The customer pays for them.",
    ]
    revisions = writing.carry_out(SAMPLE, b"", text, SIGNED).revisions
    assert not any("customer" in change.before + change.after for change in revisions)


def test_a_line_right_below_a_paragraph_goes_on_with_it() -> None:
    assert "Signed by both. And sealed." in changed("by both.", "by both.\nAnd sealed.")


def test_cells_and_rows_are_changed() -> None:
    said = changed("[t1.r3] | Hosting | 300 |", "| Backup | 50 |\n[t1.r3] | Hosting | 400 |")
    assert said[6:11] == ["Support", "1,200", "Backup", "50", "Hosting"]
    assert "400" in said


def test_a_row_whose_line_is_gone_is_deleted() -> None:
    assert "Support" not in changed("[t1.r2] | Support | 1,200 |\n", "")


def test_a_new_table_stands_where_its_rows_stand() -> None:
    said = changed("[p5]", "| A | B |\n| - | - |\n| 1 | 2 |\n\n[p5]")
    assert said[-5:] == ["A", "B", "1", "2", "Signed by both."]


def test_a_sign_of_markdown_makes_a_heading() -> None:
    done = writing.carry_out(SAMPLE, b"", text_of(SAMPLE).replace("[p4] ", "[p4] # "), SIGNED)
    assert "[p4] # Notices are in writing." in text_of(done.data)


def test_blanks_that_an_editor_takes_away_are_no_change() -> None:
    data = docx(p("Ends in a blank ") + p("Two"))
    text = text_of(data).replace("blank \n", "blank\n")
    assert writing.carry_out(data, b"", text, SIGNED).revisions == ()


@pytest.mark.parametrize("words", ["# 5 apples", "- not a list", "> more", "| a |", "\\# x", "2*3"])
def test_a_text_that_begins_like_a_sign_stays_a_text(words: str) -> None:
    data = docx(p(words) + p("Two"))
    assert written(data, text_of(data).replace("Two", "Three")) == [words, "Three"]


NOTED = docx(
    p(r("A text"), note("2"), r(" goes on.")) + p("Another one."),
    footnotes=footnote("2", p("Why.")),
)


def test_a_token_that_is_gone_is_said_with_its_line() -> None:
    assert faults("⟦fn1⟧", "", NOTED) == [
        "[p1] A text goes on. <- ⟦fn1⟧ is missing; put it back where it belongs"
    ]


def test_a_token_that_stands_twice_is_said_with_its_line() -> None:
    said = faults("one.", "one.⟦fn1⟧", NOTED)
    assert said == ["[p2] Another one.⟦fn1⟧ <- ⟦fn1⟧ is there more often than before"]


def test_a_note_is_changed_where_it_stands() -> None:
    done = writing.carry_out(NOTED, b"", text_of(NOTED).replace("Why.", "Because."), SIGNED)
    assert "[fn1.p1] Because." in text_of(done.data)


def test_a_deleted_paragraph_takes_its_note_along() -> None:
    text = text_of(NOTED).replace("[p1] A text⟦fn1⟧ goes on.\n\n", "")
    assert written(NOTED, text) == ["Another one."]


def test_a_note_whose_text_is_taken_away_is_refused() -> None:
    text = text_of(NOTED).replace("[fn1.p1] Why.", "")
    with pytest.raises(TextFaultsError, match="fn1"):
        writing.carry_out(NOTED, b"", text, SIGNED)


def test_plain_markdown_without_anchors_is_aligned() -> None:
    text = markdown.write(writing.read(SAMPLE))
    plain = text.replace("30 days", "45 days").replace("Signed", "A new one.\n\nSigned")
    said = written(SAMPLE, plain)
    assert said[1] == "Payment within 45 days of receipt."
    assert said[-2:] == ["A new one.", "Signed by both."]
    assert len(said) == 12


def test_the_text_without_its_anchors_is_aligned() -> None:
    text = re.sub(r"^\[[^]]+\] ", "", text_of(SAMPLE), flags=re.MULTILINE)
    assert written(SAMPLE, text.replace("writing", "ink"))[3] == "Notices are in ink."


@pytest.mark.parametrize("number", range(12))
def test_random_edits_come_back(number: int) -> None:
    text, _ = edited(text_of(SAMPLE), 4, f"{number}{seed()}")
    done = writing.carry_out(SAMPLE, b"", text, SIGNED)
    assert judged(done.data, only(AUTHOR, "reject")) == judged(SAMPLE, keep)


@pytest.mark.corpus
@pytest.mark.parametrize("name", names("docx", start=4))
def test_real_documents_come_back_from_text(corpus: Path, name: str) -> None:
    data = (corpus / "docx" / name).read_bytes()
    document = writing.read(data)
    for untouched in (text_edit.text_of(document), markdown.write(document)):
        plan = text_edit.plan_of(document, untouched)
        assert (plan.operations, plan.faults) == ([], [])
    for number in range(2):
        text, kinds = edited(text_edit.text_of(document), 3, f"{name}{number}{seed()}")
        try:
            done = writing.carry_out(data, b"", text, SIGNED)
        except TextFaultsError:
            continue
        assert judged(done.data, only(AUTHOR, "reject")) == judged(data, keep), kinds
