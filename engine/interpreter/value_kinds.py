"""What sort of value a text is: a date, an amount, a duration, an address."""

from __future__ import annotations

import re
from dataclasses import dataclass

MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|januar|februar|märz|mai|juni|juli|oktober|dezember"
    "|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre"
    "|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"
    "|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec"
)
_UNITS = (
    "days?|weeks?|months?|years?|hours?|minutes?|tagen?|tage|wochen?|monaten?|monate|jahren?|jahre"
    "|jours?|semaines?|mois|ans|années?|heures?|días?|semanas?|mes(?:es)?|años?|horas?"
)
_WRITTEN = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    "|sixteen|seventeen|eighteen|nineteen"
    "|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\\w+)?"
    "|einem?|einen|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|vierzehn|achtzehn"
    "|zwanzig|dreißig|vierzig|fünfzig|sechzig|neunzig"
    "|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|quinze|vingt|trente|soixante"
    "|una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|quince|veinte|treinta|sesenta"
)
_DIGITS = r"\d+(?:[.,'\u00a0\u202f ]\d{3}(?!\d))*(?:[.,]\d+)?"
_NUMBER = rf"(?:[a-zäöüß-]+ \(\d+\)|\d+(?:[.,]\d+)*|(?:{_WRITTEN}))"
KINDS: dict[str, re.Pattern[str]] = {
    "date": re.compile(
        rf"(?:\d{{1,2}}(?:st|nd|rd|th|\.)? (?:de )?(?:{MONTHS})\.?,?(?: (?:de )?\d{{4}})?"
        rf"|(?:{MONTHS})\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?(?!\d)"
        r"|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2})",
        re.IGNORECASE,
    ),
    "money": re.compile(
        rf"(?:(?:(?:USD|EUR|GBP|CHF|US)\s?)?[$€£]\s?{_DIGITS}(?:\s?(?:million|billion|k|m))?\b"
        rf"|(?:USD|EUR|GBP|CHF)\s?{_DIGITS}"
        rf"|{_DIGITS}\s?(?:€|(?:euros?|EUR|USD|CHF|GBP|dollars?|pounds)\b))",
        re.IGNORECASE,
    ),
    "percent": re.compile(r"\d+(?:[.,]\d+)?\s?(?:%|(?:percent|per cent|Prozent)\b)", re.IGNORECASE),
    "duration": re.compile(
        rf"\b{_NUMBER}[ -](?:(?:calendar|business|working) )?(?:{_UNITS})\b", re.IGNORECASE
    ),
    "email": re.compile(r"[\w.+-]+@(?:[\w-]+\.)+\w+"),
    "phone": re.compile(r"\+?\(?\d{2,6}\)?(?:[ .-]\(?\d{2,6}\)?){2,4}"),
    "time": re.compile(r"\d{1,2}:\d{2}(?:\s?[ap]\.?m\b\.?)?|\d{1,2}\s?[ap]m\b", re.I),
    "law": re.compile(
        r"(?<=\blaws of )(?:the )?(?:(?:State|Commonwealth|Province|Republic) of )?"
        r"[A-Z]\w+(?: (?:and )?[A-Z]\w+)*"
    ),
}


@dataclass(frozen=True, slots=True)
class Kind:
    """What sort of value it is, and for durations what they count."""

    name: str
    unit: str = ""


def kind_of(text: str) -> Kind | None:
    """Returns the sort of value that a text is and nothing else; None for other words."""
    for name, pattern in KINDS.items():
        if name != "law" and pattern.fullmatch(text.strip()):
            return Kind(name, unit_of(text) if name in ("duration", "date") else "")
    return None


def unit_of(text: str) -> str:
    """What a duration counts; whether a date has a year."""
    if KINDS["date"].fullmatch(text.strip()):
        return "year" if re.search(r"\d{4}", text) else "day"
    counted = re.search(rf"(?:(?:calendar|business|working) )?(?:{_UNITS})$", text.casefold())
    return counted[0].rstrip("s") if counted else ""
