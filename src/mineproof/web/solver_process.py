"""A solver process of the server: reads one job per line and writes responses as lines.

The line `{"end": true}` ends each job. SIGINT ends only the running job. The process ends when
its server ends for any reason.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import Any, BinaryIO

from mineproof import interrupts
from mineproof.series.workers import end_with
from mineproof.web.jobs import carry_out
from mineproof.web.request_errors import as_error

_MEMORY = 4 << 30
"""The address space in bytes: a job that needs more fails without affecting the machine."""


class _Stop:
    """Converts SIGINT to KeyboardInterrupt, but never in the middle of a line or of an import."""

    def __init__(self) -> None:
        self._armed = self._came = False
        self._job = 0
        signal.signal(signal.SIGINT, self._signal)

    def _signal(self, _: int, frame: FrameType | None) -> None:
        self._came = True
        if self._armed and interrupts.is_importing(frame):
            job = self._job
            interrupts.soon(lambda: self._again(job))
        elif self._armed:
            self._armed = False
            raise KeyboardInterrupt

    def _again(self, job: int) -> None:
        """Repeat a signal that came during an import, unless its job has ended."""
        if self._armed and self._job == job:
            os.kill(os.getpid(), signal.SIGINT)

    def arm(self) -> None:
        """Let the signal stop the job from now on, even if it came just before."""
        self._armed = True
        if self._came:
            self._armed = False
            raise KeyboardInterrupt

    def disarm(self) -> None:
        """Protect what runs now from the signal."""
        self._armed = False

    def reset(self) -> None:
        """Ignore a signal that was meant for the job before."""
        self._armed = self._came = False
        self._job += 1


def main() -> None:
    """Run jobs until the input ends."""
    logging.basicConfig(level=logging.WARNING)
    _bound()
    end_with(os.getppid())
    stop, out = _Stop(), sys.stdout.buffer
    _write(out, {"end": True})  # it is ready
    for line in sys.stdin.buffer:
        stop.reset()
        job = json.loads(line)
        try:
            stop.arm()
            for answer in carry_out(job, sys.argv[1:]):
                stop.disarm()
                _write(out, {"answer": answer})
                stop.arm()
            stop.disarm()
        except BrokenPipeError:
            raise
        except (Exception, KeyboardInterrupt) as error:
            stop.disarm()
            _write(out, as_error(error))
        _write(out, {"end": True})


def _write(out: BinaryIO, answer: dict[str, Any]) -> None:
    out.write(json.dumps(answer, separators=(",", ":"), allow_nan=False).encode() + b"\n")
    out.flush()


def _bound() -> None:
    """Lower the priority and limit the memory of this process."""
    with suppress(ImportError, ValueError, OSError):
        os.nice(5)
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # the server has ended
        os._exit(0)
