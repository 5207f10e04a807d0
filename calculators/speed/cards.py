"""Which catalog cards keep a latency target for a traffic, with how many GPUs, at what price.

In: a `Traffic`, the catalog, a currency. Out: one `Plan` per card that can, cheapest first, cards without a price last.
"""

import sys
from dataclasses import dataclass
from typing import NamedTuple

from calculators.framework.remembered import PerCatalog
from calculators.market.offers import Quote, best_quote
from calculators.memory.formats import RUNS, support_in
from calculators.memory.serving import Serving, card_bytes, splits
from calculators.speed.machine import MOST_GPUS, Machine, machine
from calculators.speed.service import Replica, replica, replicas_for
from calculators.speed.speculation import Speculation
from calculators.speed.steps import Load, load_of
from calculators.speed.target import Best, Room, Target, Within, batch_within, best_at, room
from catalog.model import Accelerator, Catalog

COUNTS = tuple(n for n in (1, 2, 4, 8) if n <= MOST_GPUS)
SECONDS_PER_HOUR = 3600
MANY = sys.maxsize


@dataclass(frozen=True, slots=True)
class Traffic:
    """A model, how it is served (batch 1, full context), its requests, what they must keep, and how full replicas run.

    `cached`: tokens of a prompt that the prefix cache holds.
    """

    serving: Serving
    prompt: int
    answer: int
    requests_per_s: float
    target: Target
    used_percent: float
    usable_percent: float
    currency: str
    cached: int = 0
    guesses: Speculation | None = None

    def load(self, gpus: int) -> Load:
        """What one replica of so many GPUs has to do."""
        return load_of(self.serving, self.prompt, self.answer, gpus, self.cached, self.guesses)


class Plan(NamedTuple):
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


_running: PerCatalog[str, tuple[tuple[Accelerator, dict[int, Machine]], ...]] = PerCatalog()


def _runners(catalog: Catalog, weight_format: str) -> tuple[tuple[Accelerator, dict[int, Machine]], ...]:
    """Cards that run the format and whose rates are known, with those of so many of them."""
    known = _running.of(catalog)
    if weight_format not in known:
        cards = (c for c in catalog.accelerators.values() if support_in(catalog, c, weight_format) in RUNS)
        machines = ((card, machine(card, weight_format, 1)) for card in cards)
        known[weight_format] = tuple((card, {n: m.times(n) for n in COUNTS}) for card, m in machines if m is not None)
    return known[weight_format]


def _on_fewest(
    t: Traffic, machines: dict[int, Machine], loads: list[tuple[Load, Room]], capacity: float
) -> tuple[int, Replica, Within] | None:
    """(GPUs in all, replica, its batch) on the GPUs per replica that are the fewest in all, or None where none keep the target.

    A fuller replica serves more requests, so that memory alone bounds them before the target is looked at.
    """
    best, fewest = None, MANY
    for load, space in loads:
        gpus = load.gpus
        if fewest <= gpus:
            break  # more GPUs per replica cannot be fewer in all
        memory = space.most(capacity)
        if not memory:
            continue
        r = replica(load, machines[gpus])
        if best and gpus * replicas_for(t.requests_per_s, r.rate(memory), t.used_percent) >= fewest:
            continue
        within = batch_within(r, t.target, memory)
        if not within.batch:
            continue
        every = gpus * replicas_for(t.requests_per_s, r.rate(within.batch), t.used_percent)
        if every < fewest:
            best, fewest = (every, r, within), every
    return best


def plans(t: Traffic, catalog: Catalog) -> tuple[Plan, ...]:
    """Every card that runs the format and keeps the target, on the GPUs that are the fewest in all, cheapest first."""
    found = []
    counts = [n for n in COUNTS if splits(t.serving, n)]
    loads = [(t.load(n), room(t.serving, n)) for n in counts]
    for card, machines in _runners(catalog, t.serving.weight_format):
        best = _on_fewest(t, machines, loads, card_bytes(card.memory, t.usable_percent))
        if best is None:
            continue
        every, r, within = best
        gpus = r.machine.gpus
        found.append(Plan(card, gpus, best_at(r, within), every // gpus, best_quote(catalog, card.id, t.currency)))
    return tuple(sorted(found, key=_order))


def cost_per_million(per_hour: float, tokens_per_s: float) -> float:
    """Price of a million tokens: money per hour / tokens per hour x 10^6."""
    return per_hour / (tokens_per_s * SECONDS_PER_HOUR) * 1e6


def _order(p: Plan) -> tuple[bool, float, int, str]:
    return (p.per_hour is None, p.per_hour or 0.0, p.all_gpus, p.card.id)
