"""Present values and internal rates of return.

In: a rate per period (0.08 = 8 %) and cash flows, the first at t = 0. Out: money of t = 0, or a rate per period.
Source: Gitman, Principles of Managerial Finance (Brief 3rd ed., p. 346-348), the convention of numpy-financial.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

from calculators.finance.break_even import closed_in, root

_STEP = 0.005
_SPAN = 7.0


def npv(rate: float, cash_flows: Sequence[float]) -> float:
    """Sum of CF_t / (1 + rate)^t, t = 0 first. Raises ValueError for a rate of -100 % or less."""
    if rate <= -1:
        raise ValueError("a rate must be above -100 %")
    total = 0.0
    for flow in reversed(cash_flows):
        total = total / (1 + rate) + flow
    return total


def sign_changes(cash_flows: Sequence[float]) -> int:
    """How often money turns from paid to received or back, zeros left out: Descartes' bound on the number of rates."""
    signs = [flow > 0 for flow in cash_flows if flow]
    return sum(a != b for a, b in pairwise(signs))


def irr_roots(cash_flows: Sequence[float], per_year: int = 1) -> tuple[float, ...]:
    """All rates per period at which the NPV changes sign, ascending, between -99.9 % and +100,000 % a year.

    `per_year`: periods in a year. Looks at 1 + rate in steps of 0.5 %, so two roots closer together than that, or a double
    root, are not found. With no change of sign there is no root, with one there is one (Descartes): it is found directly.
    """
    span = _SPAN / per_year
    changes = sign_changes(cash_flows)
    if changes == 0:
        return ()
    if changes == 1:
        only = _only_root(cash_flows, span)
        return () if only is None else (only,)
    found: list[float] = []
    half = math.ceil(span / _STEP)
    here = math.expm1(-span)
    value = npv(here, cash_flows)
    for i in range(1, 2 * half + 1):
        there = math.expm1(-span + i * span / half) if i != half else 0.0
        next_value = npv(there, cash_flows)
        if next_value == 0 and value != 0:
            found.append(there)
        elif value * next_value < 0:
            crossing = root(lambda r: npv(r, cash_flows), here, there)
            if crossing is not None:
                found.append(crossing)
        here, value = there, next_value
    return tuple(found)


def _only_root(cash_flows: Sequence[float], span: float) -> float | None:
    """Where there is one root: a bracket that doubles away from 0, then closed in."""
    at_zero = npv(0.0, cash_flows)
    if at_zero == 0:
        return 0.0
    reach, inner = _STEP, [(0.0, at_zero)] * 2
    while True:
        reach = min(reach, span)
        for side, far in enumerate((math.expm1(reach), math.expm1(-reach))):
            value = npv(far, cash_flows)
            if value == 0:
                return far
            if (value > 0) != (at_zero > 0):
                return closed_in(lambda r: npv(r, cash_flows), inner[side], (far, value))
            inner[side] = (far, value)
        if reach == span:
            return None
        reach *= 2


def irr(cash_flows: Sequence[float], per_year: int = 1) -> float | None:
    """The rate per period at which the NPV is 0; of several the one nearest to 0. None where there is none.

    `irr_roots` says whether there are several: then none of them is *the* return.
    """
    return min(irr_roots(cash_flows, per_year), key=abs, default=None)


def monthly_rate(annual_rate: float) -> float:
    """The effective monthly rate, (1 + r)^(1/12) - 1: twelve months compound to exactly one year. Not r / 12."""
    if annual_rate <= -1:
        raise ValueError("a rate must be above -100 %")
    return math.expm1(math.log1p(annual_rate) / 12)


def annual_rate(monthly: float) -> float:
    """The yearly rate of a monthly one, (1 + r)^12 - 1: the inverse of `monthly_rate`."""
    if monthly <= -1:
        raise ValueError("a rate must be above -100 %")
    return math.expm1(12 * math.log1p(monthly))


def real_rate(nominal: float, inflation: float) -> float:
    """The rate in constant purchasing power, (1 + nominal) / (1 + inflation) - 1 (Fisher, The Theory of Interest, 1930)."""
    if nominal <= -1 or inflation <= -1:
        raise ValueError("a rate must be above -100 %")
    return (1 + nominal) / (1 + inflation) - 1
