"""What the service is made of, and who may see which document.

A document is visible to the key that uploaded it, until it expires; to everybody else it is as if
it did not exist.
"""

from __future__ import annotations

from dataclasses import dataclass

from redraft.api.auth.presign import Presigner
from redraft.api.clock import SteadyClock
from redraft.api.errors import MissingDocumentError
from redraft.api.files.protocol import FileStore
from redraft.api.metadata.protocol import Document, Metadata, Quota, Version
from redraft.api.operations.mailbox import Mailbox
from redraft.api.operations.renditions import Renditions
from redraft.api.requests.fields import document_id
from redraft.api.sandbox.workers import Workers
from redraft.api.settings import Settings


@dataclass(frozen=True, slots=True)
class ServiceContext:
    """What the service is made of."""

    metadata: Metadata
    files: FileStore
    workers: Workers
    renditions: Renditions
    mailbox: Mailbox
    presigner: Presigner
    clock: SteadyClock
    settings: Settings
    models: tuple[str, ...]
    """The names of the language models: the ordinary one, the large one; none without any."""

    async def quota(self, owner: str) -> Quota:
        """Returns what the documents of an owner may come to."""
        own = await self.metadata.keys.quota(owner)
        return own or Quota(self.settings.documents_per_key, self.settings.bytes_per_key)

    async def visible(self, owner: str, written: str) -> Document:
        """Finds a document of a key by its id as it was written.

        Raises:
            MissingDocumentError: unknown, expired, or another key's.
        """
        document = await self.metadata.documents.get(document_id(written))
        if document is None or not self._is_visible(document, owner):
            raise MissingDocumentError
        return document

    async def visible_version(
        self,
        owner: str,
        written: str,
        missing: type[MissingDocumentError] = MissingDocumentError,
    ) -> tuple[Document, Version]:
        """Finds a document and its current version.

        Raises:
            MissingDocumentError: or the subclass given; unknown, expired, or another key's.
        """
        current = await self.metadata.documents.current(document_id(written, missing))
        if current is None or not self._is_visible(current[0], owner):
            raise missing
        return current

    def _is_visible(self, document: Document, owner: str) -> bool:
        return document.owner == owner and document.is_alive(self.clock.now())
