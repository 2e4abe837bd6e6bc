from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest

from redraft.engine.errors import NotFoundError, PlanError, RefusedError, VerificationError
from redraft.engine.pdf.page_operations.checks import check_pages
from redraft.engine.pdf.page_operations.page_order import Slot, arranged
from redraft.engine.pdf.page_operations.pages import arrange
from redraft.engine.plan import DeletePages, InsertPage, MovePages, PageOperation, RotatePages
from tests.engine.pdf.stream.streams import pdf


def book(*words: str, labels: bool = False) -> bytes:
    """Make a PDF whose pages say one word each, with an outline and links to every page."""
    import pikepdf

    pages = [f"BT /F1 12 Tf 20 200 Td ({word}) Tj ET".encode() for word in words]
    with pikepdf.open(BytesIO(pdf(*pages))) as opened:
        document: Any = opened
        for page in document.pages:
            links = [
                pikepdf.Dictionary(
                    Type=pikepdf.Name.Annot,
                    Subtype=pikepdf.Name.Link,
                    Rect=[0, 0, 9, 9],
                    Dest=pikepdf.Array([target.obj, pikepdf.Name.Fit]),
                )
                for target in document.pages
            ]
            page.obj[pikepdf.Name.Annots] = document.make_indirect(pikepdf.Array(links))
        with document.open_outline() as outline:
            for number, word in enumerate(words):
                outline.root.append(pikepdf.OutlineItem(word, number))
        if labels:
            roman = pikepdf.Dictionary(S=pikepdf.Name.r)
            plain = pikepdf.Dictionary(S=pikepdf.Name.D, P=pikepdf.String("A-"))
            nums = pikepdf.Array([0, roman, 2, plain])
            document.Root[pikepdf.Name.PageLabels] = pikepdf.Dictionary(Nums=nums)
        out = BytesIO()
        document.save(out)
    return out.getvalue()


def look(data: bytes) -> tuple[list[str], list[str], list[int], list[str]]:
    """Give words, outline, numbers of links and labels by page."""
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return (
            [str(page.get_text()).strip() for page in document],
            [str(title) for _, title, *_ in document.get_toc()],
            [len(page.get_links()) for page in document],
            [str(page.get_label()) for page in document],
        )


def test_deleted_pages_take_what_points_at_them_along() -> None:
    after, warnings = arrange(book("one", "two", "three"), [DeletePages(2, 2)])
    words, outline, links, _ = look(after)
    assert words == ["one", "three"]
    assert outline == ["one", "three"]
    assert links == [2, 2]
    assert warnings == (
        "2 links to deleted pages went with them",
        "1 outline entry of deleted pages went with them",
    )


def test_nothing_of_a_deleted_page_stays_in_the_file() -> None:
    import pikepdf

    after, _ = arrange(book("one", "hidden", "three"), [DeletePages(2, 2)])
    with pikepdf.open(BytesIO(after)) as document:
        found: list[Any] = list(document.objects)
        streams = [bytes(each.read_bytes()) for each in found if isinstance(each, pikepdf.Stream)]
    assert not any(b"hidden" in each for each in (after, *streams))
    assert any(b"three" in each for each in streams)


def test_an_entry_with_living_ones_below_leads_to_the_first_of_them() -> None:
    import pikepdf

    data = book("one", "two", "three")
    with pikepdf.open(BytesIO(data)) as opened:
        document: Any = opened
        with document.open_outline() as outline:
            above = outline.root.pop(0)
            above.children.append(outline.root.pop(1))
            outline.root.insert(0, above)
        out = BytesIO()
        document.save(out)
    after, _ = arrange(out.getvalue(), [DeletePages(1, 1)])
    import pymupdf

    with pymupdf.open(stream=after, filetype="pdf") as opened:
        toc: Any = opened
        assert toc.get_toc() == [[1, "one", 2], [2, "three", 2], [1, "two", 1]]


def test_pages_move_with_links_and_labels() -> None:
    after, warnings = arrange(
        book("one", "two", "three", "four", labels=True), [MovePages(3, 4, 1, "before")]
    )
    words, outline, links, labels = look(after)
    assert words == ["three", "four", "one", "two"]
    assert outline == ["one", "two", "three", "four"]
    assert links == [4, 4, 4, 4]
    assert labels == ["A-1", "A-2", "i", "ii"]
    assert warnings == ()


def test_a_blank_page_is_as_large_as_its_neighbour_and_has_no_label() -> None:
    after, _ = arrange(book("one", "two", labels=True), [InsertPage(1, "after")])
    words, _, _, labels = look(after)
    assert words == ["one", "", "two"]
    assert labels == ["i", "", "ii"]
    import pymupdf

    with pymupdf.open(stream=after, filetype="pdf") as opened:
        document: Any = opened
        assert tuple(document[1].rect) == tuple(document[0].rect)


@pytest.mark.parametrize(("degrees", "expected"), [(90, 90), (-90, 270), (450, 90)])
def test_a_page_is_turned(degrees: int, expected: int) -> None:
    import pikepdf

    after, _ = arrange(book("one", "two"), [RotatePages(2, -1, degrees)])
    with pikepdf.open(BytesIO(after)) as document:
        assert [int(page.obj.get("/Rotate", 0)) for page in document.pages] == [0, expected]


def test_what_pages_inherit_stays_theirs() -> None:
    import pikepdf

    with pikepdf.open(BytesIO(book("one", "two"))) as opened:
        document: Any = opened
        tree = document.Root.Pages
        for page in document.pages:
            del page.obj["/MediaBox"]
        tree[pikepdf.Name.MediaBox] = pikepdf.Array([0, 0, 111, 222])
        tree[pikepdf.Name.Rotate] = 90
        out = BytesIO()
        document.save(out)
    after, _ = arrange(out.getvalue(), [MovePages(2, 2, 1, "before"), InsertPage(2, "before")])
    with pikepdf.open(BytesIO(after)) as document:
        assert [[int(v) for v in page.obj.MediaBox] for page in document.pages] == [
            [0, 0, 111, 222]
        ] * 3


def test_the_tags_of_a_deleted_page_go() -> None:
    import pikepdf

    with pikepdf.open(BytesIO(book("one", "two"))) as opened:
        document: Any = opened
        root = document.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.StructTreeRoot))
        kids: list[Any] = []
        nums: list[Any] = []
        for number, page in enumerate(document.pages):
            page.obj[pikepdf.Name.StructParents] = number
            made = pikepdf.Dictionary(S=pikepdf.Name.P, P=root, Pg=page.obj, K=0)
            kids.append(document.make_indirect(made))
            nums += [number, pikepdf.Array([kids[-1]])]
        root[pikepdf.Name.K] = pikepdf.Array(kids)
        root[pikepdf.Name.ParentTree] = pikepdf.Dictionary(Nums=pikepdf.Array(nums))
        document.Root[pikepdf.Name.StructTreeRoot] = root
        out = BytesIO()
        document.save(out)
    after, _ = arrange(out.getvalue(), [DeletePages(1, 1)])
    with pikepdf.open(BytesIO(after)) as opened:
        document = opened
        root = document.Root.StructTreeRoot
        assert [each.Pg.objgen for each in root.K] == [document.pages[0].obj.objgen]
        assert [int(each) for each in list(root.ParentTree.Nums)[::2]] == [1]


@pytest.mark.parametrize(
    ("operations", "error", "words"),
    [
        ([DeletePages(9, 9)], NotFoundError, "Page 9 does not exist; the PDF has 3 pages"),
        ([DeletePages(1, -1)], RefusedError, "must keep at least one"),
        ([DeletePages(3, 2)], PlanError, "the last comes before the first"),
        ([RotatePages(1, 1, 45)], PlanError, "multiple of 90"),
        ([MovePages(1, 2, 2, "after")], PlanError, "one of the pages to be moved"),
        ([DeletePages(1, 1), MovePages(1, 1, 3, "after")], PlanError, "both deleted and moved"),
        ([DeletePages(2, 2), InsertPage(2, "after")], PlanError, "Page 2 is deleted"),
    ],
)
def test_what_makes_no_sense_is_said(
    operations: list[PageOperation], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        arranged(operations, 3)


def test_all_numbers_are_those_of_the_file_before() -> None:
    found = arranged([DeletePages(1, 1), MovePages(4, 4, 2, "before"), RotatePages(3, 3, 90)], 4)
    assert [(each.origin, each.turn) for each in found] == [(3, 0), (1, 0), (2, 90)]


@pytest.mark.parametrize(
    "slots",
    [[Slot(0, 0)], [Slot(1, 1), Slot(0, 0)], [Slot(0, 0), Slot(1, 1, 90)], [Slot(None, 0)] * 2],
)
def test_pages_that_are_not_as_they_should_be_are_found_out(slots: list[Slot]) -> None:
    data = book("one", "two")
    with pytest.raises(VerificationError):
        check_pages(data, data, slots)
