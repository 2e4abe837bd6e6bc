"""Dates of content controls: what a person writes, and how Word shows it.

ECMA-376 Part 1, 17.5.2.8 (dateFormat): the letters of `d`, `M` and `y` say day, month and year.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Final

_MONTHS: Final = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre",
}
_DAYS: Final = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
}
_WRITTEN: Final = ("%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%SZ", "%Y/%m/%d")
_NAMED: Final = re.compile(
    r"(?:(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?P<month>[^\W\d]+)\.?"
    r"|(?P<month2>[^\W\d]+)\.?\s+(?P<day2>\d{1,2})(?:st|nd|rd|th)?),?\s+(?P<year>\d{4})"
)
_LETTERS: Final = re.compile(r"'[^']*'|d{1,4}|M{1,4}|y{1,4}|.", re.DOTALL)


def parsed(text: str) -> date | None:
    """Returns the date that a text says without doubt; None for any other.

    `2026-05-01`, `1 May 2026`, `May 1, 2026`, also in German, French and Spanish. `01/05/2026` is
    one day here and another there, and not read.
    """
    text = " ".join(text.split())
    for form in _WRITTEN:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC).date()
        except ValueError:
            continue
    match = _NAMED.fullmatch(text)
    if match is None:
        return None
    word = (match["month"] or match["month2"]).casefold()
    for names in _MONTHS.values():
        for number, name in enumerate(names.split(), start=1):
            if name.casefold() == word or (len(word) >= 3 and name.casefold().startswith(word)):
                try:
                    return date(int(match["year"]), number, int(match["day"] or match["day2"]))
                except ValueError:
                    return None
    return None


def shown(day: date, form: str, language: str) -> str | None:
    """Returns a date as a control shows it.

    Args:
        day: The date.
        form: As `d MMMM yyyy`; empty for Word's short form.
        language: As `de-CH`.

    Returns:
        None when names are wanted in a language that is not known here.
    """
    form = form or "yyyy-MM-dd"
    speech = language[:2].lower() or "en"
    if speech not in _MONTHS and ("MMM" in form or "ddd" in form):
        return None
    months = _MONTHS.get(speech, _MONTHS["en"]).split()
    days = _DAYS.get(speech, _DAYS["en"]).split()
    values: dict[str, str] = {
        "d": str(day.day),
        "dd": f"{day.day:02}",
        "ddd": days[day.weekday()][:3],
        "dddd": days[day.weekday()],
        "M": str(day.month),
        "MM": f"{day.month:02}",
        "MMM": months[day.month - 1][:3],
        "MMMM": months[day.month - 1],
        "y": str(day.year % 100),
        "yy": f"{day.year % 100:02}",
        "yyy": str(day.year),
        "yyyy": str(day.year),
    }
    parts = [str(part) for part in _LETTERS.findall(form)]
    return "".join([values.get(part, part.strip("'")) for part in parts])
