"""Optional packages: import them when they are used, or report how to install them."""

from __future__ import annotations

import json
import shlex
import sys
from contextlib import suppress
from importlib import import_module, metadata
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from mineproof.errors import MineproofError


def need(module: str, extra: str) -> Any:
    """Import a module; if it is missing, raise an error with the command that installs it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != module.split(".", maxsplit=1)[0]:
            raise
        raise MineproofError(
            f"this needs {module}, which is not installed: {how_to_install(extra)}"
        ) from None


def how_to_install(extra: str) -> str:
    """Return the command that installs an extra into the current environment.

    The package is not on PyPI, so the command names the origin that pip recorded.
    """
    origin = _origin()
    url, folder = origin.get("url", ""), _folder(origin)
    editable = origin.get("dir_info", {}).get("editable", False)
    if folder is not None and editable and _is_made_there(folder):
        return f"make {_there(folder)}{extra}"
    what = f"mineproof[{extra}]"
    if folder is not None:
        what = f"{folder}[{extra}]"
    elif url:
        what += f" @ {url}"
    change = "-e " if editable else ""
    return f"{shlex.quote(sys.executable)} -m pip install {change}'{what}'"


def _there(folder: Path) -> str:
    """Return the option that sends `make` to a folder; nothing if that is the current one."""
    with suppress(FileNotFoundError):  # the working directory may have been deleted
        if folder == Path.cwd():
            return ""
    return f"-C {shlex.quote(str(folder))} "


def _origin() -> dict[str, Any]:
    """Return what pip recorded as the origin; empty if an index, or not installed by pip."""
    try:
        text = metadata.distribution("mineproof").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return {}
    return dict(json.loads(text)) if text else {}


def _folder(origin: dict[str, Any]) -> Path | None:
    """Return the folder of the sources, if it still exists."""
    parts = urlsplit(origin.get("url", ""))
    folder = Path(unquote(parts.path))
    is_there = parts.scheme == "file" and (folder / "pyproject.toml").exists()
    return folder if is_there else None


def _is_made_there(folder: Path) -> bool:
    """Whether this is the environment that `make` created in a clone."""
    return Path(sys.prefix) == folder / ".venv" and (folder / "Makefile").exists()
