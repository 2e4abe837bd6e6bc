"""Changed blocks go back into a part, and no other byte changes."""

from __future__ import annotations

import pytest
from lxml import etree

from redraft.engine.docx.names import W_P, W_T
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.opc.splice import Splicer, block_spans
from tests.engine.wordml import archive, docx, p, r, table, textbox
from tests.oracle import members


def opened(data: bytes) -> tuple[Package, Splicer]:
    package = Package.open(data)
    return package, Splicer(package, package.main)


def test_only_the_changed_paragraph_differs() -> None:
    odd = "<w:p  w:rsidR='00AA' ><w:r><w:t>odd &#x41; &gt; ></w:t></w:r></w:p >"
    package, splicer = opened(docx(odd + p("change me") + table(["x"]) + odd))
    before = package.read(package.main)
    target = list(package.tree(package.main).iter(W_P))[1]
    next(target.iter(W_T)).text = "changed"
    after = splicer.bytes({target: [target]})
    assert after == before.replace(
        b'<w:t xml:space="preserve">change me</w:t>', b'<w:t xml:space="preserve">changed</w:t>'
    )


def test_a_paragraph_is_removed_or_gets_neighbours() -> None:
    package, splicer = opened(docx(p("one") + p("two")))
    first, second = package.tree(package.main).iter(W_P)
    new = etree.fromstring(etree.tostring(second))
    second.addnext(new)
    after = splicer.bytes({first: [], second: [second, new]}).decode()
    assert after.count("two") == 2
    assert "one" not in after
    assert after.count("xmlns:w=") == 1


def test_of_nested_changes_the_outer_block_is_written_once() -> None:
    package, splicer = opened(docx(p("host", textbox(p("inner"))) + table([p("cell")])))
    blocks = {element: [element] for element in package.tree(package.main).iter(W_P)}
    assert splicer.bytes(blocks).count(b"inner") == 2


def test_comments_and_cdata_that_look_like_paragraphs_are_none() -> None:
    body = "<!-- <w:p> --><w:p><w:r><w:t><![CDATA[<w:p>]]></w:t></w:r></w:p>" + p("x")
    package = Package.open(docx(body))
    spans = block_spans(package.read(package.main), package.tree(package.main))
    assert spans is not None
    assert len(spans) == 2


@pytest.mark.parametrize("encoding", ["UTF-16", "iso-8859-1"])
def test_a_part_in_another_encoding_is_serialised_whole(encoding: str) -> None:
    parts = members(docx(p("caf\u00e9") + p("x")))
    xml = parts["word/document.xml"].decode().replace("UTF-8", encoding)
    parts["word/document.xml"] = xml.encode("utf-16" if encoding == "UTF-16" else encoding)
    package, splicer = opened(archive(parts))
    target = next(package.tree(package.main).iter(W_P))
    assert "caf\u00e9" in splicer.bytes({target: [target]}).decode()


def test_a_strict_part_stays_strict() -> None:
    package, splicer = opened(docx(p("x", r("y")), strict=True))
    target = next(package.tree(package.main).iter(W_P))
    after = splicer.bytes({target: [target]})
    assert b"schemas.openxmlformats.org" not in after
    assert after == package.read(package.main)


def test_a_change_outside_all_blocks_is_serialised_whole() -> None:
    package, splicer = opened(docx(p("x")))
    section = package.tree(package.main)[0][-1]
    section.set("new", "1")
    assert b'new="1"' in splicer.settled(None)
