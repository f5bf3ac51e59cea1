"""`python -m tools.suite`: run the whole suite on all cores, as `make test` does.

The Python tests show their progress. The C++ tests and the browser tests run at the same time, each
in separate processes: a browser is driven from an event loop that other tests do not tolerate. The
output of those two is saved in `build` and shown at the end if they fail. `--all` includes the
tests marked `slow`.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from time import monotonic

ROOT = Path(__file__).parents[1]
CPU_MINUTES = 13
"""What the tests compute altogether (12 on a machine of 2026), and what is lost to waiting."""
LONGEST = 3
"""Minutes that some parts take whatever the number of cores: they mostly wait."""
PATIENCE = 20.0
"""Seconds in which a part that was interrupted puts its things away."""
WORDS = ("failed", "passed", "skipped", "xfailed", "xpassed", "warning", "error")
"""What pytest counts, in its order."""
SUMMARY = re.compile(r"(?:\d+ [a-z]+, )*\d+ [a-z]+ in \d+\.\d+s(?: \([\d:]+\))?")


class Part:
    """One command of the suite, in its own process group, with its output."""

    def __init__(self, name: str, command: Sequence[str], *, shown: bool = False) -> None:
        self.name, self.command, self.shown = name, command, shown
        self.log = ROOT / "build" / f"test-{name}.log"
        self.seconds = 0.0

    def start(self) -> None:
        """Start it. Ctrl-C reaches only this program, which passes it on."""
        self.log.write_bytes(b"")
        self._begun = monotonic()
        self.process = subprocess.Popen(
            self.command,
            cwd=ROOT,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def fileno(self) -> int:
        """The file descriptor of its output, for `select`."""
        assert self.process.stdout
        return self.process.stdout.fileno()

    def take(self) -> bool:
        """Save the output so far; return whether that was all."""
        over = self.process.poll() is not None
        # A process that it left behind may keep the other end of the pipe open.
        found = os.read(self.fileno(), 2**16) if select.select([self], [], [], 0)[0] else b""
        with self.log.open("ab") as kept:
            kept.write(found)
        if self.shown:
            sys.stdout.buffer.write(found)
            sys.stdout.flush()
        self.seconds = monotonic() - self._begun
        if over and not found and self.process.stdout:
            self.process.stdout.close()
        return over and not found

    def send(self, number: signal.Signals) -> None:
        """Send a signal to it and all its descendants."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    @property
    def failed(self) -> bool:
        """Whether it failed."""
        return self.process.returncode != 0

    @property
    def result(self) -> str:
        """Its line of summary."""
        text = re.sub(r"\x1b\[[\d;]*m", "", self.log.read_text(errors="replace"))
        showing = SUMMARY.findall(text) or re.findall(r".*(?:tests passed|left out).*", text)
        return showing[-1] if showing else "nothing to sum up"


def _environment() -> dict[str, str]:
    """The environment of the parts: without the variables of `make`, and with cores for the others.

    Bytecode is always written, because the tests start Python a thousand times.
    """
    left_out = ("MAKE", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    return {"CMAKE_BUILD_PARALLEL_LEVEL": str(max(1, _cores() // 2))} | kept


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def parts(*, slow: bool) -> list[list[Part]]:
    """The lists run in parallel; the parts of each list run one after the other."""
    colour = "yes" if sys.stdout.isatty() and "NO_COLOR" not in os.environ else "no"
    pytest = [sys.executable, "-m", "pytest", f"--color={colour}"]
    pytest += [] if slow else ["-m", "not slow"]
    workers = str(_cores() + 1)  # tests sometimes wait, for servers and for processes to end
    many = ["-n", workers, "--dist", "worksteal", "--ignore", "tests/web/browser"]
    python = Part("Python", [*pytest, *many], shown=True)
    native = Part("C++", ["make", "--no-print-directory", "native-test"])
    browser = Part("browser", [*pytest, "tests/web/browser"])
    return [[python], [native, browser]] if _cores() <= 2 else [[python], [native], [browser]]


def run(lanes: list[list[Part]]) -> None:
    """Run all parts; Ctrl-C ends them."""
    running: dict[Part, list[Part]] = {}
    try:
        for first, *rest in lanes:
            first.start()
            running[first] = rest
        while running:
            for part in _finished(running):
                if rest := running.pop(part):
                    rest[0].start()
                    running[rest[0]] = rest[1:]
                if part.shown and running:
                    print(f"waiting for {' and '.join(left.name for left in running)}", flush=True)
    except KeyboardInterrupt:
        print("\nstopping all parts (Ctrl-C again kills them)", flush=True)
        for part in running:
            part.send(signal.SIGINT)
        until = monotonic() + PATIENCE
        while running and monotonic() < until:
            for part in _finished(running):
                del running[part]
        raise
    finally:
        for part in running:
            part.send(signal.SIGKILL)


def _finished(running: Iterable[Part]) -> list[Part]:
    """Show and save their output; return those that have ended."""
    select.select(list(running), [], [], 0.2)
    return [part for part in running if part.take()]


def forecast(*, slow: bool) -> str:
    """How long it will take: as long as last time, otherwise estimated by the number of cores."""
    what = "the whole suite" + " with its slow tests" * slow
    minutes = None if slow else max(LONGEST, math.ceil(CPU_MINUTES / _cores()))
    with suppress(OSError, ValueError):
        minutes = math.ceil(float(_took(slow=slow).read_text()) / 60)
    time = "an hour or more" if minutes is None else f"about {minutes} min"
    return f"{what}: {time} on {_cores()} cores"


def _took(*, slow: bool) -> Path:
    """The file with the duration of the last successful run."""
    return ROOT / "build" / ("test-all-seconds" if slow else "test-seconds")


def clock(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))


def total(results: Sequence[str], seconds: float) -> str:
    """One line for all results, in pytest's format."""
    said = " ".join(results)
    found = {word: sum(map(int, re.findall(rf"(\d+) {word}", said))) for word in WORDS}
    counts = ", ".join(f"{number} {word}" for word, number in found.items() if number)
    return f"{counts or 'no tests ran'} in {seconds:.2f}s ({clock(seconds)})"


def report(every: Sequence[Part], seconds: float) -> bool:
    """Show failures, then one line per part and one for all; return whether all passed."""
    for part in every:
        if part.failed and not part.shown:
            print(f"\n== {part.name} ==\n{part.log.read_text(errors='replace')}")
    print()
    for part in every:
        state = "FAILED, " if part.failed else ""
        print(f"{part.name + ':':9}{state}{part.result} [{clock(part.seconds)}]")
    print(total([part.result for part in every if SUMMARY.match(part.result)], seconds))
    return not any(part.failed for part in every)


def main(arguments: Sequence[str]) -> int:
    """Run as `make test` and `make test-all` do."""
    reader = argparse.ArgumentParser(prog="python -m tools.suite", description=__doc__)
    reader.add_argument("--all", action="store_true", help="include the tests marked `slow`")
    slow: bool = reader.parse_args(arguments).all
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    (ROOT / "build").mkdir(exist_ok=True)
    print(forecast(slow=slow))
    print("The C++ tests and the tests in a browser run at the same time: results at the end.")
    print("Python tests:", flush=True)
    lanes, begun = parts(slow=slow), monotonic()
    try:
        run(lanes)
    except KeyboardInterrupt:
        return 130
    seconds = monotonic() - begun
    if not report([part for lane in lanes for part in lane], seconds):
        return 1
    _took(slow=slow).write_text(f"{seconds:.0f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
