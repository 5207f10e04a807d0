"""Which catalog cards hold a training plan, on how many, at what price per hour.

In: a `Plan`, the catalog, a currency. Out: one `Placement` per card, cheapest first; and what a recipe needs of one card.
More cards mean more data parallelism: tensor, pipeline and context parallel sizes stay as they are.
"""

from dataclasses import replace
from typing import NamedTuple

from calculators.market.offers import Quote, best_quote
from calculators.memory.serving import card_bytes
from calculators.training.footprint import Footprint, footprint, sizing
from calculators.training.plan import Plan, divides, problem
from catalog.model import Accelerator, Catalog

COUNTS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)


class Placement(NamedTuple):
    """One card, the smallest number of them that holds the plan, and what that costs."""

    card: Accelerator
    gpus: int
    verdict: str
    footprint: Footprint
    capacity: float
    quote: Quote | None

    @property
    def per_hour(self) -> float | None:
        """Price of all its GPUs for an hour, or None where the catalog has no price."""
        return None if self.quote is None else self.quote.per_hour * self.gpus


def fits(p: Plan, capacity: float) -> str:
    """`yes` even at the high end, `tight` at the low end only, or `no`."""
    found = footprint(p)
    return "yes" if found.high <= capacity else "tight" if found.low <= capacity else "no"


def sizes(p: Plan) -> tuple[tuple[int, Footprint], ...]:
    """The plan on each number of GPUs that it can run on. Without sharding, more copies need no less memory: one is enough."""
    counts = (p.replica,) if p.stage == 0 and p.expert_parallel == 1 else tuple(dict.fromkeys(p.replica * n for n in COUNTS))
    usable = [n for n in counts if n <= max(COUNTS) and divides(p, n)]
    if not usable or problem(p if p.gpus == usable[0] else replace(p, gpus=usable[0])) is not None:
        return ()
    at = sizing(p)
    return tuple((n, at(n, p.micro_batch, p.sequence)) for n in usable)


def smallest(found: tuple[tuple[int, Footprint], ...], capacity: float) -> tuple[int, str, Footprint] | None:
    """The fewest GPUs that hold it: even at the high end, else at the low end."""
    for verdict in ("yes", "tight"):
        for gpus, f in found:
            if (f.high if verdict == "yes" else f.low) <= capacity:
                return gpus, verdict, f
    return None


def placements(p: Plan, catalog: Catalog, currency: str, usable_percent: float) -> tuple[Placement, ...]:
    """Every card of the catalog that holds the plan on some number of GPUs, cheapest first."""
    found = sizes(p)
    known: dict[float, tuple[int, str, Footprint] | None] = {}
    listed = []
    for card in catalog.accelerators.values():
        capacity = card_bytes(card.memory, usable_percent)
        if capacity not in known:
            known[capacity] = smallest(found, capacity)
        best = known[capacity]
        if best:
            gpus, verdict, f = best
            listed.append(Placement(card, gpus, verdict, f, capacity, best_quote(catalog, card.id, currency)))
    return tuple(sorted(listed, key=_order))


def _order(p: Placement) -> tuple[bool, bool, float, int, str]:
    return (p.verdict != "yes", p.per_hour is None, p.per_hour or 0.0, p.gpus, p.card.id)
