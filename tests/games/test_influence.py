"""Every known cell follows from earlier ones, back to the cells opened by choice."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import asdict

import mineproof as mp
from mineproof.agents import Decision
from mineproof.cli import main
from mineproof.games.influence_trace import trace
from mineproof.messages.files import InfluenceEntry
from mineproof.reasoning.premises import PremiseFinder, Premises
from mineproof.world.clues import Exact
from mineproof.world.geometry import Cell
from mineproof.world.view import HIDDEN, KNOWN_SAFE, NO_CLUE, View
from tests.strategies import CLUE_MODELS, corners, games, seeds

NAMESPACE = "{http://graphml.graphdrawing.org/xmlns}"
ON = mp.Rules(on_mine="continue")
NODE = asdict(InfluenceEntry((9, 9), "choice"))


def a_game(agent: Any = "csp", seed: int = 4, **rules: Any) -> mp.Record:
    setting = mp.Rules(**({"on_mine": "continue", "opening": "safe"} | rules))
    return mp.play(mp.Deal(9, 9, 14), agent, rules=setting, seed=seed)


@pytest.mark.parametrize("agent", mp.agents.names())
def test_every_cell_except_choices_follows_from_earlier_ones(agent: str) -> None:
    for seed in range(4):
        graph = a_game(agent, seed).influence
        earlier: set[Cell] = set()
        for node in graph.nodes:
            assert bool(node.parents) == (node.kind != "choice"), node
            assert earlier.issuperset(node.parents), node
            assert len(set(node.parents)) == len(node.parents)
            earlier.add(node.cell)
        assert len(earlier) == len(graph.nodes)


@pytest.mark.parametrize("agent", ["baseline", "csp", "gauss", "linalg-count", "exact"])
def test_every_move_has_a_node(agent: str) -> None:
    """Choices are guesses and the start, and proved cells have the kind that was deduced."""
    record = a_game(agent, 7)
    graph = record.influence
    guessed = [move.cell for move in record.moves if not move.certain and move.action == "open"]
    first = record.moves[0].cell
    assert graph.choices == [first, *(cell for cell in guessed if cell != first)]
    assert {move.cell for move in record.moves if move.action in {"open", "flag"}} <= set(
        graph.depths
    )
    for node in graph.nodes:
        if node.kind != "choice":
            assert record.board.is_mine(node.cell) == (node.kind == "mine")


@given(seeds, st.sampled_from(CLUE_MODELS), st.booleans(), st.booleans())
@settings(max_examples=25)
def test_games_under_all_rules_and_clues_have_a_graph(
    seed: int, clues: Any, flood: bool, count_known: bool
) -> None:
    rules = mp.Rules(on_mine="continue", opening="clear", flood=flood, count_known=count_known)
    record = mp.play(mp.Deal(6, 6, 6), "exact", rules=rules, clues=clues, seed=seed)
    assert all(node.parents for node in record.influence.nodes if node.kind != "choice")


def test_depth_is_the_longest_path_from_a_choice() -> None:
    graph = a_game().influence
    children: dict[Cell, list[Cell]] = {node.cell: [] for node in graph.nodes}
    for node in graph.nodes:
        for parent in node.parents:
            children[parent].append(node.cell)
    longest = dict.fromkeys(children, 0)
    walk = [(cell, 0) for cell in graph.choices]
    while walk:
        cell, steps = walk.pop()
        for child in children[cell]:
            if steps + 1 > longest[child]:
                longest[child] = steps + 1
                walk.append((child, steps + 1))
    assert longest == graph.depths
    assert len(graph.longest) == 1 + max(longest.values())
    assert all(one in graph.parents(two) for one, two in pairwise(graph.longest))
    assert graph.longest[0] in graph.choices
    assert sum(graph.widths) == len(graph.nodes)
    assert graph.width == max(graph.widths)


def test_reach_is_the_distance_to_the_farthest_descendant() -> None:
    record = a_game()
    graph = record.influence
    farthest = {cell: 0 for cell in graph.depths if record.view.state(cell) <= 8}
    for cell in graph.depths:
        for row, col in graph.ancestors(cell):
            if (row, col) in farthest:
                distance = max(abs(row - cell[0]), abs(col - cell[1]))
                farthest[row, col] = max(farthest[row, col], distance)
    assert farthest == graph.reach


def test_a_row_of_four_worked_by_hand() -> None:
    """A 0 opens another 0, which opens a 1, whose only remaining neighbour is a mine."""
    record = mp.play(mp.Board.from_text("1x4/1 ...*"), "baseline", rules=ON, start=(0, 0))
    graph = record.influence
    assert list(graph.nodes) == [
        InfluenceEntry((0, 0), "choice"),
        InfluenceEntry((0, 1), "flood", "", ((0, 0),)),
        InfluenceEntry((0, 2), "flood", "", ((0, 1),)),
        InfluenceEntry((0, 3), "mine", "local", ((0, 2), (0, 1)), 1),
    ]
    assert graph.longest == [(0, 0), (0, 1), (0, 2), (0, 3)]
    assert graph.widths == [1, 1, 1, 1]
    assert graph.reach == {(0, 0): 3, (0, 1): 2, (0, 2): 1}
    assert graph.ancestors((0, 3)) == [(0, 0), (0, 1), (0, 2)]


def test_one_two_one_worked_by_hand() -> None:
    """a+b=1, a+b+c=2, b+c=1: a and c follow from two of these clues, b from all three."""
    prover = PremiseFinder(View.from_text("2x3 ???/121"))
    left, middle, right = (1, 0), (1, 1), (1, 2)
    # The clues used are open cells, too, and next to each other.
    assert prover.premises((0, 0), mine=True) == Premises(
        (middle, right), (left, middle, right), False
    )
    assert prover.premises((0, 2), mine=True) == Premises(
        (left, middle), (left, middle, right), False
    )
    found = prover.premises((0, 1), mine=False)
    assert found is not None
    assert found.clues == (left, middle, right)
    assert prover.premises((0, 1), mine=True) is None


def test_the_count_can_be_the_only_premise() -> None:
    prover = PremiseFinder(View.from_text("1x4/1 *???"))
    assert prover.premises((0, 2), mine=False) == Premises((), (), True)
    assert prover.premises((0, 2), mine=True) is None


def test_near_clues_are_preferred() -> None:
    """A chain of 1s can be deduced from both ends; a cell follows from the nearer one."""
    prover = PremiseFinder(View.from_text("1x11 1?1?1?1?1?1"))
    rests = {1: [0], 3: [0, 2], 7: [8, 10], 9: [10]}
    for col, clues in rests.items():
        found = prover.premises((0, col), mine=col in {1, 9})
        assert found is not None
        assert found.clues == tuple((0, clue) for clue in clues)
        assert not found.count_used


def test_an_impossible_view_proves_nothing() -> None:
    prover = PremiseFinder(View.from_text("2x3/2 ???/141"))
    for mine in (True, False):
        assert prover.premises((0, 0), mine=mine) is None


def only(view: View, clues: set[Cell], *, count: bool) -> View:
    """The view with only these clues, and with the count only if it is used."""
    states = bytes(
        NO_CLUE if state <= 8 and view.grid.cell(index) not in clues else state
        for index, state in enumerate(view.states)
    )
    return View(view.grid, states, view.mines if count else None)


def certain(view: View, cell: Cell, mine: bool) -> bool:
    posterior = mp.posterior(view)
    return cell in (posterior.mined if mine else posterior.safe)


@given(corners(st.just(Exact())) | games(st.just(Exact())))
@settings(max_examples=60)
def test_premises_suffice_and_all_are_needed(game: mp.Game) -> None:
    view = game.view
    posterior = mp.posterior(view)
    prover = PremiseFinder(view)
    for mine, cells in ((True, posterior.mined), (False, posterior.safe)):
        for cell in cells:
            found = prover.premises(cell, mine=mine)
            assert found is not None
            clues = set(found.clues)
            assert certain(only(view, clues, count=found.count_used), cell, mine)
            for clue in clues:
                assert not certain(only(view, clues - {clue}, count=found.count_used), cell, mine)
            if found.count_used:
                assert not certain(only(view, clues, count=False), cell, mine)


@given(corners(st.just(Exact())) | games(st.just(Exact())))
@settings(max_examples=40)
def test_only_certain_cells_have_premises(game: mp.Game) -> None:
    view = game.view
    posterior, prover = mp.posterior(view), PremiseFinder(view)
    for cell in view.cells(HIDDEN):
        for mine, cells in ((True, posterior.mined), (False, posterior.safe)):
            assert (prover.premises(cell, mine=mine) is not None) == (cell in cells)


class Careful:
    """A user's agent: opens certainly safe cells, otherwise the first cell."""

    name = "careful"

    def decide(self, view: View, **_: Any) -> Decision:
        safe = mp.posterior(view).safe
        cell = safe[0] if safe else view.cells(HIDDEN, KNOWN_SAFE)[0]
        return Decision(cell, "open", None, bool(safe), "certain" if safe else "the first cell")


def test_games_of_users_agents_have_a_graph() -> None:
    record = a_game(Careful())
    graph = record.influence
    kinds = {node.cell: node.kind for node in graph.nodes}
    proved = [move.cell for move in record.moves[1:] if move.certain]
    assert proved
    assert {kinds[cell] for cell in proved} <= {"safe", "flood"}
    assert all(graph.parents(cell) for cell in proved)


def test_a_claim_without_a_proof_is_a_choice() -> None:
    def boast(view: View, **_: Any) -> Decision:
        return Decision(view.cells(HIDDEN)[0], "open", None, True, "I know")

    graph = mp.play(mp.Board.from_text("1x4/2 .**."), boast, rules=ON).influence
    # The second and the third cell are provably mines, yet the agent opens them.
    assert graph.choices == [(0, 0), (0, 1), (0, 2)]
    assert graph.node((0, 3)).count_used  # both mines have exploded


def test_a_game_can_be_traced_with_a_given_recipe() -> None:
    record = a_game("gauss")
    setting = record.first, record.rules, record.clues, record.seed
    assert trace(*setting, record.turns, mp.agents.get("gauss")) == record.influence


def test_the_longest_known_chain_is_reproduced() -> None:
    """The board from `docs/lab/influence.md` has the chain length stated there."""
    root = Path(__file__).parents[2]
    text = (root / "benchmarks" / "longest_chain.txt").read_text()
    document = (root / "docs" / "lab" / "influence.md").read_text()
    board = mp.Board.from_text(text)
    rules = mp.Rules(on_mine="continue", opening="clear")
    record = mp.play(board, "baseline", rules=rules, start=(0, 0), seed=0)
    assert (board.rows, board.cols, board.mine_count) == (16, 16, 40)
    assert f"**{len(record.influence.longest)} cells**" in document
    assert text in document
    drawn = (root / "docs" / "images" / "longest.svg").read_text()
    assert record.influence.to_svg() == drawn


def test_json_round_trips() -> None:
    graph = a_game().influence
    assert mp.Influence.from_json(json.dumps(graph.to_json())) == graph


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "not a chain of influence"),
        ({"view": "nonsense"}, "in a chain of influence"),
        ({"\ud800": 1}, "in a chain of influence: a chain of influence is not valid"),
        ({"nodes": [{"cell": [0, 0]}]}, "in a chain of influence: 'nodes[0]' needs 'kind'"),
        ({"nodes": [NODE]}, "outside the board"),
        (
            {"nodes": [NODE | {"cell": [0, 0], "kind": "magic"}]},
            "unknown value of 'nodes[0].kind' 'magic'",
        ),
        ({"nodes": [NODE | {"cell": [0, 0], "parents": [[0, 1]]}]}, "rests on (0,1), which comes"),
        ({"nodes": [NODE | {"cell": [0, 0]}] * 2}, "appears twice"),
    ],
)
def test_bad_json_is_refused(change: dict[str, Any], message: str) -> None:
    data = a_game().influence.to_json() | change
    with pytest.raises(mp.FormatError) as error:
        mp.Influence.from_json(data)
    assert message in str(error.value)


def test_a_cell_that_was_not_deduced_is_an_error() -> None:
    graph = mp.play(mp.Board.from_text("2x2/1 *./.."), "random", seed=1).influence
    unsettled = next(cell for cell in ((0, 0), (0, 1), (1, 0), (1, 1)) if cell not in graph)
    with pytest.raises(mp.InvalidInput, match="did not become known"):
        graph.depth(unsettled)


def test_graphml_holds_the_same_graph() -> None:
    graph = a_game().influence
    root = ElementTree.fromstring(graph.to_graphml().encode())
    assert root.tag == f"{NAMESPACE}graphml"
    keys = {key.attrib["id"] for key in root.iter(f"{NAMESPACE}key")}
    names = {f"{row},{col}" for row, col in graph.depths}
    assert [node.attrib["id"] for node in root.iter(f"{NAMESPACE}node")] == [
        f"{node.cell[0]},{node.cell[1]}" for node in graph.nodes
    ]
    assert {data.attrib["key"] for data in root.iter(f"{NAMESPACE}data")} <= keys
    edges = [(e.attrib["source"], e.attrib["target"]) for e in root.iter(f"{NAMESPACE}edge")]
    assert len(edges) == len(set(edges)) == sum(len(node.parents) for node in graph.nodes)
    assert names.issuperset(name for edge in edges for name in edge)


def test_the_picture_names_every_depth_and_draws_the_chain() -> None:
    graph = a_game().influence
    root = ElementTree.fromstring(graph.to_svg())
    svg = "{http://www.w3.org/2000/svg}"
    written = [text.text for text in root.iter(f"{svg}text")]
    for depth in graph.depths.values():
        assert str(depth) in written
    arrows = [path for path in root.iter(f"{svg}path") if "marker-end" in path.attrib]
    assert len(arrows) == len(graph.longest)  # one per step, and one in the legend
    empty = mp.Influence(View.hidden(2, 2), ())
    ElementTree.fromstring(empty.to_svg())
    assert (empty.longest, empty.width, empty.reach) == ([], 0, {})


def test_the_command_reads_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, svg, graphml = (tmp_path / name for name in ("game.json", "a.svg", "a.graphml"))
    game = a_game()
    record.write_text(json.dumps(game.to_json()))
    files = ["--svg", str(svg), "--graphml", str(graphml)]
    assert main(["influence", str(record), *files]) == 0
    said = capsys.readouterr().out
    assert f"longest chain: {len(game.influence.longest)} cells" in said
    assert f"width: at most {game.influence.width} cells" in said
    assert svg.read_text() == game.influence.to_svg()
    assert graphml.read_text() == game.influence.to_graphml()
    assert main(["influence", str(record), "--json"]) == 0
    assert mp.Influence.from_json(capsys.readouterr().out) == game.influence
