"""A limit on repeated log lines, so that clients cannot flood the log."""

from __future__ import annotations

import logging
from time import monotonic

_EVERY = 10.0
"""Seconds between two similar lines."""
_KINDS = 1_000
_LOGGERS = (
    "asyncio",
    "uvicorn.error",
    "mineproof.protocol.error_responses",
    "mineproof.web.request_errors",
)


class RepeatFilter(logging.Filter):
    """Passes the first line of a kind, then one per ten seconds with the number of omitted ones."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: dict[tuple[str, str, object], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to write a line."""
        fault = record.exc_info[0] if record.exc_info else None
        kind = record.name, str(record.msg)[:200], fault
        since, left_out = self._seen.get(kind, (float("-inf"), 0))
        if monotonic() - since < _EVERY:
            self._seen[kind] = since, left_out + 1
            return False
        if len(self._seen) >= _KINDS:
            self._seen.clear()
        self._seen[kind] = monotonic(), 0
        if left_out:
            record.msg = f"{record.msg} ({left_out} similar messages omitted)"
        return True


def spare() -> None:
    """Limit repeated log lines in this process."""
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(one, RepeatFilter) for one in logger.filters):
            logger.addFilter(RepeatFilter())
