"""The example bot plays the real freesweep in a terminal and wins games."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

import mineproof as mp
from mineproof.world.view import FLAGGED, HIDDEN

EXAMPLE = Path(__file__).parents[2] / "examples" / "freesweep_bot.py"


@pytest.fixture(scope="module")
def bot() -> ModuleType:
    spec = importlib.util.spec_from_file_location("freesweep_bot", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    if module.PROGRAM is None:
        pytest.skip("Debian's freesweep is not installed: apt-get install freesweep")
    return module


def test_the_screen_is_read_as_a_view(bot: ModuleType) -> None:
    with bot.Freesweep(5, 7, 6) as game:
        assert game.view == mp.View.hidden(5, 7, 6)
        assert game.cursor == (2, 3)
        game.open(game.cursor)
        assert game.view.state((2, 3)) == 0
        mp.posterior(game.view)  # raises if the clues contradict each other
        last = game.view.cells(HIDDEN)[-1]
        game.flag(last)
        assert game.cursor == last
        assert game.view.cells(FLAGGED) == [last]
        game.new_game()
        assert game.view == mp.View.hidden(5, 7, 6)


def test_it_wins_games(bot: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    """Nine in ten games of this size are won, so losing all six has a probability of 1e-6."""
    agent = "champion:budget=fast" if mp.engine == "native" else "exact"
    assert bot.main(["--games", "6", "--agent", agent]) == 0
    lines = capsys.readouterr().out.splitlines()
    outcomes = [line.split(": ")[1] for line in lines[:-1]]
    assert set(outcomes) <= {"won", "lost"}
    assert lines[-1] == f"{outcomes.count('won')} of 6 won"
    assert outcomes.count("won") >= 1
