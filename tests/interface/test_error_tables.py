"""Every row of the tables of what the service promises has tests that exist and check something."""

from __future__ import annotations

import ast
from functools import cache

import pytest

from tests.interface.situations import PAGE, TABLES, TESTS, page

EVERY_ROW = {
    f"{table}: {row}": tests for table, content in TABLES.items() for row, tests in content.items()
}
CHECKS = ("refused", "wait_for", "raises")


@cache
def _tests_of(file: str) -> frozenset[str]:
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    return frozenset(
        node.name
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and any(isinstance(each, ast.Assert) or _checks(each) for each in ast.walk(node))
    )


def _checks(node: ast.AST) -> bool:
    """Whether it is a call that fails when something does not hold."""
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in CHECKS


@pytest.mark.parametrize("row", EVERY_ROW)
def test_a_row_is_proven_by_tests_that_exist_and_check(row: str) -> None:
    assert EVERY_ROW[row], "a row without a test"
    for test in EVERY_ROW[row]:
        file, _, name = test.partition("::")
        assert name in _tests_of(file), test


def test_no_row_is_there_twice() -> None:
    for table, content in TABLES.items():
        assert len({row.lower() for row in content}) == len(content), table


def test_the_page_of_situations_is_the_one_that_is_written() -> None:
    assert PAGE.read_text("utf-8") == page()
