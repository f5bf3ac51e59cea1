"""Every message gets a response, and every failure is an error response."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineproof as mp
from mineproof.messages.requests import OLD_NAMES, SOLVER
from mineproof.protocol import Session, error_answer, read_line, write_line
from tests.messages.conformity import check_response

GUESS = "4x4/4 01?1/12?1/??32/????"
CERTAIN = "3x5/3 ?????/?12??/?????"


def ask(session: Session | None = None, /, **message: Any) -> dict[str, Any]:
    """The decoded response."""
    answer: dict[str, Any] = json.loads(write_line((session or Session()).answer(message)))
    check_response(answer)
    return answer


def kind(answer: dict[str, Any]) -> str:
    found: str = answer["error"]["kind"]
    return found


def test_hello_lists_what_the_session_supports() -> None:
    answer = ask(method="hello", id="x")
    assert answer["id"] == "x"
    assert answer["protocol"] == 2
    assert answer["methods"] == list(SOLVER) == list(answer["fields"])
    assert answer["fields"]["explain"] == list(SOLVER["explain"].__struct_fields__)
    assert answer["clues"] == ["exact", "sometimes", "optimistic", "cautious", "table"]
    assert answer["agents"] == mp.agents.names()
    assert answer["levels"]["expert"] == {"rows": 16, "cols": 30, "mines": 99}


def test_version_1_keeps_its_own_names() -> None:
    old, new = ask(do="hello"), ask(method="hello")
    assert (old["do"], new["method"]) == ("hello", "hello")
    assert old.pop("protocol") == 1
    assert old.pop("verbs") == [*old["fields"]]
    assert "methods" not in old
    assert {OLD_NAMES.get(name, name): fields for name, fields in old["fields"].items()} == (
        new["fields"]
    )
    session = Session()
    ask(session, do="new", deal={"rows": 2, "cols": 2, "mines": 1})
    data = ask(session, do="tell", shows=[[[0, 0], 1]])
    ask(session, method="undo")
    shown = ask(session, method="show", shows=[[[0, 0], 1]])
    assert (data.pop("do"), shown.pop("method")) == ("tell", "show")
    assert data == shown
    for wrong in ({"do": "show"}, {"method": "tell"}):
        assert kind(ask(**wrong)) == "unknown"


def test_a_request_uses_one_version() -> None:
    answer = ask(do="hello", method="hello", id=1)
    assert (answer["id"], answer["do"], kind(answer)) == (1, "hello", "invalid")
    assert "not both" in answer["error"]["message"]


def test_odds_equal_the_library() -> None:
    answer = ask(do="odds", view=GUESS, best=2, zeros=True, win=True)
    odds = mp.posterior(mp.View.from_text(GUESS))
    assert answer["risk"][3][1] == odds.risk[3, 1]
    assert [one["cell"] for one in answer["best"]] == [[0, 2], [2, 0]]
    data = {"chance": 0.6, "error": 0.0, "exact": True, "interval": [0.6, 0.6]}
    assert answer["win"] == data
    shown = mp.value_odds(mp.View.from_text(GUESS), (3, 0)).shown
    assert answer["zeros"][3][0] == shown.get(0, 0.0)
    assert answer["zeros"][0][0] is None


def test_a_move_has_its_reason_and_the_other_candidates() -> None:
    answer = ask(do="go", view=GUESS, agent="champion", budget="fast")
    assert (answer["cell"], answer["win"]) == ([2, 0], 0.6)
    assert answer["candidates"][0]["cell"] == [2, 0]
    assert "perfect play" in answer["reason"]


def test_a_flag_is_a_move_only_if_steps_are_requested() -> None:
    view = "2x3/1 1??/11?"
    step = ask(do="go", view=view, agent="baseline", step=True)
    assert (step["action"], step["cell"]) == ("flag", [0, 1])
    whole = ask(do="go", view=view, agent="baseline")
    assert (whole["flags"], whole["action"]) == ([[0, 1]], "open")


def test_explain_takes_one_cell_all_cells_or_the_easiest() -> None:
    one = ask(do="explain", view=CERTAIN, cell=[0, 0])
    assert one == json.loads(
        json.dumps({"do": "explain", **mp.explain(mp.View.from_text(CERTAIN), (0, 0)).to_json()})
    )
    every = ask(do="explain", view=CERTAIN, all=True)
    assert len(every["proofs"]) == len(every["safe"]) + len(every["mined"])
    assert ask(do="explain", view=GUESS)["may_guess"] is True


def test_events_lead_to_the_same_decision_as_the_whole_view() -> None:
    session = Session()
    ask(session, do="new", deal={"rows": 4, "cols": 4, "mines": 3}, agent="exact", seed=7)
    game = mp.Game.deal(4, 4, 3, rules=mp.Rules(opening="safe"), seed=3)
    while not game.over:
        move = ask(session, do="go", step=True)
        again = ask(
            do="go",
            step=True,
            view=game.view.to_text(),
            rules=game.rules.to_json(),
            agent="exact",
            seed=7,
        )
        assert move | {"reason": "", "why": None} == again | {"reason": "", "why": None}
        events = game.play(tuple(move["cell"]), move["action"])
        view = game.view
        data = [
            [*one.cell, view.to_text().split(" ")[1].split("/")[one.cell[0]][one.cell[1]]]
            for one in events
        ]
        assert ask(session, do="position", events=data)["view"] == view.to_text()


def test_answers_from_another_programs_board_change_the_advice() -> None:
    session = Session()
    ask(session, do="new", deal={"rows": 2, "cols": 2, "mines": 1})
    first = ask(session, do="go")
    clash = ask(session, do="tell", shows=[[first["cell"], 0]])
    assert kind(clash) == "contradiction"
    assert clash["error"]["cells"] == [first["cell"]]
    data = ask(session, do="tell", shows=[[None, 1]])
    assert data["safe"] == []
    assert ask(session, do="go")["risk"] == pytest.approx(1 / 3)
    assert ask(session, do="undo")["view"] == "2x2/1 ??/??"
    assert kind(ask(session, do="undo")) == "invalid"
    ask(session, do="tell", shows=[[first["cell"], 1]])
    over = ask(session, do="tell", shows=[[None, "mine"]])["over"]
    assert (over["outcome"], over["hit"]) == ("lost", 1)
    assert kind(ask(session, do="go")) == "illegal"


def test_boards_are_generated_and_graded() -> None:
    made = ask(do="generate", deal={"level": "beginner"}, no_guess=True, count=2, seed="5")
    assert [one["board"] for one in made["boards"]] == [
        board.to_text()
        for board in mp.generate(
            9, 9, 10, count=2, seed=5, start=(0, 0), opening="safe", no_guess=True
        )
    ]
    graded = ask(do="grade", board=made["boards"][0]["board"])
    assert graded["no_guess"] is True


def test_a_record_has_its_chain_of_influence() -> None:
    record = mp.play(mp.Deal(5, 5, 4), "exact", rules=mp.Rules(opening="safe"), seed=2)
    whole = ask(do="influence", record=json.loads(json.dumps(record.to_json())))
    assert whole["longest"] == [list(cell) for cell in record.influence.longest]
    cell = whole["longest"][-1]
    data = ask(do="influence", record=json.loads(json.dumps(record.to_json())), cell=cell)
    assert data["depth"] == len(whole["longest"]) - 1


def test_invalid_requests_are_refused_by_field() -> None:
    for message, found, words in [
        ({"do": "odd"}, "unknown", "did you mean 'odds'?"),
        ({"do": "odds", "veiw": GUESS}, "unknown", "did you mean 'view'?"),
        ({"do": "odds"}, "invalid", "no position:"),
        ({"do": "odds", "view": 3}, "invalid", "'view' must be a string"),
        ({"do": "odds", "view": GUESS, "best": 0}, "invalid", "from 1 to"),
        ({"do": "new"}, "invalid", "'new' needs 'deal'"),
        ({"do": "new", "deal": {"level": "expret"}}, "unknown", "did you mean 'expert'?"),
        ({"do": "new", "deal": {"level": "expert", "rows": 3}}, "invalid", "either a level or"),
        ({"do": "go", "view": GUESS, "agent": "os:system"}, "unknown", "unknown agent 'os'"),
        ({"do": "go", "view": GUESS, "agent": "engine:ls"}, "unknown", "unknown agent"),
        ({"do": "go", "view": GUESS, "clues": "table:/etc/passwd"}, "invalid", "JSON list"),
        ({"do": "go", "view": GUESS, "agent": "exact", "budget": "max"}, "unknown", "budget"),
        ({"do": "odds", "view": "2x3/2 ???/141"}, "contradiction", "is impossible"),
        ({"do": "position", "events": [[0, 0, "x"]]}, "invalid", "one of"),
        ({"do": "generate", "deal": {"level": "expert"}, "count": 10**6}, "invalid", "to 1000"),
        ({}, "invalid", "must be a string, the name of a method"),
        ({"method": 3}, "invalid", "'method' must be a string, got 3"),
        ({"method": "odds", "veiw": GUESS}, "unknown", "did you mean 'view'?"),
        ({"method": "new", "deal": {"rows": 0}}, "invalid", "'deal.rows' must be from 1"),
        ([], "invalid", "must be an object"),
    ]:
        answer = Session().answer(message)
        assert kind(answer) == found, answer
        assert words in answer["error"]["message"], answer
        assert "\n" not in answer["error"]["message"]


def test_a_larger_board_than_allowed_is_refused() -> None:
    session = Session(most_cells=100)
    assert kind(ask(session, do="new", deal={"level": "expert"})) == "invalid"
    assert kind(ask(session, do="odds", view=mp.View.hidden(11, 10, 3).to_text())) == "invalid"
    assert "view" in ask(session, do="new", deal={"level": "beginner"})


def test_own_agents_are_only_those_passed_to_the_session() -> None:
    mine = mp.agents.get("baseline")
    session = Session({"mine": mine})
    assert ask(session, do="go", view=CERTAIN, agent="mine")["cell"] is not None
    assert ask(session, do="hello")["agents"][0] == "mine"


def test_an_internal_error_is_a_response_too(caplog: pytest.LogCaptureFixture) -> None:
    answer = error_answer({"do": "odds", "id": 7}, ZeroDivisionError("oops"))
    assert (answer["id"], kind(answer)) == (7, "fault")
    assert "ZeroDivisionError" in caplog.text


plain = st.none() | st.booleans() | st.integers(-3, 40) | st.floats(allow_nan=False)
json_values = st.recursive(
    plain | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)
likely = st.sampled_from([GUESS, CERTAIN, "exact", {"rows": 3, "cols": 3, "mines": 2}])
names = st.sampled_from(sorted({name for one in SOLVER.values() for name in one.__struct_fields__}))
scripts = st.lists(
    st.tuples(
        st.sampled_from([*SOLVER, *OLD_NAMES, "nonsense"]),
        st.sampled_from(["do", "method"]),
        st.dictionaries(names, json_values | likely, max_size=4),
    ),
    max_size=4,
)


@given(scripts)
def test_no_message_breaks_a_session(
    script: list[tuple[str, str, dict[str, Any]]],
) -> None:
    session = Session(most_cells=400)
    for method, key, fields in script:
        answer = ask(session, **{**fields, key: method})
        assert answer[key] == method
        assert "error" not in answer or kind(answer) not in {"fault", "stopped"}


@pytest.mark.parametrize("line", ["", "[]", "3", "{", "NaN", '{"do": NaN}', "[" * 100_000, "\xff"])
def test_a_line_that_is_not_a_message_is_refused(line: str) -> None:
    with pytest.raises(mp.FormatError, match="expected a "):
        read_line(line)


def test_a_search_is_bounded_if_the_transport_says_so() -> None:
    session = Session(most_generated=1000, most_dealt=10_000)
    deal = {"rows": 5, "cols": 5, "mines": 3}
    ask = {"do": "generate", "deal": deal, "seed": 1}
    assert len(session.answer(ask | {"count": 40})["boards"]) == 40
    error = session.answer(ask | {"count": 41})["error"]
    assert error["kind"] == "invalid"
    assert (
        "at most 1000 cells here, got 41 boards of 25 cells each: ask for fewer boards"
        in error["message"]
    )
    assert session.answer(ask | {"no_guess": True, "tries": 400})["boards"]
    error = session.answer(ask | {"no_guess": True, "tries": 401})["error"]
    assert "got 1 boards x 401 tries x 25 cells" in error["message"]
    assert "error" in session.answer(ask | {"no_guess": True})  # `tries` has a default
    assert session.answer(ask | {"tries": 1_000_000})["boards"]  # no search


IDS = [0, -7, 1.5, 1e300, 10**63, "", "x" * 64, "ü\U0001f4a3", "\n"]
ODD_IDS = [float("inf"), float("nan"), 10**64, 10**4000, -(10**63), "x" * 65, "x" * 10**6]
ODD_IDS += [
    "\ud800",
    "\udc00x",
    True,
    False,
    [],
    [1],
    {},
    {"id": 1},
    json.loads("[" * 900 + "]" * 900),
]


@pytest.mark.parametrize("name", IDS)
def test_an_id_is_echoed(name: Any) -> None:
    assert ask(do="quit", id=name) == {"id": name, "do": "quit"}
    assert ask(do="stop", of=name)["do"] == "stop"


@pytest.mark.parametrize("name", ODD_IDS, ids=lambda name: str(type(name)))
def test_any_other_id_is_refused_and_not_echoed(name: Any) -> None:
    allowed = "must be a string or number of at most 64 characters, got"
    assert allowed in ask(do="quit", id=name)["error"]["message"]
    for answer in (ask(do="quit", id=name), ask(do="stop", of=name)):
        assert ("id" not in answer, kind(answer)) == (True, "invalid")
        assert len(json.dumps(answer)) < 300


def test_a_null_id_is_no_id() -> None:
    assert ask(do="quit", id=None) == {"do": "quit"}


def test_a_long_method_name_is_not_echoed() -> None:
    answer = ask(do="x" * 10**6, id=1)
    assert (answer["id"], answer["do"], kind(answer)) == (1, None, "unknown")


@pytest.mark.parametrize(
    "fields",
    [
        {"do": "\ud800"},
        {"do": "odds", "view": "\ud800"},
        {"do": "odds", "\udfff": 1},
        {"do": "go", "rules": {"opening": "\ud800"}},
        {"do": "tell", "shows": [[["\ud800"]]]},
    ],
)
def test_lone_surrogates_are_refused_everywhere(fields: dict[str, Any]) -> None:
    answer = ask(id=1, **fields)
    assert (answer["id"], kind(answer)) == (1, "invalid")
    assert "lone surrogate" in answer["error"]["message"]
    json.dumps(answer, ensure_ascii=False).encode()
