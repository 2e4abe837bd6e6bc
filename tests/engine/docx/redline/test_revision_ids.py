"""Which marks of a file without a map can be taken for ours."""

from __future__ import annotations

from redraft.engine.docx.apply import initial_state
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.redline.revision_ids import by_author
from redraft.engine.plan import ReplaceText
from tests.engine.redlining import US, Draft
from tests.engine.wordml import dele, docx, ins, p, r


def own(*content: str) -> set[int]:
    package = Package.open(docx("".join(content)))
    return by_author([package.tree(package.main)], US)


def test_only_marks_of_the_author_are_taken() -> None:
    assert own(p(ins(r("a"), id=1, author=US), ins(r("b"), id=2), dele("c", id=3, author=US))) == {
        1,
        3,
    }


def test_an_id_that_others_use_too_is_not_taken() -> None:
    assert own(p(ins(r("a"), id=1, author=US), ins(r("b"), id=1))) == set()


def test_what_the_author_inserted_and_deleted_again_is_not_taken() -> None:
    inner = dele("b", id=2, author=US)
    assert own(p(ins(r("a") + inner, id=1, author=US), ins(r("c"), id=3, author=US))) == {3}


def test_editing_back_leaves_no_mark_and_another_edit_only_the_net_change() -> None:
    start = Draft.of(p("due in 30 days"))
    first = start.edit(ReplaceText("p1", "30", "45"))
    known = Draft(first.data, initial_state(first.data, US), first.data)
    assert known.edit(ReplaceText("p1", "45", "30")).redline == start.redline
    assert known.edit(ReplaceText("p1", "45", "60")).redline == ["due in [-30-]{+60+} days"]
    assert known.edit(ReplaceText("p1", "45", "60")).rejected == start.original
