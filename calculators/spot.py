"""A job on spot instances: how often it is interrupted, how often to save, how long it takes, what it costs, when it stops paying.

In: `Inputs` and the catalog (its offers fill the prices left empty). Out: expected time and cost beside on demand, the best
checkpoint interval, break-evens, the chance to be late, what a notice allows, and how sure that is.
"""

import math
from dataclasses import replace
from typing import Any

from calculators.framework.spec import Answer, Calculator, Range, Suggestion, Working
from calculators.framework.text import Text, number
from calculators.market.origins import money, prices_table
from calculators.reliability.checkpoints import availability_opt, daly_first, daly_high, young
from calculators.reliability.examples import EXAMPLES, PRESETS
from calculators.reliability.fields import Inputs, Outputs
from calculators.reliability.job import best_interval, late
from calculators.reliability.plan import Plan, make_plan
from calculators.reliability.report import NAMES, UNITS, interval_chart, intervals_table, notes, rate_chart, rates_table
from calculators.reliability.study import make_study
from calculators.reliability.working import show_working
from calculators.uncertainty.draws import drawn
from calculators.uncertainty.report import draws_table, fan_chart, tornado_chart, tornado_table
from calculators.uncertainty.study import Study
from calculators.uncertainty.tornado import tornado
from catalog.model import Catalog


def compute(inputs: Inputs, catalog: Catalog, work: Working) -> Answer:
    """The whole answer; a job that would never end has no time and no cost, and says so."""
    plan = make_plan(inputs, catalog)
    show_working(plan, work)
    tables = [intervals_table(plan), rates_table(plan)]
    charts = [chart for chart in (interval_chart(plan), rate_chart(plan)) if chart]
    if _studied(plan):
        sample, found = drawn(made := make_study(plan), work), tornado(make_study(plan))
        tables.extend((draws_table(sample), tornado_table(made, found)))
        charts.extend((fan_chart(sample), tornado_chart(made, found)))
    tables.append(prices_table(plan.prices, NAMES, UNITS, inputs.currency))
    return Answer(_outputs(plan), tuple(tables), tuple(charts), _suggestions(plan, catalog), notes(plan, catalog))


def _studied(plan: Plan) -> bool:
    """Whether both ways have a price and an end."""
    return (
        plan.spot is not None
        and plan.on_demand is not None
        and math.isfinite(plan.base)
        and math.isfinite(plan.on_demand_running)
    )


def study(inputs: Inputs, catalog: Catalog) -> Study:
    """What is uncertain in the comparison."""
    return make_study(make_plan(inputs, catalog))


def _outputs(p: Plan) -> Outputs:
    i, m, c, r = p.inputs, p.mtbi(), p.checkpoint, p.restart
    ends = math.isfinite(p.base)
    spot, demand = p.cost(p.spot, p.base), p.cost(p.on_demand, p.on_demand_running)
    worst, best = (p.mtbi(x) for x in (p.low, p.high))
    dear, cheap = (p.cost(p.spot, p.running(x)) for x in (worst, best))
    slow, fast = p.total(worst), p.total(best)
    reserved = p.cost(i.reserved_price, p.on_demand_running)
    tau = min(p.interval(m), i.work_hours)
    reclaims_share = max(0.0, 1 - m / p.failures)
    chance = None
    if i.deadline_hours is not None:
        chance = 100 * late(i.deadline_hours, i.work_hours, tau, c, r, m, i.wait_hours * reclaims_share)[0]
    noticed = p.with_notice if p.noticed else math.inf
    ratio = p.price_ratio
    return Outputs(
        verdict=_verdict(p, spot, demand, dear, cheap),
        spot_cost=spot,
        spot_cost_range=Range(cheap, dear) if cheap is not None and dear is not None else None,
        on_demand_cost=demand,
        reserved_cost=reserved,
        saving_percent=100 * (1 - spot / demand) if spot is not None and demand else None,
        wall_hours=_finite(p.total(m)),
        wall_range=Range(fast, slow) if math.isfinite(slow) else None,
        running_hours=_finite(p.base),
        goodput_percent=100 * i.work_hours / p.base if ends else 0.0,
        interruptions=_finite(p.base / m),
        late_percent=chance,
        job_mtbi_hours=m,
        save_seconds=3600 * c,
        interval_used_minutes=60 * tau,
        best_interval_minutes=60 * best_interval(c, m),
        young_minutes=60 * young(c, m),
        daly_first_minutes=60 * daly_first(c, m, r),
        daly_minutes=60 * daly_high(c, m),
        availability_minutes=60 * availability_opt(c, m, r),
        checkpoint_share_percent=100 * c / tau,
        break_even_interruption_hours=p.break_even,
        break_even_spot_percent=100 * p.on_demand_running / p.base if ends and math.isfinite(p.on_demand_running) else None,
        notice=_notice(p),
        notice_running_hours=_finite(noticed),
        spot_price_used=p.spot,
        on_demand_price_used=None if math.isnan(ratio) and p.on_demand is None else p.on_demand,
    )


def _finite(hours: float) -> float | None:
    return hours if math.isfinite(hours) else None


def _verdict(p: Plan, spot: float | None, demand: float | None, dear: float | None, cheap: float | None) -> Text:
    if not math.isfinite(p.base):
        return Text("no: interrupted this often, the job never ends", "不划算：中断太频繁，任务永远无法完成")
    if spot is None or demand is None:
        return Text("cannot be said, as a price is missing", "无法判断，缺少价格")
    if cheap is not None and cheap >= demand:
        return Text("no, not even if reclaims are rare", "不划算，即使很少被回收也是如此")
    if dear is not None and dear < demand:
        return Text("yes, even if reclaims are frequent", "划算，即使频繁被回收也是如此")
    if spot < demand:
        return Text("yes, unless reclaims are frequent", "划算，除非频繁被回收")
    return Text("no, unless reclaims are rare", "不划算，除非很少被回收")


def _notice(p: Plan) -> Text:
    save, notice = number(3600 * p.checkpoint, 0), number(p.inputs.notice_seconds, 0)
    if not p.inputs.notice_seconds:
        return Text("there is none: only saved work is kept", "没有通知：只保留已保存的工作")
    if p.noticed:
        return Text(f"yes: {save} s to save, {notice} s of notice", f"够：保存需 {save} 秒，提前通知 {notice} 秒")
    return Text(f"no: {save} s to save, {notice} s of notice", f"不够：保存需 {save} 秒，通知只提前 {notice} 秒")


def _suggestions(p: Plan, catalog: Catalog) -> tuple[Suggestion, ...]:
    """Changes that make spot cheaper or quicker; each is computed again and kept only if it does."""
    i = p.inputs
    tries: list[tuple[dict[str, Any], Text]] = []
    if i.interval_minutes is not None:
        at = number(60 * best_interval(p.checkpoint, p.mtbi()), 1)
        tries.append(({"interval_minutes": None}, Text(f"Save every {at} min", f"每 {at} 分钟保存一次")))
    if i.checkpoint_seconds is None:
        speed = i.write_gb_per_second * 4
        if speed <= 10_000:
            tries.append(
                ({"write_gb_per_second": speed}, Text(f"Write at {number(speed)} GB/s", f"写入速度提到 {number(speed)} GB/s"))
            )
    if i.restart_minutes >= 2:
        half = i.restart_minutes / 2
        tries.append(({"restart_minutes": half}, Text(f"Restart in {number(half)} min", f"{number(half)} 分钟内重新启动")))
    if not p.noticed and i.notice_seconds and i.checkpoint_seconds is None:
        speed = math.ceil(100 * i.checkpoint_gb / i.notice_seconds) / 100
        if speed <= 10_000:
            tries.append(
                (
                    {"write_gb_per_second": speed},
                    Text(
                        f"Write at {number(speed)} GB/s, to save on notice",
                        f"写入速度提到 {number(speed)} GB/s，收到通知即可保存",
                    ),
                )
            )
    found: list[Suggestion] = []
    for change, title in tries:
        changed = make_plan(replace(i, **change), catalog)
        before, after = p.base, changed.base
        if not math.isfinite(after) or after >= before * (1 - 1e-6):
            continue
        en, zh = f"{number(after, 1)} h running", f"运行 {number(after, 1)} 小时"
        if math.isfinite(before):
            en, zh = f"{en}, against {number(before, 1)} h", f"{zh}，原为 {number(before, 1)} 小时"
        if changed.noticed and not p.noticed:
            en, zh = f"{en}; the notice is long enough", f"{zh}；通知时间够保存一次"
        cost = changed.cost(changed.spot, after)
        if cost is not None:
            said = money(cost, i.currency)
            en, zh = f"{en}, {said.en} on spot", f"{zh}，竞价成本 {said.zh}"
        found.append(Suggestion(title, change, Text(f"{en}.", f"{zh}。")))
    return tuple(found)


def answer(inputs: Inputs, outputs: Outputs, catalog: Catalog) -> Text:
    """The conclusion in a sentence."""
    i, o, card = inputs, outputs, catalog.accelerators[inputs.accelerator]
    job = Text(
        f"{number(i.work_hours)} h of work on {i.accelerator_count} × {card.name}",
        f"{i.accelerator_count} × {card.name_zh or card.name} 上 {number(i.work_hours)} 小时的工作",
    )
    if o.running_hours is None:
        every = number(o.job_mtbi_hours, 2)
        return Text(
            f"{job.en}: interrupted every {every} h on average, it never ends. Save and restart faster, or rent on demand.",
            f"{job.zh}：平均每 {every} 小时中断一次，永远无法完成。请加快保存与重启，或改用按需。",
        )
    hours, save = number(o.wall_hours, 1), number(o.interval_used_minutes, 0)
    said = Text(
        f"{job.en} takes {hours} h on spot with about {number(o.interruptions, 1)} interruptions, saving every {save} min",
        f"{job.zh}，用竞价实例预计 {hours} 小时，约中断 {number(o.interruptions, 1)} 次，每 {save} 分钟保存一次",
    )
    if o.spot_cost is not None and o.on_demand_cost is not None:
        spot, demand = money(o.spot_cost, i.currency), money(o.on_demand_cost, i.currency)
        said = Text(
            f"{said.en}, and costs {spot.en}, against {demand.en} on demand", f"{said.zh}，成本 {spot.zh}，按需为 {demand.zh}"
        )
    said = Text(f"{said.en}. Does spot pay: {o.verdict.en}.", f"{said.zh}。竞价划算吗：{o.verdict.zh}。")
    if o.late_percent is not None:
        late_by = number(o.late_percent, 0)
        said = Text(f"{said.en} It misses the deadline with a chance of {late_by}%.", f"{said.zh}错过期限的概率为 {late_by}%。")
    return said


CALCULATOR = Calculator(
    id="spot",
    version=1,
    title=Text("Spot with checkpoints", "竞价实例与检查点"),
    summary=Text(
        "How often a job on spot is interrupted, how often to save it, how long it takes, what it costs beside on demand, and when it stops paying.",
        "用竞价实例跑任务：多久中断一次、多久保存一次、要用多久、比按需省多少、什么时候不再划算。",
    ),
    inputs=Inputs,
    outputs=Outputs,
    compute=compute,
    answer=answer,
    examples=EXAMPLES,
    presets=PRESETS,
    study=study,
)
