"""Power and cooling: how much machines draw, how many racks and how much cooling they need, what a year costs and emits.

In: `Inputs` and the catalog (a server's power, a region's PUE and tariff, a grid's factor fill what is left empty). Out: power, heat,
racks, energy, cost and carbon of a year, with their ranges.
"""

from dataclasses import replace
from typing import Any

from calculators.facility.examples import EXAMPLES, PRESETS
from calculators.facility.fields import Inputs, Outputs
from calculators.facility.plan import Plan, make_plan
from calculators.facility.report import (
    assumptions_table,
    cooling,
    energy_chart,
    energy_table,
    grids_chart,
    grids_table,
    notes,
    show_working,
)
from calculators.facility.room import heat_btu, operational_kg
from calculators.framework.spec import Answer, Calculator, Range, Suggestion, Working
from calculators.framework.text import Text, number
from calculators.market.origins import money
from catalog.model import Catalog


def compute(inputs: Inputs, catalog: Catalog, work: Working) -> Answer:
    """The whole answer. Raises InputError where nobody knows the power."""
    plan = make_plan(inputs, catalog)
    show_working(plan, work)
    return Answer(
        _outputs(plan),
        (energy_table(plan), grids_table(plan, catalog), assumptions_table(plan)),
        (energy_chart(plan), grids_chart(plan, catalog)),
        _suggestions(plan, catalog),
        notes(plan),
    )


def _outputs(p: Plan) -> Outputs:
    i, energy = p.inputs, p.energy(p.pue.value)
    bill, hours = p.bill(p.pue.value, p.tariff.value), p.hours_at_work
    return Outputs(
        energy_kwh_per_year=energy,
        energy_range=Range(p.energy(p.pue.low), p.energy(p.pue.high)),
        cost_per_year=bill,
        cost_range=Range(p.bill(p.pue.low, p.tariff.low), p.bill(p.pue.high, p.tariff.high)),
        cost_per_gpu_hour=bill / hours if hours >= 1 else None,
        servers=p.servers,
        server_kw_used=p.server_kw,
        it_kw=p.it_kw,
        facility_kw=p.it_kw * p.pue.value,
        heat_btu_per_hour=heat_btu(p.it_kw),
        cooling=cooling(p),
        servers_per_rack=p.per_rack,
        racks=p.racks,
        rack_load_kw=p.per_rack * p.server_kw if p.per_rack else None,
        carbon_t_per_year=p.carbon_kg / 1000,
        market_t_per_year=None if i.market_factor is None else operational_kg(energy, i.market_factor) / 1000,
        embodied_t_per_year=None if p.embodied is None else p.embodied / 1000,
        carbon_kg_per_gpu_hour=(p.carbon_kg + (p.embodied or 0.0)) / hours if hours >= 1 else None,
        factor_used=p.factor,
    )


def _suggestions(p: Plan, catalog: Catalog) -> tuple[Suggestion, ...]:
    """A better room, a cleaner grid, a rack that holds a server; each is computed again and kept only if it helps."""
    i = p.inputs
    found: list[Suggestion] = []

    def proven(change: dict[str, Any], title: Text, effect: Text | None) -> None:
        if effect is not None:
            found.append(Suggestion(title, change, effect))

    if not p.per_rack and (kw := p.rack_needed) <= 1000:
        changed = make_plan(replace(i, rack_kw=kw), catalog)
        if changed.racks is not None:
            proven(
                {"rack_kw": kw},
                Text(f"Take racks of {number(kw, 1)} kW", f"换用 {number(kw, 1)} kW 的机柜"),
                Text(
                    f"{changed.per_rack} server each, {changed.racks} racks.",
                    f"每柜 {changed.per_rack} 台，共 {changed.racks} 个机柜。",
                ),
            )
    if p.pue.value > p.pue.low:
        low = p.pue.low
        changed = make_plan(replace(i, pue=low), catalog)
        saved = p.bill(p.pue.value, p.tariff.value) - changed.bill(low, changed.tariff.value)
        if saved > 0:
            said = money(saved, i.currency)
            proven(
                {"pue": low},
                Text(f"A room with a PUE of {number(low, 2)}", f"换到 PUE {number(low, 2)} 的机房"),
                Text(f"Saves {said.en} a year.", f"每年省 {said.zh}。"),
            )
    cleanest = min((g for g in p.region.grids), key=lambda g: g.factor.value)
    if i.factor is None and cleanest.factor.value < p.factor:
        changed = make_plan(replace(i, grid=cleanest.id), catalog)
        saved = (p.carbon_kg - changed.carbon_kg) / 1000
        if saved > 0:
            proven(
                {"grid": cleanest.id},
                Text(f"Run it in {cleanest.name}", f"放到{cleanest.name_zh}"),
                Text(f"Saves {number(saved, 1)} t of carbon a year.", f"每年减少 {number(saved, 1)} 吨碳排放。"),
            )
    return tuple(found)


def answer(inputs: Inputs, outputs: Outputs, catalog: Catalog) -> Text:
    """The conclusion in a sentence."""
    i, o, card = inputs, outputs, catalog.accelerators[inputs.accelerator]
    cost, kwh = money(o.cost_per_year, i.currency), number(o.energy_kwh_per_year, 0)
    low, high = (money(x, i.currency) for x in (o.cost_range.low, o.cost_range.high))
    kw, carbon = number(o.it_kw, 1), number(o.carbon_t_per_year, 1)
    racks = (
        Text(f"fill {o.racks} rack{'s' if o.racks != 1 else ''} ({o.cooling.en})", f"需要 {o.racks} 个机柜（{o.cooling.zh}）")
        if o.racks is not None
        else Text(f"fit no such rack: {o.cooling.en}", f"放不进这样的机柜：{o.cooling.zh}")
    )
    return Text(
        f"{i.accelerator_count} × {card.name} draw up to {kw} kW, {racks.en}, and take {kwh} kWh a year: {cost.en} ({low.en} to {high.en}) and {carbon} t of carbon.",
        f"{i.accelerator_count} × {card.name_zh or card.name} 最大 {kw} kW，{racks.zh}；一年用电 {kwh} kWh，电费 {cost.zh}（{low.zh} 至 {high.zh}），碳排放 {carbon} 吨。",
    )


CALCULATOR = Calculator(
    id="power-cooling",
    version=1,
    title=Text("Power, cooling and carbon", "供电、散热与碳排放"),
    summary=Text(
        "What machines draw, how many racks and what cooling they need, and what a year of their energy costs and emits.",
        "设备要多少电、几个机柜、什么样的冷却；一年的电费和碳排放是多少。",
    ),
    inputs=Inputs,
    outputs=Outputs,
    compute=compute,
    answer=answer,
    examples=EXAMPLES,
    presets=PRESETS,
)
