"""How a server is asked for JSON: from the strictest way it may know to the plainest.

    strict    response_format json_schema, strict true
    loose     response_format json_schema, strict false
    tool      one forced function call
    plain     the schema in the prompt; the first JSON object of the answer counts

Never `json_object`: some servers refuse it, and it promises nothing about the fields.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from redraft.engine.planner.model import Message, Question

STRICT, LOOSE, TOOL, PLAIN = range(4)
TOOL_NAME: Final = "submit"

# What a server names when it does not take a way of asking.
NAMES: Final = (
    ("response_format", "json_schema", "schema", "strict", "structured", "grammar", "format"),
    ("response_format", "json_schema", "schema", "structured", "grammar", "format"),
    ("tool", "function"),
    (),
)


def request(question: Question, rung: int) -> dict[str, Any]:
    """The part of a Chat Completions request that asks the question in the way of a rung."""
    messages = [{"role": turn.role, "content": _content(turn)} for turn in question.messages]
    match rung:
        case 0 | 1:
            schema = {
                "name": question.schema_name,
                "strict": rung == STRICT,
                "schema": question.schema,
            }
            wanted = {"type": "json_schema", "json_schema": schema}
            return {"messages": messages, "response_format": wanted}
        case 2:
            function = {
                "name": TOOL_NAME,
                "description": "Submit the answer.",
                "parameters": question.schema,
            }
            return {
                "messages": messages,
                "tools": [{"type": "function", "function": function}],
                "tool_choice": {"type": "function", "function": {"name": TOOL_NAME}},
            }
        case _:
            return {"messages": _with_schema(messages, question.messages, question.schema)}


def _content(turn: Message) -> Any:
    """Returns what a turn says: a text, or a text and a picture."""
    if not turn.picture:
        return turn.content
    return [
        {"type": "text", "text": turn.content},
        {"type": "image_url", "image_url": {"url": turn.picture}},
    ]


def _with_schema(
    messages: Sequence[dict[str, Any]], turns: Sequence[Message], schema: Mapping[str, object]
) -> list[dict[str, Any]]:
    rule = (
        "\n\nAnswer with one JSON object of exactly this schema, without fences or other words:\n"
        + json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    )
    first = {"role": turns[0].role, "content": turns[0].content + rule}
    return [first, *messages[1:]]
