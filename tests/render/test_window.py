"""A window on a board keeps the cursor in sight, fits, and maps screen positions to cells."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineproof as mp
from mineproof.render.window import Marks, Window, draw_window
from mineproof.world.geometry import Grid

VIEW = mp.View.from_text("3x4/2 01?1/12?F/????")
WHOLE = Window.whole(VIEW.grid)
UNMARKED = Marks()


def drawn(*, cursor: tuple[int, int] = (0, 0), marks: Marks = UNMARKED, odds: bool = False) -> str:
    found = mp.posterior(VIEW) if odds else None
    return draw_window(VIEW, WHOLE, cursor, marks, odds=found, ascii_only=True).plain


def test_the_cursor_is_in_brackets_and_a_marked_cell_in_arrows() -> None:
    assert drawn(cursor=(1, 1), marks=Marks(cell=(0, 2))) == (
        "   0  1  2  3\n"
        "0     1 >?< 1  \n"
        "1  1 [2] ?  F  \n"
        "2  ?  ?  ?  ?  "
    )  # fmt: skip


def test_deduced_cells_have_a_sign_and_flags_stay_flags() -> None:
    marks = Marks(settled={(0, 2): True, (2, 0): False, (1, 3): True})
    lines = drawn(marks=marks).split("\n")
    assert lines[1] == "0 [ ] 1  m  1  "
    assert lines[2].endswith("F  ")
    assert lines[3] == "2  s  ?  ?  ?  "


def test_probabilities_are_in_their_columns() -> None:
    lines = drawn(cursor=(2, 1), odds=True).split("\n")
    found = mp.posterior(VIEW)
    for row, line in enumerate(lines[1:]):
        for col in range(4):
            body = line[2 + 3 * col + 1 : 2 + 3 * col + 3]
            if (row, col) in found.safe:
                assert body.strip() == "s"
            elif (row, col) in found.mined:
                assert body.strip() in {"m", "F"}
            elif VIEW.state((row, col)) == mp.View.from_text("1x1 ?").state((0, 0)):
                assert body == f"{round(100 * found.risk[row, col]):02}"


@given(st.data())
def test_a_window_fits_shows_the_cursor_and_finds_every_cell(data: st.DataObject) -> None:
    grid = Grid(data.draw(st.integers(1, 40)), data.draw(st.integers(1, 40)))
    window = Window.whole(grid)
    for _ in range(6):
        lines, columns = data.draw(st.integers(2, 45)), data.draw(st.integers(7, 130))
        cursor = grid.cell(data.draw(st.integers(0, grid.size - 1)))
        window = window.fitted(cursor, lines, columns, wide=data.draw(st.booleans()))
        assert window.lines <= lines
        assert window.columns <= columns
        assert cursor[0] in window.rows
        assert cursor[1] in window.cols
        view = mp.View.hidden(grid.rows, grid.cols)
        text = draw_window(view, window, cursor, UNMARKED, ascii_only=True).plain.split("\n")
        assert len(text) == window.lines
        assert max(map(len, text)) <= window.columns
        line = 1 + window.rows.index(cursor[0])
        column = text[line].index("[") + 1
        assert window.cell_at(line, column) == cursor
        places = {
            window.cell_at(y, x) for y in range(window.lines) for x in range(window.columns)
        } - {None}
        assert places == {(row, col) for row in window.rows for col in window.cols}


def test_a_window_stays_where_it_is_until_the_cursor_nears_its_edge() -> None:
    window = Window.whole(Grid(30, 30)).fitted((15, 15), 12, 23)
    for step in range(4):
        assert window.fitted((15, 15 - step), 12, 23) == window
    moved = [window := window.fitted((15, col), 12, 23) for col in range(15, 30)]
    starts = [one.cols.start for one in moved]
    assert starts == sorted(starts)
    assert max(later - earlier for earlier, later in pairwise(starts)) == 1
    assert moved[-1].cols.stop == 30


@pytest.mark.parametrize("place", [(0, 5), (4, 5), (2, 0), (2, 14), (-1, 5)])
def test_outside_the_board_there_is_no_cell(place: tuple[int, int]) -> None:
    assert WHOLE.cell_at(*place) is None
