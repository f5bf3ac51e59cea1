"""The tour as an animated picture: what a real terminal shows during `make run`.

`python -m tools.terminal_film` (part of `make docs`) records it into docs/images/demo.svg if the
output of the tour has changed; with `--all` in any case. CSS alone animates it, as in the films of
games: each line of the screen is visible as long as it was on the terminal. Without animation the
picture is the end of the tour; its description has the whole text, which a test compares.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import pexpect
import pyte

from tools.recorder import ROOT

PICTURE = ROOT / "docs" / "images" / "demo.svg"
PROGRAM = ROOT / ".venv" / "bin" / "mineproof"
ROWS, COLS = 32, 104
"""The size of the terminal: an expert board with its words beside it, and any part of the tour."""
_EVERY, _QUIET, _REST = 0.45, 0.006, 6.0
"""Seconds between two frames, without output before one is taken, and at the end of the film."""
_WIDTH, _HEIGHT, _PAD = 8.43, 18, 12
_INK, _GROUND = "#d8dee9", "#15181e"
_COLOURS = {
    "black": "#2b303b",
    "red": "#f07178",
    "green": "#8fce6b",
    "brown": "#e5c07b",
    "blue": "#61afef",
    "magenta": "#c678dd",
    "cyan": "#56b6c2",
    "white": _INK,
}
_FONT = "ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace"


class Run(NamedTuple):
    """Adjacent characters of the same style, from a column on."""

    column: int
    text: str
    ink: str
    ground: str
    bold: bool


Line = tuple[Run, ...]


class Film(NamedTuple):
    """What a terminal showed: its lines at several times in seconds, and the whole text."""

    frames: list[tuple[float, list[Line]]]
    text: str


def record(*arguments: str) -> Film:
    """Run the tour on a terminal and record it."""
    screen = pyte.HistoryScreen(COLS, ROWS, history=1000)
    stream = pyte.ByteStream(screen)
    stream.feed(b"$ make run\r\n")
    size = {"LINES": str(ROWS), "COLUMNS": str(COLS)}
    process = pexpect.spawn(
        str(PROGRAM.relative_to(ROOT)),
        ["demo", *arguments],
        cwd=ROOT,
        dimensions=(ROWS, COLS),
        env=os.environ
        | {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", **size},
        timeout=300,
    )
    begun = time.monotonic()
    frames = [(0.0, _lines(screen))]
    while True:
        try:
            stream.feed(process.read_nonblocking(1 << 16, timeout=_QUIET))
        except pexpect.TIMEOUT:
            now = time.monotonic() - begun
            if now - frames[-1][0] >= _EVERY and (lines := _lines(screen)) != frames[-1][1]:
                frames.append((now, lines))
        except pexpect.EOF:
            break
    if process.wait():
        raise RuntimeError(f"the tour ended with code {process.exitstatus}")
    frames.append((time.monotonic() - begun, _lines(screen)))
    scrolled = ["".join(line[at].data for at in range(COLS)) for line in screen.history.top]
    return Film(frames, "\n".join(line.rstrip() for line in (*scrolled, *screen.display)).rstrip())


def _lines(screen: pyte.Screen) -> list[Line]:
    return [tuple(_runs(screen.buffer[row])) for row in range(ROWS)]


def _runs(row: dict[int, pyte.screens.Char]) -> Iterator[Run]:
    def look(column: int) -> tuple[str, str, bool]:
        one = row[column]
        ink, ground = _colour(one.fg, _INK), _colour(one.bg, _GROUND)
        return (ground, ink, one.bold) if one.reverse else (ink, ground, one.bold)

    for (ink, ground, bold), columns in groupby(range(COLS), key=look):
        first, *more = columns
        text = "".join(row[column].data for column in (first, *more))
        if text.strip() or ground != _GROUND:
            yield Run(first, text, ink, ground, bold)


def _colour(name: str, usual: str) -> str:
    if name == "default":
        return usual
    return _COLOURS.get(name.removeprefix("bright"), f"#{name}")


def draw(film: Film) -> str:
    """The film as SVG."""
    frames = [lines for _, lines in film.frames]
    length = film.frames[-1][0] + _REST
    when = [f"{100 * moment / length:.2f}%" for moment, _ in film.frames]
    spans = list(_spans(frames))
    shapes = {line: f"l{number}" for number, line in enumerate(dict.fromkeys(s[3] for s in spans))}
    width, height = round(COLS * _WIDTH) + 2 * _PAD, ROWS * _HEIGHT + 2 * _PAD
    moving = sorted(
        {(first, end) for first, end, _, _ in spans if (first, end) != (0, None)}, key=str
    )
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve"'
            f' viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
            f' font-family="{_FONT}" font-size="14">',
            "<title>make run: a game, a proof, a guess and a tournament in a terminal</title>",
            f"<desc>{escape(film.text)}</desc>",
            "<style>",
            "@media (prefers-reduced-motion:no-preference){",
            f".f{{animation:{length:.2f}s step-end infinite}}",
            "}",
            *(_keyframes(first, end, when) for first, end in moving),
            "</style>",
            "<defs>",
            *(f'<g id="{name}">{_shape(line)}</g>' for line, name in shapes.items()),
            "</defs>",
            f'<rect width="{width}" height="{height}" rx="8" fill="{_GROUND}"/>',
            *(
                f'<use href="#{shapes[line]}" y="{_PAD + row * _HEIGHT}"{_during(first, end)}/>'
                for first, end, row, line in spans
            ),
            "</svg>\n",
        ]
    )


def _spans(frames: list[list[Line]]) -> Iterator[tuple[int, int | None, int, Line]]:
    """Every line with its row, its first frame, and the frame that removes it (None: never)."""
    for row in range(ROWS):
        first = 0
        for line, group in groupby(lines[row] for lines in frames):
            end = first + sum(1 for _ in group)
            if line:
                yield first, None if end == len(frames) else end, row, line
            first = end


def _shape(line: Line) -> str:
    return "".join(_drawn(line))


def _drawn(line: Iterable[Run]) -> Iterator[str]:
    for run in line:
        x = _PAD + run.column * _WIDTH
        if run.ground != _GROUND:
            wide = f'width="{len(run.text) * _WIDTH + 0.4:.1f}" height="{_HEIGHT}"'  # no gaps
            yield f'<rect x="{x:.1f}" {wide} fill="{run.ground}"/>'
        if not run.text.strip():
            continue
        blank = len(run.text) - len(run.text.lstrip())
        text, x = run.text.strip(), x + blank * _WIDTH
        # Fonts differ in width: each run gets the width that it had on the terminal.
        wide = f' textLength="{len(text) * _WIDTH:.1f}"' if len(text) > 1 else ""
        bold = ' font-weight="700"' if run.bold else ""
        yield f'<text x="{x:.1f}" y="13.5"{wide} fill="{run.ink}"{bold}>{escape(text)}</text>'


def _name(first: int, end: int | None) -> str:
    return f"f{first}-{'end' if end is None else end}"


def _during(first: int, end: int | None) -> str:
    if (first, end) == (0, None):
        return ""
    still = "" if end is None else ' visibility="hidden"'
    return f' class="f" style="animation-name:{_name(first, end)}"{still}'


def _keyframes(first: int, end: int | None, when: list[str]) -> str:
    before = "0%{visibility:hidden}" if first else ""
    shown = f"{when[first]}{',to' if end is None else ''}{{visibility:visible}}"
    after = "" if end is None else f"{when[end]},to{{visibility:hidden}}"
    return f"@keyframes {_name(first, end)}{{{before}{shown}{after}}}"


def recorded_text() -> str:
    """The text of the tour in the picture."""
    if not PICTURE.exists():
        return ""
    desc = ElementTree.parse(PICTURE).getroot().find("{http://www.w3.org/2000/svg}desc")
    return "" if desc is None else desc.text or ""


def main(arguments: list[str]) -> int:
    """Record the tour again if the picture shows another text, or in any case."""
    if "--all" in arguments or record("--duration", "0").text != recorded_text():
        PICTURE.write_text(draw(record()), encoding="utf-8")
        print(f"{PICTURE.name}: recorded")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
