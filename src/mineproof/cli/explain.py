"""`mineproof explain`: prove that a cell is certain, or show that it is undecided."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mineproof import phrases
from mineproof.cli.options import (
    CELL,
    FILE,
    WHOLE,
    json_option,
    position_options,
    seen_position,
)
from mineproof.errors import InvalidInput
from mineproof.formats.output_files import write_text

if TYPE_CHECKING:
    from rich.console import Console

    from mineproof.reasoning.proofs import Proof
    from mineproof.world.clues import ClueModel
    from mineproof.world.geometry import Cell, Grid
    from mineproof.world.view import Dots, View

_EASE = {
    "clue": "one clue at a time is enough",
    "pattern": "a pattern along a wall is enough",
    "subset": "two clues at a time are enough",
    "pair": "two clues at a time are enough",
    "sum": "several clues must be added and subtracted",
    "count": "the mine count is needed",
    "cases": "an argument by cases is needed",
}


@click.command("explain")
@position_options
@click.option("--cell", type=CELL, help="The hidden cell to explain.")
@click.option("--all", "every", is_flag=True, help="Explain every certain cell.")
@click.option(
    "--budget",
    type=WHOLE,
    help="Maximum number of consistency checks. [default: 20000, at most 0.1 s]",
)
@click.option(
    "--svg",
    type=FILE,
    help="Write a picture of the proof to this file as SVG.",
)
@json_option
def command(
    position: str | None,
    cell: Cell | None,
    every: bool,
    mines: int | None,
    dots: Dots | None,
    shape: Grid | None,
    clues: ClueModel,
    density: float | None,
    budget: int | None,
    svg: Path | None,
    as_json: bool,
) -> None:
    """Prove that a cell is safe or a mine, from the fewest clues.

    POSITION is a view such as `3x5/3 ?????/?12??/?????`, a file with one, a screenshot, a game ID,
    a board link, a name from `mineproof examples`, or - to read from a pipe (`mineproof analyse -h`
    describes all of them). Without --cell it shows whether any cell is certain and explains the
    easiest one; with --all, every certain cell.

    JSON with --cell: {"cell", "mine": true, false or null, "risk", "verdict": a phrase, "words"};
    for a certain cell also "clues", "count_used", "least", "irreducible", "ease", "refutes_flag",
    "steps": [{"kind", "clues", "count_used", "settled", "why": a phrase, "words"}]; for an
    undecided cell "arrangements", "witnesses", "settler", "notes": phrases. Without --cell:
    {"may_guess", "safe", "mined", "wrong_flags", "easiest": a proof or null, "proofs": a list, with
    --all}.
    """
    from mineproof.reasoning.proofs import PROOF_BUDGET, explain

    if cell is not None and every:
        raise InvalidInput("give --cell or --all, not both")
    if budget is not None and budget < 1:
        raise InvalidInput(f"--budget must be at least 1, got {budget}")
    view = seen_position(position, "explain", mines, dots, shape)
    asked = {"density": density, "budget": budget or PROOF_BUDGET}
    if cell is None:
        _explain_position(view, clues, asked, every, svg, as_json)
        return
    proof = explain(view, cell, clues, **asked)  # type: ignore[arg-type]
    if svg is not None:
        write_text(svg, proof.to_svg())
    if as_json:
        click.echo(json.dumps(proof.to_json()))
    else:
        _show(_console(), proof)


def _explain_position(
    view: View,
    clues: ClueModel,
    asked: dict[str, Any],
    every: bool,
    svg: Path | None,
    as_json: bool,
) -> None:
    """Show whether any cell is certain, and the easiest proof or all of them."""
    from mineproof.protocol.serializers import explained_json
    from mineproof.reasoning.proofs import easiest, proofs
    from mineproof.world.view import KNOWN_SAFE

    found = proofs(view, clues, **asked)
    guaranteed = view.cells(KNOWN_SAFE)
    best = easiest([proof for proof in found if proof.mine is False]) or easiest(found)
    if svg is not None:
        if best is None:
            raise InvalidInput(phrases.say("explain.none"))
        write_text(svg, best.to_svg())
    if as_json:
        click.echo(json.dumps(explained_json(view, found, every=every)))
        return
    _show_position(found, guaranteed, best, every)


def _show_position(
    found: list[Proof], guaranteed: list[Cell], best: Proof | None, every: bool
) -> None:
    from mineproof.cli.position_text import say

    console = _console()
    safe = sum(proof.mine is False for proof in found) + len(guaranteed)
    if not safe:
        say(console, phrases.say("explain.guess", mines=bool(found)), style="bold")
    mined = sum(proof.mine is True for proof in found)
    if found or guaranteed:
        say(console, phrases.say("explain.certain", safe=safe, mines=mined))
    for proof in found:
        if proof.refutes_flag and not every and proof is not best:
            say(console, f"{proof.headline}.")
    if every:
        for proof in found:
            say(console, "")
            say(console, str(proof))
    elif best is not None:
        say(console, f"easiest proof: {_EASE[best.ease]}")
        say(console, "")
        _show(console, best)


def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False)


def _show(console: Console, proof: Proof) -> None:
    """Print the board with the proof, or two configurations if undecided, and the words."""
    from mineproof.cli.position_text import is_plain, room, say
    from mineproof.render import draw_proof, proof_legend
    from mineproof.render.proof_pictures import arranged

    plainly, space = is_plain(console), room(console)
    witnesses = proof.witnesses
    if witnesses is None:
        settled = dict(pair for step in proof.steps for pair in step.settled)
        drawn = draw_proof(
            proof.view, proof.cell, proof.clues, settled, ascii_only=plainly, room=space
        )
        say(console, drawn)
        say(console, proof_legend(ascii_only=plainly))
    else:
        for mines, mine in zip(witnesses, (True, False), strict=True):
            say(console, phrases.say("explain.configuration", mine=mine, cell=proof.cell))
            shown = arranged(proof.view, mines)
            drawn = draw_proof(proof.view, proof.cell, (), shown, ascii_only=plainly, room=space)
            say(console, drawn)
    say(console, "")
    say(console, str(proof))
