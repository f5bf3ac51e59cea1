"""Agents keep their contract and play as before."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineproof as mp
from mineproof.agents import Decision
from mineproof.testing import check_agent, redeal
from mineproof.world.chance import Purpose, Stream
from mineproof.world.clues import Exact, Optimistic
from mineproof.world.view import HIDDEN
from tests.replayed import replayed
from tests.strategies import games, seeds

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("name", mp.agents.names())
def test_every_agent_keeps_its_contract(name: str) -> None:
    check_agent(name, games=240)


@pytest.mark.parametrize("name", mp.agents.names())
def test_every_agent_plays_its_golden_game(name: str, engine: str) -> None:
    """One game per agent, move by move with its reasons; see `tests/golden/README`."""
    if (name, engine) == ("champion", "python"):
        with pytest.raises(mp.EngineError, match="'champion' needs the compiled engine"):
            transcript(name)
        return
    assert transcript(name) == (GOLDEN / f"{name}.txt").read_text()


def transcript(name: str) -> str:
    rules = mp.Rules(on_mine="continue", opening="safe")
    record = mp.play(mp.Deal(8, 8, 10), name, rules=rules, seed=GAME)
    lines = [f"{record.agent} on {record.board.to_text()}", ""]
    for move, _, view in replayed(record):
        how = "certain" if move.certain else "guess"
        lines += [f"{move.action} {move.cell} {how}: {move.reason}", f"  {view.to_text()}"]
    lines += ["", f"{record.outcome}, {record.guesses} guesses, {record.right} right"]
    return "\n".join(lines) + "\n"


GAME = 18


@given(seeds, st.sampled_from(mp.agents.names()))
def test_nothing_certain_is_wrong(seed: int, name: str) -> None:
    record = mp.play(
        mp.Deal(9, 9, density=0.2), name, rules=mp.Rules(on_mine="continue"), seed=seed
    )
    for move, events, _ in replayed(record):
        if move.certain and move.action == "flag":
            assert record.board.is_mine(move.cell)
        if move.certain and move.action == "open":
            assert not record.board.is_mine(move.cell)
        assert events


def test_agents_guess_in_the_same_order_on_the_same_board() -> None:
    """When neither knows anything, both open the same cell."""
    names = ("random", "simple", "baseline", "one-two", "gauss", "linalg-count", "mean")
    for seed in range(20):
        first = {mp.play(mp.Deal(9, 9, 30), name, seed=seed).moves[0].cell for name in names}
        assert len(first) == 1


def test_naive_agents_read_clues_as_exact() -> None:
    view = mp.View.from_text("?0?")
    careful = mp.agents.get("baseline").decide(view, clues=Optimistic())
    naive = mp.agents.get("baseline:naive=true").decide(view, clues=Optimistic())
    assert not careful.certain
    assert naive.certain


def test_a_flag_on_a_safe_cell_is_removed() -> None:
    decision = mp.agents.get("baseline").decide(mp.View.from_text("0F"))
    assert (decision.action, decision.cell, decision.certain) == ("unflag", (0, 1), True)


def test_an_agent_with_nothing_left_to_open_stops() -> None:
    assert mp.agents.get("random").decide(mp.View.from_text("FF")).action == "stop"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("basline", "unknown agent 'basline': did you mean 'baseline'"),
        ("zzz", "unknown agent 'zzz': expected one of random, simple, baseline"),
        ("baseline:nave=1", "unknown option of baseline 'nave': did you mean 'naive'"),
        ("baseline:naive=7", "baseline:naive must be true or false, got '7'"),
    ],
)
def test_unknown_agents_and_options_are_refused(name: str, message: str) -> None:
    with pytest.raises(mp.UnknownName if "unknown" in message else mp.InvalidInput, match=message):
        mp.agents.get(name)


@given(games(st.just(Exact())), seeds)
def test_redealt_mines_are_consistent_with_the_view(game: mp.Game, seed: int) -> None:
    view = game.view
    if not game.over:
        game.stop()
    other = redeal(view, game.board.mine_count, Stream(seed, Purpose.TIES))
    assert other.mine_count == game.board.mine_count
    for index, state in enumerate(view.states):
        if state <= 8:
            assert (other.mined[index], other.counts[index]) == (0, state)


def test_every_configuration_can_be_dealt() -> None:
    view = mp.View.from_text("3x3/3 ???/?3?/???")
    seen = {redeal(view, 3, Stream(seed, Purpose.TIES)).mined for seed in range(3000)}
    assert len(seen) == 56


class Peeking:
    """Cheats: finds the board of the running game in memory."""

    name = "peeking"

    def begin(self, view: mp.View, *, rules: mp.Rules, clues: Any, seed: int) -> Any:
        return self.Player(view)

    class Player:
        board: mp.Board | None = None

        def __init__(self, view: mp.View) -> None:
            self.states = dict.fromkeys(range(view.grid.size))
            self.grid = view.grid

        def observe(self, events: Any) -> None: ...

        def decide(self) -> Decision:
            import gc

            boards = [x for x in gc.get_objects() if isinstance(x, mp.Game) and not x.over]
            game = next(g for g in reversed(boards) if g.grid == self.grid)
            board = game._board
            cells = game.view.cells(HIDDEN)
            safe = [c for c in cells if board is None or not board.is_mine(c)]
            return Decision(safe[0], "open", 0.0, True, "I just know") if safe else STOP


STOP = Decision((0, 0), "stop", None, False, "done")


def first_hidden(view: mp.View, **_: Any) -> Decision:
    cells = view.cells(HIDDEN, 10)
    return Decision(cells[0], "open", None, False, "the first") if cells else STOP


def faulty(change: Any) -> Any:
    def decide(view: mp.View, **setting: Any) -> Any:
        return change(first_hidden(view, **setting), view)

    return decide


def rebuilding(view: mp.View, *, seed: int, **_: Any) -> Decision:
    """Cheats: deals the board again from its own seed."""
    board = mp.Board.random(view.rows, view.cols, view.mines or 0, seed=seed)
    safe = [cell for cell in view.cells(HIDDEN, 10) if not board.is_mine(cell)]
    return Decision(safe[0], "open", 0.0, True, "rebuilt")


class Counting:
    """Breaks the contract: its decision depends on how often it was asked."""

    name = "counting"
    asked = 0

    def decide(self, view: mp.View, **_: Any) -> Decision:
        Counting.asked += 1
        cells = view.cells(HIDDEN, 10)
        return Decision(cells[Counting.asked % len(cells)], "open", None, False, "counted")


def test_a_function_that_decides_is_an_agent() -> None:
    check_agent(first_hidden)
    record = mp.play(mp.Board.from_text("..*"), first_hidden)
    assert record.won
    assert record.agent == "first_hidden"


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (Counting(), "decided differently when asked a second time"),
        (Peeking(), "with the hidden mines dealt again"),
        (faulty(lambda d, v: "open it"), "must return a Decision, got 'open it'"),
        (faulty(lambda d, v: Decision(d.cell, "open", 1.5, False, "x")), "from 0 to 1, got 1.5"),
        (faulty(lambda d, v: Decision(d.cell, "open", "a", False, "x")), "a risk must be a number"),
        (faulty(lambda d, v: Decision(7, "open", None, False, "x")), "a cell must be a pair"),
        (faulty(lambda d, v: v.cells(HIDDEN)[99]), "raised IndexError: list index out of range"),
        (rebuilding, "decided differently|certain but wrong|illegal|raised"),
        (faulty(lambda d, v: Decision(d.cell, "open", None, False, "")), "gave no reason"),
        (faulty(lambda d, v: Decision(d.cell, "open", 0.0, True, "x")), "certain but wrong"),
        (faulty(lambda d, v: Decision((99, 0), "open", None, False, "x")), "illegal move"),
    ],
)
def test_agents_that_break_the_contract_are_found(agent: Any, message: str) -> None:
    with pytest.raises(mp.AgentFault, match=message):
        check_agent(agent)


@pytest.mark.parametrize("risk", [math.nan, 7.5, -0.1, math.inf, "a", True])
def test_an_invalid_risk_is_refused_at_the_move(risk: Any) -> None:
    """As an illegal move is, and not only when the record is read."""
    agent = faulty(lambda d, v: Decision(d.cell, "open", risk, False, "x"))
    with pytest.raises(mp.InvalidInput, match=r"agent '.*': a risk must be"):
        mp.play(mp.Deal(4, 4, 2), agent, seed=1)


def test_an_agent_that_makes_no_progress_is_stopped() -> None:
    def dither(view: mp.View, **_: Any) -> Decision:
        flagged = view.state((0, 0)) != HIDDEN
        return Decision((0, 0), "unflag" if flagged else "flag", None, False, "hm")

    with pytest.raises(mp.AgentFault, match="without finishing the game"):
        mp.play(mp.Board.from_text("*.."), dither)


def test_a_players_seed_reveals_nothing_about_the_board() -> None:
    heard = []

    def listening(view: mp.View, *, seed: int, **_: Any) -> Decision:
        heard.append(seed)
        return first_hidden(view)

    record = mp.play(mp.Deal(9, 9, 30), listening, seed=5)
    assert heard[0] != 5
    assert mp.Board.random(9, 9, 30, seed=heard[0]) != record.board


def test_agents_may_return_numpy_values() -> None:
    def in_numpy(view: mp.View, **_: Any) -> Decision:
        cell = np.array(first_hidden(view).cell)
        return Decision(cell, "open", np.float32(0.5), np.False_, "numpy")  # type: ignore[arg-type]

    record = mp.play(mp.Deal(np.int64(4), np.int64(4), np.int64(2)), in_numpy, seed=np.int64(3))
    assert mp.Record.from_json(json.dumps(record.to_json())) == record


def test_asking_again_may_end_a_game_and_is_replayed() -> None:
    shy = mp.clues.Sometimes(0.6, redraw=True)
    asked = 0
    for seed in range(60):
        record = mp.play(mp.Deal(6, 6, 2), "baseline", clues=shy, seed=seed)
        asked += sum(move.action == "ask" for move in record.moves)
        views = [view for _, _, view in replayed(record)]
        assert views[-1] == record.view
    assert asked > 10


@pytest.mark.slow
@pytest.mark.parametrize("name", mp.agents.names())
def test_every_agent_keeps_its_contract_in_many_games(name: str) -> None:
    check_agent(name, games=5000, seed=1)


def test_values_that_are_no_agents_are_refused() -> None:
    with pytest.raises(mp.InvalidInput, match="expected an agent: .*, got 7"):
        mp.play(mp.Board.from_text("*."), 7)


def test_contradictory_clues_do_not_end_a_game() -> None:
    """A naive `exact` reads wrong clues as exact, and keeps guessing."""
    agents = ["exact:naive=true"]
    rules = mp.Rules(on_mine="continue")
    games = mp.arena(
        agents, mp.Deal(6, 6, 8), games=5, rules=rules, clues=mp.clues.Cautious(), workers=1
    )
    assert games.agents[0].games == 5


def test_a_flagged_start_is_not_opened() -> None:
    decision = mp.agents.get("csp").decide(mp.View.from_text("3x3/2 F??/???/???"))
    assert decision.cell != (0, 0)
