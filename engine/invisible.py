"""Characters nobody reads: a model is not shown them; a block that comes back has them again."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from redraft.engine.inline_pieces import INVISIBLE, Piece, Words


def stripped(line: Sequence[Piece]) -> list[Piece]:
    """Leaves the invisible characters of words out."""
    pieces: list[Piece] = []
    for piece in line:
        if isinstance(piece, Words):
            text = INVISIBLE.sub("", piece.text)
            pieces += [Words(text, piece.marks)] if text else []
        else:
            pieces.append(piece)
    return pieces


def restored(line: Sequence[Piece], known: Sequence[Piece]) -> Sequence[Piece]:
    """Puts the invisible characters of a block back into its new version, beside what stayed."""
    if not any(isinstance(piece, Words) and INVISIBLE.search(piece.text) for piece in known):
        return line
    old_symbols, carried = _carried(known)
    new_symbols = list(_symbols(line))
    matcher = difflib.SequenceMatcher(
        None, [_key(s) for s in old_symbols], [_key(s) for s in new_symbols], autojunk=False
    )
    before: dict[int, list[Words]] = {}
    for block in matcher.get_matching_blocks():
        for offset in range(block.size):
            if block.a + offset in carried:
                before[block.b + offset] = carried[block.a + offset]
    pieces: list[Piece] = []
    for index, symbol in enumerate(new_symbols):
        pieces += [*before.get(index, ()), symbol]
    return [*pieces, *carried.get(len(old_symbols), ())]


def _carried(known: Sequence[Piece]) -> tuple[list[Piece], dict[int, list[Words]]]:
    """Returns the visible symbols of a block, and the invisible words before each of them."""
    visible: list[Piece] = []
    carried: dict[int, list[Words]] = {}
    for symbol in _symbols(known):
        if isinstance(symbol, Words) and INVISIBLE.fullmatch(symbol.text):
            carried.setdefault(len(visible), []).append(symbol)
        else:
            visible.append(symbol)
    return visible, carried


def _symbols(line: Sequence[Piece]) -> Iterator[Piece]:
    for piece in line:
        if isinstance(piece, Words):
            for char in piece.text:
                yield Words(char, piece.marks)
        else:
            yield piece


def _key(symbol: Piece) -> object:
    """Returns what a symbol compares by: words by the letter alone; marks may have changed."""
    return symbol.text if isinstance(symbol, Words) else symbol
