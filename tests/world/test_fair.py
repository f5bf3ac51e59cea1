"""With luck="fair" every loss is a mistake, and everything shown is true of the current board."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import combinations
from typing import Any

import pytest

import mineproof as mp
from mineproof import _engine
from mineproof.games.match import Match
from mineproof.series.agent_series import AgentSeries, play_range
from mineproof.world.chance import game_seed
from mineproof.world.view import EXPLODED, FLAGGED, KNOWN_SAFE, UNTOUCHED, is_clue

FAIR = {"luck": "fair"}
native = pytest.mark.skipif(not _engine.is_native(), reason="the judge is compiled")
UNCOUNTED: list[dict[str, Any]] = [
    {},
    {"count_known": False},
    {"count_known": False, "density": 0.2},
]


def is_true(view: mp.View, board: mp.Board) -> bool:
    """Whether everything that a view shows is true of a board."""
    for state, mined, count in zip(view.states, board.mined, board.counts, strict=True):
        if is_clue(state) and (mined or state != count):
            return False
        if (state == KNOWN_SAFE and mined) or (state == EXPLODED and not mined):
            return False
    return view.mines in (None, board.mine_count)


def configurations(view: mp.View) -> list[set[int]]:
    """All sets of mines that are consistent with a view, by trying every one."""
    hidden = [i for i, state in enumerate(view.states) if state in UNTOUCHED or state == FLAGGED]
    counts = range(len(hidden) + 1) if view.mines is None else [view.mines]
    found = []
    for count in counts:
        for mines in combinations(hidden, count):
            board = mp.Board.from_mines(view.rows, view.cols, view.grid.cells(mines))
            if is_true(view, board):
                found.append(set(mines))
    return found


@native
@pytest.mark.parametrize(
    ("level", "games"), [("beginner", 1200), ("intermediate", 600), ("expert", 200)]
)
def test_an_agent_that_deduces_everything_never_loses(level: str, games: int) -> None:
    standings = mp.arena(["exact"], level, games=games, rules=FAIR, seed=3, workers=1)
    assert standings.agents[0].wins == games


@native
@pytest.mark.parametrize("more", UNCOUNTED, ids=str)
@pytest.mark.parametrize("agent", ["random", "baseline", "csp", "exact", "champion:budget=fast"])
def test_the_kernel_plays_the_same_games(agent: str, more: dict[str, Any]) -> None:
    deal, rules = mp.Deal(7, 8, 12), mp.Rules(**FAIR, **more)
    series = AgentSeries(mp.agents.get(agent), deal, rules, mp.clues.Exact(), None, 5)
    games = play_range(series, range(40))
    for number in range(40):
        record = mp.play(deal, agent, rules=rules, seed=game_seed(5, number))
        for name in ("won", "right", "wrong", "exploded", "guesses"):
            assert games[name][number] == getattr(record, name)
        assert games["mines"][number] == record.board.mine_count
        assert games["moves"][number] == len(record.turns)


@native
@pytest.mark.parametrize("more", UNCOUNTED, ids=str)
@pytest.mark.parametrize("opening", ["any", "safe", "clear"])
def test_every_ruling_agrees_with_a_list_of_all_configurations(
    opening: Any, more: dict[str, Any]
) -> None:
    deal = mp.Deal(4, 4, 4) if opening == "clear" else mp.Deal(3, 4, 3)
    rules = mp.Rules(opening=opening, **FAIR, **more)
    lost = guessed = 0
    for seed in range(25):
        match = Match(deal, ("random", "baseline")[seed % 2], rules=rules, seed=seed)
        before = match.view
        for turn in match:
            first = not any(map(is_clue, before.states))
            if turn.action == "open" and not (first and opening != "any"):
                index = before.grid.index(turn.cell)
                possible = configurations(before)
                covered = [i for i, state in enumerate(before.states) if state >= 9]
                mines = {i: sum(i in one for one in possible) for i in covered}
                fatal = mines[index] == len(possible) or (mines[index] > 0 and 0 in mines.values())
                assert (turn.events[0].state == EXPLODED) == fatal
                guessed += not fatal and mines[index] > 0
                lost += fatal
            assert match.truth is not None
            assert is_true(match.view, match.truth)
            before = match.view
        assert match.record().exploded == (not match.record().won)
    assert guessed > 5 or opening == "clear"
    assert lost > 2 or more


@native
def test_flags_count_by_the_board_of_the_moment() -> None:
    for seed in range(60):
        game = mp.Game(mp.Deal(4, 4, 5), mp.Rules(opening="any", **FAIR), seed=seed)
        for number in (0, 5, 10, 15, 3):
            cell = game.grid.cell(number)
            if game.over or game.view.state(cell) not in UNTOUCHED:
                continue
            game.flag(cell) if number % 2 else game.open(cell)
            board = game.dealt
            assert board is not None
            flags = game.view.cells(mp.State.FLAGGED)
            assert game.right == sum(map(board.is_mine, flags))
            assert game.wrong == len(flags) - game.right


@native
def test_a_guess_draws_the_board_again_and_a_certain_move_does_not() -> None:
    game = mp.Game(mp.Board.from_text("1x3/1 *.."), FAIR, seed=4)
    game.open((0, 0))  # the guess is safe, although the first board had the mine there
    assert [one.move for one in game.drawn] == [0]
    assert not game.drawn[0].kind
    assert game.drawn[0].board.mine_count == 1
    middle = mp.Game(mp.Board.from_text("1x3/1 *.."), FAIR, seed=4)
    middle.open((0, 1))
    assert middle.view.state((0, 1)) == 1
    assert len(middle.drawn) == 1


@native
def test_the_board_keeps_its_usual_number_of_mines_if_the_clues_allow() -> None:
    rules = mp.Rules(count_known=False, **FAIR)
    for seed in range(40):
        for drawn in mp.play(mp.Deal(6, 6, 8), "exact", rules=rules, seed=seed).drawn[:3]:
            assert drawn.board.mine_count == 8


@native
def test_a_board_without_guesses_is_played_as_it_was_dealt() -> None:
    for board in mp.generate(
        "beginner", count=5, no_guess=True, opening="clear", start=(4, 4), seed=2
    ):
        games = [
            mp.play(
                board,
                "exact",
                rules=mp.Rules(opening="clear", luck=luck),
                start=board.start,
                seed=1,
            )
            for luck in ("dealt", "fair")
        ]
        assert games[0].turns == games[1].turns
        assert games[1].board == mp.Board(board.grid, board.mined)
        assert games[1].drawn == ()


@native
@pytest.mark.parametrize("agent", ["random", "baseline", "exact"])
def test_a_record_has_the_boards_drawn_and_is_replayed_without_a_judge(agent: str) -> None:
    texts = []
    for seed in range(12):
        record = mp.play(mp.Deal(8, 8, 14), agent, rules=FAIR, seed=seed)
        assert not record.drawn or record.drawn[-1].board == record.board
        assert is_true(record.view, record.board)
        assert mp.Record.from_json(record.to_json()) == record
        texts.append(json.dumps(record.to_json()))
    program = (
        "import sys, mineproof as mp\n"
        "from mineproof import _engine\n"
        "for line in sys.stdin:\n"
        "    record = mp.Record.from_json(line)\n"
        "    assert record.rules.luck == 'fair' and record.view.mines == 14\n"
        "    print(_engine.name())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input="\n".join(texts), env={**os.environ, "MINEPROOF_ENGINE": "python"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["python"] * 12


@native
def test_a_record_whose_boards_do_not_fit_is_refused() -> None:
    record = next(
        one
        for seed in range(20)
        if (one := mp.play(mp.Deal(8, 8, 14), "baseline", rules=FAIR, seed=seed)).drawn
    )
    data = record.to_json()
    other = {**data["drawn"][-1], "board": mp.Board.random(8, 8, 14, seed=99).to_text()}
    with pytest.raises(mp.FormatError, match="the last board of 'drawn' must be 'board'"):
        mp.Record.from_json({**data, "drawn": [*data["drawn"], other]})
    other = {**other, "board": "1x2/1 *."}
    with pytest.raises(mp.FormatError, match="must have the size of 'board'"):
        mp.Record.from_json({**data, "drawn": [other]})


@native
def test_the_same_seed_and_moves_give_the_same_game() -> None:
    record = mp.play("beginner", "random", rules=FAIR, seed=8)
    game = mp.Game(mp.Deal(9, 9, 10), FAIR, seed=8)
    for move in record.moves:
        game.play(move.cell, move.action)
    assert (game.board, game.drawn) == (record.board, record.drawn)


@native
def test_beyond_the_budget_the_judge_is_kind() -> None:
    board = mp.Board.random(10, 10, 25, seed=2)
    game = mp.Game(board, mp.Rules(on_mine="continue", flood=False))
    for index in range(0, 100, 3):
        if not board.mined[index] and not game.over:
            game.open(game.grid.cell(index))
    view, kind = game.view, 0
    for index, state in enumerate(view.states):
        if state not in UNTOUCHED:
            continue
        drawn, was_kind = _engine.native.judge_opening(
            view, None, index, board.mined, 25, seed=1, move=0, budget=2
        )
        if was_kind and board.mined[index] and drawn is not None:
            assert not drawn[index]
            assert is_true(view, mp.Board(board.grid, drawn))
            kind += 1
        elif drawn is not None:
            pytest.fail("only a kind judge draws here, and only to spare the player")
    assert kind > 3


BLOCK = {"agents": "exact", "boards": "5x5/5", "luck": "fair"}
SOMETIMES = mp.clues.Sometimes(0.5)


@pytest.mark.parametrize(
    "refused",
    [
        lambda: mp.Rules(on_mine="continue", luck="fair"),
        lambda: mp.Game.deal("beginner", rules=FAIR, clues=SOMETIMES),
        lambda: mp.play("beginner", "exact", rules=FAIR, clues=SOMETIMES),
        lambda: mp.arena(["exact"], "beginner", games=1, rules=FAIR, clues=SOMETIMES),
        lambda: mp.arena(
            ["exact"], [mp.Board.random("beginner", seed=1)], rules=FAIR, clues=SOMETIMES
        ),
        lambda: mp.studies.Study.from_dict(
            "one",
            {"block": [{**BLOCK, "clues": "optimistic"}]},
        ),
        lambda: mp.studies.Study.from_dict(
            "one",
            {"block": [{**BLOCK, "on_mine": "continue"}]},
        ),
    ],
)
def test_other_combinations_are_refused(refused: Any) -> None:
    with pytest.raises(mp.InvalidInput, match="luck='fair' is only for"):
        refused()


@native
def test_the_kernel_refuses_them_too() -> None:
    rules, clues = mp.Rules(**FAIR), mp.clues.parse("optimistic")
    series = AgentSeries(mp.agents.get("exact"), mp.Deal(5, 5, 4), rules, clues, None, 1)
    with pytest.raises(ValueError, match="games without luck need exact clues"):
        play_range(series, range(2))


def test_without_the_compiled_engine_there_is_no_judge() -> None:
    with _engine.using("python"), pytest.raises(mp.EngineError, match="luck='fair' needs"):
        mp.Game.deal("beginner", rules=FAIR)


@native
def test_conditions_and_standings_say_that_there_is_no_luck() -> None:
    standings = mp.arena(["random", "exact"], mp.Deal(5, 5, 4), games=3, rules=FAIR, workers=1)
    assert "5x5/4, opening safe, exact clues, no luck" in str(standings)
    assert "may finish on different ones" in str(standings)
    assert standings.to_json()["rules"]["luck"] == "fair"
    assert "luck" not in mp.Rules().to_json()


@native
def test_a_study_compares_games_with_and_without_luck() -> None:
    block = {"agents": "exact", "boards": "8x8/12", "luck": ["dealt", "fair"]}
    dealt, fair = mp.studies.Study.from_dict("luck", {"games": 30, "block": [block]}).points()
    won = [play_range(one.series(2), range(30))["won"].sum() for one in (dealt, fair)]
    assert (dealt.rules.luck, fair.rules.luck) == ("dealt", "fair")
    assert won[0] < won[1] == 30


@native
def test_commands_have_the_rule() -> None:
    done = run(
        "arena", "--level", "beginner", "--agents", "exact", "--games", "20", "--luck", "fair"
    )
    assert "no luck" in done.stdout
    assert "100.00" in done.stdout
    assert "may finish on different ones" in done.stdout
    first, again = (
        run("play", "--agent", "random", "--luck", "fair", "--seed", "4", "--json").stdout
        for _ in range(2)
    )
    shown = [json.loads(one) for one in (first, again)]
    for one in shown:
        del one["seconds"]
    assert shown[0] == shown[1]
    assert shown[0]["rules"]["luck"] == "fair"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mineproof", *words]
    return subprocess.run(command, capture_output=True, text=True, check=True)
