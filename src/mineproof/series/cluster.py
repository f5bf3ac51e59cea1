"""The same chunks on more than one machine: an existing Dask cluster does the work.

The cluster's workers need mineproof and nothing else of ours; what they do comes back to
this process, which alone writes. A worker that dies loses nothing: the scheduler gives
its chunks to others.
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
"""Chunks in flight for every thread of the cluster: enough that none waits for us."""
_PATIENCE = 5
"""Seconds to find the scheduler."""


@contextmanager
def connect(
    address: str, do: Callable[..., object]
) -> Iterator[tuple[Executor, Callable[[], int]]]:
    """An executor that can do this on the cluster, and how many loads it shall have."""
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
                f"{shorten(str(error), 200)}; what is finished is kept: run again to go on"
            ) from None
        finally:
            executor.shutdown(wait=False)


def _check_scheduler(distributed: Any, address: str) -> None:
    """Refuse an address at which nobody speaks as a scheduler does.

    A client that finds none stays half made: it waits 20 seconds when it is thrown away, and
    tells of it. So somebody knocks first.
    """

    async def knock() -> None:
        own = distributed.Security().get_connection_args("client")
        comm = await distributed.comm.connect(address, timeout=_PATIENCE, **own)
        await comm.close()

    try:
        with ThreadPoolExecutor(1) as aside:  # a notebook has a loop of its own running
            aside.submit(lambda: asyncio.run(knock())).result()
    except Exception as error:  # whatever a stranger answers, down to a lack of memory
        raise InvalidInput(
            f"no Dask scheduler answers at {shorten(address)!r} (as in tcp://host:8786): "
            f"{shorten(' '.join(str(error).split()), 120)}"
        ) from None


def _check_workers(client: Any, address: str, module: str) -> None:
    """Refuse workers without mineproof: they would end when they are sent our work."""
    # As text, because a function of ours cannot be read where mineproof is missing.
    found = client.run(eval, f"__import__({module!r}) and None", on_error="return")
    if not found:
        raise MineproofError(f"the Dask cluster at {address} has no workers yet")
    for worker, error in found.items():
        if error is not None:
            raise MineproofError(f"the Dask worker at {worker} cannot use mineproof: {error}")


class _Window:
    """How many chunks shall be in flight; asked for often, counted now and then."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._counted = -60.0
        self._width = 1

    def __call__(self) -> int:
        if monotonic() - self._counted > 5:
            self._counted = monotonic()
            self._width = max(1, _AHEAD * sum(self._client.nthreads().values()))
        return self._width
