"""Find agents by text: one grammar for commands, studies and Python.

    NAME                          a built-in agent, or one of an installed package
    NAME:option=value,...         with options
    module:Name                   a class, an object or a function in a module
    path/to/file.py:Name          the same in a file; options may follow: Name:depth=3
    engine:COMMAND                a program that speaks the JSON protocol

A text that starts with the name of an agent means that agent; to use a module of the same name,
give its path. In a list, commas separate agents; quote an agent that contains commas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from mineproof.agents import builtin, subprocess_agent
from mineproof.agents.adapter import adapt
from mineproof.agents.base import Agent
from mineproof.agents.loading import installed, load_file, load_installed, load_module
from mineproof.arguments import of_type
from mineproof.errors import InvalidInput, unknown_name
from mineproof.world.naming import split_names


def is_own(text: str) -> bool:
    """Return whether a text names the user's own agent instead of a built-in one."""
    return text.strip().partition(":")[0] not in builtin.RECIPES


def get(text: str) -> Any:
    """Return the agent of this text: a built-in `Recipe` or your own agent."""
    of_type(text, str, "an agent's name")
    text = text.strip()
    return _own(text) if is_own(text) else builtin.get(text)


def names() -> list[str]:
    """Return the names of all built-in agents and of those in installed packages."""
    return [*builtin.RECIPES, *(name for name in installed() if _may_have(name))]


def check(text: str) -> str:
    """Return the name of the agent of this text, without loading the user's own code."""
    text = text.strip()
    head, colon, rest = text.partition(":")
    if head in builtin.RECIPES:
        return builtin.get(text).name
    own = head == subprocess_agent.PREFIX or ".py:" in text or head in installed()
    if not own and not (colon and _is_path(head) and _is_path(rest.partition(":")[0])):
        raise unknown_name("agent", head, names())
    return text


def as_agent(agent: Any) -> Agent:
    """Return the agent of a text, an agent, an object with `decide`, or a function that decides."""
    found: Agent = get(agent) if isinstance(agent, str) else adapt(agent)
    return found


class Offered(Mapping[str, Agent]):
    """The agents that clients may choose: those of the given texts, and no others.

    Each is loaded when it is first chosen; clients cannot make us load any other.
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
"""Agents received from another process, by their texts."""


def _own(text: str) -> Agent:
    return _sent[text] if text in _sent else _found(text)


@lru_cache(maxsize=256)
def _found(text: str) -> Agent:
    """Load an agent once: later calls return the same agent, and so the same running program."""
    head, colon, rest = text.partition(":")
    if head == subprocess_agent.PREFIX:
        return subprocess_agent.SubprocessAgent(rest.strip())
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
        raise unknown_name("agent or module", head, names())
    raise unknown_name("agent", head, names())


def _is_path(text: str) -> bool:
    """Return whether this may be the dotted name of a module, or of something in it."""
    return all(part.isidentifier() for part in text.split("."))


def _may_have(name: str) -> bool:
    """Return whether a package may use this name for its agent."""
    plain = name.replace("-", "").replace("_", "").isalnum()
    return plain and name != subprocess_agent.PREFIX and name not in builtin.RECIPES


def remember(text: str, agent: Agent) -> None:
    """Map a text to an agent that was sent here; its files may be on another machine."""
    _sent[text] = agent


def split(text: str) -> list[str]:
    """Return the agents in a list, at least one."""
    if not (parts := split_names(text)):
        raise InvalidInput("expected at least one agent, got an empty list")
    return parts
