"""Limits per message, client and process."""

from __future__ import annotations

MESSAGE = 2 * 1024 * 1024
"""Bytes per message; enough for the record of a large game."""
CELLS = 40_000
"""Cells per board: 200x200."""
GAMES_IN_MEMORY = 500
"""Games that a process keeps in memory; others are replayed from the store."""
EVENTS_IN_MEMORY = 400_000
"""Moves and events of the games in memory; about 150 bytes each."""
MOVES = 50_000
"""Moves per game. No serious game needs more, and all of them are replayed after a restart."""
GAMES_WITHOUT_STORE = 2_000
"""Games that are kept without a store; the oldest are dropped."""
IN_FLIGHT = 8
"""Unanswered requests per connection."""
WAITING = 128
"""Requests that may wait for a solver, for each lane: small, large and long."""
WAITING_OF_ONE = 64
"""Waiting requests per address."""
SECONDS = 30
"""Seconds for a request, or for each response of a request that has several."""
SMALL_SECONDS = 2
"""Seconds for a request that was classified as small; then it starts again as a large one."""
SMALL_TEXT = 2_500
"""Characters of a small position: 1,000 cells and their clues."""
SMALL_CELLS = 1_000
DEALT = 10**9
"""Cells that one search for boards may deal: boards times tries times cells per board."""
GENERATED = 4_000_000
"""Cells of all boards in one response."""
LONG = 30
"""The factor by which requests with several responses may take longer: watched games, arenas."""
ARENA_PLAYED = 300_000
"""Games of all agents of an arena together."""
EARLIER_MESSAGES = 5_000
"""Messages per conversation about a game in another program."""
CONVERSATION = 1024 * 1024
"""Bytes per conversation; enough to enter every cell of the largest board one by one."""
SESSIONS = 32
"""Conversations that a solver keeps in memory; others are sent to it again."""
SESSION_CELLS = 256 * 1024 * 1024
"""Cells of all positions to which these conversations can go back, one byte each."""
CONVERSATIONS = 128 * 1024 * 1024
"""Bytes of all conversations of a process."""
HEAVY = 64 * 1024
"""Bytes from which a message counts as heavy: few are processed at the same time."""
HEAVY_AT_ONCE = 8
"""Heavy messages in progress per process; one address may have half of them."""
BODIES = 64
"""Heavy request bodies in transfer; one address may have half of them."""
CONNECTIONS = 2_000
"""Connections per process, if file descriptors suffice; one address may have half of them."""
SOCKETS_SHARE = 4
"""One address may use this fraction of all connections as WebSockets: one in four."""
HEADERS = 10.0
"""Seconds in which the head of a request must arrive."""
BODY = 30.0
"""Seconds in which the body of a request must arrive."""
UNREAD = 30.0
"""Seconds for which a client may leave a response unread."""
IDLE = 3_600.0
"""Seconds after which an idle WebSocket is closed."""
OWN_MOVE = 10.0
"""Seconds per move for the user's own agents; an agent that exceeds them loses the game."""
READ = 200
"""Games that can be imported from one text."""
