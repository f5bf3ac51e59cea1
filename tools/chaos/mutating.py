"""Mutate valid input: a byte, a number, a piece here and there."""

from __future__ import annotations

import re
from random import Random

_ODD = (
    b"", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\r", b"\x1b[31m", b"{", b"[",
    b"]}", b'"', b"'", b"=", b"-", b"nan", b"-1", b"1e999", b"null", b"true", b"-0", b"1.5",
    b"0x10", b"../..", b"<script>", b"\\ud800", "é".encode(), "²".encode(), "٣".encode(),
    b"9" * 21, b"9" * 401, b"7" * 5000, b"[" * 5000, b"[[" * 300 + b"]]" * 300, b'{"a":' * 2000,
    b" " * 3000, b"\n" * 50, b"%s%n", b"~", b"*",
)  # fmt: skip


def mutated(content: bytes, random: Random) -> bytes:
    """The content with a few mutations: with many, no command would get beyond the first line."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        content = random.choice(_WAYS)(content, random)
    return content


def mutated_word(word: str, random: Random) -> str:
    """A mutated argument without zero bytes and not too long for the system."""
    content = mutated(word.encode(errors="surrogateescape"), random).replace(b"\0", b"")[:100_000]
    return content.decode(errors="surrogateescape")


def _place(content: bytes, random: Random) -> int:
    return random.randint(0, len(content))


def _flip(content: bytes, random: Random) -> bytes:
    if not content:
        return content
    place = random.randrange(len(content))
    flipped = bytes([content[place] ^ 1 << random.randrange(8)])
    return content[:place] + flipped + content[place + 1 :]


def _cut(content: bytes, random: Random) -> bytes:
    first = _place(content, random)
    return content[:first] + content[first + random.choice((1, 1, 5, 50)) :]


def _end(content: bytes, random: Random) -> bytes:
    return content[: _place(content, random)]


def _repeat(content: bytes, random: Random) -> bytes:
    first = _place(content, random)
    last = first + random.choice((1, 5, 50))
    return content[:last] + content[first:last] * random.choice((1, 2, 50)) + content[last:]


def _insert(content: bytes, random: Random) -> bytes:
    place = _place(content, random)
    return content[:place] + random.choice(_ODD) + content[place:]


def _replace_number(content: bytes, random: Random) -> bytes:
    """Replace a number or a quoted word."""
    found = list(re.finditer(rb"\d+|\"[^\"]*\"", content))
    if not found:
        return _insert(content, random)
    one = random.choice(found)
    return content[: one.start()] + random.choice(_ODD) + content[one.end() :]


def _exchange(content: bytes, random: Random) -> bytes:
    """Replace a byte with another one from the content, so that it often stays meaningful."""
    if not content:
        return content
    place = random.randrange(len(content))
    other = random.choice(content)
    return content[:place] + bytes([other]) + content[place + 1 :]


def _change_digit(content: bytes, random: Random) -> bytes:
    digits = [place for place, byte in enumerate(content) if chr(byte).isdigit()]
    if not digits:
        return _exchange(content, random)
    place = random.choice(digits)
    return content[:place] + random.choice(b"0123456789").to_bytes() + content[place + 1 :]


_WAYS = (
    *(_flip, _cut, _end, _repeat, _insert, _replace_number),
    *((_exchange, _change_digit) * 3),
)
