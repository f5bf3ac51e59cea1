"""Mine probabilities as heat maps: the view with the risk of every hidden cell.

Colours go from cool to hot and always repeat what is also written: a risk is two digits in per cent
(a clue is one digit), next to the flag if there is one; proved cells have their own symbols. On an
impossible board, the contradicting clues are in brackets.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from rich.style import Style
from rich.text import Text

from mineproof.arguments import of_type
from mineproof.errors import check_integer, plural
from mineproof.render.appearance import (
    MINE,
    RISKS,
    WRONG_FLAG,
    HasRisks,
    check_odds,
    tally,
    weighed,
    zeros_written,
)
from mineproof.render.board_text import ASCII, STYLES, UNICODE, appear
from mineproof.render.palette import PANEL, PANEL_EDGE
from mineproof.render.shapes import CELL, HEAT, IDS, PIN, gradient, pin
from mineproof.render.sheet import BRACKET, HERE, Room, Sheet, as_room
from mineproof.render.svg import (
    CAPTION_LINE,
    GUTTER,
    MARGIN,
    PAD,
    RULER,
    board_group,
    caption_lines,
    extent,
    page,
    size,
    wrap,
)
from mineproof.world.geometry import Cell, cells_of
from mineproof.world.view import EXPLODED, FLAGGED, KNOWN_SAFE, View

NUMBERS = {look: f"{percent:02}" if percent else "<1" for percent, look in enumerate(RISKS)}
"""A risk in two characters: whole per cent, or `<1`."""
_THIN = Style(bold=False)
_KEYS = ((KNOWN_SAFE, "safe"), (MINE, "mine"))
_BAR = (7 * CELL, 10)  # width and height of the colour scale on a page
_KEY_WIDTH = 68
_LEGEND_LINE = 34


def draw_odds(
    odds: HasRisks,
    *,
    marked: Cell | None = None,
    ascii_only: bool = False,
    room: tuple[int, int] | Room | None = None,
) -> Text:
    """Draw the board with the risk of every hidden cell, with brackets around `marked`.

    A risk has two digits in per cent: `07` is 7 %, `<1` is below 1 %, `99` is 99 % or more. Without
    `room` (lines and columns of text) the board is drawn in full width; otherwise it is folded, or
    only the part around `marked` is drawn, and the last line says which part.
    """
    check_odds(odds)
    view = odds.view
    grid, looks = view.grid, weighed(odds)
    marked = None if marked is None else grid.cell(grid.index(marked))
    symbols = ASCII if ascii_only else UNICODE
    # A flag precedes the risk of its cell and needs one more column; a flag that is proved right is
    # drawn alone, one that is proved wrong is crossed out.
    proved = {MINE: symbols[FLAGGED], KNOWN_SAFE: symbols[WRONG_FLAG]}
    pairs = zip(view.states, looks, strict=True)
    width = 4 if any(state == FLAGGED and look in RISKS for state, look in pairs) else 3

    def body_of(index: int) -> tuple[str, Style]:
        look = looks[index]
        flagged = view.states[index] == FLAGGED
        if look in RISKS:
            body, paint = NUMBERS[look], STYLES[look]
            body = symbols[FLAGGED] + body if flagged else body
        else:
            body, paint = appear(grid, looks, index, symbols)
            body = proved[look] if flagged else body
        return body, paint

    def spaced(index: int) -> tuple[str, Style]:
        body, paint = body_of(index)
        return f" {body:>{width - 1}}", paint

    def tight(index: int) -> tuple[str, Style]:
        body, paint = body_of(index)
        return f"{body:>{width - 1}}", paint if index % grid.cols % 2 else paint + _THIN

    place = as_room(room)
    sheet = Sheet(grid, width, spaced)
    if not sheet.fits(place) and not ascii_only:
        # Without gaps, every second column is in a thinner font.
        tighter = Sheet(grid, width - 1, tight, closed=False)
        sheet = tighter if tighter.fits(place) else sheet
    return sheet.draw(marked, marked, place)


def draw_clash(
    view: View,
    clues: Collection[Cell],
    *,
    ascii_only: bool = False,
    room: tuple[int, int] | Room | None = None,
) -> Text:
    """Draw the board with each of the cells `clues` in brackets."""
    of_type(view, View, "view")
    clues = cells_of(view.grid, clues, "clues")
    marks = dict.fromkeys(clues, ("[", "]", STYLES[EXPLODED]))
    return draw_marked(view, view.states, marks, min(clues, default=None), ascii_only, room)


def draw_marked(
    view: View,
    looks: bytes,
    marks: Mapping[Cell, tuple[str, str, Style]],
    centre: Cell | None,
    ascii_only: bool,
    room: tuple[int, int] | Room | None,
) -> Text:
    """Draw the board with marks: a character before and after a cell, and a style.

    If there is no room for the characters, the marked cells are reversed.
    """
    marked = {view.grid.index(cell): mark for cell, mark in marks.items()}
    symbols = ASCII | {0: "0"} if ascii_only else UNICODE | {0: "0"}

    def cell(index: int) -> tuple[str, Style]:
        look = looks[index]
        before, behind, paint = marked.get(index, (" ", " ", STYLES[look]))
        return f"{before}{symbols[look]}{behind}", paint

    def narrow(index: int) -> tuple[str, Style]:
        look = looks[index]
        return f" {symbols[look]}", HERE if index in marked else STYLES[look]

    place = as_room(room)
    sheets = (
        Sheet(view.grid, 3, cell, closed=False, reach=2),
        Sheet(view.grid, 2, narrow, closed=False),
    )
    sheet = next((sheet for sheet in sheets if sheet.fits(place)), sheets[0])
    return sheet.draw(centre, None, place)


def odds_legend(
    *,
    flags: bool = False,
    wrong: bool = False,
    marked: bool = True,
    ascii_only: bool = False,
    columns: int | None = None,
) -> Text:
    """Return the legend of a heat map, with its colour scale.

    It includes flags with `flags`, and wrong flags with `wrong`. It is one line of text, or several
    if `columns` limits the width.
    """
    columns = None if columns is None else check_integer(columns, "columns")
    symbols = ASCII if ascii_only else UNICODE
    scale = Text("two digits: risk in %" if ascii_only else "risk in % ")
    for percent in () if ascii_only else (0, 20, 40, 60, 80, 99):
        scale.append(f" {NUMBERS[RISKS[percent]]} ", STYLES[RISKS[percent]])
    parts = [scale]
    keys = [(symbols[look], look, name) for look, name in _KEYS]
    if flags:
        keys.append((symbols[FLAGGED], MINE, "flagged mine"))
    if wrong:
        keys.append((symbols[WRONG_FLAG], KNOWN_SAFE, "wrong flag"))
    for symbol, look, name in keys:
        shown = symbol if ascii_only else f" {symbol} "
        parts.append(Text().append(shown, STYLES[look]).append(f" {name}"))
    if marked:
        parts.append(Text().append("[", BRACKET).append(" ").append("]", BRACKET).append(" best"))
    return _joined(parts, columns)


def _joined(parts: Iterable[Text], columns: int | None) -> Text:
    """Join the parts of a legend into lines without breaking a part."""
    lines: list[Text] = []
    for part in parts:
        if lines and (columns is None or lines[-1].cell_len + 3 + part.cell_len <= columns):
            lines[-1] = lines[-1].append("   ").append_text(part)
        else:
            lines.append(part)
    return Text("\n").join(lines)


def odds_svg(odds: HasRisks, *, marked: Cell | None = None, caption: str = "") -> str:
    """Draw mine probabilities as SVG: small numbers on hidden cells, a tick or a mine if proved.

    The cell `marked`, the best move, is framed; the colour scale and a caption are below the board.
    """
    check_odds(odds)
    marked = None if marked is None else odds.view.grid.cell(odds.view.grid.index(marked))
    view, grid = odds.view, odds.view.grid
    looks = zeros_written(grid, weighed(odds))
    width, height = extent(grid)
    keys_on_right = width >= PAD + GUTTER + _BAR[0] + CELL + 3 * _KEY_WIDTH + MARGIN
    width = max(width, PAD + GUTTER + max(_BAR[0], 3 * _KEY_WIDTH) + MARGIN)
    lines = wrap(caption, width - 2 * PAD)
    left, top = PAD + GUTTER, height
    drawn = [
        *board_group(grid, looks, marked, PAD, PAD),
        *_pins(view),
        *_scale(left, top),
        *_keys(
            left + _BAR[0] + CELL if keys_on_right else left,
            top - 7 if keys_on_right else top + 30,
            marked,
        ),
    ]
    height += _LEGEND_LINE + (0 if keys_on_right else _LEGEND_LINE - 4)
    drawn += caption_lines(lines, height + 6)
    height += (CAPTION_LINE * len(lines) + PAD // 2) if lines else 0
    known = looks + bytes(look for look, _ in _KEYS)
    more = (pin(),) if FLAGGED in view.states else ()
    title = f"Minesweeper odds, {size(grid)}"
    return page(title, _describe(odds, marked), known, drawn, width, height, gradient(), *more)


def _pins(view: View) -> Iterator[str]:
    """Yield a small flag for every flagged cell."""
    flagged = view.cells(FLAGGED)
    if flagged:
        yield f'<g transform="translate({PAD + GUTTER} {PAD + RULER})">'
        yield "".join(
            f'<use href="#{PIN}" x="{CELL * col}" y="{CELL * row}"/>' for row, col in flagged
        )
        yield "</g>"


def _scale(x: int, y: int) -> Iterator[str]:
    """Yield the colour scale from 0 to 100 %, with numbers below."""
    width, height = _BAR
    yield f'<g transform="translate({x} {y})" font-size="10" fill="{PANEL.ink}">'
    yield (
        f'<rect width="{width}" height="{height}" rx="3" fill="url(#{HEAT})"'
        f' stroke="{PANEL_EDGE}"/>'
    )
    yield f'<text y="{height + 12}">0</text>'
    yield f'<text x="{width // 2}" y="{height + 12}" text-anchor="middle">risk in %</text>'
    yield f'<text x="{width}" y="{height + 12}" text-anchor="end">100</text>'
    yield "</g>"


def _keys(x: int, y: int, marked: Cell | None) -> Iterator[str]:
    """Yield the symbols of proved cells and the frame, with their names."""
    yield f'<g transform="translate({x} {y})" font-size="12" fill="{PANEL.ink}">'
    for place, (look, name) in enumerate(_KEYS):
        at = place * _KEY_WIDTH
        yield f'<use href="#{IDS[look]}" x="{at}"/><text x="{at + CELL + 5}" y="16">{name}</text>'
    if marked is not None:
        at = 2 * _KEY_WIDTH
        yield (
            f'<rect x="{at + 1.5}" y="1.5" width="{CELL - 3}" height="{CELL - 3}" rx="5"'
            f' fill="none" stroke="{PANEL.ink}" stroke-width="3"/>'
            f'<text x="{at + CELL + 5}" y="16">best</text>'
        )
    yield "</g>"


def _describe(odds: HasRisks, marked: Cell | None) -> str:
    """Describe the mine probabilities in words, for screen readers."""
    view = odds.view
    mines = "unknown number of mines" if view.mines is None else plural(view.mines, "mine")
    proved = f"{len(odds.safe)} proved safe, {len(odds.mined)} proved mines"
    best = "" if marked is None else f"; best move: row {marked[0]}, column {marked[1]}"
    return f"{tally(view.states)}; {mines}; {proved}{best}"
