"""What would turn the answer of `tco`: changes that are run again, and kept only if they do what they say.

In: `Results`, the catalog. Out: `Suggestion`s.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from calculators.costing.model import MONTHLY, ON_DEMAND, OPTIONS, OWNED, PURCHASE, RENTS, RESERVED, SPOT
from calculators.costing.plan import make_plan
from calculators.costing.results import Results
from calculators.costing.words import NAMES, SAID, first_upper
from calculators.framework.spec import InputError, Suggestion
from calculators.framework.text import Text, number
from calculators.market.origins import money
from catalog.model import Catalog

HORIZONS = (12, 24, 36, 48, 60, 84)
MOST = 5
TIE = 1e-9
"""Costs this close are equal: neither is the cheapest."""
LEAST_PRICE, LEAST_MONTH = 0.001, 0.1
"""What the form takes."""
Candidate = tuple[str, dict[str, Any], Text]


def suggestions(r: Results, catalog: Catalog) -> tuple[Suggestion, ...]:
    """At most five, each of another kind, the nearest change of its kind."""
    if len(r.ranking) < 2:
        return ()
    found: dict[str, Suggestion] = {}
    tries: dict[str, int] = {}
    for kind, change, title in _candidates(r):
        if kind in found or tries.get(kind, 0) >= 2:
            continue
        tries[kind] = tries.get(kind, 0) + 1
        made = _proven(r, catalog, change, title)
        if made is not None:
            found[kind] = made
        if len(found) == MOST:
            break
    return tuple(found.values())


def _candidates(r: Results) -> Iterator[Candidate]:
    """Changes that the closed form says would turn the answer."""
    if r.plan.inputs.profile is None:
        yield from _hours(r)
    yield from _cheaper_rent(r)
    yield from _horizons(r)
    yield from _cheaper_machines(r)


def _cheaper_rent(r: Results) -> Iterator[Candidate]:
    """The price by the hour or by the month at which it would win."""
    best, currency = r.ranking[0], r.plan.inputs.currency
    price = None if best in (ON_DEMAND, RESERVED, SPOT) else r.break_even_price(best)
    if price is not None and (down := _down(price)) >= LEAST_PRICE:
        shown = money(down, currency, None)
        title = Text(f"Get the on-demand price down to {shown.en}", f"把按需时价谈到 {shown.zh}")
        yield "price", {"hourly_price": down}, title
    if MONTHLY in r.options and best != MONTHLY and r.totals[MONTHLY] > 0:
        down = _down(r.values.monthly_price * r.totals[best] / r.totals[MONTHLY])
        if down >= LEAST_MONTH:
            shown = money(down, currency, None)
            title = Text(f"Get the month price down to {shown.en} per accelerator", f"把包月单卡价谈到 {shown.zh}")
            yield "month", {"monthly_price": down}, title


def _horizons(r: Results) -> Iterator[Candidate]:
    """A longer plan where renting wins, a shorter one where owning does."""
    now, best = r.plan.inputs.horizon_months, r.ranking[0]
    if best in RENTS and any(o in r.options for o in OWNED):
        for months in (m for m in HORIZONS if m > now):
            yield "horizon", {"horizon_months": months}, Text(f"Plan for {months} months", f"按 {months} 个月规划")
    if best in OWNED and r.rents:
        for months in (m for m in reversed(HORIZONS) if m < now):
            yield "horizon", {"horizon_months": months}, Text(f"Plan for {months} months only", f"只按 {months} 个月规划")


def _cheaper_machines(r: Results) -> Iterator[Candidate]:
    """The price of new machines at which buying would win."""
    if r.ranking[0] == PURCHASE or PURCHASE not in r.options:
        return
    price = _flip(r, "capex_per_accelerator", PURCHASE)
    if price is not None and (down := _down(price)) >= 1:
        shown = money(down, r.plan.inputs.currency, None)
        title = Text(f"Buy the servers at {shown.en} per accelerator", f"把整机价谈到每卡 {shown.zh}")
        yield "capex", {"capex_per_accelerator": down}, title


def _hours(r: Results) -> Iterator[Candidate]:
    """Whole hours next to each point where another option becomes cheapest, the nearest first."""
    now, found = r.values.hours_per_month, set[float]()
    for a in OPTIONS:
        hours = r.break_even_hours(a, tuple(o for o in r.options if o != a)) if a in r.options else None
        if hours is None:
            continue
        near = math.floor(hours) + 1 if hours >= now else math.ceil(hours) - 1
        if 1 <= near <= r.terms.month_hours:
            found.add(float(near))
    for hours in sorted(found, key=lambda h: (abs(h - now), h)):
        up = hours > now
        title = Text(
            f"Use {number(hours)} h a month or {'more' if up else 'less'}",
            f"每月用 {number(hours)} 小时或更{'多' if up else '少'}",
        )
        yield f"hours {up}", {"hours_per_month": hours}, title


def _flip(r: Results, name: str, option: str) -> float | None:
    """The value of one number at which an option costs as much as the cheapest; its cost is a straight line in it."""
    value: float = getattr(r.values, name)
    free = r.costs_at(**{name: 0.0})[option]
    slope = (r.quick[option] - free) / value if value else 0.0
    return (r.quick[r.ranking[0]] - free) / slope if slope > 0 else None


def _proven(r: Results, catalog: Catalog, change: dict[str, Any], title: Text) -> Suggestion | None:
    """Run it: kept where another option becomes cheapest."""
    try:
        changed = Results(make_plan(replace(r.plan.inputs, **change), catalog))
    except InputError:
        return None
    was, costs = r.ranking[0], changed.quick
    best, *others = sorted(costs, key=lambda id: costs[id]) or [was]
    if best == was or any(costs[o] - costs[best] <= TIE * abs(costs[best]) for o in others):
        return None
    cost = money(costs[best] / changed.useful_hours, r.plan.inputs.currency, 3)
    before = money(costs[was] / changed.useful_hours, r.plan.inputs.currency, 3) if was in costs else None
    effect = Text(
        f"{NAMES[best].en} becomes cheapest: {cost.en} per useful GPU-hour"
        f"{f', against {before.en} for {SAID[was].en}' if before else ''}.",
        f"{NAMES[best].zh}变为最省：每有效卡时 {cost.zh}{f'，{NAMES[was].zh}为 {before.zh}' if before else ''}。",
    )
    return Suggestion(Text(first_upper(title.en), title.zh), change, effect)


def _down(price: float) -> float:
    """Three significant figures, never above the exact value."""
    if price <= 0:
        return 0.0
    step: float = 10.0 ** (math.floor(math.log10(price)) - 2)
    return round(math.floor(price / step * (1 - 1e-12)) * step, 8)
