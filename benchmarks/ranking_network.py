"""Fit the champion's weights to decisions between close cells, evaluated by playouts.

    python benchmarks/ranking_network.py play FILE [--level LEVEL] [--opening safe|clear] [--seed S]
                                   [--first N] [--games N] [--boards N]
    python benchmarks/ranking_network.py fit FILE ... [--epochs N] [--out WEIGHTS]
    python benchmarks/ranking_network.py judge FILE ... [--by WEIGHTS]

`play` plays immortal games (benchmarks/immortal.py) with `champion:budget=fast`, and records every
decision between close cells: the features of each, and how often it wins in playouts on the same
boards for all cells (native/bench/decisions.cpp). `fit` fits a small network to them and writes it
to native/src/ranking_weights.bin; a tenth of the games is held out. It prints what the network's
choices gain on these, compared with the look-ahead's score and with the cells actually taken:
percentage points per game with the standard error, by the playouts. `judge` prints the same for
weights that were fitted to other games.
"""

from __future__ import annotations

import argparse
import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import mineproof as mp
from immortal import ROOT, STARTS, built, watch

WEIGHTS = ROOT / "native" / "src" / "ranking_weights.bin"

Table = NDArray[np.float32]
Weights = list[Table]

OWN, SHARED, PROSPECTS = 21, 6, 42
"""The number of features of a cell, of the position, and of each possible outcome."""
SQUARE = 49
"""The number of cells, one byte each (Square in native/include/mineproof/ranking_network.hpp)."""
SLOPE = 0.7
"""The network starts from win probabilities that go with this power of the look-ahead's score."""
LAYERS = (128, 32)
SIZES = (2 * OWN + SHARED + PROSPECTS + 6 * SQUARE, *LAYERS, 1)
FARTHEST = 5.0
UNIT = 1 / 4096
"""Weights are written as 16-bit multiples of this."""
LARGEST = 2**15 * UNIT
NAME, HEAD = b"MPRANK\0\1", struct.Struct("<8sIIIdd")
"""The name and version of the file, and its head: sizes, slope and unit."""
KEENNESS, CHOICES = 100.0, 0.01
"""The power of the network's output with which cells are sampled in the loss for choices, and the
weight of this loss relative to the squared error."""
SPREAD, SMALL = 0.33, 0.05
"""The initial weights: their variance by the number of inputs, and the factor of the last layer."""


@dataclass(frozen=True)
class Decisions:
    """One row per cell, grouped by decision, the best by the look-ahead's score first."""

    game: Table  # numbered over all files
    games: float
    alive: Table  # the probability that the game gets this far
    taken: Table  # 1 for the cell that `fast` took
    win: Table  # its win rate, including its risk
    sight: Table
    shared: Table  # features of the position and of the outcomes
    square: NDArray[np.uint8]
    first: NDArray[np.intp]  # per decision: its first row
    of: NDArray[np.intp]  # per row: its decision

    @classmethod
    def read(cls, files: Sequence[Path]) -> Decisions:
        """Read the decisions in these files, written by `play`."""
        parts, games = [], 0.0
        for file in files:
            rows = np.fromfile(file, dtype=np.float32)
            rows = rows[: len(rows) // COLUMNS * COLUMNS].reshape(-1, COLUMNS)
            if not len(rows):
                sys.exit(f"{file} has no decisions")
            rows[:, 0] += games - rows[0, 0]
            games = float(rows[-1, 0]) + 1
            parts.append(rows)
        table = np.concatenate(parts)
        game, number, alive, taken, win = table[:, :5].T
        new = np.r_[True, (np.diff(game) != 0) | (np.diff(number) != 0)]
        sight, shared = table[:, 5 : 5 + OWN], table[:, 5 + OWN : NUMBERS]
        square = np.ascontiguousarray(table[:, NUMBERS:]).view(np.uint8)[:, :SQUARE]
        first, of = np.flatnonzero(new), np.cumsum(new) - 1
        return cls(game, games, alive, taken, win, sight, shared, square, first, of)

    def mean(self, values: Table) -> Table:
        """Per row: the mean over its decision."""
        count = np.bincount(self.of)
        sums = np.add.reduceat(values, self.first, axis=0)
        return (sums / count)[self.of].astype(np.float32)

    def measures(self) -> Table:
        """The same features as `measures_of` in native/src/ranking_network.cpp."""
        first = self.sight[self.first][self.of]
        return np.column_stack([self.sight - first, self.sight, self.shared])

    def chosen(self, score: Table) -> NDArray[np.intp]:
        """Per decision: the row with the highest score, the first of equal ones."""
        order = np.lexsort((-np.arange(len(score)), score, self.of))
        return order[np.r_[self.first[1:], len(score)] - 1]

    def gain(self, score: Table, other: Table, among: NDArray[np.bool_]) -> tuple[float, float]:
        """The percentage points per game that one choice gains over another; the standard error."""
        one, two = self.chosen(score), self.chosen(other)
        gains = (100 * self.alive[one] * (self.win[one] - self.win[two]))[among[self.first]]
        games = self.games * among[self.first].mean()
        return float(gains.sum() / games), float(np.sqrt((gains**2).sum()) / games)


NUMBERS = 5 + OWN + SHARED + PROSPECTS
COLUMNS = NUMBERS + (SQUARE + 3) // 4


def seen() -> Table:
    """The network's inputs for each cell of a square.

    Off the board, a mine, the missing mines of a clue (divided by 3), an interior cell, or a
    frontier cell with its risk.
    """
    found = np.zeros((256, 6), dtype=np.float32)
    found[10, 0] = found[9, 1] = found[11, 3] = 1
    found[:9, 2] = np.arange(9) / 3
    found[12:, 4] = 1
    found[12:, 5] = np.arange(244) / 243
    return found


SEEN = seen()


@dataclass(frozen=True)
class Network:
    """A network with two hidden layers (ReLU), added to the look-ahead's score."""

    means: Table
    deviations: Table
    weights: Weights  # one matrix per layer, with the biases in its first row

    def scaled(self, measures: Table) -> Table:
        """Normalise features to standard deviations from the mean."""
        return np.clip((measures - self.means) / self.deviations, -FARTHEST, FARTHEST)

    def __call__(self, decisions: Decisions) -> Table:
        """Per row: the log win probability, up to a constant per decision."""
        measures = decisions.measures()
        shown = SLOPE * measures[:, 0]
        for begin in range(0, len(shown), 10_000):
            some = slice(begin, begin + 10_000)
            given = inputs(self.scaled(measures[some]), decisions.square[some])
            shown[some] += self.layers(given)[-1][:, 0]
        return shown

    def layers(self, values: Table) -> list[Table]:
        """The activations of each layer."""
        found = [values]
        for i, matrix in enumerate(self.weights):
            values = values @ matrix[1:] + matrix[0]
            if i + 1 < len(self.weights):
                values = np.maximum(values, 0)
            found.append(values)
        return found

    def slopes(self, layers: list[Table], errors: Table) -> Weights:
        """The gradient of a loss by the weights, given the gradient by the last layer."""
        found: Weights = []
        for matrix, before in zip(self.weights[::-1], layers[-2::-1], strict=True):
            found.append(np.vstack([errors.sum(0), before.T @ errors]))
            errors = (errors @ matrix[1:].T) * (before > 0)
        return found[::-1]


def inputs(scaled: Table, square: NDArray[np.uint8]) -> Table:
    """The network's inputs: features, then six numbers per cell of the square."""
    return np.hstack([scaled, SEEN[square].reshape(len(square), -1)])


class Adam:
    """Adam with weight decay."""

    def __init__(self, weights: Weights, steps: int) -> None:
        """Prepare for this number of steps."""
        self.weights, self.steps, self.taken = weights, steps, 0
        self.means = [np.zeros_like(matrix) for matrix in weights]
        self.squares = [np.zeros_like(matrix) for matrix in weights]

    def step(self, slopes: Weights) -> None:
        """The learning rate rises for a third of the steps, then falls to 0."""
        self.taken += 1
        way = self.taken / self.steps
        rate = 3e-3 * min(way / 0.3, (1 - way) / 0.7)
        for i, slope in enumerate(slopes):
            self.means[i] += 0.1 * (slope - self.means[i])
            self.squares[i] += 0.001 * (slope**2 - self.squares[i])
            change = self.means[i] / (1 - 0.9**self.taken)
            change /= np.sqrt(self.squares[i] / (1 - 0.999**self.taken)) + 1e-8
            self.weights[i] -= rate * (change + 0.01 * self.weights[i])


def fitted(decisions: Decisions, rows: NDArray[np.bool_], epochs: int, seed: int = 1) -> Network:
    """Fit by least squares how much more often a cell wins than the mean of its decision.

    Rows are weighted by their percentage points. A second loss, with weight `CHOICES`, maximises
    the win rate when cells are sampled in proportion to the `KEENNESS`-th power of the output.
    """
    measures = decisions.measures()
    means, deviations = measures[rows].mean(0), measures[rows].std(0) + np.float32(1e-6)
    chance = np.random.default_rng(seed)
    weights = [
        np.vstack(
            [np.zeros(out), chance.normal(size=(given, out)) * np.sqrt(SPREAD / given)],
            dtype=np.float32,
        )
        for given, out in pairwise(SIZES)
    ]
    weights[-1] *= SMALL
    network = Network(means, deviations, weights)
    scaled = network.scaled(measures)
    mean = decisions.mean(decisions.win)
    shown = SLOPE * measures[:, 0]
    wanted = (decisions.win - mean) / mean - (shown - decisions.mean(shown))
    weight = (decisions.alive * mean) ** 2
    whole = weight[rows].mean()
    weight /= whole
    ahead = decisions.alive * (decisions.win - mean)
    starts, ends = decisions.first, np.r_[decisions.first[1:], len(mean)]
    among = np.flatnonzero(rows[starts])
    batch = 512
    adam = Adam(weights, epochs * (len(among) // batch))
    for epoch in range(epochs):
        order = chance.permutation(among)
        for begin in range(0, len(order) - batch + 1, batch):
            some = order[begin : begin + batch]
            count = ends[some] - starts[some]
            heads = np.r_[0, np.cumsum(count)[:-1]]
            index = np.repeat(starts[some] - heads, count) + np.arange(count.sum())
            layers = network.layers(inputs(scaled[index], decisions.square[index]))
            said = layers[-1][:, 0]
            off = centred(said, heads, count) - wanted[index]
            errors = centred(weight[index] * off, heads, count)
            gains = slopes_of_gain(said + shown[index], ahead[index], heads, count)
            errors -= np.float32(CHOICES / whole) * gains
            adam.step(network.slopes(layers, errors[:, None] / np.float32(len(index))))
        if sys.stderr.isatty():
            print(f"\repoch {epoch + 1} of {epochs}", end="", file=sys.stderr)
    return network


def slopes_of_gain(
    said: Table, ahead: Table, heads: NDArray[np.intp], count: NDArray[np.intp]
) -> Table:
    """Per row: the gradient of the win rate of sampled cells by the network's output."""
    keen = np.float32(KEENNESS) * (said - np.repeat(np.maximum.reduceat(said, heads), count))
    chance = np.exp(keen)
    chance /= np.repeat(np.add.reduceat(chance, heads), count)
    mean = np.repeat(np.add.reduceat(chance * ahead, heads), count)
    return np.float32(KEENNESS) * chance * (ahead - mean)


def centred(values: Table, heads: NDArray[np.intp], count: NDArray[np.intp]) -> Table:
    """Subtract the mean of each decision; decisions start at `heads` and have `sizes` rows."""
    return values - np.repeat(np.add.reduceat(values, heads) / count.astype(np.float32), count)


def written(network: Network) -> bytes:
    """Return the network as a file; native/src/ranking_network.cpp reads it."""
    layers = []
    for matrix in network.weights:
        if np.abs(matrix).max() >= LARGEST:
            sys.exit(f"a weight of {np.abs(matrix).max():.3g} is too large for 16 bits")
        layers.append(np.round(matrix / UNIT).astype("<i2").tobytes())
    head = HEAD.pack(NAME, len(network.means), *LAYERS, SLOPE, UNIT)
    measures = [each.astype("<f8").tobytes() for each in (network.means, network.deviations)]
    return b"".join([head, *measures, *layers])


def read(file: Path) -> Network:
    """Read a network from a file."""
    data = file.read_bytes()
    name, size, *layers, _, _ = HEAD.unpack_from(data)
    if (name, tuple(layers)) != (NAME, LAYERS):
        sys.exit(f"{file} holds no weights of this version")
    means, deviations = np.frombuffer(data, "<f8", 2 * size, HEAD.size).reshape(2, size)
    numbers = np.frombuffer(data, "<i2", offset=HEAD.size + 16 * size).astype(np.float32)
    weights = []
    for given, out in pairwise(SIZES):
        weights.append(np.float32(UNIT) * numbers[: (given + 1) * out].reshape(given + 1, out))
        numbers = numbers[(given + 1) * out :]
    return Network(means.astype(np.float32), deviations.astype(np.float32), weights)


def play(
    file: Path, level: str, opening: str, seed: int, first: int, games: int, boards: int
) -> None:
    rows, cols, mines = mp.LEVELS[level]
    row, col = STARTS[opening]
    words = (rows, cols, mines, opening, row * cols + col, seed, first, first + games, boards)

    def ended(file: Path) -> int:
        rows = np.fromfile(file, dtype=np.float32)
        return int(rows[len(rows) // COLUMNS * COLUMNS - COLUMNS]) - first if len(rows) else 0

    file.unlink(missing_ok=True)
    watch([built("decisions"), *map(str, words)], file, f"{level}, {opening}", games, ended)


def report(network: Network, decisions: Decisions, among: NDArray[np.bool_]) -> None:
    """Print what the network's choices gain."""
    count = int(among[decisions.first].sum())
    print(f"{count:,} decisions of {decisions.games * count / len(decisions.first):,.0f} games")
    shown = network(decisions)
    score = decisions.sight[:, 0]
    for name, other in (("the look-ahead's score", score), ("the cells taken", decisions.taken)):
        gain, error = decisions.gain(shown, other, among)
        print(f"  over {name}: {gain:+.3f} +- {error:.3f}")


def fit(files: Sequence[Path], epochs: int, out: Path) -> None:
    decisions = Decisions.read(files)
    kept = decisions.game % 10 == 0
    network = fitted(decisions, ~kept, epochs)
    out.write_bytes(written(network))
    print(f"fitted to {int((~kept)[decisions.first].sum()):,} decisions")
    report(read(out), decisions, kept)


def judge(files: Sequence[Path], by: Path) -> None:
    decisions = Decisions.read(files)
    report(read(by), decisions, np.ones(len(decisions.game), dtype=bool))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parts = parser.add_subparsers(dest="part", required=True)
    plays = parts.add_parser("play", help="record decisions")
    plays.add_argument("file", type=Path)
    plays.add_argument("--level", choices=mp.LEVELS, default="expert")
    plays.add_argument("--opening", choices=STARTS, default="clear")
    plays.add_argument("--seed", type=int, default=2, help="seed; even seeds are for tuning")
    plays.add_argument("--first", type=int, default=0, help="the number of the first game")
    plays.add_argument("--games", type=int, default=1000)
    plays.add_argument("--boards", type=int, default=64, help="playouts per cell")
    fits = parts.add_parser("fit", help="fit weights to decisions")
    fits.add_argument("files", type=Path, nargs="+")
    fits.add_argument("--epochs", type=int, default=6)
    fits.add_argument("--out", type=Path, default=WEIGHTS)
    judges = parts.add_parser("judge", help="evaluate weights on other decisions")
    judges.add_argument("files", type=Path, nargs="+")
    judges.add_argument("--by", type=Path, default=WEIGHTS)
    given = vars(parser.parse_args())
    {"play": play, "fit": fit, "judge": judge}[given.pop("part")](**given)


if __name__ == "__main__":
    main()
