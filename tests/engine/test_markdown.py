"""Markdown of Word documents, rule by rule, and as a CommonMark parser reads it back."""

from __future__ import annotations

import pytest

from engine.docx.package import Package
from engine.docx.reader import read
from tests.engine.markdown_rules import PAGE, RULES, Rule, page
from tests.engine.rendered import markdown_text, tree_text


def names(rule: Rule) -> str:
    return f"{rule.area}: {rule.name}"


@pytest.mark.parametrize("rule", RULES, ids=names)
def test_a_document_reads_as_its_rule_says(rule: Rule) -> None:
    assert rule.result == rule.markdown


@pytest.mark.parametrize(
    "rule", [r for r in RULES if r.view != "markup" and not r.include], ids=names
)
def test_a_parser_gives_back_the_text_of_the_document(rule: Rule) -> None:
    document = read(Package.open(rule.document), rule.view)
    assert markdown_text(rule.result) == tree_text(document)


def test_the_page_of_rules_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()
