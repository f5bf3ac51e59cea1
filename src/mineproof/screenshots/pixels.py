"""PNG files as arrays of colours: what screens are saved as, without any package for images."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineproof.errors import FormatError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MOST = 2**25
"""Pixels: four screens of the largest kind."""
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Of every kind of colour: grey, colours, a palette, grey and colours with how much is seen."""

Pixels = NDArray[np.uint8]


class _Head(NamedTuple):
    width: int
    height: int
    depth: int
    kind: int
    packing: int
    filters: int
    interlaced: int


def decode(content: bytes) -> Pixels:
    """The picture as height, width and three colours; what is not seen is white."""
    if not content.startswith(SIGNATURE):
        raise FormatError("this is no PNG file: save the picture as one")
    packed, palette, head = b"", np.zeros((256, 3), np.uint8), None
    for kind, body in _chunks(content):
        if kind == b"IHDR" and len(body) == 13:
            head = _checked(_Head(*struct.unpack(">IIBBBBB", body)))
        elif kind == b"PLTE":
            colours = np.frombuffer(body[: len(body) // 3 * 3], np.uint8).reshape(-1, 3)[:256]
            palette[: len(colours)] = colours
        elif kind == b"IDAT":
            packed += body
    if head is None:
        raise FormatError("in a PNG file: it has no head")
    samples = _samples(head, packed)
    if head.kind == 3:
        return palette[samples[..., 0]]
    if head.kind in {4, 6}:
        seen = samples[..., -1:].astype(np.uint16)
        over = samples[..., :-1] * seen + 255 * (255 - seen)
        samples = (over // 255).astype(np.uint8)
    return np.ascontiguousarray(np.broadcast_to(samples, (*samples.shape[:2], 3)))


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(SIGNATURE)
    while at + 12 <= len(content):
        (length,) = struct.unpack_from(">I", content, at)
        body = content[at + 4 : at + 8 + length]
        if content[at + 8 + length : at + 12 + length] != struct.pack(">I", zlib.crc32(body)):
            raise FormatError("this PNG file is damaged, or ends too early")
        yield body[:4], body[4:]
        at += 12 + length


def _checked(head: _Head) -> _Head:
    depths = {3: {1, 2, 4, 8}}.get(head.kind, {8})
    if head.kind not in _CHANNELS or head.depth not in depths or head.interlaced:
        raise FormatError(
            "this kind of PNG is not read (interlaced, or not 8 bits a colour): save it again"
        )
    if not 0 < head.width * head.height <= _MOST:
        raise FormatError(f"a picture has at most {_MOST} pixels, got {head.width}x{head.height}")
    return head


def _samples(head: _Head, packed: bytes) -> Pixels:
    """Unpacked, and the filter of each line undone."""
    channels = _CHANNELS[head.kind]
    line = -(-head.width * channels * head.depth // 8)
    size = head.height * (line + 1)
    try:
        raw = zlib.decompressobj().decompress(packed, size)
    except zlib.error as error:
        raise FormatError(f"in a PNG file: {error}") from None
    if len(raw) < size:
        raise FormatError("in a PNG file: it ends too early")
    lines = np.frombuffer(raw, np.uint8, size).reshape(head.height, line + 1)
    out = np.zeros((head.height + 1, line), np.uint8)
    for number, (kind, row) in enumerate(zip(lines[:, 0].tolist(), lines[:, 1:], strict=True)):
        out[number + 1] = _unfiltered(kind, row, out[number], max(1, channels * head.depth // 8))
    found = out[1:]
    if head.depth < 8:
        bits = np.unpackbits(found, axis=1).reshape(head.height, -1, head.depth)
        weights = (1 << np.arange(head.depth - 1, -1, -1)).astype(np.uint8)
        found = (bits * weights).sum(axis=2, dtype=np.uint8)[:, : head.width]
    return found.reshape(head.height, head.width, channels)


def _unfiltered(kind: int, row: Pixels, above: Pixels, step: int) -> Pixels:
    if kind == 0:
        return row
    if kind == 1:
        return np.add.accumulate(row.reshape(-1, step), axis=0, dtype=np.uint8).ravel()
    if kind == 2:
        return row + above
    if kind not in {3, 4}:
        raise FormatError(f"in a PNG file: there is no filter {kind}")
    given, over, made = row.tolist(), above.tolist(), [0] * len(row)
    for i, value in enumerate(given):
        left, corner = (made[i - step], over[i - step]) if i >= step else (0, 0)
        guess = (left + over[i]) // 2 if kind == 3 else _paeth(left, over[i], corner)
        made[i] = (value + guess) & 255
    return np.array(made, np.uint8)


def _paeth(left: int, above: int, corner: int) -> int:
    """The neighbour that is nearest to left + above - corner."""
    by_left, by_above = abs(above - corner), abs(left - corner)
    by_corner = abs(left + above - 2 * corner)
    if by_left <= by_above and by_left <= by_corner:
        return left
    return above if by_above <= by_corner else corner
