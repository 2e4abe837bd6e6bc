from __future__ import annotations

import hashlib
import json
import subprocess
import sys

import pytest

from redraft.engine.plan import offered
from redraft.engine.planner.configuration import models_from
from redraft.engine.planner.prompt import system
from redraft.engine.planner.view import tokens
from redraft.engine.planner.wire import decode, schema

KEY = {"OPENAI_API_KEY": "sk-x"}


def test_nothing_set_is_no_model() -> None:
    found = models_from({})
    assert (found.ordinary, found.large, found.plain_first) == (None, None, True)
    assert found.names == ()
    assert models_from(KEY).ordinary is None
    assert models_from({"REDRAFT_MODEL": "m"}).ordinary is None


def test_a_key_and_a_name_are_a_model_of_openai() -> None:
    found = models_from({**KEY, "REDRAFT_MODEL": "m"})
    assert repr(found.ordinary) == "ChatCompletions('m', 'api.openai.com')"
    assert found.large is None


def test_an_address_needs_no_key() -> None:
    found = models_from(
        {
            "OPENAI_BASE_URL": "http://localhost:1/v1",
            "REDRAFT_MODEL": "m",
            "REDRAFT_LARGE_MODEL": "l",
        }
    )
    assert repr(found.ordinary) == "ChatCompletions('m', 'localhost')"
    assert found.names == ("m", "l")
    assert repr(found.large) == "ChatCompletions('l', 'localhost')"


def test_a_larger_model_alone_is_the_ordinary_one_too() -> None:
    found = models_from({**KEY, "REDRAFT_LARGE_MODEL": "l"})
    assert found.ordinary is found.large


@pytest.mark.parametrize(
    ("value", "first"), [("no", False), ("0", False), ("yes", True), ("", True)]
)
def test_the_interpreter_can_be_told_to_stand_back(value: str, first: bool) -> None:
    assert models_from({"REDRAFT_PLAIN_FIRST": value}).plain_first is first


@pytest.mark.process
def test_configuring_does_not_load_the_client() -> None:
    code = (
        "import sys; from redraft.engine.planner.configuration import models_from;"
        "models_from({'OPENAI_API_KEY': 'k', 'REDRAFT_MODEL': 'm'});"
        "sys.exit('openai' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def test_the_prompt_is_pinned() -> None:
    """A change of the prompt is a decision: try it on documents, then pin the new one."""
    assert digest(system()) == "03f22b1585e919d0"


def test_the_schema_is_pinned() -> None:
    assert digest(json.dumps(schema(), sort_keys=True)) == "e3eb2c6650067e40"


def test_the_rules_cost_little_and_their_examples_are_answers() -> None:
    assert tokens(system()) < 2_500
    examples = [line for line in system().splitlines() if line.startswith('{"reason": "')]
    assert [decode(example).decision for example in examples] == ["edit", "not_found"]


DOCX_OPERATIONS, PDF_OPERATIONS = offered("docx"), offered("pdf")


@pytest.mark.parametrize("name", sorted(DOCX_OPERATIONS))
def test_every_operation_is_explained(name: str) -> None:
    assert f"`{name}` {{" in system()
    assert name in json.dumps(schema())


@pytest.mark.parametrize("name", sorted(DOCX_OPERATIONS - PDF_OPERATIONS))
def test_a_pdf_is_told_only_what_it_can_do(name: str) -> None:
    assert name not in system("pdf")
    assert name not in json.dumps(schema("pdf"))


def test_a_word_document_is_not_told_what_only_pages_need() -> None:
    for name in PDF_OPERATIONS - DOCX_OPERATIONS:
        assert name not in system()
        assert name not in json.dumps(schema())


def test_a_pdf_is_told_how_its_ids_look() -> None:
    assert "`p2.b7`" in system("pdf")
    assert "`p2.b7.r3.c2.b1`" in system("pdf")
    assert "`t1.r2.c1`" not in system("pdf")
    assert all(f"`{name}` {{" in system("pdf") for name in PDF_OPERATIONS)
    assert "`close_up`" in system("pdf")
    assert "close_up" not in system()
