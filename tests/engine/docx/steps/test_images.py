"""Pictures: described without a mark, deleted with one."""

from __future__ import annotations

import pytest

from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.reader import read
from redraft.engine.errors import PlanError, RefusedError
from redraft.engine.plan import DeleteImage, MoveBlocks, ReplaceText, SetAltText
from redraft.engine.report import Selection
from redraft.engine.state import decode
from tests.engine.redlining import Draft
from tests.engine.wordml import field, footnote, ins, note, p, picture, r, textbox
from tests.oracle import members

ALL = Selection(all=True)
RELATIONS = {"rId8": ("image", "media/a.png"), "rId9": ("image", "media/b.png")}
MEDIA = {"media/a.png": b"a", "media/b.png": b"b"}
VML = (
    '<w:r><w:pict><v:shape id="s" alt="A duck"><v:imagedata r:id="rId8" o:title="duck"/></v:shape>'
    "</w:pict></w:r>"
)


def document(*content: str, **parts: object) -> Draft:
    return Draft.of(p(*content), p("end"), relations=RELATIONS, media=MEDIA, **parts)


def alternatives(draft: Draft) -> list[str]:
    return [image.caption for image in read(Package.open(draft.data)).images]


@pytest.mark.parametrize(
    ("shown", "wanted"),
    [
        (picture("rId8", alt="A duck"), 'descr="A swan &amp; more"'),
        (picture("rId8", title="A duck"), 'descr="A swan &amp; more"'),
        (VML, 'alt="A swan &amp; more"'),
    ],
    ids=["drawing", "title", "vml"],
)
def test_a_picture_is_described_and_nothing_else_changes(shown: str, wanted: str) -> None:
    draft = document("See ", shown, " here").edit(SetAltText("im1", "A swan & more"))
    assert wanted in draft.body
    assert alternatives(draft) == ["A swan & more"]
    assert draft.changes == ()
    assert draft.report is not None
    assert "does not track alternative texts" in draft.report.warnings[0]
    again = draft.edit(ReplaceText("p1", "See", "Look")).decide("reject", ALL)
    assert decode(again.state).baseline == decode(draft.state).baseline


def test_both_forms_of_a_drawing_are_described() -> None:
    drawing = picture("rId8", alt="A duck").removeprefix("<w:r>").removesuffix("</w:r>")
    old = VML.removeprefix("<w:r>").removesuffix("</w:r>")
    both = (
        f'<w:r><mc:AlternateContent><mc:Choice Requires="wps">{drawing}</mc:Choice>'
        f"<mc:Fallback>{old}</mc:Fallback></mc:AlternateContent></w:r>"
    )
    body = document(both).edit(SetAltText("im1", "A swan")).body
    assert 'descr="A swan"' in body
    assert 'alt="A swan"' in body


def test_a_description_can_be_taken_away_and_the_same_again_changes_nothing() -> None:
    draft = document(picture("rId8", alt="A duck"))
    assert "descr" not in draft.edit(SetAltText("im1", "")).body
    assert draft.edit(SetAltText("im1", "A duck")).data == draft.data


def test_pictures_are_deleted_with_a_mark_each() -> None:
    draft = document("See ", picture("rId8", alt="A duck"), " or ", picture("rId9"), " here")
    made = draft.edit(DeleteImage("im1"), DeleteImage("im2"))
    assert made.redline[0] == "See [-#-] or [-#-] here"
    assert [(c.kind, c.before) for c in made.changes] == [
        ("deletion", "[image: A duck]"),
        ("deletion", "[image]"),
    ]
    assert made.rejected == made.original
    one = made.decide("accept", Selection(ids=(made.changes[0].id,)))
    assert one.redline[0] == "See  or [-#-] here"
    assert one.decide("reject", ALL).redline[0] == "See  or # here"


def test_a_picture_in_anothers_insertion_is_struck_in_it() -> None:
    shown = picture("rId8", alt="A duck")
    made = document("a ", ins(shown, id=30), " b").edit(DeleteImage("im1"))
    assert made.redline[0] == "a <+[-#-]+> b"
    assert made.rejected == made.original


def test_a_picture_beside_a_note_goes_alone() -> None:
    draft = document("x", note("2"), picture("rId8"), footnotes=footnote("2", p("n")))
    made = draft.edit(DeleteImage("im1"))
    assert made.redline[0] == "x^[-#-]"
    assert made.rejected == made.original


def test_a_picture_that_is_shown_twice_is_deleted_twice_and_that_is_said() -> None:
    draft = document(picture("rId8", alt="A"), " x ", picture("rId8", alt="A"))
    made = draft.edit(DeleteImage("im1"))
    assert made.redline[0] == "[-#-] x [-#-]"
    assert made.report is not None
    assert "shown 2 times" in made.report.warnings[0]


def test_a_picture_of_a_field_goes_with_the_whole_field() -> None:
    shown = field("INCLUDEPICTURE x", "@").replace(
        '<w:r><w:t xml:space="preserve">@</w:t></w:r>', picture("rId8", alt="A")
    )
    made = document("a ", shown, " b").edit(DeleteImage("im1"))
    assert made.redline[0] == "a [-||#|-] b"
    assert "w:delInstrText" in made.body


FIELD = field("INCLUDEPICTURE x", "@").replace(
    '<w:r><w:t xml:space="preserve">@</w:t></w:r>', picture("rId8", alt="A")
)


TWICE = picture("rId8", alt="A") + r(" x ") + picture("rId8", alt="A")


@pytest.mark.parametrize(
    ("held", "left"),
    [(FIELD, "a  b"), (TWICE, "a  x  b"), (FIELD + r(" x ") + FIELD, "a  x  b")],
    ids=["field", "twice", "fields"],
)
def test_pictures_that_we_inserted_go_at_once_with_the_fields_around_them(
    held: str, left: str
) -> None:
    copied = document("a ", held, " b").edit(MoveBlocks("p1", "p1", "p2", "after"))
    made = copied.edit(DeleteImage("im1"))
    assert made.rejected == made.original
    assert made.accepted == ["end", left]


def test_what_cannot_be_deleted_is_said() -> None:
    with pytest.raises(PlanError, match="no picture im7; the document has im1"):
        document(picture("rId8")).edit(DeleteImage("im7"))
    grouped = (
        picture("rId8")
        .replace("</a:graphicData>", "<pic:pic/></a:graphicData>")
        .replace(
            "<pic:pic/>",
            '<pic:pic><pic:blipFill><a:blip r:embed="rId9"/></pic:blipFill></pic:pic>',
        )
    )
    with pytest.raises(RefusedError, match="group"):
        document(grouped).edit(DeleteImage("im1"))
    boxed = textbox(p("words")).replace(
        "<wps:wsp>",
        '<pic:pic><pic:blipFill><a:blip r:embed="rId8"/></pic:blipFill></pic:pic><wps:wsp>',
    )
    with pytest.raises(RefusedError, match="text box"):
        document(boxed).edit(DeleteImage("im1"))
    gone = document(picture("rId8")).edit(DeleteImage("im1"))
    with pytest.raises(RefusedError, match="deleted already"):
        gone.edit(DeleteImage("im1"))


def test_an_untracked_deletion_leaves_the_file_of_the_picture() -> None:
    draft = document("a ", picture("rId8"), " b").edit(DeleteImage("im1"), tracked=False)
    assert draft.redline[0] == "a  b"
    assert members(draft.data)["word/media/a.png"] == b"a"
