"""The wheel: what it holds, and that it runs from a folder with an `api/` of its own."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.tui.terminal import Terminal

pytestmark = pytest.mark.process

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built wheel."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    return next(folder.glob("*.whl"))


def test_the_wheel_installs_one_name(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    top = {name.partition("/")[0] for name in names}
    assert {name for name in top if not name.endswith((".dist-info", ".data"))} == {"redraft"}
    data = [name.partition(".data/data/")[2] for name in names if ".data/" in name]
    assert data == ["share/man/man1/redraft.1"]
    for data in ("engine/interpreter/grammar.lark", "tui/app.tcss", "engine/planner/prompt.md"):
        assert f"redraft/{data}" in names
    samples = [name for name in names if name.startswith("redraft/tui/sample/")]
    assert samples == ["redraft/tui/sample/services-agreement.docx"]
    assert len(names) == len(set(names))


USES = (
    (["-m", "redraft", "read", "SAMPLE"], "# Services Agreement"),
    (["-c", "import api, engine, redraft; print(api.MINE, engine.MINE)"], "mine mine"),
    (["-c", "import redraft.engine.editor, redraft.api.app; print('imported')"], "imported"),
)


def test_it_works_in_a_project_that_has_an_api_and_an_engine_of_its_own(
    wheel: Path, tmp_path: Path
) -> None:
    environment = tmp_path / "environment"
    venv.create(environment, symlinks=True)  # clean: nothing of the checkout is on its path
    python = environment / "bin" / "python"
    asked = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps"]
    subprocess.run([*install, "--quiet", str(wheel)], check=True, timeout=120)
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))  # those of this run
    project = tmp_path / "project"
    for package in ("api", "assist", "engine", "tui", "remote"):
        (project / package).mkdir(parents=True)
        (project / package / "__init__.py").write_text("MINE = 'mine'\n")
    sample = str(site / "redraft" / "tui" / "sample" / "services-agreement.docx")
    for words, expected in USES:
        command = [str(python), *[sample if word == "SAMPLE" else word for word in words]]
        assert expected in _output(command, project), words
    assert "# Services Agreement" in _output(
        [str(python.parent / "redraft"), "read", sample], project
    )
    _show_the_demo(python.parent / "redraft", project, tmp_path / "home")
    found = _output([str(python), "-c", "import redraft; print(redraft.__file__)"], project)
    assert Path(found.strip()).is_relative_to(environment)


def _show_the_demo(program: Path, project: Path, home: Path) -> None:
    """Start `redraft --demo` in a terminal, see the sample contract, and leave."""
    home.mkdir()
    command = ("sh", "-c", f"cd '{project}' && exec '{program}' --demo")
    place = str(home)
    terminal = Terminal(
        home,
        command=command,
        HOME=place,
        XDG_CONFIG_HOME=place,
        XDG_DATA_HOME=place,
        XDG_STATE_HOME=place,
        XDG_CACHE_HOME=place,
    )
    try:
        terminal.wait_for(b"Northwind Analytics Ltd")
        terminal.settle()
        terminal.type(b"\x1bq")
        while terminal.process.poll() is None:
            terminal.read(0.1)
        assert terminal.process.returncode == 0
    finally:
        terminal.__exit__(None, None, None)


def _output(command: list[str], folder: Path) -> str:
    finished = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout
