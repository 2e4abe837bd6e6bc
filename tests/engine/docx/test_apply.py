"""Carrying out plans: what is refused, what is checked, what stays byte for byte."""

from __future__ import annotations

from dataclasses import replace

import pytest

from redraft.engine.docx import apply as applying
from redraft.engine.docx.apply import apply, faults, initial_state
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.reader import read
from redraft.engine.docx.redline import tracked_runs, tracked_text
from redraft.engine.docx.redline.line import Line
from redraft.engine.docx.redline.revision_ids import Ids
from redraft.engine.errors import (
    NotFoundError,
    PlanError,
    RefusedError,
    VerificationError,
)
from redraft.engine.markdown.document import write
from redraft.engine.plan import (
    BlockKind,
    DeleteBlocks,
    EditPlan,
    FindReplace,
    FormatText,
    InsertBlocks,
    InsertBreak,
    InsertTable,
    MergeBlocks,
    MoveBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    RewriteBlock,
    SplitBlock,
)
from redraft.engine.report import Selection, Signature
from redraft.engine.state import FINGERPRINT_FORM, decode, encode
from tests.engine.redlining import DATE, US, Draft
from tests.engine.schema import errors
from tests.engine.wordml import (
    abstract_num,
    docx,
    field,
    footnote,
    heading_style,
    ins,
    level,
    listed,
    num,
    p,
    r,
    style,
    table,
    textbox,
)
from tests.oracle import members

SIGNED = Signature("e1", US, DATE, tracked=True)


def plan(*operations: Operation) -> EditPlan:
    return EditPlan("edit", "as asked", operations)


def test_a_body_edit_changes_one_member_and_only_the_touched_paragraph_in_it() -> None:
    odd = "<w:p  w:rsidR='00AA' ><w:r><w:t>odd &#x41;</w:t></w:r></w:p >"
    data = docx(odd + p("one two") + odd, headers=[p("h")], footnotes=footnote("2", p("n")))
    after, _ = apply(data, initial_state(data), plan(ReplaceText("p2", "two", "2")), SIGNED)
    before_members, after_members = members(data), members(after)
    assert list(before_members) == list(after_members)
    changed = [name for name, content in after_members.items() if before_members[name] != content]
    assert changed == ["word/document.xml"]
    body = after_members["word/document.xml"].decode()
    assert body.count(odd) == 2


def test_runs_that_no_change_touches_keep_their_attributes() -> None:
    run = '<w:r w:rsidR="00112233" w:rsidRPr="00445566"><w:t xml:space="preserve">{}</w:t></w:r>'
    body = f'<w:p w:rsidR="00AA0001">{run.format("first ")}{run.format("second part")}</w:p>'
    draft = Draft.of(body).edit(ReplaceText("p1", "second", "2nd"))
    assert run.format("first ") in draft.body
    assert draft.body.count('w:rsidRPr="00445566"') == 3
    assert 'w:rsidR="00AA0001"' in draft.body


@pytest.mark.parametrize(
    ("operation", "code"),
    [
        (ReplaceText("p9", "a", "b"), "unknown_block"),
        (ReplaceText("zz", "a", "b"), "unknown_block"),
        (ReplaceText("p1", "nothing like it", "b"), "text_not_found"),
        (ReplaceText("p1", "o", "b"), "ambiguous"),
        (ReplaceText("t1", "a", "b"), "wrong_kind"),
        (ReplaceText("p1", "one", "**b"), "markup_unbalanced"),
        (ReplaceText("p1", "one", "a\nb"), "contains_newline"),
        (ReplaceText("p1", "one", "x\u27e6fn7\u27e7"), "crosses_placeholder"),
        (RewriteBlock("p1", "one\u27e6im1\u27e7"), "invented_token"),
        (FindReplace("zebra", "b"), "no_match"),
        (FindReplace("one", "b", scope="nowhere"), "unknown_scope"),
        (FindReplace("one", "b", scope="section:p77"), "unknown_scope"),
        (DeleteBlocks("p1", "t1.r1.c1.p1"), "crosses_story"),
        (DeleteBlocks("p2", "p1"), "crosses_story"),
        (DeleteBlocks("t1.r1", "t1.r1"), "wrong_kind"),
        (InsertBlocks("p1", "after", (NewBlock("quote", "x\u27e6fn1\u27e7"),)), "invented_token"),
        (InsertBlocks("t1.r1", "after", (NewBlock("paragraph", "x"),)), "wrong_kind"),
        (ReplaceText("c1.p1", "why", "b"), "read_only"),
        (ReplaceText("p3", "Section 7", "b"), "read_only"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_a_fault_and_an_error_and_changes_nothing(
    operation: Operation, code: str
) -> None:
    data = docx(
        p("one two o") + p("other") + p("see ", field("REF x", "Section 7")) + table(["cell"]),
        comments=f'<w:comment w:id="0" w:author="Ann">{p("why?")}</w:comment>',
    )
    package = Package.open(data)
    assert [(fault.index, fault.code) for fault in faults(package, plan(operation))] == [(0, code)]
    assert package.save() == data
    with pytest.raises((PlanError, NotFoundError, RefusedError, applying.EditError)):
        apply(data, initial_state(data), plan(operation), SIGNED)


def test_faults_carry_the_number_of_their_operation_and_a_sentence() -> None:
    package = Package.open(docx(p("one two")))
    found = faults(package, plan(ReplaceText("p1", "one", "1"), ReplaceText("p1", "three", "3")))
    assert [(fault.index, fault.code) for fault in found] == [(1, "text_not_found")]
    assert faults(package, plan(ReplaceText("p1", "one", "1"))) == ()


def test_what_is_refused_only_while_it_is_written_is_a_fault_of_its_operation() -> None:
    theirs = (
        '<w:i/><w:rPrChange w:id="5" w:author="Ann" w:date="2026-01-01T00:00:00Z"><w:rPr/>'
        "</w:rPrChange>"
    )
    package = Package.open(docx(p("one ", r("two", theirs))))
    before = package.save()
    found = faults(
        package,
        plan(FormatText("p1", "one", "bold", "on"), FormatText("p1", "two", "bold", "on")),
    )
    assert [(fault.index, fault.code) for fault in found] == [(1, "read_only")]
    assert "another author's tracked formatting" in found[0].message
    assert faults(package, plan(FormatText("p1", "one", "bold", "on"))) == ()
    assert package.save() == before


def test_faults_know_which_marks_are_ours() -> None:
    draft = Draft.of(p("one two"), p("three")).edit(MergeBlocks("p1", "p2"))
    package = Package.open(draft.data)
    parting = plan(SplitBlock("p1", "three"))
    assert faults(package, parting, draft.state) == ()
    assert [fault.code for fault in faults(package, parting)] == ["read_only"]


def test_a_text_that_is_not_found_tells_the_closest_passage_apart_from_its_message() -> None:
    with pytest.raises(NotFoundError) as caught:
        Draft.of(p("the notice period")).edit(ReplaceText("p1", "the note period", "x"))
    assert str(caught.value) == "Unable to locate the specified text"
    assert caught.value.closest == "the notice period"


# Verification


def test_a_state_of_another_file_is_noticed() -> None:
    data, other = docx(p("one two")), docx(p("something else"))
    with pytest.raises(VerificationError, match="stored baseline"):
        apply(data, initial_state(other), plan(ReplaceText("p1", "one", "1")), SIGNED)


def test_a_version_stored_with_an_earlier_form_of_fingerprint_is_edited_and_decided() -> None:
    former = b'"form":%d' % FINGERPRINT_FORM
    draft = Draft.of(p("one two")).edit(ReplaceText("p1", "one", "1"))
    stale = draft.state.replace(former, b'"form":1').replace(b'"baseline":{"w', b'"baseline":{"v')
    assert stale != draft.state
    earlier = replace(draft, state=stale)
    assert earlier.edit(ReplaceText("p1", "two", "2")).rejected == draft.original
    assert earlier.decide("reject", Selection(all=True)).rejected == draft.original


def test_a_file_without_a_state_takes_an_edit_with_every_mark_foreign() -> None:
    data = docx(p("one ", ins(r("two"), id=4)))
    after, report = apply(data, b"", plan(ReplaceText("p1", "one", "1")), SIGNED)
    assert set(decode(report.state).ours.values()) == {"e1"}
    assert after != data


def test_a_writer_that_loses_a_run_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def lossy(line: Line, ids: Ids) -> None:
        tracked_runs.write(line, ids)
        line.paragraph.remove(line.paragraph[-1])

    monkeypatch.setattr("redraft.engine.docx.write_plan.write", lossy)
    with pytest.raises(VerificationError, match="law 1"):
        Draft.of(p("one two three")).edit(ReplaceText("p1", "two", "2"))


def test_a_text_that_is_not_what_was_planned_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(line: Line, edits: list[tracked_text.Edit], stamp: tracked_text.Stamp) -> bool:
        wrong = [replace(edit, new=(tracked_text.Fresh("wrong"),)) for edit in edits]
        return tracked_text.change(line, wrong, stamp)

    monkeypatch.setattr("redraft.engine.docx.write_plan.change", other)
    with pytest.raises(VerificationError, match="law 2"):
        Draft.of(p("one two three")).edit(ReplaceText("p1", "two", "2"))


def test_an_id_used_twice_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def same(self: Ids, edit: str, *, formatted: bool = False) -> int:
        del formatted
        self.ours[5] = edit
        return 5

    monkeypatch.setattr(Ids, "ours_for", same)
    with pytest.raises(VerificationError, match="id 5 is not unique"):
        Draft.of(p("one two three")).edit(ReplaceText("p1", "two", "2"))


def test_ids_are_free_in_every_part_and_below_two_to_the_31() -> None:
    draft = Draft.of(
        p("one", '<w:bookmarkStart w:id="2147483000" w:name="b"/>'),
        footnotes=footnote("2", p("n ", ins(r("x"), id=500))),
    ).edit(FindReplace("one", "1"))
    assert set(decode(draft.state).ours) == {501, 502}


# Blocks


def test_scopes_choose_where_everything_is_replaced() -> None:
    body = (
        p("Head one", style="Heading1")
        + p("fee a")
        + p("Head sub", style="Heading2")
        + p("fee b")
        + table(["fee c", "x"], ["fee d", "y"])
        + p("Head two", style="Heading1")
        + p("fee e")
    )
    headings = heading_style(1) + heading_style(2)
    draft = Draft.of(body, styles=headings, headers=[p("fee h")])

    def changed(scope: str, limit: int | None = None) -> str:
        made = draft.edit(FindReplace("fee", "cost", scope=scope, limit=limit))
        return "".join(c.trail.strip() for c in made.changes)

    assert changed("all") == "abcdeh"
    assert changed("body") == "abcde"
    assert changed("headers") == "h"
    assert changed("section:p1") == "abcd"
    assert changed("section:p3") == "bcd"
    assert changed("table:t1") == "cd"
    assert changed("row:t1.r2") == "d"
    assert changed("block:p2") == "a"
    assert changed("all", 2) == "ab"
    assert changed("all", -2) == "eh"


LISTS = abstract_num(1, level(0, "-", "bullet")) + abstract_num(2, level(0, "%1."))
NUMBERING = LISTS + num(1, 1) + num(2, 2)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("paragraph", '<w:pPr><w:jc w:val="both"/>'),
        ("heading2", '<w:pPr><w:pStyle w:val="Heading2"/>'),
        ("bullet", '<w:numId w:val="1"/>'),
        ("numbered", '<w:numId w:val="2"/>'),
        ("quote", '<w:pPr><w:pStyle w:val="Q"/>'),
        ("like_anchor", '<w:pPr><w:pStyle w:val="Heading1"/>'),
    ],
)
def test_a_new_block_looks_as_its_kind_does_in_the_document(kind: BlockKind, expected: str) -> None:
    draft = Draft.of(
        p("Head", style="Heading1"),
        p(r("text", '<w:sz w:val="18"/>'), properties='<w:jc w:val="both"/>'),
        p("Sub", style="Heading2"),
        listed("a", num=1),
        listed("b", num=2),
        styles=heading_style(1) + heading_style(2) + style("Q", name="Quote"),
        numbering=NUMBERING,
    ).edit(InsertBlocks("p1", "after", (NewBlock(kind, "New words"),)))
    new = draft.body[draft.body.index("</w:p>") :]
    new = new[: new.index("New words")]
    assert expected in new
    assert ('<w:sz w:val="18"/>' in new) == (kind == "paragraph")
    assert draft.rejected == draft.original


NESTED = (
    abstract_num(1, level(0, "-", "bullet"), level(1, "o", "bullet"))
    + abstract_num(2, level(0, "%1."), level(1, "(%2)", "lowerLetter"))
    + num(1, 1)
    + num(2, 2)
)


@pytest.mark.parametrize(
    ("body", "kind", "expected"),
    [
        ([listed("a", num=1)], "bullet2", "- a\n  - New\n"),
        ([listed("a", num=1), listed("b", num=1, level=1)], "bullet2", "- a\n  - New\n  - b\n"),
        ([listed("a", num=2)], "numbered2", "1. a\n   - (a) New\n"),
        ([listed("a", num=2)], "bullet2", "1. a\n   - New\n"),
        ([p("a")], "numbered2", "a\n\n- a. New\n"),
    ],
)
def test_a_new_item_may_stand_below_another(
    body: list[str], kind: BlockKind, expected: str
) -> None:
    draft = Draft.of(*body, numbering=NESTED)
    made = draft.edit(InsertBlocks("p1", "after", (NewBlock(kind, "New"),)))
    assert write(read(Package.open(made.data), "final")) == expected
    assert made.rejected == draft.original
    assert errors(made.data) == []


def test_a_nested_item_drops_the_indent_of_the_item_it_is_modelled_on() -> None:
    listed_as = '<w:keepNext/><w:numPr><w:numId w:val="1"/></w:numPr>'
    properties = f'{listed_as}<w:ind w:left="300"/><w:jc w:val="both"/>'
    draft = Draft.of(p("a", properties=properties), numbering=NESTED)
    made = draft.edit(InsertBlocks("p1", "after", (NewBlock("bullet2", "New"),)), tracked=False)
    new = made.body[made.body.index("</w:p>") :]
    assert (
        '<w:pPr><w:keepNext/><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr>'
        '<w:jc w:val="both"/></w:pPr>'
    ) in new


def test_a_kind_that_the_document_does_not_know_is_made_with_words_own_style() -> None:
    start = Draft.of(p("x"))
    draft = start.edit(InsertBlocks("p1", "after", (NewBlock("bullet", "y"),)))
    assert '<w:pStyle w:val="ListBullet"/>' in draft.body
    assert {*members(draft.data)} - {*members(start.data)} == {
        "word/styles.xml",
        "word/numbering.xml",
    }
    assert draft.rejected == draft.original


def test_blocks_inserted_and_then_deleted_are_gone() -> None:
    start = Draft.of(p("one"), p("two"))
    block = (NewBlock("like_anchor", "x"),)
    for operation, new in (
        (InsertBlocks("p1", "after", block), "p2"),
        (InsertBlocks("p1", "before", block), "p1"),
        (InsertBlocks("p2", "after", block), "p3"),
    ):
        made = start.edit(operation)
        back = made.edit(DeleteBlocks(new, new))
        assert back.changes == ()
        assert back.body == start.body


def test_blocks_behind_the_last_one_leave_the_last_mark_where_it_was() -> None:
    identified = p("last").replace("<w:p>", '<w:p w14:paraId="00000007">')
    draft = Draft.of(p("one"), identified).edit(
        InsertBlocks("p2", "after", (NewBlock("like_anchor", "x"), NewBlock("like_anchor", "y")))
    )
    assert draft.redline == ["one", "last{+\u00b6+}", "{+x+}{+\u00b6+}", "{+y+}"]
    assert draft.rejected == draft.original
    assert draft.body.index("00000007") > draft.body.index(">x<")


def test_two_insertions_at_one_place_stand_in_the_order_of_the_plan() -> None:
    draft = Draft.of(p("one"), p("two")).edit(
        InsertBlocks("p1", "after", (NewBlock("like_anchor", "x"),)),
        InsertBlocks("p1", "after", (NewBlock("like_anchor", "y"),)),
        InsertBlocks("p1", "before", (NewBlock("like_anchor", "v"),)),
        InsertBlocks("p1", "before", (NewBlock("like_anchor", "w"),)),
    )
    assert draft.accepted == ["v", "w", "one", "x", "y", "two"]


def test_an_insertion_beside_a_table_stands_beside_it() -> None:
    draft = Draft.of(p("one"), table(["a"]), p("two")).edit(
        InsertBlocks("t1", "after", (NewBlock("paragraph", "behind"),)),
        InsertBlocks("t1", "before", (NewBlock("paragraph", "ahead"),)),
    )
    assert draft.accepted == ["one", "ahead", "a", "behind", "two"]


def test_a_paragraph_between_two_tables_is_emptied_so_that_they_stay_two() -> None:
    draft = Draft.of(table(["a"]), p("between"), table(["b"]), p("end")).edit(
        DeleteBlocks("p1", "p1")
    )
    assert draft.redline[1] == "[-between-]"


def test_joined_paragraphs_are_one_block_to_a_quote() -> None:
    joined = p("one ", properties='<w:rPr><w:del w:id="9" w:author="Ann"/></w:rPr>')
    draft = Draft.of(joined, p("two three")).edit(ReplaceText("p2", "one two", "1 2"))
    assert draft.accepted == ["1 2 three"]
    assert draft.rejected == draft.original


def test_a_hit_takes_the_case_of_what_it_replaces() -> None:
    draft = Draft.of(p("fee Fee FEE")).edit(FindReplace("fee", "charge"))
    assert draft.accepted == ["charge Charge CHARGE"]


def test_an_untracked_edit_moves_the_baseline() -> None:
    draft = Draft.of(p("one ", ins(r("two"), id=4)), p("three"))
    made = draft.edit(ReplaceText("p1", "one", "1"), DeleteBlocks("p2", "p2"), tracked=False)
    assert made.redline == ["1 <+two+>"]
    assert decode(made.state).ours == {}
    assert made.state == initial_state(made.data)
    assert made.report is not None
    assert made.report.revisions == ()
    again = made.edit(ReplaceText("p1", "1", "one"), tracked=False)
    assert again.redline == ["one <+two+>"]


def test_the_report_names_only_the_changes_of_this_edit() -> None:
    draft = Draft.of(p("one"), p("two")).edit(ReplaceText("p1", "one", "1"))
    draft = draft.edit(ReplaceText("p2", "two", "2"))
    assert draft.report is not None
    assert [(c.before, c.after) for c in draft.report.revisions] == [("two", "2")]
    assert draft.report.summary == "as asked"


def test_a_plan_that_refuses_applies_nothing_and_says_why() -> None:
    data = docx(p("x"))
    state = initial_state(data)
    same, report = apply(data, state, EditPlan("refuse", "it is not there"), SIGNED)
    assert (same, report.applied, report.summary) == (data, False, "it is not there")


def test_a_control_character_is_refused() -> None:
    with pytest.raises(PlanError, match="control character"):
        Draft.of(p("x")).edit(ReplaceText("p1", "x", "a\x01b"))


def test_the_state_says_who_wrote_what_and_forgets_what_is_gone() -> None:
    draft = Draft.of(p("one two")).edit(ReplaceText("p1", "one", "1"))
    assert set(decode(draft.state).ours.values()) == {"e1"}
    back = draft.edit(ReplaceText("p1", "1", "one"))
    assert decode(back.state).ours == {}
    assert encode(decode(back.state)) == back.state


def test_a_new_last_paragraph_that_looks_like_the_old_one_is_no_format_change() -> None:
    cell = '<w:p><w:pPr><w:jc w:val="left"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>'
    draft = Draft.of(table([cell]), p("end"))
    new = InsertBlocks("t1.r1.c1.p1", "after", (NewBlock("like_anchor", "b"),))
    made = draft.edit(new)
    assert [change.kind for change in made.changes] == ["insertion"]


@pytest.mark.parametrize(
    ("find", "whole_word", "said"),
    [
        ("plan", False, "in 2 places: “planning”, “Plans”; say “as whole words”"),
        ("a", False, "in 7 places: "),
        ("plan", True, None),
        ("house", False, None),
    ],
)
def test_words_that_only_hold_what_is_replaced_everywhere_are_told(
    find: str, whole_word: bool, said: str | None
) -> None:
    data = docx(p("The plan and the planning. Plans of a house, a park and a hall."))
    operation = FindReplace(find, "map", "all", match_case=False, whole_word=whole_word)
    _, report = apply(data, initial_state(data), plan(operation), SIGNED)
    if said is None:
        assert report.warnings == ()
    else:
        (warning,) = report.warnings
        assert said in warning
        assert ("and others" in warning) == (find == "a")


CORP = p("ACME shall. ACME Corp may. ACME CORP, acme corp.")


@pytest.mark.parametrize(
    ("operation", "expected", "kept"),
    [
        (
            FindReplace("ACME", "ACME Corp"),
            "ACME{+ Corp+} shall. ACME Corp may. ACME CORP, [-acme corp-]{+ACME Corp+}.",
            "2 places say “ACME Corp” already and were left as they are",
        ),
        (
            FindReplace("ACME", "ACME Corp", match_case=True),
            "ACME{+ Corp+} shall. ACME Corp may. ACME CORP, acme corp.",
            "2 places say “ACME Corp” already and were left as they are",
        ),
        (
            ReplaceText("p1", "ACME", "ACME Corp"),
            "ACME{+ Corp+} shall. ACME Corp may. ACME CORP, acme corp.",
            "2 places say “ACME Corp” already and were left as they are",
        ),
        (
            FindReplace("ACME Corp", "the ACME Corp", limit=1),
            "ACME shall. {+the +}ACME Corp may. ACME CORP, acme corp.",
            "",
        ),
        # what is counted is meant
        (
            ReplaceText("p1", "ACME", "ACME Corp", 2),
            "ACME shall. ACME{+ Corp+} Corp may. ACME CORP, acme corp.",
            "",
        ),
        (
            FindReplace("ACME", "ACME Corp", match_case=True, limit=2),
            "ACME{+ Corp+} shall. ACME{+ Corp+} Corp may. ACME CORP, acme corp.",
            "",
        ),
        # and words that shall look otherwise are written once
        (
            ReplaceText("p1", "ACME CORP", "**ACME CORP, acme**"),
            "ACME shall. ACME Corp may. [-ACME CORP, acme-]{+ACME CORP, acme+} corp.",
            "",
        ),
    ],
)
def test_new_words_that_stand_already_are_not_written_twice(
    operation: Operation, expected: str, kept: str
) -> None:
    made = Draft.of(CORP).edit(operation)
    assert made.redline == [expected]
    assert made.report is not None
    assert made.report.warnings == ((kept,) if kept else ())
    assert made.rejected == made.original


@pytest.mark.parametrize(
    "operation", [FindReplace("ACME", "ACME Corp"), ReplaceText("p1", "ACME", "ACME Corp")]
)
def test_a_document_that_says_so_everywhere_stays_and_the_answer_says_why(
    operation: Operation,
) -> None:
    draft = Draft.of(p("The ACME Corp may."))
    made = draft.edit(operation)
    assert made.data == draft.data
    assert made.report is not None
    assert not made.report.applied
    assert made.report.warnings == ("1 place says “ACME Corp” already and was left as it is",)
    assert faults(Package.open(draft.data), plan(operation)) == ()


BOXED = (p("one two ", textbox(p("in the box"), p("more of it"))), p("three four"), p("last"))
NEW = (NewBlock("paragraph", "new"),)


@pytest.mark.parametrize(
    ("around", "blocks"),
    [
        (MergeBlocks("p1", "p2"), ["one two three four", "last"]),
        (SplitBlock("p1", "two"), ["one ", "two ", "three four", "last"]),
    ],
)
@pytest.mark.parametrize(
    ("inside", "box"),
    [
        (InsertBlocks("tb1.p1", "before", NEW), ["new", "in the box", "more of it"]),
        (InsertBlocks("tb1.p1", "after", NEW), ["in the box", "new", "more of it"]),
        (InsertBlocks("tb1.p2", "after", NEW), ["in the box", "more of it", "new"]),
        (MergeBlocks("tb1.p1", "tb1.p2"), ["in the boxmore of it"]),
        (SplitBlock("tb1.p1", "the"), ["in ", "the box", "more of it"]),
        (DeleteBlocks("tb1.p1", "tb1.p1"), ["more of it"]),
    ],
)
def test_a_text_box_is_edited_along_with_the_paragraph_that_holds_it(
    around: Operation, blocks: list[str], inside: Operation, box: list[str]
) -> None:
    made = Draft.of(*BOXED).edit(around, inside)
    # Both forms of the text box are read.
    assert [text for text in made.accepted if text not in box] == blocks
    assert [text for text in made.accepted if text in box] == [*box, *box]
    assert made.rejected == made.original


TABLE = (("A", "B"),)


@pytest.mark.parametrize(
    ("operations", "expected"),
    [
        ((InsertTable("p3", "before", TABLE),), ["zero", "one", "A", "B"]),
        ((InsertTable("p3", "after", TABLE),), ["zero", "one", "A", "B"]),
        ((MoveBlocks("p1", "p1", "p3", "before"),), ["one", "zero"]),
        ((MoveBlocks("p1", "p2", "p3", "after"),), ["zero", "one"]),
        ((InsertBreak("p3", "before", "page"),), ["zero", "one", "\n"]),
        ((InsertBreak("p3", "after", "page"),), ["zero", "one", "\n"]),
        (
            (InsertBlocks("p3", "after", NEW), InsertTable("p3", "before", TABLE)),
            ["zero", "one", "A", "B", "new"],
        ),
        (
            (InsertTable("p3", "after", TABLE), InsertBlocks("p3", "before", NEW)),
            ["zero", "one", "new", "A", "B"],
        ),
        (
            (
                InsertBlocks("p3", "after", (NewBlock("paragraph", "behind"),)),
                InsertBlocks("p3", "before", NEW),
            ),
            ["zero", "one", "new", "behind"],
        ),
    ],
)
def test_something_else_comes_in_the_place_of_the_last_paragraph(
    operations: tuple[Operation, ...], expected: list[str]
) -> None:
    draft = Draft.of(p("zero"), p("one"), p("two"))
    made = draft.edit(DeleteBlocks("p3", "p3"), *operations)
    assert made.accepted == expected
    assert made.rejected == made.original


def test_a_table_comes_beside_a_paragraph_of_ours_that_goes() -> None:
    draft = Draft.of(p("one"), p("last")).edit(InsertBlocks("p1", "after", NEW))
    made = draft.edit(DeleteBlocks("p2", "p2"), InsertTable("p2", "after", TABLE))
    assert made.accepted == ["one", "A", "B", "last"]
    assert made.rejected == made.original
