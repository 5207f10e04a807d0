"""What a purchase loses over time.

In: money paid, money or share left, years. Out: money, or a share per year. Book life and economic life are two
things: these functions take either.
Source: straight line, declining balance and units of production as in Gitman, Principles of Managerial Finance, and in
spreadsheets (SLN, DDB); the residual curve is declining balance at the rate that leads to a stated resale value.
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


def declining_balance(cost: float, salvage: float, life: int, factor: float = 2.0) -> tuple[float, ...]:
    """The loss of each period: factor / life of what is left, never below the salvage value. A spreadsheet's DDB.

    Raises ValueError for a life below one period, a factor of 0 or less, or a salvage value outside 0 .. cost.
    """
    if life < 1:
        raise ValueError("a life must be at least one period")
    if factor <= 0:
        raise ValueError("the factor must be above 0")
    if not 0 <= salvage <= cost:
        raise ValueError("the salvage value is between 0 and the cost")
    losses, left = [], cost
    for _ in range(life):
        loss = min(left * min(1.0, factor / life), left - salvage)
        losses.append(loss)
        left -= loss
    return tuple(losses)


def units_of_production(cost: float, salvage: float, life_units: float, units: float) -> float:
    """The loss by use, (cost - salvage) x units / life in units, at most all of it. Raises ValueError for no life or units < 0."""
    if life_units <= 0:
        raise ValueError("a life must be longer than 0")
    if units < 0:
        raise ValueError("units are at least 0")
    return (cost - salvage) * min(1.0, units / life_units)
