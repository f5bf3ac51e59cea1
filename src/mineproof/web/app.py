"""The routes of the server: the web app's files, a WebSocket and an HTTP API."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute

from mineproof.errors import MineproofError
from mineproof.studies.report import PAGE
from mineproof.web import http_api, json_responses, logs, openapi, players, request_errors
from mineproof.web.origin_check import OriginCheck
from mineproof.web.service import Service
from mineproof.web.settings import Settings
from mineproof.web.sockets import serve_socket
from mineproof.web.solver_pool import SolverPool
from mineproof.web.static_files import Files
from mineproof.web.store import Store
from mineproof.web.study_pages import Studies

STATIC = Path(__file__).parent / "static"
_FILES = Files(directory=STATIC, check_dir=False)
_REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data: 'self'; sandbox"
"""The content security policy of reports: no scripts."""


def make(settings: Settings) -> Starlette:
    """Return the application; it opens its store when it starts."""

    @asynccontextmanager
    async def living(app: Starlette) -> AsyncIterator[None]:
        logs.spare()
        gc.freeze()  # modules stay in memory: the garbage collector need not search them
        app.state.settings = settings
        app.state.studies = Studies(settings.studies)
        solvers = SolverPool(settings.engines, settings.agents, settings.seconds)
        service = Service(Store(settings.store), solvers, app.state.studies)
        app.state.service = service
        warming = asyncio.create_task(solvers.warm())
        try:
            yield
        finally:
            warming.cancel()
            await asyncio.gather(warming, return_exceptions=True)
            await service.close()

    return Starlette(
        routes=[
            Route("/", _page),
            WebSocketRoute("/ws", serve_socket),
            Route("/api/{method}", http_api.post, methods=["POST"]),
            Route("/openapi.json", openapi.openapi),
            Route("/docs", openapi.docs),
            Route("/studies/{name}/", _study),
            Mount("/", _FILES),
        ],
        middleware=[
            Middleware(OriginCheck, names=settings.names, any_address=not settings.is_local),
        ],
        exception_handlers={404: _not_there, 405: _not_there, Exception: _fault},
        lifespan=living,
    )


def from_environment() -> Starlette:
    """Return the application for one of several worker processes."""
    return make(Settings.from_environment())


async def _page(request: Request) -> Response:
    if not (STATIC / "index.html").is_file():
        return json_responses.refused(
            404, "unknown", "this installation of mineproof does not contain the web app"
        )
    response = await _FILES.get_response("index.html", request.scope)
    players.remember(request, players.of(request), response)
    return response


async def _study(request: Request) -> Response:
    try:
        folder = request.app.state.studies.folder(request.path_params["name"])
    except MineproofError as error:
        return json_responses.refused(404, "unknown", str(error))
    if not request.app.state.studies.has_page(folder):
        return json_responses.refused(
            404, "unknown", "the report has not been written yet: request study.page first"
        )
    headers = {"Content-Security-Policy": _REPORT_POLICY, "Cache-Control": "no-cache"}
    return FileResponse(folder / PAGE, headers=headers)


async def _not_there(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    return json_responses.refused(
        status, "unknown", f"there is no {request.method} {request.url.path}"
    )


async def _fault(_: Request, error: Exception) -> Response:
    return json_responses.response({"method": None, **request_errors.as_error(error)})
