"""Default prices from the catalog: what an accelerator costs to rent and to buy, and who says so.

In: the catalog, an accelerator id, a currency. Out: a `Price` with its origin, or None where the catalog has none;
never 0 for unknown. Offers in the reader's currency come before converted ones; of several that are at most a year
older than the newest, the middle one (the lower of two) is taken, because the cheapest list price is seldom to be had.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Literal

from calculators.framework.text import Text
from calculators.market.offers import offers_of
from catalog.model import Accelerator, Catalog, Fact, Offer, Server

DAYS_PER_MONTH = 30
FRESH_DAYS = 365
STALE_DAYS = 30
NODE = 8
ENTERED = Text("you entered it", "自行填写")
RentKind = Literal["hourly", "monthly", "spot", "bare-metal"]


@dataclass(frozen=True, slots=True)
class Price:
    """One amount in the reader's currency, and where it comes from (`source` empty: the reader).

    `low` .. `high` span the `count` offers it was chosen from, `lower` .. `upper` the middle half of them; of a fact they hold what
    other sources say.
    """

    amount: float
    origin: Text
    source: str = ""
    offer: str = ""
    date: str = ""
    age_days: int | None = None
    confirmed: bool | None = None
    tax: str = ""
    accelerators: int = 0
    low: float | None = None
    high: float | None = None
    count: int = 0
    converted_from: str = ""
    lower: float | None = None
    upper: float | None = None
    bare_card: bool = False

    @property
    def stale(self) -> bool:
        """Older than prices may be before a reader should ask again."""
        return self.age_days is not None and self.age_days > STALE_DAYS


def entered(amount: float, accelerators: int = 0) -> Price:
    """A price that the reader typed."""
    return Price(amount, ENTERED, accelerators=accelerators)


def rent(catalog: Catalog, accelerator: str, kind: RentKind, currency: str) -> Price | None:
    """Hourly, spot and monthly: per accelerator. Bare metal: per node and month, with the node's size in `accelerators`."""
    picked = [o for o in offers_of(catalog, accelerator) if _IS[kind](o)]
    return _middle(catalog, picked, currency, whole=kind == "bare-metal")


def purchase(catalog: Catalog, accelerator: str, currency: str) -> tuple[Price, bool] | None:
    """What to buy it for, and whether that is the bare card (True) or a share of a whole server (False).

    Order: a server's price, a dated purchase offer, the dealers' price of the card, the maker's launch price.
    """
    for server in _servers(catalog, accelerator):
        if server.price and (
            found := _fact(catalog, server.price, currency, 1 / server.accelerator_count, Text(server.name), "")
        ):
            return found, False
    sold = [o for o in offers_of(catalog, accelerator) if o.per == "once"]
    if offered := _middle(catalog, sold, currency, whole=False):
        return offered, offered.accelerators == 1
    card = catalog.accelerators[accelerator]
    for fact, origin, day in (
        (card.street_price, Text("dealers' price of the card", "卡的市场价"), ""),
        (card.launch_price, Text("maker's launch price of the card", "卡的首发价"), card.released),
    ):
        if fact and (found := _fact(catalog, fact, currency, 1.0, origin, day)):
            return found, True
    return None


def _middle(catalog: Catalog, offers: list[Offer], currency: str, *, whole: bool) -> Price | None:
    """The middle one of the recent offers, in the reader's currency where there are any."""
    pool = [o for o in offers if o.currency == currency] or [o for o in offers if _convertible(catalog, o.currency, currency)]

    def worth(offer: Offer) -> float:
        return catalog.convert(offer.amount if whole else offer.amount / offer.accelerator_count, offer.currency, currency)

    ranked = sorted(_recent(pool), key=lambda o: (worth(o), o.id))
    if not ranked:
        return None
    offer = ranked[(len(ranked) - 1) // 2]
    return Price(
        worth(offer),
        Text(offer.provider),
        _address(catalog, offer.source),
        offer.id,
        offer.date,
        age_days(offer.date, catalog.date),
        offer.confirmed,
        offer.tax,
        offer.accelerator_count,
        worth(ranked[0]),
        worth(ranked[-1]),
        len(ranked),
        "" if offer.currency == currency else offer.currency,
        worth(ranked[(len(ranked) - 1) // 4]),
        worth(ranked[len(ranked) - 1 - (len(ranked) - 1) // 4]),
    )


def kw_at_load(catalog: Catalog, accelerator: str, node_power_factor: float) -> tuple[float, str, str] | None:
    """kW per accelerator at load: formula in words, and source. A server's own figure comes before board power x factor."""
    for server in _servers(catalog, accelerator):
        if server.power:
            kw = server.power.value / server.accelerator_count
            return (
                kw,
                f"{server.name}: {server.power.value:g} kW / {server.accelerator_count}",
                _address(catalog, server.power.source),
            )
    card: Accelerator = catalog.accelerators[accelerator]
    if card.power is None:
        return None
    kw = card.power.value / 1000 * node_power_factor
    return kw, f"{card.power.value:g} W / 1000 x {node_power_factor:g}", _address(catalog, card.power.source)


def age_days(day: str, today: str) -> int | None:
    """Days from a date (its month or year counts from its first day) to another; None where either is not a date."""
    a, b = _day(day), _day(today)
    return None if a is None or b is None else max(0, (b - a).days)


def _day(text: str) -> date | None:
    parts = text.split("-")
    try:
        return date(int(parts[0]), int(parts[1]) if len(parts) > 1 else 1, int(parts[2]) if len(parts) > 2 else 1)
    except ValueError:
        return None


_IS: dict[RentKind, Callable[[Offer], bool]] = {
    "hourly": lambda o: o.per == "hour" and o.commitment == "on-demand",
    "spot": lambda o: o.per == "hour" and o.commitment == "spot",
    "monthly": lambda o: o.per == "month" and o.commitment == "month" and not o.bare_metal,
    "bare-metal": lambda o: o.per == "month" and o.bare_metal,
}


def _recent(offers: Iterable[Offer]) -> list[Offer]:
    dated = [(o, _day(o.date)) for o in offers]
    newest = max((d for _, d in dated if d is not None), default=None)
    if newest is None:
        return [o for o, _ in dated]
    return [o for o, d in dated if d is not None and (newest - d).days <= FRESH_DAYS]


def _servers(catalog: Catalog, accelerator: str) -> list[Server]:
    """Servers of eight cards first: that is what a buyer compares; a rack of 72 is another purchase."""
    found = [s for s in catalog.servers.values() if s.accelerator == accelerator]
    return sorted(found, key=lambda s: (abs(s.accelerator_count - NODE), s.id))


def _convertible(catalog: Catalog, currency: str, to: str) -> bool:
    return currency == to or any({r.base, r.quote} == {currency, to} for r in catalog.exchange_rates.values())


def _fact(catalog: Catalog, fact: Fact, currency: str, share: float, origin: Text, day: str) -> Price | None:
    """A fact has the day it was read; the day its price held is the source's, or unknown (then it has no age)."""
    if not _convertible(catalog, fact.unit, currency):
        return None
    source = catalog.sources.get(fact.source)
    if not day and source is not None and _day(source.published):
        day = source.published
    said = sorted(catalog.convert(v * share, fact.unit, currency) for v in (fact.value, *(o.value for o in fact.others)))
    return Price(
        catalog.convert(fact.value * share, fact.unit, currency),
        origin,
        _address(catalog, fact.source),
        date=day,
        age_days=age_days(day, catalog.date),
        confirmed=fact.confirmed,
        tax="not-stated",
        converted_from="" if fact.unit == currency else fact.unit,
        lower=said[0],
        upper=said[-1],
    )


def _address(catalog: Catalog, source: str) -> str:
    known = catalog.sources.get(source)
    return source if known is None else known.url or known.title
