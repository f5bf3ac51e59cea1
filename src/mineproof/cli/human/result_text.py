"""The texts for the end of a game: the outcome, the time, 3BV and clicks."""

from __future__ import annotations

from collections.abc import Iterator

from mineproof.cli.human.adviser import Note
from mineproof.errors import plural
from mineproof.games.record import Record
from mineproof.games.speed import speed_of
from mineproof.phrases import say


def ending(record: Record, *, practice: bool, kept: str) -> Note:
    """The note shown when a game is over."""
    lines = [*figures(record)]
    if kept:
        lines.append(kept)
    if practice and not record.won:
        lines.append("Press u to undo the last move.")
    lines.append("n new game, r same board, q quit.")
    return Note("\n".join(lines), good=record.won)


def figures(record: Record) -> Iterator[str]:
    """Lines with the outcome, the time, the score if there is one, and 3BV figures."""
    pace = speed_of(record)
    seconds = record.seconds if record.time is None else record.time
    yield f"{_outcome(record)} Time {seconds:.1f} s."
    if record.score is not None:
        yield (
            f"{record.right} of {plural(record.board.mine_count, 'mine')} flagged, "
            f"{record.exploded} hit, {plural(record.wrong, 'wrong flag')}."
        )
    done = f"{pace.bbbv}" if pace.solved == pace.bbbv else f"{pace.solved} of {pace.bbbv}"
    rate = "" if pace.bbbv_per_second is None else f", 3BV/s {pace.bbbv_per_second:.2f}"
    tidy = "" if pace.efficiency is None else f", efficiency {100 * pace.efficiency:.0f} %"
    yield f"3BV {done}{rate}, {plural(pace.clicks, 'click')}{tidy}."
    if record.undone is not None:
        yield f"Practice: {plural(record.undone, 'move')} undone."


def _outcome(record: Record) -> str:
    if record.score is not None:
        return f"Score {record.score:.3f}."
    if record.won:
        return "Won!"
    if record.stopped:
        return "Stopped."
    return say("play.lost", cell=record.moves[-1].cell)
