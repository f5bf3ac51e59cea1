"""Clients take turns at engines, and small requests have room that large ones cannot take."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from mineproof.web import limits, scheduling
from mineproof.web.costs import lane_of
from mineproof.web.logs import RepeatFilter
from mineproof.web.request_errors import RequestRefused
from mineproof.web.scheduling import CLIENT, Client, ClientLimits, Lane, Scheduler
from mineproof.web.solver_pool import SolverPool

EXPERT = "16x30/99 " + "/".join("?" * 30 for _ in range(16))
LARGE = "200x200 " + "/".join(("2?2?" * 50, "????" * 50) * 100)


async def wait(places: Scheduler, address: str, connection: str, called: list[str]) -> None:
    CLIENT.set(Client(address, connection))
    await places.take(Lane.LARGE)
    called.append(f"{address}{connection}")


def called_in(waiting: list[tuple[str, str]]) -> list[str]:
    """The order in which waiting requests are called when there is a single place."""

    async def run() -> list[str]:
        places, called = Scheduler(1), list[str]()
        await places.take(Lane.LARGE)
        tasks = [asyncio.create_task(wait(places, *one, called)) for one in waiting]
        for _ in tasks:
            await asyncio.sleep(0)
            places.leave(Lane.LARGE)
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)
        return called

    return asyncio.run(run())


def test_addresses_take_turns() -> None:
    many = [("a", "1")] * 3 + [("b", "1")] * 2 + [("c", "1")]
    assert called_in(many) == ["a1", "b1", "c1", "a1", "b1", "a1"]


def test_connections_of_an_address_take_turns() -> None:
    many = [("a", "1")] * 3 + [("a", "2"), ("b", "1"), ("a", "3")]
    assert called_in(many) == ["a1", "b1", "a2", "a3", "a1", "a1"]


def test_every_lane_leaves_room_for_the_others() -> None:
    async def run() -> None:
        for size in (3, 4, 8):
            for lane, most in zip(Lane, (size - 1, size - 1, size - 2), strict=True):
                places = Scheduler(size)
                taken = [asyncio.create_task(places.take(lane)) for _ in range(size + 1)]
                await asyncio.sleep(0)
                assert sum(task.done() for task in taken) == most
                other = Lane.LARGE if lane is Lane.SMALL else Lane.SMALL
                async with asyncio.timeout(1), places.place(other):
                    pass
                for task in taken:
                    task.cancel()
                await asyncio.gather(*taken, return_exceptions=True)

    asyncio.run(run())


def test_a_cancelled_request_is_forgotten() -> None:
    async def run() -> None:
        places, called = Scheduler(1), list[str]()
        await places.take(Lane.LARGE)
        first = asyncio.create_task(wait(places, "a", "1", called))
        second = asyncio.create_task(wait(places, "b", "1", called))
        await asyncio.sleep(0)
        first.cancel()
        places.leave(Lane.LARGE)  # at the same moment
        await asyncio.gather(first, second, return_exceptions=True)
        assert called == ["b1"]
        third = asyncio.create_task(wait(places, "a", "1", called))
        await asyncio.sleep(0)
        places.leave(Lane.LARGE)
        third.cancel()  # called, and cancelled before it noticed
        await asyncio.gather(third, return_exceptions=True)
        async with asyncio.timeout(1), places.place(Lane.LARGE):
            pass

    asyncio.run(run())


def test_one_address_cannot_fill_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WAITING", 4)
    monkeypatch.setattr(limits, "WAITING_OF_ONE", 2)

    async def run() -> None:
        places = Scheduler(1)
        await places.take(Lane.LARGE)
        tasks = [asyncio.create_task(wait(places, name, "1", [])) for name in "aaabbbcd"]
        await asyncio.sleep(0)
        refused = [task.exception() for task in tasks if task.done()]
        assert [str(one) for one in refused] == [
            "2 of your requests are waiting already: try again later",
            "2 of your requests are waiting already: try again later",
            "4 requests are waiting already: try again later",
            "4 requests are waiting already: try again later",
        ]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())


def test_limits_apply_per_client_and_in_total() -> None:
    share = ClientLimits(1, 2, "things are there")
    CLIENT.set(Client("a", "1"))
    with share.one():
        with pytest.raises(RequestRefused, match="1 things are there already"), share.one():
            pass
        CLIENT.set(Client("b", "1"))
        with share.one():
            CLIENT.set(Client("c", "1"))
            with pytest.raises(RequestRefused, match="2 things are there already"), share.one():
                pass
    with share.one():
        pass


def test_an_ipv6_network_is_one_client() -> None:
    class Known:
        def __init__(self, *client: Any) -> None:
            self.client = client

    found = {Client.of(Known(f"2001:db8::{n}", n)).address for n in range(9)}  # type: ignore[arg-type]
    assert found == {"2001:db8::/64"}
    assert Client.of(Known("192.0.2.1", 7)) == Client("192.0.2.1", "7")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("message", "is_small"),
    [
        ({"do": "odds", "view": EXPERT}, True),
        ({"do": "odds", "view": EXPERT, "win": True}, False),
        ({"do": "odds", "view": LARGE}, False),
        ({"do": "explain", "view": EXPERT, "all": True}, True),
        ({"do": "explain", "view": EXPERT, "budget": 10**9}, False),
        ({"do": "go", "view": EXPERT}, True),
        ({"do": "go", "view": EXPERT, "agent": "champion"}, False),
        ({"do": "go", "view": EXPERT, "agent": "mine.py:Mine"}, False),
        ({"do": "new", "deal": {"level": "expert"}}, True),
        ({"do": "new", "deal": {"rows": 200, "cols": 200, "mines": 9}}, False),
        ({"do": "tell", "shows": [[[0, 0], 1]]}, True),
        ({"do": "position", "events": [[0, 0, "1"]] * 2_000}, False),
        ({"do": "generate", "deal": {"level": "expert"}}, False),
        ({"do": "odds", "view": 7, "budget": [], "deal": 3, "agent": {}}, False),
        ({"do": "go", "view": None, "agent": [], "deal": {"rows": "x"}}, True),
    ],
)
def test_requests_are_assigned_to_lanes_by_their_cost(
    message: dict[str, Any], is_small: bool
) -> None:
    assert (lane_of(message, "exact") is Lane.SMALL) == is_small


def test_a_request_that_turns_out_large_starts_again_in_the_large_lane(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "SMALL_SECONDS", 0.05)
    lanes: list[Lane] = []
    take = scheduling.Scheduler.take

    async def noted(self: Scheduler, lane: Lane) -> None:
        lanes.append(lane)
        await take(self, lane)

    monkeypatch.setattr(scheduling.Scheduler, "take", noted)

    async def run() -> dict[str, Any]:
        engines = SolverPool(1)
        try:
            message = {"do": "odds", "view": LARGE, "density": 0.2}
            return await engines.one({"job": "solve", "message": message}, lane=Lane.SMALL)
        finally:
            await engines.close()

    assert len(asyncio.run(run())["risk"]) == 200
    assert lanes == [Lane.SMALL, Lane.LARGE]


def test_a_log_does_not_repeat_messages() -> None:
    sparing = RepeatFilter()

    def is_written(words: str) -> bool:
        return sparing.filter(logging.LogRecord("x", logging.ERROR, "", 0, words, (), None))

    assert [is_written("no") for _ in range(1_000)].count(True) == 1
    assert is_written("another")
