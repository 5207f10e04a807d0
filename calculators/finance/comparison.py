"""Rent by the hour, by the month, as bare metal, or buy: the inputs -> options on a timeline -> what they cost.

In: `Inputs` of `rent-or-buy` and the catalog. Out: a `Setup` (resolved prices, the options) and `Costs` over it, without
words for a reader. An option whose price is unknown is absent, and `missing` names the field that would price it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from calculators.finance.break_even import first_crossing, first_month
from calculators.finance.depreciation import yearly_loss
from calculators.finance.discount import monthly_rate
from calculators.finance.energy import energy_kwh
from calculators.finance.options import Line, Option, Resale, Timeline
from calculators.finance.rent_or_buy_fields import Inputs
from calculators.market import prices
from calculators.market.prices import Price
from catalog.model import Catalog

HOURLY: Final = "hourly"
MONTHLY: Final = "monthly"
BARE_METAL: Final = "bare-metal"
PURCHASE: Final = "purchase"
OPTIONS = (HOURLY, MONTHLY, BARE_METAL, PURCHASE)
RENTS = (HOURLY, MONTHLY, BARE_METAL)
RESIDUAL_MONTHS = 36

HOME = {"CNY": "cn", "USD": "us"}
"""The region of the catalog whose prices are defaults in a currency."""
RANGES = {"residual_percent": (10.0, 35.0), "maintenance_percent": (3.0, 12.0), "rent_decline_percent": (-10.0, 40.0)}
"""What published guesses span; the reader's own value widens it."""


@dataclass(frozen=True)
class Setup:
    """The inputs with every default filled in. Money in the reader's currency, for the whole fleet unless said otherwise."""

    inputs: Inputs
    prices: dict[str, Price]
    missing: dict[str, str]
    nodes: int
    capex: float | None
    kw: float | None
    kw_words: str
    kw_source: str
    tariff: float
    colo_rate: float
    pue: float

    @cached_property
    def timeline(self) -> Timeline:
        """The horizon at the reader's cost of capital."""
        return Timeline(
            self.inputs.horizon_months,
            monthly_rate(self.inputs.discount_rate_percent / 100),
            (1 - self.inputs.rent_decline_percent / 100) ** (1 / 12),
        )

    @cached_property
    def nominal(self) -> Timeline:
        """The same months with a cost of capital of 0: sums as they are paid."""
        return Timeline(self.inputs.horizon_months, 0.0, self.timeline.market)

    @cached_property
    def options(self) -> dict[str, Option]:
        """The options that have a price, in the fixed order."""
        n, cost = self.inputs.accelerator_count, {k: p.amount for k, p in self.prices.items()}
        made: dict[str, Option] = {}
        if HOURLY in cost:
            made[HOURLY] = Option(HOURLY, (Line("rent", per_hour=n * cost[HOURLY], follows_market=True),))
        if MONTHLY in cost:
            made[MONTHLY] = Option(MONTHLY, (Line("rent", per_month=n * cost[MONTHLY], follows_market=True),))
        if BARE_METAL in cost:
            made[BARE_METAL] = Option(BARE_METAL, (Line("rent", per_month=self.nodes * cost[BARE_METAL], follows_market=True),))
        if self.capex is not None and self.kw is not None and PURCHASE not in self.missing:
            made[PURCHASE] = self._purchase(n * self.capex, n * self.kw)
        return made

    def _purchase(self, capex: float, kw: float) -> Option:
        i = self.inputs
        idle, full = (
            energy_kwh(kw, i.month_hours, used, self.pue, i.idle_power_percent / 100) * self.tariff for used in (0.0, 1.0)
        )
        lines = (
            Line("hardware", upfront=capex),
            Line("electricity", per_month=idle, per_hour=(full - idle) / i.month_hours),
            Line("colo", per_month=kw * self.colo_rate),
            Line("maintenance", per_month=capex * i.maintenance_percent / 100 / 12),
            Line("staff", per_month=i.staff_per_month),
        )
        return Option(PURCHASE, lines, Resale(capex, yearly_loss(i.residual_percent / 100, RESIDUAL_MONTHS / 12)))

    def cost(self, option: str, hours: float | None = None, months: int | None = None) -> float:
        """Present value of one option."""
        i = self.inputs
        return self.timeline.cost(
            self.options[option], i.hours_per_month if hours is None else hours, i.horizon_months if months is None else months
        )

    @cached_property
    def totals(self) -> dict[str, float]:
        """Present value of each priced option over the horizon."""
        return {id: self.cost(id) for id in self.options}

    @cached_property
    def ranking(self) -> tuple[str, ...]:
        """The priced options, cheapest first; equal ones in the fixed order."""
        return tuple(sorted(self.totals, key=lambda id: self.totals[id]))

    @cached_property
    def rents(self) -> tuple[str, ...]:
        """The priced ways to rent, cheapest first."""
        return tuple(id for id in self.ranking if id != PURCHASE)

    def per_used_hour(self, option: str) -> float:
        """Present value of the cost over present value of the hours that were used, per accelerator."""
        i = self.inputs
        used = i.accelerator_count * i.hours_per_month * self.timeline.flat[i.horizon_months]
        return self.totals[option] / used

    def break_even_hours(self, option: str, against: tuple[str, ...]) -> float | None:
        """Hours a month from which `option` costs no more than the cheapest of `against`; None where no month is long enough."""
        against = tuple(id for id in against if id in self.options)
        if option not in self.options or not against:
            return None

        def dearer(hours: float) -> float:
            return self.cost(option, hours) - min(self.cost(id, hours) for id in against)

        return first_crossing(dearer, self._bends(against))

    def _bends(self, against: tuple[str, ...]) -> list[float]:
        """Where the cheapest of several rents changes: between these hours each cost is a straight line."""
        end = self.inputs.month_hours
        flat = [self.cost(id, 0.0) for id in against if id != HOURLY]
        bends = {0.0, end}
        if HOURLY in against:
            bends |= {h for f in flat if 0 < (h := f / self.cost(HOURLY, 1.0)) < end}
        return sorted(bends)

    def break_even_month(self) -> int | None:
        """First month by which owning, sold then, has cost no more than the cheapest rent so far."""
        if PURCHASE not in self.options or not self.rents:
            return None

        def ahead(month: int) -> bool:
            return self.cost(PURCHASE, months=month) <= self.cost(self.rents[0], months=month)

        return first_month(ahead, self.inputs.horizon_months)

    def break_even_price(self) -> float | None:
        """Today's hourly price at which renting by the hour costs as much as owning over the horizon."""
        if PURCHASE not in self.options:
            return None
        i = self.inputs
        return self.totals[PURCHASE] / (i.accelerator_count * i.hours_per_month * self.timeline.moving[i.horizon_months])


def set_up(inputs: Inputs, catalog: Catalog) -> Setup:
    """Fill in what the reader left empty. Never a price of 0 for one that nobody knows."""
    i, found, missing = inputs, dict[str, Price](), dict[str, str]()

    def rented(option: prices.RentKind, field: str, own: float | None) -> None:
        price = prices.rent(catalog, i.accelerator, option, i.currency) if own is None else prices.entered(own)
        if price is None:
            missing[option] = field
        else:
            found[option] = price

    rented(HOURLY, "hourly_price", i.hourly_price)
    rented(MONTHLY, "monthly_price", i.monthly_price)
    by_day = prices.DAYS_PER_MONTH if i.bare_metal_per == "day" else 1
    rented(BARE_METAL, "bare_metal_price", None if i.bare_metal_price is None else i.bare_metal_price * by_day)
    offered = found[BARE_METAL].accelerators if BARE_METAL in found else 0
    size = i.bare_metal_accelerators or offered or prices.NODE

    capex = _capex(i, catalog, found)
    kw = _kw(i, catalog)
    colo = regional(catalog, i.currency, "colo_per_kw_month") if i.colo_per_kw_month is None else i.colo_per_kw_month
    tariff = regional(catalog, i.currency, "tariff_per_kwh") if i.tariff is None else i.tariff
    if capex is None:
        missing[PURCHASE] = "capex_per_accelerator"
    elif kw is None:
        missing[PURCHASE] = "kw_per_accelerator"
    elif i.hosting == "colo" and colo is None:
        missing[PURCHASE] = "colo_per_kw_month"
    elif tariff is None:
        missing[PURCHASE] = "tariff"
    in_colo = i.hosting == "colo"
    return Setup(
        inputs=i,
        prices=found,
        missing=missing,
        nodes=math.ceil(i.accelerator_count / size),
        capex=capex,
        kw=kw[0] if kw else None,
        kw_words=kw[1] if kw else "",
        kw_source=kw[2] if kw else "",
        tariff=tariff or 0.0,
        colo_rate=(colo or 0.0) if in_colo else 0.0,
        pue=1.0 if in_colo else i.pue,
    )


def regional(catalog: Catalog, currency: str, field: str) -> float | None:
    """The base value of the currency's home region; None where the catalog has none."""
    region = catalog.regions.get(HOME.get(currency, ""))
    span = getattr(region, field, None)
    return span.base.value if span is not None else None


def _capex(i: Inputs, catalog: Catalog, found: dict[str, Price]) -> float | None:
    premium = 1 + i.server_premium_percent / 100
    if i.capex_per_accelerator is not None:
        found[PURCHASE] = prices.entered(i.capex_per_accelerator)
        return i.capex_per_accelerator
    if i.card_price is not None:
        found[PURCHASE] = replace(prices.entered(i.card_price), bare_card=True)
        return i.card_price * premium
    offered = prices.purchase(catalog, i.accelerator, i.currency)
    if offered is None:
        return None
    price, is_card = offered
    found[PURCHASE] = replace(price, bare_card=is_card)
    return price.amount * premium if is_card else price.amount


def _kw(i: Inputs, catalog: Catalog) -> tuple[float, str, str] | None:
    if i.kw_per_accelerator is not None:
        return i.kw_per_accelerator, f"{i.kw_per_accelerator:g} kW", ""
    return prices.kw_at_load(catalog, i.accelerator, i.node_power_factor)


@dataclass(frozen=True, slots=True)
class Spread:
    """Low and high of owning and of the cheapest rent when the assumed inputs move over their published ranges."""

    purchase: tuple[float, float] | None
    rent: tuple[float, float] | None

    @property
    def sure(self) -> bool | None:
        """True: the same side wins at every combination. None where there is nothing to compare."""
        if self.purchase is None or self.rent is None:
            return None
        return self.purchase[1] < self.rent[0] or self.rent[1] < self.purchase[0]


def spread(setup: Setup) -> Spread:
    """Run the corners again: owning gets cheaper with resale and dearer with maintenance; rents fall faster or rise."""
    i = setup.inputs

    def corner(name: str, pick: Callable[[tuple[float, float]], float]) -> float:
        own: float = getattr(i, name)
        return pick((min(RANGES[name][0], own), max(RANGES[name][1], own)))

    def owning(residual: Callable[[tuple[float, float]], float], maintenance: Callable[[tuple[float, float]], float]) -> float:
        changed = replace(
            i,
            residual_percent=corner("residual_percent", residual),
            maintenance_percent=corner("maintenance_percent", maintenance),
        )
        return replace(setup, inputs=changed).cost(PURCHASE)

    def renting(pick: Callable[[tuple[float, float]], float]) -> float:
        changed = replace(i, rent_decline_percent=corner("rent_decline_percent", pick))
        return replace(setup, inputs=changed).cost(setup.rents[0])

    return Spread(
        (owning(max, min), owning(min, max)) if PURCHASE in setup.options else None,
        (renting(max), renting(min)) if setup.rents else None,
    )
