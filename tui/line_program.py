"""`redraft --plain`: the program as lines, for screen readers, slow lines and pipes.

What is typed is an instruction, or a command with `:` before it. Nothing is drawn over, nothing is
said by colour or place alone, and questions are answered by a line.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from redraft.tui import local_files
from redraft.tui.launch_options import LaunchOptions
from redraft.tui.local_files import FileError
from redraft.tui.panes.change_lines import describe, with_whole_tokens
from redraft.tui.session.state import counted, tally
from redraft.tui.text.runs import one_line, plain
from redraft.tui.transport.client import Client
from redraft.tui.transport.failures import ClientError, ServiceError
from redraft.tui.transport.requests import Copy, Edit, Upload
from redraft.tui.transport.wire import Candidate, Change, Edited

DONE, FAILED = 0, 1
COPIES: dict[str, Copy] = {
    "redline": "redline",
    "clean": "clean",
    "original": "original",
    "word": "word",
}
HELP = """\
Type what should change, such as: replace "30 days" with "45 days"
Or a command:
  :open FILE           open a .docx or .pdf; its changes are saved beside it after every edit
  :read                the document, with {--deletions--} and {++insertions++}
  :find WORDS          the paragraphs that hold these words
  :changes             the tracked changes, numbered
  :accept 2   :reject 2   :accept all   :reject all
  :undo   :redo   :history
  :save KIND FILE      a copy: redline, clean, original, or of a PDF word
  :help   :quit"""


class LineProgram:
    """Reads a line, does it, says what was done; the exit code tells whether all of it was."""

    def __init__(self, options: LaunchOptions, source: TextIO, target: TextIO) -> None:
        self._options = options
        self._source = source
        self._target = target
        self._client: Client | None = None
        self._document = ""
        self._name = ""
        self._copy: Path | None = None  # where changes are saved
        self._written = ""  # the digest of what was saved there last
        self._has_failed = False

    @property
    def client(self) -> Client:
        """The way to the service, once the program runs."""
        if self._client is None:
            message = "the program does not run"
            raise RuntimeError(message)
        return self._client

    async def run(self) -> int:
        """Reads until the end of the lines or `:quit`; returns the exit code."""
        try:
            self._client = await self._options.connect()
        except ClientError as error:
            self._say(f"Error: {error}")
            return FAILED
        try:
            for path in self._options.files:
                await self._guarded(self._open, str(path))
            if not self._options.files:
                self._say(HELP)
            while (line := await self._line("> ")) is not None and line not in (":quit", ":q"):
                await self._do(line)
        finally:
            await self._client.close()
        return FAILED if self._has_failed else DONE

    async def _do(self, line: str) -> None:
        name, _, rest = line.removeprefix(":").partition(" ")
        if not line.startswith(":"):
            await self._guarded(self._edit, line)
            return
        commands: dict[str, Callable[[str], Awaitable[None]]] = {
            "open": self._open,
            "read": self._read,
            "find": self._find,
            "changes": self._list_changes,
            "accept": self._accept,
            "reject": self._reject,
            "undo": self._undo,
            "redo": self._redo,
            "history": self._history,
            "save": self._save,
            "help": self._help,
        }
        if name in commands:
            await self._guarded(commands[name], rest.strip())
        else:
            self._fail(f"there is no command :{name}; :help lists them")

    async def _guarded(self, command: Callable[[str], Awaitable[None]], rest: str) -> None:
        """Does a command, and says in one line what it could not do."""
        is_free = command in (self._open, self._help)
        if not is_free and not self._document:
            self._fail("no document is open; :open FILE opens one")
            return
        try:
            await command(rest)
        except (ClientError, FileError) as error:
            self._fail(str(error))

    # Documents

    async def _open(self, written: str) -> None:
        path = local_files.expanded(written).absolute()
        data = local_files.load(path)
        upload = Upload(path.name, data, author=self._options.author)
        answer = await self.client.upload(upload, lambda _: None)
        self._document, self._name = answer.doc_id, answer.name
        self._copy = local_files.copy_beside(path, self._options.redline_folder)
        self._written = ""
        self._say(f"Opened {one_line(answer.name)}.")
        for warning in answer.warnings:
            self._say(f"Warning: {warning}")

    async def _read(self, _: str) -> None:
        self._say((await self._markdown()).strip())

    async def _markdown(self) -> str:
        uid = self._options.dependencies.new_uid()
        return (await self.client.markdown(self._document, uid, "markup")).markdown

    async def _find(self, words: str) -> None:
        paragraphs = (await self._markdown()).splitlines()
        hits = [text for text in paragraphs if words.casefold() in text.casefold()]
        self._say("\n".join(hits) if words and hits else "Nothing holds these words.")

    async def _history(self, _: str) -> None:
        for number, item in enumerate(await self.client.history(self._document), 1):
            self._say(f"{number}. {item.state}: {item.instruction or item.kind}. {item.summary}")

    async def _save(self, given: str) -> None:
        kind, _, written = given.partition(" ")
        if kind not in COPIES or not written.strip():
            self._fail(f"say :save KIND FILE, with one of {', '.join(COPIES)}")
            return
        path = local_files.expanded(written.strip()).absolute()
        data = await self.client.download(self._document, COPIES[kind])
        local_files.save(path, data, over=False)
        self._say(f"Saved as {path}.")

    async def _help(self, _: str) -> None:
        self._say(HELP)

    # Edits

    async def _edit(self, instruction: str) -> None:
        edit = Edit(self._options.dependencies.new_uid(), instruction)
        edit = replace(edit, asks_first=self._options.asks_first)
        while True:
            try:
                answer = await self.client.edit(self._document, edit)
            except ServiceError as error:
                place = await self._place(error.candidates) if error.candidates else None
                if place is None:
                    raise
                uid = self._options.dependencies.new_uid()
                edit = replace(edit, uid=uid, places=(*edit.places, place))
                continue
            if not answer.dry_run:
                break
            if not await self._is_wanted(answer):
                self._say("Not done; the document is as it was.")
                return
            uid = self._options.dependencies.new_uid()
            edit = replace(edit, uid=uid, asks_first=False, base_version=answer.version)
        await self._tell(answer)

    async def _tell(self, answer: Edited) -> None:
        if not answer.edit_applied:
            self._say(f"Nothing to change: {answer.summary}")
            return
        self._say(f"Done: {tally(answer.revisions) or answer.summary}.")
        self._list(answer.revisions)
        for warning in answer.warnings:
            self._say(f"Warning: {warning}")
        await self._keep()

    async def _place(self, candidates: Sequence[Candidate]) -> str | None:
        self._say("This fits several places:")
        for number, one in enumerate(candidates, 1):
            label = f"{one.label}: " if one.label else ""
            words = one.words.replace("⟪", "[").replace("⟫", "]")
            self._say(f"{number}. {label}{one_line(words)}")
        answer = await self._line(f"Which one (1-{len(candidates)}, empty for none)? ")
        if answer and answer.isascii() and answer.isdecimal():
            number = int(answer)
            return candidates[number - 1].place if 1 <= number <= len(candidates) else None
        return None

    async def _is_wanted(self, answer: Edited) -> bool:
        self._say(f"Not done yet: {tally(answer.revisions)}.")
        self._list(answer.revisions)
        return (await self._line("Do it (y or n)? ") or "").casefold() in ("y", "yes")

    async def _keep(self) -> None:
        """Saves the redline beside the file that was opened."""
        if self._copy is None:
            return
        data = await self.client.download(self._document, "redline")
        self._copy = await asyncio.to_thread(
            local_files.replace_own, self._copy, data, self._written
        )
        self._written = local_files.digest(data)
        self._say(f"Saved as {self._copy.name}.")

    async def _undo(self, _: str) -> None:
        moved = await self.client.move(self._document, "undo")
        self._say(one_line(moved.summary) or "Undone.")
        await self._keep()

    async def _redo(self, _: str) -> None:
        moved = await self.client.move(self._document, "redo")
        self._say(one_line(moved.summary) or "Redone.")
        await self._keep()

    # Changes

    async def _list_changes(self, _: str) -> None:
        changes = await self.client.changes(self._document)
        self._say(f"{counted(len(changes), 'tracked change')}.")
        self._list(changes)

    def _list(self, changes: Sequence[Change]) -> None:
        for number, change in zip(itertools.count(1), changes, strict=False):
            self._say(f"{number}. {told(change)}")

    async def _accept(self, which: str) -> None:
        count = await self._resolved("accept", which)
        self._say(f"{counted(count, 'change')} accepted.")

    async def _reject(self, which: str) -> None:
        count = await self._resolved("reject", which)
        self._say(f"{counted(count, 'change')} rejected.")

    async def _resolved(self, action: str, which: str) -> int:
        changes = await self.client.changes(self._document)
        is_number = which.isascii() and which.isdecimal() and 1 <= int(which) <= len(changes)
        if which != "all" and not is_number:
            message = f"say :{action} all, or a number from 1 to {len(changes)} of :changes"
            raise FileError(message)
        selection: dict[str, object] = (
            {"all": True} if which == "all" else {"ids": [changes[int(which) - 1].id]}
        )
        verb = "accept" if action == "accept" else "reject"
        count = await self.client.resolve(self._document, verb, selection)
        await self._keep()
        return count

    # Lines

    async def _line(self, question: str) -> str | None:
        """Returns the next line; None at the end. Who is at a terminal sees what is asked."""
        if self._source.isatty():
            self._target.write(question)
            self._target.flush()
        line = await asyncio.to_thread(self._source.readline)
        if not line:
            return None
        return line.strip() or (await self._line(question) if question == "> " else "")

    def _say(self, text: str) -> None:
        self._target.write(plain(text) + "\n")
        self._target.flush()

    def _fail(self, text: str) -> None:
        self._has_failed = True
        self._say(f"Error: {text}")


def told(change: Change) -> str:
    """Says a change in words, which a screen reader reads as they are."""
    whole = with_whole_tokens(change)
    before, after = one_line(whole.before), one_line(whole.after)
    words = describe(change)
    if change.formatting:
        parts = [
            f"{name} {old or 'as styled'} becomes {new}" for name, old, new in change.formatting
        ]
        words += f": “{after or before}”, {', '.join(parts)}"
    elif before and after:
        words += f": “{before}” becomes “{after}”"
    elif before or after:
        words += f": “{before or after}”"
    return f"{words} ({one_line(change.author)})" if change.author else words
