"""What pictures without alternative text show, by a model that sees; a document waits for no model.

Captions are made beside everything else, when a document comes in or is read first, and are kept
in memory: the pictures they were made of by their digests (`engine.planner.captions`), the document
by its id. Without such a model nothing happens here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import msgspec

from redraft.api.errors import WorkerError
from redraft.api.files.protocol import StoreError
from redraft.api.logs import error_origin, logger_for
from redraft.api.metadata.protocol import Document, Version
from redraft.api.sandbox.workers import Workers
from redraft.engine import editor
from redraft.engine.errors import EngineError
from redraft.engine.instruct import Calls
from redraft.engine.model import ImageNote
from redraft.engine.plan import EditPlan, Fault
from redraft.engine.planner.captions import Captioner, in_markdown, in_view
from redraft.engine.report import ModelView, Picture, StoredVersion

AtHand: TypeAlias = Callable[[Document, Version], AbstractAsyncContextManager[StoredVersion]]
log = logger_for(__name__)

_FIRST_WAIT = 3.0
"""How long a read or an edit waits for captions at most, in seconds."""
GENERATED = "generated"
"""Who wrote a caption, as existing clients call it."""


@dataclass(frozen=True, slots=True)
class Captions:
    """What the pictures of one version show: by the ids of its view, and by their names."""

    version: int = -1
    by_id: Mapping[str, str] = field(default_factory=dict[str, str])
    by_name: Mapping[str, str] = field(default_factory=dict[str, str])


NOTHING = Captions()


class PictureCaptions:
    """Makes and keeps captions.

    Args:
        captioner: Asks the model; None without one.
        workers: Takes pictures out of documents.
        at_hand: Gives the file of a version.
        seconds: How long that may take.
    """

    def __init__(
        self, captioner: Captioner | None, workers: Workers, at_hand: AtHand, seconds: float
    ) -> None:
        self._captioner = captioner
        self._workers = workers
        self._at_hand = at_hand
        self._seconds = seconds
        self._known: dict[str, Captions] = {}
        self._making: dict[tuple[str, int], asyncio.Task[None]] = {}

    def begin(self, document: Document, version: Version) -> None:
        """Has the pictures of a version described, beside everything else."""
        key = document.id, version.number
        is_known = self._known.get(document.id, NOTHING).version == version.number
        if self._captioner is None or not document.images or is_known or key in self._making:
            return
        task = asyncio.create_task(self._describe(self._captioner, document, version))
        self._making[key] = task
        task.add_done_callback(lambda _: self._making.pop(key, None))

    async def current(self, document: Document, version: Version) -> Captions:
        """Returns the captions of a version, those that are there after a short time at most."""
        self.begin(document, version)
        task = self._making.get((document.id, version.number))
        if task is not None:
            await asyncio.wait({task}, timeout=_FIRST_WAIT)
        known = self._known.get(document.id, NOTHING)
        return known if known.version == version.number else NOTHING

    def images(self, document: Document) -> tuple[ImageNote, ...]:
        """Returns the pictures of a document with the captions that are there by now."""
        names = self._known.get(document.id, NOTHING).by_name
        return tuple(
            replace(image, caption=names[image.image_id], source=GENERATED)
            if image.image_id in names
            else image
            for image in document.images
        )

    def forget(self, document: str) -> None:
        """Forgets a document that is no more."""
        self._known.pop(document, None)

    async def stop(self) -> None:
        """Ends what is under way."""
        tasks = list(self._making.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _describe(self, captioner: Captioner, document: Document, version: Version) -> None:
        try:
            async with self._at_hand(document, version) as stored:
                pictures: tuple[Picture, ...] = await self._workers.call(
                    editor.pictures, stored, seconds=self._seconds, owner=document.owner
                )
            told = await captioner.captions(pictures)
        except (EngineError, StoreError, WorkerError) as error:
            log.warning("pictures are not described", origin=error_origin(error))
            return
        names = {one.name: told[one.id] for one in pictures if one.id in told}
        self._known[document.id] = Captions(version.number, told, names)


def written(markdown: msgspec.Raw, captions: Captions) -> msgspec.Raw:
    """Returns Markdown, as JSON, whose pictures say what they show."""
    if not captions.by_name:
        return markdown
    text = in_markdown(msgspec.json.decode(markdown, type=str), captions.by_name)
    return msgspec.Raw(msgspec.json.encode(text))


@dataclass(frozen=True, slots=True)
class CaptionedCalls:
    """The engine's calls on a document whose pictures say what they show to a model."""

    calls: Calls
    captions: Captions

    async def interpret(
        self, instruction: str, lookup: str | None, places: tuple[str, ...] = ()
    ) -> EditPlan:
        """Plans without a model."""
        return await self.calls.interpret(instruction, lookup, places)

    async def show(self, instruction: str, lookup: str | None, nonce: str) -> ModelView:
        """Renders what a model is shown."""
        return in_view(await self.calls.show(instruction, lookup, nonce), self.captions.by_id)

    async def check(self, plan: EditPlan) -> tuple[Fault, ...]:
        """Returns what is wrong with a plan."""
        return await self.calls.check(plan)
