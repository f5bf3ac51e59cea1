"""The manifest of a study's folder: what was run, how, and the checksum of every file."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from mineproof import __version__, _engine, agents
from mineproof.errors import FormatError, shorten
from mineproof.extras import need
from mineproof.formats.labelled_json import read_labelled
from mineproof.formats.reading import as_text
from mineproof.series.workers import cores
from mineproof.studies.reading import TEXTS
from mineproof.studies.regular import read_regular
from mineproof.studies.spec import Study

FORMAT = "mineproof-study-2"
MANIFEST = "manifest.json"
_WORDS = frozenset({*TEXTS, "findings", "plot", "quick_games"})
"""The keys of a study that may change after a run, because they do not affect results."""
_KINDS: dict[str, Any] = {
    "name": str,
    "spec": dict,
    "versions": dict,
    "engine": str,
    "plan": int,
    "machine": dict,
    "command": (str, type(None)),
    "started": str,
    "seconds": (int, float),
    "finished": bool,
    "fingerprint": str,
    "checksums": dict,
}


def new_manifest(study: Study, plan: int, command: str | None) -> dict[str, Any]:
    """Return the manifest of a new run."""
    found = {
        "format": FORMAT,
        "name": study.name,
        "spec": study.to_json(),
        "versions": {
            "mineproof": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "duckdb": need("duckdb", "studies").__version__,
        },
        "engine": _engine.name(),
        "agents": _own_agents(study),
        "plan": plan,
        "machine": {"platform": platform.platform(), "cores": cores()},
        "command": command,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": 0.0,
        "finished": False,
        "checksums": {},
    }
    return found | {"fingerprint": _fingerprint(found)}


def _own_agents(study: Study) -> dict[str, str]:
    """The checksums of the files of the user's own agents."""
    texts = dict.fromkeys(point.agent for point in study.points())
    found = {text: getattr(agents.get(text), "checksum", None) for text in texts}
    return {text: checksum for text, checksum in found.items() if checksum is not None}


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read and check the manifest of a folder."""
    path = folder / MANIFEST
    if not path.exists():
        raise FormatError(f"no study in {str(folder)!r}: it has no {MANIFEST}")
    try:
        text = as_text(read_regular(path), str(path))
        found = read_labelled(text, FORMAT, "the manifest of a study")
        _check(found)
    except FormatError as error:
        raise FormatError(f"{str(path)!r} is damaged: {error}") from None
    return found


def _check(found: dict[str, Any]) -> None:
    """Check that every required key is there and has the right type."""
    for key, kind in _KINDS.items():
        if key not in found:
            raise FormatError(f"{key!r} is missing")
        if not isinstance(found[key], kind):
            raise FormatError(f"{key!r} cannot be {shorten(repr(found[key]))}")
    if not (isfinite(found["seconds"]) and found["seconds"] >= 0):
        raise FormatError(f"'seconds' cannot be {found['seconds']}")
    for key in ("versions", "checksums"):
        for name, value in found[key].items():
            if not isinstance(value, str):
                raise FormatError(f"{key!r} has {shorten(repr(value))} for {shorten(name)!r}")
    if "mineproof" not in found["versions"]:
        raise FormatError("'versions' has no 'mineproof'")
    try:
        if found["fingerprint"] != _fingerprint(found):
            raise FormatError("its fingerprint does not match its content")
    except RecursionError:
        raise FormatError("it is nested too deeply") from None


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Describe the differences that can make the results of two runs differ."""
    return list(_differences(_essence(old), _essence(new)))


def _fingerprint(manifest: Mapping[str, Any]) -> str:
    text = json.dumps(_essence(manifest), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _essence(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a manifest that determines the results."""
    spec = {key: value for key, value in manifest["spec"].items() if key not in _WORDS}
    own = manifest.get("agents")
    return {
        "name": manifest["name"],
        "version": manifest["versions"]["mineproof"],
        "engine": manifest["engine"],
        **spec,
        **({"file of the agent": own} if own else {}),
        "plan": manifest["plan"],
    }


def _differences(old: Any, new: Any, where: str = "") -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            yield from _differences(old.get(key), new.get(key), f"{where} {key}".strip())
    elif (
        isinstance(old, list)
        and isinstance(new, list)
        and len(old) == len(new)
        and all(isinstance(one, dict) for one in (*old, *new))
    ):
        for number, (one, other) in enumerate(zip(old, new, strict=True), 1):
            yield from _differences(one, other, f"{where} {number}")
    elif old != new:
        yield f"{where} was {json.dumps(old)} and is now {json.dumps(new)}"
