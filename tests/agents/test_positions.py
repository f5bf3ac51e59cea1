"""Given a position, agents reason about every clue in it, just as when they play."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineproof as mp
from mineproof.agents.recipes import Recipe, RecipePlayer
from mineproof.formats import examples
from mineproof.games.match import Match
from mineproof.world.clues import Exact
from tests.strategies import middles, seeds

RECIPES = [mp.agents.get(name) for name in mp.agents.names() if name != "champion"]
SOUND = [recipe for recipe in RECIPES if recipe.sound]
UNSOUND = [mp.agents.get(name) for name in ("one-two:raw=true", "one-two-corners:raw=true")]


@pytest.mark.parametrize("name", ["simple", "one-two", "one-two-corners"])
def test_an_agent_with_memory_reads_all_clues_of_a_position(name: str) -> None:
    decision = mp.agents.get(name).decide(mp.View.from_text("1x3/1 ?1-"))
    assert (decision.action, decision.cell, decision.certain) == ("flag", (0, 0), True)


def test_one_two_does_not_open_the_mine_of_its_own_example() -> None:
    view = mp.View.from_text(examples.position_text("report003-5x5"))
    decision = mp.agents.get("one-two").decide(view)
    assert (decision.action, decision.cell, decision.certain) == ("flag", (3, 2), True)


@given(seeds, st.sampled_from(SOUND), st.booleans())
def test_a_position_never_contradicts_what_was_deduced_in_play(
    seed: int, agent: Recipe, flood: bool
) -> None:
    rules = mp.Rules(on_mine="continue", opening="any", flood=flood)
    match = Match(mp.Deal(7, 7, density=0.2), agent, rules=rules, seed=seed)
    for turn in match:
        player = match.player
        assert isinstance(player, RecipePlayer)
        known = {one.cell: one.mine for one in player.knowledge.deductions}
        known |= {one.cell: one.mine for one in player.beyond.values()}
        decision = agent.decide(match.view, rules=match.rules, seed=seed)
        if decision.cell in known:
            opens = decision.action in {"open", "unflag"}
            assert decision.action == "stop" or opens != known[decision.cell], (turn, decision)


@given(middles(st.just(Exact())), st.sampled_from([*RECIPES, *UNSOUND]), seeds)
def test_no_agent_opens_what_its_own_rules_prove_to_be_a_mine(
    game: mp.Game, agent: Recipe, seed: int
) -> None:
    player = agent.begin(game.view, rules=game.rules, seed=seed)
    decision = player.decide()
    mines = {one.cell for one in player.knowledge.deductions if one.mine}
    mines |= {one.cell for one in player.beyond.values() if one.mine}
    assert decision.action != "open" or decision.cell not in mines
    assert decision.action != "open" or decision.risk is None or decision.risk < 1
