"""The environment keeps Gymnasium's contract and the rules of Minesweeper."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import mineproof as mp
from mineproof.gym import REWARDS, MinesweeperEnv, Step
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN

ID = "mineproof/Minesweeper-v0"
CONTINUE = {"on_mine": "continue", "opening": "safe"}

SETTINGS: list[dict[str, Any]] = [
    {},
    {"level": "expert"},
    {"rows": 6, "cols": 6, "density": 0.15, "opening": "clear", "reward": "progress"},
    {"level": "beginner", "clues": "sometimes:0.5", "reward": "safe-open"},
    {"rows": 5, "cols": 5, "mines": 5, "rules": CONTINUE, "reward": "score"},
    {"rows": 6, "cols": 6, "mines": 5, "opening": "clear", "start": (0, 0), "flags": True},
]


def play(env: Any, seed: int, limit: int = 10_000) -> list[tuple[float, bool]]:
    """Play random legal moves; return each step's reward and whether it ended the game."""
    _, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    shown = []
    for _ in range(limit):
        action = env.action_space.sample(info["action_mask"])
        _, reward, over, _, info = env.step(action)
        shown.append((reward, over))
        if over:
            return shown
    raise AssertionError("no end")


@pytest.mark.parametrize("given", SETTINGS, ids=str)
def test_gymnasiums_checker_passes(given: dict[str, Any], engine: str) -> None:
    check_env(gymnasium.make(ID, **given).unwrapped)


def test_it_is_registered_on_request() -> None:
    """By importing it, by Gymnasium's module syntax, and by the entry point of old versions."""
    code = f"import gymnasium; print(gymnasium.make('mineproof.gym:{ID}', level='expert').reset())"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    (entry,) = (one for one in entry_points(group="gymnasium.envs") if "mineproof" in one.value)
    entry.load()()
    assert ID in gymnasium.registry


def test_a_seed_gives_the_same_games_as_everywhere_else() -> None:
    env = MinesweeperEnv(rows=6, cols=6, mines=6, opening="safe")
    for number in range(3):
        env.reset(seed=11 if number == 0 else None)
        assert env.game_seed == mp.chance.game_seed(11, number)
        game = mp.Game(mp.Deal(6, 6, 6), mp.Rules(opening="safe"), seed=env.game_seed)
        for move in (14, 0, 35):
            if not game.over and game.view.states[move] == HIDDEN:
                game.open(divmod(move, 6))
                states, *_ = env.step(move)
                assert states.tobytes() == game.view.states
                assert env.view == game.view


def test_without_a_seed_every_run_differs() -> None:
    env = MinesweeperEnv()
    env.reset()
    other = MinesweeperEnv()
    other.reset()
    assert env.game_seed != other.game_seed
    assert env.np_random_seed == env._play.seed


def test_the_first_cell_is_safe_unless_the_rule_is_off() -> None:
    env = MinesweeperEnv(rows=3, cols=3, mines=8)
    for seed in range(20):
        env.reset(seed=seed)
        _, reward, over, _, info = env.step(4)
        assert (reward, over, info["won"]) == (1.0, True, True)
    env = MinesweeperEnv(rows=3, cols=3, mines=8, opening="any")
    env.reset(seed=1)
    assert any(play(env, seed)[-1] == (-1.0, True) for seed in range(5))


def test_a_mine_is_shown_and_ends_the_game() -> None:
    env = MinesweeperEnv(rows=2, cols=2, mines=2)
    for seed in range(20):
        env.reset(seed=seed)
        _, _, over, _, _ = env.step(0)
        assert not over
        states, reward, over, _, info = env.step(1)
        if states[0, 1] == EXPLODED:
            assert (reward, over, info["won"]) == (-1.0, True, False)
            assert info["action_mask"].all()  # any cell is allowed
            with pytest.raises(mp.IllegalMove, match="call reset to start the next one"):
                env.step(2)
            return
    raise AssertionError("no mine was hit")


def test_an_illegal_move_changes_nothing() -> None:
    env = MinesweeperEnv("expert", reward="safe-open")
    env.reset(seed=1)
    before, reward, *_ = env.step(0)
    assert reward == 1.0
    after, reward, over, _, _ = env.step(0)
    assert (reward, over) == (0.0, False)
    assert np.array_equal(before, after)
    with pytest.raises(ValueError, match="a move must be from 0 to 479"):
        env.step(480)


def test_flags_are_placed_and_removed() -> None:
    env = MinesweeperEnv("expert", flags=True)
    _, info = env.reset(seed=1)
    assert info["action_mask"].sum() == 480  # nothing is dealt yet, so nothing can be flagged
    states, *_, info = env.step(0)
    assert info["action_mask"][480:].sum() == (states == HIDDEN).sum()
    states, *_, info = env.step(480 + 479)
    assert states[15, 29] == FLAGGED
    assert (info["action_mask"][479], info["action_mask"][959]) == (0, 1)
    states, *_ = env.step(480 + 479)
    assert states[15, 29] == HIDDEN


@pytest.mark.parametrize("seed", range(5))
def test_rewards_sum_to_the_documented_totals(seed: int) -> None:
    env = MinesweeperEnv(rows=5, cols=5, mines=2, reward="progress")
    total = sum(reward for reward, _ in play(env, seed))
    assert total == pytest.approx(1.0) if env._play.game.won else total < 0
    env = MinesweeperEnv(rows=5, cols=5, mines=5, rules=CONTINUE, reward="score")
    assert sum(reward for reward, _ in play(env, seed)) == pytest.approx(env._play.game.score)
    env = MinesweeperEnv(rows=5, cols=5, mines=2)
    assert sum(reward for reward, _ in play(env, seed)) == (1 if env._play.game.won else -1)


def test_a_custom_reward_is_used() -> None:
    def mean(step: Step) -> float:
        return -1.0 if step.illegal else 0.5 * step.opened

    env = MinesweeperEnv("expert", reward=mean)
    env.reset(seed=1)
    states, reward, *_ = env.step(0)
    assert reward == 0.5 * (states != HIDDEN).sum()
    assert env.step(0)[1] == -1.0
    assert set(REWARDS) == {"win", "progress", "safe-open", "score"}


def test_a_given_start_is_opened_automatically() -> None:
    env = MinesweeperEnv("expert", opening="clear", start=(8, 15))
    states, _ = env.reset(seed=1)
    assert states[8, 15] == 0


def test_given_boards_are_played_from_their_starts() -> None:
    boards = list(
        mp.generate(6, 6, 6, start=(2, 2), opening="clear", no_guess=True, count=3, seed=1)
    )
    env = MinesweeperEnv(boards=boards, opening="clear")
    seen = set()
    for seed in range(20):
        states, _ = env.reset(seed=seed)
        assert states[2, 2] == 0
        play(env, seed)
        seen.add(env.board.mined)
    assert seen == {board.mined for board in boards}


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"level": "hard"}, "unknown level"),
        ({"level": "expert", "rows": 3}, "its own size"),
        ({"rows": 3}, "rows and cols"),
        ({"rows": 3, "cols": 3, "mines": 9, "opening": "any"}, "needs a safe cell"),
        ({"rows": 3, "cols": 3, "mines": 9}, "do not fit"),
        ({"opening": "safe", "rules": mp.Rules()}, "not both"),
        ({"rules": {"nonsense": 1}}, "unknown rule 'nonsense'"),
        ({"clues": 5}, "a clue model"),
        ({"clues": "sometimes:0.5,redraw=true"}, "clues with redraw"),
        ({"start": (0, 0), "opening": "any"}, "needs mines and the opening rule"),
        ({"boards": []}, "one or more"),
        ({"boards": [mp.Board.random(3, 3, 1, seed=1)], "opening": "safe"}, "boards with a start"),
        ({"boards": [7]}, "mp.Board"),
        ({"boards": [mp.Board.random(3, 3, 1, seed=1)], "rows": 3}, "leave out level, rows"),
        ({"reward": "gold"}, "unknown reward"),
        ({"reward": 5}, "a name or a function"),
        ({"reward": "score"}, "needs flags"),
        ({"render_mode": "film"}, "unknown render mode"),
    ],
    ids=str,
)
def test_invalid_settings_are_refused(given: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        MinesweeperEnv(**given)


def test_render_modes_return_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    for mode in ("ansi", "rgb_array", "human"):
        env = MinesweeperEnv(rows=4, cols=5, mines=3, render_mode=mode)
        play(env, 1)
        frame = env.render()
        if mode == "ansi":
            assert frame.splitlines()[1].startswith("0  ")
        elif mode == "rgb_array":
            assert (frame.shape, frame.dtype) == ((64, 80, 3), np.uint8)
            assert len(np.unique(frame.reshape(-1, 3), axis=0)) > 3
        else:
            assert frame is None
    assert "0" in capsys.readouterr().out


def test_every_cell_state_has_its_own_tile() -> None:
    from mineproof.render.pixels import _tile

    tiles = {_tile(look).tobytes() for look in range(16)}
    assert len(tiles) == 16


def test_action_masks_have_the_form_that_maskable_ppo_expects() -> None:
    env = MinesweeperEnv()
    _, info = env.reset(seed=1)
    assert np.array_equal(env.action_masks(), info["action_mask"] == 1)
