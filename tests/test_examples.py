"""The worked examples of the reports come out here as they do there, or as they should have."""

from __future__ import annotations

import pytest

import mineproof as mp
from mineproof.agents.guessers.arrangements import Arrangements, Said, count_all, room
from mineproof.agents.guessers.summed import clear_shares, left_after_subsets
from mineproof.agents.recipes import ROWS, ROWS_WITH_COUNT
from mineproof.reasoning.closure import close
from mineproof.reasoning.equations import Equation, System
from mineproof.reasoning.gauss import gauss, reduce
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.local import local
from mineproof.reasoning.subset import subset
from mineproof.world.geometry import Grid
from mineproof.world.view import EXPLODED


class Letters(System):
    """Equations over cells called A, B, C, ...; none of them is a board's."""

    def __init__(self, *equations: tuple[str, int]) -> None:
        super().__init__(Grid(4, 8), bytearray([9]) * 32)
        for number, (letters, mines) in enumerate(equations):
            cells = {ord(letter) - ord("A") for letter in letters}
            self._add(Equation(24 + number, cells, [], mines, mines))

    def settled_by(self, *reasoners: object) -> dict[str, bool]:
        found = close(self, reasoners)  # type: ignore[arg-type]
        return {chr(ord("A") + self.grid.index(d.cell)): d.mine for d in found}


def settled(view: str, beyond: object) -> dict[tuple[int, int], bool]:
    knowledge = Knowledge(mp.View.from_text(view))
    found = {d.cell: d.mine for d in close(knowledge, (local,))}
    more = beyond.make()(knowledge)  # type: ignore[attr-defined]
    return found | {d.cell: d.mine for d in more.values()}


# Report 000


def test_the_column_of_report_000_and_its_matrix() -> None:
    """X1..X5 beside 1 2 2 2 1: the third is a mine, and no row says more of the others."""
    view = "5x2 ?1/?2/?2/?2/?1"
    assert settled(view, ROWS) == {(2, 0): True}
    knowledge = Knowledge(mp.View.from_text(view))
    said = [(e.clue, tuple(sorted(e.cells)), e.least) for e in knowledge.equations.values()]
    rows = {tuple(sorted(row.terms.items())): row.value for row in reduce(tuple(said))}
    x1, x2, x3, x4, x5 = 0, 2, 4, 6, 8
    assert rows == {
        ((x1, 1), (x5, 1)): 1,
        ((x2, 1), (x5, -1)): 0,
        ((x3, 1),): 1,
        ((x4, 1), (x5, 1)): 1,
    }


def test_the_first_4x4_log_of_report_000() -> None:
    found = settled("4x4/4 *3??/?4?1/??1?/1???", ROWS)
    assert found[1, 0]
    assert not any(found[cell] for cell in ((0, 3), (2, 3), (3, 1)))


def test_the_second_4x4_log_of_report_000_needs_the_count() -> None:
    view = "4x4/4 0000/1111/?23?/????"
    with_count = settled(view, ROWS_WITH_COUNT)
    assert (with_count[3, 0], with_count[3, 3]) == (False, True)
    later = settled("4x4/4 0000/1111/?23?/2???", ROWS)
    assert (later[3, 1], later[3, 2], later[3, 3]) == (True, False, True)


def test_the_10x10_position_of_report_000() -> None:
    """Two components of 11 cells with 10 arrangements each; best is (9,9), at 10 %."""
    seen = """0001?11??? 0012211?2? 001?21212? 01233?3?2? 01?2?4????
    012435???? 001??4???? 11223?4??? 1?1023??1? 11101?????"""
    view = mp.View.from_text("10x10/20 " + "/".join(seen.split()))
    decision = mp.agents.get("linalg-brute-nocount").begin(view).decide()
    while decision.certain and decision.action == "flag":
        states = bytearray(view.states)
        states[view.grid.index(decision.cell)] = 13
        view = mp.View(view.grid, bytes(states), view.mines)
        decision = mp.agents.get("linalg-brute-nocount").begin(view).decide()
    knowledge = Knowledge(view)
    for _ in close(knowledge, (local,)):
        pass
    parts = []
    seen_clues: set[int] = set()
    for equation in knowledge.equations.values():
        if equation.cells and equation.clue not in seen_clues:
            part = knowledge.component(equation)
            seen_clues.update(e.clue for e in part)
            said = tuple(Said(tuple(sorted(e.cells)), e.least, e.most) for e in part)
            parts.append(count_all(said))
    assert [(len(one.cells), sum(one.number.values())) for one in parts] == [(11, 10), (11, 10)]
    assert decision.cell == (9, 9)
    assert decision.risk == pytest.approx(0.1)


@pytest.mark.parametrize(("mines", "beside"), [(20, True), (10, False)])
def test_a_first_clue_of_1_against_the_density(mines: int, beside: bool) -> None:
    """Around it the chance is 1/8: less than at density 0.2, more than at 0.1."""
    rows = ["?" * 10] * 10
    rows[4] = "????1?????"
    view = mp.View.from_text(f"10x10/{mines} {'/'.join(rows)}")
    row, col = mp.agents.get("probability").decide(view).cell
    assert (max(abs(row - 4), abs(col - 4)) == 1) is beside


def component(*mines: int) -> Arrangements:
    """One with an arrangement for each of these numbers of mines."""
    return Arrangements((), dict.fromkeys(mines, 1))


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
    loose = (Said(tuple(range(8)), 0, 8), Said(tuple(range(4, 12)), 0, 8))
    one = count_all(loose)
    assert sum(one.number.values()) == 2**12
    assert set(one.shares(range(13)).values()) == {0.5}


# Report 001


def test_the_subset_example_of_report_001() -> None:
    assert Letters(("ABC", 2), ("BC", 1)).settled_by(local, subset) == {"A": True}


def test_where_report_001_sees_nothing_two_mines_follow() -> None:
    """A+B+C+D = 3 and B+C = 1 leave 2 mines for A and D: the report says nothing follows."""
    found = Letters(("ABCD", 3), ("BC", 1)).settled_by(local, subset)
    assert found == {"A": True, "D": True}


# Report 002


@pytest.mark.parametrize(("left", "chance"), [(1, 1.0), (3, 1.0), (2, 0.5), (None, 0.25)])
def test_the_corner_of_report_002(left: int | None, chance: float) -> None:
    """Of the last four cells with 1 or 3 mines all is known; with 2 the chance is a half.

    Without the count it is a quarter: four arrangements are alike.
    """
    text = "4x4 ----/**31/**??/-3??"
    if left is None:
        posterior = mp.posterior(mp.View.from_text(text), density=0.5)
        assert posterior.arrangements == 4
        assert 1 / posterior.arrangements == chance
        return
    posterior = mp.posterior(mp.View.from_text(text, mines=4 + left))
    assert 1 / posterior.arrangements == chance
    assert (len(posterior.safe) + len(posterior.mined) == 4) is (chance == 1)


@pytest.mark.parametrize("agent", ["linalg-count", "linalg-brute", "exact"])
@pytest.mark.parametrize("left", [1, 3])
def test_who_reasons_with_the_count_settles_the_corner(agent: str, left: int) -> None:
    view = mp.View.from_text("4x4 ----/**31/**??/-3??", mines=4 + left)
    move = mp.agents.get(agent).decide(view, rules=mp.Rules(on_mine="continue"))
    truth = mp.posterior(view)
    assert move.certain
    assert move.cell in (truth.mined if move.action == "flag" else truth.safe)


@pytest.mark.parametrize("left", [1, 3])
def test_listing_with_the_count_opens_no_certain_mine(left: int) -> None:
    view = mp.View.from_text("4x4 ----/**31/**??/-3??", mines=4 + left)
    move = mp.agents.get("brute").decide(view, rules=mp.Rules(on_mine="continue"))
    assert move.cell in mp.posterior(view).safe
    assert move.risk == 0


# Report 003


def test_the_5x5_game_of_report_003() -> None:
    """A 1 above a 2 along hidden cells: the cell diagonal to the 2 is a mine."""
    view = mp.View.from_text("5x5 01???/01??1/02???/02???/???F?")
    player = mp.agents.get("one-two").begin(view)
    player.observe([mp.Event((0, 0), 0), mp.Event((2, 1), 2)])
    decision = player.decide()
    assert (decision.cell, decision.action, decision.rule) == ((3, 2), "flag", "one-two")


# Report 004


def test_two_ones_clear_three_cells() -> None:
    """At an edge, a 1 whose hidden cells lie among those of the next 1 frees the others."""
    view = "2x4 11??/????"
    found = settled(view, mp.agents.RECIPES["mean"].beyond)
    assert found == {(0, 2): False, (1, 2): False}


def test_the_subset_example_of_report_004() -> None:
    found = Letters(("ABC", 1), ("AB", 1), ("CD", 1)).settled_by(local, subset)
    assert found == {"C": False, "D": True}


def test_the_backtracking_example_of_report_004() -> None:
    """Five ways to satisfy the sum; C is clear in four of them."""
    letters = Letters(("ABC", 1), ("ACD", 1), ("CF", 1))
    shares = clear_shares(left_after_subsets(letters.equations.values()))
    assert shares[ord("C") - ord("A")] == pytest.approx(0.8)
    assert not list(gauss(letters)), "no row settles a cell"


def test_subsets_are_taken_out_before_equations_are_added_up() -> None:
    """A+B+C = 1, A+B = 1 and C+D = 1 leave C = 0, A+B = 1 and D = 1."""
    letters = Letters(("ABC", 1), ("AB", 1), ("CD", 1))
    left = left_after_subsets(letters.equations.values())
    names = {"".join(chr(ord("A") + i) for i in sorted(one.cells)): one.mines for one in left}
    assert names == {"C": 0, "AB": 1, "D": 1}


def test_the_solutions_of_all_equations_in_place_of_their_sum() -> None:
    """Two 1s share four cells of seven each: the sum allows what no solution has."""
    view = mp.View.from_text("3x4 ????/?11?/????")
    names = ("mean:threshold=0.5", "mean:threshold=0.5,joint=true")
    summed, joint = (mp.agents.get(name).decide(view) for name in names)
    assert summed.reason.endswith("added up")
    assert "all clues linked with (1,1)" in joint.reason
    # Jointly: one of the four shared cells, or one on each side of three.
    assert joint.risk == pytest.approx(3 / 13)
    assert summed.risk != pytest.approx(3 / 13)


def test_the_score_of_the_7x7_game_of_report_004() -> None:
    """Of 13 mines 12 were flagged and 1 exploded: 92 %."""
    board = mp.Board.random(7, 7, 13, seed=4)
    game = mp.Game(board, mp.Rules(on_mine="continue"))
    mines = [cell for cell in map(board.grid.cell, range(49)) if board.is_mine(cell)]
    assert game.open(mines[0])[0].state == EXPLODED
    for cell in mines[1:]:
        game.flag(cell)
    game.stop()
    assert game.score == pytest.approx(12 / 13)
    assert round(100 * game.score) == 92
