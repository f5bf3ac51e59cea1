"""`mineproof demo`: the first-run tour."""

from __future__ import annotations

import json
from time import monotonic, sleep
from typing import TYPE_CHECKING

import click

from mineproof.cli.options import SEED, NamedType, json_option
from mineproof.errors import InvalidInput

if TYPE_CHECKING:
    from mineproof.cli.demo.tour_plan import Plan

_GAME, _RESULT, _PROOF, _GUESS, _TOURNAMENT = 0.33, 0.05, 0.17, 0.17, 0.24
"""The share of the duration for each part."""
_MOVES = 340
"""Moves that the game's share of the duration is divided by; a guess counts as six."""


def _seed(text: str) -> int:
    from mineproof.world.chance import fresh_seed

    return fresh_seed() if text == "random" else int(SEED.convert(text, None, None))


@click.command("demo")
@click.option(
    "--seed",
    type=NamedType("number|random", _seed, lambda: ["random"]),
    metavar="NUMBER|random",
    help="Show the game with this seed, or with a random one.",
)
@click.option(
    "--duration",
    type=float,
    default=20.0,
    show_default=True,
    help="Duration in seconds on a terminal; 0 means no pauses.",
)
@json_option
def command(seed: int | None, duration: float, as_json: bool) -> int:
    """Take a tour: a game, a proof, a guess, a tournament.

    An agent wins an expert game; one of its deductions is proved in words; its hardest guess is
    shown with exact mine probabilities; agents compete on a few hundred boards. The tour needs no
    input. Piped output is plain text without pauses.

    JSON: {"engine", "agent", "chosen", "expert_wins", "game": a record, "proof": a proof with its
    "move" and "position", "guess": {"move", "position", "cell", "risk", "reason", "risks",
    "candidates", "safest", "hit", "followed"}, "tournament": standings, "next": commands}; the
    proof and the guess are null if the game has none.
    """
    from mineproof.cli.demo.tour_plan import plan

    if not 0 <= duration <= 600:
        raise InvalidInput(f"--duration must be from 0 to 600 seconds, got {duration}")
    tour = plan(seed)
    if as_json:
        from mineproof.cli.demo.tour_json import tour_json

        click.echo(json.dumps(tour_json(tour), indent=2))
        return 0
    return _show(tour, duration)


def _show(tour: Plan, duration: float) -> int:
    from rich.console import Console

    from mineproof.cli.demo import sections, tournament
    from mineproof.cli.demo.next_steps import show_next_steps
    from mineproof.games.highlights import hardest_guess, instructive_proof

    console = Console(highlight=False)
    duration = duration if console.is_terminal else 0.0
    match = tour.begin()
    sections.say_heading(console, 1, f"{tour.player} plays an expert game (16x30, 99 mines)")
    sections.introduce_game(console, tour)
    stopped = sections.watch_game(match, delay=duration * _GAME / _MOVES)
    if stopped is not None:
        return stopped
    record = match.record()
    sections.show_result(console, record)
    sleep(duration * _RESULT)
    begun = monotonic()
    sections.say_heading(console, 2, "One of its deductions, proved")
    sections.show_proof(console, instructive_proof(record))
    begun = _wait(begun, duration * _PROOF)
    sections.say_heading(console, 3, "Its hardest guess")
    sections.show_guess(console, hardest_guess(record), tour.player)
    _wait(begun, duration * _GUESS)
    sections.say_heading(console, 4, "A tournament, played now")
    tournament.show(console, tour.field, seconds=duration * _TOURNAMENT)
    show_next_steps(console)
    return 0


def _wait(begun: float, seconds: float) -> float:
    """Wait until `seconds` have passed since `begun`; return the current time."""
    sleep(max(begun + seconds - monotonic(), 0))
    return monotonic()
