"""Boards in numbers, and what the best play can win on them."""
