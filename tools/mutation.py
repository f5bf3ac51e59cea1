"""Mutate the reasoners in small ways, and check that a test notices each mutant.

    python -m tools.mutation [MODULE ...] [--sample 20] [--seed 0] [--all]

Each mutant of a module in `mineproof/reasoning` has one change: an inverted comparison, a number
off by one, `and` instead of `or`, a deleted statement and so on. The tests below run on it in a
separate process until one fails. Mutants that survive without an explanation in `mutants.md` are
printed and make the exit code 1. By default a sample per module is tried, the same one for the
same seed; all mutants are a few thousand and take hours.
"""

from __future__ import annotations

import argparse
import ast
import importlib.abc
import importlib.util
import os
import random
import re
import resource
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import hypothesis  # noqa: F401  (what takes long to import is there before the forks)
import numpy as np  # noqa: F401
import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "mineproof" / "reasoning"
EXPLAINED = ROOT / "tools" / "mutants.md"

SECONDS = 180
"""What is slower by then hangs: most mutants end within seconds."""
MEMORY = 4 << 30

QUIET = ["-x", "-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
GAMES = ["tests/agents/test_agents.py", "-k", "golden and python"]
REASONERS = ["tests/reasoning/test_reasoners.py", "-k", "not thousands"]
EXAMPLES = ["tests/test_examples.py"]
KNOWING = ["tests/reasoning/test_knowledge.py"]
CLOSING = ["tests/reasoning/test_closure.py"]
IMPUTING = ["tests/agents/test_uncertainty.py", "-k", "imput"]
PAIRS = ["tests/reasoning/test_pairs.py"]
COUNTING = ["tests/reasoning/test_counting.py"]
POSTERIOR = ["tests/reasoning/test_posterior.py", "-k", "brute or name_the_clues or python"]
SHOWN = ["tests/games/test_playbyplay.py", "-k", "shows or shown or gauss or count_equation"]
INFLUENCE = ["tests/games/test_influence.py"]

TESTS: dict[str, list[list[str]]] = {
    "local": [KNOWING, EXAMPLES, PAIRS, REASONERS, GAMES],
    "pairs": [PAIRS, REASONERS, GAMES],
    "one_two": [["tests/reasoning/test_one_two.py"], PAIRS, EXAMPLES, GAMES],
    "subset": [["tests/reasoning/test_subset.py"], EXAMPLES, PAIRS, GAMES, REASONERS],
    "gauss": [EXAMPLES, SHOWN, GAMES, REASONERS],
    "closure": [CLOSING, EXAMPLES, SHOWN, PAIRS, GAMES],
    "once": [EXAMPLES, GAMES, COUNTING],
    "equations": [["tests/reasoning/test_subset.py"], KNOWING, PAIRS, EXAMPLES, GAMES, REASONERS],
    "knowledge": [KNOWING, CLOSING, IMPUTING, PAIRS, EXAMPLES, GAMES],
    "linear_programme": [EXAMPLES, GAMES, REASONERS],
    "patterns": [["tests/reasoning/test_patterns.py"]],
    "evidence": [COUNTING, POSTERIOR],
    "sweep": [COUNTING, POSTERIOR],
    "counting": [COUNTING, POSTERIOR],
    "contradiction": [COUNTING, POSTERIOR],
    "odds": [POSTERIOR, ["tests/agents/test_uncertainty.py", "-k", "odds"], GAMES],
    "premises": [INFLUENCE],
    "influence": [INFLUENCE],
}


# Possible changes.

COMPARISONS: dict[type[ast.cmpop], list[type[ast.cmpop]]] = {
    ast.Lt: [ast.LtE, ast.GtE],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
STATEMENTS = (ast.Expr, ast.AugAssign, ast.Continue, ast.Break, ast.Delete, ast.Raise)


class Mutant(NamedTuple):
    module: str
    line: int
    code: str
    """The original line, without its indentation."""
    change: str
    source: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.module, self.code, self.change


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """The possible replacements of a node, each with its description."""
    match node:
        case ast.Compare(ops=[op]):
            for other in COMPARISONS[type(op)]:
                new = ast.Compare(node.left, [other()], node.comparators)
                yield f"`{ast.unparse(node)}` to `{ast.unparse(new)}`", new
        case ast.BoolOp():
            op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            new = ast.BoolOp(op, node.values)
            yield f"`{ast.unparse(node)}` to `{ast.unparse(new)}`", new
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield f"`{ast.unparse(node)}` to `{ast.unparse(node.operand)}`", node.operand
        case ast.BinOp() | ast.AugAssign() if type(node.op) in ARITHMETIC:
            new = ast.parse(ast.unparse(node)).body[0]
            new = new.value if isinstance(new, ast.Expr) else new
            new.op = ARITHMETIC[type(node.op)]()  # type: ignore[attr-defined]
            yield f"`{ast.unparse(node)}` to `{ast.unparse(new)}`", new
        case ast.Constant(value=bool()):
            yield f"`{node.value}` to `{not node.value}`", ast.Constant(not node.value)
        case ast.Constant(value=int()):
            yield f"`{node.value}` to `{node.value + 1}`", ast.Constant(node.value + 1)
        case ast.Call(func=ast.Name(id=name)) if name in CALLS:
            new = ast.Call(ast.Name(CALLS[name], ast.Load()), node.args, node.keywords)
            yield f"`{name}` to `{CALLS[name]}`", new
    if isinstance(node, STATEMENTS) and not is_text(node):
        yield f"left out: `{ast.unparse(node)}`", ast.Pass()


def is_text(node: ast.AST) -> bool:
    """Whether this is a docstring, or the body of a function without one."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and (isinstance(node.value.value, str) or node.value.value is ...)
    )


def children(node: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    """The parts of a node that run, and where in the node they are."""
    for field, value in ast.iter_fields(node):
        if field in {"annotation", "returns", "decorator_list", "bases", "type_params"}:
            continue
        if isinstance(value, ast.AST):
            yield field, None, value
        elif isinstance(value, list):
            yield from ((field, i, one) for i, one in enumerate(value) if isinstance(one, ast.AST))


def mutants(module: str, source: str) -> Iterator[Mutant]:
    tree, lines = ast.parse(source), source.splitlines()

    def walk(parent: ast.AST) -> Iterator[Mutant]:
        for field, place, node in children(parent):
            for change, new in changes(node):
                exchange(parent, field, place, new)
                changed = ast.unparse(ast.fix_missing_locations(tree))
                exchange(parent, field, place, node)
                line = node.lineno  # type: ignore[attr-defined]
                yield Mutant(module, line, lines[line - 1].strip(), change, changed)
            if not isinstance(node, ast.JoinedStr):
                yield from walk(node)

    return walk(tree)


def exchange(parent: ast.AST, field: str, place: int | None, node: ast.AST) -> None:
    if place is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[place] = node


# Whether a test notices.


class Loader(importlib.abc.MetaPathFinder, importlib.abc.SourceLoader):
    """Loads the mutant when its module is imported."""

    def __init__(self, mutant: Mutant) -> None:
        self.name, self.source = f"mineproof.reasoning.{mutant.module}", mutant.source
        self.path = str(PACKAGE / f"{mutant.module}.py")

    def find_spec(self, fullname: str, path: object, target: object = None):  # type: ignore[no-untyped-def]
        if fullname != self.name:
            return None
        return importlib.util.spec_from_loader(fullname, self, origin=self.path)

    def get_filename(self, fullname: str) -> str:
        return self.path

    def get_data(self, path: str) -> bytes:
        return self.source.encode()


def is_noticed(mutant: Mutant) -> bool:
    """Run the tests on a mutant, in a child of this process that has not imported the package."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return status != 0
    os.setpgid(0, 0)
    signal.alarm(SECONDS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    sys.meta_path.insert(0, Loader(mutant))
    code = 0
    for some in TESTS[mutant.module]:
        code = code or int(pytest.main([*some, *QUIET]))
    os._exit(min(code, 1))


# Explained mutants, and the output.


def explained() -> set[tuple[str, str, str]]:
    """The rows of mutants.md: module, line, change, and why no test can notice."""
    rows = re.findall(
        r"^\| ([\w.]+) \| ``(.*?)`` \| (.*?) \| (.+?) \|$", EXPLAINED.read_text(), re.M
    )
    return {(module, code, change.replace("\\|", "|")) for module, code, change, _ in rows}


def log_stale(module: str, found: Sequence[Mutant]) -> None:
    """Name rows of mutants.md whose line no longer exists."""
    there = {mutant.key for mutant in found}
    for row in sorted(explained()):
        if row[0] == module and row not in there:
            print(f"mutants.md explains what is not there: {row}", flush=True)


def chosen(module: str, sample: int | None, seed: int) -> list[Mutant]:
    found = list(mutants(module, (PACKAGE / f"{module}.py").read_text()))
    log_stale(module, found)
    if sample is not None and sample < len(found):
        found = random.Random(f"{seed} {module}").sample(found, sample)
    return sorted(found, key=lambda mutant: mutant.line)


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.mutation")
    parser.add_argument("modules", nargs="*", metavar="MODULE", choices=[*TESTS, []])
    parser.add_argument("--sample", type=int, default=20, help="mutants per module (20)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--all", action="store_true", help="try all mutants")
    asked = parser.parse_args(words)
    known, begin, tried, left = explained(), time.monotonic(), 0, 0
    for module in asked.modules or TESTS:
        some = chosen(module, None if asked.all else asked.sample, asked.seed)
        source = (PACKAGE / f"{module}.py").read_text()
        if is_noticed(Mutant(module, 0, "", "", source)):
            sys.exit(f"{module}: its tests fail as it is, so they can tell nothing")
        survivors = [m for m in some if m.key not in known and not is_noticed(m)]
        tried, left = tried + len(some), left + len(survivors)
        print(f"{module}: {len(survivors)} of {len(some)} survive unexplained", flush=True)
        for one in survivors:
            print(f"  {one.module}.py:{one.line} {one.change}\n    {one.code}", flush=True)
    print(f"{tried} mutants in {time.monotonic() - begin:.0f} s, {left} survive unexplained")
    return int(left > 0)


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main(sys.argv[1:]))
