"""One variable at a time: what each option costs at its low and its high, and where another option becomes the cheapest.

In: a `Study`. Out: one `Bar` per variable, the widest first.

The bars are those of a one-way sensitivity analysis ("tornado": Eschenbach 1992, "Spiderplots versus Tornado Diagrams for Sensitivity
Analysis", Interfaces 22(6), https://doi.org/10.1287/inte.22.6.40). The switch value is the nearest value to the base, inside the range,
at which the option that is cheapest at the base stops being so: the change of sign is bracketed and then closed in by regula falsi
in the Illinois form (Dowell and Jarratt 1971, BIT 11, https://doi.org/10.1007/BF01934364) with bisection wherever that does
not halve the bracket, so that steps in a cost (billing, whole months) are found as surely as smooth curves.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calculators.uncertainty.study import Study

PARTS = 4
"""Pieces of each side of a range in which a change of the winner is looked for."""
_RISE = 1e-6


@dataclass(frozen=True, slots=True)
class Bar:
    """One variable: costs of all options at its low and its high, elasticities at the base, and where the winner flips.

    `elasticity[i]` is d ln cost / d ln value of option i, None where the base or the cost is 0 or of the other sign.
    `switch` is None where the winner stays the same in the whole range; `becomes` is the option that takes over there.
    """

    variable: int
    low: tuple[float, ...]
    high: tuple[float, ...]
    elasticity: tuple[float | None, ...]
    switch: float | None
    becomes: int | None


def winner(costs: Sequence[float]) -> int:
    """The cheapest option; the first of equal ones."""
    return costs.index(min(costs))


def tornado(study: Study, option: int | None = None) -> tuple[Bar, ...]:
    """All variables, the one that moves an option's cost most first; without `option` the one that is cheapest at the base."""
    base = list(study.base())
    at_base = tuple(study.evaluate(base))
    chosen = winner(at_base) if option is None else option
    bars = [_bar(study, i, base, at_base) for i in range(len(base))]
    return tuple(sorted(bars, key=lambda b: (-abs(b.high[chosen] - b.low[chosen]), b.variable)))


def _bar(study: Study, i: int, base: list[float], at_base: tuple[float, ...]) -> Bar:
    variable = study.variables[i]

    def costs(value: float) -> tuple[float, ...]:
        return tuple(study.evaluate([*base[:i], value, *base[i + 1 :]]))

    low = at_base if variable.low == variable.base else costs(variable.low)
    high = at_base if variable.high == variable.base else costs(variable.high)
    switch = _switch(costs, (variable.low, low), (variable.base, at_base), (variable.high, high))
    elasticity = _elasticities(costs, variable.low, variable.base, variable.high, at_base)
    return Bar(i, low, high, elasticity, *(switch or (None, None)))


def _elasticities(
    costs: Callable[[float], tuple[float, ...]], low: float, base: float, high: float, at_base: tuple[float, ...]
) -> tuple[float | None, ...]:
    """By a difference that stays inside the range, where the range leaves room."""
    step = abs(base) * _RISE
    if step == 0:
        return (None,) * len(at_base)
    left, right = (base - step, base + step) if low == high else (max(low, base - step), min(high, base + step))
    below, above = costs(left), costs(right)
    return tuple(
        (b - a) / (right - left) * base / c if c > 0 and right > left else None
        for a, b, c in zip(below, above, at_base, strict=True)
    )


Point = tuple[float, tuple[float, ...]]


def _switch(costs: Callable[[float], tuple[float, ...]], low: Point, base: Point, high: Point) -> tuple[float, int] | None:
    """The nearest value to the base where the winner changes, and the option that takes over."""
    won = winner(base[1])
    found = []
    for end in (low, high):
        near = base
        for part in range(1, PARTS + 1):
            if end[0] == base[0]:
                break
            at = base[0] + (end[0] - base[0]) * part / PARTS
            far = end if part == PARTS else (at, costs(at))
            if min(far[1]) < far[1][won]:
                value, over = _close(costs, won, near, far)
                found.append((abs(value - base[0]), value, over))
                break
            near = far
    return min(found)[1:] if found else None


def _close(costs: Callable[[float], tuple[float, ...]], won: int, near: Point, far: Point) -> tuple[float, int]:
    """The value between `near`, where option `won` is cheapest, and `far`, where it is not, at which that changes."""

    def gap(at: tuple[float, ...]) -> float:
        return min(c for i, c in enumerate(at) if i != won) - at[won]

    keeps, keeps_gap = near[0], gap(near[1])
    loses, loses_gap = far[0], gap(far[1])
    over = winner(far[1])
    weight_keeps, weight_loses = keeps_gap, loses_gap
    side = width = 0.0
    tiny = 4e-16 * max(abs(keeps), abs(loses))
    for turn in range(200):
        if abs(loses - keeps) <= tiny or keeps_gap == 0:
            break
        slow = turn % 3 == 2 and abs(loses - keeps) > width / 2
        if turn % 3 == 0:
            width = abs(loses - keeps)
        middle = (keeps + loses) / 2
        if not slow and weight_keeps != weight_loses:
            middle = (keeps * weight_loses - loses * weight_keeps) / (weight_loses - weight_keeps)
            if not min(keeps, loses) < middle < max(keeps, loses):
                middle = (keeps + loses) / 2
        at = costs(middle)
        here = gap(at)
        if abs(here) <= 1e-13 * abs(at[won]):
            return middle, over if here >= 0 else winner(at)
        if here > 0:
            keeps, keeps_gap, weight_keeps = middle, here, here
            weight_loses = weight_loses / 2 if side == 1 else weight_loses
            side = 1
        else:
            loses, loses_gap, weight_loses, over = middle, here, here, winner(at)
            weight_keeps = weight_keeps / 2 if side == -1 else weight_keeps
            side = -1
    return (keeps if keeps_gap == 0 else loses), over
