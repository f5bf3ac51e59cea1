"""Check your own agents.

`check_agent(agent)` plays small games and raises `AgentFault` if the agent breaks its contract:
it makes only legal moves, decides the same for the same input, is never certain and wrong, and
does not know hidden mines.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any, NoReturn

from mineproof.agents import Agent, as_agent
from mineproof.arguments import of_type
from mineproof.errors import (
    AgentFault,
    IllegalMove,
    InvalidInput,
    check_integer,
    check_probability,
    plural,
)
from mineproof.games.guarded_player import check_seconds, start_player
from mineproof.games.match import ask_first
from mineproof.phrases import Phrase
from mineproof.printable import printable
from mineproof.world.board import OPENINGS, Board, Deal
from mineproof.world.chance import (
    Purpose,
    Seeds,
    Stream,
    check_salt,
    check_seed,
    fresh_salt,
    seeds_of,
)
from mineproof.world.clues import Cautious, ClueModel, Exact, Optimistic, Sometimes, Table
from mineproof.world.game import Game
from mineproof.world.geometry import as_cell
from mineproof.world.move import Move, most_moves
from mineproof.world.rules import ON_MINE, Rules
from mineproof.world.view import EXPLODED, UNKNOWN, Event, View, is_clue

_SHAPES = ((1, 1, 0), (1, 6, 2), (4, 4, 3), (5, 4, 5), (6, 6, 6), (6, 5, 12))
_NOISE: tuple[ClueModel, ...] = (
    Sometimes(0.5),
    Optimistic(),
    Cautious(),
    Sometimes(0.3, redraw=True),
    Optimistic(known=True),
    Cautious(known=True),
    Table([[0.8 * (c == n) + 0.2 * (c == abs(n - 1)) for c in range(9)] for n in range(9)]),
)


def check_agent(
    agent: Any,
    *,
    games: int = 40,
    seed: int = 0,
    salt: str | None = None,
    seconds: float | None = None,
) -> None:
    """Raise `AgentFault` if the agent breaks its contract in any of these games.

    The contract: decisions are legal; they are the same for the same input, whether the player
    observed the whole game or starts at the position (except for agents that declare
    `remembers`); certain decisions are correct if clues are exact; they do not change when the
    hidden mines are dealt again, consistent with the view; and a move takes at most `seconds`
    (default 60).

    The games are sealed: every call plays different ones. The error contains the salt; pass it as
    `salt` to play the same games again.
    """
    checked = as_agent(agent)
    salt = fresh_salt() if salt is None else check_salt(salt)
    seed, seconds = check_seed(seed), check_seconds(seconds)
    for number in range(check_integer(games, "games", 0, 10**6)):
        _Trial(checked, seeds_of(seed, number, salt), number, salt, seconds).run()


class _Trial:
    """One game, with all checks."""

    def __init__(self, agent: Agent, seeds: Seeds, number: int, salt: str, seconds: float) -> None:
        """`number` selects the size, the rules and the clue model."""
        self.agent, self.salt, self.seconds = agent, salt, seconds
        self.seed, self.player_seed = seeds
        rows, cols, self.mines = _SHAPES[number % len(_SHAPES)]
        self.rules = Rules(
            on_mine=ON_MINE[number // 2 % 2],
            opening=OPENINGS[number // 3 % 3] if self.mines < rows * cols - 9 else "any",
            count_known=number % 5 != 4,
            flood=number % 7 != 6,
        )
        self.clues = _NOISE[number // 4 % len(_NOISE)] if number % 4 == 3 else Exact()
        deal = Deal(rows, cols, self.mines)
        anywhere = deal.grid.cell(Stream(self.seed, Purpose.TIES).below(deal.grid.size))
        start = anywhere if number % 2 else None
        self.game = Game(deal, self.rules, self.clues, start=start, seed=self.seed)
        self.first = self.game.view
        self.heard: list[list[Event]] = []
        self.done: list[Move] = []

    def run(self) -> None:
        game = self.game
        player = self.begin(self.first)
        while not game.over:
            if len(self.done) > most_moves(game.grid):
                self.fault(game.view, f"made {len(self.done)} moves without finishing the game")
            if not self.done and game.start is not None:
                events = game.open(game.start)
                self.done.append(Move(game.start, "open", None, False, Phrase("first.given")))
            else:
                latest = self.done[-1].action if self.done else None
                events = self.play(game, ask_first(game, self.decide(player, game), latest))
            self.heard.append(events)
            player.observe(list(events))

    def begin(self, view: View) -> Any:
        setting: dict[str, Any] = {"rules": self.rules, "clues": self.clues}
        setting |= {"seed": self.player_seed, "seconds": self.seconds}
        try:
            return start_player(self.agent, deepcopy(view), **setting)
        except AgentFault as fault:
            self.fault(view, fault.fault)

    def ask(self, player: Any, view: View) -> Move:
        """Return a player's decision, after checking it."""
        try:
            decision: Move = player.decide()
        except AgentFault as fault:
            self.fault(view, fault.fault)
        self.legal(decision, view)
        return decision

    def decide(self, player: Any, game: Game) -> Move:
        """Return the decision, after comparing it with those asked for in other ways."""
        view = game.view
        decision = self.ask(player, view)
        self.same(decision, self.ask(player, view), view, "when asked a second time")
        again = self.begin(self.first)
        for events in self.heard:
            again.observe(list(events))
        self.same(decision, self.ask(again, view), view, "when a new player replayed the same game")
        if not getattr(self.agent, "remembers", False):
            alone = self.ask(self.begin(view), view)
            self.same(decision, alone, view, "when given only the position")
        if isinstance(self.clues, Exact) and self.done and len(self.done) % 3 == 1:
            self.dealt_again(decision, game, view)
        return decision

    def play(self, game: Game, decision: Move) -> list[Event]:
        view = game.view
        before = game.exploded + game.wrong
        try:
            events = game.play(decision.cell, decision.action)
        except (IllegalMove, InvalidInput) as error:
            self.fault(view, f"made an illegal move: {error}")
        harm = game.exploded + game.wrong > before
        if harm and decision.certain and isinstance(self.clues, Exact):
            self.fault(view, f"was certain but wrong: {decision}")
        self.done.append(decision)
        return events

    def dealt_again(self, decision: Move, game: Game, view: View) -> None:
        """Check that other hidden mines, consistent with the view, lead to the same decision."""
        stream = Stream(self.seed, Purpose.TIES, len(self.done))
        board = redeal(view, self.mines, stream)
        # A different seed, as an agent could compute the board from the game's seed.
        twin = Game(board, self.rules, self.clues, start=game.start, seed=self.seed ^ 1)
        player = self.begin(twin.view)
        for move, events in zip(self.done, self.heard, strict=True):
            if twin.play(move.cell, move.action) != events:
                raise AssertionError(f"the mines of {board!r} are inconsistent with {view!r}")
            player.observe(list(events))
        self.same(decision, self.ask(player, view), view, "with the hidden mines dealt again")

    def legal(self, decision: Move, view: View) -> None:
        if not isinstance(decision, Move):
            self.fault(view, f"must return a Decision, got {decision!r}")
        if not decision.reason or not isinstance(decision.reason, str):
            self.fault(view, f"gave no reason: {decision}")
        try:
            as_cell(decision.cell)
            if decision.risk is not None:
                check_probability(decision.risk, "a risk")
        except InvalidInput as error:
            self.fault(view, f"returned {decision}: {error}")
        if decision.certain and decision.risk:
            self.fault(view, f"is certain but gives a risk above 0: {decision}")

    def same(self, one: Move, other: Move, view: View, when: str) -> None:
        """Check that two decisions are the same.

        Reasons may differ, because a cell may be proved in several ways, and so may the last digits
        of a risk, which may be counted in several ways.
        """
        near = one.risk == other.risk or abs((one.risk or 0.0) - (other.risk or 0.0)) <= 1e-9
        near &= (one.risk is None) == (other.risk is None)
        if not near or _bare(one) != _bare(other):
            self.fault(view, f"decided differently {when}: {one}, then {other}")

    def fault(self, view: View, what: str) -> NoReturn:
        raise AgentFault(
            f"{printable(what)}; at {view.to_text()!r} "
            f"under {self.rules}, clues {self.clues}, seed {self.seed}, salt {self.salt!r}",
            self.agent.name,
        )


def _bare(decision: Move) -> Move:
    return replace(decision, risk=None, reason="", rule="")


def redeal(view: View, mines: int, stream: Stream) -> Board:
    """Return a random board with this many mines consistent with an exact view; for small views.

    It fills the frontier by backtracking and spreads the remaining mines over the interior. Every
    configuration is possible, but not all are equally likely.
    """
    of_type(view, View, "view")
    of_type(stream, Stream, "stream")
    grid = view.grid
    mines = check_integer(mines, "mines", 0, grid.size)
    mined = bytearray(state == EXPLODED for state in view.states)
    covered = [i for i, state in enumerate(view.states) if state in UNKNOWN]
    clues = {i: state for i, state in enumerate(view.states) if is_clue(state)}
    around = {i: [near for near in grid.neighbours(i) if near in clues] for i in covered}
    frontier = [i for i in covered if around[i]]
    others = [i for i in covered if not around[i]]
    undecided = {i: sum(near in around for near in grid.neighbours(i)) for i in clues}
    needed = {
        i: clue - sum(mined[near] for near in grid.neighbours(i)) for i, clue in clues.items()
    }

    def place(depth: int, left: int) -> bool:
        if depth == len(frontier):
            return 0 <= left <= len(others) and _spread(mined, others, left, stream)
        index = frontier[depth]
        first = stream.below(2)
        for mine in (first, 1 - first):
            mined[index] = mine
            for clue in around[index]:
                undecided[clue] -= 1
                needed[clue] -= mine
            fits = all(0 <= needed[clue] <= undecided[clue] for clue in around[index])
            if fits and place(depth + 1, left - mine):
                return True
            for clue in around[index]:
                undecided[clue] += 1
                needed[clue] += mine
        return False

    if not place(0, mines - sum(mined)):
        raise InvalidInput(
            f"no configuration of {plural(mines, 'mine')} is consistent with {view.to_text()!r}"
        )
    return Board(grid, bytes(mined))


def _spread(mined: bytearray, cells: list[int], count: int, stream: Stream) -> bool:
    """Put mines on `count` of the cells, uniformly at random."""
    pool = list(cells)
    for index in cells:
        mined[index] = 0
    for _ in range(count):
        mined[pool.pop(stream.below(len(pool)))] = 1
    return True
