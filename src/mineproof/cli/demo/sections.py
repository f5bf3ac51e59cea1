"""The first three parts of the tour: a game, one of its deductions, its hardest guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.cli.demo.next_steps import again_command, any_other_command
from mineproof.cli.play import live
from mineproof.cli.position_text import is_plain, room, say
from mineproof.errors import plural
from mineproof.games.analysis import best_moves
from mineproof.render import Room, draw, draw_odds, draw_proof, odds_legend, plain, proof_legend
from mineproof.world.geometry import name_cell

if TYPE_CHECKING:
    from rich.console import Console

    from mineproof.agents.champion import Candidate
    from mineproof.cli.demo.tour_plan import Plan
    from mineproof.games.highlights import HighlightedDeduction, HighlightedGuess
    from mineproof.games.match import Match
    from mineproof.games.record import Record

PARTS = 4
_ROWS, _COLS = 7, 13
"""Rows and columns of board excerpts: large enough for a proof, narrow enough for 60 columns."""
_SHOWN = 5
"""Candidates of a guess that are listed."""
_CONFIDENT = 1.96


def say_heading(console: Console, number: int, title: str) -> None:
    """Print the heading of a part of the tour."""
    say(console, "")
    say(console, f"{number}/{PARTS} {title}", style="bold cyan")


def introduce_game(console: Console, plan: Plan) -> None:
    """Print which agent plays, how often it wins, and whether this game was chosen."""
    if plan.agent != "champion":
        why = "the champion needs the compiled engine, which is not in use here"
        say(console, f"{plan.agent} plays, because {why}.")
    wins = plan.wins.words(plan.player)
    if plan.chosen:
        say(console, f"A won game, chosen for this tour. {wins}.")
        say(console, f"To see a random game: {any_other_command()}")
    else:
        say(console, f"The game with seed {plan.seed}, won or lost. {wins}.")
        say(console, f"To see it again: {again_command(plan.seed)}")


def watch_game(match: Match, *, delay: float) -> int | None:
    """Show a game move by move; return the exit code if Ctrl-C stopped it."""
    return live.show(match, match, delay=delay, plain=False, in_time=True)


def show_result(console: Console, record: Record) -> None:
    """Print the final position and the outcome."""
    if not console.is_terminal:
        say(console, plain(record.view, truth=record.board))
    else:
        drawn = draw(
            record.view, truth=record.board, ascii_only=is_plain(console), room=room(console)
        )
        say(console, drawn)
    deduced = sum(move.certain for move in record.moves)
    say(
        console,
        f"{record.outcome}: {plural(len(record.turns), 'move')}, {deduced} of them certain, "
        f"{plural(record.guesses, 'guess', 'guesses')}",
        style="bold green" if record.won else "bold red",
    )


def show_proof(console: Console, found: HighlightedDeduction | None) -> None:
    """Print a deduction of the game: the board around it, and its proof in words."""
    if found is None:
        say(console, "This game has no deduction that uses two to four clues.")
        return
    proof, plainly = found.proof, is_plain(console)
    verdict = "a mine" if proof.mine else "safe"
    say(console, f"Move {found.number}: why is {name_cell(proof.cell)} {verdict}?")
    settled = dict(pair for step in proof.steps for pair in step.settled)
    board = draw_proof(
        proof.view, proof.cell, proof.clues, settled, ascii_only=plainly, room=_cut_out(console)
    )
    say(console, board)
    say(console, proof_legend(ascii_only=plainly))
    say(console, "")
    say(console, str(proof))


def show_guess(console: Console, guess: HighlightedGuess | None, player: str) -> None:
    """Print the hardest guess: mine probabilities around it, and the alternatives."""
    if guess is None:
        say(console, "This game needed no guess: every move was certain.")
        return
    plainly = is_plain(console)
    say(console, f"Move {guess.number}: no cell can be proved safe. The exact mine probabilities:")
    board = draw_odds(
        guess.odds, marked=guess.move.cell, ascii_only=plainly, room=_cut_out(console)
    )
    say(console, board)
    columns = console.width if console.is_terminal else None
    say(console, odds_legend(flags=True, ascii_only=plainly, columns=columns))
    say(console, "")
    for line in _weighed(guess, player):
        say(console, line)
    after = f"{plural(guess.followed, 'certain move')} followed"
    say(console, "It was a mine: the game was lost." if guess.hit else f"It was safe: {after}.")


def _cut_out(console: Console) -> Room:
    """The size of a board excerpt: gutter, cells, ruler, and the line that describes it."""
    wide = 4 + 3 * _COLS
    return Room(_ROWS + 2, min(wide, max(console.width, 1)) if console.is_terminal else wide)


def _weighed(guess: HighlightedGuess, player: str) -> list[str]:
    """Why this cell: the win probability of each candidate, or the reason for the move."""
    safest, where = guess.safest, name_cell(guess.move.cell)
    opens = f"{player} opens {where}. Its reason: {guess.move.reason}."
    if guess.advice is None:
        best = best_moves(guess.odds, _SHOWN)
        listed = [f"  {name_cell(one.cell):<8} mine {_percent(one.risk):>6}" for one in best]
        return ["The safest cells:", *listed, opens]
    if len(guess.compared) < 2 or safest is None:
        return [opens]
    lines = ["The cells that the champion compared, by playouts:"]
    lines += [_line(one, guess) for one in _listed(guess)]
    if guess.takes_a_risk:
        chosen = guess.compared[0]
        lines.append(
            f"{name_cell(safest.cell)} is the safest, yet the champion opens {where}: it takes "
            f"more risk now and wins {_percent(chosen.win)} instead of {_percent(safest.win)}."
        )
    else:
        lines.append(opens)
    return lines


def _listed(guess: HighlightedGuess) -> list[Candidate]:
    """The best candidates, the safest one always included."""
    best = list(guess.compared[:_SHOWN])
    if guess.safest is not None and guess.safest not in best:
        best[-1] = guess.safest
    return best


def _line(one: Candidate, guess: HighlightedGuess) -> str:
    mark = ">" if one.cell == guess.move.cell else " "
    error = f" +- {100 * _CONFIDENT * one.error:.1f}" if one.error else ""
    note = "  the safest" if one == guess.safest else ""
    figures = f"mine {_percent(one.risk):>6}, wins {_percent(one.win)}{error}"
    return f"{mark} {name_cell(one.cell):<8} {figures}{note}"


def _percent(share: float | None) -> str:
    return f"{100 * (share or 0.0):.1f} %"
