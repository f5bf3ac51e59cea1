"""`python -m tools.chaos.server_load`: how an honest client fares while others attack a server.

A server is started at 127.0.0.1; one client requests odds twice a second, each time over a new
connection, while another process attacks. Number and duration of everything are bounded.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import signal
import sys
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from multiprocessing.queues import SimpleQueue
from statistics import median
from time import monotonic, sleep
from typing import NamedTuple

from tests.processes import children, resident_bytes
from tests.web.serving import Server
from tools.chaos import server_attacks as attacks
from tools.chaos.server_attacks import Came

Attack = Callable[[int, float], Came]
VIEW = "4x4/4 01?1/12?1/??32/????"
PATIENCE = 10.0
"""Seconds that the honest client waits for an answer."""
EVERY = 0.5


class Kind(NamedTuple):
    """An attack, and the `ulimit -n` of the attacked server."""

    attack: Attack
    files: int | None = None


KINDS: dict[str, Kind] = {
    "abandoned requests": Kind(attacks.fired_and_closed),
    "long conversation": Kind(attacks.long_conversation),
    "half-open connections": Kind(attacks.half_open),
    "exhausted descriptors": Kind(attacks.silent, 256),
    "constant load": Kind(attacks.without_pause),
}


class Noticed(NamedTuple):
    """The results of one attack."""

    waits: list[float]
    """Seconds that each of the honest client's requests took."""
    unanswered: list[str]
    """What it got in place of odds."""
    came: Came
    server: tuple[int, int]
    """Bytes of the server's memory: before the attack, and the most during it."""
    engine: int
    """The most that one of its engines had."""
    log: int
    """Bytes that it wrote during the attack."""

    @property
    def median(self) -> float:
        """Median response time in seconds."""
        return median(self.waits)

    @property
    def longest(self) -> float:
        """Longest response time in seconds."""
        return max(self.waits)


def notice(name: str, seconds: float) -> Noticed:
    """Run one attack against a new server."""
    kind = KINDS[name]
    server = Server("none", files=kind.files)
    try:
        for _ in range(3):
            _ask(server.port)  # engines start with the first request
        sleep(1.0)
        return _watch(server, kind.attack, seconds)
    finally:
        server.kill()


def _watch(server: Server, attack: Attack, seconds: float) -> Noticed:
    pid, logged = server.process.pid, len(server.complaints())
    before = most = resident_bytes(pid)
    engine = 0
    context = multiprocessing.get_context("spawn")
    shown: SimpleQueue[Came] = context.SimpleQueue()
    work = context.Process(target=_attack, args=(attack, server.port, seconds, shown), daemon=True)
    work.start()
    waits, unanswered = [], []
    until = monotonic() + seconds
    while monotonic() < until:
        begun = monotonic()
        if (why := _ask(server.port)) is not None:
            unanswered.append(why)
        waits.append(monotonic() - begun)
        for quarter in range(1, 5):
            most = max(most, resident_bytes(pid))
            engine = max([engine, *map(resident_bytes, children(pid))])
            sleep(max(0.0, begun + quarter * EVERY / 4 - monotonic()))
    came = shown.get()
    work.join()
    log = len(server.complaints()) - logged
    return Noticed(waits, unanswered, came, (before, most), engine, log)


def _attack(attack: Attack, port: int, seconds: float, shown: SimpleQueue[Came]) -> None:
    shown.put(attack(port, monotonic() + seconds))


def _ask(port: int) -> str | None:
    """Request odds over a new connection; return the error, if there was one."""
    asking = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        body = json.dumps({"view": VIEW})
        asking.request("POST", "/api/odds", body, {"Content-Type": "application/json"})
        response = asking.getresponse()
        found = response.read()
        return None if response.status == 200 else f"{response.status} {found[:200]!r}"
    except (OSError, HTTPException) as error:
        return f"{type(error).__name__}: {error}"
    finally:
        asking.close()


HEAD = (
    "attack", "requests", "median ms", "longest ms", "unanswered", "attacker's requests", "refused",
    "server MB before", "server MB at most", "engine MB", "log bytes",
)  # fmt: skip


def row(name: str, found: Noticed) -> str:
    """One line of the table."""
    figures = [
        len(found.waits), round(1000 * found.median), round(1000 * found.longest),
        len(found.unanswered), found.came.begun, found.came.refused,
        *(size >> 20 for size in (*found.server, found.engine)), found.log,
    ]  # fmt: skip
    return f"| {' | '.join([name, *map(str, figures)])} |"


def main() -> int:
    """Run as `make load` does."""
    reader = argparse.ArgumentParser(
        prog="python -m tools.chaos.server_load",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    reader.add_argument("--seconds", type=float, default=30, help="seconds per attack (30)")
    reader.add_argument("--only", choices=KINDS, help="run only this attack")
    reader.add_argument("--median", type=float, default=0.1, help="maximum median in seconds (0.1)")
    reader.add_argument("--longest", type=float, default=1.0, help="maximum in seconds (1)")
    given = reader.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # ends the server, too
    print(f"| {' | '.join(HEAD)} |\n|{' --- |' * len(HEAD)}")
    failed = False
    for name in KINDS if given.only is None else [given.only]:
        found = notice(name, given.seconds)
        print(row(name, found), flush=True)
        for why in sorted(set(found.unanswered))[:5]:
            print(f"  unanswered: {why}")
        late = found.median > given.median or found.longest > given.longest
        failed |= late or bool(found.unanswered)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
