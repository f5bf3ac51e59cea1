"""A game told as it is played: the play-by-play of the reports.

`PlayByPlay(match, out, level)` is iterated in the place of its match. It writes as the game
goes and keeps nothing, so a log can have any length and is readable wherever it ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TextIO, get_args

from mineproof.agents.recipes import Recipe
from mineproof.errors import counted
from mineproof.games._mind import Mind
from mineproof.games.match import Match, Turn
from mineproof.games.record import Record
from mineproof.given import of_type, one_of
from mineproof.printable import printable
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.odds import CountOdds, counts_around
from mineproof.reasoning.posterior import MOVE_BUDGET
from mineproof.render import beside, plain
from mineproof.world.clues import Exact
from mineproof.world.geometry import Cell, name_cell
from mineproof.world.move import Move
from mineproof.world.rules import Rules
from mineproof.world.view import (
    COVERED,
    EXPLODED,
    FLAGGED,
    NO_CLUE,
    TOLD_SAFE,
    UNKNOWN,
    Event,
    is_opened,
)

LogLevel = Literal["moves", "reasons", "boards", "all"]
LOG_LEVELS: tuple[LogLevel, ...] = get_args(LogLevel)
"""Each tells what those before it tell, and more: a line a move; what was shown, what follows
and what is queued; the boards after every move; the equations and all steps of reasoning."""
LOG_BUDGET = MOVE_BUDGET // 2
"""Of the odds that a log tells after a move: with it a log costs less than the game itself."""


class PlayByPlay:
    """Writes what happens in a match, and why, while it is iterated.

    Of any agent the moves, their reasons and what they showed are told; of players that
    keep `Knowledge`, also what is known and what follows.
    """

    def __init__(self, match: Match, out: TextIO, level: LogLevel = "all") -> None:
        one_of(level, "log level", LOG_LEVELS)
        self.match = of_type(match, Match, "match")
        self._out = out
        self._reasons, self._boards, self._all = (
            LOG_LEVELS.index(level) >= LOG_LEVELS.index(least) for least in LOG_LEVELS[1:]
        )
        self._grid = match.view.grid
        knowledge = getattr(match.player, "knowledge", None)
        self._mind = Mind(knowledge, match.player) if isinstance(knowledge, Knowledge) else None
        self._headed = False

    def __iter__(self) -> Iterator[Turn]:
        """Play on, move by move; each is written when it comes."""
        self._write(*_header(self.match))
        if self._boards:
            if self._mind is not None:
                self._write(
                    "boards: c is deduced to be safe, m to be a mine; neither is played yet"
                )
            self._write(*self._both())
        self._out.flush()
        if self._mind is not None and self._all:
            self._mind.knowledge.tell = self._tell
        try:
            for turn in self.match:
                self._write(*self._turn(turn))
                self._headed = False
                self._out.flush()
                yield turn
            self._write("", *self._both(), *_ending(self.match.record()))
            self._out.flush()
        finally:
            if self._mind is not None:
                self._mind.knowledge.tell = None
            if not self.match.over and not getattr(self._out, "closed", False):
                self._write("", f"stopped after {counted(len(self.match.moves), 'move')}")
                self._out.flush()

    def _write(self, *lines: str) -> None:
        self._out.writelines(f"{printable(line.rstrip())}\n" for line in lines)

    def _tell(self, text: str) -> None:
        """What a reasoner does, as it does it; before that, what was found until then."""
        assert self._mind is not None
        lines = (*self._mind.follows(), *text.splitlines())
        self._write(*self._head(len(self.match.moves) + 1), *(f"  {line}" for line in lines))

    def _head(self, number: int) -> Iterator[str]:
        """The first line of a move, before all that leads to it."""
        if not self._headed:
            self._headed = True
            yield ""
            yield f"move {number}"

    def _turn(self, turn: Turn) -> Iterator[str]:
        number, mind = len(self.match.moves), self._mind
        if not self._reasons:
            yield f"move {number}: {_act(turn)}"
            return
        yield from self._head(number)
        if mind is not None and not mind.remembers:
            yield from (f"  {line}" for line in mind.findings(turn.move))
        yield f"  {_act(turn)}"
        yield from (f"  {line}" for line in self._shown(turn.events))
        if mind is not None:
            if mind.remembers:
                yield from (f"  {line}" for line in mind.findings(turn.move))
            mind.update(turn.events)
        if self._boards:
            yield from (f"  {line}" for line in self._both())
        if self._all and mind is not None:
            yield from (f"  {line}" for line in mind.equations())

    def _shown(self, events: Iterable[Event]) -> Iterator[str]:
        """For every opened cell what it shows, and what is around it."""
        mind, truth = self._mind, self.match.truth
        states = self.match.view.states if mind is None else mind.knowledge.states
        events = list(events)
        readings = {} if isinstance(self.match.clues, Exact) else self._readings(events)
        for event in events:
            index, cell = self._grid.index(event.cell), name_cell(event.cell)
            if event.state == TOLD_SAFE:
                yield f"{cell} is told to be safe"
            elif event.state == EXPLODED:
                yield f"{cell} explodes: {counted(states.count(EXPLODED), 'mine')} hit so far"
            elif event.state not in UNKNOWN:
                shows = "nothing" if event.state == NO_CLUE else str(event.state)
                true = shows if truth is None else str(truth.counts[index])
                lie = "" if true == shows else f" (in truth {true})"
                yield f"{cell} shows {shows}{lie}: {self._around(index, states)}"
                if event.cell in readings:
                    yield f"  {self._reading(event, readings[event.cell])}"

    def _readings(self, events: Iterable[Event]) -> dict[Cell, CountOdds]:
        """The odds of each number of mines around the cells that were opened."""
        view, rules = self.match.view, self.match.rules
        density = rules.density if view.mines is None else None
        opened = [event.cell for event in events if is_opened(event.state)]
        odds = counts_around(view, opened, self.match.clues, density=density, budget=LOG_BUDGET)
        return dict(zip(opened, odds, strict=True))

    def _reading(self, event: Event, odds: CountOdds) -> str:
        """What an uncertain clue leaves possible, and the odds of each number of mines."""
        shown = None if event.state == NO_CLUE else event.state
        degree = self._grid.degree(self._grid.index(event.cell))
        table = self.match.clues.likelihood(shown, degree, event.bound)
        about = "" if odds.exact else "about "
        each = ", ".join(f"{count} has odds {about}{chance:.1%}" for count, chance in odds.items())
        return f"so {_possible(table)}: {each}"

    def _around(self, index: int, states: bytes | bytearray) -> str:
        """How many neighbours of a cell are known to be safe, known to be mined, and neither."""
        safe = mined = 0
        around = self._grid.around(index)
        for near in around:
            mine: bool | None = states[near] == EXPLODED
            if states[near] in UNKNOWN:
                mine = None if self._mind is None else self._mind.verdict(near)
                mine = states[near] == FLAGGED or None if mine is None else mine
            if mine is None:
                continue
            mined += mine
            safe += not mine
        hidden = len(around) - safe - mined
        return f"neighbours: {safe} safe, {mined} mined, {hidden} hidden, {len(around)} in all"

    def _both(self) -> list[str]:
        """The truth next to the knowledge; before the deal, the knowledge alone."""
        truth, view = self.match.truth, self.match.view
        deduced = {} if self._mind is None else self._mind.deduced()
        text = plain(view, deduced=deduced) if truth is None else beside(truth, view, deduced)
        return text.splitlines()


def _header(match: Match) -> Iterator[str]:
    view = match.view
    mines = (
        "a number of mines that is not told" if view.mines is None else counted(view.mines, "mine")
    )
    yield f"play-by-play of {match.agent.name} on {view.rows}x{view.cols} with {mines}"
    if isinstance(match.agent, Recipe):
        yield from describe_recipe(match.agent)
    yield f"clues: {match.clues}"
    yield f"rules: {describe_rules(match.rules)}"
    yield f"start: {'chosen by the agent' if match.start is None else name_cell(match.start)}"
    yield f"seed: {match.seed}"


def describe_recipe(recipe: Recipe) -> Iterator[str]:
    """What an agent does, where it comes from, and what it is made of."""
    yield f"agent: {recipe.about} ({recipe.origin})"
    yield f"recipe: reasons by {recipe.reasons_by}; else guesses by {recipe.guesses_by}"


def describe_rules(rules: Rules) -> str:
    """The rules on one line."""
    mine = "a mine ends the game" if rules.on_mine == "end" else "play goes on after a mine"
    count = "the count is known" if rules.count_known else "the count is not known"
    density = "" if rules.density is None else f", the density is {rules.density}"
    flood = "zeros open their surroundings" if rules.flood else "zeros open nothing"
    return f"{mine}, the first cell is {rules.opening}, {count}{density}, {flood}"


def _act(turn: Turn) -> str:
    """A move, what it showed, and its reason."""
    move = turn.move
    where = "" if move.action in {"stop", "ask"} else f" {name_cell(move.cell)}"
    reason = " ".join(move.reason.split())
    return f"{move.action}{where}: {_result(turn)}; {name_kind(move)}: {reason}"


def name_kind(move: Move) -> str:
    """Whether a move is certain, and by which rule, or a guess, and at which risk."""
    if move.certain:
        return f"certain by {move.rule}" if move.rule else "certain"
    return "a guess" if move.risk is None else f"a guess at {move.risk:.1%}"


def _result(turn: Turn) -> str:
    """What a move showed, in a few words."""
    opened = [event for event in turn.events if event.state not in COVERED]
    if any(event.state == EXPLODED for event in opened):
        return "a mine"
    if len(opened) == 1 and turn.move.action == "open":
        state = opened[0].state
        return "shows nothing" if state == NO_CLUE else f"shows {state}"
    if turn.move.action in {"open", "ask"}:
        return (
            f"{counted(len(opened), 'cell')} {'opened' if turn.move.action == 'open' else 'told'}"
        )
    return {"flag": "flagged", "unflag": "flag taken back"}.get(turn.move.action, "the end")


def _ending(record: Record) -> Iterator[str]:
    """The figures with which the reports end a game."""
    mines = record.board.mine_count
    avoided = mines - record.exploded
    found, rate = (record.right / mines, avoided / mines) if mines else (1.0, 1.0)
    yield f"game over after {counted(len(record.moves), 'move')}, {record.guesses} of them guesses"
    yield f"seconds: {record.seconds:.3f}, with the referee's and this log's"
    yield f"mines found without exploding: {record.right} of {mines}, {100 * found:.1f} %"
    yield f"flags wrong: {record.wrong}"
    yield f"mines exploded: {record.exploded}, mines avoided: {avoided}, success rate: {rate:.2f}"
    yield proved(record)
    if record.fault:
        yield f"lost by a fault: {record.fault}"
    yield f"outcome: {record.outcome}"


def proved(record: Record) -> str:
    """How many moves each rule proved, most first: `proved: 143 local, 12 gauss`."""
    ranked = sorted(record.deductions.items(), key=lambda item: (-item[1], item[0]))
    return f"proved: {', '.join(f'{number} {rule}' for rule, number in ranked) or 'nothing'}"


def _possible(table: Sequence[float]) -> str:
    """Which numbers of mines a likelihood leaves: `1 or more`, `2 or fewer`, `exactly 3`."""
    counts = [count for count, chance in enumerate(table) if chance > 0]
    least, most, degree = counts[0], counts[-1], len(table) - 1
    if least == most:
        return f"exactly {least}"
    if len(counts) < most - least + 1:
        return f"one of {', '.join(map(str, counts))}"
    if least == 0:
        return "any number" if most == degree else f"{most} or fewer"
    return f"{least} or more" if most == degree else f"{least} to {most}"
