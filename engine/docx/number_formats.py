"""Numbers as lists write them: ECMA-376 Part 1, 17.18.59 (ST_NumberFormat).

[x] decimal forms, roman, letters, ordinals and cardinals in English, enclosed  [x] East Asian
counting
[x] kana, Hebrew, Cyrillic, Arabic, Thai letters
[-] ordinals of other languages (written as English)  [-] Thai and Hindi counting words (digits)
"""
# ruff: noqa: RUF001  # letters of many scripts are what this module is about

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_ONES = _WORDS.split()
_DECADES = "zero ten twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = _DECADES.split()
_IRREGULAR = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
    "nine": "ninth", "twelve": "twelfth",
}  # fmt: skip
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_RUSSIAN = "абвгдежзиклмнопрстуфхцчшщыэюя"
_HEBREW = "אבגדהוזחטיכלמנסעפצקרשת"
_ARABIC = "أبتثجحخدذرزسشصضطظعغفقكلمنهوي"
_ABJAD = "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ"
_KANA = (
    "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
)
_IROHA = (
    "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス"
)
_GANADA = "가나다라마바사아자차카타파하"
_CHOSUNG = "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"
_STEMS = "甲乙丙丁戊己庚辛壬癸"
_BRANCHES = "子丑寅卯辰巳午未申酉戌亥"
_THAI = "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ"
_FOOTNOTE_SIGNS = "*†‡§"
_CUSTOM = re.compile(r"0*1(?:,|$)")


@lru_cache(maxsize=4096)
def numeral(count: int, form: str, pattern: str = "") -> str:
    """A number in a format.

    Args:
        count: The number; one below 0 is written in digits.
        form: The value of `w:numFmt`; an unknown one is written in digits.
        pattern: `w:format` of a custom format, such as `001, 002, 003, ...`.
    """
    if form == "custom":
        match = _CUSTOM.match(pattern)
        return str(count).zfill(len(match[0].rstrip(",")) if match else 1)
    write = _FORMS.get(form)
    return str(count) if write is None or count < 0 else write(count)


def _roman(count: int) -> str:
    if not 0 < count < 32768:
        return str(count)
    out: list[str] = []
    for size, sign in _ROMAN:
        times, count = divmod(count, size)
        out.append(sign * times)
    return "".join(out)


def _repeated(alphabet: str) -> Callable[[int], str]:
    """Letters that double when the alphabet is through: z, aa, bb."""

    def write(count: int) -> str:
        if count < 1:
            return str(count)
        times, index = divmod(count - 1, len(alphabet))
        return alphabet[index] * min(times + 1, 30)

    return write


def _cycled(alphabet: str) -> Callable[[int], str]:
    """Signs that begin anew when the series is through."""
    return lambda count: alphabet[(count - 1) % len(alphabet)] if count > 0 else str(count)


def _cardinal(count: int) -> str:
    if count < 20:
        return _ONES[count]
    if count < 100:
        tens, ones = divmod(count, 10)
        return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")
    for size, name in ((1_000_000, "million"), (1000, "thousand"), (100, "hundred")):
        if count >= size:
            high, low = divmod(count, size)
            return f"{_cardinal(high)} {name}" + (f" {_cardinal(low)}" if low else "")
    return str(count)


def _ordinal(count: int) -> str:
    suffix = (
        "th" if count % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    )
    return f"{count}{suffix}"


def _ordinal_text(count: int) -> str:
    head, last = re.fullmatch(r"(.*?)(\w+)", _cardinal(count), re.DOTALL).groups()  # pyright: ignore[reportOptionalMemberAccess]
    if last in _IRREGULAR:
        last = _IRREGULAR[last]
    else:
        last = last[:-1] + "ieth" if last.endswith("y") else last + "th"
    return (head + last).capitalize()


def _shifted(first: int, last: int, low: int = 1) -> Callable[[int], str]:
    """A run of code points, digits beyond it."""

    def write(count: int) -> str:
        point = first + count - low
        return chr(point) if count >= low and point <= last else str(count)

    return write


def _digits(signs: str) -> Callable[[int], str]:
    return lambda count: "".join(signs[int(digit)] for digit in str(count))


def _counted(digits: str, units: str, *, drop_one: bool = True) -> Callable[[int], str]:
    """East Asian counting: digits with units for ten, hundred, thousand, up to 9999."""

    def write(count: int) -> str:
        if not 0 < count < 10_000:
            return digits[0] if count == 0 else str(count)
        out = ""
        gap = False
        for place, figure in zip(range(len(str(count)) - 1, -1, -1), str(count), strict=True):
            if figure == "0":
                gap = bool(out)
                continue
            drops_here = place > 0 if units is _JAPANESE else place == 1 and not out
            one = figure == "1" and drop_one and drops_here
            out += (digits[0] if gap and units is not _JAPANESE else "") + (
                "" if one else digits[int(figure)]
            )
            out += units[place].strip()
            gap = False
        return out

    return write


def _hebrew(count: int) -> str:
    """Letters as figures, with 15 and 16 written by sums that are not the Name."""
    if not 0 < count < 1000:
        return str(count)
    out = "ת" * (count // 400) + ["", "ק", "ר", "ש"][count % 400 // 100]
    count %= 100
    if count in (15, 16):
        return out + ("טו" if count == 15 else "טז")
    tens = ["", "י", "כ", "ל", "מ", "נ", "ס", "ע", "פ", "צ"][count // 10]
    return out + tens + ("" if count % 10 == 0 else _HEBREW[count % 10 - 1])


_JAPANESE = " 十百千"
_CHINESE = " 十百千 "
_FORMAL = " 拾佰仟"
_PLAIN_DIGITS = "〇一二三四五六七八九"
_FORMS: dict[str, Callable[[int], str]] = {
    "none": lambda _count: "",
    "bullet": lambda _count: "",
    "decimalZero": lambda count: f"{count:02d}",
    "lowerRoman": _roman,
    "upperRoman": lambda count: _roman(count).upper(),
    "lowerLetter": _repeated(_LATIN),
    "upperLetter": _repeated(_LATIN.upper()),
    "ordinal": _ordinal,
    "cardinalText": lambda count: _cardinal(count).capitalize(),
    "ordinalText": _ordinal_text,
    "hex": lambda count: f"{count:X}",
    "chicago": _repeated(_FOOTNOTE_SIGNS),
    "numberInDash": lambda count: f"- {count} -",
    "decimalEnclosedCircle": _shifted(0x2460, 0x2473),
    "decimalEnclosedCircleChinese": _shifted(0x2460, 0x2473),
    "decimalEnclosedParen": _shifted(0x2474, 0x2487),
    "decimalEnclosedFullstop": _shifted(0x2488, 0x249B),
    "ideographEnclosedCircle": _shifted(0x3280, 0x3289),
    "decimalFullWidth": _digits("０１２３４５６７８９"),
    "decimalFullWidth2": _digits("０１２３４５６７８９"),
    "ideographDigital": _digits(_PLAIN_DIGITS),
    "japaneseDigitalTenThousand": _digits(_PLAIN_DIGITS),
    "taiwaneseDigital": _digits("○一二三四五六七八九"),
    "koreanDigital": _digits("영일이삼사오육칠팔구"),
    "koreanDigital2": _digits("零一二三四五六七八九"),
    "hindiNumbers": _digits("०१२३४५६७८९"),
    "thaiNumbers": _digits("๐๑๒๓๔๕๖๗๘๙"),
    "japaneseCounting": _counted(_PLAIN_DIGITS, _JAPANESE),
    "japaneseLegal": _counted("零壱弐参四伍六七八九", " 拾百阡", drop_one=False),
    "chineseCounting": _counted("○一二三四五六七八九", _CHINESE),
    "chineseCountingThousand": _counted(_PLAIN_DIGITS, _CHINESE),
    "taiwaneseCounting": _counted("○一二三四五六七八九", _CHINESE),
    "taiwaneseCountingThousand": _counted(_PLAIN_DIGITS, _CHINESE),
    "chineseLegalSimplified": _counted("零壹贰叁肆伍陆柒捌玖", _FORMAL, drop_one=False),
    "ideographLegalTraditional": _counted("零壹貳參肆伍陸柒捌玖", _FORMAL, drop_one=False),
    "koreanCounting": _counted("영일이삼사오육칠팔구", " 십백천"),
    "ideographTraditional": _cycled(_STEMS),
    "ideographZodiac": _cycled(_BRANCHES),
    "ideographZodiacTraditional": lambda count: _cycled(_STEMS)(count) + _cycled(_BRANCHES)(count),
    "aiueo": _cycled(_KANA),
    "aiueoFullWidth": _cycled(_KANA),
    "iroha": _cycled(_IROHA),
    "irohaFullWidth": _cycled(_IROHA),
    "ganada": _cycled(_GANADA),
    "chosung": _cycled(_CHOSUNG),
    "hebrew1": _hebrew,
    "hebrew2": _repeated(_HEBREW),
    "arabicAlpha": _repeated(_ARABIC),
    "arabicAbjad": _repeated(_ABJAD),
    "russianLower": _repeated(_RUSSIAN),
    "russianUpper": _repeated(_RUSSIAN.upper()),
    "thaiLetters": _cycled(_THAI),
}  # fmt: skip
