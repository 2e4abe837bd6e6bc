"""Makes a PDF of a Word document with LibreOffice, where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from redraft.engine.errors import RefusedError

_SECONDS: Final = 180
_NAMES: Final = ("soffice", "libreoffice")
_MISSING: Final = (
    "a PDF is made by LibreOffice, and it is not installed; install it, or export to .html"
)
_FAILED: Final = "LibreOffice could not make a PDF of it; export to .html instead"


def as_pdf(document: Path) -> bytes:
    """Returns a Word document as PDF, its tracked changes shown as LibreOffice draws them.

    Args:
        document: A .docx.

    Raises:
        RefusedError: LibreOffice is not installed, or it failed.
    """
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        raise RefusedError(_MISSING)
    with TemporaryDirectory() as folder:
        # A profile of its own: a LibreOffice that is open would take the file and answer nothing.
        profile = (Path(folder) / "profile").as_uri()
        command = [program, f"-env:UserInstallation={profile}", "--headless", "--convert-to", "pdf"]
        try:
            subprocess.run(  # noqa: S603
                [*command, "--outdir", folder, str(document.resolve())],
                capture_output=True,
                check=False,
                timeout=_SECONDS,
            )
        except subprocess.TimeoutExpired:
            raise RefusedError(_FAILED) from None
        made = Path(folder) / f"{document.stem}.pdf"
        if not made.exists():
            raise RefusedError(_FAILED)
        return made.read_bytes()
