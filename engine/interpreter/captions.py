"""What tables are called: captions such as `Table 2: Fees`, headings, the line above."""

from __future__ import annotations

import re
from collections.abc import Collection

from redraft.engine.interpreter.lines import Lines, folded
from redraft.engine.interpreter.outline import stems


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


def tables_called(lines: Lines, tables: Collection[str], name: str) -> list[str]:
    """Returns the tables with the words in their first row, the line before them, or heading."""
    wanted = set(stems(folded(name)))
    fitting: list[str] = []
    for anchor in tables:
        inside = [line for line in lines.body if line.table == anchor]
        if not inside:
            continue
        index = lines.body.index(inside[0])
        spoken = [line.text for line in inside if line.row == inside[0].row]
        above = [line for line in lines.body[:index] if line.table != anchor][-1:]
        spoken += [line.text for line in above if not line.table and len(line.text) < 120]
        spoken += [line.text for line in lines.body if line.anchor in inside[0].headings[-1:]]
        if wanted and any(wanted <= set(stems(folded(text))) for text in spoken):
            fitting.append(anchor)
    return fitting
