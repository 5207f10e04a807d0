"""The tables of `tco` that show money: costs by kind, cash flow, capital, books, units of work, who wins where.

In: `Results`. Out: plain `Table`s, their words in both languages.
"""

from calculators.costing.model import BARE_METAL, MONTHLY, ON_DEMAND, OPTIONS, PURCHASE, RESERVED, USED
from calculators.costing.owning import book_losses, market_value
from calculators.costing.results import Results
from calculators.costing.words import KINDS, NAMES
from calculators.finance.discount import npv
from calculators.finance.unit_cost import per_run
from calculators.framework.spec import Cell, Column, Table
from calculators.framework.text import Text

WINNERS_AT = (50, 100, 200, 300, 400, 500, 600, 700)
ARTICLE = {MONTHLY: 200, BARE_METAL: 500}
"""Hours a month from which a vendor's guide says to take each."""


def _option_columns(r: Results) -> tuple[Column, ...]:
    return tuple(Column(id, NAMES[id], r.plan.inputs.currency) for id in OPTIONS if id in r.options)


def costs_table(r: Results) -> Table:
    """The options side by side, every kind of cost a row; present values that add up to the total."""
    cells: dict[str, dict[str, Cell]] = {}
    present = {id: {kind: npv(r.rate, x) for kind, x in f.kinds.items()} for id, f in r.flows.items()}
    for kind, name in KINDS.items():
        row: dict[str, Cell] = {id: kinds[kind] for id, kinds in present.items() if kind in kinds}
        if row:
            cells[kind] = {"kind": name, **row}
    ends: tuple[tuple[Text, dict[str, float]], ...] = (
        (Text("Total, present value", "现值合计"), r.totals),
        (Text("Nominal: as paid, less resale", "名义金额：实付减转卖"), r.nominal),
        (Text("Equal sum a month", "等额月成本"), {id: r.per_month(id) for id in r.options}),
        (Text("Equal sum a year (EAC)", "等额年成本（EAC）"), {id: r.per_year(id) for id in r.options}),
        (Text("Per useful GPU-hour", "每有效卡时"), {id: r.per_hour(id) for id in r.options}),
    )
    sums: list[dict[str, Cell]] = [{"kind": name, **values} for name, values in ends]
    months = r.terms.months
    return Table(
        "costs",
        Text(f"Cost over {months} months, present value", f"{months} 个月的成本（现值）"),
        (Column("kind", Text("Cost", "成本项"), kind="text"), *_option_columns(r)),
        (*cells.values(), *sums),
        Text("A dash: not a cost of this option.", "“—”表示该方式没有此项成本。"),
    )


def winners_table(r: Results) -> Table:
    """Who is cheapest at which use."""
    rows: list[dict[str, Cell]] = []
    for hours in (h for h in WINNERS_AT if h <= r.most_hours):
        costs = r.costs_at(hours_per_month=float(hours))
        first, *others = sorted(costs, key=lambda id: costs[id])
        used = r.useful_hours * hours / r.values.hours_per_month
        rows.append(
            {
                "hours": hours,
                "use": 100 * hours / r.terms.month_hours,
                "cheapest": NAMES[first],
                "cost": costs[first] / used,
                "next": NAMES[others[0]] if others else None,
                "margin": 100 * (costs[others[0]] / costs[first] - 1) if others and costs[first] > 0 else None,
            }
        )
    return Table(
        "winners",
        Text("Who wins at which use", "不同用量下的最省方式"),
        (
            Column("hours", Text("Hours a month", "每月小时数"), "h", 0),
            Column("use", Text("Use of the month", "利用率"), "%", 0),
            Column("cheapest", Text("Cheapest", "最省"), kind="text"),
            Column("cost", Text("Per useful GPU-hour", "每有效卡时"), r.plan.inputs.currency, 3),
            Column("next", Text("Next", "其次"), kind="text"),
            Column("margin", Text("Dearer by", "贵"), "%", 1),
        ),
        tuple(rows),
        Text("Over the same horizon and prices.", "期限与价格不变。"),
    )


def thresholds_table(r: Results) -> Table:
    """The thresholds of a vendor's guide beside those of these prices."""
    rows: list[dict[str, Cell]] = []
    for id in (MONTHLY, BARE_METAL, RESERVED, PURCHASE, USED):
        hours = r.break_even_hours(id, (ON_DEMAND,))
        priced = id in r.options and ON_DEMAND in r.options
        never = Text("never", "始终不划算")
        rows.append(
            {
                "option": NAMES[id],
                "said": ARTICLE.get(id),
                "hours": hours,
                "use": None if hours is None else 100 * hours / r.terms.month_hours,
                "verdict": Text("not priced", "没有价格") if not priced else never if hours is None else _against(id, hours),
            }
        )
    return Table(
        "thresholds",
        Text("From how many hours each beats renting on demand", "每月用多少小时起比按需划算"),
        (
            Column("option", Text("Option", "方式"), kind="text"),
            Column("said", Text("A vendor's guide says", "某厂商指南的说法"), "h/month", 0),
            Column("hours", Text("At your prices", "按你的价格"), "h/month", 1),
            Column("use", Text("Use of the month", "利用率"), "%", 1),
            Column("verdict", Text("So", "结论"), kind="text"),
        ),
        tuple(rows),
        Text(
            "The guide: under 200 h on demand, 200 to 500 h by the month, above 500 h bare metal (jizhisuan, 2026-07). It names no prices for 200 h.",
            "指南的说法：200 小时以下按需，200–500 小时包月，500 小时以上裸金属（极智算，2026-07）；200 小时一档没有给出价格依据。",
        ),
    )


def _against(option: str, hours: float) -> Text:
    said = ARTICLE.get(option)
    if said is None:
        return Text("recomputed", "重新计算")
    if abs(hours / said - 1) <= 0.1:
        return Text("holds within 10 %", "相差不到 10%，成立")
    return Text("earlier than said", "比说法更早") if hours < said else Text("later than said", "比说法更晚")


def cash_table(r: Results) -> Table:
    """What is paid each year, not discounted; a sale is negative."""
    totals = r.monthly
    rows: list[dict[str, Cell]] = [{"year": Text("Start", "期初"), **{id: x[0] for id, x in totals.items()}}]
    for year in range(-(-r.terms.months // 12)):
        months = slice(12 * year + 1, min(12 * year + 12, r.terms.months) + 1)
        rows.append({"year": str(year + 1), **{id: sum(x[months]) for id, x in totals.items()}})
    rows.append({"year": Text("Sum", "合计"), **r.nominal})
    rows.append({"year": Text("Present value", "现值"), **r.totals})
    return Table(
        "cash-flow",
        Text("Cash flow by year", "逐年现金流"),
        (Column("year", Text("Year", "年"), kind="text"), *_option_columns(r)),
        tuple(rows),
        Text(
            "Paid at the end of each month; what is owned is sold at the end, a negative payment.",
            "各月费用于月末支付；自购设备在期末转卖，记为负数。",
        ),
    )


def capital_table(r: Results) -> Table:
    """What is paid at the start for each purchase."""
    rows: list[dict[str, Cell]] = []
    for kind in ("hardware", "cluster-network", "own-storage", "spares", "duty", "install"):
        row: dict[str, Cell] = {id: p.lines[kind] for id, p in r.purchases.items() if kind in p.lines}
        if row:
            rows.append({"kind": KINDS[kind], **row})
    rows.append({"kind": Text("Together", "合计"), **{id: p.total for id, p in r.purchases.items()}})
    rows.append({"kind": Text("Per accelerator", "折合单卡"), **{id: p.total / p.cards for id, p in r.purchases.items()}})
    columns = tuple(Column(id, NAMES[id], r.plan.inputs.currency) for id in r.purchases)
    return Table(
        "capital",
        Text("Paid at the start", "期初支付"),
        (Column("kind", Text("Part", "项目"), kind="text"), *columns),
        tuple(rows),
        Text("With the VAT that cannot be reclaimed.", "含不可抵扣的增值税。"),
    )


def books_table(r: Results) -> Table:
    """Value in the books and on the market at the end of each year."""
    rows: list[dict[str, Cell]] = []
    losses = {id: book_losses(r.terms, r.values, p) for id, p in r.purchases.items()}
    for month in sorted({*range(0, r.terms.months + 1, 12), r.terms.months}):
        row: dict[str, Cell] = {"month": month}
        for id, p in r.purchases.items():
            row[f"book-{id}"] = p.total - sum(losses[id][: month + 1])
            row[f"market-{id}"] = market_value(r.values, p, month)
        rows.append(row)
    currency, columns = r.plan.inputs.currency, [Column("month", Text("After months", "月数"), digits=0)]
    for id in r.purchases:
        name = NAMES[id]
        columns.append(Column(f"book-{id}", Text(f"{name.en}: in the books", f"{name.zh}：账面价值"), currency, 0))
        columns.append(Column(f"market-{id}", Text(f"{name.en}: if sold", f"{name.zh}：转卖价值"), currency, 0))
    return Table(
        "books",
        Text("Value of what is owned", "自购设备的价值"),
        tuple(columns),
        tuple(rows),
        Text(
            "The books follow the chosen depreciation; the market the assumed resale value. The two differ.",
            "账面价值按所选折旧方法；转卖价值按假设的残值曲线。两者并不相同。",
        ),
    )


def units_table(r: Results, tflops: float | None) -> Table:
    """Cost per unit of work, each option; both bases of TFLOPS side by side."""
    i, mfu = r.plan.inputs, r.plan.inputs.mfu_percent / 100
    rows: list[dict[str, Cell]] = [
        {
            "option": NAMES[id],
            "hour": r.per_hour(id),
            "month": r.per_month(id),
            "peak": r.per_tflops_month(id, tflops, 1.0) if tflops else None,
            "achieved": r.per_tflops_month(id, tflops, mfu) if tflops else None,
            "tokens": r.per_million_tokens(id, i.tokens_per_second) if i.tokens_per_second else None,
            "run": per_run(r.per_hour(id), i.run_gpu_hours) if i.run_gpu_hours else None,
        }
        for id in r.options
    ]
    basis = f"{tflops:g}" if tflops else "—"
    return Table(
        "units",
        Text("Cost per unit of work", "单位成本"),
        (
            Column("option", Text("Option", "方式"), kind="text"),
            Column("hour", Text("Useful GPU-hour", "每有效卡时"), i.currency, 3),
            Column("month", Text("Month, all cards", "每月，全部卡"), i.currency, 0),
            Column("peak", Text("TFLOPS-month, peak", "每 TFLOPS 月，峰值"), i.currency, 2),
            Column("achieved", Text("TFLOPS-month, achieved", "每 TFLOPS 月，实际达到"), i.currency, 2),
            Column("tokens", Text("Million tokens", "每百万 token"), i.currency, 3),
            Column("run", Text("Training run", "每次训练"), i.currency, 0),
        ),
        tuple(rows),
        Text(
            f"Peak: {basis} TFLOPS a card, dense BF16 with FP32 accumulate unless you entered another; achieved: × {i.mfu_percent:g} % MFU.",
            f"峰值：单卡 {basis} TFLOPS（稠密 BF16、FP32 累加，除非自行填写）；实际达到：再乘以 {i.mfu_percent:g}% 的 MFU。",
        ),
    )
