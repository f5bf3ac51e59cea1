"""The jobs of solver processes: each takes JSON data and yields responses.

Solvers run as separate processes (`solver_process.py`); SIGINT ends a job.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any

from mineproof.agents.base import Agent
from mineproof.agents.builtin import RECIPES, get
from mineproof.agents.registry import Offered, is_own
from mineproof.boards.generation import generate
from mineproof.errors import InvalidInput, MineproofError, unknown_name
from mineproof.games.explained_match import ExplainedMatch
from mineproof.games.match import Match
from mineproof.games.record import Record
from mineproof.games.replays import parse
from mineproof.games.review import luck_of, review
from mineproof.games.turn_data import read_turn, turn_json
from mineproof.phrases import say
from mineproof.protocol import Session, method_of
from mineproof.reasoning.posterior import sample
from mineproof.series.agent_series import AgentSeries, play_range
from mineproof.series.game_table import GameTable
from mineproof.series.standings import summarise
from mineproof.web import limits
from mineproof.web.ground import Ground, check_size
from mineproof.web.request_errors import RequestRefused, is_error
from mineproof.world.board import Deal, Opening
from mineproof.world.chance import fresh_seed
from mineproof.world.clues import Exact
from mineproof.world.conditions import Conditions, name_board
from mineproof.world.move import Action, Move
from mineproof.world.turn import Turn
from mineproof.world.view import COVERED, EXPLODED, FLAGGED, View

Answers = Iterator[dict[str, Any]]
_BREATH = 0.4
"""About how many seconds pass between two responses of an arena."""
_sessions: OrderedDict[str, tuple[Session, int]] = OrderedDict()


def solve(
    message: dict[str, Any],
    agents: Sequence[str],
    key: str = "",
    earlier: Sequence[str] = (),
) -> Answers:
    """Run a method of a solver; `earlier` are the earlier messages of the conversation `key`."""
    session, heard = _sessions.pop(key, (None, 0)) if key else (None, 0)
    if session is None or heard > len(earlier):
        session, heard = _new_session(agents), 0
    for text in earlier[heard:]:
        session.answer(json.loads(text))
    answer = session.answer(message)
    if key:
        heard = len(earlier)
        if is_remembered(message) and not is_error(answer):
            heard += 1
        _sessions[key] = session, heard
        _forget_the_oldest()
    if is_error(answer):
        raise RequestRefused.from_json(answer["error"])
    yield answer


def _new_session(agents: Sequence[str]) -> Session:
    return Session(
        offered(agents),
        agent=agents[0],
        most_cells=limits.CELLS,
        most_generated=limits.GENERATED,
        most_dealt=limits.DEALT,
    )


def _forget_the_oldest() -> None:
    """Drop the oldest sessions when they take too much memory: each answer keeps a position."""
    while len(_sessions) > limits.SESSIONS or (
        len(_sessions) > 1
        and sum(heard * session.cells for session, heard in _sessions.values())
        > limits.SESSION_CELLS
    ):
        _sessions.popitem(last=False)


def is_remembered(message: dict[str, Any]) -> bool:
    """Whether a message changes the position of later ones."""
    return method_of(message) in {"new", "position", "show", "undo"}


def watch(
    ground: str,
    turns: list[Any],
    agent: str,
    agents: Sequence[str],
    steps: int | None = None,
    thoughts: bool = False,
) -> Answers:
    """Yield the turns of an agent that plays on, and the equations behind them on request."""
    on = Ground.from_text(ground)
    match = Match(
        on.board,
        find_agent(agent, agents),
        rules=on.rules,
        clues=on.clues,
        start=on.start,
        seed=on.seed,
        seconds=limits.OWN_MOVE,
    )
    match.follow(read_turn(one, on.grid) for one in turns)
    if thoughts:
        for turn, thought in islice(ExplainedMatch(match), steps):
            yield {"turn": _named(turn, agent), "thought": thought.to_json()}
        return
    for turn in islice(match, steps):
        yield {"turn": _named(turn, agent)}


def _named(turn: Turn, agent: str) -> dict[str, Any]:
    """Return a turn as data, with the agent's name in this request."""
    return turn_json(turn._replace(by=agent))


def judge(record: dict[str, Any], win: bool = True) -> Answers:
    """Yield the review of a finished game, move by move, then its summary."""
    game = Record.from_json(record)
    judged = []
    for one in review(game, win=win):
        judged.append(one)
        yield {"move": one.to_json()}
    yield {"luck": luck_of(judged).to_json(), "won": game.won, "score": game.score}


def read(text: str) -> Answers:
    """Yield the games of a text, each as a ground and turns."""
    for number, game in enumerate(parse(text, "this text"), start=1):
        if number > limits.READ:
            raise InvalidInput(say("refusal.imported", most=limits.READ))
        yield _played(game)


def _played(game: Record) -> dict[str, Any]:
    """Return a record as a ground and turns."""
    check_size(game.board.grid)
    if game.fault:
        raise InvalidInput(say("refusal.forfeited"))
    ground = Ground(game.board, game.rules, game.clues, game.seed, game.start)
    ending = game.won, game.score, game.seconds, game.board.figures.bbbv
    turns = [_named(turn, game.agent) for turn in game.turns]
    return {"ground": ground.to_text(), "turns": turns, "ending": ending, "agent": game.agent}


def hunt(deal: dict[str, Any], start: Any, opening: Opening, seed: int, **wanted: Any) -> Answers:
    """Yield a no-guess board."""
    kind = Deal(**deal)
    cell = (kind.rows // 2, kind.cols // 2) if start is None else tuple(start)
    boards = generate(
        kind,
        seed=seed,
        start=cell,
        opening=opening,
        workers=1,
        **wanted,
    )
    for board in boards:
        yield {"board": board.to_text(), "start": cell}


def fit(view: str) -> Answers:
    """Yield a random board consistent with a position, and the turns that lead to it."""
    seen = View.from_text(view)
    if seen.mines is None:
        raise InvalidInput(say("refusal.position-count"))
    board = sample(seen, 1, Exact(), seed=fresh_seed())[0]
    turns = []
    for index, state in enumerate(seen.states):
        if state == FLAGGED or state not in COVERED:
            action: Action = "flag" if state == FLAGGED else "open"
            move = Move(seen.grid.cell(index), action, None, False, "")
            turns.append(turn_json(Turn(move, "position")))
    if EXPLODED in seen.states:
        raise InvalidInput(say("refusal.position-exploded"))
    yield {"board": board.to_text(), "turns": turns}


def compare(players: list[str], ground: str, games: int, agents: Sequence[str]) -> Answers:
    """Yield the standings of agents on the same boards, a few times per second."""
    on = Ground.from_text(ground)
    if not isinstance(on.board, Deal):
        raise InvalidInput(say("refusal.arena-deal"))
    found = [find_agent(player, agents) for player in players]
    names = tuple(one.name for one in found)
    if len(set(names)) < len(names):
        raise InvalidInput(say("refusal.arena-twice"))
    rules, clues, limit = on.rules, on.clues, limits.OWN_MOVE
    series = [
        AgentSeries(one, on.board, rules, clues, on.start, on.seed, seconds=limit) for one in found
    ]
    conditions = Conditions(name_board(on.board), rules, clues, on.start)
    so_far: list[GameTable] = []
    done, size = 0, 1
    while done < games:
        numbers = range(done, min(done + size, games))
        begun = monotonic()
        so_far.append(GameTable.by_board([play_range(one, numbers) for one in series]))
        so_far = [GameTable.joined(names, so_far)]
        done = numbers.stop
        # If that was quick, play twice the number: a response costs more than a small game.
        size = max(1, size * 2 if monotonic() - begun < _BREATH / 2 else size)
        size = max(1, size // 2) if monotonic() - begun > _BREATH else size
        standings = summarise(so_far[0], conditions).to_json()
        yield {"games": done, "of": games, "conditions": str(conditions), **standings}


def report(folder: str) -> Answers:
    """Write the report of a study's folder."""
    from mineproof.studies.report import report as write

    yield {"page": str(write(Path(folder)))}


def offered(agents: Iterable[str]) -> Offered:
    """Return the user's own agents among those that the server was started with."""
    return Offered(text for text in agents if is_own(text))


def check_agent(text: str, agents: Iterable[str]) -> None:
    """Raise an error for an agent that is neither built in nor offered by the server's owner."""
    own = offered(agents)
    if text in own:
        return
    if is_own(text):
        raise unknown_name("agent", text, (*own, *RECIPES))
    get(text).check()


def find_agent(text: str, agents: Iterable[str]) -> Agent:
    """Return an agent by name; no request loads code except the agents that the owner offers."""
    check_agent(text, agents)
    own = offered(agents)
    return own[text] if text in own else get(text)


JOBS: dict[str, Callable[..., Answers]] = {
    "solve": solve,
    "watch": watch,
    "judge": judge,
    "read": read,
    "hunt": hunt,
    "fit": fit,
    "compare": compare,
    "report": report,
}


_BY_AGENTS = frozenset({"solve", "watch", "compare"})


def carry_out(job: dict[str, Any], agents: Sequence[str]) -> Answers:
    """Yield the responses to a job; `agents` are those that the server was started with.

    The first of them is the default agent.
    """
    given = dict(job)
    if job.get("job") in _BY_AGENTS:
        given["agents"] = agents
    name = given.pop("job", None)
    if name not in JOBS:
        raise MineproofError(f"unknown job {name!r}")
    return JOBS[name](**given)
