"""A stand-in for a model's server that plans small edits of whatever document it is shown."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from scripts.completions import completion, head

BLOCK = re.compile(r"^\[((?:p\d+|p\d+\.b\d+))(?: [^\]]*)?\] (.*)$", re.MULTILINE)
WORD = re.compile(r"\b[A-Za-z]{5,}\b")
PROBLEMS = ("slow", "nonsense", "429", "500", "cut")


class ScriptedModel:
    """Replaces a word of a block by chance, and now and then answers badly."""

    def __init__(self, seed: int = 0, trouble: float = 0.15) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - a mix of answers, no secret
        self._trouble = trouble

    @asynccontextmanager
    async def listening(self) -> AsyncGenerator[str]:
        """Listens; returns the address for OPENAI_BASE_URL."""
        server = await asyncio.start_server(self._meet, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}/v1"
        server.close()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            request = json.loads(await reader.readexactly(length))
            shown = "\n".join(str(message["content"]) for message in request["messages"][1:])
            writer.write(await self._reply(shown))
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()

    async def _reply(self, shown: str) -> bytes:
        problem = self._chance.choice(PROBLEMS) if self._chance.random() < self._trouble else ""
        body = completion(self.plan(shown), "scripted")
        match problem:
            case "slow":
                await asyncio.sleep(3)
            case "nonsense":
                body = completion("I would rather not say.", "scripted")
            case "429" | "500":
                return head(2, f"{problem} Trouble") + b"{}"
            case "cut":
                return head(len(body)) + body[:9]
            case _:
                pass
        return head(len(body)) + body

    def plan(self, shown: str) -> str:
        """Plans to replace one word of one block of what is shown; nothing where there is none."""
        blocks = [(at, words) for at, text in BLOCK.findall(shown) if (words := WORD.findall(text))]
        operations: list[dict[str, object]] = []
        if blocks:
            anchor, words = self._chance.choice(blocks)
            word = self._chance.choice(words)
            operations.append(
                {
                    "op": "replace_text",
                    "block": anchor,
                    "find": word,
                    "replace": word[::-1],
                    "occurrence": 1,
                }
            )
        decision = "edit" if operations else "no_change"
        plan = {"reason": "r", "decision": decision, "read": [], "operations": operations}
        return json.dumps(plan)
