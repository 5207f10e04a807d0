"""Level payments: loans, capital recovery, equivalent annual cost.

In: a rate per period (0.08 = 8 %), a number of periods, money of t = 0. Out: money per period.
Source: the textbook annuity formulas, with the conventions of numpy-financial (payments at the end of each period).
"""

import math

_LEVEL = 1e-13
"""A monthly factor so near to 1 makes a level series: the geometric formula would divide rounding errors."""


def crf(rate: float, periods: float) -> float:
    """Capital recovery factor r / (1 - (1 + r)^-n); 1/n where the rate is 0. Raises ValueError for n <= 0 or r <= -1."""
    if periods <= 0:
        raise ValueError("there must be at least one period")
    if rate <= -1:
        raise ValueError("a rate must be above -100 %")
    if rate == 0:
        return 1 / periods
    return rate / -math.expm1(-periods * math.log1p(rate))


def pmt(rate: float, periods: float, present_value: float) -> float:
    """The payment per period that clears a loan; negative for a positive loan, as a spreadsheet gives it."""
    return -present_value * crf(rate, periods)


def equivalent_annual_cost(cost: float, salvage: float, rate: float, years: float, yearly_cost: float = 0.0) -> float:
    """(cost - salvage / (1 + r)^n) x CRF + yearly cost: what the thing costs as one equal sum a year."""
    discounted_salvage: float = salvage / (1 + rate) ** years
    return (cost - discounted_salvage) * crf(rate, years) + yearly_cost


def paid_monthly(discount: float, growth: float, first: int, last: int) -> float:
    """Present value of 1 paid at the end of month 1, that grows by the factor `growth` a month, for months first+1 .. last.

    `discount`: present value of 1 paid after a month. The geometric series sum of growth^(m - 1) x discount^m; (last - first) x
    discount x (growth x discount)^first where the two cancel.
    """
    if last <= first:
        return 0.0
    step = growth * discount
    if abs(step - 1) < _LEVEL:
        return (last - first) * discount * step**first
    return float(discount * (step**first - step**last) / (1 - step))
