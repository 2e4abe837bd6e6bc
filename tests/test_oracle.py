"""The judge is judged first: on single marks, and on files whose marks another program resolved."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from tests.oracle import (
    Verdict,
    authors,
    judged,
    keep,
    members,
    only,
    parse,
    texts,
    uncited,
)

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-'
    'officedocument.wordprocessingml.document.main+xml"/></Types>'
)


def package(body: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as files:
        files.writestr("[Content_Types].xml", TYPES)
        document = f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'
        files.writestr("word/document.xml", document)
    return made.getvalue()


def run(text: str, properties: str = "", tag: str = "t") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:{tag}>{text}</w:{tag}></w:r>"


def revision(kind: str, content: str, author: str = "us", number: int = 1) -> str:
    return f'<w:{kind} w:id="{number}" w:author="{author}" w:date="D">{content}</w:{kind}>'


def marked(kind: str, author: str = "us") -> str:
    mark = revision(kind, "", author)
    return f"<w:pPr><w:rPr>{mark}</w:rPr></w:pPr>"


def read(body: str, verdict: Verdict, author: str = "us") -> list[str]:
    return texts(judged(package(body), only(author, verdict)))["word/document.xml"]


def same(one: str, other: str, verdict: Verdict = "keep") -> bool:
    return judged(package(one), only("us", verdict)) == judged(package(other), keep)


INSERTION = f"<w:p>{run('a')}{revision('ins', run('b'))}{run('c')}</w:p>"
DELETION = f"<w:p>{run('a')}{revision('del', run('b', tag='delText'))}{run('c')}</w:p>"
MERGED = f"<w:p>{marked('del')}{run('one ')}</w:p><w:p><w:pPr><w:jc/></w:pPr>{run('two')}</w:p>"
SPLIT = f"<w:p>{marked('ins')}{run('one ')}</w:p><w:p><w:pPr><w:jc/></w:pPr>{run('two')}</w:p>"


@pytest.mark.parametrize(
    ("body", "verdict", "expected"),
    [
        (INSERTION, "accept", ["abc"]),
        (INSERTION, "reject", ["ac"]),
        (DELETION, "accept", ["ac"]),
        (DELETION, "reject", ["abc"]),
        (MERGED, "accept", ["one two"]),
        (MERGED, "reject", ["one ", "two"]),
        (SPLIT, "accept", ["one ", "two"]),
        (SPLIT, "reject", ["one two"]),
    ],
)
def test_marks_are_accepted_and_rejected(body: str, verdict: Verdict, expected: list[str]) -> None:
    assert read(body, verdict) == expected


def test_a_joined_paragraph_has_the_properties_of_the_last_one() -> None:
    joined = f"<w:p><w:pPr><w:jc/></w:pPr>{run('one ')}{run('two')}</w:p>"
    assert same(MERGED, joined, "accept")
    assert not same(MERGED, f"<w:p>{run('one two')}</w:p>", "accept")


@pytest.mark.parametrize(("kind", "verdict"), [("ins", "reject"), ("del", "accept")])
def test_a_row_goes_with_its_mark(kind: str, verdict: Verdict) -> None:
    cell = f"<w:tc><w:p>{run('cell')}</w:p></w:tc>"
    rows = f"<w:tr><w:trPr>{revision(kind, '')}</w:trPr>{cell}</w:tr><w:tr>{cell}</w:tr>"
    table = f"<w:tbl>{rows}</w:tbl>"
    assert read(table, verdict) == ["cell"]
    assert read(table, "accept" if verdict == "reject" else "reject") == ["cell", "cell"]


def test_a_rejected_format_is_the_old_one() -> None:
    change = revision("rPrChange", "<w:rPr><w:i/></w:rPr>")
    body = f"<w:p>{run('word', f'<w:b/>{change}')}</w:p>"
    assert same(body, f"<w:p>{run('word', '<w:i/>')}</w:p>", "reject")
    assert same(body, f"<w:p>{run('word', '<w:b/>')}</w:p>", "accept")


def test_split_runs_rsids_and_proofing_marks_do_not_count() -> None:
    split = (
        f'<w:p w:rsidR="0012"><w:r w:rsidR="0034"><w:t>wo</w:t></w:r><w:proofErr w:type="x"/>'
        f"{run('rd')}</w:p>"
    )
    assert same(split, f"<w:p>{run('word')}</w:p>")


@pytest.mark.parametrize(
    "other",
    [
        "<w:p><w:r><w:t>words</w:t></w:r></w:p>",
        "<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>word</w:t></w:r></w:p>",
        "<w:p><w:pPr><w:jc/></w:pPr><w:r><w:t>word</w:t></w:r></w:p>",
        '<w:p><w:bookmarkStart w:id="1" w:name="x"/><w:r><w:t>word</w:t></w:r></w:p>',
        '<w:p><w:r><w:t>word</w:t><w:footnoteReference w:id="2"/></w:r></w:p>',
        '<w:p><w:hyperlink w:anchor="x"><w:r><w:t>word</w:t></w:r></w:hyperlink></w:p>',
        "<w:p><w:r><w:t>word</w:t></w:r></w:p><w:p/>",
        "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>word</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
    ],
)
def test_every_other_difference_counts(other: str) -> None:
    assert not same("<w:p><w:r><w:t>word</w:t></w:r></w:p>", other)


def test_the_marks_of_others_are_kept_and_counted() -> None:
    foreign = f"<w:p>{revision('ins', run('theirs'), 'them', 7)}</w:p>"
    assert read(foreign, "reject") == ["theirs"]
    assert not same(foreign, f"<w:p>{run('theirs')}</w:p>", "reject")
    assert same(foreign, foreign.replace('w:id="7"', 'w:id="8"'))
    assert authors(package(foreign)) == {"them"}


@pytest.mark.corpus
@pytest.mark.parametrize(("verdict", "suffix"), [("accept", "accepted"), ("reject", "rejected")])
def test_it_agrees_with_another_program_on_every_triple(
    corpus: Path, verdict: Verdict, suffix: str
) -> None:
    resolved = sorted((corpus / "docx" / "revisions").glob(f"*.{suffix}.docx"))
    assert len(resolved) == 17
    for path in resolved:
        marked_up = path.with_name(path.name.replace(f".{suffix}", ""))
        ours = texts(judged(marked_up.read_bytes(), lambda _author: verdict))
        theirs = texts(judged(path.read_bytes(), keep))
        assert [t for t in ours.values() if t] == [t for t in theirs.values() if t], path.name


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr><w:p>{run(text)}</w:p></w:tc>"


def grid(*widths: int, change: str = "") -> str:
    columns = "".join(f'<w:gridCol w:w="{each}"/>' for each in widths)
    return f"<w:tblGrid>{columns}{change}</w:tblGrid>"


@pytest.mark.parametrize(("kind", "gone"), [("cellIns", "reject"), ("cellDel", "accept")])
def test_a_cell_goes_with_its_mark_and_its_column_with_the_last_cell(kind: str, gone: str) -> None:
    verdict: Verdict = "reject" if gone == "reject" else "accept"
    marked_row = f"<w:tr>{cell('a')}{cell('b', revision(kind, ''))}{cell('c')}</w:tr>"
    found = judged(package(f"<w:tbl>{grid(1, 2, 3)}{marked_row}</w:tbl>"), only("us", verdict))
    plain = f"<w:tbl>{grid(1, 3)}<w:tr>{cell('a')}{cell('c')}</w:tr></w:tbl>"
    assert found == judged(package(plain), keep)
    wide = cell("x", '<w:gridSpan w:val="3"/>')
    wide = f"<w:tr>{wide}</w:tr>"
    kept = judged(package(f"<w:tbl>{grid(1, 2, 3)}{marked_row}{wide}</w:tbl>"), only("us", verdict))
    assert kept["word/document.xml"][0] != found["word/document.xml"][0]


def test_a_rejected_grid_has_its_old_columns_and_another_authors_stays() -> None:
    change = f'<w:tblGridChange w:id="9">{grid(7, 8)}</w:tblGridChange>'
    width = revision("tcPrChange", "<w:tcPr/>")
    row = f"<w:tr>{cell('a', width)}{cell('b')}</w:tr>"
    made = package(f"<w:tbl>{grid(1, 2, change=change)}{row}</w:tbl>")
    old = package(f"<w:tbl>{grid(7, 8)}<w:tr>{cell('a')}{cell('b')}</w:tr></w:tbl>")
    assert judged(made, only("us", "reject")) == judged(old, keep)
    assert judged(made, only("them", "reject")) == judged(made, keep)


def test_a_table_without_rows_is_gone_and_emptied_properties_say_nothing() -> None:
    row = f"<w:tr><w:trPr>{revision('del', '')}</w:trPr>{cell('a')}</w:tr>"
    made = package(f"<w:tbl>{grid(1)}{row}</w:tbl><w:p/>")
    assert judged(made, only("us", "accept")) == judged(package("<w:p/>"), keep)
    plain = package(f"<w:tbl>{grid(1)}<w:tr>{cell('a')}</w:tr></w:tbl><w:p/>")
    assert judged(made, only("us", "reject")) == judged(plain, keep)


def test_a_control_is_the_same_when_the_last_of_its_words_is_judged_away() -> None:
    around = "<w:p><w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt></w:p>"
    spelling = '<w:proofErr w:type="spellStart"/>'
    held = revision("del", run("gone", tag="delText"))
    assert same(around.format(held), around.format(spelling), "accept")
    assert not same(around.format(held), around.format(run("kept")), "accept")


SECTION = '<w:sectPr><w:cols w:space="7"/></w:sectPr>'
CONTROL = f"<w:sdt><w:sdtContent><w:p>{run('in it')}</w:p></w:sdtContent></w:sdt>"
TABLE = f"<w:tbl>{grid(1)}<w:tr>{cell('in it')}</w:tr></w:tbl>"


@pytest.mark.parametrize("block", [SECTION, CONTROL, TABLE])
def test_words_without_a_mark_are_carried_past_no_block(block: str) -> None:
    kept = f"<w:p>{run('left')}</w:p>"
    made = f"<w:p>{marked('ins')}{run('left')}</w:p>{block}"
    assert same(made, f"{kept}{block}", "reject")
    assert not same(made, f"{block}{kept}", "reject")
    assert same(f"{kept}<w:p>{marked('ins')}</w:p>{block}", f"{kept}{block}", "reject")


def test_words_without_a_mark_are_carried_past_points_and_what_is_gone() -> None:
    row = f"<w:tr><w:trPr>{revision('ins', '')}</w:trPr>{cell('new')}</w:tr>"
    point = '<w:bookmarkEnd w:id="3"/>'
    made = f"<w:p>{marked('ins')}{run('one ')}</w:p>{point}<w:tbl>{row}</w:tbl>"
    made += f"<w:p>{run('two')}</w:p>"
    assert same(made, f"{point}<w:p>{run('one two')}</w:p>", "reject")


def test_words_that_are_carried_to_no_paragraph_stand_in_front_of_the_points() -> None:
    point = '<w:bookmarkEnd w:id="3"/>'
    block = f"<w:tbl><w:tr>{cell('cell')}</w:tr></w:tbl>"
    made = f"<w:p>{marked('ins')}{run('one')}</w:p>{point}"
    plain = f"<w:p>{run('one')}</w:p>{point}"
    assert same(made + block, plain + block, "reject")
    assert same(made, plain, "reject")


def test_a_change_of_the_grid_goes_with_the_cells_of_rows_that_go() -> None:
    change = revision("tcPrChange", "<w:tcPr/>")
    row = f"<w:tr><w:trPr>{revision('ins', '')}</w:trPr>{cell('a', change)}</w:tr>"
    columns = '<w:gridCol w:w="9"/>'
    old = f"<w:tblGridChange w:id='7'><w:tblGrid>{columns}</w:tblGrid></w:tblGridChange>"
    kept = f"<w:tr>{cell('b')}</w:tr>"
    made = f"<w:tbl><w:tblGrid><w:gridCol w:w='5'/>{old}</w:tblGrid>{row}{kept}</w:tbl>"
    plain = f"<w:tbl><w:tblGrid>{columns}</w:tblGrid>{kept}</w:tbl>"
    assert same(made, plain, "reject")


def test_a_section_that_ends_in_a_mark_goes_with_the_mark() -> None:
    mark = f"<w:rPr>{revision('ins', '')}</w:rPr>"
    made = f"<w:p>{run('one')}</w:p><w:p><w:pPr>{mark}{SECTION}</w:pPr></w:p>"
    behind = f"<w:p>{marked('ins')}</w:p>{SECTION}"
    assert same(made + behind, f"<w:p>{run('one')}</w:p>{SECTION}", "reject")


@pytest.mark.parametrize(("kind", "verdict"), [("cellIns", "reject"), ("cellDel", "accept")])
def test_a_row_goes_with_the_last_of_its_cells(kind: str, verdict: Verdict) -> None:
    row = f"<w:tr>{cell('a', revision(kind, ''))}</w:tr>"
    plain = f"<w:tr>{cell('b')}</w:tr>"
    assert read(f"<w:tbl>{grid(1)}{row}{plain}</w:tbl>", verdict) == ["b"]
    assert same(f"<w:tbl>{row}{plain}</w:tbl>", f"<w:tbl>{plain}</w:tbl>", verdict)


def test_a_number_goes_with_its_insertion() -> None:
    def numbered(mark: str) -> str:
        return f'<w:p><w:pPr><w:numPr><w:numId w:val="1"/>{mark}</w:numPr></w:pPr>{run("a")}</w:p>'

    made = numbered(revision("ins", ""))
    assert same(made, numbered(""), "accept")
    assert same(made, f"<w:p>{run('a')}</w:p>", "reject")
    assert not same(made, numbered(""))


@pytest.mark.parametrize("around", ["tr", "tc"])
def test_a_note_goes_with_the_row_or_cell_of_its_last_reference(around: str) -> None:
    kind = "ins" if around == "tr" else "cellIns"
    mark = f"<w:{around}Pr>{revision(kind, '')}</w:{around}Pr>"
    held = f'<w:p><w:r><w:footnoteReference w:id="2"/></w:r>{run("a")}</w:p>'
    row = f"<w:tr>{mark if around == 'tr' else ''}<w:tc>{'' if around == 'tr' else mark}{held}"
    made = package(f"<w:tbl>{grid(1)}{row}</w:tc></w:tr></w:tbl><w:p/>")
    roots = [parse(members(made)["word/document.xml"])]
    assert uncited(roots, only("us", "reject")) == {("footnote", "2")}
    assert uncited(roots, only("us", "accept")) == set()


END = f"<w:p>{marked('ins')}</w:p>"


@pytest.mark.parametrize(
    ("content", "left"),
    [
        (END, "<w:p/>"),
        (f"{TABLE}{END}", f"{TABLE}<w:p/>"),
        (f"<w:p>{run('a')}</w:p>{END}", f"<w:p>{run('a')}</w:p>"),
    ],
)
def test_a_cell_ends_in_a_paragraph_whatever_is_judged(content: str, left: str) -> None:
    row = "<w:tbl><w:tr><w:tc><w:tcPr/>{}</w:tc></w:tr></w:tbl><w:p/>"
    assert same(row.format(content), row.format(left), "reject")


def test_a_body_has_a_paragraph_whatever_is_judged() -> None:
    assert same(END + SECTION, f"<w:p/>{SECTION}", "reject")
    assert same(f"{TABLE}{END}{SECTION}", TABLE + SECTION, "reject")


def ranged(kind: str, content: str, number: int = 7) -> str:
    start = f'<w:customXml{kind}RangeStart w:id="{number}" w:author="us" w:date="D"/>'
    return f'{start}{content}<w:customXml{kind}RangeEnd w:id="{number}"/>'


def control(content: str) -> str:
    properties = '<w:sdtPr><w:tag w:val="x"/></w:sdtPr>'
    return f"<w:sdt>{properties}<w:sdtContent>{content}</w:sdtContent></w:sdt>"


OPENED, CLOSED = ranged("Del", "|").split("|"), ranged("Del", "|", 8).split("|")
TAGS = OPENED[0] + control(OPENED[1] + run("a") + CLOSED[0]) + CLOSED[1]


@pytest.mark.parametrize(
    ("one", "verdict", "other"),
    [
        (ranged("Del", control(run("a"))), "accept", run("a")),
        (ranged("Del", control(run("a"))), "reject", control(run("a"))),
        (ranged("Ins", control(run("a"))), "reject", run("a")),
        (ranged("Ins", control(run("a"))), "accept", control(run("a"))),
        (TAGS, "accept", run("a")),
        (TAGS, "reject", control(run("a"))),
        (ranged("Del", run("a")), "keep", run("a")),
        (
            ranged("Del", control(run("a"))) + control(run("b")),
            "accept",
            run("a") + control(run("b")),
        ),
    ],
)
def test_a_wrapper_goes_with_both_of_its_tags(one: str, verdict: Verdict, other: str) -> None:
    assert same(f"<w:p>{one}</w:p>", f"<w:p>{other}</w:p>", verdict)


@pytest.mark.parametrize(
    ("one", "accepted"),
    [
        (ranged("Del", control(run("a"))), run("a")),
        (OPENED[0] + control(OPENED[1] + run("a")), control(run("a"))),
        (control(run("a") + CLOSED[0]) + CLOSED[1], control(run("a"))),
    ],
)
def test_ranges_of_others_stand_and_a_single_tag_takes_no_wrapper_off(
    one: str, accepted: str
) -> None:
    assert not same(f"<w:p>{one}</w:p>", f"<w:p>{control(run('a'))}</w:p>")
    assert not same(f"<w:p>{one}</w:p>", f"<w:p>{run('a')}</w:p>")
    assert same(f"<w:p>{one}</w:p>", f"<w:p>{accepted}</w:p>", "accept")
    assert same(f"<w:p>{one}</w:p>", f"<w:p>{control(run('a'))}</w:p>", "reject")


def test_a_mark_that_is_judged_leaves_the_others_of_the_paragraph() -> None:
    both = (
        f"<w:pPr><w:rPr>{revision('ins', '', 'us')}{revision('del', '', 'Ann', 2)}</w:rPr></w:pPr>"
    )
    left = f"<w:pPr><w:rPr>{revision('del', '', 'Ann', 2)}</w:rPr></w:pPr>"
    table = "<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>"
    assert same(
        f"<w:p>{both}{run('a')}</w:p>{table}", f"<w:p>{left}{run('a')}</w:p>{table}", "reject"
    )
