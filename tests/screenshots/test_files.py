"""Image files of every kind are decoded or refused with an explanation; nothing crashes."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import mineproof as mp
from mineproof import screenshots
from mineproof.errors import FormatError
from mineproof.screenshots.picture_files import MOST, decode, is_picture

VIEW = mp.View.from_text("5x8 ????????/?2122???/?1001???/?2112???/????????")
SCREEN = Image.open(BytesIO(mp.render.view_png(VIEW))).convert("RGB")


def saved(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        saved(SCREEN),
        saved(SCREEN.convert("RGBA")),
        saved(SCREEN.quantize(256)),
        saved(SCREEN, "BMP"),
        saved(SCREEN, "WEBP", lossless=True),
        saved(SCREEN.quantize(256), "GIF"),
    ],
    ids=["png", "alpha", "palette", "bmp", "webp", "gif"],
)
def test_every_file_format_decodes_to_the_same_pixels(content: bytes) -> None:
    assert is_picture(content)
    assert screenshots.read(content).view() == VIEW


def test_a_jpeg_decodes_to_nearly_the_same_colours() -> None:
    away = decode(saved(SCREEN, "JPEG", quality=95)).astype(int) - np.asarray(SCREEN)
    assert np.abs(away).mean() < 4


def test_greyscale_of_16_bits_and_of_1_bit_becomes_8_bits() -> None:
    wide = Image.fromarray(np.full((9, 9), 0x8000, np.uint16))
    assert (decode(saved(wide)) == 0x80).all()
    assert (decode(saved(Image.new("1", (9, 9), 1))) == 255).all()


def test_transparent_pixels_become_white() -> None:
    assert (decode(saved(Image.new("RGBA", (9, 9), (10, 20, 30, 0)))) == 255).all()


def test_an_animated_picture_is_refused() -> None:
    frames = [Image.new("RGB", (20, 20), colour) for colour in ("red", "blue")]
    for kind in ("GIF", "PNG", "WEBP"):
        content = saved(frames[0], kind, save_all=True, append_images=frames[1:])
        with pytest.raises(FormatError, match="this picture is animated"):
            decode(content)


def bomb(width: int, height: int) -> bytes:
    """A small file that claims to be a huge picture."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(10_000))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in parts
    )


@pytest.mark.parametrize("size", [(6000, 6000), (10_000, 10_000), (40_000, 40_000), (2**30, 2**30)])
def test_a_huge_picture_is_refused_before_it_is_decompressed(size: tuple[int, int]) -> None:
    with pytest.raises(FormatError, match=f"a picture can have at most {MOST} pixels"):
        decode(bomb(*size))


def test_files_that_are_no_pictures_are_refused_with_the_reason() -> None:
    for content in (b"", b"3x3 ???/???/???", b"%PDF-1.7", b"BM but text"):
        assert not is_picture(content)
        with pytest.raises(FormatError, match="this is not a picture: expected one of PNG, JPEG"):
            decode(content)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(["PNG", "JPEG", "GIF", "BMP", "WEBP"]))
def test_a_damaged_file_is_decoded_or_refused_with_the_reason(
    data: st.DataObject, kind: str
) -> None:
    whole = saved(SCREEN.resize((40, 30)), kind)
    cut = data.draw(st.integers(0, len(whole) - 1))
    flip = data.draw(st.integers(0, len(whole) - 1))
    for content in (whole[:cut], whole[:flip] + bytes([whole[flip] ^ 0x41]) + whole[flip + 1 :]):
        try:
            assert decode(content).shape[2] == 3
        except FormatError as error:
            assert str(error)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_damaged_png_is_refused(data: st.DataObject) -> None:
    whole = saved(SCREEN.resize((40, 30)))
    for content in (
        whole[: data.draw(st.integers(0, len(whole) - 13))],
        whole[: (flip := data.draw(st.integers(0, len(whole) - 1)))]
        + bytes([whole[flip] ^ 0x41])
        + whole[flip + 1 :],
    ):
        with pytest.raises(FormatError):
            decode(content)
