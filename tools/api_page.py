"""Write the signatures on the page of public names (part of `make docs`).

In `docs/api.md`, `python -m tools.api_page` writes the first line below every heading of a public
name: its signature and members. The rest is written by hand. A test finds missing names.
"""

from __future__ import annotations

import inspect
import re
from enum import Enum
from types import ModuleType
from typing import Any, get_origin

import mineproof as mp
from tools.recorder import ROOT

PAGE = ROOT / "docs" / "api.md"
_ENTRY = re.compile(r"^### `mp\.(?P<name>[\w.]+)`\n\n(?P<line>`.*)\n", re.M)


def names() -> list[str]:
    """Every public name of the package and of its public modules, such as `agents.get`."""
    found = []
    for name in mp.__all__:
        value = getattr(mp, name)
        found.append(name)
        if isinstance(value, ModuleType):
            found += [f"{name}.{inner}" for inner in _public(value)]
    return found


def _public(module: ModuleType) -> list[str]:
    """The names in a module's `__all__`; without one, the functions and classes defined in it."""
    if hasattr(module, "__all__"):
        return list(module.__all__)
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    ]


def entries() -> dict[str, str]:
    """The names on the page, each with its generated line."""
    return {entry["name"]: entry["line"] for entry in _ENTRY.finditer(PAGE.read_text())}


def described(name: str) -> str:
    """The line below a name: its signature and its members."""
    value: Any = mp
    for part in name.split("."):
        value = getattr(value, part)
    last = name.rpartition(".")[2]
    if get_origin(value) is not None:  # an alias of a type, such as Cell
        return f"`{last} = {value}`"
    if isinstance(value, ModuleType):
        return f"`{name}`, a module: " + ", ".join(f"`{inner}`" for inner in _public(value))
    given = _parameters(value)
    members = ", ".join(f"`{member}`" for member in _members(value) if member not in given)
    has = f"; has {members}" if members else ""
    if not callable(value):
        return f"`{last}`, a {type(value).__name__}"
    abstract = inspect.isabstract(value) or getattr(value, "_is_protocol", False)
    if abstract or (isinstance(value, type) and issubclass(value, Enum)):
        return f"`{last}`{has}"
    return f"`{last}{_signature(value)}`{has}"


def _parameters(value: Any) -> Any:
    """The parameters of a class; none for an exception without its own constructor."""
    own = isinstance(value, type) and not issubclass(value, (BaseException, Enum))
    return inspect.signature(value).parameters if own else {}


def _signature(value: Any) -> str:
    """Parameters and their defaults; the prose gives their types."""
    try:
        signature = inspect.signature(value)
    except ValueError:  # an exception without its own constructor
        return "(message)"
    known = [
        one.replace(annotation=one.empty, default=_Shown.of(one.default))
        for one in signature.parameters.values()
    ]
    text = str(signature.replace(parameters=known, return_annotation=signature.empty))
    return "(message)" if text == "(*args, **kwargs)" else text


class _Shown:
    """A default as people write it: `Rules()` without all its fields."""

    def __init__(self, text: str) -> None:
        self._text = text

    @classmethod
    def of(cls, default: Any) -> Any:
        plain = default is None or isinstance(default, (bool, int, float, str, tuple))
        if default is inspect.Parameter.empty or plain:
            return default
        return cls(f"{type(default).__name__}()")

    def __repr__(self) -> str:
        return self._text


def _members(value: Any) -> list[str]:
    """The public attributes that a class defines itself, without those of foreign base classes."""
    if not isinstance(value, type) or issubclass(value, BaseException):
        return []
    if issubclass(value, Enum):
        return [member.name for member in value]
    theirs = [base for base in value.__mro__ if base.__module__.startswith("gymnasium")]
    bases = [base for base in (tuple, dict, Enum, *theirs) if issubclass(value, base)]
    common = {name for base in bases for name in dir(base)}
    fields = getattr(value, "__dataclass_fields__", {})
    shown = {
        name
        for name in (*dir(value), *fields)
        if not name.startswith("_") and not hasattr(getattr(value, name, None), "__deprecated__")
    }
    return sorted(shown - common)


def write() -> None:
    """Rewrite the generated line of every entry."""

    def line(entry: re.Match[str]) -> str:
        return f"### `mp.{entry['name']}`\n\n{described(entry['name'])}\n"

    PAGE.write_text(_ENTRY.sub(line, PAGE.read_text()))


if __name__ == "__main__":
    write()
