"""The worker and the server agree with every clue model: odds, proofs, moves, games, errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof import _engine
from mineproof.world.chance import Purpose, Stream
from mineproof.world.view import COVERED, HIDDEN, KNOWN_SAFE, NO_CLUE, is_opened
from tests.premises import follows, verdicts
from tests.wasm import test_solving
from tests.wasm.test_solving import AGENTS, same
from tests.wasm.wasm_worker import converse

pytest.importorskip("starlette", reason="the server needs the extra web")
from tests.wasm import test_games
from tests.web.serving import Server

pytestmark = pytest.mark.skipif(not _engine.is_native(), reason="the kernel is not built")
LIAR = str(
    mp.clues.Table(
        json.loads((Path(mp.__file__).parents[2] / "examples" / "liar.json").read_text())
    )
)
MODELS = [
    "sometimes:0.5",
    "sometimes:p=0.75,redraw=true",
    "optimistic",
    "optimistic:known=true",
    "cautious",
    "cautious:known=true",
    LIAR,
]
NAIVE = ["exact:naive=true", "csp:naive=true", "gauss:naive=true", "baseline:naive=yes"]


def positions(games: int, *, large: bool = True) -> list[tuple[mp.View, str]]:
    """Views in games with every clue model, some with flags, some without a mine count."""
    shapes = [(5, 5, 5), (4, 6, 8), (1, 9, 2), (7, 6, 9), *([(9, 9, 10)] * large)]
    found = []
    for seed in range(games):
        clues = MODELS[seed % len(MODELS)]
        rows, cols, mines = shapes[seed // 2 % len(shapes)]
        if clues == LIAR and rows == 1:
            rows, cols = 3, 3
        rules = mp.Rules(on_mine="continue", count_known=seed % 4 != 1, flood=seed % 5 != 2)
        game = mp.Game(mp.Deal(rows, cols, mines), rules, clues, seed=seed)
        stream = Stream(seed, Purpose.TIES)
        for number in range(8):
            cell = divmod(stream.below(rows * cols), cols)
            if game.over or game.view.state(cell) not in {HIDDEN, KNOWN_SAFE}:
                continue
            if number % 4 == 3 and game.view.state(cell) == HIDDEN:
                game.flag(cell)
            else:
                game.open(cell)
            found.append((game.view, clues))
    return found


def too_large_to_count(opened: int) -> tuple[mp.View, str]:
    """A view of a large board with this number of cells opened."""
    clues = "optimistic"
    game = mp.Game(mp.Deal(16, 30, 99), mp.Rules(on_mine="continue"), clues, seed=3)
    stream = Stream(3, Purpose.TIES)
    for _ in range(opened):
        cell = divmod(stream.below(480), 30)
        if game.view.state(cell) == HIDDEN:
            game.open(cell)
    return game.view, clues


def about(view: mp.View, clues: str) -> dict[str, Any]:
    return {"view": view.to_text(), "clues": clues}


def test_odds_and_best_moves_are_the_same(wasm: Path, tmp_path: Path) -> None:
    views = [*positions(56), too_large_to_count(200), too_large_to_count(300)]
    messages = [
        {"do": "odds", **about(*one), "zeros": n % 3 == 0 and one[0].rows < 10, "best": 1 + n % 7}
        for n, one in enumerate(views)
    ]
    estimates = bounded = 0
    for (view, _), (server, worker) in zip(
        views, test_solving.both(wasm, tmp_path, messages), strict=True
    ):
        assert same(server, worker), (server, worker)
        estimates += not worker["exact"]
        bounded += bool(view.bounds)
    assert len(views) > 200
    assert estimates == 2
    assert bounded > 50


def test_proofs_have_the_same_words(wasm: Path, tmp_path: Path) -> None:
    messages = [{"do": "explain", **about(*one), "all": True} for one in positions(42)]
    proofs = 0
    for server, worker in test_solving.both(wasm, tmp_path, messages):
        assert same(server, worker), (server, worker)
        proofs += len(worker["proofs"])
    assert proofs > 100


def test_single_cells_have_the_same_explanation(wasm: Path, tmp_path: Path) -> None:
    messages = []
    for n, (view, clues) in enumerate(positions(28, large=False)):
        covered = [i for i, state in enumerate(view.states) if state in COVERED]
        for index in covered[n % 5 :: 11][:2]:
            cell = list(divmod(index, view.cols))
            messages.append({"do": "explain", **about(view, clues), "cell": cell})
    undecided = 0
    for server, worker in test_solving.both(wasm, tmp_path, messages):
        assert same(server, worker), (server, worker)
        undecided += worker["mine"] is None
    assert undecided > 40


def test_agents_make_the_same_moves(wasm: Path, tmp_path: Path) -> None:
    asked = []
    for n, (view, clues) in enumerate([*positions(42), *[too_large_to_count(220)] * 4]):
        agent = [*AGENTS, *NAIVE][n % (len(AGENTS) + len(NAIVE))]
        rules = {"on_mine": "continue" if n % 2 else "end"}
        more = {"agent": agent, "seed": n, "rules": rules, "step": n % 3 == 0}
        asked.append((view, clues, {"do": "go", **about(view, clues), **more}))
    guesses = 0
    answers = test_solving.both(wasm, tmp_path, [message for _, _, message in asked])
    for (view, clues, message), (server, worker) in zip(asked, answers, strict=True):
        if "error" in server:
            assert worker["error"]["kind"] == server["error"]["kind"], (message, server, worker)
            continue
        without_reasons(view, clues, "naive" in message["agent"], server, worker)
        assert same(server, worker), (message, server, worker)
        guesses += not worker["certain"]
    assert guesses > 100


def without_reasons(view: mp.View, clues: str, naive: bool, *moves: dict[str, Any]) -> None:
    """Remove the reasons of certain moves, which may differ, after checking that they are true."""
    for move in moves if moves[0]["rule"] not in {"", "opening"} else ():
        reason, data = move.pop("reason"), move.pop("why")
        move["rule"] = True  # another reasoner may have found it first
        assert data.pop("claimed", False) is naive
        if naive:
            continue
        why, known = test_solving.read_why(data), verdicts(view, clues)
        mine = move["action"] == "flag"
        assert str(why) == reason
        assert all(is_opened(view.state(clue)) for clue in why.clues)
        assert follows(view, tuple(move["cell"]), mine, why, known, clues), (view, clues, move, why)


def test_contradictions_name_irreducible_sets_of_clues(wasm: Path, tmp_path: Path) -> None:
    views = []
    for number, (view, clues) in enumerate(positions(42)):
        opened = [i for i, state in enumerate(view.states) if is_opened(state) and state != NO_CLUE]
        for index in opened[number % 3 :: 4]:
            states, degree = bytearray(view.states), view.grid.neighbour_count(index)
            states[index] = min(degree, 8) if states[index] < 3 else 0
            bounds = tuple(one for one in view.bounds if one[0] != index)
            views.append((mp.View(view.grid, bytes(states), view.mines, bounds), clues))
    messages = [{"do": "odds", **about(*one)} for one in views]
    clashes = 0
    for (view, clues), (server, worker) in zip(
        views, test_solving.both(wasm, tmp_path, messages), strict=True
    ):
        if not isinstance(server.get("error"), dict):
            assert same(server, worker)
            continue
        one, other = server["error"], worker["error"]
        assert other["kind"] == one["kind"] == "contradiction"
        assert other["count_used"] == one["count_used"]
        cells = {view.grid.index(tuple(cell)) for cell in other["cells"]}
        assert not fits(view, clues, cells, other["count_used"])
        assert all(fits(view, clues, cells - {cell}, other["count_used"]) for cell in cells)
        clashes += 1
    assert clashes > 10


def fits(view: mp.View, clues: str, kept: set[int], count_used: bool) -> bool:
    """Whether some configuration satisfies the clues at these cells (and the count)."""
    states = bytes(
        KNOWN_SAFE if is_opened(state) and index not in kept else state
        for index, state in enumerate(view.unflagged().states)
    )
    bounds = tuple(one for one in view.bounds if one[0] in kept)
    try:
        mp.posterior(mp.View(view.grid, states, view.mines if count_used else None, bounds), clues)
    except mp.Contradiction:
        return False
    return True


def a_game(number: int, clues: str, messages: list[dict[str, Any]]) -> None:
    """Moves of all kinds, many of them illegal, and questions about the position."""
    rows, cols, mines = ((6, 7, 6), (3, 9, 4), (9, 9, 10))[number % 3]
    rules: dict[str, Any] = {"opening": ("any", "safe", "clear")[number // 2 % 3]}
    if number % 2:
        rules["on_mine"] = "continue"
    if number % 5 == 1:
        rules["count_known"] = False
    deal = {"rows": rows, "cols": cols, "mines": mines}
    game = len(messages)
    new = {"do": "game.new", "deal": deal, "rules": rules, "clues": clues, "seed": 50 + number}
    messages.append(new)
    stream = Stream(number, Purpose.TIES)
    for _ in range(35):
        action = ("open", "open", "flag", "chord", "unflag", "open", "ask")[stream.below(7)]
        cell = [stream.below(rows), stream.below(cols)]
        messages.append({"do": "game.move", "game": game, "action": action, "cell": cell})
    messages.append({"do": "odds", "game": game})
    messages.append({"do": "go", "game": game, "agent": "exact", "step": True})
    messages.append({"do": "game.move", "game": game, "action": "stop"})
    messages.append({"do": "game.state", "game": game, "moves": True})
    messages.append({"do": "game.state", "game": game, "at": 9})
    messages.append({"do": "game.record", "game": game})
    messages.append({"do": "game.review", "game": game})


def test_manual_games_are_the_same(wasm: Path, tmp_path: Path, server: Server) -> None:
    messages: list[dict[str, Any]] = []
    for number, clues in enumerate([*MODELS, *MODELS]):
        a_game(number, clues, messages)
    messages.append({"do": "game.list"})
    refused = 0
    for message, (one, other) in zip(
        messages, test_games.both(wasm, tmp_path, server, messages), strict=True
    ):
        for answer in (*one, *other):
            if message["do"] == "game.review" and "move" in answer:
                answer["move"].pop("cost", None)  # the worker does not compute it
            if message["do"] == "go" and answer.get("rule") and answer["certain"]:
                answer.pop("reason"), answer.pop("why"), answer.pop("rule")
        if message["do"] == "game.list":  # the server also lists games of other tests
            listed = [game["clues"] for game in other[0]["games"]]
            assert sorted(listed) == sorted(str(mp.clues.parse(one)) for one in [*MODELS] * 2)
            continue
        assert same(one, other), (message, one, other)
        refused += isinstance(other[0].get("error"), dict)
    assert 150 < len(messages) - refused < len(messages) - 100


def test_watched_agents_play_the_same(wasm: Path, tmp_path: Path, server: Server) -> None:
    agents = [*AGENTS, *NAIVE]
    messages: list[dict[str, Any]] = [
        {
            "do": "game.watch",
            "deal": {"rows": 6, "cols": 6, "mines": 7},
            "agent": agents[number % len(agents)],
            "clues": MODELS[number % len(MODELS)],
            "seed": number,
            "rules": {"opening": "safe", "on_mine": ("continue", "end")[number % 3 == 0]},
        }
        for number in range(2 * len(agents))
    ]
    asked = 0
    for message, (one, other) in zip(
        messages, test_games.both(wasm, tmp_path, server, messages), strict=True
    ):
        assert len(one) == len(other), (message, one[-1], other[-1])
        for before, after in zip(one, other, strict=True):
            for move in (answer["move"] for answer in (before, after) if "move" in answer):
                asked += move["action"] == "ask"
                move["rule"] = bool(move["rule"])
                if move["certain"] and move["rule"]:
                    move.pop("reason"), move.pop("why")
            assert same(before, after), (message, before, after)
    assert asked > 4


def test_texts_of_clue_models_are_the_same(wasm: Path, tmp_path: Path) -> None:
    texts = [
        *("exact", " exact ", "sometimes:0.5", "sometimes:p=.5,redraw=no", "sometimes:1"),
        *("sometimes:1e-05", "sometimes:0", "sometimes: p=1_0e-2 ,redraw=TRUE", "optimistic:known"),
        *("optimistic:yes", "cautious:known=on", "cautious:known=false", "optimistic:", LIAR),
        "table:[[0.5,0.5,0,0,0,0,0,0,0]" + ",[0,0.25,0,0,0,0,0,0,0,0.75]" * 8 + "]",
    ]
    messages = [{"do": "game.new", "clues": text, "seed": 1} for text in texts]
    answers = converse(wasm, tmp_path, messages)
    for text, (answer,) in zip(texts, answers, strict=True):
        try:
            wanted: str | None = str(mp.clues.parse(text))
        except mp.InvalidInput as error:
            assert answer["error"]["message"] == str(error)
        else:
            assert answer["clues"] == wanted


def row(*chances: float) -> str:
    return json.dumps([*chances, *[0] * (9 - len(chances))])


WRONG = [
    *("exakt", "", "exact:p=1", "sometimes", "sometimes:", "sometimes:2", "sometimes:-0.5"),
    *("sometimes:nan", "sometimes:x", "sometimes:p=0.5,p=0.6", "sometimes:0.5,q=1"),
    *("sometimes:0.5,redraw=maybe", "optimistic:known=2", "cautious:limit=3", "optimistic:1,0"),
    *("table", "table:", "table:[", "table:3", "table:[[1]]", 'table:["x"]', "table:[3]"),
    f"table:[{','.join([row(1)] * 8)}]",
    f"table:[{','.join([row(1)] * 8)},[1]]",
    f"table:[{','.join([row(1)] * 8)},{row(0.5, 0.25)}]",
    f"table:[{','.join([row(1)] * 8)},{row(2, -1)}]",
    f"table:[{','.join([row(0, 0, 0, 0, 0, 0, 1)] * 9)}]",
]


def test_the_errors_are_the_same(wasm: Path, tmp_path: Path, server: Server) -> None:
    views = [
        *("1x3 0??  0,0:9", "1x3 0?? 0,0:1 0,0:1", "1x3 0?? 0,1:1", "1x3 0?? 0,5:1", "1x3 0?? a:1"),
        *("1x3 0?? 0,0:", "1x3 0?? 00000000,000000:1"),
    ]
    messages: list[dict[str, Any]] = [
        *({"do": "odds", "view": "2x3 ???/???", "clues": text} for text in WRONG),
        *({"do": "game.new", "clues": text} for text in WRONG),
        *({"do": "odds", "view": view, "clues": "optimistic:known=true"} for view in views),
        {"do": "game.new", "board": "1x3/1 *.. 0,1:1"},
        {"do": "game.new", "view": "1x3/1 ???", "clues": "optimistic"},
        {"do": "go", "view": "2x2 ????", "clues": "optimistic", "agent": "champion:budget=big"},
    ]
    for message, (one, other) in zip(
        messages, test_games.both(wasm, tmp_path, server, messages), strict=True
    ):
        assert isinstance(one[0].get("error"), dict), (message, one)
        assert one == other, message


def test_what_needs_whole_game_trees_needs_the_server(wasm: Path, tmp_path: Path) -> None:
    asked = {"do": "go", "clues": "optimistic", "rules": {"on_mine": "continue"}, "step": True}
    small, large = "2x4/2 ????/????", "3x3/2 ???/???/???"
    messages = [
        asked | {"view": small, "agent": "champion"},
        asked | {"view": large, "agent": "champion"},
        asked | {"view": small, "agent": "champion:naive=true"},
    ]
    answers = [answer for (answer,) in converse(wasm, tmp_path, messages)]
    assert answers[0]["error"]["kind"] == "server"
    assert "error" not in answers[1]
    assert "error" not in answers[2]
