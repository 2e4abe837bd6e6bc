from __future__ import annotations

import pytest

from redraft.engine.pdf.fonts.cmaps import collection, predefined, read

# Python's codecs know what the bytes of these maps mean, and nothing of PDF.
JAPANESE, CHINESE, TAIWANESE, KOREAN = (
    "東京の天気 ab",
    "北京的天气 ab",
    "臺北的天氣 ab",
    "서울의 날씨 ab",
)
ENCODINGS = [
    ("90ms-RKSJ-H", "Japan1", "cp932", JAPANESE + "ｱ"),
    ("EUC-H", "Japan1", "euc_jp", JAPANESE),
    ("UniJIS-UCS2-H", "Japan1", "utf-16-be", JAPANESE),
    ("UniJIS-UTF16-V", "Japan1", "utf-16-be", JAPANESE),
    ("GBK-EUC-H", "GB1", "gbk", CHINESE),
    ("GB-EUC-H", "GB1", "gb2312", CHINESE),
    ("UniGB-UCS2-H", "GB1", "utf-16-be", CHINESE),
    ("ETen-B5-H", "CNS1", "big5", TAIWANESE),
    ("UniCNS-UTF16-H", "CNS1", "utf-16-be", TAIWANESE),
    ("KSCms-UHC-H", "Korea1", "cp949", KOREAN),
    ("KSC-EUC-H", "Korea1", "euc_kr", KOREAN),
    ("UniKS-UTF16-H", "Korea1", "utf-16-be", KOREAN),
]


@pytest.mark.parametrize(("name", "ordering", "codec", "text"), ENCODINGS)
def test_predefined_maps_cut_strings_and_lead_to_their_characters(
    name: str, ordering: str, codec: str, text: str
) -> None:
    cmap, characters = predefined(name), collection(ordering)
    assert cmap is not None
    assert cmap.is_vertical == name.endswith("V")
    codes = list(cmap.codes(text.encode(codec)))
    numbers = [int.from_bytes(code, "big") for code in codes]
    assert "".join(characters[cmap.cid(number)] for number in numbers) == text
    assert [cmap.code(number) for number in numbers] == codes


def test_a_code_is_written_with_the_bytes_that_its_ranges_have() -> None:
    found = read(b"2 begincodespacerange <00> <80> <8140> <9ffc> endcodespacerange")
    assert [found.code(number) for number in (0x20, 0x8140, 0x2020)] == [
        b"\x20",
        b"\x81\x40",
        None,
    ]


def test_a_map_of_its_own_rests_on_a_predefined_one() -> None:
    found = read(b"/GBK-EUC-V usecmap 1 begincidchar <20> 999 endcidchar")
    assert found.is_vertical
    assert (found.cid(0x20), found.cid(0x21)) == (999, 814)
    assert list(found.codes("a北".encode("gbk"))) == [b"a", "北".encode("gbk")]


def test_a_collection_that_is_not_known_has_no_characters() -> None:
    assert collection("Identity") == {}


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
    assert predefined("UniJIS-UTF16-Q") is None
    assert predefined("\ud800") is None


def test_a_map_says_that_it_is_vertical_or_rests_on_identity() -> None:
    found = read(b"/Identity-H usecmap /WMode 1 def")
    assert (found.is_vertical, found.is_identity) == (True, True)


def test_damage_is_left_out() -> None:
    found = read(b"1 beginbfchar <01> endbfchar 1 beginbfrange <05> (x) endbfrange <02> garbage")
    assert found.text == {}
