"""The moves of a game with one move per turn, each with its result."""

from __future__ import annotations

from collections.abc import Iterator

import mineproof as mp


def replayed(record: mp.Record) -> Iterator[tuple[mp.Move, tuple[mp.Event, ...], mp.View]]:
    """Yield every move with its events and the view after it."""
    for before, turn in record.positions():
        yield turn.asked, turn.events, before.after(turn.events)
