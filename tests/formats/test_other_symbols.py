"""Other programs' symbols are read correctly or refused by name; our own notation is unaffected."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof import positions
from mineproof.errors import FormatError
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, KNOWN_SAFE
from tests.strategies import seeds

HIDDENS, ZEROS, FLAGS, MINES = "#■_.-x*□?·X", " 0_.-·□", "FP!xX*M🚩", "*xXMB💣"


@st.composite
def seen(draw: st.DrawFn) -> mp.View:
    """A game after some moves with flags anywhere; zeros flood as usual."""
    rows, cols = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    board = mp.Board.random(rows, cols, draw(st.integers(0, rows * cols // 3)), seed=draw(seeds))
    rules = mp.Rules(on_mine=draw(st.sampled_from(["end", "continue"])), opening="any")
    game = mp.Game(board, rules)
    for index in draw(st.lists(st.integers(0, rows * cols - 1), max_size=9, unique=True)):
        cell = board.grid.cell(index)
        if not game.over and game.view.state(cell) == HIDDEN:
            game.play(cell, draw(st.sampled_from(["open", "open", "open", "flag"])))
    return game.view


@st.composite
def styles(draw: st.DrawFn) -> dict[int, str]:
    """A symbol for each state, all different."""
    states = (HIDDEN, 0, FLAGGED, EXPLODED)
    found = {
        state: draw(st.sampled_from(signs))
        for state, signs in zip(states, (HIDDENS, ZEROS, FLAGS, MINES), strict=True)
    }
    assume(len(set(found.values())) == len(found))
    return found


def rendered(view: mp.View, style: dict[int, str], layout: str, header: str) -> str:
    """The position as another program might print it."""
    clues = {clue: str(clue) for clue in range(1, 9)}
    cells = [{**clues, **style}[state] for state in view.states]
    rows = [cells[at : at + view.cols] for at in range(0, view.grid.size, view.cols)]
    first = {"": "", "shape": f"{view.rows}x{view.cols}", "count": view.to_text().split()[0]}[
        header
    ]
    if layout == "line":
        return (
            f"{first} {'/'.join(map(''.join, rows))}".lstrip()
            if first
            else "/".join(map("".join, rows))
        )
    join = {"dense": "".join, "spaced": " ".join, "bars": lambda row: f"|{'|'.join(row)}|"}[layout]
    rule = "+" + "-+" * view.cols
    lines = [join(row) for row in rows]
    if layout == "bars":
        lines = [rule, *(part for line in lines for part in (line, rule))]
    return "\n".join([first, *lines] if first else lines) + "\n"


@settings(max_examples=400, deadline=None)
@given(
    seen(),
    styles(),
    st.sampled_from(["dense", "spaced", "bars", "line"]),
    st.sampled_from(["", "shape", "count"]),
)
def test_another_programs_text_is_read_correctly_or_refused(
    view: mp.View, style: dict[int, str], layout: str, header: str
) -> None:
    text = rendered(view, style, layout, header)
    assume(not is_ours(text))
    try:
        read = positions.from_text(text)
    except FormatError:
        return
    assert read.to_text().split(maxsplit=1)[1] == view.to_text().split(maxsplit=1)[1]
    assert read.mines == (view.mines if header == "count" else None)


def is_ours(text: str) -> bool:
    try:
        mp.View.from_text(text, dots="hidden")
    except FormatError:
        return False
    except ValueError:
        return True
    return True


@settings(max_examples=200, deadline=None)
@given(
    st.text("012345678?s-*F./ \n", min_size=1, max_size=30),
    st.sampled_from([None, "hidden", "safe"]),
)
def test_text_in_our_notation_is_read_as_before(text: str, dots: str | None) -> None:
    try:
        expected = mp.View.from_text(text, dots=dots)  # type: ignore[arg-type]
    except ValueError:
        return
    assert positions.from_text(text, dots=dots) == expected  # type: ignore[arg-type]


@settings(max_examples=100, deadline=None)
@given(seen(), st.booleans())
def test_every_view_in_our_notation_reads_back(view: mp.View, lines: bool) -> None:
    assert positions.from_text(view.to_text(lines=lines)) == view


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("##1/#21/110", "??1/?21/110"),
        ("■■1\n■P1\n110", "??1/?F1/110"),
        ("__1/_21/110", "??1/?21/110"),  # if these were zeros, the clues would have no mine
        ("##1_\n#21_\n11__", "??10/?210/1100"),  # # must be hidden
        ("3x4 ##1 /#21 /11  ", "??10/?210/1100"),
        ("2x6\n 1#1\n 111", "01?100/011100"),  # trailing blanks are cut off
        ("+-+-+-+\n|#|1| |\n+-+-+-+\n|#|1| |\n+-+-+-+", "?10/?10"),
        ("2x3\n+---+\n|#1 |\n|#1 |\n+---+", "?10/?10"),
        ("# # 1\n# 2 1\n1 1 0", "??1/?21/110"),
        ("🟦🟦1️⃣\n🟦🚩1️⃣\n1️⃣1️⃣0️⃣", "??1/?F1/110"),
        ("xx1/x11/P10", "??1/?11/F10"),  # P must be a flag: a 1 does not touch three mines
        ("##1/#x1/1F1", "??1/?*1/1F1"),  # the only remaining meaning
    ],
)  # fmt: skip
def test_unambiguous_symbols_are_read(text: str, means: str) -> None:
    assert positions.from_text(text).to_text().split(maxsplit=1)[1] == means


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("##1/#@1/110", r"unknown character '@' at \(1,1\)"),
        ("___/___", r"'_' could be hidden \(\?\) or zero \(0\)"),
        ("##1/#x1/111", r"'x' could be a flag \(F\) or an exploded mine \(\*\)"),
        ("xx1/x21/110", r"'x' could be hidden \(\?\) or a flag \(F\)"),
        ("##1-\n#21-\n11--", r"'-' could be zero \(0\) or opened without a clue \(-\)"),
        ("#1 1#\n#1 1#", r"blanks in .* could be zeros or separators: write the shape"),
        ("#__/_1_", r"no meaning of '_' is consistent with the clues"),
        ("##1/#1", r"differ in length"),
        ("3x3 ##1/#1", r"differ in length"),
        ("2x2/1 ?.*", r"expected 2 rows, got 1"),
    ],
)
def test_ambiguous_symbols_are_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        positions.from_text(text)


def test_the_mine_counts_must_agree() -> None:
    assert positions.from_text("2x3 ##1/###", 2).mines == 2
    with pytest.raises(FormatError, match="the text says 1 mine, but the given mine count is 2"):
        positions.from_text("2x3/1 ##1/###", 2)


def test_known_safe_cells_keep_their_symbol() -> None:
    assert positions.from_text("#s1/##1").states.count(KNOWN_SAFE) == 1
