"""The inputs of `power-cooling` with every default filled in.

In: `Inputs`, the catalog. Out: a `Plan`, without words for a reader. Raises InputError where nobody knows a server's power.
"""

import math
from dataclasses import dataclass

from calculators.facility.fields import Inputs
from calculators.facility.room import RACK_SHARE, embodied_kg, operational_kg, servers_per_rack
from calculators.finance.energy import demand_charge, energy_kwh
from calculators.framework.spec import InputError
from calculators.framework.text import Text
from calculators.market import prices
from catalog.model import Catalog
from catalog.region import Grid, Region

HOURS = 8760.0
MONTHS = 12


@dataclass(frozen=True, slots=True)
class Known:
    """A number that the reader or the region gives, and how low and high it may be."""

    low: float
    value: float
    high: float
    entered: bool
    source: str
    confirmed: bool


@dataclass(frozen=True)
class Plan:
    """All that the answer depends on. kW, kWh, the reader's currency."""

    inputs: Inputs
    server_kw: float
    power_words: str
    power_source: str
    region: Region
    grid: Grid
    pue: Known
    tariff: Known
    factor: float

    @property
    def servers(self) -> int:
        """Whole servers."""
        return math.ceil(self.inputs.accelerator_count / self.inputs.gpus_per_server)

    @property
    def it_kw(self) -> float:
        """All servers at their greatest power."""
        return self.servers * self.server_kw

    @property
    def per_rack(self) -> int:
        """Servers in a rack; 0 where its power holds none."""
        return servers_per_rack(self.server_kw, self.inputs.rack_kw)

    @property
    def racks(self) -> int | None:
        """Racks by power; None where a rack holds no server."""
        return math.ceil(self.servers / self.per_rack) if self.per_rack else None

    @property
    def rack_needed(self) -> float:
        """The least power of a rack that holds one server, in tenths of a kW."""
        return math.ceil(self.server_kw / RACK_SHARE * 10 - 1e-9) / 10

    def energy(self, pue: float, share: float | None = None) -> float:
        """kWh a year at the meter."""
        i = self.inputs
        util = i.utilisation_percent / 100 if share is None else share
        return energy_kwh(self.it_kw, HOURS, util, pue, i.idle_power_percent / 100)

    def bill(self, pue: float, tariff: float) -> float:
        """Money a year: energy and the demand charge."""
        return self.energy(pue) * tariff + demand_charge(self.it_kw, self.inputs.demand_per_kw_month, MONTHS, pue)

    @property
    def carbon_kg(self) -> float:
        """Of a year's energy, by place."""
        return operational_kg(self.energy(self.pue.value), self.factor)

    @property
    def embodied(self) -> float | None:
        """kg of making the machines that fall on a year; None where it is not known."""
        each = self.inputs.embodied_kg_per_server
        return None if each is None else embodied_kg(each * self.servers, 1, self.inputs.life_years)

    @property
    def hours_at_work(self) -> float:
        """GPU-hours a year under load."""
        return self.inputs.accelerator_count * HOURS * self.inputs.utilisation_percent / 100


def make_plan(inputs: Inputs, catalog: Catalog) -> Plan:
    """Fill in what the reader left empty."""
    i = inputs
    region, grid = next((r, g) for r in catalog.regions.values() for g in r.grids if g.id == i.grid)
    kw, words, source = _server(i, catalog)
    return Plan(
        i,
        kw,
        words,
        source,
        region,
        grid,
        _known(catalog, region, "pue", i.pue, ""),
        _known(catalog, region, "tariff_per_kwh", i.tariff, i.currency),
        grid.factor.value if i.factor is None else i.factor,
    )


def _server(i: Inputs, catalog: Catalog) -> tuple[float, str, str]:
    if i.server_kw is not None:
        return i.server_kw, f"{i.server_kw:g} kW", ""
    found = prices.kw_at_load(catalog, i.accelerator, i.node_power_factor)
    if found is None:
        raise InputError(
            "server_kw",
            Text(
                "The catalog knows no power of this card or of a server with it: enter the server's greatest power.",
                "目录中没有这张卡或装有它的整机的功率：请填写单台服务器的最大功率。",
            ),
        )
    each, words, source = found
    return each * i.gpus_per_server, f"({words}) × {i.gpus_per_server}", source


def _known(catalog: Catalog, region: Region, field: str, own: float | None, currency: str) -> Known:
    span = getattr(region, field)

    def amount(value: float) -> float:
        return catalog.convert(value, region.currency, currency) if currency else value

    low, base, high = (amount(f.value) for f in (span.low, span.base, span.high))
    if own is not None:
        return Known(min(low, own), own, max(high, own), True, "", True)
    source = catalog.sources.get(span.base.source)
    said = "" if source is None or source.unlocated else source.url
    return Known(low, base, high, False, said, span.base.confirmed)
