"""`mineproof study verify`: replay stored games and compare them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mineproof.cli.options import SEED, WHOLE, json_option
from mineproof.errors import plural
from mineproof.printable import printable

if TYPE_CHECKING:
    from mineproof.studies.verification import Mismatch, Verification, VerificationResult

DIFFERS = 1
"""The exit code if a stored game differs from its replay."""


@click.command("verify")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@click.option("--sample", type=WHOLE, metavar="N", help="Replay N games per point.")
@click.option("--all", "every", is_flag=True, help="Replay every game.")
@click.option("--seed", type=SEED, help="Draw the same games as an earlier run.")
@click.option("--workers", type=WHOLE, help="Number of processes. [default: one per core]")
@click.option(
    "--run-own-agents", is_flag=True, help="Also replay your own agents; this runs their code."
)
@json_option
def verify_studies(
    folder: Path,
    sample: int | None,
    every: bool,
    seed: int | None,
    workers: int | None,
    run_own_agents: bool,
    as_json: bool,
) -> int:
    """Replay stored games from their seeds and compare them.

    DIR is the folder of a study, or a folder with several studies. The version and engine must be
    those of the study.

    Games are drawn at random, so that the choice is unpredictable; --seed repeats a draw. Without
    --sample or --all, games are replayed for five seconds, at all points in turn.

    All columns except times must be identical, bit for bit. If any differ, the differences are
    listed and the exit code is 1.

    JSON: {"studies": [{"name", "folder", "games", "planned", "replayed", "chance",
    "least_chance", "differing", "differences": [{"point", "game", "column", "stored",
    "replayed"}]}], "seed", "interrupted"}; "chance" is the average probability that
    a single forged game is detected, "least_chance" the probability at the worst point.
    """
    from mineproof.cli.progress import watch
    from mineproof.studies.verification import Verification

    verifying = Verification(
        folder,
        sample=sample,
        every=every,
        seed=seed,
        workers=workers,
        run_own_agents=run_own_agents,
    )
    interrupted = watch(verifying.work())
    if as_json:
        click.echo(json.dumps(_as_json(verifying, interrupted), indent=2))
    else:
        for one in verifying.verified:
            _show(one)
        if interrupted:
            click.echo("interrupted: results of the games replayed so far")
        if not every:
            click.echo(f"To draw the same games again, use --seed {verifying.seed}")
    if interrupted:
        return 130
    return DIFFERS if any(one.differing for one in verifying.verified) else 0


def _as_json(verifying: Verification, interrupted: bool) -> dict[str, Any]:
    from mineproof.world.chance import seed_to_json

    studies = [
        {
            "name": one.folder.study.name,
            "folder": str(one.folder.path),
            "games": one.games,
            "planned": one.planned,
            "replayed": sum(one.replayed.values()),
            "chance": one.chance,
            "least_chance": one.least_chance,
            "differing": one.differing,
            "differences": [mismatch._asdict() for mismatch in one.mismatches],
        }
        for one in verifying.verified
    ]
    seed = seed_to_json(verifying.seed)
    return {"studies": studies, "seed": seed, "interrupted": interrupted}


def _show(one: VerificationResult) -> None:
    """Print how many games were replayed, the verdict and the differences."""
    replayed = sum(one.replayed.values())
    verdict = _differ(one.differing) if one.differing else "all identical"
    stored = f"{one.games:,}" + (
        "" if one.games == one.planned else f" (of {one.planned:,} planned)"
    )
    click.echo(
        f"{printable(str(one.folder.path))}: {replayed:,} of {stored} games replayed at "
        f"{len(one.replayed)} of {plural(len(one.folder.points), 'point')}"
        f"{f': {verdict}' if replayed else ''}"
    )
    for mismatch in one.mismatches:
        click.echo(f"  {printable(_described(one, mismatch))}")
    if one.chance is not None and one.least_chance is not None and one.chance < 1:
        click.echo(
            f"  A single forged game is detected with probability {100 * one.chance:.3g} % "
            f"({100 * one.least_chance:.3g} % at the worst point)."
        )


def _described(one: VerificationResult, mismatch: Mismatch) -> str:
    point = one.folder.points[mismatch.point]
    return (
        f"point {mismatch.point} ({point.agent} on {point.board}), game {mismatch.game}: "
        f"{mismatch.column} is stored as {_word(mismatch.stored)}, "
        f"but the replay gives {_word(mismatch.replayed)}"
    )


def _differ(games: int) -> str:
    return "1 game differs" if games == 1 else f"{games} games differ"


def _word(value: object) -> str:
    return "unknown" if value is None else str(value).lower()
