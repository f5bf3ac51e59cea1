"""The RL tools: mine probabilities, experts, datasets, curricula, text, and evaluation of moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import gymnasium
import numpy as np
import pytest

import mineproof as mp
from mineproof.agents import Decision
from mineproof.gym import (
    Curriculum,
    MinesweeperEnv,
    MinesweeperVectorEnv,
    OddsWrapper,
    TextWrapper,
    VectorOddsWrapper,
    evaluate,
    expert_actions,
    graded_stages,
    judge,
    write_dataset,
)
from mineproof.gym.env_config import env_config_of
from mineproof.gym.text_wrapper import read_move, rules_in_words
from mineproof.world.view import HIDDEN, UNTOUCHED

SMALL: dict[str, Any] = {"rows": 6, "cols": 6, "mines": 6}


class First:
    """Opens the first legal cell; a user's own solver."""

    name = "first"

    def decide(self, view: mp.View, *, rules: Any, clues: Any, seed: int) -> Decision:
        cell = view.cells(*UNTOUCHED)[0]
        return Decision(cell, "open", risk=None, certain=False, reason="the first")


def random_policy(_: Any, info: dict[str, Any]) -> int:
    legal = np.flatnonzero(info["action_mask"])
    return int(legal[len(legal) // 2])


# Mine probabilities


def test_mine_probabilities_are_an_observation_channel(engine: str) -> None:
    env = OddsWrapper(MinesweeperEnv(**SMALL))
    seen, _ = env.reset(seed=1)
    assert seen in env.observation_space
    assert seen.shape == (2, 6, 6)
    assert seen[1] == pytest.approx(np.full((6, 6), 1 / 6))
    over = False
    while not over:
        states, odds = seen
        view = env.unwrapped.view  # type: ignore[attr-defined]
        assert np.array_equal(states.astype(np.uint8).ravel(), np.frombuffer(view.states, np.uint8))
        risk = mp.posterior(view).risk
        assert np.allclose(np.nan_to_num(risk, nan=-1), odds)
        seen, _, over, _, _ = env.step(expert_actions(env))


def test_the_vector_environment_has_the_same_channel() -> None:
    envs = VectorOddsWrapper(MinesweeperVectorEnv(3, **SMALL))
    singles = [OddsWrapper(MinesweeperEnv(**SMALL)) for _ in range(3)]
    seen, _ = envs.reset(seed=4)
    assert seen in envs.observation_space
    first = np.stack([env.reset(seed=4 + i)[0] for i, env in enumerate(singles)])
    assert np.array_equal(seen, first)
    moves = expert_actions(envs)
    assert moves.tolist() == [expert_actions(env) for env in singles]
    seen, *_ = envs.step(moves)
    later = [env.step(move)[0] for env, move in zip(singles, moves.tolist(), strict=True)]
    assert np.array_equal(seen, np.stack(later))


@pytest.mark.parametrize("agent", [None, "exact", "baseline", First()])
@pytest.mark.parametrize("flags", [False, True])
def test_experts_play_legal_moves_to_the_end(agent: Any, flags: bool) -> None:
    env = MinesweeperEnv("beginner", flags=flags)
    won = 0
    for seed in range(10):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            action = expert_actions(env, agent)
            assert info["action_mask"][action] == 1
            *_, over, _, info = env.step(action)
        won += info["won"]
    assert won >= (0 if isinstance(agent, First) else 4)


def test_an_expert_is_the_same_agent_as_elsewhere() -> None:
    env = MinesweeperEnv("beginner")
    for seed in range(5):
        env.reset(seed=seed)
        env.step(40)
        while not env._play.game.over:
            action = expert_actions(env, "exact")
            view = env.view
            safe = mp.posterior(view).safe
            assert not safe or divmod(action, 9) in safe
            env.step(action)


# Datasets


def table(folder: Path) -> list[tuple[Any, ...]]:
    return duckdb.sql(f"SELECT * FROM '{folder}/*.parquet' ORDER BY game, move").fetchall()


def test_the_dataset_has_the_positions_of_the_games(tmp_path: Path, engine: str) -> None:
    rules = mp.Rules(opening="safe")
    written = write_dataset(tmp_path / "out", mp.Deal(6, 6, 6), "exact", games=20, rules=rules)
    rows = table(written.folder)
    assert (written.games, written.positions) == (20, len(rows))
    shown = duckdb.sql(f"DESCRIBE SELECT * FROM '{tmp_path}/out/*.parquet'").fetchall()
    assert [name for name, *_ in shown] == [
        "states", "risk", "game", "seed", "move", "cell", "exact", "won", "mines",
    ]  # fmt: skip
    standings = mp.arena(["exact"], mp.Deal(6, 6, 6), games=20, rules=rules, workers=1)
    wins = {game: won for _, _, game, _, _, _, _, won, _ in rows}
    assert sum(wins.values()) == standings.agents[0].wins
    game = None
    for states, risk, number, seed, move, cell, exact, won, mines in rows:
        assert (exact, mines, seed) == (True, 6, mp.chance.game_seed(0, number))
        if move == 0:
            game = mp.Game(mp.Deal(6, 6, 6), rules, seed=seed)
        assert game is not None
        view = mp.View(mp.Grid(6, 6), states, 6)
        assert game.view == view
        expected = mp.posterior(view).risk.astype(np.float32)
        assert np.allclose(
            np.frombuffer(risk, np.float32), expected.ravel(), atol=1e-6, equal_nan=True
        )
        game.open(divmod(cell, 6))
        if game.over:
            assert game.won == won


def test_a_dataset_can_use_any_agent_and_any_clues(tmp_path: Path) -> None:
    deal = mp.Deal(5, 5, 4)
    noisy = mp.clues.Sometimes(0.7)
    for number, (agent, clues) in enumerate(((First(), mp.clues.Exact()), ("exact", noisy))):
        out = tmp_path / str(number)
        write_dataset(out, deal, agent, games=3, clues=clues)
        rows = table(out)
        assert {row[2] for row in rows} == {0, 1, 2}
        for states, *_ in rows:
            assert len(states) == 25


@pytest.mark.parametrize("clues", ["exact", "sometimes:0.6,redraw=true", "cautious:known=true"])
def test_both_engines_write_the_same_dataset(clues: str, tmp_path: Path) -> None:
    from mineproof import _engine

    deal = mp.Deal(5, 5, 4) if clues != "exact" else mp.Deal(7, 7, 9)
    for name in _engine.ENGINES:
        with _engine.using(name):
            write_dataset(tmp_path / name, deal, "csp", games=10, seed=3, clues=clues)
    one, other = (table(tmp_path / name) for name in _engine.ENGINES)
    assert [row[:1] + row[2:] for row in one] == [row[:1] + row[2:] for row in other]
    for ours, theirs in zip(one, other, strict=True):
        both = [np.frombuffer(row[1], np.float32) for row in (ours, theirs)]
        assert np.allclose(*both, atol=1e-6, equal_nan=True)


def test_existing_files_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("kept")
    with pytest.raises(mp.InvalidInput, match="already exists"):
        write_dataset(tmp_path, mp.Deal(5, 5, 4), games=1)
    with pytest.raises(mp.InvalidInput, match="a mine ends"):
        write_dataset(tmp_path / "new", mp.Deal(5, 5, 4), rules=mp.Rules(on_mine="continue"))
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_large_datasets_are_split_into_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mineproof.gym import dataset

    monkeypatch.setattr(dataset, "_PART_BYTES", 5 * 25 * 100)
    written = write_dataset(tmp_path / "out", mp.Deal(5, 5, 4), games=200)
    assert len(written.files) > 1
    assert len(table(written.folder)) == written.positions


# Curricula


def test_a_curriculum_advances_after_enough_wins() -> None:
    stages = graded_stages(6, 6, 6, reasoning=("local", "pairs"), count=3, seed=1)
    assert [stage.reasoning for stage in stages] == ["local", "pairs"]
    env = Curriculum(stages, games=3, reward="progress")
    seen = []
    for number in range(8):
        _, info = env.reset(seed=1 if number == 0 else None)
        seen.append(info["stage"])
        over = False
        while not over:
            *_, over, _, info = env.step(expert_actions(env))
        assert info["won"]  # these boards need no guess
    assert seen == [0, 0, 0, 1, 1, 1, 1, 1]
    assert "stage 1, pairs: 3 boards" in str(env)


def test_a_curriculum_stays_at_a_stage_that_is_lost() -> None:
    stages = graded_stages(6, 6, 6, reasoning=("local", "pairs"), count=3, seed=1)
    env = Curriculum(stages, games=2)
    for number in range(6):
        _, info = env.reset(seed=number)
        over = False
        while not over:
            action = int(np.flatnonzero(info["action_mask"])[-1])
            *_, over, _, info = env.step(action)
    assert info["stage"] == 0


# Text


def test_a_language_model_reads_and_writes_text() -> None:
    env = TextWrapper(MinesweeperEnv(**SMALL, flags=True))
    text, _ = env.reset(seed=1)
    assert "6 rows and 6 columns of cells, with 6 mines" in text
    assert "open 3,4" in text
    text, *_ = env.step("I think the corner is best. Open (0, 0)")
    assert env.unwrapped.view.state((0, 0)) != HIDDEN  # type: ignore[attr-defined]
    assert "? hidden" in text
    text, reward, over, _, _ = env.step("no idea")
    assert (reward, over) == (0.0, False)
    assert text.startswith("That is not a valid move: expected a move such as 'open 3,4'")
    text, *_ = env.step("open 7,7")
    assert "outside the board" in text
    text, *_ = env.step("open 0,0")
    assert text.startswith("Nothing changed: open 0,0 is not possible.")
    assert text in env.observation_space


def test_text_moves_follow_the_rules() -> None:
    assert "The first cell may be a mine." in rules_in_words(env_config_of(**SMALL, opening="any"))
    goes_on = env_config_of(**SMALL, rules={"on_mine": "continue"})
    assert "Opening a mine does not end the game" in rules_in_words(goes_on)
    assert "flag 3,4" in rules_in_words(goes_on)
    assert "or is blank" in rules_in_words(env_config_of(**SMALL, clues="sometimes:0.5"))
    assert "an unknown number of mines" in rules_in_words(
        env_config_of(**SMALL, rules={"count_known": False})
    )


def test_the_last_move_in_a_text_counts() -> None:
    task = env_config_of(**SMALL)
    assert read_move(task, "not open 1,1 but OPEN (2, 3).") == 15
    with pytest.raises(mp.InvalidInput, match="no flags here"):
        read_move(task, "flag 1,1")
    assert read_move(env_config_of(**SMALL, flags=True), "flag 0 1") == 37


# Evaluation


def test_moves_are_evaluated_by_what_could_be_known() -> None:
    task = env_config_of(rows=3, cols=3, mines=1, opening="any")
    view = mp.View.from_text("3x3/1 01?/01?/01?")
    certain = judge(task, mp.View.from_text("3x3/1 01?/011/00?"), 8)
    assert certain is not None
    assert (certain.certain, certain.risk, certain.missed) == (True, 0.0, False)
    missed = judge(task, mp.View.from_text("3x3/1 01?/011/00?"), 2)
    assert missed is not None
    assert (missed.certain, missed.risk, missed.excess, missed.missed) == (False, 1.0, 1.0, True)
    middle = judge(task, view, 5)
    assert middle is not None
    assert (middle.risk, middle.safe) == (1.0, 2)
    assert judge(task, view, 0) is None


def test_a_player_who_sees_the_probabilities_takes_no_unnecessary_risk() -> None:
    env = gymnasium.make("mineproof/Minesweeper-v0", level="beginner")
    best = evaluate(lambda *_: expert_actions(env), env, games=20, seed=1)
    assert (best.missed, best.excess, best.idle, best.cut) == (0, pytest.approx(0), 0, 0)
    assert best.opened == best.certain + best.guesses
    worse = evaluate(random_policy, env, games=20, seed=1)
    assert worse.won < best.won
    assert worse.missed > 0
    assert worse.excess > 1
    assert f"won{best.won:>15}" in str(best)


def test_text_answers_are_evaluated_too() -> None:
    env = TextWrapper(MinesweeperEnv(rows=3, cols=3, mines=1))
    found = evaluate(lambda *_: "hm", env, games=2)
    assert (found.cut, found.opened, found.won) == (2, 0, 0)
    assert found.idle > 0
