"""Load the user's own agents from a module, a file or an installed package.

Such an agent is sent to other processes and machines as its text; for a file the source is
included, so that a cluster needs no copy of it.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from mineproof.agents.adapter import adapt
from mineproof.agents.base import Agent, Player
from mineproof.errors import InvalidInput, shorten
from mineproof.world.clues import ClueModel
from mineproof.world.naming import read_options
from mineproof.world.rules import Rules
from mineproof.world.view import View

GROUP = "mineproof.agents"
"""The group of entry points by which packages offer agents."""


class Loaded:
    """The user's own agent, with the text that names it."""

    def __init__(
        self,
        text: str,
        agent: Agent,
        source: tuple[str, str] | None = None,
        code: bytes | None = None,
    ) -> None:
        self.name = text
        self._agent = agent
        self._source = source
        code = source[1].encode() if source is not None else code
        self.checksum = None if code is None else hashlib.sha256(code).hexdigest()
        """The SHA-256 of its file, if known: a changed file may play differently."""
        self.remembers = bool(getattr(agent, "remembers", False))
        self.costly = bool(getattr(agent, "costly", False))

    def __reduce__(self) -> tuple[Callable[..., Loaded], tuple[object, ...]]:
        return _reload, (self.name, self._source)

    def __repr__(self) -> str:
        return f"<agent {self.name}>"

    def begin(self, view: View, *, rules: Rules, clues: ClueModel, seed: int) -> Player:
        """Start a game with this view, and return the player for it."""
        return self._agent.begin(view, rules=rules, clues=clues, seed=seed)


def installed() -> dict[str, EntryPoint]:
    """Return the agents that installed packages offer, by name."""
    return {one.name: one for one in entry_points(group=GROUP)}


def load_installed(text: str) -> Loaded:
    """Load `name` or `name:option=value,...` from the package that offers it."""
    name, _, options = text.partition(":")
    return Loaded(text, _made(text, _run(text, installed()[name].load), options))


def load_module(text: str) -> Loaded:
    """Load `module:Name` or `module:Name:option=value,...`."""
    module, _, rest = text.partition(":")
    name, _, options = rest.partition(":")
    with suppress(FileNotFoundError):  # the current folder may have been deleted
        if (here := str(Path.cwd())) not in sys.path:
            sys.path.append(here)  # installed commands do not search it by default
    found = _run(text, lambda: importlib.import_module(module))
    return Loaded(text, _made(text, _member(text, found, name), options), code=_code(found))


def load_file(text: str) -> Loaded:
    """Load `path/to/file.py:Name` or `path/to/file.py:Name:option=value,...`."""
    path, _ = split_file(text)
    try:
        source = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InvalidInput(f"cannot read {shorten(path)!r}: {why}") from None
    return _reload(text, (str(Path(path).resolve()), source))


def split_file(text: str) -> tuple[str, str]:
    """Split `path/to/file.py:Name...` into the path and the rest."""
    stem, mark, rest = text.partition(".py:")
    if not mark or not rest:
        raise InvalidInput(f"name the agent in the file, as in '{shorten(text.rstrip(':'))}:Name'")
    return f"{stem}.py", rest


def _reload(text: str, source: tuple[str, str] | None) -> Loaded:
    """Load an agent that was sent here."""
    if source is None:
        head = text.partition(":")[0]
        return load_installed(text) if head in installed() else load_module(text)
    name, _, options = split_file(text)[1].partition(":")
    module = _run(text, lambda: _module(*source))
    return Loaded(text, _made(text, _member(text, module, name), options), source)


@cache
def _module(path: str, source: str) -> ModuleType:
    """Import a file as a module; its folder is added to the end of the import path."""
    module = ModuleType(f"mineproof_agent_{Path(path).stem}")
    module.__file__ = path
    if (folder := str(Path(path).parent)) not in sys.path:
        sys.path.append(folder)
    sys.modules[module.__name__] = module  # dataclasses look for it there
    exec(compile(source, path, "exec"), module.__dict__)
    return module


def _code(module: ModuleType) -> bytes | None:
    """Return the content of a module's file."""
    try:
        return Path(module.__file__ or "").read_bytes()
    except OSError:
        return None


def _member(text: str, module: ModuleType, name: str) -> Any:
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise InvalidInput(
                f"cannot load agent {shorten(text)!r}: {part!r} is not defined there"
            )
        found = getattr(found, part)
    return found


def _made(text: str, found: Any, options: str) -> Agent:
    """Return the agent: a class is called with its options, anything else is the agent itself."""
    given = read_options(options, None, shorten(text.removesuffix(f":{options}")))
    if isinstance(found, type):
        found = _run(text, lambda: found(**given))
    elif given:
        raise InvalidInput(f"{shorten(text)!r} is not a class, so it takes no options")
    try:
        return adapt(found)
    except InvalidInput as error:
        raise InvalidInput(f"cannot load agent {shorten(text)!r}: {error}") from None


def _run(text: str, do: Callable[[], Any]) -> Any:
    """Run the user's code; whatever it raises becomes an `InvalidInput`."""
    try:
        return do()
    except Exception as error:
        raised = shorten(" ".join(f"{type(error).__name__}: {error}".split()), 200)
        raise InvalidInput(f"cannot load agent {shorten(text)!r}: {raised}") from error
