"""What is filled in where the reader leaves a field empty, and how far each number may be off.

In: the reader's value, the region's record, published ranges. Out: `Assumed` (value, low, high, who says so), or None where
nothing is known: then the reader must enter one. The region's money is converted at the catalog's dated rate.
"""

from dataclasses import dataclass

from calculators.costing.fields_money import Inputs
from calculators.framework.text import Text
from calculators.market.prices import ENTERED
from catalog.model import Catalog, Fact

PUBLISHED: dict[str, tuple[float, float, Text]] = {
    "residual_percent": (10.0, 35.0, Text("published guesses, weak", "公开估计，依据薄弱")),
    "maintenance_percent": (3.0, 12.0, Text("published guesses, weak", "公开估计，依据薄弱")),
    "rent_decline_percent": (
        -10.0,
        40.0,
        Text(
            "H100: US$2.85 in early 2024, 1.70 in October 2025, 2.35 in March 2026 (neighborhoodsf.com)",
            "H100：2024 年初 2.85 美元，2025 年 10 月 1.70，2026 年 3 月 2.35（neighborhoodsf.com）",
        ),
    ),
}
"""Low, high and origin of what nobody knows; the reader's own value widens it."""
SPOT_SHARE = (
    28.0,
    42.0,
    73.0,
    Text("list prices of Crusoe, Nebius, Verda, Oracle and Google", "Crusoe、Nebius、Verda、甲骨文、谷歌的标价"),
)
RESERVED_DISCOUNT = (
    20.0,
    35.0,
    47.0,
    Text(
        "one year: 20 % (https://gridstackhub.ai/learn/reserved-vs-spot-vs-on-demand-gpu) to 47 % "
        "(https://disintermediate.global/insights/gpu-cloud-pricing-models)",
        "一年期：20%（https://gridstackhub.ai/learn/reserved-vs-spot-vs-on-demand-gpu）至 47%（https://disintermediate.global/insights/gpu-cloud-pricing-models）",
    ),
)
SPOT_HOURS = (
    6.0,
    72.0,
    Text(
        "assumption: interruption rates published per month and per hour contradict each other",
        "假设：公开的中断率有按月与按小时两种说法，彼此矛盾",
    ),
)
USE_SPREAD = (0.2, Text("assumption: ±20 % of your own plan", "假设：用量计划的 ±20%"))
WESTERN = ("us", "eu")
"""Regions for which spot shares and discounts are published."""
RATE = (6.0, 10.0, 15.0)
NETWORK_PERCENT = 12.0
ASSUMPTION = Text("assumption", "假设")
_OWN_RANGE = Text("you entered it", "自行填写")


@dataclass(frozen=True, slots=True)
class Assumed:
    """One number that is filled in, with its range. `known` False: an assumption, or no public page confirms it."""

    name: str
    value: float
    low: float
    high: float
    source: Text
    entered: bool = False
    known: bool = True


def ranged(
    i: Inputs,
    name: str,
    value: float,
    low: float,
    high: float,
    source: Text,
    *,
    entered: bool,
    known: bool,
    times: float = 1.0,
) -> Assumed:
    """The range of the reader's where one is given (each end `times`), else the published one; widened to hold the value."""
    own_low, own_high = getattr(i, f"{name}_low"), getattr(i, f"{name}_high")
    low, high = low if own_low is None else own_low * times, high if own_high is None else own_high * times
    return Assumed(name, value, min(low, value), max(high, value), source, entered, known)


def published(i: Inputs, name: str) -> Assumed:
    """A number that has a default of its own and a published range."""
    low, high, source = PUBLISHED[name]
    return ranged(i, name, getattr(i, name), low, high, source, entered=False, known=False)


def western(i: Inputs, name: str, span: tuple[float, float, float, Text]) -> Assumed | None:
    """A share that is published for American and European clouds only."""
    low, base, high, source = span
    own: float | None = getattr(i, name)
    if own is not None:
        return ranged(
            i,
            name,
            own,
            low if i.region in WESTERN else own,
            high if i.region in WESTERN else own,
            ENTERED,
            entered=True,
            known=True,
        )
    if i.region not in WESTERN:
        return None
    return ranged(i, name, base, low, high, source, entered=False, known=True)


def vat_entered(i: Inputs) -> Assumed | None:
    """The reader's rate of VAT: the catalog states none, as it depends on the goods and on who buys."""
    own = i.vat_percent
    return None if own is None else Assumed("vat_percent", own, own, own, ENTERED, True, True)


_REGIONAL = {
    "tariff": ("tariff_per_kwh", True),
    "pue": ("pue", False),
    "colo_per_kw_month": ("colo_per_kw_month", True),
    "discount_rate_percent": ("cost_of_capital", False),
}
"""Input field -> field of the region, whether it is money."""


def regional(i: Inputs, catalog: Catalog, name: str) -> Assumed | None:
    """The region's value and range in the reader's currency and unit; None where nobody is known to say."""
    field, is_money = _REGIONAL[name]
    region = catalog.regions.get(i.region)
    span = getattr(region, field, None)
    own: float | None = getattr(i, name)
    facts = (span.low, span.base, span.high) if span is not None else (None, None, None)
    values: list[float | None] = [None, None, None]
    if region is not None:
        try:
            values = [
                None if f is None else _amount(f, catalog, region.currency if is_money else "", i.currency) for f in facts
            ]
        except LookupError:
            values = [None, None, None]
    low, base, high = values
    fact = facts[1]
    known = fact is not None and fact.confirmed
    if own is not None:
        return ranged(
            i, name, own, own if low is None else low, own if high is None else high, ENTERED, entered=True, known=True
        )
    if base is None:
        return None
    return ranged(
        i,
        name,
        base,
        base if low is None else low,
        base if high is None else high,
        _said(fact, catalog),
        entered=False,
        known=known,
    )


def _amount(fact: Fact, catalog: Catalog, currency: str, to: str) -> float:
    return catalog.convert(fact.value, currency, to) if currency else fact.value


def _said(fact: Fact | None, catalog: Catalog) -> Text:
    """Who states a fact, and its date; an assumption is called one."""
    if fact is None:
        return ASSUMPTION
    source = catalog.sources.get(fact.source)
    if source is None or source.unlocated:
        return ASSUMPTION
    where = source.url or source.title
    return Text(f"{source.title}{f' ({source.published})' if source.published else ''}: {where}" if source.url else where)


def own_range(name: str, value: float) -> Assumed:
    """A number that does not move."""
    return Assumed(name, value, value, value, _OWN_RANGE, True)
