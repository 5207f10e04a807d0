"""Buying, new or second-hand, as flows of money, month by month.

In: `Terms`, `Values`, an `Asset`. Out: `Flows`, the lines of what is paid at the start, the value in the books and on the market.
A machine counts as sold at the end. Running costs are at today's prices in month 1 and rise by `growth`.
"""

from dataclasses import dataclass
from math import ceil

from calculators.costing.model import RESIDUAL_MONTHS, USED, Asset, Flows, Terms, Values
from calculators.costing.renting import peak_hours
from calculators.finance.depreciation import (
    declining_balance,
    straight_line,
    units_of_production,
)
from calculators.finance.energy import demand_charge, energy_kwh
from calculators.finance.spares import spares
from calculators.finance.tax import duty, tax_shield
from calculators.market.prices import NODE


@dataclass(frozen=True, slots=True)
class Purchase:
    """What is paid at the start: `lines` after VAT, and the bases of what follows, at the prices of the quote."""

    cards: int
    card_price: float
    spare_cards: int
    lines: dict[str, float]
    maintained: float
    resold: float

    @property
    def total(self) -> float:
        """All that is paid at the start."""
        return sum(self.lines.values())


def price_of(a: Asset, v: Values) -> float:
    """Server and card, per accelerator."""
    return v.used_price_per_accelerator if a.id == USED else v.capex_per_accelerator


def bought(t: Terms, v: Values, a: Asset) -> Purchase:
    """Server, network, storage, spares, duty, installation, each with the VAT that stays."""
    cards = t.cards_for(peak_hours(t, v))
    price = price_of(a, v)
    card = price / (1 + t.premium)
    count = spares(cards, a.failure, t.spare_lead_days, t.spare_level)
    server = cards * price
    network = server * t.cluster_network
    hardware = server + network + t.own_storage + count * card
    lines = {
        "hardware": server,
        "cluster-network": network,
        "own-storage": t.own_storage,
        "spares": count * card,
        "duty": duty(hardware, t.duty),
        "install": t.install + cards * a.test,
    }
    kept = {kind: amount * t.goods for kind, amount in lines.items() if amount or kind == "hardware"}
    return Purchase(cards, card, count, kept, server + network + t.own_storage, hardware * min(1.0, t.goods))


def market_value(v: Values, p: Purchase, months: int) -> float:
    """What it would sell for: the curve of a constant yearly loss through its value after 36 months."""
    return float(p.resold * (v.residual_percent / 100) ** (months / RESIDUAL_MONTHS))


def run_hours(t: Terms, v: Values) -> list[float]:
    """Running hours of each card in month 0 (none), 1, 2 …"""
    scale, hours = v.hours_per_month / t.mean_hours / t.goodput, [0.0] * (t.months + 1)
    for first, last, each in t.stretches:
        for m in range(first + 1, last + 1):
            hours[m] = each * scale
    return hours


def book_losses(t: Terms, v: Values, p: Purchase) -> list[float]:
    """Depreciation in the books of month 0 (none), 1, 2 … over the horizon."""
    salvage, life = p.total * t.book_salvage, 12 * t.book_life
    months = range(1, t.months + 1)
    if t.method == "declining":
        years = declining_balance(p.total, salvage, t.book_life)
        return [0.0, *(years[(m - 1) // 12] / 12 if m <= life else 0.0 for m in months)]
    if t.method == "units":
        losses, so_far, done = [0.0], 0.0, 0.0
        for hours in run_hours(t, v)[1:]:
            so_far += hours * t.cards / p.cards
            left = units_of_production(p.total, salvage, t.life_hours, so_far)
            losses.append(left - done)
            done = left
        return losses
    level = straight_line(p.total, salvage, life)
    return [0.0, *(level if m <= life else 0.0 for m in months)]


def owned(t: Terms, v: Values, a: Asset) -> Flows:
    """All flows of one purchase, its sale at the end included."""
    p = bought(t, v, a)
    kinds = {kind: [amount] + [0.0] * t.months for kind, amount in p.lines.items()}
    running = _running(t, v, a, p)
    kinds |= running
    sale = market_value(v, p, t.months)
    kinds["resale"] = [0.0] * t.months + [-sale]
    if t.tax:
        losses = book_losses(t, v, p)
        paid = [sum(column) for column in zip(*running.values(), strict=True)]
        saved = [-tax_shield(t.tax, x + loss) for x, loss in zip(paid, losses, strict=True)]
        saved[-1] += tax_shield(t.tax, sale - (p.total - sum(losses)))
        kinds["tax"] = saved
    return Flows(a.id, kinds)


def month_costs(t: Terms, v: Values, a: Asset, p: Purchase) -> dict[str, tuple[float, float, float]]:
    """Each running cost of a month at today's prices, after VAT, and the months (first, last] in which it is paid. Energy apart."""
    nodes = ceil(p.cards / NODE)
    operators = max(t.least_operators, nodes / t.servers_per_operator)
    pue = 1.0 if t.colo else v.pue
    end, warranty = float(t.months), min(float(t.months), a.warranty_months)
    rent = (t.colo_kw or p.cards * t.kw) * v.colo_per_kw_month + t.colo_extra if t.colo else 0.0
    each = {
        "demand": (demand_charge(p.cards * t.kw, t.demand, 1.0, pue), 0.0, end),
        "colo": (rent, 0.0, end),
        "maintenance": (p.maintained * v.maintenance_percent / 100 / 12, 0.0, warranty),
        "replacement": (p.cards * a.failure / 12 * p.card_price, warranty, end),
        "staff": (operators * t.salary / 12, 0.0, end),
        "licence": (p.cards * t.licence / 12, 0.0, end),
        "insurance": (p.maintained * t.insurance / 12, 0.0, end),
        "bandwidth": (t.bandwidth, 0.0, end),
    }
    return {kind: (amount * t.services, first, last) for kind, (amount, first, last) in each.items() if amount and last > first}


def energy_month(t: Terms, v: Values, p: Purchase, hours: float) -> float:
    """kWh at the meter of a month in which each of `cards` runs so many hours."""
    held = p.cards * t.month_hours
    return energy_kwh(
        t.kw * t.load * p.cards, t.month_hours, min(1.0, t.cards * hours / held), 1.0 if t.colo else v.pue, t.idle
    )


def _running(t: Terms, v: Values, a: Asset, p: Purchase) -> dict[str, list[float]]:
    rise = [0.0, *(t.growth ** (m - 1) for m in range(1, t.months + 1))]
    kinds: dict[str, list[float]] = {}
    if not t.colo_energy:
        price = v.tariff * t.services
        month = {hours: energy_month(t, v, p, hours) * price for hours in set(run_hours(t, v)[1:])}
        kinds["electricity"] = [0.0, *(month[h] * rise[m] for m, h in enumerate(run_hours(t, v)[1:], 1))]
    for kind, (amount, first, last) in month_costs(t, v, a, p).items():
        kinds[kind] = [amount * rise[m] if first < m <= last else 0.0 for m in range(t.months + 1)]
    return kinds
