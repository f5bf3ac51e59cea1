"""Compiled players make the same moves and deductions as the Python ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof import _engine, _native
from mineproof._engine import model_of, rules_of, strategy_of, text_of
from mineproof.agents import Recipe
from mineproof.reasoning.closure import close
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.local import local
from mineproof.world import clues as models
from mineproof.world.clues import ClueModel, Exact
from tests.strategies import corners, games, middles

NAMES = [
    name
    for name in mp.agents.names()
    if strategy_of(mp.agents.get(name), Exact(), mp.Deal(5, 5, 1).grid) is not None
]
SHAPES = [(5, 5, 4), (8, 8, 10), (9, 9, 20), (1, 12, 3), (6, 11, 9), (16, 16, 40), (12, 12, 45)]


def test_these_agents_play_natively() -> None:
    assert set(NAMES) == {
        "random", "baseline", "baseline-selection", "csp", "csp-count", "gauss", "probability",
        "linalg", "linalg-count", "brute", "linalg-brute", "linalg-brute-nocount", "exact",
        "champion",
    }  # fmt: skip


def rules_for(number: int, *, room: bool) -> mp.Rules:
    return mp.Rules(
        on_mine=("end", "continue")[number % 2],
        opening=("any", "safe", "clear")[number % 3] if room else "any",
        count_known=number % 5 != 4,
        density=0.2 if number % 10 == 9 else None,
        flood=number % 4 != 3,
    )


def table(row: Callable[[int], list[float]]) -> models.Table:
    return models.Table([row(count) for count in range(9)])


MODELS: list[ClueModel] = [
    Exact(),
    models.Sometimes(0.5),
    models.Sometimes(0.3, redraw=True),
    models.Optimistic(),
    models.Optimistic(known=True),
    models.Cautious(),
    models.Cautious(known=True),
    # Every third count may show nothing; the others are always shown.
    table(lambda n: [float(shown == n) / (1 + (n % 3 == 0)) for shown in range(9)]
          + [0.5 * (n % 3 == 0)]),
    # Usually the count, sometimes a neighbouring number or nothing.
    table(lambda n: [0.6 * (shown == n) + 0.1 * (shown in {max(n - 1, 0), min(n + 1, 8)})
                     for shown in range(9)] + [0.2]),
]  # fmt: skip


@pytest.mark.parametrize("naive", [False, True], ids=["careful", "naive"])
@pytest.mark.parametrize("clues", MODELS, ids=lambda clues: str(clues)[:24])
@pytest.mark.parametrize("name", NAMES)
def test_every_move_is_the_same(name: str, clues: ClueModel, naive: bool) -> None:
    number = 0
    for seed in range(3 if name == "champion" and not clues.is_exact else 10):
        for rows, cols, mines in SHAPES[: 5 if name in {"exact", "champion"} else 7]:
            number += 1
            deal = mp.Deal(rows, cols, mines)
            rules = rules_for(number, room=mines < rows * cols - 9)
            start = (rows // 2, cols // 2) if seed % 3 == 1 else None
            agent = f"{name}:naive=true" if naive else name
            compare(agent, deal, rules, clues, start, seed)


def compare(
    name: str,
    deal: mp.Deal,
    rules: mp.Rules,
    clues: ClueModel,
    start: tuple[int, int] | None,
    seed: int,
) -> None:
    record = mp.play(deal, name, rules=rules, clues=clues, start=start, seed=seed)
    played = natively(name, deal, rules, clues, start, seed)
    assert [
        (
            deal.grid.cell(move.cell),
            text_of(move.action),
            move.certain,
            text_of(move.rule),
            move.risk,
            move.estimated,
        )
        for move in played.moves
    ] == [
        (move.cell, move.action, move.certain, move.rule, near(move.risk), move.estimated)
        for move in record.moves
    ]
    assert (played.won, played.mines, played.right, played.wrong, played.exploded,
            played.guesses) == (
        record.won, record.board.mine_count, record.right, record.wrong, record.exploded,
        record.guesses,
    )  # fmt: skip


def near(risk: float | None) -> object:
    return None if risk is None else pytest.approx(risk, abs=1e-9)


def natively(
    name: str,
    deal: mp.Deal,
    rules: mp.Rules,
    clues: ClueModel,
    start: tuple[int, int] | None,
    seed: int,
) -> _native.RecordedGame:
    grid = deal.grid
    strategy = strategy_of(mp.agents.get(name), clues, grid)
    assert strategy is not None
    first = -1 if start is None else grid.index(start)
    ground = _native.GameSetup(
        grid.rows, grid.cols, mines=deal.mine_count or 0, threshold=deal.threshold
    )
    return _native.play(ground, rules_of(rules), model_of(clues), strategy, first, seed)


@pytest.mark.parametrize(
    "name", [*(name for name in NAMES if name != "champion"), "csp:naive=true", "exact:naive=true"]
)
@pytest.mark.parametrize("clues", [Exact(), models.Cautious(known=True)], ids=str)
def test_an_arena_has_the_same_results_on_both_engines(name: str, clues: ClueModel) -> None:
    """On boards dealt by count, by density, or given."""
    boards = [mp.Board.random(7, 6, 8, seed=seed) for seed in range(30)]
    independent = mp.Deal(7, 9, density=0.2, independent=True)
    unknown = mp.Rules(opening="safe", count_known=False, density=0.2)
    for ground, rules in (
        (mp.Deal(6, 9, 11), mp.Rules(opening="clear")),
        (independent, unknown),
        (boards, mp.Rules(on_mine="continue")),
    ):
        played = {}
        for engine in _engine.ENGINES:
            with _engine.using(engine):
                games = 30 if clues.is_exact or "exact" not in name else 3
                series = mp.arena(
                    [name], ground, games=games, rules=rules, clues=clues, seed=5, workers=1
                ).games
                played[engine] = [row | {"cpu_seconds": 0.0} for row in series.rows()]
        assert played["native"] == played["python"]


exact = st.just(Exact())
PAIRS_ALONE = replace(mp.agents.get("exact"), name="pairs", beyond=None)


@pytest.mark.parametrize(
    "agent", [*map(mp.agents.get, NAMES), PAIRS_ALONE], ids=lambda agent: agent.name
)
@settings(max_examples=80)
@given(game=games(exact) | middles(exact) | corners(exact))
def test_both_engines_deduce_the_same_cells(agent: Recipe, game: mp.Game) -> None:
    view = game.view
    knowledge = Knowledge(view)
    for _ in close(knowledge, agent.reasoners):
        pass
    found = {i: d.mine for i, d in knowledge.settled.items()}
    if agent.beyond is not None:
        beyond = agent.beyond.make()(knowledge)
        found |= {i: d.mine for i, d in beyond.items() if knowledge.is_open(i)}
    strategy = strategy_of(agent, Exact(), view.grid)
    assert strategy is not None
    proved = _native.closure(view, rules_of(mp.Rules()), strategy)
    assert dict.fromkeys(proved.safe, False) | dict.fromkeys(proved.mined, True) == found


def test_a_board_that_breaks_the_opening_rule_is_named() -> None:
    board = mp.Board.from_text("2x2/3 **/*.")
    with pytest.raises(mp.MineproofError, match="board 0: .*opening rule"):
        mp.arena(["baseline"], [board], rules=mp.Rules(opening="safe"), start=(0, 0), workers=1)


def test_local_by_itself_applies_only_the_local_rules() -> None:
    assert mp.agents.get("baseline").reasoners == (local,)


def test_one_arena_may_have_boards_of_several_shapes() -> None:
    shapes = [(4, 5, 4), (4, 5, 4), (5, 4, 4), (3, 3, 1), (4, 5, 4)]
    boards = [mp.Board.random(*shape, seed=i) for i, shape in enumerate(shapes)]
    played = list(mp.arena(["csp", "simple"], boards, rules=mp.Rules(), workers=1).games.rows())
    assert [game["board"] for game in played] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    for game in played:
        record = mp.play(boards[game["board"]], game["agent"], seed=game["seed"])
        assert (record.won, len(record.moves)) == (game["won"], game["moves"])


def test_a_missing_mine_count_is_refused() -> None:
    """Independently mined cells have no known count before the first move, on either engine."""
    deal = mp.Deal(5, 5, density=0.2, independent=True)
    with pytest.raises(mp.InvalidInput, match="mine count is unknown before the first move"):
        mp.arena(["csp-count"], deal, games=3, rules=mp.Rules(opening="safe"), workers=1)
