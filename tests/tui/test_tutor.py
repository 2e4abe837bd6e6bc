"""Every line that the tutor offers does what its step says, on the real sample and service."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from redraft import command_line
from redraft.tui.tutor import STEPS

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform == "win32", reason="starts a service"),
]


def test_every_line_that_the_tutor_offers_does_its_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    lines: list[str] = []
    for step in STEPS:
        lines.append(step.example.format(folder=tmp_path))
        if "answer y" in step.words:
            lines.append("y")
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    code = command_line.main(["tutor"])
    said = capsys.readouterr().out
    assert code == 0, said
    assert said.count("\nDone.\n") == len(STEPS)
    assert "Not yet" not in said
    assert (tmp_path / "clean.docx").exists()
