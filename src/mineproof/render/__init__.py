"""Pictures of boards and views: for a terminal, for a pipe, for a page.

`draw` and `plain` make text, `board_svg`, `view_svg` and `game_svg` make SVG. All of
them only look: nothing here knows a rule of the game.
"""

from __future__ import annotations

from mineproof.render.svg import board_svg, game_svg, view_svg
from mineproof.render.terminal import draw, is_poor, legend, plain

__all__ = ["board_svg", "draw", "game_svg", "is_poor", "legend", "plain", "view_svg"]
