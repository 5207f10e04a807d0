"""Where two costs meet: searched, because costs come in steps; "never" (None) is an answer.

In: a function of hours, months or a price. Out: the point where it turns, or None.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

_HALVINGS = 200


def root(f: Callable[[float], float], low: float, high: float) -> float | None:
    """A point between `low` and `high` where f changes sign, by bisection to the last bit; None where it does not."""
    at_low, at_high = f(low), f(high)
    if at_low == 0:
        return low
    if at_high == 0:
        return high
    if (at_low > 0) == (at_high > 0):
        return None
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        value = f(middle)
        if value == 0:
            return middle
        if (value > 0) == (at_low > 0):
            low, at_low = middle, value
        else:
            high, at_high = middle, value
    return low if abs(at_low) < abs(at_high) else high


def first_crossing(f: Callable[[float], float], points: Sequence[float]) -> float | None:
    """The first point where f falls to 0 or below; f may bend at `points` (ascending) but not turn between them."""
    for low, high in pairwise(points):
        if f(low) <= 0:
            return low
        if f(high) <= 0:
            return root(f, low, high)
    return points[-1] if points and f(points[-1]) <= 0 else None


def first_month(is_ahead: Callable[[int], bool], horizon: int) -> int | None:
    """The first month 1 .. horizon in which it holds; None where it never does."""
    return next((month for month in range(1, horizon + 1) if is_ahead(month)), None)
