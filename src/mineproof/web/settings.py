"""How a server was started; each of its processes reads the same."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from mineproof.web import limits
from mineproof.web.database import read_place

_NAME = "MINEPROOF_SERVE"
"""The variable that carries the settings to the processes of one server."""


@dataclass(frozen=True)
class Settings:
    """What the options of `mineproof serve` say."""

    host: str = "127.0.0.1"
    port: int = 8010
    store: Path | str | None = None
    """Where games are kept: a path, or the address of a server; None for nowhere."""
    workers: int = 1
    names: tuple[str, ...] = ()
    """What the server is called besides its address."""

    studies: Path | None = None
    """Where studies were run."""
    engines: int = 2
    """Processes that think, for each that answers."""
    agents: tuple[str, ...] = ("exact",)
    """Who plays where none is named; the others of the owner's own can be chosen, too."""
    seconds: float = limits.SECONDS
    """That an engine may think about one request."""

    @property
    def is_local(self) -> bool:
        """Whether only this computer, and so one player, can reach it."""
        return self.host in {"127.0.0.1", "::1", "localhost"}

    @property
    def has_many_players(self) -> bool:
        """Whether games belong to the browser that began them."""
        return not self.is_local or bool(self.names)

    def to_environment(self) -> None:
        """Leave them to the processes that this one starts."""
        os.environ[_NAME] = json.dumps(asdict(self), default=str)

    @classmethod
    def from_environment(cls) -> Settings:
        """Those of the process that started this one."""
        data = json.loads(os.environ[_NAME])
        store = data["store"] and read_place(data["store"])
        studies = data["studies"] and Path(data["studies"])
        lists = {name: tuple(data[name]) for name in ("names", "agents")}
        return cls(**data | lists | {"store": store, "studies": studies})
