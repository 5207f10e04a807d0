"""The catalog's offers for one accelerator -> the price that a calculator starts from, with its origin.

In: catalog, accelerator id, commitment, currency. Out: a `Quote` (price per accelerator and hour) or None: a price that
nobody stated is absent, never 0. The choice is a rule, not a judgement: confirmed before unconfirmed, then the newest
year, then the cheapest.
"""

from typing import NamedTuple

from calculators.framework.remembered import PerCatalog
from catalog.model import Catalog, Offer

_grouped: PerCatalog[str, list[Offer]] = PerCatalog()
_quoted: PerCatalog[tuple[str, str, str, bool | None, float], "Quote | None"] = PerCatalog()


class Quote(NamedTuple):
    """A price per accelerator and hour in the wanted currency, and the offer that it comes from."""

    per_hour: float
    currency: str
    offer: Offer
    converted: bool


def offers_of(catalog: Catalog, accelerator: str) -> list[Offer]:
    """The offers of one accelerator, in the catalog's order."""
    known = _grouped.of(catalog)
    if not known:
        for offer in catalog.offers.values():
            known.setdefault(offer.accelerator, []).append(offer)
    return known.get(accelerator, [])


def best_quote(
    catalog: Catalog,
    accelerator: str,
    currency: str,
    *,
    commitment: str = "on-demand",
    bare_metal: bool | None = None,
    hours_per_month: float = 730.0,
) -> Quote | None:
    """The price to start from. `bare_metal` None = either kind of machine."""
    known, asked = _quoted.of(catalog), (accelerator, currency, commitment, bare_metal, hours_per_month)
    if asked not in known:
        known[asked] = _best(catalog, *asked)
    return known[asked]


def _best(
    catalog: Catalog, accelerator: str, currency: str, commitment: str, bare_metal: bool | None, hours_per_month: float
) -> Quote | None:
    found = [
        o
        for o in offers_of(catalog, accelerator)
        if o.commitment == commitment
        and (bare_metal is None or o.bare_metal == bare_metal)
        and o.per_accelerator_hour(hours_per_month) is not None
    ]
    quotes = [_quote(catalog, o, currency, hours_per_month) for o in found]
    return min(quotes, key=_rank, default=None)


def _quote(catalog: Catalog, offer: Offer, currency: str, hours_per_month: float) -> Quote:
    amount = offer.per_accelerator_hour(hours_per_month) or 0.0
    return Quote(catalog.convert(amount, offer.currency, currency), currency, offer, offer.currency != currency)


def _rank(quote: Quote) -> tuple[bool, int, float]:
    return (not quote.offer.confirmed, -int(quote.offer.date[:4]), quote.per_hour)
