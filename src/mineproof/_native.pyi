"""
The native twins of what must be fast; the same results as the Python code.
"""

from collections.abc import Sequence


def deal(rows: int, cols: int, mines: int, free: Sequence[int], seed: int) -> bytes:
    """
    Mines by count, uniform among the boards in which the cells `free` have none.
    """

def deal_each(rows: int, cols: int, threshold: int, free: Sequence[int], seed: int) -> bytes:
    """Each cell mined by itself with chance `threshold` / 2**53."""

def order_keys(size: int, seed: int) -> bytes:
    """The 64-bit keys of the shared order, cell by cell."""

def words(seed: int, purpose: int, index: int, count: int) -> list[int]:
    """The first 32-bit words of a stream."""

def count_mines(rows: int, cols: int, mines: bytes) -> bytes:
    """Mines around every cell."""

def figures(rows: int, cols: int, mines: bytes) -> tuple[int, int, int]:
    """Openings, islands and 3BV of a board."""
