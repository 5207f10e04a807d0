"""Where two costs meet: searched, because costs come in steps; "never" (None) is an answer.

In: a function of hours, months or a price. Out: the point where it turns, or None.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

_TURNS = 200
_TINY = 4e-16
Point = tuple[float, float]


def root(f: Callable[[float], float], low: float, high: float) -> float | None:
    """A point between `low` and `high` where f changes sign, to the last bits; None where it does not."""
    at_low, at_high = f(low), f(high)
    if at_low == 0:
        return low
    if at_high == 0:
        return high
    if (at_low > 0) == (at_high > 0):
        return None
    return closed_in(f, (low, at_low), (high, at_high))


def closed_in(f: Callable[[float], float], near: Point, far: Point, close: float = 0.0) -> float:
    """Where f changes sign between two points (x, f(x)): exactly there, or on the far side of the step or of the last bit.

    Regula falsi in the Illinois form (Dowell and Jarratt 1971, https://doi.org/10.1007/BF01934364), halving wherever that does not
    halve the bracket: steps are found as surely as curves. |f| <= `close` ends it early.
    """
    (a, fa), (b, fb) = near, far
    above, wa, wb, side, width = fa > 0, fa, fb, 0, abs(b - a)
    for turn in range(_TURNS):
        if abs(b - a) <= _TINY * max(abs(a), abs(b)):
            break
        middle = (a + b) / 2
        if turn % 3 == 2:
            slow, width = abs(b - a) > width / 2, abs(b - a)
        else:
            slow = False
        if not slow and wa != wb:
            guess = (a * wb - b * wa) / (wb - wa)
            middle = guess if min(a, b) < guess < max(a, b) else middle
        if middle in (a, b):
            break
        value = f(middle)
        if abs(value) <= close:
            return middle
        if (value > 0) == above:
            a, wa = middle, value
            wb, side = (wb / 2 if side == 1 else wb), 1
        else:
            b, wb = middle, value
            wa, side = (wa / 2 if side == -1 else wa), -1
    return b


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
