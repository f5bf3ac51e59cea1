"""The command that plays the same game again, with something changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from mineproof.games.match import Match

_NOT_REPEATED = frozenset(
    (
        "delay",
        "plain",
        "svg",
        "save",
        "every",
        "log",
        "log_level",
        "as_json",
        "step",
        "truth",
        "seed",
    )
)


class RepeatCommand(NamedTuple):
    """The options that set up the game, as they were given."""

    command: str
    """`play` or `watch`."""
    options: dict[str, str | None]
    """The values by flag; None for a flag without a value."""
    agent: str
    on_mine: str
    logged: bool

    @classmethod
    def of(cls, context: click.Context, match: Match, *, own: bool, logged: bool) -> RepeatCommand:
        """Return the options of the running command that set up this match.

        The agent is left out if it is the example's `own`.
        """
        given: dict[str, str | None] = {}
        for param in context.command.params:
            value = context.params.get(param.name or "")
            default = param.get_default(context)
            if param.name in _NOT_REPEATED or value in (None, False):
                continue
            if str(value) != str(default):
                given[param.opts[0]] = None if value is True else _write(value)
        command = context.info_name or "watch"
        if command == "play" and not own:
            given.setdefault("--agent", match.agent.name)  # without it, the reader would play
        options = {**given, "--seed": str(match.seed)}
        return cls(command, options, match.agent.name, match.rules.on_mine, logged)

    def suggestions(self) -> list[tuple[list[str], str]]:
        """Return commands worth trying next, each with a description."""
        other = "baseline" if self.agent.startswith("champion") else "champion"
        if self.on_mine == "continue":
            score = self._play(on_mine="end"), "the same board, until the first mine"
        else:
            score = (
                self._play(on_mine="continue", luck=None),
                "the same board, but mines do not end the game",
            )
        if self.logged:
            slow = [*self._play(), "--step"], "the same game, step by step"
        else:
            slow = (
                [*self._play(), "--log", "game.txt"],
                "the same game, with all reasoning in a file",
            )
        return [score, slow, (self._play(agent=other), f"the same game, played by {other}")]

    def _play(self, **changes: str | None) -> list[str]:
        """Return the command with some options changed, or removed if None."""
        options = dict(self.options)
        for name, value in changes.items():
            options.pop(flag := f"--{name.replace('_', '-')}", None)
            if value is not None:
                options[flag] = value
        # The seed comes last: it is what people change next.
        options["--seed"] = options.pop("--seed")
        words = (word for flag, value in options.items() for word in (flag, value))
        return [self.command, *(word for word in words if word is not None)]


def _write(value: Any) -> str:
    """Return a value as it is typed: a cell is `ROW,COL`."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
