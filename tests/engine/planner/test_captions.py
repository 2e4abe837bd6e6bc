"""Pictures without alternative text are described by a model that sees, each once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from redraft.engine import editor
from redraft.engine.planner.captions import Captioner, in_markdown, in_view
from redraft.engine.planner.configuration import models_from
from redraft.engine.planner.providers import ChatCompletions
from redraft.engine.report import ModelView, Picture, StoredVersion
from tests.engine.wordml import docx, p, picture
from tests.model_server import Fault, ModelServer, Says

PNG = b"\x89PNG\r\n\x1a\n" + b"." * 300
DUCK = Picture("im1", "media/image1.png", "image/png", PNG)
HEN = Picture("im2", "media/image2.png", "image/png", PNG + b"!")


def captioner(server: ModelServer) -> Captioner:
    return Captioner(ChatCompletions("eyes", server.address, "k", first_wait=0.01))


async def test_a_picture_is_shown_to_the_model_and_its_caption_kept_by_its_digest() -> None:
    said = json.dumps({"caption": ' A "duck" [on\n a lake] \u202e'})
    with ModelServer([said]) as server:
        eyes = captioner(server)
        assert await eyes.captions([DUCK]) == {"im1": "A 'duck' (on a lake)"}
        assert await eyes.captions([Picture("im9", "", "image/png", PNG)]) == {
            "im9": "A 'duck' (on a lake)"
        }
    (request,) = server.requests
    text, shown = request["messages"][1]["content"]
    assert text["type"] == "text"
    assert shown["image_url"]["url"].startswith("data:image/png;base64,iVBORw0KGgou")
    schema = request["response_format"]["json_schema"]["schema"]
    assert schema["required"] == ["caption"]


@pytest.mark.parametrize(
    "step", [Fault(400), Says("{"), Says('{"caption": ""}'), Says("{}", delay=1)], ids=str
)
async def test_what_does_not_come_in_time_or_is_no_caption_is_left_out(step: Fault | Says) -> None:
    with ModelServer([step]) as server:
        assert await captioner(server).captions([DUCK], seconds=0.3) == {}


async def test_the_others_are_described_where_one_fails() -> None:
    steps = [Fault(401), json.dumps({"caption": "A hen"})]
    with ModelServer(steps) as server:
        told = await captioner(server).captions([DUCK, HEN])
    assert list(told.values()) == ["A hen"]


def test_pictures_without_words_are_found_in_a_document(tmp_path: Path) -> None:
    body = p(picture("rId7")) + p(picture("rId8", alt="A hen"), picture("rId9", name="Picture 3"))
    relations = {f"rId{n}": ("image", f"media/image{n}.png") for n in (7, 8, 9)}
    media = {"media/image7.png": PNG, "media/image8.png": PNG, "media/image9.png": b"BM" + PNG}
    source = tmp_path / "a.docx"
    source.write_bytes(docx(body, relations=relations, media=media))
    (found,) = editor.pictures(StoredVersion(source))
    assert found == Picture("im1", "media/image7.png", "image/png", PNG)


def test_captions_stand_in_views_and_markdown() -> None:
    view = ModelView("[p1] ⟦im1:Picture 1⟧ \\⟦im1⟧ ⟦im2⟧ ⟦im3⟧", 9, whole=True)
    assert in_view(view, {"im1": "a duck", "im2": "a hen"}).text == (
        '[p1] ⟦im1 "a duck":Picture 1⟧ \\⟦im1⟧ ⟦im2 "a hen"⟧ ⟦im3⟧'
    )
    text = "![Picture 1](media/image1.png) ![x](media/image1.pngx) ![](media/b.png)"
    assert in_markdown(text, {"media/image1.png": "A duck"}) == text.replace("Picture 1", "A duck")


def test_a_model_that_sees_is_the_operators_choice() -> None:
    key = {"OPENAI_API_KEY": "k"}
    assert models_from(key).vision is None
    vision = models_from({**key, "REDRAFT_VISION_MODEL": "eyes"}).vision
    assert vision is not None
    assert vision.name == "eyes"
