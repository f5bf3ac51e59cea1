"""The command line: a thin layer that reads options, calls the library and prints results.

Nothing heavy is imported before a command runs, so that `--help` is fast.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

import click

from mineproof import __version__, interrupts
from mineproof.cli import error_exit

GROUPS = {
    "Play": ("demo", "play", "watch", "assist"),
    "Understand": (
        "analyse",
        "explain",
        "reasoners",
        "influence",
        "replay",
        "review",
    ),
    "Compare": ("arena", "agents", "check-agent"),
    "Make": ("generate", "grade", "solve"),
    "Study": ("study", "reports", "examples"),
    "Connect": ("serve", "engine", "completion"),
}
"""All commands, in the order of `--help`. The first line of a command's own help says what it does:
one sentence, under 60 characters."""

COMMANDS = tuple(name for names in GROUPS.values() for name in names)
RENAMED = {
    "--best": "--top",
    "--every": "--svg-every",
    "--nth": "--index",
    "--seconds": "--move-timeout",
    "--until": "--precision",
}
"""Options by their old names, which are still accepted with a warning."""


class _Commands(click.Group):
    """Loads each command from the module of the same name."""

    def make_context(self, *words: Any, **more: Any) -> click.Context:
        """Parse the command line, or show the help."""
        with error_exit.reading_on():
            return super().make_context(*words, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with error_exit.reading_on():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(
            f"mineproof.cli.{cmd_name.replace('-', '_')}"
        ).command
        interrupts.check()
        command.short_help = first_line(command)  # in full, in completions too
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by group, one full line per command."""
        width = max(map(len, COMMANDS))
        for title, names in GROUPS.items():
            with formatter.section(title):
                commands = ((name, self.get_command(ctx, name)) for name in names)
                formatter.write_dl(
                    [(name.ljust(width), one.short_help or "") for name, one in commands if one]
                )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from mineproof.errors import unknown_name

            raise unknown_name("command", args[0], COMMANDS)
        name, command, rest = super().resolve_command(ctx, args)
        return name, command, rest if command is None else list(_with_new_names(command, rest))


def _with_new_names(command: click.Command, words: list[str]) -> Iterator[str]:
    """Yield the words of a command line with the new names of renamed options."""
    options = {name for one in command.params for name in one.opts}
    for place, word in enumerate(words):
        if word == "--":
            yield from words[place:]
            return
        old, equals, value = word.partition("=")
        new = RENAMED.get(old)
        if old == "--seconds" and command.name == "serve":
            new = "--request-timeout"
        if new not in options or old in options:
            yield word
            continue
        click.echo(f"warning: {old} is now called {new}", err=True)
        yield f"{new}{equals}{value}"


def first_line(command: click.Command) -> str:
    """Return what a command does: the first line of its help, in full."""
    return (command.help or "").strip().partition("\n")[0]


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from mineproof import _engine

        click.echo(f"mineproof {__version__} (engine: {_engine.name()})")
        ctx.exit()


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Try next: mineproof play, or mineproof watch --agent champion",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """A laboratory for Minesweeper: play, prove and measure."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code. Every error becomes a message (see `error_exit`)."""
    try:
        with interrupts.listening():
            error_exit.prepare()
            code = cli.main(arguments, prog_name="mineproof", standalone_mode=False)
            interrupts.check()
            if sys.stdout is not None:
                sys.stdout.flush()
            return code if isinstance(code, int) else 0
    except BaseException as error:
        return error_exit.report_error(error)
