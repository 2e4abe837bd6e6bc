"""Which tests stand for which of the 57 adversarial cases: none is forgotten or only named."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TOTAL = 57
# Cases in which refusing is all that is asked for; every other one must carry its edit out.
MAY_REFUSE = frozenset({15, 21})

_TEXT = "test_cases.py"
_TABLES = "steps/test_tables.py"
_FORMATS = "steps/test_formatting.py"
_STYLES = "steps/test_paragraph_styles.py"
_JOINING = "steps/test_merging.py"
_MOVING = "steps/test_moves.py"
_NOTES = "steps/test_footnotes.py"
_COMMENTS = "steps/test_comments.py"
# Where the tests of a case are; those that are not named here are in test_cases.py.
FILES = {
    18: (_TEXT, _NOTES),
    27: (_TEXT, _TABLES),
    36: (_FORMATS,),
    39: (_JOINING,),
    40: (_JOINING,),
    43: (_MOVING,),
    44: (_TEXT, _TABLES),
    45: (_TABLES,),
    46: (_TABLES,),
    47: (_STYLES,),
    48: (_STYLES,),
    50: (_COMMENTS,),
    53: (_TEXT, _NOTES),
    57: (_TEXT, _COMMENTS),
}


@cache
def in_file(file: str) -> tuple[ast.FunctionDef, ...]:
    """The tests of a file as written."""
    tree = ast.parse((HERE / file).read_text(encoding="utf-8"))
    return tuple(
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


def standing_for(case: int, file: str) -> list[ast.FunctionDef]:
    """The tests of a file that carry the number of a case."""
    return [test for test in in_file(file) if test.name.startswith(f"test_{case:02}_")]


def asserts(test: ast.FunctionDef) -> bool:
    """Whether a test looks at what came out, not only at what was refused."""
    return any(isinstance(node, ast.Assert) for node in ast.walk(test))


@pytest.mark.parametrize("case", range(1, TOTAL + 1))
def test_every_case_has_a_test_in_each_file_that_is_named_for_it(case: int) -> None:
    for file in FILES.get(case, (_TEXT,)):
        assert standing_for(case, file), f"no test for case {case} in {file}"


@pytest.mark.parametrize("case", sorted(set(range(1, TOTAL + 1)) - MAY_REFUSE))
def test_every_case_that_may_not_be_refused_is_carried_out(case: int) -> None:
    files = FILES.get(case, (_TEXT,))
    assert any(asserts(test) for file in files for test in standing_for(case, file))


@pytest.mark.thorough
def test_no_test_carries_a_number_beyond_the_list_or_stands_in_a_file_that_is_not_named() -> None:
    for path in sorted(HERE.rglob("test_*.py")):
        file = path.relative_to(HERE).as_posix()
        for test in in_file(file):
            number = test.name.removeprefix("test_")[:2]
            if number.isdecimal() and test.name[7:8] == "_":
                assert file in FILES.get(int(number), (_TEXT,)), test.name
                assert 1 <= int(number) <= TOTAL
