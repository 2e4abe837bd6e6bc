"""Playbooks in Markdown and TOML, and which of their rules need no model."""

from __future__ import annotations

import pytest

from redraft.engine.playbook.exact_words import Exact, Forbidden, Replaced, Required, exact_words
from redraft.engine.playbook.playbooks import MOST_RULES, PlaybookError, read_playbook

MARKDOWN = """\
# House rules

For all contracts with suppliers.

- Replace "Vendor" with "Supplier".
- Payment terms are at most 30 days;
  else change them to 30 days

  - that is counted from receipt

## Liability

There is a limit of liability. If there is none,
comment on the title.

## Term

These matter most:

1. The term is at most two years.
"""
TOML = """\
title = "House rules"

[[rules]]
name = "Payment"
rule = "Payment terms are at most 30 days"

[[rules]]
find = "Vendor"
replace = ""

[[rules]]
find = "Acme"
comment = "The old name"

[[rules]]
require = "governed by"
comment = "No governing law"
"""


def test_items_and_sections_of_markdown_are_rules() -> None:
    rules = read_playbook(MARKDOWN)
    assert [(rule.number, rule.name, rule.text) for rule in rules] == [
        (1, 'Replace "Vendor" with "Supplier".', 'Replace "Vendor" with "Supplier".'),
        (
            2,
            "Payment terms are at most 30 days; else change them to 30 d…",
            "Payment terms are at most 30 days; else change them to 30 days"
            " that is counted from receipt",
        ),
        (
            3,
            "Liability",
            "There is a limit of liability. If there is none, comment on the title.",
        ),
        (4, "Term", "The term is at most two years."),
    ]
    assert [rule.exact for rule in rules] == [Replaced("Vendor", "Supplier"), None, None, None]


def test_tables_of_toml_are_rules() -> None:
    rules = read_playbook(TOML)
    assert [(rule.name, rule.exact) for rule in rules] == [
        ("Payment", None),
        ("Replace “Vendor” with “”", Replaced("Vendor", "")),
        ("If “Acme” appears, comment “The old name”", Forbidden("Acme", "The old name")),
        (
            "If there is no “governed by”, comment “No governing law” on…",
            Required("governed by", "No governing law"),
        ),
    ]


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("", "no rules"),
        (b"\xff\xfe- x", "no text in UTF-8"),
        ("# Rules\n\nBe kind.\n", "no rules"),
        ("- one\n\n```\n- two\n```\n", "code and HTML"),
        ('[[rules]]\nrule = "x\n', "no valid TOML"),
        ('[[rules]]\nfnd = "x"\n', "Rule 1: fnd is none"),
        ('[[rules]]\nfind = "x"\n', "find with replace"),
        ('[[rules]]\nfind = ""\nreplace = "x"\n', "find with replace"),
        ('[[rules]]\nname = "x"\n', "Rule 1 says nothing"),
        ('[[rules]]\nrule = "x"\nfind = "y"\nreplace = "z"\n', "either rule or exact words"),
        ("- x\n" * (MOST_RULES + 1), "at most 200"),
        ("- " + "x" * 2001, "longer than 2,000"),
    ],
)
def test_a_playbook_that_cannot_be_read_is_refused(written: str | bytes, reason: str) -> None:
    with pytest.raises(PlaybookError, match=reason):
        read_playbook(written)


@pytest.mark.parametrize(
    ("rule", "exact"),
    [
        ('Replace "a b" with "c"', Replaced("a b", "c")),
        ("Always write “Supplier”, not “Vendor”.", Replaced("Vendor", "Supplier")),
        ('If "x" appears, change it to "y".', Replaced("x", "y")),
        ('"x" must not appear; else change it to "y"', Replaced("x", "y")),
        ('"x" must not appear', Forbidden("x")),
        ('If "x" appears anywhere, comment "y".', Forbidden("x", "y")),
        ('Never use "x"; otherwise comment "y"', Forbidden("x", "y")),
        ('There must be no "x".', Forbidden("x")),
        ('"x" must appear; else comment "y" on the title', Required("x", "y")),
        ('If there is no "x", comment: "y"', Required("x", "y")),
        ('The document must contain "x"', Required("x")),
    ],
)
def test_a_rule_that_names_exact_words_needs_no_model(rule: str, exact: Exact) -> None:
    assert exact_words(rule) == exact


@pytest.mark.parametrize(
    "rule",
    [
        'Replace "a" with "b" if the fee is above 100',
        'Replace "a" with "b" in the schedules',
        'If "x" appears, comment "y" on the title',
        'If "x" appears twice, comment "y"',
        '"x" must appear in clause 3',
        '"x" must not appear; else comment on it',
        'Replace "" with "b"',
        'Replace "a" with the name of the supplier',
        "Payment terms are at most 30 days",
        'Never use "x" before "y"',
    ],
)
def test_no_half_of_a_rule_is_carried_out(rule: str) -> None:
    assert exact_words(rule) is None
