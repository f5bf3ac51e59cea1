"""
The native twins of what must be fast; the same results as the Python code.
"""

from collections.abc import Callable, Sequence
import enum
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray

import mineproof.errors


class Cancelled(mineproof.errors.MineproofError):
    """Somebody asked to stop."""

class TooManyStates(mineproof.errors.MineproofError):
    """A search met more states than allowed."""

class Overflow(mineproof.errors.MineproofError):
    """A coefficient left the range of 64 bits."""

class BrokenOpening(mineproof.errors.MineproofError):
    """
    A board has a mine where the opening rule promises none; `game` is the number of its game.
    """

    game: int = 0

class Cancel:
    """A request to stop, set from any thread; a call that lasts ends."""

    def __init__(self) -> None: ...

    def set(self) -> None: ...

    def clear(self) -> None: ...

    def is_set(self) -> bool: ...

def deal(rows: int, cols: int, mines: int, free: Sequence[int], seed: int) -> bytes:
    """
    Mines by count, uniform among the boards in which the cells `free` have none.
    """

def deal_each(rows: int, cols: int, threshold: int, free: Sequence[int], seed: int) -> bytes:
    """Each cell mined by itself with chance `threshold` / 2**53."""

def order_keys(size: int, seed: int) -> bytes:
    """The 64-bit keys of the shared order, cell by cell."""

def words(seed: int, purpose: int, index: int, count: int) -> list[int]:
    """The first 32-bit words of a stream."""

def count_mines(rows: int, cols: int, mines: bytes) -> bytes:
    """Mines around every cell."""

class Figures:
    """What players call a board's figures."""

    @property
    def openings(self) -> int: ...

    @property
    def islands(self) -> int: ...

    @property
    def bbbv(self) -> int: ...

def figures(rows: int, cols: int, mines: bytes) -> Figures:
    """Openings, islands and 3BV of a board."""

class Opening(enum.Enum):
    """What the first move is promised."""

    any = 0

    safe = 1

    clear = 2

class Action(enum.Enum):
    open = 0

    flag = 1

    unflag = 2

    stop = 3

class Rule(enum.Enum):
    """What proved a cell."""

    none = 0

    opening = 1

    local = 2

    count = 3

    subset = 4

    gauss = 5

    exact = 6

    pairs = 7

class Beyond(enum.Enum):
    """Which reasoner is asked where the local rules find no more."""

    none = 0

    subset = 1

    subset_until_found = 2

    gauss = 3

    gauss_count = 4

    exact = 5

class Guesser(enum.Enum):
    in_order = 0

    clue_ratio = 1

    clue_sum = 2

    local_probability = 3

    least_exact = 4

    champion = 5

class GameRules:
    """The rules of games that are played natively."""

    def __init__(self, *, mine_ends: bool, opening: Opening, count_known: bool, flood: bool, density: float | None) -> None: ...

class Budget:
    """How much a decision of the champion may cost."""

    def __init__(self, *, arrangements: int, work: int, parts: int, candidates: int, premium: float, leaves: int, playouts: int, fifties: int, further: int, learned: int) -> None: ...

class Strategy:
    """An agent that can play natively."""

    def __init__(self, *, local: bool, pairs: bool, beyond: Beyond, guesser: Guesser, first: int | None, budget: Budget | None) -> None:
        """`first`: the cell it opens first, if it names one."""

class Ground:
    """Where mines come from: ready boards, or deals."""

    def __init__(self, rows: int, cols: int, *, mines: int = 0, threshold: int | None = None, boards: Sequence[bytes] | None = None) -> None:
        """
        Dealt by count, or cell by cell with chance `threshold` / 2**53; or boards, one a game.
        """

class Move:
    @property
    def cell(self) -> int: ...

    @property
    def action(self) -> Action: ...

    @property
    def certain(self) -> bool: ...

    @property
    def rule(self) -> Rule: ...

    @property
    def risk(self) -> float | None:
        """None where no estimate was made."""

class Recorded:
    """One finished game."""

    @property
    def won(self) -> bool: ...

    @property
    def mines(self) -> int: ...

    @property
    def right(self) -> int: ...

    @property
    def wrong(self) -> int: ...

    @property
    def exploded(self) -> int: ...

    @property
    def guesses(self) -> int: ...

    @property
    def moves(self) -> list[Move]: ...

class Proved:
    """Cells, by index."""

    @property
    def safe(self) -> list[int]: ...

    @property
    def mined(self) -> list[int]: ...

def columns() -> dict[str, str]:
    """The columns that play_games fills, and the type of each."""

def play_games(ground: Ground, rules: GameRules, strategy: Strategy, start: int, seed: int, first: int, columns: dict[str, Any], seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None = None, cancel: Cancel | None = None) -> None:
    """
    Plays the games `first`, `first` + 1, ... of the series `seed`, as many as the arrays are long, and fills these. `start`: the cell to open first, or -1. `seeds`: a row for each game, its own and its players', in place of what follows from `seed`. Raises BrokenOpening, Overflow, Cancelled.
    """

def play(ground: Ground, rules: GameRules, strategy: Strategy, start: int, seed: int, cancel: Cancel | None = None) -> Recorded:
    """One game, with its moves."""

def closure(view: object, rules: GameRules, strategy: Strategy, cancel: Cancel | None = None) -> Proved:
    """What the rules of this agent prove."""

class Outcome(enum.Enum):
    """How a posterior was found."""

    exact = 0

    estimate = 1

    contradiction = 2

class Model:
    """The likelihoods of a clue model: [shown][degree][count]."""

    def __init__(self, table: Annotated[NDArray[numpy.float64], dict(shape=(10, 9, 9), order='C', device='cpu', writable=False)]) -> None: ...

class Effort:
    """What was counted for a posterior."""

    @property
    def components(self) -> int: ...

    @property
    def largest_component(self) -> int:
        """In boxes."""

    @property
    def widest(self) -> int:
        """States of the widest layer."""

    @property
    def states(self) -> int: ...

    @property
    def most_open(self) -> int:
        """Clues open at once."""

    @property
    def reused(self) -> int:
        """Components taken over from the last view."""

class CountOdds:
    """How many mines are around a cell."""

    @property
    def chance(self) -> list[float]:
        """Of every number of mines."""

    @property
    def error(self) -> float:
        """The largest standard error of a chance."""

class Solution:
    """The posterior of one view."""

    @property
    def outcome(self) -> Outcome: ...

    @property
    def exact(self) -> bool:
        """Whether all was counted, not estimated."""

    @property
    def fits(self) -> bool:
        """Whether any arrangement fits."""

    @property
    def risk(self) -> bytes:
        """The chance of a mine in each cell, as doubles."""

    @property
    def safe(self) -> list[int]:
        """The cells that are proved safe."""

    @property
    def mined(self) -> list[int]:
        """The cells that are proved mined."""

    @property
    def log_weight(self) -> float: ...

    @property
    def error(self) -> float: ...

    @property
    def log_error(self) -> float:
        """The standard error of log_weight."""

    @property
    def count_odds(self) -> list[CountOdds]:
        """By watched cell."""

    @property
    def effort(self) -> Effort: ...

class Engine:
    """An engine that remembers the components of the last view."""

    def __init__(self) -> None: ...

    def posterior(self, view: object, model: Model | None, overrides: Sequence[tuple[int, Sequence[float]]], density: float | None, trust_flags: bool, budget: int, mines: int | None, cancel: Cancel | None = None) -> Solution:
        """The posterior; components that did not change are taken over."""

def posterior(view: object, model: Model | None, overrides: Sequence[tuple[int, Sequence[float]]], density: float | None, trust_flags: bool, budget: int, mines: int | None, watched: Sequence[int] = [], cancel: Cancel | None = None) -> Solution:
    """The exact posterior of a view."""

def posteriors(views: list[Any], model: Model | None, overrides: Sequence[Sequence[tuple[int, Sequence[float]]]], density: float | None, trust_flags: bool, budget: int, threads: int, cancel: Cancel | None = None) -> list[Solution]:
    """The posteriors of many views; overrides of none of them, or of each."""

def sample(view: object, model: Model | None, overrides: Sequence[tuple[int, Sequence[float]]], density: float | None, trust_flags: bool, budget: int, mines: int | None, count: int, seed: int, cancel: Cancel | None = None) -> Sample:
    """Boards drawn exactly from the posterior."""

class Sample:
    """Boards drawn; none unless the outcome is exact."""

    @property
    def outcome(self) -> Outcome: ...

    @property
    def boards(self) -> list[bytes]: ...

def timings(views: list[Any], budget: int, repeats: int, cancel: Cancel | None = None) -> list[float]:
    """
    CPU seconds of each view with exact clues in the kernel, the least of some repeats.
    """

class Method(enum.Enum):
    """How a decision was made."""

    endgame = 0

    part = 1

    look_ahead = 2

    playouts = 3

    opening = 4

    least_risk = 5

    fifty_fifty = 6

    flags = 7

    learned = 8

class Candidate:
    """A cell that was considered; None where there is no figure."""

    @property
    def cell(self) -> int: ...

    @property
    def risk(self) -> float: ...

    @property
    def score(self) -> float | None:
        """By look-ahead."""

    @property
    def win(self) -> float | None:
        """Its chance to win."""

    @property
    def error(self) -> float | None:
        """The standard error of that; 0 where it is exact."""

    @property
    def loss(self) -> float | None:
        """
        The flags that it is expected to cost, where a mine does not end the game.
        """

class Advice:
    """By which method, and what was considered, the best first."""

    @property
    def method(self) -> Method: ...

    @property
    def candidates(self) -> list[Candidate]: ...

class Chance:
    """A chance to win, and its standard error: 0 where it is exact."""

    @property
    def win(self) -> float: ...

    @property
    def error(self) -> float: ...

class Optimum:
    """What best play wins."""

    @property
    def wins(self) -> int:
        """Boards won by best play,"""

    @property
    def boards(self) -> int:
        """of so many."""

    @property
    def first(self) -> int:
        """A best first cell; -1 where there is none to open."""

    @property
    def states(self) -> int:
        """That were met."""

class OptimalScore:
    """What best play loses of the mines."""

    @property
    def loss(self) -> int:
        """Mines and flags lost, summed over"""

    @property
    def boards(self) -> int:
        """so many boards."""

    @property
    def first(self) -> int:
        """A best first cell; -1 where none is to be opened."""

    @property
    def states(self) -> int:
        """That were met."""

def advise(view: object, model: Model | None, overrides: Sequence[tuple[int, Sequence[float]]], density: float | None, rules: GameRules, budget: Budget, cancel: Cancel | None = None) -> Advice:
    """How the champion decides."""

def win_chance(view: object, rules: GameRules, budget: Budget, games: int, cancel: Cancel | None = None, first: int | None = None) -> Chance | None:
    """
    The chance to win a view with exact clues and a known count, by opening the cell `first` if one is given; else None.
    """

def score_cost(view: object, rules: GameRules, budget: Budget, cancel: Cancel | None = None, first: int | None = None) -> float | None:
    """
    The flags that best play costs from here on, by opening the cell `first` if one is given, where a mine does not end the game; None where that is too much to search.
    """

def solve(rows: int, cols: int, mines: int, opening: Opening, most: int, report: Callable[[int], None], cancel: Cancel | None = None) -> Optimum:
    """
    Best play on a small board. Raises TooManyStates, and what `report` raises, which is called now and then with the number of states.
    """

def solve_score(rows: int, cols: int, mines: int, opening: Opening, most: int, report: Callable[[int], None], cancel: Cancel | None = None) -> OptimalScore:
    """The same for the score."""

class Line:
    """A line of an argument by cases."""

    class What(enum.Enum):
        """What a line does."""

        assume = 0

        force = 1

        clash = 2

    @property
    def what(self) -> Line.What: ...

    @property
    def depth(self) -> int: ...

    @property
    def clues(self) -> list[int]:
        """The cells of the clues; -1 is the mine count."""

    @property
    def signs(self) -> list[int]:
        """Of each clue: 1 added, -1 taken away."""

    @property
    def cells(self) -> list[int]: ...

    @property
    def mine(self) -> bool: ...

class Settled:
    """A cell, and whether it is a mine."""

    @property
    def cell(self) -> int: ...

    @property
    def mine(self) -> bool: ...

class Inference:
    """A step of a proof."""

    class Kind(enum.Enum):
        """How a step is made, the easiest first."""

        clue = 0

        pattern = 1

        subset = 2

        pair = 3

        sum = 4

        count = 5

        cases = 6

    @property
    def kind(self) -> Inference.Kind: ...

    @property
    def clues(self) -> list[int]:
        """The cells of the clues; -1 is the mine count."""

    @property
    def signs(self) -> list[int]:
        """Of each clue: 1 added, -1 taken away."""

    @property
    def settled(self) -> list[Settled]:
        """Of what it settles, what is used."""

    @property
    def lines(self) -> list[Line]:
        """Of an argument by cases."""

class Proof:
    """Why a cell is certain."""

    @property
    def cell(self) -> int: ...

    @property
    def mine(self) -> bool: ...

    @property
    def clues(self) -> list[int]:
        """The cells whose clues it rests on, rising."""

    @property
    def count_used(self) -> bool: ...

    @property
    def least(self) -> bool:
        """Whether no smaller set of clues does."""

    @property
    def irreducible(self) -> bool:
        """Whether none of them can be left out."""

    @property
    def steps(self) -> list[Inference]: ...

def prove(view: object, model: Model | None, overrides: Sequence[tuple[int, Sequence[float]]], density: float | None, trust_flags: bool, budget: int, mines: int | None, cells: Sequence[int], questions: int, cancel: Cancel | None = None) -> list[Proof]:
    """
    Proofs of those of the cells that are certain; each asks so many questions about clues.
    """

def explain(view: object, model: Model | None, overrides: Sequence[tuple[int, Sequence[float]]], density: float | None, trust_flags: bool, budget: int, mines: int | None, cell: int, questions: int, cancel: Cancel | None = None) -> Proof | Solution:
    """
    The proof of a cell that is certain; the odds of all cells where it is not.
    """

class Consistency:
    """Which clues can hold together."""

    def __init__(self, clues: Sequence[tuple[Sequence[int], int]], cells: int) -> None:
        """
        Clues by their cells and the numbers of mines that they allow, a bit each; of so many cells.
        """

    def clash(self, chosen: Sequence[int]) -> bool:
        """
        Whether clues, by place, cannot hold together; False if it was given up.
        """

    @property
    def gave_up(self) -> bool:
        """Whether a question was given up."""

    @property
    def nodes(self) -> int:
        """Numbers tried for boxes in the last question."""

class Reasoning(enum.Enum):
    """How one reasons; each level has all before it."""

    local = 0

    pairs = 1

    subset = 2

    gauss = 3

    exact = 4

class Deduced:
    """A board played by what is certain."""

    @property
    def solved(self) -> bool:
        """Whether every safe cell was opened."""

    @property
    def opened(self) -> int: ...

    @property
    def times(self) -> list[int]:
        """
        By level: positions at which no level before it proved a cell safe, and it did.
        """

class Wanted:
    """What kind of board is wanted."""

    def __init__(self, *, rows: int, cols: int, mines: int, start: int, opening: Opening, reasoning: Reasoning, needed: bool, deals: int, moves: int) -> None: ...

class Search:
    """Of one board of a series: how far its search came."""

    def __init__(self, board: int, tries: int, found: bool, opened: int, mines: bytes, seed: int) -> None: ...

    @property
    def board(self) -> int:
        """Its number in the series."""

    @property
    def tries(self) -> int: ...

    @property
    def found(self) -> bool: ...

    @property
    def opened(self) -> int:
        """Safe cells that the best try opened."""

    @property
    def seed(self) -> int:
        """Of the deal that the board is or was made from."""

    @property
    def mines(self) -> bytes: ...

def search_boards(wanted: Wanted, seed: int, searches: Sequence[Search], most: int, seconds: float, threads: int, cancel: Cancel | None = None) -> list[Search]:
    """
    Goes on with searches, and returns them: until each has found its board or made `most` tries, or so many seconds have passed.
    """

def deduce(rows: int, cols: int, mines: bytes, start: int, opening: Opening, reasoning: Reasoning, cancel: Cancel | None = None) -> Deduced:
    """
    A board played by what is certain to this reasoning. Raises BrokenOpening, Overflow.
    """

class Renewal(enum.Enum):
    """When a game that has ended makes place for the next one."""

    next_step = 0

    same_step = 1

    never = 2

class VectorGame:
    """Many games at once: a step is a move in each."""

    def __init__(self, rows: int, cols: int, size: int, *, rules: GameRules, mines: int = 0, start: int = -1, boards: Sequence[tuple[bytes, int]] = [], flags: bool = False, limit: int = 0, renewal: Renewal = Renewal.next_step, threads: int = 1) -> None:
        """`boards`: mines and start of each, in place of deals."""

    def reset(self, places: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None:
        """New games in these places."""

    def step(self, moves: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """A move in each game."""

    def mines_of(self, place: int) -> bytes:
        """A byte a cell: the mines, as far as they are dealt."""

    def seed_of(self, place: int) -> int:
        """The seed of the game that stands there."""

    @property
    def states(self) -> NDArray[numpy.uint8]:
        """What the cells show, by game, row and column."""

    @property
    def legal(self) -> NDArray[numpy.int8]:
        """1 where a move is legal, by game and move; all 1 where any will do."""

    @property
    def last_states(self) -> NDArray[numpy.uint8]:
        """
        Of games that the last step ended and renewed: what their cells showed.
        """

    @property
    def last_legal(self) -> NDArray[numpy.int8]:
        """The same of the moves."""

    @property
    def opened(self) -> NDArray[numpy.int32]:
        """Cells that the last move opened."""

    @property
    def mines(self) -> NDArray[numpy.int32]:
        """Mines on the board that it was."""

    @property
    def exploded(self) -> NDArray[numpy.int32]:
        """Mines that it hit."""

    @property
    def right(self) -> NDArray[numpy.int32]:
        """Flags more on mines."""

    @property
    def wrong(self) -> NDArray[numpy.int32]:
        """Flags more on other cells."""

    @property
    def won(self) -> NDArray[numpy.uint8]:
        """1 where it won."""

    @property
    def over(self) -> NDArray[numpy.uint8]:
        """1 where it ended the game."""

    @property
    def cut(self) -> NDArray[numpy.uint8]:
        """1 where the limit ended it."""

    @property
    def illegal(self) -> NDArray[numpy.uint8]:
        """1 where it was illegal, and changed nothing."""

    @property
    def begun(self) -> NDArray[numpy.uint8]:
        """1 where a new game began instead."""

def positions(ground: Ground, rules: GameRules, strategy: Strategy, start: int, seed: int, first: int, games: int, budget: int, cancel: Cancel | None = None) -> dict[str, Any]:
    """
    What an agent saw before every cell that it opened in these games of a series, the odds, its move and the end, as columns; `states` and `risk` (floats) by position and cell.
    """
