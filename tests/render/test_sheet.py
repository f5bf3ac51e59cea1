"""Boards too wide for the screen are folded or narrowed, never cut; few colours keep the order."""

from __future__ import annotations

from colorsys import rgb_to_hls

import pytest
from rich.color import Color, ColorSystem
from rich.color_triplet import ColorTriplet

import mineproof as mp
from mineproof import render
from mineproof.render.appearance import MINE, RISKS
from mineproof.render.board_text import STYLES
from mineproof.render.few_colours import HEATS_16, HEATS_256
from mineproof.render.palette import PAINTS
from mineproof.world.view import FLAGGED, HIDDEN, KNOWN_SAFE, View

WIDTHS = [40, 60, 80, 110, 120, 140, 200]

# Every cell differs from its neighbours, so a missing cell is noticed.
ROWS = ["".join(str((row * 2 + col * col) % 3 + 1) for col in range(30)) for row in range(16)]
EXPERT = View.from_text("16x30 " + "/".join(ROWS))


def rows_of(drawn: str, gap: int) -> list[str]:
    """The cells of every row, joined from the pieces of a drawing."""
    found: dict[int, str] = {}
    for line in drawn.split("\n"):
        number, cells = line[:2].strip(), line[3:]
        if number:
            found[int(number)] = found.get(int(number), "") + cells[gap::1].replace(" ", "")
    return [found[row] for row in sorted(found)]


@pytest.mark.parametrize("width", WIDTHS)
def test_every_cell_of_an_expert_board_is_drawn_at_any_width(width: int) -> None:
    for lines in (17, 24, 40):
        drawn = render.draw(EXPERT, room=(lines, width)).plain
        assert max(map(len, drawn.split("\n"))) <= width
        assert len(drawn.split("\n")) <= lines
        assert rows_of(drawn, 0) == ROWS


@pytest.mark.parametrize("width", WIDTHS)
def test_every_risk_of_an_expert_board_is_drawn_at_any_width(width: int) -> None:
    odds = mp.posterior(View.hidden(16, 30, 99))
    drawn = render.draw_odds(odds, marked=(7, 15), room=render.Room(24, width, scrolled=100)).plain
    assert max(map(len, drawn.split("\n"))) <= width
    assert drawn.count("21") - drawn.split("\n").count("21") >= 16 * 30
    numbers = {
        int(word)
        for line in drawn.split("\n")
        if ":" not in line
        for word in line.split()
        if word.isdigit()
    }
    assert numbers >= set(range(30)), "the ruler names every column"
    assert drawn.count("[21]") == 1


def test_a_piece_starts_at_a_number_of_its_ruler() -> None:
    first, second = render.draw(EXPERT, room=(40, 60)).plain.split("\n\n")
    assert first.split("\n")[0].split() == ["0", "5", "10"]
    assert second.split("\n")[0].split() == ["15", "20", "25"]


def test_a_folded_board_marks_one_cell() -> None:
    for cell in ((0, 14), (0, 15), (15, 29)):
        drawn = render.draw(EXPERT, marked=cell, room=(40, 60)).plain
        assert drawn.count("[") == drawn.count("]") == 1
        assert drawn.partition("[")[2][0] == ROWS[cell[0]][cell[1]]


def test_a_narrow_board_marks_its_cell_without_colours_too() -> None:
    drawn = render.draw(EXPERT, marked=(3, 4), room=(17, 40))
    reversed_parts = [span for span in drawn.spans if getattr(span.style, "reverse", False)]
    assert [drawn.plain[span.start : span.end] for span in reversed_parts] == [ROWS[3][4]]


def test_odds_lose_their_gaps_before_any_cells() -> None:
    odds = mp.posterior(View.hidden(16, 30, 99))
    tight = render.draw_odds(odds, marked=(0, 0), room=(17, 64)).plain
    assert tight.split("\n")[1] == " 0 " + "21" * 30
    part = render.draw_odds(odds, marked=(0, 0), room=(17, 50)).plain
    assert part.split("\n")[-1].endswith("of a 16x30 board")


def test_premises_are_in_brackets_and_the_cell_between_points() -> None:
    view = View.from_text("2x3/2 ???/121")
    drawn = render.draw_proof(view, (0, 1), [(1, 0), (1, 1)], ascii_only=True).plain
    assert drawn.split("\n")[1:] == ["0  ? >?< ? ", "1 [1][2] 1 "]


def test_flags_are_plain_on_mines_and_crossed_out_on_safe_cells() -> None:
    odds = mp.posterior(View.from_text("2x3/2 FFF/121"))
    drawn = render.draw_odds(odds, ascii_only=True).plain
    assert drawn.split("\n")[1] == "0   F  x  F "
    drawn = render.draw_odds(mp.posterior(View.from_text("1x3/1 F??"))).plain
    assert "⚑33" in drawn


# Few colours


def shown(look: int, system: ColorSystem) -> Color:
    ground = STYLES[look].bgcolor
    assert ground is not None
    return ground.downgrade(system)


def hue(colour: ColorTriplet) -> float:
    return rgb_to_hls(*(part / 255 for part in colour))[0] * 360


FEW = [ColorSystem.EIGHT_BIT, ColorSystem.STANDARD]


@pytest.mark.parametrize("system", FEW)
def test_the_colours_of_risks_go_from_cool_to_hot_only(system: ColorSystem) -> None:
    hues = [hue(shown(look, system).get_truecolor()) for look in RISKS]
    assert hues == sorted(hues, reverse=True)
    assert hues[0] >= 180
    assert hues[-1] <= 15


@pytest.mark.parametrize("scale", [HEATS_256, HEATS_16])
def test_few_colours_keep_the_order_of_risks(scale: tuple[tuple[int, int], ...]) -> None:
    assert [least for least, _ in scale] == sorted({least for least, _ in scale})
    hues = [hue(Color.from_ansi(colour).get_truecolor()) for _, colour in scale]
    assert hues == sorted(hues, reverse=True)
    assert len({colour for _, colour in scale}) == len(scale)


@pytest.mark.parametrize("system", FEW)
def test_no_risk_looks_like_a_safe_cell_a_mine_a_flag_or_a_hidden_cell(system: ColorSystem) -> None:
    risks = {shown(look, system) for look in RISKS}
    others = [shown(look, system) for look in (KNOWN_SAFE, MINE, HIDDEN)]
    assert risks.isdisjoint(others)
    assert len({*others, shown(FLAGGED, system)}) == 4
    for colour in risks:
        assert not 75 <= hue(colour.get_truecolor()) <= 165, "green is reserved for safe cells"


@pytest.mark.parametrize("look", [look for look in PAINTS if look])
def test_every_symbol_is_readable_with_256_colours(look: int) -> None:
    colours = STYLES[look].color, STYLES[look].bgcolor
    lights = []
    for colour in colours:
        assert colour is not None
        parts = (part / 255 for part in colour.downgrade(ColorSystem.EIGHT_BIT).get_truecolor())
        red, green, blue = (
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts
        )
        lights.append(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    low, high = sorted(lights)
    assert (high + 0.05) / (low + 0.05) >= 4.5
