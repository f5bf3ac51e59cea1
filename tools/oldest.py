"""`python -m tools.oldest`: the oldest versions that pyproject.toml admits, one per line.

`make test-oldest` installs these and runs the tests with them, so that the lower bounds are tested.
Packages that only check or format the code are left out.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
TOOLS = frozenset({"clang-format", "mypy", "ruff", "schemathesis"})


def oldest() -> list[str]:
    """Each requirement pinned to its lower bound."""
    content = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    extras = content["project"]["optional-dependencies"]
    every = [
        *content["build-system"]["requires"],
        *content["project"]["dependencies"],
        *(one for extra in extras.values() for one in extra if not one.startswith("mineproof[")),
    ]
    pinned = dict.fromkeys(re.sub(r">=([^,]+).*", r"==\1", one) for one in every)
    return [one for one in pinned if one.partition("==")[0] not in TOOLS]


if __name__ == "__main__":
    print(*oldest(), sep="\n")
