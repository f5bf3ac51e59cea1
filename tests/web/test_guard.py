"""Only pages and programs of this computer are answered; pages do only what they must."""

from __future__ import annotations

from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from .serving import Server, serving

STRANGERS = [
    *("http://evil.example", "null", "http://127.0.0.1:1", "https://localhost.evil.example"),
    *("http://[", "http://[::1", "http://127.0.0.1:port", "http://127.0.0.1:99999", "//", ""),
]

ODD_HOSTS = [
    *("evil.example", "evil.example:80", "", "127.0.0.1.evil.example", "[", "[::1", "localhost:x"),
    *("localhost; script-src *", "localhost:80; script-src *", "user@localhost", "localhost/x"),
    *("localhost?; script-src *", "localhost:99999", "localhost:", "local host", "localhost'"),
]


@pytest.mark.parametrize("origin", STRANGERS)
def test_requests_from_other_origins_are_refused(server: Server, origin: str) -> None:
    answer = server.request("POST", "/api/game.new", json={}, headers={"Origin": origin})
    assert answer.status_code == 403
    with pytest.raises(InvalidStatus) as refused, server.talk(origin=origin):
        pass
    assert refused.value.response.status_code == 403


def test_requests_from_its_own_pages_are_accepted(server: Server) -> None:
    own = f"http://{server.address}"
    assert server.request("POST", "/api/hello", json={}, headers={"Origin": own}).is_success
    with server.talk(origin=own) as client:  # type: ignore[arg-type]
        assert client.ask("hello")["protocol"] == 1


@pytest.mark.parametrize("host", ODD_HOSTS)
def test_unknown_host_names_are_refused(server: Server, host: str) -> None:
    for method, path in (("GET", "/docs"), ("POST", "/api/hello")):
        answer = server.request(method, path, headers={"Host": host})
        assert answer.status_code in {400, 403}
        assert "script-src *" not in answer.headers.get("content-security-policy", "")


@pytest.mark.parametrize("host", ["LOCALHOST", "localhost:8000", "127.0.0.1", "[::1]:8000"])
def test_a_page_may_open_sockets_to_its_own_host_only(server: Server, host: str) -> None:
    answer = server.request("GET", "/", headers={"Host": host})
    assert (
        f" ws://{host.lower()} wss://{host.lower()};" in answer.headers["content-security-policy"]
    )


def test_configured_host_names_are_accepted_and_keep_players_apart(tmp_path: Path) -> None:
    with serving(tmp_path / "games.sqlite", "--name", "mines.example") as server:
        named = {"Host": "mines.example", "Origin": "https://mines.example"}
        begun = server.request("POST", "/api/game.new", json={}, headers=named)
        assert begun.is_success
        cookie = begun.headers["set-cookie"]
        for word in ("HttpOnly", "SameSite=strict", "mineproof_player="):
            assert word in cookie
        mine = {"Cookie": cookie.partition(";")[0]} | named
        move = {"game": begun.json()["game"], "action": "open", "cell": [4, 4]}
        assert server.request("POST", "/api/game.move", json=move, headers=mine).is_success

        def listed(headers: dict[str, str]) -> int:
            server._http.cookies.clear()
            found = server.request("POST", "/api/game.list", json={}, headers=headers)
            return len(found.json()["games"])

        assert (listed(mine), listed(named)) == (1, 0)


def test_a_form_of_another_site_is_refused(server: Server) -> None:
    for kind in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data"):
        headers = {"Content-Type": kind}
        answer = server.request(
            "POST", "/api/game.delete", content=b'{"all": true}', headers=headers
        )
        assert answer.status_code == 400


def test_pages_may_run_only_our_scripts(server: Server) -> None:
    for path in ("/", "/docs", "/openapi.json", "/nothing-here"):
        headers = server.request("GET", path).headers
        rules = dict(
            rule.strip().split(" ", 1) for rule in headers["content-security-policy"].split(";")
        )
        assert rules["default-src"] == "'none'"
        assert rules["script-src"] == rules["style-src"] == "'self'"
        assert rules["base-uri"] == rules["form-action"] == "'none'"
        assert headers["x-content-type-options"] == "nosniff"


def test_no_files_outside_the_web_app_are_served(server: Server) -> None:
    for path in ("/../app.py", "/%2e%2e/app.py", "/..%2fstore.py", "/static/../../app.py", "/.git"):
        assert server.request("GET", path).status_code == 404


def test_the_api_docs_need_no_network_and_no_script(server: Server) -> None:
    page = server.request("GET", "/docs").text
    assert "POST /api/game.move" in page
    assert "<script" not in page
    assert "//" not in page.replace("/?again", "")


def test_listening_on_all_addresses_prints_a_warning(tmp_path: Path) -> None:
    with serving(tmp_path / "games.sqlite", "--host", "0.0.0.0") as server:
        assert "anyone who can reach this computer" in server.output()
