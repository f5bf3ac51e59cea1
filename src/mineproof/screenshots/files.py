"""Files of pictures as arrays of colours, read by Pillow; odd ones are refused in words."""

from __future__ import annotations

import struct
import warnings
import zlib
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mineproof.errors import FormatError
from mineproof.extras import need

if TYPE_CHECKING:
    from PIL import Image

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
MOST = 2**25
"""Pixels: four screens of the largest kind."""

Pixels = NDArray[np.uint8]

_DAMAGE = (
    OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, OverflowError,
    MemoryError, struct.error, zlib.error,
)  # fmt: skip
"""What Pillow raises at a damaged file."""


def is_picture(content: bytes) -> bool:
    """Whether a file begins as a picture does, and as no text."""
    starts = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")
    webp = content[:4] == b"RIFF" and content[8:12] == b"WEBP"
    bitmap = content[:2] == b"BM" and b"\0" in content[:16]
    return content.startswith(starts) or webp or bitmap


def decode(content: bytes) -> Pixels:
    """The picture as height, width and three colours; what is transparent is white."""
    if not is_picture(content):
        raise FormatError(f"this is no picture: one of {', '.join(FORMATS)} is read")
    need("PIL", "pictures")
    try:
        _opened(content).verify()  # the sums that a file keeps of itself; it cannot be read after
        return _colours(_opened(content))
    except FormatError:
        raise
    except _DAMAGE as error:
        raise FormatError(f"this picture is damaged, or ends too early: {error}") from None


def _opened(content: bytes) -> Image.Image:
    """A file of which only the head is read, neither too large nor moving."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            image = Image.open(BytesIO(content), formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise FormatError(f"a picture has at most {MOST} pixels, got far more") from None
    width, height = image.size
    if not 0 < width * height <= MOST:
        raise FormatError(f"a picture has at most {MOST} pixels, got {width}x{height}")
    if getattr(image, "is_animated", False):
        raise FormatError("this picture moves: save the one frame that you mean")
    return image


def _colours(image: Image.Image) -> Pixels:
    from PIL import Image

    if image.mode.startswith("I"):  # grey of 16 bits, which Pillow would cut off
        grey = (np.asarray(image).astype(np.int64) >> 8).clip(0, 255).astype(np.uint8)
        return np.ascontiguousarray(np.repeat(grey[..., None], 3, axis=2))
    if image.mode == "F":
        raise FormatError("this kind of picture is not read: save it with 8 bits a colour")
    whole = image.convert("RGBA")
    ground = Image.new("RGBA", whole.size, "white")
    return np.asarray(Image.alpha_composite(ground, whole).convert("RGB")).copy()
