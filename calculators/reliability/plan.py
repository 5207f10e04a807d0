"""The inputs of `spot` with every default filled in, and what the job then takes and costs.

In: `Inputs`, the catalog. Out: a `Plan`, in hours and in the reader's currency, without words for a reader.
"""

import math
from dataclasses import dataclass
from functools import cached_property

from calculators.market import prices
from calculators.market.prices import Price
from calculators.reliability.fields import RECLAIM_HOURS, Inputs
from calculators.reliability.job import best_interval, job_mtbi, wall, wall_with_notice
from catalog.model import Catalog

SPOT, ON_DEMAND = "spot", "on-demand"
EVER = (0.01, 1e9)
"""Hours between reclaims among which a break-even is searched: the range of the field."""
ENDLESS = 1000.0
"""Times its work: a job that is expected to take longer is said to never end."""


@dataclass(frozen=True)
class Plan:
    """What a job on spot depends on. Times in hours; prices per accelerator and hour."""

    inputs: Inputs
    prices: dict[str, Price]
    spot: float | None
    on_demand: float | None
    low: float
    high: float

    @property
    def checkpoint(self) -> float:
        """Hours that one checkpoint takes."""
        i = self.inputs
        seconds = i.checkpoint_gb / i.write_gb_per_second if i.checkpoint_seconds is None else i.checkpoint_seconds
        return seconds / 3600

    @property
    def restart(self) -> float:
        """Hours from having instances again to working again."""
        return self.inputs.restart_minutes / 60

    @property
    def instances(self) -> int:
        """Whole instances that the job takes."""
        return math.ceil(self.inputs.accelerator_count / self.inputs.instance_gpus)

    @property
    def failures(self) -> float:
        """Hours between failures of the job's hardware and software: what interrupts on demand too."""
        return self.inputs.gpu_failure_hours / self.inputs.accelerator_count

    def mtbi(self, reclaimed_every: float | None = None) -> float:
        """Hours between interruptions of the whole job on spot."""
        i = self.inputs
        every = i.interruption_hours if reclaimed_every is None else reclaimed_every
        return job_mtbi(self.instances, every, i.accelerator_count, i.gpu_failure_hours)

    def interval(self, mtbi: float) -> float:
        """The reader's, else the best for this rate of interruptions."""
        own = self.inputs.interval_minutes
        return best_interval(self.checkpoint, mtbi) if own is None else own / 60

    def running(self, mtbi: float, interval: float | None = None) -> float:
        """Expected hours that instances run; inf where the job never ends."""
        tau = self.interval(mtbi) if interval is None else interval
        work = self.inputs.work_hours
        hours = wall(work, tau, self.checkpoint, self.restart, mtbi)
        return hours if hours <= ENDLESS * work else math.inf

    @cached_property
    def base(self) -> float:
        """Running hours at the base."""
        return self.running(self.mtbi())

    @cached_property
    def on_demand_running(self) -> float:
        """Running hours where only failures interrupt."""
        return self.running(self.failures)

    def cost(self, price: float | None, hours: float) -> float | None:
        """Of all accelerators; None where there is no price or no end."""
        return None if price is None or not math.isfinite(hours) else price * self.inputs.accelerator_count * hours

    def total(self, mtbi: float) -> float:
        """Hours until it is done: running, and waiting for capacity after each reclaim (failures keep their instances)."""
        run = self.running(mtbi)
        reclaims = run * (1 / mtbi - 1 / self.failures)
        return run + max(0.0, reclaims) * self.inputs.wait_hours if math.isfinite(run) else math.inf

    @property
    def noticed(self) -> bool:
        """Whether one checkpoint fits between the warning and the end."""
        return self.inputs.notice_seconds >= self.checkpoint * 3600

    @property
    def with_notice(self) -> float:
        """Running hours where every reclaim is saved on notice; failures still cost the work since the last checkpoint."""
        reclaimed = self.inputs.interruption_hours / self.instances
        return wall_with_notice(self.on_demand_running, self.checkpoint, self.restart, reclaimed)

    def dearer(self, reclaimed_every: float) -> float:
        """Cost on spot over cost on demand, less 1, each with its interval; inf where spot never ends, NaN without prices."""
        return self.price_ratio * self.running(self.mtbi(reclaimed_every)) / self.on_demand_running - 1

    @property
    def price_ratio(self) -> float:
        """Spot price over on-demand price; NaN where one is unknown."""
        return self.spot / self.on_demand if self.spot is not None and self.on_demand is not None else math.nan

    @cached_property
    def break_even(self) -> float | None:
        """Hours between reclaims of one instance at which spot costs as much as on demand; None: never, or always."""
        if math.isnan(self.price_ratio) or not math.isfinite(self.on_demand_running):
            return None
        low, high = (math.log(x) for x in EVER)
        if self.dearer(EVER[0]) <= 0 or self.dearer(EVER[1]) >= 0:
            return None
        while high - low > 1e-13 * abs(high):
            middle = (low + high) / 2
            if middle in (low, high):
                break
            if self.dearer(math.exp(middle)) > 0:
                low = middle
            else:
                high = middle
        return math.exp(high)


def make_plan(inputs: Inputs, catalog: Catalog) -> Plan:
    """Fill in what the reader left empty. Never a price of 0 for one that nobody knows."""
    i, found = inputs, dict[str, Price]()
    demand = (
        prices.rent(catalog, i.accelerator, "hourly", i.currency)
        if i.on_demand_price is None
        else prices.entered(i.on_demand_price)
    )
    spot = prices.rent(catalog, i.accelerator, "spot", i.currency) if i.spot_price is None else prices.entered(i.spot_price)
    if demand:
        found[ON_DEMAND] = demand
    if spot:
        found[SPOT] = spot
    amount = spot.amount if spot else demand.amount * i.spot_percent / 100 if demand else None
    own = i.interruption_hours
    low = min(RECLAIM_HOURS[0], own / 4) if i.interruption_hours_low is None else i.interruption_hours_low
    high = max(RECLAIM_HOURS[2], own * 3) if i.interruption_hours_high is None else i.interruption_hours_high
    return Plan(i, found, amount, demand.amount if demand else None, min(low, own), max(high, own))
