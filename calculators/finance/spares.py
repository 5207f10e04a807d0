"""How many spare parts to keep, so that a failed one is replaced at once.

In: parts in use, failures per part and year, time until a new part comes, the wanted certainty. Out: a number of parts.
Source: failures arrive as a Poisson process; the base-stock rule of inventory theory (Sherbrooke, Optimal Inventory Modeling of
Systems): the smallest stock k with P(demand in the lead time <= k) >= service level.
"""

import math

_MOST = 10_000_000


def spares(parts: float, failures_per_year: float, lead_days: float, service_level: float) -> int:
    """The smallest stock that covers the lead time's failures with the wanted probability; 0 where that is 0.

    Raises ValueError for negative values or a service level outside 0 <= p < 1.
    """
    if min(parts, failures_per_year, lead_days) < 0:
        raise ValueError("parts, failures and lead time are at least 0")
    if not 0 <= service_level < 1:
        raise ValueError("a service level is at least 0 and below 1")
    expected = parts * failures_per_year * lead_days / 365
    if service_level == 0 or expected == 0:
        return 0
    if expected > 600:  # exp(-expected) vanishes: the normal limit of the Poisson law, with continuity correction
        return max(0, math.ceil(expected + _quantile(service_level) * math.sqrt(expected) - 0.5))
    term = total = math.exp(-expected)
    count = 0
    while total < service_level and count < _MOST:
        count += 1
        term *= expected / count
        total += term
        if term < 1e-18 and count > expected:
            break  # the rest of the sum is below rounding
    return count


def _quantile(p: float) -> float:
    """The standard normal's quantile, by bisection on erf."""
    low, high = -40.0, 40.0
    for _ in range(100):
        middle = (low + high) / 2
        if 0.5 * (1 + math.erf(middle / math.sqrt(2))) < p:
            low = middle
        else:
            high = middle
    return high
