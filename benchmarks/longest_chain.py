"""Search for boards with very long chains of influence by hill climbing.

Starting from the best of some random boards, it moves one or two mines at a time and keeps a board
whose chain is not shorter. `baseline` plays from (0,0), which is safe with all its
neighbours; play goes on after a mine.

    python benchmarks/longest_chain.py [--steps N] [--seed S] [--mines M]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import mineproof as mp
from mineproof.world.chance import Purpose, Stream

RULES = mp.Rules(on_mine="continue", opening="clear")
START = (0, 0)
SIDE = 16


def chain(board: mp.Board) -> int:
    """The length of the longest chain when `baseline` plays the board."""
    record = mp.play(board, "baseline", rules=RULES, start=START, seed=0)
    return len(record.influence.longest)


def climb(
    mines: int, steps: int, seed: int, beginnings: int = 100
) -> Iterator[tuple[int, mp.Board]]:
    """Yield boards with longer and longer chains, each with the number of boards tried so far."""
    deal = mp.Deal(SIDE, SIDE, mines)
    boards = (deal.board(seed + i, start=START, opening="clear") for i in range(beginnings))
    board = max(boards, key=chain)
    best = chain(board)
    yield beginnings, board
    stream = Stream(seed, Purpose.TIES)
    for step in range(beginnings, steps):
        other = moved(board, stream)
        found = chain(other)
        if found > best:
            yield step + 1, other
        if found >= best:
            board, best = other, found


def moved(board: mp.Board, stream: Stream) -> mp.Board:
    """Return the board with one or two mines moved."""
    mines = board.mines
    near = {(row, col) for row in range(2) for col in range(2)}
    for _ in range(1 + stream.below(2)):
        del mines[stream.below(len(mines))]
        taken = near.union(mines)
        free = [cell for cell in board.grid.cells(range(board.grid.size)) if cell not in taken]
        mines.append(free[stream.below(len(free))])
    return mp.Board.from_mines(board.rows, board.cols, mines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=2000, help="boards to try")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mines", type=int, default=40)
    options = parser.parse_args()
    board = None
    for step, board in climb(options.mines, options.steps, options.seed):
        print(f"after {step:6} boards: longest chain {chain(board)}", flush=True)
    assert board is not None
    print(board.to_text(lines=True))


if __name__ == "__main__":
    main()
