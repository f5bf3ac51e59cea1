"""Draw boards, views, mine probabilities and proofs as text, SVG, PNG or HTML.

`draw`, `draw_odds`, `draw_clash`, `draw_proof`, `plain` and `side_by_side` return text;
`board_svg`, `view_svg`, `game_svg`, `film_svg`, `odds_svg`, `depth_svg`, `chain_svg`, `proof_svg`
and `witness_svg` return SVG; `board_png`, `view_png` and `odds_png` return PNG; `player_html`
returns a page that steps through a game. Nothing here depends on the rules of the game.
"""

from __future__ import annotations

from mineproof.deprecated import renamed_in
from mineproof.render.animation import film_svg
from mineproof.render.board_text import draw, is_poor, legend, plain, side_by_side
from mineproof.render.heat import draw_clash, draw_odds, odds_legend, odds_svg
from mineproof.render.influence_chain import chain_svg
from mineproof.render.influence_depth import depth_svg
from mineproof.render.pixels import board_png, odds_png, view_png
from mineproof.render.player import player_html
from mineproof.render.proof_pictures import draw_proof, proof_legend, proof_svg, witness_svg
from mineproof.render.sheet import Room
from mineproof.render.svg import board_svg, game_svg, view_svg

__all__ = [
    "Room",
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
    "side_by_side",
    "view_png",
    "view_svg",
    "witness_svg",
]

__getattr__ = renamed_in(__name__, {"beside": "side_by_side"})
