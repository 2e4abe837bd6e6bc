from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from redraft.api.shelf import Shelf


def test_a_value_is_found_by_document_and_name() -> None:
    shelf = Shelf[str](100)
    shelf.put("a", "final", "one", 10)
    shelf.put("a", "markup", "two", 10)
    shelf.put("b", "final", "three", 10)
    found = [shelf.get(*key) for key in (("a", "final"), ("a", "markup"), ("b", "final"))]
    assert found == ["one", "two", "three"]
    assert shelf.get("b", "markup") is None
    assert shelf.get("c", "final") is None


def test_the_document_asked_for_longest_ago_makes_room() -> None:
    shelf = Shelf[str](30)
    for name in "abc":
        shelf.put(name, "final", name, 10)
    assert shelf.get("a", "final") == "a"
    shelf.put("d", "final", "d", 10)
    assert [shelf.get(name, "final") for name in "abcd"] == ["a", None, "c", "d"]


def test_what_is_put_again_weighs_once() -> None:
    shelf = Shelf[str](30)
    shelf.put("a", "final", "one", 10)
    shelf.put("a", "final", "two", 20)
    assert (shelf.get("a", "final"), shelf.weight) == ("two", 20)


def test_what_is_too_heavy_is_not_kept_and_displaces_nothing() -> None:
    shelf = Shelf[str](30)
    shelf.put("a", "final", "one", 10)
    shelf.put("b", "final", "two", 31)
    assert (shelf.get("a", "final"), shelf.get("b", "final")) == ("one", None)


def test_a_document_that_is_forgotten_leaves_nothing() -> None:
    shelf = Shelf[str](30)
    shelf.put("a", "final", "one", 10)
    shelf.put("a", "markup", "two", 10)
    shelf.forget("a")
    shelf.forget("never there")
    assert (shelf.get("a", "final"), shelf.get("a", "markup"), shelf.weight) == (None, None, 0)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.integers(0, 40))))
def test_a_shelf_never_holds_more_than_it_has_room_for(
    puts: list[tuple[str, str, int]],
) -> None:
    shelf = Shelf[int](50)
    for document, name, weight in puts:
        shelf.put(document, name, weight, weight)
        assert shelf.get(document, name) in (weight, None)
        held = [shelf.get(document, name) for document in "abc" for name in "xy"]
        assert shelf.weight == sum(each for each in held if each is not None) <= 50
