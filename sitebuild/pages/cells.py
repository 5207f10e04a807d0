"""Cells of the guide's tables: a `td` that sorts by its number and shows its text, and the row lists that templates walk.

In: records of the catalog and the `Show` of a language. Out: HTML, or (label, fact) pairs.
"""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import partial
from statistics import median
from typing import Any

from calculators.framework.text import Text
from calculators.memory.kv import kv_cache
from calculators.memory.params import parameter_groups
from calculators.memory.weights import WEIGHT_FORMATS, weight_bytes
from catalog.model import (
    COLLECTIONS,
    CURRENCIES,
    Accelerator,
    Catalog,
    ClaimTable,
    Fact,
    LanguageModel,
    Offer,
    Peak,
    Server,
    plain,
)
from sitebuild.pages.claims import OnBasis, Recomputed
from sitebuild.pages.fit import BASIS, FORMATS, Cards
from sitebuild.pages.memo import Memo
from sitebuild.pages.show import HOURS_PER_MONTH, Show, plain_number

ACCELERATOR_FACTS = (
    ("memory", Text("Memory", "显存")),
    ("memory_bandwidth", Text("Memory bandwidth", "显存带宽")),
    ("link_bandwidth", Text("Card-to-card bandwidth, both directions", "卡间互联带宽（双向合计）")),
    ("power", Text("Board power limit", "板卡功耗上限")),
    ("launch_price", Text("Price at launch", "首发价")),
    ("street_price", Text("Dealers' price", "渠道价")),
)

SERVER_FACTS = (
    ("power", Text("Largest power draw", "最大功耗")),
    ("host_memory", Text("Host memory", "主机内存")),
    ("cpu_cores", Text("CPU cores", "CPU 核数")),
    ("nvme", Text("Local NVMe", "本地 NVMe")),
    ("rack_units", Text("Height", "高度")),
    ("price", Text("Price", "价格")),
)

GROUPS = {
    "embedding": Text("embedding table", "词嵌入"),
    "position": Text("learned positions", "位置嵌入"),
    "head": Text("output head", "输出头"),
    "attention": Text("attention", "注意力"),
    "linear_attention": Text("linear attention", "线性注意力"),
    "mlp": Text("dense FFN", "稠密 FFN"),
    "routed_experts": Text("routed experts", "路由专家"),
    "shared_experts": Text("shared experts", "共享专家"),
    "router": Text("router", "路由器"),
    "norms": Text("norms", "归一化层"),
    "mtp": Text("multi-token prediction", "多 token 预测模块"),
    "vision": Text("vision tower", "视觉编码器"),
    "audio": Text("audio tower", "音频编码器"),
    "other": Text("other parts", "其他部件"),
    "buffers": Text("saved buffers", "保存的缓冲"),
}

SHORT, LONG = 8192, 131_072
"""The two contexts, in tokens, for which a model's page gives the KV cache."""

SHOWN_FORMATS = ("bf16", "fp8", "awq-int4-g128", "q4_k_m")
"""The weight formats of the models table; a model's own page has all."""


class Cells:
    """What templates put into rows."""

    def __init__(self, show: Show, memo: Memo) -> None:
        self.memo = memo
        self.show = show
        self.catalog: Catalog = show.catalog

    def cell(self, fact: Fact | None) -> str:
        """A fact in a wide table: the number alone; a star where it is unconfirmed."""
        if fact is None:
            return '<td data-value="">—</td>'
        return f'<td data-value="{fact.value!r}" title="{self.show.origin(fact)}">{plain_number(fact.value)}{"" if fact.confirmed else "*"}</td>'

    def peak_cell(self, a: Accelerator, precision: str) -> str:
        """The dense matrix peak on the guide's basis."""
        peak = a.peak(precision)
        if peak is None:
            return '<td data-value="">—</td>'
        marks = ("" if peak.rate.confirmed else "*") + ("†" if peak.accumulate == "unstated" else "")
        title = self.show.peak_basis(peak) + self.show.say("; ", "；") + self.show.origin(peak.rate)
        return f'<td data-value="{peak.rate.value!r}" title="{title}">{plain_number(peak.rate.value)}{marks}</td>'

    @staticmethod
    def number_cell(value: float | None, digits: int) -> str:
        """A computed number with fixed decimals."""
        return '<td data-value="">—</td>' if value is None else f'<td data-value="{value:.6g}">{value:,.{digits}f}</td>'

    def remarks(self, offer: Offer) -> str:
        """Where, what it is called, in which steps it is billed, and what the catalog notes."""
        step = offer.billing_step and self.show.say(f"billed by {offer.billing_step}", f"计费单位：{offer.billing_step}")
        return "; ".join(self.show.foreign(part) for part in (offer.region, offer.instance, step, offer.note) if part)

    def hour_cell(self, offer: Offer, currency: str) -> str:
        """One card for one hour in a currency."""
        return self.number_cell(self.show.hourly(offer, currency), 3 if currency == "USD" else 2)

    def tflops_cell(self, offer: Offer, peak: Peak | None, currency: str) -> str:
        """Cost of one TFLOPS for a month, on the basis of `peak`."""
        hourly = self.show.hourly(offer, currency)
        return self.number_cell(None if hourly is None or peak is None else hourly * HOURS_PER_MONTH / peak.rate.value, 2)

    def cheapest(self, accelerator: str, currency: str) -> float | None:
        """The lowest on-demand rent of one card for one hour."""
        found = [o for o in self.catalog.offers.values() if o.accelerator == accelerator and o.commitment == "on-demand"]
        return min((h for o in found if (h := self.show.hourly(o, currency)) is not None), default=None)

    def facts_of(self, thing: Accelerator | Server) -> list[tuple[str, Fact]]:
        """Its facts that are known, in a fixed order, with their labels."""
        labels = ACCELERATOR_FACTS if isinstance(thing, Accelerator) else SERVER_FACTS
        return [(self.show.text(label), fact) for name, label in labels if (fact := getattr(thing, name)) is not None]

    def disputed_of(self, a: Accelerator) -> list[tuple[str, Fact]]:
        """Facts and peaks for which another source was read too."""
        peaks = [(self.show.peak_basis(p), p.rate) for p in a.peaks]
        return [(label, fact) for label, fact in self.facts_of(a) + peaks if fact.others]

    def memory_of(self, m: LanguageModel) -> dict[str, Any]:
        """The exact numbers of a model's page."""
        counted = self.memo.get(["counted", plain(m.architecture)], partial(_counted, m))
        groups = [(self.show.text(GROUPS[g]), n) for g, n in counted["by_group"].items() if n]
        formats = [(WEIGHT_FORMATS[f].name, size) for f, size in counted["weights"].items()]
        return {**counted, "groups": groups, "all_weights": formats}

    @staticmethod
    def architecture_of(m: LanguageModel) -> list[tuple[str, Any]]:
        """The fields of the configuration that do not stand at their default."""
        return [(f.name, v) for f in fields(m.architecture) if (v := getattr(m.architecture, f.name)) != f.default]

    def fits_basis(self) -> str:
        """What the tables of fits rest on."""
        return self.show.text(BASIS)

    def cards_cell(self, cards: Cards | None) -> str:
        """So many cards, in a cell that sorts."""
        if cards is None:
            return '<td data-value="">—</td>'
        tight = self.show.say(" (tight)", "（勉强）") if cards.tight else ""
        return f'<td data-value="{cards.count + cards.tight * 0.5}">{cards.count} ×{tight}</td>'

    def ratio(self, server: Server) -> float | None:
        """Memory of the host over memory of its cards, both in bytes as labelled."""
        if server.host_memory is None:
            return None
        card = self.catalog.accelerators[server.accelerator].memory
        return _bytes(server.host_memory) / (_bytes(card) * server.accelerator_count)

    def ratios(self, servers: Iterable[Server]) -> list[float]:
        """The ratios that are known."""
        return [r for s in servers if (r := self.ratio(s)) is not None]

    def money(self, amount: float | None, table: ClaimTable) -> str:
        """An amount of a claimed table; a dash where the table has none."""
        return "—" if amount is None else self.show.money(amount, table.currency)

    @staticmethod
    def on_basis(rows: tuple[Recomputed, ...]) -> list[tuple[Recomputed, OnBasis]]:
        """Every product of every row on one basis, cheapest first."""
        return sorted(((r, o) for r in rows for o in r.like_for_like), key=lambda pair: pair[1].cost)

    def peak_of(self, id: str, precision: str = "bf16") -> float | None:
        """The dense matrix peak of a card on the guide's basis."""
        peak = self.catalog.accelerators[id].peak(precision)
        return None if peak is None else peak.rate.value

    def peak_text(self, id: str, precision: str = "bf16") -> str:
        """The same with its unit, for prose; a dash where the catalog has none."""
        peak = self.peak_of(id, precision)
        return "—" if peak is None else f"{plain_number(peak)} TFLOPS"

    def times(self, id: str, other: str, what: str, digits: int = 1) -> str:
        """How many times a card has of `what` ("bandwidth", or a precision's peak) what another has; a dash where either is not known."""

        def known(card: str) -> float | None:
            bandwidth = self.catalog.accelerators[card].memory_bandwidth
            return self.peak_of(card, what) if what != "bandwidth" else bandwidth.value if bandwidth else None

        first, second = known(id), known(other)
        return "—" if first is None or second is None else self.show.num(first / second, digits)

    def spot_shares(self) -> list[float]:
        """Spot price over on-demand price, for each pair of one provider, card, count and currency."""
        offers = self.catalog.offers.values()

        def key(o: Offer) -> tuple[str, ...]:
            return o.provider, o.accelerator, str(o.accelerator_count), o.currency, o.instance, o.date

        on_demand = {key(o): h for o in offers if o.commitment == "on-demand" and (h := o.per_accelerator_hour()) is not None}
        spots = [(on_demand.get(key(o)), o.per_accelerator_hour()) for o in offers if o.commitment == "spot"]
        return sorted(spot / full for full, spot in spots if full and spot)

    @staticmethod
    def median(values: list[float]) -> float:
        """The middle value."""
        return median(values)

    def tally(self) -> dict[str, Any]:
        """How much the catalog holds, how much of it is unconfirmed, and how old its prices are."""
        facts = list(_facts([plain(r) for name in COLLECTIONS for r in getattr(self.catalog, name).values()]))
        offers = self.catalog.offers.values()
        dates = [o.date for o in offers]
        newest = max(dates)
        return {
            "facts": len(facts) + len(offers),
            "unconfirmed": sum(1 for f in facts if not f.get("confirmed", True)) + sum(1 for o in offers if not o.confirmed),
            "offers_in": {c: sum(1 for o in offers if o.currency == c) for c in CURRENCIES},
            "newest_price": newest,
            "prices_of_newest_year": sum(1 for d in dates if d[:4] == newest[:4]),
            "older_prices": sum(1 for d in dates if d[:4] < newest[:4]),
        }

    @staticmethod
    def case_number(value: float) -> str:
        """A published or computed number: counts whole, others with six significant digits."""
        return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"

    @staticmethod
    def percent(error: float) -> str:
        """A relative error with its sign; an exact one is a bare 0."""
        return "0" if error == 0 else f"{100 * error:+.2g}%"

    def offer_count(self, accelerator: str) -> int:
        """How many prices the catalog has for it."""
        return sum(1 for o in self.catalog.offers.values() if o.accelerator == accelerator)


def _facts(data: Any) -> Iterator[dict[str, Any]]:
    if isinstance(data, dict):
        if {"value", "unit", "source"} <= data.keys():
            yield data
        for value in data.values():
            yield from _facts(value)
    elif isinstance(data, list):
        for value in data:
            yield from _facts(value)


def _bytes(memory: Fact) -> float:
    return memory.value * (2**30 if memory.unit == "GiB" else 1e9)


FIT_COLUMNS = tuple(name for _, name in FORMATS)


def _counted(m: LanguageModel) -> dict[str, Any]:
    a = m.architecture
    parameters = parameter_groups(a)
    long = kv_cache(a, LONG, 1, "bf16")
    return {
        "by_group": parameters.groups,
        "total": parameters.total,
        "active": parameters.active,
        "loaded": parameters.language + parameters.vision,
        "kv_per_token": long.per_token,
        "kv_8k": kv_cache(a, SHORT, 1, "bf16").total,
        "kv_128k": long.total,
        "over": 0 < a.max_position_embeddings < LONG,
        "state": long.state,
        "weights": {f: weight_bytes(a, f).total for f in WEIGHT_FORMATS},
    }
