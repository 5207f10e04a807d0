"""The ways to rent as flows of money, month by month.

In: `Terms`, `Values`. Out: `Flows` per option. A price p of today is p x (1 - decline)^((m - 1) / 12) in month m. What is reserved
keeps the price of the day its term begins; what is left of a term at the end of the horizon is paid then.
"""

from calculators.costing.model import BARE_METAL, MONTHLY, ON_DEMAND, RESERVED, SPOT, Flows, Terms, Values
from calculators.finance.billing import billed_sessions, terms, upfront_and_monthly
from calculators.finance.tax import tax_shield


def market(v: Values) -> float:
    """The factor by which rents move from one month to the next."""
    return float((1 - v.rent_decline_percent / 100) ** (1 / 12))


def hour_price(t: Terms, v: Values, option: str) -> float:
    """Today's price per accelerator and hour of an option that is priced by the hour."""
    if option == SPOT:
        return v.hourly_price * v.spot_percent / 100 if t.spot_price is None else t.spot_price
    if option == RESERVED:
        return v.hourly_price * (1 - v.reserved_discount_percent / 100) if t.reserved_price is None else t.reserved_price
    return v.hourly_price


def rented(t: Terms, v: Values, option: str) -> Flows:
    """One way to rent, with what comes with it."""
    rent = _reserved(t, v) if option == RESERVED else _by_month(t, v, option)
    kinds = {"rent": [t.services * x for x in rent]}
    for kind, amount in (("storage", t.storage), ("egress", t.egress), ("network", t.rent_network)):
        if amount:
            kinds[kind] = [0.0] + [amount * t.services] * t.months
    if t.support:
        kinds["support"] = [t.support * x for x in kinds["rent"]]
    if t.setup:
        kinds["setup"] = [t.setup * t.services] + [0.0] * t.months
    if t.tax:
        kinds["tax"] = [-tax_shield(t.tax, x) for x in Flows(option, kinds).total()]
    return Flows(option, kinds)


def _by_month(t: Terms, v: Values, option: str) -> list[float]:
    q, scale = market(v), v.hours_per_month / t.mean_hours
    paid = [0.0] * (t.months + 1)
    for first, last, hours in t.stretches:
        if hours == 0:
            continue
        base = _month(t, v, option, hours * scale)
        for m in range(first + 1, last + 1):
            paid[m] = base * q ** (m - 1)
    return paid


def _month(t: Terms, v: Values, option: str, hours: float) -> float:
    """What a month with so many hours of work costs at today's price."""
    if option in (ON_DEMAND, SPOT):
        run = hours * t.spot_wall(v.spot_interrupted_every) if option == SPOT else hours / t.goodput
        return t.cards * hour_price(t, v, option) * billed_sessions(run, t.session, t.step)
    cards = t.cards_for(hours / t.goodput)
    if option == MONTHLY:
        return cards * v.monthly_price
    if option == BARE_METAL:
        return -(-cards // t.metal_size) * v.bare_metal_price
    raise LookupError(option)


def peak_hours(t: Terms, v: Values) -> float:
    """Running hours of each card in the busiest month."""
    return max(s.hours for s in t.stretches) * v.hours_per_month / t.mean_hours / t.goodput


def _reserved(t: Terms, v: Values) -> list[float]:
    q, (begin, end) = market(v), t.active
    month = t.cards_for(peak_hours(t, v)) * t.month_hours * hour_price(t, v, RESERVED)
    paid = [0.0] * (t.months + 1)
    for k in range(terms(end - begin, t.term)):
        start = begin + k * t.term
        first, monthly = upfront_and_monthly(month * q**start, t.term, t.upfront)
        paid[start] += first
        stop = min(start + t.term, t.months)
        for m in range(start + 1, stop + 1):
            paid[m] += monthly
        paid[t.months] += monthly * (start + t.term - stop)
    return paid
