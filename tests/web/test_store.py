"""The store keeps whole games or nothing, and decides which of two concurrent moves is made."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from mineproof.errors import IllegalMove, MineproofError
from mineproof.messages.game_requests import (
    DeleteGamesRequest,
    ListGamesRequest,
    MakeMoveRequest,
    NewGameRequest,
)
from mineproof.messages.values import SomeRules
from mineproof.web import history, limits
from mineproof.web.database import StoreFault, name_of
from mineproof.web.desk import Desk, NoSuchGame
from mineproof.web.ground import Ground
from mineproof.web.store import Ending, Store, Taken, usual_path
from mineproof.world.geometry import Grid
from mineproof.world.move import Move
from mineproof.world.turn import Turn, by_hand

from .postgres import Postgres

ANY = SomeRules(opening="any")
OPEN = by_hand((0, 1), "open", 1.0)
GRID = Grid(9, 9)


@pytest.fixture
def opened(place: Path | str) -> Iterator[Callable[[], Store]]:
    """A function that opens the same store, any number of times."""
    with ExitStack() as kept:
        yield lambda: kept.enter_context(closing(Store(place)))


def test_of_two_concurrent_moves_one_is_made(opened: Callable[[], Store]) -> None:
    one, other = opened(), opened()
    game = Desk(one).begin(Ground.asked(NewGameRequest()), "").row.id
    one.append(game, 0, OPEN, None)
    with pytest.raises(Taken):
        other.append(game, 0, OPEN, None)
    other.append(game, 1, OPEN, None)
    assert len(one.turns(game, GRID)) == 2
    other.delete("", game)
    with pytest.raises(Taken):
        one.append(game, 2, OPEN, None)
    assert one.turns(game, GRID) == []


def test_a_turn_round_trips(opened: Callable[[], Store]) -> None:
    store = opened()
    game = Desk(store).begin(Ground.asked(NewGameRequest()), "").row.id
    flag = Move((1, 2), "flag", 0.0, True, "why\n", "local", True)
    turns = [by_hand((3, 4), "chord", 0.0), Turn(flag, "exact", 1.0)]
    for number, turn in enumerate(turns):
        store.append(game, number, turn, None)
    assert store.turns(game, GRID) == turns


def test_a_desk_sees_what_another_one_did(opened: Callable[[], Store]) -> None:
    desks = [Desk(opened()) for _ in range(2)]
    game = desks[0].begin(Ground.asked(NewGameRequest(rules=ANY)), "").row.id
    for number in range(4):
        desks[number % 2].move(MakeMoveRequest(game=game, cell=(0, number), action="flag"), "")
    assert [len(desk.find(game).turns) for desk in desks] == [4, 4]


def test_games_in_memory_are_a_cache(
    opened: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "GAMES_IN_MEMORY", 2)
    desk = Desk(opened())
    ground = Ground.asked(NewGameRequest(rules=SomeRules(opening="safe", flood=False)))
    games = [desk.begin(ground, "").row.id for _ in range(5)]
    for game in games:
        desk.move(MakeMoveRequest(game=game, cell=(4, 4), action="open"), "")
    assert len(desk._at_hand) == 2
    assert all(len(desk.find(game).turns) == 1 for game in games)
    monkeypatch.setattr(limits, "EVENTS_IN_MEMORY", 30)
    desk.move(MakeMoveRequest(game=games[0], cell=(0, 0), action="flag"), "")
    assert len(desk._at_hand) <= 1
    assert desk._weight == sum(desk._weights.values())
    desk.move(MakeMoveRequest(game=games[0], action="stop"), "")
    assert games[0] not in desk._at_hand
    assert desk.find(games[0]).referee.over


def test_lists_and_rates_are_the_same_in_every_store(opened: Callable[[], Store]) -> None:
    """Each query of a player's history, with its expected result."""
    desk = Desk(opened())
    for number, end in enumerate([True, False, True, None]):
        ground = Ground.asked(NewGameRequest(seed=number, rules=ANY))
        game = desk.begin(ground, "somebody")
        if end is not None:
            ending = Ending(end, None, 3.0 - number, 20)
            desk.store.append(game.row.id, 0, OPEN, ending)
    other = Ground.asked(NewGameRequest(board="2x2/1 *./.."))
    desk.begin(other, "somebody", turns=[by_hand((1, 1))])
    every = history.games(desk.store, ListGamesRequest(), "somebody")
    assert [game["won"] for game in every["games"]] == [None, True, False, True]
    assert [game["n"] for game in every["games"]] == [1, 1, 1, 1]  # without the unplayed game
    (rate,) = every["rates"]
    assert (rate["level"], rate["games"], rate["wins"]) == ("beginner", 3, 2)
    assert (rate["best_seconds"], rate["score"]) == (1.0, None)
    assert (
        history.games(desk.store, ListGamesRequest(level="other"), "somebody")["games"][0]["rows"]
        == 2
    )
    assert (
        len(history.games(desk.store, ListGamesRequest(level="beginner"), "somebody")["games"]) == 3
    )
    first = history.games(desk.store, ListGamesRequest(limit=2), "somebody")
    rest = history.games(desk.store, ListGamesRequest(before=first["next"]), "somebody")
    assert first["games"] + rest["games"] == every["games"]
    assert history.games(desk.store, ListGamesRequest(), "other") == {
        "games": [],
        "next": None,
        "rates": [],
    }
    with pytest.raises(NoSuchGame):
        desk.find("no\0such game")
    name = every["games"][0]["game"]
    assert history.delete(desk.store, DeleteGamesRequest(game=name), "somebody") == {"deleted": 1}
    assert desk.store.turns(name, GRID) == []
    assert history.delete(desk.store, DeleteGamesRequest(all=True), "somebody") == {"deleted": 4}


def test_a_store_reconnects_after_the_database_was_down(postgres: Postgres) -> None:
    desk = Desk(Store(postgres.database()))
    game = desk.begin(Ground.asked(NewGameRequest(rules=ANY)), "").row.id
    move = MakeMoveRequest(game=game, cell=(0, 0), action="flag")
    postgres.stop()
    try:
        for _ in range(2):
            with pytest.raises(StoreFault):
                desk.move(move, "")
    finally:
        postgres.start()
    assert desk.move(move, "")["n"] == 1
    desk.store.close()


def test_no_password_is_printed() -> None:
    address = "postgresql://me:secret@db.example.org:5432/games?password=secret"
    assert name_of(address) == "postgresql://me@db.example.org:5432/games"
    with pytest.raises(MineproofError, match="cannot keep games in") as error:
        Store("postgresql://me:secret@/games?host=/nowhere")
    assert "secret" not in str(error.value)


def test_the_number_of_moves_per_game_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOVES", 2)
    desk = Desk(Store(tmp_path / "a.sqlite"))
    game = desk.begin(Ground.asked(NewGameRequest(rules=ANY)), "").row.id
    for action in ("flag", "unflag"):
        desk.move(MakeMoveRequest(game=game, cell=(0, 0), action=action), "")
    with pytest.raises(IllegalMove, match="at most 2 moves"):
        desk.move(MakeMoveRequest(game=game, cell=(0, 0), action="flag"), "")
    assert desk.move(MakeMoveRequest(game=game, action="stop"), "")["over"]


def test_a_store_in_memory_drops_the_oldest_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "GAMES_WITHOUT_STORE", 3)
    desk = Desk(Store(None))
    games = [desk.begin(Ground.asked(NewGameRequest()), "").row.id for _ in range(5)]
    for game in games[:2]:
        with pytest.raises(NoSuchGame):
            desk.find(game)
    assert [desk.find(game).row.id for game in games[2:]] == games[2:]


def test_a_move_that_cannot_be_stored_is_not_made(tmp_path: Path) -> None:
    """When there is room again, the game is as it was."""
    path = tmp_path / "a.sqlite"
    desk = Desk(Store(path))
    game = desk.begin(Ground.asked(NewGameRequest(rules=ANY)), "").row.id
    desk.store._base.execute("PRAGMA query_only=ON")
    move = MakeMoveRequest(game=game, cell=(0, 0), action="flag")
    with pytest.raises(StoreFault):
        desk.move(move, "")
    desk.store._base.execute("PRAGMA query_only=OFF")
    assert desk.find(game).turns == []
    assert desk.move(move, "")["n"] == 1


@pytest.mark.parametrize("content", [b"no database at all, but long" * 50, b"\0" * 99])
def test_a_file_that_is_not_a_store_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.sqlite"
    path.write_bytes(content)
    with pytest.raises(MineproofError, match="cannot keep games in"):
        Store(path)
    assert path.read_bytes() == content
    command = [sys.executable, "-m", "mineproof", "serve", "--no-browser", "--store", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "cannot keep games in" in done.stderr


def test_a_store_of_a_later_version_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    base = sqlite3.connect(path)
    base.execute("PRAGMA user_version=7")
    base.close()
    with pytest.raises(MineproofError, match="version 7"):
        Store(path)


def test_the_default_store_is_in_the_users_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if sys.platform != "linux":
        pytest.skip("the place is another one elsewhere")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert usual_path() == tmp_path / "mineproof" / "games.sqlite"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--workers", "2", "--store", "none"], "several workers need a store"),
        (["--workers", "0"], "--workers"),
        (["--port", "70000"], "--port"),
        (["--host", "no.such.host.invalid"], "cannot listen"),
        (["--request-timeout", "0"], "--request-timeout"),
        (["--agent", "nonsense"], "nonsense"),
    ],
)
def test_invalid_options_are_refused(options: list[str], words: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mineproof", "serve", "--no-browser"]
    if "--store" not in options:
        command += ["--store", str(tmp_path / "a.sqlite")]
    done = subprocess.run(
        [*command, *options], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
