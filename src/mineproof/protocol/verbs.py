"""What can be asked: verb by verb, its fields and its answer."""

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
from mineproof.protocol import fields as read
from mineproof.protocol.conversation import Conversation
from mineproof.protocol.fields import Field
from mineproof.protocol.heads import check_id
from mineproof.protocol.telling import (
    advice_json,
    explained_json,
    generated_json,
    influence_json,
    move_json,
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

_AGENT = {"agent": Field(read.text, "who plays, as on the command line")}
_CLUES = {"clues": Field(read.clues, "the clue model; exact without")}
_RULES = {"rules": Field(read.rules, "the rules that differ from the usual ones")}
_SEED = {"seed": Field(read.seed, "names the order of guesses that agents share")}
_VIEW = {
    "view": Field(read.view, "the position, as `analyse` reads it"),
    **_CLUES,
    "density": Field(read.chance, "without a count: the chance of a mine in a cell"),
    **_RULES,
}
PROTOCOL = 1
"""The version of the messages; one that an older client cannot read would be 2."""
_MOST_BOARDS = 1000
_MOST_BUDGET = 10**9


class Verb(NamedTuple):
    """What can be asked: the fields of the request, the function that answers, and what for."""

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
    """A game that somebody else referees; the first cell is safe unless the rules differ."""
    deal, rules = session.bounded(deal), dict(rules or {})
    known = rules.setdefault("count_known", not deal.independent)
    if known and deal.independent:
        raise InvalidInput("cells mined independently have no count to tell: count_known is false")
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
            raise InvalidInput("'position' needs a view, or events since the last one")
        session.set(session.read(given))
    elif given:
        raise InvalidInput(f"events go with nothing else, got {next(iter(given))!r}")
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
        return move_json(session.player.decide())
    agent = session.agent(position.agent)
    if step:
        view, rules, clues, _, seed = position
        player = sit_down(agent, view, rules=rules, clues=clues, seed=seed)
        return move_json(player.decide())
    view, rules, clues, _, seed = position
    found = analysis.opinion(agent, view, clues, rules=rules, seed=seed)
    return {**move_json(found.move), "flags": found.flags, **advice_json(found.advice)}


def _named(session: Conversation) -> dict[str, Any]:
    """The cell that a dialogue names next."""
    advice = session.dialogue.advise()
    if isinstance(advice, Over):
        raise IllegalMove(f"the game is over ({advice.outcome}): {advice.reason}")
    return {**move_json(advice), "flags": [], **advice_json(None)}


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
        raise InvalidInput("give 'cell' or 'all', not both")
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
    """What is known after an answer: every safe cell at once, and whether the game is over."""
    dialogue = session.dialogue
    end = dialogue.end()
    return {
        "view": dialogue.shown.to_text(),
        "safe": dialogue.odds.safe,
        "mined": dialogue.odds.mined,
        "over": None if end is None else over_json(end),
    }


def _stop(_: Conversation, of: Any = None) -> dict[str, Any]:  # noqa: ARG001
    """Nothing runs when this is reached: what runs is stopped by who carries the messages."""
    return {"stopped": False}


def _quit(_: Conversation) -> dict[str, Any]:
    return {}


def _record(value: Any, name: str) -> Record:
    return Record.from_json(read.keyed(value, name))


_BEST = read.number(1, 1_000_000)
VERBS: dict[str, Verb] = {
    "hello": Verb(_hello, {}, "who answers, and what it knows"),
    "new": Verb(
        _new,
        {"deal": Field(read.deal, "the board's kind", True), **_RULES, **_CLUES, **_AGENT, **_SEED},
        "a game that somebody else referees begins",
    ),
    "position": Verb(
        _position,
        {**_VIEW, **_AGENT, **_SEED, "events": Field(read.events, "what changed since")},
        "look at this position from now on",
    ),
    "go": Verb(
        _go,
        {
            **_VIEW,
            **_AGENT,
            **_SEED,
            "budget": Field(read.one_of(("fast", "default", "max")), "what the champion may cost"),
            "step": Field(read.truth, "the very next move, be it a flag"),
        },
        "an agent's move",
    ),
    "odds": Verb(
        _odds,
        {
            **_VIEW,
            **_AGENT,
            "best": Field(_BEST, "how many moves to name"),
            "zeros": Field(read.truth, "the chance that a cell shows 0, too"),
            "win": Field(read.truth, "the chance to win, too"),
        },
        "the chance of a mine in every hidden cell",
    ),
    "explain": Verb(
        _explain,
        {
            **_VIEW,
            "cell": Field(read.cell, "why this cell is certain, or that it is open"),
            "all": Field(read.truth, "a proof for every certain cell"),
            "budget": Field(read.number(1, _MOST_BUDGET), "questions that one search may ask"),
        },
        "whether anything is certain, and why",
    ),
    "reasoners": Verb(_reasoners, _VIEW, "what each reasoner settles"),
    "influence": Verb(
        _influence,
        {
            "record": Field(_record, "a finished game", True),
            "cell": Field(read.cell, "one cell, step by step"),
            "smallest": Field(read.truth, "by the fewest clues that prove each cell"),
        },
        "which cell of a game came to be known by which others",
    ),
    "generate": Verb(
        _generate,
        {
            "deal": Field(read.deal, "the boards' kind", True),
            "count": Field(read.number(1, _MOST_BOARDS), "how many boards"),
            **_SEED,
            "start": Field(read.cell, "where play will begin"),
            "opening": Field(read.one_of(OPENINGS), "what holds there"),
            "no_guess": Field(read.truth, "boards that need no guess"),
            "reasoning": Field(read.reasoning, "by this reasoning"),
            "needs": Field(read.reasoning, "boards that need exactly this reasoning"),
            "chain": Field(read.number(1, 10**6), "with a chain of influence of so many cells"),
            "tries": Field(read.number(1, 100 * TRIES), "deals for a board"),
            "repair": Field(read.truth, "whether mines may be moved in the end"),
        },
        "random boards",
    ),
    "grade": Verb(
        _grade,
        {
            "board": Field(read.board, "the board", True),
            "start": Field(read.cell, "where play begins"),
            "opening": Field(read.one_of(OPENINGS), "what the first cell is promised"),
        },
        "what it takes to play a board",
    ),
    "tell": Verb(
        _tell, {"shows": Field(read.shows, "what cells show", True)}, "answers from another screen"
    ),
    "undo": Verb(_undo, {}, "take the last answer back"),
    "stop": Verb(_stop, {"of": Field(check_id, "the id of a request")}, "stop that"),
    "quit": Verb(_quit, {}, "the end of the conversation"),
}
"""Every verb of a solver; those of games and arenas are the server's."""
