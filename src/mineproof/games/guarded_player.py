"""Run the user's own agents under guard: whatever they do wrong becomes an `AgentFault`.

They may raise any exception or never return. Built-in agents play without a guard, because their
errors are ours.
"""

from __future__ import annotations

import ctypes
import json
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import replace
from types import FrameType
from typing import Any, TypeVar

from mineproof.agents import Agent, Player, Recipe
from mineproof.errors import AgentFault, InvalidInput, quote, shorten
from mineproof.games.turn_data import read_why
from mineproof.printable import printable
from mineproof.world.clues import ClueModel
from mineproof.world.move import Move, MoveReason
from mineproof.world.rules import Rules
from mineproof.world.view import Event, View

SECONDS = 60.0
"""The default time limit of the user's own agents, per move and for starting a game."""
MOST_SECONDS = 1_000_000.0

_could_not_begin: set[str] = set()
"""Names of agents that failed to start in this process."""

_Value = TypeVar("_Value")


class _TimeIsUp(BaseException):
    """Raised inside an agent at its time limit; no `Exception`, so agents rarely catch it."""


def check_seconds(seconds: float | None) -> float:
    """Return the time limit per move, after checking it."""
    if seconds is None:
        return SECONDS
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise InvalidInput(f"the time limit per move must be a number, got {quote(seconds)}")
    if not 0 < seconds <= MOST_SECONDS:
        raise InvalidInput(
            f"the time limit per move must be above 0 and at most {MOST_SECONDS:.0f} seconds, "
            f"got {quote(seconds)}"
        )
    return float(seconds)


def start_player(
    agent: Agent,
    view: View,
    *,
    rules: Rules,
    clues: ClueModel,
    seed: int = 0,
    seconds: float | None = None,
) -> Player:
    """Start a game, and return the agent's player. It receives copies, which it may change."""
    clues.check(view.grid)
    setting: dict[str, Any] = {"rules": copy(rules), "clues": copy(clues), "seed": seed}
    if isinstance(agent, Recipe):
        return agent.begin(view, **setting)
    return GuardedPlayer(agent, view, setting, check_seconds(seconds))


class GuardedPlayer:
    """A player whose errors become an `AgentFault`."""

    def __init__(self, agent: Agent, view: View, setting: dict[str, Any], seconds: float) -> None:
        self._name = agent.name
        # Starting takes longer: a program has to start, a network to be loaded. An agent that
        # failed to start once gets only the limit per move, or an arena would wait in every game.
        self._seconds = seconds if self._name in _could_not_begin else max(seconds, SECONDS)
        try:
            self._player: Player = self._call(lambda: agent.begin(view, **setting), "to begin")
        except AgentFault:
            _could_not_begin.add(self._name)
            raise
        self._seconds = seconds

    @property
    def knowledge(self) -> Any:
        """Return the player's `knowledge`, if it has such an attribute."""
        return getattr(self._player, "knowledge", None)

    def observe(self, events: Iterable[Event]) -> None:
        """Receive the events of the game since the last call."""
        news = list(events)
        self._call(lambda: self._player.observe(news))

    def decide(self) -> Move:
        """Return the next move."""
        decision = self._call(self._player.decide)
        if not isinstance(decision, Move):
            raise self._fault(f"must return a Decision, got {quote(decision)}")
        return self._call(lambda: replace(decision, reason=_read_reason(decision)))

    def _call(self, do: Callable[[], _Value], what: str = "") -> _Value:
        try:
            with _limited(self._seconds):
                return do()
        except _TimeIsUp:
            took = f"took longer than {self._seconds:g} seconds {what}".rstrip()
            raise self._fault(took) from None
        except AgentFault as fault:
            raise AgentFault(printable(str(fault)), self._name, ": ") from fault
        except (Exception, SystemExit) as error:
            raised = shorten(" ".join(f"{type(error).__name__}: {error}".split()), 200)
            raise self._fault(f"raised {printable(raised)}") from error

    def _fault(self, what: str) -> AgentFault:
        return AgentFault(what, self._name)


def _read_reason(decision: Move) -> MoveReason | str:
    """Return the reason as plain data, or as text if that is how it was given."""
    if decision.why is None:
        return decision.reason
    return read_why(json.loads(json.dumps(decision.why.to_json())))


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Interrupt the code in this context after a number of seconds.

    On the main thread a signal does it, which also interrupts waiting. On another thread, as on
    a cluster, Python code is interrupted between two steps, but not while compiled code runs.
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
    # Repeatedly, in case an agent catches everything.
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
    """Catch the exception raised into this thread, if it is still pending.

    Raised once more, it replaces the pending one and is caught here. Withdrawing it (by raising
    None) would leave the interpreter waiting for it: on Python 3.11, code that is traced then, by
    a debugger or for coverage, never ends.
    """
    with suppress(_TimeIsUp):
        _raise_in(here)
        while True:
            pass
