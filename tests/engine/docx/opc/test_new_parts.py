"""New parts, relationships and elements: the rest of the package keeps its bytes."""

from __future__ import annotations

import pytest

from redraft.engine.docx.names import CT, STRICT, W
from redraft.engine.docx.opc import new_parts
from redraft.engine.docx.opc.package import CONTENT_TYPES, Package
from redraft.engine.errors import CorruptDocumentError
from tests.engine.wordml import archive, docx, p
from tests.oracle import members

PURL = next(strict for strict, transitional in STRICT.items() if transitional == str(W))
TYPE = "application/vnd.example+xml"


def with_part(content: str, *, encoding: str = "utf-8") -> Package:
    """A document with the part word/extra.xml."""
    held = members(docx(p("a")))
    held["word/extra.xml"] = content.encode(encoding)
    return Package.open(archive(held))


def inserted(content: str, element: str, **where: object) -> str:
    package = with_part(content)
    new_parts.insert(package, "word/extra.xml", element, namespace=W, **where)  # pyright: ignore[reportArgumentType]
    package.tree("word/extra.xml")
    return package.read("word/extra.xml").decode()


@pytest.mark.parametrize("strict", [False, True])
def test_a_part_is_declared_and_related_and_found_again(strict: bool) -> None:
    data = docx(p("a"), strict=strict)
    package = Package.open(data)
    name = new_parts.add(package, package.main, "numbering", TYPE, b"<n/>")
    opened = Package.open(package.save())
    assert opened.related(opened.main, "numbering") == ("word/numbering.xml",) == (name,)
    assert opened.content_type(name) == TYPE
    assert opened.read(name) == b"<n/>"
    relation = next(r for r in opened.relationships(opened.main).values() if r.kind == "numbering")
    assert relation.type.startswith("http://purl.oclc.org/" if strict else "http://schemas.open")
    before, after = members(data), members(package.save())
    same = set(before) - {CONTENT_TYPES, "word/_rels/document.xml.rels"}
    assert {n: after[n] for n in same} == {n: before[n] for n in same}


def test_a_second_part_of_a_kind_gets_a_name_of_its_own() -> None:
    package = Package.open(docx(p("a"), numbering="<w:num/>"))
    assert new_parts.add(package, package.main, "numbering", TYPE, b"<n/>") == "word/numbering2.xml"


def test_a_part_without_relationships_gets_them() -> None:
    package = Package.open(docx(p("a"), headers=(p("h"),)))
    name = new_parts.relate(
        package, "word/header1.xml", "hyperlink", "https://a/?b&c", is_external=True
    )
    assert name == "rId1"
    assert new_parts.relate(package, "word/header1.xml", "image", "media/i.png") == "rId2"
    found = Package.open(package.save()).relationships("word/header1.xml")
    assert [(r.target, r.external) for r in found.values()] == [
        ("https://a/?b&c", True),
        ("word/media/i.png", False),
    ]


RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"


@pytest.mark.parametrize(
    "before",
    [
        f'<Relationships xmlns="{RELATIONSHIPS}"/>',
        f'<Relationships xmlns="{RELATIONSHIPS}" ></Relationships>\n',
        f'<r:Relationships xmlns:r="{RELATIONSHIPS}"></r:Relationships>',
        f'<r:Relationships xmlns:r="{RELATIONSHIPS}"/>',
        f'<Relationships xmlns="{RELATIONSHIPS}"></Relationships><!-- </Relationships> -->',
    ],
)
def test_relationships_are_added_whatever_prefix_and_form_the_root_has(before: str) -> None:
    held = members(docx(p("a"), headers=(p("h"),)))
    held["word/_rels/header1.xml.rels"] = before.encode()
    package = Package.open(archive(held))
    new_parts.relate(package, "word/header1.xml", "image", "media/i.png")
    opened = Package.open(package.save())
    assert opened.relationships("word/header1.xml")["rId1"].target == "word/media/i.png"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f'<w:a xmlns:w="{W}"/>', f'<w:a xmlns:w="{W}"><w:b w:c="1"/></w:a>'),
        (f'<w:a xmlns:w="{W}" />\n', f'<w:a xmlns:w="{W}"><w:b w:c="1"/></w:a>\n'),
        (f'<x:a xmlns:x="{W}"><x:b/></x:a>', f'<x:a xmlns:x="{W}"><x:b/><x:b x:c="1"/></x:a>'),
        (f'<a xmlns="{W}"></a>', f'<a xmlns="{W}"><w:b xmlns:w="{W}" w:c="1"/></a>'),
        (f'<a xmlns="{W}" xmlns:y="{W}"/>', f'<a xmlns="{W}" xmlns:y="{W}"><y:b y:c="1"/></a>'),
        (f'<w:a xmlns:w="{PURL}"/>', f'<w:a xmlns:w="{PURL}"><w:b w:c="1"/></w:a>'),
        (f'<a xmlns="{PURL}"/>', f'<a xmlns="{PURL}"><w:b xmlns:w="{PURL}" w:c="1"/></a>'),
        (f'<w:a xmlns:w="{W}"></w:a><!-- </w:a> -->', None),
    ],
)
def test_an_element_is_put_at_the_end_in_the_prefix_of_the_part(
    before: str, after: str | None
) -> None:
    expected = after or before.replace("></w:a><", '><w:b w:c="1"/></w:a><')
    assert inserted(before, '<w:b w:c="1"/>') == expected


def test_an_element_stands_behind_its_kind_or_before_what_must_follow_it() -> None:
    root = f'<w:numbering xmlns:w="{W}">{{}}</w:numbering>'
    where = {"behind": "num", "before": ("numIdMacAtCleanup",)}
    new = '<w:num w:numId="2"/>'
    one = '<w:num w:numId="1"><w:x/></w:num>'
    last = '<w:numIdMacAtCleanup w:val="1"/>'
    assert inserted(root.format(one + last), new, **where) == root.format(one + new + last)
    assert inserted(root.format(last), new, **where) == root.format(new + last)
    assert inserted(root.format(""), new, **where) == root.format(new)
    commented = f"<!-- {one} -->"
    assert inserted(root.format(commented + last), new, **where) == root.format(
        commented + new + last
    )


def test_a_part_in_utf_16_takes_an_element_too() -> None:
    text = f'<?xml version="1.0" encoding="UTF-16"?><w:a xmlns:w="{W}"><w:t>\u00e9</w:t></w:a>'
    package = with_part(text, encoding="utf-16")
    new_parts.insert(package, "word/extra.xml", "<w:b/>", namespace=W)
    assert [child.tag for child in package.tree("word/extra.xml")] == [W("t"), W("b")]
    assert package.tree("word/extra.xml")[0].text == "\u00e9"


def test_a_root_that_cannot_be_found_in_the_bytes_is_an_error() -> None:
    package = with_part(f'<w:a xmlns:w="{W}"/>')
    package.tree("word/extra.xml").tag = W("other")
    with pytest.raises(CorruptDocumentError):
        new_parts.insert(package, "word/extra.xml", "<w:b/>", namespace=W)


def declaring(name: str, media_type: str) -> Package:
    """A document whose content types declare a part that is not there."""
    files = members(docx(p("a")))
    override = f'<Override PartName="/{name}" ContentType="{media_type}"/></Types>'
    files[CONTENT_TYPES] = files[CONTENT_TYPES].replace(b"</Types>", override.encode())
    return Package.open(archive(files))


def declarations(package: Package, name: str) -> list[str]:
    nodes = package.tree(CONTENT_TYPES).iter(CT("Override"))
    return [n.get("ContentType", "") for n in nodes if n.get("PartName", "").lower() == f"/{name}"]


def test_a_part_of_which_only_the_declaration_is_left_keeps_its_name() -> None:
    package = declaring("Word/Comments.xml", "application/old+xml")
    name = new_parts.add(package, package.main, "comments", TYPE, b"<c/>")
    assert name == "word/comments2.xml"
    assert declarations(package, name) == [TYPE]
    assert declarations(package, "word/comments.xml") == ["application/old+xml"]
