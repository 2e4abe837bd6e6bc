"""BM25 over short texts: which blocks speak of what an instruction speaks of.

Okapi BM25 with k1 1.2 and b 0.75 (Robertson and Zaragoza 2009), over words and, for letters that
are written without blanks, over pairs of them. Words that stand nearly everywhere count nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

_K1, _B = 1.2, 0.75
_WORD = re.compile(r"\w+")
# Han, kana, Hangul, Thai, Lao, Khmer, Myanmar.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)


def terms(text: str) -> list[str]:
    """Cut a text into the terms that are counted."""
    stems: list[str] = []
    for word in _WORD.findall(text.casefold()):
        if _UNSPACED.search(word):
            stems += [word[i : i + 2] for i in range(max(1, len(word) - 1))]
        else:
            stems.append(_stem(word))
    return stems


def _stem(word: str) -> str:
    """Words of one beginning count as one: "payments" is "payment"."""
    return word[:6] if len(word) > 6 else word.rstrip("s") if len(word) > 3 else word


def ranked(texts: Sequence[str], query: str) -> list[int]:
    """Indices of the texts that share terms with a query, best first."""
    wanted = set(terms(query))
    counted = [Counter(terms(text)) for text in texts]
    spread = Counter(term for counts in counted for term in counts if term in wanted)
    average = sum(counts.total() for counts in counted) / max(1, len(counted)) or 1.0
    scores: list[tuple[float, int]] = []
    for index, counts in enumerate(counted):
        length = _K1 * (1 - _B + _B * counts.total() / average)
        score = sum(
            _weight(len(texts), spread[term]) * counts[term] * (_K1 + 1) / (counts[term] + length)
            for term in wanted
            if term in counts
        )
        if score > 0:
            scores.append((-score, index))
    return [index for _, index in sorted(scores)]


def _weight(number: int, spread: int) -> float:
    return max(0.0, math.log((number - spread + 0.5) / (spread + 0.5)))
