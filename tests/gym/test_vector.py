"""The vector environment plays the same games as the single environment and the referee."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof import _engine
from mineproof.gym import MinesweeperVectorEnv, Step
from mineproof.gym.batch import PythonGameBatch, games_of
from mineproof.gym.env_config import EnvConfig, env_config_of
from mineproof.world.board import OPENINGS

ID = "mineproof/Minesweeper-v0"
needs_native = pytest.mark.skipif(mp.engine == "python", reason="no compiler works here")


@st.composite
def tasks(draw: st.DrawFn) -> EnvConfig:
    rows, cols = draw(st.integers(2, 7)), draw(st.integers(2, 7))
    opening = draw(st.sampled_from(OPENINGS))
    free = min(rows, 3) * min(cols, 3) if opening == "clear" else 1
    rules = mp.Rules(
        on_mine=draw(st.sampled_from(["end", "continue"])),
        opening=opening,
        flood=draw(st.booleans()),
    )
    mines = draw(st.integers(0, rows * cols - free))
    return env_config_of(rows=rows, cols=cols, mines=mines, rules=rules, flags=draw(st.booleans()))


ARRAYS = [
    "states",
    "legal",
    "last_states",
    "last_legal",
    "opened",
    "exploded",
    "right",
    "wrong",
    "mines",
    "won",
    "over",
    "cut",
    "illegal",
    "begun",
]


def play_both(task: EnvConfig, seed: int, renewal: str, limit: int, steps: int, picks: Any) -> None:
    """Both engines show the same after each move, legal or not."""
    size = 3
    compiled = games_of(task, size, renewal, limit, 2)
    reference = PythonGameBatch(task, size, renewal, limit)
    assert type(compiled) is not PythonGameBatch
    places = np.arange(size)
    for games in (compiled, reference):
        games.reset(places, np.arange(seed, seed + size, dtype=np.uint64))
    for _ in range(steps):
        for name in ARRAYS:
            ours, theirs = getattr(compiled, name), getattr(reference, name)
            assert np.array_equal(ours, theirs), name
            assert ours.dtype == theirs.dtype
        assert [compiled.seed_of(i) for i in range(size)] == [
            reference.seed_of(i) for i in range(size)
        ]
        moves = picks.integers(0, task.moves, size)
        legal = [np.flatnonzero(row) for row in compiled.legal]
        for place in range(size):
            if picks.random() < 0.9:
                moves[place] = picks.choice(legal[place])
        compiled.step(moves)
        reference.step(moves)


@needs_native
@settings(max_examples=150)
@given(
    tasks(),
    st.integers(0, 2**64 - 4),
    st.sampled_from(["next_step", "same_step", "never"]),
    st.sampled_from([0, 0, 5]),
    st.integers(0, 2**32),
)
def test_compiled_games_equal_the_referees(
    task: EnvConfig, seed: int, renewal: str, limit: int, picks: int
) -> None:
    play_both(task, seed, renewal, limit, 40, np.random.default_rng(picks))


@needs_native
@pytest.mark.parametrize("level", mp.LEVELS)
def test_both_engines_agree_on_the_conventional_levels(level: str) -> None:
    play_both(env_config_of(level), 5, "next_step", 0, 60, np.random.default_rng(1))


@needs_native
def test_both_engines_agree_on_given_boards() -> None:
    boards = list(mp.generate(6, 6, 6, start=(2, 2), opening="clear", count=4, seed=1))
    boards += mp.generate(6, 6, 4, start=(0, 0), opening="clear", count=2, seed=2)
    task = env_config_of(boards=boards, opening="clear", flags=True)
    play_both(task, 1, "next_step", 0, 80, np.random.default_rng(2))
    task = env_config_of(boards=boards, opening="any")
    play_both(task, 1, "same_step", 0, 80, np.random.default_rng(2))


@needs_native
def test_both_engines_agree_from_a_start() -> None:
    task = env_config_of(rows=4, cols=4, mines=2, opening="clear", start=(0, 0))
    play_both(task, 1, "next_step", 0, 100, np.random.default_rng(3))


def test_games_are_those_of_an_arena_with_the_same_seed(engine: str) -> None:
    envs = MinesweeperVectorEnv(2, rows=5, cols=5, mines=4, opening="any")
    envs.reset(seed=7)
    assert envs.game_seed(0) == mp.chance.game_seed(7, 0)
    envs.reset()
    assert [envs.game_seed(place) for place in (0, 1)] == [
        mp.chance.game_seed(7, 1),
        mp.chance.game_seed(8, 1),
    ]


@pytest.mark.parametrize("mode", AutoresetMode)
def test_it_returns_what_gymnasiums_sync_vector_env_returns(
    mode: AutoresetMode, engine: str
) -> None:
    """The observations, rewards, ends and infos of SyncVectorEnv around the single environment."""
    given_: dict[str, Any] = {"rows": 5, "cols": 4, "mines": 4, "flags": True}
    ours = gymnasium.make_vec(ID, num_envs=4, autoreset_mode=mode, reward="progress", **given_)
    theirs = gymnasium.make_vec(
        ID, num_envs=4, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode},
        reward="progress", **given_,
    )  # fmt: skip
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.metadata["autoreset_mode"] is mode
    same(ours.reset(seed=5), theirs.reset(seed=5))
    picks = np.random.default_rng(0)
    mask = np.ones((4, 40))
    for _ in range(60):
        moves = np.array([picks.choice(np.flatnonzero(row)) for row in mask])
        one, other = ours.step(moves), theirs.step(moves)
        same(one, other)
        mask = one[4]["action_mask"]
        ended = one[2] | one[3]
        if mode is AutoresetMode.DISABLED and ended.any():
            with pytest.raises(mp.IllegalMove, match="is over: reset it"):
                ours.step(moves)
            observations, _ = ours.reset(options={"reset_mask": ended})
            assert np.array_equal(observations, theirs.reset(options={"reset_mask": ended})[0])
            mask = np.ones((4, 40))
            mask[:, 20:] = 0
            mask[~ended] = one[4]["action_mask"][~ended]


def same(ours: Any, theirs: Any) -> None:
    assert data_equivalence(tuple(ours), tuple(theirs), exact=True), (ours, theirs)


def test_a_step_limit_truncates_games(engine: str) -> None:
    envs = gymnasium.make_vec(ID, num_envs=2, max_episode_steps=3, level="expert")
    envs.reset(seed=1)
    shown = [envs.step(np.array([0, 0]))[2:4] for _ in range(5)]  # opens once, then is illegal
    assert [bool(cut[0]) for _, cut in shown] == [False, False, True, False, False]
    assert not any(over.any() for over, _ in shown)


def test_without_copies_the_arrays_are_reused(engine: str) -> None:
    envs = MinesweeperVectorEnv(3, "beginner", copy=False)
    first, info = envs.reset(seed=1)
    assert (first == 9).all()
    second, *_ = envs.step(np.array([0, 1, 2]))
    assert np.shares_memory(first, second)
    assert (first != 9).any()
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        info["action_mask"][0] = 0


def test_copies_are_not_changed_by_later_steps(engine: str) -> None:
    envs = MinesweeperVectorEnv(3, "beginner")
    first, _ = envs.reset(seed=1)
    envs.step(np.array([0, 1, 2]))
    assert (first == 9).all()


def test_a_custom_reward_receives_arrays(engine: str) -> None:
    def cheap(step: Step) -> Any:
        return 1.0 * step.won - 0.01

    envs = MinesweeperVectorEnv(2, rows=2, cols=2, mines=1, opening="safe", reward=cheap)
    envs.reset(seed=1)
    _, rewards, *_ = envs.step(np.array([0, 0]))
    assert rewards.tolist() == [-0.01, -0.01]
    ended = np.zeros(2, bool)
    for move in (1, 2, 3):
        _, rewards, over, _, _ = envs.step(np.array([move, move]))
        assert (rewards[ended] == 0).all()  # a step that only started a new game
        ended = over


def test_seeds_may_be_given_for_some_games(engine: str) -> None:
    envs = MinesweeperVectorEnv(3, "beginner")
    envs.reset(seed=[1, 2, 3])
    envs.reset(seed=[None, 9, None])
    assert envs.np_random_seed == (1, 9, 3)
    assert [envs.game_seed(place) for place in range(3)] == [
        mp.chance.game_seed(seed, number) for seed, number in ((1, 1), (9, 0), (3, 1))
    ]
    with pytest.raises(mp.InvalidInput, match="expected 3 seeds, one per game, got 2"):
        envs.reset(seed=[1, 2])


@pytest.mark.parametrize(
    ("actions", "why"),
    [
        ([0], "3 integer actions"),
        ([0.0, 1.0, 2.0], "integer actions"),
        ([0, 0, 81], "from 0 to 80"),
    ],
)
def test_illegal_actions_change_nothing(actions: list[Any], why: str, engine: str) -> None:
    envs = MinesweeperVectorEnv(3, "beginner")
    before, _ = envs.reset(seed=1)
    with pytest.raises(ValueError, match=why):
        envs.step(np.array(actions))
    assert np.array_equal(envs._games.states, before)


def test_games_with_uncertain_clues_agree_too() -> None:
    envs = MinesweeperVectorEnv(2, "beginner", clues="sometimes:0.5")
    assert isinstance(envs._games, PythonGameBatch)
    envs.reset(seed=1)
    observations, *_ = envs.step(np.array([40, 40]))
    assert (observations != 9).any()


@needs_native
def test_the_number_of_threads_does_not_matter() -> None:
    size = 3000
    envs = [MinesweeperVectorEnv(size, "beginner", threads=threads) for threads in (1, 4)]
    picks = np.random.default_rng(0)
    masks = [env.reset(seed=1)[1]["action_mask"] for env in envs]
    for _ in range(20):
        moves = (picks.random(masks[0].shape) * masks[0]).argmax(axis=1)
        one, other = (env.step(moves) for env in envs)
        same(one, other)
        masks = [one[4]["action_mask"], other[4]["action_mask"]]


def test_it_uses_the_selected_engine(engine: str) -> None:
    envs = MinesweeperVectorEnv(1, "beginner")
    assert isinstance(envs._games, PythonGameBatch) == (not _engine.is_native())


@needs_native
def test_games_without_luck_are_those_of_the_referee() -> None:
    task = env_config_of(rows=5, cols=6, mines=8, rules={"luck": "fair"})
    picks, drawn = np.random.default_rng(1), 0
    for seed in range(20):
        batch = games_of(task, 1, "next_step", 0, 1)
        batch.reset(np.arange(1), np.array([seed], np.uint64))
        game = mp.Game(mp.Deal(5, 6, 8), task.rules, seed=batch.seed_of(0))
        while not game.over:
            move = picks.choice(np.flatnonzero(batch.legal[0]))
            batch.step(np.array([move]))
            game.open(game.grid.cell(int(move)))
            assert batch.states[0].tobytes() == game.view.states
        assert batch.won[0] == game.won
        drawn += len(game.drawn)
    assert drawn > 10


def test_games_without_luck_need_exact_clues() -> None:
    with pytest.raises(mp.InvalidInput, match="luck='fair' is only for exact clues"):
        env_config_of(rules={"luck": "fair"}, clues="optimistic")
