"""Write, read and compare the manifests of studies' folders."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mineproof import __version__, _engine, agents
from mineproof.errors import FormatError
from mineproof.extras import need
from mineproof.formats.input_files import as_text
from mineproof.formats.labelled_json import decode_labelled
from mineproof.messages.study_files import Manifest
from mineproof.series.workers import cores
from mineproof.studies.atomic_files import read
from mineproof.studies.spec import Study

MANIFEST = "manifest.json"
_WORDS = frozenset({"title", "question", "source", "about", "findings", "plot", "quick_games"})
"""The keys of a study that may change after a run, because they do not affect results."""
_OWN_FILE = "file of the agent"


def new_manifest(study: Study, plan: int, command: str | None) -> Manifest:
    """Return the manifest of a new run."""
    found = Manifest(
        name=study.name,
        spec=study.to_json(),
        versions={
            "mineproof": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "duckdb": need("duckdb", "studies").__version__,
        },
        engine=_engine.name(),
        agents=_own_agents(study),
        plan=plan,
        machine={"platform": platform.platform(), "cores": cores()},
        command=command,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=0.0,
        finished=False,
        fingerprint="",
    )
    found.fingerprint = _fingerprint(found)
    return found


def _own_agents(study: Study) -> dict[str, str]:
    """The checksums of the files of the user's own agents."""
    texts = dict.fromkeys(point.agent for point in study.points())
    found = {text: getattr(agents.get(text), "checksum", None) for text in texts}
    return {text: checksum for text, checksum in found.items() if checksum is not None}


def read_manifest(folder: Path) -> Manifest:
    """Read and check the manifest of a folder."""
    path = folder / MANIFEST
    if not path.exists():
        raise FormatError(f"no study in {str(folder)!r}: it has no {MANIFEST}")
    try:
        text = as_text(read(path), str(path))
        found = decode_labelled(Manifest, text, "the manifest of a study")
        if found.fingerprint != _fingerprint(found):
            raise FormatError("its fingerprint does not match its content")
    except FormatError as error:
        raise FormatError(f"{str(path)!r} is damaged: {error}") from None
    except RecursionError:
        raise FormatError(f"{str(path)!r} is damaged: it is nested too deeply") from None
    return found


def to_text(manifest: Manifest) -> str:
    """Return the text of a manifest's file."""
    return json.dumps(msgspec.to_builtins(manifest), indent=2) + "\n"


def differences(old: Manifest, new: Manifest) -> list[str]:
    """Describe the differences that can make the results of two runs differ."""
    return list(_differences(_essence(old), _essence(new)))


def _fingerprint(manifest: Manifest) -> str:
    text = json.dumps(_essence(manifest), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _essence(manifest: Manifest) -> dict[str, Any]:
    """The part of a manifest that determines the results."""
    spec = {key: value for key, value in manifest.spec.items() if key not in _WORDS}
    return {
        "name": manifest.name,
        "version": manifest.versions["mineproof"],
        "engine": manifest.engine,
        **spec,
        **({_OWN_FILE: manifest.agents} if manifest.agents else {}),
        "plan": manifest.plan,
    }


def _differences(old: Any, new: Any, where: str = "") -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            inner = f"{where} {key}" if where == _OWN_FILE else f"{where}.{key}".lstrip(".")
            yield from _differences(old.get(key), new.get(key), inner)
    elif (
        isinstance(old, list)
        and isinstance(new, list)
        and len(old) == len(new)
        and all(isinstance(one, dict) for one in (*old, *new))
    ):
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _differences(one, other, f"{where}[{number}]")
    elif old != new:
        yield f"{where} was {json.dumps(old)} and is now {json.dumps(new)}"
