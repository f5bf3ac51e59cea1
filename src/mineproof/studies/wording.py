"""Format the values of measures for tables and sentences."""

from __future__ import annotations

from mineproof.series.columns import Unit


def write(value: float, unit: Unit) -> str:
    """Format a value with its unit."""
    if unit == "percent":
        return f"{100 * value:.1f} %"
    if unit == "seconds":
        return write_seconds(value)
    if unit == "share":
        return f"{value:.3f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def write_seconds(value: float) -> str:
    """Format a time with three digits in s, ms or µs."""
    for scale, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if abs(value) * scale >= 0.9995 or unit == "µs":
            return f"{value * scale:.3g} {unit}"
    raise AssertionError


def write_interval(low: float, high: float, unit: Unit) -> str:
    """Format an interval as `low to high`."""
    if unit == "percent":
        return f"{100 * low:.1f} to {100 * high:.1f}"
    return f"{write(low, unit)} to {write(high, unit)}"
