"""Every public numeric argument takes what it can use, and refuses the rest in one line of ours."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import mineproof as mp
from mineproof.agents.champion import Champion
from mineproof.errors import quote
from mineproof.games import analysis
from mineproof.world.view import UNTOUCHED
from tools.api_page import names

ODD = [
    *(-1, 0, 255, 2**31, 2**32, 2**63, 2**64, 10**5000, -(10**5000), 0.5, 1.5, 1e300),
    *(float("nan"), float("inf"), -float("inf"), True, "3", "", b"3", None, [], [1], {}, 1j),
    *(np.uint8(255), np.int8(-1), np.int64(3), np.uint64(2**64 - 1), np.float64(0.5), np.bool_(1)),
    *(np.float32("nan"), np.array(3), np.array([1, 2]), np.datetime64(1, "s"), object()),
]
VIEW = mp.View.from_text("3x3/2 1??/???/???")
OPEN = mp.View.from_text("3x3 1??/???/???")
DEAL = mp.Deal(3, 3, 2)


class Careless:
    name = "careless"

    def decide(self, view: mp.View, **_: Any) -> mp.Move:
        return mp.Move(view.cells(*UNTOUCHED)[0], "open", None, False, "the first cell")


def first(boards: Any) -> Any:
    return next(iter(boards), None)


CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any], str]] = {
    "Grid": (mp.Grid, {"rows": 2, "cols": 2}, "rows cols"),
    "Grid.index": (mp.Grid(3, 3).index, {"cell": (0, 0)}, "cell"),
    "grade": (mp.grade, {"board": mp.Board.from_text("2x2/1 ../.*"), "start": (0, 0)}, "start"),
    "Board.random": (mp.Board.random, {"rows": 3, "cols": 3, "mines": 2}, "rows cols mines"),
    "Board.random 2": (mp.Board.random, {"rows": 3, "cols": 3, "density": 0.2}, "density"),
    "Board.random 3": (
        mp.Board.random,
        {"rows": 3, "cols": 3, "mines": 2, "seed": 1, "start": (0, 0), "opening": "safe"},
        "seed start",
    ),
    "Board.from_mines": (mp.Board.from_mines, {"rows": 2, "cols": 2, "mines": []}, "rows cols"),
    "Board.is_mine": (mp.Board.random(3, 3, 2).is_mine, {"cell": (0, 0)}, "cell"),
    "Board.clue": (mp.Board.random(3, 3, 2).clue, {"cell": (0, 0)}, "cell"),
    "Board.keeps": (mp.Board.random(3, 3, 2).keeps, {"opening": "safe", "start": (0, 0)}, "start"),
    "Deal": (mp.Deal, {"rows": 3, "cols": 3, "mines": 2, "density": None}, "rows cols mines"),
    "Deal 2": (mp.Deal, {"rows": 3, "cols": 3, "density": 0.2}, "density"),
    "Deal.check": (DEAL.check, {"opening": "safe", "start": (0, 0)}, "start"),
    "Deal.board": (DEAL.board, {"seed": 1, "start": (0, 0)}, "seed start"),
    "generate": (
        lambda **given: first(mp.generate(3, 3, **given)),
        {"mines": 2, "count": 1, "seed": 1, "start": (0, 0)},
        "mines count seed start",
    ),
    "generate 2": (
        lambda **given: first(mp.generate(**given, mines=1)),
        {"rows": 3, "cols": 3},
        "rows cols",
    ),
    "generate 3": (lambda **given: first(mp.generate(3, 3, **given)), {"density": 0.1}, "density"),
    "View": (mp.View, {"grid": mp.Grid(1, 2), "states": bytes(2), "mines": 1}, "mines"),
    "View.hidden": (mp.View.hidden, {"rows": 2, "cols": 2, "mines": 1}, "rows cols mines"),
    "View.from_text": (mp.View.from_text, {"text": "2x2 ??/??", "mines": 1}, "mines"),
    "View.state": (VIEW.state, {"cell": (0, 0)}, "cell"),
    "Rules": (mp.Rules, {"count_known": False, "density": 0.1}, "density"),
    "Game": (mp.Game, {"board": DEAL, "start": (0, 0), "seed": 0}, "start seed"),
    "Game.deal": (
        mp.Game.deal,
        {"rows": 3, "cols": 3, "mines": 2, "start": None, "seed": 0},
        "rows cols mines start seed",
    ),
    "Game.deal 2": (mp.Game.deal, {"rows": 3, "cols": 3, "density": 0.1}, "density"),
    "Game.play": (lambda cell: mp.Game(DEAL).play(cell), {"cell": (0, 0)}, "cell"),
    "Game.open": (lambda cell: mp.Game(DEAL).open(cell), {"cell": (0, 0)}, "cell"),
    "Game.flag": (lambda cell: mp.Game(DEAL).flag(cell), {"cell": (0, 0)}, "cell"),
    "Game.unflag": (lambda cell: mp.Game(DEAL).unflag(cell), {"cell": (0, 0)}, "cell"),
    "Game.chord": (lambda cell: mp.Game(DEAL).chord(cell), {"cell": (0, 0)}, "cell"),
    "gym.MinesweeperEnv": (
        mp.gym.MinesweeperEnv,
        {"rows": 3, "cols": 3, "mines": 2, "start": (0, 0)},
        "rows cols mines start",
    ),
    "gym.MinesweeperVectorEnv": (
        mp.gym.MinesweeperVectorEnv,
        {"num_envs": 1, "rows": 3, "cols": 3, "mines": 2, "threads": 1, "max_episode_steps": 9},
        "rows cols mines threads max_episode_steps",
    ),
    "gym.graded_stages": (
        mp.gym.graded_stages,
        {
            "rows": 3,
            "cols": 3,
            "mines": 1,
            "start": (0, 0),
            "count": 1,
            "seed": 0,
            "reasoning": ["local"],
        },
        "mines start seed",
    ),
    "play": (mp.play, {"board": DEAL, "agent": "random", "start": None, "seed": 0}, "start seed"),
    "Match": (
        mp.Match,
        {"board": DEAL, "agent": "random", "start": None, "seed": 0, "player_seed": 1},
        "start seed player_seed",
    ),
    "agents.Recipe.begin": (
        lambda seed: mp.agents.get("random").begin(VIEW, seed=seed).decide(),
        {"seed": 0},
        "seed",
    ),
    "Record.view_at": (mp.play(DEAL, "exact").view_at, {"number": 1}, "number"),
    "agents.Recipe.decide": (
        lambda seed: mp.agents.get("exact").decide(VIEW, seed=seed),
        {"seed": 0},
        "seed",
    ),
    "arena": (
        mp.arena,
        {"agents": ["random"], "boards": DEAL, "games": 2, "start": None, "seed": 0, "workers": 1},
        "games start seed workers",
    ),
    "posterior": (mp.posterior, {"view": VIEW, "budget": 1000}, "budget"),
    "posterior 2": (mp.posterior, {"view": OPEN, "density": 0.1}, "density"),
    "posteriors": (
        mp.posteriors,
        {"views": [VIEW] * 3, "budget": 1000, "threads": 1},
        "budget threads",
    ),
    "posteriors 2": (mp.posteriors, {"views": [OPEN], "density": 0.1}, "density"),
    "sample": (mp.sample, {"view": VIEW, "n": 1, "seed": 0, "budget": 1000}, "n seed budget"),
    "sample 2": (mp.sample, {"view": OPEN, "n": 1, "density": 0.1}, "density"),
    "value_odds": (
        mp.value_odds,
        {"view": VIEW, "cell": (1, 1), "budget": 1000},
        "cell budget",
    ),
    "value_odds 2": (mp.value_odds, {"view": OPEN, "cell": (1, 1), "density": 0.1}, "density"),
    "analyse_cell": (
        mp.analyse_cell,
        {"view": VIEW, "cell": (1, 1), "games": 10},
        "cell games",
    ),
    "analyse_cell 2": (
        mp.analyse_cell,
        {"view": OPEN, "cell": (1, 1), "density": 0.1},
        "density",
    ),
    "count_odds": (mp.count_odds, {"view": VIEW, "cell": (0, 0), "budget": 1000}, "cell budget"),
    "count_odds 2": (mp.count_odds, {"view": OPEN, "cell": (0, 0), "density": 0.1}, "density"),
    "explain": (mp.explain, {"view": VIEW, "cell": (1, 1), "budget": 1000}, "cell budget"),
    "explain 2": (mp.explain, {"view": OPEN, "cell": (1, 1), "density": 0.1}, "density"),
    "proofs": (mp.proofs, {"view": VIEW, "budget": 1000}, "budget"),
    "proofs 2": (mp.proofs, {"view": OPEN, "density": 0.1}, "density"),
    "solve_score": (
        mp.solve_score,
        {"rows": 2, "cols": 2, "mines": 1, "memory": 100},
        "rows cols mines memory",
    ),
    "render.board_png": (mp.render.board_png, {"board": mp.Board.random(3, 3, 2)}, "scale"),
    "render.view_png": (mp.render.view_png, {"view": VIEW}, "scale"),
    "render.odds_png": (mp.render.odds_png, {"odds": mp.posterior(VIEW)}, "scale"),
    "solve": (
        mp.solve,
        {"rows": 2, "cols": 2, "mines": 1, "memory": 100},
        "rows cols mines memory",
    ),
    "clues.Sometimes": (mp.clues.Sometimes, {"p": 0.5}, "p"),
    "clues.Table": (lambda rows: mp.clues.Table([[rows] * 9] * 9), {"rows": 0.5}, "rows"),
    "testing.check_agent": (
        mp.testing.check_agent,
        {"agent": Careless(), "games": 1, "seed": 0, "seconds": 60.0},
        "games seed seconds",
    ),
    "testing.redeal": (
        lambda mines: mp.testing.redeal(VIEW, mines, mp.chance.Stream(0, mp.chance.Purpose.TIES)),
        {"mines": 2},
        "mines",
    ),
    "chance.game_seed": (mp.chance.game_seed, {"seed": 0, "index": 0}, "seed index"),
    "chance.player_seed": (mp.chance.player_seed, {"seed": 0}, "seed"),
    "chance.seeds_of": (
        mp.chance.seeds_of,
        {"seed": 0, "index": 0, "salt": "0" * 32},
        "seed index",
    ),
    "chance.seed_to_json": (mp.chance.seed_to_json, {"seed": 0}, "seed"),
    "chance.check_seed": (mp.chance.check_seed, {"seed": 0}, "seed"),
    "chance.philox": (mp.chance.philox, dict.fromkeys(["c0", "c1", "c2", "c3", "key"], 0), "key"),
    "chance.Stream": (
        lambda **given: mp.chance.Stream(**given).next(),
        {"seed": 0, "purpose": mp.chance.Purpose.TIES, "index": 0},
        "seed index",
    ),
    "chance.Stream.below": (
        mp.chance.Stream(0, mp.chance.Purpose.TIES).below,
        {"n": 5},
        "n",
    ),
    "chance.words64": (
        mp.chance.words64,
        {"seed": 0, "purpose": mp.chance.Purpose.TIES, "count": 3},
        "seed count",
    ),
    "chance.order_keys": (mp.chance.order_keys, {"size": 3, "seed": 0}, "size seed"),
    "champion.win_chance": (
        lambda games: Champion().win_chance(mp.View.hidden(4, 4, 3), games=games),
        {"games": 1},
        "games",
    ),
    "win_chance": (
        lambda games: analysis.win_chance(mp.View.hidden(4, 4, 3), games=games),
        {"games": 1},
        "games",
    ),
}
UNCHECKED = {
    # What our functions give: not made by hand.
    "BestScore", "Contradiction", "Deduction", "Event", "Move", "Optimum", "Proof", "Record",
    "Turn",
    "agents.Decision",
    "agents.Recipe", "chance.Seeds", "corpus.Header", "render.Room",
    "studies.Block", "studies.Plot", "studies.Point", "studies.Study",
    # Asked of every cell of every game, by those that have its index.
    "Grid.cell", "Grid.cells", "Grid.name", "Grid.neighbours", "Grid.neighbour_count",
    "Grid.flood", "Grid.regions", "View.cells",
    *(f"clues.{model}.{method}"
      for model in ("Cautious", "ClueModel", "Exact", "Optimistic", "Sometimes", "Table")
      for method in ("bound", "draw", "likelihood", "bound_among", "opens_around", "outcomes")),
    # What a user.s own agent has.
    "agents.Agent.begin",
}  # fmt: skip
ELSEWHERE = {
    # Cells that are drawn, in tests/render; studies, in tests/studies.
    *("render.depth_svg", "render.draw", "render.draw_clash", "render.draw_odds"),
    *("render.draw_proof", "render.game_svg", "render.odds_svg", "render.proof_svg"),
    *("render.view_svg", "render.witness_svg"),
    *("studies.run", "studies.Study.with_games", "studies.Study.quick"),
    "studies.Point.series",
    *("Influence.node", "Influence.parents", "Influence.ancestors", "Influence.depth"),
    *("Influence.chain_to", "render.chain_svg", "render.odds_legend", "render.plain"),
    "render.side_by_side",
    "View.from_array",  # tests/world/test_arrays.py
    *("corpus.write", "game_ids.write"),  # tests/formats
    *("CellAnalysis", "Generated", "Grade", "NotFound", "Record.of"),  # results, made by us
    # tests/gym; and what policies are given, made by us.
    *("gym.MinesweeperEnv.reset", "gym.MinesweeperVectorEnv.reset"),
    *("gym.Curriculum", "gym.Curriculum.reset", "gym.MinesweeperVectorEnv.game_seed"),
    *("gym.MinesweeperVectorEnv.view", "gym.OddsWrapper", "gym.OddsWrapper.observation"),
    *("gym.TextWrapper.reset", "gym.VectorOddsWrapper", "gym.VectorOddsWrapper.observations"),
    *("gym.evaluate", "gym.expert_actions", "gym.judge", "gym.write_dataset"),
    *("gym.Evaluation", "gym.Judged", "gym.Step", "gym.Written"),
}


def numeric() -> set[str]:
    """The public functions, classes and methods with an argument that is a number or a cell."""
    found = set()
    for name in names():
        value: Any = mp
        for part in name.split("."):
            value = getattr(value, part)
        if isinstance(value, ModuleType) or not callable(value):
            continue
        calls = {name: value}
        if isinstance(value, type):
            methods = {
                key: it
                for key, it in vars(value).items()
                if not key.startswith("_") and not hasattr(it, "__deprecated__")
            }
            calls |= {f"{name}.{key}": getattr(it, "__func__", it) for key, it in methods.items()}
        for path, call in calls.items():
            if callable(call) and any(word in given(call) for word in ("int", "float", "Cell")):
                found.add(path)
    return found


def given(call: Any) -> str:
    try:
        return " ".join(str(one.annotation) for one in inspect.signature(call).parameters.values())
    except (TypeError, ValueError):
        return ""


def test_no_public_number_is_forgotten() -> None:
    listed = {name.partition(" ")[0] for name in CALLS} | UNCHECKED | ELSEWHERE
    assert numeric() - listed == set()


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize(
    ("name", "argument"),
    [(name, argument) for name, (_, _, numbers) in CALLS.items() for argument in numbers.split()],
)
def test_an_odd_number_is_used_or_refused_in_one_line(name: str, argument: str) -> None:
    call, usual, _ = CALLS[name]
    for odd in ODD:
        try:
            call(**usual | {argument: odd})
        except mp.MineproofError as error:
            assert "\n" not in str(error), quote(odd)
            assert 0 < len(str(error)) < 250, quote(odd)
        except Exception as error:
            pytest.fail(f"{argument}={quote(odd)}: {error!r:.300}")


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        (lambda: mp.posterior(VIEW, budget=-1), "budget must be from 0 to 10**12, got -1"),
        (lambda: mp.posteriors([VIEW], threads=2**32), "threads must be from 1 to 1024"),
        (lambda: mp.arena(["random"], DEAL, games=2, workers=-1), "workers must be from 1 to"),
        (lambda: mp.chance.game_seed(2**64, 0), "a seed must be from 0 to 2**64 - 1, got 1844"),
    ],
)
def test_the_range_is_shown(call: Callable[[], Any], shown: str) -> None:
    with pytest.raises(mp.InvalidInput) as caught:
        call()
    assert shown in str(caught.value)


def test_numbers_of_numpy_are_numbers() -> None:
    """Not least where a byte of 255 times two would be 254."""
    odd: dict[str, Any] = {"games": np.uint8(4), "workers": np.uint8(255), "seed": np.uint64(1)}
    one, other = mp.arena(["random"], DEAL, **odd), mp.arena(["random"], DEAL, games=4, seed=1)
    assert one.agents[0].games == 4
    assert one.agents[0].wins == other.agents[0].wins


@pytest.mark.parametrize("mined", [9, 0, True, "........."])
def test_a_number_is_no_row_of_cells(mined: Any) -> None:
    with pytest.raises(mp.InvalidInput, match="one byte per cell"):
        mp.Board(mp.Grid(3, 3), mined)
