"""Checks of arguments where they enter the package; later code relies on the types.

Numbers are checked by `errors.whole` and `errors.share`, cells by `Grid.index`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from mineproof.errors import InvalidInput, WrongType, quote, unknown_name

T = TypeVar("T")
K = TypeVar("K")

_WORDS = {str: "a string", bytes: "bytes", bool: "True or False", dict: "a dictionary"}


def of_type(value: object, kind: type[T], what: str) -> T:
    """Return the value if it has this type; otherwise raise an error that calls it `what`."""
    if isinstance(value, kind):
        return value
    raise wrong_type(value, what, kind)


def wrong_type(value: object, what: str, kind: type[Any]) -> WrongType:
    """Return the error for a value that does not have this type."""
    name = kind.__name__
    words = _WORDS.get(kind) or f"{'an' if name[0] in 'AEIO' else 'a'} {name}"
    readable = isinstance(value, str) and hasattr(kind, "from_text")
    hint = f": use {name}.from_text to read a string" if readable else ""
    return WrongType(f"{what} must be {words}, got {quote(value)}{hint}")


def optional(value: object, kind: type[T], what: str) -> T | None:
    """Return the value if it is None or has this type."""
    return None if value is None else of_type(value, kind, what)


def each(values: Iterable[T], kind: type[T], what: str) -> list[T]:
    """Return a list of values of this type: the argument itself if it is already a list."""
    found = values if type(values) is list else listed(values, what)
    for value in found:
        if not isinstance(value, kind):
            raise wrong_type(value, f"each of {what}", kind)
    return found


def listed(values: Iterable[T], what: str) -> list[T]:
    """Return the values of an iterable as a list. A string is not accepted."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise WrongType(f"{what} must be a list, got {quote(values)}")
    return list(values)


def mapping(values: Mapping[K, T], what: str) -> Mapping[K, T]:
    """Return the value if it is a mapping, such as a dictionary."""
    if not isinstance(values, Mapping):
        raise WrongType(f"{what} must be a dictionary, got {quote(values)}")
    return values


def iterated(values: Iterable[T], what: str) -> Iterable[T]:
    """Return the value if it is iterable; it may be long, so it is not copied. No strings."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise WrongType(f"{what} must be a list or another iterable, got {quote(values)}")
    return values


def written_to(value: object, what: str) -> Any:
    """Return the value if it can be written to, such as a file open for writing."""
    if not callable(getattr(value, "write", None)):
        raise WrongType(f"{what} must be a file open for writing, got {quote(value)}")
    return value


def read_from(value: object, what: str) -> Any:
    """Return the value if it can be read by lines, such as a file open for reading."""
    if not callable(getattr(value, "readline", None)):
        raise WrongType(f"{what} must be a string or a file open for reading, got {quote(value)}")
    return value


def file_path(value: object, what: str = "a path") -> Path:
    """Return a path. Numbers are refused: `open` would take them for open files and close these."""
    try:
        name = os.fspath(value)  # type: ignore[call-overload]
    except TypeError:
        name = None
    if not isinstance(name, str):
        raise WrongType(f"{what} must be a string or a Path, got {quote(value)}")
    try:
        if "\0" in name:
            raise ValueError
        os.fsencode(name)
    except ValueError:
        raise InvalidInput(f"{quote(name)} is not a valid file name") from None
    return Path(name)


def one_of(value: object, kind: str, known: Collection[str]) -> str:
    """Return the value if it is one of these names."""
    if isinstance(value, str):
        if value in known:
            return value
        raise unknown_name(kind, value, known)
    raise WrongType(f"the {kind} must be one of {', '.join(known)}, got {quote(value)}")


def function(value: object, what: str) -> Callable[..., Any]:
    """Return the value if it can be called."""
    if not callable(value):
        raise WrongType(f"{what} must be a function, got {quote(value)}")
    return value
