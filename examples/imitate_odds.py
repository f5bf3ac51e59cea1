"""Train a small network to predict mine probabilities, and compare it with other agents.

It learns from positions written by `mineproof.gym.write_dataset`, and then opens the cell that it
considers safest. Needs PyTorch, DuckDB and Gymnasium (`pip install torch duckdb gymnasium`).

    python examples/imitate_odds.py [--games N] [--epochs N] [--arena N]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

try:
    import duckdb
    import gymnasium  # noqa: F401  for mineproof.gym
    import numpy as np
    import torch
    from torch import nn
except ModuleNotFoundError as missing:
    sys.exit(
        f"this example needs {missing.name}, not installed here: pip install torch duckdb gymnasium"
    )

import mineproof as mp
from mineproof.agents import Decision
from mineproof.gym import write_dataset

DEAL = mp.Deal(6, 6, 6)
RULES = mp.Rules(opening="safe")
PLANES = 10  # clues 0 to 8, and hidden


def planes_of(states: np.ndarray) -> torch.Tensor:
    """Return one plane per clue and one for hidden cells, by position, row and column."""
    shown = np.minimum(states, PLANES - 1)
    planes = np.eye(PLANES, dtype=np.float32)[shown]
    return torch.from_numpy(planes.transpose(0, 3, 1, 2).copy())


def positions(games: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return observations, and the mine probability of each cell (nan if open)."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "positions"
        write_dataset(out, DEAL, "exact", games=games, rules=RULES, seed=1)
        rows = duckdb.sql(f"SELECT states, risk FROM '{out}/*.parquet'").fetchnumpy()
    shape = -1, DEAL.rows, DEAL.cols
    states = np.frombuffer(b"".join(rows["states"]), np.uint8).reshape(shape)
    risk = np.frombuffer(b"".join(rows["risk"]), np.float32).reshape(shape)
    return planes_of(states), torch.from_numpy(risk.copy())


def network(width: int = 48) -> nn.Module:
    """Create a network that sees six cells in each direction and returns a mine logit per cell."""
    layers: list[nn.Module] = [nn.Conv2d(PLANES, width, 3, padding=1), nn.ReLU()]
    for _ in range(4):
        layers += [nn.Conv2d(width, width, 3, padding=1), nn.ReLU()]
    return nn.Sequential(*layers, nn.Conv2d(width, 1, 3, padding=1), nn.Flatten(1))


def train(games: int, epochs: int) -> nn.Module:
    """Train the network to predict the exact probabilities."""
    torch.manual_seed(1)
    planes, risk = positions(games)
    target = risk.flatten(1)
    known = ~target.isnan()
    net = network()
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    loss = torch.tensor(0.0)
    for epoch in range(epochs):
        for batch in torch.randperm(len(planes)).split(256):
            logits = net(planes[batch])[known[batch]]
            loss = nn.functional.binary_cross_entropy_with_logits(
                logits, target[batch][known[batch]]
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch + 1}: loss {loss.item():.4f}")
    return net


class Imitator:
    """Opens the cell that the network considers safest."""

    name = "imitator"

    def __init__(self, net: nn.Module) -> None:
        self._net = net.eval()

    def decide(self, view: mp.View, **_: Any) -> Decision:
        """Return the move in a position."""
        states = np.frombuffer(view.states, np.uint8).reshape(1, view.rows, view.cols)
        with torch.no_grad():
            risk = torch.sigmoid(self._net(planes_of(states)))[0].numpy()
        cells = view.cells(mp.State.HIDDEN, mp.State.SAFE)
        index = min(map(view.grid.index, cells), key=risk.__getitem__)
        cell = view.grid.cell(index)
        return Decision(
            cell,
            "open",
            float(risk[index]),
            certain=False,
            reason="the network considers it safest",
        )


def main() -> None:
    """Train the network, and compare it with the exact and the random agent."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=3000, help="Games to learn from.")
    parser.add_argument("--epochs", type=int, default=10, help="Training epochs.")
    parser.add_argument("--arena", type=int, default=500, help="Games per agent.")
    given = parser.parse_args()
    torch.set_num_threads(1)
    agents = ["random", Imitator(train(given.games, given.epochs)), "exact"]
    standings = mp.arena(agents, DEAL, games=given.arena, rules=RULES, seed=2, workers=1)
    for agent in standings.agents:
        low, high = agent.win_interval
        print(f"{agent.name}: {agent.win_rate:.1%} won ({low:.1%} to {high:.1%})")


if __name__ == "__main__":
    main()
