"""The settings of a server, shared by all its processes."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from mineproof.web import limits
from mineproof.web.database import read_place

_NAME = "MINEPROOF_SERVE"
"""The environment variable with the settings for the processes of a server."""


@dataclass(frozen=True)
class Settings:
    """The options of `mineproof serve`."""

    host: str = "127.0.0.1"
    port: int = 8010
    store: Path | str | None = None
    """The store of games: a path or the address of a database server; None for memory only."""
    workers: int = 1
    names: tuple[str, ...] = ()
    """Additional names of the server."""

    studies: Path | None = None
    """The folder with studies."""
    engines: int = 2
    """Engine processes per worker process."""
    agents: tuple[str, ...] = ("exact",)
    """The default agent, followed by further agents of the user that clients may choose."""
    seconds: float = limits.SECONDS
    """The time limit per request in seconds."""

    @property
    def is_local(self) -> bool:
        """Whether only this computer, and so a single player, can reach the server."""
        return self.host in {"127.0.0.1", "::1", "localhost"}

    @property
    def has_many_players(self) -> bool:
        """Whether games belong to the browser that started them."""
        return not self.is_local or bool(self.names)

    def to_environment(self) -> None:
        """Pass the settings to the processes that this one starts."""
        os.environ[_NAME] = json.dumps(asdict(self), default=str)

    @classmethod
    def from_environment(cls) -> Settings:
        """Return the settings of the process that started this one."""
        data = json.loads(os.environ[_NAME])
        store = data["store"] and read_place(data["store"])
        studies = data["studies"] and Path(data["studies"])
        lists = {name: tuple(data[name]) for name in ("names", "agents")}
        return cls(**data | lists | {"store": store, "studies": studies})
