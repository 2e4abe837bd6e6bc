"""What shells are given to complete the command line."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from redraft.command_line import COMMANDS, main
from redraft.shell_completion import flags_by_command

pytestmark = pytest.mark.process


def test_the_flags_are_those_of_the_parsers() -> None:
    flags = flags_by_command()
    assert set(flags) == {"", *COMMANDS}
    assert {"--view", "--json", "--include"} <= set(flags["read"])
    assert {"--plain", "--theme", "--server"} <= set(flags[""])


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        (["redraft", "rea"], {"read"}),
        (["redraft", "read", "--vi"], {"--view"}),
        (["redraft", "--the"], {"--theme"}),
        (["redraft", "edit", "con"], {"contract.docx"}),
    ],
)
def test_bash_completes_commands_flags_and_documents(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: list[str], offered: set[str]
) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    assert main(["completion", "bash"]) == 0
    (tmp_path / "contract.docx").touch()
    (tmp_path / "concept.txt").touch()
    words = " ".join(f"'{word}'" for word in line)
    asked = f"COMP_WORDS=({words}); COMP_CWORD={len(line) - 1}; _redraft; "
    asked += 'printf "%s\\n" "${COMPREPLY[@]}"'
    script = f"{capsys.readouterr().out}\n{asked}"
    ran = subprocess.run(
        [bash, "--norc", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert set(ran.stdout.split()) == offered
    assert ran.stderr == ""


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_scripts_of_other_shells_hold_every_command(
    capsys: pytest.CaptureFixture[str], shell: str
) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(name in script for name in COMMANDS)
    program = shutil.which(shell)
    if program is not None:
        subprocess.run([program, "-n"], input=script, text=True, check=True)
