"""Every picture of the project can be drawn without a browser."""

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
def test_no_colour_needs_css_variables(path: Path) -> None:
    assert unresolved(path.read_text(encoding="utf-8")) == []


def test_css_variables_are_noticed() -> None:
    svg = '<svg><rect fill="#fff"/><path style="fill: none; stroke: var(--ink)"/></svg>'
    assert unresolved(svg) == ["stroke: var(--ink)"]


def test_pictures_of_a_game_need_no_css_variables() -> None:
    game = play(Deal(9, 9, 10), "baseline", seed=1)
    for svg in (render.board_svg(game.board), render.view_svg(game.view), game.to_svg()):
        assert unresolved(svg) == []


@pytest.mark.skipif(not draws_svg(), reason="rsvg-convert (librsvg2-bin) is not installed")
@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.name)
def test_librsvg_draws_many_colours(path: Path) -> None:
    assert colours(path) > 40  # solid black with anti-aliased edges has fewer
