"""The regions for which there are defaults.

In: the catalog. Out: its regions by id, or where it has none those of `STANDING`: assumptions, and the two published American prices that
`rent-or-buy` uses too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calculators.finance.comparison import COLO, TARIFF
from catalog.model import Catalog, Fact

ASSUMED = "assumption"


@dataclass(frozen=True, slots=True)
class Span:
    """How low and how high a number may be."""

    low: Fact | None
    base: Fact | None
    high: Fact | None


@dataclass(frozen=True, slots=True)
class Region:
    """Defaults of one region, money in its currency."""

    id: str
    name: str
    name_zh: str
    currency: str
    pue: Span
    tariff_per_kwh: Span
    cost_of_capital: Span
    colo_per_kw_month: Span | None = None
    vat: Span | None = None


def _span(unit: str, *values: float, said: str = "") -> Span:
    """An assumption; or, where a public page says it, quoted, with its name."""
    low, base, high = (Fact(v, unit, "", "2026-11-30", "quoted" if said else ASSUMED, note=said) for v in values)
    return Span(low, base, high)


STANDING = {
    "cn": Region(
        "cn",
        "China",
        "中国",
        "CNY",
        _span("", 1.2, 1.3, 1.5),
        _span("CNY", 0.35, TARIFF["CNY"], 1.0),
        _span("%", 4, 8, 12),
    ),
    "us": Region(
        "us",
        "United States",
        "美国",
        "USD",
        _span("", 1.1, 1.4, 1.56),
        _span("USD", 0.06, TARIFF["USD"], 0.19, said="EIA, US industrial average 2025"),
        _span("%", 6, 10, 15),
        _span("USD", 140, COLO["USD"], 217, said="CBRE, North America Data Center Trends H2 2025"),
    ),
    "eu": Region(
        "eu",
        "European Union",
        "欧盟",
        "USD",
        _span("", 1.1, 1.4, 1.56),
        _span("USD", 0.06, TARIFF["USD"], 0.19),
        _span("%", 6, 10, 15),
    ),
}


def regions_of(catalog: Catalog) -> Mapping[str, Any]:
    """Region id -> record."""
    found: Mapping[str, Any] = getattr(catalog, "regions", STANDING)
    return found
