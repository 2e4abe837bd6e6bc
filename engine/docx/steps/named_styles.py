"""Styles by the names that Word stores in English in every language."""

from __future__ import annotations

from typing import Literal

from redraft.engine.docx.names import W_TYPE, W_VAL, W
from redraft.engine.docx.opc.package import Package


def style_named(package: Package, name: str, kind: Literal["character", "paragraph"]) -> str | None:
    """Returns the id of a style.

    None when the document has none of this name (in small letters).
    """
    for part in package.related(package.main, "styles"):
        for style in package.tree(part).iter(W("style")):
            label = style.find(W("name"))
            is_named = label is not None and label.get(W_VAL, "").lower() == name
            if is_named and style.get(W_TYPE) == kind:
                return style.get(W("styleId"))
    return None
