"""Read picture files as arrays of colours, with Pillow; unsuitable files are refused."""

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
"""The most pixels of a picture: about four 4K screens."""

Pixels = NDArray[np.uint8]

_DAMAGE = (
    OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, OverflowError,
    MemoryError, struct.error, zlib.error,
)  # fmt: skip
"""The exceptions that Pillow raises for damaged files."""


def is_picture(content: bytes) -> bool:
    """Return whether the content starts like a picture file (and not like a text)."""
    starts = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")
    webp = content[:4] == b"RIFF" and content[8:12] == b"WEBP"
    bitmap = content[:2] == b"BM" and b"\0" in content[:16]
    return content.startswith(starts) or webp or bitmap


def decode(content: bytes) -> Pixels:
    """Return the picture as an array (height, width, 3); transparent pixels become white."""
    if not is_picture(content):
        raise FormatError(f"this is not a picture: expected one of {', '.join(FORMATS)}")
    need("PIL", "pictures")
    try:
        _opened(content).verify()  # checks the checksums; the file must be opened again afterwards
        return _colours(_opened(content))
    except FormatError:
        raise
    except _DAMAGE as error:
        raise FormatError(f"this picture is damaged or incomplete: {error}") from None


def _opened(content: bytes) -> Image.Image:
    """Open a picture, reading only its header; refuse it if it is too large or animated."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            image = Image.open(BytesIO(content), formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise FormatError(f"a picture can have at most {MOST} pixels, got far more") from None
    width, height = image.size
    if not 0 < width * height <= MOST:
        raise FormatError(f"a picture can have at most {MOST} pixels, got {width}x{height}")
    if getattr(image, "is_animated", False):
        raise FormatError("this picture is animated: save a single frame")
    return image


def _colours(image: Image.Image) -> Pixels:
    from PIL import Image

    if image.mode.startswith("I"):  # 16-bit grey, which Pillow would truncate
        grey = (np.asarray(image).astype(np.int64) >> 8).clip(0, 255).astype(np.uint8)
        return np.ascontiguousarray(np.repeat(grey[..., None], 3, axis=2))
    if image.mode == "F":
        raise FormatError(
            "floating-point pictures are not supported: save the picture with 8 bits per colour"
        )
    whole = image.convert("RGBA")
    ground = Image.new("RGBA", whole.size, "white")
    return np.asarray(Image.alpha_composite(ground, whole).convert("RGB")).copy()
