"""Which models there are: from the operator's environment only, never from a request.

OPENAI_API_KEY, OPENAI_BASE_URL   key and address of any OpenAI-compatible server
REDRAFT_MODEL                     the model that plans edits
REDRAFT_LARGE_MODEL               the larger one, for `useLargeModel`
REDRAFT_VISION_MODEL              a model that sees, for captions of pictures
REDRAFT_PLAIN_FIRST               `no`: the built-in interpreter does not try first
"""

from __future__ import annotations

from collections.abc import Mapping

from redraft.engine.planner.model import LanguageModel, Models
from redraft.engine.planner.providers import ChatCompletions

OPENAI = "https://api.openai.com/v1"
_NO = frozenset({"0", "no", "off", "false"})


def models_from(environment: Mapping[str, str]) -> Models:
    """Read the models out of an environment; none without REDRAFT_MODEL or a server to ask."""
    key = environment.get("OPENAI_API_KEY", "").strip()
    address = environment.get("OPENAI_BASE_URL", "").strip()
    plain_first = environment.get("REDRAFT_PLAIN_FIRST", "").strip().lower() not in _NO
    if not key and not address:
        return Models(plain_first=plain_first)

    def model(name: str) -> LanguageModel | None:
        return ChatCompletions(name, address or OPENAI, key) if name else None

    large = model(environment.get("REDRAFT_LARGE_MODEL", "").strip())
    ordinary = model(environment.get("REDRAFT_MODEL", "").strip())
    vision = model(environment.get("REDRAFT_VISION_MODEL", "").strip())
    return Models(ordinary or large, large, plain_first, vision=vision)
