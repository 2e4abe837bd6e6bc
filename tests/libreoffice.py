"""LibreOffice Writer as a second opinion: all changes of a file accepted or rejected, as text.

A macro in a profile of its own loads the file, resolves every change and saves plain text.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Literal, TypeAlias

Action: TypeAlias = Literal["accept", "reject"]

MACRO = """\
Sub Resolve(source As String, target As String, command As String)
  Dim none()
  Dim hidden(0) As New com.sun.star.beans.PropertyValue
  hidden(0).Name = "Hidden"
  hidden(0).Value = True
  document = StarDesktop.loadComponentFromURL(source, "_blank", 0, hidden())
  dispatcher = createUnoService("com.sun.star.frame.DispatchHelper")
  dispatcher.executeDispatch(document.CurrentController.Frame, command, "", 0, none())
  Dim saved(1) As New com.sun.star.beans.PropertyValue
  saved(0).Name = "FilterName"
  saved(0).Value = "Text (encoded)"
  saved(1).Name = "FilterOptions"
  saved(1).Value = "UTF8,LF,,,"
  document.storeToURL(target, saved())
  document.close(True)
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


def text(soffice: str, file: Path, action: Action, folder: Path) -> str:
    """The body of `file` as text after its changes were resolved; `folder` holds the profile."""
    profile = folder / "profile"
    basic = profile / "user" / "basic" / "Standard"
    if not basic.exists():
        setting = f"-env:UserInstallation={profile.as_uri()}"
        start = [soffice, setting, "--headless", "--terminate_after_init"]
        subprocess.run(start, check=True, capture_output=True, timeout=120)
        basic.mkdir(parents=True, exist_ok=True)
        escaped = MACRO.replace("&", "&amp;").replace('"', "&quot;")
        (basic / "Opinion.xba").write_text(MODULE.format(code=escaped), encoding="utf-8")
        (basic / "script.xlb").write_text(LIBRARY, encoding="utf-8")
    target = folder / f"{file.stem}-{action}.txt"
    command = f".uno:{action.capitalize()}AllTrackedChanges"
    call = f'macro:///Standard.Opinion.Resolve("{file.as_uri()}","{target.as_uri()}","{command}")'
    subprocess.run(
        [soffice, f"-env:UserInstallation={profile.as_uri()}", "--headless", call],
        check=True,
        capture_output=True,
        timeout=120,
    )
    return target.read_text(encoding="utf-8-sig")
