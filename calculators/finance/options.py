"""The ways to get GPU hours, as lines of cost on one timeline: the model that every cost calculator shares.

In: `Option`s made of `Line`s (so much at the start, per month, per used hour) and a `Timeline` (discount rate, price
path). Out: present or nominal cost after any number of months, whole or by kind. All money in one currency.
Convention: what is paid at the start stands at t = 0; what is paid for month m stands at the end of month m; a thing
that is owned is counted as sold at the end. Nominal cost = the same on a timeline with rate 0.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from calculators.finance.depreciation import residual_value


@dataclass(frozen=True, slots=True)
class Line:
    """One kind of cost. `follows_market`: its price moves along the timeline's price path, as a rent does."""

    kind: str
    upfront: float = 0.0
    per_month: float = 0.0
    per_hour: float = 0.0
    follows_market: bool = False


@dataclass(frozen=True, slots=True)
class Resale:
    """What an owned thing sells for: cost x (1 - loss)^years."""

    cost: float
    loss_per_year: float

    def after(self, months: int) -> float:
        """Its value after so many months; the full cost at 0."""
        return residual_value(self.cost, self.loss_per_year, months / 12)


@dataclass(frozen=True, slots=True)
class Option:
    """One way to get the hours."""

    id: str
    lines: tuple[Line, ...]
    resale: Resale | None = None


@dataclass(frozen=True)
class Timeline:
    """Months 0 .. `months`, an effective monthly discount rate, and a factor by which market prices move each month."""

    months: int
    rate: float = 0.0
    market: float = 1.0

    @cached_property
    def discount(self) -> tuple[float, ...]:
        """Present value of 1 paid at the end of month m."""
        return tuple((1 + self.rate) ** -m for m in range(self.months + 1))

    @cached_property
    def flat(self) -> tuple[float, ...]:
        """Present value of 1 a month for m months."""
        return tuple(accumulate(self.discount[1:], initial=0.0))

    @cached_property
    def moving(self) -> tuple[float, ...]:
        """The same where the price starts at 1 and moves with the market each month."""
        paid = (self.market ** (m - 1) * self.discount[m] for m in range(1, self.months + 1))
        return tuple(accumulate(paid, initial=0.0))

    def line(self, line: Line, hours: float, months: int) -> float:
        """What one line has cost after so many months at `hours` used a month."""
        paid = (self.moving if line.follows_market else self.flat)[months]
        return line.upfront + (line.per_month + line.per_hour * hours) * paid

    def spent(self, option: Option, hours: float, months: int) -> float:
        """All that was paid after so many months; an owned thing is still owned."""
        return sum(self.line(line, hours, months) for line in option.lines)

    def resold(self, option: Option, months: int) -> float:
        """What selling it then brings; 0 for what was never owned."""
        return option.resale.after(months) * self.discount[months] if option.resale else 0.0

    def cost(self, option: Option, hours: float, months: int) -> float:
        """What was paid less what selling it brings: the cost that options are compared by."""
        return self.spent(option, hours, months) - self.resold(option, months)
