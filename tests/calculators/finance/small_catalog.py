"""A small fixed catalog for the calculators of money: its prices never change, so that a test's numbers do not either."""

from calculators.market.prices import NODE
from catalog.model import Accelerator, Catalog, ExchangeRate, Fact, Offer, Server, Source
from catalog.region import Region, Span

READ = "2026-11-30"
SOURCES = (
    Source("price-list", "Price list", "a lessor", "https://example.org/prices", published="2026-07"),
    Source("datasheet", "Datasheet", "a maker", "https://example.org/datasheet"),
)


def fact(value: float, unit: str) -> Fact:
    """A datasheet value."""
    return Fact(value, unit, "datasheet", READ, "datasheet")


def card(id: str, name: str, watts: float | None, **more: object) -> Accelerator:
    """An accelerator with the fields that money needs."""
    power = None if watts is None else fact(watts, "W")
    return Accelerator(id, name, "NVIDIA", "CUDA", "PCIe", fact(24, "GB"), power=power, **more)  # type: ignore[arg-type]  # one helper for fields of several types


def offer(
    id: str, card: str, count: int, amount: float, currency: str, per: str, commitment: str, date: str = "2026-07"
) -> Offer:
    """A price; a month of eight cards is bare metal."""
    bare = per in ("month", "day") and count == NODE
    return Offer(id, "a lessor", card, count, amount, currency, per, commitment, bare, "price-list", date, READ, "quoted")


ACCELERATORS = (
    card("rtx-4090-24g", "GeForce RTX 4090 24 GB", 450, street_price=fact(2000, "USD"), launch_price=fact(1599, "USD")),
    card("rtx-4090-48g", "GeForce RTX 4090 48 GB", None, flags=("no-vendor-warranty",)),
    card("rtx-5090", "GeForce RTX 5090", 575, launch_price=fact(1999, "USD"), released="2025-01"),
    card("ascend-910b-64g", "Ascend 910B 64 GB", 400, name_zh="昇腾 910B 64G"),
    card("h100-sxm", "H100 80 GB SXM5", 700, street_price=fact(23_500, "USD"), flags=("export-controlled",)),
    card("unpriced", "A card that nobody prices", None),
)
OFFERS = (
    offer("4090-hour", "rtx-4090-24g", 1, 1.96, "CNY", "hour", "on-demand"),
    offer("4090-hour-dearer", "rtx-4090-24g", 1, 1.98, "CNY", "hour", "on-demand", "2026-04"),
    offer("4090-hour-old", "rtx-4090-24g", 1, 9.99, "CNY", "hour", "on-demand", "2024-01"),
    offer("4090-hour-abroad", "rtx-4090-24g", 1, 0.40, "USD", "hour", "on-demand"),
    offer("4090-hour-spot", "rtx-4090-24g", 1, 0.10, "CNY", "hour", "spot"),
    offer("4090-node", "rtx-4090-24g", 8, 7920, "CNY", "month", "month"),
    offer("4090-48-node", "rtx-4090-48g", 8, 9600, "CNY", "month", "month"),
    offer("4090-48-day", "rtx-4090-48g", 8, 320, "CNY", "day", "day"),
    offer("910b-hour", "ascend-910b-64g", 1, 3.58, "CNY", "hour", "on-demand"),
    offer("910b-node", "ascend-910b-64g", 8, 15_600, "CNY", "month", "month"),
    offer("910b-bought", "ascend-910b-64g", 1, 120_000, "CNY", "once", "purchase", "2024-06-11"),
    offer("h100-a", "h100-sxm", 8, 16.0, "USD", "hour", "on-demand", "2026"),
    offer("h100-b", "h100-sxm", 1, 2.5, "USD", "hour", "on-demand", "2026-02-26"),
    offer("h100-c", "h100-sxm", 1, 12.0, "USD", "hour", "on-demand", "2026"),
    offer("h100-month", "h100-sxm", 2, 2920.0, "USD", "month", "month"),
)
SERVERS = (Server("dgx-h100", "DGX H100", "NVIDIA", "h100-sxm", 8, power=fact(10.2, "kW"), price=fact(240_000, "USD")),)
RATES = (
    ExchangeRate("usd-cny-old", "USD", "CNY", 6.0, "2026-01-01", "price-list", READ, "measured"),
    ExchangeRate("usd-cny", "USD", "CNY", 7.0, "2026-06-01", "price-list", READ, "measured"),
)


def span(unit: str, low: float, base: float, high: float) -> Span:
    """Three facts of the price list."""
    return Span(*(Fact(v, unit, "price-list", READ, "quoted") for v in (low, base, high)))


REGIONS = (
    Region("cn", "China", "中国", "CNY", span("ratio", 1.2, 1.3, 1.5), span("CNY", 0.35, 0.65, 1.0), span("%", 4, 8, 12)),
    Region(
        "us",
        "United States",
        "美国",
        "USD",
        span("ratio", 1.1, 1.4, 1.56),
        span("USD", 0.06, 0.0862, 0.19),
        span("%", 6, 10, 15),
        span("USD", 140, 196.25, 217),
    ),
)


def small_catalog(rates: tuple[ExchangeRate, ...] = RATES) -> Catalog:
    """The records above as a catalog of 30 November 2026."""
    return Catalog(
        "test",
        READ,
        {s.id: s for s in SOURCES},
        {a.id: a for a in ACCELERATORS},
        {},
        {s.id: s for s in SERVERS},
        {o.id: o for o in OFFERS},
        {r.id: r for r in rates},
        {},
        regions={r.id: r for r in REGIONS},
    )


SMALL = small_catalog()
