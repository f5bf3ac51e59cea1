"""Every picture of a board shows each state by shape as well as colour, for any size of board."""

from __future__ import annotations

import io
import re
import time
from collections import Counter
from xml.etree import ElementTree

import pytest
from rich.cells import cell_len
from rich.color import Color, ColorSystem
from rich.console import Console

from mineproof import render
from mineproof.errors import InvalidInput
from mineproof.games.match import play
from mineproof.games.record import Record
from mineproof.render.animation import MOST_FRAMES, Frame, FrameSpan, spans
from mineproof.render.appearance import MINE, WRONG_FLAG, ZERO
from mineproof.render.board_text import STYLES
from mineproof.render.palette import BRACKETS, MARKED, OPENED, PAINTS, PANEL, Paint
from mineproof.render.shapes import CELL, SIGN_FOOT
from mineproof.world.board import Board, Deal
from mineproof.world.geometry import Grid
from mineproof.world.move import Move
from mineproof.world.rules import Rules
from mineproof.world.turn import Turn
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, Event, View
from tests.replayed import replayed

SVG = "{http://www.w3.org/2000/svg}"

# One cell of every state; one mine is flagged, one exploded, one not found.
EVERY_STATE = View.from_text("3x6/3 01234?/?5678s/-*FF??")
EVERY_TRUTH = Board.from_text("3x6/3 ....../....../.**..*")
SHOWN_AFTERWARDS = "01234? ?5678s -*Fx?m"


def luminance(colour: str) -> float:
    """Relative luminance by WCAG 2."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(paint: Paint) -> float:
    low, high = sorted(luminance(colour) for colour in paint)
    return (high + 0.05) / (low + 0.05)


def uses(svg: str) -> list[Counter[str]]:
    """How often each shape is used, per board in a picture."""
    boards = ElementTree.fromstring(svg).findall(f"{SVG}g")
    return [Counter(use.attrib["href"] for use in board.iter(f"{SVG}use")) for board in boards]


def texts(svg: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(svg).findall(f"{SVG}text")]


def cells(drawn: str, rows: int, gutter: int = 1) -> list[str]:
    """The symbols of every row of a drawing, without gaps, numbers and ruler."""
    return [line[gutter + 2 :: 2] for line in drawn.split("\n")[1 : rows + 1]]


# Colours


@pytest.mark.parametrize("look", [look for look in PAINTS if look])
def test_every_symbol_is_readable_on_its_background(look: int):
    assert contrast(PAINTS[look]) >= 4.5


def test_text_next_to_boards_is_readable():
    assert contrast(PANEL) >= 4.5
    assert contrast(MARKED) >= 4.5
    assert contrast(BRACKETS) >= 4.5


@pytest.mark.parametrize("system", [ColorSystem.EIGHT_BIT, ColorSystem.STANDARD])
@pytest.mark.parametrize("look", [look for look in PAINTS if look])
def test_no_symbol_vanishes_on_terminals_with_few_colours(look: int, system: ColorSystem):
    ink, ground = STYLES[look].color, STYLES[look].bgcolor
    assert ink is not None
    assert ground is not None
    assert ink.downgrade(system) != ground.downgrade(system)


def test_clues_have_distinct_colours_on_the_opened_background():
    paints = [PAINTS[clue] for clue in range(1, 9)]
    assert len({paint.ink for paint in paints}) == 8
    assert {paint.ground for paint in paints} == {OPENED}


# Terminal


@pytest.mark.parametrize("ascii_only", [False, True])
def test_without_colours_every_state_has_its_own_symbol(ascii_only: bool):
    drawn = render.draw(EVERY_STATE, truth=EVERY_TRUTH, ascii_only=ascii_only).plain
    by_state = dict(zip("".join(SHOWN_AFTERWARDS.split()), "".join(cells(drawn, 3)), strict=True))
    assert len(set(by_state.values())) == len(by_state) == 16
    assert by_state["0"] == "0", "a zero that did not flood is drawn"


def test_a_zero_with_opened_neighbours_is_blank():
    drawn = render.draw(View.from_text("3x6 000001/00--1?/00-0??"), ascii_only=True).plain
    assert cells(drawn, 3) == ["    01", "  --1?", "  -0??"]


def test_every_symbol_is_one_column_wide():
    for line in render.draw(EVERY_STATE, truth=EVERY_TRUTH).plain.split("\n"):
        assert cell_len(line) == len(line)


def test_ascii_only_is_ascii():
    assert render.draw(EVERY_STATE, truth=EVERY_TRUTH, ascii_only=True).plain.isascii()
    assert render.legend(truth=True, ascii_only=True).isascii()


def test_during_the_game_a_drawing_reveals_nothing_of_the_truth():
    assert "".join(cells(render.draw(EVERY_STATE, ascii_only=True).plain, 3)) == (
        EVERY_STATE.to_text(lines=True).partition("\n")[2].replace("\n", "")
    )


@pytest.mark.parametrize("cell", [(0, 0), (1, 3), (2, 5)])
def test_the_marked_cell_is_in_brackets_and_nothing_else_moves(cell: tuple[int, int]):
    unmarked = render.draw(EVERY_STATE).plain
    marked = render.draw(EVERY_STATE, marked=cell).plain
    row, col = cell
    line, before = marked.split("\n")[row + 1], unmarked.split("\n")[row + 1]
    at = 2 + 2 * col
    assert line[at : at + 3] == f"[{before[at + 1]}]"
    assert cells(marked, 3) == cells(unmarked, 3)
    assert marked.count("[") == marked.count("]") == 1


def test_brackets_remain_without_colours():
    file = io.StringIO()
    Console(file=file, force_terminal=True, no_color=True, width=80).print(
        render.draw(View.hidden(1, 3), marked=(0, 1))
    )
    assert "[" in file.getvalue()
    assert "38;" not in file.getvalue()
    assert "48;" not in file.getvalue()


def test_every_cell_is_painted_on_its_own_background():
    drawn = render.draw(EVERY_STATE, truth=EVERY_TRUTH)
    width = len(drawn.plain.split("\n")[-1]) + 1
    start = drawn.plain.index("\n") + 1
    console = Console()
    grounds = [(EXPLODED, (2, 1)), (FLAGGED, (2, 2)), (WRONG_FLAG, (2, 3)), (MINE, (2, 5))]
    for look, (row, col) in grounds:
        symbol_at = start + row * width + 3 + 2 * col
        for offset in (symbol_at - 1, symbol_at):
            style = drawn.get_style_at_offset(console, offset)
            assert style.bgcolor == Color.parse(PAINTS[look].ground)


def test_a_marked_cell_outside_the_board_is_an_error():
    with pytest.raises(InvalidInput, match="outside"):
        render.draw(EVERY_STATE, marked=(3, 0))
    with pytest.raises(InvalidInput, match="outside"):
        render.view_svg(EVERY_STATE, marked=(0, 6))


@pytest.mark.parametrize(
    ("marked", "rows", "cols"),
    [
        ((0, 0), (0, 19), (0, 29)),
        ((500, 600), (490, 509), (585, 614)),
        ((999, 999), (980, 999), (970, 999)),
        (None, (0, 19), (0, 29)),
    ],
)
def test_a_window_surrounds_the_marked_cell_and_stays_on_the_board(
    marked: tuple[int, int] | None, rows: tuple[int, int], cols: tuple[int, int]
):
    view = View.hidden(1000, 1000)
    ruler, *lines, where = render.draw(view, marked=marked, room=(22, 65)).plain.split("\n")
    assert [int(line[:3]) for line in lines] == list(range(rows[0], rows[1] + 1))
    assert {len(line) for line in lines} == {3 + 1 + 2 * 30 + 1}
    fives = [number for number in range(cols[0], cols[1] + 1) if number % 5 == 0]
    assert [int(number) for number in ruler.split()] == fives
    assert where == (f"rows {rows[0]}-{rows[1]}, columns {cols[0]}-{cols[1]} of a 1000x1000 board")
    assert "".join(lines).count("[") == (marked is not None)


def test_enough_room_for_the_whole_board_changes_nothing():
    drawn = render.draw(EVERY_STATE, marked=(1, 1))
    assert render.draw(EVERY_STATE, marked=(1, 1), room=(4, 15)) == drawn
    assert render.draw(EVERY_STATE, marked=(1, 1), room=(50, 150)) == drawn


def test_even_the_smallest_window_shows_its_column_number():
    drawn = render.draw(View.hidden(20, 20), marked=(9, 13), room=(1, 6)).plain
    ruler, line, *where = drawn.split("\n")
    assert (ruler.split(), line) == (["13"], " 9 [·]")
    assert "".join("".join(where).split()) == "rows9-9,columns13-13ofa20x20board"


def test_no_room_at_all_is_an_error():
    with pytest.raises(InvalidInput, match=r"at least 1 line and 1 column, got \(0, 5\)"):
        render.draw(EVERY_STATE, room=(0, 5))


def test_column_numbers_end_above_their_columns():
    ruler = render.plain(View.hidden(2, 120)).split("\n")[0]
    for number in range(0, 120, 5):
        end = 3 + 2 * number + 1
        assert ruler[:end].endswith(str(number))


# Plain text


def test_plain_text_has_a_ruler_and_one_line_per_row():
    assert render.plain(EVERY_STATE).split("\n") == [
        "   0         5",
        "0  0 1 2 3 4 ?",
        "1  ? 5 6 7 8 s",
        "2  - * F F ? ?",
    ]


def test_plain_text_with_the_truth_shows_wrong_flags_and_mines_not_found():
    rows = render.plain(EVERY_STATE, truth=EVERY_TRUTH).split("\n")[1:]
    assert ["".join(row[3:].split()) for row in rows] == SHOWN_AFTERWARDS.split()


def test_the_truth_must_have_the_shape_of_the_view():
    with pytest.raises(InvalidInput, match="expected 3x6, got 6x3"):
        render.plain(EVERY_STATE, truth=Board.from_mines(6, 3, []))


def test_a_legend_explains_every_symbol_except_clues():
    legend = render.legend(truth=True, ascii_only=True)
    entries = dict(entry.split(" ", 1) for entry in legend.split("  "))
    assert set(entries) == set("?sF-*mx")
    assert "m" not in dict(
        entry.split(" ", 1) for entry in render.legend(ascii_only=True).split("  ")
    )


@pytest.mark.parametrize(
    ("encoding", "term", "poor"),
    [
        ("utf-8", "xterm-256color", False),
        ("UTF-8", "xterm", False),
        ("ascii", "xterm-256color", True),
        ("iso-8859-1", "xterm", True),
        ("utf-8", "dumb", True),
    ],
)
def test_a_console_is_limited_without_utf8_or_when_dumb(encoding: str, term: str, poor: bool):
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=file, force_terminal=True, legacy_windows=False, _environ={"TERM": term})
    assert render.is_poor(console) is poor


# SVG


def test_a_board_shows_every_mine_and_every_clue():
    board = Board.random(16, 30, 99, seed=7)
    (shown,) = uses(render.board_svg(board))
    clues = Counter(board.counts[index] for index, mined in enumerate(board.mined) if not mined)
    del clues[0]
    assert shown == {"#mp-mine": 99} | {f"#mp-{clue}": n for clue, n in clues.items()}


def test_a_view_shows_every_state_in_its_own_shape():
    (shown,) = uses(render.view_svg(EVERY_STATE))
    assert shown == {f"#mp-{clue}": 1 for clue in range(9)} | {
        "#mp-hidden": 4,
        "#mp-safe": 1,
        "#mp-none": 1,
        "#mp-boom": 1,
        "#mp-flag": 2,
    }


def test_a_zero_that_did_not_flood_is_drawn():
    (shown,) = uses(render.view_svg(View.from_text("3x4/2 00??/00??/000?")))
    assert shown == {"#mp-0": 4, "#mp-hidden": 5}
    board = Board.from_text("3x4/2 ..*./..../...*")
    left, right = uses(render.game_svg(board, View.from_text("3x4/2 0???/????/????")))
    assert "#mp-0" not in left
    assert right == {"#mp-0": 1, "#mp-hidden": 11}


def test_in_a_film_a_zero_is_drawn_until_its_neighbours_are_open():
    board = Board.from_text("1x3/0 ...")
    events = [[Event((0, 0), 0)], [Event((0, 1), 0)], [Event((0, 2), 0)]]
    frames = [Frame(None, "", one) for one in events]
    looks = spans(board, View.hidden(1, 3), frames)
    assert {span: sorted(places) for span, places in looks.items()} == {
        FrameSpan(0, 1): [(0, ZERO), (1, HIDDEN)],
        FrameSpan(0, 2): [(2, HIDDEN)],
        FrameSpan(1, 2): [(1, ZERO)],
        FrameSpan(1, None): [(0, 0)],
        FrameSpan(2, None): [(1, 0), (2, 0)],
    }


def test_states_differ_in_shape_even_without_colours():
    def outline(element: ElementTree.Element) -> tuple[object, ...]:
        kept = {k: v for k, v in element.attrib.items() if k not in ("id", "fill", "stroke")}
        return element.tag, sorted(kept.items()), element.text, [outline(part) for part in element]

    root = ElementTree.fromstring(render.game_svg(EVERY_TRUTH, EVERY_STATE))
    shapes = root.findall(f"{SVG}defs/{SVG}g")
    assert len(shapes) == 16
    assert len({str(outline(shape)) for shape in shapes}) == 16


def test_a_shape_is_at_the_position_of_its_cell():
    root = ElementTree.fromstring(render.board_svg(Board.from_mines(4, 5, [(2, 3)])))
    (use,) = (use for use in root.iter(f"{SVG}use") if use.attrib["href"] == "#mp-mine")
    row = next(group for group in root.iter(f"{SVG}g") if use in list(group))
    assert (row.attrib["transform"], use.attrib["x"]) == ("translate(0 48)", "72")


def test_every_shape_that_is_used_is_defined():
    root = ElementTree.fromstring(render.game_svg(EVERY_TRUTH, EVERY_STATE))
    defined = {shape.attrib["id"] for shape in root.findall(f"{SVG}defs/{SVG}g")}
    assert {use.attrib["href"].lstrip("#") for use in root.iter(f"{SVG}use")} == defined


def test_a_game_shows_the_truth_next_to_the_knowledge_with_wrong_flags():
    truth, known = uses(render.game_svg(EVERY_TRUTH, EVERY_STATE))
    assert truth["#mp-mine"] == 3
    assert known["#mp-mine"] == 0, "a mine that was not found is hidden in the knowledge"
    assert (known["#mp-flag"], known["#mp-wrong"], known["#mp-hidden"]) == (1, 1, 4)
    assert texts(render.game_svg(EVERY_TRUTH, EVERY_STATE)) == ["truth", "knowledge"]


def test_a_marked_cell_is_framed_in_each_board():
    def frames(svg: str) -> int:
        return len(ElementTree.fromstring(svg).findall(f"{SVG}g/{SVG}rect[@fill='none']"))

    assert frames(render.view_svg(EVERY_STATE)) == 0
    once = frames(render.view_svg(EVERY_STATE, marked=(1, 2)))
    assert once > 0
    assert frames(render.game_svg(EVERY_TRUTH, EVERY_STATE, marked=(1, 2))) == 2 * once


@pytest.mark.parametrize(
    ("caption", "read"),
    [
        ("0.2 < 0.3 & so", "0.2 < 0.3 & so"),
        ("</text><script>\"'", "</text><script>\"'"),
        ("a\x00b\x1bc\nd\ud800", r"a\x00b\x1bc d\ud800"),
    ],
)
def test_a_caption_cannot_break_the_picture(caption: str, read: str):
    svg = render.game_svg(Board.from_mines(1, 30, []), View.hidden(1, 30), caption=caption)
    assert texts(svg.encode().decode())[2:] == [read]


def test_a_long_caption_wraps_and_makes_room():
    def height(caption: str) -> int:
        svg = render.game_svg(EVERY_TRUTH, EVERY_STATE, caption=caption)
        return int(ElementTree.fromstring(svg).attrib["height"])

    words = "nothing is proved " * 12
    lines = texts(render.game_svg(EVERY_TRUTH, EVERY_STATE, caption=words))[2:]
    assert " ".join(lines) == words.strip()
    assert len(lines) > 1
    assert height("") < height("short") < height(words)


def test_a_picture_has_a_description_of_what_it_shows():
    root = ElementTree.fromstring(render.view_svg(EVERY_STATE, marked=(2, 0)))
    assert root.attrib["role"] == "img"
    assert root.findtext(f"{SVG}title") == "Minesweeper view, 3 rows and 6 columns"
    assert root.findtext(f"{SVG}desc") == (
        "9 opened, 4 hidden, 1 known safe, 2 flagged, 1 no clue, 1 exploded; 3 mines; "
        "latest move: row 2, column 0"
    )


def test_the_largest_standard_game_stays_small():
    board = Board.random(16, 30, 99, seed=1)
    assert len(render.game_svg(board, View.hidden(16, 30, 99)).encode()) < 60_000


def test_pictures_of_the_smallest_board_fit_in_their_frame():
    board, view = Board.from_mines(1, 1, []), View.hidden(1, 1, 0)
    assert render.draw(view, marked=(0, 0), ascii_only=True).plain == "  0\n0 [?]".replace(
        "  0", "   0"
    )
    assert render.plain(view) == "   0\n0  ?"
    for svg in (render.board_svg(board), render.view_svg(view), render.game_svg(board, view)):
        root = ElementTree.fromstring(svg)
        width, height = root.attrib["width"], root.attrib["height"]
        assert root.attrib["viewBox"] == f"0 0 {width} {height}"
        assert int(width) > 24 < int(height)


def test_the_largest_board_takes_seconds():
    board = Board(Grid(1000, 1000), bytes([0, 0, 0, 0, 1]) * 200_000)
    start = time.perf_counter()
    picture = render.board_svg(board)
    drawn = render.plain(View.hidden(1000, 1000), truth=board)
    assert time.perf_counter() - start < 10
    assert picture.count('"#mp-mine"') == drawn.count("m") == 200_000


# A whole game


def game(agent: str, *shape: int, seed: int = 3) -> Record:
    return play(Deal(*shape), agent, rules=Rules("continue", "safe"), seed=seed)


def film(record: Record) -> str:
    """The animated picture of a game, without its end; the captions have the reasons."""
    first = View.hidden(record.board.rows, record.board.cols)
    return render.film_svg(record.board, first, record.turns)


def turn(cell: tuple[int, int], reason: str) -> Turn:
    """A turn that opens a zero."""
    move = Move(cell, "open", None, False, reason)
    return Turn(move, moves=(move,), changes=((Event(cell, 0),),))


def places(svg: str, board: int) -> set[tuple[str, int, int]]:
    """The shapes on one of the boards that are visible without animation, with their positions."""
    found = set()
    group = ElementTree.fromstring(svg).findall(f"{SVG}g[@transform]")[board]
    for part in group.findall(f"{SVG}g/{SVG}g"):
        if part.get("visibility") != "hidden":
            top = sum(map(int, re.findall(r"translate\(0 (\d+)\)", part.get("transform", ""))))
            for use in part.findall(f"{SVG}use"):
                place = int(use.attrib["x"]), top + int(use.get("y", 0))
                found.add((use.attrib["href"], *place))
    return found


def shown_at(svg: str, frame: int) -> set[str]:
    """The classes of what is visible during a frame, by the times of the keyframes."""
    return {
        name
        for name in re.findall(r"@keyframes (mp\d+-\w+)", svg)
        if int(name[2:].split("-")[0]) <= frame
        and (name.endswith("end") or frame < int(name.split("-")[1]))
    }


@pytest.mark.parametrize("agent", ["baseline", "gauss", "one-two:raw=true"])
def test_without_animation_a_film_is_the_final_picture(agent: str):
    record = game(agent, 9, 9, 14)
    still = render.game_svg(record.board, record.view)
    for board in (0, 1):
        assert places(film(record), board) == places(still, board)


def test_a_film_has_every_reason():
    record = game("gauss", 9, 9, 14)
    root = ElementTree.fromstring(film(record))
    words = [
        " ".join(text.text or "" for text in moment.findall(f"{SVG}text"))
        for moment in root.findall(f"{SVG}g")
        if not moment.get("transform")
    ]
    assert words == [
        "before the first move",
        *(
            f"move {number}, {turn.action} ({turn.cell[0]},{turn.cell[1]}): {turn.reason}"
            for number, turn in enumerate(record.turns, start=1)
        ),
    ]


def test_at_every_moment_a_film_shows_one_state_per_cell_and_one_caption():
    record = game("baseline", 6, 6, 8)
    svg = film(record)
    knowledge = ElementTree.fromstring(svg).findall(f"{SVG}g[@transform]")[1]
    views = [View.hidden(6, 6), *(view for _, _, view in replayed(record))]
    for frame, view in enumerate(views):
        names = shown_at(svg, frame)
        shapes = Counter(
            use.attrib["href"]
            for part in knowledge.findall(f"{SVG}g/{SVG}g")
            if not part.get("style") or part.attrib["style"].split(":")[1] in names
            for use in part
        )
        assert f"mp{frame}-{frame + 1 if frame + 1 < len(views) else 'end'}" in names
        (expected,) = uses(render.view_svg(view))
        assert shapes == expected


def test_times_increase_up_to_the_pause_at_the_end():
    svg = film(game("baseline", 6, 6, 8))
    seconds = float(re.findall(r"\.mp-film{animation:([\d.]+)s step-end infinite}", svg)[0])
    assert 10 <= seconds <= 40
    starts = {
        int(name): float(share)
        for name, share in re.findall(r"@keyframes mp(\d+)-\w+{(?:0%{[^}]*})?([\d.]+)%", svg)
    }
    shares = [starts[number] for number in sorted(starts)]
    assert shares == sorted(set(shares))
    assert shares[0] == 0
    assert shares[-1] * seconds / 100 < seconds - 3


@pytest.mark.parametrize("moves", [0, 1, 50, 5000])
def test_a_film_lasts_10_to_40_seconds_whatever_the_number_of_moves(moves: int):
    board = Board.from_mines(50, 100, [])
    turns = [
        turn(cell, f"reason {number}") for number, cell in enumerate(board.grid.cells(range(moves)))
    ]
    svg = render.film_svg(board, View.hidden(50, 100), turns)
    assert 10 <= float(re.findall(r"mp-film{animation:([\d.]+)s", svg)[0]) <= 40
    assert svg.count("reason ") == min(moves, MOST_FRAMES)
    assert moves == 0 or f"reason {moves - 1}<" in svg
    hidden = [place for place in places(svg, 1) if place[0] == "#mp-hidden"]
    assert len(hidden) == 5000 - moves, "changes between frames are not lost"


def test_an_expert_film_is_small_has_no_script_and_respects_reduced_motion():
    svg = film(game("gauss", 16, 30, 99))
    assert len(svg.encode()) < 500_000
    assert "<script" not in svg
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    media = svg.index("@media (prefers-reduced-motion:no-preference){")
    assert all(place > media for place in (svg.index(".mp-film{"), svg.index(".mp-bar{")))


def test_a_long_or_malicious_caption_cannot_break_a_film():
    wild = turn((0, 0), "</style>&<\x00 " + "very long " * 200)
    svg = render.film_svg(Board.from_mines(2, 2, []), View.hidden(2, 2), [wild])
    assert "..." in "".join(ElementTree.fromstring(svg).itertext())


def test_the_step_number_is_below_the_symbol_of_its_cell() -> None:
    """A number never covers a clue, a flag or a mine, however many steps there are."""
    view = View.from_text("2x5/3 1233?/1F*-?")
    chain = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3), (0, 4)]
    root = ElementTree.fromstring(render.chain_svg(view, chain, [(0, 0)], ["words"]))
    name = "{http://www.w3.org/2000/svg}"
    placed = [one for one in root.iter(f"{name}g") if "scale(" in one.get("transform", "")]
    assert len(placed) == len(chain) - 1, "the cell that the chain leads to is hidden"
    for one in placed:
        shift, scale = map(float, re.findall(r"translate\([\d.]+ ([\d.]+)\) scale\(([\d.]+)\)",
                                             one.get("transform", ""))[0])  # fmt: skip
        feet = [float(text.get("y", 0)) for text in one.iter(f"{name}text")]
        assert all(shift + scale * foot <= SIGN_FOOT for foot in feet)
        assert shift + scale * 19.4 <= SIGN_FOOT, "the foot of a mine, the largest symbol"
    (steps,) = [one for one in root.iter(f"{name}g") if one.get("font-size") == "8"]
    tops = [float(one.get("y", 0)) % CELL - 0.75 * 8 for one in steps]
    assert [one.text for one in steps] == [str(n) for n in range(1, len(chain) + 1)]
    assert min(tops) > SIGN_FOOT
