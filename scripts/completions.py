"""What a stand-in for a model's server answers: chat completions over HTTP, as bytes."""

from __future__ import annotations

import json


def head(length: int, status: str = "200 OK") -> bytes:
    """Returns the head of an answer whose body has so many bytes."""
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nRetry-After: 0\r\n"
        f"Content-Length: {length}\r\nConnection: close\r\n\r\n"
    ).encode()


def completion(content: str, model: str) -> bytes:
    """Returns the body of an answer that says `content`."""
    message = {"role": "assistant", "content": content}
    return json.dumps(
        {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": model,
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10},
        }
    ).encode()
