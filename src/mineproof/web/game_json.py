"""Serialises a game for its player; mines are never included before the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mineproof.web.open_game import Open
from mineproof.world.board import Deal
from mineproof.world.chance import seed_to_json
from mineproof.world.view import EXPLODED, FLAGGED, Event, View


def state(
    game: Open, *, since: int | None = None, at: int | None = None, moves: bool = False
) -> dict[str, Any]:
    """Return the visible state of a game, or only what changed since a number of moves."""
    referee = game.referee
    view = referee.view if at is None else game.manual.view_at(at)
    if since is None:
        events = changes(view.events)
    else:
        events = changes(event for turn in game.turns[since:] for event in turn.events)
    mines = view.mines
    data: dict[str, Any] = {
        "game": game.row.id,
        "n": len(game.turns),
        "rows": view.rows,
        "cols": view.cols,
        "mines": mines,
        "level": game.row.level,
        "rules": referee.rules.to_json(),
        "clues": str(referee.clues),
        "start": referee.start,
        "kind": game.row.kind,
        "agent": game.row.agent or None,
        "events": events,
        "over": referee.over,
        "won": referee.won if referee.over else None,
        "score": referee.score,
        "hit": referee.exploded,
        "mines_left": None if mines is None else mines - _marked(view),
        "seconds": round(game.seconds, 3),
        "link": f"/?again={game.row.share}",
    }
    if at is not None:
        data["at"] = min(at, len(game.turns))
    if moves:
        data["moves"] = [move(game, number) for number in range(len(game.turns))]
    if referee.over or game.row.kind == "teacher":
        data |= truth(game)
    return data


def news(game: Open, since: int) -> dict[str, Any]:
    """Return the state of a game with the changes since a number of moves."""
    return state(game, since=since)


def truth(game: Open) -> dict[str, Any]:
    """Return the board and its seed, for finished games and spectators."""
    board, ground = game.referee.dealt, game.ground
    if board is None:
        return {}
    data: dict[str, Any] = {"board": board.to_text(), "bbbv": board.figures.bbbv}
    if isinstance(ground.board, Deal):
        data["seed"] = seed_to_json(ground.seed)
    return data


def move(game: Open, number: int) -> dict[str, Any]:
    """Return a move with its reason and its changes."""
    first, turn = game.turns[0], game.turns[number]
    return {
        "n": number,
        **turn.asked.to_json(),
        "by": turn.by or None,
        "events": changes(turn.events),
        "seconds": round((turn.seconds or 0.0) - (first.seconds or 0.0), 3),
    }


def changes(events: Iterable[Event]) -> list[list[Any]]:
    """Return events as lists, as messages have them."""
    return [event.to_json() for event in events]


def _marked(view: View) -> int:
    return view.states.count(FLAGGED) + view.states.count(EXPLODED)
