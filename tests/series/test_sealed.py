"""A sealed arena: no agent can predict the mines, but with the salt every game can be replayed."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import mineproof as mp
from mineproof import _engine
from mineproof.agents import Decision
from mineproof.cli import main
from mineproof.series.standings import Standings
from mineproof.testing import check_agent
from mineproof.world import chance
from mineproof.world.view import UNTOUCHED
from tests.series.test_arena import timeless

DEAL = mp.Deal(16, 30, 99)
ANY = mp.Rules(opening="any")
SALT = "00112233445566778899aabbccddeeff"


class Cheat:
    """Has memorised the boards of small seeds, and recognises them by the seed that it is given."""

    name = "cheat"

    def __init__(self, seeds: int = 20, games: int = 20) -> None:
        every = (chance.game_seed(s, i) for s in range(seeds) for i in range(games))
        self.known = {chance.player_seed(seed): seed for seed in every}
        self.found = 0

    def decide(self, view: mp.View, *, seed: int, **_: Any) -> Decision:
        covered = view.cells(*UNTOUCHED)
        if seed not in self.known:
            return Decision(covered[0], "open", None, False, "I do not know this one")
        self.found += 1
        board = DEAL.board(self.known[seed])
        safe = next(cell for cell in covered if not board.is_mine(cell))
        return Decision(safe, "open", 0.0, True, "I know this board")


def test_without_sealing_memorised_boards_are_always_won() -> None:
    (cheat,) = mp.arena([Cheat()], DEAL, games=20, rules=ANY, seed=7, workers=1).agents
    assert cheat.wins == 20


@pytest.mark.parametrize("seed", [0, 7, 19])
def test_sealed_boards_cannot_be_memorised(seed: int) -> None:
    agent = Cheat()
    (cheat,) = mp.arena(
        [agent], DEAL, games=20, rules=ANY, seed=seed, workers=1, sealed=True
    ).agents
    assert agent.found == 0
    assert cheat.wins == 0


def test_every_sealed_arena_has_a_new_salt_and_others_have_none() -> None:
    deal = mp.Deal(4, 4, 3)
    salts = [mp.arena(["random"], deal, games=2, sealed=True).salt for _ in range(3)]
    assert len(set(salts)) == 3
    assert all(salt is not None and len(bytes.fromhex(salt)) >= 16 for salt in salts)
    assert mp.arena(["random"], deal, games=2).salt is None


@pytest.mark.parametrize("clues", [mp.clues.Exact(), mp.clues.Sometimes(0.7)], ids=str)
@pytest.mark.parametrize("opening", ["any", "safe"])
def test_the_same_salt_plays_the_same_games(opening: Any, clues: Any) -> None:
    def played(engine: str, workers: int, **options: Any) -> Standings:
        with _engine.using(engine):
            return mp.arena(
                ["random", "csp", "exact"],
                mp.Deal(6, 6, 7),
                games=24,
                seed=3,
                rules=mp.Rules(opening=opening),
                clues=clues,
                workers=workers,
                **options,
            )

    first = played("native", 2, sealed=True)
    games = timeless(first.games)
    for engine in _engine.ENGINES:
        for workers in (1, 3):
            again = played(engine, workers, salt=first.salt)
            assert timeless(again.games) == games
            assert again.salt == first.salt
    assert timeless(played("native", 1, sealed=True).games) != games
    assert timeless(played("native", 1).games) != games


@pytest.mark.usefixtures("engine")
def test_given_boards_have_their_order_and_noise_sealed() -> None:
    boards = [mp.Board.random(5, 5, 6, seed=seed) for seed in range(30)]

    def played(**options: Any) -> list[Any]:
        return timeless(mp.arena(["random"], boards, workers=1, **options).games)

    assert played(salt=SALT) == played(salt=SALT, sealed=True) == played(salt=SALT.upper())
    assert [row["moves"] for row in played(salt=SALT)] != [row["moves"] for row in played()]


def test_a_single_sealed_game_can_be_replayed() -> None:
    deal = mp.Deal(8, 8, 10)
    for agent in ("random", "exact", "simple"):
        games = mp.arena([agent], deal, games=5, seed=2, salt=SALT, workers=1).games
        for game in games.rows():
            seeds = chance.seeds_of(2, game["board"], SALT)
            assert seeds.game == game["seed"]
            match = mp.Match(deal, agent, seed=seeds.game, player_seed=seeds.player)
            for _ in match:
                pass
            assert len(match.record().moves) == game["moves"]


def test_the_hash_never_changes() -> None:
    """A salt identifies its games permanently."""
    assert chance.seeds_of(0, 0, SALT) == (10861907314234937083, 6194767224972890)
    assert chance.seeds_of(2**64 - 1, 10**9, SALT) == (4241280612247082586, 176966553697287)
    seed = chance.game_seed(5, 6)
    assert chance.seeds_of(5, 6) == (seed, chance.player_seed(seed))


@pytest.mark.parametrize("salt", ["", "12", "x" * 32, "0" * 31, "0" * 33, 5, b"0" * 32, True])
def test_invalid_salts_are_refused(salt: Any) -> None:
    with pytest.raises(mp.InvalidInput, match="a salt must be 32 hex digits"):
        mp.arena(["random"], mp.Deal(4, 4, 3), games=1, salt=salt)


def test_the_command_line_seals_and_shows_the_salt(
    capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    table = tmp_path / "games.csv"
    command = ["arena", "--agents", "random,exact", "--games", "20", "--seed", "4", "--json"]

    def output(*more: str) -> Any:
        assert main([*command, "--per-game", str(table), *more]) == 0
        return json.loads(capsys.readouterr().out)

    first = output("--sealed")
    rows = [line.split(",")[:4] for line in table.read_text().splitlines()]
    assert first["seed"] == 4
    assert table.read_text().splitlines()[0].endswith(",salt")
    assert all(line.endswith(f",{first['salt']}") for line in table.read_text().splitlines()[1:])
    again = output("--salt", first["salt"])
    assert [line.split(",")[:4] for line in table.read_text().splitlines()] == rows
    assert [one["wins"] for one in again["agents"]] == [one["wins"] for one in first["agents"]]
    assert output()["salt"] is None
    assert main([*command[:-1], "--sealed"]) == 0
    assert "--salt" in capsys.readouterr().out
    assert main([*command, "--salt", "12"]) == 2
    assert "a salt must be 32 hex digits" in capsys.readouterr().err


class Meddler:
    """Modifies everything that it is given."""

    name = "meddler"

    def decide(self, view: mp.View, *, rules: mp.Rules, clues: Any, **_: Any) -> Decision:
        cell = view.cells(*UNTOUCHED)[0]
        for value, name, other in (
            (rules, "on_mine", "continue"),
            (clues, "chance", 1.0),
            (view.grid, "rows", 1),
            (view, "mines", 0),
        ):
            object.__setattr__(value, name, other)
        return Decision(cell, "open", None, False, "let us see")


class Forger:
    """Modifies the events that it receives."""

    name = "forger"

    def begin(self, view: mp.View, **_: Any) -> Any:
        self.cells = [divmod(i, view.grid.cols) for i in range(view.grid.size)]
        object.__setattr__(view.grid, "cols", 1)
        return self

    def observe(self, events: Any) -> None:
        for event in list(events):
            self.cells.remove(event.cell)
        events.clear()

    def decide(self) -> Decision:
        return Decision(self.cells[0], "open", None, False, "the first cell")


def test_agents_cannot_modify_the_referees_values() -> None:
    rules, clues = mp.Rules(opening="any"), mp.clues.Sometimes(0.5)
    kept = copy.deepcopy((rules, clues))
    board = mp.Board.from_text("3x3/1 .../..*/...")
    for _ in range(2):
        record = mp.play(board, Meddler(), rules=rules, clues=clues)
        assert (rules, clues) == kept
        assert (record.rules, record.clues) == kept
        assert record.exploded == 1  # and that ended the game
        assert not record.won


def test_agents_get_their_own_list_of_events() -> None:
    match = mp.Match(mp.Board.from_text("2x2/1 ../.*"), Forger())
    turns = list(match)
    assert all(turn.events for turn in turns)
    assert match.record().board == mp.Board.from_text("2x2/1 ../.*")


def test_check_agent_plays_sealed() -> None:
    seen: list[int] = []

    class Noting:
        name = "noting"

        def decide(self, view: mp.View, *, seed: int, **_: Any) -> Decision:
            seen.append(seed)
            return Decision(view.cells(*UNTOUCHED)[0], "open", None, False, "the first cell")

    check_agent(Noting(), games=10)
    once = dict.fromkeys(seen)
    seen.clear()
    check_agent(Noting(), games=10)
    assert not set(once) & set(seen)
    every = {chance.player_seed(chance.game_seed(0, number)) for number in range(10)}
    assert not every & set(seen)


def test_check_agent_shows_the_salt_of_a_fault_and_finds_it_again() -> None:
    class Sure:
        name = "sure"

        def decide(self, view: mp.View, **_: Any) -> Decision:
            return Decision(view.cells(*UNTOUCHED)[0], "open", 0.0, True, "it must be")

    with pytest.raises(mp.AgentFault, match="certain but wrong") as caught:
        check_agent(Sure())
    salt = str(caught.value).partition("salt '")[2][:32]
    with pytest.raises(mp.AgentFault) as again:
        check_agent(Sure(), salt=salt)
    assert str(again.value) == str(caught.value)
