"""Random numbers never change, in Python or in C++."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineproof as mp
from mineproof import _engine, _native
from mineproof.world import chance
from mineproof.world.chance import Purpose, Stream, philox
from tests.strategies import seeds


def test_philox_gives_its_published_values() -> None:
    ones = 0xFFFFFFFF
    assert philox(0, 0, 0, 0, 0) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
    assert philox(ones, ones, ones, ones, 2**64 - 1) == (
        0x408F276D,
        0x41C83B0E,
        0xA20BC7C6,
        0x6D5451FD,
    )
    assert philox(0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0x299F31D0A4093822) == (
        0xD16CFE09,
        0x94FDCCEB,
        0x5001E420,
        0x24126EA1,
    )


def test_the_first_words_of_our_streams_are_golden() -> None:
    pinned = {
        (0, Purpose.GAME, 0): [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8, 0xF8E4CCA4],
        (1, Purpose.BOARD, 0): [0x127BEE41, 0x1E047488, 0x48842B20, 0x0A393496, 0x10CC6764],
        (2**64 - 1, Purpose.NOISE, 2**40 + 7): [
            0xF7626B80,
            0x4F94D031,
            0xA4CFAAFA,
            0xD9DE31C5,
            0x544411AE,
        ],
    }
    for (seed, purpose, index), words in pinned.items():
        stream = Stream(seed, purpose, index)
        assert [stream.next() for _ in words] == words
        assert _native.words(seed, purpose, index, len(words)) == words


@given(seeds, st.sampled_from(Purpose), seeds)
def test_both_engines_draw_the_same(seed: int, purpose: Purpose, index: int) -> None:
    stream = Stream(seed, purpose, index)
    assert _native.words(seed, purpose, index, 9) == [stream.next() for _ in range(9)]


@given(seeds, st.integers(1, 300))
def test_words_in_bulk_equal_words_one_by_one(seed: int, count: int) -> None:
    stream = Stream(seed, Purpose.ORDER)
    one_by_one = [stream.next64() for _ in range(count)]
    assert chance.words64(seed, Purpose.ORDER, count).tolist() == one_by_one
    with _engine.using("native"):
        assert chance.order_keys(count, seed).tolist() == one_by_one


def test_ranges_are_unbiased() -> None:
    stream = Stream(7, Purpose.TIES)
    seen = Counter(stream.below(6) for _ in range(60_000))
    assert sorted(seen) == list(range(6))
    assert all(9_600 < times < 10_400 for times in seen.values())


@given(seeds, st.integers(1, 2**32))
def test_ranges_are_respected(seed: int, n: int) -> None:
    assert 0 <= Stream(seed, Purpose.TIES).below(n) < n


def test_a_seed_always_gives_the_same_board(engine: str) -> None:
    assert mp.Board.random(4, 8, 9, seed=1).to_text() == "4x8/9 .**....*/*......./...*..../..**.*.*"
    clear = mp.Board.random(4, 8, 9, seed=1, start=(0, 0), opening="clear")
    assert clear.to_text() == "4x8/9 ..***.../..**..../....*.../...*.*.*"
    each = mp.Board.random(4, 8, density=0.3, independent=True, seed=1)
    assert each.to_text() == "4x8/10 **...**./**....../**..*.../.*......"


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True, "7"])
def test_invalid_seeds_are_refused(seed: object) -> None:
    with pytest.raises(mp.InvalidInput, match="a seed "):
        mp.Board.random(4, 4, 4, seed=seed)  # type: ignore[arg-type]


@given(seeds, st.integers(0, 2**32))
def test_seeds_of_games_are_exact_in_json(seed: int, index: int) -> None:
    assert 0 <= chance.game_seed(seed, index) < 2**53


def test_a_fresh_seed_has_64_bits() -> None:
    found = {chance.fresh_seed() for _ in range(64)}
    assert len(found) == 64
    assert all(0 <= seed < 2**64 for seed in found)
    assert max(found) > 2**53  # otherwise 64 seeds of 64 bits all began with 11 zeros


@given(seeds)
def test_a_seed_survives_json_readers_that_round_numbers(seed: int) -> None:
    text = json.dumps(chance.seed_to_json(seed))
    assert chance.seed_from_json(json.loads(text, parse_int=lambda it: int(float(it)))) == seed


@pytest.mark.parametrize("value", ["", "-1", "1.0", "٣", "1" * 21, str(2**64), None, 1.0, True, []])
def test_invalid_seeds_in_json_are_refused(value: object) -> None:
    with pytest.raises(mp.InvalidInput, match="a seed "):
        chance.seed_from_json(value)


@pytest.mark.parametrize("seed", [0, 2**53, 2**53 + 1, 2**64 - 1])
def test_a_record_keeps_its_seed(seed: int) -> None:
    record = mp.play(mp.Deal(3, 3, 2), "random", seed=seed)
    data = record.to_json()
    assert isinstance(data["seed"], str if seed > 2**53 else int)
    assert mp.Record.from_json(json.dumps(data)).seed == seed
