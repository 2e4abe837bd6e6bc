from __future__ import annotations

import re
from pathlib import Path

LOCK = Path(__file__).resolve().parents[2] / "requirements.lock"


def test_every_package_is_locked_to_a_version_and_to_its_files() -> None:
    entries = re.split(r"\n(?=[a-zA-Z])", LOCK.read_text("utf-8"))[1:]
    assert len(entries) > 50
    for entry in entries:
        assert re.match(r"[\w.-]+==[^\s;]+", entry), entry.splitlines()[0]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry.splitlines()[0]


def test_the_lock_names_no_place_to_fetch_from() -> None:
    text = LOCK.read_text("utf-8")
    assert not re.search(r"https?://|file:|--index-url|--find-links", text)
