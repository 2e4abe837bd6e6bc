"""Saving changes beside the file they were made in, after every one and without being asked."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from textual.worker import Worker

from redraft.tui import local_files
from redraft.tui.controllers.workspace import Workspace
from redraft.tui.session.session_file import SavedCopy
from redraft.tui.session.state import OpenDocument
from redraft.tui.text.runs import one_line
from redraft.tui.transport.failures import ClientError, UnreachableError


class Safekeeping:
    """Keeps a copy of each document that was opened from this machine, up to date with its edits.

    The copy stands beside the original, or in the folder that the configuration names. It never
    replaces the original, nor a file that redraft did not write last.
    """

    def __init__(self, screen: Workspace) -> None:
        self._screen = screen
        self._session = screen.session
        self._saving: dict[str, Worker[None]] = {}
        self._failed_versions: dict[str, int] = {}
        self._first_versions: dict[str, int] = {}  # when this program saw a document first
        self._saved_versions: dict[str, int] = {}  # by hand
        self._sample = screen.options.demo.name if screen.options.demo else ""
        self.copies: dict[str, SavedCopy] = {}

    def keep(self, document_id: str, source: Path, data: bytes) -> None:
        """Begins to save copies of a document that was uploaded from a file."""
        path = local_files.copy_beside(source, self._screen.options.redline_folder)
        digest = local_files.digest(data)
        version = self._version(document_id)
        self.copies[document_id] = SavedCopy(str(source), digest, str(path), "", version)

    def keep_on(self, document_id: str, earlier: SavedCopy, data: bytes) -> None:
        """Goes on saving to a copy that was opened again."""
        written, version = local_files.digest(data), self._version(document_id)
        self.copies = {key: copy for key, copy in self.copies.items() if copy != earlier}
        self.copies[document_id] = replace(earlier, written=written, version=version)

    def earlier_copy(self, source: Path) -> tuple[str, SavedCopy] | None:
        """Returns the document, by its id, and the copy that were made of a file as it is now."""
        try:
            digest = local_files.digest(source.read_bytes())
        except OSError:
            return None
        for document_id, copy in reversed(self.copies.items()):
            if copy.source == str(source) and copy.source_digest == digest:
                return document_id, copy
        return None

    def _version(self, document_id: str) -> int:
        document = self._session.store.documents.get(document_id)
        return document.info.version if document is not None else 0

    def refresh(self) -> None:
        """Saves every document whose version is another than that of its copy."""
        for document in self._session.store.documents.values():
            self._first_versions.setdefault(document.id, document.info.version)
            if self._needs_saving(document):
                work = self._save(document)
                self._saving[document.id] = self._screen.start(work, group="keep")

    def _needs_saving(self, document: OpenDocument) -> bool:
        copy, version = self.copies.get(document.id), document.info.version
        return (
            copy is not None
            and self._session.store.is_online
            and copy.version != version
            and self._failed_versions.get(document.id) != version
            and not document.is_expired
            and document.id not in self._saving
        )

    async def _save(self, document: OpenDocument) -> None:
        copy = self.copies[document.id]
        try:
            data = await self._session.download(document.id, "redline")
            path = await asyncio.to_thread(
                local_files.replace_own, Path(copy.path), data, copy.written
            )
        except UnreachableError:
            return  # it is saved when the service is back
        except (ClientError, local_files.FileError) as error:
            self._failed_versions[document.id] = document.info.version
            self._session.store.update(document.id, save_error=one_line(str(error)))
            self._screen.say(f"not saved: {error}; s saves it elsewhere", "error")
            return
        finally:
            self._saving.pop(document.id, None)
        self.copies[document.id] = replace(
            copy,
            path=str(path),
            written=local_files.digest(data),
            version=document.info.version,
        )
        self._session.store.update(document.id, saved_as=path.name, save_error="")
        self._screen.save_session()

    def note_saved(self, document_id: str) -> None:
        """Notes that a person saved the document as it is now."""
        self._saved_versions[document_id] = self._version(document_id)
        self._session.store.update(document_id, save_error="")

    def unsaved(self) -> list[OpenDocument]:
        """Returns the documents with changes of this session that are in no file."""
        return [
            document
            for document in self._session.store.documents.values()
            if not document.is_expired and self._is_unsaved(document)
        ]

    def _is_unsaved(self, document: OpenDocument) -> bool:
        version = document.info.version
        if self._sample and document.info.name == self._sample:
            return False
        if self._saved_versions.get(document.id) == version:
            return False
        copy = self.copies.get(document.id)
        if copy is not None:
            return copy.version != version
        return self._first_versions.get(document.id, version) != version

    async def finish(self) -> None:
        """Waits for the copies that are being saved."""
        for worker in list(self._saving.values()):
            await worker.wait()

    async def save_all(self) -> bool:
        """Saves every unsaved document; returns whether all of them are saved now."""
        await self.finish()
        for document in self.unsaved():
            if document.id not in self.copies:
                name = local_files.copy_beside(Path(document.info.name), None).name
                path = self._screen.options.folder / name
                self.copies[document.id] = SavedCopy("", "", str(path), "", -1)
            await self._save(document)
        return not self.unsaved()
