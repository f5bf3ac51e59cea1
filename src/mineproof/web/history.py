"""A player's games and win rates."""

from __future__ import annotations

from typing import Any

from mineproof.errors import InvalidInput, quote
from mineproof.messages.game_requests import DeleteGamesRequest, ListGamesRequest
from mineproof.phrases import say
from mineproof.series.intervals import wilson
from mineproof.web.desk import NoSuchGame
from mineproof.web.ground import Ground
from mineproof.web.store import Store, StoredGame

_OTHER = "other"


def games(store: Store, request: ListGamesRequest, player: str) -> dict[str, Any]:
    """Answer `game.list`."""
    limit = request.limit or 50
    before = 1e18 if request.before is None else request.before
    where, values = "player = ? AND begun < ?", [player, before]
    where += " AND EXISTS (SELECT 1 FROM moves WHERE game = games.id)"
    if request.level is not None:
        where += " AND coalesce(level, ?) = ?"
        values += [_OTHER, request.level]
    found = store.select(
        "SELECT games.*, (SELECT count(*) FROM moves WHERE game = games.id) FROM games "
        f"WHERE {where} ORDER BY begun DESC LIMIT ?",
        (*values, limit + 1),
    )
    rows = [(StoredGame(*each[:-1]), each[-1]) for each in found[:limit]]
    more = len(found) > limit
    return {
        "games": [_shown(row, n) for row, n in rows],
        "next": rows[-1][0].begun if more else None,
        "rates": rates(store, player),
    }


def rates(store: Store, player: str) -> list[dict[str, Any]]:
    """Return the win rate at each level with its 95 % confidence interval.

    Only games count that the player finished without an agent and on an unknown board.
    """
    found = store.select(
        "SELECT coalesce(level, ?), count(*), sum(won), avg(score), "
        "min(CASE WHEN won = 1 THEN seconds END) FROM games "
        "WHERE player = ? AND kind = 'own' AND agent = '' AND ended IS NOT NULL GROUP BY 1",
        (_OTHER, player),
    )
    return [
        {
            "level": level,
            "games": count,
            "wins": wins,
            "rate": wins / count,
            "interval": list(wilson(wins, count)),
            "score": score,
            "best_seconds": best,
        }
        for level, count, wins, score, best in found
    ]


def delete(store: Store, request: DeleteGamesRequest, player: str) -> dict[str, Any]:
    """Answer `game.delete`."""
    if bool(request.all) == (request.game is not None):
        raise InvalidInput(say("refusal.delete"))
    gone = store.delete(player, request.game)
    if not request.all and not gone:
        raise NoSuchGame(say("refusal.not-yours", name=quote(request.game)))
    return {"deleted": gone}


def _shown(row: StoredGame, moves: int) -> dict[str, Any]:
    ground = Ground.from_text(row.ground)
    shown = ground.rules.count_known or row.ended is not None
    return {
        "game": row.id,
        "level": row.level,
        "rows": ground.grid.rows,
        "cols": ground.grid.cols,
        "mines": ground.board.mine_count if shown else None,
        "clues": str(ground.clues),
        "on_mine": ground.rules.on_mine,
        "kind": row.kind,
        "agent": row.agent or None,
        "begun": row.begun,
        "n": moves,
        "over": row.ended is not None,
        "won": None if row.won is None else bool(row.won),
        "score": row.score,
        "seconds": row.seconds,
        "bbbv": row.bbbv,
    }
