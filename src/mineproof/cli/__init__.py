"""The command line. Thin: it reads, calls and shows.

Nothing heavy is imported before a command runs, so that `--help` answers at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from mineproof import __version__
from mineproof.errors import MineproofError, shorten
from mineproof.printable import printable

COMMANDS = (
    "play",
    "assist",
    "analyse",
    "explain",
    "reasoners",
    "influence",
    "arena",
    "agents",
    "solve",
    "generate",
    "study",
    "completion",
)


class _Commands(click.Group):
    """Finds each command in the module of its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"mineproof.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from mineproof.errors import unknown_name

            raise unknown_name("command", args[0], COMMANDS)
        return super().resolve_command(ctx, args)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from mineproof import _engine

        click.echo(f"mineproof {__version__} (engine: {_engine.name()})")
        ctx.exit()


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Try: mineproof play --level beginner",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Tell it."
)
def cli() -> None:
    """A laboratory for Minesweeper: it plays, it proves, it measures."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 if all went well, 2 for bad input, 130 for Ctrl-C."""
    try:
        code = cli.main(arguments, prog_name="mineproof", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.UsageError as error:
        if isinstance(error, click.exceptions.NoArgsIsHelpError):
            click.echo(error.format_message())
            return 0
        path = error.ctx.command_path if error.ctx else "mineproof"
        return _complain(f"{error.format_message()} (see '{path} --help')")
    except click.ClickException as error:
        return _complain(error.format_message())
    except MineproofError as error:
        return _complain(str(error))
    except BrokenPipeError:
        # Whoever read our output has gone: nothing is left to say, also not at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        what = "standard output" if error.filename is None else repr(str(error.filename))
        return _complain(f"cannot use {what}: {error.strerror}")
    except (KeyboardInterrupt, click.Abort):
        return 130


def _complain(message: str) -> int:
    click.echo(f"mineproof: {shorten(printable(' '.join(message.split())), 360)}", err=True)
    return 2
