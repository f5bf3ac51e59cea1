"""The end of a player's game in words: the outcome, the figures that players compare."""

from __future__ import annotations

from collections.abc import Iterator

from mineproof.cli.human.advice import Note
from mineproof.errors import counted
from mineproof.games.pace import pace_of
from mineproof.games.record import Record
from mineproof.world.geometry import name_cell


def ending(record: Record, *, practice: bool, kept: str) -> Note:
    """What is said under the board when a game is over."""
    lines = [*figures(record)]
    if kept:
        lines.append(kept)
    if practice and not record.won:
        lines.append("u takes the last move back.")
    lines.append("n new game, r same board, q quit.")
    return Note("\n".join(lines), good=record.won)


def figures(record: Record) -> Iterator[str]:
    """The outcome, what it took, and the board in players' figures."""
    pace = pace_of(record)
    seconds = record.times[-1] if record.times else record.seconds
    yield f"{_outcome(record)} Time {seconds:.1f} s."
    if record.score is not None:
        yield (
            f"Of {counted(record.board.mine_count, 'mine')} {record.right} flagged, "
            f"{record.exploded} hit; {counted(record.wrong, 'flag')} wrong."
        )
    done = f"{pace.bbbv}" if pace.solved == pace.bbbv else f"{pace.solved} of {pace.bbbv}"
    rate = "" if pace.bbbv_per_second is None else f", 3BV/s {pace.bbbv_per_second:.2f}"
    tidy = "" if pace.efficiency is None else f", efficiency {pace.efficiency:.0%}"
    yield f"3BV {done}{rate}, {counted(pace.clicks, 'click')}{tidy}."
    if record.undone is not None:
        yield f"Practice: {counted(record.undone, 'move')} taken back."


def _outcome(record: Record) -> str:
    if record.score is not None:
        return f"Score {record.score:.3f}."
    if record.won:
        return "Won!"
    if record.stopped:
        return "Stopped."
    return f"Lost: {name_cell(record.moves[-1].cell)} was a mine."
