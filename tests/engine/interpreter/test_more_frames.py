"""More that frames hold: definitions, things that begin so, places, notes, moves, two commands."""

from __future__ import annotations

import pytest

from redraft.engine.errors import EditError
from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.model import Block, Document, Story
from redraft.engine.plan import (
    FindReplace,
    InsertBlocks,
    InsertFootnote,
    MoveBlocks,
    NewBlock,
    Operation,
    ReplaceText,
)
from tests.engine.interpreter.agreement import bullet, heading, paragraph

BLOCKS: tuple[Block, ...] = (
    paragraph("p1", "Garden Club Rules", "Title"),
    paragraph("p2", "3 March 2026"),
    heading("p3", 1, "1. Terms"),
    paragraph("p4", "“Season” means the eight months from March to October."),
    paragraph("p5", "“Plot” means a piece of land of forty square metres."),
    heading("p6", 1, "2. Use"),
    paragraph("p7", "2.1 Water is used sparingly. Hoses are rolled up. Taps are closed."),
    paragraph(
        "p8", "2.2 Mr Otto Lind keeps the key of Rose Garden House. The shed is open to all."
    ),
    heading("p9", 1, "3. Meetings"),
    paragraph("p10", "3.1 The next meeting is on 9 May 2026 at 18:00. Guests pay 5 euros."),
    paragraph("p11", "The summer meeting is at 18:00, too."),
    bullet("p12", "bring a chair;"),
    bullet("p13", "bring a lamp;"),
)
CLUB = Document("docx", (Story("body", "", BLOCKS),))

DONE: list[tuple[str, tuple[Operation, ...]]] = [
    (
        "in the definition of Season make it nine months instead of eight months",
        (ReplaceText("p4", "eight months", "nine months"),),
    ),
    (
        'drop the last sentence of the paragraph that begins "2.1 Water"',
        (ReplaceText("p7", " Taps are closed.", ""),),
    ),
    (
        "strike the second sentence of the paragraph that starts with 2.1 Water",
        (ReplaceText("p7", "Hoses are rolled up. ", ""),),
    ),
    ("date: 4 March 2026", (ReplaceText("p2", "3 March 2026", "4 March 2026"),)),
    (
        "title -> Garden Club Handbook",
        (ReplaceText("p1", "Garden Club Rules", "Garden Club Handbook"),),
    ),
    (
        "Rose Garden House -> Lily Garden House",
        (ReplaceText("p8", "Rose Garden House", "Lily Garden House"),),
    ),
    (
        "Mr Otto Lind is replaced by Ms Eva Berg",
        (FindReplace("Mr Otto Lind", "Ms Eva Berg", "all", match_case=True, whole_word=True),),
    ),
    (
        "Mr Otto Lind wird ersetzt durch Ms Eva Berg",
        (FindReplace("Mr Otto Lind", "Ms Eva Berg", "all", match_case=True, whole_word=True),),
    ),
    (
        "9 May 2026 in 3.1 needs to become 16 May 2026",
        (ReplaceText("p10", "9 May 2026", "16 May 2026"),),
    ),
    ("chang 5 euros in 3.1 too 6 euros", (ReplaceText("p10", "5 euros", "6 euros"),)),
    (
        'add "bring a cup;" as the first list item',
        (InsertBlocks("p12", "before", (NewBlock("like_anchor", "bring a cup;"),)),),
    ),
    (
        'Meetings: add the bullet "bring a cup;" at the end of the list',
        (InsertBlocks("p13", "after", (NewBlock("like_anchor", "bring a cup;"),)),),
    ),
    (
        "between 2.1 and 2.2 insert: Bees are kept.",
        (InsertBlocks("p7", "after", (NewBlock("like_anchor", "Bees are kept."),)),),
    ),
    (
        "zwischen 2.1 und 2.2 einfügen: Bees are kept.",
        (InsertBlocks("p7", "after", (NewBlock("like_anchor", "Bees are kept."),)),),
    ),
    (
        "add one more sentence at the end of 2.1: Tea is free.",
        (
            ReplaceText(
                "p7",
                "2.1 Water is used sparingly. Hoses are rolled up. Taps are closed.",
                "2.1 Water is used sparingly. Hoses are rolled up. Taps are closed. Tea is free.",
            ),
        ),
    ),
    (
        "new paragraph at the very end: The committee decides.",
        (InsertBlocks("p13", "after", (NewBlock("paragraph", "The committee decides."),)),),
    ),
    (
        'add a footnote after "the shed" in 2.2: Built in 1980.',
        (InsertFootnote("p8", "The shed", "Built in 1980."),),
    ),
    (
        'move the paragraph "The summer meeting" directly below the heading Meetings',
        (MoveBlocks("p11", "p11", "p9", "after"),),
    ),
    (
        "the next meeting is at 19:00, not 18:00",
        (ReplaceText("p10", "18:00", "19:00"),),
    ),
    (
        "in 2.1 change hoses to pipes, and in 3.1 change guests to visitors",
        (ReplaceText("p7", "Hoses", "Pipes"), ReplaceText("p10", "Guests", "Visitors")),
    ),
]


@pytest.mark.parametrize(("instruction", "meant"), DONE, ids=[one for one, _ in DONE])
def test_what_is_said_in_another_order_is_done(
    instruction: str, meant: tuple[Operation, ...]
) -> None:
    assert interpret(CLUB, instruction, None).operations == meant


REFUSED = [
    "in the definition of Winter make it nine months instead of eight months",
    "between 2.1 and 3.1 insert: Bees are kept.",
    'add "bring a cup;" as the ninth list item',
    "headline: shorter",
    "add one more sentence at the end of 3.1: Tea is free.",
    'remove the last sentence in the paragraph under "Meetings"',
    "move the paragraph about water to somewhere better",
    "Mr Otto Lind is replaced",
    'add a footnote after "the barn" in 2.2: Built in 1980.',
    "the meeting is at 19:00, not 17:00",
]


@pytest.mark.parametrize("instruction", REFUSED)
def test_what_is_not_there_or_not_clear_is_refused(instruction: str) -> None:
    with pytest.raises(EditError):
        interpret(CLUB, instruction, None)
