"""Captions come beside everything else: in the list of documents, the Markdown and for planners."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

from redraft.api.app import Externals, running
from redraft.api.clock import SystemClock
from redraft.api.operations.metering import Meter
from redraft.api.sandbox.workers import InProcess
from redraft.api.settings import Settings
from redraft.engine.instruct import Calls, Instruction, Planned
from redraft.engine.plan import EditPlan
from redraft.engine.planner.captions import Captioner
from redraft.engine.planner.providers import ChatCompletions
from tests.engine.wordml import docx, p, picture
from tests.model_server import ModelServer, Step

PNG = b"\x89PNG\r\n\x1a\n" + b"." * 300
DATA = docx(
    p(picture("rId7")) + p(picture("rId8", alt="A hen")),
    relations={"rId7": ("image", "media/duck.png"), "rId8": ("image", "media/hen.png")},
    media={"media/duck.png": PNG, "media/hen.png": PNG + b"."},
)


@asynccontextmanager
async def serving(
    folder: Path, model: ModelServer, views: list[str]
) -> AsyncGenerator[httpx.AsyncClient]:
    async def planner(calls: Calls, instruction: Instruction, meter: Meter) -> Planned:
        views.append((await calls.show(instruction.text, None, "N0")).text)
        return Planned(EditPlan("no_change", "seen"))

    eyes = Captioner(ChatCompletions("eyes", model.address, "k", first_wait=0.01))
    externals = Externals(InProcess(), planner, SystemClock(), captioner=eyes)
    settings = Settings(data_dir=folder, api_keys=("one",))
    async with (
        running(settings, externals) as application,
        httpx.AsyncClient(
            transport=httpx.ASGITransport(application.asgi),  # pyright: ignore[reportArgumentType] - the scope has another name
            base_url="http://here",
            headers={"Authorization": "Bearer one"},
        ) as client,
    ):
        yield client


async def uploaded(client: httpx.AsyncClient) -> dict[str, Any]:
    answer = await client.post("/v1/documents/", files={"file": ("a.docx", DATA)})
    assert answer.status_code == 200
    return answer.json()


async def test_an_upload_waits_for_no_caption_and_all_doors_show_it_when_it_is_there(
    tmp_path: Path,
) -> None:
    may_answer = threading.Event()

    def slowly(_: dict[str, Any]) -> Step:
        may_answer.wait(10)
        return json.dumps({"caption": "A duck"})

    views: list[str] = []
    with ModelServer(slowly) as model:
        async with serving(tmp_path, model, views) as client:
            document = await uploaded(client)
            before = {one["image_id"]: one for one in document["imageAnnotations"]}
            assert before["media/duck.png"]["source"] == "existing"
            may_answer.set()
            path = f"/v1/documents/{document['docId']}"
            markdown = ""
            for _ in range(20):  # each waits for captions a short time
                read = await client.post(f"{path}/markdown", json={"readUid": str(uuid4())})
                markdown = read.json()["markdown"]
                if "A duck" in markdown:
                    break
            assert markdown == "![A duck](media/duck.png)\n\n![A hen](media/hen.png)\n"
            (listed,) = (await client.get("/v1/documents/")).json()["documents"]
            assert {one["caption"]: one["source"] for one in listed["imageAnnotations"]} == {
                "A duck": "generated",
                "A hen": "existing",
            }
            edit = {"editUid": str(uuid4()), "editInstructions": "the picture of the duck"}
            await client.post(f"{path}/edits", json=edit)
    assert '⟦im1 "A duck":Picture 1⟧' in views[0]
    assert len(model.requests) == 1
