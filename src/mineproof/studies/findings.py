"""The findings of a study in sentences, derived by the same rules for every study."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby

from mineproof.series.columns import Unit
from mineproof.studies.charts import name, where
from mineproof.studies.findings_by_measure import findings_by_measure
from mineproof.studies.hardness import DEFINITIONS, HardnessDefinition
from mineproof.studies.published import BEYOND, WHOLE_RANGE, Figure, distance
from mineproof.studies.summary import Average, PointDifference, Summary, SummaryRow, averages
from mineproof.studies.tasks import MEASURES
from mineproof.studies.wording import write, write_interval

_SHOWN = 6
"""At most this many disagreeing figures are named; the table shows the others."""


def findings(summary: Summary) -> list[str]:
    """Return the findings of a study as sentences, the most important first."""
    found = [*_hard(summary), *_falls(summary), *findings_by_measure(summary), *_compared(summary)]
    return [*found, *_whole_range(summary), *_published(summary)]


def _hard(summary: Summary) -> Iterator[str]:
    """The density at which games become hard, by the definition of the study's report or by all."""
    reports = {one.report for one in summary.figures if one.measure == "hard_density"}
    if "hardness" in summary.study.findings:
        reports = set(DEFINITIONS)
    for report in sorted(reports):
        definition = DEFINITIONS[report]
        found = [f"{label} {at}" for label, at in _places(summary, definition)]
        theirs = [one for one in summary.figures if one.measure == "hard_density"]
        said = "; ".join(f"{_who(one)} {one.value:.2f}" for one in theirs if one.report == report)
        said = f" The report: {said}." if said else ""
        if found:
            yield (
                f"Density at which the game becomes hard by report {report}'s definition "
                f"({definition.words}): {'; '.join(found)}.{said}"
            )


def _places(summary: Summary, definition: HardnessDefinition) -> Iterator[tuple[str, str]]:
    rows = summary.of(definition.measure)

    def line(row: SummaryRow) -> tuple[str, str, str]:
        return row.point.size, row.point.agent, row.point.clues

    many = len({row.point.size for row in rows}) > 1
    for (size, agent, clues), group in groupby(sorted(rows, key=line), key=line):
        curve = sorted(group, key=lambda row: row.point.density)
        label = name("agent", agent) + (f" on {size}" if many else "")
        label += "" if clues == "exact" else f" with {clues}"
        at = definition.find(curve)
        yield label, "nowhere" if at is None else str(at)


def _who(figure: Figure) -> str:
    clues = "" if figure.clues == "exact" else f" with {figure.clues}"
    return f"{name('agent', figure.agent)}{clues}"


def _falls(summary: Summary) -> Iterator[str]:
    """How many fewer mines are flagged with uncertain clues, compared with what a report says."""
    for figure in summary.figures:
        if figure.measure != "fall":
            continue
        ratios = []
        rows = [row for row in summary.of("flag_rate") if row.point.agent == figure.agent]
        for row in rows:
            for other in rows:
                same = row.point.board == other.point.board
                if same and other.point.clues == "exact" and row.point.clues == figure.clues:
                    ratios.append(1 - row.mean / other.mean)
        if ratios:
            mean = 100 * math.fsum(ratios) / len(ratios)
            least, most = 100 * min(ratios), 100 * max(ratios)
            yield (
                f"{name('agent', figure.agent)} flags {mean:.0f} % fewer mines with "
                f"{figure.clues} than with exact clues, on average over the boards "
                f"({least:.0f} to {most:.0f} %); the report says about "
                f"{100 * (figure.value or 0):.0f} %."
            )


def _compared(summary: Summary) -> Iterator[str]:
    """Compare agents with the first one, and settings with the first one, on the same games."""
    of = primary(summary)
    if not of or MEASURES[of].unit == "seconds":
        return
    found = [one for one in summary.differences if one.measure == of]
    first = {one.by: getattr(one.first, one.by) for one in reversed(found)}
    found = [one for one in found if getattr(one.first, one.by) == first[one.by]]
    agents: dict[str, list[PointDifference]] = {}
    others: dict[tuple[str, str], list[PointDifference]] = {}
    for one in found:
        if one.by == "agent":
            agents.setdefault(one.second.agent, []).append(one)
        else:
            sides = (name(one.by, getattr(point, one.by)) for point in (one.second, one.first))
            others.setdefault(tuple(sides), []).append(one)  # type: ignore[arg-type]
    for agent, some in agents.items():
        yield _versus(name("agent", agent), name("agent", some[0].first.agent), some, of)
    for (with_it, without), some in others.items():
        yield _effect(with_it, without, some, of)


def _versus(better: str, worse: str, some: list[PointDifference], of: str) -> str:
    """Differences are stored as first minus second; the sentence has second minus first."""
    up = sum(one.high < 0 for one in some)
    down = sum(one.low > 0 for one in some)
    most = max(some, key=lambda one: abs(one.mean))
    label, unit = MEASURES[of].label, MEASURES[of].unit
    if not any(one.mean or one.low or one.high for one in some):
        return f"{better} and {worse}, {label}: no difference in any game, n = {most.n} each."
    largest = f"{_change(most, unit)} on {where(most.first)}, n = {most.n}"
    if len(some) == 1:
        return f"{better} minus {worse}, {label}: {largest}."
    mean = change(-math.fsum(one.mean for one in some) / len(some), unit)
    return (
        f"{better} minus {worse}, {label}: {mean} on average over {len(some)} settings; "
        f"significantly higher in {up}, lower in {down}, no significant difference in "
        f"{len(some) - up - down}; largest {largest}."
    )


def _effect(with_it: str, without: str, some: list[PointDifference], of: str) -> str:
    """The effect of one setting on each agent, on average over the boards."""
    label, unit = MEASURES[of].label, MEASURES[of].unit
    effects = []
    for agent in dict.fromkeys(one.first.agent for one in some):
        mine = [one for one in some if one.first.agent == agent]
        if len(mine) == 1:
            effects.append(f"{name('agent', agent)} {_change(mine[0], unit)}")
        else:
            mean = -math.fsum(one.mean for one in mine) / len(mine)
            clear = sum(one.low > 0 or one.high < 0 for one in mine)
            effects.append(
                f"{name('agent', agent)} {change(mean, unit)} on average "
                f"(significant in {clear} of {len(mine)} settings)"
            )
    return f"{with_it} instead of {without}, {label}: {'; '.join(effects)}."


def _change(one: PointDifference, unit: Unit) -> str:
    low, high = (_signed(-end, unit) for end in (one.high, one.low))
    return f"{change(-one.mean, unit)} ({low} to {high})"


def change(value: float, unit: Unit) -> str:
    """A difference with its sign; a difference of percentages is in points."""
    return f"{_signed(value, unit)}{' points' if unit == 'percent' else ''}"


def _signed(value: float, unit: Unit) -> str:
    if unit == "seconds":
        return write(value, unit)
    digits = 1 if unit in {"percent", "count"} else 3
    value = round(100 * value if unit == "percent" else value, digits) + 0.0
    return f"{value:+.{digits}f}".replace("-", "−")


def primary(summary: Summary) -> str:
    """The main measure of a study: the first plotted one that has paired differences."""
    compared = {one.measure for one in summary.differences}
    plotted = [plot.y for plot in summary.study.plots if plot.y in compared]
    return plotted[0] if plotted else next(iter(sorted(compared, reverse=True)), "")


def _whole_range(summary: Summary) -> Iterator[str]:
    """Averages over all boards, compared with those that a report gives."""
    for figure in summary.figures:
        if figure.density == WHOLE_RANGE and figure.value is not None:
            for one in averages(summary, figure.measure, figure.agent):
                yield _average_sentence(one, figure)


def _average_sentence(one: Average, figure: Figure) -> str:
    unit = MEASURES[figure.measure].unit
    assert figure.value is not None
    verdict = _verdict(distance(one.mean, one.spread, one.n, figure))
    return (
        f"{name('agent', figure.agent)}, average over all boards: {write(one.mean, unit)} "
        f"({write_interval(one.low, one.high, unit)}), n = {one.n}; published "
        f"{write(figure.value, unit)}: {verdict}.{_sentence(figure.note)}"
    )


def _verdict(errors: float | None) -> str:
    if errors is None:
        return "too few games to compare"
    side = "above" if errors > 0 else "below"
    if abs(errors) <= BEYOND:
        return f"within {BEYOND:.0f} combined standard errors"
    return f"ours is {abs(errors):.1f} combined standard errors {side}"


def _published(summary: Summary) -> Iterator[str]:
    """How many published figures agree, and which do not; for times, the ratio of speeds."""
    rows = [row for row in summary.rows if row.published is not None]
    timed = [row for row in rows if MEASURES[row.measure].unit == "seconds"]
    other = [
        row for row in rows if MEASURES[row.measure].unit != "seconds" and row.distance is not None
    ]
    if timed:
        ratios = sorted((row.published or 0) / row.mean for row in timed)
        yield (
            f"Compared with {len(timed)} published times, our agents are {_rough(ratios[0])} to "
            f"{_rough(ratios[-1])} times as fast, on a different machine."
        )
    if other:
        away = [row for row in other if abs(row.distance or 0) > BEYOND]
        yield (
            f"{len(other) - len(away)} of {len(other)} published figures are within "
            f"{BEYOND:.0f} combined standard errors of ours."
        )
        worst = sorted(away, key=lambda row: -abs(row.distance or 0))
        for row in worst[:_SHOWN]:
            yield differs(row)


def differs(row: SummaryRow) -> str:
    """The sentence for a published figure that disagrees with ours."""
    unit = MEASURES[row.measure].unit
    assert row.figure is not None
    note = row.figure.note
    return (
        f"{name('agent', row.point.agent)} on {where(row.point)}: {write(row.mean, unit)} here "
        f"(n = {row.n}), {write(row.published or 0, unit)} published: "
        f"{_verdict(row.distance or 0)}.{_sentence(note)}"
    )


def _sentence(note: str) -> str:
    """A note after a sentence; nothing if there is none."""
    return f" {note[:1].upper()}{note[1:]}." if note else ""


def _rough(ratio: float) -> str:
    """A ratio with two significant digits."""
    digits = 1 - math.floor(math.log10(ratio)) if ratio > 0 else 0
    return f"{round(ratio, digits):,.{max(digits, 0)}f}"
