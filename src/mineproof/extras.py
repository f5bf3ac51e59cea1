"""Packages that only some need: imported when they are used, and how to get them if not there."""

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
    """The module; where it is missing, an error with a command that installs it here."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != module.split(".", maxsplit=1)[0]:
            raise
        raise MineproofError(
            f"this needs {module}, which is not installed: {how_to_install(extra)}"
        ) from None


def how_to_install(extra: str) -> str:
    """The command that adds an extra to the environment that runs this.

    No index has the package: what it was installed from is named, as pip has written it down.
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
    """What `make` has to know of a folder, unless that is where it is run."""
    with suppress(FileNotFoundError):  # where we run may be deleted
        if folder == Path.cwd():
            return ""
    return f"-C {shlex.quote(str(folder))} "


def _origin() -> dict[str, Any]:
    """What pip says it installed us from; empty if from an index, or by other means."""
    try:
        text = metadata.distribution("mineproof").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return {}
    return dict(json.loads(text)) if text else {}


def _folder(origin: dict[str, Any]) -> Path | None:
    """The sources, if they are still there."""
    parts = urlsplit(origin.get("url", ""))
    folder = Path(unquote(parts.path))
    is_there = parts.scheme == "file" and (folder / "pyproject.toml").exists()
    return folder if is_there else None


def _is_made_there(folder: Path) -> bool:
    """Whether this environment is the one that `make` keeps in a clone."""
    return Path(sys.prefix) == folder / ".venv" and (folder / "Makefile").exists()
