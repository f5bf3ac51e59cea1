"""The nginx and systemd examples in docs/protocol.md work unchanged, except ports and paths."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from .serving import PATIENCE, Client, serving, wait_until

NAME = "mines.example.org"
PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()


def example(kind: str) -> str:
    (found,) = re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def nginx(folder: Path, behind: int) -> Iterator[tuple[int, Path]]:
    """Run the example at a free port in front of a server; yield that port and the certificate."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    openssl = shutil.which("openssl")
    if program is None or openssl is None:
        pytest.skip("no nginx or openssl here; on Debian: apt-get install nginx openssl")
    certificate, key, port = folder / "mines.pem", folder / "mines.key", free_port()
    words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    words += ["-addext", f"subjectAltName=DNS:{NAME}", "-keyout", str(key), "-out"]
    subprocess.run(
        [openssl, *words, str(certificate)], check=True, capture_output=True, timeout=PATIENCE
    )
    site = example("nginx")
    for was, now in (
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        ("/etc/ssl/mines.pem", str(certificate)),
        ("/etc/ssl/mines.key", str(key)),
        ("127.0.0.1:8010", f"127.0.0.1:{behind}"),
    ):
        assert was in site
        site = site.replace(was, now)
    places = "".join(
        f"{kind}_temp_path {folder / kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;\n" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user}daemon off;\npid {folder / 'pid'};\nerror_log {folder / 'log'};\nevents {{}}\n"
        f"http {{\naccess_log off;\n{places}{site}}}\n"
    )
    command = [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", folder / "log"]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    try:
        wait_until(lambda: answers(port) or process.poll() is not None, "nginx does not listen")
        assert process.poll() is None, (folder / "log").read_text()
        yield port, certificate
    finally:
        process.terminate()
        process.wait(PATIENCE)


def answers(port: int) -> bool:
    with socket.socket() as found:
        return found.connect_ex(("127.0.0.1", port)) == 0


def test_the_web_app_works_through_nginx(tmp_path: Path) -> None:
    options = "--name", NAME, "--workers", "2"
    with (
        serving(tmp_path / "games.sqlite", *options) as server,
        nginx(tmp_path, server.port) as (port, certificate),
    ):
        trust = ssl.create_default_context(cafile=certificate)
        named = {"headers": {"Host": NAME}, "extensions": {"sni_hostname": NAME}}
        with httpx.Client(verify=trust, base_url=f"https://127.0.0.1:{port}") as browser:
            page = browser.get("/", **named)
            assert "mineproof" in page.text
            assert "secure" in page.headers["set-cookie"].lower()
            json = {"view": "2x3/2 ???/121"}
            assert browser.post("/api/odds", json=json, **named).json()["safe"] == [[0, 1]]
            other = named | {"headers": {"Host": NAME, "Origin": "https://elsewhere.example"}}
            assert browser.post("/api/odds", json=json, **other).status_code == 403

        def talk(origin: str) -> connect:
            line = socket.create_connection(("127.0.0.1", port), PATIENCE)
            return connect(
                f"wss://{NAME}/ws", sock=line, ssl=trust, server_hostname=NAME, origin=origin
            )

        with talk(f"https://{NAME}") as line:
            client = Client(line)
            game = client.ask("game.new")["game"]
            assert client.ask("game.move", game=game, cell=[4, 4], action="open")["n"] == 1
            for answer in client.ask_on("game.watch", game=game, agent="exact"):
                assert "error" not in answer
        with pytest.raises(InvalidStatus, match="403"):
            talk("https://elsewhere.example")


def test_systemd_accepts_every_line_of_the_unit(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("no systemd-analyze here; on Debian: apt-get install systemd")
    unit = example("ini")
    command = re.search(r"ExecStart=(\S+)", unit)
    assert command
    (tmp_path / "mineproof").touch(mode=0o755)
    path = tmp_path / "mineproof.service"
    path.write_text(unit.replace(command[1], str(tmp_path / "mineproof")))
    done = subprocess.run(
        [program, "verify", "--man=no", str(path)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    complaints = [line for line in done.stderr.splitlines() if str(path) in line]
    assert (done.returncode, complaints) == (0, []), done.stderr


def test_the_command_in_the_unit_is_valid(tmp_path: Path) -> None:
    """The options of its command, with another port and store."""
    command = re.search(r"ExecStart=\S+ serve (.*)", example("ini"))
    assert command
    options = command[1].replace("--port 8010 ", "").replace("--no-browser ", "")
    options = re.sub(r"--store \S+", "", options)
    with serving(tmp_path / "games.sqlite", *options.split()) as server:
        answer = server.request("GET", "/", headers={"Host": NAME})
        assert answer.status_code == 200
