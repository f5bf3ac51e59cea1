"""What people give, checked where it enters: behind these checks, types carry the proof.

Numbers are checked by `errors.whole` and `errors.share`, cells by `Grid.index`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from mineproof.errors import InvalidInput, WrongType, quoted

T = TypeVar("T")

_WORDS = {str: "a text", bytes: "bytes", bool: "True or False", dict: "a dictionary"}


def of_type(value: object, kind: type[T], what: str) -> T:
    """The value, which has to be of this type; `what` is its name in the call."""
    if isinstance(value, kind):
        return value
    name = kind.__name__
    words = _WORDS.get(kind) or f"{'an' if name[0] in 'AEIO' else 'a'} {name}"
    read = isinstance(value, str) and hasattr(kind, "from_text")
    hint = f": {name}.from_text reads a text" if read else ""
    raise WrongType(f"{what} must be {words}, got {quoted(value)}{hint}")


def optional(value: object, kind: type[T], what: str) -> T | None:
    """The same, or nothing."""
    return None if value is None else of_type(value, kind, what)


def each(values: Iterable[T], kind: type[T], what: str) -> list[T]:
    """A list of values of one type."""
    return [of_type(value, kind, f"each of {what}") for value in listed(values, what)]


def listed(values: Iterable[T], what: str) -> list[T]:
    """What can be gone through, as a list; a text is one value and no list of letters."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise WrongType(f"{what} must be a list, got {quoted(values)}")
    return list(values)


def file_path(value: object, what: str = "a path") -> Path:
    """A path; a number would be somebody's open file, which reading it would close."""
    try:
        name = os.fspath(value)  # type: ignore[call-overload]
    except TypeError:
        name = None
    if not isinstance(name, str):
        raise WrongType(f"{what} must be a text or a Path, got {quoted(value)}")
    try:
        if "\0" in name:
            raise ValueError
        os.fsencode(name)
    except ValueError:
        raise InvalidInput(f"no file has the name {quoted(name)}") from None
    return Path(name)


def function(value: object, what: str) -> Callable[..., Any]:
    """What can be called."""
    if not callable(value):
        raise WrongType(f"{what} must be a function, got {quoted(value)}")
    return value
