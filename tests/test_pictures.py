"""Every picture of the project can be drawn outside a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from mineproof import render
from mineproof.games.match import play
from mineproof.world.board import Deal
from tests.pictures import colours, draws_svg, unresolved
from tools.recorder import ROOT

PICTURES = sorted(
    [*ROOT.glob("docs/images/**/*.svg"), *ROOT.glob("src/mineproof/web/static/*.svg")]
)


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.name)
def test_every_colour_is_plain(path: Path) -> None:
    assert unresolved(path.read_text(encoding="utf-8")) == []


def test_a_variable_is_noticed() -> None:
    svg = '<svg><rect fill="#fff"/><path style="fill: none; stroke: var(--ink)"/></svg>'
    assert unresolved(svg) == ["stroke: var(--ink)"]


def test_what_is_drawn_of_a_game_is_plain() -> None:
    game = play(Deal(9, 9, 10), "baseline", seed=1)
    for svg in (render.board_svg(game.board), render.view_svg(game.view), game.to_svg()):
        assert unresolved(svg) == []


@pytest.mark.skipif(not draws_svg(), reason="rsvg-convert (librsvg2-bin) is not installed")
@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.name)
def test_librsvg_draws_many_colours(path: Path) -> None:
    assert colours(path) > 40  # solid black with smooth edges has fewer
