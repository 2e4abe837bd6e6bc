"""The shape of the code: short modules, short functions, file names that say what is inside.

One test looks at all modules, so that a failure lists every place to mend.
"""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("engine", "api", "assist", "tui", "remote")
MODULES = [
    *sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")),
    *sorted((ROOT / "redraft").glob("*.py")),
]
NAMELESS = {"util", "utils", "helper", "helpers", "common", "manager", "misc", "tools"}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def test_there_are_modules_in_every_package() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in MODULES} == {*PACKAGES, "redraft"}


def test_a_module_is_at_most_600_lines() -> None:
    lengths = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert {name: length for name, length in lengths.items() if length > 600} == {}


@pytest.mark.thorough
def test_a_function_is_at_most_50_lines() -> None:
    lengths = {
        f"{name_of(path)}:{node.lineno} {node.name}": node.end_lineno - node.lineno + 1
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None
    }
    assert {name: length for name, length in lengths.items() if length > 50} == {}


def test_no_module_is_a_room_without_a_name() -> None:
    assert [name_of(path) for path in MODULES if NAMELESS & set(path.stem.split("_"))] == []


def test_no_file_name_stands_three_times() -> None:
    """A name that is everywhere says nothing; `__init__` and `__main__` are Python's."""
    counts = Counter(path.name for path in MODULES if not path.name.startswith("__"))
    assert {name: count for name, count in counts.items() if count > 2} == {}


def test_a_package_file_holds_only_its_docstring() -> None:
    """The packages of the top also hold the line that refuses a second name for them.

    `redraft/__init__.py` is the face for Python: it says which names are stable and finds them.
    """
    expected = {
        path: 2 if path.parent.parent == ROOT and path.parent.name in PACKAGES else 1
        for path in MODULES
        if path.name == "__init__.py" and path.parent != ROOT / "redraft"
    }
    assert [
        name_of(path)
        for path, statements in expected.items()
        if len(tree_of(path).body) != statements or not ast.get_docstring(tree_of(path))
    ] == []


def test_imports_are_absolute() -> None:
    assert [
        f"{name_of(path)}:{node.lineno}"
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom) and node.level
    ] == []
