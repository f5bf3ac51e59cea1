"""Commands to try after the tour; they work in the directory where the tour was started."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from mineproof.cli.play.game_summary import own_name
from mineproof.cli.position_text import say

if TYPE_CHECKING:
    from rich.console import Console

_EXAMPLE = Path("examples/own_agent.py")


def in_checkout() -> bool:
    """Whether the working directory is the checkout that this program runs from."""
    here, package = Path.cwd(), Path(__file__).parents[2]
    source = here / "src" / "mineproof"
    return source.is_dir() and source.samefile(package) and (here / "Makefile").is_file()


def any_other_command() -> str:
    """The command that shows a random game."""
    return "make run SEED=random" if in_checkout() else f"{own_name()} demo --seed random"


def again_command(seed: int) -> str:
    """The command that shows the game with this seed."""
    return f"make run SEED={seed}" if in_checkout() else f"{own_name()} demo --seed {seed}"


def next_steps() -> list[tuple[str, str]]:
    """Return five commands, each with what it does."""
    name = own_name()
    web = "make web" if in_checkout() else f"{name} serve"
    own = "check-agent --help"
    if _EXAMPLE.is_file():
        own = f"arena --agents exact,{_EXAMPLE.as_posix()}:Careful --games 100"
    return [
        (web, "play in the browser, with mine probabilities, hints and lessons"),
        (f"{name} play", "play here, in the terminal"),
        (
            f"{name} explain report000-column",
            "explain a position (or your own, as text or a file)",
        ),
        (f"{name} arena --level expert --agents gauss,exact", "compare agents on the same boards"),
        (f"{name} {own}", "plug in your own agent"),
    ]


def show_next_steps(console: Console) -> None:
    """Print each command below its description, unbroken so that it can be copied."""
    say(console, "")
    say(console, "Try next", style="bold cyan")
    for command, what in next_steps():
        say(console, f"{what}:")
        if console.is_terminal:
            console.print(Text(f"  {command}", "bold"), soft_wrap=True)
        else:
            say(console, f"  {command}")
