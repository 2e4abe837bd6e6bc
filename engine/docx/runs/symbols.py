"""Signs of symbol fonts as Unicode: `w:sym`, and text in the private use area U+F020 to U+F0FF.

[x] Symbol  [x] Wingdings  [x] the signs of Wingdings 2 and 3, Webdings that documents use (boxes,
checks, arrows)
[-] other signs of those fonts: kept as they are
"""
# ruff: noqa: RUF001  # signs are what this module is about

from __future__ import annotations

import re
from typing import Final

_SYMBOL = dict(
    zip(
        range(0x20, 0x7F),
        " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾"
        "αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
        strict=True,
    )
) | dict(
    zip(
        range(0xA0, 0xFF),
        "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪€〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
        strict=True,
    )
)
_WINGDINGS = {0x81 + n: chr(0x2460 + n) for n in range(10)} | {
    0x5E + n: sign for n, sign in enumerate("♈♉♊♋♌♍♎♏♐♑♒♓")
} | {
    0x21: "✏", 0x22: "✂", 0x23: "✁", 0x28: "☎", 0x29: "✆", 0x2A: "✉", 0x34: "🗋", 0x36: "⌛",
    0x37: "⌨", 0x3A: "💻", 0x3C: "💾", 0x3E: "✇", 0x3F: "✍", 0x41: "✌", 0x43: "👍", 0x44: "👎",
    0x45: "☜", 0x46: "☞", 0x47: "☝", 0x48: "☟", 0x4A: "☺", 0x4B: "😐", 0x4C: "☹", 0x4D: "💣",
    0x4E: "☠", 0x51: "✈", 0x52: "☼", 0x53: "💧", 0x54: "❄", 0x58: "✠", 0x59: "✡", 0x5A: "☪",
    0x5B: "☯", 0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□", 0x70: "🞐", 0x71: "❑", 0x72: "❒",
    0x73: "⬧", 0x74: "⧫", 0x75: "◆", 0x76: "❖", 0x77: "⬥", 0x78: "⌧", 0x79: "⍓", 0x7A: "⌘",
    0x7C: "✿", 0x7D: "❝", 0x7E: "❞", 0x80: "⓪", 0x8C: "❶", 0x8D: "❷", 0x8E: "❸", 0x8F: "❹",
    0x90: "❺", 0x91: "❻", 0x92: "❼", 0x93: "❽", 0x94: "❾", 0x95: "❿", 0x9E: "·", 0x9F: "•",
    0xA0: "▪", 0xA1: "○", 0xA4: "◉", 0xA5: "◎", 0xA7: "▪", 0xA8: "◻", 0xAA: "✦", 0xAB: "★",
    0xAC: "✶", 0xAD: "✴", 0xAE: "✹", 0xAF: "✵", 0xB1: "⌖", 0xB2: "⟡", 0xB3: "⌑", 0xB5: "✪",
    0xB6: "✰", 0xC3: "⮘", 0xD5: "⌫", 0xD6: "⌦", 0xD8: "➢", 0xDC: "➲", 0xDF: "←", 0xE0: "→",
    0xE1: "↑", 0xE2: "↓", 0xE3: "↖", 0xE4: "↗", 0xE5: "↙", 0xE6: "↘", 0xE8: "➔", 0xEF: "⇦",
    0xF0: "⇨", 0xF1: "⇧", 0xF2: "⇩", 0xF3: "⬄", 0xF4: "⇳", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒",
    0xFE: "☑", 0xD7: "⌫", 0xE9: "⮤",
}  # fmt: skip
_WINGDINGS_2 = {
    0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x55: "⮽", 0x56: "⮾",
    0x97: "•", 0x98: "•", 0x99: "●", 0xA2: "■", 0xA3: "□", 0xAE: "◆",
}  # fmt: skip
_WINGDINGS_3 = {
    0x66: "←", 0x67: "→", 0x68: "↑", 0x69: "↓", 0x70: "▲", 0x71: "▼", 0x74: "◀", 0x75: "▶",
    0x7D: "▶", 0x84: "◀",
}  # fmt: skip
_WEBDINGS = {0x61: "✓", 0x72: "✕", 0x63: "□", 0x67: "■", 0x6E: "●", 0x34: "▶", 0x69: "ℹ"}
_FONTS: Final = {
    "symbol": _SYMBOL,
    "wingdings": _WINGDINGS,
    "wingdings 2": _WINGDINGS_2,
    "wingdings 3": _WINGDINGS_3,
    "webdings": _WEBDINGS,
}
PRIVATE: Final = re.compile("[\uf020-\uf0ff]")


def symbol(font: str, code: int) -> str:
    """A sign of a symbol font, U+FFFD when neither the font nor the code says which.

    Args:
        font: The name of the font.
        code: The code of the sign, with or without the offset U+F000 of the private use area.
    """
    plain = code - 0xF000 if 0xF000 <= code <= 0xF0FF else code
    table = _FONTS.get(font.strip().lower())
    if table is not None and plain in table:
        return table[plain]
    if 0x20 <= code < 0xD800 or 0xE000 <= code <= 0x10FFFF:
        return chr(code)
    return "\ufffd"


def without_private_use(text: str, font: str) -> str:
    """Text whose private use characters are replaced by the signs that the font shows there."""
    return PRIVATE.sub(lambda match: symbol(font, ord(match[0])), text)
