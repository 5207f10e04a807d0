"""A `Plan` -> what the options cost and where they meet, without words for a reader.

In: `Plan`. Out: `Results`: flows, present and nominal totals, costs per unit, break-evens, all from `Terms` and `Values`. Break-evens
are searched on the closed form (`lean`), as costs come in steps; "never" is None.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from calculators.costing.lean import Evaluate, lean
from calculators.costing.model import ON_DEMAND, OWNED, PURCHASE, RENTS, Flows, Terms, Values
from calculators.costing.owning import Purchase, bought, market_value, owned
from calculators.costing.plan import Plan
from calculators.costing.renting import rented
from calculators.finance.annuity import crf
from calculators.finance.break_even import closed_in
from calculators.finance.discount import irr_roots, monthly_rate, npv, real_rate
from calculators.finance.unit_cost import per_million_tokens, per_tflops_month

GRID = 24
"""Pieces of the hours of a month in which a crossing is looked for before it is closed in."""
_CLOSE = 1e-13


@dataclass(frozen=True)
class Results:
    """Everything that is shown of a plan. Costs are present values unless they are called nominal."""

    plan: Plan

    @property
    def terms(self) -> Terms:
        """What stands."""
        return self.plan.terms

    @property
    def values(self) -> Values:
        """What moves, at its base."""
        return self.plan.values

    @property
    def options(self) -> tuple[str, ...]:
        """The priced options, in the fixed order."""
        return self.terms.options

    @cached_property
    def yearly_rate(self) -> float:
        """The cost of capital as it is used: nominal, or real where money is real."""
        return real_rate(self.values.discount_rate_percent / 100, self.terms.inflation)

    @cached_property
    def rate(self) -> float:
        """The effective monthly rate."""
        return monthly_rate(self.yearly_rate)

    @cached_property
    def discount(self) -> tuple[float, ...]:
        """Present value of 1 paid at the end of month m."""
        return tuple((1 + self.rate) ** -m for m in range(self.terms.months + 1))

    @cached_property
    def flows(self) -> dict[str, Flows]:
        """The flows of every priced option."""
        made = {o: rented(self.terms, self.values, o) for o in self.options if o in RENTS}
        return made | {a.id: owned(self.terms, self.values, a) for a in self.terms.assets}

    @cached_property
    def monthly(self) -> dict[str, list[float]]:
        """All kinds of cost together, at the start and each month."""
        return {id: f.total() for id, f in self.flows.items()}

    @cached_property
    def totals(self) -> dict[str, float]:
        """Present value of each priced option over the horizon."""
        return {id: npv(self.rate, x) for id, x in self.monthly.items()}

    @cached_property
    def nominal(self) -> dict[str, float]:
        """The plain sum of what is paid, less what is sold."""
        return {id: sum(x) for id, x in self.monthly.items()}

    @cached_property
    def ranking(self) -> tuple[str, ...]:
        """The priced options, cheapest first; equal ones in the fixed order."""
        return tuple(sorted(self.totals, key=lambda id: self.totals[id]))

    @cached_property
    def rents(self) -> tuple[str, ...]:
        """The priced ways to rent, cheapest first."""
        return tuple(id for id in self.ranking if id in RENTS)

    @cached_property
    def useful_hours(self) -> float:
        """Useful GPU-hours of the whole horizon, discounted as the costs are."""
        return self.terms.cards * sum(s.hours * sum(self.discount[s.first + 1 : s.last + 1]) for s in self.terms.stretches)

    @cached_property
    def plain_hours(self) -> float:
        """Useful GPU-hours of the whole horizon."""
        return self.terms.cards * self.terms.mean_hours * self.terms.months

    @cached_property
    def level_months(self) -> float:
        """Present value of 1 a month over the horizon."""
        return sum(self.discount[1:])

    def per_hour(self, option: str) -> float:
        """Present value of the cost over that of the useful GPU-hours: the level price at which both are equal."""
        return self.totals[option] / self.useful_hours

    def per_month(self, option: str) -> float:
        """The equal sum a month that has the same present value."""
        return self.totals[option] / self.level_months

    def per_year(self, option: str) -> float:
        """The equivalent annual cost: present value x capital recovery factor of the horizon in years."""
        return self.totals[option] * crf(self.yearly_rate, self.terms.months / 12)

    def per_tflops_month(self, option: str, tflops: float, achieved: float) -> float:
        """Level cost a month per TFLOPS on the stated basis."""
        return per_tflops_month(self.per_month(option), self.terms.cards, tflops, achieved)

    def per_million_tokens(self, option: str, tokens_per_second: float) -> float:
        """At so many tokens/s in every useful hour, all cards together."""
        return per_million_tokens(self.per_hour(option) * self.terms.cards, tokens_per_second)

    @cached_property
    def purchases(self) -> dict[str, Purchase]:
        """What is paid at the start for each asset that is priced."""
        return {a.id: bought(self.terms, self.values, a) for a in self.terms.assets}

    @cached_property
    def running(self) -> dict[str, list[float]]:
        """Present value of what was paid up to the end of each month, a sale not counted."""
        made = {}
        for id, f in self.flows.items():
            sold = f.kinds.get("resale")
            paid = [x - y for x, y in zip(self.monthly[id], sold, strict=True)] if sold else self.monthly[id]
            made[id] = list(accumulate(x * d for x, d in zip(paid, self.discount, strict=True)))
        return made

    @cached_property
    def standing(self) -> dict[str, list[float]]:
        """The same, less what an owned machine would sell for then: what stopping after that month has cost."""
        made = dict(self.running)
        for id, p in self.purchases.items():
            made[id] = [paid - market_value(self.values, p, m) * self.discount[m] for m, paid in enumerate(self.running[id])]
        return made

    @cached_property
    def evaluate(self) -> Evaluate:
        """The closed form."""
        return lean(self.terms)

    def costs_at(self, **changed: float) -> dict[str, float]:
        """All options with some values changed."""
        return dict(zip(self.options, self.evaluate(self.values._replace(**changed)), strict=True))

    @cached_property
    def most_hours(self) -> float:
        """Mean hours a month at which the busiest month is full."""
        return self.terms.mean_hours * self.terms.month_hours / max(s.hours for s in self.terms.stretches)

    @cached_property
    def _by_hours(self) -> list[tuple[float, list[float]]]:
        """All options over the hours of a month."""
        base, most = self.values, self.most_hours
        points = [most * max(k, 1e-6) / GRID for k in range(GRID + 1)]
        return [(h, self.evaluate(base._replace(hours_per_month=h))) for h in points]

    def break_even_hours(self, option: str, against: tuple[str, ...]) -> float | None:
        """Mean hours a month from which `option` costs no more than the cheapest of `against`; None where it never does."""
        key = (option, against)
        if key not in self._found:
            self._found[key] = self._search(option, against)
        return self._found[key]

    @cached_property
    def _found(self) -> dict[tuple[str, tuple[str, ...]], float | None]:
        """Searches that were made: tables, working and sentences ask for the same ones."""
        return {}

    def _search(self, option: str, against: tuple[str, ...]) -> float | None:
        index = {o: k for k, o in enumerate(self.options)}
        others = [index[o] for o in against if o in index and o != option]
        if option not in index or not others:
            return None
        mine = index[option]

        def gap(costs: list[float]) -> float:
            return costs[mine] - min(costs[k] for k in others)

        def at(hours: float) -> float:
            return gap(self.evaluate(self.values._replace(hours_per_month=hours)))

        (h0, costs0), *rest = self._by_hours
        if gap(costs0) <= 0:
            return 0.0
        for h1, costs1 in rest:
            turns = (h0 + share * (h1 - h0) for share in _turns(costs0, costs1, mine, others))
            for hours, here in (*((h, at(h)) for h in turns), (h1, gap(costs1))):
                if here <= 0:
                    before = gap(costs0)
                    return closed_in(at, (h0, before), (hours, here), _CLOSE * max(before, abs(here)))
            h0, costs0 = h1, costs1
        return None

    def break_even_month(self, option: str = PURCHASE) -> int | None:
        """First month by which owning, sold then, has cost no more than the rent that is cheapest over the horizon."""
        if option not in self.standing or not self.rents:
            return None
        rent, mine = self.running[self.rents[0]], self.standing[option]
        return next((m for m in range(1, self.terms.months + 1) if mine[m] <= rent[m]), None)

    def break_even_price(self, option: str) -> float | None:
        """Today's on-demand price at which renting on demand costs as much as the option. 0 or less cannot be: None."""
        if option not in self.options or ON_DEMAND not in self.options:
            return None
        at, free = self.costs_at(), self.costs_at(hourly_price=0.0)
        slope = (at[ON_DEMAND] - free[ON_DEMAND]) / self.values.hourly_price
        price = (self.totals[option] - free[ON_DEMAND]) / slope
        return price if price > 0 else None

    @cached_property
    def quick(self) -> dict[str, float]:
        """The totals by the closed form: what a change that is only tried needs."""
        return self.costs_at()

    @cached_property
    def buying_instead(self) -> tuple[float, tuple[float, ...], str] | None:
        """Buying rather than the cheapest rent: net present value, yearly rates of return, and the rent; None without both."""
        best = next((o for o in self.ranking if o in OWNED), None)
        if best is None or not self.rents:
            return None
        rent = self.rents[0]
        saved = [r - b for r, b in zip(self.monthly[rent], self.monthly[best], strict=True)]
        roots = irr_roots(saved, 12)
        return npv(self.rate, saved), tuple((1 + r) ** 12 - 1 for r in roots), rent

    @cached_property
    def best_owned(self) -> str | None:
        """The cheaper of the purchases that are priced."""
        return next((o for o in self.ranking if o in OWNED), None)


def at(plan: Plan, values: Values) -> Results:
    """The same plan at other values of what moves."""
    return Results(replace(plan, values=values))


def _turns(low: list[float], high: list[float], mine: int, others: list[int]) -> list[float]:
    """Shares of the way from `low` to `high` at which the cheapest of the others changes and `mine` is no dearer, on straight lines.

    Between two points where an option loses it can still win where two of the others cross.
    """
    if min(others, key=low.__getitem__) == min(others, key=high.__getitem__):
        return []  # the cheapest at both ends of straight lines is the cheapest between
    found = []
    for n, j in enumerate(others):
        for k in others[n + 1 :]:
            before, after = low[j] - low[k], high[j] - high[k]
            if before * after < 0:
                share = before / (before - after)
                costs = [a + share * (b - a) for a, b in zip(low, high, strict=True)]
                if costs[mine] <= min(costs[o] for o in others):
                    found.append(share)
    return sorted(found)
