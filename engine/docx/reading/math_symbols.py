"""Characters of equations as LaTeX."""
# ruff: noqa: RUF001  # signs are what this module is about

from __future__ import annotations

import re
import unicodedata

_NAMES = (
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf "
    "limsup ln log max min Pr sec sin sinh sup tan tanh"
)
FUNCTIONS = frozenset(_NAMES.split())

ACCENTS = {
    "\u0300": "grave", "\u0301": "acute", "\u0302": "hat", "\u0303": "tilde", "\u0304": "bar",
    "\u0305": "overline", "\u0306": "breve", "\u0307": "dot", "\u0308": "ddot",
    "\u030a": "mathring", "\u030c": "check", "\u20d6": "overleftarrow", "\u20d7": "vec",
    "\u20db": "dddot", "\u20e1": "overleftrightarrow", "\u20d0": "overleftarrow", "\u20d1": "vec",
    "^": "hat",
    "~": "tilde", "¯": "bar", "˙": "dot", "¨": "ddot", "ˇ": "check", "˘": "breve", "´": "acute",
    "`": "grave", "→": "vec", "←": "overleftarrow", "\u0332": "underline",
}  # fmt: skip
WIDE = {"hat": "widehat", "tilde": "widetilde", "bar": "overline", "vec": "overrightarrow"}

OPERATORS = {
    "∑": "\\sum", "∏": "\\prod", "∐": "\\coprod", "∫": "\\int", "∬": "\\iint", "∭": "\\iiint",
    "∮": "\\oint", "∯": "\\oiint", "∰": "\\oiiint", "⋃": "\\bigcup", "⋂": "\\bigcap",
    "⨆": "\\bigsqcup", "⋁": "\\bigvee", "⋀": "\\bigwedge", "⨁": "\\bigoplus",
    "⨂": "\\bigotimes", "⨀": "\\bigodot", "⨄": "\\biguplus",
}  # fmt: skip

GROUPS = {
    "⏟": "\\underbrace", "⏞": "\\overbrace", "⏝": "\\underparen", "⏜": "\\overparen",
    "⎵": "\\underbracket", "⎴": "\\overbracket",
}  # fmt: skip

FENCES = {
    "": ".", "(": "(", ")": ")", "[": "[", "]": "]", "{": "\\{", "}": "\\}", "|": "\\vert ",
    "∣": "\\vert ", "‖": "\\Vert ", "∥": "\\Vert ", "⌊": "\\lfloor ", "⌋": "\\rfloor ",
    "⌈": "\\lceil ", "⌉": "\\rceil ", "⟨": "\\langle ", "⟩": "\\rangle ", "〈": "\\langle ",
    "〉": "\\rangle ", "/": "/", "\\": "\\backslash ", "⟦": "\\llbracket ", "⟧": "\\rrbracket ",
}  # fmt: skip

_GREEK = (
    "αalpha βbeta γgamma δdelta εvarepsilon ζzeta ηeta θtheta ιiota κkappa λlambda μmu νnu "
    "ξxi "
    "πpi ρrho ςvarsigma σsigma τtau υupsilon φvarphi χchi ψpsi ωomega ΓGamma ΔDelta ΘTheta "
    "ΛLambda "
    "ΞXi ΠPi ΣSigma ΥUpsilon ΦPhi ΨPsi ΩOmega ϵepsilon ϑvartheta ϕphi ϱvarrho ϖvarpi ϰvarkappa"
)
_SIGNS = (
    "±pm ∓mp ×times ÷div ⋅cdot ∗ast ⋆star ∘circ ∙bullet •bullet ⊕oplus ⊖ominus ⊗otimes "
    "⊘oslash ⊙odot "
    "≤leq ≥geq ≠neq ≡equiv ≈approx ≅cong ≃simeq ∼sim ∝propto ≪ll ≫gg ≺prec ≻succ ⪯preceq "
    "⪰succeq "
    "∈in ∉notin ∋ni ⊂subset ⊃supset ⊆subseteq ⊇supseteq ∪cup ∩cap ∅emptyset ∖setminus ⊥perp "
    "∥parallel "
    "∧wedge ∨vee ¬neg ∀forall ∃exists ∄nexists ⊢vdash ⊨models ⊤top ∴therefore ∵because "
    "→to ←leftarrow ↔leftrightarrow ⇒Rightarrow ⇐Leftarrow ⇔Leftrightarrow ↦mapsto ↑uparrow "
    "↓downarrow "
    "⟶longrightarrow ⟹Longrightarrow ⟵longleftarrow ⇌rightleftharpoons ∞infty ∂partial ∇nabla "
    "√surd "
    "∑sum ∏prod ∐coprod ∫int ∬iint ∭iiint ∮oint ∠angle △triangle □square ◊diamond ℏhbar ℓell "
    "℘wp ℜRe "
    "ℑIm ℵaleph ′prime ″prime\\prime …ldots ⋯cdots ⋮vdots ⋱ddots ∣mid ‖Vert ⌊lfloor ⌋rfloor "
    "⌈lceil "
    "⌉rceil ⟨langle ⟩rangle 〈langle 〉rangle ≜triangleq ≔coloneqq ∶colon °degree †dagger "
    "‡ddagger ∎blacksquare "
    "↗nearrow ↘searrow ≲lesssim ≳gtrsim ⊕oplus ħhbar |vert"
)
COMMANDS = {word[0]: f"\\{word[1:]}" for word in f"{_GREEK} {_SIGNS}".split()}
_PLAIN = {
    "\\": "\\backslash ", "{": "\\{", "}": "\\}", "$": "\\$", "#": "\\#", "%": "\\%", "_": "\\_",
    "^": "\\hat{}", "~": "\\sim ", "−": "-", "–": "-", "\u00a0": "{\\ }", "\u2009": "\\,",
    "\u2003": "\\quad ", "\u2002": "\\enspace ", "\u2005": "\\:", "\u2004": "\\;", "\u200a": "\\,",
    "\u2061": "", "\u2062": "", "\u2063": "", "\u2064": "", "\u200b": "",
}  # fmt: skip
_ALPHABETS = (
    ("BOLD FRAKTUR", "mathfrak"), ("FRAKTUR", "mathfrak"), ("DOUBLE-STRUCK", "mathbb"),
    ("BOLD SCRIPT", "mathcal"), ("SCRIPT", "mathcal"), ("SANS-SERIF", "mathsf"),
    ("MONOSPACE", "mathtt"), ("BOLD ITALIC", "boldsymbol"), ("BOLD", "mathbf"), ("ITALIC", ""),
)  # fmt: skip
_TEXT_SPECIAL = re.compile(r"[\\{}$#%_&^~]")
_TEXT_NAMES = {"\\": "\\textbackslash{}", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}"}


def characters(text: str) -> str:
    """The LaTeX of characters in math; a command is followed by a blank."""
    return "".join(map(_character, text))


def words(text: str) -> str:
    r"""Ordinary words inside an equation: `\text{…}`."""
    escaped = _TEXT_SPECIAL.sub(lambda m: _TEXT_NAMES.get(m[0], f"\\{m[0]}"), text)
    return f"\\text{{{escaped}}}"


def _character(char: str) -> str:
    if char.isascii() and char.isalnum():
        return char
    command = COMMANDS.get(char)
    if command is not None:
        return f"{command} "
    plain = _PLAIN.get(char)
    if plain is not None:
        return plain
    if char == "\u210e":
        return "h"
    return _alphabetic(char) if ord(char) > 0x2000 else char


def _alphabetic(char: str) -> str:
    """A letter of the mathematical alphabets by its plain letter and its face."""
    name = unicodedata.name(char, "")
    plain = unicodedata.normalize("NFKC", char)
    if plain == char or not name.startswith(("MATHEMATICAL ", "DOUBLE-STRUCK", "SCRIPT", "BLACK-")):
        return char
    letter = characters(plain).strip()
    for face, command in _ALPHABETS:
        if face in name:
            return (
                f"\\{command}{{{letter}}}"
                if command
                else f"{letter} "
                if len(letter) > 1
                else letter
            )
    return letter
