"""The charts of `tco`: cost so far, stack by kind, who wins by use and price.

In: `Results`. Out: `Chart`s as plain data, each with a sentence that says what it shows.
"""

from calculators.costing.model import ON_DEMAND, OWNED
from calculators.costing.results import Results
from calculators.costing.words import NAMES, SAID, listed
from calculators.finance.discount import npv
from calculators.framework.spec import Chart, Mark, Series
from calculators.framework.text import Text, number
from calculators.market.origins import money

LAYERS: tuple[tuple[Text, tuple[str, ...]], ...] = (
    (Text("Rent", "租金"), ("rent",)),
    (Text("Beside the rent", "租金以外"), ("storage", "egress", "network", "support", "setup")),
    (
        Text("Purchase less resale", "购置减转卖"),
        ("hardware", "cluster-network", "own-storage", "spares", "duty", "install", "resale"),
    ),
    (Text("Electricity", "电费"), ("electricity", "demand")),
    (Text("Colocation", "托管费"), ("colo",)),
    (Text("Upkeep and insurance", "维保与保险"), ("maintenance", "replacement", "insurance")),
    (Text("Staff", "人工"), ("staff",)),
    (Text("Licences and bandwidth", "许可与带宽"), ("licence", "bandwidth")),
    (Text("Income tax", "所得税"), ("tax",)),
)
"""What the stack adds up: kinds of cost that a reader thinks of together."""
USES, PRICES = 12, 10


def cumulative_chart(r: Results) -> Chart:
    """What each option has cost after every month; owning both as cash paid and less what selling would then bring."""
    months = range(r.terms.months + 1)
    series: list[Series] = []
    for id in r.options:
        name = NAMES[id]
        if id in OWNED:
            name = Text(f"{name.en}, less resale value", f"{name.zh}（扣除残值）")
        series.append(Series(name, tuple((float(m), r.standing[id][m]) for m in months)))
    best = r.best_owned
    if best is not None:
        name = Text(f"{NAMES[best].en}, cash paid", f"{NAMES[best].zh}（已付金额）")
        series.append(Series(name, tuple((float(m), r.running[best][m]) for m in months)))
    month = r.break_even_month(best) if best else None
    marks: tuple[Mark, ...] = ()
    said = Text("")
    if month is not None:
        marks = (Mark(Text(f"break-even: month {month}", f"盈亏平衡点：第 {month} 个月"), x=float(month)),)
    if best is not None and r.rents:
        rent = r.rents[0]
        said = (
            Text(
                f"{SAID[best].en.capitalize()} does not get ahead of {SAID[rent].en} within the horizon.",
                f"期限内{NAMES[best].zh}没有追平{NAMES[rent].zh}。",
            )
            if month is None
            else Text(
                f"{SAID[best].en.capitalize()}, less its resale value, is ahead of {SAID[rent].en} from month {month}.",
                f"扣除残值后，{NAMES[best].zh}从第 {month} 个月起比{NAMES[rent].zh}划算。",
            )
        )
    return Chart(
        "cumulative",
        "line",
        Text("Cumulative cost, present value", "累计成本（现值）"),
        (Text("Month", "月份"), ""),
        (Text("Cost so far", "累计成本"), r.plan.inputs.currency),
        tuple(series),
        Text(
            f"Lines of cumulative cost over {r.terms.months} months; at the end: {_ends(r).en}. {said.en}".strip(),
            f"{r.terms.months} 个月的累计成本曲线；期末：{_ends(r).zh}。{said.get('zh')}",
        ),
        marks,
    )


def _ends(r: Results) -> Text:
    ends = [(NAMES[id], money(r.totals[id], r.plan.inputs.currency)) for id in r.ranking]
    return Text(", ".join(f"{n.en} {v.en}" for n, v in ends), "，".join(f"{n.zh} {v.zh}" for n, v in ends))


def stack_chart(r: Results) -> Chart:
    """The present value of each option, made up of what it is spent on."""
    series: list[Series] = []
    for name, kinds in LAYERS:
        points = []
        for id in r.options:
            found = [npv(r.rate, r.flows[id].kinds[k]) for k in kinds if k in r.flows[id].kinds]
            if found:
                points.append((NAMES[id], sum(found)))
        if points:
            series.append(Series(name, tuple(points)))
    return Chart(
        "stack",
        "stack",
        Text("What the money is spent on, present value", "成本构成（现值）"),
        (Text("Option", "方式"), ""),
        (Text("Cost", "成本"), r.plan.inputs.currency),
        tuple(series),
        Text(f"A bar of costs for each option, together {_ends(r).en}.", f"各方式的成本构成，合计：{_ends(r).zh}。"),
    )


def flip_chart(r: Results) -> Chart | None:
    """Who is cheapest over use of the month and on-demand price, and the price at which that flips."""
    if ON_DEMAND not in r.options or len(r.options) < 2:
        return None
    now, most = r.values, r.most_hours
    uses = [most * (k + 1) / USES for k in range(USES)]
    step = now.hourly_price / 4
    cells: dict[str, list[tuple[float | str | Text, float]]] = {}
    line: list[tuple[float | str | Text, float]] = []
    for hours in uses:
        at_use = now._replace(hours_per_month=hours)
        use = 100 * hours / r.terms.month_hours
        free, full = (r.evaluate(at_use._replace(hourly_price=p)) for p in (0.0, now.hourly_price))
        slopes = [(b - a) / now.hourly_price for a, b in zip(free, full, strict=True)]
        for k in range(1, PRICES + 1):
            price = step * k
            costs = [a + s * price for a, s in zip(free, slopes, strict=True)]
            cells.setdefault(r.options[costs.index(min(costs))], []).append((use, price))
        fixed = [a for a, s in zip(free, slopes, strict=True) if s <= 1e-12 * max(1.0, abs(a))]
        if fixed:
            flips = [(min(fixed) - a) / s for a, s in zip(free, slopes, strict=True) if s > 1e-12 * max(1.0, abs(a))]
            if 0 < max(flips) <= step * (PRICES + 0.5):
                line.append((use, max(flips)))
    series = tuple(Series(NAMES[id], tuple(cells[id])) for id in r.options if id in cells)
    here = Mark(Text("you", "当前"), x=100 * now.hours_per_month / r.terms.month_hours, y=now.hourly_price)
    flip = Text("the winner flips", "最省方式在此改变")
    where = Text("", "")
    if line:
        (u0, p0), (u1, p1) = line[0], line[-1]
        where = Text(
            f" The price at which what is paid by the hour loses falls from {number(p0)} at {number(float(str(u0)), 0)}% use to {number(p1)} at {number(float(str(u1)), 0)}%.",
            f"按小时计费的方式开始不划算的价格：利用率 {number(float(str(u0)), 0)}% 时为 {number(p0)}，{number(float(str(u1)), 0)}% 时为 {number(p1)}。",
        )
    return Chart(
        "flip-map",
        "map",
        Text("Who wins, by use and on-demand price", "利用率与按需价格下的最省方式"),
        (Text("Use of the month", "利用率"), "%"),
        (Text("On-demand price", "按需价格"), f"{r.plan.inputs.currency}/h"),
        series,
        Text(
            f"A map of the cheapest option over use and price; it shows {listed(id for id in r.options if id in cells).en}.{where.en}",
            f"不同利用率与价格下最省方式的分布，出现的有：{listed(id for id in r.options if id in cells).zh}。{where.zh}",
        ),
        (here,),
        (Series(flip, tuple(line)),) if line else (),
    )
