from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from redraft.api.operations.memory_cache import MemoryCache


def test_a_value_is_found_by_document_and_name() -> None:
    cache = MemoryCache[str](100)
    cache.put("a", "final", "one", 10)
    cache.put("a", "markup", "two", 10)
    cache.put("b", "final", "three", 10)
    found = [cache.get(*key) for key in (("a", "final"), ("a", "markup"), ("b", "final"))]
    assert found == ["one", "two", "three"]
    assert cache.get("b", "markup") is None
    assert cache.get("c", "final") is None


def test_the_document_asked_for_longest_ago_makes_room() -> None:
    cache = MemoryCache[str](30)
    for name in "abc":
        cache.put(name, "final", name, 10)
    assert cache.get("a", "final") == "a"
    cache.put("d", "final", "d", 10)
    assert [cache.get(name, "final") for name in "abcd"] == ["a", None, "c", "d"]


def test_what_is_put_again_weighs_once() -> None:
    cache = MemoryCache[str](30)
    cache.put("a", "final", "one", 10)
    cache.put("a", "final", "two", 20)
    assert (cache.get("a", "final"), cache.weight) == ("two", 20)


def test_what_is_too_heavy_is_not_kept_and_displaces_nothing() -> None:
    cache = MemoryCache[str](30)
    cache.put("a", "final", "one", 10)
    cache.put("b", "final", "two", 31)
    assert (cache.get("a", "final"), cache.get("b", "final")) == ("one", None)


def test_a_document_that_is_forgotten_leaves_nothing() -> None:
    cache = MemoryCache[str](30)
    cache.put("a", "final", "one", 10)
    cache.put("a", "markup", "two", 10)
    cache.forget("a")
    cache.forget("never there")
    assert (cache.get("a", "final"), cache.get("a", "markup"), cache.weight) == (None, None, 0)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.integers(0, 40))))
def test_a_shelf_never_holds_more_than_it_has_room_for(
    puts: list[tuple[str, str, int]],
) -> None:
    cache = MemoryCache[int](50)
    for document, name, weight in puts:
        cache.put(document, name, weight, weight)
        assert cache.get(document, name) in (weight, None)
        held = [cache.get(document, name) for document in "abc" for name in "xy"]
        assert cache.weight == sum(each for each in held if each is not None) <= 50
