"""`make sbom`: a package that is left out or names no licence is told."""

from __future__ import annotations

import msgspec

from scripts import sbom
from scripts.sbom import Bill

LOCK = """\
# This file was made by a program
some.package==1.0 \\
    --hash=sha256:00
other_package==2.0 \\
    --hash=sha256:00
for-windows==3.0 ; sys_platform == 'win32' \\
    --hash=sha256:00
"""
SOME = {"name": "Some-Package", "version": "1.0", "licenses": [{"expression": "MIT OR Apache-2.0"}]}
OTHER = {
    "name": "other-package",
    "version": "2.0",
    "licenses": [{"license": {"name": "BSD\nand its whole text"}}, {"license": {"id": "0BSD"}}],
}
NAMELESS = {"name": "third", "licenses": [{"expression": ""}]}


def bill(*components: object) -> Bill:
    return msgspec.convert({"components": components}, Bill)


def test_a_whole_bill_has_no_faults() -> None:
    assert sbom.faults(bill(SOME, OTHER), LOCK) == []


def test_a_package_that_is_missing_or_names_no_licence_is_told() -> None:
    assert sbom.faults(bill(SOME, NAMELESS), LOCK) == [
        "other-package is not listed",
        "third names no licence",
    ]


def test_licences_are_identifiers_where_there_are_some_and_else_names() -> None:
    assert sbom.licence_lines(bill(OTHER, SOME)) == [
        "other-package\t2.0\t0BSD",
        "Some-Package\t1.0\tMIT OR Apache-2.0",
    ]
    named = {"name": "a", "licenses": [{"license": {"name": "BSD\nand its whole text"}}]}
    assert sbom.licence_lines(bill(named)) == ["a\t\tBSD"]


def test_the_lock_of_the_image_is_read() -> None:
    packages = dict(sbom.locked(sbom.LOCK.read_text("utf-8")))
    assert packages["litestar"]
    assert len(packages) > 30
