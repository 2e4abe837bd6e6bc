"""Several reviewers' files become one: all changes under their names, and none of them lost."""

from __future__ import annotations

import pytest

from redraft.engine.compare.combining import Combined, Conflict, Reviewed, combine
from redraft.engine.compare.redlining import compare
from redraft.engine.report import Signature
from tests.engine.compare.made_pairs import pair
from tests.engine.wordml import docx, p, r, table
from tests.oracle import accept, judged, keep, texts

SIGNED = Signature("9f1c", "", "2026-11-22T10:00:00Z", tracked=True)
BASE = ("Payment within 30 days.", "Notices are in writing.", "The fee is fixed.", "The end.")
BODY = "word/document.xml"


def document(*paragraphs: str) -> bytes:
    return docx("".join(map(p, paragraphs)))


def combined(base: bytes, **files: bytes) -> Combined:
    """Combines, and holds the result against the base."""
    found = combine(base, [Reviewed(data, name) for name, data in files.items()], SIGNED)
    names = {change.author for change in found.revisions}
    assert names <= set(files)
    assert judged(found.data, lambda author: "reject" if author in names else "keep") == judged(
        base, keep
    )
    return found


def said(data: bytes) -> list[str]:
    return texts(judged(data, accept))[BODY]


def by(data: bytes, author: str) -> list[str]:
    """Returns what a document says with one author's changes accepted and others' rejected."""
    return texts(judged(data, lambda name: "accept" if name == author else "reject"))[BODY]


def test_changes_of_two_people_stand_under_their_names() -> None:
    found = combined(
        document(*BASE),
        Ann=document("Payment within 45 days.", *BASE[1:]),
        Bob=document(BASE[0], BASE[1], "The fee is fixed for a year.", BASE[3]),
    )
    assert said(found.data) == [
        *("Payment within 45 days.", BASE[1], "The fee is fixed for a year.", BASE[3])
    ]
    assert [(c.author, c.before, c.after.strip()) for c in found.revisions] == [
        ("Ann", "30", "45"),
        ("Bob", "", "for a year"),
    ]
    assert (found.conflicts, found.remains) == ((), ())


def test_accepting_one_author_alone_gives_his_file() -> None:
    ann = ("Payment within 45 days.", "A new one.", *BASE[1:])
    bob = (BASE[0], *BASE[2:3], "The very end.")
    found = combined(document(*BASE), Ann=document(*ann), Bob=document(*bob))
    assert by(found.data, "Ann") == list(ann)
    assert by(found.data, "Bob") == list(bob)


def test_changes_in_one_paragraph_are_both_made() -> None:
    found = combined(
        document("One two three four five six."),
        Ann=document("One 2 three four five six."),
        Bob=document("One two three four 5 six."),
    )
    assert said(found.data) == ["One 2 three four 5 six."]
    assert found.conflicts == ()


def test_where_both_changed_the_same_words_both_stand_and_are_listed() -> None:
    found = combined(
        document(*BASE),
        Ann=document("Payment within 45 days.", *BASE[1:]),
        Bob=document("Payment within 60 days.", *BASE[1:]),
    )
    assert said(found.data)[0] == "Payment within 45 60 days."
    assert found.conflicts == (Conflict("p1", ("Ann", "Bob"), ("45", "60")),)


def test_the_same_change_of_both_is_made_once() -> None:
    new = document("Payment within 45 days.", *BASE[1:])
    found = combined(document(*BASE), Ann=new, Bob=new)
    assert [change.author for change in found.revisions] == ["Ann"]
    assert found.conflicts == ()


def test_what_one_deleted_and_the_other_changed_is_listed() -> None:
    found = combined(
        document(*BASE),
        Ann=document(BASE[0], *BASE[2:]),
        Bob=document(BASE[0], "Notices are in ink.", *BASE[2:]),
    )
    assert found.conflicts == (Conflict("p2", ("Ann", "Bob"), ("", "Notices are in ink.")),)
    assert "Notices are in ink." in said(found.data)


def test_rows_of_two_people_are_both_there() -> None:
    rows = [["a", "b"], ["c", "d"], ["e", "f"]]
    found = combined(
        docx(table(*rows) + p("")),
        Ann=docx(table(rows[0], ["new", "row"], *rows[1:]) + p("")),
        Bob=docx(table(*rows[:2], ["E", "f"]) + p("")),
    )
    assert [text for text in said(found.data) if text] == [
        *("a", "b", "new", "row", "c", "d", "E", "f")
    ]


def test_marks_of_a_file_keep_their_author_and_date() -> None:
    mark = 'w:id="5" w:author="Carol" w:date="2026-01-02T03:04:05Z"'
    struck = f"<w:del {mark}><w:r><w:delText>30</w:delText></w:r></w:del>"
    carol = docx(p(r("Payment within "), struck, r(" days.")) + "".join(map(p, BASE[1:])))
    plain = document(*BASE[:3], "The very end.")
    for files in ({"Carol": carol, "Bob": plain}, {"Bob": plain, "Carol": carol}):
        found = combined(document(*BASE), **files)
        assert {(c.author, c.date) for c in found.revisions} == {
            ("Carol", "2026-01-02T03:04:05Z"),
            ("Bob", SIGNED.date),
        }


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.thorough
def test_random_changes_of_two_people(seed: int) -> None:
    base, ann, _ = pair(seed)
    found = combined(base, Ann=ann, Bob=base)
    alone = compare(base, ann, SIGNED)
    assert said(found.data) == said(alone.data)
    both = combined(base, Ann=ann, Bob=ann)
    assert said(both.data) == said(ann)
    assert both.conflicts == ()
