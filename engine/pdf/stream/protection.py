"""What a PDF allows to be done to it: its permissions, its signatures, its usage rights.

[x] permissions of an encrypted file (ISO 32000-2, 7.6.4.2)  [x] signed fields (12.7.5.5); empty
signature fields are no signature  [x] usage rights (12.8.2.3) go, as they hold for the old bytes
[x] form data in XML (XFA) goes when a field is filled: it would show the old value
"""

from __future__ import annotations

from typing import Any, Final

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.stream import objects

SIGNED: Final = "The PDF was digitally signed; the edit makes its signature invalid"
_RIGHTS: Final = (
    "The document's extended rights in Adobe Reader hold only for the file as it was; they were "
    "dropped"
)
_XFA: Final = "The form's data in XML (XFA) holds the old words and was dropped; its fields stay"


def refuse_protected(
    document: Any, *, breaks_signature: bool = False, is_form: bool = False
) -> tuple[str, ...]:
    """Refuses documents that must not be edited; gives warnings.

    Args:
        document: the open file.
        breaks_signature: whether a signed document may be edited all the same.
        is_form: whether only form fields are filled, which may be allowed where nothing else is.

    Raises:
        RefusedError: signed, or its author forbids changes.
    """
    if document.is_encrypted:
        allowed = document.allow
        if not (allowed.modify_other or (is_form and allowed.modify_form)):
            raise RefusedError("The document's permissions forbid modification")
    if not is_signed(document):
        return ()
    if not breaks_signature:
        message = (
            "The PDF is signed; an edit would make its signature invalid. Edit an unsigned copy, "
            "or have the operator set REDRAFT_SIGNED=edit"
        )
        raise RefusedError(message)
    return (SIGNED,)


def is_signed(document: Any) -> bool:
    """Whether a signature field of a PDF holds a signature.

    A field may have its kind from its parent (ISO 32000-2, 12.7.4.1).
    """
    fields = objects.elements(objects.entry(document.Root, "/AcroForm", "/Fields"))
    waiting = [(field, "") for field in fields]
    seen: set[tuple[int, int]] = set()
    while waiting:
        field, kind = waiting.pop()
        name = objects.identity(field)
        if name in seen and name[0]:
            continue
        seen.add(name)
        kind = objects.name(objects.entry(field, "/FT")) or kind
        if kind == "Sig" and objects.entry(field, "/V") is not None:
            return True
        waiting += [(kid, kind) for kid in objects.elements(objects.entry(field, "/Kids"))]
    return False


def drop_usage_rights(document: Any) -> tuple[str, ...]:
    """Takes out the rights that Adobe Reader was given for the file as it was; gives warnings."""
    rights = objects.entry(document.Root, "/Perms")
    keys = [key for key, _ in objects.items(rights) if key.startswith("/UR")]
    for key in keys:
        del rights[key]
    return (_RIGHTS,) if keys else ()


def drop_xml_form(document: Any) -> tuple[str, ...]:
    """Takes out form data in XML; gives warnings.

    A viewer that knows it draws the pages from it, with the words and values that were.
    """
    form = objects.entry(document.Root, "/AcroForm")
    if objects.entry(form, "/XFA") is None:
        return ()
    del form["/XFA"]
    return (_XFA,)
