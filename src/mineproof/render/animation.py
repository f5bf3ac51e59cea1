"""A game as an animated SVG: the truth next to the player's view, one frame per move.

It uses CSS only, no script. What does not change is drawn once; each look of a cell is visible
while the cell has it, and cells that change together share one animation. If the reader prefers
reduced motion, or the program shows no animations, the picture is the end of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mineproof.arguments import each, of_type
from mineproof.phrases import say
from mineproof.render.appearance import (
    WRONG_FLAG,
    ZERO,
    is_blank,
    judged,
    solved,
    tally,
    zeros_written,
)
from mineproof.render.palette import WELL_EDGE
from mineproof.render.shapes import CELL, IDS
from mineproof.render.svg import (
    CAPTION_LINE,
    GUTTER,
    MARGIN,
    PAD,
    RULER,
    TITLE,
    board_group,
    caption_lines,
    extent,
    frame,
    heading,
    page,
    rulers,
    size,
    well,
    wrap,
)
from mineproof.world.board import Board
from mineproof.world.geometry import Cell, Grid
from mineproof.world.turn import Turn
from mineproof.world.view import FLAGGED, Event, View

MOST_FRAMES = 600
"""The most frames; longer games are sampled evenly, and each frame includes skipped moves."""
MOST_LINES = 6
_SECONDS_A_FRAME = 0.25
_SHORTEST, _LONGEST = 8.0, 35.0  # seconds of all moves together
_REST = 4.0  # seconds at the end


class Frame(NamedTuple):
    """One frame: the cell of the turn, the caption, and what changed since the last frame."""

    marked: Cell | None
    caption: str
    events: Sequence[Event] = ()


class FrameSpan(NamedTuple):
    """From the start of one frame to the start of another; None means until the end."""

    first: int
    end: int | None

    @property
    def name(self) -> str:
        """The name of its animation."""
        return f"mp{self.first}-{'end' if self.end is None else self.end}"


def film_svg(board: Board, view: View, turns: Iterable[Turn], *, ending: str = "") -> str:
    """Return an animated SVG: the truth on the left, the player's view on the right, in a loop.

    `view` is the view before the first turn. The `ending`, if any, is the caption of the last
    frame, which stays for a few seconds.
    """
    of_type(board, Board, "board")
    of_type(view, View, "view")
    of_type(ending, str, "ending")
    return _Film(board, view, frames_of(each(turns, Turn, "turns"), ending, MOST_FRAMES)).svg()


class _Film:
    """A game, split into looks of cells and the spans in which they are visible."""

    def __init__(self, board: Board, view: View, frames: list[Frame]) -> None:
        self.board, self.grid = board, board.grid
        self.frames = frames
        last = len(self.frames) - 1
        self.moments = [FrameSpan(i, i + 1 if i < last else None) for i in range(last + 1)]
        self.looks = spans(board, view, self.frames)
        self.width, self.height = extent(self.grid)
        self.second = self.width  # where the right board begins
        self.width += self.second - PAD
        self.captions = [self._caption(frame.caption) for frame in self.frames]
        self.moving = min(max(_SECONDS_A_FRAME * len(self.frames), _SHORTEST), _LONGEST)

    def svg(self) -> str:
        """Return the picture."""
        final = bytes(
            0 if look == ZERO else look
            for span in self.looks
            if span.end is None
            for _, look in self.looks[span]
        )
        drawn = [
            *heading("truth", PAD),
            *board_group(self.grid, solved(self.board), None, PAD, PAD + TITLE),
            *heading("knowledge", self.second),
            *self._knowledge(),
            self._bar(),
            *self._moments(),
        ]
        lines = max(map(len, self.captions))
        height = self.height + TITLE + CAPTION_LINE * lines + PAD // 2
        used = bytes({*solved(self.board), *(look for at in self.looks.values() for _, look in at)})
        title = f"Minesweeper game, {size(self.grid)}: truth and knowledge, move by move"
        more = (f'<g id="mp-here">{frame(Grid(1, 1), (0, 0))}</g>', self._style())
        story = f"at the end: {tally(final)}"
        return page(title, story, used, drawn, self.width, height, *more)

    def _knowledge(self) -> Iterator[str]:
        """The right board: for every span, the looks visible in it."""
        yield f'<g transform="translate({self.second + GUTTER} {PAD + TITLE + RULER})">'
        yield from rulers(self.grid)
        yield from well(self.grid)
        yield '<g font-size="16" font-weight="700" text-anchor="middle">'
        for span, looks in self.looks.items():
            shapes = "".join(self._shape(*each) for each in looks if each[1])
            if shapes:
                yield f"<g{_during(span)}>{shapes}</g>"
        yield "</g>"
        yield "</g>"

    def _shape(self, index: int, look: int) -> str:
        row, col = self.grid.cell(index)
        return f'<use href="#{IDS[look]}" x="{CELL * col}" y="{CELL * row}"/>'

    def _moments(self) -> Iterator[str]:
        """The parts of single frames: the caption, and the box around the cell of the move."""
        for span, one, lines in zip(self.moments, self.frames, self.captions, strict=True):
            yield f"<g{_during(span)}>"
            yield from caption_lines(lines, self.height + TITLE)
            if one.marked is not None:
                row, col = one.marked
                y = PAD + TITLE + RULER + CELL * row
                for left in (PAD, self.second):
                    yield f'<use href="#mp-here" x="{left + GUTTER + CELL * col}" y="{y}"/>'
            yield "</g>"

    def _bar(self) -> str:
        """The progress bar."""
        x = PAD + GUTTER
        return (
            f'<rect class="mp-bar" style="transform-box:fill-box" x="{x}" height="2"'
            f' y="{self.height + TITLE - 14}"'
            f' width="{self.width - x - MARGIN}" fill="{WELL_EDGE}"/>'
        )

    def _caption(self, caption: str) -> list[str]:
        lines = wrap(caption, self.width - 2 * PAD)
        return lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], "..."]

    def _style(self) -> str:
        """The animations, unless the reader prefers reduced motion."""
        seconds = self.moving + _REST
        every = sorted({*self.moments, *self.looks}, key=lambda span: span.name)
        return "\n".join(
            [
                "<style>",
                "@media (prefers-reduced-motion:no-preference){",
                f".mp-film{{animation:{seconds:.2f}s step-end infinite}}",
                f".mp-bar{{animation:mp-bar {seconds:.2f}s linear infinite}}",
                "}",
                f"@keyframes mp-bar{{0%{{transform:scaleX(0)}}{self._when(len(self.frames))},"
                "to{transform:none}}",
                *(self._keyframes(span) for span in every if span != _ALWAYS),
                "</style>",
            ]
        )

    def _keyframes(self, span: FrameSpan) -> str:
        before = f"0%{{{_HIDDEN}}}" if span.first else ""
        shown = f"{self._when(span.first)}{',to' if span.end is None else ''}{{{_VISIBLE}}}"
        after = "" if span.end is None else f"{self._when(span.end)},to{{{_HIDDEN}}}"
        return f"@keyframes {span.name}{{{before}{shown}{after}}}"

    def _when(self, number: int) -> str:
        """The start of a frame in per cent of the duration."""
        share = number / len(self.frames) * self.moving / (self.moving + _REST)
        return f"{100 * share:.3f}%"


_ALWAYS = FrameSpan(0, None)
_VISIBLE, _HIDDEN = "visibility:visible", "visibility:hidden"


def _during(span: FrameSpan) -> str:
    """The attributes that make an element visible during a span; without motion, at the end."""
    if span == _ALWAYS:
        return ""
    still = "" if span.end is None else ' visibility="hidden"'
    return f' class="mp-film" style="animation-name:{span.name}"{still}'


def changes(board: Board, view: View, frames: Sequence[Frame]) -> Iterator[list[tuple[int, int]]]:
    """Yield for each frame the indices of cells whose look changes, with the new looks."""
    grid, known = board.grid, bytearray(judged(view, board))
    looks = bytearray(zeros_written(grid, known))
    for one in frames:
        changed = [grid.index(event.cell) for event in one.events]
        for index, event in zip(changed, one.events, strict=True):
            wrong = event.state == FLAGGED and not board.mined[index]
            known[index] = WRONG_FLAG if wrong else event.state
        near = (other for index in changed for other in grid.neighbours(index))
        found = []
        for index in dict.fromkeys((*changed, *near)):
            look = known[index]
            if look == 0 and not is_blank(grid, known, index):
                look = ZERO
            if look != looks[index]:
                looks[index] = look
                found.append((index, look))
        yield found


def spans(
    board: Board, view: View, frames: Sequence[Frame]
) -> dict[FrameSpan, list[tuple[int, int]]]:
    """Return, by span, the indices of cells and the look that each has in that span."""
    looks = bytearray(zeros_written(board.grid, judged(view, board)))
    since = [0] * len(looks)
    found: dict[FrameSpan, list[tuple[int, int]]] = {}
    for number, changed in enumerate(changes(board, view, frames)):
        for index, look in changed:
            if since[index] < number:
                span = FrameSpan(since[index], number)
                found.setdefault(span, []).append((index, looks[index]))
            looks[index], since[index] = look, number
    for index, look in enumerate(looks):
        found.setdefault(FrameSpan(since[index], None), []).append((index, look))
    return found


def frames_of(turns: Iterable[Turn], ending: str, most: int) -> list[Frame]:
    """Return a frame before the first turn, then at most `most` frames, evenly chosen.

    The changes of a frame that is left out are added to the next one kept.
    """
    every = [
        Frame(turn.cell, caption(number, turn), turn.events)
        for number, turn in enumerate(turns, start=1)
    ]
    if ending:
        every.append(Frame(every[-1].marked if every else None, ending))
    kept = min(len(every), most)
    made = [Frame(None, "before the first move")]
    for number in range(kept):
        group = every[number * len(every) // kept : (number + 1) * len(every) // kept]
        events = [event for one in group for event in one.events]
        made.append(Frame(group[-1].marked, group[-1].caption, events))
    return made


def caption(number: int, turn: Turn) -> str:
    """Return the caption of a turn: its number from 1, action, cell and reason."""
    reason = f": {turn.reason}" if turn.reason else ""
    return say("turn.caption", number=number, action=turn.action, cell=turn.cell, reason=reason)
