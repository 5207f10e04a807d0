"""Level payments: loans, capital recovery, equivalent annual cost.

In: a rate per period (0.08 = 8 %), a number of periods, money of t = 0. Out: money per period.
Source: the textbook annuity formulas, with the conventions of numpy-financial (payments at the end of each period).
"""

import math


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
    discount where the two cancel. By expm1, as a factor near 1 would leave only rounding errors to divide.
    """
    if last <= first:
        return 0.0
    x = math.log(growth * discount)
    if x == 0:
        return (last - first) * discount
    return discount * math.exp(first * x) * math.expm1((last - first) * x) / math.expm1(x)
