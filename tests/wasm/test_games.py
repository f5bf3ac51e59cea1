"""The worker and the server referee games identically: the same responses, move by move."""

from __future__ import annotations

import base64
import json
import math
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof import _engine
from mineproof.world.chance import Purpose, Stream
from mineproof.world.view import Event, read_state
from tests.wasm.test_solving import AGENTS, both_true, same
from tests.wasm.wasm_worker import converse

pytest.importorskip("starlette", reason="the server needs the extra web")
from tests.web.serving import Server

pytestmark = pytest.mark.skipif(not _engine.is_native(), reason="the kernel is not built")
OWN = {"game", "link", "seconds", "begun", "id", "next"}
"""The fields that differ between stores."""


def output(answer: Any) -> Any:
    """A response without times and the fields that differ between stores."""
    if isinstance(answer, dict):
        return {name: output(value) for name, value in answer.items() if name not in OWN}
    return [output(one) for one in answer] if isinstance(answer, list) else answer


def both(
    wasm: Path, folder: Path, server: Server, messages: list[dict[str, Any]]
) -> list[tuple[list[Any], list[Any]]]:
    """Both sides' responses; a number as `game` means the game in the response to that message."""
    said: list[list[Any]] = []
    with server.talk() as client:
        for message in messages:
            named = dict(message)
            for name in {"game", "again"} & set(message):
                if isinstance(message[name], int):
                    named[name] = said[message[name]][0]["game"]
            client.send(**named)
            answers = [client.hear()]
            while answers[-1].get("more"):
                answers.append(client.hear())
            said.append(answers)
    return list(zip(map(output, said), map(output, converse(wasm, folder, messages)), strict=True))


def a_game(number: int, messages: list[dict[str, Any]]) -> None:
    """Moves of all kinds, many of them illegal."""
    rows, cols, mines = ((6, 7, 6), (1, 9, 2), (9, 9, 10), (3, 3, 0))[number % 4]
    rules: dict[str, Any] = {"opening": ("any", "safe", "clear")[number % 3]}
    if number % 2:
        rules["on_mine"] = "continue"
    if number % 5 == 1:
        rules["count_known"] = False
    if number % 7 == 2:
        rules["flood"] = False
    if number % 4 == 2:
        rules["luck"] = "fair"
    deal: dict[str, Any] = {"rows": rows, "cols": cols, "mines": mines}
    if number % 6 == 4:
        deal = {"rows": rows, "cols": cols, "density": 0.15, "independent": True}
    new = {"do": "game.new", "deal": deal, "rules": rules, "seed": 100 + number}
    if number % 4 == 1:
        new["start"] = [0, 2]
    if number % 8 == 7:
        new.pop("deal")
        new |= {"board": "3x4/3 *..*/..../*...", "rules": {"opening": "any"}}
        rows, cols = 3, 4
    game = len(messages)
    messages.append(new)
    stream = Stream(number, Purpose.TIES)
    for _ in range(40):
        action = ("open", "open", "flag", "chord", "unflag", "open")[stream.below(6)]
        cell = [stream.below(rows), stream.below(cols)]
        messages.append({"do": "game.move", "game": game, "action": action, "cell": cell})
    messages.append({"do": "game.move", "game": game, "action": "ask"})
    messages.append({"do": "game.move", "game": game, "action": "stop"})
    messages.append({"do": "game.state", "game": game, "moves": True})
    messages.append({"do": "game.state", "game": game, "at": 3})
    messages.append({"do": "game.record", "game": game})


def test_the_worker_lists_what_it_supports_and_supports_no_more(
    wasm: Path, tmp_path: Path, server: Server
) -> None:
    messages: list[dict[str, Any]] = [
        {"do": "hello"},
        {"do": "game.watch", "thoughts": True},
        {"do": "game.review", "record": {}},
        {"do": "reasoners", "view": "1x2/1 ??"},
    ]
    (there, *_), (here, *refused) = zip(*both(wasm, tmp_path, server, messages), strict=True)
    output, whole = here[0], there[0]
    assert output["verbs"] == list(output["fields"])
    for method, fields in output["fields"].items():
        assert set(fields) <= set(whole["fields"][method]), method
    assert set(output["agents"]) <= set(whole["agents"])
    assert output["clues"] == whole["clues"]
    assert "thoughts" not in output["fields"]["game.watch"]
    assert [one[-1]["error"]["kind"] for one in refused] == ["server"] * 3


def test_a_board_without_a_safe_cell_is_won_or_refused(wasm: Path, tmp_path: Path) -> None:
    """Won at once, as by the Python referee; refused if a rule promises a safe cell."""

    def new(opening: str, **ground: Any) -> dict[str, Any]:
        return {"do": "game.new", "rules": {"opening": opening}, "seed": 1, **ground}

    full, ready = {"deal": {"rows": 2, "cols": 2, "mines": 4}}, {"board": "2x2/4 **/**"}
    messages = [
        new(opening, **one) for one in (full, ready) for opening in ("any", "safe", "clear")
    ]
    answers = [one[-1] for one in converse(wasm, tmp_path, messages)]
    for place in (0, 3):
        assert (answers[place]["over"], answers[place]["won"]) == (True, True)
    for place in (1, 2):
        assert answers[place]["error"]["message"].startswith("4 mines do not fit: 2x2 has")
    for place in (4, 5):
        assert "does not hold on this board" in answers[place]["error"]["message"]


def test_manual_games_are_the_same(wasm: Path, tmp_path: Path, server: Server) -> None:
    messages: list[dict[str, Any]] = []
    for number in range(16):
        a_game(number, messages)
    refused = 0
    for message, (one, other) in zip(messages, both(wasm, tmp_path, server, messages), strict=True):
        assert same(one, other), (message, one, other)
        refused += "error" in other[0]
    assert 100 < len(messages) - refused < len(messages) - 100


def test_reviews_are_the_same(wasm: Path, tmp_path: Path, server: Server) -> None:
    messages: list[dict[str, Any]] = []
    for number in (0, 2, 3):
        begin = len(messages)
        a_game(number, messages)
        messages.append({"do": "game.review", "game": begin})
    for one, other in both(wasm, tmp_path, server, messages):
        for answer, its in zip(one, other, strict=True):
            mine, theirs = answer.get("move", {}), its.get("move", {})
            mine.pop("cost", None)  # the worker does not compute it
            assert theirs.pop("cost", None) is None
            for name in ("win", "after"):
                assert agree(mine.pop(name, None), theirs.pop(name, None)), (answer, its)
        assert same(one, other), (one, other)


def agree(one: dict[str, Any] | None, other: dict[str, Any] | None) -> bool:
    """Whether two win probabilities agree: within four standard errors if they are estimates."""
    if one is None or other is None:
        return one is other
    if one["exact"] and other["exact"]:
        return same(one, other)
    reach = 4 * math.hypot(one["error"], other["error"])
    return abs(one["chance"] - other["chance"]) <= reach


def test_watched_agents_play_the_same(wasm: Path, tmp_path: Path, server: Server) -> None:
    deal = {"rows": 8, "cols": 9, "mines": 13}
    messages: list[dict[str, Any]] = [
        {"do": "game.watch", "deal": deal, "agent": agent, "seed": seed, "rules": rules}
        for seed, agent in enumerate(AGENTS)
        for rules in [{"opening": "clear"}, {"opening": "any", "on_mine": "continue"}][seed % 2 :]
    ]
    messages.append({"do": "game.new", "deal": deal, "seed": 3, "start": [4, 4]})
    messages.append({"do": "game.watch", "game": len(messages) - 1, "agent": "exact", "steps": 4})
    for one, other in both(wasm, tmp_path, server, messages):
        assert len(one) == len(other) or "error" in one[-1], (one[-1], other[-1])
        view = mp.View.from_text(
            "\n".join(["?" * deal["cols"]] * deal["rows"]), mines=deal["mines"]
        )
        for before, after in zip(one, other, strict=True):
            if "move" in before:
                both_true(view, before["move"], after["move"])
            events = [Event((row, col), read_state(shown)) for row, col, shown in after["events"]]
            view = view.after(events)
            for move in (answer["move"] for answer in (before, after) if "move" in answer):
                move["rule"] = bool(move["rule"])  # another reasoner may have found it first
            assert same(before, after), (before, after)


def test_no_guess_boards_are_the_same(wasm: Path, tmp_path: Path, server: Server) -> None:
    deal = {"level": "beginner"}
    messages: list[dict[str, Any]] = [
        {"do": "generate", "deal": deal, "seed": 5, "no_guess": True, "start": [4, 4], "count": 3},
        {"do": "generate", "deal": deal, "seed": 6, "needs": "subset", "start": [0, 0]},
        {"do": "game.new", "deal": deal, "seed": 7, "no_guess": True},
        {"do": "game.move", "game": 2, "action": "open", "cell": [4, 4]},
        {"do": "game.move", "game": 2, "action": "stop"},
        {"do": "game.new", "deal": {"rows": 2, "cols": 2, "mines": 2}, "no_guess": True, "seed": 1},
    ]
    for one, other in both(wasm, tmp_path, server, messages):
        assert same(one, other), (one, other)


def test_positions_of_games_and_of_views_are_the_same(wasm: Path, tmp_path: Path) -> None:
    view = mp.View.from_text("3x4/2 ????/?11?/?1F?")
    messages = [
        {"do": "game.new", "view": view.to_text()},
        {"do": "odds", "game": 0},
        {"do": "game.new"},
        {"do": "game.move", "game": 0, "action": "stop"},
        {"do": "game.list"},
        {"do": "game.move", "game": 2, "action": "stop"},
        {"do": "game.list"},
        {"do": "game.delete", "game": 2},
        {"do": "game.list"},
        {"do": "game.delete", "all": True},
        {"do": "game.state", "game": 0},
    ]
    answers = [one for (one,) in converse(wasm, tmp_path, messages)]
    shown = {(row, col): what for row, col, what in answers[0]["events"]}
    assert shown == {(1, 1): "1", (1, 2): "1", (2, 1): "1", (2, 2): "F"}
    odds = mp.posterior(view)
    assert same(answers[1]["safe"], [list(cell) for cell in odds.safe])
    board = mp.Board.from_text(answers[3]["board"])
    assert all(board.clue(cell) == 1 for cell in ((1, 1), (1, 2), (2, 1)))
    assert [len(answers[at]["games"]) for at in (4, 6, 8)] == [1, 2, 1]  # only played cells
    assert answers[9] == {"do": "game.delete", "deleted": 1}
    assert answers[10]["error"]["kind"] == "unknown"


def test_no_response_reveals_mines_during_a_game(wasm: Path, tmp_path: Path) -> None:
    opened = [{"do": "game.move", "game": 0, "action": "open", "cell": [0, col]} for col in (0, 5)]
    messages = [
        {"do": "game.new", "deal": {"level": "expert"}, "rules": {"on_mine": "continue"}},
        *opened,
        {"do": "game.state", "game": 0, "moves": True},
        {"do": "game.list"},
        {"do": "game.move", "game": 0, "action": "stop"},
        {"do": "game.new", "again": 0},
    ]
    answers = [one for (one,) in converse(wasm, tmp_path, messages)]
    during, end = answers[:5], answers[5]
    assert {"board", "seed"} <= set(end)
    texts = json.dumps(during)
    said = base64.urlsafe_b64decode(end["link"].removeprefix("?again=") + "==").decode()
    for secret in (end["board"].split()[1], str(end["seed"])):
        assert secret not in texts
        assert secret not in said
    assert "salt" in json.loads(said)
    assert answers[6]["link"] == end["link"]


def test_a_link_gives_the_same_board(wasm: Path, tmp_path: Path) -> None:
    play = [
        {"do": "game.move", "game": 0, "action": "open", "cell": [3, 3]},
        {"do": "game.move", "game": 0, "action": "stop"},
    ]
    first = converse(wasm, tmp_path, [{"do": "game.new", "rules": {"on_mine": "continue"}}, *play])
    link = first[0][0]["link"].removeprefix("?again=")
    other = converse(wasm, tmp_path, [{"do": "game.new", "again": link}, *play])
    assert other[2][0]["board"] == first[2][0]["board"]
    assert (first[0][0]["kind"], other[0][0]["kind"]) == ("own", "own")
