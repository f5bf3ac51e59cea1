"""Layers import only from lower layers, and there are no import cycles."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import mineproof as mp

SOURCE = Path(mp.__file__).parent
LAYERS = [
    ["printable", "interrupts", "phrases", "deprecated"],
    ["errors"],
    ["arguments"],
    ["extras"],
    ["_engine"],
    ["world"],
    ["clues", "messages"],
    ["formats", "render"],
    ["screenshots"],
    ["positions"],
    ["reasoning"],
    ["agents"],
    ["games"],
    ["series", "testing"],
    ["boards"],
    ["protocol", "studies", "gym"],
    ["reports"],
    ["web"],
    ["cli"],
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}


@cache
def modules() -> dict[str, ast.Module]:
    """Every module by name, without `mineproof.`; a package by the name of its folder."""
    trees = {}
    for path in sorted(SOURCE.rglob("*.py")):
        name = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        if name not in {"__init__", "__main__"}:
            trees[name.removesuffix(".__init__")] = ast.parse(path.read_text())
    return trees


def imported(name: str) -> set[str]:
    """The modules that a module imports: at the top, inside functions, and for types alike."""
    found = set()
    for node in ast.walk(modules()[name]):
        if isinstance(node, ast.Import):
            assert not any(alias.name.startswith("mineproof") for alias in node.names), name
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            package, _, module = (node.module or "").partition(".")
            if package == "mineproof":
                inner = (f"{module}.{alias.name}".strip(".") for alias in node.names)
                found |= {one if one in modules() else module for one in inner}
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "import_module":
            found |= set(named(ast.unparse(node.args[0])))
    return found - {"", "_native"}  # the version and the compiled engine


def named(code: str) -> Iterator[str]:
    """The modules of ours that a string in the code may name: one, or all of a folder."""
    _, ours, rest = code.strip("f'").partition("mineproof.")
    place, brace, _ = rest.partition("{")
    for name in modules() if ours else ():
        if name == rest or (brace and name.rpartition(".")[0] == place.strip(".")):
            yield name


def folder(name: str) -> str:
    return name.split(".", maxsplit=1)[0]


def test_every_module_has_a_layer() -> None:
    assert {folder(name) for name in modules()} == set(RANK)


@pytest.mark.parametrize("name", modules())
def test_a_module_imports_only_from_lower_layers(name: str) -> None:
    for other in imported(name):
        here, there = folder(name), folder(other)
        assert here == there or RANK[there] < RANK[here], f"{name} imports {other}"


def test_there_are_no_import_cycles() -> None:
    graph = {name: imported(name) for name in modules()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a cycle: {' <- '.join(error.args[1])}")


@pytest.mark.parametrize("name", modules())
def test_private_modules_are_imported_only_in_their_folder(name: str) -> None:
    for other in imported(name):
        home, _, own = other.rpartition(".")
        if home and own.startswith("_"):
            assert name.startswith(home), f"{name} imports {other}"


def test_no_agent_or_reasoner_can_reach_a_board_or_a_game() -> None:
    """They see views.

    The posterior is an exception: it draws possible boards, not the true one.
    """
    for name in modules():
        if folder(name) in {"agents", "reasoning"} and name != "reasoning.posterior":
            assert not imported(name) & {"world.board", "world.game"}, name


def test_request_handlers_load_no_code() -> None:
    """`agents.get` and `as_agent` load modules and start programs: for trusted names only.

    Code that handles requests from elsewhere uses `agents.table.get`.
    """
    for name, tree in modules().items():
        if folder(name) != "web":
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                home, given = node.module, {alias.name for alias in node.names}
                loads = home in {"mineproof.agents", "mineproof.agents.registry"}
                assert not (loads and given & {"get", "as_agent"}), f"{name} may load code"


def test_no_module_has_the_name_of_a_public_function() -> None:
    names = {folder(name) for name in modules()}
    functions = {name for name in mp.__all__ if callable(getattr(mp, name)) and name.islower()}
    assert not names & (functions | {"engine", "play", "arena", "generate", "posterior", "explain"})


def loaded_by(code: str) -> set[str]:
    command = f"import sys; {code}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_importing_the_package_does_no_work() -> None:
    ours = {name for name in loaded_by("import mineproof") if name.startswith("mineproof")}
    assert ours == {"mineproof"}


def test_help_imports_nothing_heavy() -> None:
    loaded = loaded_by("from mineproof.cli import main; main(['--help'])")
    assert not loaded & {"numpy", "rich", "msgspec", "mineproof.world.board", "mineproof.agents"}


def test_every_public_name_exists() -> None:
    for name in mp.__all__:
        assert getattr(mp, name) is not None
    assert set(dir(mp)) == set(mp.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = mp.nonsense  # type: ignore[attr-defined]
