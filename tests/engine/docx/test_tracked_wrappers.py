"""Tracked tags of content controls and custom XML (ECMA-376 Part 1, 17.13.5.4 to 17.13.5.11)."""

from __future__ import annotations

import itertools

import pytest
from lxml import etree

from redraft.engine.docx import tracked_wrappers
from redraft.engine.docx.changes.accept_or_reject import resolve
from redraft.engine.docx.changes.revisions import changes
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.model import Paragraph, Text, View
from redraft.engine.plan import DeleteBlocks
from redraft.engine.report import Selection
from tests.documents import corpus_folder
from tests.engine.redlining import Draft
from tests.engine.schema import errors
from tests.engine.wordml import NAMESPACES, docx, p, r
from tests.oracle import judged, keep, only

ALL = Selection(all=True)
BY = 'w:author="Ann" w:date="2026-01-01T00:00:00Z"'
NUMBERS = itertools.count(100)


def ranged(kind: str, content: str) -> str:
    """Something in a range of tags."""
    number = next(NUMBERS)
    start = f'<w:customXml{kind}RangeStart w:id="{number}" {BY}/>'
    return f'{start}{content}<w:customXml{kind}RangeEnd w:id="{number}"/>'


def sdt(content: str) -> str:
    properties = '<w:sdtPr><w:tag w:val="fee"/></w:sdtPr>'
    return f"<w:sdt>{properties}<w:sdtContent>{content}</w:sdtContent></w:sdt>"


def as_word(kind: str, content: str) -> str:
    """A control with a range around each of its tags."""
    first, second = ranged(kind, "|").split("|"), ranged(kind, "|").split("|")
    return first[0] + sdt(first[1] + content + second[0]) + second[1]


def ins(content: str) -> str:
    return f'<w:ins w:id="{next(NUMBERS)}" {BY}>{content}</w:ins>'


def gone(text: str) -> str:
    words = f'<w:r><w:delText xml:space="preserve">{text}</w:delText></w:r>'
    return f'<w:del w:id="{next(NUMBERS)}" {BY}>{words}</w:del>'


def marked(kind: str, words: str) -> str:
    mark = f'<w:rPr><w:{kind} w:id="{next(NUMBERS)}" {BY}/></w:rPr>'
    return f"<w:p><w:pPr>{mark}</w:pPr>{words}</w:p>"


CUSTOM = '<w:customXml w:element="fee">{}</w:customXml>'
FORMS = {
    "words of a control that are deleted with it": p("a ", as_word("Del", gone("10")), " b"),
    "words of a control that are inserted with it": p("a ", as_word("Ins", ins(r("10"))), " b"),
    "a control taken off its words": p("a ", as_word("Del", r("10")), " b"),
    "a control put around words": p("a ", as_word("Ins", r("10")), " b"),
    "one range around all of a control": p(ranged("Del", sdt(gone("10")))),
    "one range around two controls": p(ranged("Del", sdt(gone("10")) + r("x") + sdt(gone("y")))),
    "a control in another": p(as_word("Del", r("a") + as_word("Del", gone("b")))),
    "custom XML": p("a ", ranged("Del", CUSTOM.format(gone("10"))), " b"),
    "only one tag of custom XML": p(
        ranged("Del", "|")
        .replace("|", '<w:customXml w:element="x">|')
        .replace("|", CUSTOM.format(gone("t")), 1)
        + "</w:customXml>"
    ),
    "a block that is deleted": as_word("Del", marked("del", gone("all"))) + p("b"),
    "a block that is inserted": as_word("Ins", marked("ins", ins(r("all")))) + p("b"),
    "blocks of which words stay": as_word("Ins", p(ins(r("a ")), "b") + p("c")) + p("d"),
    "a block in a block": as_word("Del", as_word("Del", p("a")) + p("b")) + p("c"),
}


def views(data: bytes) -> list[list[str]]:
    """The words of the paragraphs before and after, as the reader shows them."""
    shown: list[list[str]] = []
    sides: tuple[View, ...] = ("original", "final")
    for view in sides:
        blocks = reader.read(Package.open(data), view).stories[0].blocks
        held = [block for block in blocks if isinstance(block, Paragraph)]
        shown.append(["".join(_words(each)) for each in held])
    return shown


def _words(holder: object) -> list[str]:
    found: list[str] = []
    for inline in getattr(holder, "content", ()):
        found += [inline.text] if isinstance(inline, Text) else _words(inline)
    return found


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("action", ["accept", "reject"])
def test_what_word_wrote_is_settled_as_the_standard_says(form: str, action: str) -> None:
    draft = Draft.of(p("in front"), form, p("end"))
    assert not errors(draft.data)
    verdict = "accept" if action == "accept" else "reject"
    for selection in (ALL, Selection(author="Ann")):
        data, _ = resolve(draft.data, draft.state, verdict, selection)
        assert judged(data, keep) == judged(draft.data, only("Ann", verdict))
        assert b"Range" not in Package.open(data).read("word/document.xml")
        assert not errors(data)
        said = views(draft.data)[action == "accept"]
        assert [each for each in views(data)[1] if each] == [each for each in said if each]


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("words of a control that are deleted with it", [("deletion", "10", "")]),
        ("words of a control that are inserted with it", [("insertion", "", "10")]),
        ("a control taken off its words", [("deletion", "[content control]", "")]),
        ("a control put around words", [("insertion", "", "[content control]")]),
        ("a block that is deleted", [("deletion", "all", "")]),
        ("a block that is inserted", [("insertion", "", "all")]),
        ("blocks of which words stay", [("insertion", "", "a")]),
    ],
)
def test_a_control_is_part_of_the_change_of_its_words(
    form: str, said: list[tuple[str, str, str]]
) -> None:
    draft = Draft.of(p("in front"), FORMS[form], p("end"))
    found = [(change.kind, change.before.strip(), change.after.strip()) for change in draft.changes]
    assert found == said


def test_each_change_alone_takes_all_of_its_ranges() -> None:
    draft = Draft.of(*FORMS.values(), p("end"))
    for action in ("accept", "reject"):
        left = draft
        while left.changes:
            count = len(left.changes)
            left = left.decide(action, Selection(ids=(left.changes[0].id,)))
            assert len(left.changes) < count
        assert judged(left.data, keep) == judged(draft.data, only("Ann", action))  # pyright: ignore[reportArgumentType]


SHOWN = {name: form for name, form in FORMS.items() if name != "a block that is deleted"}


@pytest.mark.parametrize("form", SHOWN.values(), ids=SHOWN)
def test_deleting_the_paragraph_leaves_what_another_author_marked(form: str) -> None:
    draft = Draft.of(p("in front"), form, p("end"))
    made = draft.edit(DeleteBlocks("p2", "p2"))
    assert made.changes != draft.changes
    assert not errors(made.data)
    assert made.rejected == made.original
    assert made.decide("reject", Selection(author="us")).body == draft.body
    taken = made.decide("accept", Selection(author="us"))
    assert judged(taken.data, keep) == judged(made.data, only("us", "accept"))
    plain = draft.edit(DeleteBlocks("p2", "p2"), tracked=False)
    assert judged(plain.data, keep) == judged(taken.data, keep)
    for action in ("accept", "reject"):
        verdict = "accept" if action == "accept" else "reject"
        settled = made.decide(verdict, Selection(author="Ann"))
        assert judged(settled.data, keep) == judged(made.data, only("Ann", verdict))


@pytest.mark.parametrize(
    "content",
    [
        f'<w:customXmlDelRangeStart w:id="1" {BY}/>{sdt(r("a"))}',
        f'{sdt(r("a"))}<w:customXmlDelRangeEnd w:id="1"/>',
        f'<w:customXmlDelRangeEnd w:id="1"/>{sdt(r("a"))}<w:customXmlDelRangeStart w:id="1" {BY}/>',
        f'<w:customXmlDelRangeStart w:id="1" {BY}/>{sdt(r("a"))}<w:customXmlInsRangeEnd w:id="1"/>',
        ranged("Del", r("x")) + sdt(r("a")),
    ],
)
def test_a_range_without_its_other_end_or_without_a_tag_says_nothing(content: str) -> None:
    data = docx(p(content))
    assert changes(data, b"") == ()
    assert len(reader.controls(Package.open(data))) == 1


def test_the_work_grows_with_the_tags_and_not_with_the_ranges_open_around_them() -> None:
    starts = "".join(f'<w:customXmlDelRangeStart w:id="{n}" {BY}/>' for n in range(2000))
    ends = "".join(f'<w:customXmlDelRangeEnd w:id="{n}"/>' for n in range(2000))
    held = f"<w:p {NAMESPACES}>{starts}{sdt(r('a')) * 2000}{ends}</w:p>"
    root = etree.fromstring(held)
    found = tracked_wrappers.wrappings(root)
    assert len(found.of) == 1
    assert len(tracked_wrappers.gone(root, "final")) == 2000


def test_a_footer_that_word_put_in_a_control_is_settled() -> None:
    folder = corpus_folder()
    if folder is None:
        pytest.skip("the corpus is missing")
    data = (folder / "docx" / "poi__stress023.docx").read_bytes()
    draft = Draft(data, b"", data)
    assert b"customXmlInsRange" in Package.open(data).read("word/footer2.xml")
    for action in ("accept", "reject"):
        settled = draft.decide(action, ALL)
        footer = Package.open(settled.data).read("word/footer2.xml")
        assert b"customXml" not in footer
        assert (b"<w:sdt>" in footer) is (action == "accept")
        assert not set(errors(settled.data)) - set(errors(data))
        verdict = "accept" if action == "accept" else "reject"
        assert judged(settled.data, keep) == judged(data, only("Author", verdict, verdict))
