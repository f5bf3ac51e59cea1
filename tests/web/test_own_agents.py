"""Agents of the owner's own on the page: those that the server was started with, and no others."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mineproof as mp

from .serving import Client, Server, serving

SOURCE = """
from pathlib import Path
from mineproof.agents import Decision

class TopLeft:
    def decide(self, view, **_):
        cell = view.cells(9, 10)[0]
        return Decision(cell, "open", None, False, "the first")

class Raises:
    def decide(self, view, **_):
        raise ValueError("no idea")

class Secret(TopLeft):
    def __init__(self):
        Path("loaded").touch()
"""
PROGRAM = f"engine:{shlex.quote(sys.executable)} -m mineproof engine --agent csp"
RULES = {"opening": "safe"}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with agents, where only its path finds them."""
    path = tmp_path_factory.mktemp("own") / "own_page_agents.py"
    path.write_text(SOURCE)
    return path


@pytest.fixture(scope="module")
def server(own: Path) -> Iterator[Server]:
    options = ["--agent", "csp", "--agent", f"{own}:TopLeft", "--agent", f"{own}:Raises"]
    with serving("none", *options, "--agent", PROGRAM) as found:
        yield found


def test_they_are_shown_first_among_all_agents(server: Server, own: Path) -> None:
    shown = server.post("hello")["agents"]
    assert shown[:3] == [f"{own}:TopLeft", f"{own}:Raises", PROGRAM]
    assert shown[3:] == list(mp.agents.RECIPES)


def test_one_is_watched_and_the_first_plays_where_none_is_named(client: Client, own: Path) -> None:
    for agent, asked in ((f"{own}:TopLeft", {"agent": f"{own}:TopLeft"}), ("csp", {})):
        first, *turns, _ = client.ask_on(
            "game.watch", deal={"level": "beginner"}, rules=RULES, seed=5, **asked
        )
        assert first["agent"] == agent
        record = mp.play(mp.Deal(9, 9, 10), agent, rules=mp.Rules(**RULES), seed=5)
        assert [tuple(turn["move"]["cell"]) for turn in turns] == [m.cell for m in record.moves]


def test_a_program_moves_and_is_asked_for_a_position(client: Client) -> None:
    view = "3x5/3 ?????/?12??/?????"
    move = client.ask("go", view=view, agent=PROGRAM, step=True)
    same = client.ask("go", view=view, agent="csp", step=True)
    assert (move["cell"], move["reason"]) == (same["cell"], same["reason"])


def test_they_are_compared_and_faults_are_counted(client: Client, own: Path) -> None:
    names = [f"{own}:TopLeft", f"{own}:Raises", "exact"]
    *_, last = client.ask_on(
        "arena.run", agents=names, deal={"rows": 5, "cols": 5, "mines": 4}, games=20, seed=1
    )
    assert [one["name"] for one in last["agents"]] == names
    assert [one["faults"] for one in last["agents"]] == [0, 20, 0]


def test_a_fault_is_shown_and_the_server_goes_on(client: Client, own: Path) -> None:
    *_, last = client.ask_on("game.watch", deal={"level": "beginner"}, agent=f"{own}:Raises")
    assert "raised ValueError: no idea" in last["error"]["message"]
    assert client.ask("odds", view="1x3/1 ?1?")["safe"] == []


@pytest.mark.parametrize("method", ["game.watch", "arena.run", "go"])
def test_nothing_else_is_loaded_whatever_is_asked(client: Client, own: Path, method: str) -> None:
    others = [f"{own}:Secret", f"{own}:TopLeft:x=1", "os:system", "engine:touch loaded", str(own)]
    for text in others:
        fields = {
            "game.watch": {"deal": {"level": "beginner"}, "agent": text},
            "arena.run": {"deal": {"level": "beginner"}, "agents": [text]},
            "go": {"view": "1x3/1 ?1?", "agent": text},
        }[method]
        *_, last = client.ask_on(method, **fields)
        assert last["error"]["kind"] == "unknown", (text, last)
    assert not Path("loaded").exists()


def test_one_that_cannot_be_found_is_shown_at_the_start(own: Path) -> None:
    with pytest.raises(AssertionError, match="'Nobody' is not defined there"):
        Server("none", "--agent", f"{own}:Nobody")
