"""The web app's files, compressed with gzip for clients that accept it.

Browsers ask each time whether a file has changed, and get a 304 response without content if not.
"""

from __future__ import annotations

import gzip
import os
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

_COMPRESSIBLE = re.compile(r".*\.(css|html|js|json|svg|ts|wasm|webmanifest)")
_REFUSED = re.compile(r"q=0(\.0*)?")


class Files(StaticFiles):
    """A folder of static files."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Return a file, compressed if the client accepts that, or a 304 response."""
        path = os.fspath(full_path)
        asked = Headers(scope=scope)
        response: Response = FileResponse(path, status_code, stat_result=stat_result)
        if _COMPRESSIBLE.fullmatch(path):
            response.headers["Vary"] = "Accept-Encoding"
            if _accepts_gzip(asked) and "range" not in asked:
                response = _compressed_response(path, stat_result, response, status_code)
        response.headers["Cache-Control"] = "no-cache"
        if self.is_not_modified(response.headers, asked):
            return NotModifiedResponse(response.headers)
        return response


def _compressed_response(
    path: str, stat: os.stat_result, plain: Response, status_code: int
) -> Response:
    tag = plain.headers["etag"].strip('"')
    headers = {
        "Content-Encoding": "gzip",
        "ETag": f'"{tag}-gzip"',  # other bytes than those of the plain file
        "Last-Modified": plain.headers["last-modified"],
        "Vary": plain.headers["vary"],
    }
    content = _compressed(path, stat.st_mtime_ns, stat.st_size)
    return Response(content, status_code, headers, plain.media_type)


@lru_cache(maxsize=256)
def _compressed(path: str, *_: Any) -> bytes:
    """Return a file's compressed content; a changed file has another time or size."""
    return gzip.compress(Path(path).read_bytes(), mtime=0)


def _accepts_gzip(headers: Headers) -> bool:
    for part in headers.get("accept-encoding", "").split(","):
        name, _, weight = part.partition(";")
        if name.strip().lower() == "gzip":
            return not _REFUSED.fullmatch(weight.replace(" ", ""))
    return False
