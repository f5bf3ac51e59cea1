"""Packages that only some need, imported when they are used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from mineproof.errors import MineproofError


def need(module: str, extra: str) -> Any:
    """The module; where it is missing, an error that says how to get it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != module.split(".", maxsplit=1)[0]:
            raise
        raise MineproofError(
            f"this needs {module}, which is not installed: pip install 'mineproof[{extra}]'"
        ) from None
