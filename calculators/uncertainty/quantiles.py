"""A sample -> what a reader is told of it: P10, P50, P90, how sure the P50 is, and how often each option is the cheapest.

In: a `Sample`. Out: one `Spread` per option, and how the figures settle as draws are added.

A quantile is interpolated between the two nearest of the ordered values (Hyndman and Fan 1996, "Sample Quantiles in Statistical
Packages", Am. Stat. 50(4), definition 7, https://doi.org/10.1080/00031305.1996.10473566). Its standard error needs no assumption on
the distribution: half the distance between the quantiles one binomial standard error above and below (Woodruff 1952,
"Confidence Intervals for Medians and Other Position Measures", J. Am. Stat. Assoc. 47(260), https://doi.org/10.1080/01621459.1952.10483443).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from calculators.uncertainty.draws import Sample

LOOKS = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
"""Numbers of draws at which the figures are looked at, to see them settle."""


@dataclass(frozen=True, slots=True)
class Spread:
    """One option: quantiles of its cost, the standard error of the median, and the share of draws in which it is cheapest."""

    id: str
    p10: float
    p50: float
    p90: float
    error: float
    cheapest: float
    cheapest_error: float


@dataclass(frozen=True, slots=True)
class Look:
    """All options after some draws."""

    draws: int
    spreads: tuple[Spread, ...]


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which a share of the ordered values lies. Raises ValueError for none."""
    if not ordered:
        raise ValueError("no values, no quantile")
    at = share * (len(ordered) - 1)
    below = int(at)
    if below + 1 >= len(ordered):
        return ordered[-1]
    low, high = ordered[below], ordered[below + 1]
    return min(high, low + (high - low) * (at - below))


def quantile_error(ordered: Sequence[float], share: float) -> float:
    """The standard error of a quantile, by Woodruff's interval."""
    step = sqrt(share * (1 - share) / len(ordered))
    return (quantile(ordered, min(1.0, share + step)) - quantile(ordered, max(0.0, share - step))) / 2


def cheapest_shares(costs: Sequence[Sequence[float]]) -> list[float]:
    """The share of draws in which each option is the cheapest; options that cost the same share a draw. Sums to 1."""
    won = [0.0] * len(costs)
    count = 0
    for row in zip(*costs, strict=True):
        count += 1
        least = min(row)
        if row.count(least) == 1:
            won[row.index(least)] += 1
        else:
            part = 1 / row.count(least)
            for i, cost in enumerate(row):
                if cost == least:
                    won[i] += part
    return [w / count for w in won]


def spreads(sample: Sample, first: int | None = None) -> tuple[Spread, ...]:
    """Every option of a sample, or of its first draws, in the order of the study."""
    costs = [held[:first] for held in sample.costs]
    shares = cheapest_shares(costs)
    found = []
    for (id, _), column, won in zip(sample.study.options, costs, shares, strict=True):
        ordered = sorted(column)
        p10, p50, p90 = (quantile(ordered, share) for share in (0.1, 0.5, 0.9))
        sure = sqrt(won * (1 - won) / len(ordered)) if 0 < won < 1 else 0.0
        found.append(Spread(id, p10, p50, p90, quantile_error(ordered, 0.5), won, sure))
    return tuple(found)


def convergence(sample: Sample) -> tuple[Look, ...]:
    """The figures as draws are added, up to all of them."""
    sizes = [n for n in LOOKS if n < sample.size] + [sample.size]
    return tuple(Look(n, spreads(sample, n)) for n in sizes)
