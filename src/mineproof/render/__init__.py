"""Pictures of boards, views and odds: for a terminal, for a pipe, for a page.

`draw`, `draw_odds`, `draw_clash` and `plain` make text, `board_svg`, `view_svg`,
`game_svg` and `odds_svg` make SVG. All of them only look: nothing here knows a rule of
the game.
"""

from __future__ import annotations

from mineproof.render.heat import draw_clash, draw_odds, odds_legend, odds_svg
from mineproof.render.svg import board_svg, game_svg, view_svg
from mineproof.render.terminal import draw, is_poor, legend, plain

__all__ = [
    "board_svg",
    "draw",
    "draw_clash",
    "draw_odds",
    "game_svg",
    "is_poor",
    "legend",
    "odds_legend",
    "odds_svg",
    "plain",
    "view_svg",
]
