"""The methods of a solver: the function that answers the requests of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mineproof import __version__, _engine, agents
from mineproof.boards.generation import TRIES, generate
from mineproof.boards.grading import grade
from mineproof.errors import IllegalMove, InvalidInput
from mineproof.games import analysis, record_file
from mineproof.games.assistant import Answer, GameEnd
from mineproof.games.guarded_player import start_player
from mineproof.games.record import Record
from mineproof.messages import requests
from mineproof.phrases import say
from mineproof.protocol.heads import PROTOCOL
from mineproof.protocol.serializers import (
    advice_json,
    explained_json,
    generated_json,
    influence_json,
    over_json,
    reasoner_result_json,
    zeros_json,
)
from mineproof.protocol.session_state import SessionState
from mineproof.reasoning.posterior import posterior
from mineproof.reasoning.proofs import PROOF_BUDGET, explain, proofs
from mineproof.reasoning.reasoner_comparison import compare
from mineproof.world.board import LEVELS, Board
from mineproof.world.chance import fresh_seed, seed_from_json, seed_to_json
from mineproof.world.clues import MODELS
from mineproof.world.view import EXPLODED, NO_CLUE, View


def _hello(session: SessionState, _: requests.HelloRequest) -> dict[str, Any]:
    return {
        "protocol": PROTOCOL,
        "name": "mineproof",
        "version": __version__,
        "engine": _engine.name(),
        "methods": [*session.methods],
        "fields": {name: [*kind.__struct_fields__] for name, kind in session.methods.items()},
        "agents": [*session.named, *agents.RECIPES],
        "clues": [*MODELS],
        "levels": {name: level._asdict() for name, level in LEVELS.items()},
    }


def _new(session: SessionState, request: requests.StartGameRequest) -> dict[str, Any]:
    """Start a game that the client referees; by default the first cell is safe."""
    deal = session.bounded(request.deal.deal())
    rules = {} if request.rules is None else request.rules.given()
    known = rules.setdefault("count_known", not deal.independent)
    if known and deal.independent:
        raise InvalidInput(say("refusal.independent-count"))
    if deal.independent:
        rules.setdefault("density", deal.density)
    view = View.hidden(deal.rows, deal.cols, deal.mine_count if known else None)
    rules.setdefault("opening", "safe")
    position = session.build(view, rules, request.clues, request.agent, request.seed)
    deal.check(position.rules.opening)
    session.set(position)
    return {"view": view.to_text()}


def _position(session: SessionState, request: requests.SetPositionRequest) -> dict[str, Any]:
    if request.events is not None:
        others = request.given().keys() - {"events"}
        if others:
            raise InvalidInput(say("refusal.events-alone", name=repr(min(others))))
        session.observe([change.event() for change in request.events])
    elif request.view is None:
        raise InvalidInput(say("refusal.position-or-events"))
    else:
        session.set(session.asked(request, request.agent, request.seed))
    return {"view": session.position.view.to_text()}


def _go(session: SessionState, request: requests.GoRequest) -> dict[str, Any]:
    position = session.asked(request, request.agent, request.seed)
    own = any(one is not None for one in (request.view, request.agent, request.budget))
    if request.budget is not None:
        mark = "," if ":" in position.agent else ":"
        position = position._replace(agent=f"{position.agent}{mark}budget={request.budget}")
    if session.is_assisting and not own:
        return _named(session)
    if request.step and not own:
        return session.player.decide().to_json()
    agent = session.agent(position.agent)
    view, rules, clues, _, seed = position
    if request.step:
        player = start_player(agent, view, rules=rules, clues=clues, seed=seed)
        return player.decide().to_json()
    found = analysis.opinion(agent, view, clues, rules=rules, seed=seed)
    return {**found.move.to_json(), "flags": found.flags, **advice_json(found.advice)}


def _named(session: SessionState) -> dict[str, Any]:
    """Return the cell that the assistant names next."""
    advice = session.assistant.advise()
    if isinstance(advice, GameEnd):
        raise IllegalMove(say("refusal.over-because", outcome=advice.outcome, reason=advice.reason))
    return {**advice.to_json(), "flags": [], **advice_json(None)}


def _odds(session: SessionState, request: requests.OddsRequest) -> dict[str, Any]:
    position = session.asked(request, request.agent)
    view, clues, density = position.view, position.clues, position.density
    odds = posterior(view, clues, density=density)
    response = analysis.odds_json(odds, analysis.best_moves(odds, request.best or 5))
    response["win"] = None
    if request.win:
        agent = session.agent(position.agent)
        found = analysis.opinion(agent, view, clues, density)
        chance = found.chance or analysis.win_chance(view, clues, agent, odds=odds)
        response["win"] = None if chance is None else chance.to_json()
    if request.zeros:
        response["zeros"] = zeros_json(odds, clues, density)
    return response


def _explain(session: SessionState, request: requests.ExplainRequest) -> dict[str, Any]:
    if request.cell is not None and request.all:
        raise InvalidInput(say("refusal.cell-or-all"))
    position, budget = session.asked(request), request.budget or PROOF_BUDGET
    view, clues, density = position.view, position.clues, position.density
    if request.cell is not None:
        return explain(view, request.cell, clues, density=density, budget=budget).to_json()
    found = proofs(view, clues, density=density, budget=budget)
    return explained_json(view, found, every=bool(request.all))


def _reasoners(session: SessionState, request: requests.ReasonersRequest) -> dict[str, Any]:
    position = session.asked(request)
    results = compare(position.view, position.clues, density=position.density)
    return {"reasoners": [reasoner_result_json(result) for result in results]}


def _influence(session: SessionState, request: requests.InfluenceRequest) -> dict[str, Any]:
    record = Record(**record_file.read(request.record))
    session.bounded(record.board)
    influence = record.smallest_influence if request.smallest else record.influence
    return influence_json(influence, request.cell)


def _generate(session: SessionState, request: requests.GenerateRequest) -> dict[str, Any]:
    deal, given = session.bounded(request.deal.deal()), request.given()
    searched = any(given.get(name) for name in ("no_guess", "reasoning", "needs", "chain"))
    tries = given.get("tries", TRIES) if searched else 1
    session.check_search(deal.grid.size, given.get("count", 1), tries)
    series = fresh_seed() if request.seed is None else seed_from_json(request.seed)
    usual = {"start": (0, 0), "opening": "safe"}
    wanted = usual | {name: given[name] for name in given.keys() - {"deal", "seed"}}
    boards = generate(deal, seed=series, workers=1, **wanted)
    return {"seed": seed_to_json(series), "boards": [generated_json(board) for board in boards]}


def _grade(session: SessionState, request: requests.GradeRequest) -> dict[str, Any]:
    board = session.bounded(Board.from_text(request.board))
    return grade(board, request.start or (0, 0), opening=request.opening or "safe").to_json()


def _show(session: SessionState, request: requests.ShowRequest) -> dict[str, Any]:
    session.assistant.answer([Answer(cell, _state(shown)) for cell, shown in request.shows])
    return _standing(session)


def _state(shown: int | str | None) -> int:
    """Return the state of a cell: its clue, "mine", or None if it is open without a clue."""
    if isinstance(shown, int):
        return shown
    return NO_CLUE if shown is None else EXPLODED


def _undo(session: SessionState, _: requests.UndoRequest) -> dict[str, Any]:
    session.assistant.undo()
    return _standing(session)


def _standing(session: SessionState) -> dict[str, Any]:
    """Return what is known after an answer: all certain cells, and whether the game is over."""
    assistant = session.assistant
    end = assistant.end()
    return {
        "view": assistant.shown.to_text(),
        "safe": assistant.odds.safe,
        "mined": assistant.odds.mined,
        "over": None if end is None else over_json(end),
    }


def _stop(_: SessionState, __: requests.StopRequest) -> dict[str, Any]:
    """Report that nothing was running; the transport stops running requests itself."""
    return {"stopped": False}


def _quit(_: SessionState, __: requests.QuitRequest) -> dict[str, Any]:
    return {}


Method = Callable[[SessionState, Any], dict[str, Any]]
METHODS: dict[str, Method] = {
    "hello": _hello,
    "new": _new,
    "position": _position,
    "go": _go,
    "odds": _odds,
    "explain": _explain,
    "reasoners": _reasoners,
    "influence": _influence,
    "generate": _generate,
    "grade": _grade,
    "show": _show,
    "undo": _undo,
    "stop": _stop,
    "quit": _quit,
}
"""The methods of a solver; the types of their requests are in `messages.requests.SOLVER`."""
