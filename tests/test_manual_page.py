"""The manual page says what the parsers say, and troff reads it without complaint."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from redraft.command_line import COMMANDS
from redraft.manual_page import page
from redraft.shell_completion import flags_by_command

PAGE = Path(__file__).parents[1] / "docs" / "redraft.1"


def test_the_written_page_is_what_the_parsers_say() -> None:
    assert PAGE.read_text("utf-8") == page()


def test_every_command_and_flag_is_on_the_page() -> None:
    text = page().replace("\\-", "-")
    assert [name for name in COMMANDS if f".B {name}" not in text] == []
    flags = {flag for names in flags_by_command().values() for flag in names}
    assert [flag for flag in sorted(flags - {"--help"}) if flag not in text] == []


@pytest.mark.process
def test_troff_reads_the_page() -> None:
    groff = shutil.which("groff")
    if groff is None:
        pytest.skip("there is no groff")
    ran = subprocess.run(
        [groff, "-man", "-Tutf8", "-ww", str(PAGE)], capture_output=True, text=True, check=True
    )
    assert ran.stderr == ""
    assert "edit .docx and .pdf documents" in ran.stdout
