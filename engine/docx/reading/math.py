"""Equations (OMML, ECMA-376 Part 1, 22.1) as LaTeX.

[x] fractions, radicals, scripts, pre-scripts, n-ary operators, delimiters, functions, limits,
accents, bars, groups
[x] matrices, equation arrays, boxes, phantoms, styled runs, text  [x] tracked changes inside  [-]
sizes and alignment An element that is not known gives what it holds: nothing is lost but its shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from redraft.engine.docx.names import W_DEL, W_INS, W_MOVE_FROM, W_MOVE_TO, Element, M
from redraft.engine.docx.property_values import is_on_text
from redraft.engine.docx.reading.math_symbols import (
    ACCENTS,
    FENCES,
    FUNCTIONS,
    GROUPS,
    OPERATORS,
    WIDE,
    characters,
    words,
)
from redraft.engine.model import View

_LOOSE = re.compile(r"(\\[A-Za-z]+) +(?![A-Za-z])")
_SINGLE = re.compile(r"[A-Za-z0-9]|\\[A-Za-z]+ ?")
_OPERATOR = re.compile(
    r"\\(?:lim|max|min|sup|inf|limsup|liminf|det|gcd|Pr|sum|prod|int)\b ?$|\\operatorname"
)
_STACK = "\\genfrac{}{}{0pt}{}"
_NEXT_LINE = " \\\\ "
_FACES = {
    "double-struck": "mathbb", "fraktur": "mathfrak", "script": "mathcal",
    "sans-serif": "mathsf", "monospace": "mathtt",
}  # fmt: skip


_WITH_PROPERTIES = (
    "acc arg bar borderBox box ctrl d eqArr f func groupChr limLow limUpp m mc nary oMathPara "
    "phant rad r sPre sSub sSubSup sSup"
)
_PROPERTIES = frozenset(M(f"{name}Pr") for name in _WITH_PROPERTIES.split())


def latex(equation: Element, view: View = "final") -> str:
    """The LaTeX of an `m:oMath`, without delimiters; empty for an empty equation.

    Args:
        equation: The element.
        view: Whether tracked insertions or deletions inside it count; the markup view reads as
            final.
    """
    source = _Reader(view).inside(equation)
    return " ".join(_LOOSE.sub(r"\1", source).split())


class _Reader:
    """Turns elements into LaTeX by their tag."""

    def __init__(self, view: View) -> None:
        left_out = (W_INS, W_MOVE_TO) if view == "original" else (W_DEL, W_MOVE_FROM)
        self._left_out = frozenset(left_out)
        self._handlers: dict[str, Callable[[Element], str]] = {
            M("r"): self._run,
            M("f"): self._fraction,
            M("rad"): self._radical,
            M("sSup"): self._scripts,
            M("sSub"): self._scripts,
            M("sSubSup"): self._scripts,
            M("sPre"): self._before,
            M("nary"): self._operator,
            M("d"): self._delimited,
            M("func"): self._function,
            M("limLow"): self._limit,
            M("limUpp"): self._limit,
            M("acc"): self._accent,
            M("bar"): self._bar,
            M("groupChr"): self._group,
            M("borderBox"): lambda element: f"\\boxed{{{self._part(element, 'e')}}}",
            M("phant"): self._phantom,
            M("eqArr"): self._array,
            M("m"): self._matrix,
        }

    def inside(self, element: Element) -> str:
        """The LaTeX of everything an element holds."""
        return "".join(self._one(child) for child in element)

    def _one(self, element: Element) -> str:
        tag = element.tag
        if tag in self._left_out or tag in _PROPERTIES:
            return ""
        handler = self._handlers.get(tag)
        return self.inside(element) if handler is None else handler(element)

    def _part(self, element: Element, name: str) -> str:
        part = element.find(M(name))
        return "" if part is None else self.inside(part).strip()

    def _run(self, run: Element) -> str:
        text = "".join(node.text or "" for node in run.iter(M("t")))
        properties = run.find(M("rPr"))
        if properties is None:
            return characters(text)
        if _switch(properties, "nor"):
            return words(text)
        plain = text.strip()
        if plain in FUNCTIONS:
            return f"\\{plain} "
        face = _FACES.get(_value(properties, "scr"), "")
        style = _value(properties, "sty")
        if not face and style in ("b", "bi"):
            face = "mathbf" if style == "b" else "boldsymbol"
        elif not face and style == "p" and len(plain) > 1 and plain.isalpha() and plain.isascii():
            face = "mathrm"
        written = characters(text)
        return f"\\{face}{{{written.strip()}}}" if face and written.strip() else written

    def _fraction(self, element: Element) -> str:
        top, bottom = self._part(element, "num"), self._part(element, "den")
        kind = _value(element.find(M("fPr")), "type")
        if kind in ("lin", "skw"):
            return f"{_grouped(top)}/{_grouped(bottom)}"
        if kind == "noBar":
            return f"{_STACK}{{{top}}}{{{bottom}}}"
        return f"\\frac{{{top}}}{{{bottom}}}"

    def _radical(self, element: Element) -> str:
        degree = "" if _switch(element.find(M("radPr")), "degHide") else self._part(element, "deg")
        root = f"[{degree}]" if degree else ""
        return f"\\sqrt{root}{{{self._part(element, 'e')}}}"

    def _scripts(self, element: Element) -> str:
        return _grouped(self._part(element, "e")) + self._sub_sup(element)

    def _before(self, element: Element) -> str:
        return "{}" + self._sub_sup(element) + _grouped(self._part(element, "e"))

    def _sub_sup(self, element: Element) -> str:
        sub, sup = self._part(element, "sub"), self._part(element, "sup")
        return (f"_{{{sub}}}" if sub else "") + (f"^{{{sup}}}" if sup else "")

    def _operator(self, element: Element) -> str:
        properties = element.find(M("naryPr"))
        sign = _value(properties, "chr", "∫")
        sub = "" if _switch(properties, "subHide") else self._part(element, "sub")
        sup = "" if _switch(properties, "supHide") else self._part(element, "sup")
        limits = (f"_{{{sub}}}" if sub else "") + (f"^{{{sup}}}" if sup else "")
        return (
            f"{OPERATORS.get(sign) or characters(sign).strip()}{limits} {self._part(element, 'e')}"
        )

    def _delimited(self, element: Element) -> str:
        properties = element.find(M("dPr"))
        begin, end = _value(properties, "begChr", "("), _value(properties, "endChr", ")")
        between = _fence(_value(properties, "sepChr", "|"))
        inner = between.join(self.inside(part).strip() for part in element.iterchildren(M("e")))
        if begin == "(" and end == ")" and inner.startswith(_STACK) and _is_one(element, "f"):
            return inner.replace(_STACK, "\\binom", 1)
        if not begin and not end:
            return f"{{{inner}}}"
        return f"\\left{_fence(begin)}{inner}\\right{_fence(end)}"

    def _function(self, element: Element) -> str:
        name = self._part(element, "fName")
        if name.isalpha():
            name = f"\\{name} " if name in FUNCTIONS else f"\\operatorname{{{name}}}"
        elif name.startswith("\\mathrm{"):
            name = name.replace("\\mathrm", "\\operatorname", 1)
        return f"{name}{{{self._part(element, 'e')}}}"

    def _limit(self, element: Element) -> str:
        base, limit = self._part(element, "e"), self._part(element, "lim")
        is_below = element.tag == M("limLow")
        if base in FUNCTIONS:
            base = f"\\{base}"
        if _OPERATOR.match(base) or base.startswith(("\\underbrace", "\\overbrace")):
            return f"{base}{'_' if is_below else '^'}{{{limit}}}"
        return f"\\{'underset' if is_below else 'overset'}{{{limit}}}{{{base}}}"

    def _accent(self, element: Element) -> str:
        base = self._part(element, "e")
        name = ACCENTS.get(_value(element.find(M("accPr")), "chr", "\u0302"), "hat")
        if _SINGLE.fullmatch(base) is None:
            name = WIDE.get(name, name)
        return f"\\{name}{{{base}}}"

    def _bar(self, element: Element) -> str:
        is_top = _value(element.find(M("barPr")), "pos", "bot") == "top"
        return f"\\{'overline' if is_top else 'underline'}{{{self._part(element, 'e')}}}"

    def _group(self, element: Element) -> str:
        properties = element.find(M("groupChrPr"))
        sign, base = _value(properties, "chr", "⏟"), self._part(element, "e")
        command = GROUPS.get(sign)
        if command is not None:
            return f"{command}{{{base}}}"
        side = "overset" if _value(properties, "pos", "bot") == "top" else "underset"
        return f"\\{side}{{{characters(sign).strip()}}}{{{base}}}"

    def _phantom(self, element: Element) -> str:
        base = self._part(element, "e")
        show = element.find(f"{M('phantPr')}/{M('show')}")
        is_hidden = show is not None and not is_on_text(show.get(M("val")))
        return f"\\phantom{{{base}}}" if is_hidden else base

    def _array(self, element: Element) -> str:
        lines = [self.inside(part).strip() for part in element.iterchildren(M("e"))]
        return f"\\begin{{aligned}}{_NEXT_LINE.join(lines)}\\end{{aligned}}"

    def _matrix(self, element: Element) -> str:
        rows = [
            " & ".join(self.inside(cell).strip() for cell in row.iterchildren(M("e")))
            for row in element.iterchildren(M("mr"))
        ]
        return f"\\begin{{matrix}}{_NEXT_LINE.join(rows)}\\end{{matrix}}"


def _grouped(base: str) -> str:
    """A base in braces unless it is one sign."""
    return base if _SINGLE.fullmatch(base) else f"{{{base}}}"


def _is_one(element: Element, name: str) -> bool:
    """Whether the only part of an element holds only one thing, of a kind."""
    parts = [child for part in element.iterchildren(M("e")) for child in part]
    return [part.tag for part in parts if part.tag not in _PROPERTIES] == [M(name)]


def _fence(sign: str) -> str:
    return FENCES.get(sign) or characters(sign).strip() or "."


def _value(properties: Element | None, name: str, default: str = "") -> str:
    """The `m:val` of a property; the default when the property is not there."""
    element = None if properties is None else properties.find(M(name))
    return default if element is None else element.get(M("val"), "")


def _switch(properties: Element | None, name: str) -> bool:
    element = None if properties is None else properties.find(M(name))
    return element is not None and is_on_text(element.get(M("val")))
