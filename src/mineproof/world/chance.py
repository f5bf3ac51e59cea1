"""Random numbers without state: named streams, the same in Python and C++.

Philox 4x32-10 (Salmon et al., SC 2011) computes a block of four 32-bit words from a
counter and a key. A stream is named by (seed, purpose, index): the seed is the
key; purpose and index are part of the counter. So streams never overlap, can be
reproduced at any time, and are the same here and in the native library.
"""

from __future__ import annotations

import secrets
from enum import IntEnum
from hashlib import blake2b
from string import hexdigits
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineproof import _engine
from mineproof.arguments import of_type
from mineproof.errors import InvalidInput, check_integer, quote, shorten
from mineproof.phrases import say

SEED_LIMIT = 1 << 64
EXACT_IN_JSON = 1 << 53
"""Some JSON readers round larger whole numbers."""
_MOST_WORDS = 10**7
"""The most words per call: more than the cells of the largest board."""
_SALT_BYTES = 16
_SEAL = b"mineproof-seal-1"
"""Part of the meaning of every salt: never change it."""


class Purpose(IntEnum):
    """What a stream is used for. Seeds depend on the numbers: add new ones, never change one."""

    GAME = 0
    BOARD = 1
    ORDER = 2
    NOISE = 3
    TIES = 4
    PLAYOUT = 5
    PLAYER = 6
    ATTEMPT = 7
    REPAIR = 8
    FAIR = 9


def philox(c0: Any, c1: Any, c2: Any, c3: Any, key: int) -> tuple[Any, Any, Any, Any]:
    """Return one block of four 32-bit words; counters are integers or arrays of uint64."""
    counters = (c0, c1, c2, c3)
    if not all(isinstance(one, np.ndarray) and one.dtype == np.uint64 for one in counters):
        c0, c1, c2, c3 = (check_integer(one, "a counter", 0, 2**32 - 1) for one in counters)
    return _block(c0, c1, c2, c3, check_seed(key))


def _block(c0: Any, c1: Any, c2: Any, c3: Any, key: int) -> tuple[Any, Any, Any, Any]:
    k0, k1 = key & 0xFFFFFFFF, key >> 32
    for _ in range(10):
        a = c0 * 0xD2511F53
        b = c2 * 0xCD9E8D57
        c0, c1 = (b >> 32) ^ c1 ^ k0, b & 0xFFFFFFFF
        c2, c3 = (a >> 32) ^ c3 ^ k1, a & 0xFFFFFFFF
        k0 = (k0 + 0x9E3779B9) & 0xFFFFFFFF
        k1 = (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return c0, c1, c2, c3


class Stream:
    """The random words of one named stream, in order."""

    def __init__(self, seed: int, purpose: Purpose, index: int = 0) -> None:
        self._key = check_seed(seed)
        index = _check_index(index)
        self._name = index & 0xFFFFFFFF, index >> 32, int(of_type(purpose, Purpose, "purpose"))
        self._blocks = 0
        self._words: list[int] = []

    def next(self) -> int:
        """Return the next 32 bits."""
        if not self._words:
            self._words = list(_block(self._blocks, *self._name, self._key))[::-1]
            self._blocks += 1
        return self._words.pop()

    def next64(self) -> int:
        """Return the next 64 bits: two words, the low one first."""
        low = self.next()
        return low | self.next() << 32

    def below(self, n: int) -> int:
        """Return an unbiased integer from 0 to n-1 (Lemire's rejection), for n up to 2**32."""
        n = check_integer(n, "n", 1, 1 << 32)
        threshold = (1 << 32) % n
        while True:
            product = self.next() * n
            if product & 0xFFFFFFFF >= threshold:
                return product >> 32

    def uniform(self) -> float:
        """Return a random number in [0, 1): a multiple of 2**-53."""
        return (self.next64() >> 11) * 2.0**-53


def words64(seed: int, purpose: Purpose, count: int) -> NDArray[np.uint64]:
    """Return the first `count` 64-bit words of stream 0 as an array."""
    count = check_integer(count, "count", 0, _MOST_WORDS)
    blocks = np.arange((count + 1) // 2, dtype=np.uint64)
    zero = np.zeros_like(blocks)
    name = zero + int(of_type(purpose, Purpose, "purpose"))
    w0, w1, w2, w3 = _block(blocks, zero, zero, name, check_seed(seed))
    pairs = np.stack([w0 | w1 << 32, w2 | w3 << 32], axis=1)
    words: NDArray[np.uint64] = pairs.reshape(-1)[:count]
    return words


def order_keys(size: int, seed: int) -> NDArray[np.uint64]:
    """Return a sort key for every cell: the shared random order takes cells by ascending key."""
    size, seed = check_integer(size, "size", 0, _MOST_WORDS), check_seed(seed)
    if _engine.is_native():
        return np.frombuffer(_engine.native.order_keys(size, seed), dtype=np.uint64)
    return words64(seed, Purpose.ORDER, size)


def game_seed(seed: int, index: int) -> int:
    """Return the seed of game `index` of a series, below 2**53 (exact in any JSON reader)."""
    return Stream(seed, Purpose.GAME, index).next64() >> 11


def player_seed(seed: int) -> int:
    """Return the seed that players of a game receive; it reveals nothing about the deal."""
    return Stream(seed, Purpose.PLAYER).next64() >> 11


class Seeds(NamedTuple):
    """The two seeds of a game: one for the deal and its noise, and one for the players."""

    game: int
    player: int


def seeds_of(seed: int, index: int, salt: str | None = None) -> Seeds:
    """Return the seeds of game `index` of a series.

    Without a salt, both follow from the seed: an agent that tries all small seeds can find the
    board that belongs to its player seed. With a salt, both are parts of a hash keyed by the
    salt: without the salt, neither can be computed from the other, the seed or other games.
    """
    if salt is None:
        game = game_seed(seed, index)
        return Seeds(game, player_seed(game))
    name = b"".join(one.to_bytes(8, "little") for one in (check_seed(seed), _check_index(index)))
    key = bytes.fromhex(check_salt(salt))
    digest = blake2b(name, digest_size=16, key=key, person=_SEAL).digest()
    game, player = (int.from_bytes(half, "little") for half in (digest[:8], digest[8:]))
    return Seeds(game, player >> 11)


def fresh_salt() -> str:
    """Return a new secret: 128 random bits as 32 hex digits."""
    return secrets.token_hex(_SALT_BYTES)


def check_salt(salt: object) -> str:
    """Return a valid salt in lower case; raise an error for anything else."""
    if isinstance(salt, str) and len(salt) == 2 * _SALT_BYTES and not set(salt) - set(hexdigits):
        return salt.lower()
    raise InvalidInput(f"a salt must be {2 * _SALT_BYTES} hex digits, got {quote(salt)}")


def fresh_seed() -> int:
    """Return a new seed of 64 random bits, too many to find by trying."""
    return secrets.randbits(64)


def seed_to_json(seed: int) -> int | str:
    """Return a seed as JSON data: a string if JSON readers may round the number."""
    seed = check_seed(seed)
    return seed if seed <= EXACT_IN_JSON else str(seed)


def seed_from_json(value: object) -> int:
    """Return a seed from JSON data: a whole number or a string of its digits."""
    if isinstance(value, str):
        if not (value.isascii() and value.isdigit() and len(value) <= 20):
            raise InvalidInput(say("refusal.seed", value=repr(shorten(value))))
        value = int(value)
    return check_seed(value)  # type: ignore[arg-type]


def check_seed(seed: int) -> int:
    """Return a valid seed; raise an error for anything else."""
    return check_integer(seed, "a seed", 0, SEED_LIMIT - 1)


def _check_index(index: int) -> int:
    return check_integer(index, "an index", 0, SEED_LIMIT - 1)
