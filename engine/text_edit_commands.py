"""`redraft edit FILE --in-editor`: the document as text in an editor, saved as tracked changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from redraft.engine import editor, formats
from redraft.engine.errors import EngineError
from redraft.engine.file_commands import (
    FAILED,
    NOTHING_CHANGED,
    WRONG_USE,
    WriteOptions,
    may_write,
    say,
    tell,
    write_edit,
)
from redraft.engine.report import EditReport, Signature
from redraft.engine.text_edit import text_edit, writing
from redraft.engine.text_edit.edited_text import REMARK
from redraft.engine.text_edit.text_plan import LineFault, TextFaultsError

_SAME: Final = "the text is as it was; nothing is written"


def edit_text(file: Path, options: WriteOptions, open_editor: Callable[[str], str]) -> int:
    """Lets a person edit a document as text, and writes what differs as tracked changes.

    Where lines cannot be carried out the editor opens again with what was written, each reason
    above its line. Text that is left as it is then is kept beside the document.

    Args:
        file: A .docx or .pdf.
        options: Where the result goes, and under whose name.
        open_editor: Shows a text to the person, and returns it as it was saved.

    Raises:
        EngineError: the document cannot be read.
        OSError: the editor cannot be started.
    """
    target = options.target(file)
    if not (options.dry_run or may_write(target, file, force=options.force)):
        return WRONG_USE
    document = editor.editable(file)
    given = text_edit.text_of(document)
    text = open_editor(given)
    while True:
        if text == given:
            say(_SAME)
            return NOTHING_CHANGED
        try:
            return _written(file, text, options)
        except TextFaultsError as error:
            faults = error.faults
        except EngineError as error:
            faults = (LineFault(0, str(error)),)
        for fault in faults:
            say(f"line {fault.number}: {fault.message}" if fault.number else fault.message)
        remarked = _with_remarks(text, faults)
        again = open_editor(remarked)
        if again == remarked:
            return _kept(file, text)
        text = _without_remarks(again)


def _written(file: Path, text: str, options: WriteOptions) -> int:
    target = options.target(file)
    state = editor.inspect(file, file.name, options.own).state
    if formats.is_pdf(file.read_bytes()):
        plan = text_edit.edit_plan(text_edit.plan_of(editor.editable(file), text))
        return write_edit(file, state, plan, (), options, None)
    signature = Signature.now(options.author, tracked=options.tracked)
    done = writing.carry_out(file.read_bytes(), state, text, signature)
    if not done.is_changed:
        say(_SAME)
        return NOTHING_CHANGED
    if not options.dry_run:
        target.write_bytes(done.data)
    count = len(done.revisions)
    summary = f"{count} change{'' if count == 1 else 's'}" if options.tracked else "edited"
    return tell(
        EditReport(applied=True, summary=summary, revisions=done.revisions), (), target, options
    )


def _kept(file: Path, text: str) -> int:
    """Keeps a text that could not be carried out."""
    number = 1
    kept = file.with_name(f"{file.stem}-edited.md")
    while kept.exists():
        number += 1
        kept = file.with_name(f"{file.stem}-edited-{number}.md")
    kept.write_text(text, "utf-8")
    say(f"nothing is written; your text is kept in {kept}")
    return FAILED


def _with_remarks(text: str, faults: Sequence[LineFault]) -> str:
    """Returns a text with the reason above each line that cannot be carried out."""
    lines = text.split("\n")
    for fault in sorted(faults, key=lambda one: one.number, reverse=True):
        reason = fault.message.replace("--", "- -")
        lines.insert(max(fault.number - 1, 0), f"{REMARK}{reason} -->")
    return "\n".join(lines)


def _without_remarks(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith(REMARK))
