"""Two versions of a document made one redline, and the copies of several reviewers one file.

What `engine.editor` is for one document, for several: plain functions from files to files.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from redraft.engine import formats
from redraft.engine.errors import RefusedError, UnsupportedFormatError
from redraft.engine.report import EditReport, Signature, StoredVersion

if TYPE_CHECKING:  # loaded where it is used: the service compares in other processes
    from redraft.engine.compare.combining import Combined
    from redraft.engine.compare.redlining import Redline

_ONLY_WORD: Final = (
    "A comparison writes its changes into a Word document, and this one is a PDF; upload the Word "
    "document and compare it with the PDF"
)
_NO_DIFFERENCE: Final = "No difference can be a tracked change"


def compare(first: Path, second: Path, target: Path, signature: Signature) -> Redline:
    """Writes the first version with tracked changes that make it the second; nothing if none do.

    Of a PDF what is read is compared, word by word, without formatting; the result is a Word
    document.

    Raises:
        UnreadableError: a PDF without text.
        RefusedError: the second cannot be read as changes of the first.
    """
    from redraft.engine.compare.redlining import compare as compared

    pdfs = [formats.is_pdf(source.read_bytes()) for source in (first, second)]
    found = compared(
        _word_of(first),
        _word_of(second),
        signature,
        words_only=any(pdfs),
        has_placeholders=pdfs == [False, True],
    )
    if found.revisions:
        target.write_bytes(found.data)
    return found


def compare_versions(
    first: StoredVersion, second: StoredVersion, target: Path, signature: Signature
) -> EditReport:
    """Writes a version of a document with changes that make it another document, as one edit.

    Changes that stand in it already stay, and count as accepted.

    Args:
        first: The version.
        second: The other document, whose tracked changes count as accepted.
        target: Where the result goes; nothing is written where nothing differs.
        signature: Who compares, and when.

    Returns:
        What was done; the warnings name what differs and is no change.

    Raises:
        RefusedError: the first is no Word document.
        UnreadableError: the second is a PDF without text.
    """
    from redraft.engine.compare.redlining import compare as compared

    data = first.path.read_bytes()
    if formats.is_pdf(data):
        raise RefusedError(_ONLY_WORD)
    is_pdf = formats.is_pdf(second.path.read_bytes())
    found = compared(
        data,
        _word_of(second.path),
        signature,
        state=first.state,
        words_only=is_pdf,
        has_placeholders=is_pdf,
    )
    remains = tuple(f"Not in the changes: {sentence}" for sentence in found.remains)
    count = len(found.revisions)
    if not count:
        return EditReport(
            applied=False, summary=_NO_DIFFERENCE, warnings=remains, state=first.state
        )
    target.write_bytes(found.data)
    summary = f"{count} change{'' if count == 1 else 's'} from the comparison"
    return EditReport(True, summary, found.revisions, remains, found.state)


def _word_of(source: Path) -> bytes:
    """Returns a Word document as it is, a PDF as what is read of it."""
    data = source.read_bytes()
    if formats.detect(data, source.name) == "docx":
        return data
    from redraft.engine.transcript import redline as transcript

    return transcript.redline(data, data, b"")


def combine(
    base: Path, reviewed: Sequence[Path], names: Sequence[str], target: Path, signature: Signature
) -> Combined:
    """Writes a document with the changes of several reviewers, each under a name.

    Args:
        base: The document that was sent to them.
        reviewed: What came back.
        names: Of whom changes are that bear no name, one for each file.
        target: Where the result goes; nothing is written where nothing was changed.
        signature: The date of changes that bear none.

    Raises:
        UnsupportedFormatError: one of them is no Word document.
        RefusedError: one of them cannot be read as changes of the first.
    """
    from redraft.engine.compare.combining import Reviewed
    from redraft.engine.compare.combining import combine as combined

    for source in (base, *reviewed):
        if formats.detect(source.read_bytes(), source.name) != "docx":
            message = f"{source.name} is no .docx; only Word documents can be combined"
            raise UnsupportedFormatError(message)
    files = [Reviewed(f.read_bytes(), name) for f, name in zip(reviewed, names, strict=True)]
    outcome = combined(base.read_bytes(), files, signature)
    if outcome.revisions:
        target.write_bytes(outcome.data)
    return outcome
