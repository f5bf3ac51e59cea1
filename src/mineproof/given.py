"""What people give, checked where it enters: behind these checks, types carry the proof.

Numbers are checked by `errors.whole` and `errors.share`, cells by `Grid.index`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from mineproof.errors import InvalidInput, WrongType, quoted, unknown_name

T = TypeVar("T")
K = TypeVar("K")

_WORDS = {str: "a text", bytes: "bytes", bool: "True or False", dict: "a dictionary"}


def of_type(value: object, kind: type[T], what: str) -> T:
    """The value, which has to be of this type; `what` is its name in the call."""
    if isinstance(value, kind):
        return value
    raise wrong_type(value, what, kind)


def wrong_type(value: object, what: str, kind: type[Any]) -> WrongType:
    """The error for a value that is not of this type."""
    name = kind.__name__
    words = _WORDS.get(kind) or f"{'an' if name[0] in 'AEIO' else 'a'} {name}"
    readable = isinstance(value, str) and hasattr(kind, "from_text")
    hint = f": {name}.from_text reads a text" if readable else ""
    return WrongType(f"{what} must be {words}, got {quoted(value)}{hint}")


def optional(value: object, kind: type[T], what: str) -> T | None:
    """The same, or nothing."""
    return None if value is None else of_type(value, kind, what)


def each(values: Iterable[T], kind: type[T], what: str) -> list[T]:
    """A list of values of one type; the same list, where it is one."""
    found = values if type(values) is list else listed(values, what)
    for value in found:
        if not isinstance(value, kind):
            raise wrong_type(value, f"each of {what}", kind)
    return found


def listed(values: Iterable[T], what: str) -> list[T]:
    """What can be gone through, as a list; a text is one value and no list of letters."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise WrongType(f"{what} must be a list, got {quoted(values)}")
    return list(values)


def mapping(values: Mapping[K, T], what: str) -> Mapping[K, T]:
    """A dictionary, or anything like one."""
    if not isinstance(values, Mapping):
        raise WrongType(f"{what} must be a dictionary, got {quoted(values)}")
    return values


def iterated(values: Iterable[T], what: str) -> Iterable[T]:
    """What can be gone through, and may be long: it is not copied."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise WrongType(f"{what} must be a list, or another series, got {quoted(values)}")
    return values


def written_to(value: object, what: str) -> Any:
    """A file that is open for writing, or anything like one."""
    if not callable(getattr(value, "write", None)):
        raise WrongType(f"{what} must be a file open for writing, got {quoted(value)}")
    return value


def read_from(value: object, what: str) -> Any:
    """A file that is open for reading, or anything like one."""
    if not callable(getattr(value, "readline", None)):
        raise WrongType(f"{what} must be a text or a file open for reading, got {quoted(value)}")
    return value


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


def one_of(value: object, kind: str, known: Collection[str]) -> str:
    """One of some names."""
    if isinstance(value, str):
        if value in known:
            return value
        raise unknown_name(kind, value, known)
    raise WrongType(f"a {kind} is one of {', '.join(known)}, got {quoted(value)}")


def function(value: object, what: str) -> Callable[..., Any]:
    """What can be called."""
    if not callable(value):
        raise WrongType(f"{what} must be a function, got {quoted(value)}")
    return value
