"""The moves of a game in which every turn is one move, each with what it led to."""

from __future__ import annotations

from collections.abc import Iterator

import mineproof as mp


def replayed(record: mp.Record) -> Iterator[tuple[mp.Move, tuple[mp.Event, ...], mp.View]]:
    """Yield every move with what it changed and the view after it."""
    for before, turn in record.positions():
        yield turn.asked, turn.events, before.after(turn.events)
