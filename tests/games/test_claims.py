"""Unsound agents make claims, not proofs, and every display of their moves says so."""

from __future__ import annotations

import json
from typing import Any

import pytest

import mineproof as mp
from mineproof.cli import main
from mineproof.cli.play.live import GamePosition, describe
from mineproof.reasoning.influence import Influence

ON = mp.Rules(on_mine="continue")
CLAIMS = [("one-two:raw=true", "exact"), ("baseline:naive=true", "optimistic")]
PROVES = [("one-two", "exact"), ("baseline:naive=true", "exact"), ("baseline", "optimistic")]


def a_game(agent: str, clues: str, seed: int = 3) -> mp.Record:
    return mp.play(mp.Deal(9, 9, 12), agent, rules=ON, clues=clues, seed=seed)


@pytest.mark.parametrize(("agent", "clues"), CLAIMS)
def test_every_deduced_move_of_an_unsound_agent_is_a_claim(agent: str, clues: str) -> None:
    record = mp.Record.from_json(json.loads(json.dumps(a_game(agent, clues).to_json())))
    deduced = [move for move in record.moves if move.rule not in {"", "opening"}]
    assert deduced
    assert all(move.claimed for move in deduced)
    assert not any(move.claimed for move in record.moves if not move.rule)


@pytest.mark.parametrize(("agent", "clues"), PROVES)
def test_no_move_of_a_sound_agent_is_a_claim(agent: str, clues: str) -> None:
    record = a_game(agent, clues)
    assert any(move.rule for move in record.moves)
    assert not any(move.claimed for move in record.moves)
    assert "wrong_claims" not in record.to_json()
    assert "claimed" not in json.dumps(record.to_json())


def test_a_record_counts_wrong_claims_even_if_there_are_none() -> None:
    agent, clues = CLAIMS[0]
    wrong = [a_game(agent, clues, seed).to_json()["wrong_claims"] for seed in range(12)]
    assert min(wrong) == 0 < max(wrong)


@pytest.mark.parametrize(("agent", "claims"), [("one-two:raw=true", True), ("one-two", False)])
def test_a_printed_game_marks_claims(
    agent: str, claims: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["play", "--agent", agent, "--seed", "3", "--plain"])
    printed = capsys.readouterr().out
    assert ("  claimed: " in printed, "  deduced: " in printed) == (claims, not claims)


def test_a_live_game_shows_claims_in_a_different_colour() -> None:
    for agent, words in (("one-two:raw=true", "claimed"), ("one-two", "certain")):
        match = mp.Match(mp.Deal(9, 9, 12), agent, rules=ON, seed=3)
        position = GamePosition.first(match)
        colours = set()
        for turn in match:
            move = turn.asked
            position = position.after(move, match.view)
            if move.rule not in {"", "opening"}:
                said = describe(position).move
                assert said.plain.endswith(words)
                colours |= {str(span.style) for span in said.spans}
        assert colours == {"bold yellow" if words == "claimed" else "bold green"}


def test_a_chain_of_influence_marks_mere_claims() -> None:
    claimed, proved = (
        a_game(agent, "exact").influence for agent in ("one-two:raw=true", "one-two")
    )
    assert "claimed to be" in str(claimed)
    assert "proved" not in str(claimed)
    assert "proved" in str(proved)
    assert "claimed" not in str(proved)
    data: dict[str, Any] = claimed.to_json()
    assert Influence.from_json(data) == claimed
    assert "claimed" not in proved.to_json()
