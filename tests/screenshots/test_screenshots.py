"""A screenshot is read correctly, or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof import screenshots
from mineproof.cli import main
from mineproof.errors import FormatError
from mineproof.render.pixels import encode
from tests.replayed import replayed
from tests.screenshots.drawing import SKINS, Pixels, board, tile
from tests.strategies import seeds

EVERY = "7x8 ????????/?1?2?3??/????????/?4?5?6??/????????/?7?8?F??/????????"


def positions(seed: int) -> list[mp.View]:
    """A few positions of a game, without the mine count, which a picture does not show."""
    deal = mp.Deal(9, 9, 16) if seed % 2 else mp.Deal(8, 14, 20)
    record = mp.play(deal, "exact", rules=mp.Rules(opening="safe"), seed=seed)
    every = [view for _, _, view in replayed(record)]
    found = [every[0], every[len(every) // 2], every[-1]]
    return [mp.View(view.grid, view.states) for view in found]


@settings(max_examples=3, deadline=None)
@given(seeds, st.sampled_from(sorted(SKINS)), st.integers(1, 2))
def test_an_undistorted_board_is_read(seed: int, skin: str, scale: int) -> None:
    for view in positions(seed):
        for grid in (None, view.grid):
            reading = screenshots.read(encode(board(view, skin, scale)), grid)
            assert reading.view() == view
            assert reading.confidence.min() >= screenshots.LEAST


@example(75, 1)  # more changes within cells, because of the digits, than between them
@example(83, 2)
@settings(max_examples=3, deadline=None)
@given(seeds, st.integers(1, 2))
def test_our_own_pictures_are_read(seed: int, scale: int) -> None:
    for view in positions(seed):
        for grid in (None, view.grid):
            assert screenshots.read(mp.render.view_png(view, scale=scale), grid).view() == view


@pytest.mark.parametrize("skin", sorted(SKINS))
def test_every_clue_is_read(skin: str) -> None:
    view = mp.View.from_text(EVERY)
    assert screenshots.read(encode(board(view, skin)), view.grid).view() == view


def test_every_cell_state_of_our_own_pictures_is_read() -> None:
    view = mp.View.from_text(EVERY.replace("?8?", "?-?").replace("?7?", "?s?"))
    assert screenshots.read(mp.render.view_png(view), view.grid).view() == view


@pytest.mark.parametrize("clue", "08")
def test_a_drawn_zero_and_an_eight_in_our_own_pictures_are_distinguished(clue: str) -> None:
    view = mp.View.from_text(f"3x4 ????/?{clue}??/????")
    with pytest.raises(FormatError, match=r"1 uncertain cell: \(1,1\)$"):
        screenshots.read(mp.render.view_png(view), view.grid).view()


def blurred(pixels: Pixels) -> Pixels:
    padded = np.pad(pixels.astype(float), ((1, 1), (1, 1), (0, 0)), "edge")
    height, width, _ = pixels.shape
    near = [padded[y : y + height, x : x + width] for y in range(3) for x in range(3)]
    return np.asarray(np.mean(near, axis=0).astype(np.uint8))


def resized(pixels: Pixels, share: float) -> Pixels:
    rows, cols = (np.arange(int(n * share)) / share for n in pixels.shape[:2])
    return pixels[rows.astype(int)][:, cols.astype(int)]


def distorted(pixels: Pixels, rng: np.random.Generator) -> Pixels:
    """With noise, a tint, low contrast, a blur, another size, a shift, or a shape drawn on top."""
    kind, much = rng.integers(7), rng.random()
    values = pixels.astype(float)
    if kind == 0:
        values += rng.normal(0, 60 * much, values.shape)
    elif kind == 1:
        values += rng.integers(-80, 80, 3) * much
    elif kind == 2:
        values = 128 + (values - 128) * (1 - much)
    elif kind == 3:
        return blurred(blurred(pixels) if much > 0.5 else pixels)
    elif kind == 4:
        return resized(pixels, 0.7 + 0.9 * much)
    elif kind == 5:
        return np.roll(pixels, rng.integers(0, 12, 2).tolist(), (0, 1))
    else:
        y, x = (rng.integers(0, n - 9) for n in pixels.shape[:2])
        values[y : y + 9, x : x + 9] = rng.integers(0, 256, 3)
    return np.asarray(values.clip(0, 255).astype(np.uint8))


def misread(seed: int, skin: str, view: mp.View) -> bool:
    """Whether a distorted picture is misread."""
    rng = np.random.default_rng(seed)
    pixels = distorted(board(view, skin, int(rng.integers(1, 3))), rng)
    for grid in (None, view.grid):
        try:
            if screenshots.read(encode(pixels), grid).view() != view:
                return True
        except FormatError:
            continue
    return False


@settings(max_examples=4, deadline=None)
@given(seeds, st.sampled_from(sorted(SKINS)), st.integers(0, 2))
def test_a_distorted_picture_is_read_correctly_or_refused(seed: int, skin: str, when: int) -> None:
    assert not misread(seed, skin, positions(seed % 50)[when])


def test_an_unreadable_cell_is_named_and_not_guessed() -> None:
    view = positions(1)[1]
    pixels = board(view, "classic")
    index = next(i for i, state in enumerate(view.states) if state in {1, 2, 3})
    row, col = view.grid.cell(index)
    cell = pixels[16 * row : 16 * row + 16, 16 * col : 16 * col + 16]
    ink = (cell != 192).any(axis=2) & (cell != 128).any(axis=2)
    cell[ink] = (70, 64, 128)  # between a 1, a 2 and a 4
    with pytest.raises(FormatError, match=rf"1 uncertain cell: \({row},{col}\)$"):
        screenshots.read(encode(pixels), view.grid).view()


def test_a_question_mark_is_not_a_flag() -> None:
    view = mp.View.from_text("4x4 ????/?F??/????/????")
    pixels = board(view, "classic")
    mark = pixels[16:32, 16:32]
    mark[(mark == (255, 0, 0)).all(axis=2)] = 0
    with pytest.raises(FormatError, match=r"1 uncertain cell: \(1,1\)$"):
        screenshots.read(encode(pixels), view.grid).view()


def test_a_finished_game_is_reported() -> None:
    view = mp.View.from_text("4x4 ????/????/????/????")
    pixels = board(view, "classic")
    pixels[:16, :16] = tile(14, "classic")
    with pytest.raises(FormatError, match=r"it shows mines at \(0,0\)"):
        screenshots.read(encode(pixels), view.grid).view()


@pytest.mark.parametrize("cut", [slice(None, -9), slice(7, None)])
def test_a_cut_off_board_is_not_read_in_part(cut: slice) -> None:
    view = positions(1)[1]
    for turned in (False, True):
        pixels = board(view, "classic")
        pixels = pixels[:, cut] if turned else pixels[cut]
        with pytest.raises(FormatError):
            screenshots.read(encode(pixels)).view()
        with pytest.raises(FormatError, match="no board of 9x9 cells was found in the picture"):
            screenshots.read(encode(pixels), view.grid)


def test_a_picture_without_a_board_is_reported() -> None:
    rng = np.random.default_rng(1)
    for pixels in (
        np.full((90, 90, 3), 192),
        rng.integers(0, 256, (90, 90, 3)),
        np.zeros((9, 9, 3)),
    ):
        with pytest.raises(FormatError, match="no board|uncertain cell"):
            screenshots.read(encode(pixels.astype(np.uint8))).view()


def test_the_command_reads_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    view = mp.View.from_text("5x8/8 ????????/?2122???/?1001???/?2112???/????????")
    path = tmp_path / "screen.png"
    path.write_bytes(encode(board(view, "classic")))
    for shape in ([], ["--shape", "5x8"]):
        assert main(["analyse", str(path), *shape, "--mines", "8", "--json"]) == 0
        shown = json.loads(capsys.readouterr().out)
        assert shown["view"] == mp.View(view.grid, view.states).to_text()
        assert (shown["skin"], np.shape(shown["confidence"])) == ("classic", (5, 8))
    assert main(["analyse", str(path), "--mines", "8"]) == 0
    assert "read from a picture (classic); least certain cell: (" in capsys.readouterr().out
    for shape_text, message in (
        ("five", "ROWSxCOLS"),
        ("5x9", "no board of 5x9 cells"),
        ("0x9", "rows"),
    ):
        assert main(["analyse", str(path), "--shape", shape_text]) == 2
        assert message in capsys.readouterr().err
    path.write_text("5x8 no picture")
    assert main(["analyse", str(path)]) == 2
    assert "this is not a picture" in capsys.readouterr().err
