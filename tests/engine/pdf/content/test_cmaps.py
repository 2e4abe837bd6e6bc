from __future__ import annotations

from engine.pdf.content.cmaps import predefined, read


def test_characters_are_mapped_one_by_one_and_in_ranges() -> None:
    found = read(
        b"1 begincodespacerange <00> <ff> endcodespacerange 2 beginbfchar <01> <0041> <02>"
        b" <00660069> endbfchar 2 beginbfrange <10> <12> <0061> <20> <21>"
        b" [<0078> <D83DDE00>] endbfrange"
    )
    assert found.text == {1: "A", 2: "fi", 16: "a", 17: "b", 18: "c", 32: "x", 33: "\U0001f600"}
    assert list(found.codes(b"\x01\x10")) == [b"\x01", b"\x10"]


def test_codes_of_mixed_length_are_told_by_their_ranges() -> None:
    found = read(
        b"2 begincodespacerange <00> <80> <8140> <9ffc> endcodespacerange"
        b" 1 begincidrange <8140> <8143> 633 endcidrange 1 begincidchar <20> 7 endcidchar"
    )
    assert list(found.codes(b"\x20\x81\x42\x20")) == [b"\x20", b"\x81\x42", b"\x20"]
    assert [found.cid(code) for code in (0x20, 0x8142, 0x9999)] == [7, 635, 0]


def test_identity_takes_two_bytes_and_the_name_tells_the_direction() -> None:
    found = predefined("Identity-V")
    assert found is not None
    assert found.is_vertical
    assert list(found.codes(b"\0\x05\x12\x34")) == [b"\0\x05", b"\x12\x34"]
    assert found.cid(0x1234) == 0x1234
    assert predefined("UniJIS-UTF16-H") is None


def test_a_map_says_that_it_is_vertical_or_rests_on_identity() -> None:
    found = read(b"/Identity-H usecmap /WMode 1 def")
    assert (found.is_vertical, found.is_identity) == (True, True)


def test_damage_is_left_out() -> None:
    found = read(b"1 beginbfchar <01> endbfchar 1 beginbfrange <05> (x) endbfrange <02> garbage")
    assert found.text == {}
