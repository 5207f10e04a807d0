"""Rent by the hour, by the month, as bare metal, or buy: which is cheapest for this use, and where that turns.

In: `Inputs` and the catalog (its offers fill the prices left empty). Out: totals and cost per used GPU-hour of the four
options over one horizon, break-evens in hours, months and price, ranges over what nobody knows, and suggestions.
"""

import math
from dataclasses import replace
from typing import Any

from calculators.finance.comparison import (
    BARE_METAL,
    HOURLY,
    MONTHLY,
    OPTIONS,
    PURCHASE,
    RENTS,
    RESIDUAL_MONTHS,
    Setup,
    Spread,
    set_up,
    spread,
)
from calculators.finance.depreciation import residual_value, straight_line, yearly_loss
from calculators.finance.rent_or_buy_examples import EXAMPLES, PRESETS
from calculators.finance.rent_or_buy_fields import Inputs, Outputs
from calculators.finance.rent_or_buy_report import (
    NAMES,
    UNITS,
    assumptions_table,
    costs_table,
    cumulative_chart,
    notes,
    said_as,
)
from calculators.finance.rent_or_buy_working import show_working
from calculators.framework.spec import Answer, Calculator, InputError, Range, Suggestion, Working
from calculators.framework.text import Text, number
from calculators.market.origins import money, prices_table
from catalog.model import Catalog

HORIZONS = (12, 24, 36, 48, 60, 84, 120)
NOTHING = Text("nothing is priced", "没有可比较的价格")
TIE_PERCENT = 5.0


def compute(inputs: Inputs, catalog: Catalog, work: Working) -> Answer:
    """The whole answer. Raises InputError where more hours are used than a month has."""
    if inputs.hours_per_month > inputs.month_hours:
        hours = number(inputs.month_hours)
        raise InputError(
            "hours_per_month",
            Text(
                f"A month has {hours} hours here: enter at most that many, or raise “Hours in a month”.",
                f"这里一个月按 {hours} 小时计：请填写不超过该值的小时数，或调大“一个月的小时数”。",
            ),
        )
    setup = set_up(inputs, catalog)
    span = spread(setup)
    show_working(setup, work)
    outputs = _outputs(setup, span)
    month = setup.break_even_month()
    return Answer(
        outputs=outputs,
        tables=(costs_table(setup), prices_table(setup.prices, NAMES, UNITS, inputs.currency), assumptions_table(setup)),
        charts=(cumulative_chart(setup, month),) if setup.options else (),
        suggestions=_suggestions(setup, catalog),
        notes=notes(setup, catalog),
    )


def _outputs(s: Setup, span: Spread) -> Outputs:
    i, ranking, totals = s.inputs, s.ranking, s.totals
    hours = {id: s.per_used_hour(id) for id in s.options}
    margin = 100 * (totals[ranking[1]] / totals[ranking[0]] - 1) if len(ranking) > 1 and totals[ranking[0]] > 0 else None
    month_beats = s.break_even_hours(MONTHLY, (HOURLY,))
    metal_beats = s.break_even_hours(BARE_METAL, (HOURLY,))
    month = s.break_even_month()
    owned = s.options.get(PURCHASE)
    capex = s.capex if owned else None
    years = i.horizon_months / 12
    loss = yearly_loss(i.residual_percent / 100, RESIDUAL_MONTHS / 12)

    def per_year(kind: str) -> float | None:
        if owned is None or (kind == "colo" and i.hosting != "colo"):
            return None
        line = next(line for line in owned.lines if line.kind == kind)
        return 12 * (line.per_month + line.per_hour * i.hours_per_month) / i.accelerator_count

    return Outputs(
        cheapest=NAMES[ranking[0]] if ranking else NOTHING,
        next_cheapest=NAMES[ranking[1]] if len(ranking) > 1 else None,
        margin_percent=margin,
        verdict=_verdict(s, span),
        break_even=_break_even(s, month_beats, metal_beats, month),
        hourly_total=totals.get(HOURLY),
        monthly_total=totals.get(MONTHLY),
        bare_metal_total=totals.get(BARE_METAL),
        purchase_total=totals.get(PURCHASE),
        hourly_per_used_hour=hours.get(HOURLY),
        monthly_per_used_hour=hours.get(MONTHLY),
        bare_metal_per_used_hour=hours.get(BARE_METAL),
        purchase_per_used_hour=hours.get(PURCHASE),
        purchase_total_range=Range(*span.purchase) if span.purchase else None,
        cheapest_rent_range=Range(*span.rent) if span.rent else None,
        break_even_hours_month_vs_hourly=month_beats,
        break_even_hours_bare_metal_vs_hourly=metal_beats,
        break_even_hours_purchase_vs_hourly=s.break_even_hours(PURCHASE, (HOURLY,)),
        break_even_hours_purchase_vs_rent=s.break_even_hours(PURCHASE, RENTS),
        break_even_month=month,
        break_even_price=s.break_even_price(),
        bare_metal_month=s.nodes * s.prices[BARE_METAL].amount if BARE_METAL in s.options else None,
        capex_per_accelerator=capex,
        depreciation_per_year=None if capex is None else straight_line(capex, residual_value(capex, loss, years), years),
        electricity_per_year=per_year("electricity"),
        colo_per_year=per_year("colo"),
    )


def _verdict(s: Setup, span: Spread) -> Text:
    if span.sure is None:
        return Text("cannot be said, as rent or purchase is not priced", "无法判断，租用或购买没有价格")
    if not span.sure:
        return Text("either can win inside the assumed ranges", "没有定论，在假设区间内两者都可能更省")
    if s.ranking[0] == PURCHASE:
        return Text("buying wins throughout the assumed ranges", "整个假设区间内都是购买更省")
    return Text("renting wins throughout the assumed ranges", "整个假设区间内都是租用更省")


def _break_even(s: Setup, month: float | None, metal: float | None, bought: int | None) -> Text:
    """The break-evens in one line; "never" is said, not left out."""
    said: list[Text] = []
    longest = number(s.inputs.month_hours)
    for id, hours in ((MONTHLY, month), (BARE_METAL, metal)):
        if id not in s.options or HOURLY not in s.options:
            continue
        if hours is None:
            said.append(
                Text(
                    f"{said_as(id).en} never beats the hour price, not even at {longest} h/month",
                    f"即使每月用满 {longest} 小时，{NAMES[id].zh}也不比按小时划算",
                )
            )
        else:
            at = number(hours, 1)
            said.append(
                Text(
                    f"{said_as(id).en} beats the hour price from {at} h/month",
                    f"每月用到 {at} 小时起，{NAMES[id].zh}比按小时划算",
                )
            )
    if PURCHASE in s.options and s.rents:
        best = s.rents[0]
        if bought is None:
            months = s.inputs.horizon_months
            said.append(
                Text(
                    f"buying never gets ahead of {said_as(best).en} within {months} months",
                    f"{months} 个月内，购买始终没有比{NAMES[best].zh}划算",
                )
            )
        else:
            said.append(
                Text(
                    f"buying is ahead of {said_as(best).en} from month {bought}",
                    f"从第 {bought} 个月起，购买比{NAMES[best].zh}划算",
                )
            )
    if not said:
        return Text("Nothing to compare.", "没有可比较的方式。")
    en = "; ".join(t.en for t in said)
    return Text(f"{en[0].upper()}{en[1:]}.", f"{'；'.join(t.zh for t in said)}。")


def _suggestions(s: Setup, catalog: Catalog) -> tuple[Suggestion, ...]:
    """Changes that turn the answer; each is computed again and kept only if it does what it says."""
    if len(s.ranking) < 2:
        return ()
    candidates: list[tuple[dict[str, Any], Text]] = []
    i = s.inputs
    for hours in _turning_hours(s):
        up = hours > i.hours_per_month
        candidates.append(
            (
                {"hours_per_month": hours},
                Text(
                    f"Use {number(hours)} h a month or {'more' if up else 'less'}",
                    f"每月用 {number(hours)} 小时或更{'多' if up else '少'}",
                ),
            )
        )
    if PURCHASE in s.options and s.ranking[0] != PURCHASE:
        candidates.extend(
            ({"horizon_months": months}, Text(f"Plan for {months} months", f"按 {months} 个月规划"))
            for months in HORIZONS
            if months > i.horizon_months
        )
    if HOURLY in s.options and s.ranking[0] != HOURLY:
        used = i.accelerator_count * i.hours_per_month * s.timeline.moving[i.horizon_months]
        price = _rounded_down(s.totals[s.ranking[0]] / used)
        candidates.append(
            (
                {"hourly_price": price},
                Text(
                    f"Get the hour price down to {money(price, i.currency, None).en}",
                    f"把时价谈到 {money(price, i.currency, None).zh}",
                ),
            )
        )
    found: list[Suggestion] = []
    seen: set[str] = set()
    for change, title in candidates:
        key = next(iter(change))
        way = f"{key}{change[key] > getattr(i, key)}" if key == "hours_per_month" else key
        if way in seen or (made := _proven(s, catalog, change, title)) is None:
            continue
        seen.add(way)
        found.append(made)
    return tuple(found)


def _proven(s: Setup, catalog: Catalog, change: dict[str, Any], title: Text) -> Suggestion | None:
    changed = set_up(replace(s.inputs, **change), catalog)
    best = changed.ranking[0]
    if best == s.ranking[0]:
        return None
    cost = money(changed.per_used_hour(best), s.inputs.currency, 3)
    was = money(changed.per_used_hour(s.ranking[0]), s.inputs.currency, 3)
    effect = Text(
        f"{NAMES[best].en} becomes cheapest: {cost.en} per used GPU-hour, against {was.en} for {said_as(s.ranking[0]).en}.",
        f"{NAMES[best].zh}变为最省：每使用卡时 {cost.zh}，{NAMES[s.ranking[0]].zh}为 {was.zh}。",
    )
    return Suggestion(title, change, effect)


def _turning_hours(s: Setup) -> list[float]:
    """Whole hours next to each point where two options cross, the nearest first: candidates, not yet proven."""
    now, found = s.inputs.hours_per_month, set[float]()
    for a in OPTIONS:
        for b in OPTIONS:
            hours = s.break_even_hours(a, (b,)) if a in s.options and b in s.options and a != b else None
            if hours is None:
                continue
            near = math.floor(hours) + 1 if hours >= now else math.ceil(hours) - 1
            if 1 <= near <= s.inputs.month_hours:
                found.add(float(near))
    return sorted(found, key=lambda h: (abs(h - now), h))


def _rounded_down(price: float) -> float:
    """Three significant figures, never above the exact value."""
    step: float = 10.0 ** (math.floor(math.log10(price)) - 2) if price > 0 else 1.0
    return round(math.floor(price / step * (1 - 1e-12)) * step, 8)


def answer(inputs: Inputs, outputs: Outputs, catalog: Catalog) -> Text:
    """The conclusion in a sentence."""
    o, card = outputs, catalog.accelerators[inputs.accelerator]
    use = Text(
        f"{inputs.accelerator_count} × {card.name}, {number(inputs.hours_per_month)} h a month for {inputs.horizon_months} months",
        f"{inputs.accelerator_count} × {card.name_zh or card.name}，每月用 {number(inputs.hours_per_month)} 小时，共 {inputs.horizon_months} 个月",
    )
    totals = {
        HOURLY: (o.hourly_total, o.hourly_per_used_hour),
        MONTHLY: (o.monthly_total, o.monthly_per_used_hour),
        BARE_METAL: (o.bare_metal_total, o.bare_metal_per_used_hour),
        PURCHASE: (o.purchase_total, o.purchase_per_used_hour),
    }
    best = next((id for id in OPTIONS if NAMES[id] == o.cheapest), None)
    if best is None:
        return Text(
            f"{use.en}: nothing can be compared, the catalog has no price for it. Enter at least two prices.",
            f"{use.zh}：目录里没有价格，无法比较。请至少填写两项价格。",
        )
    total, hour = (money(v or 0.0, inputs.currency, d) for v, d in zip(totals[best], (0, 3), strict=True))
    said = Text(
        f"{use.en}: {said_as(best).en} is cheapest at {total.en} (present value), {hour.en} per used GPU-hour.",
        f"{use.zh}：{NAMES[best].zh}最省，现值合计 {total.zh}，每使用卡时 {hour.zh}。",
    )
    following = next((id for id in OPTIONS if NAMES[id] == o.next_cheapest), None)
    if following is None:
        return Text(f"{said.en} Nothing else is priced.", f"{said.zh}其他方式没有价格。")
    dearer = Text("", "")
    if o.margin_percent is not None:
        margin, tie = number(o.margin_percent, 1), o.margin_percent < TIE_PERCENT
        dearer = Text(f", {margin}% dearer{': a tie' if tie else ''}", f"，贵 {margin}%{'，可视为打平' if tie else ''}")
    return Text(
        f"{said.en} Next: {said_as(following).en}{dearer.en}. Rent or buy: {o.verdict.en}.",
        f"{said.zh}其次是{NAMES[following].zh}{dearer.zh}。租还是买：{o.verdict.zh}。",
    )


CALCULATOR = Calculator(
    id="rent-or-buy",
    version=1,
    title=Text("Rent or buy", "租还是买"),
    summary=Text(
        "By the hour, by the month, bare metal or purchase: what each costs for your hours, and where the cheapest one changes.",
        "按小时、包月、裸金属还是购买：按你的用量算出各自的成本，以及最省的方式在哪里改变。",
    ),
    inputs=Inputs,
    outputs=Outputs,
    compute=compute,
    answer=answer,
    examples=EXAMPLES,
    presets=PRESETS,
)
