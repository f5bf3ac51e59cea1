"""Time, memory and results of all calls on hard positions: none should take long.

Every call runs in a separate process, which is stopped after `LIMIT` seconds of CPU time. At the
end it prints the slowest position of each call. Set `MINEPROOF_ENGINE=python` for the other
engine.

`python benchmarks/bounds.py [PART OF A CALL [PART OF A POSITION]]`
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from time import process_time
from typing import NamedTuple

import mineproof as mp
from mineproof import _engine
from mineproof.games import analysis, move_cost
from mineproof.protocol import Session
from mineproof.reasoning import posterior, reasoner_comparison
from mineproof.reasoning.premises import PremiseFinder
from mineproof.world.chance import Purpose, Stream
from mineproof.world.view import COVERED, HIDDEN, NO_CLUE

LIMIT = 20
"""Limit in CPU seconds."""
MEMORY = 4 << 30
"""Limit of the address space in bytes."""

Position = tuple[mp.View, mp.clues.ClueModel]


def seen(
    side: int, share: float, shown: Callable[[int, int], bool], *, seed: int, model: str = "exact"
) -> Position:
    """A board with some cells opened; mines stay hidden."""
    clues = mp.clues.parse(model)
    board = mp.Board.random(side, side, round(share * side * side), seed=seed)
    stream = Stream(seed, Purpose.NOISE)
    states, bounds = [], []
    for index, (mine, count) in enumerate(zip(board.mined, board.counts, strict=True)):
        if mine or not shown(*board.grid.cell(index)):
            states.append(HIDDEN)
            continue
        degree = board.grid.neighbour_count(index)
        bound = clues.bound(0, degree)
        value = clues.draw(count, degree, stream, bound)
        states.append(NO_CLUE if value is None else value)
        if bound is not None:
            bounds.append((index, bound))
    return mp.View(board.grid, bytes(states), board.mine_count, tuple(bounds)), clues


def lattice(row: int, col: int) -> bool:
    return (2 * row + col) % 5 == 0


def chequered(row: int, col: int) -> bool:
    return (row + col) % 2 == 0


def scattered(row: int, col: int) -> bool:
    return (row * 7919 + col * 104729) % 101 < 35


def altered(position: Position) -> Position:
    """The same with a contradictory clue in the middle of the board."""
    view, clues = position
    states = bytearray(view.states)
    middle = view.grid.size // 2 + view.cols // 2
    index = min(
        (i for i, state in enumerate(states) if state <= 8),
        key=lambda i: max(
            abs(a - b) for a, b in zip(view.grid.cell(i), view.grid.cell(middle), strict=True)
        ),
    )
    for shown in (
        *range(states[index] + 1, view.grid.neighbour_count(index) + 1),
        *range(states[index]),
    ):
        states[index] = shown
        found = replace(view, states=bytes(states))
        if not _fits(found, clues):
            return found, clues
    return found, clues


def _fits(view: mp.View, clues: mp.clues.ClueModel) -> bool:
    native = _engine.native
    question = posterior.asked(view, posterior.view_settings(view, clues, None, False, 20_000))
    return native.posterior(*question).fits


def nowhere(_row: int, _col: int) -> bool:
    return False


def corner(row: int, col: int) -> bool:
    """The view after a large opening: most of a quarter of the board, and its edge."""
    return row + col < 50 and (row * 31 + col * 17) % 7 != 0


KINDS = {
    "lattice": (lattice, 0.35),
    "chequered": (chequered, 0.2),
    "scattered": (scattered, 0.2),
    "corner": (corner, 0.2),
    "empty": (nowhere, 0.2),
}
MODELS = ("exact", "sometimes:0.3", "optimistic", "cautious")


def positions() -> Iterator[tuple[str, Callable[[], Position]]]:
    for side in (30, 60, 100):
        for kind, (shown, share) in KINDS.items():
            for model in MODELS:
                name = f"{kind} {side}x{side} {model}"
                yield (
                    name,
                    lambda s=shown, n=side, p=share, m=model: seen(n, p, s, seed=1, model=m),
                )


# The calls: each returns a few words.


def clash(position: Position) -> str:
    if not position[0].cells(*range(9)):
        return "-"
    view, clues = altered(position)
    begin()
    try:
        mp.posterior(view, clues)
    except mp.Contradiction as found:
        return str(found).split(" in '")[0]
    return "no contradiction"


def arrangements(position: Position) -> str:
    odds = mp.posterior(*position)
    begin()
    found = odds.arrangements
    return f"{len(str(found))} digits" if isinstance(found, int) else str(found)


def odds(position: Position) -> str:
    begin()
    found = mp.posterior(*position)
    return "exact" if found.exact else f"estimate, error {found.error:.2g}"


def advice(budget: str) -> Callable[[Position], str]:
    def call(position: Position) -> str:
        view, clues = position
        champion = mp.agents.get(f"champion:budget={budget}")
        begin()
        found = champion.advise(view, clues=clues)
        best = found.candidates[0] if found.candidates else None
        return f"{found.method}, {len(found.candidates)} cells" + (
            f", {best.risk:.3f}, {best.score}" if best else ""
        )

    return call


def win_chance(position: Position) -> str:
    view, clues = position
    begin()
    return str(analysis.win_chance(view, clues, mp.agents.get("champion")))


def _first(position: Position, certain: bool) -> mp.Cell | None:
    view, clues = position
    found = mp.posterior(view, clues, budget=20_000)
    proved = {*found.safe, *found.mined}
    return next((c for c in view.cells(*COVERED) if (c in proved) == certain), None)


def explained(certain: bool) -> Callable[[Position], str]:
    def call(position: Position) -> str:
        cell = _first(position, certain)
        if cell is None:
            return "-"
        begin()
        proof = mp.explain(position[0], cell, position[1])
        return str(proof).replace("\n", " ")[:60]

    return call


def proofs(position: Position) -> str:
    begin()
    found = mp.proofs(*position)
    return f"{len(found)} proofs, {sum(not proof.least for proof in found)} not proved smallest"


def premises(position: Position) -> str:
    cell = _first(position, True)
    if cell is None:
        return "-"
    mine = cell in set(mp.posterior(*position, budget=20_000).mined)
    begin()
    found = PremiseFinder(*position).premises(cell, mine=mine)
    return "none" if found is None else f"{len(found.clues)} clues"


def reasoners(position: Position) -> str:
    begin()
    results = reasoner_comparison.compare(*position)
    return ", ".join(f"{result.name} {len(result.settled)}" for result in results)


def analysed(position: Position) -> str:
    """Everything that `mineproof analyse --agent champion` computes."""
    view, clues = position
    champion = mp.agents.get("champion")
    begin()
    found = mp.posterior(view, clues)
    best = analysis.best_moves(found, 3)
    chance = analysis.win_chance(view, clues, champion, odds=found)
    advised = analysis.opinion(champion, view, clues, None)
    chances = "none" if chance is None else f"{chance.chance:.2f}"
    return f"{best[0].cell} {best[0].risk:.3f}, chance {chances}, advice {advised.move.cell}"


def influence(position: Position) -> str:
    """The chain of a whole game on a board of this size, played in a second or so."""
    view, clues = position
    agent = "csp" if isinstance(clues, mp.clues.Exact) else "baseline"
    begin()  # the game has the limit too
    board = mp.Board.random(view.rows, view.cols, view.grid.size // 6, seed=1)
    rules = mp.Rules(on_mine="continue", opening="any")
    record = mp.play(board, agent, rules=rules, clues=clues, seed=1)
    begin()
    return repr(record.influence)


def sampled(position: Position) -> str:
    begin()
    return f"{len(mp.sample(position[0], 1, position[1]))} board"


def value_odds(position: Position) -> str:
    cell = _first(position, False)
    if cell is None:
        return "-"
    begin()
    found = mp.value_odds(position[0], cell, position[1])
    return f"risk {found.risk:.3f}, exact {found.exact}, error {found.error:.2g}"


def count_odds(position: Position) -> str:
    view, clues = position
    cell = next((c for c in view.cells(*range(9), NO_CLUE)), None)
    if cell is None:
        return "-"
    begin()
    found = mp.count_odds(view, cell, clues)
    return f"exact {found.exact}, error {found.error:.2g}"


def judged(position: Position) -> str:
    """What `review` computes for one move: a guess in a hard position."""
    view, clues = position
    cell = _first(position, False)
    if cell is None or not isinstance(clues, mp.clues.Exact):
        return "-"
    begin()
    chance = analysis.win_chance(view, clues, games=200)
    if chance is None:
        return "no win probability"
    return f"costs {move_cost.cost(view, cell, chance, mp.Rules(), certain=False)}"


def hint(position: Position) -> str:
    """What the web app's Hint computes."""
    view, clues = position
    session = Session()
    question = {"do": "explain", "view": str(view), "clues": str(clues)}
    begin()
    found = session.answer(question)
    best = found.get("easiest")
    return f"{len(found['safe'])} safe, {best['words'][:40] if best else 'no proof'!r}"


def agent(name: str) -> Callable[[Position], str]:
    """The first move of an agent, which includes the closure under its rules."""

    def call(position: Position) -> str:
        view, clues = position
        player = mp.agents.get(name)
        begin()
        move = player.decide(view, clues=clues)
        return f"{move.action} {move.cell}"

    return call


CALLS: dict[str, Callable[[Position], str]] = {
    "odds": odds,
    "contradiction": clash,
    "arrangements": arrangements,
    "advise fast": advice("fast"),
    "advise default": advice("default"),
    "advise max": advice("max"),
    "win chance": win_chance,
    "explain certain": explained(True),
    "explain open": explained(False),
    "proofs": proofs,
    "premises": premises,
    "reasoners": reasoners,
    "analyse": analysed,
    "influence": influence,
    "sample": sampled,
    "value odds": value_odds,
    "count odds": count_odds,
    "review": judged,
    "hint": hint,
    "closure of csp": agent("csp"),
    "closure of gauss": agent("gauss"),
}

_begun = [0.0]


def begin() -> None:
    """Start measuring here."""
    _begun[0] = process_time()
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(_begun[0]) + 1 + LIMIT, most))


class Cost(NamedTuple):
    """The cost of a call."""

    seconds: float  # of CPU
    megabytes: int
    answer: str

    def __str__(self) -> str:
        more = ">" if self.seconds >= LIMIT else " "
        return f"{more}{self.seconds:6.2f}  {self.megabytes:5}  {self.answer}"


def measured(call: Callable[[Position], str], position: Callable[[], Position]) -> Cost:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        try:
            answer = call(position())
        except (mp.MineproofError, MemoryError) as error:
            answer = f"{type(error).__name__}: {error}"
        text = f"{process_time() - _begun[0]} {answer}"
        os.write(writing, text.encode()[:4000])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        seconds, _, answer = pipe.read().decode().partition(" ")
    _, status, usage = os.wait4(child, 0)
    megabytes = usage.ru_maxrss // 1024
    if status:
        return Cost(LIMIT, megabytes, f"ended by signal {os.WTERMSIG(status)}")
    return Cost(float(seconds), megabytes, answer)


def main(call: str = "", position: str = "") -> None:
    print(f"{'call':<16} {'position':<32} {'CPU s':>7}     MB  answer")
    slowest: dict[tuple[str, str], tuple[Cost, str]] = {}
    for name, asked in CALLS.items():
        for where, made in positions():
            if call in name and position in where:
                cost = measured(asked, made)
                print(f"{name:<16} {where:<32} {cost}"[:200], flush=True)
                kind, _, model = where.rpartition(" ")
                of = name, "exact" if model == "exact" else "uncertain"
                if cost.answer != "-" and (of not in slowest or cost > slowest[of][0]):
                    slowest[of] = cost, f"{kind} {model}"
    print("\nslowest position of each call")
    for (name, clues), (cost, where) in slowest.items():
        print(f"{name:<16} {clues:<10} {cost.seconds:5.2f} s {cost.megabytes:5} MB  {where}")


if __name__ == "__main__":
    main(*sys.argv[1:])
