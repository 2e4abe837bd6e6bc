"""LibreOffice Writer as a second opinion: all changes accepted or rejected by its commands.

A macro in a profile of its own loads each file, settles every change through the dispatcher, as the
menu does, and saves the outcome: as text, or as a Word document of LibreOffice's own writing.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

Action: TypeAlias = Literal["accept", "reject"]
Command: TypeAlias = Literal["accept", "reject", "compare"]

MACRO = """\
Sub Settle(list As String)
  Dim job As String
  Open list For Input As #1
  Do While Not Eof(1)
    Line Input #1, job
    If Len(job) > 0 Then SettleOne(Split(job, "|"))
  Loop
  Close #1
  StarDesktop.terminate()
End Sub

Sub SettleOne(parts)
  On Error Goto Failed
  Dim none()
  Dim hidden(0) As New com.sun.star.beans.PropertyValue
  hidden(0).Name = "Hidden"
  hidden(0).Value = True
  document = StarDesktop.loadComponentFromURL(parts(0), "_blank", 0, hidden())
  dispatcher = createUnoService("com.sun.star.frame.DispatchHelper")
  If UBound(parts) > 3 Then
    Dim other(0) As New com.sun.star.beans.PropertyValue
    other(0).Name = "URL"
    other(0).Value = parts(4)
    dispatcher.executeDispatch(document.CurrentController.Frame, parts(2), "", 0, other())
  Else
    dispatcher.executeDispatch(document.CurrentController.Frame, parts(2), "", 0, none())
  End If
  Dim saved(1) As New com.sun.star.beans.PropertyValue
  saved(0).Name = "FilterName"
  saved(0).Value = parts(3)
  saved(1).Name = "FilterOptions"
  saved(1).Value = "UTF8,LF,,,"
  document.storeToURL(parts(1), saved())
  document.close(True)
  Failed:
End Sub
"""
MODULE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Opinion"
 script:language="StarBasic">{code}</script:module>
"""
LIBRARY = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE library:library PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "library.dtd">
<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard"
 library:readonly="false" library:passwordprotected="false">
 <library:element library:name="Opinion"/></library:library>
"""
FILTERS = {".txt": "Text (encoded)", ".docx": "MS Word 2007 XML"}
SECONDS_A_FILE = 25


@dataclass(frozen=True, slots=True)
class Job:
    """A file to settle, or to compare with an earlier version, and where the outcome goes.

    That is a `.txt` or a `.docx`.
    """

    source: Path
    target: Path
    action: Command
    earlier: Path | None = None

    @property
    def line(self) -> str:
        """What the macro reads of it."""
        command = f".uno:{self.action.capitalize()}AllTrackedChanges"
        kind = FILTERS[self.target.suffix]
        if self.earlier is not None:
            command = ".uno:CompareDocuments"
        words = [self.source.as_uri(), self.target.as_uri(), command, kind]
        return "|".join([*words, *([] if self.earlier is None else [self.earlier.as_uri()])])


def settle(soffice: str | Path, jobs: Sequence[Job], folder: Path) -> None:
    """Settles files in one call of the program; of a file that stops it there is no target.

    Args:
        soffice: The program.
        jobs: What is to be settled, in this order.
        folder: Holds the profile.
    """
    profile = _profile(soffice, folder)
    left = list(jobs)
    while left:
        listed = folder / "jobs.txt"
        listed.write_text("".join(f"{job.line}\n" for job in left), encoding="utf-8")
        call = f'macro:///Standard.Opinion.Settle("{listed}")'
        _run([str(soffice), profile, "--headless", "--norestore", call], left)
        settled = [index for index, job in enumerate(left) if job.target.exists()]
        left = left[(settled[-1] + 1 if settled else 0) + 1 :]


def _run(call: Sequence[str], jobs: Sequence[Job]) -> None:
    """Runs the program until it ends, or until it has written nothing for a while."""
    before, since = -1, time.monotonic()
    process = subprocess.Popen(
        call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    while process.poll() is None:
        written = sum(job.target.exists() for job in jobs)
        if written != before:
            before, since = written, time.monotonic()
        elif time.monotonic() - since > SECONDS_A_FILE:
            os.killpg(process.pid, signal.SIGKILL)
        time.sleep(0.1)


def _profile(soffice: str | Path, folder: Path) -> str:
    """Returns the argument that names a profile with the macro; makes it where there is none."""
    profile = folder / "profile"
    setting = f"-env:UserInstallation={profile.as_uri()}"
    basic = profile / "user" / "basic" / "Standard"
    if not basic.exists():
        start = [str(soffice), setting, "--headless", "--terminate_after_init"]
        subprocess.run(start, check=True, capture_output=True, timeout=120)
        basic.mkdir(parents=True, exist_ok=True)
        escaped = MACRO.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
        (basic / "Opinion.xba").write_text(
            MODULE.format(code=escaped.replace(">", "&gt;")), encoding="utf-8"
        )
        (basic / "script.xlb").write_text(LIBRARY, encoding="utf-8")
    return setting


def text(soffice: str, file: Path, action: Action, folder: Path) -> str:
    """The body of `file` as text after its changes were resolved; `folder` holds the profile."""
    target = folder / f"{file.stem}-{action}.txt"
    settle(soffice, [Job(file, target, action)], folder)
    return target.read_text(encoding="utf-8-sig")
