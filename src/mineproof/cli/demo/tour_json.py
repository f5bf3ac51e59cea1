"""The tour as JSON data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mineproof.cli.demo import tournament
from mineproof.cli.demo.next_steps import next_steps
from mineproof.games.analysis import odds_json
from mineproof.games.highlights import hardest_guess, instructive_proof
from mineproof.world.chance import seed_to_json

if TYPE_CHECKING:
    from mineproof.cli.demo.tour_plan import Plan
    from mineproof.games.highlights import HighlightedDeduction, HighlightedGuess


def tour_json(tour: Plan) -> dict[str, Any]:
    """Return everything that the tour shows, as JSON data."""
    match = tour.begin()
    for _ in match:
        pass
    record = match.record()
    proof, guess = instructive_proof(record), hardest_guess(record)
    return {
        **tour.to_json(),
        "game": record.to_json(),
        "proof": None if proof is None else _proof_json(proof),
        "guess": None if guess is None else _guess_json(guess),
        "tournament": _tournament_json(tour),
        "next": [{"command": command, "does": what} for command, what in next_steps()],
    }


def _proof_json(found: HighlightedDeduction) -> dict[str, Any]:
    where = {"move": found.number, "position": found.proof.view.to_text()}
    return {**where, **found.proof.to_json()}


def _guess_json(guess: HighlightedGuess) -> dict[str, Any]:
    advice = guess.advice
    return {
        "move": guess.number,
        "position": guess.view.to_text(),
        "cell": guess.move.cell,
        "risk": guess.move.risk,
        "reason": guess.move.reason,
        "risks": odds_json(guess.odds, [])["risk"],
        "candidates": [] if advice is None else [one.to_json() for one in advice.candidates],
        "safest": None if guess.safest is None else guess.safest.cell,
        "hit": guess.hit,
        "followed": guess.followed,
    }


def _tournament_json(tour: Plan) -> dict[str, Any]:
    field = tour.field
    return {
        "level": field.level,
        "games": field.games,
        "seed": seed_to_json(field.seed),
        "opening": "safe",
        "clues": "exact",
        "command": f"mineproof {tournament.command(field)}",
        **tournament.play(field).to_json(),
    }
