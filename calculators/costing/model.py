"""The records that the parts of `tco` hand on: what moves, what stands, and the flows of money of one way to get hours.

In: nothing. Out: `Values` (what the uncertainty moves), `Terms` (everything else, resolved), `Asset`, `Flows`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Final, NamedTuple

from calculators.costing.workload import Stretch
from calculators.reliability.checkpoints import daly_high, t_wall_expected

ON_DEMAND: Final = "on-demand"
MONTHLY: Final = "monthly"
RESERVED: Final = "reserved"
SPOT: Final = "spot"
BARE_METAL: Final = "bare-metal"
PURCHASE: Final = "purchase"
USED: Final = "second-hand"
OPTIONS = (ON_DEMAND, MONTHLY, RESERVED, SPOT, BARE_METAL, PURCHASE, USED)
RENTS = (ON_DEMAND, MONTHLY, RESERVED, SPOT, BARE_METAL)
OWNED = (PURCHASE, USED)
RESIDUAL_MONTHS = 36
_ROUNDING = 1e-9


class Values(NamedTuple):
    """What is uncertain, each in the unit of the input field of its name."""

    hours_per_month: float
    hourly_price: float
    rent_decline_percent: float
    spot_percent: float
    reserved_discount_percent: float
    capex_per_accelerator: float
    residual_percent: float
    maintenance_percent: float
    tariff: float
    pue: float
    colo_per_kw_month: float
    discount_rate_percent: float
    spot_interrupted_every: float
    monthly_price: float
    bare_metal_price: float
    used_price_per_accelerator: float


@dataclass(frozen=True, slots=True)
class Asset:
    """Machines that are bought: new, at `Values.capex_per_accelerator`, or second-hand, at `Values.used_price_per_accelerator`."""

    id: str
    failure: float
    test: float
    warranty_months: float


@dataclass(frozen=True, slots=True)
class Terms:
    """Everything that stands while `Values` move. Money in the reader's currency, rates and shares as shares, hours per card."""

    options: tuple[str, ...]
    cards: int
    months: int
    stretches: tuple[Stretch, ...]
    mean_hours: float
    month_hours: float
    step: float
    session: float
    goodput: float
    spot_goodput: float | None
    spot_checkpoint: float
    spot_restart: float
    metal_size: int
    reserved_price: float | None
    term: int
    upfront: float
    spot_price: float | None
    storage: float
    egress: float
    rent_network: float
    support: float
    setup: float
    assets: tuple[Asset, ...]
    premium: float
    cluster_network: float
    own_storage: float
    install: float
    duty: float
    spare_level: float
    spare_lead_days: float
    kw: float
    load: float
    idle: float
    demand: float
    colo: bool
    colo_kw: float | None
    colo_extra: float
    colo_energy: bool
    salary: float
    servers_per_operator: float
    least_operators: float
    licence: float
    insurance: float
    bandwidth: float
    growth: float
    goods: float
    services: float
    tax: float
    inflation: float
    method: str
    book_life: int
    book_salvage: float
    life_hours: float

    def cards_for(self, run_hours: float) -> int:
        """Cards that must be held so that so many running hours of each of `cards` fit into a month."""
        if run_hours <= self.month_hours * (1 + _ROUNDING):
            return self.cards
        return ceil(self.cards * run_hours / self.month_hours - _ROUNDING)

    def spot_wall(self, every: float) -> float:
        """Paid spot hours for an hour of work, interrupted once in so many hours: as entered, else by Daly's expected wall time.

        Checkpoints at Daly's higher-order interval; source: `calculators.reliability.checkpoints`.
        """
        if self.spot_goodput is not None:
            return 1 / self.spot_goodput
        saved = self.spot_checkpoint
        return t_wall_expected(1.0, daly_high(saved, every), saved, self.spot_restart, every)

    @property
    def active(self) -> tuple[int, int]:
        """The month before the first with work, and the last with work."""
        busy = [s for s in self.stretches if s.hours > 0]
        return busy[0].first, busy[-1].last

    @property
    def used_months(self) -> int:
        """How many months have work."""
        return sum(s.last - s.first for s in self.stretches if s.hours > 0)


@dataclass(frozen=True, slots=True)
class Flows:
    """What one way costs: for each kind of cost the money of t = 0 and of the end of each month. Income is negative."""

    id: str
    kinds: Mapping[str, list[float]]

    def total(self) -> list[float]:
        """All kinds together, month by month."""
        return [sum(column) for column in zip(*self.kinds.values(), strict=True)]
