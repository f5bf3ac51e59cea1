"""No response reveals to the page what the player may not know: all traffic of games is read."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import mineproof as mp
from mineproof.world.view import write_state

from .serving import Client, Server

STATE = {
    "agent", "clues", "do", "events", "game", "hit", "kind", "level", "link", "mines",
    "mines_left", "n", "over", "rows", "cols", "rules", "score", "seconds", "start", "won",
}  # fmt: skip
"""The fields sent during a game; `events` are compared, the others contain no cells."""


def no_truth(frames: list[str], end: dict[str, Any]) -> None:
    """These frames contain nothing of the board's text, its rows or its seed."""
    board = mp.Board.from_text(end["board"])
    rows = re.findall(r"[*.]+", end["board"].partition(" ")[2])
    for frame in frames:
        assert '"board"' not in frame
        assert '"seed"' not in frame
        assert str(end.get("seed", "no seed")) not in frame
        assert "*" not in frame or end["hit"], frame
        assert not [row for row in rows if len(row) > 3 and f"{row}" in frame]
    assert board.mine_count


def shown_cells(frames: list[str]) -> dict[tuple[int, int], str]:
    found: dict[tuple[int, int], str] = {}
    for frame in frames:
        for row, col, shown in json.loads(frame).get("events", []):
            found[row, col] = shown
    return found


@pytest.mark.parametrize("opening", ["any", "safe", "clear"])
def test_the_frames_of_a_game_contain_only_what_the_referee_shows(
    client: Client, opening: str
) -> None:
    """The library's own referee plays the same moves and shows exactly what was sent."""
    game = client.ask("game.new", deal={"level": "intermediate"}, rules={"opening": opening})
    cells = [(row, col) for row in range(0, 16, 3) for col in range(0, 16, 3)]
    answer, moves = game, []
    for cell in cells:
        client.ask("game.state", game=game["game"], moves=True)
        if client.ask("odds", game=game["game"])["risk"][cell[0]][cell[1]] is None:
            continue  # it is already open
        answer = client.ask("game.move", game=game["game"], cell=cell, action="open")
        moves.append(cell)
        if answer["over"]:
            break
    frames = list(client.frames)
    if answer["over"]:
        frames.pop()
        end = answer
    else:
        end = client.ask("game.move", game=game["game"], action="stop")
    no_truth(frames, end)
    for frame in frames:
        sent = json.loads(frame)
        if sent["do"].startswith("game."):
            assert set(sent) - {"moves"} == STATE
    twin = mp.Game(
        mp.Deal(16, 16, 40),
        mp.Rules(opening=opening),
        seed=int(end["seed"]),  # type: ignore[arg-type]
    )
    seen = {}
    for cell in moves if not answer["over"] else moves[:-1]:
        for event in twin.open(cell):
            seen[event.cell] = write_state(event.state)
    assert shown_cells(frames) == seen


def test_no_other_request_reveals_more(client: Client, server: Server) -> None:
    """Every method that takes a game, during that game; also lists, links and other games."""
    rules = {"opening": "any", "on_mine": "continue"}
    game = client.ask("game.new", deal={"level": "expert"}, rules=rules)["game"]
    client.ask("game.move", game=game, cell=[7, 3], action="open")
    client.ask("game.move", game=game, cell=[9, 9], action="flag")
    for method in ("odds", "explain", "reasoners", "go", "influence", "grade", "generate"):
        for fields in ({"game": game}, {"game": game, "at": 1}):
            client.ask(method, **fields)
    for method in ("game.state", "game.record", "game.review", "game.list", "game.watch"):
        client.ask_on(method, **({} if method == "game.list" else {"game": game, "steps": 1}))
    client.ask_on("game.state", game=game, moves=True, at=0)
    client.ask_on("game.watch", game=game, agent="exact", teacher=True)
    client.ask_on("game.watch", game=game, agent="baseline", steps=1)
    client.ask_on("game.move", game=game, action="fly")
    over_http = [
        server.request("POST", f"/api/{method}", json={"game": game}).text
        for method in ("game.state", "game.record", "game.review", "odds", "explain", "influence")
    ]
    pages = [server.request("GET", path).text for path in ("/docs", "/openapi.json")]
    frames = [*client.frames, *over_http]
    state = client.ask("game.state", game=game)
    assert not state["over"]
    end = client.ask("game.move", game=game, action="stop")
    no_truth(frames, end | {"hit": state["hit"]})
    assert not [page for page in pages if str(end["seed"]) in page or game in page]


def test_generated_boards_and_positions_are_equally_secret(client: Client) -> None:
    games = [
        client.ask("game.new", deal={"rows": 8, "cols": 8, "mines": 10}, no_guess=True),
        client.ask("game.new", view="3x4/3 ????/????/1111"),
        client.ask("game.new", deal={"rows": 8, "cols": 8, "density": 0.2, "independent": True}),
    ]
    frames = list(client.frames)
    for game in games:
        end = client.ask("game.move", game=game["game"], action="stop")
        no_truth(frames, end | {"hit": 0})
