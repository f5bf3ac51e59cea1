"""The methods of a solver: the fields of each request and the function that answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from mineproof import __version__, _engine, agents
from mineproof.boards.generation import TRIES, generate
from mineproof.boards.grading import grade
from mineproof.errors import IllegalMove, InvalidInput
from mineproof.games import analysis
from mineproof.games.dialogue import Answer, Over
from mineproof.games.guarding import sit_down
from mineproof.games.record import Record
from mineproof.messages.values import check_id
from mineproof.phrases import say
from mineproof.protocol import fields as read
from mineproof.protocol.conversation import Conversation
from mineproof.protocol.fields import Field
from mineproof.protocol.telling import (
    advice_json,
    explained_json,
    generated_json,
    influence_json,
    over_json,
    rung_json,
    zeros_json,
)
from mineproof.reasoning.ladder import compare
from mineproof.reasoning.posterior import posterior
from mineproof.reasoning.proofs import PROOF_BUDGET, explain, proofs
from mineproof.world.board import LEVELS, OPENINGS, Board, Deal, Opening
from mineproof.world.chance import fresh_seed, seed_to_json
from mineproof.world.clues import MODELS
from mineproof.world.geometry import Cell
from mineproof.world.view import Event, View

_AGENT = {"agent": Field(read.text, "the agent, as on the command line")}
_CLUES = {"clues": Field(read.clues, "the clue model (default: exact)")}
_RULES = {"rules": Field(read.rules, "the rules that differ from the defaults")}
_SEED = {"seed": Field(read.seed, "the random seed of guesses")}
_VIEW = {
    "view": Field(read.view, "the position, in any form that `analyse` reads"),
    **_CLUES,
    "density": Field(read.chance, "the mine density, if the mine count is unknown"),
    **_RULES,
}
PROTOCOL = 1
"""The version of the protocol; it increases with the first incompatible change."""
_MOST_BOARDS = 1000
_MOST_BUDGET = 10**9


class Verb(NamedTuple):
    """A method: the function that answers it, the fields of its requests, and its purpose."""

    answer: Callable[..., dict[str, Any]]
    fields: Mapping[str, Field]
    about: str


def _hello(session: Conversation) -> dict[str, Any]:
    return {
        "protocol": PROTOCOL,
        "name": "mineproof",
        "version": __version__,
        "engine": _engine.name(),
        "verbs": [*VERBS, *(verb for verb in session.transport if verb not in VERBS)],
        "fields": {verb: [*each.fields] for verb, each in VERBS.items()} | session.transport,
        "agents": [*session.named, *agents.RECIPES],
        "clues": [*MODELS],
        "levels": {name: level._asdict() for name, level in LEVELS.items()},
    }


def _new(
    session: Conversation, deal: Deal, rules: dict[str, Any] | None = None, **given: Any
) -> Any:
    """Start a game that the client referees; by default the first cell is safe."""
    deal, rules = session.bounded(deal), dict(rules or {})
    known = rules.setdefault("count_known", not deal.independent)
    if known and deal.independent:
        raise InvalidInput(
            "with independent mines, the mine count is unknown: leave out count_known or set it to "
            "false"
        )
    if deal.independent:
        rules.setdefault("density", deal.density)
    view = View.hidden(deal.rows, deal.cols, deal.mine_count if known else None)
    position = session.read({"view": view, "rules": rules} | given, "safe")
    deal.check(position.rules.opening)
    session.set(position)
    return {"view": view.to_text()}


def _position(session: Conversation, events: list[Event] | None = None, **given: Any) -> Any:
    if events is None:
        if "view" not in given:
            raise InvalidInput("'position' needs 'view', or 'events' since the last position")
        session.set(session.read(given))
    elif given:
        raise InvalidInput(f"'events' cannot be combined with {next(iter(given))!r}")
    else:
        session.observe(events)
    return {"view": session.position.view.to_text()}


def _go(session: Conversation, budget: str | None = None, step: bool = False, **given: Any) -> Any:
    position = session.asked(given)
    own = "view" in given or "agent" in given or budget is not None
    if budget is not None:
        mark = "," if ":" in position.agent else ":"
        position = position._replace(agent=f"{position.agent}{mark}budget={budget}")
    if session.is_told and not own:
        return _named(session)
    if step and not own:
        return session.player.decide().to_json()
    agent = session.agent(position.agent)
    if step:
        view, rules, clues, _, seed = position
        player = sit_down(agent, view, rules=rules, clues=clues, seed=seed)
        return player.decide().to_json()
    view, rules, clues, _, seed = position
    found = analysis.opinion(agent, view, clues, rules=rules, seed=seed)
    return {**found.move.to_json(), "flags": found.flags, **advice_json(found.advice)}


def _named(session: Conversation) -> dict[str, Any]:
    """Return the cell that the assistant names next."""
    advice = session.dialogue.advise()
    if isinstance(advice, Over):
        raise IllegalMove(f"the game is over ({advice.outcome}): {advice.reason}")
    return {**advice.to_json(), "flags": [], **advice_json(None)}


def _odds(
    session: Conversation, best: int = 5, zeros: bool = False, win: bool = False, **given: Any
) -> Any:
    position = session.asked(given)
    view, clues, density = position.view, position.clues, position.density
    odds = posterior(view, clues, density=density)
    told = analysis.odds_json(odds, analysis.best_moves(odds, best))
    told["win"] = None
    if win:
        agent = session.agent(position.agent)
        found = analysis.opinion(agent, view, clues, density)
        chance = found.chance or analysis.win_chance(view, clues, agent, odds=odds)
        told["win"] = None if chance is None else chance.to_json()
    if zeros:
        told["zeros"] = zeros_json(odds, clues, density)
    return told


def _explain(
    session: Conversation,
    cell: Cell | None = None,
    all: bool = False,  # noqa: A002
    budget: int = PROOF_BUDGET,
    **given: Any,
) -> Any:
    if cell is not None and all:
        raise InvalidInput(say("refusal.cell-or-all"))
    position = session.asked(given)
    view, clues, density = position.view, position.clues, position.density
    if cell is not None:
        return explain(view, cell, clues, density=density, budget=budget).to_json()
    return explained_json(view, proofs(view, clues, density=density, budget=budget), every=all)


def _reasoners(session: Conversation, **given: Any) -> Any:
    position = session.asked(given)
    rungs = compare(position.view, position.clues, density=position.density)
    return {"reasoners": [rung_json(rung) for rung in rungs]}


def _influence(
    session: Conversation, record: Record, cell: Cell | None = None, smallest: bool = False
) -> Any:
    session.bounded(record.board)
    return influence_json(record.smallest_influence if smallest else record.influence, cell)


def _generate(
    session: Conversation,
    deal: Deal,
    seed: int | None = None,
    start: Cell = (0, 0),
    opening: Opening = "safe",
    **given: Any,
) -> Any:
    session.bounded(deal)
    searched = any(given.get(name) for name in ("no_guess", "reasoning", "needs", "chain"))
    tries = given.get("tries", TRIES) if searched else 1
    session.check_search(deal.grid.size, given.get("count", 1), tries)
    series = fresh_seed() if seed is None else seed
    boards = generate(
        deal,
        seed=series,
        start=start,
        opening=opening,
        workers=1,
        **given,
    )
    return {"seed": seed_to_json(series), "boards": [generated_json(board) for board in boards]}


def _grade(
    session: Conversation, board: Board, start: Cell = (0, 0), opening: Opening = "safe"
) -> dict[str, Any]:
    return grade(session.bounded(board), start, opening=opening).to_json()


def _tell(session: Conversation, shows: list[Answer]) -> dict[str, Any]:
    session.dialogue.answer(shows)
    return _standing(session)


def _undo(session: Conversation) -> dict[str, Any]:
    session.dialogue.undo()
    return _standing(session)


def _standing(session: Conversation) -> dict[str, Any]:
    """Return what is known after an answer: all certain cells, and whether the game is over."""
    dialogue = session.dialogue
    end = dialogue.end()
    return {
        "view": dialogue.shown.to_text(),
        "safe": dialogue.odds.safe,
        "mined": dialogue.odds.mined,
        "over": None if end is None else over_json(end),
    }


def _stop(_: Conversation, of: Any = None) -> dict[str, Any]:  # noqa: ARG001
    """Report that nothing was running; the transport stops running requests itself."""
    return {"stopped": False}


def _quit(_: Conversation) -> dict[str, Any]:
    return {}


def _record(value: Any, name: str) -> Record:
    return Record.from_json(read.keyed(value, name))


_BEST = read.number(1, 1_000_000)
VERBS: dict[str, Verb] = {
    "hello": Verb(_hello, {}, "the version, methods, fields, agents, clue models and levels"),
    "new": Verb(
        _new,
        {
            "deal": Field(read.deal, "the size of the board and its mines", True),
            **_RULES,
            **_CLUES,
            **_AGENT,
            **_SEED,
        },
        "start a game that the client referees",
    ),
    "position": Verb(
        _position,
        {
            **_VIEW,
            **_AGENT,
            **_SEED,
            "events": Field(read.events, "what changed since the last position"),
        },
        "set the position for the following requests",
    ),
    "go": Verb(
        _go,
        {
            **_VIEW,
            **_AGENT,
            **_SEED,
            "budget": Field(
                read.one_of(("fast", "default", "max")), "the champion's budget per move"
            ),
            "step": Field(read.truth, "return the agent's next move, even if it is a flag"),
        },
        "the move of an agent",
    ),
    "odds": Verb(
        _odds,
        {
            **_VIEW,
            **_AGENT,
            "best": Field(_BEST, "how many best moves to return"),
            "zeros": Field(read.truth, "also return the probability that each cell shows 0"),
            "win": Field(read.truth, "also return the win probability"),
        },
        "mine probabilities, certain cells and best moves",
    ),
    "explain": Verb(
        _explain,
        {
            **_VIEW,
            "cell": Field(read.cell, "explain this cell: a proof, or that it is undecided"),
            "all": Field(read.truth, "return a proof of every certain cell"),
            "budget": Field(
                read.number(1, _MOST_BUDGET), "the maximum number of consistency checks per proof"
            ),
        },
        "whether any cell is certain, with proofs",
    ),
    "reasoners": Verb(_reasoners, _VIEW, "what each reasoner deduces"),
    "influence": Verb(
        _influence,
        {
            "record": Field(_record, "a finished game", True),
            "cell": Field(read.cell, "explain this cell, step by step"),
            "smallest": Field(read.truth, "use the smallest proof of each cell"),
        },
        "the chain of influence of a finished game",
    ),
    "generate": Verb(
        _generate,
        {
            "deal": Field(read.deal, "the size of the boards and their mines", True),
            "count": Field(read.number(1, _MOST_BOARDS), "how many boards"),
            **_SEED,
            "start": Field(read.cell, "the first cell"),
            "opening": Field(read.one_of(OPENINGS), "what is guaranteed about the first cell"),
            "no_guess": Field(read.truth, "only boards that can be solved without guessing"),
            "reasoning": Field(
                read.reasoning, "only boards that this reasoning solves without guessing"
            ),
            "needs": Field(read.reasoning, "only boards that need exactly this reasoning"),
            "chain": Field(
                read.number(1, 10**6),
                "only boards with a chain of influence of at least this many cells",
            ),
            "tries": Field(read.number(1, 100 * TRIES), "the maximum number of deals per board"),
            "repair": Field(
                read.truth, "whether to repair a board by moving mines if all deals fail"
            ),
        },
        "random boards",
    ),
    "grade": Verb(
        _grade,
        {
            "board": Field(read.board, "the board", True),
            "start": Field(read.cell, "the first cell"),
            "opening": Field(read.one_of(OPENINGS), "what is guaranteed about the first cell"),
        },
        "how difficult a board is",
    ),
    "tell": Verb(
        _tell,
        {"shows": Field(read.shows, "what cells show", True)},
        "enter what cells show in another program",
    ),
    "undo": Verb(_undo, {}, "take back the last `tell`"),
    "stop": Verb(_stop, {"of": Field(check_id, "the id of the request")}, "stop a request"),
    "quit": Verb(_quit, {}, "end the session"),
}
"""All methods of a solver; the server adds those of games and arenas."""
