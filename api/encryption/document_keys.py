"""The keys of documents. Each is kept sealed in the row of its document, and goes with that row.

No opened key is remembered: what was deleted cannot be read any more from that moment on.
"""

from __future__ import annotations

from redraft.api.encryption.master_keys import MasterKeys, UnknownKeyError, new_document_key
from redraft.api.encryption.sealing import Values
from redraft.api.logs import logger_for
from redraft.api.metadata.protocol import Document, Documents, MetadataError

MOST_NEW = 1_000
NO_KEY = "a document was encrypted with a key that the service does not have"
log = logger_for("redraft.encryption")


class DocumentKeys:
    """Finds the keys of documents.

    Args:
        master: The keys of the operator.
        documents: Where rows are, as they are stored.
    """

    def __init__(self, master: MasterKeys, documents: Documents) -> None:
        self._master = master
        self._documents = documents
        self._new: dict[str, bytes] = {}

    def prepare(self, document: str) -> None:
        """Makes a key for a document whose files are stored before its row is."""
        while len(self._new) >= MOST_NEW:
            del self._new[next(iter(self._new))]
        self._new.setdefault(document, new_document_key())

    def sealed_new(self, document: str) -> bytes:
        """Returns the key that was prepared for a document, sealed for its row."""
        self.prepare(document)
        return self._master.sealed(self._new[document], document)

    def settle(self, document: str) -> None:
        """Forgets what was prepared: from now on the row says it."""
        self._new.pop(document, None)

    async def key(self, document: str) -> bytes | None:
        """Returns the key of a document; None of one that is not encrypted.

        Raises:
            MetadataError: it was sealed with a key that is not there.
        """
        row = await self._documents.get(document)
        return self._new.get(document) if row is None else self._opened(row)

    async def values(self, document: str) -> Values | None:
        """Returns what opens the values of a document; None of one that is not encrypted."""
        key = await self.key(document)
        return None if key is None else Values(key, document)

    def values_of(self, row: Document) -> Values | None:
        """Returns what opens the values of a document of which the row is there."""
        key = self._opened(row)
        return None if key is None else Values(key, row.id)

    def _opened(self, row: Document) -> bytes | None:
        if row.sealed_key is None:
            return None
        try:
            return self._master.opened(row.sealed_key, row.id)
        except UnknownKeyError as error:
            log.error(NO_KEY, document=row.id)  # noqa: TRY400, RUF100 - it says all there is
            raise MetadataError(NO_KEY) from error
