"""Many games: arenas, the workers that play them, and the statistics of what came out."""
