"""What games played out teach of close cells: decisions, and the champion's weights fitted to them.

    python benchmarks/appraisal.py play FILE [--level LEVEL] [--opening safe|clear] [--seed S]
                                   [--first N] [--games N] [--boards N]
    python benchmarks/appraisal.py fit FILE ... [--epochs N] [--out WEIGHTS]
    python benchmarks/appraisal.py judge FILE ... [--by WEIGHTS]

`play` plays games of `champion:budget=fast`, immortal ones (benchmarks/immortal.py), and writes
down every decision between close cells: what is seen of each, and how often it wins on so many
boards, the same for all cells, played out as the champion does (native/bench/decisions.cpp).
`fit` fits a small network to them and writes it to native/src/appraisal.inc; a tenth of the games
is kept out of it. Printed is what its choices win on those, over the look-ahead's score
and over the cells that were taken: points of percent a game with the standard error, each choice
judged by the games that were played out. `judge` prints the same of weights that were fitted to
other games.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import mineproof as mp
from immortal import ROOT, STARTS, built, watch

WEIGHTS = ROOT / "native" / "src" / "appraisal.inc"

Table = NDArray[np.float32]
Weights = list[Table]

OWN, SHARED, PROSPECTS = 21, 6, 42
"""Numbers of a sight, of the scene, and of what a cell may show."""
SQUARE = 49
"""Cells, a byte each (Square in native/include/mineproof/appraisal.hpp)."""
SLOPE = 0.7
"""Chances to win go with this power of the look-ahead's scores: what the network begins with."""
LAYERS = (128, 32)
SIZES = (2 * OWN + SHARED + PROSPECTS + 6 * SQUARE, *LAYERS, 1)
FARTHEST = 5.0
UNIT = 1 / 4096
"""Weights are written as multiples of this, in sixteen bits."""
LARGEST = 2**15 * UNIT
KEENNESS, CHOICES = 100.0, 0.01
"""How sharply cells are told apart by what the network says, when what choices win is counted; and
how much that counts beside the squares of what is wrong."""
SPREAD, SMALL = 0.33, 0.05
"""Of the weights that a fit begins with: their variance by the number of inputs, and how much
smaller those of the last layer are."""


@dataclass(frozen=True)
class Decisions:
    """A row a cell, the cells of a decision one after the other, the best by its score first."""

    game: Table  # numbered over all files
    games: float
    alive: Table  # the chance that the game comes so far
    taken: Table  # 1 for the cell that `fast` took
    win: Table  # how often it wins, its risk included
    sight: Table
    shared: Table  # the scene, and the prospects
    square: NDArray[np.uint8]
    first: NDArray[np.intp]  # by decision: its first row
    of: NDArray[np.intp]  # by row: its decision

    @classmethod
    def read(cls, files: Sequence[Path]) -> Decisions:
        """What `play` wrote, of all these."""
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
        """By row: the mean of its decision."""
        count = np.bincount(self.of)
        sums = np.add.reduceat(values, self.first, axis=0)
        return (sums / count)[self.of].astype(np.float32)

    def measures(self) -> Table:
        """As `measures_of` in native/src/appraisal.cpp has them."""
        first = self.sight[self.first][self.of]
        return np.column_stack([self.sight - first, self.sight, self.shared])

    def chosen(self, score: Table) -> NDArray[np.intp]:
        """By decision: the row with the highest score, the first of equal ones."""
        order = np.lexsort((-np.arange(len(score)), score, self.of))
        return order[np.r_[self.first[1:], len(score)] - 1]

    def gain(self, score: Table, other: Table, among: NDArray[np.bool_]) -> tuple[float, float]:
        """Points of percent a game that one choice wins over another, and the standard error."""
        one, two = self.chosen(score), self.chosen(other)
        gains = (100 * self.alive[one] * (self.win[one] - self.win[two]))[among[self.first]]
        games = self.games * among[self.first].mean()
        return float(gains.sum() / games), float(np.sqrt((gains**2).sum()) / games)


NUMBERS = 5 + OWN + SHARED + PROSPECTS
COLUMNS = NUMBERS + (SQUARE + 3) // 4


def seen() -> Table:
    """By what a cell of a square is: the inputs of the network.

    Off the board, a mine, mines that a clue has still to find (in threes), touched by no clue; or
    touched, and its risk.
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
    """Two layers of rectified sums, beside the score."""

    means: Table
    deviations: Table
    weights: Weights  # a matrix a layer, its first row the biases

    def scaled(self, measures: Table) -> Table:
        """In deviations from the mean."""
        return np.clip((measures - self.means) / self.deviations, -FARTHEST, FARTHEST)

    def __call__(self, decisions: Decisions) -> Table:
        """By row: the logarithm of the chance to win, up to a term for the decision."""
        measures = decisions.measures()
        told = SLOPE * measures[:, 0]
        for begin in range(0, len(told), 10_000):
            some = slice(begin, begin + 10_000)
            given = inputs(self.scaled(measures[some]), decisions.square[some])
            told[some] += self.layers(given)[-1][:, 0]
        return told

    def layers(self, values: Table) -> list[Table]:
        """What each layer makes of the one before."""
        found = [values]
        for i, matrix in enumerate(self.weights):
            values = values @ matrix[1:] + matrix[0]
            if i + 1 < len(self.weights):
                values = np.maximum(values, 0)
            found.append(values)
        return found

    def slopes(self, layers: list[Table], errors: Table) -> Weights:
        """The gradient of a loss by the weights, given that by the last layer."""
        found: Weights = []
        for matrix, before in zip(self.weights[::-1], layers[-2::-1], strict=True):
            found.append(np.vstack([errors.sum(0), before.T @ errors]))
            errors = (errors @ matrix[1:].T) * (before > 0)
        return found[::-1]


def inputs(scaled: Table, square: NDArray[np.uint8]) -> Table:
    """Of the network: measures, then six numbers for each cell of the square."""
    return np.hstack([scaled, SEEN[square].reshape(len(square), -1)])


class Adam:
    """Steps down a slope, by the mean of the last ones and their size, with weights that decay."""

    def __init__(self, weights: Weights, steps: int) -> None:
        """So many steps will be taken."""
        self.weights, self.steps, self.taken = weights, steps, 0
        self.means = [np.zeros_like(matrix) for matrix in weights]
        self.squares = [np.zeros_like(matrix) for matrix in weights]

    def step(self, slopes: Weights) -> None:
        """The rate rises for a third of the steps, then falls to nothing."""
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
    """By least squares: the share by which a cell wins more often than the mean of its decision.

    Each weighs by the points of percent that it stands for. Besides, choices are to win: cells are
    taken with a chance that rises with what the network says of them, `KEENNESS` times its
    logarithm, and what is won by that counts `CHOICES` as much.
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
    told = SLOPE * measures[:, 0]
    wanted = (decisions.win - mean) / mean - (told - decisions.mean(told))
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
            gains = slopes_of_gain(said + told[index], ahead[index], heads, count)
            errors -= np.float32(CHOICES / whole) * gains
            adam.step(network.slopes(layers, errors[:, None] / np.float32(len(index))))
        if sys.stderr.isatty():
            print(f"\repoch {epoch + 1} of {epochs}", end="", file=sys.stderr)
    return network


def slopes_of_gain(
    said: Table, ahead: Table, heads: NDArray[np.intp], count: NDArray[np.intp]
) -> Table:
    """By row: how what is won by taking cells by chance rises with what is said of it."""
    keen = np.float32(KEENNESS) * (said - np.repeat(np.maximum.reduceat(said, heads), count))
    chance = np.exp(keen)
    chance /= np.repeat(np.add.reduceat(chance, heads), count)
    mean = np.repeat(np.add.reduceat(chance * ahead, heads), count)
    return np.float32(KEENNESS) * chance * (ahead - mean)


def centred(values: Table, heads: NDArray[np.intp], count: NDArray[np.intp]) -> Table:
    """Less the mean of their decision: these begin at `heads` and have so many rows."""
    return values - np.repeat(np.add.reduceat(values, heads) / count.astype(np.float32), count)


def wrapped(numbers: Iterable[str]) -> Iterator[str]:
    """Numbers in lines of a hundred characters."""
    line = " "
    for number in numbers:
        if len(line) + len(number) + 2 > 100:
            yield line
            line = " "
        line += f" {number},"
    yield line.rstrip(",") + "};"


def written(network: Network, told: str) -> str:
    """The network as C++ has it."""
    text = [
        "// Written by benchmarks/appraisal.py, which says what it is and how to write it anew.",
        f"// {told}",
        "// clang-format off",
        f"constexpr double learned_slope = {SLOPE};",
        f"constexpr float learned_unit = 1.0F / {round(1 / UNIT)};",
        f"constexpr std::size_t learned_first = {LAYERS[0]};",
        f"constexpr std::size_t learned_second = {LAYERS[1]};",
    ]
    for name, numbers in (("means", network.means), ("deviations", network.deviations)):
        text.append(f"constexpr std::array<double, appraised_measures> learned_{name} = {{")
        text.extend(wrapped(f"{number:.6g}" for number in numbers))
    for name, matrix in zip(("first", "second", "last"), network.weights, strict=True):
        if np.abs(matrix).max() >= LARGEST:
            sys.exit(f"a weight of {np.abs(matrix).max():.3g} is too large to be written")
        text.append(f"constexpr std::array<std::int16_t, {matrix.size}> learned_to_{name} = {{")
        text.extend(wrapped(str(round(number / UNIT)) for number in matrix.ravel()))
    return "\n".join(text) + "\n"


def read(file: Path) -> Network:
    """What was written."""
    found = {
        name: np.array(numbers.split(","), dtype=np.float32)
        for name, numbers in re.findall(r"learned_(\w+) = \{\n([^}]*)\}", file.read_text())
    }
    weights = [
        np.float32(UNIT) * found[f"to_{name}"].reshape(given + 1, out)
        for name, (given, out) in zip(("first", "second", "last"), pairwise(SIZES), strict=True)
    ]
    return Network(found["means"], found["deviations"], weights)


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


def tell(network: Network, decisions: Decisions, among: NDArray[np.bool_]) -> None:
    """What its choices win."""
    count = int(among[decisions.first].sum())
    print(f"{count:,} decisions of {decisions.games * count / len(decisions.first):,.0f} games")
    told = network(decisions)
    score = decisions.sight[:, 0]
    for name, other in (("the look-ahead's score", score), ("the cells taken", decisions.taken)):
        gain, error = decisions.gain(told, other, among)
        print(f"  over {name}: {gain:+.3f} +- {error:.3f}")


def fit(files: Sequence[Path], epochs: int, out: Path) -> None:
    decisions = Decisions.read(files)
    kept = decisions.game % 10 == 0
    network = fitted(decisions, ~kept, epochs)
    count = int((~kept)[decisions.first].sum())
    out.write_text(written(network, f"Fitted to {count:,} decisions."))
    tell(read(out), decisions, kept)


def judge(files: Sequence[Path], by: Path) -> None:
    decisions = Decisions.read(files)
    tell(read(by), decisions, np.ones(len(decisions.game), dtype=bool))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parts = parser.add_subparsers(dest="part", required=True)
    plays = parts.add_parser("play", help="write decisions down")
    plays.add_argument("file", type=Path)
    plays.add_argument("--level", choices=mp.LEVELS, default="expert")
    plays.add_argument("--opening", choices=STARTS, default="clear")
    plays.add_argument("--seed", type=int, default=2, help="even ones are for tuning")
    plays.add_argument("--first", type=int, default=0, help="the number of the first game")
    plays.add_argument("--games", type=int, default=1000)
    plays.add_argument("--boards", type=int, default=64, help="that each cell is played out on")
    fits = parts.add_parser("fit", help="fit the weights to decisions")
    fits.add_argument("files", type=Path, nargs="+")
    fits.add_argument("--epochs", type=int, default=6)
    fits.add_argument("--out", type=Path, default=WEIGHTS)
    judges = parts.add_parser("judge", help="what the weights win on other decisions")
    judges.add_argument("files", type=Path, nargs="+")
    judges.add_argument("--by", type=Path, default=WEIGHTS)
    given = vars(parser.parse_args())
    {"play": play, "fit": fit, "judge": judge}[given.pop("part")](**given)


if __name__ == "__main__":
    main()
