"""What a purchase loses over time.

In: money paid, money or share left, years. Out: money, or a share per year. Book life and economic life are two
things: these functions take either.
Source: straight line and declining balance are the textbook forms; the residual curve is declining balance at the
rate that leads to a stated resale value.
"""


def straight_line(cost: float, salvage: float, periods: float) -> float:
    """Loss per period, (cost - salvage) / n. Raises ValueError for n <= 0."""
    if periods <= 0:
        raise ValueError("a life must be longer than 0")
    return (cost - salvage) / periods


def yearly_loss(share_left: float, years: float) -> float:
    """The constant yearly loss d with (1 - d)^years = share left. Raises ValueError for a share outside 0..1 or years <= 0."""
    if not 0 <= share_left <= 1:
        raise ValueError("the share left is between 0 and 1")
    if years <= 0:
        raise ValueError("years must be above 0")
    return float(1 - share_left ** (1 / years))


def residual_value(cost: float, loss_per_year: float, years: float) -> float:
    """cost x (1 - d)^t: what it would sell for after t years; the full cost at t = 0."""
    return float(cost * (1 - loss_per_year) ** years)
