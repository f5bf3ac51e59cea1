"""Mutate the kernel in small ways, and check that a test notices each mutant.

    python -m tools.native_mutation [FILE ...] [--sample 6] [--seed 0] [--all]

As `tools.mutation` does for the reasoners, it changes an operator, a number or a statement in one
line of `native/src`, builds everything in `build/mutation`, and runs the C++ tests and then some of
the Python tests. Changes that do not compile, even because of a warning, are not counted.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.mutation import QUIET, ROOT, Mutant, explained, log_stale

SOURCES = ROOT / "native" / "src"
BUILD = ROOT / "build" / "mutation"
COPY = BUILD / "source"
SECONDS = 240

ENDGAMES = "tests/agents/test_champion.py::test_the_endgame_is_the_true_optimum"
PYTHON_TESTS = [
    ["tests/agents/test_compiled.py"],
    ["tests/boards/test_optimum.py"],
    ["tests/reasoning/test_posterior.py", "-k", "brute or frequencies or expert or taken_over"],
    [f"{ENDGAMES}[{first}]" for first in (0, 25, 50)],
]

CHANGES = [
    (r" < ", " <= "),
    (r" <= ", " < "),
    (r" > ", " >= "),
    (r" >= ", " > "),
    (r" == ", " != "),
    (r" != ", " == "),
    (r" && ", " || "),
    (r" \|\| ", " && "),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r" \* ", " + "),
    (r" \+= ", " -= "),
    (r" -= ", " += "),
    (r" \|= ", " &= "),
    (r"\+\+(?=\w)", "--"),
    (r"\b0\b(?![.x'])", "1"),
    (r"\b1\b(?![.x'])", "2"),
    (r"\bstd::min\b", "std::max"),
    (r"\bstd::max\b", "std::min"),
    (r"\btrue\b", "false"),
    (r"\bfalse\b", "true"),
    (r"(?<=[(& |])!(?=[\w(])", ""),
]
STATEMENT = re.compile(
    r"(?:continue|break|return|[\w.>\[\]-]+(?:\(.*\)| [-+*|&]?= .*|\+\+)|\+\+.*);"
)
"""A whole line that can be left out and still compile, often enough."""


def mutants(name: str, source: str) -> Iterator[Mutant]:
    lines = source.splitlines(keepends=True)
    for number, line in enumerate(lines):
        code = line.split("//")[0]
        if code.lstrip().startswith(("#", "namespace", "using", "struct", "class")) or '"' in code:
            continue

        def made(change: str, text: str, number: int = number, line: str = line) -> Mutant:
            changed = "".join([*lines[:number], text, *lines[number + 1 :]])
            return Mutant(f"{name}.cpp", number + 1, line.strip(), change, changed)

        for pattern, new in CHANGES:
            for found in re.finditer(pattern, code):
                text = line[: found.start()] + new + line[found.end() :]
                yield made(f"`{found[0].strip()}` to `{new.strip()}` at {found.start()}", text)
        if STATEMENT.fullmatch(code.strip()):
            yield made("left out", "\n")


def run(*words: str | Path, **more: str) -> bool:
    """Whether a program succeeds within the time limit."""
    try:
        done = subprocess.run(
            words,
            cwd=ROOT,
            env=os.environ | more,
            timeout=SECONDS,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def set_up() -> None:
    """A copy of the sources with everything that mutants link to, built once."""
    shutil.rmtree(COPY, ignore_errors=True)
    COPY.mkdir(parents=True)
    shutil.copy2(ROOT / "CMakeLists.txt", COPY)  # keeps timestamps: unchanged files are not rebuilt
    shutil.copytree(ROOT / "native", COPY / "native")
    nanobind = subprocess.run(
        [sys.executable, "-m", "nanobind", "--cmake_dir"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    configured = run(
        "cmake", "-S", COPY, "-B", BUILD, "-DMINEPROOF_TESTS=ON", "-DSKBUILD=ON",
        "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O1",
        f"-Dnanobind_DIR={nanobind}", f"-DPython_EXECUTABLE={sys.executable}",
    )  # fmt: skip
    if not (configured and build() and not is_noticed()):
        sys.exit("the tests do not build, or fail as it is, so they can tell nothing")


def build() -> bool:
    return subprocess.run(
        ["cmake", "--build", BUILD], capture_output=True, check=False
    ).returncode == 0  # fmt: skip


def is_noticed() -> bool:
    """Whether a test fails on the build."""
    if not run("ctest", "--test-dir", BUILD, "--stop-on-failure", "--timeout", "120"):
        return True
    (native,) = BUILD.glob("_native*")
    python = [sys.executable, "-m", "tools.native_mutation", "--test", native]
    return not all(run(*python, *some) for some in PYTHON_TESTS)


def test(native: str, words: Sequence[str]) -> int:
    """Run Python tests on this compiled engine instead of the installed one."""
    import importlib.abc
    import importlib.util

    import pytest

    class Finder(importlib.abc.MetaPathFinder):
        def find_spec(self, fullname: str, path: object, target: object = None):  # type: ignore[no-untyped-def]
            if fullname != "mineproof._native":
                return None
            return importlib.util.spec_from_file_location(fullname, native)

    sys.meta_path.insert(0, Finder())
    return int(pytest.main([*words, *QUIET]))


def tried(
    name: str, sample: int | None, seed: int, known: set[tuple[str, str, str]]
) -> Iterator[tuple[Mutant, bool]]:
    """Yield the mutants of a file that compile, and whether a test notices each."""
    source = (SOURCES / f"{name}.cpp").read_text()
    target = COPY / "native" / "src" / f"{name}.cpp"
    there = list(mutants(name, source))
    log_stale(f"{name}.cpp", there)
    some = [mutant for mutant in there if mutant.key not in known]
    random.Random(f"{seed} {name}").shuffle(some)
    number = 0
    for mutant in some:
        if number == sample:
            break
        target.write_text(mutant.source)
        if build():
            number += 1
            yield mutant, is_noticed()
    target.write_text(source)


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.native_mutation")
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="names in native/src, without .cpp"
    )
    parser.add_argument("--sample", type=int, default=6, help="mutants per file (6)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--all", action="store_true", help="try all mutants")
    asked = parser.parse_args(words)
    set_up()
    known, begin, number, left = explained(), time.monotonic(), 0, 0
    for name in asked.files or sorted(path.stem for path in SOURCES.glob("*.cpp")):
        for mutant, noticed in tried(name, None if asked.all else asked.sample, asked.seed, known):
            number, left = number + 1, left + (not noticed)
            if not noticed:
                print(f"{name}.cpp:{mutant.line} {mutant.change}\n    {mutant.code}", flush=True)
        print(f"{name}: done after {time.monotonic() - begin:.0f} s", flush=True)
    print(f"{number} mutants in {time.monotonic() - begin:.0f} s, {left} survive unexplained")
    return int(left > 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--test"]:
        sys.exit(test(sys.argv[2], sys.argv[3:]))
    sys.exit(main(sys.argv[1:]))
