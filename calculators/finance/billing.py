"""What is billed for the time that is used: steps, sessions, commitments.

In: hours or months used, the smallest unit that is billed. Out: hours or months to pay.
Source: billed = ceil(t / step) x step, as providers state it, e.g. per second or per hour
(https://computespec.pages.dev/learn/pricing/cloud-gpu-pricing-explained: ten runs of 20 minutes cost 10.0 or 30.0 at 3.0 an hour).
"""

import math

_ROUNDING = 1e-9
"""A share of a step that is rounding error and not time."""


def billed(used: float, step: float) -> float:
    """`used` rounded up to whole steps; `used` itself where the step is 0. Raises ValueError for negative values."""
    if used < 0 or step < 0:
        raise ValueError("times are at least 0")
    if step == 0:
        return used
    return math.ceil(used / step - _ROUNDING) * step


def billed_sessions(used: float, session: float, step: float) -> float:
    """`used` in sessions of the length `session`, each rounded up by itself, the last one shorter; one session where it is 0."""
    if session <= 0 or session >= used:
        return billed(used, step)
    whole = math.floor(used / session + _ROUNDING)
    return whole * billed(session, step) + billed(max(0.0, used - whole * session), step)


def terms(months: float, term: int) -> int:
    """How many whole commitments cover so many months. Raises ValueError for a term below one month."""
    if term < 1:
        raise ValueError("a term is at least one month")
    return math.ceil(months / term - _ROUNDING)


def upfront_and_monthly(price: float, months: float, upfront_share: float) -> tuple[float, float]:
    """A commitment of `months` at `price` a month: what is paid at its start, and what each month. Share 0 .. 1."""
    if not 0 <= upfront_share <= 1:
        raise ValueError("the share paid at the start is between 0 and 1")
    return price * months * upfront_share, price * (1 - upfront_share)


def later_price_ratio(one_year: float, three_years: float) -> float:
    """The ratio r of a year's price to that of the year before that a one-year and a three-year price imply: 1 + r + r^2 = 3 p3 / p1.

    Raises ValueError where the three-year price is too low for any r.
    """
    inside = 1 - 4 * (1 - 3 * three_years / one_year)
    if inside < 0:
        raise ValueError("the three-year price is too low for any yearly ratio")
    return (math.sqrt(inside) - 1) / 2
