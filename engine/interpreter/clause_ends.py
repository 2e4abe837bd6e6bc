"""Where a clause ends whose text no heading closes."""

from __future__ import annotations

from redraft.engine.errors import RefusedError
from redraft.engine.interpreter.lines import Lines
from redraft.engine.interpreter.structure import Region
from redraft.engine.model import Heading


def end_of(region: Region) -> str:
    """Where a place ends for what goes behind it: before a table that its text does not announce.

    The last clause of a document does not take in what stands behind it.
    """
    first = region.lines[0]
    tables = [at for at, line in enumerate(region.lines) if line.table]
    is_clause = region.kind == "section" and not isinstance(first.block, Heading)
    if not is_clause or not tables or not tables[0]:
        return region.last
    before = region.lines[tables[0] - 1]
    return region.last if before.text.rstrip().endswith(":") else before.anchor


def refuse_unclear_end(lines: Lines, region: Region, *, is_place: bool = False) -> None:
    """Refuses a last clause behind which text without a number stands.

    Args:
        lines: The document.
        region: The clause.
        is_place: Whether something goes beside it, and it is not the clause that goes.

    Raises:
        RefusedError: Nothing says where its text ends.
    """
    if region.kind not in ("section", "bullet") or len(region.lines) < 2:
        return
    clause = next((one for one in lines.clauses if one.line is region.lines[0]), None)
    if clause is None or clause.level is not None:
        return
    if not clause.is_numbered:
        message = f"Nothing says where the text below “{clause.title}” ends; name its paragraphs"
        raise RefusedError(message)
    is_last = not any(one.is_numbered and one.start >= clause.end for one in lines.clauses)
    numbers = {one.line.anchor for one in lines.clauses}
    loose = [line for line in region.lines[1:] if line.anchor not in numbers and line.text.strip()]
    loose = [line for line in loose if not (is_place and line.table)]
    if is_last and loose and lines.body[clause.end - 1] in region.lines:
        message = (
            f"Nothing says whether the text behind {region.label} belongs to it; name its"
            ' paragraphs, as: the paragraph containing "A"'
        )
        raise RefusedError(message)
