"""Bytes from terminals are decoded as keys and mouse events."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.cli.keyboard import Decoder, MouseEvent, Pressed


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        ("f", ["f"]),
        ("H?", ["H", "?"]),
        (" \r\n\t", [" ", "enter", "enter", "\t"]),
        ("\x7f\x08", ["backspace", "backspace"]),
        ("\x1b[A\x1b[B\x1b[C\x1b[D", ["up", "down", "right", "left"]),
        ("\x1bOA\x1bOB\x1bOC\x1bOD", ["up", "down", "right", "left"]),
        ("\x1b[H\x1b[F\x1b[1~\x1b[4~", ["home", "end", "home", "end"]),
        ("\x1b[5~\x1b[6~", ["page up", "page down"]),
        ("\x1b[1;5Cx", ["x"]),
        ("\x1b[200~x", ["x"]),
        ("é", ["é"]),
        ("\x04\x1a", ["\x04", "\x1a"]),
    ],
)
def test_keys_have_names(sent: str, keys: list[Pressed]) -> None:
    assert Decoder().feed(sent) == keys


@pytest.mark.parametrize(
    ("sent", "pressed"),
    [
        ("\x1b[<0;1;1M", [MouseEvent("left", 0, 0)]),
        ("\x1b[<2;200;57M", [MouseEvent("right", 56, 199)]),
        ("\x1b[<1;3;4M", [MouseEvent("middle", 3, 2)]),
        ("\x1b[<16;3;4M", [MouseEvent("left", 3, 2)]),  # with Ctrl
        ("\x1b[<0;1;1m", []),  # released
        ("\x1b[<64;1;1M\x1b[<65;1;1M", []),  # the wheel
        ("\x1b[<32;1;1M", []),  # moved
        ("\x1b[<3;1;1M", []),  # no button
        ("\x1b[<0;1M", []),
    ],
)
def test_mouse_events_have_a_button_and_a_place(sent: str, pressed: list[Pressed]) -> None:
    assert Decoder().feed(sent) == pressed


SENT = ["f", " ", "\x1b[A", "\x1bOB", "\x1b[6~", "\x1b[<2;31;7M", "\x1b[<0;31;7m", "h", "?"]


@given(st.lists(st.sampled_from(SENT)), st.data())
def test_keys_may_arrive_in_any_chunks(sent: list[str], data: st.DataObject) -> None:
    text = "".join(sent)
    whole = Decoder().feed(text)
    decoder, found = Decoder(), list[Pressed]()
    while text:
        size = data.draw(st.integers(1, len(text)))
        found += decoder.feed(text[:size])
        text = text[size:]
    assert found == whole
    assert not decoder.waits


def test_a_single_escape_is_a_key_after_a_delay() -> None:
    decoder = Decoder()
    assert decoder.feed("\x1b") == []
    assert decoder.waits
    assert decoder.flush() == ["escape"]
    assert decoder.feed("\x1b[") == []
    assert decoder.flush() == []
    assert not decoder.waits
