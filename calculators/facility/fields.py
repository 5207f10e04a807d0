"""What `power-cooling` asks and what it answers: the words, units and ranges of its fields.

In: nothing. Out: the frozen `Inputs` and `Outputs`. What is left empty is the catalog's: a server's power, a region's PUE and
tariff, a grid's factor.
"""

from dataclasses import dataclass
from typing import Any

from calculators.costing.fields_need import currencies
from calculators.framework.choices import cards
from calculators.framework.spec import Choice, choice, real, result, whole
from calculators.framework.text import Text
from catalog.model import Catalog

NEED = Text("The machines", "设备")
PLACE = Text("The place", "地点")
RACK = Text("Racks", "机柜")
CARBON = Text("Carbon", "碳排放")


def grids(catalog: Catalog) -> tuple[Choice, ...]:
    """Every power grid of the catalog, by region."""
    return tuple(
        Choice(g.id, Text(f"{g.name}, {g.year}", f"{g.name_zh}，{g.year} 年"), Text(r.name, r.name_zh))
        for r in catalog.regions.values()
        for g in r.grids
    )


@dataclass(frozen=True, slots=True)
class Inputs:
    """The machines, how much they work, and where they stand."""

    accelerator: str = choice(
        Text("Accelerator", "加速卡"),
        "h100-sxm",
        cards,
        group=NEED,
        help=Text(
            "The catalog's server with this card gives the power; else the card's own times a factor.",
            "功率取目录中装有该卡的整机；没有时用卡的功率乘以系数。",
        ),
    )
    accelerator_count: int = whole(
        Text("Number of accelerators", "卡数"), 8, low=1, high=1_000_000, unit="gpu", group=NEED, help=Text("In all.", "总数。")
    )
    gpus_per_server: int = whole(
        Text("Accelerators per server", "每台服务器的卡数"),
        8,
        low=1,
        high=576,
        unit="gpu",
        group=NEED,
        help=Text("8 in most servers, 72 in a rack-scale one.", "多数服务器为 8 张，整柜系统为 72 张。"),
    )
    server_kw: float | None = real(
        Text("Greatest power of a server", "单台服务器的最大功率"),
        None,
        low=0.05,
        high=1000,
        unit="kW",
        group=NEED,
        help=Text("As its maker states it, or as you measured. Empty: the catalog's.", "厂商标称或实测值。留空则取目录。"),
    )
    node_power_factor: float = real(
        Text("Node power over card power", "整机功率与卡功率之比"),
        1.25,
        low=1,
        high=3,
        group=NEED,
        advanced=True,
        help=Text(
            "Used where the catalog has no server with this card. 1.25 is typical, 1.8 the nameplate maximum.",
            "目录中没有装有该卡的整机时使用。常见 1.25，标称最大约 1.8。",
        ),
    )
    utilisation_percent: float = real(
        Text("Time at work", "工作时间占比"),
        60.0,
        low=0,
        high=100,
        unit="%",
        group=NEED,
        help=Text("Share of the year under load. 30 to 85% are usual.", "一年中处于负载状态的比例，常见为 30%–85%。"),
    )
    idle_power_percent: float = real(
        Text("Idle power", "空闲功率"),
        15.0,
        low=0,
        high=100,
        unit="%",
        group=NEED,
        advanced=True,
        help=Text("Of the greatest power, when there is no work.", "没有任务时，占最大功率的比例。"),
    )
    grid: str = choice(
        Text("Power grid", "电网"),
        "us-east",
        grids,
        group=PLACE,
        help=Text(
            "Gives the emission factor with its year, and the region's PUE and tariff.",
            "决定排放因子（含年份），以及所在地区的 PUE 与电价默认值。",
        ),
    )
    currency: str = choice(
        Text("Currency", "币种"),
        "USD",
        currencies,
        group=PLACE,
        help=Text(
            "The region's tariff is converted at the dated rate where it is in another one.",
            "地区电价若为其他币种，按标明日期的汇率折算。",
        ),
    )
    pue: float | None = real(
        Text("PUE"),
        None,
        low=1,
        high=3,
        group=PLACE,
        help=Text(
            "Energy of the building over energy of the machines. Empty: the region's.",
            "机房总电量与设备电量之比。留空则取地区默认值。",
        ),
    )
    tariff: float | None = real(
        Text("Electricity", "电价"),
        None,
        low=0.0001,
        high=100,
        unit="money/kWh",
        group=PLACE,
        help=Text("From your bill. Empty: the region's.", "以账单为准。留空则取地区默认值。"),
    )
    demand_per_kw_month: float = real(
        Text("Demand charge", "需量电费"),
        0.0,
        low=0,
        high=10_000,
        unit="money/kW-month",
        group=PLACE,
        advanced=True,
        help=Text(
            "For the highest load of the month, in two-part tariffs. 0: none.",
            "两部制电价中按最大需量收取的部分。填 0 表示没有。",
        ),
    )
    rack_kw: float = real(
        Text("Power of a rack", "单柜功率"),
        40.0,
        low=1,
        high=1000,
        unit="kW",
        group=RACK,
        help=Text(
            "As rated; 80% of it may be loaded for long. Old rooms have 5 to 10 kW.",
            "额定值，长期负载不超过其 80%。老机房多为 5–10 kW。",
        ),
    )
    factor: float | None = real(
        Text("Emission factor", "排放因子"),
        None,
        low=0,
        high=2,
        unit="kg/kWh",
        group=CARBON,
        advanced=True,
        help=Text("Location-based. Empty: the grid's.", "按所在地电网计。留空则取所选电网。"),
    )
    market_factor: float | None = real(
        Text("Emission factor of your contract", "购电合同的排放因子"),
        None,
        low=0,
        high=2,
        unit="kg/kWh",
        group=CARBON,
        advanced=True,
        help=Text(
            "Market-based: what your supplier certifies, reported apart. Empty: not reported.",
            "按市场计：供电合同或绿证载明的因子，单独报告。留空则不报告。",
        ),
    )
    embodied_kg_per_server: float | None = real(
        Text("Carbon of making a server", "单台服务器的隐含碳"),
        None,
        low=0,
        high=1_000_000,
        unit="kg",
        group=CARBON,
        advanced=True,
        help=Text(
            "From the maker's declaration; few publish one. Empty: not counted, and said so.",
            "以厂商声明为准，公开的很少。留空则不计入，并会注明。",
        ),
    )
    life_years: float = real(
        Text("Life of a server", "服务器使用年限"),
        5.0,
        low=0.5,
        high=20,
        unit="year",
        group=CARBON,
        advanced=True,
        help=Text("Over which the carbon of making it is spread.", "隐含碳按这一年限分摊。"),
    )


@dataclass(frozen=True, slots=True)
class Outputs:
    """Power, heat, racks, energy, cost and carbon of a year."""

    energy_kwh_per_year: Any = result(
        Text("Energy a year, at the meter", "年用电量（电表处）"),
        "kWh",
        kind="assumed",
        headline=True,
        digits=0,
        help=Text("Machines × PUE.", "设备用电 × PUE。"),
    )
    energy_range: Any = result(
        Text("Energy a year, range", "年用电量，区间"),
        "kWh",
        kind="assumed",
        digits=0,
        help=Text("PUE at the region's low and high.", "PUE 取地区的低值与高值。"),
    )
    cost_per_year: Any = result(
        Text("Electricity a year", "年电费"),
        "money",
        kind="assumed",
        headline=True,
        digits=0,
        help=Text("With the demand charge.", "含需量电费。"),
    )
    cost_range: Any = result(
        Text("Electricity a year, range", "年电费，区间"),
        "money",
        kind="assumed",
        digits=0,
        help=Text("PUE and tariff at the region's low and high.", "PUE 与电价取地区的低值与高值。"),
    )
    cost_per_gpu_hour: Any = result(
        Text("Electricity per GPU-hour at work", "每工作卡时电费"),
        "money/h",
        kind="assumed",
        digits=4,
        help=Text(
            "The year's bill over the hours at work, of which there has to be one.",
            "年电费除以工作卡时，全年不足 1 小时则不计。",
        ),
    )
    servers: Any = result(
        Text("Servers", "服务器"),
        "server",
        kind="exact",
        digits=0,
        help=Text("Accelerators over accelerators per server, rounded up.", "卡数除以每台卡数，向上取整。"),
    )
    server_kw_used: Any = result(
        Text("Greatest power of a server", "单台服务器最大功率"),
        "kW",
        kind="exact",
        digits=2,
        help=Text("Entered, or the catalog's.", "填写值或取自目录。"),
    )
    it_kw: Any = result(
        Text("Greatest power of all", "总最大功率"),
        "kW",
        kind="exact",
        digits=2,
        help=Text("What to contract for.", "签约容量以此为准。"),
    )
    facility_kw: Any = result(
        Text("Greatest power at the meter", "电表处最大功率"),
        "kW",
        kind="assumed",
        digits=2,
        help=Text("With cooling and losses: × PUE.", "含制冷与损耗：乘以 PUE。"),
    )
    heat_btu_per_hour: Any = result(
        Text("Heat to remove", "需散热量"),
        "BTU/h",
        kind="exact",
        digits=0,
        help=Text("All power becomes heat.", "全部电功率最终变成热量。"),
    )
    cooling: Any = result(
        Text("Air or liquid?", "风冷还是液冷"),
        kind="assumed",
        help=Text(
            "By kW a rack. Rules of thumb: air to 20 kW, liquid above 40.",
            "按单柜功率判断。经验值：20 kW 以内风冷，40 kW 以上液冷。",
        ),
    )
    servers_per_rack: Any = result(
        Text("Servers per rack", "每柜服务器数"),
        "server",
        kind="exact",
        digits=0,
        help=Text("At 80% of its rating.", "按额定值的 80% 计。"),
    )
    racks: Any = result(
        Text("Racks", "机柜数"),
        kind="exact",
        digits=0,
        help=Text("By power; height and weight may need more.", "仅按功率计；高度与承重可能需要更多。"),
    )
    rack_load_kw: Any = result(
        Text("Load of a full rack", "满柜功率"),
        "kW",
        kind="exact",
        digits=1,
        help=Text("Servers in it, at their greatest power.", "柜内服务器均按最大功率。"),
    )
    carbon_t_per_year: Any = result(
        Text("Carbon of running, by place", "运行碳排放（按所在地）"),
        "t",
        kind="assumed",
        digits=2,
        help=Text("Energy × the grid's factor.", "用电量乘以电网排放因子。"),
    )
    market_t_per_year: Any = result(
        Text("Carbon of running, by contract", "运行碳排放（按合同）"),
        "t",
        kind="assumed",
        digits=2,
        help=Text("Energy × your contract's factor.", "用电量乘以购电合同的排放因子。"),
    )
    embodied_t_per_year: Any = result(
        Text("Carbon of making, a year", "隐含碳（每年分摊）"),
        "t",
        kind="assumed",
        digits=2,
        help=Text("Spread over the life.", "按使用年限分摊。"),
    )
    carbon_kg_per_gpu_hour: Any = result(
        Text("Carbon per GPU-hour at work", "每工作卡时碳排放"),
        "kg",
        kind="assumed",
        digits=3,
        help=Text("Running by place, and making where entered.", "按所在地的运行排放，已填写时含隐含碳。"),
    )
    factor_used: Any = result(
        Text("Emission factor used", "采用的排放因子"),
        "kg/kWh",
        kind="assumed",
        digits=4,
        help=Text("Its grid and year stand in the table.", "电网与年份见表。"),
    )
