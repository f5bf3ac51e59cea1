"""An agent by its text, wherever one is named: one grammar for commands, studies and Python.

    NAME                          of the table, or of an installed package
    NAME:option=value,...         with options
    module:Name                   a class, an object or a function of a module
    path/to/file.py:Name          the same of a file; options may follow: Name:depth=3
    engine:COMMAND                a program that speaks the protocol

A text that begins with the name of an agent is that agent: a module of the same name is given
by its path. In a list commas separate; what has commas of its own is quoted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from mineproof.agents import programs, table
from mineproof.agents.adapter import adapt
from mineproof.agents.contract import Agent
from mineproof.agents.loading import installed, load_file, load_installed, load_module
from mineproof.errors import InvalidInput, UnknownName, shorten, unknown_name
from mineproof.given import of_type


def is_own(text: str) -> bool:
    """Whether a text names an agent of somebody's own, and none of the table."""
    return text.strip().partition(":")[0] not in table.RECIPES


def get(text: str) -> Any:
    """The agent of this text: a `Recipe` of the table, or one of somebody's own."""
    of_type(text, str, "an agent's name")
    text = text.strip()
    return _own(text) if is_own(text) else table.get(text)


def names() -> list[str]:
    """The agents that have names: those of the table, and those of installed packages."""
    return [*table.RECIPES, *(name for name in installed() if _may_have(name))]


def check(text: str) -> str:
    """The name that the agent of this text has; nothing of somebody's own is loaded for that."""
    text = text.strip()
    head, colon, rest = text.partition(":")
    if head in table.RECIPES:
        return table.get(text).name
    own = head == programs.PREFIX or ".py:" in text or head in installed()
    if not own and not (colon and _is_path(head) and _is_path(rest.partition(":")[0])):
        raise unknown_name("agent", head, names())
    return text


def as_agent(agent: Any) -> Agent:
    """An agent from a text, an agent, an object with `decide`, or a function that decides."""
    found: Agent = get(agent) if isinstance(agent, str) else adapt(agent)
    return found


class Offered(Mapping[str, Agent]):
    """Agents that others may choose by these texts, and by no others.

    Each is found when it is first chosen; whoever chooses gives no text of their own to load.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(dict.fromkeys(texts))

    def __getitem__(self, text: str) -> Agent:
        if text not in self._texts:
            raise KeyError(text)
        return as_agent(text)

    def __contains__(self, text: object) -> bool:
        return text in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


_sent: dict[str, Agent] = {}
"""Agents that came from another process, by their texts."""


def _own(text: str) -> Agent:
    return _sent[text] if text in _sent else _found(text)


@lru_cache(maxsize=256)
def _found(text: str) -> Agent:
    """Found once: who asks again gets the same agent, and so the same running program."""
    head, colon, rest = text.partition(":")
    if head == programs.PREFIX:
        return programs.Program(rest.strip())
    if head in installed() and _may_have(head):
        return load_installed(text)
    if ".py:" in text or text.endswith(".py"):
        return load_file(text)
    name = rest.partition(":")[0]
    if colon and _is_path(head) and _is_path(name):
        try:
            return load_module(text)
        except InvalidInput as error:
            if not isinstance(error.__cause__, ModuleNotFoundError) or error.__cause__.name != head:
                raise
        neither = unknown_name("agent", head, names())
        raise UnknownName(f"{neither}; nor is there a module of that name")
    raise unknown_name("agent", head, names())


def _is_path(text: str) -> bool:
    """Whether this may be the dotted name of a module, or of something in it."""
    return all(part.isidentifier() for part in text.split("."))


def _may_have(name: str) -> bool:
    """Whether a package may call its agent so."""
    plain = name.replace("-", "").replace("_", "").isalnum()
    return plain and name != programs.PREFIX and name not in table.RECIPES


def remember(text: str, agent: Agent) -> None:
    """Let a text stand for an agent that was sent here: what it is found by may be elsewhere."""
    _sent[text] = agent


def split(text: str) -> list[str]:
    """The texts of a list: commas separate agents, and also the options of one.

    A part without a colon and with `=` is an option of the agent before it. What stands in
    quotes is one text.
    """
    parts: list[str] = []
    for part, quoted in _parts(text):
        option = not quoted and "=" in part and ":" not in part
        if parts and option and ":" in parts[-1]:
            parts[-1] += f",{part}"
        elif part:
            parts.append(part)
    if not parts:
        raise InvalidInput("at least one agent is needed")
    return parts


def _parts(text: str) -> list[tuple[str, bool]]:
    """What stands between commas, without quotes, and whether it was quoted."""
    found, rest = [], text.strip()
    while rest:
        if (mark := rest[0]) in "\"'":
            part, closed, rest = rest[1:].partition(mark)
            if not closed or (rest.strip() and not rest.lstrip().startswith(",")):
                raise InvalidInput(
                    f"a quoted agent ends with {mark} and a comma, in {shorten(text)!r}"
                )
            found.append((part.strip(), True))
            rest = rest.lstrip().removeprefix(",")
        else:
            part, _, rest = rest.partition(",")
            found.append((part.strip(), False))
        rest = rest.lstrip()
    return found
