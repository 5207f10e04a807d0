"""The catalog's offers for one accelerator -> the price that a calculator starts from, with its origin.

In: catalog, accelerator id, commitment, currency. Out: a `Quote` (price per accelerator and hour) or None: a price that
nobody stated is absent, never 0. The choice is a rule, not a judgement: confirmed before unconfirmed, then the newest
year, then the cheapest.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from catalog.model import Catalog, Offer

_Asked = tuple[str, str, str, bool | None, float]
_grouped: list[tuple[Mapping[str, Offer], dict[str, list[Offer]]]] = []
"""At most one: the offers of the catalog that was asked last, by accelerator. Every card of a table asks for its own."""
_quoted: list[tuple[Catalog, dict[_Asked, "Quote | None"]]] = []
"""At most one: the quotes of the catalog that was asked last. Every answer asks for those of all cards."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A price per accelerator and hour in the wanted currency, and the offer that it comes from."""

    per_hour: float
    currency: str
    offer: Offer
    converted: bool


def offers_of(catalog: Catalog, accelerator: str) -> list[Offer]:
    """The offers of one accelerator, in the catalog's order."""
    if not _grouped or _grouped[0][0] is not catalog.offers:
        found: dict[str, list[Offer]] = {}
        for offer in catalog.offers.values():
            found.setdefault(offer.accelerator, []).append(offer)
        _grouped[:] = [(catalog.offers, found)]
    return _grouped[0][1].get(accelerator, [])


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
    if not _quoted or _quoted[0][0] is not catalog:
        _quoted[:] = [(catalog, {})]
    known, asked = _quoted[0][1], (accelerator, currency, commitment, bare_metal, hours_per_month)
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
