"""When two documents are equal."""

from __future__ import annotations

import hashlib

import pytest

from redraft.engine.docx.judging.fingerprint import container, count, digests, fingerprint
from redraft.engine.docx.opc.package import Package
from redraft.engine.state import FINGERPRINT_FORM
from tests.engine.wordml import dele, docx, field, footnote, ins, note, p, r, table, tc

OURS = frozenset({1, 2, 3, 4, 5, 6, 7, 8})


def of(body: str, side: str = "baseline", ours: frozenset[int] = frozenset()) -> tuple[str, ...]:
    package = Package.open(docx(body))
    blocks = container(package.tree(package.main))
    return digests(blocks, ours, "final" if side == "final" else "baseline")


def marked(tag: str, number: int = 5) -> str:
    mark = f'<w:{tag} w:id="{number}" w:author="us" w:date="2026-01-01T00:00:00Z"/>'
    return f"<w:rPr>{mark}</w:rPr>"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (p(r("ab"), r("cd")), p(r("abcd"))),
        (p(r("a", "<w:b/>"), r("b", "<w:b/>")), p(r("ab", "<w:b/>"))),
        (p('<w:r w:rsidR="00AB"><w:t>a</w:t></w:r>'), p("a")),
        (p('<w:proofErr w:type="spellStart"/>', "a"), p("a")),
        (p("<w:r><w:rPr/><w:t>a</w:t></w:r>"), p("a")),
        ("<w:p><w:pPr/></w:p>", "<w:p/>"),
        ('<w:p w14:noSpellErr="1"/>', "<w:p/>"),
        (p("<w:r/>", "a"), p("a")),
        (p(ins(r("a"), id=90) + ins(r("b"), id=91)), p(ins(r("ab"), id=92))),
    ],
)
def test_these_are_equal(one: str, other: str) -> None:
    assert of(one) == of(other)


@pytest.mark.parametrize(
    "other",
    [
        p("abd"),
        p(r("abc", "<w:b/>")),
        p("a", '<w:bookmarkStart w:id="1" w:name="x"/>', "bc"),
        p("ab", note("2"), "c"),
        p("ab", note("3"), "c"),
        p("abc", style="Heading1"),
        p("abc", properties="<w:sectPr/>"),
        p(ins(r("abc"), id=90)),
        p(ins(r("abc"), id=90, author="Ben")),
        p(dele("abc", id=90)),
        p("a\tbc"),
        p("a<w:r><w:tab/></w:r>bc"),
        p(field("REF x", "abc")),
        p(f'<w:hyperlink w:anchor="x">{r("abc")}</w:hyperlink>'),
        p("abc") + p(),
        table(["abc"]),
    ],
)
def test_any_other_difference_counts(other: str) -> None:
    assert of(p("abc")) != of(other)


END = p(properties=marked("ins"))


def held(cell: str) -> str:
    """A table of one cell."""
    return f"<w:tbl><w:tr>{tc(cell, '<w:noWrap/>')}</w:tr></w:tbl>"


@pytest.mark.parametrize(
    ("working", "baseline", "final"),
    [
        (p("a", ins(r("b"), id=1), dele("c", id=2)), p("ac"), p("ab")),
        (p(ins(r("x") + dele("y", id=1), id=90)), p(ins(r("xy"), id=90)), p(ins(r("x"), id=90))),
        (p("a", properties=marked("ins")) + p("b"), p("ab"), p("a") + p("b")),
        (p("a", properties=marked("del")) + p("b"), p("a") + p("b"), p("ab")),
        (p(ins(r("new"), id=1), properties=marked("ins")) + p("b"), p("b"), p("new") + p("b")),
        (
            p("a", properties='<w:jc w:val="left"/>' + marked("del")) + p("b", style="S"),
            p("a", properties='<w:jc w:val="left"/>') + p("b", style="S"),
            p("ab", style="S"),
        ),
        (
            p("a", properties=marked("del")) + table(["b"]),
            p("a") + table(["b"]),
            p("a") + table(["b"]),
        ),
        # A cell ends in a paragraph, and a story has one.
        *((held(f"{before}{END}"), held(before), held(before + p())) for before in (p("a"),)),
        *((held(f"{before}{END}"),) + (held(before + p()),) * 2 for before in (table(["a"]), "")),
        (END, p(), p()),
        (p("a") + END, p("a"), p("a") + p()),
    ],
)
def test_of_our_marks_one_side_is_taken(working: str, baseline: str, final: str) -> None:
    assert of(working, ours=OURS) == of(baseline)
    assert of(working, "final", OURS) == of(final)


def test_a_row_of_ours_is_there_on_one_side_only() -> None:
    row = '<w:tr><w:trPr><w:{} w:id="3" w:author="us"/></w:trPr><w:tc><w:p/></w:tc></w:tr>'
    base = table(["a"])
    with_row = base.replace("</w:tbl>", row + "</w:tbl>")
    assert of(with_row.format("ins"), ours=OURS) == of(base)
    assert of(with_row.format("del"), "final", OURS) == of(base)


def test_a_row_goes_with_the_last_of_its_cells() -> None:
    cell = '<w:tc><w:tcPr><w:{} w:id="3" w:author="us"/></w:tcPr><w:p/></w:tc>'
    base = table(["a"])
    with_row = base.replace("</w:tbl>", f"<w:tr>{cell}{cell}</w:tr></w:tbl>")
    assert of(with_row.format(*["cellIns"] * 2), ours=OURS) == of(base)
    assert of(with_row.format(*["cellDel"] * 2), "final", OURS) == of(base)
    assert of(with_row.format("cellIns", "cellDel"), ours=OURS) != of(base)


def test_a_table_goes_with_its_last_row_also_where_that_stands_in_a_control() -> None:
    row = '<w:tr><w:trPr><w:{} w:id="3" w:author="us"/></w:trPr><w:tc><w:p/></w:tc></w:tr>'
    held = f"<w:tbl><w:sdt><w:sdtContent>{row}</w:sdtContent></w:sdt></w:tbl>"
    assert of(held.format("ins") + p("a"), ours=OURS) == of(p("a"))
    assert of(held.format("del") + p("a"), "final", OURS) == of(p("a"))
    assert of(held.format("ins") + p("a"), "final", OURS) != of(p("a"))


def test_a_format_change_of_ours_is_undone_in_the_baseline() -> None:
    change = '<w:rPrChange w:id="3" w:author="us"><w:rPr><w:i/></w:rPr></w:rPrChange>'
    assert of(p(r("a", f"<w:b/>{change}")), ours=OURS) == of(p(r("a", "<w:i/>")))
    assert of(p(r("a", f"<w:b/>{change}")), "final", OURS) == of(p(r("a", "<w:b/>")))


def test_marks_of_others_stand_on_both_sides() -> None:
    body = p("a", ins(r("b"), id=90), dele("c", id=91))
    assert of(body, ours=OURS) == of(body, "final", OURS) == of(body)


def test_every_part_with_text_has_its_digests() -> None:
    data = docx(p("a"), headers=[p("h")], footnotes=footnote("2", p("n")), comments="")
    assert sorted(fingerprint(Package.open(data), ())) == [
        "word/document.xml",
        "word/footnotes.xml",
        "word/header1.xml",
    ]


@pytest.mark.parametrize(
    "body",
    [
        p("a") + table(["b"]) + p("c"),
        p("a", properties=marked("ins")) + p("b"),
        p("a", properties=marked("ins")) + table(["b"]),
        p(properties=marked("ins")) + table(["b"]),
        p("x") + '<w:bookmarkStart w:id="9" w:name="n"/>' + p("y"),
    ],
)
def test_blocks_are_counted_without_looking_into_them(body: str) -> None:
    package = Package.open(docx(body))
    blocks = container(package.tree(package.main))
    assert count(blocks, OURS) == len(digests(blocks, OURS, "baseline"))


def test_a_control_reads_the_same_with_and_without_an_inserted_block_beside_it() -> None:
    inner = f"<w:sdt><w:sdtContent>{p('in it')}</w:sdtContent></w:sdt>"
    outer = "<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>"
    new = p(ins(r("new"), id=3), properties=marked("ins"))
    assert of(outer.format(inner + new) + p(), ours=OURS) == of(outer.format(inner) + p())
    assert of(outer.format(inner + p("x")) + p()) != of(outer.format(inner) + p())


def test_an_emptied_wrapper_of_an_indented_file_reads_as_one_whose_words_are_gone() -> None:
    tag = '<w:smartTag w:uri="u" w:element="e">\n  {}</w:smartTag>'
    assert of(p(tag.format(ins(r("new"), id=3))), ours=OURS) == of(p(tag.format("")))
    assert of(p("<m:oMath><m:r><m:t> </m:t></m:r></m:oMath>")) != of(
        p("<m:oMath><m:r><m:t/></m:r></m:oMath>")
    )


def test_a_new_form_of_fingerprint_gets_a_new_number() -> None:
    """Baselines of another form are computed anew: with a new digest, raise the number."""
    control = f"<w:sdt><w:sdtContent>{p('in it')}</w:sdtContent></w:sdt>"
    tag = '<w:smartTag w:uri="u" w:element="e"> </w:smartTag>'
    simple = f'<w:fldSimple w:instr="PAGE">{r("1")}</w:fldSimple>'
    body = (
        p("a", ins(r("b"), id=90), dele("c", id=91), field("REF x", "y"), simple, tag)
        + p(
            style="Heading1",
            properties='<w:rPr><w:b/></w:rPr><w:sectPr><w:cols w:num="2"/></w:sectPr>',
        )
        + table(["d", "e"])
        + control
        + p('<w:bookmarkStart w:id="1" w:name="n"/>', r("f", "<w:b/>"), '<w:bookmarkEnd w:id="1"/>')
    )
    digest = hashlib.sha256(" ".join(of(body)).encode()).hexdigest()[:16]
    assert (FINGERPRINT_FORM, digest) == (2, "3f2b232e312f0f74")
