"""Paragraphs called by a code that they begin with: `delete REQ-014`."""

from __future__ import annotations

import re

from redraft.engine.errors import RefusedError
from redraft.engine.interpreter.commands import Value
from redraft.engine.interpreter.lines import Line, Lines

_CODE = re.compile(r"(?=\S*\d)[A-Z]{1,6}(?:[-.]?[A-Z\d]+)+")


def coded(lines: Lines, value: Value) -> Line | None:
    """Returns the only paragraph that begins with a code; None where the words are no code.

    Raises:
        RefusedError: It is not certain that the paragraph is meant, and not the words.
    """
    code = value.text
    if value.is_quoted or not _CODE.fullmatch(code):
        return None
    begins = re.compile(re.escape(code) + r"(?![\w-])\s*[:.)\t\u2013\u2014-]?\s*(?=\S)")
    starting = [line for line in lines.lines if begins.match(line.text)]
    if not starting:
        return None
    if len(starting) > 1 or starting[0].table:
        message = (
            f"It is not clear whether the words “{code}” are meant, or what begins with them;"
            f' write: the paragraph starting with "{code}", or the row with "{code}", or put the'
            " words in quotes"
        )
        raise RefusedError(message)
    return starting[0]
