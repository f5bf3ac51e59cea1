"""The server: the page's files, a WebSocket, an HTTP API; routes that only pass on."""

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
from starlette.staticfiles import StaticFiles

from mineproof.errors import MineproofError
from mineproof.studies.report import PAGE
from mineproof.web import answering, describing, faults, http_api, logs, players
from mineproof.web.engines import Engines
from mineproof.web.guard import Guard
from mineproof.web.service import Service
from mineproof.web.settings import Settings
from mineproof.web.sockets import talk
from mineproof.web.store import Store
from mineproof.web.studies import Studies

STATIC = Path(__file__).parent / "static"
_REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data: 'self'; sandbox"
"""A report is a picture book: it needs no script, and may not have one."""


def make(settings: Settings) -> Starlette:
    """The application; its store is opened when it starts."""

    @asynccontextmanager
    async def living(app: Starlette) -> AsyncIterator[None]:
        logs.spare()
        gc.freeze()  # what is there stays: no search for garbage need look through it
        app.state.settings = settings
        app.state.studies = Studies(settings.studies)
        engines = Engines(settings.engines, settings.agents, settings.seconds)
        service = Service(Store(settings.store), engines, app.state.studies)
        app.state.service = service
        warming = asyncio.create_task(engines.warm())
        try:
            yield
        finally:
            warming.cancel()
            await asyncio.gather(warming, return_exceptions=True)
            await service.close()

    return Starlette(
        routes=[
            Route("/", _page),
            WebSocketRoute("/ws", talk),
            Route("/api/{verb}", http_api.post, methods=["POST"]),
            Route("/openapi.json", describing.openapi),
            Route("/docs", describing.docs),
            Route("/studies/{name}/", _study),
            Mount("/", _Files(directory=STATIC, check_dir=False)),
        ],
        middleware=[
            Middleware(Guard, names=settings.names, any_address=not settings.is_local),
        ],
        exception_handlers={404: _not_there, 405: _not_there, Exception: _fault},
        lifespan=living,
    )


def from_environment() -> Starlette:
    """The application as each of several processes makes it."""
    return make(Settings.from_environment())


class _Files(StaticFiles):
    """The page's files. They change with the program: browsers ask each time whether they did."""

    def file_response(self, *given: object, **more: object) -> Response:
        response = super().file_response(*given, **more)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "no-cache"
        return response


async def _page(request: Request) -> Response:
    if not (STATIC / "index.html").is_file():
        return answering.refused(404, "unknown", "this build of mineproof came without its page")
    response = FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})
    players.remember(request, players.of(request), response)
    return response


async def _study(request: Request) -> Response:
    try:
        folder = request.app.state.studies.folder(request.path_params["name"])
    except MineproofError as error:
        return answering.refused(404, "unknown", str(error))
    if not request.app.state.studies.has_page(folder):
        return answering.refused(404, "unknown", "its report is not written: ask study.page first")
    headers = {"Content-Security-Policy": _REPORT_POLICY, "Cache-Control": "no-cache"}
    return FileResponse(folder / PAGE, headers=headers)


async def _not_there(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    return answering.refused(status, "unknown", f"nothing at {request.method} {request.url.path}")


async def _fault(_: Request, error: Exception) -> Response:
    return answering.response({"do": None, **faults.as_error(error)})
