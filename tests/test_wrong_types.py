"""Any value passed to a public name is used, or refused with a one-line error of ours."""

from __future__ import annotations

import inspect
import io
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest
from rich.console import Console

import mineproof as mp
from mineproof import _engine
from mineproof.errors import quote
from tools.api_page import names

BOARD = mp.Board.from_text("3x3/2 *../..*/...")
VIEW = mp.View.from_text("3x3/2 ?1?/???/???")
DEAL = mp.Deal(3, 3, 2)
RECORD = mp.play(BOARD, "exact")
STUDY = mp.studies.get("speed")

ODD: list[Any] = [
    *(None, True, -1, 3, 2**70, 1.5, "x", "", "\ud800", b"x", [], [1], ["x"], [None], [[1]]),
    *((0,), (1, 2, 3), {}, {"x": 1}, set(), object(), int, iter([]), np.zeros(3), Path("nowhere")),
    *(BOARD, VIEW, DEAL, mp.Grid(2, 2), RECORD, mp.Rules(), mp.clues.Exact()),
]

USUAL: dict[str, Any] = {
    "action": "open",
    "agent": "random",
    "agents": ["random", "simple"],
    "board": BOARD,
    "boards": [BOARD],
    "cell": (0, 0),
    "clues": [(0, 1)],
    "chain": [(0, 0)],
    "cols": 3,
    "content": mp.mbf.write(BOARD),
    "count": 1,
    "data": RECORD.to_json(),
    "deal": DEAL,
    "depths": {(0, 0): 1},
    "events": [mp.Event((0, 0), 1)],
    "folder": "nowhere/at/all",
    "ending": "won",
    "game": mp.Game(BOARD),
    "games": 2,
    "grid": mp.Grid(3, 3),
    "index": 0,
    "level": "all",
    "memory": 10,
    "mined": BOARD.mined,
    "mines": 2,
    "n": 1,
    "name": "name",
    "nodes": (),
    "opening": "safe",
    "p": 0.5,
    "path": "nowhere/at/all",
    "place": 0,
    "purpose": mp.chance.Purpose.TIES,
    "record": RECORD,
    "records": [RECORD],
    "rows": 3,
    "salt": "0" * 32,
    "seconds": 60.0,
    "seed": 0,
    "size": 3,
    "stages": [],
    "start": (2, 0),
    "states": VIEW.states,
    "steps": [{(0, 0): True}],
    "stream": mp.chance.Stream(0, mp.chance.Purpose.TIES),
    "study": STUDY,
    "text": BOARD.to_text(),
    "tries": 10,
    "truth": BOARD,
    "turn": RECORD.turns[0],
    "turns": RECORD.turns,
    "value": 0,
    "video": mp.replays.to_video(RECORD),
    "view": VIEW,
    "views": [VIEW],
    "witnesses": [[(0, 0)], []],
    "words": ["words"],
    "workers": 1,
    **dict.fromkeys(("c0", "c1", "c2", "c3", "key"), 0),
}
"""A valid value for an argument of this name while another one is invalid."""

MADE_BY_US = {
    # Results: our functions construct them correctly; like any tuple, they are plain data.
    *(
        "BestScore",
        "CellAnalysis",
        "Contradiction",
        "Deduction",
        "Event",
        "Grade",
        "Move",
        "NotFound",
        "Optimum",
        "Turn",
    ),
    *("Posterior", "Proof", "Record", "agents.Decision", "agents.Recipe", "chance.Seeds"),
    *("corpus.Header", "gym.Evaluation", "gym.Judged", "gym.Stage", "gym.Step", "gym.Written"),
    *("render.Room", "studies.Block", "studies.StudyResults", "studies.Plot"),
    *("studies.Point", "studies.Study", "chance.Purpose", "State"),
}
FOR_OTHERS_TO_WRITE = {"agents.Agent", "agents.Player", "clues.ClueModel"}
"""Abstract classes: users implement their methods in their own agents and clue models."""
ASKED_OF_EVERY_CELL = {
    # Called by code that has their index or mine count; a check would cost more than the work.
    *(f"Grid.{method}" for method in ("neighbours", "cell", "cells", "neighbour_count", "name")),
    *("Grid.flood", "Grid.regions"),
    *(f"clues.{model}.{method}"
      for model in ("Cautious", "Exact", "Optimistic", "Sometimes", "Table")
      for method in ("bound", "draw", "likelihood", "opens_around")),
    "View.cells",
}  # fmt: skip
FEW = {"games", "count", "workers", "memory", "tries"}
"""Arguments that get small numbers here to save time."""
SLOW = {"studies.run": "tests/formats/test_paths.py has its path"}


def vector(**given: Any) -> Any:
    """A vector environment, which is always compiled."""
    with _engine.using("native"):
        return mp.gym.MinesweeperVectorEnv(2, **given)


def environment(kind: str = "") -> Any:
    """An environment for tests, created on demand: compiled games must not outlive the tests."""
    if kind == "Vector":
        many = vector(rows=3, cols=3, mines=2)
        many.reset(seed=1)
        return many
    one = mp.gym.MinesweeperEnv(rows=3, cols=3, mines=2)
    one.reset(seed=1)
    return one


def text_environment() -> Any:
    env = mp.gym.TextWrapper(environment())
    env.reset(seed=1)
    return env


INSTANCES: dict[str, Callable[[], Any]] = {
    "gym.MinesweeperEnv": environment,
    "gym.MinesweeperVectorEnv": lambda: environment("Vector"),
    "gym.OddsWrapper": lambda: mp.gym.OddsWrapper(environment()),
    "gym.TextWrapper": text_environment,
    "gym.VectorOddsWrapper": lambda: mp.gym.VectorOddsWrapper(environment("Vector")),
    "agents.Recipe": lambda: mp.agents.get("exact"),
    "chance.Stream": lambda: USUAL["stream"],
    "Board": lambda: BOARD,
    "Deal": lambda: DEAL,
    "Game": lambda: mp.Game(BOARD),
    "Grid": lambda: mp.Grid(3, 3),
    "Influence": lambda: mp.Influence(VIEW, ()),
    "Knowledge": lambda: mp.Knowledge(VIEW),
    "Match": lambda: mp.Match(BOARD, "exact"),
    "Posterior": lambda: mp.posterior(VIEW),
    "Record": lambda: RECORD,
    "Rules": mp.Rules,
    "View": lambda: VIEW,
    "studies.Point": lambda: STUDY.points()[0],
    "studies.Study": lambda: STUDY,
}
"""The instance on which methods are called."""


def first_legal(_: Any, info: dict[str, Any]) -> int:
    return int(np.flatnonzero(info["action_mask"])[0])


def usual(name: str, argument: str) -> Any:
    """A valid value for an argument while another one is invalid."""
    made: dict[str, Callable[[], Any]] = {
        "env": lambda: environment("Vector" * ("Vector" in name)),
        "task": lambda: environment().task,
        "match": lambda: mp.Match(BOARD, "exact"),
        "odds": lambda: mp.posterior(VIEW),
        "policy": lambda: first_legal,
        "observation": lambda: np.full((3, 3), 9, np.uint8),
        "observations": lambda: np.full((2, 3, 3), 9, np.uint8),
        "actions": lambda: np.zeros(2, np.int64),
        "console": Console,
        "file": io.StringIO,
        "out": io.StringIO,
        "action": lambda: "open" if name.startswith("Game") else 0,
    }
    return made.get(argument, lambda: USUAL[argument])()


def found(name: str) -> Any:
    value: Any = mp
    for part in name.split("."):
        value = getattr(value, part)
    return value


def bound(name: str, method: str) -> Any:
    return getattr(INSTANCES[name](), method)


def calls() -> Iterator[tuple[str, Callable[[], Callable[..., Any]]]]:
    """Every public function and class, and the methods of classes, each created on demand."""
    for name in names():
        value = found(name)
        if isinstance(value, ModuleType) or not callable(value) or name in FOR_OTHERS_TO_WRITE:
            continue
        if isinstance(value, type) and issubclass(value, BaseException):
            continue
        if name not in MADE_BY_US:
            yield name, partial(found, name)
        for key, member in vars(value).items() if isinstance(value, type) else ():
            if key.startswith("_") or hasattr(member, "__deprecated__"):
                continue
            if isinstance(member, classmethod):
                yield f"{name}.{key}", partial(found, f"{name}.{key}")
            elif inspect.isfunction(member) and name in INSTANCES:
                yield f"{name}.{key}", partial(bound, name, key)


def arguments(call: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        given = inspect.signature(call).parameters.values()
    except (TypeError, ValueError):  # an alias of a type, such as Cell
        return []
    return [one for one in given if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]


CALLS = {
    name: call
    for name, call in calls()
    if arguments(call()) and name not in ASKED_OF_EVERY_CELL | SLOW.keys()
}


def odd_for(one: inspect.Parameter) -> Iterator[Any]:
    for odd in ODD:
        if isinstance(odd, np.ndarray) and "bool" in str(one.annotation):
            continue  # numpy itself refuses the truth value of an array
        if odd is int and one.name in {"policy", "agent"}:
            continue  # exceptions of the user's function are theirs
        yield odd


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_type_is_used_or_refused_in_one_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    call = CALLS[name]()
    taken = arguments(call)
    needed = [one.name for one in taken if one.default is one.empty or one.name in FEW]
    for one in taken:
        for odd in odd_for(one):
            given = {each: usual(name, each) for each in needed if each != one.name}
            try:
                answer = call(**given, **{one.name: odd})
                if isinstance(answer, Iterator):
                    next(answer, None)
            except mp.MineproofError as error:
                assert "\n" not in str(error), quote(odd)
                assert 0 < len(str(error)) < 800, quote(odd)
            except Exception as error:
                pytest.fail(f"{one.name}={quote(odd)}: {error!r:.300}")


def test_every_public_class_with_methods_is_covered() -> None:
    """Its methods are called here, or it is listed as having none with arguments to check."""
    plain = {"Generated", "PlayByPlay", "gym.Curriculum", *MADE_BY_US, *FOR_OTHERS_TO_WRITE}
    for name in names():
        value = found(name)
        if isinstance(value, type) and not issubclass(value, BaseException):
            own = (inspect.isfunction(it) for key, it in vars(value).items() if key[0] != "_")
            listed = name in INSTANCES or name in plain or name.startswith("clues.")
            assert listed or not any(own), name


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: mp.posterior("1x2/1 ??"), "got '1x2/1 ??': use View.from_text"),  # type: ignore[arg-type]
        (lambda: mp.posterior(BOARD), "view must be a View, got Board("),  # type: ignore[arg-type]
        (lambda: mp.posterior(VIEW, 5), "must be a clue model or a string like"),  # type: ignore[arg-type]
        (lambda: mp.play("exprt", "exact"), "did you mean 'expert'?"),  # type: ignore[arg-type]
        (lambda: mp.play(VIEW, "exact"), "intermediate, expert), got View("),  # type: ignore[arg-type]
        (lambda: mp.posteriors(VIEW), "views must be a list, got View("),  # type: ignore[arg-type]
        (lambda: mp.posteriors([BOARD]), "each of views must be a View, got Board("),  # type: ignore[list-item]
        (lambda: mp.Board((2, 2), b""), "the grid of a board must be a Grid, got (2, 2)"),  # type: ignore[arg-type]
        (lambda: mp.render.odds_svg(VIEW), "odds must be a posterior, as mp.posterior returns it"),  # type: ignore[arg-type]
        (lambda: mp.agents.get(3), "an agent's name must be a string, got 3"),  # type: ignore[arg-type]
    ],
)  # fmt: skip
def test_the_error_says_what_is_accepted_and_what_was_given(
    call: Callable[[], Any], words: str
) -> None:
    with pytest.raises(mp.WrongType) as caught:
        call()
    assert words in str(caught.value)
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, mp.InvalidInput)


NOT_BEGUN: list[Callable[[], Any]] = [
    lambda: mp.gym.MinesweeperEnv().step(0),
    lambda: mp.gym.MinesweeperEnv().view,
    lambda: mp.gym.MinesweeperEnv().board,
    lambda: mp.gym.MinesweeperEnv().game_seed,
    lambda: mp.gym.MinesweeperEnv().action_masks(),
    lambda: mp.gym.MinesweeperEnv(render_mode="ansi").render(),
    lambda: mp.gym.TextWrapper(mp.gym.MinesweeperEnv()).step("open 0,0"),
    lambda: mp.gym.TextWrapper(environment()).step("open 0,0"),
    lambda: mp.gym.expert_actions(mp.gym.MinesweeperEnv()),
    lambda: vector().step(np.zeros(2, np.int64)),
    lambda: vector().view(0),
    lambda: vector().game_seed(0),
    lambda: vector(render_mode="ansi").render(),
    lambda: mp.gym.expert_actions(vector()),
]


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("ask", NOT_BEGUN)
def test_an_environment_needs_a_reset_first(ask: Callable[[], Any]) -> None:
    with pytest.raises(mp.IllegalMove, match="no game has started: call reset") as caught:
        ask()
    assert isinstance(caught.value, gymnasium.error.ResetNeeded)
