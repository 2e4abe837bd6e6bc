"""The shape of the code: short modules, short functions, no rooms without a name."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("engine", "api", "tui", "remote")
MODULES = [
    *sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")),
    *sorted((ROOT / "redraft").glob("*.py")),
]
NAMELESS = {"util", "utils", "helper", "helpers", "common", "manager", "misc", "tools"}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_is_at_most_600_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 600


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_function_is_at_most_50_lines(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    long = [
        f"{node.name}: {node.end_lineno - node.lineno + 1}"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > 50
    ]
    assert long == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_module_is_a_room_without_a_name(path: Path) -> None:
    assert not NAMELESS & set(path.stem.split("_"))


@pytest.mark.parametrize(
    "path", [path for path in MODULES if path.name == "__init__.py"], ids=name_of
)
def test_a_package_file_holds_only_its_docstring(path: Path) -> None:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    guarded = path.parent.parent == ROOT and path.parent.name in PACKAGES
    assert len(body) == (2 if guarded else 1)
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_are_absolute(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    relative = [n.lineno for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level]
    assert relative == []
