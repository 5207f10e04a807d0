"""What GPU hours cost in every way to get them: on demand, by the month, reserved, spot, bare metal, bought new or second-hand.

In: `Inputs` and the catalog (its offers and regions fill what is left empty). Out: totals, costs per unit of work, break-evens,
where the cheapest changes, and how sure that is, over one horizon and workload. The parts are in `calculators/costing/`.
"""

from calculators.costing.advice import suggestions
from calculators.costing.charts import cumulative_chart, flip_chart, stack_chart
from calculators.costing.examples import EXAMPLES, PRESETS
from calculators.costing.fields_money import Inputs
from calculators.costing.model import (
    BARE_METAL,
    MONTHLY,
    ON_DEMAND,
    OPTIONS,
    PURCHASE,
    RENTS,
    RESERVED,
    SPOT,
    USED,
)
from calculators.costing.origins import UNITS, assumptions_table, notes
from calculators.costing.outputs import Outputs
from calculators.costing.owning import book_losses, market_value
from calculators.costing.plan import make_plan
from calculators.costing.results import Results
from calculators.costing.study import make_study
from calculators.costing.tables import (
    books_table,
    capital_table,
    cash_table,
    costs_table,
    thresholds_table,
    units_table,
    winners_table,
)
from calculators.costing.words import NAMES, SAID, first_upper, listed
from calculators.costing.working import first_month, show_working
from calculators.finance.unit_cost import per_run
from calculators.framework.spec import Answer, Calculator, Range, Working
from calculators.framework.text import Text, number
from calculators.market.origins import money, prices_table
from calculators.uncertainty.draws import Sample, drawn
from calculators.uncertainty.quantiles import Spread, spreads
from calculators.uncertainty.report import draws_table, fan_chart, tornado_chart, tornado_table
from calculators.uncertainty.study import Study
from calculators.uncertainty.tornado import tornado
from catalog.model import Catalog

NOTHING = Text("nothing is priced", "没有可比较的价格")
TIE_PERCENT = 5.0


def compute(inputs: Inputs, catalog: Catalog, work: Working) -> Answer:
    """The whole answer. Raises InputError where inputs make no sense together."""
    plan = make_plan(inputs, catalog)
    r = Results(plan)
    show_working(r, work)
    tables = [costs_table(r)] if r.options else []
    charts = [cumulative_chart(r), stack_chart(r)] if r.options else []
    sample: Sample | None = None
    if r.options:
        flip = flip_chart(r)
        charts.extend([flip] if flip else [])
        tables.extend((winners_table(r), thresholds_table(r)))
        study = make_study(plan)
        if study.variables:
            sample = drawn(study, work)
            bars = tornado(study)
            tables.extend((draws_table(sample), tornado_table(study, bars)))
            charts.extend((fan_chart(sample), tornado_chart(study, bars)))
        tables.extend((cash_table(r), units_table(r, _tflops(inputs, catalog))))
        if r.purchases:
            tables.extend((capital_table(r), books_table(r)))
    tables.extend((prices_table(plan.prices, NAMES, UNITS, inputs.currency), assumptions_table(r)))
    found = _outputs(r, catalog, spreads(sample) if sample else ())
    return Answer(found, tuple(tables), tuple(charts), suggestions(r, catalog), notes(r, catalog))


def study(inputs: Inputs, catalog: Catalog) -> Study:
    """What is uncertain in the comparison."""
    return make_study(make_plan(inputs, catalog))


def _tflops(i: Inputs, catalog: Catalog) -> float | None:
    """Of one card: entered, else the catalog's dense BF16 peak with FP32 accumulate."""
    if i.tflops is not None:
        return i.tflops
    peak = catalog.accelerators[i.accelerator].peak()
    return peak.rate.value if peak else None


def _outputs(r: Results, catalog: Catalog, spread: tuple[Spread, ...]) -> Outputs:
    i, t, ranking, totals = r.plan.inputs, r.terms, r.ranking, r.totals
    best = ranking[0] if ranking else None
    cheapest = next((s for s in spread if s.id == best), None)
    hours = {id: r.per_hour(id) for id in r.options}
    beats = {id: r.break_even_hours(id, (ON_DEMAND,)) for id in (MONTHLY, BARE_METAL, RESERVED, PURCHASE)}
    bought = r.purchases.get(PURCHASE)
    kinds = r.flows[PURCHASE].kinds if bought else {}
    years = t.months / 12
    tflops, achieved = _tflops(i, catalog), i.mfu_percent / 100 if i.tflops_basis == "achieved" else 1.0
    gain = r.buying_instead
    use = beats[PURCHASE]

    def yearly(kind: str) -> float | None:
        return sum(kinds[kind]) / years if kind in kinds else None

    return Outputs(
        cheapest=NAMES[best] if best else NOTHING,
        cheapest_total=totals[best] if best else None,
        cheapest_range=Range(cheapest.p10, cheapest.p90) if cheapest else None,
        chance_percent=100 * cheapest.cheapest if cheapest else None,
        next_cheapest=NAMES[ranking[1]] if len(ranking) > 1 else None,
        margin_percent=100 * (totals[ranking[1]] / totals[ranking[0]] - 1)
        if len(ranking) > 1 and totals[ranking[0]] > 0
        else None,
        break_even=_break_even(r),
        on_demand_total=totals.get(ON_DEMAND),
        monthly_total=totals.get(MONTHLY),
        reserved_total=totals.get(RESERVED),
        spot_total=totals.get(SPOT),
        bare_metal_total=totals.get(BARE_METAL),
        purchase_total=totals.get(PURCHASE),
        used_total=totals.get(USED),
        on_demand_per_useful_hour=hours.get(ON_DEMAND),
        monthly_per_useful_hour=hours.get(MONTHLY),
        reserved_per_useful_hour=hours.get(RESERVED),
        spot_per_useful_hour=hours.get(SPOT),
        bare_metal_per_useful_hour=hours.get(BARE_METAL),
        purchase_per_useful_hour=hours.get(PURCHASE),
        used_per_useful_hour=hours.get(USED),
        break_even_hours_month=beats[MONTHLY],
        break_even_hours_bare_metal=beats[BARE_METAL],
        break_even_hours_reserved=beats[RESERVED],
        break_even_hours_purchase=use,
        break_even_hours_purchase_vs_rent=r.break_even_hours(PURCHASE, RENTS),
        break_even_utilisation_percent=None if use is None else 100 * use / t.month_hours,
        break_even_month=r.break_even_month(r.best_owned) if r.best_owned else None,
        break_even_price=r.break_even_price(PURCHASE),
        npv_of_buying=gain[0] if gain else None,
        irr_of_buying_percent=100 * min(gain[1], key=abs) if gain and gain[1] else None,
        irr_in_words=_return(r),
        purchase_eac=r.per_year(PURCHASE) if bought else None,
        capex_total=bought.total if bought else None,
        resale_total=market_value(r.values, bought, t.months) if bought else None,
        depreciation_first_year=sum(book_losses(t, r.values, bought)[:13]) if bought else None,
        electricity_per_year=yearly("electricity"),
        colo_per_year=yearly("colo"),
        staff_per_year=yearly("staff"),
        spare_cards=bought.spare_cards if bought else None,
        bare_metal_month=first_month(r, BARE_METAL) if BARE_METAL in r.options else None,
        on_demand_month=first_month(r, ON_DEMAND) if ON_DEMAND in r.options else None,
        per_tflops_month=r.per_tflops_month(best, tflops, achieved) if best and tflops else None,
        per_million_tokens=r.per_million_tokens(best, i.tokens_per_second) if best and i.tokens_per_second else None,
        per_run=per_run(r.per_hour(best), i.run_gpu_hours) if best and i.run_gpu_hours else None,
        useful_gpu_hours=r.plain_hours,
        spot_goodput_percent=100 / t.spot_wall(r.values.spot_interrupted_every) if SPOT in r.options else None,
    )


def _return(r: Results) -> Text:
    """What the rate of return means: none, one, or several."""
    if r.buying_instead is None:
        return Text("needs a rent and a purchase that are priced", "需要租用与购买都有价格")
    gain, rates, rent = r.buying_instead
    if not rates:
        return (
            Text("there is none: buying never pays back", "不存在：购买始终收不回成本")
            if gain <= 0
            else Text("there is none: buying is ahead from the start", "不存在：购买从一开始就更省")
        )
    if len(rates) > 1:
        return Text(
            f"not meaningful: {len(rates)} rates solve it; go by the NPV", f"没有意义：有 {len(rates)} 个解，请以净现值为准"
        )
    return Text(f"the only one, against {SAID[rent].en}", f"唯一解，对比{NAMES[rent].zh}")


def _break_even(r: Results) -> Text:
    """The break-evens in one line; "never" is said, not left out."""
    said: list[Text] = []
    for id in (MONTHLY, BARE_METAL, RESERVED):
        if id not in r.options or ON_DEMAND not in r.options:
            continue
        hours = r.break_even_hours(id, (ON_DEMAND,))
        longest, name = number(r.most_hours, 0), NAMES[id].zh
        said.append(
            Text(
                f"{SAID[id].en} never beats on demand, not even at {longest} h/month",
                f"即使每月用满 {longest} 小时，{name}也不比按需划算",
            )
            if hours is None
            else Text(
                f"{SAID[id].en} beats on demand from {number(hours, 1)} h/month",
                f"每月用到 {number(hours, 1)} 小时起，{name}比按需划算",
            )
        )
    best = r.best_owned
    if best and r.rents:
        month, rent = r.break_even_month(best), r.rents[0]
        said.append(
            Text(
                f"{SAID[best].en} never gets ahead of {SAID[rent].en} within {r.terms.months} months",
                f"{r.terms.months} 个月内，{NAMES[best].zh}始终没有比{NAMES[rent].zh}划算",
            )
            if month is None
            else Text(
                f"{SAID[best].en} is ahead of {SAID[rent].en} from month {month}",
                f"从第 {month} 个月起，{NAMES[best].zh}比{NAMES[rent].zh}划算",
            )
        )
    if not said:
        return Text("Nothing to compare.", "没有可比较的方式。")
    return Text(f"{first_upper('; '.join(x.en for x in said))}.", f"{'；'.join(x.zh for x in said)}。")


def answer(inputs: Inputs, outputs: Outputs, catalog: Catalog) -> Text:
    """The conclusion in a sentence."""
    o, card = outputs, catalog.accelerators[inputs.accelerator]
    name = Text(card.name, card.name_zh or card.name)
    hours = o.useful_gpu_hours / inputs.accelerator_count / inputs.horizon_months
    use = Text(
        f"{inputs.accelerator_count} × {name.en}, {number(hours)} h of work a month for {inputs.horizon_months} months",
        f"{inputs.accelerator_count} × {name.zh}，每月工作 {number(hours)} 小时，共 {inputs.horizon_months} 个月",
    )
    best = next((id for id in OPTIONS if NAMES[id] == o.cheapest), None)
    if best is None or o.cheapest_total is None:
        return Text(
            f"{use.en}: nothing can be compared, the catalog has no price for it. Enter at least two prices.",
            f"{use.zh}：目录里没有价格，无法比较。请至少填写两项价格。",
        )
    total = money(o.cheapest_total, inputs.currency)
    said = Text(
        f"{use.en}: {SAID[best].en} is cheapest at {total.en} (present value)",
        f"{use.zh}：{NAMES[best].zh}最省，现值合计 {total.zh}",
    )
    if o.cheapest_range is not None:
        low, high = (money(x, inputs.currency) for x in (o.cheapest_range.low, o.cheapest_range.high))
        said = Text(
            f"{said.en}, {low.en} to {high.en} in four draws of five",
            f"{said.zh}，八成抽样落在 {low.zh} 至 {high.zh} 之间",
        )
    following = next((id for id in OPTIONS if NAMES[id] == o.next_cheapest), None)
    if following is None:
        return Text(f"{said.en}. Nothing else is priced.", f"{said.zh}。其他方式没有价格。")
    dearer = Text("", "")
    if o.margin_percent is not None:
        margin, tie = number(o.margin_percent, 1), o.margin_percent < TIE_PERCENT
        dearer = Text(f", {margin}% dearer{': a tie' if tie else ''}", f"，贵 {margin}%{'，可视为打平' if tie else ''}")
    sure = Text("", "")
    if o.chance_percent is not None:
        chance = number(o.chance_percent, 0)
        sure = Text(
            f" {first_upper(SAID[best].en)} stays the cheapest in {chance}% of the draws.",
            f"抽样中{NAMES[best].zh}成本最低的概率为 {chance}%。",
        )
    return Text(
        f"{said.en}. Next: {listed([following]).en}{dearer.en}.{sure.en}",
        f"{said.zh}。其次是{NAMES[following].zh}{dearer.zh}。{sure.zh}",
    )


CALCULATOR = Calculator(
    id="tco",
    version=1,
    title=Text("Total cost of ownership", "总拥有成本"),
    summary=Text(
        "On demand, by the month, reserved, spot, bare metal, bought new or second-hand: the whole cost of each for your work, how sure it is, "
        "and where the cheapest one changes.",
        "按需、包月、预留、竞价、裸金属、购买新机或二手：按你的用量算出各自的全部成本、不确定程度，以及最省的方式在哪里改变。",
    ),
    inputs=Inputs,
    outputs=Outputs,
    compute=compute,
    answer=answer,
    examples=EXAMPLES,
    presets=PRESETS,
    study=study,
)
