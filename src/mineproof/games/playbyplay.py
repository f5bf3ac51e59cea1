"""The play-by-play log of a game, as in the reports.

Iterate over `PlayByPlay(match, out, level)` instead of its match. It writes while the game is
played and keeps nothing, so a log can have any length and is readable wherever it ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TextIO, get_args

from mineproof.agents.builtin import proves
from mineproof.agents.recipes import Recipe
from mineproof.arguments import of_type, one_of
from mineproof.errors import plural
from mineproof.games.match import Match
from mineproof.games.reasoning_log import ReasoningLog
from mineproof.games.record import Record
from mineproof.phrases import say
from mineproof.printable import printable
from mineproof.reasoning.clue_odds import CountOdds, counts_around
from mineproof.reasoning.deductions import Entry
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.posterior import MOVE_BUDGET
from mineproof.render import plain, side_by_side
from mineproof.world.clues import Exact, Likelihood
from mineproof.world.geometry import Cell, name_cell
from mineproof.world.move import Move
from mineproof.world.rules import Rules
from mineproof.world.turn import Turn
from mineproof.world.view import (
    COVERED,
    EXPLODED,
    FLAGGED,
    KNOWN_SAFE,
    NO_CLUE,
    UNKNOWN,
    Event,
    is_opened,
)

LogLevel = Literal["moves", "reasons", "boards", "all"]
LOG_LEVELS: tuple[LogLevel, ...] = get_args(LogLevel)
"""Each level adds to those before it: one line per move; clues, deductions and queued moves; the
boards after every move; the equations and all steps of reasoning."""
LOG_BUDGET = MOVE_BUDGET // 2
"""The budget of the probabilities that a log shows after a move: so a log takes less time than
the game itself."""


class PlayByPlay:
    """Writes what happens in a match, and why, while it is iterated.

    For any agent, it shows the moves, their reasons and the clues; for players that keep
    `Knowledge`, also the deductions and the equations.
    """

    def __init__(self, match: Match, out: TextIO, level: LogLevel = "all") -> None:
        one_of(level, "log level", LOG_LEVELS)
        self.match = of_type(match, Match, "match")
        self._out = out
        self._reasons, self._boards, self._all = (
            LOG_LEVELS.index(level) >= LOG_LEVELS.index(least) for least in LOG_LEVELS[1:]
        )
        self._grid = match.view.grid
        self._claims = not proves(match.agent.name, match.clues)
        knowledge = getattr(match.player, "knowledge", None)
        self._reasoning = (
            ReasoningLog(knowledge, match.player) if isinstance(knowledge, Knowledge) else None
        )
        self._headed = False

    def __iter__(self) -> Iterator[Turn]:
        """Play move by move, and write each move when it is made."""
        self._write(*_header(self.match))
        if self._boards:
            if self._reasoning is not None:
                self._write(say("log.legend", claimed=self._claims))
            self._write(*self._both())
        self._out.flush()
        if self._reasoning is not None and self._all:
            self._reasoning.knowledge.report = self._write_step
        try:
            for turn in self.match:
                self._write(*self._turn(turn))
                self._headed = False
                self._out.flush()
                yield turn
            self._write("", *self._both(), *_ending(self.match.record()))
            self._out.flush()
        finally:
            if self._reasoning is not None:
                self._reasoning.knowledge.report = None
            if not self.match.over and not getattr(self._out, "closed", False):
                self._write("", f"stopped after {plural(len(self.match.turns), 'move')}")
                self._out.flush()

    def _write(self, *lines: str) -> None:
        self._out.writelines(f"{printable(line.rstrip())}\n" for line in lines)

    def _write_step(self, entry: Entry) -> None:
        """Write a step of a reasoner, after the deductions made before it."""
        assert self._reasoning is not None
        lines = (*self._reasoning.follows(), entry)
        self._write(*self._head(len(self.match.turns) + 1), *(f"  {line}" for line in lines))

    def _head(self, number: int) -> Iterator[str]:
        """Yield the first line of a move, before its reasoning."""
        if not self._headed:
            self._headed = True
            yield ""
            yield f"move {number}"

    def _turn(self, turn: Turn) -> Iterator[str]:
        number, reasoning = len(self.match.turns), self._reasoning
        if not self._reasons:
            yield f"move {number}: {self._act(turn)}"
            return
        yield from self._head(number)
        if reasoning is not None and not reasoning.remembers:
            yield from (f"  {line}" for line in reasoning.findings(turn.events))
        yield f"  {self._act(turn)}"
        yield from (f"  {line}" for line in self._shown(turn.events))
        if reasoning is not None:
            reasoning.update(turn.events)
            if reasoning.remembers:
                yield from (f"  {line}" for line in reasoning.findings())
        if self._boards:
            yield from (f"  {line}" for line in self._both())
        if self._all and reasoning is not None:
            yield "  equations:"
            yield from (f"    {line}" for line in reasoning.equations())

    def _act(self, turn: Turn) -> str:
        """Return a move, what it showed, and its reason on one line."""
        move = turn.asked
        where = "" if move.action in {"stop", "ask"} else f" {name_cell(move.cell)}"
        about = {"result": _result(turn), "kind": name_kind(move)}
        reason = " ".join(move.reason.split())
        return say("log.move", action=move.action, where=where, reason=reason, **about)

    def _shown(self, events: Iterable[Event]) -> Iterator[str]:
        """Yield a line for every opened cell: what it shows, and what is known around it."""
        reasoning, truth = self._reasoning, self.match.truth
        states = self.match.view.states if reasoning is None else reasoning.knowledge.states
        events = list(events)
        readings = {} if isinstance(self.match.clues, Exact) else self._readings(events)
        for event in events:
            index, cell = self._grid.index(event.cell), event.cell
            if event.state == KNOWN_SAFE:
                yield say("log.guaranteed", cell=cell)
            elif event.state == EXPLODED:
                yield say("log.explodes", cell=cell, mines=states.count(EXPLODED))
            elif event.state not in UNKNOWN:
                shown = "none" if event.state == NO_CLUE else event.state
                true = shown if truth is None else truth.counts[index]
                about = {"lie": true != shown, "true": true, "around": self._around(index, states)}
                yield say("log.shows", cell=cell, shown=shown, **about)
                if event.cell in readings:
                    yield f"  {readings[event.cell]}"

    def _readings(self, events: Iterable[Event]) -> dict[Cell, str]:
        """Return, by opened cell, which numbers of mines its clue allows, with probabilities."""
        view, rules, clues = self.match.view, self.match.rules, self.match.clues
        density = rules.density if view.mines is None else None
        opened = [event.cell for event in events if is_opened(event.state)]
        odds = counts_around(view, opened, clues, density=density, budget=LOG_BUDGET)
        tables = clues.likelihoods(view)
        return {
            cell: self._reading(tables[self._grid.index(cell)], one)
            for cell, one in zip(opened, odds, strict=True)
        }

    @staticmethod
    def _reading(table: Likelihood, odds: CountOdds) -> str:
        about = "" if odds.exact else "about "
        each = ", ".join(f"{count}: {about}{100 * chance:.1f} %" for count, chance in odds.items())
        return say("log.reading", range=_possible(table), chances=each)

    def _around(self, index: int, states: bytes | bytearray) -> str:
        """Return how many neighbours of a cell are safe, mines and unresolved."""
        safe = mines = 0
        around = self._grid.neighbours(index)
        for near in around:
            mine: bool | None = states[near] == EXPLODED
            if states[near] in UNKNOWN:
                mine = None if self._reasoning is None else self._reasoning.verdict(near)
                mine = states[near] == FLAGGED or None if mine is None else mine
            if mine is None:
                continue
            mines += mine
            safe += not mine
        rest = len(around) - safe - mines
        about = {"unresolved": rest, "total": len(around), "claimed": self._claims}
        return say("log.around", safe=safe, mines=mines, **about)

    def _both(self) -> list[str]:
        """Return the true board next to what is known; before the deal, what is known alone."""
        truth, view = self.match.truth, self.match.view
        deduced = {} if self._reasoning is None else self._reasoning.deduced()
        text = plain(view, deduced=deduced) if truth is None else side_by_side(truth, view, deduced)
        return text.splitlines()


def _header(match: Match) -> Iterator[str]:
    view = match.view
    mines = "an unknown number of mines" if view.mines is None else plural(view.mines, "mine")
    yield f"play-by-play of {match.agent.name} on {view.rows}x{view.cols} with {mines}"
    if isinstance(match.agent, Recipe):
        yield from describe_recipe(match.agent)
    yield f"clues: {match.clues}"
    yield f"rules: {describe_rules(match.rules)}"
    yield f"start: {'chosen by the agent' if match.start is None else name_cell(match.start)}"
    yield f"seed: {match.seed}"


def describe_recipe(recipe: Recipe) -> Iterator[str]:
    """Yield what an agent does, where it comes from, and what it is made of."""
    origin = f" ({recipe.origin})" if recipe.origin.startswith("report") else ""
    yield f"agent: {recipe.about}{origin}"
    yield f"recipe: reasoners {recipe.reasons_by}; guesser {recipe.guesses_by}"


def describe_rules(rules: Rules) -> str:
    """Return the rules on one line."""
    mine = "a mine ends the game" if rules.on_mine == "end" else "play continues after a mine"
    count = "mine count known" if rules.count_known else "mine count unknown"
    density = "" if rules.density is None else f", mine density {rules.density}"
    flood = "zeros open their neighbours" if rules.flood else "zeros open only themselves"
    luck = ", every loss is a mistake" if rules.luck == "fair" else ""
    return f"{mine}, opening rule {rules.opening}, {count}{density}, {flood}{luck}"


def name_kind(move: Move) -> str:
    """Return `certain by RULE` or `guess at RISK`; a risk is not repeated if the reason has it.

    The rules of an agent that is not sound only claim.
    """
    if move.certain:
        kind = "claimed" if move.claimed else "certain"
        return say("log.kind", kind=kind, rule=move.rule or "none", risk="none")
    in_reason = move.risk is None or (move.why is not None and "risk" in move.why.phrase.values)
    return say("log.kind", kind="guess", rule="none", risk="none" if in_reason else move.risk)


def _result(turn: Turn) -> str:
    """Return what a move showed, in a few words."""
    opened = [event for event in turn.events if event.state not in COVERED]
    result: str = turn.action
    if any(event.state == EXPLODED for event in opened):
        result = "mine"
    elif len(opened) == 1 and result == "open":
        result = "nothing" if opened[0].state == NO_CLUE else "clue"
    elif result in {"open", "ask"}:
        result = {"open": "opened", "ask": "asked"}[result]
    clue = opened[0].state if opened else 0
    return say("log.result", result=result, clue=clue, cells=len(opened))


def _ending(record: Record) -> Iterator[str]:
    """Yield the figures with which the reports end a game."""
    mines = record.board.mine_count
    avoided = mines - record.exploded
    found, rate = (record.right / mines, avoided / mines) if mines else (1.0, 1.0)
    guesses = plural(record.guesses, "guess", "guesses")
    yield f"game over after {plural(len(record.turns), 'move')}, including {guesses}"
    yield f"time: {record.seconds:.3f} s, including the referee and this log"
    yield f"mines flagged correctly: {record.right} of {mines}, {100 * found:.1f} %"
    yield f"wrong flags: {record.wrong}"
    yield f"mines exploded: {record.exploded}, mines avoided: {avoided}, success rate: {rate:.2f}"
    yield proved(record)
    if record.fault:
        yield f"forfeited: {record.fault}"
    yield f"outcome: {record.outcome}"


def proved(record: Record) -> str:
    """Return the deductions by rule, the most frequent first: `deductions: 143 local, 12 gauss`.

    Those of an agent that is not sound are claims, some of which may be wrong.
    """
    what = "deductions" if proves(record.agent, record.clues) else "claims"
    ranked = sorted(record.deductions.items(), key=lambda item: (-item[1], item[0]))
    wrong = f"; {record.wrong_claims} wrong" if record.wrong_claims or what == "claims" else ""
    return f"{what}: {', '.join(f'{number} {rule}' for rule, number in ranked) or 'none'}{wrong}"


def _possible(table: Sequence[float]) -> str:
    """Return the numbers of mines that are possible: `1 or more`, `2 or fewer`, `exactly 3`."""
    counts = [count for count, chance in enumerate(table) if chance > 0]
    least, most, degree = counts[0], counts[-1], len(table) - 1
    if least == most:
        return say("clue.exactly", count=least)
    if len(counts) < most - least + 1:
        return say("clue.one-of", counts=", ".join(map(str, counts)))
    if (least == 0) == (most == degree):
        return say("clue.between", least=least, most=most)
    return say("clue.most", count=most) if least == 0 else say("clue.least", count=least)
