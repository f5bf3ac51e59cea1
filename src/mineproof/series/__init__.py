"""Many games: arenas, the worker processes that play them, and statistics of the results."""
