"""Packages as they come: relationships, dialects, encodings, and what is refused."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from redraft.engine.docx.names import W_BODY, W_DOCUMENT, W_P, W
from redraft.engine.docx.opc.package import MAX_DEPTH, Package, parse
from redraft.engine.errors import CorruptDocumentError, TooLargeError, UnsupportedFormatError
from tests.engine.wordml import archive, docx, p, text_of

WORD = docx(p("Hello"), styles='<w:style w:styleId="A"/>', headers=[p("Top")])


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def rewritten(data: bytes, *changes: tuple[str, str, str]) -> bytes:
    """The package with text replaced: (member, old, new)."""
    content = members(data)
    for name, old, new in changes:
        content[name] = content[name].replace(old.encode(), new.encode())
    return archive(content)


def test_the_main_part_is_found_through_the_relationship() -> None:
    content = members(WORD)
    content["docs/body.xml"] = content.pop("word/document.xml")
    content["docs/_rels/body.xml.rels"] = content.pop("word/_rels/document.xml.rels").replace(
        b'Target="', b'Target="/word/'
    )
    content["_rels/.rels"] = content["_rels/.rels"].replace(b"word/document", b"/docs/body")
    types = content["[Content_Types].xml"]
    content["[Content_Types].xml"] = types.replace(b"/word/document.xml", b"/docs/body.xml")
    package = Package.open(archive(content))
    assert package.main == "docs/body.xml"
    assert package.related(package.main, "header") == ("word/header1.xml",)


def test_a_package_without_relationships_is_opened_by_its_content_type() -> None:
    content = members(WORD)
    del content["_rels/.rels"]
    assert Package.open(archive(content)).main == "word/document.xml"


def test_names_are_found_without_regard_to_case_slash_or_escape() -> None:
    content = members(WORD)
    content["word\\Header1.xml"] = content.pop("word/header1.xml")
    changed = content["word/_rels/document.xml.rels"].replace(b"header1.xml", b"./Header%31.xml")
    content["word/_rels/document.xml.rels"] = changed
    package = Package.open(archive(content))
    (header,) = package.related(package.main, "header")
    assert package.tree(header).tag == W("hdr")


def test_a_tree_is_parsed_once_and_dropped_when_replaced() -> None:
    package = Package.open(WORD)
    root = package.tree("word/document.xml")
    assert root.tag == W_DOCUMENT
    assert package.tree("word/document.xml") is root
    package.replace("word/document.xml", members(docx(p("Other")))["word/document.xml"])
    assert text_of(package.tree("word/document.xml")) == "Other"


def test_saving_without_an_edit_gives_the_same_bytes() -> None:
    package = Package.open(WORD)
    package.tree("word/document.xml")
    assert package.save() == WORD


def test_saving_after_an_edit_changes_one_member_only() -> None:
    package = Package.open(WORD)
    paragraph = package.tree(package.main).find(f"{W_BODY}/{W_P}")
    assert paragraph is not None
    paragraph.set(W("rsidR"), "00AA00BB")
    package.replace(package.main, package.serialize(package.main))
    after = members(package.save())
    before = members(WORD)
    assert [name for name in before if before[name] != after[name]] == ["word/document.xml"]
    assert b"00AA00BB" in after["word/document.xml"]


def test_a_new_part_is_listed_and_saved() -> None:
    package = Package.open(WORD)
    package.replace("word/comments.xml", b"<c/>")
    assert package.names()[-1] == "word/comments.xml"
    assert Package.open(package.save()).read("word/comments.xml") == b"<c/>"


def test_strict_names_are_mapped_in_the_tree_and_back_in_the_file() -> None:
    package = Package.open(docx(p("See http://purl.oclc.org/ooxml/ for it"), strict=True))
    assert package.strict
    root = package.tree(package.main)
    assert root.tag == W_DOCUMENT
    assert text_of(root) == "See http://purl.oclc.org/ooxml/ for it"
    out = package.serialize(package.main)
    assert b"schemas.openxmlformats.org" not in out
    assert b'"http://purl.oclc.org/ooxml/wordprocessingml/main"' in out
    assert b"See http://purl.oclc.org/ooxml/ for it" in out


def test_a_transitional_package_is_not_strict() -> None:
    assert not Package.open(WORD).strict


def test_words_about_namespaces_stay_words_in_a_strict_file() -> None:
    words = 'xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"'
    package = Package.open(docx(p(words), strict=True))
    assert text_of(package.tree(package.main)) == words
    assert words.encode() in package.serialize(package.main).replace(b"&quot;", b'"')


def test_utf_16_is_read_with_and_without_strict_names() -> None:
    for strict in (False, True):
        content = members(docx(p("Grüße"), strict=strict))
        text = content["word/document.xml"].decode().replace("UTF-8", "UTF-16")
        content["word/document.xml"] = text.encode("utf-16")
        package = Package.open(archive(content))
        assert text_of(package.tree(package.main)) == "Grüße"


def test_external_targets_keep_their_url_and_internal_ones_become_part_names() -> None:
    package = Package.open(
        docx(
            p("x"),
            relations={
                "rId7": ("hyperlink", "https://example.org/a?b=1#c"),
                "rId8": ("image", "../media/image1.png"),
                "rId9": ("image", "NULL"),
            },
        )
    )
    relations = package.relationships(package.main)
    assert relations["rId7"].target == "https://example.org/a?b=1#c"
    assert relations["rId7"].external
    assert relations["rId8"].target == "media/image1.png"
    assert relations["rId8"].kind == "image"
    assert package.related(package.main, "image") == ()


def test_content_types_are_known_by_part_and_by_suffix() -> None:
    package = Package.open(WORD)
    assert package.content_type("word/styles.xml").endswith("wordprocessingml.styles+xml")
    assert package.content_type("/word/media/x.PNG") == "image/png"
    assert package.content_type("word/x.bin") == ""


@pytest.mark.parametrize(
    ("xml", "reason"),
    [
        ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "DOCTYPE"),
        ('<?xml version="1.0"?><!-- x --><!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', "DOCTYPE"),
        ('<?xml version="1.0" encoding="UTF-7"?><a/>', "encoding UTF-7"),
        ("<a><b></a>", "not well-formed"),
        ("<a>&undeclared;</a>", "not well-formed"),
        ("words", "not XML"),
        ("", "not XML"),
    ],
)
def test_dangerous_or_broken_xml_is_refused(xml: str, reason: str) -> None:
    with pytest.raises(CorruptDocumentError, match=reason):
        parse(xml.encode(), "word/document.xml")


def test_a_doctype_cannot_hide_in_utf_16() -> None:
    with pytest.raises(CorruptDocumentError, match="DOCTYPE"):
        parse('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'.encode("utf-16"), "x")


def test_a_doctype_behind_a_long_comment_is_refused_too() -> None:
    xml = f'<!--{"x" * 70_000}--><!DOCTYPE a [<!ENTITY b "c">]><a c="&b;"/>'
    with pytest.raises(CorruptDocumentError):
        parse(xml.encode(), "x")


def test_depth_is_allowed_up_to_the_limit_and_no_further() -> None:
    deep = "<a>" * MAX_DEPTH + "</a>" * MAX_DEPTH
    assert parse(deep.encode(), "x").tag == "a"
    with pytest.raises(TooLargeError, match="levels deep"):
        parse(f"<a>{deep}</a>".encode(), "x")


def test_a_package_whose_main_part_is_of_another_program_is_refused() -> None:
    other = rewritten(
        WORD,
        ("[Content_Types].xml", "wordprocessingml.document.main", "spreadsheetml.sheet.main"),
        ("word/document.xml", "w:document", "w:workbook"),
    )
    with pytest.raises(UnsupportedFormatError, match="Excel"):
        Package.open(other)


def test_a_main_part_with_another_root_is_damaged() -> None:
    with pytest.raises(CorruptDocumentError, match="not a Word document"):
        Package.open(rewritten(WORD, ("word/document.xml", "w:document", "w:glossary")))


def test_a_relationship_to_a_missing_main_part_is_damaged() -> None:
    content = members(WORD)
    del content["word/document.xml"]
    types = content["[Content_Types].xml"]
    content["[Content_Types].xml"] = types.replace(b"/word/document.xml", b"/gone.xml")
    with pytest.raises(CorruptDocumentError, match="missing"):
        Package.open(archive(content))


@pytest.mark.corpus
def test_every_document_of_the_corpus_saves_byte_for_byte(corpus: Path) -> None:
    for path in sorted((corpus / "docx").rglob("*.docx")):
        data = path.read_bytes()
        package = Package.open(data)
        assert package.save() == data, path.name
        package.replace(package.main, package.read(package.main))
        saved = package.save()
        with zipfile.ZipFile(io.BytesIO(saved)) as after, zipfile.ZipFile(path) as before:
            assert after.namelist() == before.namelist(), path.name
            assert after.testzip() is None, path.name
            assert all(after.read(name) == before.read(name) for name in before.namelist())


@pytest.mark.corpus
def test_every_xml_part_of_the_corpus_parses_and_serializes_to_the_same_infoset(
    corpus: Path,
) -> None:
    for path in sorted((corpus / "docx").glob("*.docx"))[::6]:
        package = Package.open(path.read_bytes())
        again = parse(package.serialize(package.main), package.main)
        assert text_of(again) == text_of(package.tree(package.main)), path.name
