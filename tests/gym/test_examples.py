"""The RL examples run; those that need PyTorch where it is installed (`make test-all` does)."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(name: str, *words: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_random_policy_plays_legal_moves() -> None:
    *_, last = run("masked_random.py")
    assert last in {"won", "lost"}


def test_a_greedy_policy_wins_most_beginner_games() -> None:
    won, *_ = run("greedy.py")[-1].split()
    assert int(won) > 850  # of 1000


@pytest.mark.parametrize("name", ["masked_random.py", "greedy.py"])
def test_a_policy_takes_ten_lines(name: str) -> None:
    lines = (EXAMPLES / name).read_text().splitlines()
    last = max(at for at, line in enumerate(lines) if line.lstrip().startswith(("import", "from")))
    assert len([line for line in lines[last + 1 :] if line]) <= 10


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("masked_random.py", "gymnasium"),
        ("greedy.py", "gymnasium"),
        ("imitate_odds.py", "torch"),
        ("imitate_odds.py", "duckdb"),
        ("imitate_odds.py", "gymnasium"),
        ("maskable_ppo.py", "torch"),
        ("maskable_ppo.py", "gymnasium"),
        ("freesweep_bot.py", "pexpect"),
        ("freesweep_bot.py", "pyte"),
    ],
)
def test_a_missing_package_is_named_in_one_line(name: str, missing: str) -> None:
    """With the command that installs it, and without a traceback."""
    others = {"torch", "duckdb", "gymnasium", "pexpect", "pyte", "sb3_contrib"} - {missing}
    code = f"""
import runpy, sys, types
for other in {others!r}:  # there, as far as this goes
    sys.modules.setdefault(other, types.ModuleType(other))
sys.modules["{missing}"] = None
runpy.run_path({str(EXAMPLES / name)!r}, run_name="__main__")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"this example needs {missing}, not installed here: pip install ")


@pytest.mark.slow
@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")
def test_a_network_imitates_the_probabilities() -> None:
    lines = run("imitate_odds.py", "--games", "1000", "--epochs", "8", "--arena", "200")
    rates = {line.split(":")[0]: line for line in lines if "won (" in line}
    assert set(rates) == {"random", "imitator", "exact"}
    won = {name: float(line.split()[1].rstrip("%")) for name, line in rates.items()}
    assert won["random"] + 5 < won["imitator"] <= won["exact"]


@pytest.mark.slow
@pytest.mark.skipif(find_spec("sb3_contrib") is None, reason="sb3-contrib is not installed")
def test_maskable_ppo_learns() -> None:
    lines = run("maskable_ppo.py", "--steps", "12000", "--games", "60")
    risks = [float(line.split()[1]) for line in lines if line.startswith("excess")]
    opened = [float(line.split()[1]) for line in lines if line.startswith("opened")]
    before, after = (risk / cells for risk, cells in zip(risks, opened, strict=True))
    assert after < before  # it takes fewer unnecessary risks than before
