"""The WebAssembly kernel equals the native one, to the last digit."""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

import mineproof as mp
from mineproof import _engine
from mineproof.world.chance import Purpose, Stream
from mineproof.world.view import HIDDEN
from tests.wasm.wasm_worker import built

ROOT = Path(__file__).parents[1]
EXACT = 0  # as in engine.hpp


@pytest.fixture(scope="module")
def wasm() -> Path:
    return built()


LARGE = [(9, 9, 10), (16, 30, 99), (1, 20, 5), (16, 16, 40), (24, 24, 130), (6, 5, 29)]
SMALL = [(9, 9, 10), (1, 20, 5), (8, 10, 20), (6, 5, 29)]
TABLE = [[0.0] * 9 + [1.0]] + [[0.0] * n + [0.5, 0.25] + [0.0] * (7 - n) + [0.25] for n in range(8)]
MODELS = {
    "exact": [0],
    "sometimes:0.5": [1, 0.5, 0],
    "optimistic": [2, 0],
    "optimistic:known=true": [2, 1],
    "cautious": [3, 0],
    "cautious:known=true": [3, 1],
    str(mp.clues.Table(TABLE)): [4, *(chance for row in TABLE for chance in row)],
}
"""Clue models as native/wasm/row.hpp has them."""


def positions(
    game_count: int, shapes: list[tuple[int, int, int]] = LARGE, clues: str = "exact"
) -> list[mp.View]:
    """Views in games on boards of many shapes, before every random opening."""
    found = []
    for seed in range(game_count):
        rows, cols, mines = shapes[seed % len(shapes)]
        deal = mp.Deal(rows, cols, mines)
        game = mp.Game(deal, mp.Rules(on_mine="continue"), clues, seed=seed)
        stream = Stream(seed, Purpose.TIES)
        for _ in range(12):
            if game.over:
                break
            cell = divmod(stream.below(rows * cols), cols)
            if game.view.state(cell) == HIDDEN:
                game.open(cell)
                view = game.view
                found.append(
                    view if seed % 5 else mp.View(view.grid, view.states, None, view.bounds)
                )
    return found


def native_verdicts(posterior: mp.Posterior) -> bytes:
    """By cell: 0 open, 1 safe, 2 mined."""
    view = posterior.view
    verdicts = bytearray(view.grid.size)
    for verdict, cells in ((1, posterior.safe), (2, posterior.mined)):
        for cell in cells:
            verdicts[view.grid.index(cell)] = verdict
    return bytes(verdicts)


@pytest.mark.skipif(not _engine.is_native(), reason="there is no native kernel to compare with")
@pytest.mark.parametrize("clues", MODELS)
def test_results_equal_the_native_ones(wasm: Path, tmp_path: Path, clues: str) -> None:
    views = positions(60) if clues == "exact" else positions(20, SMALL, clues)
    assert len(views) > (400 if clues == "exact" else 100)
    asked = tmp_path / "positions.json"
    asked.write_text(
        json.dumps(
            [
                {
                    "rows": view.grid.rows,
                    "cols": view.grid.cols,
                    "states": list(view.states),
                    "mines": view.mines,
                    "clues": MODELS[clues],
                    "bounds": view.bounds,
                }
                for view in views
            ]
        )
    )
    script = ROOT / "tests" / "wasm" / "solve.mjs"
    run = subprocess.run(
        ["node", str(script), str(wasm), str(asked)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    answers = json.loads(run.stdout)
    assert len(answers) == len(views)
    open_cells = 0
    for view, answer in zip(views, answers, strict=True):
        native = mp.posterior(view, clues)
        risk = np.frombuffer(base64.b64decode(answer["risk"])).reshape(native.risk.shape)
        assert answer["outcome"] == EXACT
        assert np.array_equal(risk, native.risk, equal_nan=True), view.to_text()
        assert bytes(answer["verdicts"]) == native_verdicts(native), view.to_text()
        # Logarithms of the two C libraries may differ in their last digits.
        assert answer["log_weight"] == pytest.approx(native.log_weight, rel=1e-13, abs=1e-12)
        assert answer["error"] == 0
        open_cells += int(np.count_nonzero((risk > 0) & (risk < 1)))
    assert open_cells > (10_000 if clues == "exact" else 1000)
