"""Estimated risks: their errors, stated errors and CPU time, and the cost of whole games.

    python benchmarks/estimates.py calibration --positions 4000      # exact clues: some minutes
    python benchmarks/estimates.py positions FILE --clues cautious   # once: some minutes
    python benchmarks/estimates.py accuracy FILE --csv walk.csv
    python benchmarks/estimates.py draw PICTURE.svg walk.csv sweeps.csv
    python benchmarks/estimates.py speed --games 10

Positions come from games of `exact` on 20x20: those that were estimated in play, but that a budget
of three million states can count exactly. FILE keeps them with these exact risks, so that other
versions can be compared on them. Each CSV becomes a line of the picture, named like the file.

The calibration uses exact clues: it prints how many risks that were estimated with small budgets
are further from the exact ones than 2, 3 and 5 stated errors. Its positions are random boards of
many sizes and densities, with some safe cells opened (one by one, as in a game, or as a lattice),
some without a mine count, that 100 states cannot count but three million can.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import mineproof as mp
from mineproof.world.view import HIDDEN

RULES = mp.Rules(on_mine="continue", opening="any")
BUDGETS = (10_000, 20_000, 40_000, 80_000, 160_000)
SMALL_BUDGETS = (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
MANY = 3_000_000
ROUNDING = 1e-9
MILLISECONDS, ERRORS = (5, 10, 20, 50, 100, 200), (0.005, 0.01, 0.02, 0.05)
NAMES = ("budget", "ms", "stated", "rms", "claims", "beyond_1", "beyond_2")


def model(text: str) -> mp.clues.ClueModel:
    return {"cautious": mp.clues.Cautious(), "optimistic": mp.clues.Optimistic()}[text]


def game(side: int, share: float, seed: int, clues: mp.clues.ClueModel) -> tuple[mp.Record, float]:
    board = mp.Board.random(side, side, round(share * side * side), seed=seed)
    begun = process_time()
    record = mp.play(board, "exact", rules=RULES, clues=clues, seed=seed)
    return record, process_time() - begun


def estimated(record: mp.Record) -> Iterator[mp.View]:
    """The positions of a game that were estimated."""
    for view, turn in record.positions():
        if turn.asked.estimated:
            yield view


def keep(path: Path, name: str, count: int) -> None:
    """Collect estimated positions that can be counted exactly, with the exact risks."""
    clues, found = model(name), 0
    with path.open("w") as file:
        for seed in range(10 * count):
            record, _ = game(20, (0.1, 0.2, 0.3)[seed % 3], seed, clues)
            for view in list(estimated(record))[seed % 7 :: 7]:
                truth = mp.posterior(view, clues, budget=MANY)
                if truth.exact:
                    risk = truth.risk.ravel().tolist()
                    file.write(json.dumps({"view": view.to_text(), "clues": name, "risk": risk}))
                    file.write("\n")
                    found += 1
                if found == count:
                    return
            print(f"{seed + 1} games, {found} of {count} positions", flush=True)


def accuracy(path: Path, out: Path | None) -> None:
    read = [json.loads(line) for line in path.read_text().splitlines()]
    kept = [one for one in read if not ask(one, BUDGETS[-1]).exact]
    print(f"{len(kept)} positions of games on 20x20 with {kept[0]['clues']} clues")
    print(f"{'budget':>8} {'CPU ms':>8} {'stated':>8} {'rms':>8} {'claims':>7} {'>1':>7} {'>2':>7}")
    rows = [at(budget, kept) for budget in BUDGETS]
    if out is not None:
        with out.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(NAMES)
            writer.writerows(rows)


def ask(kept: dict[str, Any], budget: int) -> mp.Posterior:
    return mp.posterior(mp.View.from_text(kept["view"]), model(kept["clues"]), budget=budget)


def at(budget: int, kept: list[dict[str, Any]]) -> tuple[float, ...]:
    times, stated, gaps = [], [], []
    for one in kept:
        begun = process_time()
        guess = ask(one, budget)
        took = process_time() - begun
        truth: NDArray[np.float64] = np.asarray(one["risk"], float)
        times.append(took)
        stated.append(guess.error)
        gaps.append(np.abs(guess.risk.ravel() - truth)[np.isfinite(truth)])
    by_error = np.concatenate([gap / error for gap, error in zip(gaps, stated, strict=True)])
    rms = float(np.sqrt(np.mean(np.concatenate(gaps) ** 2)))
    row = (
        budget, 1e3 * float(np.mean(times)), float(np.mean(stated)), rms, by_error.size,
        float(np.mean(by_error > 1)), float(np.mean(by_error > 2)),
    )  # fmt: skip
    print("{:8} {:8.2f} {:8.4f} {:8.4f} {:7} {:7.2%} {:7.2%}".format(*row), flush=True)
    return row


class Gap(NamedTuple):
    """The errors of the risks of one estimated position, and the stated errors."""

    risks: NDArray[np.float64]
    stated: float


def drawn(seed: int) -> mp.View:
    """A position to estimate: a random board with some safe cells opened."""
    chance = random.Random(seed)
    side, density = chance.choice((12, 16, 20, 24, 30)), chance.choice((0.2, 0.25, 0.3, 0.35))
    kind = chance.choice(("scattered", "scattered", "scattered", "lattice", "flood"))
    share = chance.uniform(0.1, 0.7)
    board = mp.Board.random(side, side, density=density, seed=seed)
    game = mp.Game(board, mp.Rules(on_mine="continue", opening="any", flood=kind == "flood"))
    for index in range(side * side):
        row, col = board.grid.cell(index)
        opens = (2 * row + col) % 5 == 0 if kind == "lattice" else chance.random() < share
        if opens and not board.mined[index] and game.view.states[index] == HIDDEN:
            game.open((row, col))
    view = game.view
    return view if chance.random() < 0.8 else mp.View(view.grid, view.states, None)


def calibrate(count: int, seed: int) -> None:
    """The share of estimated risks beyond several stated errors, by budget."""
    gaps: dict[int, list[Gap]] = {budget: [] for budget in SMALL_BUDGETS}
    found = 0
    while found < count:
        view, seed = drawn(seed), seed + 1
        if mp.posterior(view, budget=SMALL_BUDGETS[0]).exact:
            continue
        truth = mp.posterior(view, budget=MANY)
        if truth.exact:
            found += 1
            for budget in SMALL_BUDGETS:
                gaps[budget].extend(gap_of(mp.posterior(view, budget=budget), truth))
    print("| budget | positions | risks | beyond 2 | 3 | 5 | furthest | stated | rms | worst |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for budget, some in gaps.items():
        if some:
            print(calibration_row(budget, some), flush=True)


def gap_of(guess: mp.Posterior, truth: mp.Posterior) -> list[Gap]:
    """Its errors, or None if nothing was estimated; proved cells are not estimates."""
    if guess.exact:
        return []
    unproved = np.isfinite(truth.risk)
    for cell in (*guess.safe, *guess.mined):
        unproved[cell] = False
    return [Gap(np.abs(guess.risk - truth.risk)[unproved], guess.error)]


def calibration_row(budget: int, gaps: list[Gap]) -> str:
    """The share of risks beyond 2, 3 and 5 stated errors, and the largest such ratio; the mean
    stated error; the root mean square of all errors, and of the worst per position.
    """
    risks = np.concatenate([gap.risks for gap in gaps])
    errors = np.concatenate([np.full(gap.risks.size, gap.stated) for gap in gaps])
    beyond = [f"{np.mean(risks > k * errors + ROUNDING):.4%}" for k in (2, 3, 5)]
    with np.errstate(divide="ignore", invalid="ignore"):
        furthest = float(np.max((risks / errors)[risks > ROUNDING], initial=0))
    worst = [gap.risks.max() for gap in gaps]
    rms = [float(np.sqrt(np.mean(np.square(each)))) for each in (risks, worst)]
    means = [f"{mean:.3f}" for mean in (float(np.mean([gap.stated for gap in gaps])), *rms)]
    cells = [f"{budget:,}", f"{len(gaps):,}", f"{risks.size:,}", *beyond, f"{furthest:.3g}", *means]
    return f"| {' | '.join(cells)} |"


def draw(picture: Path, files: list[Path]) -> None:
    """Draw the error by CPU time, one line per file."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator, NullLocator

    from mineproof.studies.chart_files import standing_svg
    from mineproof.studies.drawing import settings
    from mineproof.studies.line_styles import line_style

    with settings(picture.name):
        figure = Figure(figsize=(5.4, 3.4), layout="constrained")
        axes = figure.add_subplot()
        for number, file in enumerate(files):
            with file.open() as lines:
                rows = list(csv.DictReader(lines))
            places = [float(row["ms"]) for row in rows], [float(row["rms"]) for row in rows]
            style, dash = line_style(number)
            axes.loglog(*places, dash, color=style.light, marker=style.marker, label=file.stem)
        axes.set_xlabel("CPU milliseconds per position")
        axes.set_ylabel("error of a risk (root mean square)")
        for axis, ticks in ((axes.xaxis, MILLISECONDS), (axes.yaxis, ERRORS)):
            axis.set_major_locator(FixedLocator(ticks))
            axis.set_major_formatter("{x:g}")
            axis.set_minor_locator(NullLocator())
        axes.grid(visible=True)
        axes.legend()
        picture.write_text(standing_svg(figure))


def speed(count: int, name: str) -> None:
    for side in (20, 30):
        played = [game(side, 0.2, seed, model(name)) for seed in range(count)]
        moves = sum(len(record.moves) for record, _ in played)
        seconds = sum(took for _, took in played)
        guesses = sum(move.estimated for record, _ in played for move in record.moves)
        score = np.mean([record.score for record, _ in played])
        print(
            f"{side}x{side}, n = {count}: {seconds / count:.2f} s of CPU per game, "
            f"{1e3 * seconds / moves:.1f} ms per move, {guesses / moves:.0%} of moves estimated, "
            f"score {score:.3f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    modes = parser.add_subparsers(dest="mode", required=True)
    for name in ("positions", "accuracy"):
        modes.add_parser(name).add_argument("file", type=Path)
    modes.choices["positions"].add_argument("--count", type=int, default=60)
    modes.choices["accuracy"].add_argument("--csv", type=Path)
    drawn = modes.add_parser("draw")
    drawn.add_argument("picture", type=Path)
    drawn.add_argument("files", type=Path, nargs="+")
    modes.add_parser("speed").add_argument("--games", type=int, default=10)
    calibration = modes.add_parser("calibration")
    calibration.add_argument("--positions", type=int, default=4000)
    calibration.add_argument("--seed", type=int, default=0)
    for name in ("positions", "speed"):
        clues = modes.choices[name]
        clues.add_argument("--clues", choices=("cautious", "optimistic"), default="cautious")
    chosen = parser.parse_args()
    if chosen.mode == "positions":
        keep(chosen.file, chosen.clues, chosen.count)
    elif chosen.mode == "accuracy":
        accuracy(chosen.file, chosen.csv)
    elif chosen.mode == "calibration":
        calibrate(chosen.positions, chosen.seed)
    elif chosen.mode == "draw":
        draw(chosen.picture, chosen.files)
    else:
        speed(chosen.games, chosen.clues)


if __name__ == "__main__":
    main()
