"""`make sbom`: what the image consists of, as CycloneDX 1.6, and the licences of all of it.

The packages of `deploy/image.lock` are installed in an environment of their own, and `cyclonedx-py`
(the tool of the CycloneDX project) lists what is there. Two files are written, `redraft.cdx.json`
and `licences.txt`; a package that is missing or names no licence is told, and the exit code is 1.

    python -m scripts.sbom [--folder dist/sbom]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "deploy" / "image.lock"
TOOL = "cyclonedx-bom>=7,<8"
READ = {
    "pymupdf-lite": "AGPL-3.0-only OR LicenseRef-Artifex-Commercial",
    "pypdfium2": "BSD-3-Clause, Apache-2.0, and those of what PDFium brings (its BUILD_LICENSES)",
    "rich-click": "MIT",
}
"""Licences that packages tell in words the tool does not take, or in a file that they bring."""


class License(msgspec.Struct):
    """A licence of CycloneDX: an identifier of SPDX, or a name."""

    id: str = ""
    name: str = ""


class LicenseChoice(msgspec.Struct):
    """A licence, or an expression of several."""

    license: License = msgspec.field(default_factory=License)
    expression: str = ""


class Component(msgspec.Struct):
    """A package."""

    name: str
    version: str = ""
    licenses: tuple[LicenseChoice, ...] = ()

    @property
    def licence(self) -> str:
        """What it may be used under; the identifiers and expressions before the names."""
        exact = [one.expression or one.license.id for one in self.licenses]
        names = [one.license.name.partition("\n")[0] for one in self.licenses]
        told = ", ".join(dict.fromkeys(filter(None, exact)))
        told = told or ", ".join(dict.fromkeys(filter(None, names)))
        return told or READ.get(normalized(self.name), "")


class Bill(msgspec.Struct):
    """The part of a bill of materials that is looked at."""

    components: tuple[Component, ...]


def locked(lock: str) -> Iterator[tuple[str, bool]]:
    """Returns the packages of a lock file, and whether each is wanted on every system."""
    for line in lock.splitlines():
        name, is_package, rest = line.partition("==")
        if is_package and not line.startswith((" ", "#")):
            yield normalized(name), ";" not in rest


def normalized(name: str) -> str:
    """Writes the name of a package as all its spellings are compared."""
    return name.lower().replace("_", "-").replace(".", "-")


def faults(bill: Bill, lock: str) -> list[str]:
    """Says which packages of a lock file are missing in a bill, and which name no licence."""
    listed = {normalized(one.name) for one in bill.components}
    wanted = [name for name, is_everywhere in locked(lock) if is_everywhere]
    missing = [f"{name} is not listed" for name in wanted if name not in listed]
    unlicensed = [f"{one.name} names no licence" for one in bill.components if not one.licence]
    return missing + unlicensed


def licence_lines(bill: Bill) -> list[str]:
    """Returns a line for each package: name, version, licence."""
    packages = sorted(bill.components, key=lambda one: one.name.lower())
    return [f"{one.name}\t{one.version}\t{one.licence}" for one in packages]


def main() -> int:
    """Writes both files and says what is wrong with them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "dist" / "sbom")
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "redraft.cdx.json"
    with tempfile.TemporaryDirectory() as temporary:
        image = _environment(Path(temporary) / "image", "--require-hashes", "-r", str(LOCK))
        tool = _environment(Path(temporary) / "tool", TOOL)
        command = [str(tool.with_name("cyclonedx-py")), "environment", "--output-reproducible"]
        about = ["--pyproject", str(ROOT / "pyproject.toml"), "-o", str(target), str(image)]
        subprocess.run([*command, *about], check=True)
    bill = msgspec.json.decode(target.read_bytes(), type=Bill)
    (folder / "licences.txt").write_text("\n".join(licence_lines(bill)) + "\n", "utf-8")
    for fault in faults(bill, LOCK.read_text("utf-8")):
        print(f"! {fault}")
    print(f"{len(bill.components)} packages: {target}, {folder / 'licences.txt'}")
    return 1 if faults(bill, LOCK.read_text("utf-8")) else 0


def _environment(folder: Path, *packages: str) -> Path:
    """Makes an environment with packages and without pip; returns its Python."""
    python = folder / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", *packages], check=True)
    return python


if __name__ == "__main__":
    sys.exit(main())
