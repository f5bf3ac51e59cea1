"""The server compresses the web app's files, and sends each version of a file to a browser once."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import httpx
import pytest
from starlette.responses import Response

from mineproof.web.app import STATIC
from mineproof.web.static_files import Files

from .serving import Server

PATHS = ["/", "/app.js", "/phrases.json", "/style/base.css", "/shapes.svg"]


def get(server: Server, path: str, accept: str = "gzip, br", **headers: str) -> httpx.Response:
    return server.request("GET", path, headers={"Accept-Encoding": accept, **headers})


def file_of(path: str) -> Path:
    return STATIC / (path[1:] or "index.html")


@pytest.mark.parametrize("path", PATHS)
def test_files_are_compressed_for_clients_that_accept_it(server: Server, path: str) -> None:
    content = file_of(path).read_bytes()
    plain, compressed = get(server, path, "identity"), get(server, path)
    assert plain.content == compressed.content == content
    assert "content-encoding" not in plain.headers
    assert compressed.headers["content-encoding"] == "gzip"
    assert int(compressed.headers["content-length"]) < len(content)
    assert plain.headers["etag"] != compressed.headers["etag"]
    for name in ("content-type", "cache-control", "vary", "content-security-policy"):
        assert plain.headers[name] == compressed.headers[name]
    assert plain.headers["vary"] == "Accept-Encoding"
    assert plain.headers["cache-control"] == "no-cache"
    assert "script-src 'self';" in plain.headers["content-security-policy"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("accept", ["gzip", "identity"])
def test_a_reload_costs_a_304(server: Server, path: str, accept: str) -> None:
    first = get(server, path, accept)
    again = get(server, path, accept, **{"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert again.headers["cache-control"] == "no-cache"
    other = get(server, path, accept, **{"If-None-Match": '"another"'})
    assert other.status_code == 200
    assert other.content == file_of(path).read_bytes()


@pytest.mark.parametrize(
    ("accept", "compressed"),
    [("br;q=1, GZIP;q=0.5", True), ("gzip;q=0", False), ("gzip; q=0.0", False), ("br", False)],
)
def test_the_client_chooses(server: Server, accept: str, compressed: bool) -> None:
    assert ("content-encoding" in get(server, "/app.js", accept).headers) is compressed


def test_parts_of_a_file_are_not_compressed(server: Server) -> None:
    part = get(server, "/app.js", Range="bytes=0-9")
    assert part.status_code == 206
    assert part.content == file_of("/app.js").read_bytes()[:10]


def test_a_head_request_has_no_content(server: Server) -> None:
    head = server.request("HEAD", "/app.js", headers={"Accept-Encoding": "gzip"})
    assert head.content == b""
    assert head.headers["content-length"] == get(server, "/app.js").headers["content-length"]


def test_a_changed_file_is_sent_again(tmp_path: Path) -> None:
    files = Files(directory=tmp_path)

    def fetched(path: Path, **headers: str) -> Response:
        given = {"accept-encoding": "gzip", **headers}
        pairs = [(name.encode(), value.encode()) for name, value in given.items()]
        scope = {"type": "http", "method": "GET", "headers": pairs}
        return files.file_response(path, path.stat(), scope)

    file = tmp_path / "a.js"
    file.write_text("// first" * 100)
    first = fetched(file)
    tag = {"if-none-match": first.headers["etag"]}
    assert fetched(file, **tag).status_code == 304
    file.write_text("// other" * 100)
    os.utime(file, (1, 1))
    second = fetched(file, **tag)
    assert gzip.decompress(bytes(first.body)) == b"// first" * 100
    assert gzip.decompress(bytes(second.body)) == b"// other" * 100
    picture = tmp_path / "a.png"
    picture.write_bytes(b"picture")
    assert "content-encoding" not in fetched(picture).headers
