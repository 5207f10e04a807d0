"""What `spot` shows beside its outputs.

In: a `Plan`, the catalog. Out: `Table`s, `Chart`s, notes.
"""

import math

from calculators.framework.spec import Cell, Chart, Column, Mark, Series, Table
from calculators.framework.text import Text, number
from calculators.market.origins import converted_note, flag_notes, money, stale_note
from calculators.reliability.checkpoints import availability_opt, daly_first, daly_high, young
from calculators.reliability.job import best_interval
from calculators.reliability.plan import ON_DEMAND, SPOT, Plan
from catalog.model import Catalog

NAMES = {SPOT: Text("Spot", "竞价实例"), ON_DEMAND: Text("On demand", "按需")}
UNITS = {id: Text("accelerator and hour", "单卡每小时") for id in NAMES}
INTERVALS = (0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0)
RATES = (0.25, 0.5, 1.0, 2.0, 4.0, 6.0, 12.0, 24.0, 48.0, 72.0, 168.0)
"""Hours between reclaims of one instance that the table and the chart go through."""


def intervals_table(plan: Plan) -> Table:
    """Each rule's interval, and what the job then takes."""
    m, c, r = plan.mtbi(), plan.checkpoint, plan.restart
    rules: list[tuple[Text, float]] = [
        (Text("Young", "Young"), young(c, m)),
        (Text("Daly, first order", "Daly 一阶"), daly_first(c, m, r)),
        (Text("Daly, higher order", "Daly 高阶"), daly_high(c, m)),
        (Text("by availability, without the save", "按可用率（不含保存）"), availability_opt(c, m, r) - c),
        (Text("least of the complete model", "完整模型的最小值"), best_interval(c, m)),
    ]
    if plan.inputs.interval_minutes is not None:
        rules.append((Text("yours", "你填写的"), plan.interval(m)))
    rows: list[dict[str, Cell]] = []
    for name, tau in rules:
        if tau <= 0:
            continue
        hours = plan.running(m, tau)
        rows.append(
            {
                "rule": name,
                "interval": 60 * tau,
                "hours": hours if math.isfinite(hours) else None,
                "cost": plan.cost(plan.spot, hours),
            }
        )
    return Table(
        "intervals",
        Text("Intervals by rule", "各规则的间隔"),
        (
            Column("rule", Text("Rule", "规则"), kind="text"),
            Column("interval", Text("Work between checkpoints", "检查点间隔"), "min", 1),
            Column("hours", Text("Running", "运行时间"), "h", 2),
            Column("cost", Text("On spot", "竞价成本"), plan.inputs.currency, 0),
        ),
        tuple(rows),
        Text(
            "Around the best the cost is flat: half or twice the interval changes little.",
            "最佳值附近很平缓：间隔减半或加倍，成本变化不大。",
        ),
    )


def rates_table(plan: Plan) -> Table:
    """Reclaims from often to seldom: time and cost, each with its own interval."""
    rows: list[dict[str, Cell]] = []
    for every in _rates(plan):
        m = plan.mtbi(every)
        hours, total = plan.running(m), plan.total(m)
        rows.append(
            {
                "every": every,
                "interval": 60 * plan.interval(m),
                "hours": hours if math.isfinite(hours) else None,
                "total": total if math.isfinite(total) else None,
                "cost": plan.cost(plan.spot, hours),
            }
        )
    return Table(
        "reclaims",
        Text("By how often an instance is reclaimed", "按回收频率"),
        (
            Column("every", Text("Between reclaims of one instance", "单个实例的回收间隔"), "h", 2),
            Column("interval", Text("Work between checkpoints", "检查点间隔"), "min", 1),
            Column("hours", Text("Running", "运行时间"), "h", 1),
            Column("total", Text("Expected time", "预期用时"), "h", 1),
            Column("cost", Text("On spot", "竞价成本"), plan.inputs.currency, 0),
        ),
        tuple(rows),
    )


def _rates(plan: Plan) -> list[float]:
    return sorted({*RATES, plan.inputs.interruption_hours} if plan.inputs.interruption_hours <= RATES[-1] else RATES)


def interval_chart(plan: Plan) -> Chart | None:
    """Cost against the interval; the least is marked."""
    if plan.spot is None:
        return None
    m = plan.mtbi()
    best = best_interval(plan.checkpoint, m)
    points = [(60 * best * k, cost) for k in INTERVALS if (cost := plan.cost(plan.spot, plan.running(m, best * k))) is not None]
    if len(points) < 2:
        return None
    least = plan.cost(plan.spot, plan.running(m, best)) or 0.0
    said = money(least, plan.inputs.currency)
    at = number(60 * best, 1)
    return Chart(
        "interval",
        "line",
        Text("Cost on spot by checkpoint interval", "竞价成本随检查点间隔的变化"),
        (Text("Work between checkpoints", "检查点间隔"), "min"),
        (Text("Cost", "成本"), plan.inputs.currency),
        (Series(NAMES[SPOT], tuple(points)),),
        Text(
            f"The least, {said.en}, is at {at} min; the curve is flat around it.",
            f"{at} 分钟时最低，为 {said.zh}；附近变化平缓。",
        ),
        (Mark(Text(f"best: {at} min", f"最佳：{at} 分钟"), x=60 * best),),
    )


def rate_chart(plan: Plan) -> Chart | None:
    """Cost against how often an instance is reclaimed, beside on demand."""
    level = plan.cost(plan.on_demand, plan.on_demand_running)
    if plan.spot is None or level is None:
        return None
    points = [
        (every, cost) for every in _rates(plan) if (cost := plan.cost(plan.spot, plan.running(plan.mtbi(every)))) is not None
    ]
    if len(points) < 2:
        return None
    turn = plan.break_even
    marks = (
        (Mark(Text(f"even at {number(turn, 2)} h", f"{number(turn, 2)} 小时打平"), x=turn),)
        if turn is not None and turn >= points[0][0] and turn <= points[-1][0]
        else ()
    )
    if turn is None:
        words = (
            Text("Spot is cheaper at every rate of reclaims shown.", "在所示的各种回收频率下，竞价都更便宜。")
            if all(c < level for _, c in points)
            else Text("Spot never pays at this price.", "以此价格，竞价始终不划算。")
        )
    else:
        words = Text(
            f"Below {number(turn, 2)} h between reclaims of one instance, on demand is cheaper.",
            f"单个实例的回收间隔低于 {number(turn, 2)} 小时时，按需更便宜。",
        )
    return Chart(
        "reclaims",
        "line",
        Text("Cost by how often an instance is reclaimed", "成本随回收频率的变化"),
        (Text("Hours between reclaims of one instance", "单个实例的回收间隔（小时）"), "h"),
        (Text("Cost", "成本"), plan.inputs.currency),
        (Series(NAMES[SPOT], tuple(points)), Series(NAMES[ON_DEMAND], tuple((x, level) for x, _ in points))),
        words,
        marks,
    )


def notes(plan: Plan, catalog: Catalog) -> tuple[Text, ...]:
    """What the numbers rest on."""
    i = plan.inputs
    found = [
        Text(
            "On-demand instances are not reclaimed: what interrupts them here are failures of hardware and software.",
            "按需实例不会被回收：这里中断它的只有硬件与软件故障。",
        ),
        Text(
            "Interruptions are taken as independent of each other. Capacity that ends for a whole zone at once is worse than that.",
            "假设各次中断相互独立；整个可用区同时缺货时，情况比这里更差。",
        ),
    ]
    if plan.spot is not None and SPOT not in plan.prices:
        found.append(
            Text(
                f"The catalog has no spot price of this card: {number(i.spot_percent, 0)}% of on demand is assumed.",
                f"目录中没有这张卡的竞价报价：按按需价的 {number(i.spot_percent, 0)}% 假设。",
            )
        )
    converted = {p.converted_from for p in plan.prices.values() if p.converted_from}
    names = Text("spot and on demand", "竞价与按需")
    found.extend(converted_note(catalog, c, i.currency, names) for c in sorted(converted))
    if any(p.stale for p in plan.prices.values()):
        found.append(stale_note(names))
    found.extend(flag_notes(catalog, i.accelerator))
    return tuple(found)
