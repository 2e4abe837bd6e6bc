"""The process that looks for a regular expression; run as a script, by `tui.text.pattern` alone.

Python's `re` may take longer than a life for a few characters, and nothing stops it but the end of
its process: so it has one, with a limit of its own in case that nobody is left to end it. JSON
comes in by stdin (`pattern`, `texts`, `most`, `seconds`) and goes out by stdout: `found`, the words
of each hit by text, or `error`, what is wrong with the pattern.
"""

from __future__ import annotations

import contextlib
import json
import re
import sys

MEMORY = 1 << 30  # bytes


def found(pattern: str, texts: list[str], most: int) -> list[list[str]]:
    """Return the words of every hit in each text, `most` in all; nothing is no hit."""
    compiled = re.compile(pattern, re.IGNORECASE)
    left = most
    hits: list[list[str]] = []
    for text in texts:
        words: list[str] = []
        for match in compiled.finditer(text):
            if len(words) >= left:
                break
            if match.group().strip():
                words.append(match.group())
        left -= len(words)
        hits.append(words)
    return hits


def _limit(seconds: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    for kind, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, MEMORY)):
        with contextlib.suppress(OSError, ValueError):  # a lower limit is set already
            resource.setrlimit(kind, (most, most))


def main() -> int:
    """Answer what is asked on stdin."""
    asked = json.load(sys.stdin)
    _limit(asked["seconds"])
    try:
        answer: dict[str, object] = {
            "found": found(asked["pattern"], asked["texts"], asked["most"])
        }
    except (re.error, OverflowError, RecursionError) as error:
        answer = {"error": str(error)}
    json.dump(answer, sys.stdout)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
