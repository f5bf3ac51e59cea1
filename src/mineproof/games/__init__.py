"""Single games: the match, its record, its log, its chain of influence, its review."""
