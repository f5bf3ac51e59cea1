"""The responses about deductions: proofs, reasoners, chains of influence, grades."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, UnsetType

from mineproof.messages.results import BoardFigures, Cells, Response, ResponsePart, Sentence
from mineproof.messages.values import Cell, Reasoning, about
from mineproof.world.board import Opening

StepKind = Literal["clue", "pattern", "subset", "pair", "sum", "count", "cases"]


class CellVerdict(ResponsePart):
    """A cell that is proved."""

    cell: Annotated[Cell, about("the cell")]
    mine: Annotated[bool, about("whether it is a mine")]


class CaseLineData(ResponsePart):
    """A line of an argument by cases."""

    what: Annotated[
        Literal["assume", "force", "clash"],
        about("an assumption, what a clue then forces, or a contradiction"),
    ]
    depth: Annotated[int, about("how many assumptions hold")]
    clues: Annotated[list[Cell | None], about("the clues that are used; null for the mine count")]
    cells: Annotated[Cells, about("the cells that the line is about")]
    mine: Annotated[bool, about("whether they are mines")]


class ProofStepData(ResponsePart, kw_only=True):
    """A step of a proof."""

    kind: Annotated[StepKind, about("the kind of step, from easy to hard")]
    clues: Annotated[Cells, about("the cells whose clues are used")]
    count_used: Annotated[bool, about("whether the mine count is used")]
    settled: Annotated[list[CellVerdict], about("the cells that the step proves")]
    signs: Annotated[list[int] | UnsetType, about("the signs with which clues are added")] = UNSET
    lines: Annotated[
        list[CaseLineData] | UnsetType, about("the lines of an argument by cases")
    ] = UNSET  # fmt: skip
    why: Annotated[Sentence, about("the step as data")]
    words: Annotated[str, about("the step in words")]


class ProofData(Response):
    """The proof of a cell."""

    cell: Annotated[Cell, about("the cell")]
    mine: Annotated[bool, about("whether it is a mine")]
    risk: Annotated[float, about("its mine probability, 0 or 1")]
    clues: Annotated[Cells, about("the cells whose clues the proof uses")]
    count_used: Annotated[bool, about("whether it also uses the mine count")]
    least: Annotated[bool, about("whether no smaller set of clues proves it")]
    irreducible: Annotated[bool, about("whether no clue can be left out, nor the count")]
    ease: Annotated[StepKind | Literal[""], about("the kind of the hardest step, if any")]
    refutes_flag: Annotated[bool, about("whether the cell is flagged although it is safe")]
    steps: Annotated[list[ProofStepData], about("the steps, from the clues to the cell")]
    verdict: Annotated[Sentence, about("the first line of the proof as data")]
    words: Annotated[str, about("the proof in words")]


class Configurations(ResponsePart):
    """Numbers of configurations."""

    mine: Annotated[int | float, about("with a mine in the cell")]
    safe: Annotated[int | float, about("without one")]


class DecidingCell(ResponsePart):
    """The cell whose opening would most likely decide another one."""

    cell: Annotated[Cell, about("the cell to open")]
    chance: Annotated[float, about("the probability that it decides the other one")]


class UndecidedCell(Response):
    """What is known about a cell that is not certain."""

    cell: Annotated[Cell, about("the cell")]
    mine: Annotated[None, about("null: neither is proved")]
    risk: Annotated[float, about("its mine probability")]
    arrangements: Annotated[
        Configurations | None, about("the numbers of configurations, unless there are too many")
    ]
    witnesses: Annotated[
        tuple[Cells, Cells] | None,
        about("the mines of two configurations: one with a mine in the cell, one without"),
    ]
    settler: Annotated[DecidingCell | None, about("the cell that would most likely decide it")]
    notes: Annotated[list[Sentence], about("what is known about it, as data")]
    verdict: Annotated[Sentence, about("the first line as data")]
    words: Annotated[str, about("the same in words")]


class CertainCells(Response):
    """The certain cells, with proofs."""

    may_guess: Annotated[bool, about("whether no cell is certainly safe")]
    safe: Annotated[Cells, about("the cells that are certainly safe")]
    mined: Annotated[Cells, about("the cells that are certainly mines")]
    wrong_flags: Annotated[Cells, about("the flagged cells that are safe")]
    easiest: Annotated[ProofData | None, about("the proof that is easiest to see")]
    proofs: Annotated[list[ProofData] | UnsetType, about("on request: all proofs")] = UNSET


class DeducedCell(CellVerdict, kw_only=True):
    """A cell that a reasoner deduces."""

    rule: Annotated[str, about("the rule")]
    clues: Annotated[Cells, about("the cells whose clues were used")]
    why: Annotated[str, about("the reason in words")]


class ReasonerResultData(ResponsePart):
    """What one reasoner deduces."""

    name: Annotated[str, about("its name")]
    title: Annotated[str, about("its name for people")]
    about: Annotated[str, about("what it does")]
    settled: Annotated[list[DeducedCell], about("the cells that it deduces")]
    first: Annotated[Cells, about("those that no reasoner before it deduces")]
    missed: Annotated[Cells, about("the certain cells that it does not deduce")]
    whole: Annotated[
        bool, about("false if the position is too large for it and it may deduce more")
    ]


class ReasonerResults(Response):
    """What each reasoner deduces."""

    reasoners: Annotated[list[ReasonerResultData], about("the reasoners, the weakest first")]


class InfluenceNode(ResponsePart):
    """A known cell and what it rests on."""

    cell: Annotated[Cell, about("the cell")]
    kind: Annotated[
        Literal["choice", "told", "flood", "safe", "mine"],
        about("by choice, by the opening rule, opened by a zero, or proved"),
    ]
    rule: Annotated[str, about("the rule that proved it, or an empty string")]
    parents: Annotated[Cells, about("the cells that it rests on")]
    clues: Annotated[int, about("how many of the parents, from the first, are clues")]
    count_used: Annotated[bool, about("whether the mine count was used")]
    depth: Annotated[int, about("the length of the longest chain to it")]
    reach: Annotated[
        int | None, about("for a clue: the distance to the farthest cell that rests on it")
    ]


class InfluenceGraph(Response):
    """The chain of influence of a game."""

    format: Annotated[str, about("the name of the format")]
    view: Annotated[str, about("the final position")]
    longest: Annotated[Cells, about("a longest chain")]
    width: Annotated[int, about("the maximum number of cells at the same depth")]
    choices: Annotated[Cells, about("the cells that were opened or flagged by choice")]
    nodes: Annotated[list[InfluenceNode], about("the known cells in the order of the game")]
    claimed: Annotated[
        bool | UnsetType, about("true: the agent is not sound, so proofs are only claims")
    ] = UNSET


class CellInfluence(Response):
    """The cells on which one deduction rests."""

    cell: Annotated[Cell, about("the cell")]
    depth: Annotated[int, about("the length of the longest chain to it")]
    chain: Annotated[Cells, about("a longest chain to it")]
    ancestors: Annotated[Cells, about("all cells on which it rests")]
    steps: Annotated[list[Sentence], about("the deductions as data, after a heading")]
    words: Annotated[list[str], about("the same in words")]


class LargestProof(ResponsePart):
    """The largest proof that a board needs."""

    cell: Annotated[Cell, about("the cell that it proves")]
    clues: Annotated[Cells, about("the cells whose clues it uses")]
    count_used: Annotated[bool, about("whether it also uses the mine count")]
    least: Annotated[bool, about("whether no smaller set of clues proves the cell")]
    ease: Annotated[StepKind | Literal[""], about("the kind of its hardest step, if any")]
    size: Annotated[int, about("the number of its clues")]
    view: Annotated[str, about("the position in which it is needed")]


class BoardGrade(Response, BoardFigures):
    """How difficult a board is."""

    board: Annotated[str, about("the board")]
    start: Annotated[Cell, about("the first cell")]
    opening: Annotated[Opening, about("what is guaranteed about the first cell")]
    no_guess: Annotated[bool, about("whether it can be solved without guessing")]
    reasoning: Annotated[Reasoning, about("the highest level of reasoning that is needed")]
    steps: Annotated[int, about("how many positions need that level")]
    times: Annotated[dict[Reasoning, int], about("by level: how many positions need it")]
    proof: Annotated[LargestProof | None, about("the largest proof that is needed")]
    chain: Annotated[int, about("the length of the longest chain of influence")]
    guesses: Annotated[int, about("the number of forced guesses")]
    risks: Annotated[list[float], about("their mine probabilities")]
    chance: Annotated[float, about("the probability of surviving all guesses")]
