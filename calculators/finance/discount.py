"""Present values and internal rates of return.

In: a rate per period (0.08 = 8 %) and cash flows, the first at t = 0. Out: money of t = 0, or a rate per period.
Source: Gitman, Principles of Managerial Finance (Brief 3rd ed., p. 346-348), the convention of numpy-financial.
"""

import math
from collections.abc import Sequence

from calculators.finance.break_even import root

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


def irr_roots(cash_flows: Sequence[float]) -> tuple[float, ...]:
    """All rates between -99.9 % and +100,000 % at which the NPV changes sign, ascending.

    Looks at 1 + rate in steps of 0.5 %, so two roots closer together than that, or a double root, are not found.
    """
    found: list[float] = []
    steps = round(2 * _SPAN / _STEP)
    here = math.expm1(-_SPAN)
    value = npv(here, cash_flows)
    for i in range(1, steps + 1):
        there = math.expm1(-_SPAN + i * _STEP) if i * 2 != steps else 0.0
        next_value = npv(there, cash_flows)
        if next_value == 0 and value != 0:
            found.append(there)
        elif value * next_value < 0:
            crossing = root(lambda r: npv(r, cash_flows), here, there)
            if crossing is not None:
                found.append(crossing)
        here, value = there, next_value
    return tuple(found)


def irr(cash_flows: Sequence[float]) -> float | None:
    """The rate at which the NPV is 0; of several the one nearest to 0. None where there is none."""
    return min(irr_roots(cash_flows), key=abs, default=None)


def monthly_rate(annual_rate: float) -> float:
    """The effective monthly rate, (1 + r)^(1/12) - 1: twelve months compound to exactly one year. Not r / 12."""
    if annual_rate <= -1:
        raise ValueError("a rate must be above -100 %")
    return math.expm1(math.log1p(annual_rate) / 12)
