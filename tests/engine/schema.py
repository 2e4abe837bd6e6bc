"""The schemas of WordprocessingML beside the corpus: what they find wrong with the parts of a file.

Strict parts are read under their transitional names, as the engine reads them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, cast

import pytest
from lxml import etree

from redraft.engine.docx.opc.package import Package
from tests.documents import corpus_folder

EXTENSION = "Element '{http://schemas.microsoft.com/"
ROOTS = ("document", "styles", "numbering", "hdr", "ftr", "footnotes", "endnotes")


@lru_cache(maxsize=1)
def schema() -> etree.XMLSchema:
    folder = corpus_folder()
    path = None if folder is None else folder.parent / "schemas" / "ooxml" / "wml.xsd"
    if path is None or not path.is_file():
        pytest.skip("the schemas are not here")
    return etree.XMLSchema(etree.parse(str(path)))


def errors(data: bytes) -> list[str]:
    """What is wrong with the WordprocessingML parts of a file, part by part."""
    package = Package.open(data)
    found: list[str] = []
    for name in package.names():
        if not name.endswith(".xml") or not name.startswith("word/"):
            continue
        root = package.tree(name)
        if etree.QName(root).localname in ROOTS and not schema().validate(root):
            # lxml's types do not say that the log can be walked.
            entries = cast("Iterable[Any]", schema().error_log)
            found += [f"{name}: {said(entry.message)}" for entry in entries]
    return found


def said(message: str) -> str:
    """A message without what depends on the neighbours of an element that no schema here knows."""
    return message.partition(" Expected")[0] if message.startswith(EXTENSION) else message
