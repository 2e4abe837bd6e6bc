"""Equations of Word as LaTeX."""
# ruff: noqa: RUF001  # letters of mathematics are what this is about

from __future__ import annotations

from pathlib import Path

import pytest

from redraft.engine.docx.names import M
from redraft.engine.docx.opc.package import Package, parse
from redraft.engine.docx.reading.math import latex
from redraft.engine.model import View
from tests.engine.wordml import NAMESPACES


def run(text: str, properties: str = "") -> str:
    rpr = f"<m:rPr>{properties}</m:rPr>" if properties else ""
    return f"<m:r>{rpr}<m:t>{text}</m:t></m:r>"


def part(name: str, text: str) -> str:
    return f"<m:{name}>{text if text.startswith('<') else run(text)}</m:{name}>"


def chars(name: str, **said: str) -> str:
    inner = "".join(f'<m:{key} m:val="{value}"/>' for key, value in said.items())
    return f"<m:{name}>{inner}</m:{name}>"


def written(inner: str, view: View = "final") -> str:
    return latex(parse(f"<m:oMath {NAMESPACES}>{inner}</m:oMath>".encode(), "x"), view)


FRACTION = f"<m:f>{part('num', 'a')}{part('den', 'b')}</m:f>"
STACK = FRACTION.replace("<m:f>", "<m:f>" + chars("fPr", type="noBar"))
LIMIT = f"<m:limLow>{part('e', run('lim', chars('sty', val='p')))}{part('lim', 'n→∞')}</m:limLow>"
ROWS = f"<m:mr>{part('e', 'a')}{part('e', 'b')}</m:mr><m:mr>{part('e', 'c')}{part('e', 'd')}</m:mr>"


@pytest.mark.parametrize(
    ("omml", "expected"),
    [
        (run("a+b"), "a+b"),
        (run("αβ≤∞"), r"\alpha\beta\leq\infty"),
        (run("αx"), r"\alpha x"),
        (run("50% of $x_1"), r"50\% of \$x\_1"),
        (run("  x  "), "x"),
        (run("𝐯∈ℝ"), r"\mathbf{v}\in\mathbb{R}"),
        (run("if x", "<m:nor/>"), r"\text{if x}"),
        (run("v", '<m:sty m:val="b"/>'), r"\mathbf{v}"),
        (run("R", '<m:scr m:val="double-struck"/>'), r"\mathbb{R}"),
        (FRACTION, r"\frac{a}{b}"),
        (FRACTION.replace("<m:f>", '<m:f><m:fPr><m:type m:val="lin"/></m:fPr>'), "a/b"),
        (f"<m:rad>{chars('radPr', degHide='1')}<m:deg/>{part('e', 'x')}</m:rad>", r"\sqrt{x}"),
        (f"<m:rad>{part('deg', '3')}{part('e', 'x')}</m:rad>", r"\sqrt[3]{x}"),
        (f"<m:sSup>{part('e', 'x')}{part('sup', '2')}</m:sSup>", "x^{2}"),
        (f"<m:sSup>{part('e', 'ab')}{part('sup', '2')}</m:sSup>", "{ab}^{2}"),
        (
            f"<m:sSubSup>{part('e', 'x')}{part('sub', 'i')}{part('sup', '2')}</m:sSubSup>",
            "x_{i}^{2}",
        ),
        (f"<m:sPre>{part('sub', 'i')}{part('sup', 'j')}{part('e', 'x')}</m:sPre>", "{}_{i}^{j}x"),
        (
            f"<m:nary>{chars('naryPr', chr='∑')}{part('sub', 'i=1')}{part('sup', 'n')}"
            f"{part('e', 'i')}</m:nary>",
            r"\sum_{i=1}^{n} i",
        ),
        (f"<m:nary>{part('e', 'x')}</m:nary>", r"\int x"),
        (f"<m:d>{part('e', 'x')}</m:d>", r"\left(x\right)"),
        (f"<m:d>{chars('dPr', begChr='{', endChr='')}{part('e', 'x')}</m:d>", r"\left\{x\right."),
        (
            f"<m:d>{chars('dPr', begChr='|', endChr='|')}{part('e', 'x')}</m:d>",
            r"\left\vert x\right\vert",
        ),
        (f"<m:d>{part('e', 'x')}{part('e', 'y')}</m:d>", r"\left(x\vert y\right)"),
        (
            f"<m:d>{part('e', STACK)}</m:d>",
            r"\binom{a}{b}",
        ),
        (f"<m:func>{part('fName', 'sin')}{part('e', 'x')}</m:func>", r"\sin{x}"),
        (f"<m:func>{part('fName', 'grad')}{part('e', 'x')}</m:func>", r"\operatorname{grad}{x}"),
        (f"<m:func>{part('fName', LIMIT)}{part('e', 'x')}</m:func>", r"\lim_{n\to\infty}{x}"),
        (f"<m:limUpp>{part('e', '=')}{part('lim', 'def')}</m:limUpp>", r"\overset{def}{=}"),
        (f"<m:acc>{part('e', 'x')}</m:acc>", r"\hat{x}"),
        (f"<m:acc>{part('e', 'ab')}</m:acc>", r"\widehat{ab}"),
        (f"<m:acc>{chars('accPr', chr='⃗')}{part('e', 'v')}</m:acc>", r"\vec{v}"),
        (f"<m:bar>{chars('barPr', pos='top')}{part('e', 'x')}</m:bar>", r"\overline{x}"),
        (f"<m:groupChr>{part('e', 'x')}</m:groupChr>", r"\underbrace{x}"),
        (f"<m:borderBox>{part('e', 'x')}</m:borderBox>", r"\boxed{x}"),
        (f"<m:m>{ROWS}</m:m>", r"\begin{matrix}a & b \\ c & d\end{matrix}"),
        (
            f"<m:eqArr>{part('e', 'a')}{part('e', 'b')}</m:eqArr>",
            r"\begin{aligned}a \\ b\end{aligned}",
        ),
        (f"<m:newThing><m:box>{part('e', 'x')}</m:box></m:newThing>", "x"),
        ("", ""),
    ],
)
def test_an_equation_is_written_as_latex(omml: str, expected: str) -> None:
    assert written(omml) == expected


def test_tracked_changes_inside_an_equation_follow_the_view() -> None:
    inner = f'<w:del w:id="1">{run("a")}</w:del><w:ins w:id="2">{run("b")}</w:ins>{run("c")}'
    assert written(inner) == "bc"
    assert written(inner, "original") == "ac"


@pytest.mark.corpus
def test_no_equation_of_the_corpus_breaks_a_table_or_a_paragraph(corpus: Path) -> None:
    found = 0
    for path in sorted((corpus / "docx").glob("*equation*.docx")):
        for equation in Package.open(path.read_bytes()).tree("word/document.xml").iter(M("oMath")):
            text = latex(equation)
            assert "|" not in text
            assert "\n" not in text
            assert text.count("{") - text.count("\\{") == text.count("}") - text.count("\\}")
            found += 1
    assert found > 20
