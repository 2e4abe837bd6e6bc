"""Clients of the official SDK, connected to the tools in every way there is."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, cast

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from redraft.api.app import running
from redraft.api.serve import shipped
from redraft.api.settings import Settings
from redraft.assist.calls import Calls, Parts
from redraft.assist.local_files import CALLER, LocalDocuments, LocalOptions, entries_of
from redraft.assist.protocol_server import Context, ProtocolServer
from redraft.assist.roots import Roots
from tests.api import fake_planner

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "tui" / "sample" / "services-agreement.docx"
MODES = ("auto", "legacy", "2026-07-28")
Mode = Literal["auto", "legacy", "2026-07-28"]


def sample_in(folder: Path, name: str = "contract.docx") -> Path:
    folder.mkdir(exist_ok=True)
    shutil.copy(SAMPLE, folder / name)
    return folder


@asynccontextmanager
async def local_client(
    root: Path, data: Path, mode: Mode = "auto", *, reads_only: bool = False
) -> AsyncGenerator[Client]:
    """A client of the tools over local files, in this process and with a planner that waits."""
    settings = Settings(data_dir=data, workers=0, drain_seconds=0)
    externals = replace(shipped(settings, {}), planner=fake_planner.plan)
    roots = Roots([root])
    async with running(settings, externals) as application:
        parts = Parts(application.service, application.downloads, application.broadcaster)
        calls = Calls(parts, CALLER)
        options = LocalOptions((root,), "", reads_only)
        entries = entries_of(LocalDocuments(roots, options), options, has_model=False)

        async def calls_for(_: Context) -> Calls:
            await asyncio.sleep(0)
            return calls

        server = ProtocolServer(entries, calls_for).server
        async with Client(server, mode=mode) as client:
            yield client
    roots.close()


@asynccontextmanager
async def stdio_client(
    root: Path, home: Path, mode: Mode = "auto", *flags: str, **variables: str
) -> AsyncGenerator[Client]:
    """A client of `redraft mcp` as a process of its own."""
    command = [sys.executable, "-m", "redraft", "mcp", "--root", str(root), *flags]
    environment = {"XDG_STATE_HOME": str(home), "PYTHONPATH": str(ROOT), "REDRAFT_WORKERS": "1"}
    parameters = StdioServerParameters(
        command=command[0], args=command[1:], env={**environment, **variables}, cwd=ROOT
    )
    async with Client(parameters, mode=mode) as client:
        yield client


@asynccontextmanager
async def http_client(url: str, key: str, mode: Mode = "auto") -> AsyncGenerator[Client]:
    """A client of `/mcp` on a service."""
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=120) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Calls a tool that must not fail, and returns what it gives."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    given: Any = result.structured_content
    assert isinstance(given, dict)
    return cast(dict[str, Any], given)


async def refusal(client: Client, tool: str, arguments: Mapping[str, Any]) -> str:
    """Calls a tool that must fail, and returns what it says."""
    result = await client.call_tool(tool, dict(arguments))
    assert result.is_error
    return text_of(result)


def text_of(result: CallToolResult) -> str:
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text
