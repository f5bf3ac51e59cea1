"""What the operating system reports about processes."""

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
    """The child processes of a process."""
    every = (path.name for path in Path("/proc").iterdir() if path.name.isdigit())
    return [int(one) for one in every if (found := _fields(one)) and int(found[1]) == pid]


def is_running(pid: int) -> bool:
    """Whether a process is still running (and is not a zombie)."""
    found = _fields(pid)
    return bool(found) and found[0] not in "ZX"


def cpu_seconds(pid: int) -> float:
    """The CPU time of a process so far."""
    found = _fields(pid)
    return (int(found[11]) + int(found[12])) / _TICKS if found else 0.0


def session_cpu_seconds(session: int) -> dict[int, float]:
    """The CPU time of each running process of a session, including its children that ended."""
    found = {}
    for path in Path("/proc").glob("[0-9]*"):
        fields = _fields(path.name)
        if fields and int(fields[3]) == session and fields[0] not in "ZX":
            found[int(path.name)] = sum(map(int, fields[11:15])) / _TICKS
    return found


def resident_bytes(pid: int) -> int:
    """The resident memory of a process."""
    found = _fields(pid)
    return int(found[21]) * os.sysconf("SC_PAGE_SIZE") if found else 0
