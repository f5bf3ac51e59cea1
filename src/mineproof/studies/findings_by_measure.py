"""Findings about particular measures: chains of influence, claimed risks, wins and times."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from mineproof.studies.charts import name, where
from mineproof.studies.summary import Summary, SummaryRow
from mineproof.studies.wording import write, write_interval


def findings_by_measure(summary: Summary) -> Iterator[str]:
    """The sentences about the measures that this study has."""
    for measure, sentences in _OWN.items():
        if summary.of(measure):
            yield from sentences(summary)


def _chains(summary: Summary) -> Iterator[str]:
    rows = summary.of("longest_chain")
    for agent in dict.fromkeys(row.point.agent for row in rows):
        most = max((row for row in rows if row.point.agent == agent), key=lambda row: row.mean)
        yield (
            f"{agent}: chains are longest on {most.point.board}: {write(most.mean, 'count')} cells "
            f"({write_interval(most.low, most.high, 'count')}), n = {most.n}."
        )
    bare = [row for row in rows if row.point.mines == 0]
    if bare:
        length = write(bare[0].mean, "count")
        yield f"On a board without mines the longest chain has {length} cells."


def _surprises(summary: Summary) -> Iterator[str]:
    """The share of guesses in the interior, and the share that are not the safest."""
    guesses = {row.point: row for row in summary.of("guesses")}
    for measure, words in (
        ("far_guesses", "at an interior cell (not next to any clue)"),
        ("riskier_guesses", "riskier than the safest cell (by exact probabilities)"),
    ):
        shares = [
            f"{name('agent', row.point.agent)} on {row.point.board} "
            f"{100 * row.mean / guesses[row.point].mean:.0f} %"
            for row in summary.of(measure)
            if guesses[row.point].mean > 0
        ]
        yield f"Guesses {words}: {', '.join(shares)}."


def _claims(summary: Summary) -> Iterator[str]:
    rows = summary.of("mined")
    for point in dict.fromkeys(row.point for row in rows):
        mine = [row for row in rows if row.point == point]
        true = sum(row.low <= (row.claimed or 0) <= row.high for row in mine)
        n = sum(row.n for row in mine)
        off = math.fsum(row.n * (row.mean - (row.claimed or 0)) for row in mine) / n
        yield (
            f"{name('agent', point.agent)} on {where(point)}: in {true} of {len(mine)} bins the "
            "claimed risk lies within the 95 % CI of the observed share of mines. On average the "
            f"share is {100 * abs(off):.1f} points {'above' if off > 0 else 'below'} the claimed "
            f"risk, n = {n} cells."
        )
    wrong = math.fsum(row.n * row.mean for row in summary.of("certain_wrong"))
    certain = math.fsum(row.n * row.mean for row in summary.of("certain"))
    yield f"{wrong:,.0f} of {certain:,.0f} moves called certain were wrong."


_FEW = 3
"""Win rates on more boards than this are shown in a table."""


def wins_by_place(summary: Summary) -> dict[str, list[SummaryRow]]:
    """Win rates by board, with a row per agent, if the study is about wins."""
    plots = summary.study.plots
    if not plots or plots[0].y != "win" or plots[0].lines == ("count_known",):
        return {}
    groups: dict[str, list[SummaryRow]] = {}
    for row in summary.of("win"):
        groups.setdefault(where(row.point), []).append(row)
    return groups


def wants_table(groups: dict[str, list[SummaryRow]]) -> bool:
    """Whether there are enough boards for a table instead of sentences."""
    return len(groups) > _FEW


def _wins(summary: Summary) -> Iterator[str]:
    """The win rates of all agents, best first, on a few boards."""
    groups = wins_by_place(summary)
    if wants_table(groups):
        return
    for place, rows in groups.items():
        rows.sort(key=lambda row: -row.mean)
        rates = "; ".join(
            f"{name('agent', row.point.agent)} {write(row.mean, 'percent')} "
            f"({write_interval(row.low, row.high, 'percent')})"
            for row in rows
        )
        least, most = min(row.n for row in rows), max(row.n for row in rows)
        n = f"n = {most}" if least == most else f"n = {least} to {most}"
        yield f"Games won on {place}: {rates}; {n}."


def _faults(summary: Summary) -> Iterator[str]:
    """The agents that forfeited games by faults, and on which boards."""
    for row in summary.of("faults"):
        if row.mean:
            yield (
                f"{name('agent', row.point.agent)} on {where(row.point)} forfeited "
                f"{round(row.mean * row.n)} of {row.n} games: it raised an error, exceeded the "
                "time limit or made an illegal move."
            )


def _times(summary: Summary) -> Iterator[str]:
    """CPU time of the agents, fastest first; or how it grows with the board."""
    if "growth" in summary.study.findings:
        yield from _growth(summary)
        return
    if not summary.study.plots or summary.study.plots[0].y != "cpu_seconds":
        return
    for board in dict.fromkeys(row.point.board for row in summary.rows):
        rows = [row for row in summary.of("cpu_seconds") if row.point.board == board]
        rows.sort(key=lambda row: row.mean)
        times = ", ".join(
            f"{name('agent', row.point.agent)} {write(row.mean, 'seconds')}" for row in rows
        )
        yield f"CPU time per game on {board}: {times}."


def _growth(summary: Summary) -> Iterator[str]:
    """How time grows with the cells: the slope on log-log axes over the three largest boards."""
    lines: dict[tuple[str, float], list[SummaryRow]] = {}
    for row in summary.of("cpu_seconds"):
        lines.setdefault((row.point.agent, row.point.density), []).append(row)
    for (agent, density), curve in lines.items():
        late = sorted(curve, key=lambda row: row.point.cells)[-3:]
        if late[0].point.cells == late[-1].point.cells or late[0].mean <= 0:
            continue
        slope = math.log(late[-1].mean / late[0].mean)
        slope /= math.log(late[-1].point.cells / late[0].point.cells)
        yield (
            f"{agent} at density {density:g}: {write(late[-1].mean, 'seconds')} on "
            f"{late[-1].point.size}; from {late[0].point.size} upwards, time grows as the number "
            f"of cells to the power {slope:.2f}."
        )


_OWN: dict[str, Callable[[Summary], Iterator[str]]] = {
    "win": _wins,
    "longest_chain": _chains,
    "far_guesses": _surprises,
    "mined": _claims,
    "faults": _faults,
    "cpu_seconds": _times,
}
