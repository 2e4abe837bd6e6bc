from __future__ import annotations

import pytest

from redraft.remote.ssh.screen import GIVES, RESTORED, TAKES, Screen


@pytest.mark.parametrize(
    ("written", "is_taken"),
    [
        (b"plain", False),
        (b"a" + TAKES + b"b", True),
        (TAKES + b"x" + GIVES, False),
        (TAKES + GIVES + TAKES, True),
        (RESTORED.encode(), False),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 7, 8, 100])
def test_a_screen_is_known_to_be_taken_however_the_bytes_come(
    written: bytes, is_taken: bool, size: int
) -> None:
    screen = Screen()
    for start in range(0, len(written), size):
        screen.note(written[start : start + size])
    assert screen.is_taken is is_taken
