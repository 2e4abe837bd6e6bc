"""How the service is: health, readiness, and the description of the interface."""

from __future__ import annotations

from litestar import get
from litestar.di import NamedDependency
from litestar.response.base import ASGIResponse

from redraft.api.metrics import MEDIA_TYPE
from redraft.api.openapi.document import document, page
from redraft.api.routes.answers import JSON, Dependencies, value_answer
from redraft.api.schemas import Health


@get("/health")
async def health() -> ASGIResponse:
    """Says that the process answers."""
    return value_answer(Health(status="ok"))


@get("/ready")
async def ready(dependencies: NamedDependency[Dependencies]) -> ASGIResponse:
    """Says whether the service takes work."""
    return value_answer(await dependencies.service.readiness())


@get("/metrics")
async def exposed_metrics(dependencies: NamedDependency[Dependencies]) -> ASGIResponse:
    """Gives the figures of the service to Prometheus."""
    return ASGIResponse(
        body=dependencies.metrics.exposed(await dependencies.service.standing()),
        media_type=MEDIA_TYPE,
    )


@get("/schema")
async def schema_page() -> ASGIResponse:
    """Shows the interface to people."""
    return ASGIResponse(body=page(), media_type="text/html")


@get("/schema/openapi.json")
async def schema() -> ASGIResponse:
    """Describes the interface to programs (OpenAPI 3.1)."""
    return ASGIResponse(body=document(), media_type=JSON)
