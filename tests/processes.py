"""What the system tells of processes."""

from __future__ import annotations

import os
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def _fields(pid: int | str) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def children(pid: int) -> list[int]:
    """The processes that one started."""
    every = (path.name for path in Path("/proc").iterdir() if path.name.isdigit())
    return [int(one) for one in every if (found := _fields(one)) and int(found[1]) == pid]


def is_running(pid: int) -> bool:
    """Whether it is still there, and not only waited for."""
    found = _fields(pid)
    return bool(found) and found[0] not in "ZX"


def cpu_seconds(pid: int) -> float:
    """What a process has computed so far."""
    found = _fields(pid)
    return (int(found[11]) + int(found[12])) / _TICKS if found else 0.0


def session_cpu_seconds(session: int) -> dict[int, float]:
    """Of each process of a session that runs, with its children that ended."""
    found = {}
    for path in Path("/proc").glob("[0-9]*"):
        fields = _fields(path.name)
        if fields and int(fields[3]) == session and fields[0] not in "ZX":
            found[int(path.name)] = sum(map(int, fields[11:15])) / _TICKS
    return found


def resident_bytes(pid: int) -> int:
    """The memory that a process has."""
    found = _fields(pid)
    return int(found[21]) * os.sysconf("SC_PAGE_SIZE") if found else 0
