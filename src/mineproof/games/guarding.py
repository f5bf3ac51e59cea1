"""An agent of somebody's own at the table: whatever it does wrong is its fault, and told so.

It may raise anything and may think for ever; what comes out is an `AgentFault`. Our own agents
sit down without a guard: what they do wrong is ours.
"""

from __future__ import annotations

import ctypes
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from copy import copy
from types import FrameType
from typing import Any, TypeVar

from mineproof.agents import Agent, Player, Recipe
from mineproof.errors import AgentFault, InvalidInput, quoted, shorten
from mineproof.printable import printable
from mineproof.world.clues import ClueModel
from mineproof.world.move import Move
from mineproof.world.rules import Rules
from mineproof.world.view import Event, View

SECONDS = 60.0
"""What somebody's own agent may take for a move, unless told otherwise; and to sit down."""
MOST_SECONDS = 1_000_000.0

_could_not_begin: set[str] = set()
"""Agents that failed to sit down in this process, by name."""

_Value = TypeVar("_Value")


class _TimeIsUp(BaseException):
    """Raised into an agent's thoughts; not one of those that agents may catch by the way."""


def check_seconds(seconds: float | None) -> float:
    """The seconds a move, if they can be."""
    if seconds is None:
        return SECONDS
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise InvalidInput(f"seconds a move are a number, got {quoted(seconds)}")
    if not 0 < seconds <= MOST_SECONDS:
        raise InvalidInput(
            f"seconds a move are above 0 and at most {MOST_SECONDS:.0f}, got {quoted(seconds)}"
        )
    return float(seconds)


def sit_down(
    agent: Agent,
    view: View,
    *,
    rules: Rules,
    clues: ClueModel,
    seed: int = 0,
    seconds: float | None = None,
) -> Player:
    """An agent in a game. It gets copies: what it does to them changes nothing here."""
    setting: dict[str, Any] = {"rules": copy(rules), "clues": copy(clues), "seed": seed}
    if isinstance(agent, Recipe):
        return agent.begin(view, **setting)
    return Guarded(agent, view, setting, check_seconds(seconds))


class Guarded:
    """A player whose faults are told as such."""

    def __init__(self, agent: Agent, view: View, setting: dict[str, Any], seconds: float) -> None:
        self._name = agent.name
        # To sit down takes longer: a program has to start, a network to be loaded. Whoever could
        # not once gets no more than for a move: else an arena would wait a minute a game.
        self._seconds = seconds if self._name in _could_not_begin else max(seconds, SECONDS)
        try:
            self._player: Player = self._call(lambda: agent.begin(view, **setting), "to begin")
        except AgentFault:
            _could_not_begin.add(self._name)
            raise
        self._seconds = seconds

    @property
    def knowledge(self) -> Any:
        """What the player knows, if it keeps it where others can see."""
        return getattr(self._player, "knowledge", None)

    def observe(self, events: Iterable[Event]) -> None:
        """Take in what the referee told."""
        news = list(events)
        self._call(lambda: self._player.observe(news))

    def decide(self) -> Move:
        """The next move."""
        decision = self._call(self._player.decide)
        if not isinstance(decision, Move):
            raise AgentFault(f"agent {self._name!r} gives no Decision but {quoted(decision)}")
        return decision

    def _call(self, do: Callable[[], _Value], what: str = "") -> _Value:
        try:
            with _limited(self._seconds):
                return do()
        except _TimeIsUp:
            took = f"thinks longer than {self._seconds:g} seconds {what}".rstrip()
            raise AgentFault(f"agent {self._name!r} {took}") from None
        except AgentFault as fault:
            raise AgentFault(f"agent {self._name!r}: {printable(str(fault))}") from fault
        except (Exception, SystemExit) as error:
            told = shorten(" ".join(f"{type(error).__name__}: {error}".split()), 200)
            raise AgentFault(f"agent {self._name!r} raises {printable(told)}") from error


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """End what is done here after so many seconds.

    By a signal on the main thread, which also ends a wait. On another thread, as on a cluster,
    Python code hears of it between two steps; what waits in compiled code is not disturbed.
    """
    main = threading.current_thread() is threading.main_thread()
    with _by_signal(seconds) if main and hasattr(signal, "setitimer") else _by_thread(seconds):
        yield


@contextmanager
def _by_signal(seconds: float) -> Iterator[None]:
    running = True

    def ring(_: int, __: FrameType | None) -> None:
        if running:
            raise _TimeIsUp

    before = signal.signal(signal.SIGALRM, ring)
    # Again and again, where an agent catches everything.
    left = signal.setitimer(signal.ITIMER_REAL, seconds, 0.2)
    try:
        yield
    finally:
        running = False
        signal.setitimer(signal.ITIMER_REAL, *left)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _by_thread(seconds: float) -> Iterator[None]:
    lock, running, rang = threading.Lock(), True, False
    here = threading.get_ident()

    def ring() -> None:
        nonlocal rang
        with lock:
            if running:
                rang = True
                _raise_in(here)

    timer = threading.Timer(seconds, ring)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            running = False
        timer.cancel()
        if rang:
            _hear(here)


def _raise_in(thread: int) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(_TimeIsUp))


def _hear(here: int) -> None:
    """Take what was raised into this thread, if it was not heard yet.

    Raised once more it takes the place of one that waits, and is caught here. To withdraw it
    (None in its place) would leave the interpreter waiting for it: on Python 3.11 whatever is
    traced then, by a debugger or for coverage, never ends.
    """
    with suppress(_TimeIsUp):
        _raise_in(here)
        while True:
            pass
