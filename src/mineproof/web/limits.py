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
WAITING = 128
"""Requests that wait for an engine, of each kind: small, large and long."""
WAITING_OF_ONE = 64
"""Of these, requests of one address."""
SECONDS = 30
"""That an engine may take for one request, and for each answer of those that have many."""
SMALL_SECONDS = 2
"""That a request may take which was believed to be small; then it begins again as a large one."""
SMALL_TEXT = 2_500
"""Characters of a small position: 1,000 cells and their clues."""
SMALL_CELLS = 1_000
DEALT = 10**9
"""Cells that one search for boards may deal: boards times tries times cells of a board."""
GENERATED = 4_000_000
"""Cells of the boards of one answer."""
LONG = 30
"""How many times as long a request with many answers may take: a game watched, an arena."""
ARENA_GAMES = 100_000
ARENA_AGENTS = 12
ARENA_PLAYED = 300_000
"""Games of all agents of an arena together."""
LISTED = 200
"""Games that are listed at once."""
TOLD = 5_000
"""Answers of one conversation about a board on another screen."""
CONVERSATION = 1024 * 1024
"""Bytes that one conversation remembers: each cell of the largest board, told by itself."""
SESSIONS = 32
"""Conversations that an engine has at hand; the others are told to it again."""
SESSION_CELLS = 256 * 1024 * 1024
"""Cells of all positions that these can go back to, a byte each."""
CONVERSATIONS = 128 * 1024 * 1024
"""Bytes that all conversations of a process remember."""
HEAVY = 64 * 1024
"""Bytes of a message from which on it is heavy: read one at a time, and few are in work."""
HEAVY_AT_ONCE = 8
"""Heavy messages in work in a process; half of them of one address."""
BODIES = 64
"""Heavy bodies of requests that are on their way; half of them of one address."""
CONNECTIONS = 2_000
"""Of a process, or as many as there are file descriptors for; half of them of one address."""
SOCKETS_SHARE = 4
"""One address has at most one in so many of all connections as WebSockets."""
HEADERS = 10.0
"""Seconds in which the head of a request must come."""
BODY = 30.0
"""Seconds in which its body must come."""
UNREAD = 30.0
"""Seconds for which a client may leave an answer unread."""
IDLE = 3_600.0
"""Seconds for which a WebSocket may say nothing while nothing runs for it."""
OWN_MOVE = 10.0
"""Seconds that an agent of the owner's own may take for a move; then it loses the game."""
READ = 200
"""Games that are kept from one text."""
