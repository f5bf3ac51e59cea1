"""Work on several machines: an existing Dask cluster plays the same chunks.

The workers of the cluster need mineproof and none of our files; they return results to this
process, which alone writes. If a worker dies, nothing is lost: the scheduler gives its chunks to
others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, ThreadPoolExecutor
from contextlib import contextmanager
from time import monotonic
from typing import Any

from mineproof.errors import InvalidInput, MineproofError, shorten
from mineproof.extras import need

_AHEAD = 4
"""Chunks in flight per thread of the cluster: enough to keep every thread busy."""
_PATIENCE = 5
"""Seconds to wait for the scheduler."""


@contextmanager
def connect(
    address: str, do: Callable[..., object]
) -> Iterator[tuple[Executor, Callable[[], int]]]:
    """Yield an executor that runs `do` on the cluster, and how many loads to keep in flight."""
    distributed = need("distributed", "dask")
    _check_scheduler(distributed, address)
    with distributed.Client(address, timeout=_PATIENCE, set_as_default=False) as client:
        _check_workers(client, address, do.__module__)
        executor = client.get_executor(pure=False)
        try:
            yield executor, _Window(client)
        except (distributed.KilledWorker, CancelledError, ImportError) as error:
            raise MineproofError(
                f"the Dask cluster at {address} failed: {type(error).__name__}: "
                f"{shorten(str(error), 200)}; finished games are kept: run again to continue"
            ) from None
        finally:
            executor.shutdown(wait=False)


def _check_scheduler(distributed: Any, address: str) -> None:
    """Raise InvalidInput unless a scheduler answers at the address.

    A client that finds no scheduler waits 20 seconds when it is deleted, and logs errors. So
    this tries the connection first.
    """

    async def knock() -> None:
        own = distributed.Security().get_connection_args("client")
        comm = await distributed.comm.connect(address, timeout=_PATIENCE, **own)
        await comm.close()

    try:
        with ThreadPoolExecutor(1) as aside:  # a notebook has its own event loop
            aside.submit(lambda: asyncio.run(knock())).result()
    except Exception as error:  # another server may answer anything, even cause a MemoryError
        raise InvalidInput(
            f"no Dask scheduler answers at {shorten(address)!r} (expected tcp://HOST:8786): "
            f"{shorten(' '.join(str(error).split()), 120)}"
        ) from None


def _check_workers(client: Any, address: str, module: str) -> None:
    """Raise an error for workers without mineproof: our work would make them exit."""
    # As text, because our functions cannot be unpickled if mineproof is missing.
    found = client.run(eval, f"__import__({module!r}) and None", on_error="return")
    if not found:
        raise MineproofError(
            f"the Dask cluster at {address} has no workers: start some and run again"
        )
    for worker, error in found.items():
        if error is not None:
            raise MineproofError(f"the Dask worker at {worker} cannot use mineproof: {error}")


class _Window:
    """The number of chunks to keep in flight; called often, recounted every 5 seconds."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._counted = -60.0
        self._width = 1

    def __call__(self) -> int:
        if monotonic() - self._counted > 5:
            self._counted = monotonic()
            self._width = max(1, _AHEAD * sum(self._client.nthreads().values()))
        return self._width
