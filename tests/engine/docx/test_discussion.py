"""Answers to comments, resolving and deleting them: the parts, the text, and what stays."""

from __future__ import annotations

import re

import pytest
from lxml import etree

from redraft.engine.docx import discussion
from redraft.engine.docx.judging.fingerprint import fingerprint
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.comment_threads import comments
from redraft.engine.errors import NotFoundError, PlanError, VerificationError
from redraft.engine.model import Comment
from redraft.engine.plan import (
    AddComment,
    DeleteComment,
    Operation,
    ReplaceText,
    ReplyComment,
    ResolveComment,
)
from redraft.engine.report import Selection
from redraft.engine.state import decode
from tests.engine.redlining import US, Draft
from tests.engine.wordml import ins, p, r
from tests.oracle import members

W15 = "{http://schemas.microsoft.com/office/word/2012/wordml}"


def comment(number: int, words: str, author: str = "Ann") -> str:
    return (
        f'<w:comment w:id="{number}" w:author="{author}" w:date="2026-01-02T03:04:05Z">'
        f"<w:p><w:r><w:t>{words}</w:t></w:r></w:p></w:comment>"
    )


def start(number: int) -> str:
    return f'<w:commentRangeStart w:id="{number}"/>'


def end(number: int) -> str:
    reference = f'<w:r><w:commentReference w:id="{number}"/></w:r>'
    return f'<w:commentRangeEnd w:id="{number}"/>{reference}'


THEIRS = comment(4, "Too long?") + comment(7, "Who?", "Bob")
BODY = (p("Within ", start(4), "30 days", end(4), "."), p(start(7), "He", end(7), " pays."))


def draft() -> Draft:
    return Draft.of(*BODY, comments=THEIRS)


def listed(made: Draft) -> dict[str, Comment]:
    return {one.id: one for one in comments(Package.open(made.data))}


def part(made: Draft, name: str) -> str:
    return members(made.data)[f"word/{name}.xml"].decode()


def test_comments_are_listed_with_their_words_author_and_date() -> None:
    first, second = listed(draft()).values()
    assert (first.id, first.author, first.date) == ("c1", "Ann", "2026-01-02T03:04:05Z")
    assert (first.text, first.words, first.resolved, first.parent) == (
        *("Too long?", "30 days"),
        *(False, ""),
    )
    assert (second.author, second.words) == ("Bob", "He")


def test_an_answer_hangs_on_the_same_words_and_is_tied_to_what_it_answers() -> None:
    made = draft().edit(ReplyComment("c1", "Yes, *45*."))
    answer = listed(made)["c3"]
    assert (answer.parent, answer.author, answer.words) == ("c1", US, "30 days")
    assert answer.text == "Yes, 45."
    assert made.report is not None
    assert made.report.applied
    assert "does not track comments" in made.report.warnings[0]
    assert (
        '<w:commentRangeStart w:id="4"/><w:commentRangeStart w:id="8"/>'
        '<w:r><w:t xml:space="preserve">30 days</w:t></w:r>'
        '<w:commentRangeEnd w:id="4"/><w:r><w:commentReference w:id="4"/></w:r>'
        '<w:commentRangeEnd w:id="8"/><w:r><w:commentReference w:id="8"/></w:r>' in made.body
    )


def test_the_parts_are_those_that_word_writes() -> None:
    made = draft().edit(ReplyComment("c1", "Yes"), ResolveComment("c1"))
    package = Package.open(made.data)
    types = {
        "commentsExtended": "http://schemas.microsoft.com/office/2011/relationships/",
        "commentsIds": "http://schemas.microsoft.com/office/2016/09/relationships/",
        "people": "http://schemas.microsoft.com/office/2011/relationships/",
    }
    for kind, base in types.items():
        [name] = package.related(package.main, kind)
        [relation] = [
            one for one in package.relationships(package.main).values() if one.kind == kind
        ]
        assert relation.type == f"{base}{kind}"
        assert package.content_type(name).endswith(f"wordprocessingml.{kind}+xml")
    extended = etree.fromstring(part(made, "commentsExtended").encode())
    first, answer = (dict(entry.attrib) for entry in extended)
    assert first[f"{W15}done"] == "1"
    assert answer[f"{W15}paraIdParent"] == first[f"{W15}paraId"]
    ids = re.findall(r'w14:paraId="([0-9A-F]{8})"', part(made, "comments"))
    assert sorted(ids) == sorted([first[f"{W15}paraId"], answer[f"{W15}paraId"]])
    assert all(0 < int(one, 16) < 0x80000000 for one in ids)
    assert 'mc:Ignorable="w14"' in part(made, "comments")
    assert f'w15:author="{US}"' in part(made, "people")
    assert part(made, "commentsIds").count("<w16cid:commentId ") == 2


def test_a_conversation_is_resolved_and_opened_again() -> None:
    made = draft().edit(ReplyComment("c1", "Yes")).edit(ResolveComment("c3"))
    assert [one.resolved for one in listed(made).values()] == [True, False, False]
    again = made.edit(ResolveComment("c1"))
    assert again.report is not None
    assert not again.report.applied
    opened = made.edit(ResolveComment("c1", resolved=False))
    assert not any(one.resolved for one in listed(opened).values())


def test_an_answer_to_an_answer_belongs_to_the_same_conversation() -> None:
    made = draft().edit(ReplyComment("c1", "Yes")).edit(ReplyComment("c3", "Good"))
    assert [one.parent for one in listed(made).values()] == ["", "", "c1", "c1"]
    assert listed(made)["c4"].words == "30 days"


def test_a_deleted_comment_goes_with_its_answers_and_leaves_the_text_as_it_was() -> None:
    plain = Draft.of(p("Within ", r("30 days"), "."), BODY[1], comments=comment(7, "Who?", "Bob"))
    made = draft().edit(ReplyComment("c1", "Yes")).edit(DeleteComment("c1"))
    assert [one.author for one in listed(made).values()] == ["Bob"]
    assert made.body == plain.body
    assert "paraId" not in part(made, "commentsExtended")


def test_the_run_of_a_deleted_comment_goes_whatever_its_look() -> None:
    look = '<w:rPr><w:rStyle w:val="CommentReference"/><w:sz w:val="24"/></w:rPr>'
    body = BODY[0].replace("<w:r><w:commentReference", f"<w:r>{look}<w:commentReference")
    made = Draft.of(body, comments=comment(4, "Too long?")).edit(DeleteComment("c1"))
    assert "CommentReference" not in made.body
    assert "30 days" in made.body


def test_an_answer_is_deleted_alone() -> None:
    made = draft().edit(ReplyComment("c1", "Yes")).edit(DeleteComment("c3"))
    assert [one.author for one in listed(made).values()] == ["Ann", "Bob"]
    assert made.body == draft().body


def test_tracked_changes_beside_comments_stay_ours() -> None:
    made = draft().edit(
        ReplaceText("p1", "30 days", "45 days"), ReplyComment("c1", "Done"), ResolveComment("c2")
    )
    assert made.redline[0] == "Within [-30-]{+45+} days."
    assert listed(made)["c3"].words == "45 days"
    assert listed(made)["c2"].resolved
    rejected = made.decide("reject", Selection(all=True))
    assert rejected.accepted[0] == "Within 30 days."
    assert listed(rejected)["c3"].text == "Done"


@pytest.mark.parametrize("is_tracked", [True, False])
def test_a_comment_is_added_and_an_old_one_answered_in_one_plan(is_tracked: bool) -> None:
    made = draft().edit(
        AddComment("p2", "pays", "When?"), ReplyComment("c2", "Bob"), tracked=is_tracked
    )
    assert [one.text for one in listed(made).values()][2:] == ["When?", "Bob"]


def test_the_state_is_that_of_the_new_file() -> None:
    made = draft().edit(ReplaceText("p2", "pays", "owes")).edit(ReplyComment("c1", "Yes"))
    state = decode(made.state)
    assert state.baseline == fingerprint(Package.open(made.data), state.ours)
    more = made.edit(ReplaceText("p1", "Within", "In"))
    assert more.redline == ["[-Within-]{+In+} 30 days.", "He [-pays-]{+owes+}."]


@pytest.mark.parametrize(
    ("operations", "error", "words"),
    [
        ((ReplyComment("c9", "x"),), NotFoundError, "no comment c9"),
        ((ResolveComment("p1"),), NotFoundError, "no comment p1"),
        ((ReplyComment("c1", " "),), PlanError, "says nothing"),
        ((DeleteComment("c1"), ReplyComment("c1", "x")), PlanError, "deleted and answered"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_changes(
    operations: tuple[Operation, ...], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        draft().edit(*operations)


def test_a_reference_in_another_authors_insertion_is_answered_there() -> None:
    reference = '<w:r><w:commentReference w:id="4"/></w:r>'
    inside = ins(r("new words") + '<w:commentRangeEnd w:id="4"/>' + reference, id=9)
    made = Draft.of(p(start(4), inside), comments=comment(4, "?")).edit(ReplyComment("c1", "Yes"))
    assert listed(made)["c2"].parent == "c1"


def test_paragraph_ids_and_namespaces_that_are_there_are_used() -> None:
    w14 = "http://schemas.microsoft.com/office/word/2010/wordml"
    known = THEIRS.replace("<w:p>", f'<w:p xmlns:x="{w14}" x:paraId="0000ABCD">', 1)
    made = Draft.of(*BODY, comments=known).edit(ReplyComment("c1", "Yes"))
    assert 'w15:paraIdParent="0000ABCD"' in part(made, "commentsExtended")


NEW = '<w:commentRangeStart w:id="8"/>'
FAULTS = {
    "another text": ("Within", "Without"),
    "a lost marker": (NEW, ""),
    "a marker elsewhere": (f"{NEW}<w:r>", "<w:r><w:t>30</w:t></w:r><w:r>"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_on_purpose_is_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = discussion.Package.save

    def broken(package: Package) -> bytes:
        data = package.read(package.main).decode()
        if NEW in data:
            changed = data.replace(*FAULTS[fault])
            assert changed != data
            package.replace(package.main, changed.encode())
        return real(package)

    monkeypatch.setattr(discussion.Package, "save", broken)
    with pytest.raises(VerificationError):
        draft().edit(ReplyComment("c1", "Yes"))


@pytest.mark.parametrize("fault", ["done", "parent", "author", "text"])
def test_a_fault_in_what_is_said_of_comments_is_caught(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = discussion.Package.save
    faults = {
        "done": ("commentsExtended", 'w15:done="0"', 'w15:done="1"'),
        "parent": ("commentsExtended", "w15:paraIdParent", "w15:other"),
        "author": ("comments", f'w:author="{US}"', 'w:author="Eve"'),
        "text": ("comments", "Yes", "No"),
    }
    kind, words, instead = faults[fault]

    def broken(package: Package) -> bytes:
        for name in package.related(package.main, kind):
            data = package.read(name).decode()
            package.replace(name, data.replace(words, instead).encode())
        return real(package)

    monkeypatch.setattr(discussion.Package, "save", broken)
    with pytest.raises(VerificationError, match="comments"):
        draft().edit(ReplyComment("c1", "Yes"))
