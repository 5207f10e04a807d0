"""What `power-cooling` shows beside its outputs: tables, charts, notes and the working.

In: a `Plan`, the catalog. Out: `Table`s, `Chart`s, notes, steps of the working.
"""

from calculators.facility.plan import HOURS, Known, Plan
from calculators.facility.room import AIR_KW, BTU_PER_KWH, LIQUID_KW, RACK_SHARE, heat_btu, operational_kg
from calculators.framework.spec import Cell, Chart, Column, Range, Series, Table, Working
from calculators.framework.text import Text, number
from catalog.model import Catalog

ENTERED = Text("you entered it", "自行填写")
ASSUMED = Text("assumption", "假设")
SCI = "Green Software Foundation, SCI, https://sci.greensoftware.foundation/"
GREEN_GRID = Text("PUE as The Green Grid defines it", "PUE 按 The Green Grid 的定义")
DERIVED = Text("derived", "由上推导")
WORK, IDLE, ROOM = Text("At work", "工作"), Text("Idle", "空闲"), Text("Cooling and losses", "制冷与损耗")


def parts(plan: Plan) -> list[tuple[Text, float]]:
    """kWh a year by what they are for; their sum is the energy at the meter."""
    i = plan.inputs
    share, idle = i.utilisation_percent / 100, i.idle_power_percent / 100
    work = plan.it_kw * HOURS * share
    rest = plan.it_kw * HOURS * (1 - share) * idle
    return [(WORK, work), (IDLE, rest), (ROOM, (work + rest) * (plan.pue.value - 1))]


def energy_table(plan: Plan) -> Table:
    """The year's energy by part, with its cost and carbon."""
    rows: list[dict[str, Cell]] = [
        {"part": name, "kwh": kwh, "cost": kwh * plan.tariff.value, "carbon": operational_kg(kwh, plan.factor) / 1000}
        for name, kwh in parts(plan)
    ]
    return Table(
        "energy",
        Text("Where a year's energy goes", "一年的电用在哪里"),
        (
            Column("part", Text("Part", "用途"), kind="text"),
            Column("kwh", Text("Energy", "电量"), "kWh", 0),
            Column("cost", Text("Cost", "电费"), plan.inputs.currency, 0),
            Column("carbon", Text("Carbon", "碳排放"), "t", 2),
        ),
        tuple(rows),
        Text("Without the demand charge.", "不含需量电费。"),
    )


def grids_table(plan: Plan, catalog: Catalog) -> Table:
    """The same machines and PUE on every grid of the catalog."""
    energy = plan.energy(plan.pue.value)
    rows: list[dict[str, Cell]] = [
        {
            "grid": Text(g.name, g.name_zh),
            "year": str(g.year),
            "factor": g.factor.value,
            "carbon": operational_kg(energy, g.factor.value) / 1000,
            "source": catalog.sources[g.factor.source].url or None,
        }
        for r in catalog.regions.values()
        for g in r.grids
    ]
    return Table(
        "grids",
        Text("The same energy on other grids", "同样的电量，换一个电网"),
        (
            Column("grid", Text("Grid", "电网"), kind="text"),
            Column("year", Text("Year of the factor", "因子年份"), kind="text"),
            Column("factor", Text("Emission factor", "排放因子"), "kg/kWh", 4),
            Column("carbon", Text("Carbon a year", "年碳排放"), "t", 2),
            Column("source", Text("Source", "来源"), kind="text"),
        ),
        tuple(rows),
        Text(
            "Location-based. A factor belongs to a place and a year: compare only what is of one year.",
            "按所在地计。排放因子只属于某地某年，年份不同的不宜直接比较。",
        ),
    )


def assumptions_table(plan: Plan) -> Table:
    """What was taken where the reader gave nothing, and its range."""

    def row(name: Text, known: Known, unit: str) -> dict[str, Cell]:
        origin = ENTERED if known.entered else Text(known.source) if known.source and known.confirmed else ASSUMED
        return {"what": name, "value": known.value, "unit": unit, "range": Range(known.low, known.high), "origin": origin}

    return Table(
        "assumptions",
        Text("What was taken, and its range", "取值与区间"),
        (
            Column("what", Text("Number", "数值"), kind="text"),
            Column("value", Text("Taken", "取值"), digits=4),
            Column("unit", Text("Unit", "单位"), kind="text"),
            Column("range", Text("From – to", "区间")),
            Column("origin", Text("Who says so", "依据"), kind="text"),
        ),
        (row(Text("PUE"), plan.pue, ""), row(Text("Electricity", "电价"), plan.tariff, f"{plan.inputs.currency}/kWh")),
    )


def energy_chart(plan: Plan) -> Chart:
    """The year's energy by part."""
    found = parts(plan)
    whole = Text("a year", "一年")
    room = found[2][1]
    share = 100 * room / total if (total := sum(kwh for _, kwh in found)) else 0.0
    return Chart(
        "energy",
        "stack",
        Text("Energy of a year", "一年的用电"),
        (Text("Time", "时间"), ""),
        (Text("Energy", "电量"), "kWh"),
        tuple(Series(name, ((whole, kwh),)) for name, kwh in found),
        Text(f"Cooling and losses take {number(share, 0)}% of the energy.", f"制冷与损耗占总用电的 {number(share, 0)}%。"),
    )


def grids_chart(plan: Plan, catalog: Catalog) -> Chart:
    """Carbon of the same energy by grid."""
    energy = plan.energy(plan.pue.value)
    found = [
        (Text(g.name, g.name_zh), operational_kg(energy, g.factor.value) / 1000)
        for r in catalog.regions.values()
        for g in r.grids
    ]
    low, high = min(found, key=lambda x: x[1]), max(found, key=lambda x: x[1])
    return Chart(
        "grids",
        "bar",
        Text("Carbon of a year by grid", "各电网下的年碳排放"),
        (Text("Grid", "电网"), ""),
        (Text("Carbon", "碳排放"), "t"),
        (Series(Text("Carbon", "碳排放"), tuple(found)),),
        Text(
            f"From {number(low[1], 1)} t ({low[0].en}) to {number(high[1], 1)} t ({high[0].en}) for the same work.",
            f"同样的工作，从 {number(low[1], 1)} 吨（{low[0].zh}）到 {number(high[1], 1)} 吨（{high[0].zh}）。",
        ),
    )


def cooling(plan: Plan) -> Text:
    """Air or liquid, by what a full rack draws."""
    if not plan.per_rack:
        need = number(plan.rack_needed, 1)
        return Text(f"a rack of {need} kW is needed for one server", f"放一台服务器就需要 {need} kW 的机柜")
    load = plan.per_rack * plan.server_kw
    if load <= AIR_KW:
        return Text("air", "风冷")
    if load <= LIQUID_KW:
        return Text("air with rear-door or in-row coolers, or liquid", "风冷加背板门或列间空调，或液冷")
    return Text("liquid", "液冷")


def notes(plan: Plan) -> tuple[Text, ...]:
    """What the numbers leave out."""
    found = [
        Text(
            "Contract power and racks follow the greatest power; the bill follows the average. A server seldom draws its greatest power for long.",
            "签约容量与机柜按最大功率，电费按平均功率；服务器很少长时间处于最大功率。",
        ),
        Text("Power supplies for N+1, network and storage racks come on top.", "N+1 电源冗余、网络与存储机柜需另计。"),
    ]
    if plan.embodied is None:
        found.append(
            Text("The carbon of making the machines is not counted: no figure was entered.", "未填写设备的隐含碳，因此未计入。")
        )
    return tuple(found)


def show_working(plan: Plan, work: Working) -> None:
    """Each headline figure: formula, numbers put in, source."""
    i, n = plan.inputs, number
    work.show(
        Text("Greatest power of a server", "单台服务器最大功率"),
        Text("entered, or the catalog's", "填写值或取自目录"),
        plan.power_words,
        plan.server_kw,
        "kW",
        plan.power_source or ENTERED,
        2,
    )
    share, idle = n(i.utilisation_percent / 100), n(i.idle_power_percent / 100)
    energy = work.show(
        Text("Energy a year", "年用电量"),
        "kW × 8760 × (idle + (1 - idle) × u) × PUE",
        f"{n(plan.it_kw)} × 8760 × ({idle} + (1 - {idle}) × {share}) × {n(plan.pue.value)}",
        plan.energy(plan.pue.value),
        "kWh",
        GREEN_GRID,
        0,
    )
    work.show(
        Text("Electricity a year", "年电费"),
        Text("energy × tariff + greatest kW × PUE × demand charge × 12", "电量 × 电价 + 最大功率 × PUE × 需量电费 × 12"),
        f"{n(energy)} × {n(plan.tariff.value)} + {n(plan.it_kw)} × {n(plan.pue.value)} × {n(i.demand_per_kw_month)} × 12",
        plan.bill(plan.pue.value, plan.tariff.value),
        i.currency,
        DERIVED,
        0,
    )
    work.show(
        Text("Heat", "散热量"),
        Text("kW × 3,412 BTU/h"),
        f"{n(plan.it_kw)} × {n(BTU_PER_KWH)}",
        heat_btu(plan.it_kw),
        "BTU/h",
        DERIVED,
        0,
    )
    work.show(
        Text("Servers per rack", "每柜服务器数"),
        Text("floor(rating × 80% / server)", "⌊额定 × 80% / 单台⌋"),
        f"{n(i.rack_kw)} × {RACK_SHARE:g} / {n(plan.server_kw)}",
        plan.per_rack,
        "",
        Text("80% of a rating for continuous load (NEC 210.20)", "连续负载不超过额定值 80%（NEC 210.20）"),
        0,
    )
    work.show(
        Text("Carbon a year", "年碳排放"),
        Text("energy × factor / 1000", "电量 × 排放因子 / 1000"),
        f"{n(energy)} × {n(plan.factor)} / 1000",
        plan.carbon_kg / 1000,
        "t",
        SCI,
        2,
    )
