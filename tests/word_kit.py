"""Sixty redlines and a macro to be run once with Word: what it leaves of them is compared here.

    make word-kit                        writes build/word-kit
    (in Word, from that folder: import settle.bas, run SettleAll)
    python -m tests.word_kit compare     says where Word leaves something else

Word opens each redline, accepts or rejects all changes, and saves; the upload and the copy in which
our changes are accepted are opened and saved the same way, so that what Word makes of any file
counts for nothing. The first files are those of `tests/engine_limits.py`: there other engines do
not agree, and the kit asks Word. Those behind them are tracked moves.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, get_args

from redraft.engine.plan import Operation
from tests.engine.docx.test_hunt import full
from tests.engine.docx.test_second_opinions import edited, moved, shown
from tests.engine_limits import LIMITS
from tests.libreoffice import Job
from tests.second_opinions import Program, Version, disagreements, reading

FOLDER: Final = Path("build") / "word-kit"
FILES: Final = 60
MACRO: Final = """\
Attribute VB_Name = "Settle"
' Accepts or rejects all changes of the files that jobs.txt names, and saves each under a new name.
Sub SettleAll()
    Dim folder As String, job As String, parts() As String, opened As Document
    folder = ActiveDocument.Path & Application.PathSeparator
    Open folder & "jobs.txt" For Input As #1
    Do While Not EOF(1)
        Line Input #1, job
        parts = Split(job, "|")
        If UBound(parts) = 2 Then
            Set opened = Documents.Open(FileName:=folder & parts(0), AddToRecentFiles:=False)
            If opened.ProtectionType <> wdNoProtection Then opened.Unprotect
            opened.TrackRevisions = False
            If parts(2) = "accept" Then opened.AcceptAllRevisions Else opened.RejectAllRevisions
            opened.SaveAs2 FileName:=folder & parts(1), FileFormat:=wdFormatXMLDocument
            opened.Close SaveChanges:=False
        End If
    Loop
    Close #1
End Sub
"""
START: Final = (
    "Open the first file of this folder in Word, import settle.bas (Alt+F11, File, Import)"
)


def versions(files: int = FILES) -> list[Version]:
    """The first redlines of the kit, always the same."""
    listed = [*(shown(limit) for limit in LIMITS), *moved()]
    kinds: tuple[type[Operation], ...] = get_args(Operation)
    made: list[Version] = []
    number = 0
    while len(listed) + len(made) < files:
        version = edited(f"kit {number}", full(number).data, kinds)
        made += [version] if version else []
        number += 1
    return [*listed, *made]


def prepare(folder: Path, made: Sequence[Version]) -> None:
    """Writes the files, the list of what is to be done, and the macro."""
    folder.mkdir(parents=True, exist_ok=True)

    def listing(jobs: Sequence[Job], _folder: Path) -> None:
        lines = [f"{job.source.name}|{job.target.name}|{job.action}\r\n" for job in jobs]
        (folder / "jobs.txt").write_text("".join(lines), encoding="ascii", newline="")

    list(disagreements(Program(listing, reading), made, folder))
    (folder / "settle.bas").write_text(MACRO, encoding="ascii", newline="\r\n")


def compare(folder: Path, made: Sequence[Version]) -> list[str]:
    """Gives where Word leaves something else, or has not settled a file."""

    def settled(_jobs: Sequence[Job], _folder: Path) -> None:
        """Word has done it."""

    settled_files = [*folder.glob("*-settled.docx"), *folder.glob("*-expected.docx")]
    left = len(made) * 4 - len(settled_files)
    told = [str(each) for each in disagreements(Program(settled, reading), made, folder)]
    return [*([f"{left} files are not settled yet"] if left else []), *told]


if __name__ == "__main__":
    if sys.argv[1:] == ["compare"]:
        faults = compare(FOLDER, versions())
        sys.stdout.write("\n".join(faults or ["Word leaves what it should of every file"]) + "\n")
        sys.exit(1 if faults else 0)
    prepare(FOLDER, versions())
    sys.stdout.write(f"{FILES} redlines in {FOLDER}. {START}, and run SettleAll.\n")
