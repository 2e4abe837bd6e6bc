"""The wheel: what it holds, and that it runs from a folder with an `api/` of its own."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built wheel."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_the_packages_and_the_front_door(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    top = {name.partition("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {
        "engine",
        "api",
        "tui",
        "remote",
        "redraft.py",
    }
    for data in ("engine/interpreter/grammar.lark", "tui/app.tcss"):
        assert data in names
    assert "tui/sample/services-agreement.docx" in names


def test_it_runs_from_a_folder_that_has_an_api_of_its_own(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    decoy = tmp_path / "decoy"
    for package in ("api", "engine", "tui", "remote"):
        (decoy / package).mkdir(parents=True)
        (decoy / package / "__init__.py").write_text("raise SystemExit('the wrong package')\n")
    sample = site / "tui" / "sample" / "services-agreement.docx"
    start = f"import sys; sys.path.insert(0, {str(site)!r}); import redraft; "
    finished = subprocess.run(
        [sys.executable, "-P", "-c", f"{start}sys.exit(redraft.main(['read', {str(sample)!r}]))"],
        cwd=decoy,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert finished.returncode == 0, finished.stderr
    assert "# Services Agreement" in finished.stdout
