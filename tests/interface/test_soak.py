"""A little of each part of `make soak`: the figures that should be zero are."""

from __future__ import annotations

import json
from collections.abc import Callable

import httpx
import pytest

from scripts import (
    counted,
    soak_disk,
    soak_kills,
    soak_mixed,
    soak_models,
    soak_order,
    soak_script,
    soak_traffic,
)
from scripts.counted import Count
from scripts.soak_order import Told, overtaken

pytestmark = pytest.mark.process

PARTS: dict[str, tuple[Callable[[], list[Count]], str, int]] = {
    "everything at once": (lambda: soak_traffic.run(8), "requests", 6),
    "kills": (lambda: soak_kills.run(3), "kills", 3),
    "order": (lambda: soak_order.run(4, 2, 4), "edits", 32),
    "a bad line to the model": (lambda: soak_models.run(1), "edits applied", 9),
}


def figure(counts: list[Count], name: str) -> int:
    return next(each.value for each in counts if each.name == name)


@pytest.mark.parametrize("part", PARTS)
def test_a_short_soak_loses_doubles_leaks_and_leaves_nothing(part: str) -> None:
    run, done, least = PARTS[part]
    counts = run()
    assert figure(counts, done) >= least
    assert counted.faults(counts) == 0, "\n".join(counted.lines(counts))


def test_a_short_soak_on_a_disk_that_fills_up_loses_nothing() -> None:
    counts = soak_disk.run(1)
    if counts[0].name.startswith("not run"):
        pytest.skip("this machine does not let us mount a volume")
    assert figure(counts, "requests refused for want of space") > 0
    assert counted.faults(counts) == 0, "\n".join(counted.lines(counts))


def test_an_edit_that_stands_before_one_that_was_answered_earlier_is_counted() -> None:
    early, late = Told("a", "a", 0.0, 1.0, 200), Told("b", "b", 2.0, 3.0, 200)
    together = Told("c", "c", 0.5, 2.5, 200)
    assert overtaken([early, together, late]) == overtaken([together, early, late]) == 0
    assert overtaken([late, early]) == 1


@pytest.mark.parametrize(
    ("kind", "status", "body", "is_known"),
    [
        ("edit", 500, '{"detail":"Edit operation failed: The model is down"}', True),
        ("edit", 500, '{"detail":"Internal server error"}', False),
        ("edit", 500, '{"detail":"Edit operation failed: x","code":1}', False),
        ("read", 500, '{"detail":"Edit operation failed: x"}', False),
        ("download", 404, '{"detail":"File not found"}', True),
        ("delete", 500, '{"detail":"Operation failed: x"}', False),
        ("upload", 400, "<h1>Bad Request</h1>", False),
    ],
)
def test_an_answer_that_the_interface_does_not_know_is_counted(
    kind: str, status: int, body: str, is_known: bool
) -> None:
    assert soak_mixed.is_known(kind, httpx.Response(status, text=body)) is is_known


def test_the_scripted_model_changes_a_word_that_it_was_shown() -> None:
    shown = '<document nonce="a">\n[h1.p1 header]\n[p2.b7 li1] See the harbour.\n</document>'
    plan = json.loads(soak_script.ScriptedModel().plan(shown))
    (operation,) = plan["operations"]
    assert (operation["block"], operation["find"], operation["replace"]) == (
        "p2.b7",
        "harbour",
        "ruobrah",
    )
    assert json.loads(soak_script.ScriptedModel().plan("[p1] a b"))["decision"] == "no_change"


def test_only_figures_that_should_be_zero_are_faults() -> None:
    counts = [Count("done", 7, is_fault=False), Count("lost", 2), Count("doubled", 0)]
    assert counted.faults(counts) == 2
    assert [line[0] for line in counted.lines(counts)] == [" ", "!", " "]
