"""
The compiled counterparts of performance-critical code; same results as in Python.
"""

from collections.abc import Callable, Sequence
import enum
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray

import mineproof.errors


class Cancelled(mineproof.errors.MineproofError):
    """The call was cancelled."""

class TooManyStates(mineproof.errors.MineproofError):
    """A search needs more states than allowed."""

class Overflow(mineproof.errors.MineproofError):
    """A coefficient exceeds 64 bits."""

class BrokenOpening(mineproof.errors.MineproofError):
    """
    A board has a mine where the opening rule allows none; `game` is the number of its game.
    """

    game: int = 0

class Cancel:
    """A request to stop a running call; any thread may set it."""

    def __init__(self) -> None: ...

    def set(self) -> None: ...

    def clear(self) -> None: ...

    def is_set(self) -> bool: ...

class Purpose(enum.Enum):
    """What a random stream is used for."""

    game = 0

    board = 1

    order = 2

    noise = 3

    ties = 4

    playout = 5

    player = 6

    attempt = 7

    repair = 8

    fair = 9

class State(enum.Enum):
    """What a cell shows if not a clue."""

    hidden = 9

    known_safe = 10

    no_clue = 11

    exploded = 12

    flagged = 13

def deal(rows: int, cols: int, mines: int, free: Sequence[int], seed: int) -> bytes:
    """
    Deal mines by count, uniformly among boards with no mine in the cells `free`.
    """

def deal_each(rows: int, cols: int, threshold: int, free: Sequence[int], seed: int) -> bytes:
    """
    Place a mine in each cell independently, with probability `threshold` / 2**53.
    """

def order_keys(size: int, seed: int) -> bytes:
    """Return the 64-bit keys of the shared random order, cell by cell."""

def words(seed: int, purpose: int, index: int, count: int) -> list[int]:
    """Return the first 32-bit words of a random stream."""

def count_mines(rows: int, cols: int, mines: bytes) -> bytes:
    """Count the mines around every cell."""

class Figures:
    """The figures of a board that players use."""

    @property
    def openings(self) -> int: ...

    @property
    def islands(self) -> int: ...

    @property
    def bbbv(self) -> int: ...

def figures(rows: int, cols: int, mines: bytes) -> Figures:
    """Compute openings, islands and 3BV of a board."""

class Opening(enum.Enum):
    """What is guaranteed for the first cell."""

    any = 0

    safe = 1

    clear = 2

class Luck(enum.Enum):
    """Whether the board is fixed, or every loss is a mistake."""

    dealt = 0

    fair = 1

class Action(enum.Enum):
    """What a move does."""

    open = 0

    flag = 1

    unflag = 2

    stop = 3

    ask = 4

class Rule(enum.Enum):
    """The rule that proved a cell."""

    none = 0

    opening = 1

    local = 2

    count = 3

    subset = 4

    gauss = 5

    exact = 6

    pairs = 7

    arrangements = 8

class AdvancedRule(enum.Enum):
    """The reasoner that continues when the local rules find nothing more."""

    none = 0

    subset = 1

    subset_until_found = 2

    gauss = 3

    gauss_count = 4

    exact = 5

class Guesser(enum.Enum):
    """How an agent guesses."""

    in_order = 0

    clue_ratio = 1

    clue_sum = 2

    local_probability = 3

    least_exact = 4

    champion = 5

    least_share = 6

class Fault(enum.Enum):
    """Why a game did not end."""

    none = 0

    broken_opening = 1

    overflow = 2

    contradiction = 3

    nowhere = 4

    cancelled = 5

class GameRules:
    """The rules of a compiled game."""

    def __init__(self, *, mine_ends: bool, opening: Opening, count_known: bool, flood: bool, density: float | None, luck: Luck = Luck.dealt) -> None: ...

class Budget:
    """The limits on the cost of one decision of the champion."""

    def __init__(self, *, arrangements: int, work: int, parts: int, candidates: int, premium: float, leaves: int, playouts: int, fifties: bool, further: bool, learned: bool) -> None: ...

class Strategy:
    """A compiled agent."""

    def __init__(self, *, local: bool, pairs: bool, beyond: AdvancedRule, guesser: Guesser, first: int | None, budget: Budget | None, naive: bool = False, shares: tuple[bool, int] | None = None) -> None:
        """
        `first`: the cell that it opens first, if any. `naive`: whether it takes every clue for exact. `shares`: whether the guesser least_share uses the mine count, and the most cells of a component that it counts.
        """

class GameSetup:
    """The source of boards: ready boards, or deals."""

    def __init__(self, rows: int, cols: int, *, mines: int = 0, threshold: int | None = None, boards: Sequence[bytes] | None = None) -> None:
        """
        Deals with a mine count, or with mine probability `threshold` / 2**53 per cell; or ready boards, one per game.
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
    def estimated(self) -> bool: ...

    @property
    def risk(self) -> float | None:
        """The mine probability; None if it was not computed."""

class RecordedGame:
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
    def estimates(self) -> int: ...

    @property
    def moves(self) -> list[Move]: ...

class Proved:
    """Proved cells, by index."""

    @property
    def safe(self) -> list[int]: ...

    @property
    def mined(self) -> list[int]: ...

def columns() -> dict[str, str]:
    """The columns that play_games fills in, with their types."""

def play_games(ground: GameSetup, rules: GameRules, clues: ClueModel | None, strategy: Strategy, start: int, seed: int, first: int, columns: dict[str, Any], seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None = None, cancel: Cancel | None = None) -> None:
    """
    Play the games `first`, `first` + 1, ... of the series `seed` and fill in the arrays, one element per game. `start`: the cell to open first, or -1. `seeds`: one row per game, with the seeds of the game and of its player, instead of seeds derived from `seed`. Raises BrokenOpening, Overflow, Cancelled.
    """

def play(ground: GameSetup, rules: GameRules, clues: ClueModel | None, strategy: Strategy, start: int, seed: int, cancel: Cancel | None = None) -> RecordedGame:
    """Play one game and return it with its moves."""

def closure(view: object, rules: GameRules, strategy: Strategy, cancel: Cancel | None = None) -> Proved:
    """Return the cells that the rules of this agent prove."""

class Outcome(enum.Enum):
    """The kind of a posterior."""

    exact = 0

    estimate = 1

    contradiction = 2

    cancelled = 3

class Verdict(enum.Enum):
    """What is proved of a cell."""

    open = 0

    safe = 1

    mine = 2

class ClueDraw(enum.Enum):
    """How a clue is drawn."""

    count = 0

    likelihood = 1

    at_most = 2

    at_least = 3

class ClueModel:
    """A clue model, by its likelihoods: [shown][degree][count]."""

    def __init__(self, table: Annotated[NDArray[numpy.float64], dict(shape=(10, 9, 9), order='C', device='cpu', writable=False)], drawn: ClueDraw = ClueDraw.likelihood, redraw: bool = False, known: bool = False) -> None: ...

class Effort:
    """The effort of counting a posterior."""

    @property
    def components(self) -> int: ...

    @property
    def largest_component(self) -> int:
        """Its size in groups of cells."""

    @property
    def widest(self) -> int:
        """The number of states of the widest layer."""

    @property
    def states(self) -> int: ...

    @property
    def most_open(self) -> int:
        """The largest number of open clues at a time."""

    @property
    def reused(self) -> int:
        """Components reused from the last view."""

class CountOdds:
    """The distribution of the number of mines around a cell."""

    @property
    def chance(self) -> list[float]:
        """The probability of every number of mines."""

    @property
    def error(self) -> float:
        """The largest standard error of a probability."""

class Solution:
    """The posterior of one view."""

    @property
    def outcome(self) -> Outcome: ...

    @property
    def exact(self) -> bool:
        """Whether the result was counted, not estimated."""

    @property
    def fits(self) -> bool:
        """Whether any configuration is possible."""

    @property
    def risk(self) -> bytes:
        """The mine probability of each cell, as doubles."""

    @property
    def safe(self) -> list[int]:
        """The cells that are proved safe."""

    @property
    def mined(self) -> list[int]:
        """The cells that are proved mines."""

    @property
    def log_weight(self) -> float: ...

    @property
    def error(self) -> float: ...

    @property
    def log_error(self) -> float:
        """The standard error of log_weight."""

    @property
    def count_odds(self) -> list[CountOdds]:
        """The result for each watched cell."""

    @property
    def effort(self) -> Effort: ...

class Engine:
    """An engine that keeps the components of the last view."""

    def __init__(self) -> None: ...

    def posterior(self, view: object, model: ClueModel | None, overrides: Sequence[tuple[int, Sequence[float]]], density: float | None, trust_flags: bool, budget: int, mines: int | None, cancel: Cancel | None = None) -> Solution:
        """Return the posterior; unchanged components are reused."""

def posterior(view: object, model: ClueModel | None, overrides: Sequence[tuple[int, Sequence[float]]], density: float | None, trust_flags: bool, budget: int, mines: int | None, watched: Sequence[int] = [], cancel: Cancel | None = None) -> Solution:
    """Return the exact posterior of a view."""

def posteriors(views: list[Any], model: ClueModel | None, overrides: Sequence[Sequence[tuple[int, Sequence[float]]]], density: float | None, trust_flags: bool, budget: int, threads: int, cancel: Cancel | None = None) -> list[Solution]:
    """
    Return the posteriors of many views; `overrides` is empty or has one entry per view.
    """

def sample(view: object, model: ClueModel | None, overrides: Sequence[tuple[int, Sequence[float]]], density: float | None, trust_flags: bool, budget: int, mines: int | None, count: int, seed: int, cancel: Cancel | None = None) -> Sample:
    """Draw boards from the exact posterior."""

class Sample:
    """The boards drawn; empty unless the outcome is exact."""

    @property
    def outcome(self) -> Outcome: ...

    @property
    def boards(self) -> list[bytes]: ...

def judge_opening(view: object, density: float | None, cell: int, mined: bytes, dealt_mines: int, seed: int, move: int, budget: int = 1000000, cancel: Cancel | None = None) -> tuple[bytes | None, bool]:
    """
    Judge an opening by the rule without luck: return the board that was drawn, or None if the board stays, and whether there was too much to count. `move`: the number of moves before.
    """

def timings(views: list[Any], budget: int, repeats: int, cancel: Cancel | None = None) -> list[float]:
    """
    Return the CPU seconds per view with exact clues in the kernel, the minimum of the repeats.
    """

class Method(enum.Enum):
    """The method of a decision."""

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
    """A cell that was considered; missing values are None."""

    @property
    def cell(self) -> int: ...

    @property
    def risk(self) -> float: ...

    @property
    def score(self) -> float | None:
        """The score by look-ahead."""

    @property
    def win(self) -> float | None:
        """The win probability."""

    @property
    def error(self) -> float | None:
        """The standard error of the win probability; 0 if it is exact."""

    @property
    def loss(self) -> float | None:
        """The expected cost in flags, if a mine does not end the game."""

class Advice:
    """The method and the candidates, the best first."""

    @property
    def method(self) -> Method: ...

    @property
    def candidates(self) -> list[Candidate]: ...

class Chance:
    """A win probability and its standard error, which is 0 if it is exact."""

    @property
    def win(self) -> float: ...

    @property
    def error(self) -> float: ...

class Optimum:
    """The result of best play."""

    @property
    def wins(self) -> int:
        """The number of boards that best play wins."""

    @property
    def boards(self) -> int:
        """The number of all boards."""

    @property
    def first(self) -> int:
        """A best first cell; -1 if there is none to open."""

    @property
    def states(self) -> int:
        """The number of states met."""

class OptimalScore:
    """The result of best play for the score."""

    @property
    def loss(self) -> int:
        """The mines and flags lost, summed over all boards."""

    @property
    def boards(self) -> int:
        """The number of boards."""

    @property
    def first(self) -> int:
        """A best first cell; -1 if it is best to open none."""

    @property
    def states(self) -> int:
        """The number of states met."""

def advise(view: object, model: ClueModel | None, overrides: Sequence[tuple[int, Sequence[float]]], density: float | None, rules: GameRules, budget: Budget, cancel: Cancel | None = None) -> Advice:
    """Return the champion's advice."""

def win_chance(view: object, rules: GameRules, budget: Budget, games: int, cancel: Cancel | None = None, first: int | None = None) -> Chance | None:
    """
    Return the win probability of a view with exact clues and a known count, or None if it is not available; with `first`, by opening this cell first.
    """

def score_cost(view: object, rules: GameRules, budget: Budget, cancel: Cancel | None = None, first: int | None = None) -> float | None:
    """
    Return the expected cost of best play in flags if a mine does not end the game, or None if there is too much to search; with `first`, by opening this cell first.
    """

def solve(rows: int, cols: int, mines: int, opening: Opening, most: int, report: Callable[[int], None], cancel: Cancel | None = None) -> Optimum:
    """
    Return best play on a small board. `report` is called from time to time with the number of states. Raises TooManyStates, and any exception of `report`.
    """

def solve_score(rows: int, cols: int, mines: int, opening: Opening, most: int, report: Callable[[int], None], cancel: Cancel | None = None) -> OptimalScore:
    """The same for the score."""

class Line:
    """A line of an argument by cases."""

    class What(enum.Enum):
        """The kind of a line."""

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
        """For each clue: 1 if added, -1 if subtracted."""

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
        """The kind of a step, from easy to hard."""

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
        """For each clue: 1 if added, -1 if subtracted."""

    @property
    def settled(self) -> list[Settled]:
        """The deduced cells that are used later."""

    @property
    def lines(self) -> list[Line]:
        """The lines of an argument by cases."""

class Proof:
    """Why a cell is certain."""

    @property
    def cell(self) -> int: ...

    @property
    def mine(self) -> bool: ...

    @property
    def clues(self) -> list[int]:
        """The cells whose clues it uses, in increasing order."""

    @property
    def count_used(self) -> bool: ...

    @property
    def least(self) -> bool:
        """Whether no smaller set of clues proves it."""

    @property
    def irreducible(self) -> bool:
        """Whether none of the clues can be left out."""

    @property
    def steps(self) -> list[Inference]: ...

def prove(view: object, model: ClueModel | None, overrides: Sequence[tuple[int, Sequence[float]]], density: float | None, trust_flags: bool, budget: int, mines: int | None, cells: Sequence[int], questions: int, cancel: Cancel | None = None) -> list[Proof]:
    """
    Return proofs of the certain ones among the cells; `questions` limits the checks per cell.
    """

def explain(view: object, model: ClueModel | None, overrides: Sequence[tuple[int, Sequence[float]]], density: float | None, trust_flags: bool, budget: int, mines: int | None, cell: int, questions: int, cancel: Cancel | None = None) -> Proof | Solution:
    """Return the proof of a cell if it is certain, otherwise the posterior."""

class Consistency:
    """Checks whether clues are consistent."""

    def __init__(self, clues: Sequence[tuple[Sequence[int], int]], cells: int) -> None:
        """
        Clues as their cells and a bit set of the numbers of mines that they allow, and the number of cells of the board.
        """

    def clash(self, chosen: Sequence[int]) -> bool:
        """
        Whether clues, given by place, contradict each other; False if the check was given up.
        """

    @property
    def gave_up(self) -> bool:
        """Whether a check was given up."""

    @property
    def nodes(self) -> int:
        """Numbers tried for groups of cells in the last check."""

class Reasoning(enum.Enum):
    """A level of reasoning; each includes those before it."""

    local = 0

    pairs = 1

    subset = 2

    gauss = 3

    exact = 4

class DeductionResult:
    """How far a board can be played without guessing."""

    @property
    def solved(self) -> bool:
        """Whether every safe cell was opened."""

    @property
    def opened(self) -> int: ...

    @property
    def times(self) -> list[int]:
        """By level: the number of positions that needed it to prove a cell safe."""

class BoardSpec:
    """The specification of a board."""

    def __init__(self, *, rows: int, cols: int, mines: int, start: int, opening: Opening, reasoning: Reasoning, needed: bool, deals: int, moves: int) -> None: ...

class NoGuessSearch:
    """The state of the search for one board of a series."""

    def __init__(self, board: int, tries: int, found: bool, opened: int, mines: bytes, seed: int) -> None: ...

    @property
    def board(self) -> int:
        """The number of the board in the series."""

    @property
    def tries(self) -> int: ...

    @property
    def found(self) -> bool: ...

    @property
    def opened(self) -> int:
        """The number of safe cells that the best try opened."""

    @property
    def seed(self) -> int:
        """The seed of the deal from which the board was made."""

    @property
    def mines(self) -> bytes: ...

def search_boards(wanted: BoardSpec, seed: int, searches: Sequence[NoGuessSearch], most: int, seconds: float, threads: int, cancel: Cancel | None = None) -> list[NoGuessSearch]:
    """
    Continue searches until each has found its board or made `most` tries, or until `seconds` have passed, and return them.
    """

def deduce(rows: int, cols: int, mines: bytes, start: int, opening: Opening, reasoning: Reasoning, cancel: Cancel | None = None) -> DeductionResult:
    """
    Play a board with this level of reasoning, without guessing. Raises BrokenOpening, Overflow.
    """

class Autoreset(enum.Enum):
    """When a finished game is replaced by the next one."""

    next_step = 0

    same_step = 1

    never = 2

class VectorGame:
    """Many games at once; a step makes a move in each of them."""

    def __init__(self, rows: int, cols: int, size: int, *, rules: GameRules, clues: ClueModel | None = None, mines: int = 0, start: int = -1, boards: Sequence[tuple[bytes, int]] = [], flags: bool = False, limit: int = 0, renewal: Autoreset = Autoreset.next_step, threads: int = 1) -> None:
        """`boards`: mines and start of each, instead of dealing boards."""

    def reset(self, places: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None:
        """Start new games at these indices."""

    def step(self, moves: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Make a move in each game."""

    def bounds_of(self, place: int) -> list[tuple[int, int]]:
        """The cells whose clues have a bound, each with its bound."""

    def seed_of(self, place: int) -> int:
        """The seed of the current game at this index."""

    @property
    def states(self) -> NDArray[numpy.uint8]:
        """The states of the cells, by game, row and column."""

    @property
    def legal(self) -> NDArray[numpy.int8]:
        """1 for legal moves, by game and move; all 1 once a game is over."""

    @property
    def last_states(self) -> NDArray[numpy.uint8]:
        """The final states of games that the last step ended and replaced."""

    @property
    def last_legal(self) -> NDArray[numpy.int8]:
        """The final legal moves of these games."""

    @property
    def opened(self) -> NDArray[numpy.int32]:
        """The number of cells that the last move opened."""

    @property
    def mines(self) -> NDArray[numpy.int32]:
        """The number of mines on its board."""

    @property
    def exploded(self) -> NDArray[numpy.int32]:
        """The number of mines that it hit."""

    @property
    def right(self) -> NDArray[numpy.int32]:
        """The change in the number of correct flags."""

    @property
    def wrong(self) -> NDArray[numpy.int32]:
        """The change in the number of wrong flags."""

    @property
    def won(self) -> NDArray[numpy.uint8]:
        """1 if it won the game."""

    @property
    def over(self) -> NDArray[numpy.uint8]:
        """1 if it ended the game."""

    @property
    def cut(self) -> NDArray[numpy.uint8]:
        """1 if the limit of moves ended the game."""

    @property
    def illegal(self) -> NDArray[numpy.uint8]:
        """1 if it was illegal and changed nothing."""

    @property
    def begun(self) -> NDArray[numpy.uint8]:
        """1 if a new game started instead."""

def positions(ground: GameSetup, rules: GameRules, clues: ClueModel | None, strategy: Strategy, start: int, seed: int, first: int, games: int, budget: int, cancel: Cancel | None = None) -> dict[str, Any]:
    """
    Return columns with every position of these games of a series in which an agent opened a cell: the view, the risks, its move and the result. `states` and `risk` (floats) are by position and cell.
    """
