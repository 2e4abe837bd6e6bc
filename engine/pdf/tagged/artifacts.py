"""Words outside of the structure tree, told from those in it.

MuPDF gives what stands between two elements to the first of them: a page number that is drawn after
the last paragraph would be its last word. So the whole of a page, and every artifact on it (ISO
32000-2, 14.8.2.2), becomes the content of an element of its own, of the type Artifact. Only the
copy in memory knows it; it is never saved.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final, cast

from redraft.engine.pdf.mupdf import MuDocument, MuPage

DEEPEST: Final = 500
"""How deep an element may stand; MuPDF follows a tree that is much deeper until its stack ends."""

_MARK = re.compile(rb"/Artifact\s+BMC\b")
_DESCRIBED = re.compile(rb"/Artifact\s*<<")


@dataclass(slots=True)
class Artifacts:
    """Loads the pages of a tagged document that is open and is not going to be saved."""

    document: MuDocument
    _depths: dict[int, int] = field(default_factory=dict[int, int])
    _number: int = 0

    def page(self, index: int) -> tuple[MuPage, bool]:
        """Loads a page by its 0-based index with what is outside of the tree apart.

        The content of one page is held at a time: the page before is not to be asked any more.

        Returns:
            The page, and whether its tree can be asked: the page has tagged content, and no element
            of it stands too deep.
        """
        from pymupdf import mupdf  # pyright: ignore[reportPrivateImportUsage]

        low = cast("Any", mupdf)
        page = self.document.load_page(index)
        pdf = low.pdf_document_from_fz_document(cast("Any", self.document).this)
        page_object = low.pdf_lookup_page_obj(pdf, index)
        number = low.pdf_dict_gets(page_object, "StructParents")
        root = low.pdf_dict_getp(low.pdf_trailer(pdf), "Root/StructTreeRoot")
        kids, parents = low.pdf_dict_gets(root, "K"), low.pdf_dict_gets(root, "ParentTree")
        if not number.pdf_is_int() or not parents.pdf_is_dict():
            return page, False
        owners = low.pdf_lookup_number(parents, number.pdf_to_int())
        if not owners.pdf_is_array() or not self._are_shallow(owners):
            return page, False
        if kids.pdf_is_array():
            mark = owners.pdf_array_len()
            element = _element(low, pdf, root, page_object, mark)
            owners.pdf_array_push(element)
            kids.pdf_array_push(element)
            self._write(page, _marked(page.read_contents(), mark))
            page = self.document.load_page(index)
        return page, True

    def _write(self, page: MuPage, content: bytes) -> None:
        document = cast("Any", self.document)
        is_new = not self._number
        if is_new:
            self._number = document.get_new_xref()
            document.update_object(self._number, "<<>>")
        document.update_stream(self._number, content, new=is_new, compress=False)
        cast("Any", page).set_contents(self._number)

    def _are_shallow(self, owners: Any) -> bool:
        return all(
            self._depth(owners.pdf_array_get(at)) <= DEEPEST for at in range(owners.pdf_array_len())
        )

    def _depth(self, element: Any) -> int:
        """Counts the elements above one; of a ring there are too many."""
        path: list[int] = []
        known = 0
        while element.pdf_is_dict():
            number = int(element.pdf_to_num())
            if number in self._depths:
                known = self._depths[number]
                break
            path.append(number)
            if len(path) > DEEPEST:
                break
            element = element.pdf_dict_gets("P")
        for number in reversed(path):
            known += 1
            self._depths[number] = known
        return known


def _element(low: Any, pdf: Any, root: Any, page: Any, mark: int) -> Any:
    made = low.pdf_new_dict(pdf, 4)
    made.pdf_dict_puts("S", low.pdf_new_name("Artifact"))
    made.pdf_dict_puts("P", root)
    made.pdf_dict_puts("Pg", page)
    marks = low.pdf_new_array(pdf, 1)
    marks.pdf_array_push(low.pdf_new_int(mark))
    made.pdf_dict_puts("K", marks)
    return low.pdf_add_object(pdf, made)


def _marked(content: bytes, mark: int) -> bytes:
    """Makes content of an element of what was content of none."""
    ours = b"/Artifact <</MCID %d" % mark
    content = _DESCRIBED.sub(ours + b" ", content)
    content = _MARK.sub(ours + b">> BDC", content)
    return ours + b">> BDC\n" + content + b"\nEMC"
