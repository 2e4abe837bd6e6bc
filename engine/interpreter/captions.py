"""Captions of tables: `Table 2: Fees` over a table, or under it."""

from __future__ import annotations

import re
from collections.abc import Collection

from redraft.engine.interpreter.lines import Lines


def captioned(lines: Lines, tables: Collection[str], number: str) -> list[str]:
    """Returns the anchors of those tables beside which a caption with the number stands.

    The line above a table is its caption before the line below it is.
    """
    caption = re.compile(rf"(?:table|tabelle|tableau|tabla)\s+{re.escape(number)}\b", re.IGNORECASE)
    any_caption = re.compile(r"(?:table|tabelle|tableau|tabla)\s+\d", re.IGNORECASE)
    body = [line for line in lines.body if line.text.strip() or line.table]
    fitting: list[str] = []
    for anchor in tables:
        places = [at for at, line in enumerate(body) if line.table == anchor]
        if not places:
            continue
        above = body[places[0] - 1].text if places[0] else ""
        below = body[places[-1] + 1].text if places[-1] + 1 < len(body) else ""
        said = above if any_caption.match(above.strip()) else below
        if caption.match(said.strip()):
            fitting.append(anchor)
    return fitting
