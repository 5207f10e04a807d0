"""The comparison in a reader's words: tables, chart and notes of `rent-or-buy`.

In: a `Setup` (resolved prices, options, costs). Out: plain tables, a chart, notes.
"""

from calculators.finance.comparison import (
    BARE_METAL,
    HOURLY,
    MONTHLY,
    OPTIONS,
    PURCHASE,
    RANGES,
    Setup,
)
from calculators.framework.spec import Cell, Chart, Column, Mark, Range, Series, Table
from calculators.framework.text import Text
from calculators.market import prices
from calculators.market.origins import converted_note, flag_notes, money, stale_note
from catalog.model import Catalog

NAMES = {
    HOURLY: Text("By the hour", "按小时租"),
    MONTHLY: Text("By the month", "包月"),
    BARE_METAL: Text("Bare metal", "裸金属"),
    PURCHASE: Text("Buying", "购买"),
}
SAID = {
    HOURLY: Text("renting by the hour", "按小时租"),
    MONTHLY: Text("renting by the month", "包月"),
    BARE_METAL: Text("bare metal", "裸金属"),
    PURCHASE: Text("buying", "购买"),
}
FIELD_NAMES = {
    "hourly_price": Text("“On demand, one accelerator”", "“按小时租，单卡”"),
    "monthly_price": Text("“By the month, one accelerator”", "“包月，单卡”"),
    "bare_metal_price": Text("“Bare metal, whole node”", "“裸金属，整机”"),
    "capex_per_accelerator": Text("“Purchase price, all in, per accelerator”", "“购置总价，折合单卡”"),
    "kw_per_accelerator": Text("“Power at load, per accelerator”", "“满载功率，折合单卡”"),
    "colo_per_kw_month": Text("“Colocation rent”", "“托管费”"),
    "tariff": Text("“Electricity price”", "“电价”"),
}
KINDS = {
    "rent": Text("Rent", "租金"),
    "hardware": Text("Hardware", "硬件购置"),
    "resale": Text("Resale at the end", "期末转卖"),
    "electricity": Text("Electricity", "电费"),
    "colo": Text("Colocation", "托管费"),
    "maintenance": Text("Maintenance", "维保"),
    "staff": Text("Staff", "人工"),
}
UNITS = {
    HOURLY: Text("per GPU-hour", "每卡时"),
    MONTHLY: Text("per GPU and month", "每卡每月"),
    BARE_METAL: Text("per node and month", "每台每月"),
    PURCHASE: Text("per GPU", "每卡"),
}


def said_as(option: str) -> Text:
    """An option's name inside a sentence."""
    return SAID[option]


def costs_table(s: Setup) -> Table:
    """The four options side by side, every kind of cost a row; present values that add up to the total."""
    hours, months = s.inputs.hours_per_month, s.inputs.horizon_months
    cells: dict[str, dict[str, Cell]] = {kind: {"kind": name} for kind, name in KINDS.items()}
    nominal: dict[str, Cell] = {"kind": Text("Nominal: as paid, less resale", "名义金额：实付减转卖")}
    total: dict[str, Cell] = {"kind": Text("Total, present value", "现值合计")}
    hourly: dict[str, Cell] = {"kind": Text("Per used GPU-hour", "每使用卡时")}
    for id, option in s.options.items():
        for line in option.lines:
            if line.kind != "colo" or s.inputs.hosting == "colo":
                cells[line.kind][id] = s.timeline.line(line, hours, months)
        if option.resale:
            cells["resale"][id] = -s.timeline.resold(option, months)
        total[id] = s.totals[id]
        nominal[id] = s.nominal.cost(option, hours, months)
        hourly[id] = s.per_used_hour(id)
    options = (Column(id, NAMES[id], s.inputs.currency) for id in OPTIONS)
    columns = (Column("kind", Text("Cost", "成本项"), kind="text"), *options)
    return Table(
        "costs",
        Text(f"Cost over {months} months, present value", f"{months} 个月的成本（现值）"),
        columns,
        (*cells.values(), total, nominal, hourly),
        Text("A dash: not priced, or not a cost of this option.", "“—”表示没有价格，或该方式没有此项成本。"),
    )


def assumptions_table(s: Setup) -> Table:
    """What nobody knows: the value used, the range that others give, and where it is from."""
    i = s.inputs
    spans = {name: Range(*RANGES[name]) for name in RANGES}
    listed: tuple[tuple[Text, float, Cell, Text], ...] = (
        (
            Text("Resale after 36 months, %", "36 个月后残值，%"),
            i.residual_percent,
            spans["residual_percent"],
            Text("published guesses, weak", "公开估计，依据薄弱"),
        ),
        (
            Text("Rents fall per year, %", "租价每年下降，%"),
            i.rent_decline_percent,
            spans["rent_decline_percent"],
            Text(
                "H100: US$2.85 in early 2024, 1.70 in October 2025, 2.35 in March 2026",
                "H100：2024 年初 2.85 美元，2025 年 10 月 1.70，2026 年 3 月 2.35",
            ),
        ),
        (
            Text("Maintenance per year, % of price", "每年维保，占购置价 %"),
            i.maintenance_percent,
            spans["maintenance_percent"],
            Text("published guesses, weak", "公开估计，依据薄弱"),
        ),
        (Text("Cost of capital, %", "资金成本，%"), i.discount_rate_percent, Range(4, 15), Text("assumption", "假设")),
        (
            Text("PUE applied", "采用的 PUE"),
            s.pue,
            Range(1.1, 1.56),
            Text("Google 1.10; Uptime Institute survey 2024: 1.56", "Google 1.10；Uptime Institute 2024 年调查 1.56"),
        ),
        (Text("Idle power, % of load", "空闲功率，占满载 %"), i.idle_power_percent, Range(10, 15), Text("assumption", "假设")),
        (
            Text(f"Electricity, {i.currency} per kWh", f"电价，{i.currency} 每 kWh"),
            s.tariff,
            Range(0.35, 1.0) if i.currency == "CNY" else Range(0.06, 0.19),
            _default_source(i.tariff, i.currency == "USD"),
        ),
        (
            Text("Server on top of the card, %", "服务器溢价，%"),
            i.server_premium_percent,
            None,
            Text("Epoch AI's estimate for H100 servers", "Epoch AI 对 H100 服务器的估计"),
        ),
        (
            Text("Node power over card power", "整机功率与卡功率之比"),
            i.node_power_factor,
            Range(1.25, 1.82),
            Text("DGX H100: 10.2 kW / 5.6 kW = 1.82, nameplate maximum", "DGX H100：10.2 kW / 5.6 kW = 1.82，铭牌上限"),
        ),
    )
    return Table(
        "assumptions",
        Text("What is assumed", "采用的假设"),
        (
            Column("name", Text("Assumption", "假设"), kind="text"),
            Column("value", Text("Used", "采用值")),
            Column("range", Text("Others say", "他人给出的范围")),
            Column("source", Text("Where from", "出处"), kind="text"),
        ),
        tuple({"name": n, "value": v, "range": r, "source": t} for n, v, r, t in listed),
    )


def _default_source(own: float | None, is_us: bool) -> Text:
    if own is not None:
        return prices.ENTERED
    return (
        Text("EIA, US industrial average 2025", "EIA，2025 年美国工业均价")
        if is_us
        else Text("assumption, no source found", "假设，未找到来源")
    )


def cumulative_chart(s: Setup, break_even_month: int | None) -> Chart:
    """What each option has cost after every month; owning both as cash paid and less what selling would then bring."""
    hours, months = s.inputs.hours_per_month, range(s.inputs.horizon_months + 1)
    series = [
        Series(NAMES[id], tuple((float(m), s.timeline.cost(option, hours, m)) for m in months))
        for id, option in s.options.items()
    ]
    if PURCHASE in s.options:
        series[-1] = Series(Text("Buying, less resale value", "购买（扣除残值）"), series[-1].points)
        paid = tuple((float(m), s.timeline.spent(s.options[PURCHASE], hours, m)) for m in months)
        series.append(Series(Text("Buying, cash paid", "购买（已付金额）"), paid))
    marks: tuple[Mark, ...] = ()
    said = Text("Buying does not get ahead within the horizon.", "期限内购买没有追平。")
    if PURCHASE not in s.options or not s.rents:
        said = Text("")
    elif break_even_month is not None:
        marks = (
            Mark(
                Text(f"break-even: month {break_even_month}", f"盈亏平衡：第 {break_even_month} 个月"),
                x=float(break_even_month),
            ),
        )
        said = Text(
            f"Buying, less its resale value, is ahead of {said_as(s.rents[0]).en} from month {break_even_month}.",
            f"扣除残值后，购买从第 {break_even_month} 个月起比{NAMES[s.rents[0]].zh}划算。",
        )
    ends = [(NAMES[id], money(s.totals[id], s.inputs.currency)) for id in s.ranking]
    listed = Text(", ".join(f"{n.en} {v.en}" for n, v in ends), "，".join(f"{n.zh} {v.zh}" for n, v in ends))
    return Chart(
        "cumulative",
        "line",
        Text("Cumulative cost, present value", "累计成本（现值）"),
        (Text("Month", "月份"), ""),
        (Text("Cost so far", "累计成本"), s.inputs.currency),
        tuple(series),
        Text(
            f"Lines of cumulative cost over {s.inputs.horizon_months} months; at the end: {listed.en or 'nothing is priced'}. {said.en}".strip(),
            f"{s.inputs.horizon_months} 个月的累计成本曲线；期末：{listed.zh or '没有价格'}。{said.zh}",
        ),
        marks,
    )


def notes(s: Setup, catalog: Catalog) -> tuple[Text, ...]:
    """What a reader must know to trust the answer: missing prices, rates, age, tax, what is not counted."""
    i = s.inputs
    found: list[Text] = []
    for id, field in s.missing.items():
        name, where = NAMES[id], FIELD_NAMES[field]
        found.append(
            Text(
                f"{name.en} is not priced: the catalog has no figure for it. Fill in {where.en}.",
                f"“{name.zh}”没有价格，未参与比较：目录里没有数据，请填写{where.zh}。",
            )
        )
    converted = [id for id, p in s.prices.items() if p.converted_from]
    if converted:
        found.append(converted_note(catalog, "USD", "CNY", _listed(converted)))
    old = [id for id, p in s.prices.items() if p.stale]
    if old:
        found.append(stale_note(_listed(old)))
    found.append(
        Text(
            "Prices are taken as quoted, tax in or out as the table says; income tax and the VAT you may reclaim are left out. "
            "Storage, traffic and support are not counted.",
            "价格按报价计，是否含税见表；不计所得税，也不扣可抵扣的增值税。存储、流量、技术支持未计入。",
        )
    )
    if PURCHASE in s.options:
        found.extend(_owning(s))
    return (*found, *flag_notes(catalog, i.accelerator))


def _listed(options: list[str]) -> Text:
    return Text(", ".join(said_as(id).en for id in options), "、".join(NAMES[id].zh for id in options))


def _owning(s: Setup) -> list[Text]:
    i, found = s.inputs, list[Text]()
    if i.hosting == "own-room":
        found.append(
            Text("Own room: rent of the floor and the fit-out are not counted.", "自有机房：场地租金与机房建设未计入。")
        )
    else:
        found.append(
            Text("Colocation: cooling is in the rent, so PUE is taken as 1.", "托管：制冷已含在托管费中，PUE 按 1 计。")
        )
    if i.staff_per_month == 0:
        found.append(Text("Staff is counted as 0, which favours buying.", "人工按 0 计，会偏向购买。"))
    return found
