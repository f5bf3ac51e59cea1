"""What one message, one client and one process may cost."""

from __future__ import annotations

MESSAGE = 2 * 1024 * 1024
"""Bytes of a message: a record of a large game."""
CELLS = 40_000
"""Of a board: 200x200."""
GAMES_IN_MEMORY = 500
"""Games that a process keeps at hand; the others are played again from the store."""
EVENTS_IN_MEMORY = 400_000
"""Moves and events of the games at hand: about 150 bytes each."""
MOVES = 50_000
"""Of a game: no player that gets anywhere makes as many, and all are played again after a
restart."""
GAMES_WITHOUT_STORE = 2_000
"""Games there are at all where nothing is stored: the oldest goes."""
IN_FLIGHT = 8
"""Requests of one connection that are not answered yet."""
WAITING = 64
"""Requests of all that wait for an engine."""
SECONDS = 30
"""That an engine may take for one request, and for each answer of those that have many."""
LONG = 30
"""How many times as long a request with many answers may take: a game watched, an arena."""
ARENA_GAMES = 100_000
ARENA_AGENTS = 12
LISTED = 200
"""Games that are listed at once."""
TOLD = 5_000
"""Answers of one conversation about a board on another screen."""
CONNECTIONS = 2_000
"""Of a process; more get 503."""
OWN_MOVE = 10.0
"""Seconds that an agent of the owner's own may take for a move; then it loses the game."""
READ = 200
"""Games that are kept from one text."""
