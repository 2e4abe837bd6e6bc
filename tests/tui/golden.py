"""A contract with every kind of change, made here, and the list that the engine makes of it.

Somebody marked it up in Word before it was uploaded; then it was edited by redraft. What the
service answers is described by the service's own code.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import msgspec

from redraft.api.schemas import change_item
from redraft.engine import editor
from redraft.engine.model import View
from redraft.engine.report import Signature, StoredVersion
from tests.engine.wordml import docx, p, r

BOB = 'w:author="Bob Meyer" w:date="2026-11-02T09:12:00Z"'
UID = "a0a00000-0000-4000-8000-00000000000{}"
EDITS = (
    'Replace "thirty days" with "forty-five days"',
    'Make "without delay" bold',
    'Set the cell "12,500" to "13,000"',
    'Add a row "Training" "2" "1,800" to table 1',
    'Move the paragraph containing "Notices" before the paragraph containing "This Agreement"',
    'Delete the column "Qty"',
)


def _mark(name: str, number: int, inside: str = "") -> str:
    return f'<w:{name} w:id="{number}" {BOB}>{inside}</w:{name}>'


def _struck(text: str) -> str:
    return f'<w:r><w:delText xml:space="preserve">{text}</w:delText></w:r>'


def _moved(way: str, number: int) -> str:
    """One end of a move of a paragraph, mark and words, as Word writes it."""
    name = f'w:name="move1" w:id="{number}" {BOB}'
    start = f"<w:move{way}RangeStart {name}/>"
    end = f'<w:move{way}RangeEnd w:id="{number}"/>'
    mark = f"<w:pPr><w:rPr>{_mark(f'move{way}', number + 1)}</w:rPr></w:pPr>"
    words = _mark(f"move{way}", number + 2, r("Late payment bears interest."))
    return f"{start}<w:p>{mark}{words}</w:p>{end}"


def _row(*cells: str) -> str:
    return "<w:tr>" + "".join(f"<w:tc>{p(cell)}</w:tc>" for cell in cells) + "</w:tr>"


def _heading(text: str) -> str:
    return f'<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>{r(text)}</w:p>'


STYLES = (
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/>'
    "</w:style>"
    '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/>'
    '<w:basedOn w:val="Normal"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>'
)
LARGER = '<w:sz w:val="24"/>'
OLD_LOOK = _mark("rPrChange", 7, '<w:rPr><w:b/><w:sz w:val="20"/></w:rPr>')
BODY = "".join(
    (
        _heading("Payment"),
        f"<w:p>{r('The Supplier shall invoice the Client ')}"
        f"{_mark('del', 1, _struck('quarterly'))}{_mark('ins', 2, r('monthly'))}"
        f"{r('. Payment is due within thirty days.')}</w:p>",
        f"<w:p>{r('Prices are ')}{r('net of tax', LARGER + OLD_LOOK)}{r('.')}</w:p>",
        _moved("From", 10),
        f"<w:p><w:pPr><w:rPr>{_mark('ins', 20)}</w:rPr></w:pPr>{r('First half.')}</w:p>",
        f"<w:p>{r('Second half.')}</w:p>",
        '<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/>'
        '<w:gridCol w:w="3000"/></w:tblGrid>'
        + _row("Item", "Qty", "Price")
        + _row("Licences", "25", "12,500")
        + "</w:tbl>",
        _heading("Term"),
        _moved("To", 30),
        f"<w:p>{r('This Agreement remains in force for three years. Each party tells the other ')}"
        f"{r('without delay')}{r(' what it learns.')}</w:p>",
        p("Notices are given in writing."),
    )
)


@dataclass(frozen=True, slots=True)
class Golden:
    """The changes and the history as the service answers them, and the text by view."""

    changes: list[dict[str, Any]]
    history: list[dict[str, Any]]
    views: dict[str, str]


def golden() -> Golden:
    """Edit the contract and list its changes."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "0.docx"
        source.write_bytes(docx(BODY, styles=STYLES))
        state = editor.inspect(source, "contract.docx").state
        history: list[dict[str, Any]] = []
        for number, instruction in enumerate(EDITS, start=1):
            target = Path(folder) / f"{number}.docx"
            signature = Signature(UID.format(number), "Alice Lee", "2026-11-21T14:31:00Z", True)
            plan = editor.interpret(StoredVersion(source, state), instruction, None)
            report = editor.edit(StoredVersion(source, state), target, plan, signature)
            assert report.applied, instruction
            source, state = target, report.state
            history.append(_item(UID.format(number), instruction, report.summary))
        listed = [change_item(change) for change in editor.changes(StoredVersion(source, state))]
        views = {view: editor.read(StoredVersion(source), view).markdown for view in get_args(View)}
    return Golden(msgspec.json.decode(msgspec.json.encode(listed)), history, views)


def _item(uid: str, instruction: str, summary: str) -> dict[str, Any]:
    return {
        "editUid": uid,
        "kind": "edit",
        "instruction": instruction,
        "state": "applied",
        "queuedAt": "2026-11-21T14:31:00Z",
        "startedAt": "2026-11-21T14:31:00Z",
        "finishedAt": "2026-11-21T14:31:00Z",
        "summary": summary,
        "warnings": [],
    }
