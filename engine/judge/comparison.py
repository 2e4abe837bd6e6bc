"""Compares what a document should say with what it says: law 2 of the redline.

Blocks that nobody has asked for are compared by their bytes, or by what they say where these differ
(a mark went over from one block to another). New words are compared up to typography, letter by
letter otherwise.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from redraft.engine.errors import VerificationError
from redraft.engine.judge import wanted_looks
from redraft.engine.judge.content import (
    Block,
    Content,
    Paragraph,
    Piece,
    Property,
    Row,
    Story,
    Table,
)
from redraft.engine.judge.expectation import Expected
from redraft.engine.judge.new_text import plain
from redraft.engine.judge.quoted_text import pattern_of

_NOTES = ("footnote", "endnote")


def compare(expected: Expected, actual: Content) -> None:
    """Sees that a document says what it should.

    Raises:
        VerificationError: it does not; the message names the part and what differs, no text.
    """
    _Comparison(expected, actual).stories()


class _Comparison:
    def __init__(self, expected: Expected, actual: Content) -> None:
        self._expected = expected
        self._found = actual
        self._before = expected.content
        self._notes = [_by_number(content) for content in (actual, self._before)]

    def stories(self) -> None:
        """Compare all stories, and what is not in any."""
        for key, story in self._before.stories.items():
            other = self._match(story)
            if story.kind in _NOTES and key not in self._found.cited:
                continue
            if other is None:
                if story.kind in _NOTES and key not in self._found.cited:
                    continue
                raise _broken(story.key[1], f"a {story.kind} is gone")
            if not story.is_changed and all(block.is_untouched for block in story.blocks):
                continue
            reason = self._blocks(story.blocks, other.blocks, story.key[1])
            if reason:
                raise _broken(story.key[1], reason)
        self._new_stories()
        properties = self._found.properties
        for name, value in self._expected.properties.items():
            if properties.get(name, "").split() != value.split():
                raise _broken("the properties", f"{name} is not what the plan says")
        if not self._found.alt_texts.issuperset(self._expected.alt_texts):
            raise _broken("the pictures", "an alternative text is missing")

    def _match(self, story: Story) -> Story | None:
        if story.key[1] != "new":
            return self._found.stories.get(story.key)
        new = [o for o in self._found.stories.values() if o.key not in self._before.stories]
        return next((other for other in new if other.kind == story.kind), None)

    def _new_stories(self) -> None:
        """New comments are those of the plan, and references lead to notes.

        What new notes say is seen where their references stand.
        """
        new = [s for key, s in self._found.stories.items() if key not in self._before.stories]
        comments = [_squeezed(_text(s.blocks)) for s in new if s.kind == "comment"]
        wanted = {_squeezed(text) for c in self._expected.comments for text in (c, plain(c))}
        if len(comments) != len(self._expected.comments) or not wanted.issuperset(comments):
            raise _broken("the comments", "the new ones are not those of the plan")
        for key in self._found.cited - self._before.cited:
            if key not in self._found.stories:
                raise _broken(key[1], "a reference leads to no note")

    # Blocks

    def _blocks(self, expected: Sequence[Block], actual: Sequence[Block], where: str) -> str:
        """What about blocks is not as it should be; empty if nothing is.

        An empty paragraph that is only needed is passed where there are more blocks than expected,
        and one that is emptied is taken for one that is there; where that leads nowhere, the other
        way is gone.
        """
        wanted = list(_standing(expected))
        has_new = any(
            new.kind == "table"
            for b in expected
            for new in (*b.before, *b.after, *([b] if b.is_gone else ()))
        )
        index = at = 0
        first_reason = ""
        # The other way at some places, `taken` or `gone`, and whether it is to be gone still.
        ways: dict[tuple[int, int, str], bool] = {}
        way = ""
        while True:
            if index == len(wanted):
                reason = self._surplus(expected, actual, at, has_new=has_new)
                if not reason:
                    return ""
            else:
                block, is_slack = wanted[index]
                may_pass = is_slack and not way and at < len(actual)
                may_pass = may_pass and _is_needed(actual, at, beside_table=has_new)
                if may_pass and len(actual) - at > len(wanted) - index:
                    ways.setdefault((index, at, "taken"), True)
                    at += 1
                    continue
                reason = "a block is missing"
                if at < len(actual) and way != "gone":
                    reason = self._block(block, actual[at], where)
                way = ""
                if not reason and _is_emptied_item(block):
                    ways.setdefault((index, at, "gone"), True)
                if not reason or may_pass:
                    index, at = index + (not reason), at + 1
                    continue
                if _is_emptied_item(block) or (has_new and _is_spacer(wanted, index)):
                    index += 1
                    continue
            first_reason = first_reason or reason
            left = [place for place, is_open in ways.items() if is_open]
            if not left:
                return first_reason
            ways[left[-1]] = False
            index, at, way = left[-1]

    def _surplus(
        self, expected: Sequence[Block], actual: Sequence[Block], at: int, *, has_new: bool
    ) -> str:
        """What stands behind all that is expected and is not only needed; empty if nothing is."""
        is_slack = _ends_in_slack(expected)
        is_gone = bool(expected) and expected[-1].is_gone
        for index in range(at, len(actual)):
            is_last = is_gone and index == len(actual) - 1 and _says_nothing(actual[index])
            if not is_last and not (is_slack and _is_needed(actual, index, beside_table=has_new)):
                return "a block is there that nobody asked for"
        return ""

    def _block(self, expected: Block, actual: Block, where: str) -> str:
        """What about a block is not as it should be; empty if nothing is."""
        if expected.kind != actual.kind:
            return f"a {actual.kind} stands where a {expected.kind} should"
        if (
            expected.is_untouched
            and expected.source is not None
            and actual.source is not None
            and expected.source.equals(actual.source)
        ):
            return ""
        content, other = expected.opened(), actual.opened()
        if isinstance(content, Paragraph) and isinstance(other, Paragraph):
            return self._paragraph(content, other, where)
        if isinstance(content, Table) and isinstance(other, Table):
            return self._table(content, other, where)
        return ""

    def _table(self, expected: Table, actual: Table, where: str) -> str:
        rows = list(expected.standing())
        if len(rows) != len(actual.rows):
            return "a table has other rows"
        for row, other in zip(rows, actual.rows, strict=True):
            reason = self._row(row, other, where)
            if reason:
                return reason
        return ""

    def _row(self, expected: Row, actual: Row, where: str) -> str:
        shape = [(cell.span, cell.is_covered) for cell in expected.cells]
        if shape != [(cell.span, cell.is_covered) for cell in actual.cells]:
            return "a row has other cells"
        for cell, other in zip(expected.cells, actual.cells, strict=True):
            reason = self._blocks(cell.blocks, other.blocks, where)
            if reason:
                return f"{reason} in a cell"
        return ""

    # Paragraphs

    def _paragraph(self, expected: Paragraph, actual: Paragraph, where: str) -> str:
        spans = self._aligned(expected.pieces, actual.text)
        if spans is None:
            return "the text of a paragraph is not what the plan makes of it"
        if not self._objects_match(expected, actual, spans):
            return "a paragraph has other objects, or in other places"
        if not self._looks_match(expected, actual, spans):
            return "words of a paragraph look or lead otherwise than the plan makes them"
        reason = wanted_looks.shape_is(expected, actual)
        if reason:
            return f"a paragraph has not {reason} as the plan makes it"
        known = Counter(name for name, _ in expected.comments)
        new = [text for name, text in actual.comments if name not in known]
        numbers = () if expected.is_half else expected.new_comments
        wanted = [self._commented(expected, number) for number in numbers]
        if not all(any(re.search(pattern, text, re.DOTALL) for text in new) for pattern in wanted):
            return "a comment is not where the plan puts it"
        if not expected.loose and len(expected.boxes) == len(actual.boxes):
            for box, other in zip(expected.boxes, actual.boxes, strict=True):
                reason = self._blocks(box, other, where)
                if reason:
                    return f"{reason} in a text box"
            if not _copies_follow(expected, actual):
                return "the two forms of a text box say different things"
        return ""

    def _commented(self, expected: Paragraph, number: int) -> str:
        """An expression for the text that a new comment stands on; words may come in between."""
        pieces = [piece for piece in expected.pieces if number in piece.comments]
        return ".*?".join(map(self._pattern, pieces))

    def _aligned(self, pieces: Sequence[Piece], text: str) -> list[tuple[int, int]] | None:
        """Where in a text the pieces stand; None when it is another one."""
        is_known = all(piece.certainty in ("kept", "new") for piece in pieces)
        if is_known and "".join([piece.text for piece in pieces]) == text:
            spans: list[tuple[int, int]] = []
            at = 0
            for piece in pieces:
                spans.append((at, at + len(piece.text)))
                at += len(piece.text)
            return spans
        patterns = [f"({self._pattern(piece)})" for piece in pieces]
        match = re.fullmatch("".join(patterns), text, re.DOTALL)
        return None if match is None else [match.span(n + 1) for n in range(len(pieces))]

    def _pattern(self, piece: Piece) -> str:
        if self._is_bound(piece):
            return ".*?"
        case = "?" if piece.is_cased else "?i"
        match piece.certainty:
            case "kept":
                return re.escape(piece.text)
            case "new":
                return f"({case}:{pattern_of(piece.text)})"
            case "either":
                return f"({case}:{pattern_of(piece.text)}|{re.escape(piece.former)})"
            case "unknown":
                return ".*?"

    def _is_bound(self, piece: Piece) -> bool:
        """Whether a piece shows data that the plan changes, and so what is not known here."""
        return bool(piece.binding) and piece.binding in self._expected.bindings

    def _objects_match(
        self, expected: Paragraph, actual: Paragraph, spans: Sequence[tuple[int, int]]
    ) -> bool:
        """Whether the objects are those expected, in order, those among kept words in place."""
        fixed = _fixed(expected.pieces)
        wanted = [
            (piece, spans[n][0] if fixed[n] else -1)
            for n, piece in enumerate(expected.pieces)
            if piece.object
        ]
        loose = list(expected.loose)
        at = offset = 0
        for piece in actual.pieces:
            if not piece.object:
                offset += len(piece.text)
                continue
            while at < len(wanted) and not self._is_same(wanted[at][0], piece):
                if not wanted[at][0].is_optional:
                    break
                at += 1
            if at < len(wanted) and self._is_same(wanted[at][0], piece):
                if wanted[at][1] not in (-1, offset):
                    return False
                at += 1
                continue
            free = next((each for each in loose if self._is_same(each, piece)), None)
            if free is None:
                return False
            loose.remove(free)
        return not loose and all(piece.is_optional for piece, _ in wanted[at:])

    def _is_same(self, expected: Piece, actual: Piece) -> bool:
        """Whether an object is the one expected; a note may be a copy that says the same."""
        if expected.object == actual.object:
            return True
        kind, _, number = actual.object.partition(" ")
        if not kind.endswith("Reference"):
            return False
        note = self._notes[0].get((kind, number))
        if expected.object == f"new {kind}":
            return note is not None and _reads_as(expected.former, _text(note.blocks))
        own, _, former = expected.object.partition(" ")
        other = self._notes[1].get((own, former)) if own == kind else None
        return (
            note is not None
            and other is not None
            and note.key not in self._before.cited
            and _squeezed(_text(note.blocks)) == _squeezed(_text(other.blocks))
        )

    def _looks_match(
        self, expected: Paragraph, actual: Paragraph, spans: Sequence[tuple[int, int]]
    ) -> bool:
        """Whether kept words look and lead as before, or as the plan wants."""
        pieces = [piece for piece in actual.pieces if piece.text]
        given = () if actual.shape is None else actual.shape.run
        starts: list[int] = []
        at = 0
        for piece in pieces:
            starts.append(at)
            at += len(piece.text)
        index = 0
        for piece, (start, end) in zip(expected.pieces, spans, strict=True):
            while index < len(pieces) and starts[index] + len(pieces[index].text) <= start:
                index += 1
            there = index
            while there < len(pieces) and starts[there] < end:
                if not self._is_bound(piece) and not _looks_right(piece, pieces[there], given):
                    return False
                there += 1
        return True


def _looks_right(expected: Piece, actual: Piece, given: Sequence[Property]) -> bool:
    wanted = dict(expected.wanted)
    link = wanted.pop("link", None)
    if link is not None:
        if link == "none":
            return not actual.link
        return link.lstrip("#") in actual.link
    if expected.certainty != "kept":
        return True
    if expected.link != actual.link:
        return False
    return wanted_looks.run_is(expected.look, actual.look, tuple(wanted.items()), given)


def _by_number(content: Content) -> dict[tuple[str, str], Story]:
    """The notes by the kind of their references and their numbers."""
    notes: dict[tuple[str, str], Story] = {}
    for story in content.stories.values():
        if story.kind in _NOTES:
            notes.setdefault((f"{story.kind}Reference", story.key[2]), story)
    return notes


def _fixed(pieces: Sequence[Piece]) -> list[bool]:
    """Of each piece, whether it stands between kept words, or at an edge beside them."""
    ahead = _near_kept(pieces)
    behind = reversed(_near_kept(pieces[::-1]))
    return [before and after for before, after in zip(ahead, behind, strict=True)]


def _near_kept(pieces: Sequence[Piece]) -> list[bool]:
    """Of each piece, whether the nearest before it that says something is kept, or none is."""
    are_near: list[bool] = []
    is_kept = True
    for piece in pieces:
        are_near.append(is_kept)
        if piece.text or piece.certainty != "kept":
            is_kept = piece.certainty == "kept" and not piece.binding
    return are_near


def _standing(blocks: Sequence[Block]) -> Iterator[tuple[Block, bool]]:
    """The blocks as the plan leaves them, and whether one went or came just before each."""
    is_slack = False
    for block in blocks:
        for new in block.before:
            yield new, True
            is_slack = True
        if block.is_gone or _is_emptied_table(block):
            is_slack = True
        else:
            yield block, is_slack or bool(block.before)
            is_slack = False
        for new in block.after:
            yield new, True
            is_slack = True


def _is_emptied_table(block: Block) -> bool:
    """Whether a plan takes all rows or columns of a table."""
    content = block.content
    return isinstance(content, Table) and not any(content.standing())


def _ends_in_slack(blocks: Sequence[Block]) -> bool:
    return not blocks or blocks[-1].is_gone or bool(blocks[-1].after)


def _is_needed(blocks: Sequence[Block], at: int, *, beside_table: bool) -> bool:
    """Whether an empty paragraph stands only because one has to.

    In a control, under a comment, between tables, beside a struck one, in a cell or story with
    nothing else, behind a last table, or to end a section; beside or in front of a table also where
    the plan brings one or takes one away.
    """
    block = blocks[at]
    if not _says_nothing(block):
        return False
    content = block.opened()
    if block.is_beside_struck:
        return True
    if isinstance(content, Paragraph) and (content.pieces or content.comments):
        return True  # such as the piece of a control around it, which cannot be empty
    before = blocks[at - 1] if at else None
    after = blocks[at + 1] if at + 1 < len(blocks) else None
    is_edge = before is None or before.kind == "table" or _ends_section(before)
    tables = [each for each in (before, after) if each is not None and each.kind == "table"]
    if beside_table and (tables or before is None or _says_nothing(before)):
        return True
    return _ends_section(block) or (is_edge and (after is None or after.kind == "table"))


def _ends_section(block: Block) -> bool:
    content = block.opened()
    return isinstance(content, Paragraph) and content.has_section


def _says_nothing(block: Block) -> bool:
    content = block.opened()
    return isinstance(content, Paragraph) and content.says_nothing


def _is_emptied_item(block: Block) -> bool:
    """Whether a plan takes all words of an item of a list, which then goes with its number."""
    content = block.content
    return (
        isinstance(content, Paragraph)
        and content.says_nothing
        and not content.loose
        and any(piece.certainty == "new" for piece in content.pieces)
        and content.shape is not None
        and content.shape.is_numbered
    )


def _copies_follow(expected: Paragraph, actual: Paragraph) -> bool:
    """Whether the second forms of text boxes still say what the first ones say, where they did."""
    if len(expected.copies) != len(actual.copies):
        return not any(expected.copies)
    forms = zip(expected.boxes, expected.copies, actual.boxes, actual.copies, strict=True)
    for box, copy, box_now, copy_now in forms:
        former, now = _words(copy), _words(box_now)
        was_same, is_kept = former == _words(box), now == _words(box)
        wanted = now if was_same else former
        if (was_same or is_kept) and _words(copy_now) != wanted:
            return False
    return True


def _words(blocks: Sequence[Block]) -> list[tuple[str, list[str]]]:
    """The words and objects of blocks as they stand in the file, whatever a plan made of them."""
    words: list[tuple[str, list[str]]] = []
    for block in blocks:
        content = block.opened() if block.source is None else block.source.open()
        if isinstance(content, Table):
            for row in content.rows:
                words += [each for cell in row.cells for each in _words(cell.blocks)]
        elif not content.says_nothing:
            words.append((content.text, [p.object for p in content.pieces if p.object]))
    return words


def _is_spacer(wanted: Sequence[tuple[Block, bool]], index: int) -> bool:
    """Whether an empty paragraph was moved together with a table beside it, or a table over it.

    It may have kept that table from another one, and go where the table stands again as it stood.
    """
    block, is_slack = wanted[index]
    content = block.opened()
    is_copy = isinstance(content, Paragraph) and is_slack and content.shape is not None
    beside = [each for each, _ in (*wanted[max(index - 1, 0) : index], *wanted[index + 1 :][:1])]
    return is_copy and _says_nothing(block) and any(each.kind == "table" for each in beside)


def _text(blocks: Sequence[Block]) -> str:
    """All text of blocks."""
    texts: list[str] = []
    for block, _ in _standing(blocks):
        content = block.opened()
        if isinstance(content, Paragraph):
            texts.append(content.text)
        else:
            texts += [_text(cell.blocks) for row in content.standing() for cell in row.cells]
    return " ".join(texts)


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _reads_as(letters: str, text: str) -> bool:
    return re.fullmatch(rf"\s*(?i:{pattern_of(letters.strip())})\s*", text) is not None


def _broken(where: str, what: str) -> VerificationError:
    message = f"law 2 is broken in {where}: {what}"
    return VerificationError(message)
