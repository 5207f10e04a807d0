"""Which catalog cards hold a model, on how many, at what price per hour and what decode speed.

In: a `Serving`, the catalog, a currency. Out: one `Placement` per card that fits on at most `MOST_GPUS`, cheapest first,
cards without a price last. This answers "is it 2 x 3090 or 1 x 4090?".
"""

from typing import NamedTuple

from calculators.market.offers import Quote, best_quote
from calculators.memory.formats import RUNS, support_in
from calculators.memory.serving import Footprint, Serving, Speed, card_bytes, decode_speed, footprint, splits
from catalog.model import Accelerator, Catalog

COUNTS = (1, 2, 4, 8, 16, 32)
"""GPUs that work on one model by tensor parallelism; more than 8 means more than one server for most cards."""


class Placement(NamedTuple):
    """One card, the smallest number of them that holds the model, and what that costs and gives."""

    card: Accelerator
    tensor_parallel: int
    gpus: int
    verdict: str
    footprint: Footprint
    capacity: float
    speed: Speed | None
    quote: Quote | None
    support: str

    @property
    def per_hour(self) -> float | None:
        """Price of all its GPUs for an hour, or None where the catalog has no price."""
        return None if self.quote is None else self.quote.per_hour * self.gpus

    @property
    def runs(self) -> bool:
        """The card is known to compute with the weight format; room alone is not enough to recommend it."""
        return self.support in RUNS


def placements(s: Serving, catalog: Catalog, currency: str, usable_percent: float) -> tuple[Placement, ...]:
    """Every card of the catalog that holds the model, cheapest first."""
    footprints = {n: footprint(s, n) for n in COUNTS if splits(s, n)}
    found = [
        p
        for card in catalog.accelerators.values()
        if (p := _place(s, card, footprints, catalog, currency, usable_percent)) is not None
    ]
    return tuple(sorted(found, key=_order))


def _place(
    s: Serving, card: Accelerator, footprints: dict[int, Footprint], catalog: Catalog, currency: str, usable_percent: float
) -> Placement | None:
    capacity = card_bytes(card.memory, usable_percent)
    gpus = next((n for n, f in footprints.items() if f.high <= capacity), None)
    verdict = "yes"
    tight = next((n for n, f in footprints.items() if f.low <= capacity), None)
    if gpus is None:
        if tight is None:
            return None
        gpus, verdict = tight, "tight"
    bandwidth = card.memory_bandwidth
    speed = decode_speed(s, gpus, bandwidth.value * 1e9) if bandwidth else None
    quote = best_quote(catalog, card.id, currency)
    total = s.spread.gpus(gpus)
    runs = support_in(catalog, card, s.weight_format)
    return Placement(card, gpus, total, verdict, footprints[gpus], capacity, speed, quote, runs)


def cheapest(found: tuple[Placement, ...]) -> Placement | None:
    """The cheapest priced placement with room at the high end on a card that is known to run the format."""
    return next((p for p in found if p.per_hour is not None and p.verdict == "yes" and p.runs), None)


def _order(p: Placement) -> tuple[bool, float, int, str]:
    return (p.per_hour is None, p.per_hour or 0.0, p.gpus, p.card.id)
