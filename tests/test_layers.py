"""Layers import only from layers before them, and the top ones do so lazily."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mineproof as mp

SOURCE = Path(mp.__file__).parent
LAYERS = [
    ["errors"],
    ["_engine"],
    ["world"],
    ["clues", "formats", "render"],
    ["reasoning"],
    ["agents"],
    ["games"],
    ["boards", "series", "testing"],
    ["studies"],
    ["cli"],
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        name = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        if name not in {"__init__", "__main__"}:
            yield name.removesuffix(".__init__"), ast.parse(path.read_text())


def imported(tree: ast.Module) -> Iterator[str]:
    """The top names of our own that a module imports, wherever in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            if node.module == "mineproof":
                yield from (alias.name for alias in node.names)
            elif (node.module or "").startswith("mineproof."):
                yield str(node.module).split(".")[1]


def test_every_module_has_its_layer() -> None:
    assert {name.split(".")[0] for name, _ in modules()} == set(RANK)


@pytest.mark.parametrize("name", [name for name, _ in modules()])
def test_a_module_imports_from_no_later_layer(name: str) -> None:
    tree = dict(modules())[name]
    rank = RANK[name.split(".", maxsplit=1)[0]]
    for other in imported(tree):
        if other not in {"_native", "__version__"}:
            assert RANK[other] <= rank, f"{name} imports {other}"


def test_no_agent_or_reasoner_can_reach_a_board_or_a_game() -> None:
    """They see views; of the game's module they use the name of an action.

    But for the posterior, whose draws are boards: possible ones, not the true one.
    """
    for name, tree in modules():
        if name.split(".")[0] not in {"agents", "reasoning"} or name == "reasoning.posterior":
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module in {
                "mineproof.world.board",
                "mineproof.world.game",
            }:
                assert [alias.name for alias in node.names] == ["Action"], name


def test_no_module_shares_its_name_with_a_public_function() -> None:
    names = {name.split(".")[0] for name, _ in modules()}
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
    assert not loaded & {"numpy", "rich", "mineproof.world.board", "mineproof.agents"}


def test_every_public_name_is_there() -> None:
    for name in mp.__all__:
        assert getattr(mp, name) is not None
    assert set(dir(mp)) == set(mp.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = mp.nonsense  # type: ignore[attr-defined]
