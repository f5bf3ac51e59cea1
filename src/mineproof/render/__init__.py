"""Draw boards, views, mine probabilities and proofs as text, SVG, PNG or HTML.

`draw`, `draw_odds`, `draw_clash`, `draw_proof`, `plain` and `beside` return text; `board_svg`,
`view_svg`, `game_svg`, `film_svg`, `odds_svg`, `depth_svg`, `chain_svg`, `proof_svg` and
`witness_svg` return SVG; `board_png`, `view_png` and `odds_png` return PNG; `player_html` returns
a page that steps through a game. Nothing here depends on the rules of the game.
"""

from __future__ import annotations

from mineproof.render.animation import film_svg
from mineproof.render.chain import chain_svg
from mineproof.render.depth import depth_svg
from mineproof.render.heat import draw_clash, draw_odds, odds_legend, odds_svg
from mineproof.render.pixels import board_png, odds_png, view_png
from mineproof.render.player import player_html
from mineproof.render.proofs import draw_proof, proof_legend, proof_svg, witness_svg
from mineproof.render.sheet import Room
from mineproof.render.svg import board_svg, game_svg, view_svg
from mineproof.render.terminal import beside, draw, is_poor, legend, plain

__all__ = [
    "Room",
    "beside",
    "board_png",
    "board_svg",
    "chain_svg",
    "depth_svg",
    "draw",
    "draw_clash",
    "draw_odds",
    "draw_proof",
    "film_svg",
    "game_svg",
    "is_poor",
    "legend",
    "odds_legend",
    "odds_png",
    "odds_svg",
    "plain",
    "player_html",
    "proof_legend",
    "proof_svg",
    "view_png",
    "view_svg",
    "witness_svg",
]
