"""The worker and the server analyse positions identically."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof import _engine
from mineproof.games.turn_data import read_why
from mineproof.protocol import Session
from mineproof.world.chance import Purpose, Stream
from mineproof.world.view import COVERED, FLAGGED, HIDDEN, KNOWN_SAFE, is_clue
from tests.premises import follows, verdicts
from tests.wasm.wasm_worker import converse

AGENTS = [
    "random",
    "baseline",
    "baseline-selection",
    "csp",
    "csp-count",
    "gauss",
    "probability",
    "linalg",
    "linalg-count",
    "exact",
    "champion:budget=fast",
]
pytestmark = pytest.mark.skipif(not _engine.is_native(), reason="the kernel is not built")


def positions(games: int) -> list[mp.View]:
    """Views in games of many kinds, some with flags, some without a mine count."""
    shapes = [(9, 9, 10), (16, 30, 99), (1, 14, 4), (7, 8, 20), (5, 5, 5), (4, 6, 23)]
    found = []
    for seed in range(games):
        rows, cols, mines = shapes[seed % len(shapes)]
        opening = ("any", "safe", "clear")[seed % 3] if mines < 10 else "any"
        known, flood = seed % 4 != 1, seed % 5 != 2
        rules = mp.Rules(on_mine="continue", opening=opening, count_known=known, flood=flood)
        game = mp.Game(mp.Deal(rows, cols, mines), rules, seed=seed)
        stream = Stream(seed, Purpose.TIES)
        for number in range(9):
            cell = divmod(stream.below(rows * cols), cols)
            if game.over or game.view.state(cell) not in {HIDDEN, KNOWN_SAFE}:
                continue
            if number % 4 == 3 and game.view.state(cell) == HIDDEN:
                game.flag(cell)
            else:
                game.open(cell)
            found.append(game.view)
    return found


def same(one: Any, other: Any) -> bool:
    """Whether two responses agree; floats up to the last digits of their logarithms."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return bool(one == other)


def both(wasm: Path, folder: Path, messages: list[dict[str, Any]]) -> list[tuple[Any, Any]]:
    """The responses of the server and the worker to each message."""
    session = Session()
    server = [json.loads(json.dumps(session.answer(message))) for message in messages]
    worker = converse(wasm, folder, messages)
    assert all(len(answers) == 1 for answers in worker)
    return list(zip(server, (answers[0] for answers in worker), strict=True))


def test_odds_and_best_moves_are_the_same(wasm: Path, tmp_path: Path) -> None:
    views = positions(24)
    messages = [
        {"do": "odds", "id": n, "view": view.to_text(), "zeros": n % 3 == 0, "best": 1 + n % 7}
        for n, view in enumerate(views)
    ]
    assert len(views) > 120
    for server, worker in both(wasm, tmp_path, messages):
        assert same(server, worker), (server, worker)


def test_proofs_have_the_same_words(wasm: Path, tmp_path: Path) -> None:
    by_count = ["3x3/5 ??3/???/232", "1x3/0 0??", "1x4/2 *1s?", "1x6/1 ?1????"]
    views = [*positions(30), *map(mp.View.from_text, by_count)]
    messages = [{"do": "explain", "view": view.to_text(), "all": True} for view in views]
    kinds = set()
    for server, worker in both(wasm, tmp_path, messages):
        assert same(server, worker), (server, worker)
        kinds |= {step["kind"] for proof in worker["proofs"] for step in proof["steps"]}
        alone = [proof for proof in worker["proofs"] if proof["count_used"] and not proof["clues"]]
        assert all("by the mine count alone." in proof["words"] for proof in alone)
    assert len(kinds) > 4


def test_a_density_of_zero_or_one_gives_the_same_proofs(wasm: Path, tmp_path: Path) -> None:
    """If all cells are mines, or none is, the density determines the mine count."""
    asked = {"do": "explain", "all": True}
    messages = [
        asked | {"view": "2x4 0???/????", "density": 0},
        asked | {"view": "2x4 0??1/????", "density": 0},
        asked | {"view": "1x5 ?2??*", "density": 1},
        asked | {"view": "1x5 ?1??*", "density": 1},
        {"do": "explain", "view": "1x5 ????*", "density": 1, "cell": [0, 1]},
    ]
    for server, worker in both(wasm, tmp_path, messages):
        assert same(server, worker), (server, worker)


def test_single_cells_have_the_same_explanation(wasm: Path, tmp_path: Path) -> None:
    messages = []
    for n, view in enumerate(view for view in positions(30) if view.rows * view.cols < 100):
        covered = [i for i, state in enumerate(view.states) if state in COVERED]
        for index in covered[n % 5 :: 11][:3]:
            cell = list(divmod(index, view.cols))
            messages.append({"do": "explain", "view": view.to_text(), "cell": cell})
    undecided = 0
    for server, worker in both(wasm, tmp_path, messages):
        assert same(server, worker), (server, worker)
        undecided += worker["mine"] is None
    assert undecided > 40


def test_agents_make_the_same_moves(wasm: Path, tmp_path: Path) -> None:
    messages = [
        {"do": "go", "view": view.to_text(), "agent": AGENTS[n % len(AGENTS)], "seed": n}
        for n, view in enumerate(positions(30))
    ]
    guesses = 0
    views = [message["view"] for message in messages]
    for text, (server, worker) in zip(views, both(wasm, tmp_path, messages), strict=True):
        if "error" in server:
            assert worker["error"] == server["error"]
            continue
        both_true(mp.View.from_text(text), server, worker)
        assert same(server, worker), (server, worker)
        guesses += not worker["certain"]
    assert guesses > 20


def both_true(view: mp.View, server: dict[str, Any], worker: dict[str, Any]) -> None:
    """Remove the reasons, which may differ, after checking that both are true.

    Python gives the agent's reason for a certain move, the worker that of a smallest proof.
    """
    for move in (server, worker) if worker["rule"] not in {"", "opening"} else ():
        check_reason(view, move, move.pop("reason"), move.pop("why"))


def check_reason(view: mp.View, move: dict[str, Any], reason: str, data: dict[str, Any]) -> None:
    """The text matches the data, and the premises prove the move."""
    why, known, mine = read_why(data), verdicts(view), move["action"] == "flag"
    assert str(why) == reason
    assert all(is_clue(view.states[view.grid.index(clue)]) for clue in why.clues), (view, move)
    assert known.keys() >= set(why.known), (view, move)
    assert follows(view, tuple(move["cell"]), mine, why, known), (view, move, why)
    assert why.clues or why.count_used, (view, move, why)


def test_the_win_probability_is_the_same(wasm: Path, tmp_path: Path) -> None:
    views = [view for view in positions(30) if view.rows * view.cols < 60][:12]
    messages = [
        {"do": "odds", "view": view.to_text(), "win": True, "agent": "champion:budget=fast"}
        for view in views
    ]
    for server, worker in both(wasm, tmp_path, messages):
        assert same(server, worker), (server, worker)


def fits(view: mp.View, clues: set[int], count_used: bool) -> bool:
    """Whether some configuration satisfies the clues at these cells (and the count)."""
    states = bytes(
        KNOWN_SAFE
        if is_clue(state) and index not in clues
        else HIDDEN
        if state == FLAGGED
        else state
        for index, state in enumerate(view.states)
    )
    try:
        mp.posterior(mp.View(view.grid, states, view.mines if count_used else None))
    except mp.Contradiction:
        return False
    return True


def test_contradictions_name_irreducible_sets_of_clues(wasm: Path, tmp_path: Path) -> None:
    views = []
    for number, view in enumerate(positions(30)):
        clues = [i for i, state in enumerate(view.states) if is_clue(state) and state < 3]
        if not clues:
            continue
        states = bytearray(view.states)
        states[clues[number % len(clues)]] += 1
        try:
            views.append(mp.View(view.grid, bytes(states), view.mines))
        except mp.MineproofError:
            continue
    messages = [{"do": "odds", "view": view.to_text()} for view in views]
    clashes = 0
    for view, (server, worker) in zip(views, both(wasm, tmp_path, messages), strict=True):
        if not isinstance(server["error"], dict):
            assert same(server, worker)
            continue
        one, other = server["error"], worker["error"]
        assert other["kind"] == one["kind"] == "contradiction"
        assert other["count_used"] == one["count_used"]
        cells = {view.grid.index(tuple(cell)) for cell in other["cells"]}
        assert not fits(view, cells, other["count_used"])
        assert all(fits(view, cells - {cell}, other["count_used"]) for cell in cells)
        assert not other["count_used"] or fits(view, cells, False)
        clashes += 1
    assert clashes > 20


def test_methods_that_need_the_server_say_so(wasm: Path, tmp_path: Path) -> None:
    messages = [
        {"do": "reasoners", "view": "1x2/1 1?"},
        {"do": "go", "view": "1x2/1 1?", "agent": "brute"},
        {"do": "arena.run", "agents": ["exact"]},
    ]
    for (answer,) in converse(wasm, tmp_path, messages):
        assert answer["error"]["kind"] == "server"
        assert answer["error"]["message"].endswith('needs the server (run "make web")')
