"""Words outside of the structure tree, told from those in it.

MuPDF gives what stands between two elements to the first of them: a page number that is drawn after
the last paragraph would be its last word. So the whole of a page, and every artifact on it (ISO
32000-2, 14.8.2.2), becomes the content of an element of its own, of the type Artifact. Only the
copy in memory knows it; it is never saved.
"""

from __future__ import annotations

import re
from typing import Any, cast

from engine.pdf.mupdf import MuDocument, MuPage

_MARK = re.compile(rb"/Artifact\s+BMC\b")
_DESCRIBED = re.compile(rb"/Artifact\s*<<")


def set_apart(document: MuDocument, index: int) -> MuPage:
    """Load a page of a tagged document with what is outside of the tree apart.

    Args:
        document: An open document that is not going to be saved.
        index: The page's 0-based index.
    """
    from pymupdf import mupdf  # pyright: ignore[reportPrivateImportUsage]

    low = cast("Any", mupdf)
    page = document.load_page(index)
    pdf = low.pdf_document_from_fz_document(cast("Any", document).this)
    held = low.pdf_lookup_page_obj(pdf, index)
    number = low.pdf_dict_gets(held, "StructParents")
    root = low.pdf_dict_getp(low.pdf_trailer(pdf), "Root/StructTreeRoot")
    kids, parents = low.pdf_dict_gets(root, "K"), low.pdf_dict_gets(root, "ParentTree")
    if not number.pdf_is_int() or not parents.pdf_is_dict():
        return page
    owners = low.pdf_lookup_number(parents, number.pdf_to_int())
    if not (owners.pdf_is_array() and kids.pdf_is_array()):
        return page
    mark = owners.pdf_array_len()
    element = _element(low, pdf, root, held, mark)
    owners.pdf_array_push(element)
    kids.pdf_array_push(element)
    _write(cast("Any", document), page, _marked(page.read_contents(), mark))
    return document.load_page(index)


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
    """Make content of an element of what was content of none."""
    ours = b"/Artifact <</MCID %d" % mark
    content = _DESCRIBED.sub(ours + b" ", content)
    content = _MARK.sub(ours + b">> BDC", content)
    return ours + b">> BDC\n" + content + b"\nEMC"


def _write(document: Any, page: MuPage, content: bytes) -> None:
    number = document.get_new_xref()
    document.update_object(number, "<<>>")
    document.update_stream(number, content, new=True, compress=False)
    cast("Any", page).set_contents(number)
