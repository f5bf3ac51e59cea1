"""The worked examples of the reports come out here as they do there, or as they should have."""

from __future__ import annotations

import itertools

import pytest

import mineproof as mp
from mineproof.agents.guessers.by_configurations import (
    ByConfigurations,
    IndexedEquation,
    count_all,
    room,
)
from mineproof.agents.guessers.summed_equations import clear_shares, reduce_by_subsets
from mineproof.agents.recipes import ROWS, ROWS_WITH_COUNT
from mineproof.formats import examples
from mineproof.games.printed import printed_game
from mineproof.phrases import Phrase
from mineproof.reasoning.closure import close
from mineproof.reasoning.deductions import Entry
from mineproof.reasoning.equations import Equation, System
from mineproof.reasoning.gauss import gauss, reduce
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.local import local
from mineproof.reasoning.subset import subset
from mineproof.world.geometry import Grid, name_cells
from mineproof.world.view import COVERED, EXPLODED, FLAGGED, HIDDEN
from tests.replayed import replayed


class Letters(System):
    """Equations over cells called A, B, C, ...; none of them is a board's."""

    def __init__(self, *equations: tuple[str, int]) -> None:
        super().__init__(Grid(4, 8), bytearray([9]) * 32)
        for number, (letters, mines) in enumerate(equations):
            cells = {ord(letter) - ord("A") for letter in letters}
            self._add(Equation(24 + number, cells, [], mines, mines))

    def deduced_by(self, *reasoners: object) -> dict[str, bool]:
        found = close(self, reasoners)  # type: ignore[arg-type]
        return {chr(ord("A") + self.grid.index(d.cell)): d.mine for d in found}


def position(name: str, mines: int | None = None) -> mp.View:
    return mp.View.from_text(examples.position_text(name), mines)


def deduced_in(view: mp.View, beyond: object) -> dict[tuple[int, int], bool]:
    knowledge = Knowledge(view)
    found = {d.cell: d.mine for d in close(knowledge, (local,))}
    more = beyond.make()(knowledge)  # type: ignore[attr-defined]
    return found | {d.cell: d.mine for d in more.values()}


def reached(name: str, rules: mp.Rules) -> mp.Game:
    """A game on the board of an example, played to its position."""
    view = position(name)
    game = mp.Game(mp.Board.from_text(examples.board_text(name)), rules)
    for index, state in enumerate(view.states):
        if state == FLAGGED:
            game.flag(view.grid.cell(index))
        elif state not in COVERED:
            game.open(view.grid.cell(index))
    assert game.view.states == view.states, "the position is one of the board"
    return game


def finish(game: mp.Game, agent: str) -> list[mp.agents.Decision]:
    """Let an agent play a game on."""
    player = mp.agents.get(agent).begin(game.view, rules=game.rules)
    moves = []
    while not game.over:
        moves.append(move := player.decide())
        player.observe(game.play(move.cell, move.action))
    return moves


@pytest.mark.parametrize(
    "name", [name for name in examples.names() if examples.get(name).board is not None]
)
def test_a_printed_game_ends_as_in_its_report(name: str) -> None:
    ending = examples.get(name).ending
    assert ending in {None, printed_game(name).play().outcome}


@pytest.mark.parametrize(
    "name",
    ["report000-4x4", "report000-4x4-count", "report000-10x10", "report000-15x15",
     "report002-16x30", "report004-two-ones", "report004-7x7"],
)  # fmt: skip
def test_a_printed_game_passes_through_its_printed_position(name: str) -> None:
    """The report's agent comes to the very position that the report prints: every mark, too."""
    seen = {view.states for _, _, view in replayed(printed_game(name).play())}
    assert position(name).states in seen


ONE_BY_ONE = mp.Rules(on_mine="continue", flood=False)
UNCOUNTED = mp.Rules(on_mine="continue", flood=False, count_known=False)


# Report 000


def test_the_column_of_report_000_and_its_matrix() -> None:
    """X1..X5 beside 1 2 2 2 1: the third is a mine, and no row says more of the others."""
    view = position("report000-column")
    assert deduced_in(view, ROWS) == {(2, 0): True}
    knowledge = Knowledge(view)
    said = [(e.clue, tuple(sorted(e.cells)), e.least) for e in knowledge.equations.values()]
    x1, x2, x3, x4, x5 = 0, 2, 4, 6, 8
    assert {(cells, value) for _, cells, value in said} == {
        ((x1, x2), 1),
        ((x1, x2, x3), 2),
        ((x2, x3, x4), 2),
        ((x3, x4, x5), 2),
        ((x4, x5), 1),
    }
    rows = {tuple(sorted(row.terms.items())): row.value for row in reduce(tuple(said))}
    assert rows == {
        ((x1, 1), (x5, 1)): 1,
        ((x2, 1), (x5, -1)): 0,
        ((x3, 1),): 1,
        ((x4, 1), (x5, 1)): 1,
    }


def test_the_first_4x4_log_of_report_000() -> None:
    """Deduced by linear algebra: (1,0) a mine, (0,3), (2,3) and (3,1) safe. In the end 75 %."""
    view = position("report000-4x4")
    assert not list(close(Knowledge(view), (local,))), "the local rules find nothing"
    (first, *rest) = gauss(Knowledge(view))
    assert {d.cell: d.mine for d in (first, *rest)} == {
        (1, 0): True,
        (0, 3): False,
        (2, 3): False,
        (3, 1): False,
    }
    game = reached("report000-4x4", UNCOUNTED)
    assert all(move.certain for move in finish(game, "linalg"))
    assert game.score == 0.75


def test_the_second_4x4_log_of_report_000() -> None:
    """With the count as a row: (3,0) safe, (3,3) a mine, and one of (3,1) and (3,2)."""
    view = position("report000-4x4-count")
    knowledge = Knowledge(view)
    list(close(knowledge, (local,)))
    count = knowledge.count()
    assert count is not None
    said = [(e.clue, tuple(sorted(e.cells)), e.least) for e in knowledge.equations.values()]
    said = [one for one in said if one[1]] + [(-1, tuple(sorted(count.cells)), count.least)]
    rows = {tuple(sorted(row.terms.items())): row.value for row in reduce(tuple(said))}
    assert rows == {((12, 1),): 0, ((13, 1), (14, 1)): 1, ((15, 1),): 1}
    assert deduced_in(view, ROWS_WITH_COUNT) == deduced_in(view, ROWS), (
        "the row is not needed here: one clue less the other says the same"
    )


def test_with_the_count_the_last_cell_of_the_second_log_stays_hidden() -> None:
    """100 % of the mines are found, and (3,2) is not opened; without the count it would be."""
    game = reached("report000-4x4-count", ONE_BY_ONE)
    finish(game, "linalg-count:stop=true")
    assert game.score == 1
    assert game.view.cells(HIDDEN) == [(3, 2)]
    game = reached("report000-4x4-count", UNCOUNTED)
    finish(game, "linalg")
    assert game.score == 1
    assert not game.view.cells(HIDDEN)


ARRANGEMENTS = """
(0,7) (2,9) (3,7); (1,7) (2,9) (4,7); (0,7) (0,8) (3,7) (3,9); (0,7) (0,9) (3,7) (3,9);
(0,7) (1,9) (3,7) (4,8); (0,7) (1,9) (3,7) (4,9); (0,8) (1,7) (3,9) (4,7);
(0,9) (1,7) (3,9) (4,7); (1,7) (1,9) (4,7) (4,8); (1,7) (1,9) (4,7) (4,9);
(7,7) (8,6); (8,6) (8,7); (6,7) (7,7) (9,6); (6,7) (7,8) (8,6); (6,7) (7,9) (8,6);
(6,7) (8,6) (8,9); (6,7) (8,6) (9,7); (6,7) (8,6) (9,8); (6,7) (8,6) (9,9);
(6,7) (8,7) (9,6)
"""


def test_the_10x10_position_of_report_000() -> None:
    """Two components of 11 cells with 10 arrangements each; best is (9,9), at 10 %."""
    view = position("report000-10x10")
    player = mp.agents.get("linalg-brute-nocount").begin(view)
    log: list[Entry] = []
    player.knowledge.report = log.append
    decision = player.decide()
    assert (decision.cell, decision.action, decision.certain) == ((9, 9), "open", False)
    assert decision.risk == pytest.approx(0.1)
    given = [entry.said for entry in log if isinstance(entry.said, Phrase)]
    components = [one.values for one in given if one.key == "log.listing"]
    assert [(len(one["cells"]), one["number"]) for one in components] == [(11, 10)] * 2
    listed = [name_cells(one.values["cells"]) for one in given if one.key == "log.mines"]
    assert sorted(listed) == sorted(" ".join(one.split()) for one in ARRANGEMENTS.split(";"))


@pytest.mark.parametrize(("mines", "next_to"), [(20, True), (10, False)])
def test_a_first_clue_of_1_against_the_density(mines: int, next_to: bool) -> None:
    """Around it the chance is 1/8: less than at density 0.2, more than at 0.1."""
    rows = ["?" * 10] * 10
    rows[4] = "????1?????"
    view = mp.View.from_text(f"10x10/{mines} {'/'.join(rows)}")
    for agent in ("brute", "linalg-brute", "probability"):
        row, col = mp.agents.get(agent).decide(view).cell
        assert (max(abs(row - 4), abs(col - 4)) == 1) is next_to


def component(*mines: int) -> ByConfigurations:
    """One with an arrangement for each of these numbers of mines."""
    return ByConfigurations((), dict.fromkeys(mines, 1))


def test_components_leave_each_other_only_so_many_mines() -> None:
    """8 to 12 and 6 to 10 mines, 16 in all: so 8 to 10 and 6 to 8."""
    first, second = component(*range(8, 13)), component(*range(6, 11))
    assert room(16, [second], outside=0)[-1] == 10
    assert room(16, [first], outside=0)[-1] == 8
    assert room(16, [second], outside=0)[0] == 6  # its own least, 8, is above that


def test_components_need_each_other_s_mines() -> None:
    """7 to 9 and 1 to 2 mines, 10 in all: 7 is ruled out, since 7 and 2 are not 10."""
    second = component(1, 2)
    assert room(10, [second], outside=0) == range(8, 10)
    assert component(7, 8, 9).within(room(10, [second], outside=0)) == 2
    assert component(7, 8, 9).within(room(10, [second], outside=1)) == 3


def test_where_clues_exclude_nothing_all_is_counted() -> None:
    """Two clues over twelve cells: listing would go through thousands of arrangements."""
    loose = (IndexedEquation(tuple(range(8)), 0, 8), IndexedEquation(tuple(range(4, 12)), 0, 8))
    one = count_all(loose)
    assert sum(one.number.values()) == 2**12
    assert set(one.shares(range(13)).values()) == {0.5}


def test_the_15x15_game_of_report_000() -> None:
    """60 of 67 mines are flagged, and the seven that the report shows in red are hit."""
    record = printed_game("report000-15x15").play()
    assert record.board.mine_count == 67
    assert sum(not mined for mined in record.board.mined) == 158
    assert (record.right, record.wrong) == (60, 0)
    hit = [(5, 5), (6, 2), (6, 13), (7, 4), (12, 9), (14, 4), (14, 12)]
    assert record.view.cells(EXPLODED) == hit
    assert 100 * record.right / 67 == pytest.approx(89.55223880597015)


# Report 001


def test_the_subset_example_of_report_001() -> None:
    assert Letters(("ABC", 2), ("BC", 1)).deduced_by(local, subset) == {"A": True}


def test_where_report_001_sees_nothing_two_mines_follow() -> None:
    """A+B+C+D = 3 and B+C = 1 leave 2 mines for A and D: the report says nothing follows."""
    found = Letters(("ABCD", 3), ("BC", 1)).deduced_by(local, subset)
    assert found == {"A": True, "D": True}


# Report 002


def test_the_large_board_of_report_002() -> None:
    """The Real Matrix has 93 mines and 387 clues; the Knowledge Matrix is a position of it."""
    board = mp.Board.from_text(examples.board_text("report002-16x30"))
    assert (board.mine_count, board.grid.size - board.mine_count) == (93, 387)
    known = position("report002-knowledge")
    assert known.states == position("report002-16x30").states
    assert known.mines is None


@pytest.mark.parametrize(("left", "chance"), [(1, 1.0), (3, 1.0), (2, 0.5), (None, 0.25)])
def test_the_corner_of_report_002(left: int | None, chance: float) -> None:
    """Of the last four cells with 1 or 3 mines all is known; with 2 the chance is a half.

    Without the count it is a quarter: four arrangements are alike.
    """
    if left is None:
        posterior = mp.posterior(position("report002-corner"), density=0.5)
        assert posterior.arrangements == 4
        assert 1 / posterior.arrangements == chance
        return
    posterior = mp.posterior(position("report002-corner", mines=4 + left))
    assert 1 / posterior.arrangements == chance
    # Four mines are known, four cells are asked for.
    assert (len(posterior.safe) + len(posterior.mined) == 8) is (chance == 1)


@pytest.mark.parametrize("agent", ["linalg-count", "linalg-brute", "exact"])
@pytest.mark.parametrize("left", [1, 3])
def test_who_reasons_with_the_count_deduces_the_corner(agent: str, left: int) -> None:
    view = position("report002-corner", mines=4 + left)
    move = mp.agents.get(agent).decide(view, rules=mp.Rules(on_mine="continue"))
    truth = mp.posterior(view)
    assert move.certain
    assert move.cell in (truth.mined if move.action == "flag" else truth.safe)


@pytest.mark.parametrize("left", [1, 3])
def test_listing_with_the_count_opens_no_certain_mine(left: int) -> None:
    view = position("report002-corner", mines=4 + left)
    move = mp.agents.get("brute").decide(view, rules=mp.Rules(on_mine="continue"))
    assert move.cell in mp.posterior(view).safe
    assert move.risk == 0


# Report 003


@pytest.mark.parametrize("agent", ["one-two", "one-two:raw=true"])
def test_the_5x5_game_of_report_003(agent: str) -> None:
    """A 1 above a 2 along hidden cells: as soon as (3,1) shows 2, (3,2) is filled in as a mine."""
    after = position("report003-5x5")
    row = after.grid.index((3, 1))
    states = bytearray(after.states)
    states[row] = HIDDEN
    player = mp.agents.get(agent).begin(mp.View(after.grid, bytes(states), None))
    player.observe([mp.Event((3, 1), 2)])
    decision = player.decide()
    assert (decision.cell, decision.action, decision.rule) == ((3, 2), "flag", "one-two")
    assert "(1,1)" in decision.reason
    assert "(2,1)" in decision.reason


# Report 004


def test_two_ones_clear_three_cells() -> None:
    """The move that surprised its authors: the second 1 has its mine beside the first, too."""
    view = position("report004-two-ones")
    found = deduced_in(view, mp.agents.RECIPES["mean"].beyond)
    assert found == {(0, 4): False, (1, 4): False, (2, 4): False}
    assert not list(close(Knowledge(view), (local,))), "not by single clues"
    reached("report004-two-ones", ONE_BY_ONE)


def test_the_subset_example_of_report_004() -> None:
    found = Letters(("ABC", 1), ("AB", 1), ("CD", 1)).deduced_by(local, subset)
    assert found == {"C": False, "D": True}


def test_the_backtracking_example_of_report_004() -> None:
    """Five ways to satisfy the sum; C is clear in four of them."""
    letters = Letters(("ABC", 1), ("ACD", 1), ("CF", 1))
    shares = clear_shares(reduce_by_subsets(letters.equations.values()))
    assert shares[ord("C") - ord("A")] == pytest.approx(0.8)
    assert not list(gauss(letters)), "no row settles a cell"


def test_subsets_are_taken_out_before_equations_are_added_up() -> None:
    """A+B+C = 1, A+B = 1 and C+D = 1 leave C = 0, A+B = 1 and D = 1."""
    letters = Letters(("ABC", 1), ("AB", 1), ("CD", 1))
    left = reduce_by_subsets(letters.equations.values())
    names = {"".join(chr(ord("A") + i) for i in sorted(one.cells)): one.mines for one in left}
    assert names == {"C": 0, "AB": 1, "D": 1}


def test_the_solutions_of_all_equations_in_place_of_their_sum() -> None:
    """Two 1s share four cells of seven each: the sum allows what no solution has."""
    view = mp.View.from_text("3x4 ????/?11?/????")
    names = ("mean:threshold=0.5", "mean:threshold=0.5,joint=true")
    summed, joint = (mp.agents.get(name).decide(view) for name in names)
    assert "a summed equation: the constraint of (1,1) plus" in summed.reason
    assert "all constraints linked with (1,1)" in joint.reason
    # Jointly: one of the four shared cells, or one on each side of three.
    assert joint.risk == pytest.approx(3 / 13)
    assert summed.risk != pytest.approx(3 / 13)


def test_the_7x7_game_of_report_004_to_its_end() -> None:
    """What each of its last grids tells, and at last 12 mines avoided, 1 exploded: 0.92."""
    game = reached("report004-7x7", UNCOUNTED)
    knowledge = Knowledge(game.view, game.rules)
    found = list(close(knowledge, (local,)))
    assert [d.cell for d in found if not d.mine] == [(4, 0)]
    known = {d.cell for d in found}
    knowledge.observe(game.open((4, 0)))
    new = {d.cell: d.mine for d in close(knowledge, (local,)) if d.cell not in known}
    assert new == {
        (5, 0): True,  # "this gives us 2 new mine positions
        (5, 1): True,
        (5, 2): False,  # as well as another clear grid"
        (5, 3): True,  # "another mine and clear is found"
        (5, 4): False,
        (5, 5): True,  # "again, another mine and clear grid"
        (5, 6): False,
    }
    for cell in ((5, 2), (5, 4)):
        knowledge.observe(game.open(cell))
        assert not list(close(knowledge, (local,)))
    assert all(move.certain for move in finish(game, "baseline")), "by basic deduction alone"
    assert game.score == pytest.approx(12 / 13)
    assert round(game.score, 2) == 0.92
    assert game.view.cells(EXPLODED) == [(6, 6)]


def test_no_other_last_row_of_the_7x7_game_fits_its_words() -> None:
    """Three mines of the last row cannot be read: of six ways one clears as the report tells."""
    shown = mp.Board.from_text(examples.board_text("report004-7x7"))
    upper = [cell for cell in map(shown.grid.cell, range(42)) if shown.is_mine(cell)]
    fits = []
    for low in itertools.combinations([(6, 0), (6, 1), (6, 2), (6, 4), (6, 5)], 3):
        board = mp.Board.from_mines(7, 7, [*upper, *low, (6, 6)])
        if board.counts[board.grid.index((6, 3))] != 2:
            continue  # the clue that can be read
        game = mp.Game(board, UNCOUNTED)
        for index, state in enumerate(position("report004-7x7").states):
            if state not in COVERED:
                game.open(board.grid.cell(index))
        knowledge = Knowledge(game.view, game.rules)
        list(close(knowledge, (local,)))
        for cell in ((4, 0), (5, 2)):
            knowledge.observe(game.open(cell))
            last = list(close(knowledge, (local,)))
        if not last and all(move.certain for move in finish(game, "baseline")):
            fits.append(board)
    assert fits == [shown]
