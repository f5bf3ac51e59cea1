"""The database of games: every move is stored before it is answered.

Any number of processes may share it: the primary key (game, n) decides which process makes move
n of a game. A killed process loses no answered move. (SQLite writes ahead to a journal: a power
failure can lose the last moves, but never damages the file.)
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mineproof.errors import MineproofError
from mineproof.games.turn_data import as_turn, turn_json
from mineproof.messages.records import TurnData
from mineproof.web import limits
from mineproof.web.database import Conflict, StoreFault, change, connect, name_of
from mineproof.world.geometry import Grid
from mineproof.world.turn import Turn

_VERSION = 1
_TABLES = """
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY,
    share TEXT NOT NULL,
    player TEXT NOT NULL,
    kind TEXT NOT NULL,
    agent TEXT NOT NULL,
    ground TEXT NOT NULL,
    level TEXT,
    begun DOUBLE PRECISION NOT NULL,
    ended DOUBLE PRECISION,
    won INTEGER,
    score DOUBLE PRECISION,
    seconds DOUBLE PRECISION,
    bbbv INTEGER
);
CREATE INDEX IF NOT EXISTS games_by_player ON games (player, begun);
CREATE INDEX IF NOT EXISTS games_by_share ON games (share);
CREATE TABLE IF NOT EXISTS moves (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    n INTEGER NOT NULL,
    deed TEXT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (game, n)
);
"""


class Taken(Exception):
    """Another client has already made the move with this number."""


class StoredGame(NamedTuple):
    """A game without its moves."""

    id: str
    share: str
    """The ID of the ground, which all games on it share."""
    player: str
    """The owner; empty if the server has a single player."""
    kind: str
    """`own`: a person plays. `practice`: a person plays a known board. `agents`: agents play.
    `teacher`: agents play and the mines are shown. `record`: imported."""
    agent: str
    """The agent that plays or has moved; empty if none."""
    ground: str
    level: str | None
    begun: float
    ended: float | None = None
    won: bool | None = None
    score: float | None = None
    seconds: float | None = None
    bbbv: int | None = None


class Ending(NamedTuple):
    """The outcome of a game."""

    won: bool
    score: float | None
    seconds: float
    bbbv: int


class Store:
    """The games in a database; without a place, they are kept in memory."""

    def __init__(self, place: Path | str | None) -> None:
        self.place = place
        try:
            self._base = connect(place)
            found = self._base.version
            if found not in {0, _VERSION}:
                raise MineproofError(
                    f"{name_of(place or '')!r} has version {found} of the database format, but "
                    f"this program needs version {_VERSION}: choose another --store"
                )
            with change(self._base):
                self._base.create(_TABLES)
                self._base.write_version(_VERSION)
        except StoreFault as fault:
            where = name_of(place or "")
            raise MineproofError(f"cannot keep games in {where!r}: {fault}") from None

    def add(self, row: StoredGame, turns: Iterable[Turn] = ()) -> None:
        """Add a new game with its first turns."""
        with change(self._base):
            marks = ",".join("?" * len(row))
            self._base.execute(f"INSERT INTO games VALUES ({marks})", row)
            for number, turn in enumerate(turns):
                self._insert(row.id, number, turn)
            if self.place is None:
                self._base.execute(
                    "DELETE FROM games WHERE id IN "
                    "(SELECT id FROM games ORDER BY begun DESC LIMIT -1 OFFSET ?)",
                    (limits.GAMES_WITHOUT_STORE,),
                )

    def game(self, name: str) -> StoredGame | None:
        """Return the game with this ID, or None."""
        found = self._base.execute("SELECT * FROM games WHERE id = ?", (name,)).fetchone()
        return None if found is None else StoredGame(*found)

    def first_of(self, share: str) -> StoredGame | None:
        """Return the first game on the ground with this ID, or None."""
        found = self._base.execute(
            "SELECT * FROM games WHERE share = ? ORDER BY begun LIMIT 1", (share,)
        ).fetchone()
        return None if found is None else StoredGame(*found)

    def turns(self, name: str, grid: Grid, since: int = 0) -> list[Turn]:
        """Return the turns of a game from a number on; their times are seconds since 1970."""
        rows = self._base.execute(
            "SELECT deed, at FROM moves WHERE game = ? AND n >= ? ORDER BY n", (name, since)
        )
        return [_read(text, at, grid) for text, at in rows.fetchall()]

    def append(self, name: str, number: int, turn: Turn, ending: Ending | None) -> None:
        """Add a turn; raise `Taken` if this number exists already or the game was deleted."""
        with change(self._base):
            self._insert(name, number, turn)
            if ending is not None:
                self._base.execute(
                    "UPDATE games SET ended=?, won=?, score=?, seconds=?, bbbv=? WHERE id=?",
                    (turn.seconds, *ending, name),
                )

    def mark(self, name: str, kind: str, agent: str) -> None:
        """Change the kind and the agent of a game."""
        with change(self._base):
            self._base.execute("UPDATE games SET kind=?, agent=? WHERE id=?", (kind, agent, name))

    def delete(self, player: str, name: str | None) -> int:
        """Delete one or all games of a player; return their number."""
        with change(self._base):
            if name is None:
                gone = self._base.execute("DELETE FROM games WHERE player = ?", (player,))
            else:
                gone = self._base.execute(
                    "DELETE FROM games WHERE player = ? AND id = ?", (player, name)
                )
            return gone.rowcount

    def select(self, query: str, values: tuple[Any, ...]) -> list[Any]:
        """Return the rows that a query finds."""
        return self._base.execute(query, values).fetchall()

    def close(self) -> None:
        """Close the database."""
        self._base.close()

    def _insert(self, name: str, number: int, turn: Turn) -> None:
        try:
            self._base.execute(
                "INSERT INTO moves VALUES (?, ?, ?, ?)", (name, number, _write(turn), turn.seconds)
            )
        except Conflict:
            raise Taken from None


def usual_path() -> Path:
    """Return the default file in the system's folder for user data."""
    home = Path.home()
    if sys.platform == "darwin":
        folder = home / "Library" / "Application Support"
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        folder = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return folder / "mineproof" / "games.sqlite"


def _write(turn: Turn) -> str:
    """Return what a turn asked for as JSON, without default values; its time has its own column."""
    given = {
        name: value
        for name, value in turn_json(turn._replace(seconds=None)).items()
        if not (value is None or value is False or value == "")
    }
    return json.dumps(given, separators=(",", ":"))


def _read(text: str, at: float, grid: Grid) -> Turn:
    return as_turn(msgspec.json.decode(text, type=TurnData), grid)._replace(seconds=at)
