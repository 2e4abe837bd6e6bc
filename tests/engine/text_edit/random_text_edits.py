"""Random edits of a document's text, as a person with an editor makes them."""

from __future__ import annotations

import random
import re
from typing import Final

_WORDS: Final = ("alpha", "beta", "gamma", "shall", "supplier", "contract", "seven")
_SIGN: Final = re.compile(r" *(?:#+ |- |> )?")
# Words that stand in no token: their letters may change.
_WORD: Final = re.compile(r"(?<![⟦\w:/])[A-Za-z]{2,}(?![^⟦]*⟧)")
_BODY: Final = re.compile(r"\[p[0-9]")
_ROWS: Final = re.compile(r"\[t[0-9]+\.r[0-9]+\] \|")
KINDS: Final = (
    *("replace", "replace", "insert", "delete", "new paragraph", "delete paragraph"),
    *("split", "join", "move", "bold", "row", "cell", "start"),
)


def edited(text: str, count: int, seed: str) -> tuple[str, list[str]]:
    """Returns a text after random edits, and which kinds they were.

    Args:
        text: As `redraft.engine.text_edit` writes it.
        count: How many edits at most.
        seed: Chooses them.
    """
    rng = random.Random(seed)  # noqa: S311
    paragraphs = text.split("\n\n")
    done: list[str] = []
    for _ in range(count * 8):
        if len(done) == count:
            break
        kind = rng.choice(KINDS)
        if _edit(rng, kind, paragraphs):
            done.append(kind)
    return "\n\n".join(paragraphs), done


def _edit(rng: random.Random, kind: str, paragraphs: list[str]) -> bool:
    if kind in ("row", "cell"):
        return _rows(rng, kind, paragraphs)
    body = [index for index, text in enumerate(paragraphs) if _BODY.match(text)]
    if len(body) < 2:
        return False
    index = rng.choice(body)
    if kind in ("new paragraph", "delete paragraph", "move", "join"):
        return _blocks(rng, kind, paragraphs, index, body)
    return _words(rng, kind, paragraphs, index)


def _parts(text: str) -> tuple[str, str, str]:
    head, _, rest = text.partition("] ")
    sign = _SIGN.match(rest)
    lead = "" if sign is None else sign[0]
    return f"{head}] ", lead, rest[len(lead) :]


def _words(rng: random.Random, kind: str, paragraphs: list[str], index: int) -> bool:
    head, sign, rest = _parts(paragraphs[index])
    words = list(_WORD.finditer(rest))
    if kind == "start":
        paragraphs[index] = f"{head}{sign}Now {rest}"
        return bool(words)
    if not words or ("*" in rest and kind in ("bold", "split")):
        return False
    word = rng.choice(words)
    new = {
        "replace": rng.choice(_WORDS),
        "insert": f"{word[0]} {rng.choice(_WORDS)}",
        "delete": "",
        "bold": f"**{word[0]}**",
        "split": f"\n\n{sign}{word[0]}",
    }[kind]
    is_blank = rest[word.start() - 1 : word.start()] == " "
    if kind == "split" and ("⟦a" in rest or "⟦cc" in rest or not is_blank):
        return False
    changed = rest[: word.start()] + new + rest[word.end() :]
    paragraphs[index : index + 1] = f"{head}{sign}{changed}".split("\n\n")
    return bool(changed.strip())


def _blocks(
    rng: random.Random, kind: str, paragraphs: list[str], index: int, body: list[int]
) -> bool:
    if kind == "new paragraph":
        sign = rng.choice(("", "- ", "## "))
        paragraphs.insert(index + 1, sign + " ".join(rng.choices(_WORDS, k=5)))
    elif "⟦" in paragraphs[index]:
        return False
    elif kind == "delete paragraph":
        del paragraphs[index]
    elif kind == "move":
        paragraphs.insert(rng.choice(body), paragraphs.pop(index))
    else:
        following = paragraphs[index + 1] if index + 1 in body else ""
        _, sign, words = _parts(following)
        if not following or sign or "⟦" in following or words.startswith("---"):
            return False
        paragraphs[index : index + 2] = [f"{paragraphs[index].rstrip()} {words.strip()}"]
    return True


def _rows(rng: random.Random, kind: str, paragraphs: list[str]) -> bool:
    tables = [index for index, text in enumerate(paragraphs) if _ROWS.match(text)]
    if not tables:
        return False
    index = rng.choice(tables)
    rows = paragraphs[index].split("\n")
    at = rng.randrange(len(rows))
    head, bar, inside = rows[at].partition("] |")
    if not bar:
        return False
    if kind == "cell":
        words = list(re.finditer(r"(?<= )[A-Za-z]{2,}(?= )(?![^⟦]*⟧)", inside))
        if not words:
            return False
        word = rng.choice(words)
        inside = inside[: word.start()] + rng.choice(_WORDS) + inside[word.end() :]
        rows[at] = head + bar + inside
    elif rng.random() < 0.5 and len(rows) > 1 and "^" not in paragraphs[index]:
        del rows[at]
    else:
        cells = [cell.strip() for cell in inside.split("|")[:-1]]
        new = ("^" if cell == "^" else rng.choice(_WORDS) for cell in cells)
        rows.insert(at + 1, f"| {' | '.join(new)} |")
    paragraphs[index] = "\n".join(rows)
    return True
