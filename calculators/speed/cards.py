"""Which catalog cards keep a latency target for a traffic, with how many GPUs, at what price.

In: a `Traffic`, the catalog, a currency. Out: one `Plan` per card that can, cheapest first, cards without a price last.
"""

import sys
from dataclasses import dataclass, replace

from calculators.market.offers import Quote, best_quote
from calculators.memory.formats import RUNS, support
from calculators.memory.serving import Serving, card_bytes, splits
from calculators.speed.machine import MOST_GPUS, Machine, machine
from calculators.speed.service import replica, replicas_for
from calculators.speed.steps import Load, load_of
from calculators.speed.target import Best, Target, best_batch, room
from catalog.model import Accelerator, Catalog

COUNTS = tuple(n for n in (1, 2, 4, 8) if n <= MOST_GPUS)
SECONDS_PER_HOUR = 3600
MANY = sys.maxsize


@dataclass(frozen=True, slots=True)
class Traffic:
    """A model, how it is served (batch 1, full context), its requests, what they must keep, and how full replicas run."""

    serving: Serving
    prompt: int
    answer: int
    requests_per_s: float
    target: Target
    used_percent: float
    usable_percent: float
    currency: str


@dataclass(frozen=True, slots=True)
class Plan:
    """One card: GPUs per replica, replicas, the batch that keeps the target, and the price of all GPUs for an hour."""

    card: Accelerator
    gpus: int
    best: Best
    replicas: int
    quote: Quote | None

    @property
    def all_gpus(self) -> int:
        """GPUs of all replicas."""
        return self.gpus * self.replicas

    @property
    def per_hour(self) -> float | None:
        """Price of all GPUs for an hour, or None where the catalog has no price."""
        return None if self.quote is None else self.quote.per_hour * self.all_gpus


def _plan(t: Traffic, card: Accelerator, one: Machine, load: Load, memory: int, fewer_than: int) -> Plan | None:
    """The card with the load's GPUs per replica and `memory` requests at most, or None.

    None where that does not keep the target or takes `fewer_than` GPUs or more: a fuller replica serves more requests, so that
    memory alone bounds them before the target is looked at.
    """
    gpus = load.gpus
    r = replica(load, one.times(gpus))
    if gpus * replicas_for(t.requests_per_s, r.rate(memory), t.used_percent) >= fewer_than:
        return None
    best = best_batch(r, t.target, memory)
    if not best.batch:
        return None
    replicas = replicas_for(t.requests_per_s, best.point.rate, t.used_percent)
    return Plan(card, gpus, best, replicas, None) if gpus * replicas < fewer_than else None


def plans(t: Traffic, catalog: Catalog) -> tuple[Plan, ...]:
    """Every card that runs the format and keeps the target, on the GPUs that are the fewest in all, cheapest first."""
    found = []
    counts = [n for n in COUNTS if splits(t.serving, n)]
    loads = [(load_of(t.serving, t.prompt, t.answer, n), room(t.serving, n)) for n in counts]
    for card in catalog.accelerators.values():
        if support(card, t.serving.weight_format) not in RUNS:
            continue
        one = machine(card, t.serving.weight_format, 1)
        if one is None:
            continue
        capacity = card_bytes(card.memory, t.usable_percent)
        best: Plan | None = None
        for load, space in loads:
            fewest = best.all_gpus if best else MANY
            if fewest <= load.gpus:
                break  # more GPUs per replica cannot be fewer in all
            memory = space.most(capacity)
            best = (_plan(t, card, one, load, memory, fewest) if memory else None) or best
        if best is not None:
            found.append(replace(best, quote=best_quote(catalog, card.id, t.currency)))
    return tuple(sorted(found, key=_order))


def cost_per_million(per_hour: float, tokens_per_s: float) -> float:
    """Price of a million tokens: money per hour / tokens per hour x 10^6."""
    return per_hour / (tokens_per_s * SECONDS_PER_HOUR) * 1e6


def _order(p: Plan) -> tuple[bool, float, int, str]:
    return (p.per_hour is None, p.per_hour or 0.0, p.all_gpus, p.card.id)
