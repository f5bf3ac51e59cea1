"""One game, and all that is told of it: the match, its record, its play-by-play, its chain."""
