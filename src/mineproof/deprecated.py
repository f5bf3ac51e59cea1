"""Old public names: they still work, with a warning that names the new one."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def renamed_argument(old: str, new: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function accept an argument by its old name."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def accept(*args: P.args, **kwargs: P.kwargs) -> R:
            if old in kwargs:
                _warn(f"the argument {old!r} of {function.__name__}()", repr(new))
                kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return accept

    return decorate


def renamed_method(old: str, method: Callable[P, R]) -> Callable[P, R]:
    """Return a method that does the same as another, its new name."""

    @wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        _warn(f"{old}()", f"{method.__name__}()")
        return method(*args, **kwargs)

    vars(call)["__deprecated__"] = f"now called {method.__name__}()"  # as warnings.deprecated does
    return call


def renamed_in(module: str, names: dict[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a module in which these names have changed."""

    def get(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        _warn(f"{module}.{name}", names[name])
        return getattr(sys.modules[module], names[name])

    return get


def _warn(old: str, new: str) -> None:
    warnings.warn(f"{old} is now called {new}", DeprecationWarning, stacklevel=3)
